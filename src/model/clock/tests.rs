//! Tests of clocks, reminders and vacations.

use super::*;
use crate::base::ids::UserId;
use crate::base::time::{DAY, Day, HOUR, Span, Time, seconds};
use crate::base::zone::Zone;
use crate::model::board::{ClosedBy, Closing, Offer};
use games::{Choices, Entry, Roll};
use proptest::prelude::*;

fn day(date: &str) -> Day {
    Day::parse(date).unwrap()
}

fn days(from: &str, to: &str) -> Vacation {
    Vacation { from: day(from), to: day(to), zone: None }
}

/// No time off.
const NONE: TimeOff = TimeOff { vacations: &[], rests: &[] };

fn of(vacations: &[Vacation]) -> TimeOff<'_> {
    TimeOff { vacations, rests: &[] }
}

const START: Time = Time::from_unix(1_093_003_200);

/// Returns a board with moves at these times, O first.
fn board(times: &[Time]) -> Board {
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

fn clock(board: &Board, now: Time) -> Clock {
    Clock::read(board, [NONE; 2], now)
}

#[test]
fn time_counts_for_the_player_to_move() {
    let board = board(&[START + 2 * DAY, START + 5 * DAY]);
    let now = START + 9 * DAY;
    let clock = clock(&board, now);
    assert_eq!(clock.used, [6 * DAY, 3 * DAY]);
    let turn = clock.turn.unwrap();
    assert_eq!((turn.seat, turn.nag), (Seat(0), Some(START + 12 * DAY)));
    assert_eq!(turn.end, START + 26 * DAY);
    assert_eq!(clock.wakeup(), START + 12 * DAY);
    let off = [days("2004-08-27", "2004-08-28"), days("2004-09-01", "2004-09-09")];
    let clock = Clock::read(&board, [of(&off), NONE], now);
    assert_eq!(clock.used, [4 * DAY, 3 * DAY], "two days of the turn were off");
    assert_eq!(clock.turn.unwrap().end, START + (26 + 11) * DAY);
}

#[test]
fn all_turns_together_have_a_limit() {
    let mut board = board(&[START + 6 * DAY, START + 7 * DAY]);
    board.terms = BoardTerms { total_days: Some(10), ..BoardTerms::default() };
    let turn = clock(&board, START + 8 * DAY).turn.unwrap();
    assert_eq!((turn.end, turn.nag), (START + 11 * DAY, Some(START + 10 * DAY)));
    let due = |board: &Board, after: Span| clock(board, START + after).due(START + after);
    assert_eq!(due(&board, 11 * DAY), DueAction::Nag(Seat(0)));
    board.nags = Some(TurnReminders { first: START + 10 * DAY, last: START + 10 * DAY });
    assert_eq!(due(&board, 11 * DAY - seconds(1)), DueAction::Nothing);
    assert_eq!(due(&board, 11 * DAY), DueAction::Forfeit(Seat(0)));
    // An hour left is not a day: the reminder comes at once.
    board.nags = None;
    let used = [10 * DAY - HOUR, Span::ZERO];
    let entries = board.record.len();
    board.rewound = Some(RewindRecord { at: START, entries, used, banks: None, moved: [true; 2] });
    let turn = clock(&board, START).turn.unwrap();
    assert_eq!((turn.nag, turn.end), (Some(START), START + HOUR));
}

#[test]
fn a_board_that_is_over_has_no_turn() {
    let mut board = board(&[START + DAY]);
    let closing = Closing { at: START + 3 * DAY, seat: 1, by: ClosedBy::Resigning };
    board.closing = Some(closing);
    let clock = clock(&board, START + 99 * DAY);
    assert_eq!((clock.used, clock.turn, clock.wakeup()), ([DAY, 2 * DAY], None, Time::NEVER));
}

#[test]
fn a_clock_that_was_set_back_counts_nothing_twice() {
    // X's move was recorded while the clock was years behind.
    let board = board(&[START + 2 * DAY, START - 1000 * DAY]);
    let now = START + 3 * DAY;
    let clock = clock(&board, now);
    assert_eq!(clock.used, [3 * DAY, Span::ZERO]);
    assert_eq!(clock.due(now), DueAction::Nothing, "nobody has let the board wait for years");
    assert_eq!(clock.turn.unwrap().nag, Some(START + 9 * DAY));
}

#[test]
fn a_clock_that_ran_ahead_takes_no_time() {
    let board = board(&[START + DAY, START + 1000 * DAY]);
    for (now, used) in [(START + 2 * DAY, [DAY, DAY]), (START - DAY, [Span::ZERO; 2])] {
        let clock = clock(&board, now);
        assert_eq!((clock.used, clock.due(now)), (used, DueAction::Nothing));
    }
}

#[test]
fn reminders_come_daily_and_the_end_not_without_one() {
    let mut board = board(&[]);
    let due = |board: &Board, after: Span| clock(board, START + after).due(START + after);
    assert_eq!(due(&board, 7 * DAY - seconds(1)), DueAction::Nothing);
    assert_eq!(due(&board, 7 * DAY), DueAction::Nag(Seat(0)));
    let late = 50 * DAY;
    assert_eq!(due(&board, late), DueAction::Nag(Seat(0)), "a reminder, however late");
    board.nags = Some(TurnReminders { first: START + late, last: START + late });
    assert_eq!(due(&board, late + DAY - seconds(1)), DueAction::Nothing);
    assert_eq!(due(&board, late + DAY), DueAction::Forfeit(Seat(0)));
    let (first, last) = (START + 7 * DAY, START + 20 * DAY + seconds(9));
    board.nags = Some(TurnReminders { first, last });
    assert_eq!(due(&board, 21 * DAY - seconds(1)), DueAction::Nothing);
    assert_eq!(due(&board, 21 * DAY), DueAction::Forfeit(Seat(0)), "reminded in time");
    board.nags = Some(TurnReminders { first, last: START + 12 * DAY });
    assert_eq!(due(&board, 13 * DAY), DueAction::Nag(Seat(0)));
    // The clock was set back: the last reminder is in the future.
    assert_eq!(due(&board, 9 * DAY), DueAction::Nothing);
    // The clock was years ahead when the reminder was sent, so it does not count.
    board.nags = Some(TurnReminders { first: START + 900 * DAY, last: START + 900 * DAY });
    assert_eq!(due(&board, 9 * DAY), DueAction::Nag(Seat(0)));
}

#[test]
fn nothing_is_due_in_a_vacation() {
    let board = board(&[]);
    let off = [days("2004-09-20", "2004-09-21")];
    let due = |now: Time| Clock::read(&board, [of(&off), NONE], now).due(now);
    let inside = day("2004-09-21").start() + seconds(5);
    assert_eq!(due(inside), DueAction::Nothing);
    assert_eq!(due(off[0].end()), DueAction::Nag(Seat(0)));
    assert_eq!(Clock::read(&board, [of(&off), NONE], inside).wakeup(), off[0].end());
    assert_eq!(Clock::read(&board, [NONE, of(&off)], inside).due(inside), DueAction::Nag(Seat(0)));
}

#[test]
fn nothing_is_due_at_night_or_on_a_weekend() {
    let board = board(&[]);
    let zone = Zone::of_name("Europe/Berlin").unwrap();
    let rest =
        Rest { since: START - DAY, zone, days: Weekdays::WEEKEND, night: Night::parse("20-6") };
    let off = TimeOff { vacations: &[], rests: &[rest] };
    let read = |now: Time| Clock::read(&board, [off, NONE], now);
    // Fourteen hours of each working day count. The reminder is due after 7 * 24 hours.
    let due = read(START).wakeup();
    assert_eq!(due, day("2004-09-07").start() + 12 * HOUR, "{due}");
    let night = day("2004-09-06").start() + 22 * HOUR;
    assert!(off.has(night) && !off.has(night + 12 * HOUR));
    // A reminder that is late waits for the morning, and a late end for Monday.
    let late = day("2004-11-12").start() + 20 * HOUR;
    assert_eq!(read(late).due(late), DueAction::Nothing);
    assert_eq!(read(late).wakeup(), day("2004-11-15").start() + 5 * HOUR, "winter time");
    assert_eq!(Clock::read(&board, [NONE, off], late).due(late), DueAction::Nag(Seat(0)));
}

fn offered(board: &mut Board, by: u8, at: Time) {
    board.offer =
        Some(Offer { by: Seat(by), what: Proposal::Draw, at, nags: None, is_refused: false });
}

#[test]
fn a_draw_left_unanswered_is_agreed_and_meanwhile_nobody_forfeits() {
    // Both have moved; O is to move since the second day.
    for by in [0, 1] {
        let mut board = board(&[START + DAY, START + 2 * DAY]);
        let since = START + 5 * DAY;
        offered(&mut board, by, since);
        let asked = Seat(by).other();
        let due = |board: &Board, after: Span| clock(board, since + after).due(since + after);
        assert_eq!(due(&board, 7 * DAY - seconds(1)), DueAction::Nothing, "{by}");
        assert_eq!(due(&board, 7 * DAY), DueAction::Nag(asked), "the player asked is reminded");
        let late = 60 * DAY;
        assert_eq!(due(&board, late), DueAction::Nag(asked), "a reminder, however late");
        let nags = TurnReminders { first: since + late, last: since + late };
        board.offer.as_mut().unwrap().nags = Some(nags);
        assert_eq!(due(&board, late + DAY - seconds(1)), DueAction::Nothing);
        assert_eq!(due(&board, late + DAY), DueAction::Draw(asked));
        let nags = TurnReminders { first: since + 7 * DAY, last: since + 20 * DAY + seconds(9) };
        board.offer.as_mut().unwrap().nags = Some(nags);
        assert_eq!(
            due(&board, 21 * DAY - seconds(1)),
            DueAction::Nothing,
            "O's time was up before"
        );
        assert_eq!(due(&board, 21 * DAY), DueAction::Draw(asked));
        assert_eq!(clock(&board, since + 21 * DAY - seconds(9)).wakeup(), since + 21 * DAY);
        // Without the offer O runs out of time; the mail about its end was a reminder.
        board.offer = None;
        board.nags = Some(TurnReminders { first: since + 20 * DAY, last: since + 20 * DAY });
        assert_eq!(due(&board, 21 * DAY - seconds(1)), DueAction::Nothing);
        assert_eq!(due(&board, 21 * DAY), DueAction::Forfeit(Seat(0)));
    }
}

#[test]
fn the_vacation_of_the_player_asked_stops_the_clock_of_their_answer() {
    let mut board = board(&[START + DAY, START + 2 * DAY]);
    offered(&mut board, 0, START + 5 * DAY);
    let away = [days("2004-09-01", "2004-09-10")];
    let turn = |off| Clock::read(&board, off, START + 5 * DAY).turn.unwrap();
    let (of_author, of_asked) = (turn([of(&away), NONE]), turn([NONE, of(&away)]));
    assert_eq!((of_author.seat, of_author.end), (Seat(1), START + 26 * DAY));
    assert_eq!((of_asked.seat, of_asked.end), (Seat(1), START + 36 * DAY));
    let inside = day("2004-09-05").start();
    assert_eq!(Clock::read(&board, [NONE, of(&away)], inside).due(inside), DueAction::Nothing);
}

#[test]
fn silence_is_consent_only_of_active_players_and_to_draws_offered_in_time() {
    // X has never moved.
    let mut new = board(&[START + DAY]);
    offered(&mut new, 0, START + 2 * DAY);
    let turn = clock(&new, START + 3 * DAY).turn.unwrap();
    assert_eq!((turn.wanted, turn.end), (AwaitedAction::Move, START + 22 * DAY));
    // O runs out of time on the 23rd day.
    let mut old = board(&[START + DAY, START + 2 * DAY]);
    for (at, wanted) in [
        (START + 23 * DAY - seconds(1), AwaitedAction::Answer(START + 23 * DAY - seconds(1))),
        (START + 23 * DAY, AwaitedAction::Move),
    ] {
        offered(&mut old, 0, at);
        assert_eq!(clock(&old, START + 24 * DAY).turn.unwrap().wanted, wanted);
    }
    // Silence is no consent to an undo.
    let undo = Offer {
        by: Seat(1),
        what: Proposal::Undo,
        at: START + 3 * DAY,
        nags: None,
        is_refused: false,
    };
    old.offer = Some(undo);
    assert_eq!(clock(&old, START + 24 * DAY).turn.unwrap().wanted, AwaitedAction::Move);
}

#[test]
fn an_offer_dated_by_a_wrong_clock_counts_from_the_turn_or_from_now() {
    let mut board = board(&[START + DAY, START + 2 * DAY]);
    let now = START + 3 * DAY;
    for (at, since) in [(START - 1000 * DAY, START + 2 * DAY), (START + 1000 * DAY, now)] {
        offered(&mut board, 0, at);
        let turn = clock(&board, now).turn.unwrap();
        assert_eq!((turn.wanted, turn.end), (AwaitedAction::Answer(since), since + 21 * DAY));
    }
    // The clock was set back to before the game.
    assert_eq!(clock(&board, START - DAY).due(START - DAY), DueAction::Nothing);
}

#[test]
fn where_no_reminder_comes_the_end_of_an_offer_still_leaves_a_day() {
    let mut board = board(&[START + DAY, START + 2 * DAY]);
    board.terms = BoardTerms { nag_days: 21, ..BoardTerms::default() };
    let ended = START + 30 * DAY;
    board.nags = Some(TurnReminders { first: ended, last: ended });
    assert_eq!(clock(&board, ended).due(ended), DueAction::Nothing);
    assert_eq!(clock(&board, ended + DAY).due(ended + DAY), DueAction::Forfeit(Seat(0)));
    // The early end of an offer causes no early reminder.
    board.terms = BoardTerms::default();
    board.nags = Some(TurnReminders { first: START + 3 * DAY, last: START + 3 * DAY });
    let turn = clock(&board, START + 4 * DAY).turn.unwrap();
    assert_eq!((turn.nag, turn.end), (Some(START + 9 * DAY), START + 23 * DAY));
}

#[test]
fn summer_time_changes_nothing() {
    for date in ["2004-03-28", "2004-10-31"] {
        let (before, after_it) = (day(date).start() - DAY, day(date).plus(1).start());
        assert_eq!(counted_time(before, after_it, NONE), 2 * DAY);
        assert_eq!(counted_time(before, after_it, of(&[days(date, date)])), DAY);
    }
    assert_eq!((day("2004-03-28").start() + DAY - seconds(1)).day().to_string(), "2004-03-28");
}

#[test]
fn a_year_has_sixty_days_of_vacation() {
    let year = days("2004-01-01", "2004-02-29");
    assert_eq!(overdrawn_year(&[year]), None, "31 and 29");
    assert_eq!(overdrawn_year(&[year, days("2004-12-31", "2005-01-30")]), Some(2004));
    assert_eq!(overdrawn_year(&[year, days("2005-01-01", "2005-03-01")]), None);
    assert_eq!(overdrawn_year(&[days("2004-12-31", "2005-03-02")]), Some(2005));
    assert_eq!(overdrawn_year(&[year, days("2009-01-01", "2009-03-02")]), Some(2009));
    assert_eq!(overdrawn_year(&[]), None);
}

#[test]
fn vacations_that_meet_are_one_and_end_with_a_day() {
    let one = add_vacation(&[days("2004-09-01", "2004-09-05")], days("2004-09-06", "2004-09-07"));
    assert_eq!(one, [days("2004-09-01", "2004-09-07")]);
    let two = add_vacation(&one, days("2004-08-01", "2004-08-02"));
    assert_eq!(two, [days("2004-08-01", "2004-08-02"), one[0]]);
    let cut = [days("2004-08-01", "2004-08-02"), days("2004-09-01", "2004-09-03")];
    assert_eq!(end_vacations(&two, None, day("2004-09-03")), cut);
    assert_eq!(end_vacations(&two, None, day("2004-08-01")), [days("2004-08-01", "2004-08-01")]);
    assert_eq!(end_vacations(&two, None, day("2004-08-02")), [two[0]], "today is its last day");
    assert_eq!(
        end_vacations(&two, None, day("2004-08-03")),
        [two[0]],
        "what is to come is taken back"
    );
    assert_eq!(end_vacations(&two, None, day("2004-07-31")), []);
}

#[test]
fn the_vacation_that_has_a_day_is_ended_and_no_other() {
    let two = [days("2004-08-01", "2004-08-02"), days("2004-09-01", "2004-09-05")];
    for middle in ["2004-09-01", "2004-09-03", "2004-09-05"] {
        assert_eq!(end_vacations(&two, Some(day(middle)), day("2004-08-01")), [two[0]]);
        let cut = [two[0], days("2004-09-01", "2004-09-03")];
        assert_eq!(end_vacations(&two, Some(day(middle)), day("2004-09-03")), cut);
    }
    for other in ["2004-07-31", "2004-08-03", "2004-09-06"] {
        assert_eq!(end_vacations(&two, Some(day(other)), day("2004-07-30")), two, "{other}");
    }
    let begun = [days("2004-08-01", "2004-08-01"), two[1]];
    assert_eq!(end_vacations(&two, Some(day("2004-08-02")), day("2004-08-01")), begun);
    assert_eq!(end_vacations(&two, Some(day("2004-08-02")), day("2004-08-05")), two, "it is over");
}

#[test]
fn dates_are_iso_dates() {
    assert_eq!(day("2004-02-29").to_string(), "2004-02-29");
    for bad in ["", "2004-02-30", "20040229", "29.2.2004", "2004-13-01", "tomorrow"] {
        assert_eq!(Day::parse(bad), None, "{bad}");
    }
}

fn bank(start: u32, increment: u32, cap: u32) -> BoardTerms {
    let bank = Some(Bank { start_days: start, increment_hours: increment, cap_days: cap });
    BoardTerms { bank, forfeit_days: BoardTerms::usual_forfeit(bank), ..BoardTerms::default() }
}

#[test]
fn turns_use_up_a_bank_and_each_turn_adds_to_it_up_to_its_cap() {
    // O moves after two days, X after three more.
    let mut board = board(&[START + 2 * DAY, START + 5 * DAY]);
    board.terms = bank(5, 36, 6);
    let at = |after: Span| clock(&board, START + after);
    let o = 5 * DAY - 2 * DAY + 36 * HOUR;
    let x = 5 * DAY - 3 * DAY + 36 * HOUR;
    assert_eq!(at(5 * DAY).banks, Some([o, x]));
    assert_eq!(at(6 * DAY).banks, Some([o - DAY, x]));
    assert_eq!(at(6 * DAY).turn.unwrap().end, START + 5 * DAY + o);
    assert_eq!(at(99 * DAY).banks, Some([Span::ZERO, x]));
    let nags = |at: Time| TurnReminders { first: at, last: at };
    board.nags = Some(nags(START + 8 * DAY));
    let due = |after: Span| clock(&board, START + after).due(START + after);
    assert_eq!(due(5 * DAY + o), DueAction::Forfeit(Seat(0)));
    // The cap is reached at once by a fast move.
    let mut board = self::board(&[START + HOUR]);
    board.terms = bank(5, 36, 6);
    assert_eq!(clock(&board, START + HOUR).banks, Some([6 * DAY, 5 * DAY]));
    // Moves that were taken back give no time back.
    board.rewound = Some(RewindRecord {
        at: START + 3 * DAY,
        entries: 1,
        used: [2 * DAY, HOUR],
        banks: Some([4 * DAY, 5 * DAY]),
        moved: [true; 2],
    });
    board.record.truncate(1);
    assert_eq!(clock(&board, START + 4 * DAY).banks, Some([3 * DAY, 5 * DAY]));
}

#[test]
fn time_that_is_given_counts_for_the_turn_and_for_the_bank() {
    let gift = |after: Span, to: u8, days: u32| Gift { at: START + after, to, days };
    let mut board = board(&[START + DAY, START + 2 * DAY]);
    board.terms =
        BoardTerms { forfeit_days: 3, nag_days: 2, total_days: Some(10), ..BoardTerms::default() };
    let end = |board: &Board| clock(board, START + 3 * DAY).turn.unwrap().end;
    assert_eq!(end(&board), START + 5 * DAY);
    // A gift for an earlier turn does not lengthen this one, nor does one to the other player.
    board.gifts = vec![gift(HOUR, 0, 5), gift(2 * DAY + HOUR, 1, 5)];
    assert_eq!(end(&board), START + 5 * DAY);
    board.gifts.push(gift(3 * DAY, 0, 2));
    assert_eq!(end(&board), START + 7 * DAY);
    // It also lengthens what is left of all turns.
    board.terms.total_days = Some(2);
    board.gifts = vec![gift(3 * DAY, 0, 2)];
    assert_eq!(end(&board), START + 5 * DAY, "one day of two was used, and two were given");
    // A bank may be above its cap because of a gift; then it gets no increment.
    let mut board = self::board(&[START + DAY, START + 2 * DAY]);
    board.terms = bank(3, 24, 3);
    board.gifts = vec![gift(HOUR, 0, 7)];
    let clock = clock(&board, START + 3 * DAY);
    assert_eq!(clock.banks, Some([8 * DAY, 3 * DAY]));
    assert_eq!(clock.turn.unwrap().end, START + 11 * DAY);
}

proptest! {
    #[test]
    fn adding_counted_time_and_counting_it_are_inverse(
        from in 0..100 * DAY.seconds(),
        asked in 1..100 * DAY.seconds(),
        off in prop::collection::vec((0_i64..200, 0_i64..20), 0..6),
    ) {
        let off = off.iter().fold(Vec::new(), |all, (from, length)| {
            let from = Time::EPOCH.day().plus(*from);
            add_vacation(&all, Vacation { from, to: from.plus(*length), zone: None })
        });
        let (from, asked) = (Time::from_unix(from), seconds(asked));
        let then = add_counted_time(from, asked, of(&off));
        prop_assert_eq!(counted_time(from, then, of(&off)), asked);
        prop_assert!(counted_time(from, then - seconds(1), of(&off)) < asked);
    }

    /// Documents may contain any time, and the clock of the machine may show any time.
    #[test]
    fn no_time_of_a_document_overflows(times: [i64; 7], by in 0_u8..2) {
        let [now, started, first, second, offer, nag, last] = times.map(Time::from_unix);
        let mut board = board(&[first, second]);
        (board.started, board.record[0].at) = (started, started);
        board.nags = Some(TurnReminders { first: nag, last });
        offered(&mut board, by, offer);
        let off = [days("2004-09-01", "2004-09-10")];
        board.terms = bank(5, 36, 6);
        board.gifts = vec![Gift { at: offer, to: by, days: u32::MAX }];
        let clock = Clock::read(&board, [of(&off), NONE], now);
        prop_assert!(clock.used.iter().all(|used| *used >= Span::ZERO));
        prop_assert!(clock.due(now) == DueAction::Nothing || clock.wakeup() <= now);
        let _ = board.is_ahead(now);
    }
}
