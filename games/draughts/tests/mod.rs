//! Tests of the family, and of International Draughts.

mod slow;

use super::*;
use crate::kit::fixtures::{after, listed, refused};
use crate::kit::laws::{all_games, strength_tests};
use crate::kit::{Chance, Ending, Entry, Transcript};
use slow::{Slow, SlowEnd, SlowMove};
use std::collections::BTreeSet;

pub(crate) type Draughts = Position<International>;

pub(crate) fn at<V: Variant>(line: &str) -> Position<V> {
    Position::place(&Choices::default(), line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

pub(crate) fn reason<V: Variant>(position: &Position<V>) -> &'static str {
    match position.next() {
        Next::Over(Outcome::Won { reason, .. } | Outcome::Drawn { reason }) => reason,
        next => panic!("{next:?}"),
    }
}

fn usual() -> Draughts {
    Position::setup(&Choices::default())
}

fn slow_move<V: Variant>(m: &DraughtsMove) -> SlowMove {
    let [from, to] = m.ends().map(|end| *end.unwrap());
    let taken = Square::all_in(m.taken).map(|square| V::RULES.number(square).unwrap());
    (from, to, taken.collect())
}

/// Returns a line with a few men and kings at random.
fn random_line<V: Variant>(chance: &mut Chance) -> String {
    let squares = V::RULES.squares();
    let mut free: Vec<u8> = (1..=squares).collect();
    let row = V::RULES.size / 2;
    let mut sides = ["W", "B"].map(|side| {
        let items: Vec<String> = (0..=chance.below(7))
            .map(|_| {
                let number = free.swap_remove(chance.below(free.len()));
                let is_last = if side == "W" { number <= row } else { number > squares - row };
                let sign = if is_last || chance.below(3) == 0 { "K" } else { "" };
                format!("{sign}{number}")
            })
            .collect();
        format!("{side}{}", items.join(","))
    });
    sides.reverse();
    format!("{}:{}", ["W", "B"][chance.below(2)], sides.join(":"))
}

/// Plays two thousand random games beside the reference, half of them from random positions, and returns
/// how many were won, drawn by repetition, and drawn by counting.
pub(crate) fn games_beside_the_reference<V: Variant>(is_international: bool) -> [u32; 3] {
    let mut chance = Chance::new(39);
    let mut ends = [0; 3];
    for game in 0..2_000 {
        let mut position = if game % 2 == 0 {
            Position::<V>::setup(&Choices::default())
        } else {
            at::<V>(&random_line::<V>(&mut chance))
        };
        let mut slow = Slow::new(is_international, &position.notation());
        loop {
            let is_looked_at = chance.below(8) == 0 || !matches!(position.next(), Next::Move(_));
            if is_looked_at {
                let end = match position.next() {
                    Next::Over(Outcome::Won { by, .. }) => {
                        Some(SlowEnd::Lost(side::<V>(by.other()).chars().next().unwrap()))
                    }
                    Next::Over(Outcome::Drawn { .. }) => Some(SlowEnd::Drawn),
                    _ => None,
                };
                assert_eq!(end, slow.end(), "{}", position.notation());
                let moves = position.legal_moves();
                let found: BTreeSet<SlowMove> = moves.iter().map(slow_move::<V>).collect();
                assert_eq!(found, slow.moves(), "{}", position.notation());
                assert_eq!(found.len(), moves.len());
            }
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            let m = &moves[chance.below(moves.len())];
            slow.make(&slow_move::<V>(m));
            position.play(m);
        }
        ends[match position.next() {
            Next::Over(Outcome::Won { .. }) => 0,
            _ if position.past.repeats() => 1,
            _ => 2,
        }] += 1;
    }
    ends
}

#[test]
fn a_slow_reference_finds_the_same_in_two_thousand_random_games() {
    let ends = games_beside_the_reference::<International>(true);
    println!("{ends:?}");
    // Few random games of flying kings repeat a position.
    assert!(ends[0] > 20 && ends[2] > 20, "{ends:?}");
}

/// Published numbers, in which captures of the same men with one start and one end are one move.
#[test]
fn sequences_of_moves_are_counted_as_published() {
    let count = |depth| Draughts::perft(&Choices::default(), depth);
    assert_eq!([1, 2, 3, 4, 5, 6].map(count), [9, 81, 658, 4265, 27117, 167_140]);
}

#[test]
#[ignore = "counts eight moves"]
fn sequences_of_seven_and_eight_moves_are_counted_as_published() {
    let count = |depth| Draughts::perft(&Choices::default(), depth);
    assert_eq!([7, 8].map(count), [1_049_442, 6_483_961]);
}

#[test]
fn the_start_has_twenty_men_a_side_and_white_begins() {
    let start = usual();
    let line = "W:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20";
    assert_eq!(start.notation(), line);
    assert_eq!(
        listed(&start),
        ["31-26", "31-27", "32-27", "32-28", "33-28", "33-29", "34-29", "34-30", "35-30"]
    );
}

#[test]
fn squares_have_the_numbers_that_the_drawing_shows() {
    for rules in [International::RULES, crate::checkers::Checkers::RULES] {
        let men = MenKind::Draughtsmen;
        let board =
            TiledBoard { men, ..TiledBoard::new(["White", "Black"], rules.size, rules.size) };
        for number in 1..=rules.squares() {
            let square = rules.square(number).unwrap();
            assert_eq!(rules.number(square), Some(number));
            assert_eq!(board.number(square.into()), Some(number.into()));
        }
        assert_eq!((rules.square(0), rules.square(rules.squares() + 1)), (None, None));
    }
}

#[test]
fn a_side_takes_as_many_men_as_it_can() {
    // One man, or two.
    let start = at::<International>("W:W32,37:B27,28,18");
    assert_eq!(listed(&start), ["32x12", "32x21"].map(String::from)[..1]);
    assert_eq!(refused(&start, "32x21"), "you must take 2 men, the most that you can: 32x12");
    assert_eq!(refused(&start, "37-31"), "you must take 2 men, the most that you can: 32x12");
    assert_eq!(refused(&start, "32x23"), "the man must go on taking: send 32x23x12");
}

#[test]
fn men_take_backwards_and_stay_men_where_they_pass_the_last_row() {
    let start = at::<International>("W:W12:B8,9,20");
    let moves = start.moves();
    assert_eq!(moves[0].in_full(), "12x3x14x25");
    let end = after(&start, "12x25");
    assert_eq!(
        (end.notation(), reason(&end)),
        ("B:W25:B last=12-3-14-25".into(), "by taking all men")
    );
    // The man ends there.
    let crowned = after(&at::<International>("W:W12:B8,45"), "12x3");
    assert!(crowned.notation().starts_with("B:WK3:B45"), "{}", crowned.notation());
}

#[test]
fn kings_fly() {
    let king = at::<International>("W:WK46:B23,5");
    assert_eq!(listed(&king), ["46x19", "46x14", "46x10"]);
    assert_eq!(listed(&at::<International>("W:WK46:B1")).len(), 9);
}

#[test]
fn captures_with_the_same_ends_are_told_apart_by_their_squares() {
    let mut chance = Chance::new(8);
    let mut seen = 0;
    while seen < 50 {
        let start = at::<International>(&random_line::<International>(&mut chance));
        let moves = start.moves();
        for m in moves.iter().filter(|m| m.is_long) {
            seen += 1;
            assert!(m.to_string().matches('x').count() > 1);
            assert_eq!(start.read(&m.to_string()).as_ref(), Ok(m));
            assert_eq!(start.read_recorded(&m.to_string()).as_ref(), Ok(m));
            let [from, to] = m.ends().map(|end| *end.unwrap());
            let short = start.read(&format!("{from}x{to}")).unwrap_err();
            let same = moves.iter().filter(|other| other.ends() == m.ends());
            assert_eq!(short, MoveError::Ambiguous(same.map(ToString::to_string).collect()));
        }
    }
}

#[test]
fn a_move_is_read_in_every_spelling() {
    let start = usual();
    for text in [
        "32-28",
        "32 28",
        "32 to 28",
        "32->28",
        "32/28",
        "1. 32-28",
        "32 - 28.",
        "d4-e5",
        "D4-E5",
        "d4e5",
        "d4 e5",
        "32-e5",
        "32\u{2013}28",
    ] {
        let read = start.read(text).map(|m| m.to_string());
        assert_eq!(read.as_deref(), Ok("32-28"), "{text}");
    }
    let double = at::<International>("W:W32,37:B27,28,18");
    for text in [
        "32x12",
        "32x23x12",
        "32:12",
        "32-12",
        "32 x 12",
        "32x23, 23x12",
        "32-23-12",
        "32X12",
        "32 23 12",
        "32\u{d7}12",
        "d4xd8",
        "32x23 and 12",
        "32*23*12",
    ] {
        let read = double.read(text).map(|m| m.to_string());
        assert_eq!(read.as_deref(), Ok("32x12"), "{text}");
    }
    assert!(double.read_recorded("32x23x12").is_err() && double.read_recorded("32-12").is_err());
}

#[test]
fn a_move_is_refused_with_the_reason() {
    let start = usual();
    for (text, why) in [
        ("28-23", "there is no white man on 28"),
        ("19-23", "there is no white man on 19"),
        ("32-37", "there is a white man on 37"),
        ("32-22", "the man on 32 can move to 27 or 28, not to 22"),
        ("35-29", "the man on 35 can move to 30, not to 29"),
        ("38-29", "the man on 38 cannot move now"),
        ("32x28", "no man is taken by this move: send 32-28"),
        ("32x21x12", "there is no man to take"),
        ("32-51", "there is no square 51: the squares are 1 to 50"),
        ("0-28", "there is no square 0: the squares are 1 to 50"),
        ("d4-d5", "d5 is a light square, and men stay on dark ones"),
        ("d4-k5", "there is no square k5"),
        ("32", "expected the square where the man ends, as in 22-18 at column 3"),
        ("hello", "expected a move such as 22-18 at column 1"),
        ("32-28 please", "expected nothing more at column 7"),
        ("32-32", "there is a white man on 32"),
    ] {
        assert_eq!(refused(&start, text), why, "{text}");
    }
    let long = "32x".repeat(30) + "28";
    assert!(refused(&start, &long).starts_with("expected nothing more"));
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let start = at::<International>("W:WK46,50:BK1,6");
    let once = "46-41 1-7 41-46 7-1";
    let before = after(&start, &format!("{once} 46-41 1-7 41-46"));
    assert!(matches!(before.next(), Next::Move(_)));
    assert_eq!(at::<International>(&before.notation()), before);
    assert_eq!(reason(&after(&before, "7-1")), "the position has come for the third time");
    // A man moved or taken ends the past.
    assert!(after(&before, "6-11").past.is_empty());
}

/// Plays moves that take nothing, let nothing be taken and repeat no position, until the game is over for
/// this reason, and returns how many were made.
pub(crate) fn quiet_moves_until<V: Variant>(line: &str, why: &str, kings_alone: bool) -> usize {
    let mut chance = Chance::new(3);
    'game: for _ in 0..10_000 {
        let (mut position, mut made) = (at::<V>(line), 0);
        while let Next::Move(seat) = position.next() {
            let kings = position.board.kings[seat.index()];
            let mut moves = position.moves();
            moves.retain(|m| {
                let step = Position::<V>::step(m).unwrap();
                let mut next = position.clone();
                next.play(m);
                let is_king = step.from.is_in(kings) || !kings_alone;
                step.taken == 0 && is_king && !next.past.repeats() && !next.board.must_take()
            });
            if moves.is_empty() {
                continue 'game;
            }
            position.play(&moves[chance.below(moves.len())]);
            made += 1;
            assert_eq!(at::<V>(&position.notation()), position);
        }
        if reason(&position).contains(why) {
            return made;
        }
    }
    panic!("{line} never ends so");
}

#[test]
fn kings_that_move_alone_draw_after_twenty_five_moves_of_each_side() {
    let line = "W:WK46,50:BK1,6";
    assert_eq!(quiet_moves_until::<International>(line, "25 moves of each side", true), 50);
}

#[test]
fn a_king_alone_draws_after_sixteen_moves_or_five() {
    for (line, moves, men) in [
        ("W:WK46,K47,K48:BK3", 32, "three men"),
        ("W:WK46,K47,45:BK3", 32, "three men"),
        ("B:WK3:BK46,31,32", 32, "three men"),
        ("W:WK46,K47:BK3", 10, "two men at most"),
        ("W:WK46,35:BK3", 10, "two men at most"),
        ("W:WK46:BK3", 10, "two men at most"),
    ] {
        assert_eq!(quiet_moves_until::<International>(line, men, false), moves, "{line}");
    }
    // Three men without a king are no such ending.
    let men = at::<International>("W:W46,47,48:BK3");
    assert!(men.counted_draws().count() == 1);
}

#[test]
fn a_side_that_cannot_move_loses() {
    let blocked = after(&at::<International>("W:W36,27:B26,16,21,17"), "27-22");
    assert!(matches!(blocked.next(), Next::Move(_) | Next::Over(_)));
    let stuck = at::<International>("W:W36:B31,27,26");
    assert_eq!(
        stuck.next(),
        Next::Over(Outcome::Won { by: Seat(1), points: 1, reason: "by blocking all men" })
    );
}

#[test]
fn a_line_that_is_no_position_is_refused() {
    for (line, why) in [
        ("", "a position is the side to move"),
        ("W", "a position is the side to move"),
        ("X:W31:B1", "a position is the side to move"),
        ("W:W31", "a position is the side to move"),
        ("W:W31:W32", "a position is the side to move"),
        ("W:W31:X1", "a position is the side to move"),
        ("W:W31:", "a position is the side to move"),
        ("W:Wé:B1", "a position is the side to move"),
        ("W:W31,31:B1", "there are two men on square 31"),
        ("W:W31:B31", "there are two men on square 31"),
        ("W:W51:B1", "there is no square 51"),
        ("W:W0:B1", "there is no square 0"),
        ("W:W300:B1", "a position is the side to move"),
        ("W:W3:B1", "a man on the last row is a king"),
        ("W:W31:B46", "a man on the last row is a king"),
        ("W:W21-41:B1", "a side has at most 20 men"),
        ("W:W31:B1 last=1-7", "a position is the side to move"),
        ("W:W31:B7 last=1x7", "a position is the side to move"),
        ("W:W31:B7 ending=1,0", "a position is the side to move"),
        ("W:W31:B7 ending=1", "a position is the side to move"),
        ("W:WK31:BK7 ending=0,11", "a position is the side to move"),
        ("W:W31:B7 past=abcde", "the last of the earlier positions is not this position"),
        ("W:W31:B7 ballot=1", "a position is the side to move"),
        ("W:W31:B7 more", "a position is the side to move"),
        ("undrawn", "a position is the side to move"),
    ] {
        let error = Draughts::place(&Choices::default(), line).unwrap_err();
        assert!(error.starts_with(why), "{line}: {error}");
    }
    let ranges = at::<International>("w:b1-3,K4,k5:w48-50.");
    assert_eq!(ranges.notation(), "W:W48,49,50:B1,2,3,K4,K5");
    for (line, why) in [
        ("W:W:B1", "the game is over in this position"),
        ("W:W31:B7 last=1-7", "a position is the side to move"),
    ] {
        assert!(start_position::<International>(line).unwrap_err().starts_with(why), "{line}");
    }
}

/// Records with a start of their own, comments, variations and results are read.
#[test]
fn records_are_written_and_read() {
    let file = "[White \"one\"]\n[Black \"two\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\n\
                1. 32-28 {a \"comment\"} 19-23 $1 2.28x19 (2. 33-29) 14x23! ; the rest\n3. 37-32 2-0\n\
                [FEN \"B:W31,K46:B2,12-14\"]\n1... 14-19 2. 46x5 *\n";
    let games = all_games(read_pdn::<International>(file)).unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].players, ["one", "two"]);
    let text = |game: &Transcript| {
        let moves = game.record.iter().map(|entry| match entry {
            Entry::Moved { text, .. } => text.clone(),
            other => panic!("{other:?}"),
        });
        moves.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(text(&games[0]), "32-28 19-23 28x19 14x23 37-32");
    // Black lost a game that was not over: a loser who was not beaten on the board has resigned.
    assert_eq!([games[0].ending, games[1].ending], [Some(Ending::Resigned(Seat(1))), None]);
    assert_eq!(games[1].options.get(POSITION), Some("B:W31,K46:B2,12,13,14"));
    for game in &games {
        let written = write_pdn::<International>(game).unwrap();
        let again = all_games(read_pdn::<International>(&written)).unwrap();
        assert_eq!(again, std::slice::from_ref(game), "{written}");
    }
    assert_eq!(
        write_pdn::<International>(&games[1]).unwrap(),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
         [Result \"*\"]\n[GameType \"20,W,10,10,N2,0\"]\n[SetUp \"1\"]\n[FEN \"B:W31,K46:B2,12,13,14\"]\n\n\
         1... 14-19 2. 46x5 *\n"
    );
    assert_eq!(write_fen::<International>(&games[1]).unwrap(), "B:WK5,31:B2,12,13\n");
}

#[test]
fn records_that_cannot_be_read_are_refused_with_their_lines() {
    for (file, why) in [
        ("", "there is no game in the file"),
        ("1. 32-28\n32-27", "line 2: 32-27: there is no black man on 32"),
        (
            "[GameType \"25\"]\n1. 32-28",
            "line 2: GameType 25 is not International Draughts, which is 20",
        ),
        ("[FEN \"W:W:B1\"]\n\n*", "line 3: "),
        ("[FEN \"W:W32\"]\n*", "line 2: FEN: a position is the side to move"),
        ("[FEN \"W:W6:B46\"]\n*", "line 2: FEN: a man on the last row"),
        ("[FEN \"W:W6:B50\"]\n*", "line 2: FEN: a man on the last row"),
        (
            "[FEN \"W:W12:B7,45\"]\n1. 12x1 45-50\n2. 1-50 3",
            "line 3: 1-50: there is a black man on 50",
        ),
    ] {
        let error = all_games(read_pdn::<International>(file)).unwrap_err();
        assert!(error.starts_with(why), "{file}: {error}");
    }
}

/// Texts that are nearly moves, positions and records are refused, never more.
#[test]
fn mutilated_texts_are_refused() {
    const SIGNS: &[u8] = b"0123456789x-:,. KWBabcdefghij[]{}()\"=;$%!?*/\n";
    let mut chance = Chance::new(12);
    let position = at::<International>("W:W28,31,32,K50:B14,19,23,K5");
    let record = "[FEN \"W:W28,31,32,K50:B14,19,23,K5\"]\n1. 28x10 {c} (1. x) 5x14 2. 31-27 *\n";
    let texts = ["28x19x10", "W:W28,31,32,K50:B14,19,23,K5 last=18-23 past=abcde", record];
    for index in 0..30_000 {
        let mut text = texts[index % 3].as_bytes().to_vec();
        for _ in 0..=chance.below(4) {
            let at = chance.below(text.len());
            let sign = SIGNS[chance.below(SIGNS.len())];
            match chance.below(3) {
                0 => text[at] = sign,
                1 => text.insert(at, sign),
                _ => drop(text.remove(at)),
            }
        }
        let text = String::from_utf8(text).unwrap();
        if let Ok(m) = position.read(&text) {
            assert!(position.moves().contains(&m), "{text}");
        }
        if let Ok(placed) = Draughts::place(&Choices::default(), &text) {
            assert_eq!(at::<International>(&placed.notation()), placed, "{text}");
        }
        for game in all_games(read_pdn::<International>(&text)).unwrap_or_default() {
            write_pdn::<International>(&game).unwrap();
        }
    }
}

/// A king among as many men as it can take, with all squares between them free.
#[test]
fn the_longest_captures_are_found_in_bounded_time() {
    let line = "W:WK46,K47,K48,K49,K50:B7,8,9,10,17,18,19,20,27,28,29,30,37,38,39,40";
    let start = at::<International>(line);
    let moves = start.moves();
    let most = moves.iter().map(|m| m.taken.count_ones()).max();
    println!("{} moves, {most:?} men", moves.len());
    assert!(most >= Some(9), "{most:?}");
}

strength_tests!(Draughts, 4 games on [&[][..]], many on &[&[]]);

/// Prints how long the highest level thinks, for docs/strength.md.
#[test]
#[ignore = "measures time"]
fn the_highest_level_thinks_for_milliseconds() {
    think::<International>();
}

/// Prints the times of the highest level's moves in games against itself.
#[expect(clippy::disallowed_methods, reason = "measures time")]
pub(crate) fn think<V: Variant>() {
    let mut chance = Chance::new(1);
    // What the machine does beside does not count.
    let spent = || {
        let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        stat.split(' ').next().unwrap().parse::<u64>().unwrap() / 1_000
    };
    let mut times = Vec::new();
    for _ in 0..6 {
        let mut position = Position::<V>::setup(&Choices::default());
        while let Next::Move(_) = position.next() {
            let begun = spent();
            let m = position.choose(4, &mut |limit| chance.below(limit)).unwrap();
            times.push(spent() - begun);
            position.play(&m);
        }
    }
    times.sort_unstable();
    let part = |percent: usize| times[times.len() * percent / 100];
    println!(
        "{} moves: p50 {} us, p95 {} us, max {:?} us",
        times.len(),
        part(50),
        part(95),
        times.last()
    );
}
