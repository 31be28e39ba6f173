//! Mails of programs, which are not answered, so that no two programs answer each other for ever.

use super::headers::HeaderFields;
use crate::mail::Address;

/// Why a mail is not answered: a program wrote it, or a program would read the answer (RFC 3834, 2).
/// Rate limits stop the loops that no header shows.
///
/// Mailing lists and gateways give people's mails some of these properties. Such a
/// [weak reason](Self::is_weak) stops answers to strangers, but not the commands of a player who proves
/// to be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NoReplyReason {
    /// Its return path is `<>`: it is a delivery report or similar (RFC 5321, 4.5.5).
    #[error("it has the null return path")]
    NullSender,
    /// `Auto-Submitted` is not `no` (RFC 3834, 5).
    #[error("it is marked Auto-Submitted")]
    AutoSubmitted,
    /// `Precedence: bulk`, `list` or `junk` (RFC 2076, 3.9).
    #[error("it is marked as bulk mail")]
    Bulk,
    /// It has a field `List-...` (RFC 2369, RFC 2919).
    #[error("it came from a mailing list")]
    List,
    /// It has `X-Autoreply`, `X-Autorespond` or a similar field of older programs.
    #[error("it is marked as an automatic answer")]
    Autoreply,
    /// `X-Loop` contains our address: it is a mail of ours that came back.
    #[error("it is a mail of this server")]
    Loop,
    /// Its sender has the name of a program: `mailer-daemon`, `no-reply`, `owner-...`.
    #[error("its sender is a program")]
    Robot,
    /// Its sender is one of our own addresses.
    #[error("its sender is this server")]
    Ourselves,
    /// It reports that another mail was delivered, failed or read (RFC 3462, RFC 3798).
    #[error("it is a report about a mail")]
    Report,
    /// A calendar answers an invitation (RFC 5546, 3.2.3).
    #[error("it is the answer of a calendar")]
    Calendar,
    /// It has more than 50 `Received` fields: it goes in circles.
    #[error("it passed too many servers")]
    Hops,
}

impl NoReplyReason {
    /// Returns whether people's mails can have this reason, too, so that proven commands in them count.
    pub fn is_weak(self) -> bool {
        match self {
            Self::AutoSubmitted | Self::Bulk | Self::List | Self::Autoreply | Self::Robot => true,
            Self::NullSender
            | Self::Loop
            | Self::Ourselves
            | Self::Report
            | Self::Calendar
            | Self::Hops => false,
        }
    }
}

/// `Received` fields of a mail that does not go in circles.
const MOST_HOPS: usize = 50;

/// Returns why a mail must not be answered, as far as its headers show. `envelope` is the sender in a
/// first line `From ...`.
pub(super) fn no_reply_reason(
    headers: &HeaderFields<'_>,
    from: Option<&Address>,
    envelope: Option<&str>,
    own: &Address,
) -> Option<NoReplyReason> {
    let any =
        |name, is: &dyn Fn(&str) -> bool| headers.all(name).any(|value| is(&value.to_lowercase()));
    let first_word =
        |value: &str| value.split([';', ' ', '\t', '(']).next().unwrap_or_default().to_owned();
    let by_name = |address: &Address| is_role_mailbox(address.mailbox());
    let paths = || headers.addresses("Return-Path").into_iter().flatten();
    let senders = || headers.addresses("Sender").into_iter().flatten();

    let reasons = [
        (NoReplyReason::NullSender, headers.all("Return-Path").any(|path| is_null(&path))),
        (NoReplyReason::NullSender, envelope.is_some_and(is_null)),
        (NoReplyReason::Loop, headers.all("X-Loop").any(|value| names(&value, own))),
        (NoReplyReason::Ourselves, from.is_some_and(|from| from.same_mailbox(own))),
        (
            NoReplyReason::Report,
            any("Content-Type", &|value| first_word(value) == "multipart/report"),
        ),
        (
            NoReplyReason::Report,
            any("Content-Type", &|value| {
                matches!(
                    first_word(value).as_str(),
                    "message/delivery-status" | "message/disposition-notification"
                )
            }),
        ),
        (NoReplyReason::Hops, headers.raw("Received").count() > MOST_HOPS),
        // Weak reasons come last, since a mail with a strong reason is not executed at all.
        (NoReplyReason::AutoSubmitted, any("Auto-Submitted", &|value| first_word(value) != "no")),
        (NoReplyReason::Autoreply, headers.names().any(is_autoreply)),
        (
            NoReplyReason::Bulk,
            any("Precedence", &|value| {
                matches!(first_word(value).as_str(), "bulk" | "list" | "junk" | "auto_reply")
            }),
        ),
        (NoReplyReason::List, headers.names().any(|name| has_prefix(name, b"list-"))),
        (NoReplyReason::Robot, from.is_some_and(by_name)),
        (NoReplyReason::Robot, paths().chain(senders()).any(|address| by_name(&address))),
    ];
    reasons.into_iter().find(|&(_, holds)| holds).map(|(reason, _)| reason)
}

/// Returns whether a return path is `<>`, or the name that old programs write in its place.
fn is_null(path: &str) -> bool {
    let path: String = path.chars().filter(|c| !c.is_whitespace() && !"<>".contains(*c)).collect();
    path.is_empty() || path.eq_ignore_ascii_case("mailer-daemon")
}

/// Returns whether an `X-Loop` value contains our address. Programs write other text around it.
fn names(value: &str, own: &Address) -> bool {
    value
        .split(|c: char| c.is_whitespace() || "<>,;:()\"".contains(c))
        .filter_map(Address::parse)
        .any(|address| address.same_mailbox(own))
}

/// Returns whether only autoresponders set this field. People's mails may have
/// `X-Auto-Response-Suppress`, which is a request.
fn is_autoreply(name: &[u8]) -> bool {
    const FIELDS: [&str; 8] = [
        "X-Autoreply",
        "X-Autorespond",
        "X-Autoresponse",
        "X-Autoreply-From",
        "X-Autoresponder",
        "X-Mail-Autoreply",
        "X-Autogenerated",
        "X-FC-MachineGenerated",
    ];
    FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field.as_bytes()))
}

fn has_prefix(name: &[u8], prefix: &[u8]) -> bool {
    name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Returns whether an address belongs to a program, a mailing list or a role and not to a person. Its
/// mails are not answered, and nobody can sign up with it.
pub fn is_role_address(address: &Address) -> bool {
    is_role_mailbox(address.mailbox())
}

/// Returns whether no person has this local part. RFC 2142 lists those of roles.
fn is_role_mailbox(local: &str) -> bool {
    const WHOLE: [&str; 22] = [
        "abuse",
        "auto-reply",
        "autoreply",
        "bounce",
        "bounces",
        "daemon",
        "ftp",
        "hostmaster",
        "listserv",
        "mail-daemon",
        "mailer-daemon",
        "mailerdaemon",
        "mailman",
        "majordomo",
        "noc",
        "nobody",
        "postmaster",
        "security",
        "sympa",
        "usenet",
        "uucp",
        "www",
    ];
    const STARTS: [&str; 7] =
        ["owner-", "noreply", "no-reply", "no_reply", "donotreply", "do-not-reply", "do_not_reply"];
    const ENDS: [&str; 9] = [
        "-request",
        "-bounces",
        "-bounce",
        "-owner",
        "-list",
        "-announce",
        "-users",
        "-subscribe",
        "-unsubscribe",
    ];
    let local = local.to_ascii_lowercase();
    WHOLE.contains(&&*local)
        || STARTS.iter().any(|start| local.starts_with(start))
        || ENDS.iter().any(|end| local.ends_with(end))
}

/// The beginnings of Subjects of vacation notes and delivery reports, in lower case, for those whose
/// headers do not show it.
const BEGINNINGS: &[&str] = &[
    // English
    "auto:",
    "auto reply",
    "auto-reply",
    "autoreply",
    "auto response",
    "auto-response",
    "autoresponse",
    "automatic reply",
    "automatic response",
    "automated reply",
    "automated response",
    "away from my mail",
    "away from the office",
    "delivery delayed",
    "delivery failed",
    "delivery failure",
    "delivery has failed",
    "delivery notification",
    "delivery report",
    "delivery status notification",
    "failed delivery",
    "failed mail",
    "failure delivery",
    "failure notice",
    "i am out of",
    "mail delivery fail",
    "mail delivery problem",
    "mail delivery subsystem",
    "mail delivery system",
    "mail failure",
    "mail not delivered",
    "mail returned",
    "mail system error",
    "message not delivered",
    "non-delivery",
    "nondeliverable",
    "nondelivery",
    "out of office",
    "out of the office",
    "out-of-office",
    "permanent delivery failure",
    "read: ",
    "not read: ",
    "returned mail",
    "returned to sender",
    "undelivered mail",
    "undelivered message",
    "vacation note:",
    "vacation reply",
    "vacation response",
    "warning: could not send message",
    "warning: message delayed",
    "warning: message still undelivered",
    // German
    "abwesend",
    "abwesenheit",
    "automatische antwort",
    "automatische abwesenheit",
    "ich bin im urlaub",
    "ich bin nicht im büro",
    "nachricht nicht zustellbar",
    "nicht im büro",
    "nicht zustellbar",
    "unzustellbar",
    "zustellung fehlgeschlagen",
    // French
    "absence du bureau",
    "absent du bureau",
    "message d'absence",
    "notification d'absence",
    "réponse automatique",
    "remise différée",
    "échec de la remise",
    "échec de remise",
    // Spanish
    "ausencia",
    "error de entrega",
    "fuera de la oficina",
    "fuera de oficina",
    "mensaje no entregado",
    "no entregado",
    "no se puede entregar",
    "respuesta automática",
    // Portuguese
    "ausência",
    "falha na entrega",
    "fora do escritório",
    "não entregue",
    "não é possível entregar",
    "resposta automática",
    // Italian
    "assenza",
    "fuori sede",
    "fuori ufficio",
    "mancata consegna",
    "messaggio non recapitato",
    "non recapitabile",
    "risposta automatica",
    // Dutch
    "afwezig",
    "automatisch antwoord",
    "automatische reactie",
    "niet afgeleverd",
    "niet bezorgd",
    "onbestelbaar",
    // Swedish, Danish, Norwegian
    "autosvar",
    "automatiskt svar",
    "automatisk svar",
    "ej levererat",
    "frånvaro",
    "fravær",
    "ikke leveret",
    "ikke levert",
    "kan ikke leveres",
    "kan inte levereras",
    "kunne ikke leveres",
    "olevererbart",
    // Finnish
    "automaattinen vastaus",
    "ei voi toimittaa",
    "poissa toimistolta",
    // Polish, Czech, Slovak
    "automatyczna odpowiedź",
    "autoodpowiedź",
    "nie można dostarczyć",
    "niedostarcz",
    "odpowiedź automatyczna",
    "poza biurem",
    "automatická odpověď",
    "automatická odpoveď",
    "mimo kancelář",
    "nedoručiteln",
    // Hungarian, Romanian, Turkish
    "automatikus válasz",
    "házon kívül",
    "kézbesíthetetlen",
    "răspuns automat",
    "ofis dışında",
    "otomatik yanıt",
    // Greek, Russian, Ukrainian, Bulgarian
    "αυτόματη απάντηση",
    "εκτός γραφείου",
    "автоматический ответ",
    "автоответ",
    "не доставлено",
    "автоматична відповідь",
    "автоматичен отговор",
    // Japanese, Chinese, Korean
    "自動応答",
    "自動返信",
    "不在通知",
    "自动答复",
    "自动回复",
    "自動回覆",
    "系统退信",
    "无法送达",
    "未送达",
    "자동 회신",
    "부재 중",
];

/// Words anywhere in such a Subject, in lower case.
const PARTS: &[&str] = &[
    "could not be delivered",
    "delivery status notification",
    "is out of the office",
    "message non remis",
    "out of office auto",
    "returning message to sender",
    "returned to sender",
    "undeliverable",
    "non distribuable",
];

/// Returns whether a Subject, without its prefixes, is that of a vacation note or a delivery report. No
/// command is.
pub fn is_automatic_subject(subject: &str) -> bool {
    let words: Vec<&str> = subject.split_whitespace().collect();
    let subject = words.join(" ").to_lowercase().replace('’', "'");
    BEGINNINGS.iter().any(|start| subject.starts_with(start))
        || PARTS.iter().any(|part| subject.contains(part))
        || subject == "non remis"
        || subject.starts_with("non remis :")
        || subject.starts_with("non remis:")
        || subject.ends_with(" non remis")
}

#[cfg(test)]
mod tests {
    use super::super::headers::split;
    use super::*;

    fn of(fields: &str) -> Option<NoReplyReason> {
        let own = Address::parse("post@games.example").unwrap();
        let headers = split(fields.as_bytes()).headers;
        let from = headers.addresses("From").into_iter().next().flatten();
        no_reply_reason(&headers, from.as_ref(), None, &own)
    }

    #[test]
    fn programs_are_not_answered() {
        for (fields, want) in [
            ("Return-Path: <>", NoReplyReason::NullSender),
            ("return-path:  < >", NoReplyReason::NullSender),
            ("Return-Path: <MAILER-DAEMON>", NoReplyReason::NullSender),
            ("Return-Path: <a@b>\nReturn-Path: <>", NoReplyReason::NullSender),
            ("Auto-Submitted: auto-replied", NoReplyReason::AutoSubmitted),
            ("auto-submitted: AUTO-GENERATED (x)", NoReplyReason::AutoSubmitted),
            ("Auto-Submitted:", NoReplyReason::AutoSubmitted),
            ("Precedence: bulk", NoReplyReason::Bulk),
            ("Precedence: List", NoReplyReason::Bulk),
            ("Precedence: junk", NoReplyReason::Bulk),
            ("List-Id: x", NoReplyReason::List),
            ("list-post: x", NoReplyReason::List),
            ("X-Autoreply: yes", NoReplyReason::Autoreply),
            ("x-autorespond: x", NoReplyReason::Autoreply),
            ("X-Loop: post@games.example", NoReplyReason::Loop),
            ("X-Loop: Postboard <POST+a@games.example>, x", NoReplyReason::Loop),
            ("From: MAILER-DAEMON@h", NoReplyReason::Robot),
            ("From: Postmaster <postmaster@h>", NoReplyReason::Robot),
            ("From: no-reply@h", NoReplyReason::Robot),
            ("From: NoReply+4711@h", NoReplyReason::Robot),
            ("From: owner-chess@h", NoReplyReason::Robot),
            ("From: chess-request@h", NoReplyReason::Robot),
            ("From: chess-bounces+ann=h@h", NoReplyReason::Robot),
            ("Return-Path: <chess-bounces@h>", NoReplyReason::Robot),
            ("Sender: owner-chess@h", NoReplyReason::Robot),
            ("From: bounces@games.example", NoReplyReason::Robot),
            ("From: bounces+a17@games.example", NoReplyReason::Robot),
            ("From: bounce@h", NoReplyReason::Robot),
            ("From: chess-owner@h", NoReplyReason::Robot),
            ("From: chess-bounce@h", NoReplyReason::Robot),
            ("From: Abuse@h", NoReplyReason::Robot),
            ("From: hostmaster@h", NoReplyReason::Robot),
            ("From: noreply-games@h", NoReplyReason::Robot),
            ("From: do_not_reply@h", NoReplyReason::Robot),
            ("From: backgammon-list@h", NoReplyReason::Robot),
            ("From: post@games.example", NoReplyReason::Ourselves),
            ("From: Post+b17@Games.example", NoReplyReason::Ourselves),
            ("Content-Type: multipart/report; boundary=x", NoReplyReason::Report),
            ("Content-Type: Message/Disposition-Notification", NoReplyReason::Report),
        ] {
            assert_eq!(of(fields), Some(want), "{fields}");
            assert_eq!(of(&format!("Date: x\n{fields}\nX: y")), Some(want), "{fields}");
        }
        assert_eq!(of(&"Received: x\n".repeat(51)), Some(NoReplyReason::Hops));
    }

    #[test]
    fn people_are_answered() {
        for fields in [
            "",
            "From: ann@h",
            "Return-Path: <ann@h>",
            "Auto-Submitted: no",
            "Auto-Submitted: No (typed by hand)",
            "Precedence: first-class",
            "X-Auto-Response-Suppress: All",
            "X-Loop: ann@h",
            "X-Loop: post@games.example.org",
            "From: post@other.example",
            "From: poster@games.example",
            "From: reply-no@h",
            "From: bouncer@h",
            "From: bob.owner@h",
            "From: owner@h",
            "From: list@h",
            "From: anna.noreply@h",
            "From: webmaster@h",
            "From: root@h",
            "Disposition-Notification-To: ann@h",
            "Content-Type: multipart/mixed; boundary=multipart/report",
            "Listen-To: x",
        ] {
            assert_eq!(of(fields), None, "{fields}");
        }
        assert_eq!(of(&"Received: x\n".repeat(50)), None);
    }

    #[test]
    fn subjects_of_notes_and_reports_are_known() {
        for subject in [
            "Mail delivery failed: returning message to sender",
            "Undelivered Mail Returned to Sender",
            "Delivery Status Notification (Failure)",
            "Mail System Error - Returned Mail",
            "Returned mail: see transcript for details",
            "failure notice",
            "Undeliverable: Welcome rita",
            "Warning: could not send message for past 4 hours",
            "AUTO: Rita Smith is out of the office (returning 03.09.2004)",
            "Rita Smith is out of the office.",
            "Automatic reply: Malaka Board 1 rita",
            "Out  of Office: Malaka",
            "Auto-Reply: x",
            "Abwesenheitsnotiz",
            "Automatische Antwort: x",
            "Unzustellbar: x",
            "Réponse automatique : x",
            "Message d’absence",
            "Non remis\u{a0}: x",
            "Message non remis",
            "Respuesta automática: x",
            "Resposta automática: x",
            "Risposta automatica: x",
            "Automatisch antwoord: x",
            "Autosvar: x",
            "Automatiskt svar: x",
            "Automatyczna odpowiedź: x",
            "Автоответ: x",
            "自動応答: x",
        ] {
            assert!(is_automatic_subject(subject), "{subject}");
        }
        for subject in [
            "",
            "hello",
            "Re: Malaka Board 1 rita",
            "vacation rita secret 2004-09-01",
            "Malaka",
            "message rita secret bob",
            "list",
            "I will be away until Monday",
            "my vacation",
        ] {
            assert!(!is_automatic_subject(subject), "{subject}");
        }
        for known in BEGINNINGS.iter().chain(PARTS) {
            assert_eq!(*known, known.to_lowercase(), "subjects are compared in lower case");
            let words: Vec<&str> = known.split_whitespace().collect();
            assert_eq!(known.trim_end(), words.join(" "));
        }
    }
}
