//! What a letter keeps of an analysis that is worked out where it is printed.

use serde::{Deserialize, Serialize};

/// A game that is yet to be analysed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingAnalysis {
    /// The board, as its file would have it.
    pub(super) board: String,
    /// Whose view is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seat: Option<u8>,
    /// The settings of the viewer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) settings: Vec<String>,
    /// The move that is asked about; all of them without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) moveno: Option<usize>,
    /// The last move that is told about, where a game goes on; all of them without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<usize>,
}
