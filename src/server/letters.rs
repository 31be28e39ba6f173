//! What is said becomes letters, within what a mailbox gets in a day.

use crate::base::digest::digest;
use crate::base::ids::{BoardId, UserId};
use crate::mail::{
    Address, HeaderText, Kind, Letter, Mail, Message, MessageId, compose, is_read_by_nobody,
};
use crate::model::correspondent::Correspondent;
use crate::model::rate_limit::{Share, Verdict};
use crate::model::token::Generation;
use crate::model::user::User;
use crate::model::world::DAY;
use crate::reply::{self, Outgoing, To};
use crate::server::Server;
use crate::store::{Fault, Sent, Store};
use data_encoding::HEXLOWER;

impl Server<'_> {
    /// Posts mails that no mail was the cause of, but what is named so.
    ///
    /// # Errors
    /// The machine failed.
    pub(crate) fn post_all(
        &mut self,
        outgoing: &[Outgoing],
        named: &str,
        store: &dyn Store,
        now: i64,
    ) -> Result<(), Fault> {
        let digest = digest(named.as_bytes());
        for (index, mail) in outgoing.iter().enumerate() {
            self.post(mail, None, &Cause { digest, index, kind: Kind::Notice }, store, now)?;
        }
        Ok(())
    }

    pub(super) fn post(
        &mut self,
        mail: &Outgoing,
        answers: Option<&Message>,
        cause: &Cause,
        store: &dyn Store,
        now: i64,
    ) -> Result<(), Fault> {
        let mut has_none = false;
        let addresses: Vec<Address> = match &mail.to {
            To::Sender => answers.map(|message| message.from.clone()).into_iter().collect(),
            To::User(user) | To::Listener(user) => {
                let user = self.world.user(user);
                has_none = user.is_none_or(|user| user.addresses.is_empty());
                user.map(User::reachable).unwrap_or_default()
            }
            To::Address(address) => vec![address.clone()],
        };
        // It is no answer, whoever sent the mail that it comes from.
        let is_notice = matches!(mail.to, To::Listener(_));
        let answers = answers.filter(|_| !is_notice);
        let cause = &Cause { kind: if is_notice { Kind::Notice } else { cause.kind }, ..*cause };
        if let (To::User(user), true) = (&mail.to, has_none)
            && self.world.level(user).is_none()
        {
            self.log.push(format!("{user} has no address; a mail to them is not sent"));
        }
        if let (To::User(user) | To::Listener(user), false, []) = (&mail.to, has_none, &*addresses)
        {
            self.log.push(format!("dropped: a mail to {user}, whose mails came back"));
        }
        for address in &addresses {
            if matches!(mail.to, To::Address(_)) && is_read_by_nobody(address) {
                self.log.push(format!("dropped: a mail to {address}, which no person reads"));
                continue;
            }
            let answered = answers
                .filter(|message| message.from == *address)
                .and_then(|m| Some((m.message_id.clone()?, m.references.clone())));
            self.send(mail, address, answered, cause, store, now)?;
        }
        Ok(())
    }

    /// Counts a mail to an address. Says whether it may go out, or is the first of its share that
    /// may not: then the address is warned in its place.
    pub(super) fn count(
        &mut self,
        to: &Address,
        share: Share,
        id: &str,
        store: &dyn Store,
        now: i64,
    ) -> Result<Verdict, Fault> {
        let all = usize::try_from(self.setup.config.limits.mails_a_day.get());
        let all = all.unwrap_or(usize::MAX);
        let total = self.counted(Correspondent::digest(to), store, now)?;
        let is_full = match share {
            Share::Others => {
                let others = self.counted(Correspondent::digest_of(to, "others"), store, now)?;
                others >= share.most(all) || total >= Share::Boards.most(all)
            }
            Share::Boards | Share::Account => total >= share.most(all),
        };
        if !is_full {
            self.count_one(Correspondent::digest(to), id);
            if share == Share::Others {
                self.count_one(Correspondent::digest_of(to, "others"), id);
            }
            return Ok(Verdict::Answer);
        }
        let told = Correspondent::digest_of(to, &format!("told {share:?}"));
        if self.counted(told, store, now)? > 0 {
            return Ok(Verdict::Silence);
        }
        self.count_one(Correspondent::digest(to), id);
        self.count_one(told, id);
        Ok(Verdict::Last)
    }

    /// How many mails of a kind went to a mailbox today.
    pub(super) fn counted(
        &mut self,
        what: [u8; 8],
        store: &dyn Store,
        now: i64,
    ) -> Result<usize, Fault> {
        let day = now.div_euclid(DAY);
        if day != self.today {
            self.sent.clear();
            self.today = day;
        }
        if let Some(count) = self.sent.get(&what) {
            return Ok(*count);
        }
        let count = store.sent(what, now)?;
        self.sent.insert(what, count);
        Ok(count)
    }

    pub(super) fn count_one(&mut self, what: [u8; 8], id: &str) {
        *self.sent.entry(what).or_default() += 1;
        let digest = digest(id.as_bytes());
        let letter = std::array::from_fn(|at| digest[at]);
        self.done.sent.push(Sent { mailbox: what, letter });
    }

    pub(super) fn send(
        &mut self,
        mail: &Outgoing,
        to: &Address,
        answers: Option<(MessageId, Vec<MessageId>)>,
        cause: &Cause,
        store: &dyn Store,
        now: i64,
    ) -> Result<(), Fault> {
        // The same cause gives the same id, so that a mail sent again after a crash is known.
        let seed = format!("{} {} {to}", HEXLOWER.encode(&cause.digest), cause.index);
        let id = HEXLOWER.encode(&digest(seed.as_bytes())[..16]);
        let warning;
        let share = mail.share;
        let verdict = self.count(to, share, &id, store, now)?;
        let mail = if verdict == Verdict::Answer {
            mail
        } else {
            let all = usize::try_from(self.setup.config.limits.mails_a_day.get());
            let most = share.most(all.unwrap_or(usize::MAX));
            let about = mail.board.map_or_else(String::new, |board| format!(" about {board}"));
            self.log.push(format!(
                "dropped: a mail to {to}{about}: {most} mails of its kind ({share:?}) went there \
                 today"
            ));
            if verdict == Verdict::Silence {
                return Ok(());
            }
            warning = Outgoing { to: mail.to.clone(), share, ..reply::enough(share, most) };
            &warning
        };
        let user = match &mail.to {
            To::User(user) => Some(user),
            To::Sender | To::Listener(_) | To::Address(_) => None,
        };
        let player = user.filter(|_| mail.seat.is_some());
        let reply_tag = mail.board.zip(player).map(|(board, user)| self.tag(board, user));
        let opt_out = mail.opt_out.zip(user).map(|(what, user)| {
            let generation = self.world.user(user).map_or(0, |user| user.tokens);
            self.setup.key.opt_out_tag(what, user, generation)
        });
        let html = reply::html(mail, &self.setup.identity, reply_tag.as_deref());
        let out = Mail {
            to: to.clone(),
            subject: HeaderText::new(&mail.subject),
            text: mail.text.clone(),
            html,
            kind: cause.kind,
            thread: mail.board.map(|board| format!("{}-{}", board.game, board.number)),
            answers,
            reply_tag,
            opt_out,
            bounces: user.map(|user| self.setup.key.bounce_id(user, to)),
        };
        let letter: Letter = compose(&out, &self.setup.identity, &id, now);
        self.done.letters.push(letter);
        Ok(())
    }

    pub(super) fn tag(&self, board: BoardId, user: &UserId) -> String {
        let (mut next, mut offered, mut generation) = (0, None, Generation::default());
        if let Ok(board) = self.world.board(board) {
            next = board.next_move();
            if let Some(seat) = board.seat(user) {
                offered = board.offered_to(seat);
                generation = self.world.generation(board, seat);
            }
        }
        self.setup.key.tag(board, next, offered, user, generation)
    }
}

/// What a mail is sent for: the mail it answers, and which of its answers it is.
pub(super) struct Cause {
    pub(super) digest: [u8; 32],
    pub(super) index: usize,
    pub(super) kind: Kind,
}

impl Cause {
    pub(super) fn answer(digest: [u8; 32], index: usize) -> Self {
        Self { digest, index, kind: Kind::Answer }
    }
}
