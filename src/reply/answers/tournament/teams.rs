//! Answers and mails about the teams of a team match.

use super::answer;
use super::news::about;
use super::words::{state, terms_words};
use crate::base::ids::UserId;
use crate::model::tournament::{Stage, Team, Tournament};
use crate::model::world::World;
use crate::reply::letters::{Block, OutgoingMail};

/// Builds the answer to a captain, and the mail to the player whom they have invited. Who has muted the
/// captain gets none.
pub(super) fn invited(
    world: &World,
    tournament: &Tournament,
    [by, player]: [&UserId; 2],
    is_challenge: bool,
) -> Vec<OutgoingMail> {
    let title = tournament.id.title();
    let (told, asked) = if is_challenge {
        (
            format!("You have challenged {player} to lead the other team of {title}."),
            format!("{by} challenges you and a team of yours to {title}."),
        )
    } else {
        (
            format!("You have invited {player} to your team in {title}."),
            format!("{by} invites you to their team in {title}."),
        )
    };
    let blocks = vec![
        Block::sentence(format!("{told} A mail tells them how to join.")),
        Block::sentence(state(tournament)),
    ];
    let mut join = "To join, reply `join` on the first line; to see the match, `show`.".to_owned();
    if is_challenge {
        join.push_str(" Then invite three players: reply `invite` and a userid.");
    }
    let asked = vec![
        Block::sentence(format!("{asked} {}", state(tournament))),
        Block::sentence(terms_words(tournament)),
    ];
    let mail = about(tournament, player.clone(), asked, &join);
    let mails = [answer(tournament, blocks)].into_iter();
    mails.chain((!world.is_muted(player, by)).then_some(mail)).collect()
}

/// Lists the players of both teams; once they play, those in reserve.
pub(super) fn entries(tournament: &Tournament) -> Option<Block> {
    let teams = tournament.teams.as_ref()?;
    let lines: Vec<String> = teams.sides.iter().filter_map(|team| line(tournament, team)).collect();
    (!lines.is_empty()).then(|| Block::sentence(lines.join(" ")))
}

/// Names the players of a team, and those who are invited.
fn line(tournament: &Tournament, team: &Team) -> Option<String> {
    let users = team.members.iter().filter(|user| tournament.is_entered(user));
    let users: Vec<&str> = users.map(UserId::as_str).collect();
    let invited: Vec<&str> = team.invited.iter().map(UserId::as_str).collect();
    let is_open = tournament.stage() == Stage::Open;
    let mut parts = Vec::new();
    if is_open && !users.is_empty() {
        parts.push(format!("Team {}: {}.", team.captain.as_ref()?, users.join(", ")));
    } else if !users.is_empty() {
        parts.push(format!("In reserve of {}: {}.", team.name(), users.join(", ")));
    }
    if !invited.is_empty() && tournament.ended.is_none() {
        let to = team.captain.as_ref().map(|_| format!("Invited to {}", team.name()));
        let to = to.unwrap_or_else(|| "Challenged to lead the other team".into());
        parts.push(format!("{to}: {}.", invited.join(", ")));
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}
