//! The documents of tournaments: one for each, and a list for each game.

use super::field::Field;
use super::format::Format;
use super::record::{Entry, Round, Stage, Tournament};
use super::teams::Teams;
use super::terms::{Adjudication, TournamentTerms};
use crate::base::ids::{TournamentId, UserId};
use crate::base::key::{Collection, Place};
use crate::base::time::Time;
use crate::model::board::Agreement;
use crate::model::clock::BoardTerms;
use crate::model::document::{
    Damage, Document, DocumentFormat, Removal, names_no_users, pretty_json, rename_in,
};
use crate::model::export::{DataSubject, Export};
use crate::model::seeks::RatingRange;
use crate::model::user::User;
use crate::store::Key;
use games::Choices;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeSet, HashSet};

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// The collection of tournaments, named by game and number.
pub const COLLECTION: Collection = Collection::new("tournaments");

/// The file of a game's list.
const LIST: &str = "tournaments.json";

/// The terms as the document has them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredTerms {
    format: Format,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    options: Vec<String>,
    #[serde(default)]
    clock: BoardTerms,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max: Option<u32>,
    least: usize,
    most: usize,
    round_days: u32,
    adjudication: Adjudication,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    recurring: bool,
}

/// The whole document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredTournament {
    format: DocumentFormat<FORMAT>,
    tournament: TournamentId,
    director: UserId,
    created: Time,
    starts: Time,
    #[serde(default)]
    postponed: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    waits_for: Option<u32>,
    terms: StoredTerms,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    teams: Option<Teams>,
    entries: Vec<Entry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    field: Option<Field>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    round: Option<Round>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ended: Option<Time>,
}

impl StoredTerms {
    fn read(self, id: TournamentId) -> Result<TournamentTerms, Damage> {
        let spec = games::find(id.game).expect("a TournamentId names a game").spec();
        let words = self.options.iter().map(String::as_str);
        let options =
            Choices::parse(spec.options, spec.exclusive, words).map_err(Damage::invalid)?;
        Ok(TournamentTerms {
            format: self.format,
            agreed: Agreement { options, private: false, terms: self.clock },
            bounds: RatingRange { min: self.min, max: self.max },
            least: self.least,
            most: self.most,
            round_days: self.round_days,
            adjudication: self.adjudication,
            is_recurring: self.recurring,
        })
    }
}

impl From<&TournamentTerms> for StoredTerms {
    fn from(terms: &TournamentTerms) -> Self {
        Self {
            format: terms.format,
            options: terms.agreed.options.words().collect(),
            clock: terms.agreed.terms,
            min: terms.bounds.min,
            max: terms.bounds.max,
            least: terms.least,
            most: terms.most,
            round_days: terms.round_days,
            adjudication: terms.adjudication,
            recurring: terms.is_recurring,
        }
    }
}

/// Checks that a field names its own entrants, and nobody and no board twice.
fn check_field(field: &Field) -> Result<(), Damage> {
    let known = 0..field.entrants.len();
    let players = field.games.iter().flat_map(|game| game.players);
    let named = players.chain(field.byes.iter().map(|bye| bye.entrant));
    if named.into_iter().any(|entrant| !known.contains(&entrant)) {
        return Err(Damage::invalid("a game has a player who did not enter"));
    }
    if field.games.iter().any(|game| game.players[0] == game.players[1]) {
        return Err(Damage::invalid("a game has the same player twice"));
    }
    let mut boards = HashSet::new();
    if let Some(game) = field.games.iter().find(|game| !boards.insert(game.board)) {
        return Err(Damage::invalid(format!("it has board {} twice", game.board)));
    }
    let mut users = HashSet::new();
    if let Some(twice) = field.entrants.iter().find(|entrant| !users.insert(&entrant.user)) {
        return Err(Damage::invalid(format!("it names {} twice", twice.user)));
    }
    Ok(())
}

/// Returns the key of a tournament.
pub fn tournament_key(id: TournamentId) -> Key {
    COLLECTION.numbered(id.game, id.number)
}

impl Document for Tournament {
    type Id = TournamentId;

    const KIND: &'static str = "tournaments";
    const PLACE: Place = Place::In(COLLECTION);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(id: &TournamentId) -> Key {
        tournament_key(*id)
    }

    fn id_of(key: &Key) -> Option<TournamentId> {
        COLLECTION.game_and_number(key).map(|(game, number)| TournamentId { game, number })
    }

    fn from_text(id: &TournamentId, text: &str) -> Result<Self, Damage> {
        let file: StoredTournament = serde_json::from_str(text).map_err(Damage::from_json)?;
        file.format.check()?;
        file.field.iter().try_for_each(check_field)?;
        file.teams.iter().try_for_each(Teams::check)?;
        if file.teams.is_some() != matches!(file.terms.format, Format::Teams { .. }) {
            return Err(Damage::invalid("only a team match has teams"));
        }
        let mut users = HashSet::new();
        if let Some(twice) = file.entries.iter().find(|entry| !users.insert(&entry.user)) {
            return Err(Damage::invalid(format!("it names {} twice", twice.user)));
        }
        let found = Self {
            id: file.tournament,
            director: file.director,
            terms: file.terms.read(file.tournament)?,
            created: file.created,
            starts: file.starts,
            postponed: file.postponed,
            waits_for: file.waits_for,
            teams: file.teams,
            entries: file.entries,
            field: file.field,
            round: file.round,
            next: file.next,
            ended: file.ended,
        };
        if found.id == *id { Ok(found) } else { Err(Damage::OtherDocument(found.id.to_string())) }
    }

    fn to_text(&self) -> String {
        let file = StoredTournament {
            format: DocumentFormat::default(),
            tournament: self.id,
            director: self.director.clone(),
            created: self.created,
            starts: self.starts,
            postponed: self.postponed,
            waits_for: self.waits_for,
            terms: StoredTerms::from(&self.terms),
            teams: self.teams.clone(),
            entries: self.entries.clone(),
            field: self.field.clone(),
            round: self.round,
            next: self.next,
            ended: self.ended,
        };
        pretty_json(&file)
    }

    fn keys_of(user: &User) -> Vec<Key> {
        user.tournaments.iter().map(|id| tournament_key(*id)).collect()
    }

    fn rename(&mut self, _: &TournamentId, old: &UserId, new: &UserId) -> bool {
        let entries = self.entries.iter_mut().map(|entry| &mut entry.user);
        let entrants = self.field.iter_mut().flat_map(|field| &mut field.entrants);
        let players = entries.chain(entrants.map(|entrant| &mut entrant.user));
        let is_named = rename_in(players.chain([&mut self.director]), old, new);
        self.teams.as_mut().is_some_and(|teams| teams.rename(old, new)) || is_named
    }

    fn wakeup(&self) -> Option<Time> {
        self.next_wakeup()
    }

    /// The table keeps the userids of those who played, like their boards.
    fn remove_user(&mut self, _: &TournamentId, subject: &DataSubject, _: Removal) -> bool {
        let user = &subject.user.id;
        let is_invited = self.teams.as_ref().is_some_and(|teams| teams.names(user));
        let is_named = self.has(user) || is_invited;
        self.leave(user);
        is_named
    }

    fn export(&self, id: &TournamentId, subject: &DataSubject, export: &mut Export) {
        let user = &subject.user.id;
        let entry = self.entries.iter().find(|entry| entry.user == *user);
        let entrant =
            self.field.as_ref().and_then(|field| Some(&field.entrants[field.find(user)?]));
        if entry.is_some() || entrant.is_some() || self.director == *user {
            let is_director = self.director == *user;
            export.add_item(
                "tournaments",
                json!({
                    "tournament": id, "director": is_director, "entry": entry, "entrant": entrant,
                }),
            );
        }
    }
}

/// The tournaments of a game that are open or running, and the last ones that ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentList {
    format: DocumentFormat<FORMAT>,
    game: String,
    /// The number of the latest tournament.
    last: u32,
    /// The open and running tournaments, oldest first.
    pub current: Vec<u32>,
    /// The tournaments that ended last, latest first.
    pub ended: Vec<u32>,
}

impl TournamentList {
    /// The most tournaments of a game that are open or running.
    pub const MOST_CURRENT: usize = 200;
    /// The number of current tournaments that lists show.
    const SHOWN: usize = 50;
    /// The number of ended tournaments that lists show.
    const SHOWN_ENDED: usize = 5;
    /// The number of ended tournaments that are remembered here.
    const MOST_ENDED: usize = 50;

    /// Builds the list of a game without tournaments.
    pub fn new(game: &str) -> Self {
        let (format, game) = (DocumentFormat::default(), game.to_owned());
        Self { format, game, last: 0, current: Vec::new(), ended: Vec::new() }
    }

    /// Returns the number of the next tournament.
    pub fn next_number(&self) -> u32 {
        self.last.saturating_add(1)
    }

    /// Returns the tournaments that lists show: the current ones, latest first, then the last ones
    /// that ended.
    pub fn shown(&self) -> Vec<TournamentId> {
        let Some(game) = games::find(&self.game) else { return Vec::new() };
        let id = |number: &u32| TournamentId { game: game.spec().name, number: *number };
        let current = self.current.iter().rev().take(Self::SHOWN);
        current.chain(self.ended.iter().take(Self::SHOWN_ENDED)).map(id).collect()
    }

    /// Lists the open and running tournaments anew, and counts at least to `last`.
    pub fn renew(&mut self, last: u32, current: &BTreeSet<u32>) {
        self.last = self.last.max(last);
        self.current = current.iter().copied().collect();
        self.ended.retain(|ended| !current.contains(ended));
    }

    /// Files a tournament that is new or has changed.
    pub fn file(&mut self, tournament: &Tournament) {
        let number = tournament.id.number;
        self.last = self.last.max(number);
        match tournament.stage() {
            Stage::Open | Stage::Running if !self.current.contains(&number) => {
                self.current.push(number);
            }
            Stage::Ended | Stage::Cancelled if !self.ended.contains(&number) => {
                self.current.retain(|current| *current != number);
                if tournament.stage() == Stage::Ended {
                    self.ended.insert(0, number);
                    self.ended.truncate(Self::MOST_ENDED);
                }
            }
            _ => {}
        }
    }
}

/// Returns the key of a game's list of tournaments.
pub const fn tournament_list_key(game: &'static str) -> Key {
    Key::OfGame(game, LIST)
}

impl Document for TournamentList {
    type Id = &'static str;

    const KIND: &'static str = "tournament-lists";
    const PLACE: Place = Place::OfGame(LIST);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(game: &&'static str) -> Key {
        tournament_list_key(game)
    }

    fn id_of(key: &Key) -> Option<&'static str> {
        match key {
            Key::OfGame(game, LIST) => Some(game),
            _ => None,
        }
    }

    fn from_text(game: &&'static str, text: &str) -> Result<Self, Damage> {
        let list: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        list.format.check()?;
        let of = |other: &str| Damage::invalid(format!("it belongs to {other}"));
        if list.game == **game { Ok(list) } else { Err(of(&list.game)) }
    }

    fn to_text(&self) -> String {
        pretty_json(self)
    }

    names_no_users!();

    fn absent(game: &&'static str) -> Option<Self> {
        Some(Self::new(game))
    }
}
