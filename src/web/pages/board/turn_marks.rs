//! The marks of a move that is put together: the men that can be chosen, the chosen man, and its
//! targets.

use crate::reply::draw::{Link, Marks};
use games::{Diagram, NextStep, PartialMove, Spot};

/// The links of a move that is put together.
pub(in crate::web::pages) struct TurnLinks<'a> {
    /// Returns the address on which a man is chosen.
    pub(in crate::web::pages) choose: &'a dyn Fn(Spot) -> String,
    /// Returns the address on which a step is made.
    pub(in crate::web::pages) step: &'a dyn Fn(&NextStep) -> String,
}

/// Marks the spots of a move after its steps so far. `from` is the name of the spot whose man is chosen.
pub(in crate::web::pages) fn turn_marks(
    partial_move: &PartialMove,
    from: Option<&str>,
    links: &TurnLinks,
) -> Marks {
    let (steps, diagram) = (&partial_move.next, &partial_move.diagram);
    let is_chosen = |spot: &Spot| from == Some(&*spot.to_string());
    let chosen = steps.iter().filter_map(|step| step.from).find(is_chosen);
    let mut can: Vec<(Spot, Link)> = Vec::new();
    for step in steps.iter().filter(|step| step.from.is_none() || step.from != chosen) {
        let (spot, link) = match step.from {
            Some(from) => (from, choose_man(diagram, from, links)),
            None => (step.to, make_step(diagram, step, links)),
        };
        if can.iter().all(|(other, _)| *other != spot) {
            can.push((spot, link));
        }
    }
    let mut targets: Vec<(Spot, Link)> = Vec::new();
    for step in steps.iter().filter(|step| chosen.is_some() && step.from == chosen) {
        if targets.iter().all(|(other, _)| *other != step.to) {
            targets.push((step.to, make_step(diagram, step, links)));
        }
    }
    Marks { last: partial_move.paths.clone(), can, chosen, targets, ..Marks::default() }
}

fn choose_man(diagram: &Diagram, from: Spot, links: &TurnLinks) -> Link {
    let name = diagram.name(from);
    Link { href: Some((links.choose)(from)), label: format!("{name}: choose") }
}

fn make_step(diagram: &Diagram, step: &NextStep, links: &TurnLinks) -> Link {
    let label = match diagram {
        Diagram::Board(board) if board.number(step.to).is_some() => {
            let places = step.from.into_iter().chain([step.to]);
            places.map(|place| board.name(place)).collect::<Vec<_>>().join("-")
        }
        _ => step.words.clone(),
    };
    Link { href: Some((links.step)(step)), label }
}
