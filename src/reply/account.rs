//! What is said about accounts.

use super::news::News;
use super::{Block, BoardNews, Origin, Outgoing, To, board as mails_of};
use crate::base::ids::{BoardId, UserId};
use crate::base::words::{And, Count, lines, quotation, wrapped};
use crate::mail::Address;
use crate::model::code::Word;
use crate::model::rate_limit::Share;
use crate::model::user::{Language, OptOut, Preference};
use crate::model::world::World;
use games::Seat;
use std::fmt::Write as _;

/// What became of an account.
#[derive(Debug)]
pub enum Account {
    /// Somebody joined.
    Joined {
        /// Who.
        user: UserId,
        /// The addresses not used yet.
        asked: Vec<Asked>,
    },
    /// Somebody who had left is back.
    Returned {
        /// Who.
        user: UserId,
        /// Where mails went.
        was: Vec<Address>,
        /// The addresses not used yet.
        asked: Vec<Asked>,
    },
    /// There is a new password.
    NewPassword(UserId),
    /// Mails go elsewhere, or will.
    NewAddresses {
        /// Whose.
        user: UserId,
        /// Where they went.
        was: Vec<Address>,
        /// Where they go.
        now: Vec<Address>,
        /// The addresses not used yet.
        asked: Vec<Asked>,
    },
    /// An address is used from now on.
    Confirmed {
        /// Whose.
        user: UserId,
        /// Which.
        address: Address,
        /// Those that are used no more.
        replaced: Vec<Address>,
    },
    /// Somebody has no password; who it is, and the word, if it may be mailed.
    Forgot(Option<(UserId, Word)>),
    /// Somebody knows no userid and no password; who is at the address, each with a word.
    ForgotAt {
        /// The address.
        address: Address,
        /// The userids and their words; none where nobody is there, or words enough were mailed.
        words: Vec<(UserId, Word)>,
    },
    /// Somebody new is to show first that mails are read.
    ProveFirst {
        /// Who.
        user: UserId,
        /// How that is shown.
        asked: Asked,
    },
    /// Somebody wants to leave.
    Leaving {
        /// Who.
        user: UserId,
        /// Whether what is stored is to be erased.
        erased: bool,
        /// How many boards are in progress.
        boards: usize,
        /// What confirms it.
        word: Word,
    },
    /// Somebody has left.
    Left {
        /// Who.
        user: UserId,
        /// Whether what was stored is erased.
        erased: bool,
        /// The boards resigned, with the seat there.
        boards: Vec<(BoardId, Seat)>,
        /// Where mails went.
        addresses: Vec<Address>,
    },
    /// What is stored about somebody.
    Export {
        /// Whom.
        user: UserId,
        /// All of it.
        text: String,
    },
    /// Words to some users.
    Message {
        /// Whose.
        from: UserId,
        /// For whom.
        to: Vec<UserId>,
        /// The words.
        said: String,
    },
    /// Words to all users who want them.
    Broadcast {
        /// Whose.
        from: UserId,
        /// For whom.
        to: Vec<UserId>,
        /// The words.
        said: String,
    },
    /// Somebody wants no words of somebody else, or wants them again.
    Mutes {
        /// Who.
        user: UserId,
        /// Whose words.
        other: UserId,
        /// Whether none.
        wanted: bool,
    },
    /// Whom somebody has muted.
    Muted {
        /// Who.
        user: UserId,
        /// Whom.
        muted: Vec<UserId>,
    },
    /// Something was chosen.
    Prefers(Preference),
}

/// An address whose owner is asked whether mails may go there.
#[derive(Debug)]
pub struct Asked {
    /// The address.
    pub address: Address,
    /// What its owner sends if they may.
    pub word: Word,
}

/// The mails about it.
pub(super) fn mails(world: &World, origin: &Origin, account: &Account, now: i64) -> Vec<Outgoing> {
    match account {
        Account::Joined { user, asked } => {
            let text = format!("Welcome, {user}! You can play now.\n\n{}", first_steps(user));
            with_asked(
                mail(To::Sender, format!("Welcome {user}"), text + &waiting(asked)),
                user,
                asked,
            )
        }
        Account::Returned { user, was, asked } => {
            let text = format!(
                "Welcome back, {user}! Your password and your settings are as they were.\n{}",
                waiting(asked)
            );
            let first = mail(To::Sender, format!("Welcome {user}"), text);
            [with_asked(first, user, asked), warnings(origin, user, was)].concat()
        }
        Account::NewPassword(user) => {
            let text = paragraphs(&[
                &format!("The password of {user} has been changed."),
                "If it was not you who did that, send `forgot <userid>`, choose another one, and \
                 tell the operator.",
            ]);
            told(world, origin, user, &format!("Password of {user}"), &text)
        }
        Account::NewAddresses { user, was, now, asked } => addresses(origin, user, was, now, asked),
        Account::Confirmed { user, address, replaced } => {
            let mut text = format!("{address} is confirmed. Mails for {user} go to it");
            if !replaced.is_empty() {
                let _ = write!(text, ", and no more to {}", And(replaced));
            }
            let text = wrapped(&(text + ".")) + "\n";
            let first = mail(To::Sender, format!("Address of {user}"), text);
            std::iter::once(first).chain(warnings(origin, user, replaced)).collect()
        }
        Account::Forgot(word) => forgot(world, word.as_ref()),
        Account::ForgotAt { address, words } => forgot_at(address, words),
        Account::ProveFirst { user, asked } => prove_first(user, asked),
        Account::Leaving { user, erased, boards, word } => {
            leaving(world, user, *erased, *boards, word)
        }
        Account::Left { user, erased, boards, addresses } => {
            let mut mails = left(origin, user, *erased, boards.len(), addresses);
            for (board, seat) in boards {
                let (what, by) = (&BoardNews::Moved, Some(*seat));
                let news = News { what, by, comment: "", moves: 0 };
                let both = mails_of::to_players(world, Some(origin), *board, &news, now);
                mails.extend(both.into_iter().filter(|mail| mail.seat == Some(seat.other())));
                mails.extend(mails_of::to_observers(world, *board, &news, now));
            }
            mails
        }
        Account::Export { user, text } => {
            let subject = format!("What is stored about {user}");
            let mut mails = vec![mail(To::User(user.clone()), subject.clone(), text.clone())];
            if !is_registered(world, origin, user) {
                let text = "It has been sent to your registered address.\n";
                mails.push(mail(To::Sender, subject, text.into()));
            }
            mails
        }
        Account::Message { from, to, said } => message(world, from, to, said),
        Account::Broadcast { from, to, said } => broadcast(world, from, to, said),
        Account::Mutes { user, other, wanted } => {
            vec![mail(To::Sender, format!("Words of {other}"), mutes(user, other, *wanted))]
        }
        Account::Muted { user, muted } => {
            vec![mail(To::Sender, "Whom you have muted".into(), all_muted(user, muted))]
        }
        Account::Prefers(preference) => {
            let text = wrapped(&match *preference {
                Preference::Html(true) => "From now on your mails have an HTML part.".to_owned(),
                Preference::Html(false) => "From now on your mails are plain text alone.".into(),
                Preference::Broadcast(true) => {
                    "From now on you get what users write to everybody.".into()
                }
                Preference::Broadcast(false) => {
                    "From now on you do not get what users write to everybody.".into()
                }
                Preference::Reminders(true) => {
                    "From now on you are reminded of boards that wait for you.".into()
                }
                Preference::Reminders(false) => format!("From now on {NO_REMINDERS}"),
                Preference::Words(true) => {
                    "From now on your mails tell in words what each picture shows.".into()
                }
                Preference::Words(false) => {
                    "From now on your mails have pictures without words.".into()
                }
                Preference::Language(Language::English) => {
                    "From now on your mails are in English.".into()
                }
            });
            vec![mail(To::Sender, "Settings".into(), text + "\n")]
        }
    }
}

/// What it means to get no reminders.
const NO_REMINDERS: &str = "you are not reminded of boards that wait for you. Your clocks run on: \
                            if you let a board wait for too long you lose, and a draw that you do not \
                            answer counts as accepted.";

/// What somebody is told who has turned mails off by the address that they named for it.
pub(super) fn opted_out(user: &UserId, what: OptOut) -> Outgoing {
    let (name, happened) = match what {
        OptOut::Reminders => ("reminders", NO_REMINDERS),
        OptOut::Broadcasts => ("broadcast", "you do not get what users write to everybody."),
    };
    let text = paragraphs(&[
        &format!(
            "Somebody, perhaps you, has turned mails of a kind off by the button of a mail program: \
             from now on {happened}"
        ),
        "To get them again, send the Subject",
    ]);
    let text = format!("{text}\n  set {user} <password> {name} on\n");
    mail(To::User(user.clone()), format!("Settings of {user}"), text)
}

pub(super) fn mail(to: To, subject: String, text: String) -> Outgoing {
    Outgoing::new(to, subject, vec![Block::Page(text)])
}

/// What the owner of an account must hear.
fn vital(to: To, subject: String, text: String) -> Outgoing {
    Outgoing { share: Share::Account, ..mail(to, subject, text) }
}

/// What somebody else says.
fn said_by(to: To, subject: String, text: String) -> Outgoing {
    Outgoing { share: Share::Others, ..mail(to, subject, text) }
}

pub(super) fn paragraphs(paragraphs: &[&str]) -> String {
    let wrapped: Vec<String> = paragraphs.iter().map(|text| wrapped(text) + "\n").collect();
    wrapped.join("\n")
}

/// Whether what the sender is told reaches the user's own address anyway.
fn is_registered(world: &World, origin: &Origin, user: &UserId) -> bool {
    let Some(sender) = origin.address() else { return false };
    world.kept(user).is_some_and(|user| user.addresses.contains(sender))
}

/// A mail to where the user can be reached, also after he has left: then nothing else goes there.
fn to_registered(world: &World, user: &UserId, subject: &str, text: &str) -> Vec<Outgoing> {
    match world.kept(user).filter(|user| user.left.is_some()) {
        None => vec![vital(To::User(user.clone()), subject.into(), text.into())],
        Some(gone) => {
            let to = gone.addresses.iter().cloned().map(To::Address);
            to.map(|to| mail(to, subject.into(), text.into())).collect()
        }
    }
}

/// What the user must hear at the registered addresses, whoever did it, and the sender too.
fn told(world: &World, origin: &Origin, user: &UserId, subject: &str, text: &str) -> Vec<Outgoing> {
    let mut mails = to_registered(world, user, subject, text);
    if !is_registered(world, origin, user) {
        mails.push(mail(To::Sender, subject.into(), text.into()));
    }
    mails
}

pub(super) fn first_steps(user: &UserId) -> String {
    format!(
        "Every command is the Subject of a mail to this address. Begin with one of\n\
         these:\n\
         \n\
         Learn how to play, step by step:\n\
         \x20 help tutorial\n\
         Play against the program, which answers at once:\n\
         \x20 reversi challenge {user} board1\n\
         Wait for anybody who wants to play you:\n\
         \x20 malaka seek {user} <password>\n\
         Play somebody whose userid you know:\n\
         \x20 malaka challenge {user} <opponent>\n\
         See all games, and who waits for an opponent:\n\
         \x20 list\n\
         See the twenty commands that you need:\n\
         \x20 help commands\n\
         \n\
         Mails about your boards come to your registered address; other answers go\n\
         where you write from. Nobody sees your address. Keep your password to\n\
         yourself, and do not pass board mails on: anybody who replies to one can move\n\
         for you.\n"
    )
}

/// That some of the addresses are not used yet.
fn waiting(asked: &[Asked]) -> String {
    if asked.is_empty() {
        return String::new();
    }
    let addresses: Vec<&Address> = asked.iter().map(|asked| &asked.address).collect();
    let sentence = format!(
        "A mail has gone to {}. No other goes there before the word in it is sent back, within a \
         day.",
        And(&addresses)
    );
    format!("\n{}\n", wrapped(&sentence))
}

/// A mail, and those that ask the owners of the addresses. They say nothing that a stranger could
/// have written but a userid.
fn with_asked(first: Outgoing, user: &UserId, asked: &[Asked]) -> Vec<Outgoing> {
    let ask = |asked: &Asked| {
        let text = format!(
            "{}\n\n  confirm-address {}\n\n{}\n",
            wrapped(&format!(
                "The user {user} of this game server wants mails sent to your address. If that \
                 is you, send within a day the Subject"
            )),
            asked.word.as_str(),
            wrapped(
                "If it is not, do nothing: then no mail of this user comes to you, and nobody \
                 learns whether you have read this."
            )
        );
        mail(To::Address(asked.address.clone()), format!("Address of {user}"), text)
    };
    std::iter::once(first).chain(asked.iter().map(ask)).collect()
}

fn addresses(
    origin: &Origin,
    user: &UserId,
    was: &[Address],
    now: &[Address],
    asked: &[Asked],
) -> Vec<Outgoing> {
    let subject = format!("Address of {user}");
    let list: Vec<String> = now.iter().map(Address::to_string).collect();
    let text = format!("Mails for {user} go to\n\n  {}\n{}", list.join("\n  "), waiting(asked));
    let first = mail(To::Sender, subject, text);
    [with_asked(first, user, asked), warnings(origin, user, was)].concat()
}

/// What the addresses until now are told: whoever stole a password could else take the account
/// away unseen.
fn warnings(origin: &Origin, user: &UserId, was: &[Address]) -> Vec<Outgoing> {
    let sender = |address: &&Address| origin.address() == Some(*address);
    let text = paragraphs(&[
        &format!("The addresses of {user} are being changed."),
        "If it was not you who did that, change your password now; then send `change address \
         <userid> <password>` from here, and tell the operator.",
    ]);
    let warn = |address: &Address| {
        mail(To::Address(address.clone()), format!("Address of {user}"), text.clone())
    };
    was.iter().filter(|address| !sender(address)).map(warn).collect()
}

fn forgot(world: &World, word: Option<&(UserId, Word)>) -> Vec<Outgoing> {
    let answer = paragraphs(&[
        "If there is such a user here, a word has been mailed to the registered address. It works \
         once, within a day, in place of the old password.",
        "If no mail comes, three words have been sent today already, or there is no such user.",
    ]);
    let mut mails = vec![mail(To::Sender, "A new password".into(), answer)];
    if let Some((user, word)) = word {
        let text = format!(
            "{}\n{}\n",
            to_send(
                &format!(
                    "Somebody, perhaps you, has said that the password of {user} is forgotten. To \
                     choose a new one, send within a day the Subject"
                ),
                &format!("change password {user} {} <new password>", word.as_str())
            ),
            wrapped("If it was not you, do nothing: your password is as it was.")
        );
        mails.extend(to_registered(world, user, "A new password", &text));
    }
    mails
}

/// What somebody is told who has forgotten the userid, too, and the mail to the address. The answer
/// is the same whether anybody is there or not.
fn forgot_at(address: &Address, words: &[(UserId, Word)]) -> Vec<Outgoing> {
    let answer = paragraphs(&[
        "If somebody here has that address, a mail has gone to it: with the userids, and for each \
         a word that works once, within a day, as the old password.",
        "If no mail comes, three words have been sent today already, or nobody here has that \
         address.",
    ]);
    let mut mails = vec![mail(To::Sender, "Your userid".into(), answer)];
    if words.is_empty() {
        return mails;
    }
    let users: Vec<&UserId> = words.iter().map(|(user, _)| user).collect();
    let are = if users.len() == 1 { "userid is" } else { "userids are" };
    let mut text = wrapped(&format!("Your {are} {}.", And(&users))) + "\n";
    for (user, word) in words {
        let sentence =
            format!("To choose a new password for {user}, send within a day the Subject");
        let subject = format!("change password {user} {} <new password>", word.as_str());
        let _ = write!(text, "\n{}", to_send(&sentence, &subject));
    }
    let end = "Somebody, perhaps you, has asked for this mail. If it was not you, do nothing: your \
               passwords are as they were.";
    let _ = write!(text, "\n{}\n", wrapped(end));
    mails.push(mail(To::Address(address.clone()), "Your userid".into(), text));
    mails
}

/// What somebody new is told who has to show first that mails are read, and how that is shown.
fn prove_first(user: &UserId, asked: &Asked) -> Vec<Outgoing> {
    let answer = paragraphs(&[&format!(
        "Not done yet: you are new here, {user}, and have to show first that our mails reach you. \
         A mail has gone to your registered address. Send back the word in it, and then this \
         command once more."
    )]);
    let text = format!(
        "{}\n{}\n",
        to_send(
            &format!("To show that the mails for {user} reach you, send within a day the Subject"),
            &format!("confirm-address {}", asked.word.as_str())
        ),
        wrapped(
            "Then you can make as many open challenges as everybody else. If you have not signed \
             up here, do nothing."
        )
    );
    vec![
        mail(To::Sender, format!("Address of {user}"), answer),
        mail(To::Address(asked.address.clone()), format!("Address of {user}"), text),
    ]
}

/// A Subject to be sent, with a one-time word in it. Where the userid is so long that it does not
/// fit into a line it is broken, which is said.
fn to_send(sentence: &str, subject: &str) -> String {
    let shown = lines(subject, 74, "  ");
    let one = if shown.contains('\n') { ", all in one line" } else { "" };
    let shown = shown.replace('\n', "\n  ");
    format!("{}\n\n  {shown}\n", wrapped(&format!("{sentence}{one}")))
}

fn leaving(
    world: &World,
    user: &UserId,
    erased: bool,
    boards: usize,
    word: &Word,
) -> Vec<Outgoing> {
    let verb = if erased { "delete" } else { "signoff" };
    let subject = format!("Goodbye {user}?");
    let answer = paragraphs(&[
        "Nothing has changed yet: a word that confirms it has been mailed to your registered \
         address. Send it back within a day.",
    ]);
    let mut what = match boards {
        0 => "You have no boards in progress.".to_owned(),
        boards => format!("You resign {} that you play.", Count(boards, "board")),
    };
    what.push_str(if erased {
        " What is stored about you is erased; finished boards keep your userid, and nobody else \
         can ever have it. This cannot be undone."
    } else {
        " Your userid and what is stored about you are kept, and no mail comes to you. `signup` \
         with your password brings you back."
    });
    let text = format!(
        "{}\n{}\n\n{}\n",
        to_send(
            &format!("To leave, {user}, send within a day the Subject"),
            &format!("{verb} {user} <password> {}", word.as_str())
        ),
        wrapped(&what),
        wrapped(
            "If you do not want to leave, do nothing; but then somebody knows your password, \
                 unless it was you who sent for this mail."
        )
    );
    let word = to_registered(world, user, &subject, &text);
    std::iter::once(mail(To::Sender, subject, answer)).chain(word).collect()
}

fn left(
    origin: &Origin,
    user: &UserId,
    erased: bool,
    boards: usize,
    addresses: &[Address],
) -> Vec<Outgoing> {
    let subject = format!("Goodbye {user}");
    let resigned = match boards {
        0 => String::new(),
        count => format!(" You have resigned {}.", Count(count, "board")),
    };
    let kept = if erased {
        "What was stored about you is erased. Thank you for playing."
    } else {
        "To come back, sign up with the same userid and password. Thank you for playing."
    };
    let text = paragraphs(&[&format!("Goodbye, {user}.{resigned} {kept}")]);
    let mut mails: Vec<Outgoing> = addresses
        .iter()
        .map(|address| mail(To::Address(address.clone()), subject.clone(), text.clone()))
        .collect();
    if !origin.address().is_some_and(|sender| addresses.contains(sender)) {
        mails.push(mail(To::Sender, subject, text));
    }
    mails
}

/// What changes for somebody who mutes another, or does so no longer.
fn mutes(user: &UserId, other: &UserId, wanted: bool) -> String {
    if !wanted {
        return wrapped(&format!("You hear the words of {other} again.")) + "\n";
    }
    let text = paragraphs(&[
        &format!(
            "You have muted {other}. No chat, message or broadcast of {other} comes to you any \
             more. Their moves still come, but without what they write below them. {other} is not \
             told."
        ),
        "To hear them again, send the Subject",
    ]);
    format!("{text}\n  unmute {user} <password> {other}\n")
}

/// Whom somebody has muted.
fn all_muted(user: &UserId, muted: &[UserId]) -> String {
    let (sentence, word, other) = match muted {
        [] => {
            ("You have muted nobody. To mute somebody, send the Subject".into(), "mute", "<other>")
        }
        [first, more @ ..] => {
            let whom = if more.is_empty() { "them" } else { "one of them" };
            let all = And(muted);
            let sentence = format!("You have muted {all}. To hear {whom} again, send the Subject");
            (sentence, "unmute", first.as_str())
        }
    };
    format!("{}\n\n  {word} {user} <password> {other}\n", wrapped(&sentence))
}

fn message(world: &World, from: &UserId, to: &[UserId], said: &str) -> Vec<Outgoing> {
    let quoted = quotation(said);
    let one = |reader: &UserId| {
        let others: Vec<&UserId> = to.iter().filter(|other| *other != reader).collect();
        let others = match others.as_slice() {
            [] => String::new(),
            others => format!(" and {}", And(others)),
        };
        let text = format!(
            "{}\n\n{quoted}\nTo answer, send the Subject\n  message {reader} <password> {from}\n\
             and write your words below it.\n",
            wrapped(&format!("{from} writes to you{others}:"))
        );
        // No word that begins a command: Reply must not become one.
        said_by(To::User(reader.clone()), format!("{from} writes"), text)
    };
    let sent = wrapped(&format!("Your message has been sent to {}.", And(to)));
    let first = mail(To::Sender, "Your message".into(), sent + "\n");
    // Who is muted is not told.
    let readers = to.iter().filter(|reader| !world.is_muted(reader, from));
    std::iter::once(first).chain(readers.map(one)).collect()
}

fn broadcast(world: &World, from: &UserId, to: &[UserId], said: &str) -> Vec<Outgoing> {
    let quoted = quotation(said);
    let one = |reader: &UserId| {
        let text = format!(
            "{from} writes to everybody here:\n\n{quoted}\n\
             To answer, send the Subject\n  message {reader} <password> {from}\n\
             and write your words below it. To get no such mails any more, send\n\
             \x20 set {reader} <password> broadcast off\n"
        );
        let to = To::User(reader.clone());
        let opt_out = Some(OptOut::Broadcasts);
        Outgoing { opt_out, ..said_by(to, format!("{from} writes to everybody"), text) }
    };
    let sent = format!("Your words have been sent to {}.", Count(to.len(), "user"));
    let first = mail(To::Sender, "Your broadcast".into(), sent + "\n");
    let readers = to.iter().filter(|reader| !world.is_muted(reader, from));
    std::iter::once(first).chain(readers.map(one)).collect()
}
