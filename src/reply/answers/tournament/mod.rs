//! Answers about tournaments, and their mails to the players.

pub(crate) mod crosstable;
pub(crate) mod news;
mod teams;
pub(crate) mod words;

pub use news::TournamentNews;

use crate::base::ids::{TournamentId, UserId};
use crate::model::topic::Topic;
use crate::model::tournament::{Format, Stage, TitledTable, Tournament};
use crate::model::world::World;
use crate::reply::AnswerContext;
use crate::reply::letters::{Block, OutgoingMail};
use games::AnyGame;
use words::{format_words, join_command, state, terms_words};

/// An answer about tournaments.
#[derive(Debug)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum TournamentAnswer {
    /// A tournament was created.
    Created(TournamentId),
    /// A user entered a tournament, or its reserve.
    Entered { id: TournamentId, user: UserId },
    /// A user left a tournament.
    Left { id: TournamentId, user: UserId },
    /// A captain invited a player, or challenged them to lead the other team.
    Invited {
        id: TournamentId,
        /// The captain.
        by: UserId,
        player: UserId,
        /// Whether the player is to lead the other team.
        is_challenge: bool,
    },
    /// The director extended the round.
    Extended(TournamentId),
    /// The director cancelled the tournament.
    Cancelled(TournamentId),
    /// A tournament that a user asked to see.
    Shown(TournamentId),
    /// What a tournament did by itself.
    News { id: TournamentId, news: TournamentNews },
    /// The tournaments of some games.
    Listed {
        games: Vec<&'static dyn AnyGame>,
        /// The tournaments, current ones first.
        found: Vec<TournamentId>,
    },
}

impl TournamentAnswer {
    /// Returns the users who get a mail besides the sender.
    pub(crate) fn readers(&self, world: &World) -> Vec<UserId> {
        match self {
            Self::Extended(id) | Self::Cancelled(id) | Self::News { id, .. } => {
                world.loaded_tournament(*id).map(players).unwrap_or_default()
            }
            Self::Invited { player, .. } => vec![player.clone()],
            _ => Vec::new(),
        }
    }

    pub(crate) fn mails(&self, at: &AnswerContext) -> Vec<OutgoingMail> {
        let world = at.world;
        let found = |id: &TournamentId| {
            world.loaded_tournament(*id).expect("the tournament of an answer is loaded")
        };
        match self {
            Self::Created(id) => vec![answer(found(id), created(found(id)))],
            Self::Entered { id, user } => vec![answer(found(id), entered(found(id), user))],
            Self::Left { id, user } => vec![answer(found(id), left(found(id), user))],
            Self::Invited { id, by, player, is_challenge } => {
                teams::invited(world, found(id), [by, player], *is_challenge)
            }
            Self::Extended(id) => {
                let tournament = found(id);
                let until = tournament.round.map(|round| round.deadline.day());
                let until = until.map_or_else(String::new, |day| day.to_string());
                let words = format!("The round of {} now ends on {until}.", tournament.id.title());
                to_all(tournament, &[Block::sentence(words)])
            }
            Self::Cancelled(id) => {
                let tournament = found(id);
                let words = format!("{} is cancelled by its director.", tournament.id.title());
                to_all(tournament, &[Block::sentence(words)])
            }
            Self::News { id, news } => news::mails(world, found(id), news, at.now),
            Self::Shown(id) => vec![answer(found(id), shown(found(id)))],
            Self::Listed { games, found } => {
                vec![OutgoingMail::answer("Tournaments", listed(world, games, found))]
            }
        }
    }
}

/// Returns the players of a tournament who have not left, and those who have entered.
pub(crate) fn players(tournament: &Tournament) -> Vec<UserId> {
    let field = tournament.field.iter();
    let active = field.flat_map(|field| field.active().map(|one| field.entrants[one].user.clone()));
    active.chain(tournament.entries.iter().map(|entry| entry.user.clone())).collect()
}

fn answer(tournament: &Tournament, blocks: Vec<Block>) -> OutgoingMail {
    let mail = OutgoingMail::answer(tournament.id.title(), blocks);
    OutgoingMail { topic: Some(Topic::Tournament(tournament.id)), ..mail }
}

/// Builds the answer to the director, and the same for all players.
fn to_all(tournament: &Tournament, blocks: &[Block]) -> Vec<OutgoingMail> {
    let others = players(tournament).into_iter().filter(|user| *user != tournament.director);
    let mail = |user| news::to_player(tournament, user, blocks.to_vec());
    [answer(tournament, blocks.to_vec())].into_iter().chain(others.map(mail)).collect()
}

fn created(tournament: &Tournament) -> Vec<Block> {
    let TournamentId { game, number } = tournament.id;
    vec![
        Block::sentence(format!(
            "{} is open for entry. {}",
            tournament.id.title(),
            state(tournament)
        )),
        Block::sentence(terms_words(tournament)),
        how_to_enter(tournament),
        Block::send(
            "You direct it. To cancel it before it starts, or to extend a round by a week, send",
            [
                format!("{game} tournament cancel {number} <userid> <password>"),
                format!("{game} tournament extend {number} 7 <userid> <password>"),
            ],
        ),
    ]
}

/// Tells how players come into a tournament that was created.
fn how_to_enter(tournament: &Tournament) -> Block {
    let TournamentId { game, number } = tournament.id;
    if tournament.teams.is_none() {
        return Block::send("To enter it, players send the Subject", [join_command(tournament)]);
    }
    let command =
        |word: &str| format!("{game} tournament {word} {number} <player> <userid> <password>");
    Block::send(
        "You are a captain. Invite three players to your team, and challenge the captain of the other \
         team; if you challenge nobody, whoever enters first leads it:",
        [command("invite"), command("challenge")],
    )
}

fn entered(tournament: &Tournament, user: &UserId) -> Vec<Block> {
    let TournamentId { game, number } = tournament.id;
    let place = tournament.entries.iter().position(|entry| entry.user == *user);
    let first = match (tournament.stage(), place) {
        (Stage::Running, Some(at)) => format!(
            "{} has started, so you are number {} in reserve. If a player leaves before their first \
             move, you take over their boards and get them by mail.",
            tournament.id.title(),
            at + 1
        ),
        // The last player to enter may have started it.
        _ => format!("You have entered {}. {}", tournament.id.title(), state(tournament)),
    };
    let withdraw = format!("{game} tournament leave {number} {user} <password>");
    vec![
        Block::sentence(first),
        Block::sentence(terms_words(tournament)),
        Block::send("To withdraw, send the Subject", [withdraw]),
    ]
}

fn left(tournament: &Tournament, user: &UserId) -> Vec<Block> {
    let is_playing = tournament.field.as_ref().is_some_and(|field| field.find(user).is_some());
    let words = if is_playing {
        format!(
            "You have left {}. Your unfinished games in it are lost, unless a player in reserve \
             takes them over.",
            tournament.id.title()
        )
    } else {
        format!("You have withdrawn from {}.", tournament.id.title())
    };
    vec![Block::sentence(words)]
}

/// Builds what everybody may see of a tournament: its terms, its state, and its tables.
pub(crate) fn shown(tournament: &Tournament) -> Vec<Block> {
    let first = format!("{}: {}.", tournament.id.title(), format_words(tournament.terms.format));
    let mut blocks = vec![
        Block::sentence(format!("{first} {}", state(tournament))),
        Block::sentence(terms_words(tournament)),
    ];
    blocks.extend(words::season_words(tournament).map(Block::sentence));
    blocks.extend(if tournament.teams.is_some() {
        teams::entries(tournament)
    } else {
        entries(tournament)
    });
    blocks.extend(tables(tournament));
    if tournament.stage() == Stage::Open && !tournament.is_full() {
        let whom = if tournament.teams.is_some() { ", once a captain has invited you" } else { "" };
        let head = format!("To enter it{whom}, send the Subject");
        blocks.push(Block::send(head, [join_command(tournament)]));
    }
    blocks
}

/// Builds the list of those who have entered, or are in reserve.
fn entries(tournament: &Tournament) -> Option<Block> {
    if tournament.entries.is_empty() {
        return None;
    }
    let head = if tournament.field.is_some() { "In reserve:" } else { "Entered so far:" };
    let users: Vec<String> =
        tournament.entries.iter().map(|entry| entry.user.to_string()).collect();
    Some(Block::sentence(format!("{head} {}.", users.join(", "))))
}

/// Builds the crosstables of a tournament; none before its start.
pub(crate) fn tables(tournament: &Tournament) -> Vec<Block> {
    let Some(field) = &tournament.field else { return Vec::new() };
    let mut blocks = Vec::new();
    for TitledTable { title, table } in tournament.crosstables() {
        blocks.extend(title.map(Block::sentence));
        blocks.push(Block::preformatted(crosstable::lines(&table, field)));
    }
    let legend = match tournament.terms.format {
        Format::RoundRobin { .. } | Format::Cup { .. } => {
            "1 won, 0 lost, = drawn, . in progress; SB is the Sonneborn-Berger score."
        }
        Format::Teams { .. } => {
            "In each row: the place of the opponent in the other team, then 1 won, 0 lost, = drawn, . in \
             progress."
        }
        Format::KnockOut { .. } | Format::Swiss { .. } => {
            "In the column of a round: the place of the opponent, then 1 won, 0 lost, = drawn, . in \
             progress; + is a bye. SB is the Sonneborn-Berger score."
        }
    };
    let has_leavers = field.entrants.iter().any(|entrant| entrant.left);
    let note = if has_leavers { " A star marks players who have left." } else { "" };
    blocks.push(Block::sentence(format!("{legend}{note}")));
    blocks
}

fn listed(world: &World, games: &[&'static dyn AnyGame], found: &[TournamentId]) -> Vec<Block> {
    let all: Vec<&Tournament> =
        found.iter().filter_map(|id| world.loaded_tournament(*id)).collect();
    let example = games.first().map_or("<game>", |game| game.spec().name);
    let create = Block::send(
        "To open a tournament, send a Subject such as",
        [format!("{example} tournament create <userid> <password> --format=swiss")],
    );
    let help = Block::sentence("Send `help tournament` for the formats and rules.");
    if all.is_empty() {
        return vec![Block::sentence("There are no tournaments at the moment."), create, help];
    }
    let mut blocks = Vec::new();
    let sections =
        [("Open for entry:", Stage::Open), ("Running:", Stage::Running), ("Ended:", Stage::Ended)];
    for (title, stage) in sections {
        let rows: Vec<String> = all
            .iter()
            .filter(|tournament| tournament.stage() == stage)
            .flat_map(|tournament| row(tournament))
            .collect();
        if !rows.is_empty() {
            blocks.extend([Block::sentence(title), Block::preformatted(rows)]);
        }
    }
    blocks.extend([create, help]);
    blocks
}

/// Returns the lines of a tournament in a list.
fn row(tournament: &Tournament) -> Vec<String> {
    let what = format!("  {}: {}", tournament.id.title(), format_words(tournament.terms.format));
    let TournamentId { game, number } = tournament.id;
    let next = match tournament.stage() {
        Stage::Open if !tournament.is_full() => join_command(tournament),
        _ => format!("{game} tournament show {number}"),
    };
    let indent = "      ";
    vec![
        crate::base::words::lines(&what, 76, indent),
        crate::base::words::lines(&format!("{indent}{}", state(tournament)), 76, indent),
        format!("{indent}{next}"),
    ]
}
