//! A pattern and its mirror image.

pub(crate) mod target;
