//! Tests of Chess.

use super::*;
use crate::kit::fixtures::{after, begun, options, place, start};
use crate::kit::laws::{all_games, strength_tests};
use crate::kit::{Chance, Entry, Transcript, View, count_from};
use proptest::prelude::*;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn placed(fen: &str) -> Position {
    Position::place(&Choices::default(), fen).unwrap()
}

fn drawn(position: &Position) -> &'static str {
    match position.next() {
        Next::Over(Outcome::Drawn { reason }) => reason,
        other => panic!("{other:?}"),
    }
}

/// Published numbers: the Chess Programming Wiki, "Perft Results" and "Chess960 Perft Results".
#[test]
fn as_many_moves_as_published() {
    let start = Board::startpos();
    assert_eq!([1, 2, 3, 4].map(|depth| perft_of(&start, depth)), [20, 400, 8_902, 197_281]);
    assert_eq!(perft_of(&start, 5), 4_865_609);
    let kiwipete = placed(KIWIPETE).board;
    assert_eq!([1, 2, 3].map(|depth| perft_of(&kiwipete, depth)), [48, 2_039, 97_862]);
    assert_eq!(perft_of(&kiwipete, 4), 4_085_603);
    for (fen, counts) in [
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            [21, 528, 12_189, 326_672],
        ),
        (
            "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
            [21, 807, 18_002, 667_366],
        ),
        ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", [20, 479, 10_471, 273_318]),
    ] {
        let board = place::<Position>(&["start=0"], fen).unwrap().board;
        assert_eq!([1, 2, 3, 4].map(|depth| perft_of(&board, depth)), counts, "{fen}");
    }
}

/// The same numbers from the moves that the server lists and plays.
#[test]
fn as_many_moves_through_the_interface() {
    let choices = Choices::default();
    assert_eq!([1, 2, 3].map(|depth| Position::perft(&choices, depth)), [20, 400, 8_902]);
    let listed = |position: &Position, depth| count_from(position, depth);
    assert_eq!(listed(&Position::setup(&choices), 4), 197_281);
    assert_eq!(listed(&placed(KIWIPETE), 3), 97_862);
}

#[test]
fn a_move_is_read_however_it_is_written() {
    let start = "rnbqk2r/pPpp1ppp/5n2/2b1p3/2B1P3/5N2/PP1P1PPP/RNBQK2R w KQkq - 0 5";
    for (texts, san) in [
        (
            &["Nxe5", "nxe5", "NXE5", "f3e5", "f3-e5", "F3xE5", "Nf3xe5", "Nfe5", "N3xe5", "Ne5"][..],
            "Nxe5",
        ),
        (
            &["O-O", "0-0", "o-o", "O - O", "O\u{2013}O", "e1g1", "e1-g1", "Kg1", "e1h1", "Kxh1"],
            "O-O",
        ),
        (
            &[
                "d4",
                "d2d4",
                "d2-d4",
                "D4",
                "Pd4",
                "1. d4",
                "5.d4!?",
                "d4 e.p.",
                "d2 \u{2192} d4",
                "d2 d4",
            ],
            "d4",
        ),
        (
            &["Bxf7+", "bxf7", "Bf7", "c4f7", "Bxf7+!!", "B\u{d7}f7", "B:f7", "Bxf7 #", "BXF7"],
            "Bxf7+",
        ),
        (&["bxa8=Q", "bxa8Q", "bxa8(q)", "b7a8q", "b7-a8=Q", "ba8Q", "bxa8/Q"], "bxa8=Q"),
        (&["bxa8=B", "b7a8b", "BXA8=B"], "bxa8=B"),
        (&["b4", "B4", "b2b4"], "b4"),
        (&["b3"], "b3"),
        (&["Bb3", "bb3", "BB3", "c4b3"], "Bb3"),
    ] {
        for text in texts {
            let found = placed(start).read(text).map(|m| m.to_string());
            assert_eq!(found.as_deref(), Ok(san), "{text}");
        }
    }
    let long = placed("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
    for text in ["O-O-O", "0-0-0", "e8c8", "Kc8", "e8a8", "1... O-O-O+"] {
        assert_eq!(long.read(text).unwrap().to_string(), "O-O-O", "{text}");
    }
}

#[test]
fn a_move_that_can_mean_two_is_asked_for_again() {
    let two = placed("4k3/1P6/8/1p6/P1P5/8/1B6/4K3 w - - 0 1");
    let readings = |text: &str| match two.read(text) {
        Err(MoveError::Ambiguous(readings)) => readings,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(readings("b8"), ["b8=N", "b8=B", "b8=R+", "b8=Q+"].map(String::from).to_vec());
    let knights = placed("4k3/8/8/8/8/8/3K4/1N3N2 w - - 0 1");
    let error = knights.read("Nd2").unwrap_err().to_string();
    assert_eq!(error, "your own king is on d2");
    let knights = placed("4k3/8/8/8/8/8/8/KN3N2 w - - 0 1");
    assert!(matches!(knights.read("Nd2"), Err(MoveError::Ambiguous(of)) if of == ["Nbd2", "Nfd2"]));
    assert_eq!(knights.read("Nbd2").unwrap().to_string(), "Nbd2");
}

#[test]
fn an_impossible_move_is_refused_with_the_reason() {
    let refused = |fen: &str, text: &str| placed(fen).read(text).unwrap_err().to_string();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(refused(start, "e5"), "none of your pawns can go to e5");
    assert_eq!(refused(start, "Nd4"), "none of your knights can go to d4");
    assert_eq!(refused(start, "e2e5"), "your pawn on e2 cannot go to e5");
    assert_eq!(refused(start, "e4e5"), "you have no man on e4");
    assert_eq!(refused(start, "Nc1"), "your own bishop is on c1");
    assert_eq!(refused(start, "O-O"), "you cannot castle on the side of the h-file now");
    assert_eq!(
        refused(start, "e4=Q"),
        "only a pawn on the last rank becomes another man, not on e4"
    );
    assert!(refused(start, "claim").starts_with("a draw can be claimed when"));
    let pinned = "4r1k1/8/8/8/8/8/4N3/4K2R w K - 0 1";
    assert_eq!(refused(pinned, "Nc3"), "your king would be in check");
    let checked = "4r1k1/8/8/8/8/8/3P4/4K2R w K - 0 1";
    assert_eq!(refused(checked, "d4"), "you would still be in check");
    assert_eq!(refused(checked, "O-O"), "you are in check, and a king in check cannot castle");
    assert_eq!(refused(checked, "Qd4"), "you have no queen");
    assert_eq!(refused(checked, "hello"), "expected a move such as e4, Nf3 or e2-e4 at column 1");
    let over = begun::<Position>(&[], "f3 e5 g4 Qh4#");
    assert_eq!(over.read("e4"), Err(MoveError::NothingToMove));
}

#[test]
fn a_game_ends_as_the_laws_say() {
    let mated = begun::<Position>(&[], "f3 e5 g4 Qh4");
    assert!(matches!(mated.next(), Next::Over(Outcome::Won { by: Seat(1), .. })));
    assert_eq!(
        mated.past.last().map(|way| way.map(|at| at.to_string())),
        Some(["d8", "h4"].map(String::from))
    );
    assert_eq!(drawn(&placed("k7/8/1Q6/8/8/8/8/6K1 b - - 0 1")), "stalemate");
    for (fen, is_dead) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KB2 b - - 0 1", true),
        ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
        ("4k3/4b3/8/8/8/8/8/B1B1K3 w - - 0 1", true),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false),
        ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", false),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", false),
    ] {
        let over = matches!(placed(fen).next(), Next::Over(Outcome::Drawn { .. }));
        assert_eq!(over, is_dead, "{fen}");
    }
    // Checkmate comes before 75 moves.
    let last = placed("7k/8/6K1/8/8/8/8/R7 w - - 149 120");
    assert_eq!(drawn(&after(&last, "Ra2")), "75 moves without a capture or a move of a pawn");
    assert!(matches!(after(&last, "Ra8").next(), Next::Over(Outcome::Won { by: Seat(0), .. })));
}

#[test]
fn a_third_repetition_is_claimed_and_a_fifth_ends_the_game() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ";
    let second = begun::<Position>(&[], shuffle);
    assert_eq!((second.past.times(), second.read("claim").is_err()), (2, true));
    let third = begun::<Position>(&[], &shuffle.repeat(2));
    assert_eq!((third.past.times(), third.moves().len()), (3, 21));
    let claimed = after(&third, "claim");
    assert_eq!(drawn(&claimed), "the position has occurred three times");
    assert_eq!(
        drawn(&begun::<Position>(&[], &shuffle.repeat(4))),
        "the position has occurred five times"
    );
    // The rights to castle and captures in passing make positions different.
    let rook = "Nf3 Nf6 Rg1 Rg8 Rh1 Rh8 ";
    assert_eq!(begun::<Position>(&[], rook).past.times(), 1);
    let passing = begun::<Position>(&[], "e4 a6 e5 d5 Nf3 Nf6 Ng1 Ng8");
    assert_eq!(passing.past.times(), 1);
    // A rook that goes as far as a pawn cannot be captured in passing.
    let rook = begun::<Position>(&[], "a4 h5 Ra3 Rh6 Nc3 Nc6");
    assert_eq!(placed(&rook.notation()), rook);
    let none = begun::<Position>(&[], "e4 d5 Nf3 Nf6 Ng1 Ng8");
    assert_eq!(none.past.times(), 2);
}

#[test]
fn fifty_moves_are_claimed() {
    let quiet = placed("4k3/8/8/8/8/8/8/R3K3 w - - 99 80");
    assert!(quiet.read("claim").is_err());
    let claimable = after(&quiet, "Ra2");
    let Diagram::Board(board) = claimable.diagram(&View::default()) else { panic!("a board") };
    assert_eq!(board.notes.len(), 1, "{:?}", board.notes);
    let claimed = after(&claimable, "Claim!");
    assert_eq!(drawn(&claimed), "50 moves without a capture or a move of a pawn");
    let again = placed(&claimed.notation());
    assert_eq!((&again, again.moves().len()), (&claimed, 0));
}

#[test]
fn a_line_that_is_no_position_is_refused() {
    for (line, reason) in [
        ("", "a position is in FEN"),
        ("undrawn", "a position is in FEN"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "the board is invalid"),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "the castling rights are invalid"),
        ("4k3/8/8/8/8/8/8/4K2R w - e3 0 1", "the en passant square is invalid"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 151 1", "a game ends after 75 moves"),
        ("4k3/8/8/8/8/8/8/4K2R w - - x 1", "a position is in FEN"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1 claim", "a position is in FEN"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1 moves=-,e8e7", "the moves do not lead"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 1 1 moves=-,e7e5", "the moves do not lead"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 1 1 moves=", "the moves do not lead"),
        ("é", "a position is in FEN"),
    ] {
        let error = Position::place(&Choices::default(), line).unwrap_err();
        assert!(error.starts_with(reason), "{line}: {error}");
    }
}

#[test]
fn a_start_of_chess960_is_drawn_once_and_castles_onto_its_rook() {
    let mut drawn = start::<Position>(&["960"]);
    assert_eq!((drawn.next(), drawn.moves().len()), (Next::Deal, 0));
    for wrong in ["960", "0518", "-1", "x"] {
        assert!(drawn.lay(&wrong.parse().unwrap()).is_err(), "{wrong}");
    }
    drawn.lay(&"0".parse().unwrap()).unwrap();
    assert!(drawn.notation().starts_with("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf"));
    drawn = start::<Position>(&["960"]);
    drawn.lay(&"518".parse().unwrap()).unwrap();
    let ready = after(&drawn, "e4 e5 Nf3 Nf6 Be2 Be7");
    let castle = ready.read("e1g1").unwrap();
    assert_eq!(Position::path(&castle), ["e1", "h1"].map(|name| name.parse().unwrap()));
    let usual = begun::<Position>(&[], "e4 e5 Nf3 Nf6 Be2 Be7").read("e1h1").unwrap();
    assert_eq!(Position::path(&usual), ["e1", "g1"].map(|name| name.parse().unwrap()));
    let castled = after(&ready, "O-O").notation();
    assert!(
        castled.starts_with("rnbqk2r/ppppbppp/5n2/4p3/4P3/5N2/PPPPBPPP/RNBQ1RK1 b ha"),
        "{castled}"
    );
    let numbers: std::collections::HashSet<String> =
        (0..STARTS).map(|number| Position::numbered(number).notation()).collect();
    assert_eq!(numbers.len(), 960);
    let usual = start::<Position>(&["start=518"]);
    assert_eq!(usual, Position::setup(&Choices::default()));
}

/// Returns the record of a random game.
fn random_record(words: &[&str], seed: u64) -> Transcript {
    let options = options::<Position>(words);
    let (mut position, mut chance) = (Position::setup(&options), Chance::new(seed));
    let mut record = Vec::new();
    loop {
        match position.next() {
            Next::Deal => {
                let start = position.deal(&mut |limit| chance.below(limit));
                position.lay(&start).unwrap();
                record.push(Entry::Laid(start));
            }
            Next::Move(seat) => {
                let moves = position.moves();
                let m = &moves[chance.below(moves.len())];
                position.play(m);
                record.push(Entry::Moved { seat, text: m.to_string(), auto: false });
            }
            _ => break,
        }
    }
    Transcript {
        players: ["alice \"A\"", "bob\\"].map(String::from),
        options,
        record,
        ending: None,
    }
}

#[test]
fn a_written_game_reads_back_as_itself() {
    for seed in 0..20 {
        for words in [&[][..], &["960"], &["start=17"]] {
            let game = random_record(words, seed);
            let text = pgn::write(&game).unwrap();
            assert!(text.lines().all(|line| line.len() < 80), "{text}");
            let read = all_games(pgn::read(&text)).unwrap();
            let [again] = &read[..] else { panic!("{} games", read.len()) };
            let moves = |game: &Transcript| {
                game.record.iter().filter(|entry| !entry.is_chance()).cloned().collect::<Vec<_>>()
            };
            assert_eq!((moves(again), &again.players), (moves(&game), &game.players), "{text}");
            assert_eq!(pgn::write(again).unwrap(), text);
            let ends = [&game, again].map(|game| game.replay::<Position>().unwrap().board);
            assert_eq!(ends[0], ends[1]);
        }
    }
}

#[test]
fn comments_annotations_and_variations_are_skipped() {
    let text = "\u{feff}% made by hand\n[Event \"A [test]\"]\n[White \"Ann \\\"A\\\"\"]\n[Black \"Ben\"]\n\
        [Result \"0-1\"]\n\n{Before (the [start]} 1. f3?! $2 (1. e4 {best} e5 (1... c5 2. Nf3 $10) 2. Nf3) 1... e5 ; to the end )\n\
        2.g4?? Qh4# {mate!} 0-1\n\n[White \"Cy\"]\n\n1. e4 e5 2. O-O-O *\n";
    let error = all_games(pgn::read(text)).unwrap_err();
    assert_eq!(error, "line 12: O-O-O: you cannot castle on the side of the a-file now");
    let games =
        all_games(pgn::read(&text.replace("2. O-O-O *", "2 Nf3 Nc6 1/2-1/2 [White \"Di\"]")))
            .unwrap();
    let words = |game: &Transcript| {
        let moved = |entry: &Entry| match entry {
            Entry::Moved { text, .. } => text.clone(),
            other => panic!("{other:?}"),
        };
        game.record.iter().map(moved).collect::<Vec<_>>().join(" ")
    };
    let all: Vec<String> = games.iter().map(words).collect();
    assert_eq!(all, ["f3 e5 g4 Qh4#", "e4 e5 Nf3 Nc6", ""]);
    assert_eq!(games[0].players, ["Ann \"A\"", "Ben"].map(String::from));
    for (wrong, reason) in [
        ("", "there is no game in the file"),
        ("1. e4 {", "line 1: a comment has no end"),
        ("1. e4\n(e5", "line 2: a variation has no end"),
        ("1. e4 )", "line 1: a variation ends that has not begun"),
        ("[White alice]", "line 1: a tag is written as"),
        ("[White \"alice]", "line 1: a tag is written as"),
        ("\n1. f3 e5 2. g4 Qh4# 3. a3", "line 2: the game is over before a3"),
        ("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n*", "line 2: a game must begin at"),
    ] {
        let error = all_games(pgn::read(wrong)).unwrap_err();
        assert!(error.starts_with(reason), "{wrong}: {error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_a_reader_fail_otherwise_than_by_an_error(text in "[ \\n\\PC]{0,60}") {
        let position = placed(KIWIPETE);
        let _ = position.read(&text);
        let _ = Position::paths(&text);
        let _ = all_games(pgn::read(&text));
        let _ = Position::place(&Choices::default(), &text);
    }

    #[test]
    fn no_moves_of_letters_make_a_reader_fail(text in "[a-hA-HNBRQKO0-9x=+#()\\[\\]{};\"$.% -]{0,40}") {
        let _ = placed(KIWIPETE).read(&text);
        let _ = all_games(pgn::read(&text));
    }
}

#[test]
fn the_program_finds_mates_and_takes_what_is_free() {
    for (fen, best) in [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra8#"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "Qxf7#"),
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "exd5"),
        ("k7/8/K7/8/8/8/7R/8 w - - 0 1", "Rh8#"),
    ] {
        for level in 3..=4 {
            let mut chance = Chance::new(u64::from(level));
            let found = placed(fen).choose(level, &mut |limit| chance.below(limit)).unwrap();
            assert_eq!(found.to_string(), best, "{fen} {level}");
        }
    }
}

strength_tests!(Position, 4 games on [&["960"]], many on &[&["960"]]);

#[test]
fn the_last_move_of_a_king_that_castled_is_its_own() {
    let castled = begun::<Position>(&[], "e4 e5 Nf3 Nf6 Be2 Be7 O-O");
    let Diagram::Board(board) = castled.diagram(&View::default()) else { panic!("a board") };
    assert_eq!(board.last, ["e1", "g1"].map(|name| name.parse().unwrap()));
    assert_eq!(board.attacked, None);
    let Diagram::Board(board) =
        begun::<Position>(&[], "e4 e5 Bc4 Nc6 Bxf7").diagram(&View::default())
    else {
        panic!("a board")
    };
    assert_eq!(board.attacked, Some("e8".parse().unwrap()));
    assert_eq!(board.notes, ["Black is in check"]);
}
