//! Answers about open challenges, and notices of new boards.

use crate::base::ids::{BoardId, UserId};
use crate::base::words::lines;
use crate::model::board::{Agreement, Board};
use crate::model::rate_limit::QuotaShare;
use crate::model::rating::Standing;
use crate::model::seeks::Seek;
use crate::model::topic::Topic;
use crate::model::world::World;
use crate::reply::AnswerContext;
use crate::reply::answers::lists::MAX_ROWS;
use crate::reply::letters::{Block, OutgoingMail, Recipient, TextElement, more_line};
use games::AnyGame;

/// An answer about open challenges or notices.
#[derive(Debug)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum SeekAnswer {
    /// A challenge was opened.
    Opened {
        found: OpenChallenge,
        /// The number of the challenge that it replaces.
        replaced: Option<u32>,
    },
    /// An open challenge was withdrawn.
    Ended { game: &'static dyn AnyGame, number: u32 },
    /// Notices of new boards were turned on or off.
    Listens { game: &'static dyn AnyGame, user: UserId, is_on: bool },
}

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
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The challenge.
    pub seek: Seek,
    /// The rating of its user in the game.
    pub standing: Standing,
}

impl SeekAnswer {
    pub(crate) fn mail(&self, at: &AnswerContext) -> OutgoingMail {
        let (game, subject, blocks) = match self {
            Self::Opened { found, replaced } => {
                let title = found.game.spec().title;
                let subject = format!("{title} challenge {}", found.seek.number);
                (found.game, subject, opened(found, *replaced, at.comment))
            }
            Self::Ended { game, number } => {
                let title = game.spec().title;
                let sentence = format!("Your challenge {number} to {title} is no longer open.");
                (*game, format!("{title} challenge {number}"), vec![Block::sentence(sentence)])
            }
            Self::Listens { game, user, is_on } => {
                let title = game.spec().title;
                (*game, format!("{title} boards"), listens(*game, user, *is_on))
            }
        };
        let topic = Some(Topic::Game(game.spec().name));
        OutgoingMail { topic, ..OutgoingMail::answer(subject, blocks) }
    }
}

/// Adds the open challenges below a list, if there are any.
pub(crate) fn with_challenges(mut list: Vec<Block>, open: &OpenChallenges) -> Vec<Block> {
    let OpenChallenges { found, damaged } = open;
    if found.len() + damaged.len() > 0 {
        // An empty list leaves no gap above the challenges.
        list.pop_if(|last| *last == Block::Text(Vec::new()));
    }
    if !found.is_empty() {
        let head = "Open challenges, each with the Subject that accepts it:";
        let rows =
            found.iter().take(MAX_ROWS).flat_map(row).chain(more_line(found.len(), MAX_ROWS));
        list.extend([Block::sentence(head), Block::preformatted(rows)]);
    }
    list.extend(damaged.iter().map(|game| {
        let title = game.spec().title;
        Block::sentence(format!("The open challenges to {title} cannot be read at the moment."))
    }));
    list
}

/// Returns the rows of an open challenge: what it is, and the Subject that accepts it.
fn row(found: &OpenChallenge) -> [String; 2] {
    let OpenChallenge { game, seek, standing } = found;
    let rating = match standing.games() {
        0 => "not rated".into(),
        _ => format!("rated {}", standing.marked_points()),
    };
    let what = format!(
        "  {:>5}  {}, {rating}, until {}: {}",
        seek.number,
        seek.user,
        seek.until().day(),
        seek.words()
    );
    let (name, number) = (game.spec().name, seek.number);
    [
        lines(what.trim_end_matches([':', ' ']), 76, "         "),
        format!("         {name} accept-seek {number} <userid> <password>"),
    ]
}

/// Builds the answer that a challenge is open.
fn opened(found: &OpenChallenge, replaced: Option<u32>, comment: &str) -> Vec<Block> {
    let OpenChallenge { game, seek, .. } = found;
    let (spec, until) = (game.spec(), seek.until().day());
    let replaced =
        replaced.map_or_else(String::new, |old| format!(" It replaces challenge {old}."));
    let first = format!(
        "Your challenge {} to {} is open until {until}.{replaced}",
        seek.number, spec.title
    );
    let mut after = "The first player who accepts it is your opponent, and both of you get the \
                     board by mail. Your own `limit` still counts."
        .to_owned();
    if !seek.bounds.is_empty() {
        after.push_str(" A player without a rating counts as 1600.");
    }
    let mut blocks =
        vec![Block::sentence(first), Block::preformatted(row(found)), Block::sentence(after)];
    if !comment.is_empty() {
        blocks.push(Block::sentence("The rest of your mail is not shown to anybody."));
    }
    blocks.push(Block::send(
        "To withdraw it, send the Subject",
        [format!("{} seek {} <password> off", spec.name, seek.user)],
    ));
    blocks
}

/// Builds the answer that notices of new boards are on or off.
fn listens(game: &'static dyn AnyGame, user: &UserId, is_on: bool) -> Vec<Block> {
    let title = game.spec().title;
    if !is_on {
        let sentence = format!("You no longer get mails about new boards of {title}.");
        return vec![Block::sentence(sentence)];
    }
    let sentence = format!(
        "From now on you get a short mail for every new board of {title}, except your own and \
         private boards."
    );
    vec![Block::sentence(sentence), how_to_stop_notices(game, user)]
}

fn how_to_stop_notices(game: &'static dyn AnyGame, user: &UserId) -> Block {
    let command = format!("{} notify {user} <password> off", game.spec().name);
    Block::send("To stop these mails, send the Subject", [command])
}

/// Builds the notices of a new board to the users who want them.
pub(crate) fn new_board_notices(world: &World, id: BoardId) -> Vec<OutgoingMail> {
    let board = world.board(id).expect("it was set up");
    let listeners = world.listeners(id);
    // A user who has left, or whose file cannot be read, has no address.
    let here = listeners.iter().filter(|user| world.user(user).is_some());
    here.map(|user| new_board_notice(board, user)).collect()
}

fn new_board_notice(board: &Board, user: &UserId) -> OutgoingMail {
    let (spec, number) = (board.game.spec(), board.id.number);
    let [first, second] = &board.players;
    let agreed = Agreement { options: board.options.clone(), private: false, terms: board.terms };
    let words: Vec<String> = agreed.words().collect();
    let with = if words.is_empty() { String::new() } else { format!(" with {}", words.join(" ")) };
    let sentence = format!("{first} and {second} play {}{with}: board {number}.", spec.title);
    let name = spec.name;
    let blocks = vec![
        Block::sentence(sentence),
        Block::Text(vec![
            TextElement::Sentence("To see it, send the Subject".into()),
            TextElement::Command(format!("{name} show {number}")),
            TextElement::Sentence("To get its mails, send".into()),
            TextElement::Command(format!("{name} subscribe {number} {user} <password>")),
        ]),
        how_to_stop_notices(board.game, user),
    ];
    // Begins with no command: an answer's Subject must not become one.
    let subject = format!("A new board of {}, {number}", spec.title);
    OutgoingMail {
        topic: Some(Topic::Board(board.id)),
        share: QuotaShare::Others,
        ..OutgoingMail::new(Recipient::Listener(user.clone()), subject, blocks)
    }
}
