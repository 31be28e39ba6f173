//! The answers to a correspondent, and their limits.

use super::Correspondent;
use crate::base::time::{DAY, Time, WEEK};
use crate::model::document::is_default;
use crate::model::rate_limit::{AnswerClass, Charge, LimitVerdict, RateLimits, SHORT, SPARE};
use serde::{Deserialize, Serialize};

/// The digest of a notice that an answer was too long.
const TOO_LONG: &str = "too long";

/// A counted answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CountedAnswer {
    class: AnswerClass,
    /// A digest of the answered words.
    of: String,
    /// A digest of the board, for classes counted by board.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    board: String,
    /// The size of the answer, for classes limited by bytes.
    #[serde(default, skip_serializing_if = "is_default")]
    bytes: usize,
    /// When it was sent.
    at: Time,
}

impl CountedAnswer {
    /// Returns whether the answer still counts for a limit.
    fn counts(&self, now: Time) -> bool {
        let is_of_week = matches!(self.class, AnswerClass::Help | AnswerClass::Prose);
        self.at > now - if is_of_week { WEEK } else { DAY }
    }
}

impl Correspondent {
    /// Decides whether one more answer may be sent.
    pub fn judge(&self, charge: &Charge, now: Time, rate_limits: &RateLimits) -> LimitVerdict {
        let Charge { class, of, board, bytes } = charge;
        let counted = || {
            let all = self.answers.iter().filter(|old| old.counts(now));
            all.filter(|old| old.class == *class && old.of != TOO_LONG)
        };
        // A player's mail without a command is treated as a reply to one of our mails.
        let is_players = self.is_players(now);
        let is_help = *class == AnswerClass::Help;
        let (is_players_help, is_strangers_help) = (is_help && is_players, is_help && !is_players);
        let window = if is_strangers_help { WEEK } else { DAY };
        let before = counted().filter(|old| old.at > now - window).count();
        let limited_as = if is_players_help { AnswerClass::Prose } else { *class };
        let bound = rate_limits.for_class(limited_as, is_players);
        let all = before + if is_players_help { 0 } else { self.introduced(*class, now) };
        let on_board = counted().filter(|old| old.board == *board);
        let same = on_board.clone().filter(|old| old.of == *of).count();
        let on_board = if board.is_empty() { 0 } else { on_board.count() };
        if all >= bound.most || same >= bound.same || on_board >= bound.board {
            LimitVerdict::Silence
        } else if class.is_forgeable() && !self.has_room(*bytes, now, rate_limits) {
            if self.was_too_long(now) { LimitVerdict::Silence } else { LimitVerdict::Full }
        } else if is_strangers_help {
            // The introduction itself says how often it is sent.
            LimitVerdict::Answer
        } else if all + 1 == bound.most || on_board + 1 == bound.board {
            LimitVerdict::Last
        } else if same > 0 && same + 1 == bound.same {
            LimitVerdict::LastOfThese
        } else {
            LimitVerdict::Answer
        }
    }

    /// Counts the introductions that a class must add to its own answers: those that an older
    /// program recorded in `help`; and for [`AnswerClass::Doubted`] today's introductions, because
    /// a sender who was introduced today may be a program.
    fn introduced(&self, class: AnswerClass, now: Time) -> usize {
        let since = match class {
            AnswerClass::Help => WEEK,
            AnswerClass::Doubted => DAY,
            _ => return 0,
        };
        let earlier = usize::from(self.help.is_some_and(|at| at > now - since));
        let is_new = |old: &&CountedAnswer| old.class == AnswerClass::Help && old.at > now - since;
        let new =
            if class == AnswerClass::Help { 0 } else { self.answers.iter().filter(is_new).count() };
        earlier + new
    }

    /// Returns whether an answer fits into the bytes left today.
    fn has_room(&self, bytes: usize, now: Time, rate_limits: &RateLimits) -> bool {
        let today = self.answers.iter().filter(|old| old.at > now - DAY);
        let spent: usize = today.map(|old| old.bytes).sum();
        let spare = if bytes <= SHORT { SPARE } else { 0 };
        // A player has asked for mails, and reads many pages.
        let times = if self.is_players(now) { 5 } else { 1 };
        spent.saturating_add(bytes) <= rate_limits.bytes.saturating_mul(times).saturating_add(spare)
    }

    /// Returns whether today's notice that an answer was too long was sent.
    fn was_too_long(&self, now: Time) -> bool {
        self.answers.iter().any(|old| old.of == TOO_LONG && old.at > now - DAY)
    }

    /// Counts an answer after the verdict on it.
    pub(super) fn answered(&mut self, charge: &Charge, verdict: LimitVerdict, at: Time) {
        self.answers.retain(|old| old.counts(at));
        self.help = self.help.filter(|old| *old > at - WEEK);
        let Charge { class, of, board, bytes } = charge.clone();
        let bytes = if class.is_forgeable() { bytes } else { 0 };
        let answered = match verdict {
            LimitVerdict::Silence => return,
            LimitVerdict::Full => CountedAnswer { class, of: TOO_LONG.into(), board, bytes: 0, at },
            LimitVerdict::Answer | LimitVerdict::Last | LimitVerdict::LastOfThese => {
                CountedAnswer { class, of, board, bytes, at }
            }
        };
        self.answers.push(answered);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::seconds;
    use crate::model::correspondent::CorrespondentEvent;
    use crate::model::document::Document as _;

    /// Judges an answer and counts it.
    fn say(mailbox: &mut Correspondent, charge: &Charge, now: Time) -> LimitVerdict {
        let verdict = mailbox.judge(charge, now, &RateLimits::default());
        mailbox.answered(charge, verdict, now);
        assert_eq!(Correspondent::from_text(&String::new(), &mailbox.to_text()).unwrap(), *mailbox);
        verdict
    }

    fn charge(class: AnswerClass, of: &str) -> Charge {
        Charge { class, of: of.into(), board: String::new(), bytes: 100 }
    }

    #[test]
    fn answers_are_counted_by_class_and_by_what_they_answer() {
        let now = Time::from_unix(1_000_000);
        let mailbox = &mut Correspondent::default();
        let mut say = |class, of: &str, at| say(mailbox, &charge(class, of), at);
        assert_eq!(say(AnswerClass::Error, "a", now), LimitVerdict::Answer);
        assert_eq!(say(AnswerClass::Error, "a", now), LimitVerdict::Silence, "the same once a day");
        for of in 0..8 {
            assert_eq!(say(AnswerClass::Error, &of.to_string(), now), LimitVerdict::Answer);
        }
        assert_eq!(say(AnswerClass::Error, "tenth", now), LimitVerdict::Last);
        assert_eq!(say(AnswerClass::Error, "eleventh", now), LimitVerdict::Silence);
        assert_eq!(say(AnswerClass::Own, "a", now), LimitVerdict::Answer, "a player's own count");
        for _ in 1..199 {
            assert_eq!(
                say(AnswerClass::Own, "a", now),
                LimitVerdict::Answer,
                "no person sends more"
            );
        }
        assert_eq!(say(AnswerClass::Own, "a", now), LimitVerdict::Last);
        assert_eq!(say(AnswerClass::Own, "a", now), LimitVerdict::Silence);
        assert_eq!(say(AnswerClass::Doubted, "a", now), LimitVerdict::Answer);
        assert_eq!(say(AnswerClass::Doubted, "b", now), LimitVerdict::Last);
        assert_eq!(say(AnswerClass::Doubted, "c", now), LimitVerdict::Silence);
        assert_eq!(say(AnswerClass::Error, "a", now + DAY), LimitVerdict::Answer);
        for of in ["a", "b", "c"] {
            assert_eq!(say(AnswerClass::Help, of, now), LimitVerdict::Answer);
            assert_eq!(
                say(AnswerClass::Help, of, now),
                LimitVerdict::Silence,
                "the same once in a week"
            );
        }
        assert_eq!(say(AnswerClass::Help, "d", now + WEEK - seconds(1)), LimitVerdict::Silence);
        assert_eq!(say(AnswerClass::Help, "a", now + WEEK), LimitVerdict::Answer);
        assert_eq!(say(AnswerClass::Prose, "a", now), LimitVerdict::Answer);
        assert_eq!(say(AnswerClass::Prose, "a", now + WEEK - seconds(1)), LimitVerdict::Silence);
        assert_eq!(say(AnswerClass::Prose, "a", now + WEEK), LimitVerdict::Answer);
    }

    #[test]
    fn replies_without_a_move_are_counted_by_board_and_by_words() {
        let (mailbox, now) = (&mut Correspondent::default(), Time::from_unix(1_000_000));
        let mut say = |of: &str, board: &str| {
            let charge = Charge { board: board.into(), ..charge(AnswerClass::Unread, of) };
            say(mailbox, &charge, now)
        };
        assert_eq!(say("a", "1"), LimitVerdict::Answer);
        assert_eq!(say("a", "1"), LimitVerdict::LastOfThese);
        assert_eq!(say("a", "1"), LimitVerdict::Silence);
        assert_eq!(say("a", "2"), LimitVerdict::Answer, "on another board");
        for of in 0..7 {
            assert_eq!(say(&of.to_string(), "1"), LimitVerdict::Answer);
        }
        assert_eq!(say("tenth", "1"), LimitVerdict::Last);
        assert_eq!(say("eleventh", "1"), LimitVerdict::Silence);
        assert_eq!(say("b", "2"), LimitVerdict::Answer);
    }

    #[test]
    fn answers_that_can_be_forged_are_limited_in_bytes() {
        let (mailbox, now) = (&mut Correspondent::default(), Time::from_unix(1_000_000));
        let of = |class, of: &str, bytes| Charge { bytes, ..charge(class, of) };
        for (number, verdict) in
            [LimitVerdict::Answer, LimitVerdict::Answer, LimitVerdict::Full, LimitVerdict::Silence]
                .into_iter()
                .enumerate()
        {
            let charge = of(AnswerClass::Asked, &number.to_string(), 30_000);
            assert_eq!(say(mailbox, &charge, now), verdict);
        }
        // Short answers are still sent, and those that only the player can cause.
        let short = of(AnswerClass::Asked, "signup", SHORT);
        assert_eq!(say(mailbox, &short, now), LimitVerdict::Answer);
        assert_eq!(say(mailbox, &of(AnswerClass::Own, "x", 90_000), now), LimitVerdict::Answer);
        for number in 0..40 {
            say(mailbox, &of(AnswerClass::Asked, &format!("{number}."), SHORT), now);
        }
        let spent: usize = mailbox.answers.iter().map(|old| old.bytes).sum();
        assert!(spent <= 100_000, "{spent}");
        assert_eq!(say(mailbox, &short, now + DAY), LimitVerdict::Answer);
    }

    #[test]
    fn an_address_of_a_player_is_answered_more_often() {
        let (mailbox, now) = (&mut Correspondent::default(), Time::from_unix(1_000_000));
        mailbox.apply(&CorrespondentEvent::Proved { at: now - WEEK + DAY });
        let of = |of: usize, bytes| Charge { bytes, ..charge(AnswerClass::Help, &of.to_string()) };
        let sent = (0..20).filter(|number| say(mailbox, &of(*number, 100), now).is_sent());
        assert_eq!(sent.count(), 10);
        let page = |of: &str| Charge { bytes: 30_000, ..charge(AnswerClass::Asked, of) };
        assert!((0..13).all(|number| say(mailbox, &page(&number.to_string()), now).is_sent()));
        assert!(!say(mailbox, &page("more"), now).is_sent());
        // A week later the sender counts as a stranger again.
        let later = now + DAY;
        let sent = (20..40).filter(|number| say(mailbox, &of(*number, 100), later).is_sent());
        assert_eq!(sent.count(), 0, "ten in the last seven days are more than three");
        let pages = (20..40).filter(|of| say(mailbox, &page(&of.to_string()), later).is_sent());
        assert_eq!(pages.count(), 2);
    }

    /// A document of a program that knew neither boards nor bytes.
    #[test]
    fn documents_of_earlier_programs_are_read() {
        let old = r#"{"format":1,"asked":[5],"answers":[{"class":"reply","of":"ab","at":999000},
            {"class":"help","of":"","at":1}],"help":999000}"#;
        let mailbox = Correspondent::from_text(&String::new(), old).unwrap();
        assert_eq!(mailbox.answers.len(), 2);
        let judge = |of: &str, now| {
            mailbox.judge(
                &charge(AnswerClass::Help, of),
                now,
                &RateLimits { help: 1, ..RateLimits::default() },
            )
        };
        assert_eq!(judge("a", Time::from_unix(1_000_000)), LimitVerdict::Silence);
        assert_eq!(judge("a", Time::from_unix(999_000) + WEEK), LimitVerdict::Answer);
    }
}
