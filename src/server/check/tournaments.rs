//! Checks tournaments: their results, from which all tables follow, against the boards; the lists of
//! their games and players against the tournaments.

use super::{HomeCheck, Versioned};
use crate::base::ids::{BoardId, UserId};
use crate::model::board::{Board, board_key};
use crate::model::document::Document as _;
use crate::model::tournament::{Stage, Tournament, TournamentList, file, tournament_list_key};
use crate::store::{DocumentKind, Fault, StoredDocument};
use games::GAMES;
use std::collections::{BTreeSet, HashMap};

/// The tournaments of a game, as they should be listed.
#[derive(Default)]
struct Numbers {
    last: u32,
    current: BTreeSet<u32>,
}

/// Compares all tournaments with their boards, and the lists with the tournaments. Damaged documents are
/// reported elsewhere.
pub(super) fn compare(home: &mut HomeCheck) -> Result<(), Fault> {
    let mut numbers: HashMap<&'static str, Numbers> = HashMap::new();
    for key in home.store.keys(DocumentKind::In(file::COLLECTION))? {
        let Some(id) = Tournament::id_of(&key) else {
            home.note_wrong(format!("{key} is named after no tournament"));
            continue;
        };
        let Ok(StoredDocument { text: Some(text), version }) = home.text(&key)? else {
            continue;
        };
        let Ok(found) = Tournament::from_text(&id, &text) else { continue };
        let listed = numbers.entry(id.game).or_default();
        listed.last = listed.last.max(id.number);
        if matches!(found.stage(), Stage::Open | Stage::Running) {
            listed.current.insert(id.number);
        }
        let should = with_results(&found, home)?;
        if should != found {
            home.note_mended(format!("the results of {id} differ from its boards"));
            home.put(key, version, should.to_text());
        }
        compare_players(&should, home);
    }
    for game in GAMES {
        let game = game.spec().name;
        compare_list(game, &numbers.remove(game).unwrap_or_default(), home)?;
    }
    Ok(())
}

/// Returns a tournament with the results of its boards.
fn with_results(found: &Tournament, home: &mut HomeCheck) -> Result<Tournament, Fault> {
    let (id, mut should) = (found.id, found.clone());
    let Some(field) = &found.field else { return Ok(should) };
    for game in &field.games {
        let board = BoardId { game: id.game, number: game.board };
        let Ok(StoredDocument { text, .. }) = home.text(&board_key(board))? else {
            continue;
        };
        let Some(text) = text else {
            home.note_wrong(format!("{id} has {board}, which is not there"));
            continue;
        };
        let Ok(board) = Board::read(&text) else { continue };
        let players = game.players.map(|entrant| &field.entrants[entrant].user);
        let is_known = |user: &&UserId| board.seat(user).is_some();
        if board.tournament != Some(id) || !players.iter().all(is_known) {
            home.note_wrong(format!(
                "{} is not the game of {id} between {} and {}",
                board.id, players[0], players[1]
            ));
        } else {
            should.record(&board);
        }
    }
    Ok(should)
}

/// Adds a tournament to the lists of its players that lack it.
fn compare_players(tournament: &Tournament, home: &mut HomeCheck) {
    let entrants = tournament.field.iter().flat_map(|field| &field.entrants);
    let players = entrants.filter(|entrant| !entrant.left).map(|entrant| &entrant.user);
    let players = players.chain(tournament.entries.iter().map(|entry| &entry.user));
    for player in players {
        let Some(user) = home.users.get_mut(player) else { continue };
        if user.should.left.is_none() && !user.should.tournaments.contains(&tournament.id) {
            user.should.add_tournament(tournament.id);
            home.report.mended.push(format!("the tournaments of {player} lack {}", tournament.id));
        }
    }
}

/// Compares the list of a game with its tournaments.
fn compare_list(game: &'static str, numbers: &Numbers, home: &mut HomeCheck) -> Result<(), Fault> {
    let key = tournament_list_key(game);
    let read = home.find(&key, |text| TournamentList::from_text(&game, text))?;
    let Some(Versioned { content, version }) = read else { return Ok(()) };
    let found = content.unwrap_or_else(|| TournamentList::new(game));
    let mut should = found.clone();
    should.renew(numbers.last, &numbers.current);
    if should != found {
        home.note_mended(format!("the list of tournaments of {game} differs from the tournaments"));
        home.put(key, version, should.to_text());
    }
    Ok(())
}
