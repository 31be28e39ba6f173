//! What is said: decisions and refusals as mails, still without addresses.

mod account;
mod clock;
pub mod draw;
mod facts;
mod listing;
mod news;
pub mod operator;
mod page;
mod seek;
mod spoken;
mod standings;
pub mod subject;
mod summary;

pub use account::{Account, Asked};
pub use page::{LARGEST, Picture, html};

use crate::base::ids::{BoardId, UserId};
use crate::base::words::{And, Count, quoted, wrapped};
use crate::command::{Decision, OpenSeek, OpenSeeks, Origin, Standings};
use crate::mail::{Address, HeaderText, shortened};
use crate::model::board::{Board, Proposal, Queued};
use crate::model::clock::{Day, Vacation};
use crate::model::event::Event;
use crate::model::rate_limit::{Share, Verdict};
use crate::model::user::OptOut;
use crate::model::world::World;
use crate::refusal::{Asker, BoardRefusal, Refusal};
use games::{AnyGame, AnyPosition, Choices, Entry, GAMES, Scope, Seat, Setting, View};
use news::News;
use subject::About;

/// How many legal plays are listed in full.
pub const FEW: usize = 20;

/// What a decision is about, for whoever asked and whoever it touches.
#[derive(Debug)]
pub enum Answer {
    /// Something about an account.
    Account(Account),
    /// Help pages.
    Help(String),
    /// The games played here, and what stands open.
    Games(Vec<Played>, OpenSeeks),
    /// Boards in progress of each game, a line each, and what stands open.
    Lists(Vec<(&'static dyn AnyGame, Vec<BoardId>)>, OpenSeeks),
    /// Boards of some players, a line each.
    Boards {
        /// The game.
        game: &'static dyn AnyGame,
        /// Which boards.
        boards: Vec<BoardId>,
    },
    /// Boards drawn for the asker.
    Shown(Vec<Shown>),
    /// Boards in a format of other programs.
    Exported {
        /// Their game.
        game: &'static dyn AnyGame,
        /// The text.
        text: String,
    },
    /// Boards of players in all games.
    Everywhere {
        /// Whose.
        users: Vec<UserId>,
        /// Which; what is nearest to its end stands first.
        boards: Vec<BoardId>,
    },
    /// A position that was looked ahead to.
    Previewed {
        /// Its game.
        game: &'static dyn AnyGame,
        /// What was played, as the viewer writes it.
        played: Vec<String>,
        /// What came of it.
        position: Box<dyn AnyPosition>,
        /// Who looks.
        view: View,
    },
    /// A board as it would be after a move that waits to be confirmed, for its mover.
    Submitted {
        /// The board.
        board: BoardId,
        /// Whose move it is.
        seat: Seat,
        /// What would come of it, before dice are thrown.
        position: Box<dyn AnyPosition>,
    },
    /// Something about a board that only one of its players hears of.
    Told {
        /// The board.
        board: BoardId,
        /// His seat.
        seat: Seat,
        /// What he is told.
        what: Told,
    },
    /// A player has said how many boards of a game he plays at most.
    Limited {
        /// The game.
        game: &'static dyn AnyGame,
        /// How many; no limit if nothing is said.
        most: Option<u32>,
    },
    /// Somebody gets the mails of a board from now on, or no longer.
    Observed {
        /// The board.
        board: BoardId,
        /// Who.
        user: UserId,
        /// Whether he gets them.
        wanted: bool,
    },
    /// A player chose how he likes something.
    Chose {
        /// The game.
        game: &'static dyn AnyGame,
        /// What he chose about.
        setting: &'static Setting,
        /// What he chose; nothing for the default.
        choice: Option<Choices>,
        /// The board that he said it about, and his seat there.
        board: Option<(BoardId, Seat)>,
    },
    /// Everybody's ratings in a game.
    Standings {
        /// The game.
        game: &'static dyn AnyGame,
        /// Who stands how.
        standings: Standings,
        /// What stands open.
        open: OpenSeeks,
    },
    /// A challenge is open to everybody.
    Sought {
        /// The challenge.
        found: OpenSeek,
        /// The number of the one in whose place it is.
        replaced: Option<u32>,
    },
    /// An open challenge was withdrawn.
    SeekEnded {
        /// To which game.
        game: &'static dyn AnyGame,
        /// Its number.
        number: u32,
    },
    /// Somebody hears of new boards, or does not.
    Listens {
        /// Of which game.
        game: &'static dyn AnyGame,
        /// Who.
        user: UserId,
        /// Whether he hears of them.
        wanted: bool,
    },
    /// A user's vacations changed.
    Rested {
        /// The user.
        user: UserId,
        /// The day on which he says so.
        today: Day,
        /// What is left of them.
        left: Vec<Vacation>,
        /// Those to come that are taken back.
        cancelled: Vec<Vacation>,
    },
    /// Something happened on a board that both players hear of.
    Board {
        /// The board.
        board: BoardId,
        /// What happened.
        what: BoardNews,
        /// Who did it; nobody when the operator set a board up.
        by: Option<Seat>,
    },
}

/// How much a game is played.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// Its boards in progress.
    pub boards: usize,
    /// How many people play there.
    pub players: usize,
}

impl From<Account> for Answer {
    fn from(account: Account) -> Self {
        Self::Account(account)
    }
}

impl From<Account> for Decision {
    fn from(account: Account) -> Self {
        Answer::from(account).into()
    }
}

/// What one player of a board is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// Which move of his waits for his turn, if one does.
    Queued(Option<Queued>),
    /// The reply addresses in his mails about it are void, and this mail has a new one.
    NewToken,
}

/// A board to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Which board.
    pub board: BoardId,
    /// After so many moves; as it stands when not said.
    pub after: Option<usize>,
    /// Whose view is drawn; an observer's when nobody's.
    pub seat: Option<Seat>,
}

/// What happened on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardNews {
    /// It was set up.
    Begun,
    /// It was set up because the open challenge of that number was accepted.
    Accepted(u32),
    /// It was set up with what was played elsewhere.
    Imported,
    /// A move was made, or the board was given up.
    Moved,
    /// A player said something.
    Chatted(String),
    /// A player offered what the board shows as open.
    Offered,
    /// An offer was rejected.
    OfferRejected(Proposal),
    /// An offer was withdrawn.
    OfferWithdrawn,
    /// The players agreed to take moves back.
    TakenBack {
        /// The number of the first of them.
        from: usize,
    },
    /// A player took moves back, with nobody to ask.
    Unmade {
        /// The number of the first of them.
        from: usize,
    },
    /// The operator took something back.
    Undone(Undone),
    /// The operator wrote something else in its place.
    Mended,
}

/// What the operator took back on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undone {
    /// Whether that is how the game was ended.
    pub closing: bool,
    /// The number of the first move, if moves were taken back.
    pub from: Option<usize>,
    /// Whether the rolls taken back are forgotten.
    pub new_dice: bool,
}

/// A mail without addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// For whom.
    pub to: To,
    /// The Subject.
    pub subject: String,
    /// The text.
    pub text: String,
    /// The board it is about.
    pub board: Option<BoardId>,
    /// The seat that the recipient may move for by replying.
    pub seat: Option<Seat>,
    /// The board to be drawn in an HTML part, for those who want one.
    pub picture: Option<Box<Picture>>,
    /// What its reader can turn off, by an address that the mail names for it.
    pub opt_out: Option<OptOut>,
    /// Which part of the day's mails it counts for.
    pub share: Share,
}

impl Outgoing {
    /// About how many bytes its letter has, without an HTML part.
    pub fn size(&self) -> usize {
        const HEADERS: usize = 700;
        self.text.len() + HEADERS
    }
}

/// Whom a mail is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum To {
    /// Whoever sent the command, wherever it came from.
    Sender,
    /// A user, at the registered addresses.
    User(UserId),
    /// A user who wants to hear of what others do, at the registered addresses.
    Listener(UserId),
    /// One address, which may be nobody's here.
    Address(Address),
}

/// Says what came of a command, after its events were applied.
pub fn compose(
    world: &World,
    origin: &Origin,
    decision: &Decision,
    comment: &str,
    now: i64,
) -> Vec<Outgoing> {
    let page = |subject: String, text: String| vec![page(subject, text)];
    match &decision.answer {
        Answer::Account(account) => account::mails(world, origin, account, now),
        Answer::Help(text) => page("Help".into(), text.clone()),
        Answer::Games(games, open) => {
            page("Games".into(), seek::below(listing::games(games), open))
        }
        Answer::Lists(lists, open) => {
            let text = seek::below(listing::lists(world, lists), open);
            page("Boards in progress".into(), text)
        }
        Answer::Sought { found, replaced } => {
            let subject = format!("{} challenge {}", found.game.spec().title, found.seek.number);
            page(subject, seek::sought(found, *replaced, comment))
        }
        Answer::SeekEnded { game, number } => {
            let subject = format!("{} challenge {number}", game.spec().title);
            page(subject, seek::ended(*game, *number))
        }
        Answer::Listens { game, user, wanted } => {
            page(format!("{} boards", game.spec().title), seek::listens(*game, user, *wanted))
        }
        Answer::Boards { game, boards } => {
            page(format!("{} boards", game.spec().title), listing::boards(world, boards))
        }
        Answer::Everywhere { users, boards } => {
            page("Your boards".into(), listing::everywhere(world, users, boards, now))
        }
        Answer::Shown(shown) => page(subject_of(world, shown), summary::shown(world, shown, now)),
        Answer::Exported { game, text } => {
            page(format!("{} export", game.spec().title), text.clone())
        }
        Answer::Previewed { game, played, position, view } => {
            let text = summary::previewed(played, &**position, view);
            page(format!("{} preview", game.spec().title), text)
        }
        Answer::Submitted { board, seat, position } => {
            let unsaid = unsaid(comment);
            vec![summary::submitted(world, origin, *board, *seat, &**position, &unsaid, now)]
        }
        Answer::Told { board, seat, what } => {
            let sentence = told(what) + &unsaid(comment);
            let (at, about) = ((*board, *seat), About::Board);
            let mail = |origin| summary::to_player(world, origin, at, about, &sentence, now);
            // A new reply address goes to its player, wherever he asked for it.
            match (what, origin) {
                (Told::NewToken, Origin::Shell) => {
                    let said = Outgoing { seat: None, text: mailed(), ..mail(Some(origin)) };
                    vec![said, mail(None)]
                }
                _ => vec![mail(Some(origin))],
            }
        }
        Answer::Limited { game, most } => {
            let title = game.spec().title;
            page(format!("{title} settings"), limited(title, *most))
        }
        Answer::Observed { board, user, wanted } => {
            vec![summary::to_observer(world, *board, user, *wanted, now)]
        }
        Answer::Chose { game, setting, choice, board } => {
            let sentence = chosen(*game, setting, choice.as_ref()) + &unsaid(comment);
            match board {
                None => page(format!("{} settings", game.spec().title), sentence + "\n"),
                Some((board, seat)) => {
                    let (at, about) = ((*board, *seat), About::Board);
                    vec![summary::to_player(world, Some(origin), at, about, &sentence, now)]
                }
            }
        }
        Answer::Board { board, what, by } => {
            let moves = made(&decision.events, *board);
            let news = News { what, by: *by, comment, moves };
            let mut mails = summary::to_players(world, Some(origin), *board, &news, now);
            summary::report_dropped(&mut mails, &decision.events);
            mails.extend(summary::to_observers(world, *board, &news, now));
            if what.is_new() {
                mails.extend(seek::notices(world, *board));
            }
            mails
        }
        Answer::Standings { game, standings, open } => {
            let text = seek::below(standings::all(*game, standings), open);
            page(format!("{} standings", game.spec().title), text)
        }
        Answer::Rested { user, today, left, cancelled } => {
            let text = clock::cancelled(cancelled) + &clock::rested(user, *today, left);
            page(format!("Vacation {user}"), text)
        }
    }
}

/// How many moves were made on a board.
fn made(events: &[Event], id: BoardId) -> usize {
    let entries = |event: &Event| match event {
        Event::Played { board, entries, .. } if *board == id => moves_in(entries),
        Event::Challenged(new) if new.board == id => moves_in(&new.entries),
        _ => 0,
    };
    events.iter().map(entries).sum()
}

fn moves_in(entries: &[Entry]) -> usize {
    entries.iter().filter(|entry| !entry.is_chance()).count()
}

/// Who would have heard the words of a decision, and has muted whoever says them: for the log.
pub fn muted(world: &World, decision: &Decision) -> Vec<(UserId, UserId)> {
    let (from, to): (&UserId, Vec<&UserId>) = match &decision.answer {
        Answer::Board { board, what: BoardNews::Chatted(_), by: Some(by) } => {
            let Ok(board) = world.board(*board) else { return Vec::new() };
            (board.player(*by), vec![board.player(by.other())])
        }
        Answer::Account(
            Account::Message { from, to, .. } | Account::Broadcast { from, to, .. },
        ) => (from, to.iter().collect()),
        _ => return Vec::new(),
    };
    let deaf = to.into_iter().filter(|reader| world.is_muted(reader, from));
    deaf.map(|reader| (from.clone(), reader.clone())).collect()
}

/// Who hears of a decision beside the players of its board.
pub fn observers(world: &World, decision: &Decision) -> Vec<UserId> {
    match &decision.answer {
        // Nobody can watch a board before it is there.
        Answer::Board { board, what, .. } if what.is_new() => world.listeners(*board),
        Answer::Board { board, what, .. } if what.is_public() => {
            world.board(*board).map(|board| board.observers.clone()).unwrap_or_default()
        }
        Answer::Account(Account::Left { boards, .. }) => {
            let boards = boards.iter().filter_map(|(board, _)| world.board(*board).ok());
            boards.flat_map(|board| board.observers.iter().cloned()).collect()
        }
        _ => Vec::new(),
    }
}

impl BoardNews {
    /// Whether players have begun a board here: those who want to hear of every board do.
    fn is_new(&self) -> bool {
        matches!(self, Self::Begun | Self::Accepted(_))
    }

    /// Whether observers hear of it: what changes the board is, what players say is not.
    fn is_public(&self) -> bool {
        match self {
            Self::Begun
            | Self::Accepted(_)
            | Self::Imported
            | Self::Moved
            | Self::TakenBack { .. }
            | Self::Unmade { .. }
            | Self::Undone(_)
            | Self::Mended => true,
            Self::Chatted(_) | Self::Offered | Self::OfferRejected(_) | Self::OfferWithdrawn => {
                false
            }
        }
    }
}

/// The mail to whoever lets a board wait.
pub fn remind(world: &World, id: BoardId, seat: Seat, now: i64) -> Outgoing {
    let reminder = clock::reminder(world, id, now);
    let opt_out = Some(OptOut::Reminders);
    Outgoing {
        opt_out,
        ..summary::to_player(world, None, (id, seat), About::Reminder, &reminder, now)
    }
}

/// What a user is told whose mails of a kind have been turned off.
pub fn opted_out(user: &UserId, what: OptOut) -> Outgoing {
    account::opted_out(user, what)
}

/// What is offered to the player of a seat, as a paragraph below something else; empty if nothing.
pub fn offered(world: &World, board: &Board, seat: Seat) -> String {
    let view = world.view(board, seat);
    let offer = board.offered_to(seat).and_then(|_| summary::open_offer(board, &view));
    offer.map_or_else(String::new, |offer| format!("\n{}\n", wrapped(&offer)))
}

/// The mails about a board that the clock has ended, to both players and to observers.
pub fn ended(world: &World, id: BoardId, now: i64) -> Vec<Outgoing> {
    let news = News { what: &BoardNews::Moved, by: None, comment: "", moves: 0 };
    let mut mails = summary::to_players(world, None, id, &news, now);
    mails.extend(summary::to_observers(world, id, &news, now));
    mails
}

/// Says why a command is not carried out, to whoever sent it.
pub fn refuse(refusal: &Refusal, asker: &Asker) -> Outgoing {
    let board = match refusal {
        Refusal::Board(about) => about.board().or(asker.board),
        _ => asker.board,
    };
    let subject = subject::of_refusal(board);
    let mut text = wrapped(&format!("Not done: {refusal}."));
    text.push_str("\nNothing has changed.\n");
    let asker = Asker { board, ..asker.clone() };
    if let Some(hint) = refusal.hint().map(|hint| asker.example(&hint)) {
        text.push('\n');
        // Lists and samples stand as they are; only the sentence above them is broken.
        let (sentence, rest) = hint.split_once('\n').unwrap_or((&hint, ""));
        text.push_str(&wrapped(sentence));
        text.push('\n');
        text.push_str(rest);
        if !rest.is_empty() {
            text.push('\n');
        }
    }
    let stale = matches!(refusal, Refusal::Board(BoardRefusal::Unknown(_)));
    let board = board.filter(|_| !stale);
    let (to, share) = (To::Sender, Share::Boards);
    Outgoing { to, subject, text, board, seat: None, picture: None, opt_out: None, share }
}

/// Takes a password out of refusals that quote it as a word that was something else.
pub fn do_not_quote(outgoing: &mut [Outgoing], password: &str) {
    let shown = quoted(password);
    for mail in outgoing.iter_mut() {
        let mut text = mail.text.replace(&shown, "your password");
        if text.contains(password) {
            text = without_quotes_of(password, &text);
        }
        if text != mail.text {
            // What is said in its place may be longer.
            let narrow = |line: &str| if line.len() > 76 { wrapped(line) } else { line.to_owned() };
            mail.text = text.split('\n').map(narrow).collect::<Vec<_>>().join("\n");
        }
    }
}

/// Whether what stands between two backquotes may be a quotation: a line may end in it, since a move
/// may have been written in several words.
fn is_one_quotation(words: &str) -> bool {
    match words.matches('\n').count() {
        0 => true,
        1 => words.len() <= 60,
        _ => false,
    }
}

/// The text with words between backquotes left out that have a password in them, with signs beside
/// it, say. How a command is written is no such word.
fn without_quotes_of(password: &str, text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('`') {
        kept.push_str(before);
        match behind.split_once('`') {
            Some((words, after)) if is_one_quotation(words) => {
                if words.contains(password) && !words.contains('<') {
                    kept.push_str("your password");
                } else {
                    kept.extend(["`", words, "`"]);
                }
                rest = after;
            }
            _ => {
                kept.push('`');
                rest = behind;
            }
        }
    }
    kept + rest
}

/// Says to whoever wrote his password below a command that this was not passed on.
pub fn say_held_back(outgoing: &mut [Outgoing], user: &UserId) {
    let is_own = |mail: &&mut Outgoing| match &mail.to {
        To::Sender => true,
        To::User(to) => to == user,
        To::Listener(_) | To::Address(_) => false,
    };
    for mail in outgoing.iter_mut().filter(is_own) {
        mail.text.push('\n');
        mail.text.push_str(&wrapped(
            "The lines below your command that had your password in them were not passed on. \
             Write commands in the Subject.",
        ));
        mail.text.push('\n');
    }
}

/// What the sender of several commands alone is told, in one mail: each answer with the number of its
/// command.
pub fn together(answers: Vec<(usize, Outgoing)>) -> Outgoing {
    let subject = Count(answers.len(), "answer").to_string();
    let mut pages: Vec<String> = Vec::with_capacity(answers.len());
    let mut size = 0;
    for (number, mail) in answers {
        size += mail.text.len();
        let text = if size > LONGEST_ANSWER { "(left out: too long)\n" } else { &mail.text };
        pages.push(format!("{:-<76}\n{number}. {}\n\n{text}", "", mail.subject));
    }
    page(subject, pages.join("\n"))
}

/// The longest mail in which the answers to several commands are put together, bytes.
const LONGEST_ANSWER: usize = 100_000;

/// What somebody gets whose mail is nothing that is said here. They may never have heard of us, so
/// nothing of what came in their name stands in it.
pub fn introduction(name: &HeaderText) -> Outgoing {
    let titles: Vec<&str> = GAMES.iter().map(|game| game.spec().title).collect();
    let example = GAMES.iter().map(|game| game.spec()).find(|spec| spec.manner.levels > 0);
    let example = example.map_or("reversi", |spec| spec.name);
    let paragraphs = [
        "This is a server for board games by mail. Your mail to it has no command in its Subject, \
         so nothing was done. A command is the Subject of a mail to this address.",
        &format!("You can play {}.", And(&titles)),
    ];
    let steps = format!(
        "1. Sign up with a name and a password of your own:\n\
         \n\
         \x20 signup <userid> <password>\n\
         \n\
         2. Find an opponent. `list` shows who looks for one and what is played.\n\
         \x20  Challenge everybody, or the program, which is called board1 (easy) to\n\
         \x20  board4 (hard) and answers at once:\n\
         \n\
         \x20 list\n\
         \x20 malaka seek <userid> <password>\n\
         \x20 {example} challenge <userid> board1\n\
         \n\
         3. Learn more:\n\
         \n\
         \x20 help tutorial\n\
         \x20 help\n"
    );
    let end = "If you did not write to this address, do nothing: at most three mails like this \
               come to you in a week.";
    let text = format!("{}\n{steps}\n{}\n", account::paragraphs(&paragraphs), wrapped(end));
    page(name.to_string(), text)
}

/// Cuts an answer that is too long for somebody who has not shown who they are.
pub fn shorten(mail: &mut Outgoing, longest: usize) {
    if mail.text.len() > longest {
        mail.text = shortened(&mail.text, longest).into_owned();
        mail.text.push_str("\nThe rest is too long for one mail. Ask for less at once.\n");
    }
}

/// What comes in the place of an answer that is too long for what is left of a day.
pub fn too_long() -> Outgoing {
    let text = wrapped(
        "The answer to your mail is not sent: the long answers that went to your address today are \
         enough for one day, since anybody could have asked for them in your name. Short ones are \
         still sent, and your moves and everything with your password work as always. Ask again \
         tomorrow, or for less at once.",
    );
    page("Too long for today".into(), text + "\n")
}

/// What stands below an answer that is the last of its kind for a while.
pub fn last(verdict: Verdict) -> String {
    let what = match verdict {
        Verdict::LastOfThese => "That is not answered again within a day.",
        _ => {
            "This is the last answer of this kind that goes to this address within a day. What you \
             send with your password is carried out as always, and so are moves by reply."
        }
    };
    format!("\n{}\n", wrapped(what))
}

/// What comes in place of the first mail too many of a day, of a share of so many.
pub fn enough(share: Share, most: usize) -> Outgoing {
    let text = wrapped(&match share {
        Share::Others => format!(
            "{most} mails that others caused have gone to this address today, and no more such \
             mails will before tomorrow (UTC): no messages, no notices, and no answers that anybody \
             could have asked for. Mails about your boards still come. To hear no more words of a \
             player, send `mute <userid> <password> <other>`."
        ),
        Share::Boards => format!(
            "{most} mails have gone to this address today, and no more will before tomorrow (UTC), \
             but for one-time words. Your commands are carried out as always, and your boards go \
             on. Tomorrow `all show <userid> next` shows the boards that wait for you. If you did \
             not ask for these mails, tell the operator of the server."
        ),
        Share::Account => format!(
            "{most} mails have gone to this address today, and no more will before tomorrow (UTC)."
        ),
    });
    page("No more mails today".into(), text + "\n")
}

/// What a player is told to whose address mails go again.
pub fn reached(user: &UserId) -> Outgoing {
    let text = wrapped(&format!(
        "Mails to your registered address came back, three within a week, so no more were sent \
         there. From now on they are again. `all show {user} next` shows the boards that wait for \
         you. If that address is not yours any more, send `change address {user} <password> \
         <address>`."
    ));
    page(format!("Mails to {user}"), text + "\n")
}

/// A mail to the sender that is about no board.
fn page(subject: String, text: String) -> Outgoing {
    account::mail(To::Sender, subject, text)
}

/// What the sender of a mail is told that fails by a fault of ours.
pub fn our_fault() -> Outgoing {
    let text = "Your mail could not be executed: that is a fault of this server, not yours. The\n\
                operator knows of it and has your mail. Nothing has changed.\n";
    page(subject::of_refusal(None), text.into())
}

fn subject_of(world: &World, shown: &[Shown]) -> String {
    match shown {
        [only] => world
            .board(only.board)
            .map_or_else(|_| "Board".into(), |board| subject::of(board, only.seat, About::Board)),
        more => Count(more.len(), "board").to_string(),
    }
}

/// How many challenges to a game somebody takes.
fn limited(title: &str, most: Option<u32>) -> String {
    let text = match most {
        None => format!("You take challenges to {title}, without a limit."),
        Some(0) => format!("You take no challenges to {title}. Boards in progress go on."),
        Some(most) => {
            let boards = Count(usize::try_from(most).unwrap_or(usize::MAX), "board");
            format!("You play at most {boards} of {title} at a time.")
        }
    };
    wrapped(&text) + "\n"
}

/// That a comment went nowhere, as a paragraph behind another; nothing if there was none.
fn unsaid(comment: &str) -> String {
    if comment.is_empty() {
        return String::new();
    }
    let sentence = "The rest of your mail was not passed on: `chat` sends it to your opponent.";
    format!("\n\n{}", wrapped(sentence))
}

/// What one player of a board is told, as a paragraph.
fn told(what: &Told) -> String {
    wrapped(&match what {
        Told::NewToken => "This mail has a new reply address for you on this board. The old \
                           ones do nothing any more: nobody who has an older mail can move for \
                           you."
            .into(),
        Told::Queued(None) => "No move of yours is queued on this board.".into(),
        Told::Queued(Some(Queued { text, moveno })) => {
            let text = quoted(text);
            let when = match moveno {
                None => "as soon as it is your turn".into(),
                Some(moveno) => format!("as move {moveno}, if that is yours"),
            };
            format!(
                "Queued: {text}. It will be tried {when}; nobody else sees it before. `queue off` \
                 on the first line of a reply forgets it."
            )
        }
    })
}

/// Where a new reply address went.
fn mailed() -> String {
    wrapped("The old reply addresses of this player on this board are void; a new one was mailed.")
        + "\n"
}

/// That a setting was taken, and how far it reaches.
fn chosen(game: &'static dyn AnyGame, setting: &Setting, choice: Option<&Choices>) -> String {
    let name = setting.switch.name;
    let value = match choice.map(|choice| choice.get(name).unwrap_or_default()) {
        None => "off",
        Some("") => "on",
        Some(value) => value,
    };
    let place = match setting.scope {
        Scope::Board => "on this board".into(),
        Scope::Game => format!("on all your {} boards", game.spec().title),
    };
    wrapped(&format!("From now on `{name}` is `{value}` {place}."))
}
