//! The cost of a verifiable roll, of its proof, and of checking it: `cargo bench -p benches
//! --features peers --bench dice`.

use divan::{Bencher, black_box};
use games::Throw;
use postboard::base::random_stream::RandomStream;
use postboard::base::vrf::SecretKey;

/// The input of a roll.
const INPUT: &[u8] = b"postboard dice 1\nmalaka 17\nbegan 1795400000\nword hello\nroll 8\n";

fn main() {
    divan::main();
}

fn key() -> SecretKey {
    SecretKey::new(&[17; 32])
}

#[divan::bench]
fn a_roll(bencher: Bencher) {
    let key = key();
    bencher.bench(|| RandomStream::new(key.output(black_box(INPUT))).roll(Throw::new(2, 6)));
}

#[divan::bench]
fn a_roll_with_its_proof(bencher: Bencher) {
    let key = key();
    bencher.bench(|| {
        let roll = RandomStream::new(key.output(black_box(INPUT))).roll(Throw::new(2, 6));
        (roll, key.prove(black_box(INPUT)))
    });
}

#[divan::bench]
fn a_check(bencher: Bencher) {
    let key = key();
    let proof = key.prove(INPUT);
    bencher.bench(|| key.public().verify(black_box(INPUT), &proof).expect("it is proved"));
}

#[divan::bench]
fn the_key_of_a_home(bencher: Bencher) {
    bencher.bench(key);
}
