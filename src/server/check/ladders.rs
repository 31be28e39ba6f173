//! Checks ladders: the order of places is computed anew from the journal, its results are compared with
//! the boards, and the sections with the head, with the games in progress and with the players.

use super::{HomeCheck, Versioned};
use crate::base::ids::{BoardId, UserId};
use crate::model::document::Document as _;
use crate::model::ladder::{
    JournalStep, Ladder, LadderJournal, LadderPartId, LadderSection, Rung, SECTIONS, ladder_key,
};
use crate::model::tournament::DecidedBy;
use crate::store::{DocumentKind, Fault};
use games::GAMES;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The sections of the ladders on which a user is, by game.
type Memberships = HashMap<UserId, BTreeMap<String, u32>>;

/// Compares all ladders. Damaged documents are reported elsewhere.
pub(super) fn compare(home: &mut HomeCheck) -> Result<(), Fault> {
    let mut memberships = Memberships::new();
    let mut sections: HashMap<&'static str, BTreeSet<u32>> = HashMap::new();
    for key in home.store.keys(DocumentKind::In(SECTIONS))? {
        match LadderSection::id_of(&key) {
            Some(id) => {
                sections.entry(id.game).or_default().insert(id.number);
            }
            None => home.note_wrong(format!("{key} is named after no section of a ladder")),
        }
    }
    for game in GAMES {
        let game = game.spec().name;
        let stored = sections.remove(game).unwrap_or_default();
        compare_game(game, &stored, &mut memberships, home)?;
    }
    compare_players(&memberships, home);
    Ok(())
}

fn compare_game(
    game: &'static str,
    stored: &BTreeSet<u32>,
    memberships: &mut Memberships,
    home: &mut HomeCheck,
) -> Result<(), Fault> {
    let key = ladder_key(game);
    let Some(Versioned { content, version }) =
        home.find(&key, |text| Ladder::from_text(&game, text))?
    else {
        return Ok(());
    };
    let head = content.unwrap_or_else(|| Ladder::new(game));
    let listed = head.sections.iter().map(|[number, _]| *number).collect();
    for number in stored.difference(&listed) {
        home.note_wrong(format!(
            "section {number} of the {game} ladder is not in the list of sections"
        ));
    }
    let mut should = head.clone();
    let mut rungs = Vec::new();
    let mut is_whole = true;
    for [number, players] in &mut should.sections {
        let id = LadderPartId { game, number: *number };
        let Some(Versioned { content: section, .. }) =
            home.read_as(&LadderSection::key(&id), |text| LadderSection::from_text(&id, text))?
        else {
            is_whole = false;
            continue;
        };
        *players = u32::try_from(section.rungs.len()).unwrap_or(u32::MAX);
        for rung in section.rungs {
            let of_user = memberships.entry(rung.user.clone()).or_default();
            if of_user.insert(game.to_owned(), *number).is_some() {
                home.note_wrong(format!("{} is twice on the {game} ladder", rung.user));
            }
            rungs.push(rung);
        }
    }
    if should != head {
        home.note_mended(format!("the {game} ladder counts other players than its sections have"));
        home.put(key, version, should.to_text());
    }
    compare_games(game, &rungs, home);
    if is_whole {
        compare_journal(game, &head, &rungs, home)?;
    }
    Ok(())
}

/// Compares the games in progress with the boards.
fn compare_games(game: &'static str, rungs: &[Rung], home: &mut HomeCheck) {
    let mut open: BTreeMap<u32, usize> = BTreeMap::new();
    for played in rungs.iter().flat_map(|rung| &rung.games) {
        *open.entry(played.board).or_default() += 1;
    }
    for (number, count) in &open {
        let board = BoardId { game, number: *number };
        match home.ladder_boards.get(&board) {
            None => {
                home.note_wrong(format!("the {game} ladder has {board}, which is no game of it"));
            }
            Some(Some(_)) => home.note_wrong(format!("{board} is over, but goes on in the ladder")),
            Some(None) if *count != 2 => {
                home.note_wrong(format!("{board} has {count} players on the ladder"));
            }
            Some(None) => {}
        }
    }
    let boards = home.ladder_boards.iter().filter(|(board, _)| board.game == game);
    let lost = boards.filter(|(board, end)| end.is_none() && !open.contains_key(&board.number));
    let lost: Vec<BoardId> = lost.map(|(board, _)| *board).collect();
    for board in lost {
        home.note_wrong(format!("{board} is in progress, but not on the ladder"));
    }
}

/// Computes the order of places from the journal, and compares its results with the boards.
fn compare_journal(
    game: &'static str,
    head: &Ladder,
    rungs: &[Rung],
    home: &mut HomeCheck,
) -> Result<(), Fault> {
    let users: HashMap<u32, &UserId> = rungs.iter().map(|rung| (rung.member, &rung.user)).collect();
    let (mut order, mut ended) = (Vec::new(), BTreeSet::new());
    for number in 1..=head.journal {
        let id = LadderPartId { game, number };
        let read =
            home.find(&LadderJournal::key(&id), |text| LadderJournal::from_text(&id, text))?;
        let Some(Versioned { content, .. }) = read else { return Ok(()) };
        for entry in content.into_iter().flat_map(|journal| journal.entries) {
            if entry.step.replay(&mut order).is_none() {
                home.note_wrong(format!(
                    "the journal of the {game} ladder is wrong on {}",
                    entry.at
                ));
                return Ok(());
            }
            if let JournalStep::Ended { board, .. } = entry.step {
                compare_result(BoardId { game, number: board }, entry.step, &users, home);
                if !ended.insert(board) {
                    home.note_wrong(format!(
                        "the journal of the {game} ladder has board {board} twice"
                    ));
                }
            }
        }
    }
    if order != rungs.iter().map(|rung| rung.member).collect::<Vec<_>>() {
        home.note_wrong(format!("the places of the {game} ladder differ from its journal"));
    }
    let boards = home.ladder_boards.iter().filter(|(board, _)| board.game == game);
    let lost = boards.filter(|(board, end)| end.is_some() && !ended.contains(&board.number));
    let lost: Vec<BoardId> = lost.map(|(board, _)| *board).collect();
    for board in lost {
        home.note_wrong(format!("the ladder has no result of {board}"));
    }
    Ok(())
}

/// Compares a result of the journal with its board. Who has left the ladder is not known any more.
fn compare_result(
    id: BoardId,
    step: JournalStep,
    users: &HashMap<u32, &UserId>,
    home: &mut HomeCheck,
) {
    let JournalStep::Ended { members, winner, on_time, .. } = step else { return };
    let end = home.ladder_boards.get(&id).and_then(Option::as_ref);
    let is_same = end.is_some_and(|end| {
        let players = members.iter().zip(&end.players);
        let is_named = |(member, player): (&u32, &UserId)| {
            users.get(member).is_none_or(|known| *known == player)
        };
        let is_on_time = end.by == DecidedBy::Time;
        end.winner == winner && is_on_time == on_time && players.into_iter().all(is_named)
    });
    if !is_same {
        home.note_wrong(format!("{id} ended otherwise than its ladder says"));
    }
}

/// Compares the ladders of each user with the sections.
fn compare_players(memberships: &Memberships, home: &mut HomeCheck) {
    let mut mended = Vec::new();
    for (id, user) in &mut home.users {
        let should = memberships.get(id).cloned().unwrap_or_default();
        if user.should.ladders != should {
            mended.push(format!("the ladders of {id} differ from their sections"));
            user.should.ladders = should;
        }
    }
    home.report.mended.extend(mended);
    let unknown = memberships.keys().filter(|user| !home.users.contains_key(*user));
    let unknown: Vec<String> =
        unknown.map(|user| format!("{user} is on a ladder, but cannot be read")).collect();
    home.report.wrong.extend(unknown);
}
