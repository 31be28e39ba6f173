//! The board mail, top to bottom.

use super::news::{self, News, has_dice, headline};
use super::page::Picture;
use super::subject::{self, About};
use super::{BoardNews, FEW, Outgoing, Shown, To, clock, facts, spoken};
use crate::base::ids::{BoardId, UserId};
use crate::base::words::{Count, lines, quoted, wrapped};
use crate::command::{Meant, Origin};
use crate::mail::MARK;
use crate::model::board::{Board, BoardEvent, Proposal, Status, Turn};
use crate::model::event::Event;
use crate::model::rate_limit::Share;
use crate::model::world::World;
use crate::refusal::BoardRefusal;
use crate::reply::draw;
use data_encoding::HEXLOWER;
use games::{AnyPosition, Cube, Diagram, Entry, MANUAL, Next, Outcome, ROLL, Seat, View};
use sha2::{Digest as _, Sha256};
use std::fmt::{self, Display, Write as _};

/// Columns of a mail.
const WIDTH: usize = 78;

/// Moves shown above the board: four rounds.
const LATEST: usize = 8;

/// The mails that both players get when something happened on their board: by a command, or because
/// time passed.
pub(super) fn to_players(
    world: &World,
    origin: Option<&Origin>,
    id: BoardId,
    news: &News,
    now: i64,
) -> Vec<Outgoing> {
    let board = world.board(id).expect("something happened on it");
    // A player hears no words of somebody they have muted.
    let is_deaf = |reader: Seat| {
        news.by.is_some_and(|by| world.is_muted(board.player(reader), board.player(by)))
    };
    let heard = |reader: Seat| if is_deaf(reader) { News { comment: "", ..*news } } else { *news };
    let diagrams = Seat::BOTH.map(|seat| diagram(board, &view(world, board, seat)));
    let [one, other] = &board.players;
    // Most games look the same from both sides: then one picture serves both.
    let views = Seat::BOTH.map(|seat| view(world, board, seat));
    let first = body(world, board, &diagrams[0], (&views[0], Some(one)), now);
    let differs = diagrams[0] != diagrams[1]
        || [one, other].into_iter().any(|player| spoken::is_wanted(world, player));
    let second = differs.then(|| body(world, board, &diagrams[1], (&views[1], Some(other)), now));
    let bodies = [&first, second.as_ref().unwrap_or(&first)];
    let picture = |seat: Seat| {
        let (reader, index) = ((board.player(seat), Some(seat)), seat.index());
        Picture::of(world, board, reader, &diagrams[index], bodies[index])
    };
    let programs = |seat| for_programs(board.position(), &view(world, board, seat));
    let mut mails: Vec<Outgoing> = Seat::BOTH
        .into_iter()
        .map(|seat| Outgoing {
            to: To::User(board.player(seat).clone()),
            subject: subject::of(board, Some(seat), About::News(news.what, news.by)),
            text: joined([
                format!("{MARK}\n\n{}", news::told(board, &heard(seat), &views[seat.index()])),
                bodies[seat.index()].to_string(),
                what_to_do(world, board, seat, now),
                programs(seat),
            ]),
            board: Some(id),
            seat: Some(seat),
            picture: picture(seat),
            opt_out: None,
            share: share(news.what),
        })
        .collect();
    match (origin, news.by) {
        // On the shell the actor reads his own answer there.
        (Some(Origin::Shell), Some(seat)) => mails[seat.index()].to = To::Sender,
        (Some(Origin::Shell), None) => mails.push(Outgoing {
            to: To::Sender,
            subject: subject::of(board, None, About::News(news.what, None)),
            text: observed(world, board, &View::default(), None, now),
            board: Some(id),
            seat: None,
            picture: None,
            opt_out: None,
            share: Share::Boards,
        }),
        (Some(Origin::Mail(_) | Origin::Doubted(_)) | None, _) => {}
    }
    if let BoardNews::Chatted(_) = news.what {
        mails.retain(|mail| mail.seat.is_none_or(|seat| !is_deaf(seat)));
    }
    mails
}

/// Words and offers cost their sender nothing; a move is made once.
fn share(what: &BoardNews) -> Share {
    match what {
        BoardNews::Chatted(_)
        | BoardNews::Offered
        | BoardNews::OfferRejected(_)
        | BoardNews::OfferWithdrawn => Share::Others,
        BoardNews::Begun
        | BoardNews::Accepted(_)
        | BoardNews::Imported
        | BoardNews::Moved
        | BoardNews::TakenBack { .. }
        | BoardNews::Unmade { .. }
        | BoardNews::Undone(_)
        | BoardNews::Mended => Share::Boards,
    }
}

/// Tells players whose queued moves were dropped what became of them.
pub(super) fn report_dropped(mails: &mut [Outgoing], events: &[Event]) {
    for event in events {
        let Event::Board(id, BoardEvent::Dropped { seat: of, text, why }) = event else { continue };
        let why = BoardRefusal::of_queued(*id, text, why);
        let sentence = format!("Your queued move {} was not played: {why}.", quoted(text));
        for mail in mails.iter_mut().filter(|mail| mail.seat == Some(*of)) {
            // Below the mark and the news.
            let told = wrapped(&sentence);
            let mut parts: Vec<&str> = mail.text.splitn(3, "\n\n").collect();
            parts.insert(parts.len().min(2), &told);
            mail.text = parts.join("\n\n");
        }
    }
}

/// The mails for those who watch a board: what anybody may see, and nothing to reply with.
pub(super) fn to_observers(world: &World, id: BoardId, news: &News, now: i64) -> Vec<Outgoing> {
    let board = world.board(id).expect("something happened on it");
    if !news.what.is_public() || board.observers.is_empty() {
        return Vec::new();
    }
    let diagram = diagram(board, &View::default());
    let body = body(world, board, &diagram, (&View::default(), None), now);
    let one = |user: &UserId| {
        let own = spoken::is_wanted(world, user).then(|| Body {
            words: format!("\n{}", spoken::of(world, board, &diagram, user, now)),
            ..body.clone()
        });
        let told = news::told(board, news, &View::default());
        let seen = watched(board, &told, &View::default(), own.as_ref().unwrap_or(&body));
        Outgoing {
            to: To::User(user.clone()),
            subject: subject::of(board, None, About::News(news.what, news.by)),
            text: format!("{seen}\n{}", how_to_stop(board, user)),
            board: Some(id),
            seat: None,
            picture: Picture::of(world, board, (user, None), &diagram, &body),
            opt_out: None,
            share: Share::Boards,
        }
    };
    board.observers.iter().map(one).collect()
}

/// The answer to somebody who wants to watch a board, or does no longer.
pub(super) fn to_observer(
    world: &World,
    id: BoardId,
    user: &UserId,
    wanted: bool,
    now: i64,
) -> Outgoing {
    let board = world.board(id).expect("something was said about it");
    let text = if wanted {
        let picture = observed(world, board, &View::default(), Some(user), now);
        format!(
            "From now on you get the mails of this board.\n\n{picture}\n{}",
            how_to_stop(board, user)
        )
    } else {
        "You do not get the mails of this board.\n".into()
    };
    let (to, subject) = (To::Sender, subject::of(board, None, About::Board));
    let (board, share) = (Some(id), Share::Boards);
    Outgoing { to, subject, text, board, seat: None, picture: None, opt_out: None, share }
}

/// How an observer gets rid of a board's mails.
fn how_to_stop(board: &Board, user: &UserId) -> String {
    let (game, number) = (board.game.spec().name, board.id.number);
    format!(
        "You watch this board. To get its mails no longer, send the Subject\n\
         \x20 {game} unsubscribe {number} {user} <password>\n"
    )
}

/// The mail about a board that one player gets alone, with a sentence on top of it.
pub(super) fn to_player(
    world: &World,
    origin: Option<&Origin>,
    (id, seat): (BoardId, Seat),
    about: About,
    sentence: &str,
    now: i64,
) -> Outgoing {
    let board = world.board(id).expect("something was said about it");
    let view = view(world, board, seat);
    let diagram = diagram(board, &view);
    let head = format!("{MARK}\n\n{sentence}\n\n{}\n", wrapped(&headline(board, &view)));
    let body = body(world, board, &diagram, (&view, Some(board.player(seat))), now);
    let picture = Picture::of(world, board, (board.player(seat), Some(seat)), &diagram, &body);
    let parts = [
        head,
        body.to_string(),
        what_to_do(world, board, seat, now),
        for_programs(board.position(), &view),
    ];
    Outgoing { picture, ..to_seat(board, origin, seat, about, joined(parts)) }
}

/// The board as it would be after a move that its mover is to confirm.
pub(super) fn submitted(
    world: &World,
    origin: &Origin,
    id: BoardId,
    seat: Seat,
    position: &dyn AnyPosition,
    unsaid: &str,
    now: i64,
) -> Outgoing {
    let board = world.board(id).expect("a move was submitted on it");
    let view = view(world, board, seat);
    let text = board.submitted[seat.index()].clone().unwrap_or_default();
    let text = board.game.worded(&view, text);
    let sentence = format!("Not played yet: {text}, as move {}.", board.next_move());
    let mut head = format!("{MARK}\n\n{}{unsaid}\n", wrapped(&sentence));
    if let Next::Over(_) = position.next() {
        head.push_str("\nIt would end the game.\n");
    }
    head.push_str(&super::offered(world, board, seat));
    let (game, number, me) = (board.game.spec().name, id.number, board.player(seat));
    let advice = "Nobody else has seen this board. To play the move, reply with `confirm` on the \
                  first line, or send the Subject";
    let what_to_do = format!(
        "{}\n  {game} confirm {number} {me} <password>\n\nTo play another move, send that one.\n",
        wrapped(advice)
    );
    let diagram = position.diagram(&view);
    let mut body = body(world, board, &diagram, (&view, None), now);
    if spoken::is_wanted(world, me) {
        let words = spoken::position(board, position, &diagram, &view, None);
        body.words = format!("\n{words}");
    }
    let picture = Picture::of(world, board, (me, Some(seat)), &diagram, &body);
    let parts = [head, body.to_string(), what_to_do, for_programs(position, &view)];
    let picture = picture.map(Picture::to_confirm);
    let text = parts.join("\n");
    Outgoing { picture, ..to_seat(board, Some(origin), seat, About::Submitted, text) }
}

/// A mail about a board that the player of a seat gets alone.
fn to_seat(
    board: &Board,
    origin: Option<&Origin>,
    seat: Seat,
    about: About,
    text: String,
) -> Outgoing {
    let to = match origin {
        Some(Origin::Shell) => To::Sender,
        Some(Origin::Mail(_) | Origin::Doubted(_)) | None => To::User(board.player(seat).clone()),
    };
    let subject = subject::of(board, Some(seat), about);
    let (board, share) = (Some(board.id), Share::Boards);
    Outgoing { to, subject, text, board, seat: Some(seat), picture: None, opt_out: None, share }
}

/// How the player of a seat sees a board.
fn view(world: &World, board: &Board, seat: Seat) -> View {
    world.view(board, seat)
}

/// Boards as an observer sees them.
pub(super) fn shown(world: &World, shown: &[Shown], now: i64) -> String {
    if shown.is_empty() {
        return "No boards.\n".into();
    }
    let one = |shown: &Shown| {
        let board = world.board(shown.board).expect("it was found when the show was decided");
        let view = shown.seat.map_or_else(View::default, |seat| view(world, board, seat));
        let reader = shown.seat.map(|seat| board.player(seat));
        match shown.after {
            None => observed(world, board, &view, reader, now),
            Some(moves) => {
                let position = board.position_after(moves).expect("the move number was checked");
                let diagram = position.diagram(&view);
                let words = shown
                    .seat
                    .filter(|seat| spoken::is_wanted(world, board.player(*seat)))
                    .map(|_| spoken::past(board, &*position, &diagram, &view, moves) + "\n");
                format!(
                    "{} board {} {}:\n\n{}\n{}{}",
                    board.game.spec().title,
                    board.id.number,
                    if moves == 0 {
                        "before the first move".into()
                    } else {
                        format!("after move {moves}")
                    },
                    draw::text(&diagram, Some(names(board))),
                    words.unwrap_or_default(),
                    for_programs(&*position, &view)
                )
            }
        }
    };
    shown.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// A position that was looked ahead to.
pub(super) fn previewed(played: &[String], position: &dyn AnyPosition, view: &View) -> String {
    let mut text = match played {
        [] => "The start:\n".to_owned(),
        played => wrapped(&format!("After {}:", played.join(" "))) + "\n",
    };
    let _ = write!(text, "\n{}\n", draw::text(&position.diagram(view), None));
    match position.next() {
        Next::Over(outcome) => {
            let end = match outcome {
                Outcome::Won { by, reason, .. } => {
                    format!("{} wins {reason}", position.sides()[by.index()])
                }
                Outcome::Drawn { reason } => format!("a draw: {reason}"),
            };
            let _ = writeln!(text, "That ends the game: {end}.");
        }
        Next::Roll(_) | Next::Deal | Next::Ready(..) => text.push_str("Then dice are thrown.\n"),
        Next::Move(_) if position.count() <= FEW => {
            let list = lines(&format!("  {}", position.moves().join("  ")), 76, "  ");
            let _ = writeln!(text, "The legal plays from here:\n{list}");
        }
        Next::Move(_) => {
            let _ = writeln!(text, "{} from here.", Count(position.count(), "legal play"));
        }
    }
    let _ = write!(text, "Nothing was kept.\n\n{}", for_programs(position, view));
    text
}

/// A board as somebody sees it who is not asked to play.
fn observed(
    world: &World,
    board: &Board,
    view: &View,
    reader: Option<&UserId>,
    now: i64,
) -> String {
    let body = body(world, board, &diagram(board, view), (view, reader), now);
    watched(board, &(wrapped(&headline(board, view)) + "\n"), view, &body)
}

/// The same with what stands above it, once its body is written.
fn watched(board: &Board, head: &str, view: &View, body: &Body) -> String {
    [head, &body.to_string(), &for_programs(board.position(), view)].join("\n")
}

/// What stands where. Nothing waits for an answer on a board that is over.
pub(super) fn diagram(board: &Board, view: &View) -> Diagram {
    let mut diagram = board.position().diagram(view);
    match &mut diagram {
        Diagram::Points(points) if board.is_over() => {
            points.resigns = None;
            points.cube = points.cube.map(|cube| Cube { turned: None, ..cube });
        }
        // What the notes say is of a game that goes on.
        Diagram::Grid(grid) if board.closing.is_some() => {
            grid.light = None;
            grid.notes.clear();
        }
        Diagram::Points(_) | Diagram::Grid(_) | Diagram::Corridor(_) => {}
    }
    diagram
}

/// What the players are called, seat 0 first.
pub(super) fn names(board: &Board) -> [&str; 2] {
    [board.players[0].as_str(), board.players[1].as_str()]
}

/// The offer that is open, as a sentence to a player or to somebody else.
pub(super) fn open_offer(board: &Board, view: &View) -> Option<String> {
    let reader = view.seat;
    let offer = board.offer?;
    let is_own = reader == Some(offer.by);
    let who = if is_own { "You" } else { board.player(offer.by).as_str() };
    let verb = |own: &'static str, other: &'static str| if is_own { own } else { other };
    Some(match offer.what {
        Proposal::Draw => format!("{who} {} a draw.", verb("offer", "offers")),
        Proposal::Undo => {
            let decided = board.last_decision(offer.by)?;
            let turn = board.moves().nth(decided.moveno - 1)?;
            let ask = verb("ask", "asks");
            let text = board.game.worded(view, turn.text.into_owned());
            format!("{who} {ask} to take back move {}, {text}.", decided.moveno)
        }
    })
}

/// How the offer that is open can be answered or withdrawn.
fn how_to_answer(world: &World, board: &Board, seat: Seat, now: i64) -> String {
    let Some(offer) = board.offer else { return String::new() };
    let agreed = clock::agreed(world, board, now);
    let (game, number, me) = (board.game.spec().name, board.id.number, board.player(seat));
    let (advice, word) = if offer.by == seat {
        let opponent = board.player(seat.other());
        let silence = agreed.map_or_else(String::new, |day| {
            format!("Without an answer of {opponent} the draw counts as accepted on {day}. ")
        });
        let advice = format!(
            "{opponent} is asked; a move by either of you withdraws what you offer. {silence}To \
             withdraw it yourself, reply with `reject` on the first line, or send the Subject"
        );
        (advice, "reject")
    } else {
        let undone = match offer.what {
            Proposal::Undo if has_dice(board) => {
                "What followed that move would be taken back too, and the dice stay the same. "
                    .into()
            }
            Proposal::Undo => "What followed that move would be taken back too. ".into(),
            Proposal::Draw => agreed.map_or_else(String::new, |day| {
                format!(
                    "If you neither answer nor move, the draw counts as accepted on {day}. Until \
                     then nobody loses by time. "
                )
            }),
        };
        let advice = format!(
            "{undone}To answer, reply with `accept` or `reject` on the first line, or send one of \
             these as the Subject. A move by either of you withdraws the offer."
        );
        (advice, "accept")
    };
    let of = Meant::Offer(offer.what).word();
    let line = |word: &str| format!("  {game} {word} {number} {me} <password> {of}\n");
    let mut text = format!("{}\n{}", wrapped(&advice), line(word));
    if offer.by != seat {
        text.push_str(&line("reject"));
    }
    text + "\n"
}

/// The line that programs read, with what that viewer may know; where it is too long for a mail it goes on indented.
pub(super) fn for_programs(position: &dyn AnyPosition, view: &View) -> String {
    let line = format!("Position: {}", position.seen(view));
    lines(&line, 76, "  ") + "\n"
}

/// What a board is called in a sentence.
pub(super) fn name(board: &Board) -> String {
    format!("{} board {}", board.game.spec().title, board.id.number)
}

/// The middle of a mail: the latest rounds, the picture, also in words if its reader wants that, and
/// the facts.
#[derive(Clone)]
pub(super) struct Body {
    pub(super) rounds: String,
    pub(super) drawn: String,
    words: String,
    facts: String,
}

impl Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}{}", self.rounds, self.drawn, self.words, self.facts)
    }
}

fn body(
    world: &World,
    board: &Board,
    diagram: &Diagram,
    (view, reader): (&View, Option<&UserId>),
    now: i64,
) -> Body {
    let reader = reader.filter(|reader| spoken::is_wanted(world, reader));
    let words =
        reader.map(|reader| format!("\n{}", spoken::of(world, board, diagram, reader, now)));
    Body {
        rounds: rounds(board, view),
        drawn: draw::text(diagram, Some(names(board))),
        words: words.unwrap_or_default(),
        facts: beside(world, board, diagram, now),
    }
}

/// What stands below a picture: facts, options and clocks.
fn beside(world: &World, board: &Board, diagram: &Diagram, now: i64) -> String {
    let mut text = String::new();
    let facts = facts::of(diagram, names(board), board.game.spec().stakes);
    if !facts.is_empty() {
        let _ = write!(text, "\n{facts}");
    }
    if let Some(hidden) = hidden(board) {
        let _ = write!(text, "\n{hidden}");
    }
    let private = board.private.then(|| "--private".to_owned());
    let common = board.terms.words().chain(private);
    let options = board.options.words().chain(common).collect::<Vec<_>>().join(" ");
    let mut terms = clock::of(world, board, now);
    if !options.is_empty() {
        terms.insert_str(0, &(lines(&format!("Options: {options}"), 76, "  ") + "\n"));
    }
    if !terms.is_empty() {
        let _ = write!(text, "\n{terms}");
    }
    text
}

/// How players can see in the end that what was hidden from them was laid at the start: until then
/// its digest, then it.
fn hidden(board: &Board) -> Option<String> {
    let is_secret = board.game.spec().manner.secret;
    let laid = board.record.iter().filter(|_| is_secret).find_map(|line| match line.entry {
        Entry::Laid(stones) => Some(stones.to_string()),
        _ => None,
    })?;
    let digest = HEXLOWER.encode(&Sha256::digest(&laid));
    Some(if board.is_over() {
        let (upper, lower) = laid.split_at(4 * (usize::from(games::SIZE) + 1));
        format!(
            "What was hidden, in one line:\n  {upper}\n  {lower}\nIts SHA-256 digest:\n  {digest}\n"
        )
    } else {
        format!("The SHA-256 digest of what is hidden, which is shown at the end:\n  {digest}\n")
    })
}

/// The moves of the last four rounds, each with its number.
pub(super) fn latest(board: &Board) -> Vec<(usize, Turn<'_>)> {
    let mut turns: Vec<_> = (1..).zip(board.moves()).collect();
    let mut first = turns.len().saturating_sub(LATEST);
    // A round begins with the first seat; where a turn is longer than that its end is shown.
    let begins = |(_, turn): &(usize, Turn<'_>)| turn.seat == Seat(0);
    first += turns[first..].iter().position(begins).unwrap_or(0);
    turns.split_off(first)
}

/// The last four rounds: number, roll and play of each side, in two columns.
fn rounds(board: &Board, view: &View) -> String {
    let mut text = String::with_capacity(4096);
    let [o, x] = Seat::BOTH.map(|seat| format!("{} {}", board.side(seat), board.player(seat)));
    // Two names of 32 letters do not fit into one line of a mail.
    let gap = if o.len() + x.len() > 66 {
        format!("\n{:width$}", "", width = WIDTH.min(45 + x.len()) - x.len())
    } else {
        " ".repeat(6)
    };
    let _ = writeln!(text, "      {o:<33}{gap}{x}");
    let mut column = 0;
    for (number, turn) in latest(board) {
        let dice = turn.dice.map_or_else(String::new, |dice| dice.to_string());
        let auto = if turn.auto { " (auto)" } else { "" };
        let words = board.game.worded(view, turn.text.into_owned());
        let cell = format!("{number:>4}. {dice:<2} {words}{auto}");
        if turn.seat == Seat(0) {
            // The other side has nothing in this round: a resignation was answered, say.
            if column > 0 {
                text.push('\n');
            }
            let _ = write!(text, "{cell}");
            column = cell.len();
        } else {
            let start = 39.min(WIDTH.saturating_sub(cell.len()));
            if column > start.saturating_sub(1) {
                text.push('\n');
                column = 0;
            }
            let _ = writeln!(text, "{:gap$}{cell}", "", gap = start - column);
            column = 0;
        }
    }
    if column > 0 {
        text.push('\n');
    }
    text.push('\n');
    text
}

/// Parts of a mail, those that say something, with an empty line between them.
fn joined(parts: [String; 4]) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// What the recipient can do now, with the exact Subject to send.
fn what_to_do(world: &World, board: &Board, seat: Seat, now: i64) -> String {
    let game = board.game.spec().name;
    let number = board.id.number;
    let me = board.player(seat);
    let opponent = board.player(seat.other());
    let position = board.position();
    let offered = how_to_answer(world, board, seat, now);
    match board.status() {
        Status::ToMove(due) if due == seat => {
            let count = position.count();
            let is_asked = matches!(position.next(), Next::Ready(..));
            let view = view(world, board, seat);
            let written = |text: String| board.game.worded(&view, text);
            let listed = || {
                let moves: Vec<String> = position.moves().into_iter().map(written).collect();
                moves.join("  ")
            };
            let first = written(position.nth_move(0).unwrap_or_default());
            let sample = if is_asked { ROLL } else { &first };
            let mut text = if is_asked {
                let moves = [vec![ROLL.to_owned()], position.moves()].concat();
                format!("Your dice are not thrown yet. You can say\n  {}\n", moves.join("  "))
            } else if is_words(&first) {
                format!("You can say\n  {}\n", listed())
            } else if count <= FEW {
                let list = lines(&format!("  {}", listed()), 76, "  ");
                format!("Your legal plays:\n{list}\n")
            } else {
                let middle = written(position.nth_move(count / 2).unwrap_or_default());
                format!("You have {count} legal plays, such as\n  {sample}\n  {middle}\n")
            };
            let _ = write!(
                text,
                "\nReply with your move on the first line, or send the Subject\n\
                 \x20 {game} move {number} {me} <password> {sample}\n"
            );
            offered + &text + &how_to_double(world, board, seat)
        }
        Status::ToMove(_) => {
            let wait = format!(
                "You wait for {opponent}. To say something, reply with `chat` on the first line \
                 and your words below it, or send the Subject"
            );
            let text = format!("{}\n  {game} chat {number} {me} <password>\n", wrapped(&wait));
            offered + &text + &how_to_double(world, board, seat)
        }
        // Who has left can play no other.
        Status::Ended(_) | Status::Closed(_) if world.user(opponent).is_none() => String::new(),
        Status::Ended(_) | Status::Closed(_) => {
            format!("For another game send the Subject\n  {game} challenge {me} {opponent}\n")
        }
    }
}

/// Who may turn the cube but has his dice thrown for him is told what to do about it.
fn how_to_double(world: &World, board: &Board, seat: Seat) -> String {
    let Diagram::Points(points) = board.position().diagram(&View::default()) else {
        return String::new();
    };
    let is_dead = points.game_of.is_some_and(|game_of| game_of.is_crawford);
    let mine = points.cube.is_some_and(|cube| cube.owner.is_none_or(|owner| owner == seat));
    let manual = MANUAL.switch.name;
    if !mine || is_dead || world.settings(board, seat).has(manual) {
        return String::new();
    }
    let advice = format!(
        "Your dice are thrown for you. To be asked before they are, so that you can double, reply \
         with `{manual}` on the first line."
    );
    format!("\n{}\n", wrapped(&advice))
}

/// Whether a move is a word such as `take`, no play of men.
fn is_words(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase())
}
