//! Counts the mails to each mailbox in a day.

use crate::base::digest::Digest;
use crate::base::time::Day;
use crate::config::Limits;
use crate::mail::Address;
use crate::model::correspondent::Correspondent;
use crate::model::rate_limit::{LimitVerdict, QuotaShare};
use crate::server::env::Env;
use crate::store::{Fault, SentRecord};
use std::collections::{HashMap, HashSet};

/// The mails to each mailbox today, including those not yet committed.
#[derive(Default)]
pub(super) struct DailyCounts {
    counts: HashMap<[u8; 8], usize>,
    today: Option<Day>,
    /// Counts since the last call of `take`.
    new: Vec<SentRecord>,
    /// Mailboxes that were asked about since then.
    asked: HashSet<[u8; 8]>,
}

impl DailyCounts {
    /// Counts a mail to an address, if its share of the day's mails is not used up. The first mail
    /// too many is replaced by a warning ([`LimitVerdict::Last`]).
    pub(super) fn count(
        &mut self,
        to: &Address,
        share: QuotaShare,
        id: &str,
        env: &Env,
    ) -> Result<LimitVerdict, Fault> {
        let all = daily_limit(&env.setup.config.limits);
        let mailbox = Correspondent::digest(to);
        let total = self.sent_today(mailbox, env)?;
        let others =
            (share == QuotaShare::Others).then(|| Correspondent::part_digest(to, "others"));
        let is_full = match others {
            Some(others) => {
                self.sent_today(others, env)? >= share.limit_of(all)
                    || total >= QuotaShare::Boards.limit_of(all)
            }
            None => total >= share.limit_of(all),
        };
        if !is_full {
            self.count_one(mailbox, id);
            if let Some(others) = others {
                self.count_one(others, id);
            }
            return Ok(LimitVerdict::Answer);
        }
        let told = Correspondent::part_digest(to, &format!("told {share:?}"));
        if self.sent_today(told, env)? > 0 {
            return Ok(LimitVerdict::Silence);
        }
        self.count_one(mailbox, id);
        self.count_one(told, id);
        Ok(LimitVerdict::Last)
    }

    /// Takes the counts since the last call.
    pub(super) fn take(&mut self) -> Vec<SentRecord> {
        self.asked.clear();
        std::mem::take(&mut self.new)
    }

    /// Returns whether a verdict might have differed if the mails of `before` had been counted
    /// first: whether they bring some mailbox close to a limit.
    pub(super) fn depends_on(&self, before: &Self, all: usize) -> bool {
        let mut counts: HashMap<[u8; 8], usize> = HashMap::new();
        for sent in before.new.iter().filter(|sent| self.asked.contains(&sent.mailbox)) {
            *counts.entry(sent.mailbox).or_default() += 1;
        }
        let least = QuotaShare::Others.limit_of(all);
        let known = |mailbox| self.counts.get(mailbox).copied().unwrap_or(0);
        counts.iter().any(|(mailbox, count)| known(mailbox) + count > least)
    }

    /// Adds the counts of another process.
    pub(super) fn add(&mut self, sent: &[SentRecord]) {
        for sent in sent {
            if let Some(count) = self.counts.get_mut(&sent.mailbox) {
                *count += 1;
            }
        }
    }

    /// Loads the counts of mailboxes that will soon be asked about.
    pub(super) fn prefetch(&mut self, mut mailboxes: Vec<[u8; 8]>, env: &Env) -> Result<(), Fault> {
        self.begin_day(env);
        mailboxes.retain(|mailbox| !self.counts.contains_key(mailbox));
        if !mailboxes.is_empty() {
            let counts = env.store.sent_counts(&mailboxes, env.now)?;
            self.counts.extend(mailboxes.into_iter().zip(counts));
        }
        Ok(())
    }

    /// Drops the counts of the day before.
    fn begin_day(&mut self, env: &Env) {
        let day = Some(env.now.day());
        if day != self.today {
            self.counts.clear();
            self.today = day;
        }
    }

    /// Returns the number of mailboxes in memory.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Forgets the counts, which are in the store.
    pub(super) fn forget(&mut self) {
        self.counts.clear();
        self.asked.clear();
    }

    /// Returns how many mails of a kind went to a mailbox today.
    fn sent_today(&mut self, what: [u8; 8], env: &Env) -> Result<usize, Fault> {
        self.begin_day(env);
        self.asked.insert(what);
        if let Some(count) = self.counts.get(&what) {
            return Ok(*count);
        }
        let count = env.store.sent_count(what, env.now)?;
        self.counts.insert(what, count);
        Ok(count)
    }

    fn count_one(&mut self, what: [u8; 8], id: &str) {
        *self.counts.entry(what).or_default() += 1;
        let digest = Digest::of(id.as_bytes());
        let letter = std::array::from_fn(|at| digest[at]);
        self.new.push(SentRecord { mailbox: what, letter });
    }
}

/// Returns how many mails an address may get in a day.
pub(super) fn daily_limit(limits: &Limits) -> usize {
    usize::try_from(limits.mails_a_day.get()).unwrap_or(usize::MAX)
}
