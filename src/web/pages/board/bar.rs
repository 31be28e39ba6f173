//! The bar below a board: what its player can do now, and where to go next. It stays on the screen.

use super::drawing::path_after_steps;
use super::forms::{COMMENT, PlayerForms};
use super::{CHANGE, SubmittedMove, ViewedBoard, path};
use crate::command::{DECLINE_VERB, check_analysable};
use crate::model::board::{Board, Offer, Proposal};
use crate::model::chat_log::LONGEST_MESSAGE;
use crate::reply::board_view;
use crate::web::html::blocks::{capitalized, move_label};
use crate::web::site::Snapshot;
use games::{Diagram, MANUAL, PartialMove, ROLL, Seat};
use maud::{Markup, html};
use std::borrow::Cow;

/// The most games that are named to somebody whose game has ended.
const MAX_ALIKE: usize = 4;

/// The id of the form with the move, to which the message field belongs.
const MOVE_FORM: &str = "play";

/// The names of that form: for a move, and for a submitted move.
const MOVE: &str = "move";
const CONFIRM: &str = "confirm";

/// The field that tells whether the server rolls for the player, and its values: whether the box was
/// shown, and whether it was checked.
pub(super) const ROLLING: &str = "rolls";
pub(super) const SHOWN: &str = "shown";
pub(super) const BY_SERVER: &str = "server";

impl PlayerForms<'_> {
    pub(super) fn bar(&self, snapshot: &Snapshot, viewed: &ViewedBoard) -> Markup {
        html! {
            div.bar id="bar" {
                @if self.board.is_over() {
                    (self.ending(viewed))
                } @else {
                    (self.offer(snapshot, viewed))
                    @if let Some(partial_move) = &viewed.partial_move {
                        (self.turn(viewed, partial_move))
                        (self.decline())
                    } @else {
                        div.keys { (next_board(viewed, true)) (self.decline()) }
                    }
                }
            }
        }
    }

    /// Renders the button that closes the board before the player's first move.
    fn decline(&self) -> Markup {
        let label = decline_label(self.board, self.seat);
        label.map_or_else(Markup::default, |label| self.button(DECLINE_VERB.name, label))
    }

    /// Renders the open offer with its answers.
    fn offer(&self, snapshot: &Snapshot, viewed: &ViewedBoard) -> Markup {
        let Some(Offer { by, what, .. }) = self.board.offer else { return html! {} };
        let question = board_view::offer_question(self.board, &viewed.view);
        let open = board_view::open_offer(self.board, &viewed.view).unwrap_or_default();
        let consequences =
            board_view::offer_consequences(&snapshot.world, self.board, snapshot.now);
        let [accept, reject] = match what {
            Proposal::Draw => ["Accept the draw", "Play on"],
            Proposal::Undo | Proposal::Analysis | Proposal::Abort => ["Agree", "Refuse"],
        };
        html! {
            section.offer id="offer" aria-label="An offer" {
                @if by == self.seat {
                    p { (open) }
                    (self.button("reject", "Withdraw the offer"))
                } @else {
                    p { strong { (question.unwrap_or(open)) } }
                    @if !consequences.is_empty() { p.quiet { (consequences) } }
                    (self.main_button("accept", accept))
                    (self.button("reject", reject))
                }
            }
        }
    }

    /// Renders the player's turn: the move that is put together, or the question to answer.
    fn turn(&self, viewed: &ViewedBoard, partial_move: &PartialMove) -> Markup {
        let question = board_view::move_question(self.board, &viewed.view);
        html! {
            section.turn.asks[question.is_some()] id="turn" aria-label="Your move" {
                @if let Some(question) = &question { p.question { (question) } }
                @if let Some(submitted) = &viewed.submitted {
                    (self.submitted_move(viewed, submitted))
                } @else {
                    (self.whole_move(viewed, partial_move))
                    (self.other_moves(viewed, partial_move, question.is_some()))
                    (take_back(viewed))
                    (self.finish_button(partial_move))
                    (self.message_field(viewed, partial_move))
                    (hint(viewed, partial_move))
                }
            }
        }
    }

    /// Renders the submitted move, which the board shows, with the buttons that play or change it.
    fn submitted_move(&self, viewed: &ViewedBoard, submitted: &SubmittedMove) -> Markup {
        html! {
            p { "Not played yet: " strong { (submitted.text) } }
            (self.form_with_id(Some(MOVE_FORM), CONFIRM, &html! {
                (self.seed_field())
                button.main type="submit" name="say" value="confirm" { "Confirm" }
                (rolling(viewed))
            }))
            a.key href={ (path(self.board.id)) "?" (CHANGE) "=yes" } { "Change" }
            (self.message_details(&html! {}))
        }
    }

    /// Renders the form of a move that can be sent now.
    fn whole_move(&self, viewed: &ViewedBoard, partial_move: &PartialMove) -> Markup {
        let Some(play) = &partial_move.play else { return html! {} };
        let is_word = partial_move.other_moves.contains(play);
        self.form_with_id(
            Some(MOVE_FORM),
            MOVE,
            &html! {
                input type="hidden" name="say" value=(play);
                button.main type="submit" {
                    @if is_word { (capitalized(play)) } @else { "Play " strong { (play) } }
                }
                (self.seed_field())
                (rolling(viewed))
            },
        )
    }

    /// Renders the buttons of moves without places: `roll`, `double`, the answers to a question.
    fn other_moves(
        &self,
        viewed: &ViewedBoard,
        partial_move: &PartialMove,
        is_question: bool,
    ) -> Markup {
        let others = &partial_move.other_moves;
        let is_first = |words: &String| others.first() == Some(words);
        html! {
            @for words in others.iter().filter(|it| partial_move.play.as_ref() != Some(it)) {
                @let is_roll = words == ROLL;
                (self.form(words, &html! {
                    @if is_roll { (self.seed_field()) }
                    button.main[is_roll || is_question && is_first(words)] type="submit" name="say"
                        value=(words) data-roll[is_roll && others.len() == 1] { (label_of(words)) }
                    @if is_roll { (rolling(viewed)) }
                }))
            }
        }
    }

    /// Renders the button that ends a turn of several presses, once one was made.
    fn finish_button(&self, partial_move: &PartialMove) -> Markup {
        let words = partial_move.paths.is_empty().then(|| self.board.position().finish()).flatten();
        html! {
            @if let Some(words) = words.filter(|words| !partial_move.other_moves.contains(words)) {
                (self.button(&words, &capitalized(&words)))
            }
        }
    }

    /// Renders the message that goes with the move. The field stays while the move is put together.
    fn message_field(&self, viewed: &ViewedBoard, partial_move: &PartialMove) -> Markup {
        let has_steps = !viewed.steps.is_empty() || !partial_move.next.is_empty();
        if self.opponent_is_program || !(has_steps || partial_move.play.is_some()) {
            return html! {};
        }
        let can_preview = partial_move.play.is_some()
            && viewed.after.is_none()
            && !self.board.game.spec().manner.is_blind();
        self.message_details(&html! {
            @if can_preview {
                button type="submit" form=(MOVE_FORM) name="verb" value="submit" { "Preview" }
            }
        })
    }

    /// Renders the message field with more buttons of its form.
    fn message_details(&self, more: &Markup) -> Markup {
        let typed = |form| self.hidden_fields.form(form).typed(COMMENT, 0);
        let typed = typed(MOVE).or_else(|| typed(CONFIRM)).unwrap_or_default();
        html! {
            details.message id="message" open[!typed.is_empty()] {
                summary { "Message" }
                label for="words" { "Message (optional)" }
                textarea id="words" name=(COMMENT) form=(MOVE_FORM) rows="2"
                    maxlength=(LONGEST_MESSAGE) { (typed) }
                (more)
            }
        }
    }

    /// Renders the end of a board: the new rating, a rematch, the analysis, and the next board.
    fn ending(&self, viewed: &ViewedBoard) -> Markup {
        let rated = self.board.rated.map(|changes| changes[self.seat.index()]);
        let title = if self.board.game.spec().manner.is_solo { "Play again" } else { "Rematch" };
        html! {
            section.ending aria-label="What next" {
                @if let Some(change) = rated {
                    p {
                        "Your rating: " strong { (change.after.marked_points()) }
                        " (" (format!("{:+}", change.points())) ")"
                        @if change.share > 1 { ". This game counts 1/" (change.share) "." }
                    }
                    @if let Some(why) = self.board.rated.as_ref().and_then(board_view::ratings_too_short) {
                        p.quiet { (why) }
                    }
                }
                @if let Some(id) = viewed.rematch {
                    a.button.main href=(path(id)) { "Go to the rematch" }
                } @else {
                    (self.main_button("rematch", title))
                }
                @if check_analysable(self.board).is_ok() {
                    a.button href={ (path(self.board.id)) "/analysis" } { "Analyse" }
                }
                (next_board(viewed, false))
                (self.other_games())
            }
        }
    }

    /// Renders links to games that resemble the one that has ended.
    fn other_games(&self) -> Markup {
        let alike: Vec<_> = games::relatives(self.board.game.spec().name).collect();
        html! {
            @if !alike.is_empty() {
                p.quiet {
                    "Try another:"
                    @for (index, game) in alike.iter().take(MAX_ALIKE).enumerate() {
                        @if index > 0 { "," }
                        " " a href={ "/" (game.spec().name) } { (game.spec().title) }
                    }
                }
            }
        }
    }
}

/// Returns the label of the button with which a player declines a board before their first move, or
/// withdraws their own challenge; `None` if it is too late. In a tournament it would lose the game, and
/// the button for that is the one that resigns.
pub(in crate::web::pages) fn decline_label(board: &Board, seat: Seat) -> Option<&'static str> {
    let is_own = board.challenger == Some(seat);
    let can_decline = board.can_decline(seat) && board.tournament.is_none();
    can_decline.then_some(if is_own { "Withdraw" } else { "Decline" })
}

/// Returns the label of a move without places of its own.
fn label_of(words: &str) -> String {
    match words {
        // Players at a table pass a double.
        "drop" => "Pass".into(),
        words => move_label(words),
    }
}

/// Renders the box with which a player of a game with a cube lets the server roll. A player whose first
/// move is made here rolls by hand, so that they can double.
fn rolling(viewed: &ViewedBoard) -> Markup {
    let Some(seat) = viewed.seat.filter(|_| viewed.has_cube) else { return html! {} };
    let by_hand = viewed.view.settings.has(MANUAL.switch.name);
    let is_checked = viewed.board.has_moved(seat) && !by_hand;
    html! {
        input type="hidden" name=(ROLLING) value=(SHOWN);
        label.check {
            input type="checkbox" name=(ROLLING) value=(BY_SERVER) checked[is_checked];
            " Roll for me"
        }
    }
}

/// Renders the links that take steps back.
fn take_back(viewed: &ViewedBoard) -> Markup {
    let steps = &viewed.steps;
    let Some((_, previous)) = steps.split_last() else { return html! {} };
    html! {
        a.key href=(path_after_steps(viewed, previous)) data-key="u" aria-label="Take back a step" {
            "Take back" }
        @if !previous.is_empty() { a.key href=(path_after_steps(viewed, &[])) { "Start over" } }
    }
}

/// Returns the game's word for a place on the board.
fn place(viewed: &ViewedBoard) -> Cow<'static, str> {
    match viewed.board.position().diagram(&viewed.view) {
        Diagram::Board(tiled) => tiled.place,
        _ => "point".into(),
    }
}

/// Renders the steps so far, or how a move is begun.
fn hint(viewed: &ViewedBoard, partial_move: &PartialMove) -> Markup {
    html! {
        @if partial_move.play.is_some() || partial_move.next.is_empty() {
        } @else if !viewed.steps.is_empty() {
            p.hint { "Your move so far: " strong { (viewed.steps.join(", ")) } }
        } @else if partial_move.next.iter().any(|step| step.from.is_some()) {
            p.quiet.hint { "Choose a man, then where it goes." }
        } @else {
            p.quiet.hint { "Choose a " (place(viewed)) "." }
        }
    }
}

/// Renders the link to the next board that waits.
fn next_board(viewed: &ViewedBoard, is_main: bool) -> Markup {
    html! {
        @if let Some(next) = &viewed.next_board {
            @let title = games::title(next.id.game);
            @let more = if next.is_complete { "" } else { "+" };
            a.button.main[is_main] href=(path(next.id)) data-key="n" {
                "Next: " (title) " " (next.id.number) " (" (next.waiting) (more) " waiting)"
            }
        } @else {
            a.button href="/boards" data-key="n" { "My boards" }
        }
    }
}
