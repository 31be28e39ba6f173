//! The program's analysis of a game: the judgement as values, and its text in mails.

mod judgement;
mod report;

pub(crate) use judgement::to_f32;
pub use judgement::{
    JudgedMove, Judgement, LUCK, SideSummary, ValueFormat, Verdict, move_text, percent,
};
pub(crate) use report::has_analysis;
pub use report::{PendingAnalysis, run_analyses};
pub(super) use report::{mail, so_far};
