//! The page of a trial: the board, and everything that can be done next.

use super::{PlanForm, RANDOM, Trial, TrialStart};
use crate::command::MAX_TRIED_MOVES;
use crate::reply::draw::{DrawOptions, Ink, Marks, svg};
use crate::web::html::blocks::move_label;
use crate::web::pages::board::{BoardSide, Oriented, TurnLinks, flip_link, turn_marks};
use crate::web::site::Opinions;
use games::{Diagram, Next, NextStep, Outcome, ROLL, Roll, Seat, Spot, Throw};
use maud::{Markup, PreEscaped, html};

impl Trial {
    /// Renders the page. `refusal` says why there is no opinion.
    pub(super) fn body(&self, opinions: &Opinions, refusal: Option<&Markup>) -> Markup {
        html! {
            div.lab {
                div.head {
                    (self.start.head)
                    @if let Some(notice) = &self.notice {
                        p.wrong role="alert" { "Not possible: " (notice) "." }
                    }
                    p.news aria-live="polite" { (self.state()) }
                }
                figure.board { (self.drawing()) }
                section.controls aria-label="The next move" { (self.controls()) }
                div.notes {
                    (self.opinions(opinions))
                    @if let Some(refusal) = refusal { (refusal) }
                    (self.steps_so_far())
                    @if let Some(plan) = &self.start.plan { (self.plan(plan)) }
                    (self.text_form())
                    (self.start.foot)
                }
            }
        }
    }

    /// Returns the name of a side's player, or of the side where nobody plays.
    pub(super) fn name(&self, seat: Seat) -> &str {
        &self.start.names[seat.index()]
    }

    /// Returns the diagram, with the steps of an unfinished move.
    fn diagram(&self) -> Diagram {
        match &self.partial_move {
            Some(partial_move) => partial_move.diagram.clone(),
            None => self.tried.position.diagram(&self.start.view),
        }
    }

    /// Returns what the position waits for, or how the game ended.
    fn state(&self) -> String {
        match self.tried.position.next() {
            Next::Move(seat) => match dice(&self.diagram()) {
                dice if dice.is_empty() => format!("{} to move.", self.name(seat)),
                dice => format!("{} to move: {dice}.", self.name(seat)),
            },
            Next::Ready(seat, _) => format!("{} to roll.", self.name(seat)),
            Next::Roll(throw) if throw.is_opening => {
                "The first roll: one die for each side, and the higher one begins.".into()
            }
            Next::Roll(_) | Next::Deal => "The first roll.".into(),
            Next::Over(Outcome::Won { by, points, reason }) => {
                let worth = if points > 1 { format!(", {points} points") } else { String::new() };
                format!("{} wins {reason}{worth}.", self.name(by))
            }
            Next::Over(Outcome::Drawn { reason }) => format!("The game is a draw: {reason}."),
        }
    }

    fn drawing(&self) -> Markup {
        let turn = self.tried.position.next().decider();
        let names = self.start.names.each_ref().map(String::as_str);
        let marks = self.marks();
        let TrialStart { game, ref view, is_flipped, .. } = self.start;
        let side = BoardSide { game, seat: view.seat, is_flipped };
        let Oriented { diagram, orientation } = side.orient(&self.diagram());
        let (beside, ink) = (["", ""], Ink::Page);
        let options = DrawOptions { names, beside, turn, marks: &marks, ink, orientation };
        PreEscaped(svg(&diagram, &options))
    }

    fn marks(&self) -> Marks {
        let moves = self.moves();
        let address = &self.start.address;
        let choose = |from: Spot| address.link(&moves, &self.steps, Some(from));
        let step = |step: &NextStep| {
            let steps: Vec<String> = self.steps.iter().chain([&step.words]).cloned().collect();
            address.link(&moves, &steps, None)
        };
        let links = TurnLinks { choose: &choose, step: &step };
        let marks = self
            .partial_move
            .as_ref()
            .map(|partial_move| turn_marks(partial_move, self.from.as_deref(), &links));
        match marks {
            Some(marks) if !self.steps.is_empty() => marks,
            marks => Marks { last: self.last_paths(), ..marks.unwrap_or_default() },
        }
    }

    /// Returns the paths of the last move.
    fn last_paths(&self) -> Vec<Vec<Spot>> {
        let last = self.tried.steps.iter().rfind(|step| step.mover.is_some());
        let text = last.map_or_else(String::new, |step| step.text.clone());
        self.start.game.paths(&self.start.game.text_for_diagram(&self.start.view, text))
    }

    /// Renders what can be done without a man on the board.
    fn controls(&self) -> Markup {
        let begun = !self.steps.is_empty();
        html! {
            @if begun { p { "The move so far: " strong { (self.steps.join(", ")) } } }
            @if let Some(partial_move) = &self.partial_move {
                @for words in &partial_move.other_moves {
                    @if words != ROLL && partial_move.play.as_ref() != Some(words) {
                        (self.move_link(words, &move_label(words)))
                    }
                }
                @if let Some(play) = &partial_move.play {
                    (self.move_link(play, &play_label(play, begun)))
                }
                @if let (false, Some(words)) = (begun, self.tried.position.finish()) {
                    @if !partial_move.other_moves.contains(&words) {
                        (self.move_link(&words, "End the turn"))
                    }
                }
            }
            @if let Some(throw) = self.due_throw() { (self.rolls(throw)) }
            @if let Some(back) = self.address_before() {
                a.key href=(back) data-key="u" rel="nofollow" { "Take back a step" } " "
            }
            (flip_link(&self.address_shown(), self.start.is_flipped))
            @if self.is_full() {
                p.quiet { "You have tried " (MAX_TRIED_MOVES) " rolls and moves, the most on one page. "
                    "Take some back to try others." }
            }
        }
    }

    /// Renders the link that tries a whole move.
    fn move_link(&self, words: &str, label: &str) -> Markup {
        html! { a.key href=(self.address_with(words)) rel="nofollow" { (label) } " " }
    }

    /// Renders the hidden fields of a form that continues from the beginning of the trial.
    fn fields(&self) -> Markup {
        html! {
            @for (name, value) in &self.start.address.fields {
                input type="hidden" name=(name) value=(value);
            }
        }
    }

    /// Returns the path of a form that continues after the moves so far, and its hidden fields.
    fn form_after_moves(&self) -> (String, Markup) {
        let (address, moves) = (&self.start.address, self.moves());
        if moves.is_empty() {
            return (address.path.clone(), self.fields());
        }
        if address.is_tried() {
            return (self.address_of(&moves), html! {});
        }
        let moves = html! { input type="hidden" name="moves" value=(moves.join(" ")); };
        (address.path.clone(), html! { (self.fields()) (moves) })
    }

    /// Renders a button for each roll, and one that leaves the roll to chance.
    fn rolls(&self, throw: Throw) -> Markup {
        let group = |legend: &str, is_in: &dyn Fn(&Roll) -> bool| {
            html! {
                fieldset {
                    legend { (legend) }
                    @for roll in throw.rolls().filter(|roll| is_in(roll)) {
                        // In the first roll the order says who threw which die.
                        @let shown = if throw.is_opening { roll } else { roll.higher_first() };
                        button type="submit" name="roll" value=(roll) { (dashed(shown)) } " "
                    }
                }
            }
        };
        let is_of = |seat: Seat| move |roll: &Roll| matches!(roll, Roll::Two(a, b) if (a > b) == (seat == Seat(0)));
        let (action, fields) = self.form_after_moves();
        html! {
            form.rolls method="get" action=(action) {
                (fields)
                button.main type="submit" name="roll" value=(RANDOM) { "Roll" }
                @if throw.is_opening {
                    @for seat in Seat::BOTH {
                        (group(&format!("Or choose a roll with which {} begins", self.name(seat)), &is_of(seat)))
                    }
                } @else {
                    (group("Or choose a roll", &|_| true))
                }
            }
        }
    }

    /// Renders the rolls and moves so far. Each of them leads back to the position after it.
    fn steps_so_far(&self) -> Markup {
        let steps = &self.tried.steps;
        let (action, fields) = self.form_after_moves();
        html! {
            @if !steps.is_empty() {
                h2 { "Tried so far" }
                form.tried method="get" action=(action) {
                    (fields)
                    button type="submit" name="keep" value="0" { "Start over" }
                    ol {
                        @for (number, step) in (1..).zip(steps) {
                            li.roll[step.mover.is_none()] {
                                button.plain type="submit" name="keep" value=(number)
                                    aria-current=[(number == steps.len()).then_some("step")] {
                                    @match step.mover {
                                        Some(mover) => { (self.name(mover)) ": " (step.words) },
                                        None => {
                                            @match step.text.parse::<Roll>() {
                                                Ok(roll) => (dashed(roll)),
                                                Err(_) => (step.words),
                                            }
                                        },
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Renders the plan so far, and the form that adds the moves to it.
    fn plan(&self, plan: &PlanForm) -> Markup {
        let is_answer = self.last().is_some_and(|last| last.mover == Some(plan.seat));
        let is_move = plan.is_turn && self.tried.steps.len() == 1;
        let moves = self.moves().join(" | ");
        html! {
            h2 { "Your plan" }
            @if !plan.lines.is_empty() {
                ul.plan { @for line in &plan.lines { li { (line) } } }
            }
            @if is_answer && self.steps.is_empty() {
                form.say method="post" action=(plan.path) {
                    (plan.fields)
                    input type="hidden" name="verb" value="plan";
                    input type="hidden" name="say" value={ "add " (moves) };
                    button.main type="submit" {
                        @if is_move { "Play this move" }
                        @else if plan.is_turn { "Play the first move, and answer with this" }
                        @else { "Answer with this" }
                    }
                }
            } @else {
                p.quiet {
                    @if plan.is_turn { "Play your move here, then a move of " }
                    @else { "Play a move of " }
                    (self.name(plan.seat.other()))
                    " and your answer. Then you can have it played as soon as the game comes to it. \
                     Nobody else sees it before."
                }
            }
        }
    }

    /// Renders the form in which moves are written.
    fn text_form(&self) -> Markup {
        let moves = self.moves().join(" ");
        let typed = if self.notice.is_some() { &self.typed } else { &moves };
        html! {
            details open[self.notice.is_some() && self.start.notice.is_none()] {
                summary { "Write the moves" }
                form.say method="get" action=(self.start.address.path) {
                    (self.fields())
                    label { "Moves, with dice between them"
                        input name="moves" value=(typed) autocomplete="off" maxlength="2000"; }
                    button type="submit" { "Look ahead" }
                }
            }
        }
    }
}

/// Returns the label of the link that plays a whole move.
fn play_label(play: &str, begun: bool) -> String {
    if begun { format!("Play {play}") } else { format!("{}: the only move", move_label(play)) }
}

/// Writes a roll as people say it: `6-2`.
fn dashed(roll: Roll) -> String {
    match roll {
        Roll::One(die) => die.to_string(),
        Roll::Two(one, other) => format!("{one}-{other}"),
    }
}

/// Returns the dice of a diagram as people say them; empty without dice.
fn dice(diagram: &Diagram) -> String {
    let dice = match diagram {
        Diagram::Corridor(board) => board.dice.as_ref(),
        Diagram::Points(board) => board.dice.as_ref().map(|(_, dice)| dice),
        Diagram::Board(_) => None,
    };
    let Some(dice) = dice else { return String::new() };
    match dice.higher_first()[..] {
        [die] if dice.is_double => format!("{die}-{die}"),
        [die] => die.to_string(),
        [one, other] => format!("{one}-{other}"),
        _ => String::new(),
    }
}
