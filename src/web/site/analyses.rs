//! The program's analyses of finished boards, and its opinions of positions: queues that bound their
//! work, and a cache that keeps judgements, so that stepping through the moves of a board costs nothing.
//!
//! A request waits for its turn without holding a thread. The threads that read documents never judge.

use super::Site;
use crate::base::digest::Digest;
use crate::base::ids::UserId;
use crate::base::network::Network;
use crate::base::time::{DAY, Time};
use crate::model::board::Board;
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::analysis::{Judgement, has_analysis};
use crate::reply::{OutgoingMail, run_analyses};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::queue::WorkQueue;
use games::{AnyPosition, EvaluationBudget, Opinion, View};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::spawn_blocking;

/// The limits on analyses, running and waiting: in total, and of a network. One runs at a time and
/// takes about a second of a core, so the last one begins before its request times out.
const MAX_ANALYSES: usize = 20;
const MAX_ANALYSES_PER_NETWORK: usize = 2;

/// The limits on opinions, of which each takes some hundredths of a second.
const MAX_OPINIONS: usize = 200;
const MAX_OPINIONS_PER_NETWORK: usize = 8;

/// The positions that are judged for an opinion.
const OPINION_EVALUATIONS: u32 = 20_000;

/// The budget of the cache in decisions, of which each takes about 400 bytes.
const MAX_CACHED_DECISIONS: usize = 20_000;

/// How many decisions a cached judgement counts for, besides its own.
const OVERHEAD: usize = 10;

/// The number of users after which those who have asked for nothing today are forgotten.
const MAX_COUNTED_USERS: usize = 1_000;

/// The queues and the cache of a site.
pub(crate) struct Analyses {
    analysis_queue: WorkQueue,
    opinion_queue: WorkQueue,
    cache: Mutex<JudgementCache>,
    /// When each user has asked for analyses within a day.
    asked: Mutex<HashMap<UserId, Vec<Time>>>,
}

impl Default for Analyses {
    fn default() -> Self {
        Self {
            analysis_queue: WorkQueue::new(1, MAX_ANALYSES, MAX_ANALYSES_PER_NETWORK),
            opinion_queue: WorkQueue::new(1, MAX_OPINIONS, MAX_OPINIONS_PER_NETWORK),
            cache: Mutex::default(),
            asked: Mutex::default(),
        }
    }
}

/// A move that was tried: the position before it, and its text in a record.
pub(crate) struct TriedMove {
    pub(crate) before: Box<dyn AnyPosition>,
    pub(crate) text: String,
}

/// The program's opinions on a page.
#[derive(Default)]
pub(crate) struct Opinions {
    /// The opinion of the choices in the position that is shown.
    pub(crate) now: Option<Opinion>,
    /// The opinion of the move that led there.
    pub(crate) tried: Option<Opinion>,
}

/// The judgements that were used last.
#[derive(Default)]
struct JudgementCache {
    judgements: HashMap<Digest, CachedJudgement>,
    decisions: usize,
    /// How often the cache was asked.
    uses: u64,
}

struct CachedJudgement {
    judgement: Arc<Judgement>,
    last_use: u64,
}

impl CachedJudgement {
    fn size(&self) -> usize {
        self.judgement.decisions().len() + OVERHEAD
    }
}

impl JudgementCache {
    fn find(&mut self, key: &Digest) -> Option<Arc<Judgement>> {
        self.uses += 1;
        let cached = self.judgements.get_mut(key)?;
        cached.last_use = self.uses;
        Some(Arc::clone(&cached.judgement))
    }

    /// Inserts a judgement, and drops those that were not used for longest if there are too many.
    fn insert(&mut self, key: Digest, judgement: Arc<Judgement>) {
        self.uses += 1;
        let cached = CachedJudgement { judgement, last_use: self.uses };
        self.decisions += cached.size();
        if let Some(old) = self.judgements.insert(key, cached) {
            self.decisions -= old.size();
        }
        while self.decisions > MAX_CACHED_DECISIONS {
            let oldest = self.judgements.iter().min_by_key(|(_, cached)| cached.last_use);
            let Some(oldest) = oldest.map(|(key, _)| *key) else { return };
            self.decisions -= self.judgements.remove(&oldest).map_or(0, |cached| cached.size());
        }
    }
}

/// Returns the key of a board in the cache: the digest of its record.
fn key_of(board: &Board) -> Digest {
    Digest::of(board.played().write())
}

impl Analyses {
    fn cache(&self) -> MutexGuard<'_, JudgementCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the judgement of a board, if it was made before.
    pub(crate) fn cached(&self, board: &Board) -> Option<Arc<Judgement>> {
        self.cache().find(&key_of(board))
    }

    /// Counts an analysis for a user.
    ///
    /// # Errors
    /// The user has had the most analyses of a day.
    fn count(&self, user: &UserId, board: &Board, now: Time) -> Result<(), Refusal> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let is_recent = |at: &Time| *at + DAY > now;
        if asked.len() >= MAX_COUNTED_USERS {
            asked.retain(|_, times| times.iter().any(is_recent));
        }
        let times = asked.entry(user.clone()).or_default();
        times.retain(is_recent);
        if times.len() >= BoardRefusal::ANALYSES {
            return Err(BoardRefusal::TooManyAnalyses(board.id).into());
        }
        times.push(now);
        Ok(())
    }
}

impl Site {
    /// Judges a board for a user and caches the judgement. A board that another request has judged in
    /// the meantime is not judged again.
    ///
    /// # Errors
    /// Too many analyses wait, in total or from this network; or the user has had the most of a day.
    pub(crate) async fn judge(
        self: &Arc<Self>,
        network: Option<Network>,
        user: &UserId,
        board: Board,
    ) -> PageResult<Arc<Judgement>> {
        let permit = self.analyses.analysis_queue.acquire(network).await?;
        if let Some(judgement) = self.analyses.cached(&board) {
            return Ok(judgement);
        }
        self.analyses.count(user, &board, self.now())?;
        let site = Arc::clone(self);
        let judge = move || {
            // The thread holds the permit: the request may be cancelled.
            let _permit = permit;
            let judgement = Judgement::of_board(&board, None).map(Arc::new);
            let judgement = judgement.ok_or(BoardRefusal::NotAnalysable(board.id));
            let judgement = judgement.map_err(Refusal::from)?;
            site.analyses.cache().insert(key_of(&board), Arc::clone(&judgement));
            Ok(judgement)
        };
        spawn_blocking(judge).await.unwrap_or(Err(PageError::Bug))
    }

    /// Computes the analyses in the answers to a command.
    ///
    /// # Errors
    /// Too many analyses wait, in total or from this network.
    pub(crate) async fn run_analyses(
        &self,
        network: Option<Network>,
        answers: Vec<OutgoingMail>,
    ) -> PageResult<Vec<OutgoingMail>> {
        if !answers.iter().any(|mail| has_analysis(&mail.blocks)) {
            return Ok(answers);
        }
        let permit = self.analyses.analysis_queue.acquire(network).await?;
        let run = move || {
            let _permit = permit;
            let with_analysis = |mail: OutgoingMail| match run_analyses(&mail.blocks) {
                Some(blocks) => OutgoingMail { blocks, ..mail },
                None => mail,
            };
            answers.into_iter().map(with_analysis).collect()
        };
        spawn_blocking(run).await.map_err(|_| PageError::Bug)
    }

    /// Returns the program's opinions of a position and of the move that led there.
    ///
    /// # Errors
    /// Too many opinions wait, in total or from this network.
    pub(crate) async fn opinions(
        &self,
        network: Option<Network>,
        position: Option<Box<dyn AnyPosition>>,
        tried: Option<TriedMove>,
    ) -> PageResult<Opinions> {
        let permit = self.analyses.opinion_queue.acquire(network).await?;
        let think = move || {
            let _permit = permit;
            Opinions {
                now: position.and_then(|position| opinion(position, None)),
                tried: tried.and_then(|tried| opinion(tried.before, Some(&tried.text))),
            }
        };
        spawn_blocking(think).await.map_err(|_| PageError::Bug)
    }
}

fn opinion(mut position: Box<dyn AnyPosition>, tried: Option<&str>) -> Option<Opinion> {
    // Moves are written as in a record.
    position.set_viewer(&View::default());
    Opinion::of_position(&*position, tried, EvaluationBudget::new(OPINION_EVALUATIONS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::site::tests::site;
    use futures_util::FutureExt as _;
    use games::{Chance, Choices, SeatSettings, advance};
    use std::net::IpAddr;

    fn user(name: &str) -> UserId {
        UserId::parse(name).unwrap()
    }

    /// Returns a board that was played by two programs.
    fn board(number: u32) -> Board {
        let game = games::find("moloko").unwrap();
        let players = [user("alice"), user("bob")];
        let now = Time::from_unix(0);
        let mut board = Board::new(game, number, players, Choices::default(), now);
        let mut position = board.start();
        let settings = |_| SeatSettings { level: Some(0), ..SeatSettings::default() };
        let record = advance(&mut *position, &mut Chance::new(number.into()), &settings);
        board.append(now, &record);
        board
    }

    #[test]
    fn analyses_of_a_network_and_of_all_are_limited() {
        let site = site();
        let network = |last: u8| Some(Network::from(IpAddr::from([192, 0, 2, last])));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            // Nothing runs while this permit is held.
            let permit = site.analyses.analysis_queue.acquire(None).await.unwrap();
            let (name, one) = (user("alice"), board(1));
            let judge = |last: u8| Box::pin(site.judge(network(last), &name, one.played()));
            let mut waiting = Vec::new();
            for _ in 0..MAX_ANALYSES_PER_NETWORK {
                waiting.push(judge(1));
            }
            assert!(waiting.iter_mut().all(|it| it.now_or_never().is_none()));
            let refused = judge(1).now_or_never();
            assert!(matches!(refused, Some(Err(PageError::TooManyFromNetwork))), "{refused:?}");
            for last in 2.. {
                let mut next = judge(last);
                match next.as_mut().now_or_never() {
                    None => waiting.push(next),
                    Some(refused) => {
                        assert!(matches!(refused, Err(PageError::Busy)), "{refused:?}");
                        break;
                    }
                }
            }
            assert_eq!(waiting.len(), MAX_ANALYSES - 1);
            drop(permit);
            let first = waiting.remove(0).await.unwrap();
            // The others get the same judgement.
            for it in waiting {
                assert!(Arc::ptr_eq(&first, &it.await.unwrap()));
            }
            assert!(site.analyses.cached(&board(1)).is_some_and(|it| Arc::ptr_eq(&it, &first)));
            assert!(site.analyses.cached(&board(2)).is_none());
        });
    }

    #[test]
    fn an_analysis_within_other_blocks_waits_for_its_turn() {
        let site = site();
        let block = r#"{"Routed": {"board": "moloko 1", "subject": "Moloko 1", "blocks": [
            {"Analysis": {"board": "no board"}}]}}"#;
        let answers = vec![OutgoingMail::answer("", vec![serde_json::from_str(block).unwrap()])];
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let permit = site.analyses.analysis_queue.acquire(None).await.unwrap();
            let mut run = Box::pin(site.run_analyses(None, answers));
            assert!(run.as_mut().now_or_never().is_none());
            drop(permit);
            assert!(!has_analysis(&run.await.unwrap()[0].blocks));
        });
    }

    #[test]
    fn analyses_of_a_user_are_limited_by_day() {
        let (analyses, one) = (Analyses::default(), board(1));
        let at = |hours: i64| Time::from_unix(hours * 3_600);
        for _ in 0..BoardRefusal::ANALYSES {
            analyses.count(&user("alice"), &one, at(0)).unwrap();
        }
        let refused = analyses.count(&user("alice"), &one, at(23)).unwrap_err();
        assert_eq!(refused, BoardRefusal::TooManyAnalyses(one.id).into());
        analyses.count(&user("bob"), &one, at(23)).unwrap();
        analyses.count(&user("alice"), &one, at(24)).unwrap();
        // Users who have asked for nothing today are forgotten.
        for number in 0..MAX_COUNTED_USERS {
            analyses.count(&user(&format!("user{number}")), &one, at(24)).unwrap();
        }
        analyses.count(&user("carol"), &one, at(100)).unwrap();
        assert_eq!(analyses.asked.lock().unwrap().len(), 1);
    }

    #[test]
    fn the_cache_keeps_what_was_used_last() {
        let mut cache = JudgementCache::default();
        let judgement = Arc::new(Judgement::of_board(&board(1), None).unwrap());
        let size = judgement.decisions().len() + OVERHEAD;
        let key = |number: usize| Digest::of(number.to_string());
        let room = MAX_CACHED_DECISIONS / size;
        assert!(room > 3, "{size}");
        for number in 0..room {
            cache.insert(key(number), Arc::clone(&judgement));
        }
        assert!(cache.find(&key(0)).is_some());
        cache.insert(key(room), Arc::clone(&judgement));
        assert!(cache.find(&key(0)).is_some(), "it was used after all others");
        assert!(cache.find(&key(1)).is_none() && cache.find(&key(2)).is_some());
        cache.insert(key(2), judgement);
        assert!(cache.decisions == room * size && cache.judgements.len() == room);
    }
}
