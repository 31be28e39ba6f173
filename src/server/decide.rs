//! Lets a command decide. Changes nothing.

use crate::base::chance::RandomSource;
use crate::base::ids::{BoardId, UserId};
use crate::base::password::PasswordCache;
use crate::command::{Command, Context, Decision, LONGEST_COMMENT, Origin, Trust};
use crate::config::Limits;
use crate::mail::{redact_secrets, shorten};
use crate::model::moderation::SanctionKind;
use crate::model::world::World;
use crate::model::world::event::changed_boards;
use crate::refusal::{AccountRefusal, Refusal};
use crate::server::env::Env;
use crate::server::requests::Request;

/// Resources shared by the commands of a mail.
pub(super) struct Resources<'a> {
    /// The source of dice and random bytes.
    pub(super) chance: &'a mut dyn RandomSource,
    /// Results of the password checks of this mail.
    pub(super) password_cache: PasswordCache,
    /// How many more moves at its highest level the program may make for this mail.
    pub(super) program_moves: u32,
}

impl<'a> Resources<'a> {
    /// Returns the full resources of a mail.
    pub(super) fn new(chance: &'a mut dyn RandomSource, limits: &Limits) -> Self {
        let program_moves = limits.program_moves.get();
        Self { chance, password_cache: PasswordCache::default(), program_moves }
    }
}

/// A command with its decision.
pub(super) struct DecidedCommand<'a> {
    /// The board of the command, if it has one.
    pub(super) board: Option<BoardId>,
    /// How far the sender is trusted without a password.
    pub(super) trust: &'a Trust,
    pub(super) decision: Result<Decision, Refusal>,
    /// The user who has proved to be the sender.
    pub(super) proved: Option<UserId>,
    /// The password that proved it, if one did.
    pub(super) password: Option<String>,
    /// Users for whom a wrong password was given.
    pub(super) wrong: Vec<UserId>,
    /// The rest of the text, without secrets.
    pub(super) comment: String,
    /// Whether lines of that text are withheld.
    pub(super) held_back: bool,
    /// Whether that text was dropped because the operator has muted the sender.
    pub(super) is_muted: bool,
}

/// Refuses a decision that would change a damaged document: the change could not be kept.
fn writable(decision: Decision, world: &World) -> Result<Decision, Refusal> {
    match world.first_damaged(&decision.events) {
        Some(_) => Err(Refusal::Unavailable),
        None => Ok(decision),
    }
}

impl DecidedCommand<'_> {
    /// Returns the boards that the decision sets up or changes, each once.
    pub(super) fn changed_boards(&self) -> Vec<BoardId> {
        changed_boards(self.decision.iter().flat_map(|decision| &decision.events))
    }
}

/// Decides a command. Its documents must be loaded.
pub(super) fn decide<'a>(
    command: &dyn Command,
    request: &'a Request,
    origin: &Origin,
    world: &World,
    resources: &mut Resources,
    env: &Env,
) -> DecidedCommand<'a> {
    let mut cx = Context {
        now: env.now,
        origin,
        trust: &request.trust,
        comment: redact_secrets(&shorten(&request.comment, LONGEST_COMMENT)),
        chance: resources.chance,
        keys: &env.setup.dice,
        hashing: &env.setup.hashing,
        limits: &env.setup.config.limits,
        server_address: &env.setup.identity.address,
        proved: None,
        password: None,
        held_back: request.held_back,
        password_cache: &mut resources.password_cache,
        program_moves: &mut resources.program_moves,
    };
    let is_guest = request.trust.user().is_some_and(|user| world.is_guest(user));
    let decision = if is_guest && !command.is_open_to_guests() {
        Err(AccountRefusal::NotForGuests.into())
    } else {
        command.decide(world, &mut cx).and_then(|decision| writable(decision, world))
    };
    let Context { proved, password, held_back, mut comment, .. } = cx;
    let sender = proved.as_ref().and_then(|user| world.user(user));
    let is_muted = sender.is_some_and(|user| user.sanction(SanctionKind::Mute, env.now).is_some());
    let is_muted = is_muted && !comment.trim().is_empty() && decision.is_ok();
    if is_muted {
        comment.clear();
    }
    DecidedCommand {
        board: command.board(),
        trust: &request.trust,
        decision,
        proved,
        password,
        wrong: resources.password_cache.take_wrong(),
        comment,
        held_back,
        is_muted,
    }
}
