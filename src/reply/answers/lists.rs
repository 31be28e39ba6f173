//! Lists of boards, games and players, with a line for each; and help pages.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::base::words::{AndList, Plural};
use crate::model::board::{Board, BoardStatus, ClosedBy, Closing};
use crate::model::rating::Standing;
use crate::model::recent_players::PossibleOpponent;
use crate::model::world::World;
use crate::reply::AnswerContext;
use crate::reply::answers::open_challenges::{self, OpenChallenges};
use crate::reply::answers::ratings_table::{self, Standings};
use crate::reply::answers::{opponents, profile};
use crate::reply::board_mail::clock_text::span;
use crate::reply::letters::{Block, OutgoingMail, more_line};
use games::{AnyGame, Outcome};

/// A list, or help pages.
#[derive(Debug)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum Listing {
    /// Help pages.
    Help(String),
    /// All games, and the open challenges.
    Games(Vec<(&'static str, Vec<GameActivity>)>, OpenChallenges),
    /// The boards in progress of each game, and the open challenges.
    InProgress(Vec<(&'static dyn AnyGame, Vec<BoardId>)>, OpenChallenges),
    /// Boards of one game.
    Boards { game: &'static dyn AnyGame, boards: Vec<BoardId> },
    /// The boards of one game that ended last; others ended before.
    LatestBoards {
        game: &'static dyn AnyGame,
        /// The boards, the latest first.
        boards: Vec<BoardId>,
    },
    /// Boards of some players in all games.
    Everywhere {
        users: Vec<UserId>,
        /// The boards, the one with the least time left first.
        boards: Vec<BoardId>,
    },
    /// All players with boards in progress, and the open challenges.
    Players(Vec<PlayerRow>, OpenChallenges),
    /// Players who could be challenged to a game.
    Opponents {
        game: &'static dyn AnyGame,
        /// The standing of the reader; none if it is not known who reads.
        own: Option<Standing>,
        found: Vec<PossibleOpponent>,
    },
    /// A player's ratings, results and boards in progress.
    Profile {
        user: UserId,
        /// The player's boards in progress that the reader may see.
        boards: Vec<BoardId>,
    },
    /// The ratings in a game.
    Standings { game: &'static dyn AnyGame, standings: Standings, open: OpenChallenges },
}

/// A player with boards in progress.
#[derive(Clone, Debug)]
pub struct PlayerRow {
    /// The player.
    pub user: UserId,
    /// The titles of the games they play.
    pub games: Vec<&'static str>,
}

/// A game with its boards and players.
#[derive(Clone, Copy, Debug)]
pub struct GameActivity {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The number of boards in progress.
    pub boards: usize,
    /// The number of players on these boards.
    pub players: usize,
}

impl Listing {
    pub(crate) fn mail(&self, at: &AnswerContext) -> OutgoingMail {
        let (subject, blocks) = match self {
            Self::Help(text) => ("Help".into(), vec![Block::Preformatted(text.clone())]),
            Self::Games(all, open) => {
                ("Games".into(), open_challenges::with_challenges(games(all), open))
            }
            Self::InProgress(lists, open) => (
                "Boards in progress".into(),
                open_challenges::with_challenges(in_progress(at.world, lists), open),
            ),
            Self::Boards { game, boards: ids } => {
                (format!("{} boards", game.spec().title), boards(at.world, ids))
            }
            Self::LatestBoards { game, boards } => {
                let head = format!("The {} that ended last:", Plural(boards.len(), "board"));
                let blocks = vec![Block::sentence(head), rows(at.world, boards)];
                (format!("{} boards", game.spec().title), blocks)
            }
            Self::Everywhere { users, boards } => {
                ("Your boards".into(), everywhere(at.world, users, boards, at.now))
            }
            Self::Players(rows, open) => {
                ("Players".into(), open_challenges::with_challenges(players(rows), open))
            }
            Self::Opponents { game, own, found } => (
                format!("{} players", game.spec().title),
                opponents::list(at.world, *game, own.as_ref(), found),
            ),
            Self::Profile { user, boards } => {
                (format!("Player {user}"), profile::page(at.world, user, boards, at.now))
            }
            Self::Standings { game, standings, open } => {
                let blocks = open_challenges::with_challenges(
                    ratings_table::ratings_table(*game, standings),
                    open,
                );
                (format!("{} standings", game.spec().title), blocks)
            }
        };
        OutgoingMail::answer(subject, blocks)
    }
}

/// Lists the games.
fn games(groups: &[(&'static str, Vec<GameActivity>)]) -> Vec<Block> {
    let row = |GameActivity { game, boards, players }: &GameActivity| {
        let spec = game.spec();
        let mark = if spec.manner.levels > 0 { "*" } else { " " };
        format!("  {:<11}{mark} {boards:>6} {players:>7}  {}", spec.name, spec.about)
    };
    let lines = |(title, games): &(&'static str, Vec<GameActivity>)| {
        let title = [String::new(), (*title).to_owned()];
        title.into_iter().chain(games.iter().map(row)).collect::<Vec<_>>()
    };
    let head = format!("{:15}boards players", "");
    vec![
        Block::sentence("The games here, with their boards in progress and the number of players:"),
        Block::preformatted(std::iter::once(head).chain(groups.iter().flat_map(lines))),
        Block::item(
            "*",
            "You can play these games against the program, which answers at once. It has four \
             levels, board1 (easy) to board4 (hard): `reversi challenge <userid> board1`.",
        ),
        Block::sentence(
            "To post an open challenge, which anybody can accept, send `malaka seek <userid> \
             <password>`. Send `help <game>` for the rules of a game, `list <game>` for its boards.",
        ),
    ]
}

/// Lists the players with their games.
fn players(rows: &[PlayerRow]) -> Vec<Block> {
    let row = |PlayerRow { user, games }: &PlayerRow| format!("  {user:<16} {}", games.join(", "));
    let challenge = "To challenge one of them, send `<game> challenge <userid>`; to see their \
                     ratings and boards, send `profile <userid>`.";
    let head = match rows.len() {
        0 => return vec![Block::sentence("Nobody has a board in progress.")],
        1 => "1 player has boards in progress:".to_owned(),
        more => format!("{more} players have boards in progress:"),
    };
    let shown = rows.iter().take(MAX_ROWS).map(row).chain(more_line(rows.len(), MAX_ROWS));
    vec![Block::sentence(head), Block::preformatted(shown), Block::sentence(challenge)]
}

/// Lists the boards of several games.
fn in_progress(world: &World, lists: &[(&'static dyn AnyGame, Vec<BoardId>)]) -> Vec<Block> {
    let one = |(game, ids): &(&'static dyn AnyGame, Vec<BoardId>)| {
        let head = format!("{}: {} in progress", game.spec().title, Plural(ids.len(), "board"));
        [Block::sentence(head), rows(world, ids)]
    };
    lists.iter().flat_map(one).collect()
}

/// Lists boards of one game.
fn boards(world: &World, ids: &[BoardId]) -> Vec<Block> {
    vec![Block::sentence(Plural(ids.len(), "board").to_string()), rows(world, ids)]
}

/// Lists boards of some players in all games, those first where it is their turn.
fn everywhere(world: &World, users: &[UserId], ids: &[BoardId], now: Time) -> Vec<Block> {
    let who = AndList(users);
    let Some(first) = ids.first() else {
        return vec![Block::sentence(format!(
            "There are no boards of {who} to show. Send `list` for the games and the open \
             challenges."
        ))];
    };
    let boards = ids.iter().filter_map(|id| world.board(*id).ok());
    let (mut theirs, mut others, mut over) = (Vec::new(), Vec::new(), Vec::new());
    for board in boards {
        match board.status() {
            BoardStatus::ToMove(seat) if users.contains(board.player(seat)) => theirs.push(board),
            BoardStatus::ToMove(_) => others.push(board),
            BoardStatus::Ended(_) | BoardStatus::Closed(_) => over.push(board),
        }
    }
    let parts = [
        (theirs, format!("Waiting for {who}:")),
        (others, "Waiting for the opponent:".to_owned()),
        (over, "Over:".to_owned()),
    ];
    let mut blocks = Vec::new();
    for (boards, head) in parts.into_iter().filter(|(boards, _)| !boards.is_empty()) {
        let shown = boards.iter().take(MAX_ROWS).flat_map(|board| timed_row(world, board, now));
        blocks.extend([
            Block::sentence(head),
            Block::preformatted(shown.chain(more_line(boards.len(), MAX_ROWS))),
        ]);
    }
    blocks.push(Block::sentence(format!(
        "To see a board, send `<game> show <board>`, for example `{} show {}`.",
        first.game, first.number
    )));
    blocks
}

/// Returns a board of one of several games as a line, with the time left.
pub(super) fn timed_row(world: &World, board: &Board, now: Time) -> Vec<String> {
    let [first, second] = &board.players;
    let name = format!("{} {}", board.id.game, board.id.number);
    let players = format!("{first} - {second}");
    let state = match board.status() {
        BoardStatus::ToMove(seat) => {
            let end = world.clock(board, now).turn.map(|turn| (turn.end - now).or_zero());
            let left = end.map(|left| format!(", {} left", span(left))).unwrap_or_default();
            format!("move {}, {}{left}", board.next_move(), board.player(seat))
        }
        _ => state(board),
    };
    let one = format!("  {name:<15} {players:<24} {state}");
    if one.len() <= 78 {
        vec![one]
    } else {
        vec![format!("  {name:<15} {players}"), format!("{:18}{state}", "")]
    }
}

/// The most boards in a list.
pub(super) const MAX_ROWS: usize = 200;

fn rows(world: &World, ids: &[BoardId]) -> Block {
    let boards = ids.iter().take(MAX_ROWS).filter_map(|id| world.board(*id).ok());
    Block::preformatted(boards.flat_map(row).chain(more_line(ids.len(), MAX_ROWS)))
}

fn row(board: &Board) -> Vec<String> {
    let [first, second] = &board.players;
    let players = format!("{first} - {second}");
    let state = state(board);
    let options: Vec<String> = board.options.words().chain(board.terms.words()).collect();
    let (number, options) = (board.id.number, options.join(" "));
    let one = format!("  {number:>5}  {players:<26} {state:<22} {options}");
    let rows = if one.trim_end().len() <= 78 {
        vec![one]
    } else {
        vec![format!("  {number:>5}  {players}"), format!("         {state}  {options}")]
    };
    rows.into_iter().map(|row| row.trim_end().to_owned()).collect()
}

/// Returns the state of a board in a few words.
fn state(board: &Board) -> String {
    match board.status() {
        BoardStatus::ToMove(seat) => format!("move {}, {}", board.next_move(), board.player(seat)),
        BoardStatus::Ended(Outcome::Won { by, .. }) => format!("over, won by {}", board.player(by)),
        BoardStatus::Ended(Outcome::Drawn { .. }) => "over, a draw".into(),
        BoardStatus::Closed(closing) if closing.by.is_draw() => "over, a draw".into(),
        BoardStatus::Closed(Closing { by: ClosedBy::Declining, .. }) => "declined".into(),
        BoardStatus::Closed(Closing { by: ClosedBy::Aborting, .. }) => {
            "over, without a result".into()
        }
        BoardStatus::Closed(closing) => match closing.winner() {
            Some(winner) => format!("over, won by {}", board.player(winner)),
            None => "never begun".into(),
        },
    }
}
