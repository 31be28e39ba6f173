//! The outbox of a home in files: letters until they are sent.
//!
//! | folder | contains letters that |
//! |---|---|
//! | `outbox/new` | wait |
//! | `outbox/cur` | are being sent |
//! | `outbox/bad` | were given up, each with the reason beside it |
//!
//! `file_outbox` sends them and looks at them; `letter_file` is the format of a file. A file holds
//! the letters of one transaction; each is an envelope line and the content:
//!
//! ```text
//! {"sent":0,"bytes":2189,"at":1795238400,"name":"3f..","sender":"..","to":"..","thread":"malaka-17"}
//! {"draft":1,"from":{"address":..},"date":1795238400,"subject":"Your turn: ..","blocks":["Mark",..]}
//! ```
//!
//! Earlier programs wrote a complete mail as the content. The letters of a long batch stay in the
//! journal file that held them, `001795238400.17..txn`. The name of a file says how often sending
//! failed and when the next try is due: `001795238400.3f..,2,1795238640.eml`. A letter that waits for a
//! limit of its recipient's domain has 0 failures and a time. Of several files of a transaction, each has its
//! number: `001795238400.0002.3f..+64.eml`. A journal file that cannot be read has no such name; it stays in
//! `outbox/cur` until the next run.
//!
//! One process sends at a time (`outbox/lock`). It holds the lock of the home only while it claims files.
//! A letter is sent at least once, always with the same Message-ID.

pub(super) mod file_outbox;
pub(super) mod letter_file;

pub use super::letter::{
    Backlog, DeliveryError, FailureScope, LetterClaim, NotSent, OutboxReport, UnsentLetter,
};
pub use file_outbox::{FileOutbox, backlog};
