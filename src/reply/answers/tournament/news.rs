//! Mails about what a tournament does by itself.

use super::words::state;
use super::{players, tables};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::BoardStatus;
use crate::model::rate_limit::QuotaShare;
use crate::model::topic::Topic;
use crate::model::tournament::{EntrantIndex, Field, Game, Stage, Tournament};
use crate::model::user::OptOut;
use crate::model::world::World;
use crate::reply::answers::EVENTS_OFF;
use crate::reply::board_mail;
use crate::reply::board_mail::names::board_name;
use crate::reply::board_mail::subject::SubjectTopic;
use crate::reply::letters::{Block, Delivery, OutgoingMail, Recipient, TextElement};

/// What a tournament did by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TournamentNews {
    /// The start was put off, because too few players have entered.
    Postponed,
    /// It was cancelled, because too few players had entered for too long.
    Cancelled,
    /// Games of a team match were decided.
    Score,
    /// A round began.
    RoundBegan,
    /// A player left because of lost games on time.
    Expelled(UserId),
    /// A player in reserve took over the boards of a player who had left.
    Replaced {
        /// The player who had left.
        old: UserId,
        /// The player who took over.
        new: UserId,
        /// The boards.
        boards: Vec<BoardId>,
    },
    /// These boards ended: their players had left, or the deadline has passed.
    Decided(Vec<BoardId>),
    /// It ended.
    Ended,
}

/// Builds a mail to a player about a tournament. It is no answer to the command that caused it.
pub(crate) fn to_player(tournament: &Tournament, user: UserId, blocks: Vec<Block>) -> OutgoingMail {
    let how = match tournament.stage() {
        Stage::Open | Stage::Running => {
            "To see the tournament, reply `show` on the first line; to leave it, reply `leave`."
        }
        Stage::Ended | Stage::Cancelled => "To see the tournament, reply `show` on the first line.",
    };
    about(tournament, user, blocks, how)
}

/// Builds a mail about a tournament that ends with how to answer it.
pub(super) fn about(
    tournament: &Tournament,
    user: UserId,
    mut blocks: Vec<Block>,
    how: &str,
) -> OutgoingMail {
    blocks.insert(0, Block::Mark);
    blocks.push(Block::sentence(format!("{how} {EVENTS_OFF}")));
    let mail = OutgoingMail::new(Recipient::Listener(user), tournament.id.title(), blocks);
    let topic = Some(Topic::Tournament(tournament.id));
    OutgoingMail { share: QuotaShare::Others, topic, opt_out: Some(OptOut::Events), ..mail }
}

/// Builds the mails about news of a tournament, after its events were applied.
pub(crate) fn mails(
    world: &World,
    tournament: &Tournament,
    news: &TournamentNews,
    now: Time,
) -> Vec<OutgoingMail> {
    let to_all = |blocks: Vec<Block>| -> Vec<OutgoingMail> {
        let mail = |user| to_player(tournament, user, blocks.clone());
        players(tournament).into_iter().map(mail).collect()
    };
    match news {
        TournamentNews::Postponed => to_all(vec![Block::sentence(format!(
            "Too few players have entered {}, so its start is put off. {}",
            tournament.id.title(),
            state(tournament)
        ))]),
        TournamentNews::Cancelled => to_all(vec![Block::sentence(format!(
            "{} is cancelled, because too few players have entered.",
            tournament.id.title()
        ))]),
        TournamentNews::Score => {
            let title = tournament.id.title();
            let words = format!("A game of {title} is over. {}", state(tournament));
            let blocks = [Block::sentence(words)].into_iter();
            to_all(blocks.chain(tables(tournament)).collect())
        }
        TournamentNews::RoundBegan => round_began(world, tournament, now),
        TournamentNews::Expelled(user) => {
            let words = format!(
                "You have lost two games of {} on time, so you are no longer in it. Your other \
                 games in it are lost.",
                tournament.id.title()
            );
            vec![to_player(tournament, user.clone(), vec![Block::sentence(words)])]
        }
        TournamentNews::Replaced { old, new, boards } => {
            replaced(world, tournament, [old, new], boards, now)
        }
        TournamentNews::Decided(boards) => boards
            .iter()
            .flat_map(|board| crate::reply::closed_by_clock(world, *board, now))
            .collect(),
        TournamentNews::Ended => {
            let first = format!("{} is over. {}", tournament.id.title(), state(tournament));
            let mut blocks = vec![Block::sentence(first)];
            blocks.extend(super::words::season_words(tournament).map(Block::sentence));
            blocks.extend(tables(tournament));
            to_all(blocks)
        }
    }
}

/// Builds the mails of a new round: to each player their games and the tables, and to each player on
/// turn the board.
fn round_began(world: &World, tournament: &Tournament, now: Time) -> Vec<OutgoingMail> {
    let Some(field) = &tournament.field else { return Vec::new() };
    let round = tournament.round_number();
    let deadline = tournament.round.map(|round| round.deadline.day());
    let lasts = deadline.map_or_else(String::new, |day| format!(" It lasts until {day} at most."));
    let mut mails = Vec::new();
    for entrant in field.active() {
        let own: Vec<_> = field.games_of(entrant).filter(|game| game.round == round).collect();
        let has_bye = field.byes.iter().any(|bye| bye.round == round && bye.entrant == entrant);
        if own.is_empty() && !has_bye {
            continue;
        }
        let first = format!("Round {round} of {} has begun.{lasts}", tournament.id.title());
        let mut blocks = vec![Block::sentence(first)];
        if has_bye {
            blocks.push(Block::sentence("You have a bye: no opponent in this round."));
        }
        let line = |game: &&Game| game_line(world, tournament, field, entrant, game);
        if !own.is_empty() {
            let head = TextElement::Sentence("Your games:".into());
            let lines = own.iter().map(line).map(TextElement::Preformatted);
            blocks.push(Block::Text([head].into_iter().chain(lines).collect()));
        }
        blocks.extend(tables(tournament));
        mails.push(to_player(tournament, field.entrants[entrant].user.clone(), blocks));
    }
    let boards = field.games.iter().filter(|game| game.round == round);
    let boards = boards.map(|game| BoardId { game: tournament.id.game, number: game.board });
    mails.extend(boards.filter_map(|board| your_turn(world, board, now)));
    mails
}

/// Returns the line of a game in the mail to one of its players.
fn game_line(
    world: &World,
    tournament: &Tournament,
    field: &Field,
    entrant: EntrantIndex,
    game: &Game,
) -> String {
    let opponent = game.opponent_of(entrant).unwrap_or(entrant);
    let opponent = &field.entrants[opponent];
    let id = BoardId { game: tournament.id.game, number: game.board };
    let own = &field.entrants[entrant].user;
    let turn = world.loaded_board(id).and_then(|board| match board.status() {
        BoardStatus::ToMove(seat) => Some(board.player(seat) == own),
        _ => None,
    });
    let turn = match turn {
        Some(true) => ", your turn",
        Some(false) => ", their turn",
        None => "",
    };
    format!("  {id} against {} ({}){turn}", opponent.user, opponent.rating)
}

/// Builds the mail with a new board to the player on turn.
fn your_turn(world: &World, id: BoardId, now: Time) -> Option<OutgoingMail> {
    let board = world.loaded_board(id)?;
    let BoardStatus::ToMove(seat) = board.status() else { return None };
    let mail = board_mail::to_player(world, None, id, seat, SubjectTopic::Board, None, now);
    Some(OutgoingMail { delivery: Delivery::News, opt_out: Some(OptOut::Boards), ..mail })
}

/// Builds the mails about a player in reserve who took over boards.
fn replaced(
    world: &World,
    tournament: &Tournament,
    [old, new]: [&UserId; 2],
    boards: &[BoardId],
    now: Time,
) -> Vec<OutgoingMail> {
    let words = format!(
        "You play in {} in the place of {old}, who has left before the first move. {}",
        tournament.id.title(),
        state(tournament)
    );
    let mut blocks = vec![Block::sentence(words)];
    blocks.extend(tables(tournament));
    let mut mails = vec![to_player(tournament, new.clone(), blocks)];
    for id in boards {
        let Some(board) = world.loaded_board(*id) else { continue };
        let Some(seat) = board.seat(new) else { continue };
        let opponent = board.player(seat.other()).clone();
        let words = format!(
            "{new} plays {} in the place of {old}, who has left {}.",
            board_name(board),
            tournament.id.title()
        );
        mails.push(to_player(tournament, opponent, vec![Block::sentence(words)]));
        mails.extend(your_turn(world, *id, now).filter(|mail| mail.seat == Some(seat)));
    }
    mails
}
