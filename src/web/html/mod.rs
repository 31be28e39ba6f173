//! The parts that pages are built from: the frame around a page, blocks of answers, forms for
//! challenges, questions before an act that cannot be undone, and error pages.

pub(super) mod blocks;
pub(super) mod challenges;
pub(super) mod confirmation;
pub(super) mod error_page;
pub(super) mod page;
