//! Ways out.
