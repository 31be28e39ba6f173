//! Sentences about tournaments.

use crate::base::ids::TournamentId;
use crate::base::words::Plural;
use crate::model::tournament::crosstable::points;
use crate::model::tournament::{Adjudication, Format, Stage, Team, Tournament, tables};

pub(crate) fn format_words(format: Format) -> String {
    match format {
        Format::RoundRobin { division } => {
            format!("round robin in divisions of at most {division}")
        }
        Format::Cup { group } => format!("cup in groups of at most {group}"),
        Format::KnockOut { lives: 1 } => "single elimination".into(),
        Format::KnockOut { .. } => "double elimination".into(),
        Format::Teams { games: 1 } => "team match, four against four".into(),
        Format::Teams { .. } => "team match, four against four, two games each".into(),
        Format::Swiss { rounds } => format!("Swiss, {}", Plural(rounds as usize, "round")),
    }
}

/// Returns the state of a tournament in a sentence or two.
pub(crate) fn state(tournament: &Tournament) -> String {
    let terms = &tournament.terms;
    match tournament.stage() {
        Stage::Open => {
            let entered = entered_words(tournament);
            if let Some(before) = tournament.waits_for {
                return format!("{entered} It starts after tournament {before} has ended.");
            }
            let day = tournament.starts.day();
            if tournament.teams.is_some() {
                return format!("{entered} It starts when both teams have four players.");
            }
            format!("{entered} It starts on {day} with at least {}.", terms.least)
        }
        Stage::Running => {
            let number = tournament.round_number();
            let open = tournament.unfinished().count();
            let until = tournament.round.map(|round| round.deadline.day());
            let until = until.map_or_else(String::new, |day| format!(" until {day}"));
            let games = Plural(open, "game");
            match score(tournament) {
                Some(score) => format!("Score: {score}, {games} in progress{until}."),
                None => format!("Round {number}{until}, {games} in progress."),
            }
        }
        Stage::Ended => {
            let day = tournament.ended.map(|at| at.day().to_string()).unwrap_or_default();
            if let Some(score) = score(tournament) {
                return format!("Ended on {day}: {score}.");
            }
            match winner(tournament) {
                Some(winner) => format!("Ended on {day}, won by {winner}."),
                None => format!("Ended on {day}."),
            }
        }
        Stage::Cancelled => "Cancelled before its start.".into(),
    }
}

/// Returns the score of a team match that has started: `team alice 1.5, team bob 0.5`.
fn score(tournament: &Tournament) -> Option<String> {
    let (teams, field) = (tournament.teams.as_ref()?, tournament.field.as_ref()?);
    let points = teams.half_points(field).map(points);
    let [first, second] = teams.sides.each_ref().map(Team::name);
    Some(format!("{first} {}, {second} {}", points[0], points[1]))
}

/// Returns how many players have entered.
fn entered_words(tournament: &Tournament) -> String {
    let terms = &tournament.terms;
    let players = Plural(tournament.entries.len(), "player");
    if terms.is_recurring {
        return format!("{players} so far.");
    }
    format!("{players} of {} so far.", terms.most)
}

/// Returns the userid of the winner of a tournament; of the first division in a round robin.
fn winner(tournament: &Tournament) -> Option<String> {
    let field = tournament.field.as_ref()?;
    let ranking = tables::ranking(tournament.terms.format, field);
    ranking.first().map(|first| field.entrants[*first].user.to_string())
}

/// Returns the terms of a tournament in sentences.
pub(crate) fn terms_words(tournament: &Tournament) -> String {
    let terms = &tournament.terms;
    let mut parts = Vec::new();
    let options: Vec<String> = terms.agreed.words().collect();
    if !options.is_empty() {
        parts.push(format!("Games with {}.", options.join(" ")));
    }
    match (terms.bounds.min, terms.bounds.max) {
        (Some(min), Some(max)) => parts.push(format!("For players rated {min} to {max}.")),
        (Some(min), None) => parts.push(format!("For players rated {min} or more.")),
        (None, Some(max)) => parts.push(format!("For players rated {max} or less.")),
        (None, None) => {}
    }
    let decided = match terms.adjudication {
        Adjudication::Program => "won by the player whom the program prefers",
        Adjudication::Pips => "won by the player with the lower pip count",
        Adjudication::Draw => "drawn",
    };
    parts.push(format!(
        "A round lasts {}; games that are unfinished then are {decided}.",
        Plural(terms.round_days as usize, "day")
    ));
    parts.push(format!("Director: {}.", tournament.director));
    parts.join(" ")
}

/// Returns the next season in a sentence.
pub(crate) fn season_words(tournament: &Tournament) -> Option<String> {
    let next = tournament.next?;
    let game = tournament.id.game;
    Some(format!(
        "The next season is tournament {next}; players stay entered until they leave it: `{game} \
         tournament leave {next} <userid> <password>`."
    ))
}

/// Returns the command that enters a tournament.
pub(crate) fn join_command(tournament: &Tournament) -> String {
    let TournamentId { game, number } = tournament.id;
    format!("{game} tournament join {number} <userid> <password>")
}
