//! The program's opinions on the page of a trial.

use super::Trial;
use crate::reply::analysis::{ValueFormat, Verdict, move_text, percent};
use crate::web::html::evaluations::{ChoiceRow, choice_table, verdict_mark};
use crate::web::site::Opinions;
use games::{EvaluatedMove, Next, Opinion, Seat};
use maud::{Markup, html};

impl Trial {
    /// Renders the program's opinions: of the last move, and of the choices now.
    pub(super) fn opinions(&self, opinions: &Opinions) -> Markup {
        let format = [&opinions.tried, &opinions.now].into_iter().flatten().next();
        let format = format.map(|opinion| ValueFormat(opinion.unit));
        html! {
            @if let Some(format) = format {
                section.opinion aria-label="The program's opinion" {
                    @if let Some(opinion) = &opinions.tried { (self.opinion_of_move(opinion)) }
                    @if let Some(opinion) = &opinions.now { (self.opinion_of_position(opinion)) }
                    p.quiet { (format.explanation()) }
                }
            }
        }
    }

    /// Renders the opinion of the last move.
    fn opinion_of_move(&self, opinion: &Opinion) -> Markup {
        let (Some(last), Some(tried)) = (self.last(), &opinion.tried) else { return html! {} };
        let (Some(mover), Some(cost)) = (last.mover, opinion.cost()) else { return html! {} };
        let moves = self.moves();
        let before = &moves[..moves.len() - 1];
        let format = ValueFormat(opinion.unit);
        let best = opinion.best.iter();
        let choices = best.chain((!opinion.best.contains(tried)).then_some(tried));
        let rows = choices.enumerate().map(|(index, choice)| {
            let notes = [(index == 0).then_some("best"), (choice == tried).then_some("tried")];
            let notes: Vec<&str> = notes.into_iter().flatten().collect();
            self.row(choice, mover, before, &notes, format)
        });
        let rows: Vec<ChoiceRow> = rows.collect();
        html! {
            h2 { "The move " (last.words) }
            p {
                @if opinion.choice_count == 1 { "It was the only one. " }
                @else if cost > 0.0 {
                    "It loses " (format.number(cost)) "." (verdict_mark(Verdict::of_cost(cost)))
                }
                @else { "It is best. " }
            }
            (choice_table("The best moves, and the one that was tried", format, &rows))
        }
    }

    /// Renders the opinion of the position that is shown.
    fn opinion_of_position(&self, opinion: &Opinion) -> Markup {
        let (Next::Move(seat) | Next::Ready(seat, _)) = self.tried.position.next() else {
            return html! {};
        };
        let (moves, format) = (self.moves(), ValueFormat(opinion.unit));
        let row = |choice: &EvaluatedMove| self.row(choice, seat, &moves, &[], format);
        let rows: Vec<ChoiceRow> = opinion.best.iter().map(row).collect();
        html! {
            h2 { "The position" }
            @if let Some(best) = opinion.best.first() {
                p { (self.name(seat)) " wins " (percent(best.evaluation.odds.win()))
                    " of all games after the best move." }
            }
            (choice_table("The best moves now", format, &rows))
        }
    }

    /// Builds the row of a choice after `before`.
    fn row(
        &self,
        choice: &EvaluatedMove,
        seat: Seat,
        before: &[&str],
        notes: &[&str],
        format: ValueFormat,
    ) -> ChoiceRow {
        let (game, view) = (self.start.game, &self.start.view);
        let words = move_text(game, view, seat, choice);
        let href = choice.text.as_ref().map(|_| {
            let moves: Vec<&str> = before.iter().copied().chain([&*words]).collect();
            self.address_of(&moves)
        });
        let columns = format.columns(&choice.evaluation);
        ChoiceRow { href, note: notes.join(", "), columns, words }
    }
}
