//! The graph of an analysis: the first player's chance to win after each move, and the luck of each
//! roll. It is as wide as the page, and each move is a link.

use super::analysis::address;
use crate::reply::analysis::{JudgedMove, Verdict, percent, to_f32};
use games::Seat;
use maud::{Markup, html};
use std::fmt::Write as _;

/// The size of the drawing, and the height of the chances.
const WIDTH: f32 = 600.0;
const HEIGHT: f32 = 190.0;
const CHANCES: f32 = 130.0;
/// The line from which the bars of luck go up and down, and the length of the longest.
const LUCK: f32 = 162.0;
const MAX_BAR: f32 = 26.0;
/// The luck that a bar of full length shows at least.
const MUCH: f32 = 0.25;

/// The moves whose marks are links, before and after the one that is shown. All moves of longer games
/// are in the list.
const LINKED: usize = 50;

pub(super) fn graph(names: &[&str; 2], moves: &[JudgedMove], shown: usize) -> Markup {
    let graph = Graph { moves, step: WIDTH / to_f32(moves.len().max(1)) };
    let Some(last) = moves.iter().rev().find_map(chance) else { return html! {} };
    let first = names[0];
    let label = format!(
        "The chance of {first} to win after each move, {} at the end, and the luck of each roll.",
        percent(last)
    );
    html! {
        figure.chances {
            figcaption { "Chance of " (first) " to win, and luck: bars up are lucky for " (first)
                ", bars down for " (names[1]) }
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="group" aria-label=(label) {
                rect.field x="0" y="0" width=(WIDTH) height=(CHANCES) {}
                path.half d={ "M0 " (CHANCES / 2.0) "H" (WIDTH) "M0 " (LUCK) "H" (WIDTH) } {}
                path.now d={ "M" (number(graph.middle(shown))) " 0V" (HEIGHT) } {}
                path.luck d=(graph.bars()) stroke-width=(number((graph.step * 0.6).min(8.0))) {}
                path.chance d=(graph.line()) {}
                (graph.mistakes())
                (graph.links(first, shown))
            }
        }
    }
}

/// The moves, each with a column of the same width.
struct Graph<'a> {
    moves: &'a [JudgedMove<'a>],
    step: f32,
}

/// Returns the first player's chance to win after a move.
fn chance(judged: &JudgedMove) -> Option<f32> {
    judged.win.map(|win| if judged.seat == Seat(0) { win } else { 1.0 - win })
}

impl Graph<'_> {
    /// Returns the middle of a move's column.
    fn middle(&self, number: usize) -> f32 {
        (to_f32(number) - 0.5) * self.step
    }

    /// Returns the line through the chances, as a path.
    fn line(&self) -> String {
        let mut path = String::new();
        for judged in self.moves {
            if let Some(chance) = chance(judged) {
                let verb = if path.is_empty() { "M" } else { "L" };
                let (x, y) = (self.middle(judged.number), height(chance));
                let _ = write!(path, "{verb}{} {}", number(x), number(y));
            }
        }
        path
    }

    /// Returns the bars of luck, as a path.
    fn bars(&self) -> String {
        let luck = |judged: &JudgedMove| judged.luck.unwrap_or(0.0);
        let most = self.moves.iter().map(|judged| luck(judged).abs()).fold(MUCH, f32::max);
        let mut path = String::new();
        for judged in self.moves.iter().filter(|judged| luck(judged) != 0.0) {
            let up = if judged.seat == Seat(0) { -MAX_BAR } else { MAX_BAR };
            let (x, length) = (self.middle(judged.number), up * luck(judged) / most);
            let _ = write!(path, "M{} {}v{}", number(x), number(LUCK), number(length));
        }
        path
    }

    /// Draws the mistakes: a ring, a square, or a diamond on the line.
    fn mistakes(&self) -> Markup {
        html! {
            @for judged in self.moves.iter().filter(|judged| judged.verdict > Verdict::Fine) {
                @if let Some(chance) = chance(judged) {
                    @let (x, y) = (self.middle(judged.number), height(chance));
                    path class={ "is-" (judged.verdict.word()) } d=(mark(judged.verdict, x, y)) {}
                }
            }
        }
    }

    /// Draws a link over the column of each move. The list has the same links for the keyboard.
    fn links(&self, first: &str, shown: usize) -> Markup {
        let from = shown.saturating_sub(LINKED + 1);
        html! {
            @for judged in self.moves.iter().skip(from).take(2 * LINKED) {
                @let x = (to_f32(judged.number) - 1.0) * self.step;
                a href=(address(judged.number)) tabindex="-1" aria-label=(label(judged, first)) {
                    rect.hit x=(number(x)) y="0" width=(number(self.step)) height=(HEIGHT) {}
                }
            }
        }
    }
}

/// Returns the label of a move's link.
fn label(judged: &JudgedMove, first: &str) -> String {
    let chance = chance(judged).map_or_else(String::new, |it| format!(": {first} {}", percent(it)));
    let verdict = match judged.verdict {
        Verdict::Fine => String::new(),
        verdict => format!(", {}", verdict.word()),
    };
    format!("Move {}{chance}{verdict}", judged.number)
}

/// Returns the shape of a mistake, as a path.
fn mark(verdict: Verdict, x: f32, y: f32) -> String {
    let [x, y] = [x, y].map(number);
    match verdict {
        Verdict::Fine => String::new(),
        Verdict::Small => format!("M{x} {y}m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0"),
        Verdict::Doubtful => format!("M{x} {y}m-4 -4h8v8h-8z"),
        Verdict::Blunder => format!("M{x} {y}m0 -7l7 7l-7 7l-7 -7z"),
    }
}

/// Returns the height of a chance in the drawing.
fn height(chance: f32) -> f32 {
    4.0 + (1.0 - chance) * (CHANCES - 8.0)
}

/// Rounds a number to one decimal place.
fn number(number: f32) -> f32 {
    (number * 10.0).round() / 10.0
}
