//! The language of players: a table of verbs, each with its grammar and its decision in a file
//! of its own.

mod addresses;
mod all;
mod answer;
mod challenge;
mod change;
mod chat;
mod export;
mod forgot;
mod games_of;
mod help;
mod history;
mod import;
mod leave;
mod led;
mod limit;
mod list;
mod message;
mod mute;
mod newtoken;
mod notify;
mod offer;
mod pass;
mod phrases;
mod play;
mod preference;
mod preview;
mod queue;
mod resign;
mod seek;
mod set;
mod show;
mod showas;
mod signup;
mod standings;
mod submit;
mod subscribe;
mod vacation;
pub mod words;

pub(crate) use addresses::MOST as MOST_ADDRESSES;
pub use answer::Meant;
pub(crate) use answer::game_asks;
pub use help::reference;
pub use import::import;
pub(crate) use leave::departure;
pub(crate) use phrases::{Phrase, phrase};
pub use seek::{OpenSeek, OpenSeeks};
pub(crate) use signup::is_reserved;
pub use standings::{Row, Standings};

use crate::base::chance::Chance;
use crate::base::ids::{BoardId, UserId};
use crate::base::password::{Hashing, Tried, composed};
use crate::base::words::near;
use crate::config::Limits;
use crate::mail::Address;
use crate::model::board::Board;
use crate::model::event::{Change, Event};
use crate::model::user::User;
use crate::model::world::{World, board_key, user_key};
use crate::refusal::{AccountRefusal, BoardRefusal, Refusal, SyntaxRefusal};
use crate::reply::Answer;
use crate::store::Key;
use games::{AnyGame, GAMES, Seat, Setting};
use std::fmt::{self, Debug, Display};
use words::{Proof, Trust, Words};

/// One entry of the table of verbs.
pub struct Verb {
    /// The word, lower case.
    pub name: &'static str,
    /// Other words for it.
    pub aliases: &'static [&'static str],
    /// Whether a game's name stands before it.
    pub of: Of,
    /// What stands behind the word, for people: `board userid password move`.
    pub usage: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// How it is said in a reply to a board mail, if it can be.
    pub reply: Option<Reply>,
    /// Reads the words behind it.
    pub parse: Parse,
}

/// Reads the words behind a verb, and behind the game that it belongs to.
pub type Parse = fn(Option<&'static dyn AnyGame>, &mut Words) -> Result<Box<dyn Command>, Refusal>;

/// What a verb belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The server: `signup alice secret`.
    Server,
    /// A game: `malaka move ...`.
    Game,
    /// Either: `help`, `malaka help`.
    Both,
}

/// How a reply's words stand in the full command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `<game> <verb> <words>`: about the game, not the board.
    Game,
    /// `<game> <verb> <board> <words>`.
    Board,
    /// `<game> <verb> <board> <userid> <words>`, proved by the token.
    Player,
    /// `<game> <verb> <board>#<moveno> <userid> <words>`: meant for what the mail showed.
    ForMove,
}

/// Every verb there is, in the order in which they are explained.
pub const VERBS: &[&Verb] = &[
    &help::VERB,
    &signup::VERB,
    &change::VERB,
    &addresses::VERB,
    &forgot::VERB,
    &list::VERB,
    &all::VERB,
    &message::MESSAGE,
    &message::BROADCAST,
    &mute::MUTE,
    &mute::UNMUTE,
    &export::VERB,
    &leave::SIGNOFF,
    &leave::DELETE,
    &vacation::VERB,
    &challenge::VERB,
    &play::VERB,
    &show::VERB,
    &showas::VERB,
    &preview::VERB,
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
];

/// What a player asks for.
pub trait Command: Debug {
    /// The documents that the decision looks at.
    fn needs(&self) -> Needs;
    /// What comes of it. Nothing changes yet.
    ///
    /// # Errors
    /// The player's refusal.
    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal>;
    /// The board it is about, if it is about one.
    fn board(&self) -> Option<BoardId> {
        None
    }
}

/// Documents to be loaded before a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needs {
    /// These, with the players of each board.
    Keys(Vec<Key>),
    /// These, and the count of the mailbox that the mail came from.
    WithSender(Vec<Key>),
    /// Every user to whom that address belongs.
    At(Address),
    /// Every user to whom the address belongs that the mail came from, and what is counted there.
    FromSender,
    /// The same users, and every board that they play.
    BoardsOfSender,
    /// The user named, and every other at the same mailboxes, with what is counted there.
    Fellows(UserId),
    /// These, with who watches that board.
    Watched(BoardId, Vec<Key>),
    /// All boards of these games. Costs time that grows with the home.
    BoardsOf(Vec<&'static str>),
    /// Everybody who was ever rated in this game. Costs time that grows with the home.
    Rated(&'static str),
    /// The users named, and every board of these games that they play or played.
    BoardsOfUsers(Vec<UserId>, Vec<&'static str>),
    /// The user named, and every board that he plays.
    ActiveBoardsOf(UserId),
    /// What stands open in these games, with everybody who has made an open challenge.
    Seekers(Vec<&'static str>),
    /// What stands open in a game, with whoever made the challenge of that number.
    Seek(&'static str, u32),
    /// All of these.
    All(Vec<Needs>),
    /// The user named, and every other. Costs time that grows with the home.
    EveryUser(UserId),
}

/// What a decision is made from besides the world.
pub struct Context<'a> {
    /// Unix time, seconds.
    pub now: i64,
    /// Where the command came from.
    pub origin: &'a Origin,
    /// What is believed of its sender without a password.
    pub trust: &'a Trust,
    /// What was written beside the command, for the opponent.
    pub comment: String,
    /// Dice, and other chance.
    pub chance: &'a mut dyn Chance,
    /// How passwords are hashed.
    pub hashing: &'a Hashing,
    /// What is allowed to whom.
    pub limits: &'a Limits,
    /// The address that commands are sent to.
    pub own: &'a Address,
    /// Who has shown that the command is his, once somebody has.
    pub proved: Option<UserId>,
    /// The password by which he has, if by one: no answer quotes it.
    pub password: Option<String>,
    /// Whether lines of what was written are not passed on.
    pub held_back: bool,
    /// The passwords of this mail that were looked at.
    pub tried: &'a mut Tried,
    /// How many more moves of its highest level the program makes for this mail.
    pub program_moves: &'a mut u32,
}

impl Context<'_> {
    /// Takes out of what was written each line in which that password stands as a word, however its
    /// accents are typed: a command that slipped below the Subject must not hand the account over.
    fn hold_back(&mut self, password: &str) {
        fn bare(word: &str) -> &str {
            word.trim_matches(|c: char| c.is_ascii_punctuation())
        }
        let password = &*composed(password);
        let is = |word: &str| {
            word == password || (!bare(word).is_empty() && bare(word) == bare(password))
        };
        let shows = |line: &&str| composed(line).split_whitespace().any(is);
        if self.comment.lines().any(|line| shows(&line)) {
            let kept: Vec<&str> = self.comment.lines().filter(|line| !shows(line)).collect();
            kept.join("\n").trim().clone_into(&mut self.comment);
            self.held_back = true;
        }
    }
}

/// Where a command came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A mail from that address.
    Mail(Address),
    /// A mail that says so, while our mail server, which is asked here, does not.
    Doubted(Address),
    /// The operator's shell.
    Shell,
}

impl Origin {
    /// The address that a mail bears as its sender's. It proves nothing.
    pub fn address(&self) -> Option<&Address> {
        match self {
            Self::Mail(address) | Self::Doubted(address) => Some(address),
            Self::Shell => None,
        }
    }
}

/// As the log has it.
impl Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mail(address) => f.write_str(address.as_str()),
            Self::Doubted(address) => write!(f, "{address}, doubted"),
            Self::Shell => f.write_str("shell"),
        }
    }
}

/// What a command leads to.
#[derive(Debug)]
pub struct Decision {
    /// What changes.
    pub events: Vec<Event>,
    /// What is said about it.
    pub answer: Answer,
}

impl From<Answer> for Decision {
    fn from(answer: Answer) -> Self {
        Self { events: Vec::new(), answer }
    }
}

/// Reads one command line.
///
/// # Errors
/// It is no command.
pub fn parse(line: &str, trust: &Trust) -> Result<Box<dyn Command>, Refusal> {
    Ok(read(line, trust)?.0)
}

/// Reads one command line, and whose password it names.
///
/// # Errors
/// It is no command.
pub fn read(line: &str, trust: &Trust) -> Result<(Box<dyn Command>, Option<UserId>), Refusal> {
    let all: Vec<&str> = line.split_whitespace().filter(|word| *word != "**").collect();
    let words = skip_marks(&all);
    let (&first, rest) = words.split_first().ok_or(SyntaxRefusal::Nothing)?;
    if let Some(lead) = led::lead(words) {
        return Err(SyntaxRefusal::Led(lead).into());
    }
    let Some(game) = games::find(first) else {
        let verb = find_verb(first, None).ok_or_else(|| {
            if let Some(verb) = GAMES.first().and_then(|game| find_verb(first, Some(*game))) {
                // People put the game behind it, too.
                let game =
                    rest.iter().find_map(|word| games::find(word)).or(GAMES.first().copied());
                let usage = verb.written(game);
                return SyntaxRefusal::GameFirst { verb: verb.name, usage };
            }
            let mut live = games::CONSOLE.iter();
            if let Some(live) = live.find(|game| game.name.eq_ignore_ascii_case(first)) {
                return SyntaxRefusal::OnlyLive { name: live.name, title: live.title };
            }
            let verbs = VERBS.iter().filter(|verb| verb.of != Of::Game).map(|verb| verb.name);
            let games = GAMES.iter().map(|game| game.spec().name);
            let near = begun_or_near(first, None, verbs.chain(games));
            SyntaxRefusal::UnknownWord { word: first.to_owned(), near }
        })?;
        let words = &mut Words::new(rest, trust, verb.written(None));
        return with_claim((verb.parse)(None, words), words);
    };
    let spec = game.spec();
    let Some((&second, rest)) = rest.split_first() else {
        let verbs = VERBS.iter().filter(|verb| verb.of != Of::Server);
        let usage: Vec<_> = verbs.map(|verb| verb.written(Some(game))).collect();
        let what = format!("the command for {} is missing", spec.title);
        return Err(SyntaxRefusal::Usage { what, usage: usage.join("\n") }.into());
    };
    if let Some(verb) = find_verb(second, Some(game)) {
        let words = &mut Words::new(rest, trust, verb.written(Some(game)));
        return with_claim((verb.parse)(Some(game), words), words);
    }
    let usage =
        |word: &str, more: &str| format!("{} {word} <board> <userid> <password>{more}", spec.name);
    if let Some(word) = own_word(game, second) {
        let words = &mut Words::new(rest, trust, usage(word, ""));
        return with_claim(play::said(game, word, words), words);
    }
    if Setting::read(spec.settings, &[second]).is_some() {
        let words = &mut Words::new(rest, trust, usage(second, " [<value>|off]"));
        let at = words.board(game)?;
        let player = words.player()?;
        let line = [&[second], words.rest()].concat();
        return with_claim(set::on_board(game, at, player, &line), words);
    }
    let verbs = VERBS.iter().filter(|verb| verb.of != Of::Server).map(|verb| verb.name);
    let own = spec.verbs.iter().copied().chain(spec.settings.iter().map(|own| own.switch.name));
    let word = second.to_owned();
    let mut near = begun_or_near(&word, Some(game), verbs.chain(own));
    let folded = word.to_ascii_lowercase();
    if let Some((_, meant)) = led::MEANT.iter().find(|(words, _)| words.contains(&&*folded)) {
        near = vec![meant];
    }
    Err(SyntaxRefusal::UnknownVerb { game: spec.title, near, word }.into())
}

/// The verbs that a word begins, if it is three letters or more; else the words that look like it.
fn begun_or_near(
    word: &str,
    game: Option<&'static dyn AnyGame>,
    known: impl Iterator<Item = &'static str>,
) -> Vec<&'static str> {
    let folded = word.to_ascii_lowercase();
    let begun = verbs_of(game).filter(|verb| verb.begins_with(&folded));
    let begun: Vec<_> = begun.filter(|_| word.len() >= 3).map(|verb| verb.name).collect();
    if begun.is_empty() { near(word, known) } else { begun }
}

/// A command with the user whose password its words named.
fn with_claim(
    command: Result<Box<dyn Command>, Refusal>,
    words: &Words,
) -> Result<(Box<dyn Command>, Option<UserId>), Refusal> {
    Ok((command?, words.claimed().cloned()))
}

/// The move of a game that a word stands for where a verb stands: `double`, or four letters or
/// more of it.
pub fn own_word(game: &'static dyn AnyGame, word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let own = game.spec().verbs.iter().copied();
    let mut begun = own.clone().filter(|verb| word.len() >= 4 && verb.starts_with(&*word));
    let only = begun.next().filter(|_| begun.next().is_none());
    own.clone().find(|verb| **verb == *word).or(only)
}

/// Whether a verb answers what is offered.
pub fn is_answer(verb: &Verb) -> bool {
    [answer::ACCEPT.name, answer::REJECT.name].contains(&verb.name)
}

/// Whether a line is meant as a command that has a password in it, be it right or wrong.
pub fn has_password(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let named = |first: &str, second: &str| {
        let game = games::find(first)?;
        let verb = find_verb(second, Some(game)).map(|verb| verb.usage.contains("<password>"));
        let own = own_word(game, second).is_some() || is_setting(game, second);
        Some(verb.unwrap_or(own))
    };
    match skip_marks(&words) {
        [first, second, _, ..] if named(first, second) == Some(true) => true,
        [first, ..] if find_verb(first, None).is_some() => {
            read(line, &Trust::Words).is_ok_and(|(_, claimed)| claimed.is_some())
        }
        _ => false,
    }
}

/// Whether words are about a setting of a game.
pub fn is_setting(game: &'static dyn AnyGame, words: &str) -> bool {
    let words: Vec<&str> = words.split_whitespace().collect();
    Setting::read(game.spec().settings, &words).is_some()
}

/// Whether a Subject says that the commands are in the text.
pub fn is_multiple(subject: &str) -> bool {
    let words = without_marks(subject).to_ascii_lowercase();
    let mut words = words.split_whitespace().filter(|word| *word != "**");
    let word = words.next().unwrap_or_default();
    word.len() >= 4 && "multiple".starts_with(word) && words.next().is_none()
}

/// Whether words ask for pages, which need nothing that is stored: `help`, `malaka help`.
pub fn is_help(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    let game = games::find(first);
    let verb = if game.is_some() { words.next().unwrap_or_default() } else { first };
    find_verb(verb, game).is_some_and(|verb| verb.name == help::VERB.name)
}

/// The words with which a player's command may begin, where they are not shortened.
pub fn first_words() -> impl Iterator<Item = &'static str> {
    let verbs = verbs_of(None).flat_map(|verb| [&[verb.name], verb.aliases].concat());
    verbs.chain(GAMES.iter().map(|game| game.spec().name)).chain(["multiple"])
}

/// A Subject without what mailers and lists put before a command.
pub fn without_marks(subject: &str) -> String {
    skip_marks(&subject.split_whitespace().collect::<Vec<_>>()).join(" ")
}

/// Drops what mailers and lists put before a command: `Re:`, `[tag]`, `***SPAM***`; ten at most.
fn skip_marks<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    const MARKS: &[&str] = &["re", "fwd", "fw", "aw", "sv", "antw", "wg", "vs", "rif", "ref"];
    let is_mark = |word: &str| {
        let reply = word.strip_suffix(':').map(|mark| {
            // Some mailers count: Re[2]: or Re^2:
            mark.trim_end_matches(|c: char| c.is_ascii_digit() || "[]^()".contains(c))
        });
        reply.is_some_and(|mark| MARKS.iter().any(|known| known.eq_ignore_ascii_case(mark)))
            || (word.starts_with('[') && word.ends_with(']'))
            || (word.len() > 4 && word.starts_with("**") && word.ends_with("**"))
    };
    let marks = words.iter().take(10).take_while(|word| is_mark(word)).count();
    &words[marks..]
}

/// The verb that a word means: its name, an alias, or four letters or more that begin only it.
pub fn find_verb(word: &str, game: Option<&'static dyn AnyGame>) -> Option<&'static Verb> {
    let word = word.to_ascii_lowercase();
    let exact = verbs_of(game).find(|verb| verb.name == word || verb.aliases.contains(&&*word));
    exact.or_else(|| {
        let mut begun: Vec<_> = verbs_of(game).filter(|verb| verb.begins_with(&word)).collect();
        // `accep` is `accept`, though `accept-seek` begins so too.
        begun.sort_by_key(|verb| verb.name.len());
        let shortest = begun.first().copied().filter(|_| word.len() >= 4)?;
        begun.iter().all(|verb| verb.name.starts_with(shortest.name)).then_some(shortest)
    })
}

/// The verbs that may stand behind the name of a game, or where no game is named.
fn verbs_of(game: Option<&'static dyn AnyGame>) -> impl Iterator<Item = &'static Verb> {
    let other = if game.is_some() { Of::Server } else { Of::Game };
    VERBS.iter().copied().filter(move |verb| verb.of != other)
}

impl Verb {
    /// Whether its name or another word for it begins so.
    fn begins_with(&self, word: &str) -> bool {
        self.name.starts_with(word) || self.aliases.iter().any(|alias| alias.starts_with(word))
    }

    /// How the command is written, with its game if it has one.
    pub fn written(&self, game: Option<&'static dyn AnyGame>) -> String {
        let game = match (self.of, game) {
            (Of::Server, _) | (Of::Both, None) => "",
            (_, Some(game)) => game.spec().name,
            (Of::Game, None) => "<game>",
        };
        format!("{game} {} {}", self.name, self.usage).trim().to_owned()
    }
}

/// Checks that a command comes from whom it names.
///
/// # Errors
/// Unknown user or wrong password; both take the same time and get the same answer.
fn authenticate(
    world: &World,
    user: &UserId,
    proof: &Proof,
    board: Option<BoardId>,
    cx: &mut Context,
) -> Result<(), Refusal> {
    authenticate_as(world, world.user(user), user, proof, board, cx)
}

/// The same, for whoever stands behind the userid: also who has left, where he may say something.
fn authenticate_as(
    world: &World,
    known: Option<&User>,
    user: &UserId,
    proof: &Proof,
    board: Option<BoardId>,
    cx: &mut Context,
) -> Result<(), Refusal> {
    let proved = match proof {
        Proof::Password(password) => {
            check_password(world, user, password, cx)?;
            known.is_some()
        }
        Proof::Token(of, holder) => board == Some(*of) && user == holder && known.is_some(),
        Proof::Operator => return known.map(drop).ok_or_else(|| no_user(user)),
    };
    if !proved {
        return Err(AccountRefusal::WrongPassword.into());
    }
    if let Proof::Password(password) = proof {
        cx.hold_back(password);
        cx.password = Some(password.clone());
    }
    cx.proved = Some(user.clone());
    Ok(())
}

/// Checks a password, of somebody who may have left too. A wrong one is noted, to be counted.
///
/// # Errors
/// It is wrong, there is no such user, or none is looked at for a while.
fn check_password(
    world: &World,
    user: &UserId,
    password: &str,
    cx: &mut Context,
) -> Result<(), Refusal> {
    let stored = world.known(user).map(|user| user.password.as_str());
    // What `multiple` says again is not hashed again, nor counted.
    let right = if let Some(right) = cx.tried.find(user, password, stored) {
        right
    } else {
        let from = cx.origin.address().filter(|_| cx.limits.rate_limits.passwords);
        if let Some(until) = world.pause(user, from, cx.now) {
            let minutes = (until - cx.now + 59) / 60;
            return Err(AccountRefusal::Paused { minutes }.into());
        }
        let right = cx.hashing.verify(password, stored);
        cx.tried.note(user, password, stored, right);
        right
    };
    if right { Ok(()) } else { Err(AccountRefusal::WrongPassword.into()) }
}

/// A password as it is stored.
fn hashed(password: &str, cx: &mut Context) -> String {
    let mut salt = [0; 16];
    cx.chance.fill(&mut salt);
    cx.hashing.hash(password, salt)
}

/// That a user has something said to another: what is remembered of it. Of some things they may say
/// so many more.
///
/// # Errors
/// They have said enough to that one today.
fn speaks(
    world: &World,
    user: &UserId,
    to: &UserId,
    more: usize,
    cx: &Context,
) -> Result<Vec<Event>, Refusal> {
    let most = cx.limits.rate_limits.words.saturating_add(more);
    let is_other = user != to && world.level(to).is_none();
    let Some(user) = world.user(user).filter(|_| is_other) else { return Ok(Vec::new()) };
    if user.has_spoken(to, cx.now) >= most {
        return Err(AccountRefusal::SpokenEnough { to: to.clone(), n: most }.into());
    }
    let change = Change::Spoke { to: to.clone(), at: cx.now };
    Ok(vec![Event::Account { user: user.id.clone(), change }])
}

fn no_user(user: &UserId) -> Refusal {
    AccountRefusal::NoUser(user.clone()).into()
}

/// The game that stands before a game's verb.
fn the_game(game: Option<&'static dyn AnyGame>) -> &'static dyn AnyGame {
    game.expect("a verb of games is only found behind a game's name")
}

/// Who says something about which board, and for which move if he names one.
#[derive(Debug)]
struct Player {
    board: BoardId,
    moveno: Option<usize>,
    user: UserId,
    proof: Proof,
}

impl Player {
    /// Reads `<board>[#<moveno>] <userid> <password>`.
    fn read(game: &'static dyn AnyGame, words: &mut Words) -> Result<Self, Refusal> {
        let (board, moveno) = words.board(game)?;
        let (user, proof) = words.player()?;
        Ok(Self { board, moveno, user, proof })
    }

    fn needs(&self) -> Needs {
        Needs::Keys(vec![board_key(self.board), user_key(&self.user)])
    }

    /// The board and the seat there, once it is shown that the player is who he says.
    ///
    /// # Errors
    /// It is not shown; else as [`seat_in_play`].
    fn at<'w>(&self, world: &'w World, cx: &mut Context) -> Result<(&'w Board, Seat), Refusal> {
        authenticate(world, &self.user, &self.proof, Some(self.board), cx)?;
        let seat = seat_in_play(world, self.board, &self.user, self.moveno)?;
        Ok((world.board(self.board)?, seat))
    }
}

/// The seat of a player who says something on a board in progress, for the move he names.
///
/// # Errors
/// He does not play there, the board is over, or another move is next.
fn seat_in_play(
    world: &World,
    id: BoardId,
    user: &UserId,
    moveno: Option<usize>,
) -> Result<Seat, Refusal> {
    let board = world.board(id)?;
    let seat = board
        .seat(user)
        .ok_or_else(|| BoardRefusal::NotPlaying { board: id, user: user.clone() })?;
    if board.is_over() {
        return Err(BoardRefusal::Over(id).into());
    }
    match moveno {
        Some(given) if given != board.next_move() => {
            Err(BoardRefusal::Stale { board: id, given, due: board.next_move() }.into())
        }
        _ => Ok(seat),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::chance::Told;

    #[test]
    fn marks_before_a_command_are_skipped() {
        for line in [
            "Re: Re: malaka help",
            "AW: [games] ***SPAM*** malaka help",
            "Re[2]: Fwd: malaka ** help",
            "MALAKA HELP",
        ] {
            assert!(parse(line, &Trust::Words).is_ok(), "{line}");
        }
        let eleven = format!("{}malaka help", "Re: ".repeat(11));
        assert!(parse(&eleven, &Trust::Words).is_err());
    }

    #[test]
    fn verbs_are_found_by_four_letters_or_an_alias() {
        let game = GAMES.first().copied();
        for (word, verb) in [
            ("chall", "challenge"),
            ("mvoe", "move"),
            ("BOARD", "move"),
            ("prev", "preview"),
            ("acce", "accept"),
            ("accept-s", "accept-seek"),
        ] {
            assert_eq!(find_verb(word, game).map(|verb| verb.name), Some(verb));
        }
        assert!(find_verb("cha", game).is_none());
        assert!(find_verb("signup", game).is_none());
    }

    #[test]
    fn a_token_serves_its_holder_on_its_board_only() {
        let address = Address::parse("alice@example.org").unwrap();
        let [alice, bob] = ["alice", "bob"].map(|name| UserId::parse(name).unwrap());
        let known = |id: &UserId| User::new(id.clone(), String::new(), vec![address.clone()], 0);
        let (hashing, limits, origin) =
            (Hashing::quick(), Limits::default(), Origin::Mail(address.clone()));
        let board = |number| BoardId { game: "malaka", number };
        let passes = |user: &UserId, holder: &UserId, on: Option<BoardId>, is_known: bool| {
            let mut cx = Context {
                now: 0,
                origin: &origin,
                trust: &Trust::Words,
                comment: String::new(),
                chance: &mut Told::nothing("nothing is thrown, nothing hashed anew"),
                hashing: &hashing,
                limits: &limits,
                own: &address,
                proved: None,
                password: None,
                held_back: false,
                tried: &mut Tried::default(),
                program_moves: &mut 0,
            };
            let proof = Proof::Token(board(1), holder.clone());
            let known = is_known.then(|| known(user));
            let done =
                authenticate_as(&World::default(), known.as_ref(), user, &proof, on, &mut cx);
            assert_eq!(cx.proved.as_ref(), done.is_ok().then_some(user));
            done.is_ok()
        };
        assert!(passes(&alice, &alice, Some(board(1)), true));
        assert!(!passes(&bob, &alice, Some(board(1)), true), "another user");
        assert!(!passes(&alice, &alice, Some(board(2)), true), "another board");
        assert!(!passes(&alice, &alice, None, true), "no board");
        assert!(!passes(&alice, &alice, Some(board(1)), false), "nobody");
    }

    #[test]
    fn the_table_is_in_order() {
        let words: Vec<&str> = VERBS
            .iter()
            .flat_map(|verb| [&[verb.name], verb.aliases].concat())
            .chain(GAMES.iter().map(|game| game.spec().name))
            .collect();
        for (index, word) in words.iter().enumerate() {
            assert!(!words[..index].contains(word), "{word} is there twice");
            assert!(word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{word}");
        }
        for verb in VERBS {
            assert!(!verb.about.is_empty() && !verb.about.ends_with('.'), "{}", verb.name);
        }
    }
}
