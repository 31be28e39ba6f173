//! Records of other programs. The first line names the game.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let Some(game) = games::find(first.trim()) else { return };
    for read in game.spec().formats.iter().filter_map(|format| format.read) {
        let _ = read(rest);
    }
});
