//! Answers about signing up, confirming addresses and changing them.

use crate::base::ids::UserId;
use crate::base::words::AndList;
use crate::mail::{Address, HeaderText};
use crate::model::program;
use crate::model::welcomers::OfferedPlayer;
use crate::reply::answers::account::{PendingAddress, newcomers};
use crate::reply::letters::{Block, OutgoingMail, Recipient, TextElement, send_code};
use crate::reply::origin::Origin;
use games::GAMES;

/// Builds the answer to a new user.
pub(super) fn joined(
    origin: &Origin,
    user: &UserId,
    pending: &[PendingAddress],
    welcomers: &[OfferedPlayer],
) -> Vec<OutgoingMail> {
    let mut blocks = vec![Block::sentence(format!("Welcome, {user}! You can play now."))];
    // The pages show a browser's user what to do.
    if origin.browser().is_none() {
        blocks.extend(first_steps(user));
        blocks.extend(newcomers::offered(user, welcomers));
    }
    blocks.push(Block::sentence(
        "Make a move or answer one of our mails within 30 days, or this account will be removed.",
    ));
    blocks.extend(confirm_note(pending));
    with_confirmations(
        OutgoingMail::answer(format!("Welcome {user}"), blocks),
        origin,
        user,
        pending,
    )
}

/// Builds the answer to a user who came back.
pub(super) fn returned(
    origin: &Origin,
    user: &UserId,
    old: &[Address],
    pending: &[PendingAddress],
) -> Vec<OutgoingMail> {
    let welcome = format!("Welcome back, {user}! Your password and your settings are unchanged.");
    let blocks = [Block::sentence(welcome)].into_iter().chain(confirm_note(pending)).collect();
    let first = OutgoingMail::answer(format!("Welcome {user}"), blocks);
    [with_confirmations(first, origin, user, pending), warnings(origin, user, old)].concat()
}

/// Builds the first steps of a new user.
pub(crate) fn first_steps(user: &UserId) -> [Block; 3] {
    let seek = format!("malaka seek {user} <password>");
    let steps = [
        ("Learn how to play, step by step:", "help tutorial".to_owned()),
        (
            "Play against the program, which answers at once:",
            format!("reversi challenge {user} board1"),
        ),
        ("Post an open challenge, which anybody can accept:", seek),
        (
            "Challenge somebody whose userid you know:",
            format!("malaka challenge {user} <opponent>"),
        ),
        ("See all games and open challenges:", "list".to_owned()),
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
                "Mails about your boards come to your registered address; other answers go to",
                "the address you write from. Nobody sees your address. Keep your password to",
                "yourself, and do not forward board mails: anybody who replies to one can move",
                "for you.",
            ]
            .map(str::to_owned),
        ),
    ]
}

/// Builds the answer to a stranger whose mail is not a command. It quotes nothing of the mail, which may
/// be forged.
pub fn introduction(name: &HeaderText) -> OutgoingMail {
    let titles: Vec<&str> = GAMES.iter().map(|game| game.spec().title).collect();
    let example = program::EXAMPLE;
    let commands = |commands: &[&str]| {
        let command = |command: &&str| TextElement::Command((*command).to_owned());
        Block::Text(commands.iter().map(command).collect())
    };
    let blocks = vec![
        Block::sentence(
            "This is a server for board games by mail. Your mail had no command in its Subject, so \
             nothing was done. Commands are the Subjects of mails to this address.",
        ),
        Block::sentence(format!("You can play {}.", AndList(&titles))),
        Block::item("1.", "Sign up with a name and a password of your own:"),
        commands(&["signup <userid> <password>"]),
        Block::item(
            "2.",
            "Find an opponent. `list` shows the games and the open challenges. Post an open \
             challenge, or play the program, which answers at once and is called board1 (easy) to \
             board4 (hard):",
        ),
        commands(&[
            "list",
            "malaka seek <userid> <password>",
            &format!("{example} challenge <userid> board1"),
        ]),
        Block::item("3.", "Learn more:"),
        commands(&["help tutorial", "help"]),
        Block::sentence(
            "If you did not write to this address, do nothing: you get at most three mails like this \
             in a week.",
        ),
    ];
    OutgoingMail::answer(name.to_string(), blocks)
}

/// Returns a note that some addresses must be confirmed, if there are any.
fn confirm_note(pending: &[PendingAddress]) -> Option<Block> {
    let addresses: Vec<&Address> = pending.iter().map(|pending| &pending.address).collect();
    (!addresses.is_empty()).then(|| {
        Block::sentence(format!(
            "A mail with a code has gone to {}. No other mail goes there until you send back the \
             code, within a day.",
            AndList(&addresses)
        ))
    })
}

/// Adds the mails that ask the owners of addresses to confirm them. Such a mail contains no text of the
/// requester except a userid.
fn with_confirmations(
    first: OutgoingMail,
    origin: &Origin,
    user: &UserId,
    pending: &[PendingAddress],
) -> Vec<OutgoingMail> {
    let site = origin.browser().and_then(|browser| browser.site.as_ref());
    let ask = |pending: &PendingAddress| {
        let page = site.map(|site| {
            let page = format!("{site}/confirm/{}", pending.code.as_str());
            Block::send("or open this page and press its button:", [page])
        });
        let mut blocks = vec![
            Block::sentence(format!(
                "The user {user} of this game server wants mails sent to your address. If that is \
                 you, send this Subject within a day"
            )),
            Block::command(format!("confirm-address {}", pending.code.as_str())),
            Block::sentence(
                "If it is not you, do nothing: you will get no mail of this user, and nobody learns \
                 whether you have read this.",
            ),
        ];
        if let Some(page) = page {
            blocks.insert(2, page);
        }
        let to = Recipient::Address(pending.address.clone());
        OutgoingMail::new(to, format!("Address of {user}"), blocks)
    };
    std::iter::once(first).chain(pending.iter().map(ask)).collect()
}

/// Builds the answer to a change of addresses.
pub(super) fn addresses(
    origin: &Origin,
    user: &UserId,
    old: &[Address],
    new: &[Address],
    pending: &[PendingAddress],
) -> Vec<OutgoingMail> {
    let list = new.iter().map(|address| TextElement::Command(address.to_string())).collect();
    let mut blocks = vec![Block::sentence(format!("Mails for {user} go to")), Block::Text(list)];
    blocks.extend(confirm_note(pending));
    let first = OutgoingMail::answer(format!("Address of {user}"), blocks);
    [with_confirmations(first, origin, user, pending), warnings(origin, user, old)].concat()
}

/// Builds the answer to a confirmed address.
pub(super) fn confirmed(
    origin: &Origin,
    user: &UserId,
    address: &Address,
    replaced: &[Address],
) -> Vec<OutgoingMail> {
    let no_more = if replaced.is_empty() {
        String::new()
    } else {
        format!(", and no longer to {}", AndList(replaced))
    };
    let text = format!("{address} is confirmed. Mails for {user} go to it{no_more}.");
    let first = OutgoingMail::answer(format!("Address of {user}"), vec![Block::sentence(text)]);
    std::iter::once(first).chain(warnings(origin, user, replaced)).collect()
}

/// Builds warnings to the old addresses: otherwise a person with a stolen password could take over the
/// account unnoticed.
fn warnings(origin: &Origin, user: &UserId, old: &[Address]) -> Vec<OutgoingMail> {
    let sender = |address: &&Address| origin.address() == Some(*address);
    let blocks = [
        Block::sentence(format!("The addresses of {user} are being changed.")),
        Block::sentence(
            "If it was not you, change your password now. Then send `change address <userid> \
             <password>` from this address, and tell the operator.",
        ),
    ];
    let warn = |address: &Address| {
        let to = Recipient::Address(address.clone());
        OutgoingMail::new(to, format!("Address of {user}"), blocks.to_vec())
    };
    old.iter().filter(|address| !sender(address)).map(warn).collect()
}

/// Builds the answer to a new user who must confirm their address first, and the mail with the code.
pub(super) fn confirm_first(user: &UserId, pending: &PendingAddress) -> Vec<OutgoingMail> {
    let answer = Block::sentence(format!(
        "Not done yet: you are new here, {user}, so you have to confirm your address first. A mail \
         with a code has gone to your registered address. Send back the code, then this command \
         again."
    ));
    let sentence = format!("To confirm the address of {user}, send this Subject within a day");
    let mut blocks =
        Vec::from(send_code(sentence, &format!("confirm-address {}", pending.code.as_str())));
    blocks.push(Block::sentence(
        "Then you can post as many open challenges as everybody else. If you have not signed up \
         here, do nothing.",
    ));
    let subject = format!("Address of {user}");
    let to = Recipient::Address(pending.address.clone());
    vec![OutgoingMail::answer(&*subject, vec![answer]), OutgoingMail::new(to, subject, blocks)]
}
