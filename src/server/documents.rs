//! Loads documents that commands need.

use crate::base::ids::UserId;
use crate::command::reactions::Cause;
use crate::command::{Browser, Needs, Origin};
use crate::mail::Address;
use crate::model::caches::keys_of;
use crate::model::correspondent::Correspondent;
use crate::model::document::Unwritten;
use crate::model::finished_boards::FinishedPart;
use crate::model::ladder::{LADDER_PAGE, LADDER_PAGE_STEPS, LadderStart, ladder_key};
use crate::model::moderation::{ban_keys, docket_key};
use crate::model::new_board::game_keys;
use crate::model::recent_players::{RecentPlayers, recent_players_key};
use crate::model::tournament::TournamentList;
use crate::model::welcomers::{Welcomers, welcomers_key};
use crate::model::world::event::Event;
use crate::model::world::{
    UnlistedBoard, World, board_key, counted_key, failures_key, mailbox_key, seeks_key,
    tournament_key, tournament_list_key, user_key,
};
use crate::model::{user, user_index};
use crate::server::env::Env;
use crate::store::{DocumentKind, Fault, Key, Register};
use std::collections::BTreeSet;

/// The documents in memory, as read and changed since.
#[derive(Default)]
pub(super) struct DocumentSet {
    pub(super) world: World,
    /// Whether the home has too many users to build their index here.
    is_unindexed: bool,
    /// The events that reactions have not seen yet.
    unseen: Vec<Event>,
}

impl DocumentSet {
    /// Forgets all documents; `is_unindexed` stays, since it describes the home.
    pub(super) fn forget(&mut self) {
        self.world = World::default();
        self.unseen.clear();
    }

    /// Takes the events since the last call, for reactions.
    pub(super) fn take_causes(&mut self) -> impl Iterator<Item = Cause> + use<> {
        std::mem::take(&mut self.unseen).into_iter().map(Cause::Event)
    }

    /// Loads documents that are not in memory yet, and the players of loaded boards.
    pub(super) fn gather(&mut self, keys: &[Key], env: &mut Env) -> Result<(), Fault> {
        let damaged = self.world.load(keys, env.store)?;
        env.note_damaged(damaged);
        Ok(())
    }

    /// Loads users.
    pub(super) fn gather_users(&mut self, users: &[UserId], env: &mut Env) -> Result<(), Fault> {
        let keys: Vec<Key> = users.iter().map(user_key).collect();
        self.gather(&keys, env)
    }

    /// Loads the index entries that an event changes, then applies it.
    pub(super) fn apply(&mut self, event: &Event, env: &mut Env) -> Result<(), Fault> {
        let entries = self.world.index_entries_for(event);
        self.gather(&entries, env)?;
        if let Err(Unwritten(key)) = self.world.apply(event) {
            env.note(format!("{key} is damaged, so this is not kept: {}", event.summary()));
            return Ok(());
        }
        self.unseen.push(event.clone());
        for unlisted in self.world.take_unlisted() {
            self.list_finished(unlisted, env)?;
        }
        Ok(())
    }

    /// Lists a board that has ended among the finished ones of its game.
    fn list_finished(&mut self, unlisted: UnlistedBoard, env: &mut Env) -> Result<(), Fault> {
        let id = unlisted.board;
        let latest = FinishedPart::latest(id.game);
        self.gather(&[latest.key()], env)?;
        let next = self.world.finished_part(latest).and_then(|list| list.next_page(id.game));
        self.gather(&next.map(FinishedPart::key).into_iter().collect::<Vec<_>>(), env)?;
        if let Err(Unwritten(key)) = self.world.list_finished(unlisted) {
            env.note(format!("{key} is damaged, so {id} is not listed there"));
        }
        Ok(())
    }

    /// Applies an event and logs its summary.
    pub(super) fn apply_and_log(&mut self, event: &Event, env: &mut Env) -> Result<(), Fault> {
        self.apply(event, env)?;
        env.note(event.summary());
        Ok(())
    }

    /// Loads the documents that a command from `origin` needs.
    pub(super) fn load(
        &mut self,
        needs: &Needs,
        origin: &Origin,
        env: &mut Env,
    ) -> Result<(), Fault> {
        let keys: Vec<Key> = match needs {
            Needs::All(all) => {
                return all.iter().try_for_each(|needs| self.load(needs, origin, env));
            }
            Needs::Keys(keys) => return self.gather_indexed(keys, env),
            Needs::WithSender(keys) => {
                let known = origin.browser().and_then(|browser| browser.known.as_ref());
                let known = known.map(Correspondent::known_browser_name);
                let counted = origin.counter_name().into_iter().chain(known).map(counted_key);
                keys.iter().cloned().chain(counted).collect()
            }
            Needs::Moderation => self.next_of_moderation(env)?,
            Needs::Bans(addresses) => bans_of(addresses, origin),
            Needs::UsersAt(address) => self.users_at(address, env)?,
            Needs::FromSender => self.users_of_sender(origin, env)?,
            Needs::BoardsOfSender => self.boards_of_sender(origin, env)?,
            Needs::SharedMailboxes(user) => self.shared_mailboxes(user, env)?,
            Needs::WithObservers(board, keys) => {
                self.gather(keys, env)?;
                let board = self.world.board(*board).ok();
                board.into_iter().flat_map(|board| &board.observers).map(user_key).collect()
            }
            Needs::AllBoards(games) => {
                let boards = games.iter().map(|game| self.list(DocumentKind::Boards(game), env));
                boards.collect::<Result<Vec<_>, Fault>>()?.concat()
            }
            Needs::Rated(game) => return self.load_standings(game, env),
            Needs::BoardsOfUsers(users, games) => {
                self.gather_users(users, env)?;
                let users = users.iter().filter_map(|user| self.world.any_user(user));
                let boards = users.flat_map(|user| user.active.iter().chain(&user.finished));
                boards.filter(|id| games.contains(&id.game)).map(|id| board_key(*id)).collect()
            }
            Needs::CountedPlayersOf(board) => {
                self.gather(&[board_key(*board)], env)?;
                let board = self.world.board(*board).ok();
                board.into_iter().flat_map(|board| &board.players).map(failures_key).collect()
            }
            Needs::Tournaments(games) => self.tournaments(games, env)?,
            Needs::CurrentTournamentsOf(user) => self.current_tournaments(user, env)?,
            Needs::Ladder(game, users) => self.ladder(game, users, env)?,
            Needs::LadderPage(game, start) => return self.ladder_page(game, start, env),
            Needs::ActiveBoardsOf(user) => self.active_boards(user, env)?,
            Needs::DocumentsOf(user) => self.documents_of(user, env)?,
            Needs::BoardsOfGuest => self.boards_of_guest(origin, env)?,
            Needs::NewBoards(game, count) => return self.new_boards(game, *count, env),
            Needs::OpenChallenges(games) => self.open_challenges(games, env)?,
            Needs::LatestFinished(game, count) => self.latest_finished(game, *count, env)?,
            Needs::RecentPlayers(game) => self.recent_players(game, env)?,
            Needs::Welcomers => self.welcomers(env)?,
            Needs::OpenChallenge(game, number) => self.open_challenge(game, *number, env)?,
            Needs::AllUsers(user) => {
                let users = self.list(DocumentKind::In(user::COLLECTION), env)?.into_iter();
                users.chain([user_key(user)]).collect()
            }
        };
        self.gather_indexed(&keys, env)
    }

    /// Loads what new boards of a game need, and reserves their numbers.
    fn new_boards(&mut self, game: &'static str, count: u32, env: &mut Env) -> Result<(), Fault> {
        self.gather(&game_keys(game), env)?;
        let damaged = self.world.load_new_boards(game, count, env.store)?;
        env.note_damaged(damaged);
        Ok(())
    }

    /// Lists the keys of all documents of a kind. The work then depends on that list.
    fn list(&mut self, kind: DocumentKind, env: &Env) -> Result<Vec<Key>, Fault> {
        self.world.record_list_read();
        env.store.keys(kind)
    }

    /// Loads documents. If index entries of users are among them, builds a missing index first.
    fn gather_indexed(&mut self, keys: &[Key], env: &mut Env) -> Result<(), Fault> {
        if keys.iter().any(|key| matches!(key, Key::In(user_index::COLLECTION, _))) {
            self.build_missing_index(env)?;
        }
        self.gather(keys, env)
    }

    /// Loads the standings of all users ever rated in a game.
    fn load_standings(&mut self, game: &'static str, env: &mut Env) -> Result<(), Fault> {
        let users = env.store.registered(Register::Rated(game))?;
        let damaged = self.world.load_standings(game, users, env.store)?;
        env.note_damaged(damaged);
        Ok(())
    }

    /// Returns the keys of the users at the sender's address, or of the user of a browser and
    /// everyone at the same mailboxes, and of the counts of the sender.
    fn users_of_sender(&mut self, origin: &Origin, env: &mut Env) -> Result<Vec<Key>, Fault> {
        let mut keys = match origin {
            Origin::Web(Browser { user: Some(user), .. }) => self.shared_mailboxes(user, env)?,
            _ => Vec::new(),
        };
        if let Some(sender) = origin.address() {
            keys.extend(self.users_at(sender, env)?);
        }
        keys.extend(origin.counter_name().map(counted_key));
        Ok(keys)
    }

    /// Returns the keys of the active boards of all users at the sender's address.
    fn boards_of_sender(&mut self, origin: &Origin, env: &mut Env) -> Result<Vec<Key>, Fault> {
        let Some(sender) = origin.address() else { return Ok(Vec::new()) };
        let keys = self.users_at(sender, env)?;
        self.gather(&keys, env)?;
        let users = self.world.users_at(sender);
        let boards = users.iter().flat_map(|user| &user.active);
        Ok(boards.map(|id| board_key(*id)).collect())
    }

    /// Returns the keys of all users who share a mailbox with `user`, and of the counts of these mailboxes.
    fn shared_mailboxes(&mut self, user: &UserId, env: &mut Env) -> Result<Vec<Key>, Fault> {
        self.gather(&[user_key(user)], env)?;
        let user = self.world.user(user);
        let addresses = user.map_or_else(Vec::new, |user| user.addresses.clone());
        let mut keys: Vec<Key> = addresses.iter().map(mailbox_key).collect();
        for address in &addresses {
            keys.extend(self.users_at(address, env)?);
        }
        Ok(keys)
    }

    /// Returns the keys of a user's active boards.
    fn active_boards(&mut self, user: &UserId, env: &mut Env) -> Result<Vec<Key>, Fault> {
        self.gather(&[user_key(user)], env)?;
        let user = self.world.user(user);
        Ok(user.into_iter().flat_map(|user| &user.active).map(|id| board_key(*id)).collect())
    }

    /// Loads a user and returns the keys of all documents with their data.
    fn documents_of(&mut self, user: &UserId, env: &mut Env) -> Result<Vec<Key>, Fault> {
        self.gather(&[user_key(user)], env)?;
        Ok(self.world.any_user(user).map_or_else(Vec::new, keys_of))
    }

    /// Returns the keys of all boards of the guest who plays in the sender's browser.
    fn boards_of_guest(&mut self, origin: &Origin, env: &mut Env) -> Result<Vec<Key>, Fault> {
        let user = origin.browser().and_then(|browser| browser.user.as_ref());
        let Some(user) = user else { return Ok(Vec::new()) };
        self.gather(&[user_key(user)], env)?;
        let guest = self.world.user(user).filter(|user| user.guest);
        let boards = guest.into_iter().flat_map(|user| user.active.iter().chain(&user.finished));
        Ok(boards.map(|id| board_key(*id)).collect())
    }

    /// Returns the keys of the tournaments of a user that are open or running.
    fn current_tournaments(&mut self, user: &UserId, env: &mut Env) -> Result<Vec<Key>, Fault> {
        self.gather_users(std::slice::from_ref(user), env)?;
        let user = self.world.any_user(user);
        let mut found = user.map_or_else(Vec::new, |user| user.tournaments.clone());
        let games: BTreeSet<&'static str> = found.iter().map(|id| id.game).collect();
        let lists: Vec<Key> = games.into_iter().map(tournament_list_key).collect();
        self.gather(&lists, env)?;
        found.retain(|id| {
            let list = self.world.tournament_list(id.game);
            list.is_ok_and(|list| list.current.contains(&id.number))
        });
        Ok(found.into_iter().map(tournament_key).collect())
    }

    /// Loads the list of a game's latest players, and returns the keys of these players.
    fn recent_players(&mut self, game: &'static str, env: &mut Env) -> Result<Vec<Key>, Fault> {
        self.gather(&[recent_players_key(game)], env)?;
        let recent = self.world.recent_players(game).into_iter().flat_map(RecentPlayers::latest);
        Ok(recent.map(|player| user_key(&player.user)).collect())
    }

    /// Loads the list of players who welcome newcomers, and returns the keys of these players and of the
    /// newcomers of whom they are still to be told.
    fn welcomers(&mut self, env: &mut Env) -> Result<Vec<Key>, Fault> {
        self.gather(&[welcomers_key()], env)?;
        let players = self.world.welcomers().map_or(&[][..], Welcomers::players);
        let newcomers = players.iter().filter_map(|player| player.waiting.as_ref());
        let newcomers = newcomers.map(|waiting| &waiting.newcomer);
        Ok(players.iter().map(|player| &player.user).chain(newcomers).map(user_key).collect())
    }

    /// Loads the list of the boards of a game that ended last, and returns their keys.
    fn latest_finished(
        &mut self,
        game: &'static str,
        count: usize,
        env: &mut Env,
    ) -> Result<Vec<Key>, Fault> {
        while self.world.finished(game).count() < count
            && let Some(part) = self.world.next_finished_part(game)
        {
            self.gather(&[part.key()], env)?;
        }
        let listed = self.world.finished(game).take(count);
        Ok(listed.map(|ended| board_key(ended.id(game))).collect())
    }

    /// Loads the docket, and returns the keys of what the next report and acts need.
    fn next_of_moderation(&mut self, env: &mut Env) -> Result<Vec<Key>, Fault> {
        self.gather(&[docket_key()], env)?;
        Ok(self.world.next_moderation_keys())
    }

    /// Returns the keys of the tournaments that are shown of these games.
    fn tournaments(&mut self, games: &[&'static str], env: &mut Env) -> Result<Vec<Key>, Fault> {
        let lists: Vec<Key> = games.iter().map(|game| tournament_list_key(game)).collect();
        self.gather(&lists, env)?;
        let lists = games.iter().filter_map(|game| self.world.tournament_list(game).ok());
        Ok(lists.flat_map(TournamentList::shown).map(tournament_key).collect())
    }

    /// Loads the sections of these users on a ladder, and with those who leave their boards. Returns the
    /// keys of all that their events may change.
    fn ladder(
        &mut self,
        game: &'static str,
        users: &[UserId],
        env: &mut Env,
    ) -> Result<Vec<Key>, Fault> {
        self.gather_users(users, env)?;
        self.gather(&[ladder_key(game)], env)?;
        let Some(ladder) = self.world.loaded_ladder(game) else { return Ok(Vec::new()) };
        let keys = ladder.own_sections(users);
        self.gather(&keys, env)?;
        let ladder = self.world.loaded_ladder(game);
        let boards = ladder.map(|ladder| ladder.boards_of_leavers(users)).unwrap_or_default();
        self.gather(&boards.iter().map(|id| board_key(*id)).collect::<Vec<_>>(), env)?;
        let boards = boards.iter().filter_map(|id| self.world.loaded_board(*id));
        let opponents = boards.flat_map(|board| board.players.iter().cloned());
        let users: Vec<UserId> = users.iter().cloned().chain(opponents).collect();
        let Some(ladder) = self.world.loaded_ladder(game) else { return Ok(Vec::new()) };
        let keys = ladder.own_sections(&users);
        self.gather(&keys, env)?;
        let Some(ladder) = self.world.loaded_ladder(game) else { return Ok(Vec::new()) };
        let journals = ladder.journal_keys();
        Ok(ladder.changed_sections(&users).into_iter().chain(journals).collect())
    }

    /// Loads a page of a ladder.
    fn ladder_page(
        &mut self,
        game: &'static str,
        start: &LadderStart,
        env: &mut Env,
    ) -> Result<(), Fault> {
        let player: Vec<UserId> = start.player().into_iter().cloned().collect();
        self.gather_users(&player, env)?;
        self.gather(&[ladder_key(game)], env)?;
        for _ in 0..LADDER_PAGE_STEPS {
            let Some(ladder) = self.world.loaded_ladder(game) else { return Ok(()) };
            let keys = ladder.page_keys(start, LADDER_PAGE);
            self.gather(&keys, env)?;
        }
        Ok(())
    }

    /// Loads the open challenges of these games, and returns the keys of the users who made them.
    fn open_challenges(
        &mut self,
        games: &[&'static str],
        env: &mut Env,
    ) -> Result<Vec<Key>, Fault> {
        let seeks: Vec<Key> = games.iter().map(|game| seeks_key(game)).collect();
        self.gather(&seeks, env)?;
        let seeks = games.iter().filter_map(|game| self.world.seeks(game).ok());
        Ok(seeks.flat_map(|seeks| &seeks.seeks).map(|seek| user_key(&seek.user)).collect())
    }

    /// Loads the open challenges of a game, and returns the keys of the user who made challenge `number`
    /// and of their counts.
    fn open_challenge(
        &mut self,
        game: &'static str,
        number: u32,
        env: &mut Env,
    ) -> Result<Vec<Key>, Fault> {
        self.gather(&[seeks_key(game)], env)?;
        let seeks = self.world.seeks(game).ok();
        let seek = seeks.and_then(|seeks| seeks.get(number));
        let keys = seek.map(|seek| [user_key(&seek.user), failures_key(&seek.user)]);
        Ok(keys.into_iter().flatten().collect())
    }

    /// Returns the keys of all users at a mailbox, and loads the index entry that names them.
    fn users_at(&mut self, address: &Address, env: &mut Env) -> Result<Vec<Key>, Fault> {
        self.build_missing_index(env)?;
        let entry = user_index::mailbox_entry(address);
        self.gather(std::slice::from_ref(&entry), env)?;
        Ok(self.world.indexed_users(&entry).iter().map(user_key).collect())
    }

    /// Builds the index of users if an older version made this home. In a large home that would
    /// take too long here; `check --repair` does it there.
    fn build_missing_index(&mut self, env: &mut Env) -> Result<(), Fault> {
        self.gather(&[user_index::complete_mark()], env)?;
        if self.world.is_indexed() || self.is_unindexed {
            return Ok(());
        }
        let users = self.list(DocumentKind::In(user::COLLECTION), env)?;
        if users.len() > user_index::MOST_AUTO_INDEXED {
            self.is_unindexed = true;
            env.note(
                "the index of users is missing, so addresses lead to no user: run `postboard check \
                 --repair`",
            );
            return Ok(());
        }
        self.gather(&users, env)?;
        let index = self.world.whole_index();
        let keys: Vec<Key> = index.keys().cloned().collect();
        self.gather(&keys, env)?;
        self.world.replace_index_entries(index);
        Ok(())
    }
}

/// Returns the keys of the bans that could cover these addresses, or the address or the network of a
/// sender.
fn bans_of(addresses: &[Address], origin: &Origin) -> Vec<Key> {
    let network = origin.browser().map(|browser| browser.network);
    ban_keys(addresses.iter().chain(origin.address()), network)
}
