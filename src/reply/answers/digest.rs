//! Mails about several boards.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::base::words::Plural;
use crate::model::board::Board;
use crate::model::topic::Topic;
use crate::model::user::{HeldMail, OptOut};
use crate::model::world::World;
use crate::reply::board_mail::names::subject_and_verb;
use crate::reply::board_mail::subject::SubjectTopic;
use crate::reply::board_mail::{self, clock_text};
use crate::reply::letters::{Block, OutgoingMail, Recipient, RoutedBlocks, TextElement};
use games::Seat;

/// The news and reminders that a user gets together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// The user.
    pub user: UserId,
    /// The number of the digest, which is part of its reply address.
    pub number: u32,
    /// The boards, in their order.
    pub boards: Vec<HeldMail>,
}

/// Builds the mail of a digest. A digest of one board is the mail about that board.
pub(crate) fn mail(world: &World, digest: &Digest, now: Time) -> OutgoingMail {
    let seated = |held: &HeldMail| {
        let board = world.board(held.board).ok()?;
        let seat = board.seat(&digest.user)?;
        Some((board.waits_for(&digest.user), board_mail(world, board, seat, held, now)))
    };
    let mut mails: Vec<(bool, OutgoingMail)> = digest.boards.iter().filter_map(seated).collect();
    let are_reminders = digest.boards.iter().all(|held| held.is_reminder);
    let opt_out = Some(if are_reminders { OptOut::Reminders } else { OptOut::Boards });
    if mails.len() == 1 {
        let (_, only) = mails.remove(0);
        return OutgoingMail { opt_out, ..only };
    }
    let turns = mails.iter().filter(|(waits, _)| *waits).count();
    let count = Plural(mails.len(), "board");
    let (heading, subject) = if are_reminders {
        (format!("{count} wait for you."), format!("Reminder: {count} wait for you"))
    } else {
        let waiting = match turns {
            0 => "none waits for you".to_owned(),
            1 => "one waits for you".to_owned(),
            more => format!("{more} wait for you"),
        };
        (format!("News of {count}: {waiting}."), format!("News of {count}, {waiting}"))
    };
    let mut blocks = vec![Block::Mark, Block::heading(heading), how_to_answer()];
    let has_page = mails.iter().any(|(_, mail)| mail.has_page);
    let numbered = (1..).zip(mails.into_iter().map(|(_, mail)| mail));
    blocks.extend(numbered.flat_map(|(number, mail)| section(number, mail)));
    let (stop, words) = if are_reminders {
        ("set reminders off", "To get no reminders, reply with the line")
    } else {
        ("set mails off", "To get no news of your boards by mail, reply with the line")
    };
    blocks.push(Block::send(words, [stop]));
    let mail = OutgoingMail::new(Recipient::User(digest.user.clone()), subject, blocks);
    OutgoingMail { topic: Some(Topic::Digest(digest.number)), opt_out, has_page, ..mail }
}

fn how_to_answer() -> Block {
    Block::sentence(
        "You can answer all boards in one reply: write a line for each, with its number in this mail \
         and your move, such as `1 <move>`. Lines below it go to that opponent as a message. The \
         buttons of a board answer it alone, and so does its own address.",
    )
}

/// Builds the mail about one board of a digest.
fn board_mail(
    world: &World,
    board: &Board,
    seat: Seat,
    held: &HeldMail,
    now: Time,
) -> OutgoingMail {
    let id = board.id;
    let is_awaited = world.clock(board, now).turn.is_some_and(|turn| turn.seat == seat);
    let (topic, mut head) = if held.is_reminder && is_awaited {
        (SubjectTopic::Reminder, clock_text::reminder(world, id, now).to_vec())
    } else {
        (SubjectTopic::Board, Vec::new())
    };
    let opponent = seat.other();
    let is_muted = world.is_muted(board.player(seat), board.player(opponent));
    let said = world.chat(id).iter().filter(|said| {
        !is_muted && !held.is_reminder && said.by == opponent.0 && said.at >= held.since
    });
    head.extend(said.map(|said| {
        let wrote = subject_and_verb(board, opponent, Some(seat), ["wrote", "writes"]);
        Block::Text(vec![
            TextElement::Sentence(format!("{wrote}:")),
            TextElement::Quote(said.words.clone()),
        ])
    }));
    board_mail::to_player(world, None, id, seat, topic, head, now)
}

/// Builds the section of a board, with a reply address of its own.
fn section(number: usize, mail: OutgoingMail) -> Vec<Block> {
    let board = mail.board();
    let OutgoingMail { subject, blocks, .. } = mail;
    let head = Block::Section(number, subject.clone());
    match board {
        Some(board) => vec![head, routed(board, subject, blocks)],
        None => [vec![head], without_mark(blocks)].concat(),
    }
}

/// Builds the blocks about a board in a mail that has its own mark. Their reply address is added when the letter
/// is addressed.
fn routed(board: BoardId, subject: String, blocks: Vec<Block>) -> Block {
    let blocks = without_mark(blocks);
    Block::Routed(Box::new(RoutedBlocks { board, subject, tag: None, how_to_answer: None, blocks }))
}

fn without_mark(mut blocks: Vec<Block>) -> Vec<Block> {
    blocks.retain(|block| *block != Block::Mark);
    blocks
}

/// Adds a player's next board to the answer to a move. A reply to the mail is about that board; the
/// board of the move keeps its own address.
pub fn with_next_board(
    moved: OutgoingMail,
    world: &World,
    next: BoardId,
    seat: Seat,
    now: Time,
) -> OutgoingMail {
    let Some(board) = moved.board() else { return moved };
    let next = board_mail::to_player(world, None, next, seat, SubjectTopic::Board, None, now);
    let has_page = moved.has_page || next.has_page;
    let mut blocks = vec![
        Block::Mark,
        routed(board, moved.subject, moved.blocks),
        Block::heading("Your next board. A reply to this mail is about it."),
    ];
    blocks.extend(without_mark(next.blocks.clone()));
    OutgoingMail { blocks, has_page, opt_out: moved.opt_out, share: moved.share, ..next }
}

/// Combines the answers to the lines of a reply to a digest. Each board keeps its number of the digest.
pub fn answer_to_lines(
    user: &UserId,
    number: u32,
    boards: &[BoardId],
    mails: Vec<OutgoingMail>,
) -> OutgoingMail {
    let place = |mail: &OutgoingMail| {
        let board = mail.board()?;
        boards.iter().position(|shown| *shown == board).map(|place| place + 1)
    };
    let (mut placed, others): (Vec<OutgoingMail>, Vec<OutgoingMail>) =
        mails.into_iter().partition(|mail| place(mail).is_some());
    let subject = Plural(placed.len() + others.len(), "answer").to_string();
    let has_page = placed.iter().any(|mail| mail.has_page);
    placed.sort_by_key(place);
    let mut blocks = vec![Block::Mark];
    blocks.extend(others.into_iter().flat_map(|mail| mail.blocks));
    for mail in placed {
        let number = place(&mail).unwrap_or_default();
        blocks.extend(section(number, mail));
    }
    let mail = OutgoingMail::new(Recipient::User(user.clone()), subject, blocks);
    OutgoingMail { topic: Some(Topic::Digest(number)), has_page, ..mail }
}
