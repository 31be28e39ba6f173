//! The commands of players. [`VERBS`] is the table of verbs; every verb has a file with its
//! grammar, the documents that it needs, and its decision. A new verb is its file and two lines:
//! one in the `mod.rs` of its folder and one in the table.
//!
//! | folder | contains |
//! |---|---|
//! | `parsing/` | reads command lines, phrases and dates |
//! | `new_board/` | verbs that set up a board: challenges, open challenges, rematches |
//! | `play/` | verbs of players on a board in progress: moves, offers, resigning |
//! | `tournament/` | tournaments: their creation, entries, rounds |
//! | `ladder/` | ladders: joining, leaving, challenges for places |
//! | `view/` | verbs that only show something: boards, lists, standings, help |
//! | `account/` | verbs about a user: signing up and in, addresses, settings, leaving |
//! | `moderation/` | reports of players, and the acts of the operator and the administrators |
//! | `messages/` | verbs for messages between users, and for the mails that a user gets |
//!
//! [`Command`] is the trait that each of them implements. Commands without a verb are sent by forms of
//! the web, by the operator's shell, or by tasks of the server. `reactions/` decides what follows from
//! events and wakeups.

pub mod account;
mod authentication;
mod decision;
mod ladder;
pub mod messages;
pub mod moderation;
mod new_board;
mod parsing;
mod play;
mod player;
pub mod reactions;
mod tournament;
mod verb;
mod view;

pub use crate::reply::{Browser, Origin};
pub(crate) use account::confirm_address::MOST_ADDRESSES;
pub(crate) use account::leave::departure;
pub use authentication::UserProof;
pub use decision::{Command, Context, Decision, LastingAct, Needs, Trust};
pub(crate) use new_board::challenge::COMMON_OPTIONS;
pub use new_board::import::import;
pub(crate) use parsing::arguments::{split_moveno, without_seed_option};
pub use parsing::line::{
    has_password, is_help, is_multiple, is_signup, parse, parse_ladder_reply, parse_reply,
    parse_topic_reply, parse_tournament_reply, parse_words,
};
pub(crate) use parsing::phrases::{DECLINE, Phrase, QUIT, is_small_talk, phrase};
pub(crate) use play::answer::game_asks;
pub use play::answer::{AnswerTarget, is_answer};
pub use play::engine_move::{EngineMoveCommand, EnginePlay};
pub(crate) use play::plan::is_whole_plan;
pub(crate) use play::turn::legal_moves_for;
pub(crate) use tournament::OPTIONS as TOURNAMENT_OPTIONS;
pub use verb::{
    ParsedCommand, ReplyScope, Verb, VerbScope, find_verb, first_words, is_setting, move_word,
};
pub(crate) use view::analyse::check_analysable;
pub use view::help::{DICE, key_list, markdown_page, page_names, reference};
pub use view::next::{WaitingBoard, next_waiting};
pub(crate) use view::preview::{
    MAX_TRIED_MOVES, TriedMoves, TriedStep, position_to_try, try_moves,
};
pub use view::proof::roll_sheet;

use authentication::{
    authenticate, authenticate_about, authenticate_as, authenticate_in_any_reply, check_password,
    hash_password, unknown_user,
};
use messages::count_message;
use parsing::arguments::Arguments;
use player::{Player, of_player, seat_in_play, seat_on};
use verb::{named_game, required_game};

/// The most lines that a `multiple` may have.
pub const MOST_LINES: usize = 50;

/// The most bytes of a message that is passed on to an opponent.
pub const LONGEST_COMMENT: usize = 10_000;

/// The verb of a reply that contains only a move.
pub(crate) const MOVE: &Verb = &play::make_move::VERB;

/// The verb of a player who does not want to play.
pub(crate) const DECLINE_VERB: &Verb = &play::decline::VERB;

/// The verb of plans.
pub(crate) const PLAN: &Verb = &play::plan::PLAN;

/// The verb that sends a message to the opponent.
pub(crate) const CHAT: &Verb = &messages::chat::VERB;

/// The verb of open challenges.
pub(crate) const SEEK: &Verb = &new_board::seek::SEEK;

/// The verb that sends a message to other users.
pub(crate) const MESSAGE: &Verb = &messages::message::MESSAGE;

/// The verb that asks for a help page.
pub(crate) const HELP: &Verb = &view::help::VERB;

/// All verbs, in the order in which help pages explain them.
pub const VERBS: &[&Verb] = &[
    &view::help::VERB,
    &account::signup::VERB,
    &account::change::VERB,
    &account::confirm_address::VERB,
    &account::forgot::VERB,
    &view::list::VERB,
    &view::show_all::VERB,
    &view::players::VERB,
    &view::profile::VERB,
    &view::next::VERB,
    &messages::message::MESSAGE,
    &messages::message::BROADCAST,
    &messages::marks::MUTE,
    &messages::marks::UNMUTE,
    &messages::marks::BLOCK,
    &messages::marks::UNBLOCK,
    &messages::marks::FAVOURITE,
    &messages::marks::UNFAVOURITE,
    &moderation::report::VERB,
    &account::export::VERB,
    &account::leave::SIGNOFF,
    &account::leave::DELETE,
    &account::vacation::VERB,
    &account::rest::TIMEZONE,
    &account::rest::WEEKEND,
    &account::rest::NIGHT,
    &new_board::challenge::VERB,
    &new_board::rematch::VERB,
    &play::make_move::VERB,
    &view::show::VERB,
    &view::show_as::VERB,
    &view::preview::VERB,
    &view::legal_moves::VERB,
    &view::analyse::VERB,
    &view::proof::VERB,
    &view::games::VERB,
    &view::games::HISTORY,
    &view::standings::VERB,
    &messages::chat::VERB,
    &play::submit::SUBMIT,
    &play::submit::CONFIRM,
    &play::note::VERB,
    &play::plan::PLAN,
    &play::plan::QUEUE,
    &play::pass::PASS,
    &play::pass::SWAP,
    &play::offer::UNDO,
    &play::offer::PROPOSE,
    &play::answer::ACCEPT,
    &play::answer::REJECT,
    &play::more_time::VERB,
    &play::resign::VERB,
    &play::decline::VERB,
    &messages::subscribe::SUBSCRIBE,
    &messages::subscribe::UNSUBSCRIBE,
    &account::new_token::VERB,
    &account::limit::VERB,
    &new_board::seek::SEEK,
    &new_board::seek::ACCEPT,
    &messages::notify::VERB,
    &tournament::VERB,
    &ladder::VERB,
    &play::settings::VERB,
    &account::preferences::SETTINGS,
];
