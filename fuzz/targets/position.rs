//! Positions and moves as text. The first line names a game with its options, the second a
//! position, and every other line is tried as a move there.

#![no_main]

use games::Choices;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let mut words = first.split_whitespace();
    let Some(game) = words.next().and_then(games::find) else { return };
    let spec = game.spec();
    let Ok(options) = Choices::parse(spec.options, spec.exclusive, words) else { return };
    let notation = lines.next().unwrap_or_default();
    // No game has a longer one, and the list of moves grows with the men.
    if notation.len() > 1_000 {
        return;
    }
    let Ok(mut position) = game.place(&options, notation) else { return };
    let written = position.notation();
    let again = game.place(&options, &written).expect("what we write we read");
    assert_eq!(again.notation(), written);
    for line in lines.take(20) {
        let before = position.notation();
        let copy = position.copy();
        let _ = position.can_read(line);
        match position.play(line) {
            Ok(canonical) => {
                let mut same = copy;
                same.play_recorded(&canonical).expect("the record is read as it was written");
                assert_eq!(same.notation(), position.notation(), "{canonical}");
            }
            Err(error) => {
                let _ = error.to_string();
                assert_eq!(position.notation(), before, "a refused move changes nothing");
            }
        }
    }
});
