//! Games played to their end by chance.

use super::{Game, Next, RandomBelow, Roll, Throw};

/// Plays on with rolls and moves taken by chance, each as likely as any other, until the game has
/// ended. Nothing is said before a throw. Returns how many moves were made, passes among them.
pub(crate) fn by_chance<G: Game>(position: &mut G, below: RandomBelow) -> usize {
    let mut made = 0;
    loop {
        match position.next() {
            Next::Roll(throw) | Next::Ready(_, throw) => position.roll(roll(throw, below)),
            Next::Deal => {
                let dealt = position.deal(below);
                position.lay(dealt).expect("what is dealt can be laid");
            }
            Next::Move(_) => {
                let moves = position.moves();
                position.play(&moves[below(moves.len())]);
                made += 1;
            }
            Next::Over(_) => return made,
        }
    }
}

fn roll(throw: Throw, below: RandomBelow) -> Roll {
    let mut die = || 1 + u8::try_from(below(throw.faces.into())).expect("a die has few faces");
    loop {
        let roll = if throw.dice == 1 { Roll::One(die()) } else { Roll::Two(die(), die()) };
        if roll.fits(throw) {
            return roll;
        }
    }
}
