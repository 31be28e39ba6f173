//! Answers about ladders, and their mails to players.

use crate::base::ids::{BoardId, UserId};
use crate::base::words::Plural;
use crate::model::board::{Board, ClosedBy};
use crate::model::ladder::{LADDER_PAGE, LadderEnd, LadderReader, LadderStart, Rung, rules};
use crate::model::rate_limit::QuotaShare;
use crate::model::topic::Topic;
use crate::model::tournament::DecidedBy;
use crate::model::user::OptOut;
use crate::model::world::{World, WorldLadder};
use crate::reply::AnswerContext;
use crate::reply::answers::EVENTS_OFF;
use crate::reply::letters::{Block, OutgoingMail, Recipient};
use games::{GAMES, Seat};

/// An answer about ladders.
#[derive(Debug)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum LadderAnswer {
    /// A user joined a ladder.
    Joined { game: &'static str, user: UserId },
    /// A user left a ladder.
    Left { game: &'static str, user: UserId },
    /// A page of a ladder.
    Shown { game: &'static str, start: LadderStart },
    /// All ladders.
    Listed,
    /// What a ladder did by itself.
    News { game: &'static str, news: LadderNews },
}

/// What a ladder did by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LadderNews {
    /// These games ended, because a player left.
    Closed(Vec<BoardId>),
    /// Players were idle.
    Idle {
        /// Those who dropped for the first time.
        dropped: Vec<UserId>,
        /// Those who are no longer on the ladder.
        gone: Vec<UserId>,
    },
}

/// Returns the name of a ladder: `Malaka ladder`.
pub(crate) fn name(game: &str) -> String {
    format!("{} ladder", games::title(game))
}

impl LadderAnswer {
    /// Returns the users who get a mail besides the sender.
    pub(crate) fn readers(&self) -> Vec<UserId> {
        match self {
            Self::News { news: LadderNews::Idle { dropped, gone }, .. } => {
                dropped.iter().chain(gone).cloned().collect()
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn mails(&self, at: &AnswerContext) -> Vec<OutgoingMail> {
        let answer = |game: &'static str, blocks| {
            let topic = Some(Topic::Ladder(game));
            vec![OutgoingMail { topic, ..OutgoingMail::answer(name(game), blocks) }]
        };
        match self {
            Self::Joined { game, user } => answer(game, joined(at.world, game, user)),
            Self::Left { game, .. } => {
                let words = format!(
                    "You have left the {}. Your unfinished games there are lost. If you join again, \
                     you begin on the last place.",
                    name(game)
                );
                answer(game, vec![Block::sentence(words)])
            }
            Self::Shown { game, start } => answer(game, shown(at.world, game, start, at)),
            Self::Listed => vec![OutgoingMail::answer("Ladders", listed(at.world))],
            Self::News { game, news } => news_mails(game, news, at),
        }
    }
}

fn news_mails(game: &'static str, news: &LadderNews, at: &AnswerContext) -> Vec<OutgoingMail> {
    let mail = |user: &UserId, words: String| {
        let blocks = vec![Block::Mark, Block::sentence(words), Block::sentence(EVENTS_OFF)];
        let mail = OutgoingMail::new(Recipient::Listener(user.clone()), name(game), blocks);
        let topic = Some(Topic::Ladder(game));
        OutgoingMail { share: QuotaShare::Others, topic, opt_out: Some(OptOut::Events), ..mail }
    };
    match news {
        LadderNews::Closed(boards) => {
            let closed = boards.iter();
            closed
                .flat_map(|board| crate::reply::closed_by_clock(at.world, *board, at.now))
                .collect()
        }
        LadderNews::Idle { dropped, gone } => {
            let dropped =
                dropped.iter().map(|user| mail(user, dropped_words(at.world, game, user)));
            dropped.chain(gone.iter().map(|user| mail(user, gone_words(game)))).collect()
        }
    }
}

fn dropped_words(world: &World, game: &str, user: &UserId) -> String {
    format!(
        "You have had no game on the {} for {} days, so you drop up to {} places, and again each week. {} \
         To stay, challenge somebody: reply `show` on the first line to see whom you can challenge. \
         After {} days without a game you are no longer on the ladder.",
        name(game),
        rules::IDLE.days(),
        rules::DROP,
        place_words(world, game, user).unwrap_or_default(),
        rules::GONE.days()
    )
}

fn gone_words(game: &str) -> String {
    format!(
        "You have had no game on the {} for {} days, so you are no longer on it. To begin again on \
         the last place, reply `join` on the first line.",
        name(game),
        rules::GONE.days()
    )
}

/// Returns the place of a player in a sentence, if it is known.
fn place_words(world: &World, game: &str, user: &UserId) -> Option<String> {
    let ladder = world.loaded_ladder(games::find(game)?.spec().name)?;
    let place = ladder.place(user)?;
    Some(format!("You are on place {place} of {} on the {}.", ladder.players(), name(game)))
}

/// Returns what a player reads about the ladder in a mail about their board: that a new board is a game of the
/// ladder, and after its end their new place.
pub(crate) fn board_words(
    world: &World,
    board: &Board,
    seat: Seat,
    is_new: bool,
) -> Option<String> {
    if !board.is_of_ladder {
        return None;
    }
    if !board.is_over() {
        let words = format!(
            "This is a game of the {}: the winner gets the higher of your two places. It cannot be \
             declined.",
            name(board.id.game)
        );
        return is_new.then_some(words);
    }
    let user = board.player(seat);
    let ladder = world.loaded_ladder(board.id.game)?;
    let rung = ladder.rung(user);
    // Until the result is recorded, the place is the old one.
    if rung.is_some_and(|rung| rung.games.iter().any(|game| game.board == board.id.number)) {
        return None;
    }
    let Some(place) = place_words(world, board.id.game, user) else {
        let is_gone = rung.is_none() && world.user(user).is_some();
        return is_gone.then(|| format!("You are no longer on the {}.", name(board.id.game)));
    };
    let is_timeout = board
        .closing
        .is_some_and(|closing| closing.by == ClosedBy::Forfeiting && closing.seat == seat.0);
    let drop = if is_timeout {
        format!("You ran out of time, so you drop {} places. ", rules::DROP)
    } else {
        String::new()
    };
    Some(format!("{drop}{place}"))
}

fn joined(world: &World, game: &'static str, user: &UserId) -> Vec<Block> {
    let place = place_words(world, game, user).unwrap_or_default();
    let mut blocks = vec![Block::sentence(format!("Welcome. {place}"))];
    let Some(ladder) = world.loaded_ladder(game) else { return blocks };
    if ladder.players() > 1 {
        blocks.push(Block::send(
            "To see whom you can challenge, send the Subject",
            [format!("{game} ladder show {user}")],
        ));
    }
    blocks.push(rules_words());
    blocks
}

fn rules_words() -> Block {
    Block::sentence(format!(
        "In its games you have {} days for a turn and {} days for all turns. Send `help ladder` for \
         the rules.",
        rules::TURN_DAYS,
        rules::TOTAL_DAYS
    ))
}

/// Builds a page of a ladder.
fn shown(world: &World, game: &'static str, start: &LadderStart, at: &AnswerContext) -> Vec<Block> {
    let join = || {
        let join = format!("{game} ladder join <userid> <password>");
        Block::send("To join it on the last place, send the Subject", [join])
    };
    let ladder = world.loaded_ladder(game).filter(|ladder| ladder.players() > 0);
    let page = ladder.and_then(|ladder| Some((ladder, ladder.page(start, LADDER_PAGE)?)));
    let Some((ladder, places)) = page else {
        return vec![Block::sentence(format!("Nobody is on the {} yet.", name(game))), join()];
    };
    let players = ladder.players();
    let mut blocks = vec![Block::sentence(format!(
        "{}, places {} to {} of {players}:",
        name(game),
        places.start(),
        places.end()
    ))];
    let rows = places.clone().filter_map(|place| Some(row(place, ladder.at(place)?, start)));
    blocks.push(Block::preformatted(rows));
    blocks.extend(challenges(&ladder, game, start, at));
    let results: Vec<String> = latest(world, &ladder).iter().map(|one| one.line(game)).collect();
    if !results.is_empty() {
        blocks.extend([Block::sentence("Latest results:"), Block::preformatted(results)]);
    }
    if *places.end() < players {
        let next = format!("{game} ladder show {}", places.end() + 1);
        blocks.push(Block::send("To see the next places, send the Subject", [next]));
    }
    blocks.extend([join(), rules_words()]);
    blocks
}

fn row(place: u32, rung: &Rung, start: &LadderStart) -> String {
    let mark = if start.player() == Some(&rung.user) { '*' } else { ' ' };
    let games = match rung.games.len() {
        0 => String::new(),
        games => Plural(games, "game").to_string(),
    };
    format!(" {mark}{place:>5}  {:<32}  {games}", rung.user).trim_end().to_owned()
}

/// Returns whom the player in the middle of a page can challenge.
fn challenges(
    ladder: &WorldLadder,
    game: &str,
    start: &LadderStart,
    at: &AnswerContext,
) -> Option<Block> {
    let user = start.player()?;
    let places = ladder.page(start, LADDER_PAGE)?;
    let is_open = |place: &u32| ladder.check_challenge_of(user, *place, at.now).is_ok();
    let open = places.rev().filter(is_open).filter_map(|place| ladder.at(place));
    let open: Vec<&UserId> = open.map(|rung| &rung.user).collect();
    let Some(first) = open.first() else {
        return Some(Block::sentence(format!("{user} can challenge nobody at the moment.")));
    };
    let names: Vec<&str> = open.iter().map(|user| user.as_str()).collect();
    let words = format!("{user} can challenge {}, with a Subject such as", names.join(", "));
    Some(Block::send(words, [format!("{game} ladder challenge {first} {user} <password>")]))
}

/// A result of a ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LatestResult {
    pub(crate) board: BoardId,
    pub(crate) end: LadderEnd,
}

impl LatestResult {
    /// Returns the result in words: `alice beat bob on time`.
    pub(crate) fn words(&self) -> String {
        let [one, other] = &self.end.players;
        match self.end.winner {
            None => format!("{one} and {other}: no winner"),
            Some(winner) => {
                let [winner, loser] = if winner == 0 { [one, other] } else { [other, one] };
                let how = match self.end.by {
                    DecidedBy::Time => " on time",
                    _ => "",
                };
                format!("{winner} beat {loser}{how}")
            }
        }
    }

    fn line(&self, game: &str) -> String {
        format!("  {}  {}, {game} {}", self.end.at.day(), self.words(), self.board.number)
    }
}

/// Returns the latest results of a ladder whose boards are loaded, the latest first.
pub(crate) fn latest(world: &World, ladder: &WorldLadder) -> Vec<LatestResult> {
    let boards = ladder.latest_boards().into_iter();
    let result = |board: BoardId| {
        let end = LadderEnd::of_board(world.loaded_board(board)?)?;
        Some(LatestResult { board, end })
    };
    boards.filter_map(result).collect()
}

fn listed(world: &World) -> Vec<Block> {
    let games = GAMES.iter().map(|game| game.spec()).filter(|spec| !spec.manner.is_solo);
    let players = |game: &'static str| {
        world.loaded_ladder(game).map(|ladder| ladder.players()).filter(|players| *players > 0)
    };
    let found = games.filter_map(|spec| Some((spec, players(spec.name)?)));
    let rows: Vec<String> = found
        .map(|(spec, players)| {
            let players = Plural(players as usize, "player").to_string();
            format!("  {:<24}  {players:<14}  {} ladder show", spec.title, spec.name)
        })
        .collect();
    let mut blocks = if rows.is_empty() {
        vec![Block::sentence("Nobody is on a ladder yet.")]
    } else {
        vec![Block::sentence("Ladders:"), Block::preformatted(rows)]
    };
    blocks.push(Block::send(
        "Each game that two play has a ladder. To join one, send a Subject such as",
        ["malaka ladder join <userid> <password>".to_owned()],
    ));
    blocks.push(Block::sentence("Send `help ladder` for the rules."));
    blocks
}
