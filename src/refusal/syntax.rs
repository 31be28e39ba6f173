//! Refusals of text that is not a command, or not a move.

use super::account::against_program;
use super::board::LegalMoves;
use crate::base::ids::{BoardId, UserId};
use crate::base::words::{AndList, OrList, are_near, lines, quoted};
use games::{OptionError, is_dash};
use thiserror::Error;

/// An option or setting in a list of help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionHelp {
    /// The usage.
    pub usage: String,
    /// The effect.
    pub about: &'static str,
}

/// The meaning of a word that people send though it is not a command here, such as `login`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// To get fewer mails, or none.
    Stop,
    /// To give up a game, or to leave the server.
    Leave,
    /// In a reply: to give up the game, or to leave the server.
    Quit,
    /// To become a player.
    Join,
    /// To sign in.
    Login,
    /// To learn the rules of a game.
    Rules,
    /// To learn the commands.
    Info,
    /// To get started.
    Start,
    /// To begin a game.
    Play,
    /// To say hello.
    Hello,
}

impl Intent {
    /// Returns what is wrong.
    fn problem(self) -> &'static str {
        match self {
            Self::Stop => "your mail does not say what should stop",
            Self::Quit | Self::Leave => "your mail does not say what you want to leave",
            Self::Join => "your mail does not say under which userid you want to play",
            Self::Login => "you do not have to log in here",
            Self::Rules => "your mail does not say which game you mean",
            Self::Info | Self::Start | Self::Hello => {
                "your mail has no command that this server knows"
            }
            Self::Play => "your mail does not say which game you want to play",
        }
    }

    /// Returns what to send instead.
    fn hint(self) -> String {
        let plain = match self {
            Self::Stop => {
                "Send the line that you mean, with your userid and password:\n\n  \
                 set <userid> <password> mails off         no news of boards\n  \
                 set <userid> <password> reminders off     no reminders\n  \
                 set <userid> <password> broadcast off     no mails to everybody\n  \
                 malaka resign <board> <userid> <password> give up a game\n  \
                 signoff <userid> <password>               leave; you get no more mails"
            }
            Self::Leave => {
                "To give up a game, send `malaka resign <board> <userid> <password>`. To leave this \
                 server, send `signoff <userid> <password>`."
            }
            Self::Quit => {
                "Reply with the word that you mean:\n\n  \
                 resign       give up this game\n  \
                 unsubscribe  no more reminders and broadcasts\n\n\
                 To leave this server, send the Subject `signoff <userid> <password>`."
            }
            Self::Join => "To become a player, send `signup <userid> <password>`.",
            Self::Login => {
                "Write your userid and password in each command. For example, `malaka seek \
                 <userid> <password>` finds an opponent. A reply to one of our mails needs no \
                 password. To become a player, send `signup <userid> <password>`."
            }
            Self::Rules => "Send `help malaka` for the rules of Malaka, or `list` for all games.",
            Self::Info => {
                "Send `help` for an introduction, or `help commands` for the commands that you need."
            }
            Self::Start => {
                "Send `help tutorial` for a first game, step by step, or `signup <userid> \
                 <password>` to become a player."
            }
            Self::Play => {
                return format!(
                    "To play somebody, send `malaka challenge <opponent>`; to play the program, \
                     `{}`. Send `list` for all games.",
                    against_program()
                );
            }
            Self::Hello => "Send `help` to learn what you can play here, and how.",
        };
        plain.into()
    }
}

/// The board that a misdirected answer is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredBoard {
    /// The board in the Subject.
    pub board: BoardId,
    /// The board's player whose address the mail comes from.
    pub player: Option<UserId>,
}

/// A refusal of text that is not a command, or not a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum SyntaxRefusal {
    /// A word of other servers.
    #[error("{}", .0.problem())]
    ForeignWord(Intent),
    /// A verb of games has no game before it.
    #[error("`{verb}` needs the name of a game before it")]
    GameFirst {
        verb: &'static str,
        /// The usage, with a game.
        usage: String,
    },
    /// The mail has no command.
    #[error("your mail has no command in its Subject")]
    NoCommand,
    /// The first word is neither a game nor a command.
    #[error("there is no command or game {}", quoted_if_near(.word, .near))]
    UnknownWord {
        word: String,
        near: Vec<&'static str>,
        /// The usage of the similar word, if there is only one.
        usage: Option<String>,
    },
    /// The first word is not a game of this server. The refusal does not quote it: it may be a
    /// misplaced password.
    #[error("the game that you named is not played here")]
    UnknownGame {
        /// Games with a similar name.
        near: Vec<&'static str>,
    },
    /// The first word is a game of the console, which is played in real time.
    #[error("{title} is played in real time, not by mail")]
    OnlyLive {
        /// The game's name in commands.
        name: &'static str,
        title: &'static str,
    },
    /// The word after a game's name is not a verb of games.
    #[error("there is no command {} for {game}", quoted_if_near(.word, .near))]
    UnknownVerb {
        /// The game's title.
        game: &'static str,
        word: String,
        near: Vec<&'static str>,
        /// The usage of the similar word, if there is only one.
        usage: Option<String>,
    },
    /// Words are missing or do not fit the usage.
    #[error("{what}")]
    Usage {
        /// The fault: `the board number is missing`.
        what: String,
        /// The usage, one form on each line.
        usage: String,
    },
    /// A challenge names an option that does not exist or does not fit.
    #[error("{}", option(.error, .known))]
    Option {
        error: OptionError,
        /// The game's options.
        known: Vec<OptionHelp>,
    },
    /// The words after `set` are not a setting of the game, or not one of its values.
    #[error("{}", setting(.error.as_ref()))]
    Setting {
        /// The fault in the value; none if there is no such setting.
        error: Option<OptionError>,
        /// The game's settings.
        known: Vec<OptionHelp>,
    },
    /// A reply begins with two lines that could each be the move.
    #[error("your reply has two lines that could be the move: {} and {}", quoted(.0), quoted(.1))]
    TwoMoves(String, String),
    /// The reply has no line that is a move.
    #[error("I could not read {} as a move", quoted(.line))]
    NoMove {
        /// The line, without a possible password.
        line: String,
        /// The legal moves, if it is the writer's turn.
        choice: Option<Box<LegalMoves>>,
    },
    /// The move has a letter of another alphabet.
    #[error("the {typed} in {} is a {alphabet} letter that only looks like a Latin one", quoted(.line))]
    LookAlike {
        /// The line, as typed.
        line: String,
        /// The first such letter.
        typed: char,
        /// Its alphabet.
        alphabet: &'static str,
        /// The line in Latin letters.
        meant: String,
    },
    /// The writer declines a game in which they have already moved.
    #[error("you have already moved in this game, so you cannot decline it any more")]
    LateDecline,
    /// The line may be the writer's, or the rest of a wrapped quotation.
    #[error("the line {} in your reply is next to quoted lines and may be part of them", quoted(.0))]
    MaybeQuoted(String),
    /// The reply says yes or no, and the board has no such question.
    #[error("there is no question on this board to answer with yes or no")]
    NothingAsked,
    /// `multiple` has no commands.
    #[error("your mail has no commands in its text")]
    EmptyMultiple,
    /// `multiple` has too many commands.
    #[error("your mail has more than {0} commands, so none was carried out")]
    LongMultiple(usize),
    /// The challenge's reminder would come after the game is lost; times in days.
    #[error(
        "a reminder after {nag} days would come too late: the game is lost after {forfeit} days"
    )]
    LateReminder {
        /// `--nagtime`.
        nag: u32,
        /// `--forfeittime`.
        forfeit: u32,
    },
    /// The bank would begin above its cap.
    #[error("a bank of {start} days is above its cap of {cap} days")]
    SmallCap {
        /// `--bank`.
        start: u32,
        /// `--cap`.
        cap: u32,
    },
    /// The challenge begins from a position, in a game whose positions have no IDs.
    #[error("{0} cannot begin from a position: its positions have no IDs")]
    NoPosition(&'static str),
    /// The reply address belongs to no player of the board.
    #[error("the address you replied to does not belong to a player of that board")]
    ForeignTag,
    /// An answer to one of our mails did not go to its reply address.
    #[error("your answer did not go to the reply address of our mail")]
    NoReplyTag {
        /// The board in the Subject, and its player whose address the mail comes from.
        board: Option<AnsweredBoard>,
    },
    /// A line of a reply to a mail about several boards begins with no board of that mail.
    #[error("I could not tell for which board of the mail {} is", quoted(.0))]
    NoBoardOfDigest(String),
    /// The mail about several boards is not one of the latest.
    #[error("the mail that you replied to is too old to be answered line by line")]
    OldDigest,
    /// The unsubscribe address belongs to nobody or is void.
    #[error("this unsubscribe address is no longer valid")]
    VoidOptOut,
    /// The reply has no text above the mark.
    #[error("your reply has no move in it")]
    EmptyReply,
    /// The mail is too large or malformed.
    #[error("your mail could not be read: {0}")]
    Mail(String),
}

/// Returns what is wrong with an option. The word is quoted only if it looks like an option: a
/// password may begin with a dash, too.
fn option(error: &OptionError, known: &[OptionHelp]) -> String {
    let name = |word: &str| {
        let end = |c: char| c == '=' || c.is_whitespace();
        word.trim_start_matches(is_dash).split(end).next().unwrap_or_default().to_ascii_lowercase()
    };
    match error {
        OptionError::Unknown(word) => {
            let is_near = |known: &OptionHelp| are_near(&name(word), &name(&known.usage));
            let shown =
                if known.iter().any(is_near) { quoted(word) } else { "of that name".into() };
            format!("there is no option {shown}")
        }
        other => other.to_string(),
    }
}

/// Returns what is wrong with a setting.
fn setting(error: Option<&OptionError>) -> String {
    match error {
        Some(OptionError::Value { name, takes }) => format!("`{name}` takes {takes}"),
        Some(other) => other.to_string(),
        None => "this game has no such setting".into(),
    }
}

/// Returns the hint with the usage of a command.
fn usage_hint(usage: &str) -> String {
    format!("Write it like this:\n\n  {}", usage.replace('\n', "\n  "))
}

/// Returns options in two columns.
fn table(known: &[OptionHelp]) -> String {
    let width = known.iter().map(|one| one.usage.len()).max().unwrap_or(0);
    let indent = " ".repeat(width + 4);
    let row = |OptionHelp { usage, about }: &OptionHelp| {
        lines(&format!("  {usage:<width$}  {about}"), 78, &indent)
    };
    known.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// Quotes a word if it looks like a known one: any other may be a misplaced password.
fn quoted_if_near(word: &str, near: &[&str]) -> String {
    if near.is_empty() { "of that name".into() } else { quoted(word) }
}

impl SyntaxRefusal {
    pub(super) fn hint(&self) -> String {
        match self {
            Self::OnlyLive { name, .. } => format!(
                "It is played in a terminal: where the program is installed, run `postboard \
                 console {name}`."
            ),
            Self::ForeignWord(intent) => intent.hint(),
            Self::UnknownGame { near } if !near.is_empty() => {
                format!("Did you mean {}? Send `list` to see all games.", OrList(near))
            }
            Self::UnknownGame { .. } => {
                let games: Vec<&str> = games::names().collect();
                format!(
                    "These games are played here: {}. Send `list` for a description of each.",
                    AndList(&games)
                )
            }
            Self::GameFirst { usage, .. } => format!("Put the game first:\n\n  {usage}"),
            Self::UnknownWord { near, .. } | Self::UnknownVerb { near, .. } if near.is_empty() => {
                "Send `help commands` for the list of commands.".into()
            }
            Self::UnknownWord { near, usage: Some(usage), .. }
            | Self::UnknownVerb { near, usage: Some(usage), .. } => {
                format!("Did you mean {}? {}", OrList(near), usage_hint(usage))
            }
            Self::UnknownWord { near, .. } | Self::UnknownVerb { near, .. } => format!(
                "Did you mean {}? Send `help commands` for the list of commands.",
                OrList(near)
            ),
            Self::Usage { usage, .. } => usage_hint(usage),
            Self::Option { known, .. } if known.is_empty() => {
                "This game has no options: leave them out.".into()
            }
            Self::Option { known, .. } => format!("The options are:\n\n{}", table(known)),
            Self::Setting { known, .. } if known.is_empty() => "This game has no settings.".into(),
            Self::Setting { known, .. } => format!("The settings are:\n\n{}", table(known)),
            Self::LateReminder { .. } | Self::SmallCap { .. } | Self::NoPosition(_) => {
                self.terms_hint().into()
            }
            Self::LongMultiple(most) => format!("Send at most {most} commands in one mail."),
            Self::NoCommand
            | Self::TwoMoves(..)
            | Self::NoMove { .. }
            | Self::LookAlike { .. }
            | Self::LateDecline
            | Self::MaybeQuoted(_)
            | Self::NothingAsked
            | Self::EmptyMultiple
            | Self::ForeignTag
            | Self::NoReplyTag { .. }
            | Self::NoBoardOfDigest(_)
            | Self::OldDigest
            | Self::VoidOptOut
            | Self::EmptyReply
            | Self::Mail(_) => self.mail_hint(),
        }
    }

    /// Returns which terms of a challenge to choose instead.
    fn terms_hint(&self) -> &'static str {
        match self {
            Self::LateReminder { .. } => {
                "Choose a --nagtime that is less than the --forfeittime, for example --nagtime=3 \
                 --forfeittime=21."
            }
            Self::SmallCap { .. } => {
                "Choose a --cap that is no less than the --bank, for example --bank=10 \
                 --increment=36 --cap=14."
            }
            _ => {
                "Leave out `-position`. It works in Backgammon, with an XGID, or with a position ID \
                 and a match ID."
            }
        }
    }

    /// Returns what to write instead in the Subject, or on the first line of a reply.
    fn mail_hint(&self) -> String {
        let plain = match self {
            Self::NoCommand => "Send a mail with the Subject `help` to learn how to play here.",
            Self::TwoMoves(..) => {
                "Write only your move on the first line, and your message below an empty line."
            }
            Self::NoMove { choice, .. } => {
                let plain = "Write only the move on the first line, and your message below an \
                             empty line. To say something without moving, begin with the word \
                             `chat`.";
                let moves = choice.as_ref().and_then(|choice| choice.hint());
                return moves.map_or_else(|| plain.into(), |moves| format!("{plain} {moves}"));
            }
            Self::LookAlike { meant, .. } => {
                return format!("Type it with Latin letters: `{meant}`.");
            }
            Self::LateDecline => "To give the game up, write `resign` on the first line.",
            Self::MaybeQuoted(line) => {
                return format!(
                    "If that is what you want, write `{line}` on the first line of your reply, \
                     above all quoted text."
                );
            }
            Self::NothingAsked => {
                "Write your move on the first line, or a word such as `show`, `undo` or `resign`. \
                 To say something without moving, begin with the word `chat`."
            }
            Self::EmptyMultiple => {
                "Write one command on each line, above your signature, for example `list`."
            }
            Self::ForeignTag => {
                "Reply to the newest mail about the board, or send the Subject `<game> move \
                 <board> <userid> <password> <move>`."
            }
            Self::NoReplyTag { board } => return reply_address_hint(board.as_ref()),
            Self::NoBoardOfDigest(_) => {
                "Begin each line with the number of its board in that mail, such as `1 <move>`."
            }
            Self::OldDigest => {
                "Reply to the latest of these mails, or use the addresses of the single boards. Reply \
                 `next` for your board that is nearest to its deadline."
            }
            Self::VoidOptOut => {
                "To get no more reminders, or no more broadcasts, send one of\n\n  \
                 set <userid> <password> reminders off\n  set <userid> <password> broadcast off"
            }
            Self::EmptyReply => {
                "Write your move on the first line of your reply, above all quoted text."
            }
            _ => "Send a short plain-text mail with the command in its Subject.",
        };
        plain.into()
    }
}

/// Returns how to answer a mail about a board by its reply address.
fn reply_address_hint(board: Option<&AnsweredBoard>) -> String {
    let Some(AnsweredBoard { board: BoardId { game, number }, player }) = board else {
        return "Open the newest mail about your board and choose Reply there; a new mail to this \
                address does not say which board you mean."
            .into();
    };
    let user = player.as_ref().map_or("<userid>", UserId::as_str);
    format!(
        "Open the newest mail about this board and choose Reply there, or send the move as the \
         Subject:\n\n  {game} move {number} {user} <password> <move>"
    )
}
