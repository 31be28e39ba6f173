//! `report`: tells the operator about a player. The reported player never learns of it.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, UserProof, Verb,
    VerbScope, authenticate,
};
use crate::mail::shorten;
use crate::model::board::Board;
use crate::model::chat_log::{LONGEST_MESSAGE, chat_key};
use crate::model::moderation::{Quotation, Report};
use crate::model::world::event::Event;
use crate::model::world::{World, board_key, user_key};
use crate::refusal::{AccountRefusal, ModerationRefusal, Refusal, operator_address};
use crate::reply::AccountAnswer;
use games::{AnyGame, Seat};

pub(crate) const VERB: Verb = Verb {
    name: "report",
    aliases: &[],
    scope: VerbScope::Both,
    usage: "[<board>] <userid> <password> [<player>]",
    about: "tell the operator about a player, who does not learn of it",
    reply: Some(ReplyScope::Player),
    parse,
};

/// The word with the time of a message, which pages put before the player: `message=1795238400`.
const MESSAGE: &str = "message=";

#[derive(Debug)]
struct ReportCommand {
    board: Option<BoardId>,
    user: UserId,
    proof: UserProof,
    /// When the reported message was sent.
    message: Option<Time>,
    /// The words after the password: the player and, in a reply, the reason.
    words: Vec<String>,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let mut board = None;
    if let Some(game) = game {
        let (id, moveno) = words.board(game)?;
        if moveno.is_some() {
            return Err(words.usage_error("you report a player, so leave out the move number"));
        }
        board = Some(id);
    }
    let (user, proof) = words.player()?;
    let at = words.peek().and_then(|word| word.strip_prefix(MESSAGE)).map(str::parse);
    let message = at.map(|at| at.map(Time::from_unix)).transpose();
    let message = message.map_err(|_| words.usage_error("the time of the message is no number"))?;
    if message.is_some() {
        words.word("the message")?;
    }
    // In a reply the reason may follow the verb. In the Subject a word too many may be a password.
    let player = words.peek().filter(|_| matches!(proof, UserProof::Password(_)));
    let said: Vec<&str> = if let Some(player) = player {
        words.word("the player")?;
        words.expect_end()?;
        vec![player]
    } else {
        words.take_rest().to_vec()
    };
    let words = said.into_iter().map(str::to_owned).collect();
    Ok(Box::new(ReportCommand { board, user, proof, message, words }))
}

impl Command for ReportCommand {
    fn needs(&self) -> Needs {
        let users = [Some(self.user.clone()), self.named()];
        let users = users.iter().flatten().map(user_key);
        let board = self.board.map(|board| [board_key(board), chat_key(board)]);
        let keys = users.chain(board.into_iter().flatten()).collect();
        Needs::All(vec![Needs::Keys(keys), Needs::Moderation])
    }

    fn board(&self) -> Option<BoardId> {
        self.board
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate(world, &self.user, &self.proof, self.board, cx)?;
        let board = self.board.map(|id| cx.visible_board(world, id)).transpose()?;
        let Reported { about, reason } = self.reported(world, board)?;
        if about == user.id {
            return Err(ModerationRefusal::ReportsSelf.into());
        }
        if world.level(&about).is_some() {
            return Err(ModerationRefusal::ReportsProgram(about).into());
        }
        let quoted = self.quotations(world, board)?;
        // A message that is reported is reason enough.
        let why = format!("{}\n{}", reason.join(" "), cx.comment);
        let why = shorten(why.trim(), LONGEST_MESSAGE).into_owned();
        if why.is_empty() && self.message.is_none() {
            return Err(ModerationRefusal::ReportWithoutReason.into());
        }
        let contact = operator_address(cx.server_address);
        if user.reports_today(cx.now) >= ModerationRefusal::REPORTS {
            return Err(ModerationRefusal::TooManyReports { contact }.into());
        }
        if world.docket()?.open.len() >= ModerationRefusal::OPEN {
            return Err(ModerationRefusal::QueueFull { contact }.into());
        }
        let mut report = Report::new(cx.now, user.id.clone(), about.clone(), self.board, why);
        report.quoted = quoted;
        // The comment is the reason, and for the operator alone.
        cx.comment.clear();
        let answer = AccountAnswer::Reported { user: user.id.clone(), about };
        Ok(Decision { events: vec![Event::Reported(Box::new(report))], answer: answer.into() })
    }
}

impl ReportCommand {
    /// Returns the first word after the password, if it can be a userid.
    fn named(&self) -> Option<UserId> {
        self.words.first().and_then(|word| UserId::parse(word))
    }

    /// Returns the reported user in their own spelling, and the words after them.
    fn reported(&self, world: &World, board: Option<&Board>) -> Result<Reported<'_>, Refusal> {
        let rest = self.words.get(1..).unwrap_or_default();
        let Some(board) = board else {
            let named = self.named().ok_or(ModerationRefusal::Nobody)?;
            let known = world.any_user(&named).map(|user| user.id.clone());
            let about = known.ok_or(AccountRefusal::NoPlayer)?;
            return Ok(Reported { about, reason: rest });
        };
        // In a reply the reason may follow the verb.
        let player = self.named().and_then(|named| board.seat(&named));
        match (player, board.seat(&self.user)) {
            (Some(seat), _) => Ok(Reported { about: board.player(seat).clone(), reason: rest }),
            // A single word is a misspelt player rather than a reason.
            (None, Some(own)) if self.words.len() != 1 => {
                let about = board.player(own.other()).clone();
                Ok(Reported { about, reason: &self.words })
            }
            (None, _) if self.words.is_empty() => {
                let (board, user) = (board.id, self.user.clone());
                Err(ModerationRefusal::NotTheirBoard { board, user }.into())
            }
            (None, _) => Err(ModerationRefusal::NotThere(board.id).into()),
        }
    }

    /// Copies the messages on the board, which only its players may quote.
    fn quotations(&self, world: &World, board: Option<&Board>) -> Result<Vec<Quotation>, Refusal> {
        let Some(board) = board.filter(|board| board.seat(&self.user).is_some()) else {
            return Ok(Vec::new());
        };
        let quoted = world.chat(board.id).iter().map(|message| Quotation {
            at: message.at,
            by: board.player(Seat(message.by)).clone(),
            words: message.words.clone(),
            is_reported: Some(message.at) == self.message
                && *board.player(Seat(message.by)) != self.user,
        });
        let quoted: Vec<Quotation> = quoted.collect();
        if self.message.is_some() && !quoted.iter().any(|quotation| quotation.is_reported) {
            return Err(ModerationRefusal::NoMessage(board.id).into());
        }
        Ok(quoted)
    }
}

/// A reported user, and the words after them.
struct Reported<'a> {
    about: UserId,
    reason: &'a [String],
}
