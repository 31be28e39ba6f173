//! Decisions about commands. Nothing changes yet.

use crate::base::chance::RandomSource;
use crate::base::ids::{BoardId, UserId};
use crate::base::password::PasswordCache;
use crate::command::{Command, Context, Decision, LONGEST_COMMENT, Origin, Trust};
use crate::config::Limits;
use crate::mail::{shortened, without_secrets};
use crate::model::world::World;
use crate::refusal::Refusal;
use crate::server::env::Env;
use crate::server::inbox::Request;

/// The resources that the commands of a mail use up.
pub(super) struct Resources<'a> {
    /// Dice, and other chance.
    pub(super) chance: &'a mut dyn RandomSource,
    /// The passwords of the mail that were looked at.
    pub(super) tried: PasswordCache,
    /// How many more moves of its highest level the program makes for the mail.
    pub(super) program_moves: u32,
}

impl<'a> Resources<'a> {
    /// The resources that a mail may use up.
    pub(super) fn new(chance: &'a mut dyn RandomSource, limits: &Limits) -> Self {
        let program_moves = limits.program_moves.get();
        Self { chance, tried: PasswordCache::default(), program_moves }
    }
}

/// The decision about a command.
pub(super) struct DecidedCommand<'a> {
    /// The board that the command is about, if it is about one.
    pub(super) board: Option<BoardId>,
    /// How far its sender is trusted without a password.
    pub(super) trust: &'a Trust,
    /// The decision, or why it is refused.
    pub(super) decision: Result<Decision, Refusal>,
    /// The user who has shown that the command is theirs.
    pub(super) proved: Option<UserId>,
    /// The password by which they have, if by one.
    pub(super) password: Option<String>,
    /// Whose password was named, and was another one.
    pub(super) wrong: Vec<UserId>,
    /// The words beside the command.
    pub(super) comment: String,
    /// Whether lines of that are not passed on.
    pub(super) held_back: bool,
}

/// Decides about a command, whose documents are loaded.
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
        comment: without_secrets(&shortened(&request.comment, LONGEST_COMMENT)),
        chance: resources.chance,
        keys: &env.setup.dice,
        hashing: &env.setup.hashing,
        limits: &env.setup.config.limits,
        own: &env.setup.identity.address,
        proved: None,
        password: None,
        held_back: request.held_back,
        tried: &mut resources.tried,
        program_moves: &mut resources.program_moves,
    };
    let decision = command.decide(world, &mut cx);
    let Context { proved, password, held_back, comment, .. } = cx;
    DecidedCommand {
        board: command.board(),
        trust: &request.trust,
        decision,
        proved,
        password,
        wrong: resources.tried.take_wrong(),
        comment,
        held_back,
    }
}
