//! The directory: what everybody may know of all users, in memory, in the orders in which lists show
//! them. Reading a part of a list takes the same time however many users there are.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::model::rating::{RatingList, Standing};
use crate::model::user::PublicUser;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The orders of a game's standings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandingsSort {
    /// The highest rating first.
    Rating,
    /// By userid.
    Name,
    /// The most rated games won first.
    Won,
    /// The most rated games first.
    Games,
}

impl StandingsSort {
    /// All orders.
    pub const ALL: [Self; 4] = [Self::Rating, Self::Name, Self::Won, Self::Games];

    /// Returns the number by which a standing is sorted, ascending. Equal numbers are sorted by userid.
    fn key(self, standing: &Standing) -> i64 {
        match self {
            Self::Rating => -i64::from(standing.points()),
            Self::Name => 0,
            Self::Won => -i64::from(standing.won),
            Self::Games => -i64::from(standing.games()),
        }
    }
}

/// The orders of all users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserSort {
    /// By userid.
    Name,
    /// The newest user first.
    Joined,
}

impl UserSort {
    /// All orders.
    pub const ALL: [Self; 2] = [Self::Name, Self::Joined];

    fn key(self, user: &PublicUser) -> i64 {
        match self {
            Self::Name => 0,
            Self::Joined => -user.joined.unix(),
        }
    }
}

/// A user of the directory.
#[derive(Debug)]
struct ListedUser {
    /// The userid in lower case, by which users of equal keys are sorted.
    folded: String,
    user: PublicUser,
}

/// A user in a sorted list.
#[derive(Debug)]
struct Entry {
    key: i64,
    listed: Arc<ListedUser>,
}

/// Users sorted by key and userid.
#[derive(Debug, Default)]
struct SortedUsers(Vec<Entry>);

impl SortedUsers {
    /// Returns the index of a user, or the index at which they would be inserted.
    fn index(&self, key: i64, folded: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|entry| (entry.key, &*entry.listed.folded).cmp(&(key, folded)))
    }

    fn insert(&mut self, key: i64, listed: &Arc<ListedUser>) {
        if let Err(at) = self.index(key, &listed.folded) {
            self.0.insert(at, Entry { key, listed: Arc::clone(listed) });
        }
    }

    fn remove(&mut self, key: i64, folded: &str) {
        if let Ok(at) = self.index(key, folded) {
            self.0.remove(at);
        }
    }

    fn sort(&mut self) {
        self.0.sort_unstable_by(|one, other| {
            (one.key, &one.listed.folded).cmp(&(other.key, &other.listed.folded))
        });
    }
}

/// A rated list of a game in each order of [`StandingsSort::ALL`].
type RatedUsers = [SortedUsers; StandingsSort::ALL.len()];

/// All users who have not left and have shown that they read their mail.
#[derive(Debug, Default)]
pub struct Directory {
    users: HashMap<String, Arc<ListedUser>>,
    /// All users in each order of [`UserSort::ALL`].
    sorted: [SortedUsers; UserSort::ALL.len()],
    /// The rated users of each game, by [`RatingList`].
    rated: BTreeMap<&'static str, [RatedUsers; RatingList::ALL.len()]>,
    /// When users become inactive in a game, the earliest first, with the folded userids.
    inactive_from: BTreeSet<(Time, &'static str, String)>,
    /// The time for which the lists are right.
    now: Time,
}

impl Directory {
    /// Builds the directory of these users.
    pub fn new(users: impl IntoIterator<Item = PublicUser>, now: Time) -> Self {
        let mut directory = Self { now, ..Self::default() };
        for user in users {
            let folded = user.id.folded();
            let listed = Arc::new(ListedUser { folded: folded.clone(), user });
            directory.each_list(&listed, |list, key| {
                list.0.push(Entry { key, listed: Arc::clone(&listed) });
            });
            directory.watch_activity(&listed);
            directory.users.insert(folded, listed);
        }
        directory.sorted.iter_mut().for_each(SortedUsers::sort);
        let rated = directory.rated.values_mut().flatten().flatten();
        rated.for_each(SortedUsers::sort);
        directory
    }

    /// Calls `change` with each list that a user belongs to, and the user's key there.
    fn each_list(&mut self, listed: &ListedUser, mut change: impl FnMut(&mut SortedUsers, i64)) {
        for (list, sort) in self.sorted.iter_mut().zip(UserSort::ALL) {
            change(list, sort.key(&listed.user));
        }
        for (game, standing) in &listed.user.ratings {
            let lists = self.rated.entry(*game).or_default();
            let lists = &mut lists[standing.list(self.now) as usize];
            for (list, sort) in lists.iter_mut().zip(StandingsSort::ALL) {
                change(list, sort.key(standing));
            }
        }
    }

    /// Notes when a user becomes inactive in their games.
    fn watch_activity(&mut self, listed: &ListedUser) {
        for (game, standing) in &listed.user.ratings {
            if standing.list(self.now) != RatingList::Inactive {
                let due = (standing.inactive_from(), *game, listed.folded.clone());
                self.inactive_from.insert(due);
            }
        }
    }

    /// Moves the users who have become inactive until `now` to their lists.
    pub fn advance(&mut self, now: Time) {
        while self.inactive_from.first().is_some_and(|(due, ..)| *due <= now) {
            let Some((due, _, folded)) = self.inactive_from.pop_first() else { break };
            let Some(listed) = self.remove(&folded) else { continue };
            self.now = self.now.max(due);
            self.insert(listed);
        }
        self.now = self.now.max(now);
    }

    /// Replaces what is known of a user, by folded userid. Without `user` they are no longer listed.
    pub fn update(&mut self, folded: &str, user: Option<PublicUser>) {
        self.remove(folded);
        if let Some(user) = user {
            self.insert(Arc::new(ListedUser { folded: user.id.folded(), user }));
        }
    }

    fn insert(&mut self, listed: Arc<ListedUser>) {
        self.each_list(&listed, |list, key| list.insert(key, &listed));
        self.watch_activity(&listed);
        self.users.insert(listed.folded.clone(), listed);
    }

    fn remove(&mut self, folded: &str) -> Option<Arc<ListedUser>> {
        let listed = self.users.remove(folded)?;
        for (list, sort) in self.sorted.iter_mut().zip(UserSort::ALL) {
            list.remove(sort.key(&listed.user), folded);
        }
        for (game, standing) in &listed.user.ratings {
            self.inactive_from.remove(&(standing.inactive_from(), *game, folded.to_owned()));
            // The list in which the user is may no longer be that of their standing.
            for lists in self.rated.get_mut(game).into_iter().flatten() {
                for (list, sort) in lists.iter_mut().zip(StandingsSort::ALL) {
                    list.remove(sort.key(standing), folded);
                }
            }
        }
        Some(listed)
    }

    /// Returns what everybody may know of a user.
    pub fn user(&self, id: &UserId) -> Option<&PublicUser> {
        self.users.get(&id.folded()).map(|listed| &listed.user)
    }

    /// Returns a list of a game's standings.
    pub fn standings(&self, game: &str, list: RatingList, sort: StandingsSort) -> UserList<'_> {
        let entries =
            self.rated.get(game).map_or(&[][..], |lists| &lists[list as usize][sort as usize].0);
        UserList(entries)
    }

    /// Returns the rank of a standing in its list, from 1. Equal ratings share a rank.
    pub fn rank(&self, game: &str, list: RatingList, standing: &Standing) -> usize {
        let UserList(entries) = self.standings(game, list, StandingsSort::Rating);
        let key = StandingsSort::Rating.key(standing);
        1 + entries.partition_point(|entry| entry.key < key)
    }

    /// Returns all users.
    pub fn all(&self, sort: UserSort) -> UserList<'_> {
        UserList(&self.sorted[sort as usize].0)
    }

    /// Returns the users whose userids begin with `text` in any case, by userid.
    pub fn beginning_with(&self, text: &str) -> UserList<'_> {
        let text = text.to_ascii_lowercase();
        let UserList(entries) = self.all(UserSort::Name);
        let first = entries.partition_point(|entry| *entry.listed.folded < *text);
        let entries = &entries[first..];
        let end = entries.partition_point(|entry| entry.listed.folded.starts_with(&text));
        UserList(&entries[..end])
    }
}

/// The place of a user in a sorted list. It stays valid while other users come and go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserPlace {
    /// The number by which the user is sorted.
    pub key: i64,
    /// The userid in lower case.
    pub folded: String,
}

/// A sorted list of users.
#[derive(Clone, Copy, Debug)]
pub struct UserList<'a>(&'a [Entry]);

impl<'a> UserList<'a> {
    /// Returns the number of users.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Returns whether the list has no users.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Returns up to `count` users from an index.
    pub fn part(self, from: usize, count: usize) -> impl Iterator<Item = &'a PublicUser> {
        self.0.iter().skip(from).take(count).map(|entry| &entry.listed.user)
    }

    /// Returns the place of the user at an index.
    pub fn place(self, index: usize) -> Option<UserPlace> {
        let entry = self.0.get(index)?;
        Some(UserPlace { key: entry.key, folded: entry.listed.folded.clone() })
    }

    /// Returns the index of the first user behind a place.
    pub fn index_after(self, place: &UserPlace) -> usize {
        let until = (place.key, &*place.folded);
        self.0.partition_point(|entry| (entry.key, &*entry.listed.folded) <= until)
    }

    /// Returns the index of a user of this standing and order.
    pub fn index_of(self, id: &UserId, sort: StandingsSort, standing: &Standing) -> Option<usize> {
        let (key, folded) = (sort.key(standing), id.folded());
        let by = |entry: &Entry| (entry.key, &*entry.listed.folded).cmp(&(key, &*folded));
        self.0.binary_search_by(by).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::days;
    use crate::model::rating::Skill;

    const NOW: Time = Time::from_unix(1_795_348_800);

    fn standing(points: &str, won: u32, last: Time) -> Standing {
        let rating = points.to_owned().try_into().unwrap();
        let skill = Skill { rating, is_provisional: won < 20, ..Skill::START };
        Standing { won, last, skill, ..Standing::default() }
    }

    fn user(id: &str, joined: i64, rated: Option<Standing>) -> PublicUser {
        let ratings = rated.map(|standing| ("malaka", standing)).into_iter().collect();
        PublicUser { id: UserId::parse(id).unwrap(), joined: Time::from_unix(joined), ratings }
    }

    fn names(list: UserList<'_>) -> Vec<&str> {
        list.part(0, list.len()).map(|user| user.id.as_str()).collect()
    }

    fn directory() -> Directory {
        let users = [
            user("Bob", 20, Some(standing("1700.00", 30, NOW))),
            user("alice", 10, Some(standing("1700.40", 25, NOW))),
            user("carol", 30, Some(standing("1650.00", 40, NOW))),
            user("dora", 40, Some(standing("1900.00", 3, NOW))),
            user("bobby", 50, Some(standing("1800.00", 50, NOW - days(400)))),
            user("erin", 5, None),
        ];
        Directory::new(users, NOW)
    }

    #[test]
    fn users_are_sorted_in_every_order() {
        let directory = directory();
        let list = |list, sort| names(directory.standings("malaka", list, sort));
        let established = |sort| list(RatingList::Established, sort);
        assert_eq!(established(StandingsSort::Rating), ["alice", "Bob", "carol"]);
        assert_eq!(established(StandingsSort::Name), ["alice", "Bob", "carol"]);
        assert_eq!(established(StandingsSort::Won), ["carol", "Bob", "alice"]);
        assert_eq!(list(RatingList::Provisional, StandingsSort::Rating), ["dora"]);
        assert_eq!(list(RatingList::Inactive, StandingsSort::Rating), ["bobby"]);
        assert_eq!(names(directory.all(UserSort::Joined))[..2], ["bobby", "dora"]);
        assert_eq!(names(directory.beginning_with("BOB")), ["Bob", "bobby"]);
        assert_eq!(names(directory.beginning_with("bob%")), [""; 0]);
        assert_eq!(directory.beginning_with("").len(), 6);
        assert!(directory.standings("moloko", RatingList::Inactive, StandingsSort::Won).is_empty());
    }

    #[test]
    fn equal_ratings_share_a_rank() {
        let directory = directory();
        let rank = |name: &str| {
            let user = directory.user(&UserId::parse(name).unwrap()).unwrap();
            directory.rank("malaka", RatingList::Established, &user.ratings["malaka"])
        };
        assert_eq!(["alice", "bob", "carol"].map(rank), [1, 1, 3]);
    }

    #[test]
    fn a_place_stays_valid_while_users_come_and_go() {
        let mut directory = directory();
        let list = |directory: &Directory| -> Vec<String> {
            let list =
                directory.standings("malaka", RatingList::Established, StandingsSort::Rating);
            let after = UserPlace { key: -1700, folded: "bob".into() };
            list.part(list.index_after(&after), 9).map(|user| user.id.to_string()).collect()
        };
        assert_eq!(list(&directory), ["carol"]);
        let more = user("aaron", 60, Some(standing("1700.00", 30, NOW)));
        directory.update("aaron", Some(more));
        directory.update("bob", None);
        let less = user("frank", 60, Some(standing("1600.00", 30, NOW)));
        directory.update("frank", Some(less));
        assert_eq!(list(&directory), ["carol", "frank"]);
        assert_eq!(names(directory.beginning_with("bob")), ["bobby"]);
    }

    #[test]
    fn users_become_inactive_and_active_again() {
        let mut directory = directory();
        let lists = |directory: &Directory| {
            RatingList::ALL
                .map(|list| directory.standings("malaka", list, StandingsSort::Rating).len())
        };
        assert_eq!(lists(&directory), [3, 1, 1]);
        directory.advance(NOW + days(364));
        assert_eq!(lists(&directory), [3, 1, 1]);
        let later = NOW + days(365);
        directory.update("alice", Some(user("alice", 10, Some(standing("1750.00", 26, later)))));
        directory.advance(later);
        assert_eq!(lists(&directory), [1, 0, 4]);
        directory.update("bobby", Some(user("bobby", 50, Some(standing("1810.00", 51, later)))));
        assert_eq!(lists(&directory), [2, 0, 3]);
        assert_eq!(directory.all(UserSort::Name).len(), 6);
    }
}
