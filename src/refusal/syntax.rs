//! Words that are no command.

use super::account::against_program;
use super::board::LegalMoves;
use crate::base::ids::{BoardId, UserId};
use crate::base::words::{AndList, OrList, are_near, lines, quoted};
use games::{GAMES, OptionError, is_dash};
use thiserror::Error;

/// Something that can be chosen: how it is written, and what it does.
pub type OptionHelp = (String, &'static str);

/// Where a word leads that is no command here, but that people send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// To be mailed less, or not at all.
    Stop,
    /// To give up a game, or to leave.
    Leave,
    /// To give up the game that a reply is about, or to leave.
    Quit,
    /// To become a player.
    Join,
    /// To say who one is.
    Login,
    /// To learn a game.
    Rules,
    /// To learn what can be sent.
    Info,
    /// To begin with something.
    Start,
    /// To begin a game.
    Play,
    /// To begin a conversation.
    Hello,
}

impl Intent {
    /// What is not done.
    fn news(self) -> &'static str {
        match self {
            Self::Stop => "your mail does not say what should stop",
            Self::Quit | Self::Leave => "your mail does not say what you want to leave",
            Self::Join => "your mail does not say under which userid you want to play",
            Self::Login => "you do not have to log in here",
            Self::Rules => "your mail does not say which game you mean",
            Self::Info | Self::Start | Self::Hello => "that is no command here",
            Self::Play => "your mail does not say which game you want to play",
        }
    }

    /// What to send.
    fn hint(self) -> String {
        let plain = match self {
            Self::Stop => {
                "Send the line that says what you mean, with your userid and password:\n\n  \
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
                "Reply with the word that says what you mean:\n\n  \
                 resign       give up this game\n  \
                 unsubscribe  no more reminders and broadcasts\n\n\
                 To leave this server, send the Subject `signoff <userid> <password>`."
            }
            Self::Join => "To become a player, send `signup <userid> <password>`.",
            Self::Login => {
                "Write your userid and password in each command: `malaka seek <userid> <password>` \
finds an opponent, for example. A reply to one of our mails needs no password. To \
become a player, send `signup <userid> <password>`."
            }
            Self::Rules => "Send `help malaka` for the rules of Malaka; `list` shows all games.",
            Self::Info => {
                "Send `help` for an introduction, or `help commands` for the commands that you need."
            }
            Self::Start => {
                "Send `help tutorial` for your first game, step by step, or `signup <userid> \
                 <password>` to become a player."
            }
            Self::Play => {
                return format!(
                    "To play somebody, send `malaka challenge <opponent>`; to play the program, \
                     `{}`. `list` shows all games.",
                    against_program()
                );
            }
            Self::Hello => "Send `help` to learn what you can play here, and how.",
        };
        plain.into()
    }
}

/// Words that are not a command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SyntaxRefusal {
    /// Words of other servers.
    #[error("{}", .0.news())]
    Led(Intent),
    /// A verb of games without a game before it.
    #[error("`{verb}` needs the name of a game in front of it")]
    GameFirst {
        /// The verb.
        verb: &'static str,
        /// How it is written with a game.
        usage: String,
    },
    /// There are no words.
    #[error("your mail has no command in its Subject")]
    Nothing,
    /// The first word is neither a game nor a command.
    #[error("there is no command or game {}", hinted(.word, .near))]
    UnknownWord {
        /// The word.
        word: String,
        /// Words that look like it.
        near: Vec<&'static str>,
        /// How the command is written, if there is one such word.
        usage: Option<String>,
    },
    /// The first word is the name of a game that is not played here. It is not shown: it may be a
    /// password in the wrong place.
    #[error("the game that you name is not played here")]
    UnknownGame,
    /// The first word is a game that cannot wait for mails.
    #[error("{title} is played in real time, not by mail")]
    OnlyLive {
        /// The word for it.
        name: &'static str,
        /// Its name.
        title: &'static str,
    },
    /// The word behind a game's name is no command of games.
    #[error("there is no command {} for {game}", hinted(.word, .near))]
    UnknownVerb {
        /// The game's title.
        game: &'static str,
        /// The word.
        word: String,
        /// Words that look like it.
        near: Vec<&'static str>,
        /// How the command is written, if there is one such word.
        usage: Option<String>,
    },
    /// Words are missing or do not fit.
    #[error("{what}")]
    Usage {
        /// What is missing or wrong: `the board number is missing`.
        what: String,
        /// How the command is written, a way a line.
        usage: String,
    },
    /// A challenge names an option that does not exist or does not fit.
    #[error("{}", option(.error, .known))]
    Option {
        /// What is wrong.
        error: OptionError,
        /// The options there are.
        known: Vec<OptionHelp>,
    },
    /// The words behind `set` are no setting of the game, or do not fit it.
    #[error("{}", setting(.error.as_ref()))]
    Setting {
        /// What is wrong with the value; nothing if the word names no setting.
        error: Option<OptionError>,
        /// The settings there are.
        known: Vec<OptionHelp>,
    },
    /// A reply begins with two lines that could each be the move.
    #[error("your reply has two lines that could be the move: {} and {}", quoted(.0), quoted(.1))]
    TwoMoves(String, String),
    /// A reply of which no line is a move.
    #[error("I could not read {} as a move", quoted(.line))]
    NoMove {
        /// The line, without what may be a password in it.
        line: String,
        /// What can be played, if the writer is to move.
        choice: Option<Box<LegalMoves>>,
    },
    /// A move with a letter of another alphabet in it.
    #[error("in {} the {typed} is a {alphabet} letter, which only looks like a Latin one", quoted(.line))]
    LookAlike {
        /// The line, as typed.
        line: String,
        /// The first such letter.
        typed: char,
        /// Its alphabet.
        alphabet: &'static str,
        /// The same line in Latin letters.
        meant: String,
    },
    /// A reply that declines a game in which its writer has moved.
    #[error("you have already moved in this game, so you cannot decline it any more")]
    LateDecline,
    /// A line of a reply that may be the writer's, or the rest of a line that was quoted.
    #[error("the line {} in your reply is next to quoted lines, and may be one of them", quoted(.0))]
    Doubtful(String),
    /// A reply says yes or no, and nothing is asked that could be answered so.
    #[error("there is no question on this board that you can answer with yes or no")]
    NothingAsked,
    /// `multiple` without any commands.
    #[error("your mail has no commands in its text")]
    EmptyMultiple,
    /// `multiple` with too many.
    #[error("your mail has more than {0} commands, so none was carried out")]
    LongMultiple(usize),
    /// A challenge whose reminder would come after its end, in days.
    #[error(
        "a reminder after {nag} days would come too late: the game is lost after {forfeit} days"
    )]
    LateReminder {
        /// `--nagtime`.
        nag: u32,
        /// `--forfeittime`.
        forfeit: u32,
    },
    /// A challenge from a position, in a game whose positions have no names.
    #[error("a game of {0} cannot begin from a position: positions of {0} have no names")]
    NoPosition(&'static str),
    /// A reply whose tag was not made for anybody on that board.
    #[error("the address you replied to does not belong to a player of that board")]
    Tag,
    /// An answer to a mail of ours that came without its reply address.
    #[error("your answer did not go to the reply address of our mail")]
    Untagged {
        /// The board that the Subject names, with its player where the mail comes from an address
        /// of one.
        board: Option<(BoardId, Option<UserId>)>,
    },
    /// A mail to an address that turns mails off, which was made for nobody or is void.
    #[error("that unsubscribe address is no longer valid")]
    OptOut,
    /// A reply that says nothing above the mark.
    #[error("your reply has no move in it")]
    EmptyReply,
    /// The mail is too large or too odd to be read.
    #[error("your mail could not be read: {0}")]
    Mail(String),
}

/// What is wrong with an option; the word itself is shown as words of others are, if it looks like
/// one: a password may begin with a dash, too.
fn option(error: &OptionError, known: &[OptionHelp]) -> String {
    let name = |word: &str| {
        let end = |c: char| c == '=' || c.is_whitespace();
        word.trim_start_matches(is_dash).split(end).next().unwrap_or_default().to_ascii_lowercase()
    };
    match error {
        OptionError::Unknown(word) => {
            let is_near = |(known, _): &OptionHelp| are_near(&name(word), &name(known));
            let shown =
                if known.iter().any(is_near) { quoted(word) } else { "of that name".into() };
            format!("there is no option {shown}")
        }
        other => other.to_string(),
    }
}

/// What is wrong with a setting.
fn setting(error: Option<&OptionError>) -> String {
    match error {
        Some(OptionError::Value { name, takes }) => format!("`{name}` takes {takes}"),
        Some(other) => other.to_string(),
        None => "that is not a setting of this game".into(),
    }
}

/// How a command is written, a way a line.
fn written(usage: &str) -> String {
    format!("Write it like this:\n\n  {}", usage.replace('\n', "\n  "))
}

/// The choices, in two columns.
fn table(known: &[OptionHelp]) -> String {
    let width = known.iter().map(|(written, _)| written.len()).max().unwrap_or(0);
    let indent = " ".repeat(width + 4);
    let row =
        |(written, does): &OptionHelp| lines(&format!("  {written:<width$}  {does}"), 78, &indent);
    known.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// A word that looks like one we know is shown; any other may be a password in the wrong place.
fn hinted(word: &str, near: &[&str]) -> String {
    if near.is_empty() { "of that name".into() } else { quoted(word) }
}

impl SyntaxRefusal {
    pub(super) fn hint(&self) -> String {
        match self {
            Self::OnlyLive { name, .. } => format!(
                "It is played in a terminal: where the program is installed, run `postboard \
                 console {name}`."
            ),
            Self::Led(lead) => lead.hint(),
            Self::UnknownGame => {
                let games: Vec<&str> = GAMES.iter().map(|game| game.spec().name).collect();
                format!("The games here: {}. `list` tells about each.", AndList(&games))
            }
            Self::GameFirst { usage, .. } => format!("Put the game first:\n\n  {usage}"),
            Self::UnknownWord { near, .. } | Self::UnknownVerb { near, .. } if near.is_empty() => {
                "Send `help commands` for the list of commands.".into()
            }
            Self::UnknownWord { near, usage: Some(usage), .. }
            | Self::UnknownVerb { near, usage: Some(usage), .. } => {
                format!("Did you mean {}? {}", OrList(near), written(usage))
            }
            Self::UnknownWord { near, .. } | Self::UnknownVerb { near, .. } => format!(
                "Did you mean {}? Send `help commands` for the list of commands.",
                OrList(near)
            ),
            Self::Usage { usage, .. } => written(usage),
            Self::Option { known, .. } if known.is_empty() => {
                "This game has no options: leave them out.".into()
            }
            Self::Option { known, .. } => format!("The options are:\n\n{}", table(known)),
            Self::Setting { known, .. } if known.is_empty() => "This game has no settings.".into(),
            Self::Setting { known, .. } => format!("The settings are:\n\n{}", table(known)),
            Self::LateReminder { .. } => {
                "Choose a --nagtime that is less than the --forfeittime, for example --nagtime=3 \
                 --forfeittime=21."
                    .into()
            }
            Self::NoPosition(_) => {
                "Leave `-position` out. Backgammon has names: an XGID, or a position ID and a match \
                 ID."
                    .into()
            }
            Self::LongMultiple(most) => format!("Send at most {most} commands in a mail."),
            Self::Nothing
            | Self::TwoMoves(..)
            | Self::NoMove { .. }
            | Self::LookAlike { .. }
            | Self::LateDecline
            | Self::Doubtful(_)
            | Self::NothingAsked
            | Self::EmptyMultiple
            | Self::Tag
            | Self::Untagged { .. }
            | Self::OptOut
            | Self::EmptyReply
            | Self::Mail(_) => self.hint_to_answer(),
        }
    }

    /// What can be written instead in a mail, or on the first line of a reply.
    fn hint_to_answer(&self) -> String {
        let plain = match self {
            Self::Nothing => "Send a mail with the Subject `help` to learn how to play here.",
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
            Self::Doubtful(line) => {
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
            Self::Tag => {
                "Reply to the newest mail about the board, or send the Subject `<game> move \
                 <board> <userid> <password> <move>`."
            }
            Self::Untagged { board } => return hint_to_reply(board.as_ref()),
            Self::OptOut => {
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

/// How a mail without the address of a reply is sent instead, about a board that may be known.
fn hint_to_reply(board: Option<&(BoardId, Option<UserId>)>) -> String {
    let Some((BoardId { game, number }, player)) = board else {
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
