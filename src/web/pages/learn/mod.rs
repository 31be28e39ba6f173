//! `/learn` and `/learn/{game}`: a first game in six steps, played on the board by links. The address
//! has the step and the move so far; nothing is stored.

mod backgammon;
mod lesson;
mod malaka;
mod reversi;

use super::board::{TurnLinks, turn_marks};
use super::{guest, thumbnails};
use crate::reply::draw::{DrawOptions, Ink, Marks, Orientation, svg};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::form::HiddenFields;
use crate::web::http::request::WebRequest;
use crate::web::site::Site;
use axum::extract::{Path, State};
use games::{NextStep, Spot};
use lesson::{Attempt, LEARNER, Lesson, STEPS, Step, Verdict};
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;

static LESSONS: [&Lesson; 3] = [&malaka::LESSON, &backgammon::LESSON, &reversi::LESSON];

/// Returns the path of a game's lesson, if it has one.
pub(crate) fn path(game: &str) -> Option<String> {
    find(game).map(|lesson| format!("/learn/{}", lesson.game))
}

fn find(game: &str) -> Option<&'static Lesson> {
    LESSONS.iter().copied().find(|lesson| lesson.game == game)
}

/// Renders links to all lessons, as buttons.
pub(super) fn links() -> Markup {
    html! {
        p.actions {
            @for lesson in LESSONS {
                a.button href={ "/learn/" (lesson.game) } { "Learn " (lesson.game().spec().title) }
            }
        }
    }
}

/// The list of lessons.
pub(crate) async fn index(State(site): State<Arc<Site>>, request: WebRequest) -> PageResult {
    site.read(request, move |reader| {
        let snapshot = reader.close();
        let body = html! {
            h1 { "Learn a game in six moves" }
            p { "Each step shows a position and asks for one move, and you see at once whether it was right. \
                 You need no account." }
            ul.games {
                @for lesson in LESSONS {
                    @let game = lesson.game();
                    li {
                        (thumbnails::of_game(&snapshot, game))
                        div {
                            a href={ "/learn/" (lesson.game) } { "Learn " (game.spec().title) }
                            span { "Six steps, about three minutes" }
                        }
                    }
                }
            }
        };
        let shows = snapshot.world.files_read();
        Ok(snapshot.page("Learn a game", &body).cached_until_change(shows))
    })
    .await
}

/// A step of a lesson, with what the learner has done in it.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: WebRequest,
) -> PageResult {
    let lesson = find(&name).ok_or(PageError::NotFound)?;
    site.read(request, move |reader| {
        let mut snapshot = reader.close();
        let number = match snapshot.request.query_value("step").map(str::parse::<usize>) {
            None => 1,
            Some(Ok(number)) if (1..=STEPS).contains(&number) => number,
            Some(_) => return Err(PageError::NotFound),
        };
        let step = &lesson.steps[number - 1];
        let parts = snapshot.request.query_value("play").unwrap_or_default();
        let attempt = step.attempt(lesson.game(), parts);
        let from = snapshot.request.query_value("from").map(str::to_owned);
        let hidden_fields = guest::first_fields(&mut snapshot);
        let shown = ShownStep { lesson, number, step, attempt, from };
        let body = shown.body(hidden_fields.as_ref());
        let title = format!("Learn {}: step {number} of {STEPS}", lesson.game().spec().title);
        let shows = snapshot.world.files_read();
        Ok(snapshot.page(&title, &body).cached_until_change(shows))
    })
    .await
}

/// A step as it is shown.
struct ShownStep {
    lesson: &'static Lesson,
    /// The number of the step, from 1.
    number: usize,
    step: &'static Step,
    attempt: Attempt,
    /// The spot whose man the learner has chosen.
    from: Option<String>,
}

impl ShownStep {
    /// Returns the address of a step with the parts of a move.
    fn address(&self, number: usize, parts: &[String]) -> String {
        let path = format!("/learn/{}?step={number}", self.lesson.game);
        if parts.is_empty() {
            return path;
        }
        let parts: String = form_urlencoded::byte_serialize(parts.join(",").as_bytes()).collect();
        format!("{path}&play={parts}")
    }

    fn body(&self, hidden_fields: Option<&HiddenFields>) -> Markup {
        let title = self.lesson.game().spec().title;
        html! {
            div.lesson {
                div.head {
                    nav.trail aria-label="Where you are" {
                        a href="/learn" { "Learn a game" } " / "
                        a href={ "/" (self.lesson.game) } { (title) }
                    }
                    h1 { (self.number) " of " (STEPS) ": " (self.step.title) }
                    p { (self.step.rule) }
                    p.task { (self.step.task) }
                }
                figure.board { (self.board()) }
                div.side {
                    div.verdict aria-live="polite" { (self.verdict()) }
                    div.actions { (self.actions(hidden_fields)) }
                    (self.other_steps())
                }
            }
        }
    }

    /// Renders what the move was worth, or how to make it.
    fn verdict(&self) -> Markup {
        let parts = &self.attempt.parts;
        html! {
            @match self.attempt.verdict {
                Some(Verdict::Solved(words)) => p.right { (words) },
                Some(Verdict::Wrong(words)) => p.wrong { (words) },
                None if parts.is_empty() => p.quiet { (self.how_to_begin()) },
                None => p { "Your move so far: " strong { (parts.join(", ")) } },
            }
        }
    }

    fn how_to_begin(&self) -> &'static str {
        match (&self.from, self.attempt.partial.next.iter().all(|next| next.from.is_none())) {
            (_, true) => "Press one of the marked points.",
            (None, false) => "Choose one of the marked men.",
            (Some(_), false) => "Choose where it goes.",
        }
    }

    /// Renders the buttons: to the next step, or to try again.
    fn actions(&self, hidden_fields: Option<&HiddenFields>) -> Markup {
        let parts = &self.attempt.parts;
        let is_last = self.number == STEPS;
        html! {
            @match self.attempt.verdict {
                Some(Verdict::Solved(_)) if is_last => {
                    (guest::play_button(self.lesson.game(), "Play the program now", hidden_fields))
                    a.button href={ "/help/" (self.lesson.game) } { "All the rules" }
                },
                Some(Verdict::Solved(_)) => {
                    a.button.main rel="next" href=(self.address(self.number + 1, &[])) { "Next step" }
                },
                Some(Verdict::Wrong(_)) => {
                    a.button.main data-key="u" href=(self.address(self.number, &[])) { "Try again" }
                },
                None if !parts.is_empty() => {
                    a.button data-key="u" href=(self.address(self.number, &parts[..parts.len() - 1])) {
                        "Take back"
                    }
                },
                None => {},
            }
        }
    }

    /// Renders the links to the other steps.
    fn other_steps(&self) -> Markup {
        html! {
            nav.numbers aria-label="Steps" {
                @for number in 1..=STEPS {
                    @let current = (number == self.number).then_some("step");
                    a href=(self.address(number, &[])) aria-current=[current]
                        aria-label={ "Step " (number) ": " (self.lesson.steps[number - 1].title) } {
                        (number)
                    }
                }
            }
        }
    }

    fn board(&self) -> Markup {
        let (marks, diagram) = (self.marks(), &self.attempt.partial.diagram);
        let turn = self.attempt.verdict.is_none().then_some(LEARNER);
        let options = DrawOptions {
            names: ["You", "Opponent"],
            beside: [""; 2],
            turn,
            marks: &marks,
            ink: Ink::Page,
            orientation: Orientation::upright(diagram),
        };
        PreEscaped(svg(diagram, &options))
    }

    /// Marks the men to choose, the chosen man and its targets, each with a link.
    fn marks(&self) -> Marks {
        let Attempt { partial, parts, verdict } = &self.attempt;
        if verdict.is_some() {
            return Marks { last: partial.paths.clone(), ..Marks::default() };
        }
        let choose = |from: Spot| format!("{}&from={from}", self.address(self.number, parts));
        let step = |step: &NextStep| {
            let parts = [&parts[..], std::slice::from_ref(&step.words)].concat();
            self.address(self.number, &parts)
        };
        let links = TurnLinks { choose: &choose, step: &step };
        let mut marks = turn_marks(partial, self.from.as_deref(), &links);
        // A spot where the chosen man can go has one link.
        let targets = &marks.targets;
        marks.can.retain(|(spot, _)| targets.iter().all(|(other, _)| other != spot));
        marks
    }
}
