//! What a player can do now: the moves, the answers to an offer, with the exact Subject to send,
//! and the same as buttons.

use crate::base::time::Time;
use crate::model::board::{Board, BoardStatus};
use crate::model::world::World;
use crate::reply::FEW;
use crate::reply::board_mail::board_section::BoardViewer;
use crate::reply::board_mail::{clock_text, offers};
use crate::reply::letters::blocks::{Block, Choice, ChoiceAction, TextElement};
use games::{Diagram, MANUAL, Next, ROLL, Seat, View};

/// Choices of moves in a mail; with those of verbs there are at most 30.
const MOST_MOVES: usize = 24;
/// How many moves are shown where there are more, beside the steps with which one can begin.
const SAMPLES: usize = 2;

/// What the player of a seat can do, and the buttons for it.
pub(crate) struct ReplyOptions {
    /// The buttons.
    pub(crate) choices: Block,
    /// The same in sentences.
    pub(crate) text: Vec<Block>,
}

impl ReplyOptions {
    /// What can be done on a board as it is.
    pub(crate) fn for_seat(
        world: &World,
        board: &Board,
        seat: Seat,
        reader: &BoardViewer,
        now: Time,
    ) -> Self {
        match board.status() {
            BoardStatus::ToMove(due) => {
                let plays = (due == seat).then(|| AvailablePlays::for_reader(world, board, reader));
                let mut text = Vec::from_iter(how_to_answer(world, board, seat, now));
                match &plays {
                    Some(plays) => text.extend(plays.told(board, seat)),
                    None => text.push(how_to_chat(board, seat)),
                }
                text.extend(how_to_double(world, board, seat));
                Self { choices: Block::Choices(choices(board, seat, plays)), text }
            }
            BoardStatus::Ended(_) | BoardStatus::Closed(_) => {
                let again = another_game(board, seat);
                let label = "play again".into();
                let says = ChoiceAction::Command(again.clone());
                // A player who has left can play no other.
                let is_gone = world.user(board.player(seat.other())).is_none();
                let again =
                    Block::send("For another game, reply `rematch`, or send the Subject", [again]);
                let mut text = if is_gone { Vec::new() } else { vec![again] };
                let mut choices = vec![Choice { label, says }];
                if let Some(asked) = analysis(board) {
                    let how = "To hear what the best plays were, send the Subject";
                    text.push(Block::send(how, [&*asked]));
                    let (label, says) = ("best plays".into(), ChoiceAction::Command(asked));
                    choices.push(Choice { label, says });
                }
                Self { choices: Block::Choices(choices), text }
            }
        }
    }

    /// How a move that waits to be confirmed is.
    pub(crate) fn to_confirm(board: &Board, seat: Seat) -> Self {
        let (game, number, me) = (board.game.spec().name, board.id.number, board.player(seat));
        let advice = "Nobody else has seen this board. To play the move, reply with `confirm` on \
                      the first line, or send the Subject";
        let command = format!("{game} confirm {number} {me} <password>");
        let text = vec![
            Block::send(advice, [command]),
            Block::sentence("To play another move, send that one."),
        ];
        Self { choices: Block::Choices(vec![Choice::reply("confirm"), another_move()]), text }
    }
}

/// What the player to move can play, as they write it.
struct AvailablePlays {
    /// Whether they are asked before their dice are rolled.
    is_asked: bool,
    /// How many plays there are.
    count: usize,
    /// All of them where they are few, else two.
    some: Vec<String>,
    /// Where they are many: with which steps of a man by one of the dice one can begin. A point that is
    /// pressed is a whole move.
    steps: Vec<String>,
    /// The first of many, for a reader who has mails read out.
    first_of_many: Vec<String>,
}

impl AvailablePlays {
    fn for_reader(world: &World, board: &Board, reader: &BoardViewer) -> Self {
        let position = board.position();
        let (is_asked, count) = (matches!(position.next(), Next::Ready(..)), position.count());
        let are_few = count <= MOST_MOVES;
        let some = if are_few {
            position.moves()
        } else {
            let places: [usize; SAMPLES] = [0, count / 2];
            places.into_iter().filter_map(|index| position.nth_move(index)).collect()
        };
        let worded = |text| match reader.view.seat {
            Some(seat) => board.game.text_for_viewer(&reader.view, seat, text),
            None => text,
        };
        let some = some.into_iter().map(worded).collect();
        let is_read_out = count > FEW && reader.wants_words(world);
        let first_of_many = if is_read_out { position.moves_up_to(FEW) } else { Vec::new() };
        let first_of_many = first_of_many.into_iter().map(worded).collect();
        let steps = if are_few { &[] } else { reader.first_steps(board) };
        let steps =
            steps.iter().take(MOST_MOVES - SAMPLES).map(|step| step.words.clone()).collect();
        Self { is_asked, count, some, steps, first_of_many }
    }

    /// The first of them.
    fn first(&self) -> &str {
        self.some.first().map_or("", String::as_str)
    }

    fn told(&self, board: &Board, seat: Seat) -> Vec<Block> {
        let sentence = |words: &str| TextElement::Sentence(words.into());
        let can_say = if self.is_asked {
            let moves = [&[ROLL.to_owned()], &*self.some].concat();
            let first = "Your dice are not rolled yet. You can say";
            vec![sentence(first), TextElement::Plays(moves)]
        } else if is_words(self.first()) {
            vec![sentence("You can say"), TextElement::Plays(self.some.clone())]
        } else if self.count <= FEW {
            vec![sentence("Your legal plays:"), TextElement::Plays(self.some.clone())]
        } else if !self.first_of_many.is_empty() {
            vec![
                TextElement::Sentence(format!(
                    "You have {} legal plays. The first {FEW}:",
                    self.count
                )),
                TextElement::Plays(self.first_of_many.clone()),
            ]
        } else {
            let middle = if self.count <= MOST_MOVES { self.count / 2 } else { 1 };
            let middle = self.some.get(middle).cloned().unwrap_or_default();
            vec![
                TextElement::Sentence(format!("You have {} legal plays, such as", self.count)),
                TextElement::Command(self.first().into()),
                TextElement::Command(middle),
            ]
        };
        let sample = if self.is_asked { ROLL } else { self.first() };
        let (game, number, me) = (board.game.spec().name, board.id.number, board.player(seat));
        let command = format!("{game} move {number} {me} <password> {sample}");
        let how = "Reply with your move on the first line, or send the Subject";
        let more = (!self.first_of_many.is_empty()).then(|| {
            let how = "For all of them, reply with `moves` on the first line, or send the Subject";
            Block::send(how, [format!("{game} moves {number}")])
        });
        [Block::Text(can_say)]
            .into_iter()
            .chain(more)
            .chain([Block::send(how, [command])])
            .collect()
    }

    fn choices(self) -> Vec<Choice> {
        let roll = self.is_asked.then(|| Choice::reply(ROLL));
        let other = (self.count > MOST_MOVES).then(another_move);
        let moves = self.some.into_iter().map(Choice::reply);
        let steps = self.steps.into_iter().map(begun_with);
        roll.into_iter().chain(moves).chain(steps).chain(other).collect()
    }
}

/// A move of which the first step is written, and its player writes the rest.
fn begun_with(step: String) -> Choice {
    let below = format!("Write the rest of your move on the first line, behind {step}.");
    Choice { label: format!("{step} ..."), says: ChoiceAction::Reply(step, below.into()) }
}

/// Whether a move is a word such as `take`, no play of men.
fn is_words(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// What the player of a seat can say while the game goes on.
fn choices(board: &Board, seat: Seat, plays: Option<AvailablePlays>) -> Vec<Choice> {
    let mut choices = match board.offer {
        Some(offer) if offer.by == seat => {
            let says = ChoiceAction::Reply("reject".into(), "".into());
            vec![Choice { label: "withdraw the offer".into(), says }]
        }
        Some(_) => vec![Choice::reply("accept"), Choice::reply("reject")],
        None => Vec::new(),
    };
    choices.extend(plays.into_iter().flat_map(AvailablePlays::choices));
    let chat = "Write your message below the word chat.";
    let resign = "To give the game up, write the word resign above.";
    choices.extend([
        Choice {
            label: "say something ...".into(),
            says: ChoiceAction::Reply("chat".into(), chat.into()),
        },
        Choice::reply("show"),
        Choice {
            label: "resign ...".into(),
            says: ChoiceAction::Reply(String::new(), resign.into()),
        },
    ]);
    choices
}

/// A move that its player writes.
fn another_move() -> Choice {
    let says = ChoiceAction::Reply(String::new(), "Write your move above.".into());
    Choice { label: "another move ...".into(), says }
}

fn another_game(board: &Board, seat: Seat) -> String {
    let (me, opponent) = (board.player(seat), board.player(seat.other()));
    format!("{} challenge {me} {opponent}", board.game.spec().name)
}

/// The command that asks for the opinion of the program on a game that both have played.
fn analysis(board: &Board) -> Option<String> {
    let is_played = Seat::BOTH.into_iter().all(|seat| board.has_moved(seat));
    let is_judged = || board.start().evaluation_unit().is_some();
    (is_played && is_judged()).then(|| format!("{} analyse {}", board.id.game, board.id.number))
}

fn how_to_chat(board: &Board, seat: Seat) -> Block {
    let (game, number, me) = (board.game.spec().name, board.id.number, board.player(seat));
    let wait = format!(
        "You wait for {}. To say something, reply with `chat` on the first line and your words \
         below it, or send the Subject",
        board.player(seat.other())
    );
    Block::send(wait, [format!("{game} chat {number} {me} <password>")])
}

/// How the offer that is open can be answered or withdrawn.
fn how_to_answer(world: &World, board: &Board, seat: Seat, now: Time) -> Option<Block> {
    let offer = board.offer?;
    let agreed = clock_text::agreed(world, board, now).map(|day| day.to_string());
    let (game, number, me) = (board.game.spec().name, board.id.number, board.player(seat));
    let of = offer.what.word();
    let command = |word: &str| format!("{game} {word} {number} {me} <password> {of}");
    if offer.by != seat {
        let undone = offers::what_follows(board, offer, agreed);
        let advice = format!(
            "{undone}To answer, reply with `accept` or `reject` on the first line, or send one of \
             these as the Subject. A move by either of you withdraws the offer."
        );
        return Some(Block::send(advice, [command("accept"), command("reject")]));
    }
    let opponent = board.player(seat.other());
    let silence = agreed.map_or_else(String::new, |day| {
        format!("Without an answer of {opponent} the draw counts as accepted on {day}. ")
    });
    let advice = format!(
        "{opponent} is asked; a move by either of you withdraws what you offer. {silence}To \
         withdraw it yourself, reply with `reject` on the first line, or send the Subject"
    );
    Some(Block::send(advice, [command("reject")]))
}

/// Tells players who may turn the cube, but have their dice rolled for them, what to do about it.
fn how_to_double(world: &World, board: &Board, seat: Seat) -> Option<Block> {
    let Diagram::Points(points) = board.position().diagram(&View::default()) else { return None };
    let is_dead = points.game_of.is_some_and(|game_of| game_of.is_crawford);
    let mine = points.cube.is_some_and(|cube| cube.owner.is_none_or(|owner| owner == seat));
    let manual = MANUAL.switch.name;
    if !mine || is_dead || world.settings(board, seat).has(manual) {
        return None;
    }
    Some(Block::sentence(format!(
        "Your dice are rolled for you. To be asked before they are, so that you can double, reply \
         with `{manual}` on the first line."
    )))
}
