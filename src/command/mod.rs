//! The language of players: a table of verbs, each with its grammar and its decision in a file
//! of its own. A new verb is its file and two lines here.

mod addresses;
mod all;
mod analyse;
mod answer;
mod begin;
mod challenge;
mod change;
mod chat;
mod dates;
mod decision;
mod export;
mod forgot;
mod games_of;
mod help;
mod history;
mod import;
pub mod key;
mod leave;
mod led;
mod limit;
mod line;
mod list;
mod message;
mod moves;
mod mute;
mod newtoken;
mod next;
mod notify;
mod offer;
pub mod opt_out;
mod pass;
mod phrases;
mod play;
mod played;
mod player;
mod players;
mod preference;
mod preview;
mod profile;
mod proof;
mod queue;
mod rematch;
mod resign;
mod seek;
mod set;
mod settings;
mod sheet;
mod show;
mod showas;
pub mod signin;
mod signup;
mod standings;
mod submit;
mod subscribe;
mod vacation;
mod verb;
mod verbs;
mod words;

pub use crate::reply::{Browser, Origin};
pub(crate) use addresses::MOST as MOST_ADDRESSES;
pub(crate) use answer::game_asks;
pub use answer::{AnswerTarget, is_answer};
pub use challenge::common as common_options;
pub use decision::{Command, Context, Decision, LastingAct, Needs, Trust};
pub(crate) use export::without_secrets;
pub use help::{DICE, keys_told, pages as help_pages, reference, source as help_page};
pub use import::import;
pub(crate) use leave::departure;
pub use line::{has_password, is_help, is_multiple, is_signup, parse, parse_reply, parse_words};
pub(crate) use phrases::{DECLINE, Phrase, QUIT, is_small_talk, phrase};
pub(crate) use played::choice_of;
pub use preview::from_past as preview_from_past;
pub use proof::UserProof;
pub use sheet::sheet_of;
pub(crate) use signup::is_reserved;
pub use verb::{ReplyScope, Verb, VerbScope, is_setting, own_word};
pub use verbs::{find_verb, first_words};
pub(crate) use words::{before_seed, split_moveno};

use player::{Player, seat_in_play};
use proof::{authenticate, authenticate_as, check_password, hashed, no_user, speaks};
use verb::the_game;

/// Lines that a `multiple` may have.
pub const MOST_LINES: usize = 50;

/// The longest message that is passed on to an opponent, bytes.
pub const LONGEST_COMMENT: usize = 10_000;

/// The verb of a reply that is only a move.
pub(crate) const MOVE: &Verb = &play::VERB;

/// The verb that sends words to the opponent.
pub(crate) const CHAT: &Verb = &chat::VERB;

/// The verb that sends words to other users.
pub(crate) const MESSAGE: &Verb = &message::MESSAGE;

/// The verb that asks for a page.
pub(crate) const HELP: &Verb = &help::VERB;

/// Every verb there is, in the order in which they are explained.
pub const VERBS: &[&Verb] = &[
    &help::VERB,
    &signup::VERB,
    &change::VERB,
    &addresses::VERB,
    &forgot::VERB,
    &list::VERB,
    &all::VERB,
    &players::VERB,
    &profile::VERB,
    &next::VERB,
    &message::MESSAGE,
    &message::BROADCAST,
    &mute::MUTE,
    &mute::UNMUTE,
    &export::VERB,
    &leave::SIGNOFF,
    &leave::DELETE,
    &vacation::VERB,
    &challenge::VERB,
    &rematch::VERB,
    &play::VERB,
    &show::VERB,
    &showas::VERB,
    &preview::VERB,
    &moves::VERB,
    &analyse::VERB,
    &sheet::VERB,
    &games_of::VERB,
    &history::VERB,
    &standings::VERB,
    &chat::VERB,
    &submit::SUBMIT,
    &submit::CONFIRM,
    &queue::VERB,
    &pass::PASS,
    &pass::SWAP,
    &offer::UNDO,
    &offer::PROPOSE,
    &answer::ACCEPT,
    &answer::REJECT,
    &resign::VERB,
    &subscribe::SUBSCRIBE,
    &subscribe::UNSUBSCRIBE,
    &newtoken::VERB,
    &limit::VERB,
    &seek::SEEK,
    &seek::ACCEPT,
    &notify::VERB,
    &set::VERB,
    &settings::VERB,
];
