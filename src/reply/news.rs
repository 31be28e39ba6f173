//! What a mail about a board begins with: what has just happened, then how the board stands, as its
//! reader would be told it across a table.

use super::block::{Block, Piece};
use super::{BoardNews, board as mails, operator};
use crate::base::words::{And, Count};
use crate::model::board::{Board, ClosedBy, Closing, Line, Proposal, Status, Turn};
use games::{Diagram, Entry, Match, Next, Outcome, Roll, Seat, View};

/// What happened on a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct News<'a> {
    /// What.
    pub(super) what: &'a BoardNews,
    /// Who did it.
    pub(super) by: Option<Seat>,
    /// What they wrote beside it.
    pub(super) comment: &'a str,
    /// How many moves were made, by them or after.
    pub(super) moves: usize,
}

/// Moves that are told one by one at most.
const MOST: usize = 4;

impl News<'_> {
    /// What was said to the other player.
    fn said(&self) -> &str {
        match self.what {
            BoardNews::Chatted(said) => said,
            _ => self.comment,
        }
    }
}

/// The news as a player or, without a seat, somebody who watches is told them.
pub(super) fn told(board: &Board, news: &News, view: &View) -> Vec<Block> {
    let reader = view.seat;
    let standing = match news.what {
        // That is the news itself.
        BoardNews::Offered => standing(board, reader),
        _ => headline(board, view),
    };
    if let (BoardNews::Chatted(said), Some(by)) = (news.what, news.by) {
        let name = mails::name(board);
        let first = format!("{} on {name}:", verb(board, by, reader, ["wrote", "writes"]));
        let first = vec![Piece::Heading(first), Piece::Said(said.clone())];
        return vec![Block::Text(first), Block::sentence(standing)];
    }
    let is_over = board.is_over();
    let mut first = if is_over { vec![standing.clone()] } else { Vec::new() };
    first.extend(event(board, news, view));
    first.extend(turns(board, news.moves, view));
    if !is_over {
        first.push(standing);
    }
    let mut blocks = vec![Block::heading(first.join(" "))];
    if !is_over {
        blocks.extend(how_to_decline(board, news, reader).map(Block::sentence));
    }
    blocks.extend(of_auto(board, news.moves).map(Block::sentence));
    if let Some(by) = news.by.filter(|_| reader.is_some() && !news.said().is_empty()) {
        let who = format!("{}:", verb(board, by, reader, ["wrote", "writes"]));
        blocks.push(Block::Text(vec![Piece::Sentence(who), Piece::Said(news.said().into())]));
    }
    blocks
}

/// `You` or the name of a player, with the verb that goes with each.
fn verb(board: &Board, seat: Seat, reader: Option<Seat>, [you, they]: [&str; 2]) -> String {
    if reader == Some(seat) {
        format!("You {you}")
    } else {
        format!("{} {they}", board.player(seat))
    }
}

/// `you` or the name of a player, in a sentence.
fn whom(board: &Board, seat: Seat, reader: Option<Seat>) -> String {
    if reader == Some(seat) { "you".into() } else { board.player(seat).to_string() }
}

/// What was done beside moves, as sentences.
fn event(board: &Board, news: &News, view: &View) -> Option<String> {
    let reader = view.seat;
    let title = board.game.spec().title;
    let other = |by: Seat| whom(board, by.other(), reader);
    Some(match (news.what, news.by) {
        (BoardNews::Begun, _) if board.game.spec().manner.solo => {
            format!("A new game of {title} begins; you play alone.")
        }
        (BoardNews::Begun, Some(by)) => {
            let challenged = verb(board, by, reader, ["have challenged", "has challenged"]);
            format!("{challenged} {} to a game of {title}.", other(by))
        }
        (BoardNews::Begun, None) => format!("A new game of {title} begins."),
        (BoardNews::Accepted(number), Some(by)) => {
            let accepted = verb(board, by, reader, ["have accepted", "has accepted"]);
            let whose = match reader {
                Some(seat) if seat != by => format!("your open challenge {number}"),
                _ => format!("open challenge {number} of {}", other(by)),
            };
            format!("{accepted} {whose}.")
        }
        (BoardNews::Imported, _) => "The operator of the server has set up this board with what \
                                     was played elsewhere."
            .into(),
        (BoardNews::Undone(_) | BoardNews::Mended, _) => operator::happened(news.what)?,
        (BoardNews::Offered, _) => mails::open_offer(board, view)?,
        (BoardNews::OfferRejected(Proposal::Undo), Some(by)) => {
            let refused = verb(board, by, reader, ["have refused", "has refused"]);
            format!("{refused} to take a move back. The game goes on as it was.")
        }
        (BoardNews::OfferRejected(Proposal::Draw), Some(by)) => {
            let refused = verb(board, by, reader, ["have refused", "has refused"]);
            format!("{refused} the draw. The game goes on.")
        }
        (BoardNews::OfferWithdrawn, Some(by)) => {
            format!("{} the offer.", verb(board, by, reader, ["have withdrawn", "has withdrawn"]))
        }
        (BoardNews::Unmade { from }, _) => format!("Move {from} and what followed is taken back."),
        (BoardNews::TakenBack { from }, Some(by)) => {
            let agreed = verb(board, by, reader, ["have agreed", "has agreed"]);
            let dice = if has_dice(board) {
                " The dice stay the same, and those thrown later will come again."
            } else {
                ""
            };
            format!("{agreed}: move {from} and what followed is taken back.{dice}")
        }
        (BoardNews::Moved | BoardNews::Chatted(_), _)
        | (
            BoardNews::Accepted(_)
            | BoardNews::OfferRejected(_)
            | BoardNews::OfferWithdrawn
            | BoardNews::TakenBack { .. },
            None,
        ) => return None,
    })
}

/// How somebody who did not ask for a game gets rid of it.
fn how_to_decline(board: &Board, news: &News, reader: Option<Seat>) -> Option<String> {
    let reader = reader.filter(|reader| news.what.is_new() && news.by != Some(*reader))?;
    let is_solo = board.game.spec().manner.solo;
    let opponent = board.player(reader.other());
    (!is_solo).then(|| {
        format!(
            "If you do not want to play {opponent}, resign before your first move: that declines \
             the game and counts for nothing."
        )
    })
}

/// Whether dice were thrown on a board.
pub(super) fn has_dice(board: &Board) -> bool {
    let thrown = |line: &Line| matches!(line.entry, Entry::Rolled(_));
    !board.kept.is_empty() || board.record.iter().any(thrown)
}

/// The latest moves as sentences: those of one player in a row are one. Where there are many, the
/// first and the last are told.
fn turns(board: &Board, made: usize, view: &View) -> Vec<String> {
    let all: Vec<Turn> = board.moves().collect();
    let before = all.len().saturating_sub(made);
    let mut runs: Vec<&[Turn]> = all[before..].chunk_by(is_same_turn).collect();
    // How the game ended says that.
    let is_said = |run: &&[Turn]| matches!(&*run[0].text, "drop" | "accept");
    if board.is_over() && runs.last().is_some_and(is_said) {
        runs.pop();
    }
    let tell = |runs: &[&[Turn]]| -> Vec<String> {
        runs.iter().map(|run| turn(board, run, view)).collect()
    };
    let mut told = Vec::from_iter(game_of_match(board, before, view.seat));
    match runs.len().checked_sub(MOST) {
        None | Some(0) => told.extend(tell(&runs)),
        Some(left_out) => {
            told.extend(tell(&runs[..1]));
            let more = if left_out == 1 { "turn was" } else { "turns were" };
            told.push(format!("{left_out} more {more} played."));
            told.extend(tell(&runs[1 + left_out..]));
        }
    }
    told
}

/// Whether two moves are told in one sentence: they are of one player, who threw no dice between
/// them.
fn is_same_turn(one: &Turn, next: &Turn) -> bool {
    let is_like = if is_word(one) { one.text == next.text } else { !is_word(next) };
    one.seat == next.seat && next.dice.is_none() && one.auto == next.auto && is_like
}

/// Whether a move is a word such as `take`, no play of men.
fn is_word(turn: &Turn) -> bool {
    turn.text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ')
}

fn turn(board: &Board, run: &[Turn], view: &View) -> String {
    let reader = view.seat;
    let Some(first) = run.first() else { return String::new() };
    let auto = if first.auto { " (auto)" } else { "" };
    if is_word(first) {
        let times = if run.len() > 1 { format!(" {} times", run.len()) } else { String::new() };
        return format!("{}{times}{auto}.", spoken(board, first, reader));
    }
    let worded = |turn: &Turn| board.game.worded(view, turn.text.to_string());
    let played: Vec<String> = run.iter().map(worded).collect();
    let dice = first.dice.map_or_else(String::new, |dice| format!(" with {}", rolled(dice)));
    let did = verb(board, first.seat, reader, ["played", "played"]);
    format!("{did} {}{dice}{auto}.", And(&played))
}

/// A move that is a word, as a sentence without its end.
fn spoken(board: &Board, turn: &Turn, reader: Option<Seat>) -> String {
    let said = match &*turn.text {
        "double" => "doubled",
        "redouble" => "redoubled",
        "take" => "took the double",
        "drop" => "dropped the double",
        "beaver" => "beavered",
        "accept" => "accepted the resignation",
        "reject" => "rejected the resignation",
        "pass" => "passed",
        other => {
            let stake = other.strip_prefix("resign ").map(|stake| match stake {
                "single" => "a single game".to_owned(),
                stake => format!("a {stake}"),
            });
            let said = match stake {
                Some(stake) => format!("offered to resign {stake}"),
                None => format!("said {other}"),
            };
            return verb(board, turn.seat, reader, [&said, &said]);
        }
    };
    let dice = turn.dice.map_or_else(String::new, |dice| format!(" with {}", rolled(dice)));
    verb(board, turn.seat, reader, [said, said]) + &dice
}

/// Dice as people say them, the higher one first: `6-2`, `a 3`.
fn rolled(roll: Roll) -> String {
    match roll {
        Roll::One(die) => format!("a {die}"),
        Roll::Two(one, other) => format!("{}-{}", one.max(other), one.min(other)),
    }
}

/// The game of a match that has ended since so many moves, if one has.
fn game_of_match(board: &Board, moves: usize, reader: Option<Seat>) -> Option<String> {
    let now = match_of(&board.position().diagram(&View::default()))?;
    let (winner, points) = now.last.filter(|_| !board.is_over())?;
    let position = board.position_after(moves)?;
    let before = match_of(&position.diagram(&View::default()))?;
    (before.game < now.game).then(|| {
        let points = Count(usize::try_from(points).unwrap_or(usize::MAX), "point");
        let won = verb(board, winner, reader, ["won", "won"]);
        format!("{won} game {} of the match, {points}.", before.game)
    })
}

fn match_of(diagram: &Diagram) -> Option<Match> {
    match diagram {
        Diagram::Points(points) => points.game_of,
        Diagram::Corridor(_) | Diagram::Grid(_) => None,
    }
}

/// What `(auto)` means, where the first move of a board that bears it is among the latest.
fn of_auto(board: &Board, made: usize) -> Option<String> {
    let first = board.moves().position(|turn| turn.auto)?;
    let before = board.moves().count().saturating_sub(made);
    (first >= before && made > 0).then(|| {
        let settings = board.game.spec().settings;
        let is_chosen = settings.iter().any(|setting| setting.switch.name == "greedy");
        let greedy = if is_chosen { ", or the player's setting `greedy` chose it" } else { "" };
        format!("(auto) means that the server made this move: no other was possible{greedy}.")
    })
}

/// How the board stands, and what is offered.
pub(super) fn headline(board: &Board, view: &View) -> String {
    let standing = standing(board, view.seat);
    match mails::open_offer(board, view) {
        Some(offer) => format!("{standing} {offer}"),
        None => standing,
    }
}

/// One sentence: whose turn it is, or how the game ended.
pub(super) fn standing(board: &Board, reader: Option<Seat>) -> String {
    let name = mails::name(board);
    let won = |by: Seat, how: &str| match reader {
        Some(seat) if seat != by => format!("You lost {name}: {} won{how}.", board.player(by)),
        _ => format!("{} {name}{how}.", verb(board, by, reader, ["won", "won"])),
    };
    match board.status() {
        Status::ToMove(seat) => {
            let whose = if reader == Some(seat) {
                "your".into()
            } else {
                format!("{}'s", board.player(seat))
            };
            let who = if reader == Some(seat) { "you" } else { "they" };
            let dice = on_the_table(board)
                .map_or_else(String::new, |roll| format!(": {who} rolled {}", rolled(roll)));
            format!(
                "It is {whose} turn ({}) on {name}, move {}{dice}.",
                board.side(seat),
                board.next_move()
            )
        }
        Status::Ended(Outcome::Won { by, points, reason }) => {
            let worth = if points > 1 { format!(", {points} points") } else { String::new() };
            won(by, &format!(" {reason}{worth}"))
        }
        Status::Ended(Outcome::Drawn { reason }) => format!("{name} is a draw: {reason}."),
        Status::Closed(closing) => closed(board, closing, reader),
    }
}

/// How a board was closed before its game was played out.
fn closed(board: &Board, Closing { seat, by, .. }: Closing, reader: Option<Seat>) -> String {
    let name = mails::name(board);
    let who = Seat(seat);
    let did = |words: [&str; 2]| verb(board, who, reader, words).replacen("You ", "you ", 1);
    let own_time = if reader == Some(who) {
        "your time".into()
    } else {
        format!("the time of {}", board.player(who))
    };
    let won = |how: String| match reader {
        Some(seat) if seat == who => format!("You lost {name}: {how}."),
        _ => format!("{} {name}: {how}.", verb(board, who.other(), reader, ["won", "won"])),
    };
    match by {
        ClosedBy::Resigning => won(did(["resigned", "resigned"])),
        ClosedBy::Forfeiting => won(format!("{own_time} is up")),
        ClosedBy::Declining => {
            format!(
                "{name} is closed without a result: {} to play it.",
                did(["declined", "declined"])
            )
        }
        ClosedBy::Lapsing => {
            format!("{name} is closed without a result: {own_time} was up before the first move.")
        }
        ClosedBy::Agreeing => format!("{name} is a draw: both players agreed."),
        ClosedBy::Assenting => format!(
            "{name} is a draw: {} the draw that {} offered unanswered for so long that it counts \
             as accepted.",
            did(["left", "left"]),
            whom(board, who.other(), reader)
        ),
    }
}

/// The dice that wait to be played, where the rules show them to everybody.
fn on_the_table(board: &Board) -> Option<Roll> {
    let is_to_play = matches!(board.position().next(), Next::Move(_));
    match board.record.last().map(|line| &line.entry) {
        Some(Entry::Rolled(roll)) if is_to_play => Some(*roll),
        _ => None,
    }
}
