//! Exit codes, with their meanings for the manual.

/// The command line is wrong.
pub const USAGE: u8 = 64;
/// A command was refused, or a check found something wrong.
pub const REFUSED: u8 = 65;
/// A bug.
pub const BUG: u8 = 70;
/// The machine failed; mails are kept.
pub const TRY_AGAIN: u8 = 75;

/// All exit codes with their meanings.
pub const ALL: [(u8, &str); 5] = [
    (0, "done"),
    (USAGE, "the command line is wrong"),
    (
        REFUSED,
        "a player's command or a repair was refused; check, doctor or board show found something \
         wrong; the mail of check --mail could not be sent",
    ),
    (BUG, "a bug in the program: please report it"),
    (
        TRY_AGAIN,
        "try again later: standard error has one line with the reason, the file and the remedy; \
         mails are kept. deliver and cron also end with it if mails are late; cron gives the \
         reason once a day",
    ),
];
