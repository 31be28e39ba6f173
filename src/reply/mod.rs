//! What is said: decisions and refusals as mails, still without addresses.

mod account;
mod advice;
mod block;
mod board;
mod body;
mod clock;
pub mod draw;
mod facts;
mod listing;
mod news;
pub mod operator;
mod origin;
mod outgoing;
mod page;
mod plain;
mod seek;
mod shown;
mod spoken;
mod standings;
pub mod subject;

pub use account::{Account, Asked};
pub use block::Block;
pub use origin::Origin;
pub use outgoing::{Outgoing, To, do_not_quote};
pub use page::{LARGEST, html};
pub use plain::{Form, text};
pub use seek::{OpenChallenge, OpenChallenges};
pub use shown::Shown;
pub use standings::{Row, Standings};

use crate::base::ids::{BoardId, UserId};
use crate::base::words::{And, Count, quoted, wrapped};
use crate::mail::HeaderText;
use crate::model::board::{Board, Proposal, Queued};
use crate::model::clock::{Day, Vacation};
use crate::model::event::Event;
use crate::model::rate_limit::{Share, Verdict};
use crate::model::user::OptOut;
use crate::model::world::World;
use crate::refusal::{Asker, BoardRefusal, Refusal};
use block::Piece;
use games::{AnyGame, AnyPosition, Choices, Diagram, Entry, GAMES, Scope, Seat, Setting, View};
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
    Games(Vec<Played>, OpenChallenges),
    /// Boards in progress of each game, a line each, and what stands open.
    Lists(Vec<(&'static dyn AnyGame, Vec<BoardId>)>, OpenChallenges),
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
        open: OpenChallenges,
    },
    /// A challenge is open to everybody.
    Sought {
        /// The challenge.
        found: OpenChallenge,
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

/// What one player of a board is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// Which move of his waits for his turn, if one does.
    Queued(Option<Queued>),
    /// The reply addresses in his mails about it are void, and this mail has a new one.
    NewToken,
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

/// Says what came of a command, after its events were applied.
pub fn compose(
    world: &World,
    origin: &Origin,
    (answer, events): (&Answer, &[Event]),
    comment: &str,
    now: i64,
) -> Vec<Outgoing> {
    let page = |subject: String, text: String| vec![page(subject, text)];
    match answer {
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
        Answer::Shown(shown) => {
            vec![Outgoing::answer(subject_of(world, shown), shown::all(world, shown, now))]
        }
        Answer::Exported { game, text } => {
            page(format!("{} export", game.spec().title), text.clone())
        }
        Answer::Previewed { game, played, position, view } => {
            let blocks = shown::previewed(played, &**position, view);
            vec![Outgoing::answer(format!("{} preview", game.spec().title), blocks)]
        }
        Answer::Submitted { board, seat, position } => {
            let unsaid = unsaid(comment);
            vec![board::submitted(world, origin, (*board, *seat), &**position, unsaid, now)]
        }
        Answer::Told { board, seat, what } => {
            let head: Vec<Block> = [told(what)].into_iter().chain(unsaid(comment)).collect();
            let (at, about) = ((*board, *seat), About::Board);
            let mail = |origin| board::to_player(world, origin, at, about, head.clone(), now);
            // A new reply address goes to its player, wherever he asked for it.
            match (what, origin) {
                (Told::NewToken, Origin::Shell) => {
                    let said =
                        Outgoing { seat: None, blocks: vec![mailed()], ..mail(Some(origin)) };
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
            vec![board::to_observer(world, *board, user, *wanted, now)]
        }
        Answer::Chose { game, setting, choice, board } => {
            let chosen = Block::heading(chosen(*game, setting, choice.as_ref()));
            let head = [chosen].into_iter().chain(unsaid(comment));
            match board {
                None => {
                    let subject = format!("{} settings", game.spec().title);
                    vec![Outgoing::answer(subject, head.collect())]
                }
                Some((board, seat)) => {
                    let (at, about) = ((*board, *seat), About::Board);
                    vec![board::to_player(world, Some(origin), at, about, head, now)]
                }
            }
        }
        Answer::Board { board, what, by } => {
            let moves = made(events, *board);
            let news = News { what, by: *by, comment, moves };
            let mut mails = board::to_players(world, Some(origin), *board, &news, now);
            board::report_dropped(&mut mails, events);
            mails.extend(board::to_observers(world, *board, &news, now));
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
            let blocks = clock::vacations(user, *today, left, cancelled);
            vec![Outgoing::answer(format!("Vacation {user}"), blocks)]
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
pub fn muted(world: &World, answer: &Answer) -> Vec<(UserId, UserId)> {
    let (from, to): (&UserId, Vec<&UserId>) = match answer {
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
pub fn observers(world: &World, answer: &Answer) -> Vec<UserId> {
    match answer {
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
        ..board::to_player(world, None, (id, seat), About::Reminder, reminder, now)
    }
}

/// What a user is told whose mails of a kind have been turned off.
pub fn opted_out(user: &UserId, what: OptOut) -> Outgoing {
    account::opted_out(user, what)
}

/// What is offered to the player of a seat, below something else.
pub fn offered(world: &World, board: &Board, seat: Seat) -> Option<Block> {
    board.offered_to(seat)?;
    board::open_offer(board, &world.view(board, seat)).map(Block::sentence)
}

/// The mails about a board that the clock has ended, to both players and to observers.
pub fn ended(world: &World, id: BoardId, now: i64) -> Vec<Outgoing> {
    let news = News { what: &BoardNews::Moved, by: None, comment: "", moves: 0 };
    let mut mails = board::to_players(world, None, id, &news, now);
    mails.extend(board::to_observers(world, id, &news, now));
    mails
}

/// Says why a command is not carried out, to whoever sent it.
pub fn refuse(refusal: &Refusal, asker: &Asker) -> Outgoing {
    let board = match refusal {
        Refusal::Board(about) => about.board().or(asker.board),
        _ => asker.board,
    };
    let subject = subject::of_refusal(board);
    let mut blocks = vec![Block::Text(vec![
        Piece::Sentence(format!("Not done: {refusal}.")),
        Piece::Sentence("Nothing has changed.".into()),
    ])];
    let asked = Asker { board, ..asker.clone() };
    if let Some(hint) = refusal.hint().map(|hint| asked.example(&hint)) {
        // Lists and samples stand as they are; only the sentence above them is broken.
        let mut lines = hint.split('\n').map(str::to_owned);
        let first = lines.next().map(Piece::Sentence);
        blocks.push(Block::Text(first.into_iter().chain(lines.map(Piece::Kept)).collect()));
    }
    if let Refusal::Board(refusal) = refusal {
        let grid = refusal.grid().map(|grid| Diagram::Grid(grid.clone()));
        blocks.extend(grid.map(|grid| body::picture(&grid, None)));
    }
    let stale = matches!(refusal, Refusal::Board(BoardRefusal::Unknown(_)));
    let board = board.filter(|_| !stale);
    Outgoing { board, ..Outgoing::answer(subject, blocks) }
}

/// Says to whoever wrote his password below a command that this was not passed on.
pub fn say_held_back(outgoing: &mut [Outgoing], user: &UserId) {
    let is_own = |mail: &&mut Outgoing| match &mail.to {
        To::Sender => true,
        To::User(to) => to == user,
        To::Listener(_) | To::Address(_) => false,
    };
    for mail in outgoing.iter_mut().filter(is_own) {
        mail.blocks.push(Block::sentence(
            "The lines below your command that had your password in them were not passed on. Write \
             commands in the Subject.",
        ));
    }
}

/// The answers to a mail of several commands: what its sender alone is told goes into one mail, so
/// that one mail does not bring fifty to whoever stands in its From.
pub fn together(answers: Vec<Vec<Outgoing>>) -> Vec<Outgoing> {
    let mut blocks = Vec::new();
    let mut outgoing = Vec::new();
    let (mut size, mut pages) = (0, 0);
    for (number, answer) in (1..).zip(answers) {
        for mail in answer {
            if mail.to != To::Sender {
                outgoing.push(mail);
                continue;
            }
            pages += 1;
            size += mail.text().len();
            blocks.push(Block::Section(number, mail.subject));
            if size > LONGEST_ANSWER {
                blocks.push(Block::sentence("(left out: too long)"));
            } else {
                blocks.extend(mail.blocks);
            }
        }
    }
    if pages > 0 {
        outgoing.push(Outgoing::answer(Count(pages, "answer").to_string(), blocks));
    }
    outgoing
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
pub fn last(verdict: Verdict) -> Block {
    Block::sentence(match verdict {
        Verdict::LastOfThese => "That is not answered again within a day.",
        _ => {
            "This is the last answer of this kind that goes to this address within a day. What you \
             send with your password is carried out as always, and so are moves by reply."
        }
    })
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
    Outgoing::answer(subject, vec![Block::Page(text)])
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

/// That a comment went nowhere; nothing if there was none.
fn unsaid(comment: &str) -> Option<Block> {
    let sentence = "The rest of your mail was not passed on: `chat` sends it to your opponent.";
    (!comment.is_empty()).then(|| Block::sentence(sentence))
}

/// What one player of a board is told.
fn told(what: &Told) -> Block {
    Block::heading(match what {
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
fn mailed() -> Block {
    Block::sentence(
        "The old reply addresses of this player on this board are void; a new one was mailed.",
    )
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
    format!("From now on `{name}` is `{value}` {place}.")
}
