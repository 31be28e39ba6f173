//! Clocks: how long a board has waited for whom, and what comes of it when.
//!
//! A clock is no state. It is the fold of a board's record, whose lines bear their times, and of
//! its players' vacations. All of it is in seconds since 1970, and days are those of UTC: where
//! summer time begins or ends, nothing happens here.

use crate::model::board::{Board, Proposal, Rewound};
use chrono::{DateTime, NaiveDate};
use games::Seat;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// Seconds of a day.
pub const DAY: i64 = 24 * 60 * 60;

/// The time of what never happens.
pub const NEVER: i64 = i64::MAX;

/// Days of vacation that a user may have in a calendar year.
pub const VACATION: i64 = 60;

/// A day of UTC, counted from 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Day(i64);

impl Day {
    /// The day of a time.
    pub fn of(at: i64) -> Self {
        Self(at.div_euclid(DAY))
    }

    /// The day that a date such as `2004-09-01` names.
    pub fn parse(word: &str) -> Option<Self> {
        let date: NaiveDate = word.parse().ok()?;
        Some(Self::of(date.and_hms_opt(0, 0, 0)?.and_utc().timestamp()))
    }

    /// When it begins, Unix seconds.
    pub fn start(self) -> i64 {
        self.0.saturating_mul(DAY)
    }

    /// The day so many later.
    #[must_use]
    pub fn plus(self, days: i64) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// Its year.
    fn year(self) -> i32 {
        use chrono::Datelike as _;
        DateTime::from_timestamp(self.start(), 0).map_or(0, |time| time.year())
    }
}

impl Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = DateTime::from_timestamp(self.start(), 0).unwrap_or_default();
        write!(f, "{}", time.format("%Y-%m-%d"))
    }
}

impl TryFrom<String> for Day {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        Self::parse(&word).ok_or_else(|| format!("`{word}` is no date such as 2004-09-01"))
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.to_string()
    }
}

/// Days on which a user's clocks stand still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vacation {
    /// The first of them.
    pub from: Day,
    /// The last of them.
    pub to: Day,
}

impl Vacation {
    fn start(&self) -> i64 {
        self.from.start()
    }

    fn end(&self) -> i64 {
        self.to.plus(1).start()
    }
}

/// The vacation that goes on at a time.
pub fn vacation_at(at: i64, vacations: &[Vacation]) -> Option<Vacation> {
    vacations.iter().copied().find(|one| one.start() <= at && at < one.end())
}

/// Vacations with one more, in order; those that meet or overlap are one.
pub fn with(vacations: &[Vacation], new: Vacation) -> Vec<Vacation> {
    let mut all: Vec<Vacation> = vacations.iter().copied().chain([new]).collect();
    all.sort_by_key(|one| one.from);
    let mut joined: Vec<Vacation> = Vec::with_capacity(all.len());
    for one in all {
        match joined.last_mut() {
            Some(last) if one.from <= last.to.plus(1) => last.to = last.to.max(one.to),
            _ => joined.push(one),
        }
    }
    joined
}

/// Vacations once the one that goes on has ended with that day; where none goes on, without those to
/// come.
pub fn ended(vacations: &[Vacation], today: Day) -> Vec<Vacation> {
    let goes_on = |one: &Vacation| one.from <= today && one.to >= today;
    if vacations.iter().any(goes_on) {
        let cut = |one: &Vacation| if goes_on(one) { Vacation { to: today, ..*one } } else { *one };
        return vacations.iter().map(cut).collect();
    }
    vacations.iter().copied().filter(|one| one.from <= today).collect()
}

/// The first year in which there are more days of vacation than a user may have.
pub fn overdrawn(vacations: &[Vacation]) -> Option<i32> {
    let (first, last) = (vacations.first()?.from.year(), vacations.last()?.to.year());
    (first..=last).find(|year| {
        let day = |year: i32| Day::parse(&format!("{year:04}-01-01"));
        let (Some(begins), Some(ends)) = (day(*year), day(year + 1)) else { return true };
        let days = |one: &Vacation| one.to.plus(1).min(ends).0 - one.from.max(begins).0;
        vacations.iter().map(|one| days(one).max(0)).sum::<i64>() > VACATION
    })
}

/// The seconds between two times that lie in no vacation; none if the second is the earlier one.
pub fn counted(from: i64, until: i64, vacations: &[Vacation]) -> i64 {
    let off = vacations.iter().map(|one| (one.end().min(until) - one.start().max(from)).max(0));
    (until.saturating_sub(from).max(0) - off.sum::<i64>()).max(0)
}

/// When so many seconds have been counted; a time in no vacation, unless one begins right then.
pub fn after(from: i64, seconds: i64, vacations: &[Vacation]) -> i64 {
    let (mut at, mut left) = (from, seconds);
    for one in vacations.iter().filter(|one| one.end() > from) {
        let before = (one.start() - at).max(0);
        if left < before || (left == before && left > 0) {
            break;
        }
        left -= before;
        at = one.end();
    }
    at.saturating_add(left)
}

/// How the two of a board stand with their time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Seconds that the board has waited for each seat, this turn included.
    pub used: [i64; 2],
    /// The turn that is running, if the board is not over.
    pub turn: Option<Turn>,
}

/// For whom a board waits, and what comes of it when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whose it is.
    pub seat: Seat,
    /// What he is to do.
    pub wanted: Wanted,
    /// When the next reminder is due, if there is one before the end.
    pub nag: Option<i64>,
    /// When the game ends, forfeited or as a draw.
    pub end: i64,
}

/// What a board waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A move.
    Move,
    /// An answer to a draw that was offered at that time. None is consent.
    Answer(i64),
}

/// What has to be done on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Nothing yet.
    Nothing,
    /// That seat is to be reminded.
    Nag(Seat),
    /// That seat's time is up.
    Forfeit(Seat),
    /// That seat has left a draw unanswered for so long that it is agreed.
    Draw(Seat),
}

impl Clock {
    /// The clocks of a board, with the vacations of its players, seat 0's first.
    ///
    /// A clock of the machine that was set back, or far ahead, does no harm: no time of the record
    /// is taken to be before an earlier one, nor after now.
    pub fn read(board: &Board, vacations: [&[Vacation]; 2], now: i64) -> Self {
        let end = board.ended_at().map_or(now, |end| end.min(now));
        let (mut used, waits_for, at) = waited(board, board.record.len(), vacations, end);
        let Some(seat) = waits_for else { return Self { used, turn: None } };
        let off = vacations[seat.index()];
        let before = used[seat.index()];
        used[seat.index()] += counted(at, end, off);
        let turn = (!board.is_over()).then(|| turn(board, seat, at, before, vacations, now));
        Self { used, turn }
    }

    /// What has to be done now.
    pub fn due(&self, now: i64) -> Due {
        match self.turn {
            Some(Turn { seat, wanted, end, .. }) if end <= now => match wanted {
                Wanted::Move => Due::Forfeit(seat),
                Wanted::Answer(_) => Due::Draw(seat),
            },
            Some(Turn { seat, nag: Some(nag), .. }) if nag <= now => Due::Nag(seat),
            _ => Due::Nothing,
        }
    }

    /// When the board has to be looked at again.
    pub fn wakeup(&self) -> i64 {
        self.turn.map_or(NEVER, |turn| turn.nag.map_or(turn.end, |nag| nag.min(turn.end)))
    }
}

/// The seconds that a board waited for each seat until so many entries stood in its record, whom it
/// waits for then, and since when, which is not after `end`.
pub fn waited(
    board: &Board,
    entries: usize,
    vacations: [&[Vacation]; 2],
    end: i64,
) -> ([i64; 2], Option<Seat>, i64) {
    let (mut used, mut waits_for, mut at, mut behind) = ([0; 2], board.begins(), board.started, 0);
    // What was used before moves were taken back stays used.
    if let Some(Rewound { at: then, entries, used: until, .. }) = board.rewound {
        let last = board.record[..entries].last();
        (used, at, behind) = (until, then, entries);
        waits_for = last.map_or(waits_for, |line| line.waits_for);
    }
    at = at.min(end);
    for line in board.record[..entries].iter().skip(behind) {
        let next = line.at.clamp(at, end.max(at));
        if let Some(seat) = waits_for {
            used[seat.index()] += counted(at, next, vacations[seat.index()]);
        }
        (at, waits_for) = (next, line.waits_for);
    }
    (used, waits_for, at)
}

/// What comes of a turn that began at a time. Who is to move waits himself while a draw is open that
/// was offered before his time was up, by him or to him: then it is the answer that is waited for.
fn turn(
    board: &Board,
    seat: Seat,
    at: i64,
    before: i64,
    vacations: [&[Vacation]; 2],
    now: i64,
) -> Turn {
    let terms = &board.terms;
    let off = vacations[seat.index()];
    let left = terms.total.map_or(i64::MAX, |total| (seconds(total) - before).max(0));
    let left = left.min(seconds(terms.forfeit));
    let up = after(at, left, off);
    let draw = board.offer.filter(|offer| offer.what == Proposal::Draw).and_then(|offer| {
        let since = offer.at.clamp(at, now.max(at));
        let asked = offer.by.other();
        // Who never moved has not taken the challenge, and agrees to nothing by silence.
        (since < up && board.has_moved(asked)).then_some((since, asked, offer.nags))
    });
    let (seat, wanted, (nag, end)) = match draw {
        None => (seat, Wanted::Move, waiting(terms, at, left, board.nags, off, now)),
        Some((since, asked, nags)) => {
            let off = vacations[asked.index()];
            let long = seconds(terms.forfeit);
            let wanted = Wanted::Answer(since);
            (asked, wanted, waiting(terms, since, long, nags, off, now))
        }
    };
    Turn { seat, wanted, nag, end }
}

/// When somebody is reminded next for whom a board has waited since a time, and when that ends, which
/// is so many seconds later. It does not end for who was to be reminded before and was not, because
/// the server stood still, nor within a day of his first reminder, if he had as much as a day.
fn waiting(
    terms: &Terms,
    since: i64,
    left: i64,
    nags: Option<Nags>,
    off: &[Vacation],
    now: i64,
) -> (Option<i64>, i64) {
    // What is late is due now, but not in a vacation.
    let due = |time: i64| if time <= now { after(now, 0, off) } else { time };
    let first = after(since, seconds(terms.nag).min((left - DAY).max(0)), off);
    let sent = nags.filter(|nags| nags.first >= since && nags.count(now));
    let next = sent.map_or(first, |nags| first.max(after(nags.last, DAY, off)));
    let warned = sent.map_or_else(|| due(first), |nags| nags.first);
    // Whose time was up while nobody could tell him has a day all the same.
    let notice = if left == 0 { DAY } else { left.min(DAY) };
    let end = due(after(since, left, off).max(after(warned, notice, off)));
    let nag = Some(due(next)).filter(|nag| *nag < end);
    (nag, end)
}

/// So many days, in seconds.
fn seconds(days: u32) -> i64 {
    i64::from(days) * DAY
}

/// The reminders of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nags {
    /// When the first was sent, Unix seconds.
    pub first: i64,
    /// When the last was.
    pub last: i64,
}

impl Nags {
    /// Whether they count: what bears a much later time than now was sent while the machine's clock
    /// was ahead.
    pub fn count(self, now: i64) -> bool {
        self.last <= now + 7 * DAY
    }
}

/// What the players of a board agreed on besides the rules: the times in days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Terms {
    /// After so many of one turn a player is reminded.
    pub nag: u32,
    /// After so many of one turn he forfeits.
    pub forfeit: u32,
    /// After so many of all his turns he forfeits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u32>,
    /// Whether the game leaves the ratings alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unrated: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self { nag: 7, forfeit: 21, total: None, unrated: false }
    }
}

impl Terms {
    /// The options of a challenge that make these.
    pub fn words(&self) -> impl Iterator<Item = String> {
        let usual = Self::default();
        let days =
            |name: &str, days: u32, usual: u32| (days != usual).then(|| format!("--{name}={days}"));
        let nag = days("nagtime", self.nag, usual.nag);
        let forfeit = days("forfeittime", self.forfeit, usual.forfeit);
        let total = self.total.map(|days| format!("--totaltime={days}"));
        let unrated = self.unrated.then(|| "--unrated".to_owned());
        [nag, forfeit, total, unrated].into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::UserId;
    use crate::model::board::{ClosedBy, Closing, Offer};
    use games::{Choices, Entry, Roll};
    use proptest::prelude::*;

    fn day(date: &str) -> Day {
        Day::parse(date).unwrap()
    }

    fn days(from: &str, to: &str) -> Vacation {
        Vacation { from: day(from), to: day(to) }
    }

    const START: i64 = 1_093_003_200;

    /// A board on which O moves at the first time, X at the second, and so on.
    fn board(times: &[i64]) -> Board {
        let game = games::find("malaka").unwrap();
        let players = ["alice", "bob"].map(|name| UserId::parse(name).unwrap());
        let mut board = Board::new(game, 1, players, Choices::default(), START);
        board.append(START, &[Entry::Rolled(Roll::One(1))]);
        let moves = ["a1-a2", "g9-g8,h9-h7", "a7-b7,a8-c8"];
        for (index, at) in times.iter().enumerate() {
            let (seat, text) = (Seat(u8::try_from(index % 2).unwrap()), moves[index].to_owned());
            board.append(*at, &[Entry::Moved { seat, text, auto: false }]);
            board.append(*at, &[Entry::Rolled(Roll::Two(2, 1))]);
        }
        board
    }

    fn clock(board: &Board, now: i64) -> Clock {
        Clock::read(board, [&[], &[]], now)
    }

    #[test]
    fn time_counts_for_whoever_is_to_move() {
        let board = board(&[START + 2 * DAY, START + 5 * DAY]);
        let now = START + 9 * DAY;
        let clock = clock(&board, now);
        assert_eq!(clock.used, [6 * DAY, 3 * DAY]);
        let turn = clock.turn.unwrap();
        assert_eq!((turn.seat, turn.nag), (Seat(0), Some(START + 12 * DAY)));
        assert_eq!(turn.end, START + 26 * DAY);
        assert_eq!(clock.wakeup(), START + 12 * DAY);
        let off = [days("2004-08-27", "2004-08-28"), days("2004-09-01", "2004-09-09")];
        let clock = Clock::read(&board, [&off, &[]], now);
        assert_eq!(clock.used, [4 * DAY, 3 * DAY], "two days of the turn were off");
        assert_eq!(clock.turn.unwrap().end, START + (26 + 11) * DAY);
    }

    #[test]
    fn all_turns_together_have_a_limit() {
        let mut board = board(&[START + 6 * DAY, START + 7 * DAY]);
        board.terms = Terms { total: Some(10), ..Terms::default() };
        let turn = clock(&board, START + 8 * DAY).turn.unwrap();
        assert_eq!((turn.end, turn.nag), (START + 11 * DAY, Some(START + 10 * DAY)));
        let due = |board: &Board, at: i64| clock(board, START + at).due(START + at);
        assert_eq!(due(&board, 11 * DAY), Due::Nag(Seat(0)));
        board.nags = Some(Nags { first: START + 10 * DAY, last: START + 10 * DAY });
        assert_eq!(due(&board, 11 * DAY - 1), Due::Nothing);
        assert_eq!(due(&board, 11 * DAY), Due::Forfeit(Seat(0)));
        // An hour that is left has its reminder at once, and is no day.
        board.nags = None;
        let used = [10 * DAY - 3600, 0];
        let entries = board.record.len();
        board.rewound = Some(Rewound { at: START, entries, used, moved: [true; 2] });
        let turn = clock(&board, START).turn.unwrap();
        assert_eq!((turn.nag, turn.end), (Some(START), START + 3600));
    }

    #[test]
    fn a_board_that_is_over_has_no_turn() {
        let mut board = board(&[START + DAY]);
        let closing = Closing { at: START + 3 * DAY, seat: 1, by: ClosedBy::Resigning };
        board.closing = Some(closing);
        let clock = clock(&board, START + 99 * DAY);
        assert_eq!((clock.used, clock.turn, clock.wakeup()), ([DAY, 2 * DAY], None, NEVER));
    }

    #[test]
    fn a_clock_that_was_set_back_counts_nothing_twice() {
        // X's move was recorded while the clock had fallen back by years.
        let board = board(&[START + 2 * DAY, START - 1000 * DAY]);
        let now = START + 3 * DAY;
        let clock = clock(&board, now);
        assert_eq!(clock.used, [3 * DAY, 0]);
        assert_eq!(clock.due(now), Due::Nothing, "nobody has let the board wait for years");
        assert_eq!(clock.turn.unwrap().nag, Some(START + 9 * DAY));
    }

    #[test]
    fn a_clock_that_ran_ahead_takes_no_time() {
        let board = board(&[START + DAY, START + 1000 * DAY]);
        for (now, used) in [(START + 2 * DAY, [DAY, DAY]), (START - DAY, [0, 0])] {
            let clock = clock(&board, now);
            assert_eq!((clock.used, clock.due(now)), (used, Due::Nothing));
        }
    }

    #[test]
    fn reminders_come_daily_and_the_end_not_without_one() {
        let mut board = board(&[]);
        let due = |board: &Board, at: i64| clock(board, START + at).due(START + at);
        assert_eq!(due(&board, 7 * DAY - 1), Due::Nothing);
        assert_eq!(due(&board, 7 * DAY), Due::Nag(Seat(0)));
        let late = 50 * DAY;
        assert_eq!(due(&board, late), Due::Nag(Seat(0)), "a reminder, however late");
        board.nags = Some(Nags { first: START + late, last: START + late });
        assert_eq!(due(&board, late + DAY - 1), Due::Nothing);
        assert_eq!(due(&board, late + DAY), Due::Forfeit(Seat(0)));
        let (first, last) = (START + 7 * DAY, START + 20 * DAY + 9);
        board.nags = Some(Nags { first, last });
        assert_eq!(due(&board, 21 * DAY - 1), Due::Nothing);
        assert_eq!(due(&board, 21 * DAY), Due::Forfeit(Seat(0)), "reminded in time");
        board.nags = Some(Nags { first, last: START + 12 * DAY });
        assert_eq!(due(&board, 13 * DAY), Due::Nag(Seat(0)));
        // The clock was set back: the last reminder lies ahead.
        assert_eq!(due(&board, 9 * DAY), Due::Nothing);
        // By years: it was ahead when it was sent, and that reminder counts for nothing.
        board.nags = Some(Nags { first: START + 900 * DAY, last: START + 900 * DAY });
        assert_eq!(due(&board, 9 * DAY), Due::Nag(Seat(0)));
    }

    #[test]
    fn nothing_is_due_in_a_vacation() {
        let board = board(&[]);
        let off = [days("2004-09-20", "2004-09-21")];
        let due = |now: i64| Clock::read(&board, [&off, &[]], now).due(now);
        let inside = day("2004-09-21").start() + 5;
        assert_eq!(due(inside), Due::Nothing);
        assert_eq!(due(off[0].end()), Due::Nag(Seat(0)));
        assert_eq!(Clock::read(&board, [&off, &[]], inside).wakeup(), off[0].end());
        assert_eq!(Clock::read(&board, [&[], &off], inside).due(inside), Due::Nag(Seat(0)));
    }

    fn offered(board: &mut Board, by: u8, at: i64) {
        board.offer = Some(Offer { by: Seat(by), what: Proposal::Draw, at, nags: None });
    }

    #[test]
    fn a_draw_left_unanswered_is_agreed_and_meanwhile_nobody_forfeits() {
        // Both have moved; it is O's turn from the second day on.
        for by in [0, 1] {
            let mut board = board(&[START + DAY, START + 2 * DAY]);
            let since = START + 5 * DAY;
            offered(&mut board, by, since);
            let asked = Seat(by).other();
            let due = |board: &Board, at: i64| clock(board, since + at).due(since + at);
            assert_eq!(due(&board, 7 * DAY - 1), Due::Nothing, "{by}");
            assert_eq!(due(&board, 7 * DAY), Due::Nag(asked), "who is asked is reminded");
            let late = 60 * DAY;
            assert_eq!(due(&board, late), Due::Nag(asked), "a reminder, however late");
            let nags = Nags { first: since + late, last: since + late };
            board.offer.as_mut().unwrap().nags = Some(nags);
            assert_eq!(due(&board, late + DAY - 1), Due::Nothing);
            assert_eq!(due(&board, late + DAY), Due::Draw(asked));
            let nags = Nags { first: since + 7 * DAY, last: since + 20 * DAY + 9 };
            board.offer.as_mut().unwrap().nags = Some(nags);
            assert_eq!(due(&board, 21 * DAY - 1), Due::Nothing, "O's time was up before");
            assert_eq!(due(&board, 21 * DAY), Due::Draw(asked));
            assert_eq!(clock(&board, since + 21 * DAY - 9).wakeup(), since + 21 * DAY);
            // Without the offer O's time is up; it was ended with a word to both.
            board.offer = None;
            board.nags = Some(Nags { first: since + 20 * DAY, last: since + 20 * DAY });
            assert_eq!(due(&board, 21 * DAY - 1), Due::Nothing);
            assert_eq!(due(&board, 21 * DAY), Due::Forfeit(Seat(0)));
        }
    }

    #[test]
    fn the_vacation_of_who_is_asked_does_not_count_for_his_answer() {
        let mut board = board(&[START + DAY, START + 2 * DAY]);
        offered(&mut board, 0, START + 5 * DAY);
        let away = [days("2004-09-01", "2004-09-10")];
        let turn = |vacations| Clock::read(&board, vacations, START + 5 * DAY).turn.unwrap();
        let (own, his) = (turn([&away, &[]]), turn([&[], &away]));
        assert_eq!((own.seat, own.end), (Seat(1), START + 26 * DAY));
        assert_eq!((his.seat, his.end), (Seat(1), START + 36 * DAY));
        let inside = day("2004-09-05").start();
        assert_eq!(Clock::read(&board, [&[], &away], inside).due(inside), Due::Nothing);
    }

    #[test]
    fn silence_is_consent_only_of_who_plays_and_to_what_was_offered_in_time() {
        // X has never moved.
        let mut new = board(&[START + DAY]);
        offered(&mut new, 0, START + 2 * DAY);
        let turn = clock(&new, START + 3 * DAY).turn.unwrap();
        assert_eq!((turn.wanted, turn.end), (Wanted::Move, START + 22 * DAY));
        // O's time is up on the 23rd day.
        let mut old = board(&[START + DAY, START + 2 * DAY]);
        for (at, wanted) in [
            (START + 23 * DAY - 1, Wanted::Answer(START + 23 * DAY - 1)),
            (START + 23 * DAY, Wanted::Move),
        ] {
            offered(&mut old, 0, at);
            assert_eq!(clock(&old, START + 24 * DAY).turn.unwrap().wanted, wanted);
        }
        // A move that is to be taken back is nothing to agree to by silence.
        let undo = Offer { by: Seat(1), what: Proposal::Undo, at: START + 3 * DAY, nags: None };
        old.offer = Some(undo);
        assert_eq!(clock(&old, START + 24 * DAY).turn.unwrap().wanted, Wanted::Move);
    }

    #[test]
    fn an_offer_dated_by_a_wrong_clock_counts_from_the_turn_or_from_now() {
        let mut board = board(&[START + DAY, START + 2 * DAY]);
        let now = START + 3 * DAY;
        for (at, since) in [(START - 1000 * DAY, START + 2 * DAY), (START + 1000 * DAY, now)] {
            offered(&mut board, 0, at);
            let turn = clock(&board, now).turn.unwrap();
            assert_eq!((turn.wanted, turn.end), (Wanted::Answer(since), since + 21 * DAY));
        }
        // Set back to before the game.
        assert_eq!(clock(&board, START - DAY).due(START - DAY), Due::Nothing);
    }

    #[test]
    fn where_no_reminder_comes_the_end_of_an_offer_still_leaves_a_day() {
        let mut board = board(&[START + DAY, START + 2 * DAY]);
        board.terms = Terms { nag: 21, ..Terms::default() };
        let ended = START + 30 * DAY;
        board.nags = Some(Nags { first: ended, last: ended });
        assert_eq!(clock(&board, ended).due(ended), Due::Nothing);
        assert_eq!(clock(&board, ended + DAY).due(ended + DAY), Due::Forfeit(Seat(0)));
        // An offer that ended early brings no early reminder.
        board.terms = Terms::default();
        board.nags = Some(Nags { first: START + 3 * DAY, last: START + 3 * DAY });
        let turn = clock(&board, START + 4 * DAY).turn.unwrap();
        assert_eq!((turn.nag, turn.end), (Some(START + 9 * DAY), START + 23 * DAY));
    }

    #[test]
    fn summer_time_changes_nothing() {
        for date in ["2004-03-28", "2004-10-31"] {
            let (before, after_it) = (day(date).start() - DAY, day(date).plus(1).start());
            assert_eq!(counted(before, after_it, &[]), 2 * DAY);
            assert_eq!(counted(before, after_it, &[days(date, date)]), DAY);
        }
        assert_eq!(Day::of(day("2004-03-28").start() + DAY - 1).to_string(), "2004-03-28");
    }

    #[test]
    fn a_year_has_sixty_days_of_vacation() {
        let year = days("2004-01-01", "2004-02-29");
        assert_eq!(overdrawn(&[year]), None, "31 and 29");
        assert_eq!(overdrawn(&[year, days("2004-12-31", "2005-01-30")]), Some(2004));
        assert_eq!(overdrawn(&[year, days("2005-01-01", "2005-03-01")]), None);
        assert_eq!(overdrawn(&[days("2004-12-31", "2005-03-02")]), Some(2005));
        assert_eq!(overdrawn(&[]), None);
    }

    #[test]
    fn vacations_that_meet_are_one_and_end_with_a_day() {
        let one = with(&[days("2004-09-01", "2004-09-05")], days("2004-09-06", "2004-09-07"));
        assert_eq!(one, [days("2004-09-01", "2004-09-07")]);
        let two = with(&one, days("2004-08-01", "2004-08-02"));
        assert_eq!(two, [days("2004-08-01", "2004-08-02"), one[0]]);
        let cut = [days("2004-08-01", "2004-08-02"), days("2004-09-01", "2004-09-03")];
        assert_eq!(ended(&two, day("2004-09-03")), cut);
        assert_eq!(ended(&two, day("2004-08-01"))[1], two[1], "only what goes on is ended");
        assert_eq!(ended(&two, day("2004-08-01"))[0], days("2004-08-01", "2004-08-01"));
        assert_eq!(ended(&two, day("2004-08-02")), two, "today is its last day");
        assert_eq!(ended(&two, day("2004-08-03")), [two[0]], "what is to come is taken back");
        assert_eq!(ended(&two, day("2004-07-31")), []);
    }

    #[test]
    fn dates_are_iso_dates() {
        assert_eq!(day("2004-02-29").to_string(), "2004-02-29");
        for bad in ["", "2004-02-30", "20040229", "29.2.2004", "2004-13-01", "tomorrow"] {
            assert_eq!(Day::parse(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn what_is_counted_until_then_is_what_was_asked_for(
            from in 0..100 * DAY,
            seconds in 1..100 * DAY,
            off in prop::collection::vec((0_i64..200, 0_i64..20), 0..6),
        ) {
            let off = off.iter().fold(Vec::new(), |all, (from, length)| {
                with(&all, Vacation { from: Day(*from), to: Day(from + length) })
            });
            let then = after(from, seconds, &off);
            prop_assert_eq!(counted(from, then, &off), seconds);
            prop_assert!(counted(from, then - 1, &off) < seconds);
        }
    }
}
