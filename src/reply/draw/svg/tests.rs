//! What holds for every drawing, tried with positions of all games.

use super::*;
use games::{Chance, Choices, Next, View, find};

const NAMES: [&str; 2] = ["alice", "bob"];

fn look(marks: &Marks, ink: Ink) -> Look<'_> {
    Look { names: NAMES, beside: [""; 2], turn: None, used: &[], marks, ink }
}

/// The position after so many moves that chance has chosen.
fn walked(game: &str, options: &[&str], seed: u64, moves: usize) -> Box<dyn games::AnyPosition> {
    let game = find(game).unwrap();
    let options = Choices::parse(game.spec().options, &[], options.iter().copied()).unwrap();
    let mut position = game.setup(&options);
    let mut chance = Chance::new(seed);
    let mut made = 0;
    loop {
        match position.next() {
            Next::Roll(throw) => position.roll(chance.roll(throw)).unwrap(),
            Next::Ready(_, throw) => position.roll(chance.roll(throw)).unwrap(),
            Next::Deal => {
                let stones = position.deal(&mut |limit| chance.below(limit));
                position.lay(stones).unwrap();
            }
            Next::Move(_) if made < moves => {
                let text = position.nth_move(chance.below(position.count())).unwrap();
                position.play(&text).unwrap();
                made += 1;
            }
            Next::Move(_) | Next::Over(_) => return position,
        }
    }
}

#[test]
#[ignore = "writes pictures into the folder that GALLERY names"]
fn gallery() {
    let folder = std::path::PathBuf::from(std::env::var("GALLERY").unwrap());
    for game in games::GAMES {
        let name = game.spec().name;
        for moves in [0, 9, 34] {
            let position = walked(name, &[], 7, moves);
            let diagram = position.diagram(&View { legal: true, ..View::default() });
            let turn = match position.next() {
                Next::Move(seat) | Next::Ready(seat, _) => Some(seat),
                _ => None,
            };
            for (ink, of) in [
                (Ink::Page, "page"),
                (Ink::Mail(Theme::Light), "light"),
                (Ink::Mail(Theme::Dark), "dark"),
            ] {
                let marks = Marks::default();
                let look = Look { turn, ..look(&marks, ink) };
                std::fs::write(
                    folder.join(format!("{name}-{moves:02}-{of}.svg")),
                    svg(&diagram, &look),
                )
                .unwrap();
            }
        }
    }
    std::fs::write(folder.join("style.css"), style()).unwrap();
}
