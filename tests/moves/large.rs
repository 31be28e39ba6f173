//! What takes long.
