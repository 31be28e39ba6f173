//! The program's evaluations on pages: verdicts, and tables of choices.

use crate::reply::analysis::{ValueFormat, Verdict};
use maud::{Markup, html};

/// A choice in a table.
#[derive(Debug, Default)]
pub(crate) struct ChoiceRow {
    /// The move.
    pub(crate) words: String,
    /// The address where it is tried.
    pub(crate) href: Option<String>,
    /// What it is: `best`, `played`.
    pub(crate) note: String,
    /// The values, in the columns of [`ValueFormat::columns`].
    pub(crate) columns: Vec<String>,
}

/// Renders a verdict: a sign as in annotated games, and its word. Nothing if there is no mistake.
pub(crate) fn verdict_mark(verdict: Verdict) -> Markup {
    let sign = match verdict {
        Verdict::Fine => return html! {},
        Verdict::Small => "?!",
        Verdict::Doubtful => "?",
        Verdict::Blunder => "??",
    };
    html! {
        " " span class={ "mistake is-" (verdict.word()) } { b aria-hidden="true" { (sign) } " " (verdict.word()) }
    }
}

/// Renders a table of choices with the program's values.
pub(crate) fn choice_table(caption: &str, format: ValueFormat, rows: &[ChoiceRow]) -> Markup {
    html! {
        div.wide tabindex="0" role="group" aria-label=(caption) {
            table.choices {
                caption { (caption) }
                thead {
                    tr {
                        th scope="col" { "move" }
                        @for head in format.heads() { th.number scope="col" { (head) } }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            th scope="row" {
                                @match &row.href {
                                    Some(href) => a href=(href) rel="nofollow" { (row.words) },
                                    None => (row.words),
                                }
                                @if !row.note.is_empty() { " " span.quiet { (row.note) } }
                            }
                            @for value in &row.columns { td.number { (value) } }
                        }
                    }
                }
            }
        }
    }
}
