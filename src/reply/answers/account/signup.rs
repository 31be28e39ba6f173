//! New users, and where mails for them go.

use crate::base::ids::UserId;
use crate::base::words::AndList;
use crate::mail::{Address, HeaderText};
use crate::model::program;
use crate::reply::answers::account::PendingAddress;
use crate::reply::letters::blocks::{Block, TextElement, to_send};
use crate::reply::letters::outgoing_mail::{OutgoingMail, Recipient};
use crate::reply::origin::Origin;
use games::GAMES;

pub(super) fn joined(
    origin: &Origin,
    user: &UserId,
    asked: &[PendingAddress],
) -> Vec<OutgoingMail> {
    let mut blocks = vec![Block::sentence(format!("Welcome, {user}! You can play now."))];
    // A user who signs up with a browser sees what can be done.
    if origin.browser().is_none() {
        blocks.extend(first_steps(user));
    }
    blocks.push(Block::sentence(
        "Make a move or answer a mail of ours within 30 days, or this account is removed.",
    ));
    blocks.extend(waiting(asked));
    with_asked(OutgoingMail::answer(format!("Welcome {user}"), blocks), origin, user, asked)
}

pub(super) fn returned(
    origin: &Origin,
    user: &UserId,
    was: &[Address],
    asked: &[PendingAddress],
) -> Vec<OutgoingMail> {
    let welcome =
        format!("Welcome back, {user}! Your password and your settings are as they were.");
    let blocks = [Block::sentence(welcome)].into_iter().chain(waiting(asked)).collect();
    let first = OutgoingMail::answer(format!("Welcome {user}"), blocks);
    [with_asked(first, origin, user, asked), warnings(origin, user, was)].concat()
}

/// The first steps of a new user.
pub(crate) fn first_steps(user: &UserId) -> [Block; 3] {
    let seek = format!("malaka seek {user} <password>");
    let steps = [
        ("Learn how to play, step by step:", "help tutorial".to_owned()),
        (
            "Play against the program, which answers at once:",
            format!("reversi challenge {user} board1"),
        ),
        ("Wait for anybody who wants to play you:", seek),
        ("Play somebody whose userid you know:", format!("malaka challenge {user} <opponent>")),
        ("See all games, and who waits for an opponent:", "list".to_owned()),
        ("See the twenty commands that you need:", "help commands".to_owned()),
    ];
    let step = |(what, command): (&str, String)| {
        [TextElement::Sentence(what.into()), TextElement::Command(command)]
    };
    [
        Block::sentence(
            "Every command is the Subject of a mail to this address. Begin with one of these:",
        ),
        Block::Text(steps.into_iter().flat_map(step).collect()),
        Block::preformatted(
            [
                "Mails about your boards come to your registered address; other answers go",
                "where you write from. Nobody sees your address. Keep your password to",
                "yourself, and do not pass board mails on: anybody who replies to one can move",
                "for you.",
            ]
            .map(str::to_owned),
        ),
    ]
}

/// The answer to a sender whose mail is not a command. They may never have heard of us, so it has
/// nothing of what came in their name.
pub fn introduction(name: &HeaderText) -> OutgoingMail {
    let titles: Vec<&str> = GAMES.iter().map(|game| game.spec().title).collect();
    let example = program::EXAMPLE;
    let commands = |commands: &[&str]| {
        let command = |command: &&str| TextElement::Command((*command).to_owned());
        Block::Text(commands.iter().map(command).collect())
    };
    let blocks = vec![
        Block::sentence(
            "This is a server for board games by mail. Your mail to it has no command in its \
             Subject, so nothing was done. A command is the Subject of a mail to this address.",
        ),
        Block::sentence(format!("You can play {}.", AndList(&titles))),
        Block::item("1.", "Sign up with a name and a password of your own:"),
        commands(&["signup <userid> <password>"]),
        Block::item(
            "2.",
            "Find an opponent. `list` shows who looks for one and what is played. Challenge \
             everybody, or the program, which is called board1 (easy) to board4 (hard) and answers \
             at once:",
        ),
        commands(&[
            "list",
            "malaka seek <userid> <password>",
            &format!("{example} challenge <userid> board1"),
        ]),
        Block::item("3.", "Learn more:"),
        commands(&["help tutorial", "help"]),
        Block::sentence(
            "If you did not write to this address, do nothing: at most three mails like this come \
             to you in a week.",
        ),
    ];
    OutgoingMail::answer(name.to_string(), blocks)
}

/// That some of the addresses are not used yet.
fn waiting(asked: &[PendingAddress]) -> Option<Block> {
    let addresses: Vec<&Address> = asked.iter().map(|asked| &asked.address).collect();
    (!addresses.is_empty()).then(|| {
        Block::sentence(format!(
            "A mail has gone to {}. No other mail goes there until you send back the code in it, within \
             a day.",
            AndList(&addresses)
        ))
    })
}

/// A mail, and those that ask the owners of the addresses. They say nothing that a stranger could
/// have written but a userid.
fn with_asked(
    first: OutgoingMail,
    origin: &Origin,
    user: &UserId,
    asked: &[PendingAddress],
) -> Vec<OutgoingMail> {
    let site = origin.browser().and_then(|browser| browser.site.as_ref());
    let ask = |asked: &PendingAddress| {
        let page = site.map(|site| {
            let page = format!("{site}/confirm/{}", asked.word.as_str());
            Block::send("or open this page and press its button:", [page])
        });
        let mut blocks = vec![
            Block::sentence(format!(
                "The user {user} of this game server wants mails sent to your address. If that is \
                 you, send within a day the Subject"
            )),
            Block::command(format!("confirm-address {}", asked.word.as_str())),
            Block::sentence(
                "If it is not, do nothing: then no mail of this user comes to you, and nobody \
                 learns whether you have read this.",
            ),
        ];
        if let Some(page) = page {
            blocks.insert(2, page);
        }
        let to = Recipient::Address(asked.address.clone());
        OutgoingMail::new(to, format!("Address of {user}"), blocks)
    };
    std::iter::once(first).chain(asked.iter().map(ask)).collect()
}

pub(super) fn addresses(
    origin: &Origin,
    user: &UserId,
    was: &[Address],
    now: &[Address],
    asked: &[PendingAddress],
) -> Vec<OutgoingMail> {
    let list = now.iter().map(|address| TextElement::Command(address.to_string())).collect();
    let mut blocks = vec![Block::sentence(format!("Mails for {user} go to")), Block::Text(list)];
    blocks.extend(waiting(asked));
    let first = OutgoingMail::answer(format!("Address of {user}"), blocks);
    [with_asked(first, origin, user, asked), warnings(origin, user, was)].concat()
}

pub(super) fn confirmed(
    origin: &Origin,
    user: &UserId,
    address: &Address,
    replaced: &[Address],
) -> Vec<OutgoingMail> {
    let no_more = if replaced.is_empty() {
        String::new()
    } else {
        format!(", and no more to {}", AndList(replaced))
    };
    let text = format!("{address} is confirmed. Mails for {user} go to it{no_more}.");
    let first = OutgoingMail::answer(format!("Address of {user}"), vec![Block::sentence(text)]);
    std::iter::once(first).chain(warnings(origin, user, replaced)).collect()
}

/// The mails to the old addresses: otherwise a person who stole a password could take the account
/// away unseen.
fn warnings(origin: &Origin, user: &UserId, was: &[Address]) -> Vec<OutgoingMail> {
    let sender = |address: &&Address| origin.address() == Some(*address);
    let blocks = [
        Block::sentence(format!("The addresses of {user} are being changed.")),
        Block::sentence(
            "If it was not you who did that, change your password now; then send `change address \
             <userid> <password>` from here, and tell the operator.",
        ),
    ];
    let warn = |address: &Address| {
        let to = Recipient::Address(address.clone());
        OutgoingMail::new(to, format!("Address of {user}"), blocks.to_vec())
    };
    was.iter().filter(|address| !sender(address)).map(warn).collect()
}

/// Tells a new user to prove first that they read their mails, and how to do so.
pub(super) fn prove_first(user: &UserId, asked: &PendingAddress) -> Vec<OutgoingMail> {
    let answer = Block::sentence(format!(
        "Not done yet: you are new here, {user}, and have to show first that our mails reach you. \
         A mail has gone to your registered address. Send back the code in it, and then this \
         command once more."
    ));
    let sentence =
        format!("To show that the mails for {user} reach you, send within a day the Subject");
    let mut blocks =
        Vec::from(to_send(sentence, &format!("confirm-address {}", asked.word.as_str())));
    blocks.push(Block::sentence(
        "Then you can make as many open challenges as everybody else. If you have not signed up \
         here, do nothing.",
    ));
    let subject = format!("Address of {user}");
    let to = Recipient::Address(asked.address.clone());
    vec![OutgoingMail::answer(&*subject, vec![answer]), OutgoingMail::new(to, subject, blocks)]
}
