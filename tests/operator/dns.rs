//! The DNS checks of `doctor`, with a small DNS server in the test.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]

use crate::support::program::Home;
use simple_dns::rdata::{A, AAAA, MX, RData, TXT};
use simple_dns::{CLASS, Name, Packet, PacketFlag, QTYPE, RCODE, ResourceRecord, TYPE};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// A record: its name, type and value.
type Record = (&'static str, TYPE, &'static str);

/// A function that returns a server's answer to a question, by UDP or by TCP.
type Says = fn(&[Record], &[u8], bool) -> Option<Vec<u8>>;

fn data(kind: TYPE, says: &'static str) -> RData<'static> {
    match kind {
        TYPE::TXT => {
            let pieces = says.as_bytes().chunks(255).map(|piece| str::from_utf8(piece).unwrap());
            RData::TXT(pieces.fold(TXT::new(), |text, piece| text.with_string(piece).unwrap()))
        }
        TYPE::MX => RData::MX(MX { preference: 10, exchange: Name::new_unchecked(says) }),
        TYPE::AAAA => {
            RData::AAAA(AAAA { address: says.parse::<std::net::Ipv6Addr>().unwrap().into() })
        }
        _ => RData::A(A { address: says.parse::<std::net::Ipv4Addr>().unwrap().into() }),
    }
}

/// Answers with the matching records, truncated if they are too long for a packet.
#[expect(clippy::unnecessary_wraps, reason = "other servers may give no answer")]
fn answers(records: &[Record], question: &[u8], is_packet: bool) -> Option<Vec<u8>> {
    let question = Packet::parse(question).unwrap();
    let mut answer = Packet::new_reply(question.id());
    let asked = &question.questions[0];
    let name = asked.qname.to_string();
    let those =
        records.iter().filter(|(it, kind, _)| *it == name && asked.qtype == QTYPE::TYPE(*kind));
    for (name, kind, says) in those {
        let name = Name::new_unchecked(name);
        answer.answers.push(ResourceRecord::new(name, CLASS::IN, 60, data(*kind, says)));
    }
    if !records.iter().any(|(it, ..)| *it == name) {
        *answer.rcode_mut() = RCODE::NameError;
    }
    let bytes = answer.build_bytes_vec().unwrap();
    if is_packet && bytes.len() > 512 {
        answer.answers.clear();
        answer.set_flags(PacketFlag::TRUNCATION);
        return Some(answer.build_bytes_vec().unwrap());
    }
    Some(bytes)
}

fn fails(_: &[Record], question: &[u8], _: bool) -> Option<Vec<u8>> {
    let mut answer = Packet::new_reply(Packet::parse(question).unwrap().id());
    *answer.rcode_mut() = RCODE::ServerFailure;
    answer.build_bytes_vec().ok()
}

/// Starts a DNS server on this machine; it ends with the process.
fn server(records: &'static [Record], says: Says) -> SocketAddr {
    // A port that is free for UDP may be in use for TCP.
    let both = || {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let place = socket.local_addr().unwrap();
        Some((place, socket, TcpListener::bind(place).ok()?))
    };
    let (place, socket, listener) = std::iter::repeat_with(both).flatten().next().unwrap();
    thread::spawn(move || {
        let mut bytes = [0; 512];
        while let Ok((length, from)) = socket.recv_from(&mut bytes) {
            if let Some(answer) = says(records, &bytes[..length], true) {
                socket.send_to(&answer, from).unwrap();
            }
        }
    });
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut length = [0; 2];
            stream.read_exact(&mut length).unwrap();
            let mut question = vec![0; u16::from_be_bytes(length).into()];
            stream.read_exact(&mut question).unwrap();
            let answer = says(records, &question, false).unwrap_or_default();
            let length = u16::try_from(answer.len()).unwrap();
            stream.write_all(&[&length.to_be_bytes()[..], &answer].concat()).unwrap();
        }
    });
    place
}

/// Returns the lines of `doctor` about the DNS.
fn told(server: SocketAddr, selector: &str) -> Vec<String> {
    let home = Home::new();
    home.configure(
        "address = \"postboard@localhost\"",
        "address = \"postboard@play.games.example\"",
    );
    home.configure(&home.by_folder(), "by = \"sendmail\"\ncommand = \"/bin/true\"");
    home.configure("[dns]", &format!("[dns]\nserver = \"{server}\"\n{selector}"));
    let ran = home.run(&["doctor"], b"");
    let lines = ran.out.lines().filter(|line| line[5..].starts_with("DNS "));
    lines.map(|line| format!("{}{}", &line[..5], &line[15..])).collect()
}

const KEY: &str = "dkim_selector = \"s1\"";

const WELL: &[Record] = &[
    ("play.games.example", TYPE::MX, "mx.games.example"),
    ("mx.games.example", TYPE::A, "192.0.2.1"),
    ("play.games.example", TYPE::TXT, "something=else"),
    ("play.games.example", TYPE::TXT, "v=spf1 mx -all"),
    ("_dmarc.games.example", TYPE::TXT, "v=DMARC1; p=reject"),
    ("s1._domainkey.play.games.example", TYPE::TXT, "v=DKIM1; k=rsa; p=MIIBIjANBg"),
];

#[test]
fn existing_records_are_reported() {
    let found = told(server(WELL, answers), KEY);
    let wanted = [
        "ok   mails to play.games.example go to mx.games.example",
        "ok   SPF of play.games.example: v=spf1 mx -all",
        "ok   DMARC of games.example: v=DMARC1; p=reject",
        "ok   DKIM: s1._domainkey.play.games.example has a key",
    ];
    assert_eq!(found, wanted);
    let found = told(server(WELL, answers), "");
    assert!(
        found[3].starts_with("ok   DKIM not checked: set dkim_selector under [dns] "),
        "{found:?}"
    );
}

#[test]
fn missing_records_are_named_with_the_line_to_add() {
    let found = told(server(&[], answers), KEY);
    let wanted = [
        "MEND no mail reaches play.games.example: it has no MX and no address; let an MX ",
        "MEND play.games.example has no SPF record, so that mails from it may be refused: add TXT ",
        "MEND _dmarc.play.games.example has no DMARC record, which large providers ask for: add TXT ",
        "MEND s1._domainkey.play.games.example has no DKIM key: add the TXT record that ",
    ];
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        assert!(found.starts_with(wanted), "{found}");
    }
}

const ODD: &[Record] = &[
    ("play.games.example", TYPE::MX, "mx.games.example"),
    ("play.games.example", TYPE::TXT, "v=spf1 mx -all"),
    ("play.games.example", TYPE::TXT, "v=spf1 a \u{1b}[31m-all"),
    ("s1._domainkey.play.games.example", TYPE::TXT, "v=DKIM1; p="),
];

const NULL_MX: &[Record] =
    &[("play.games.example", TYPE::MX, "."), ("play.games.example", TYPE::A, "192.0.2.1")];

const OWN_ADDRESS: &[Record] = &[("play.games.example", TYPE::A, "192.0.2.1")];

#[test]
fn records_that_contradict_each_other_are_named() {
    let found = told(server(ODD, answers), KEY);
    for (found, wanted) in found.iter().zip([
        "MEND mails to play.games.example go to mx.games.example, which has no address",
        "MEND play.games.example has 2 SPF records, of which none counts: leave one",
        "MEND _dmarc.play.games.example has no DMARC record",
        "MEND s1._domainkey.play.games.example was revoked: its p= is empty",
    ]) {
        assert!(found.starts_with(wanted), "{found}");
    }
    let found = told(server(NULL_MX, answers), KEY);
    assert!(
        found[0]
            .starts_with("MEND play.games.example says by its MX record that it takes no mails")
    );
    let found = told(server(OWN_ADDRESS, answers), KEY);
    assert_eq!(found[0], "ok   mails to play.games.example go to that host itself: it has no MX");
}

/// Records with control bytes, and a host with only an IPv6 address.
const STRANGE: &[Record] = &[
    ("play.games.example", TYPE::AAAA, "2001:db8::1"),
    ("play.games.example", TYPE::TXT, "v=spf1 a \u{1b}[31m-all"),
    ("_dmarc.games.example", TYPE::TXT, "v=DMARC1; p=none \u{7}"),
];

#[test]
fn control_bytes_in_dns_records_reach_no_terminal() {
    let found = told(server(STRANGE, answers), "");
    assert_eq!(found[0], "ok   mails to play.games.example go to that host itself: it has no MX");
    assert!(
        found[1].starts_with("ok   SPF of ") && found[2].starts_with("ok   DMARC of "),
        "{found:?}"
    );
    assert!(!found.iter().any(|line| line.contains(char::is_control)), "{found:?}");
}

/// Returns a forged answer by UDP, whose sender does not know the question, and the true answer by
/// TCP.
fn guesses(records: &[Record], question: &[u8], is_packet: bool) -> Option<Vec<u8>> {
    let mut answer = answers(if is_packet { NULL_MX } else { records }, question, is_packet)?;
    answer[1] ^= u8::from(is_packet);
    Some(answer)
}

#[test]
fn an_answer_to_another_question_is_not_believed() {
    let found = told(server(WELL, guesses), KEY);
    assert!(found.len() == 4 && found.iter().all(|line| line.starts_with("ok   ")), "{found:?}");
    assert!(found[0].ends_with(" go to mx.games.example"), "{found:?}");
}

/// Returns no answer to the first question, and answers all later questions.
fn wakes_up(records: &[Record], question: &[u8], is_packet: bool) -> Option<Vec<u8>> {
    static IS_AWAKE: AtomicBool = AtomicBool::new(false);
    IS_AWAKE.swap(true, Ordering::Relaxed).then(|| answers(records, question, is_packet))?
}

#[test]
fn a_question_that_was_lost_is_asked_again() {
    let found = told(server(WELL, wakes_up), KEY);
    assert!(found.len() == 4 && found[0].ends_with(" go to mx.games.example"), "{found:?}");
}

#[test]
fn an_answer_too_long_for_a_packet_is_fetched_whole() {
    static LONG: &[Record] = &[(
        "play.games.example",
        TYPE::TXT,
        "v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 ip4:192.0.2.3 ip4:192.0.2.4 ip4:192.0.2.5 ip4:192.0.2.6 \
         ip4:192.0.2.7 ip4:192.0.2.8 ip4:192.0.2.9 ip4:192.0.2.10 ip4:192.0.2.11 ip4:192.0.2.12 \
         ip4:192.0.2.13 ip4:192.0.2.14 ip4:192.0.2.15 ip4:192.0.2.16 ip4:192.0.2.17 ip4:192.0.2.18 \
         ip4:192.0.2.19 ip4:192.0.2.20 ip4:192.0.2.21 ip4:192.0.2.22 ip4:192.0.2.23 ip4:192.0.2.24 \
         ip4:192.0.2.25 ip4:192.0.2.26 ip4:192.0.2.27 ip4:192.0.2.28 ip4:192.0.2.29 ip4:192.0.2.30 -all",
    )];
    let found = told(server(LONG, answers), "");
    let said = found[1].strip_prefix("ok   SPF of play.games.example: ").unwrap();
    assert!(said.len() > 255 && LONG[0].2.starts_with(said), "{said}");
}

#[test]
fn a_server_that_cannot_answer_is_told_and_nothing_is_guessed() {
    let silent: Says = |_, _, _| None;
    let garbage: Says = |_, _, _| Some(b"\x00\x01no".to_vec());
    for (says, why) in
        [(silent, "(no answer)"), (fails, "(it answers ServerFailure)"), (garbage, "(")]
    {
        let place = server(&[], says);
        let found = told(place, KEY);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with(&format!("ok   could not ask {place} {why}")), "{found:?}");
        assert!(found[0].contains(": `dig MX play.games.example` should name your server"));
    }
    let nobody = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let found = told(nobody, KEY);
    assert!(found[0].contains("Connection refused"), "{found:?}");
}
