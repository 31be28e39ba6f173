//! Answers about preferences and settings.

use crate::base::ids::UserId;
use crate::model::user::preference::{PREFERENCES, REMINDERS};
use crate::model::user::{OptOut, PreferenceChoice};
use crate::reply::AnswerContext;
use crate::reply::answers::times;
use crate::reply::board_mail::clock_text;
use crate::reply::letters::{Block, OutgoingMail, Recipient};
use games::GAMES;

/// Builds the answer to a preference that was set.
pub(super) fn preference_set(choice: &PreferenceChoice) -> OutgoingMail {
    let sentence = format!("From now on {}", choice.value.told);
    OutgoingMail::answer("Settings", vec![Block::sentence(sentence)])
}

/// Builds the answer to a user who turned off reminders and broadcasts.
pub(super) fn quiet(user: &UserId) -> OutgoingMail {
    let blocks = vec![
        Block::sentence(
            "You get no more reminders, no more broadcasts, and no more mails about tournaments and \
             ladders.",
        ),
        Block::sentence(
            "You still get the mails about your games, and your clocks keep running. To give up a \
             game, reply with `resign` to one of its mails. To leave this server and get no more \
             mails, send the Subject",
        ),
        Block::command(format!("signoff {user} <password>")),
        Block::sentence("To get reminders again, send the Subject"),
        Block::command(format!("set {user} <password> reminders on")),
    ];
    OutgoingMail::answer("Your settings", blocks)
}

/// Lists all preferences and settings of a user.
pub(super) fn all_settings(at: &AnswerContext, id: &UserId) -> OutgoingMail {
    let Some(user) = at.world.user(id) else { return OutgoingMail::answer("Settings", Vec::new()) };
    let row = |name: &str, value: &str, others: &str| format!("  {name:<14} {value:<10} {others}");
    let general = PREFERENCES.iter().map(|one| {
        let chosen = user.preferences.chosen(one);
        row(one.name, chosen.name, &one.usage()).trim_end().to_owned()
    });
    let mut blocks = vec![
        Block::sentence(format!("The settings of {id}, and the values that each can have:")),
        Block::preformatted(general),
        Block::sentence("To change one, send its name and a value:"),
        Block::command(format!("set {id} <password> {} {}", REMINDERS.name, "off")),
    ];
    for game in GAMES.iter().map(|game| game.spec()) {
        let own = user.settings.get(game.name).map(|words| words.join(" "));
        let limit = user.limits.get(game.name).map(|most| format!("limit {most}"));
        let words: Vec<String> =
            own.into_iter().filter(|own| !own.is_empty()).chain(limit).collect();
        if !words.is_empty() {
            blocks.push(Block::sentence(format!("{}: {}.", game.title, words.join(", "))));
        }
    }
    if user.zone.is_some() || !user.rests.is_empty() {
        blocks.extend(times::describe(user, at.now));
    }
    let today = user.day(at.now);
    let left: Vec<_> = user.vacations.iter().copied().filter(|one| one.to >= today).collect();
    if !left.is_empty() {
        blocks.extend(clock_text::vacations(id, today, &left, &[]));
    }
    blocks.push(Block::sentence("Send `help set` to learn what each of them does."));
    OutgoingMail::answer("Your settings", blocks)
}

/// Builds the mail to a user who turned off mails of one kind by an unsubscribe address.
pub fn opted_out(user: &UserId, what: OptOut) -> OutgoingMail {
    let PreferenceChoice { preference, value } = what.choice();
    let blocks = vec![
        Block::sentence(format!(
            "Somebody, perhaps you, has pressed the unsubscribe button of a mail program: from now \
             on {}",
            value.told
        )),
        Block::sentence("To get them again, send the Subject"),
        Block::command(format!("set {user} <password> {} {}", preference.name, what.usual())),
    ];
    OutgoingMail::new(Recipient::User(user.clone()), "Your settings", blocks)
}
