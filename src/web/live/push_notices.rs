//! Notices on the devices of users: sends what their documents say is due.
//!
//! `server/turn_notices.rs` decides where a turn passes, so a notice is committed with its move, whether
//! that came by mail or from a page. Here the changed documents of users are read again, and each notice
//! is sent once. A notice is a courtesy: it is lost if the process ends before it is sent.

use crate::base::digest::Digest;
use crate::base::ids::{BoardId, UserId};
use crate::base::time::{HOUR, Time};
use crate::base::web_push::{PushEndpoint, PushKey};
use crate::command::Trust;
use crate::command::account::browsers::RemoveBrowserCommand;
use crate::model::user::{self, MOST_NOTICES_AN_HOUR, PushBrowser, TurnNotice, User};
use crate::model::world::{World, board_key};
use crate::post::{PushClient, PushMessage, PushOutcome};
use crate::reply::turn_notice;
use crate::server::Setup;
use crate::store::Key;
use crate::web::html::error_page::PageResult;
use crate::web::http::request::WebRequest;
use crate::web::site::Site;
use data_encoding::BASE64URL_NOPAD;
use serde_json::json;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::ops::Bound::{Excluded, Unbounded};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// The most users who are notified at the same time. Each waits for the slowest of their push services.
const MAX_USERS: usize = 256;

/// How long sending a user's notices may take. What is not sent by then is lost.
const MAX_TIME: Duration = Duration::from_secs(30);

/// The most users who wait to be notified. If so many wait, changes of further users are missed.
const MAX_WAITING: usize = 10_000;

/// The most users whose last notice is remembered.
const MAX_KNOWN: usize = 100_000;

/// The state of all notices.
#[derive(Debug)]
pub(crate) struct PushNotices {
    key: PushKey,
    client: PushClient,
    /// The address of the site, for the operators of push services. Anybody can run a push service and
    /// read it, so it must not be the operator's own address.
    contact: String,
    /// Whether browsers may subscribe: they do so on pages that are encrypted.
    pub(crate) is_enabled: bool,
    queue: Mutex<NoticeQueue>,
    wakeup: Notify,
}

/// Users with changed documents, and the notices that were handled.
#[derive(Debug)]
struct NoticeQueue {
    waiting: BTreeSet<Key>,
    /// The user who was taken last. The next one follows in the order of names, so that nobody waits for
    /// ever.
    last: Option<Key>,
    /// The users who are being notified. Their later notices wait, so that notices stay in order.
    in_progress: HashSet<Key>,
    /// The handled notices of each user.
    handled: HashMap<Key, HandledNotices>,
    /// When this process began to remember. Of users who are not in `handled`, older notices are not sent.
    since: Time,
}

/// The handled notices of a user.
#[derive(Debug)]
struct HandledNotices {
    /// The number of the last one.
    number: u64,
    /// The boards whose notices were given and not taken back.
    given: BTreeSet<BoardId>,
    /// When the hour began in which notices are counted.
    hour: Time,
    /// The notices of this hour.
    count: usize,
}

/// A notice in words.
struct WordedNotice {
    /// The name by which a later notice about the board replaces it.
    topic: String,
    message: Vec<u8>,
}

/// The due notices of a user, and the browsers that get them.
struct DueNotices {
    user: UserId,
    browsers: Vec<PushBrowser>,
    notices: Vec<WordedNotice>,
}

impl PushNotices {
    /// Creates the state for a home, before any change.
    pub(crate) fn new(setup: &Setup, now: Time) -> Self {
        let web = &setup.config.web;
        let site = web.address.clone().filter(|site| site.starts_with("https://"));
        let queue = NoticeQueue {
            waiting: BTreeSet::new(),
            last: None,
            in_progress: HashSet::new(),
            handled: HashMap::new(),
            since: now,
        };
        Self {
            key: setup.key.push_key(),
            client: PushClient::new(web.has_local_push, web.bounds.push),
            is_enabled: site.is_some() || web.has_local_push,
            contact: site.unwrap_or_else(|| format!("mailto:{}", setup.identity.address)),
            queue: Mutex::new(queue),
            wakeup: Notify::new(),
        }
    }

    /// Returns the public key with which browsers subscribe.
    pub(crate) fn public_key(&self) -> String {
        self.key.public()
    }

    fn queue(&self) -> MutexGuard<'_, NoticeQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that documents have changed.
    pub(crate) fn notify(&self, documents: &[String]) {
        if !self.is_enabled {
            return;
        }
        let users = documents.iter().filter_map(|file| user::COLLECTION.find(file));
        let mut queue = self.queue();
        let room = MAX_WAITING.saturating_sub(queue.waiting.len());
        let before = queue.waiting.len();
        queue.waiting.extend(users.take(room));
        if queue.waiting.len() > before {
            self.wakeup.notify_one();
        }
    }

    /// Takes a waiting user who is not being notified.
    fn begin(&self) -> Option<Key> {
        let mut queue = self.queue();
        let later = (queue.last.as_ref().map_or(Unbounded, Excluded), Unbounded);
        let mut users = queue.waiting.range(later).chain(&queue.waiting);
        let user = users.find(|user| !queue.in_progress.contains(*user))?.clone();
        queue.waiting.remove(&user);
        queue.in_progress.insert(user.clone());
        queue.last = Some(user.clone());
        Some(user)
    }

    /// Notes that a user was notified, and wakes the loop if notices of theirs have come meanwhile.
    fn end(&self, user: &Key) {
        let mut queue = self.queue();
        queue.in_progress.remove(user);
        if queue.waiting.contains(user) {
            self.wakeup.notify_one();
        }
    }

    /// Returns the notices of a user that were not handled before, and notes that they are now.
    fn take_new(&self, key: &Key, user: &User, now: Time) -> Vec<TurnNotice> {
        let mut queue = self.queue();
        if user.notices.is_empty() {
            if let Some(handled) = queue.handled.get_mut(key) {
                handled.given.clear();
            }
            return Vec::new();
        }
        if queue.handled.len() >= MAX_KNOWN {
            (queue.handled, queue.since) = (HashMap::new(), now);
        }
        let since = queue.since;
        let is_known = queue.handled.contains_key(key);
        let handled = queue.handled.entry(key.clone()).or_insert_with(|| HandledNotices::new(now));
        let is_new = |one: &&TurnNotice| {
            if is_known { one.number > handled.number } else { one.at >= since }
        };
        let mut new: Vec<TurnNotice> = user.notices.iter().filter(is_new).copied().collect();
        // If a notice was given and taken back between two looks, neither is sent.
        new.retain(|one| {
            if one.open {
                handled.given.insert(one.board)
            } else {
                handled.given.remove(&one.board) || !is_known
            }
        });
        let latest = user.notices.iter().map(|one| one.number).max();
        handled.number = handled.number.max(latest.unwrap_or_default());
        handled.limit(&mut new, now);
        new
    }

    /// Notes that a notice was not sent after all.
    fn note_unsent(&self, key: &Key, board: BoardId) {
        if let Some(handled) = self.queue().handled.get_mut(key) {
            handled.given.remove(&board);
        }
    }
}

impl HandledNotices {
    fn new(now: Time) -> Self {
        Self { number: 0, given: BTreeSet::new(), hour: now, count: 0 }
    }

    /// Counts notices, and drops those beyond the limit of an hour.
    fn limit(&mut self, notices: &mut Vec<TurnNotice>, now: Time) {
        if now >= self.hour + HOUR {
            (self.hour, self.count) = (now, 0);
        }
        let room = MOST_NOTICES_AN_HOUR.saturating_sub(self.count).min(notices.len());
        for dropped in notices.drain(room..) {
            self.given.remove(&dropped.board);
        }
        self.count += room;
    }
}

/// Returns the user of a document.
fn user_of(key: &Key) -> Option<UserId> {
    match key {
        Key::In(_, folded) => UserId::parse(folded),
        _ => None,
    }
}

impl Site {
    /// Sends notices until the process shuts down.
    pub(crate) async fn run_notices(self: Arc<Self>) {
        let mut tasks = JoinSet::new();
        loop {
            tokio::select! {
                () = self.notices.wakeup.notified() => {}
                () = self.shutdown() => return,
            }
            self.begin_notices(&mut tasks).await;
        }
    }

    /// Sends the notices that are due, and waits until they are sent.
    pub async fn send_notices(self: &Arc<Self>) {
        let mut tasks = JoinSet::new();
        loop {
            self.begin_notices(&mut tasks).await;
            if tasks.join_next().await.is_none() {
                return;
            }
        }
    }

    async fn begin_notices(self: &Arc<Self>, tasks: &mut JoinSet<()>) {
        while let Some(key) = self.notices.begin() {
            while tasks.try_join_next().is_some() {}
            if tasks.len() >= MAX_USERS {
                tasks.join_next().await;
            }
            tasks.spawn(Arc::clone(self).notify_user(key));
        }
    }

    async fn notify_user(self: Arc<Self>, key: Key) {
        if let Ok(Some(due)) = Arc::clone(&self).due_notices(key.clone()).await {
            // Late notices are lost.
            let _ = timeout(MAX_TIME, Arc::clone(&self).send_to_browsers(due)).await;
        }
        self.notices.end(&key);
    }

    /// Reads the due notices of a user.
    async fn due_notices(self: Arc<Self>, key: Key) -> PageResult<Option<DueNotices>> {
        self.read_documents(move |site, store| {
            let Some(user) = user_of(&key) else { return Ok(None) };
            let mut world = World::default();
            world.load(std::slice::from_ref(&key), store)?;
            let Some(user) = world.user(&user) else { return Ok(None) };
            let new = site.notices.take_new(&key, user, site.now());
            if user.browsers.is_empty() || new.is_empty() {
                return Ok(None);
            }
            let (id, browsers) = (user.id.clone(), user.browsers.clone());
            world.load(&new.iter().map(|one| board_key(one.board)).collect::<Vec<_>>(), store)?;
            let mut notices = Vec::new();
            for one in &new {
                match site.put_into_words(&world, &id, one) {
                    Some(notice) => notices.push(notice),
                    None => site.notices.note_unsent(&key, one.board),
                }
            }
            Ok(Some(DueNotices { user: id, browsers, notices }))
        })
        .await
    }

    /// Puts a notice into words; `None` if it is out of date, or if the user looks at the board.
    fn put_into_words(
        &self,
        world: &World,
        user: &UserId,
        notice: &TurnNotice,
    ) -> Option<WordedNotice> {
        let TurnNotice { board: id, open, .. } = notice;
        let board = world.board(*id).ok()?;
        let is_seen = || board_key(*id).file().is_some_and(|file| self.hub.is_watched(&file, user));
        if *open && (!board.waits_for(user) || is_seen()) {
            return None;
        }
        let message = json!({
            "title": turn_notice(board, user),
            "tag": tag(*id),
            "url": format!("/{}", tag(*id)),
            "open": open,
        });
        let topic = Digest::of(format!("{} {}", user.folded(), tag(*id)));
        let topic = BASE64URL_NOPAD.encode(&topic[..24]);
        Some(WordedNotice { topic, message: message.to_string().into_bytes() })
    }

    async fn send_to_browsers(self: Arc<Self>, due: DueNotices) {
        let DueNotices { user, browsers, notices } = due;
        let notices = Arc::new(notices);
        let mut tasks = JoinSet::new();
        for browser in browsers {
            let (site, notices) = (Arc::clone(&self), Arc::clone(&notices));
            tasks.spawn(async move {
                let is_gone = site.send_all(&browser, &notices).await;
                is_gone.then(|| browser.id())
            });
        }
        while let Some(done) = tasks.join_next().await {
            if let Ok(Some(id)) = done {
                let command = RemoveBrowserCommand { user: user.clone(), id };
                let removed = Arc::clone(&self).write(WebRequest::internal(), move |writer| {
                    writer.execute(Box::new(command), Trust::Untrusted, None)
                });
                // It is removed at the next notice otherwise.
                drop(removed.await);
            }
        }
    }

    /// Sends notices to a browser in their order. Returns whether the browser no longer wants any.
    async fn send_all(self: &Arc<Self>, browser: &PushBrowser, notices: &[WordedNotice]) -> bool {
        for notice in notices {
            let mut outcome = self.send_one(browser, notice).await;
            if !matches!(
                outcome,
                Ok(PushOutcome::Accepted | PushOutcome::Gone | PushOutcome::Refused(_))
            ) {
                sleep(self.parts.setup.config.web.bounds.push_retry).await;
                outcome = self.send_one(browser, notice).await;
            }
            let trouble = match outcome {
                Ok(PushOutcome::Accepted) => continue,
                Ok(PushOutcome::Gone) => return true,
                Ok(PushOutcome::Failed(status) | PushOutcome::Refused(status)) => {
                    format!("status {status}")
                }
                Err(error) => error.to_string(),
            };
            let line = format!("web: no notice by {}: {trouble}", browser.service());
            let logged = Arc::clone(self).run(move |site| {
                site.log_line(&line);
                Ok(())
            });
            drop(logged.await);
            return false;
        }
        false
    }

    async fn send_one(
        &self,
        browser: &PushBrowser,
        notice: &WordedNotice,
    ) -> io::Result<PushOutcome> {
        let allows_local = self.parts.setup.config.web.has_local_push;
        let endpoint = PushEndpoint::parse(&browser.endpoint, allows_local);
        let Some((endpoint, recipient)) = endpoint.zip(browser.recipient()) else {
            return Ok(PushOutcome::Gone);
        };
        let PushNotices { key, client, contact, .. } = &*self.notices;
        let message = PushMessage {
            authorization: key.authorization(&endpoint, contact, self.now()),
            topic: notice.topic.clone(),
            body: recipient.encrypt(&notice.message, &mut **self.chance()),
            endpoint,
        };
        client.send(message).await
    }
}

/// Returns the name of a notice: a later one about the same board replaces it.
fn tag(board: BoardId) -> String {
    format!("{}/{}", board.game, board.number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SAMPLE;
    use crate::model::world::user_key;

    fn notices(more: &str) -> PushNotices {
        configured(&format!("{SAMPLE}{more}"))
    }

    fn configured(text: &str) -> PushNotices {
        PushNotices::new(&Setup::of_test(text), Time::EPOCH)
    }

    #[test]
    fn browsers_subscribe_on_encrypted_sites_alone() {
        assert!(
            !notices("").is_enabled && !notices("address = \"http://games.example\"").is_enabled
        );
        assert!(notices("address = \"https://games.example\"").is_enabled);
        let alerted = SAMPLE.replace("[alert]", "[alert]\nto = \"o@games.example\"");
        let site = "address = \"https://games.example\"";
        let contact = configured(&format!("{alerted}{site}")).contact;
        assert_eq!(contact, "https://games.example", "the operator's address is not told");
    }

    #[test]
    fn notices_of_a_user_are_in_order_and_nobody_waits_for_ever() {
        let site = notices("address = \"https://games.example\"");
        let (alice, bob) = ("users/al/alice.json".to_owned(), "users/bo/bob.json".to_owned());
        site.notify(&[alice.clone(), bob, "boards/malaka/0/1.json".into(), "outbox".into()]);
        let first = site.begin().unwrap();
        assert_eq!(user_of(&first), UserId::parse("alice"));
        site.notify(&[alice]);
        let second = site.begin().unwrap();
        assert_eq!(user_of(&second), UserId::parse("bob"));
        assert_eq!(site.begin(), None, "alice is being notified");
        site.end(&first);
        assert_eq!(site.begin(), Some(first.clone()));
        site.end(&first);
        site.end(&second);
        for _ in 0..2 {
            site.notify(&["users/al/alice.json".to_owned(), "users/bo/bob.json".to_owned()]);
            let next = site.begin().unwrap();
            assert_eq!(next, second, "alice was the last one");
            site.end(&next);
            let next = site.begin().unwrap();
            assert_eq!(next, first);
            site.end(&next);
        }
    }

    #[test]
    fn notices_of_a_user_are_handled_once_and_limited_in_an_hour() {
        let site = notices("address = \"https://games.example\"");
        let first = user_key(&UserId::parse("alice").unwrap());
        let id = UserId::parse("alice").unwrap();
        let mut user = User::new(id, String::new(), Vec::new(), Time::EPOCH);
        let mut note = |number, at| {
            let open = true;
            let board = BoardId { game: "malaka", number };
            user.notices.push(TurnNotice { board, number: number.into(), at, open });
            site.take_new(&first, &user, at).len()
        };
        let now = Time::EPOCH;
        let sent: usize = (1..=100).map(|number| note(number, now)).sum();
        assert_eq!(sent, MOST_NOTICES_AN_HOUR);
        assert_eq!(note(101, now + HOUR), 1);
        user.notices.clear();
        assert!(site.take_new(&first, &user, now).is_empty());
    }
}
