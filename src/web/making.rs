//! A play in the making on a board page: each step is a link to the board after it, so it is put
//! together without a script; with one the links are followed without loading the page again.

use super::ask::Ask;
use crate::model::board::Board;
use crate::reply::draw::svg::{Ink, Link, Look, Marks, Named, svg};
use crate::reply::sight;
use games::{Begun, Diagram, MoveError, Next, NextStep, Seat, Spot, View};
use maud::{Markup, PreEscaped, html};

/// What is put together in the address of a page: `?play=13-8,6-5&from=13`.
pub(super) struct Making {
    /// The page without that.
    path: String,
    /// The steps made.
    steps: Vec<String>,
    /// What they come to.
    pub(super) begun: Begun,
    /// The man that goes next.
    chosen: Option<Spot>,
    /// Why the address cannot be followed.
    pub(super) wrong: Option<MoveError>,
}

impl Making {
    /// What the address of a page has put together on the board at `path`, for the player of a seat
    /// whose turn it is; nothing for others.
    pub(super) fn of(
        board: &Board,
        path: String,
        seat: Seat,
        view: &View,
        ask: &Ask,
    ) -> Option<Self> {
        board.position().next().asks(seat).then_some(())?;
        let said = ask.query.get("play").map(String::as_str).unwrap_or_default();
        let steps: Vec<&str> = said.split(',').filter(|step| !step.is_empty()).collect();
        let position = board.position();
        let (steps, begun, wrong) = match position.begun(view, &steps) {
            Ok(begun) => (steps, begun, None),
            // Somebody was faster, or the address was typed.
            Err(why) => (Vec::new(), position.begun(view, &[]).ok()?, Some(why)),
        };
        let from = ask.query.get("from");
        let named = |spot: &Spot| from.is_some_and(|from| *from == Named(*spot).to_string());
        let chosen = begun.next.iter().filter_map(|next| next.from).find(named);
        let steps = steps.into_iter().map(str::to_owned).collect();
        Some(Self { path, steps, begun, chosen, wrong })
    }

    /// Whether no step is made yet.
    pub(super) fn is_untouched(&self) -> bool {
        self.steps.is_empty()
    }

    /// The page with these steps made, and a man of that place chosen.
    fn href(&self, steps: &[&str], from: Option<Spot>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if !steps.is_empty() {
            query.append_pair("play", &steps.join(","));
        }
        if let Some(spot) = from {
            query.append_pair("from", &Named(spot).to_string());
        }
        match query.finish() {
            none if none.is_empty() => self.path.clone(),
            query => format!("{}?{query}", self.path),
        }
    }

    fn with(&self, step: &NextStep) -> String {
        let steps = self.steps.iter().chain([&step.words]).map(String::as_str);
        self.href(&steps.collect::<Vec<_>>(), None)
    }

    /// What can be pressed.
    pub(super) fn marks(&self) -> Marks {
        let made: Vec<&str> = self.steps.iter().map(String::as_str).collect();
        let link = |href: String, label: String| Link { href: Some(href), label };
        let mut marks = Marks { last: self.begun.ways.clone(), ..Marks::default() };
        for next in &self.begun.next {
            match next.from {
                None => {
                    let label = format!("Press {}", Named(next.to));
                    marks.can.push((next.to, link(self.with(next), label)));
                }
                Some(from) if self.chosen == Some(from) => {
                    let label = format!("Go to {}", Named(next.to));
                    marks.targets.push((next.to, link(self.with(next), label)));
                }
                Some(from) if marks.can.iter().any(|(known, _)| *known == from) => {}
                Some(from) => {
                    let label = format!("Move from {}", Named(from));
                    marks.can.push((from, link(self.href(&made, Some(from)), label)));
                }
            }
        }
        marks.chosen = self.chosen;
        marks
    }

    /// What has been put together so far, how to take it back, and what to do next.
    pub(super) fn told(&self) -> Markup {
        let made: Vec<&str> = self.steps.iter().map(String::as_str).collect();
        let before = made.split_last().map(|(_, before)| self.href(before, None));
        let back = if self.chosen.is_some() { Some(self.href(&made, None)) } else { before };
        html! {
            @if let Some(why) = &self.wrong { p.wrong role="alert" { (sentence(&why.to_string())) } }
            div.making {
                p.made {
                    @if made.is_empty() { (self.hint()) } @else { "Your play: " b { (made.join(", ")) } }
                }
                @if let Some(back) = back {
                    a.button.back href=(back) data-key="u" { "Take back" }
                    @if made.len() > 1 { " " a.button.back href=(self.path) { "Begin again" } }
                }
            }
        }
    }

    fn hint(&self) -> &'static str {
        match (&self.begun.next[..], self.chosen, &self.begun.play) {
            ([], ..) => "Choose what you want to do.",
            (_, Some(_), _) => "Choose where this man goes.",
            (_, None, Some(_)) => "There is only one play; send it, or make it step by step.",
            ([NextStep { from: None, .. }, ..], ..) => "Choose a point.",
            _ => "Choose a man to move.",
        }
    }
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// The drawing of a board with what is marked on it.
pub(super) fn drawn(diagram: &Diagram, board: &Board, beside: [&str; 2], marks: &Marks) -> Markup {
    let names = board.players.each_ref().map(ToString::to_string);
    let turn = match board.position().next() {
        Next::Move(seat) | Next::Ready(seat, _) => Some(seat),
        Next::Roll(_) | Next::Deal | Next::Over(_) => None,
    };
    let look = Look {
        names: [&names[0], &names[1]],
        beside,
        turn,
        used: &used(diagram),
        marks,
        ink: Ink::Page,
    };
    html! { (PreEscaped(svg(diagram, &look))) }
}

/// The dice that a play in the making has used, each as often as it was.
fn used(diagram: &Diagram) -> Vec<u8> {
    let dice = match diagram {
        Diagram::Corridor(board) => board.dice.as_ref(),
        Diagram::Points(board) => board.dice.as_ref().map(|(_, dice)| dice),
        Diagram::Grid(_) => None,
    };
    let each = |(die, times): (&u8, u8)| std::iter::repeat_n(*die, usize::from(times));
    dice.iter().flat_map(|dice| dice.show.iter().zip(dice.used).flat_map(each)).collect()
}

/// The ways of the move that was made last, or of that number.
pub(super) fn last(board: &Board, view: &View, number: usize) -> Marks {
    let moves = sight::moves(board, view);
    let last = moves.iter().find(|one| one.number == number);
    let last = last.map(|one| board.game.ways(&one.words)).unwrap_or_default();
    Marks { last, ..Marks::default() }
}
