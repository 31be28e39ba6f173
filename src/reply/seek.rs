//! Open challenges, and notices of new boards.

use super::{Block, Outgoing, To};
use crate::base::ids::{BoardId, UserId};
use crate::base::words::{lines, wrapped};
use crate::model::board::{Agreed, Board};
use crate::model::clock::Day;
use crate::model::rate_limit::Share;
use crate::model::rating::Standing;
use crate::model::seeks::Seek;
use crate::model::world::World;
use games::AnyGame;
use std::fmt::Write as _;

/// The open challenges of some games.
#[derive(Debug, Default)]
pub struct OpenChallenges {
    /// The challenges, by game and the oldest first.
    pub found: Vec<OpenChallenge>,
    /// Games whose open challenges cannot be read.
    pub damaged: Vec<&'static dyn AnyGame>,
}

/// An open challenge.
#[derive(Debug)]
pub struct OpenChallenge {
    /// To which game.
    pub game: &'static dyn AnyGame,
    /// The challenge.
    pub seek: Seek,
    /// How whoever made it stands in that game.
    pub standing: Standing,
}

/// Challenges that are shown.
const MOST: usize = 200;

/// A list, and below it the open challenges; nothing where there are none.
pub(super) fn below(list: String, open: &OpenChallenges) -> String {
    match section(open) {
        none if none.is_empty() => list,
        section => format!("{}\n{section}", list.trim_end()),
    }
}

fn section(open: &OpenChallenges) -> String {
    let OpenChallenges { found, damaged } = open;
    let mut text = String::new();
    if !found.is_empty() {
        text.push_str("\nOpen challenges, each with the Subject that accepts it:\n\n");
    }
    for found in found.iter().take(MOST) {
        text.push_str(&row(found));
    }
    if found.len() > MOST {
        let _ = writeln!(text, "  ... and {} more", found.len() - MOST);
    }
    for game in damaged {
        let title = game.spec().title;
        let sentence = format!("The open challenges to {title} cannot be read at the moment.");
        let _ = write!(text, "\n{}\n", wrapped(&sentence));
    }
    text
}

/// An open challenge: what it is, and how it is accepted.
fn row(found: &OpenChallenge) -> String {
    let OpenChallenge { game, seek, standing } = found;
    let rating = match standing.games() {
        0 => "not rated".into(),
        _ => format!("rated {}", standing.rating.points()),
    };
    let what = format!(
        "  {:>5}  {}, {rating}, until {}: {}",
        seek.number,
        seek.user,
        Day::of(seek.until()),
        seek.words()
    );
    let what = lines(what.trim_end_matches([':', ' ']), 76, "         ");
    format!(
        "{what}\n         {} accept-seek {} <userid> <password>\n",
        game.spec().name,
        seek.number
    )
}

/// That a challenge is open.
pub(super) fn sought(found: &OpenChallenge, replaced: Option<u32>, comment: &str) -> String {
    let OpenChallenge { game, seek, .. } = found;
    let spec = game.spec();
    let until = Day::of(seek.until());
    let mut sentence =
        format!("Your challenge {} to {} is open until {until}.", seek.number, spec.title);
    if let Some(old) = replaced {
        let _ = write!(sentence, " It takes the place of challenge {old}.");
    }
    let mut after = "The first player who accepts it plays you, and both of you get the board by \
                     mail. Your own `limit` still counts."
        .to_owned();
    if !seek.bounds.is_empty() {
        after.push_str(" A player without a rating counts as 1600.");
    }
    let mut text = format!("{}\n\n{}\n{}\n\n", wrapped(&sentence), row(found), wrapped(&after));
    if !comment.is_empty() {
        text.push_str(&wrapped("The rest of your mail is shown to nobody."));
        text.push_str("\n\n");
    }
    let _ = write!(
        text,
        "To end it, send the Subject\n  {} seek {} <password> off\n",
        spec.name, seek.user
    );
    text
}

/// That a challenge is open no longer.
pub(super) fn ended(game: &'static dyn AnyGame, number: u32) -> String {
    format!("Your challenge {number} to {} is not open any more.\n", game.spec().title)
}

/// That somebody hears of new boards, or does not.
pub(super) fn listens(game: &'static dyn AnyGame, user: &UserId, wanted: bool) -> String {
    let title = game.spec().title;
    if !wanted {
        return format!("You do not get mails about new boards of {title}.\n");
    }
    let sentence = format!(
        "From now on you get a short mail for every new board of {title}, but not for your own and \
         for private ones."
    );
    format!("{}\n\n{}", wrapped(&sentence), how_to_stop(game, user))
}

fn how_to_stop(game: &'static dyn AnyGame, user: &UserId) -> String {
    let name = game.spec().name;
    format!(
        "To get no such mails any more, send the Subject\n  {name} notify {user} <password> off\n"
    )
}

/// The notices of a new board.
pub(super) fn notices(world: &World, id: BoardId) -> Vec<Outgoing> {
    let board = world.board(id).expect("it was set up");
    let listeners = world.listeners(id);
    // Who has left, or whose file cannot be read, has no address.
    let here = listeners.iter().filter(|user| world.user(user).is_some());
    here.map(|user| notice(board, user)).collect()
}

fn notice(board: &Board, user: &UserId) -> Outgoing {
    let spec = board.game.spec();
    let [first, second] = &board.players;
    let number = board.id.number;
    let agreed = Agreed { options: board.options.clone(), private: false, terms: board.terms };
    let words: Vec<String> = agreed.words().collect();
    let with = if words.is_empty() { String::new() } else { format!(" with {}", words.join(" ")) };
    let sentence = format!("{first} and {second} play {}{with}: board {number}.", spec.title);
    let text = format!(
        "{}\n\nTo see it, send the Subject\n  {name} show {number}\n\
         To get its mails, send\n  {name} subscribe {number} {user} <password>\n\n{}",
        wrapped(&sentence),
        how_to_stop(board.game, user),
        name = spec.name,
    );
    // No word that begins a command: Reply must not become one.
    let subject = format!("A new board of {}, {number}", spec.title);
    Outgoing {
        board: Some(board.id),
        share: Share::Others,
        ..Outgoing::new(To::Listener(user.clone()), subject, vec![Block::Page(text)])
    }
}
