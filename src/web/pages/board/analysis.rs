//! `/{game}/{number}/analysis`: the program's judgement of a finished board, move by move.

use super::drawing::{BoardSide, Oriented};
use super::{chances_graph, flip, flip_link, parse_id, parse_number, path, visible_seat};
use crate::base::ids::{BoardId, UserId};
use crate::command::check_analysable;
use crate::model::board::{Board, RecordedMove};
use crate::model::world::board_key;
use crate::refusal::Refusal;
use crate::reply::analysis::{
    JudgedMove, Judgement, LUCK, SideSummary, ValueFormat, Verdict, move_text, percent,
};
use crate::reply::board_view;
use crate::reply::draw::{ArrowKind, DrawOptions, Ink, Marks, MoveArrow, svg};
use crate::web::html::error_page::{ErrorText, PageError, PageResult};
use crate::web::html::evaluations::{ChoiceRow, choice_table, verdict_mark};
use crate::web::html::page::WebPage;
use crate::web::http::request::WebRequest;
use crate::web::site::{Site, SiteReader, Snapshot};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use games::{AnalysedDecision, DecisionKind, EvaluatedMove, Roll, Seat, View};
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;

/// The number of moves in the list of a page. Longer games have several lists.
const LISTED: usize = 100;

/// The result of a look at a board whose analysis is asked for.
enum Lookup {
    /// The board was judged before.
    Judged(Box<WebPage>),
    /// The board must be judged first, for this user.
    Unjudged(UserId, Box<Board>),
}

/// The page of an analysis. A board that was not judged yet is judged for a signed-in user, while the
/// request waits.
pub(crate) async fn analysis(
    State(site): State<Arc<Site>>,
    Path((game, number)): Path<(String, String)>,
    request: WebRequest,
) -> PageResult<Response> {
    let id = parse_id(&game, &number)?;
    if let Some(flipped) = flip(&site, &request, &path(id)) {
        return Ok(flipped);
    }
    let looked = site.clone().read(request.clone(), move |reader| look(reader, id)).await?;
    let (user, board) = match looked {
        Lookup::Judged(page) => return Ok(page.into_response()),
        Lookup::Unjudged(user, board) => (user, board),
    };
    let page = match site.judge(request.counted_network, &user, *board).await {
        Ok(judgement) => {
            site.read(request, move |reader| judged_page(reader, id, &judgement)).await?
        }
        Err(error @ (PageError::Busy | PageError::TooManyFromNetwork)) => {
            let status = error.status();
            let page = site.read(request, move |reader| Ok(busy_page(reader, id, &error))).await?;
            page.with_status(status)
        }
        Err(error) => return Err(error),
    };
    Ok(page.into_response())
}

/// Returns the path of a board's analysis.
fn analysis_path(id: BoardId) -> String {
    format!("{}/analysis", path(id))
}

/// Returns the page of a board that was judged before, or what is needed to judge it.
fn look(mut reader: SiteReader, id: BoardId) -> PageResult<Lookup> {
    reader.load(&[board_key(id)])?;
    let snapshot = reader.close();
    let board = analysable_board(&snapshot, id)?;
    if let Some(judgement) = snapshot.site.analyses.cached(board) {
        return page(snapshot, id, &judgement).map(|page| Lookup::Judged(Box::new(page)));
    }
    let user = snapshot.viewer.clone();
    let user = user.ok_or_else(|| PageError::SignIn(snapshot.request.path.clone()))?;
    Ok(Lookup::Unjudged(user, Box::new(board.played())))
}

/// Returns a board that the visitor may see, and that may be analysed.
fn analysable_board<'a>(snapshot: &'a Snapshot, id: BoardId) -> PageResult<&'a Board> {
    visible_seat(&snapshot.world, snapshot.viewer.as_ref(), id)?;
    let board = snapshot.world.board(id).map_err(|_| PageError::NotFound)?;
    check_analysable(board).map_err(Refusal::from)?;
    Ok(board)
}

fn judged_page(mut reader: SiteReader, id: BoardId, judgement: &Judgement) -> PageResult {
    reader.load(&[board_key(id)])?;
    page(reader.close(), id, judgement)
}

/// Builds the page for a request that came while too many others wait.
fn busy_page(reader: SiteReader, id: BoardId, error: &PageError) -> WebPage {
    let ErrorText { body, .. } = error.sentence();
    let body = html! {
        nav.trail aria-label="Where you are" { a href=(path(id)) { "The board" } }
        h1 { "Not analysed yet" }
        p role="status" { "Other games are being analysed. " (body) }
        p { a.button href=(analysis_path(id)) { "Try again" } }
    };
    reader.close().page("Not analysed yet", &body)
}

/// Builds the page of a judged board.
fn page(snapshot: Snapshot, id: BoardId, judgement: &Judgement) -> PageResult {
    let board = analysable_board(&snapshot, id)?;
    let seat = visible_seat(&snapshot.world, snapshot.viewer.as_ref(), id)?;
    let view = board_view::view(&snapshot.world, board, seat);
    let recorded: Vec<RecordedMove> = board.moves().collect();
    let moves = judgement.moves();
    let shown = match snapshot.request.query_value("move") {
        None => worst_move(&moves, seat).unwrap_or(1),
        Some(number) => {
            let number = parse_number(number).filter(|it| (1..=recorded.len()).contains(it));
            number.ok_or(PageError::NotFound)?
        }
    };
    let headline = board_view::state_sentence(board, seat);
    let side = BoardSide { game: board.game, seat, is_flipped: snapshot.request.is_flipped };
    let page = AnalysisPage { board, side, view, judgement, recorded, moves, shown };
    let body = page.body(&headline);
    let title = format!("Analysis: {} {}", board.game.spec().title, id.number);
    Ok(snapshot.page(&title, &body))
}

/// Returns the costliest move of a side, or of both sides.
fn worst_move(moves: &[JudgedMove], seat: Option<Seat>) -> Option<usize> {
    let own = moves.iter().filter(|one| seat.is_none_or(|seat| one.seat == seat));
    let worst = own.max_by(|one, other| one.cost.total_cmp(&other.cost));
    worst.filter(|worst| worst.cost > 0.0).map(|worst| worst.number)
}

/// The analysis of a board, at one of its moves.
struct AnalysisPage<'a> {
    board: &'a Board,
    side: BoardSide,
    view: View,
    judgement: &'a Judgement,
    recorded: Vec<RecordedMove<'a>>,
    moves: Vec<JudgedMove<'a>>,
    /// The number of the move that is shown.
    shown: usize,
}

impl AnalysisPage<'_> {
    fn body(&self, headline: &str) -> Markup {
        let BoardId { number, .. } = self.board.id;
        html! {
            div.lab {
                div.head {
                    nav.trail aria-label="Where you are" {
                        a href=(path(self.board.id)) { (self.board.game.spec().title) " " (number) }
                    }
                    h1 { "Analysis" }
                    p.news { (headline) }
                }
                @if self.recorded.is_empty() {
                    p { "No move was played." }
                } @else {
                    figure.board { (self.drawing()) }
                    div.controls {
                        (self.navigation())
                        (flip_link(&address(self.shown), self.side.is_flipped))
                        (self.legend())
                    }
                    div.notes {
                        (self.shown_move())
                        (chances_graph::graph(&self.names(), &self.moves, self.shown))
                        (self.list())
                        (self.summary())
                        (self.explanation())
                    }
                }
            }
        }
    }

    fn format(&self) -> ValueFormat {
        ValueFormat(self.judgement.unit())
    }

    fn names(&self) -> [&str; 2] {
        self.board.players.each_ref().map(UserId::as_str)
    }

    /// Returns the judgement of the move that is shown, unless the game is too long.
    fn judged(&self) -> Option<&JudgedMove<'_>> {
        self.moves.get(self.shown - 1)
    }

    /// Returns the decision about the move itself, if there was a choice.
    fn decision(&self) -> Option<&AnalysedDecision> {
        self.judged()?.decisions.iter().rfind(|one| one.kind != DecisionKind::Double).copied()
    }

    /// Returns the best move where another one was played.
    fn better(&self) -> Option<&EvaluatedMove> {
        let decision = self.decision()?;
        decision.best.first().filter(|best| **best != decision.done && decision.cost() > 0.0)
    }

    /// Draws the position before the move, with its dice, and an arrow for each man that was moved or
    /// should have been moved.
    fn drawing(&self) -> Markup {
        let position = self.board.position_after(self.shown - 1);
        let Some(position) = position else { return html! {} };
        let played = &self.recorded[self.shown - 1];
        let better = self.better().and_then(|best| best.text.as_deref()).unwrap_or_default();
        let arrows = |kind: ArrowKind, text: &str| {
            let text = self.board.game.text_for_diagram(&self.view, text.to_owned());
            let paths = self.board.game.paths(&text).into_iter();
            paths.map(move |path| MoveArrow { kind, path }).collect::<Vec<_>>()
        };
        let [best, played_arrows] =
            [arrows(ArrowKind::Best, better), arrows(ArrowKind::Played, &played.text)];
        let marks = Marks { arrows: [best, played_arrows].concat(), ..Marks::default() };
        let Oriented { diagram, orientation } = self.side.orient(&position.diagram(&self.view));
        let options = DrawOptions {
            names: self.names(),
            beside: ["", ""],
            turn: Some(played.seat),
            marks: &marks,
            ink: Ink::Page,
            orientation,
        };
        PreEscaped(svg(&diagram, &options))
    }

    /// Renders what the arrows mean.
    fn legend(&self) -> Markup {
        let played = &self.recorded[self.shown - 1];
        let better = self.better().map(|best| self.words(played.seat, best));
        let sample = |class: &str| {
            html! {
                svg.board.sample viewBox="0 0 60 20" aria-hidden="true" {
                    path class=(class) d="M4 10L42 10" {}
                    path class={ (class) "-head" } d="M56 10L41 2.5L41 17.5Z" {}
                }
            }
        };
        html! {
            p.legend {
                @match &better {
                    Some(better) => {
                        span { (sample("played")) " played: " (self.recorded_words(played)) }
                        span { (sample("best")) " best: " (better) }
                    },
                    None => span { (sample("played")) " played: " (self.recorded_words(played)) },
                }
            }
        }
    }

    /// Returns a possible move as the viewer writes it.
    fn words(&self, seat: Seat, choice: &EvaluatedMove) -> String {
        move_text(self.board.game, &self.view, seat, choice)
    }

    /// Renders the links to the other moves and to the mistakes before and after this one.
    fn navigation(&self) -> Markup {
        let (shown, last) = (self.shown, self.recorded.len());
        let is_mistake = |one: &&JudgedMove| one.verdict > Verdict::Fine;
        let mistakes = || self.moves.iter().filter(is_mistake).map(|one| one.number);
        let before = mistakes().rfind(|number| *number < shown);
        let after = mistakes().find(|number| *number > shown);
        html! {
            nav.steps aria-label="Moves" {
                @if shown > 1 {
                    a rel="first" href=(address(1)) { "First" } " "
                    a rel="prev" href=(address(shown - 1)) { "Back" } " "
                }
                span { "Move " (shown) " of " (last) } " "
                @if shown < last {
                    a rel="next" href=(address(shown + 1)) { "Forward" } " "
                    a rel="last" href=(address(last)) { "Last" }
                }
            }
            nav.steps aria-label="Mistakes" {
                @if let Some(before) = before {
                    a href=(address(before)) data-key="M" { "Mistake before" } " "
                }
                @if let Some(after) = after { a href=(address(after)) data-key="m" { "Next mistake" } }
            }
        }
    }

    /// Renders the move that is shown: the verdict, the best moves with their values, and its luck.
    fn shown_move(&self) -> Markup {
        let played = &self.recorded[self.shown - 1];
        let name = format!("{} ({})", self.board.player(played.seat), self.board.side(played.seat));
        let judged = self.judged();
        html! {
            section.shown aria-label="The move" aria-live="polite" {
                h2 { (self.shown) ". " (name) (rolled(played.dice)) ": " (self.recorded_words(played)) }
                @match judged {
                    None => p { "The game is too long: its end was not analysed." },
                    Some(judged) if judged.decisions.is_empty() => {
                        p {
                            @if is_about_resigning(&played.text) { "Resignations are not judged." }
                            @else { "There was no choice." }
                        }
                    },
                    // Not to double before the roll is judged, although a resignation followed it.
                    Some(judged) => {
                        @for decision in &judged.decisions { (self.verdict(decision)) }
                    },
                }
                p.quiet {
                    @if let Some(win) = judged.and_then(|judged| judged.win) {
                        "After it " (self.board.player(played.seat)) " wins " (percent(win))
                        " of all games. "
                    }
                    @if let Some(luck) = judged.and_then(|judged| judged.luck) {
                        "Luck of the roll: " (self.format().signed(luck)) "."
                    }
                }
                p {
                    a.key href={ (path(self.board.id)) "/preview?after=" (self.shown - 1) } {
                        "Try other moves from here"
                    }
                }
            }
        }
    }

    /// Renders the verdict on a decision, and its choices.
    fn verdict(&self, decision: &AnalysedDecision) -> Markup {
        let AnalysedDecision { seat, best, done, .. } = decision;
        let (format, cost) = (self.format(), decision.cost());
        let choices = best.iter().chain((!best.contains(done)).then_some(done));
        let row = |(index, choice): (usize, &EvaluatedMove)| {
            let notes = [(index == 0).then_some("best"), (choice == done).then_some("played")];
            let note = notes.into_iter().flatten().collect::<Vec<_>>().join(", ");
            let words = self.words(*seat, choice);
            ChoiceRow { words, href: None, note, columns: format.columns(&choice.evaluation) }
        };
        let rows: Vec<ChoiceRow> = choices.enumerate().map(row).collect();
        let about = match decision.kind {
            DecisionKind::Play(_) => "The play",
            DecisionKind::Double if done.text.is_some() => "The double",
            DecisionKind::Double => "Not to double",
            DecisionKind::Answer => "The answer",
        };
        html! {
            p {
                @if cost > 0.0 {
                    (about) " loses " strong { (format.number(cost)) } "."
                    (verdict_mark(Verdict::of_cost(cost)))
                } @else { (about) " is best." }
            }
            (choice_table("The best choices, and the one that was made", format, &rows))
        }
    }

    /// Returns a recorded move as the viewer writes it.
    fn recorded_words(&self, played: &RecordedMove) -> String {
        self.board.game.text_for_viewer(&self.view, played.seat, played.text.to_string())
    }

    /// Renders the moves, those of a long game in parts. Mistakes are marked.
    fn list(&self) -> Markup {
        let part = (self.shown - 1) / LISTED;
        let parts = self.recorded.len().div_ceil(LISTED);
        let from = part * LISTED;
        let listed = (from + 1..).zip(self.recorded[from..].iter().take(LISTED));
        html! {
            h2 { "Moves" }
            @if parts > 1 {
                nav.steps aria-label="Parts of the game" {
                    @for index in 0..parts {
                        @let first = index * LISTED + 1;
                        a href=(address(first)) aria-current=[(index == part).then_some("true")] {
                            (first) "-" ((first + LISTED - 1).min(self.recorded.len()))
                        } " "
                    }
                }
            }
            ol.record {
                @for (number, played) in listed {
                    li.second[played.seat == Seat(1)] {
                        a href=(address(number))
                            aria-current=[(number == self.shown).then_some("step")] {
                            (number) "." (rolled(played.dice)) " " (self.recorded_words(played))
                            @if let Some(judged) = self.moves.get(number - 1) {
                                (verdict_mark(judged.verdict))
                            }
                        }
                    }
                }
            }
        }
    }

    /// Renders the losses, mistakes and luck of both sides.
    fn summary(&self) -> Markup {
        let sides = Seat::BOTH.map(|seat| self.judgement.summary(seat));
        let format = self.format();
        let row = |head: &str, cell: &dyn Fn(&SideSummary) -> String| {
            html! {
                tr { th scope="row" { (head) } @for side in &sides { td.number { (cell(side)) } } }
            }
        };
        let has_cube = sides.iter().any(|side| side.cube_decisions > 0);
        html! {
            h2 { "Both sides" }
            table.summary {
                thead {
                    tr {
                        td {}
                        @for seat in Seat::BOTH {
                            th.number scope="col" {
                                (self.board.player(seat)) " (" (self.board.side(seat)) ")"
                            }
                        }
                    }
                }
                tbody {
                    @for (index, verdict) in Verdict::MISTAKES.into_iter().enumerate().rev() {
                        tr {
                            th scope="row" { (verdict_mark(verdict)) }
                            @for side in &sides { td.number { (side.mistakes[index]) } }
                        }
                    }
                    (row("Plays with a choice", &|side| side.plays.to_string()))
                    (row("Lost by plays", &|side| format.number(side.lost)))
                    (row("Lost by each play", &|side| format.number(side.each)))
                    @if has_cube {
                        (row("Wrong cube decisions", &|side| side.wrong_cube_decisions.to_string()))
                        (row("Lost by cube decisions", &|side| format.number(side.lost_by_cube)))
                    }
                    (row("Luck", &|side| format.signed(side.luck)))
                    tr {
                        th scope="row" { "Worst move" }
                        @for seat in Seat::BOTH { td.number { (self.worst_of(seat)) } }
                    }
                }
            }
        }
    }

    /// Renders the link to the costliest move of a side.
    fn worst_of(&self, seat: Seat) -> Markup {
        let worst = worst_move(&self.moves, Some(seat)).and_then(|it| self.moves.get(it - 1));
        html! {
            @match worst {
                Some(worst) => a href=(address(worst.number)) {
                    "move " (worst.number) " (" (self.format().number(worst.cost)) ")"
                },
                None => "none",
            }
        }
    }

    /// Renders what the numbers and the verdicts mean.
    fn explanation(&self) -> Markup {
        let format = self.format();
        let [small, doubtful, blunder] =
            Verdict::MISTAKES.map(|verdict| format.number(verdict.min_cost()));
        html! {
            @if self.judgement.is_truncated() {
                p { "The game is too long: its end was not analysed." }
            }
            p.quiet {
                (format.explanation()) " " (LUCK) " A mistake is small if it loses " (small)
                " or more, doubtful from " (doubtful) ", and a blunder from " (blunder) "."
            }
        }
    }
}

/// Returns the address of a move, relative to the page.
pub(super) fn address(number: usize) -> String {
    format!("?move={number}")
}

/// Returns whether a move offers to resign or answers such an offer.
fn is_about_resigning(text: &str) -> bool {
    text.starts_with("resign") || ["accept", "reject"].contains(&text)
}

/// Writes dice after a name, the higher one first.
fn rolled(dice: Option<Roll>) -> String {
    match dice.map(Roll::higher_first) {
        Some(Roll::Two(one, other)) => format!(" {one}-{other}"),
        Some(Roll::One(die)) => format!(" {die}"),
        None => String::new(),
    }
}
