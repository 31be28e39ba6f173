//! The answers that a player can give now: moves, answers to an offer, messages. As sentences with the
//! exact Subject to send, and as buttons.

use crate::base::time::Time;
use crate::model::board::{Board, BoardStatus};
use crate::model::world::World;
use crate::refusal::is_a_word;
use crate::reply::MAX_LISTED_PLAYS;
use crate::reply::board_mail::board_section::BoardViewer;
use crate::reply::board_mail::{clock_text, offers};
use crate::reply::letters::{Block, Choice, ChoiceAction, TextElement};
use games::{AnyPosition, Diagram, MANUAL, Next, NextStep, ROLL, Seat, View};

/// The most buttons for moves in a mail; with those for verbs there are at most 30.
const MAX_MOVE_BUTTONS: usize = 24;
/// The number of example moves where there are more, beside the first steps.
const SAMPLES: usize = 2;

/// The possible answers of a player.
pub(crate) struct ReplyOptions {
    /// The buttons.
    pub(crate) choices: Block,
    /// The same as sentences.
    pub(crate) text: Vec<Block>,
}

impl ReplyOptions {
    /// Returns what the player can answer on the board as it is.
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
                    Some(plays) => text.extend(plays.sentences(board, seat)),
                    None => text.push(how_to_chat(board, seat)),
                }
                text.extend(how_to_double(world, board, seat));
                Self { choices: Block::Choices(choices(board, seat, plays)), text }
            }
            BoardStatus::Ended(_) | BoardStatus::Closed(_) => {
                let again = another_game(board, seat);
                let label = "play again".into();
                let action = ChoiceAction::Command(again.clone());
                // A player who has left cannot play another game.
                let is_gone = world.user(board.player(seat.other())).is_none();
                let again = Block::send(
                    "For another game, reply with `rematch`, or send the Subject",
                    [again],
                );
                let mut text = if is_gone { Vec::new() } else { vec![again] };
                let mut choices = vec![Choice { label, action }];
                if let Some(asked) = analysis(board) {
                    let how = "To see the best plays, send the Subject";
                    text.push(Block::send(how, [&*asked]));
                    let (label, action) = ("best plays".into(), ChoiceAction::Command(asked));
                    choices.push(Choice { label, action });
                }
                Self { choices: Block::Choices(choices), text }
            }
        }
    }

    /// Returns how to confirm a submitted move.
    pub(crate) fn to_confirm(board: &Board, seat: Seat) -> Self {
        let (game, number, me) = (board.game.spec().name, board.id.number, board.player(seat));
        let advice = "Nobody else has seen this board. To play the move, reply with `confirm` on \
                      the first line, or send the Subject";
        let command = format!("{game} confirm {number} {me} <password>");
        let text = vec![
            Block::send(advice, [command]),
            Block::sentence("To play another move, send it instead."),
        ];
        Self { choices: Block::Choices(vec![Choice::reply("confirm"), another_move()]), text }
    }
}

/// The moves of the player to move, as they write them.
struct AvailablePlays {
    /// Whether the dice are rolled only when the player says so.
    is_asked: bool,
    /// The number of plays.
    count: usize,
    /// All plays where they are few, else two examples.
    shown: Vec<String>,
    /// Where plays are many: the first steps, each of one man by one die.
    first_steps: Vec<FirstStep>,
    /// Where plays are many: the first of them, for a reader who wants positions in words.
    first_plays: Vec<String>,
}

impl AvailablePlays {
    fn for_reader(world: &World, board: &Board, reader: &BoardViewer) -> Self {
        let position = board.position();
        let (is_asked, count) = (matches!(position.next(), Next::Ready(..)), position.count());
        let are_few = count <= MAX_MOVE_BUTTONS;
        let shown = if are_few {
            position.moves()
        } else {
            let places: [usize; SAMPLES] = [0, count / 2];
            places.into_iter().filter_map(|index| position.nth_move(index)).collect()
        };
        let worded = |text| match reader.view.seat {
            Some(seat) => board.game.text_for_viewer(&reader.view, seat, text),
            None => text,
        };
        let shown: Vec<String> = shown.into_iter().map(worded).collect();
        let wants_list = count > MAX_LISTED_PLAYS && reader.wants_words(world);
        let first_plays =
            if wants_list { position.moves_up_to(MAX_LISTED_PLAYS) } else { Vec::new() };
        let first_plays = first_plays.into_iter().map(worded).collect();
        let steps = if are_few { &[] } else { reader.first_steps(board) };
        let mut seen = position.copy();
        seen.set_viewer(&reader.view);
        let steps = steps.iter().take(MAX_MOVE_BUTTONS - SAMPLES);
        let steps = steps.map(|step| FirstStep::new(&*seen, step)).collect();
        Self { is_asked, count, shown, first_steps: steps, first_plays }
    }

    /// Returns the first play.
    fn first(&self) -> &str {
        self.shown.first().map_or("", String::as_str)
    }

    fn sentences(&self, board: &Board, seat: Seat) -> Vec<Block> {
        let sentence = |words: &str| TextElement::Sentence(words.into());
        let plays = if self.is_asked {
            let moves = [&[ROLL.to_owned()], &*self.shown].concat();
            let first = "Your dice are not rolled yet. You can answer";
            vec![sentence(first), TextElement::Plays(moves)]
        } else if is_a_word(self.first()) {
            vec![sentence("You can answer"), TextElement::Plays(self.shown.clone())]
        } else if self.count <= MAX_LISTED_PLAYS {
            vec![sentence("Your legal plays:"), TextElement::Plays(self.shown.clone())]
        } else if !self.first_plays.is_empty() {
            vec![
                TextElement::Sentence(format!(
                    "You have {} legal plays. The first {MAX_LISTED_PLAYS}:",
                    self.count
                )),
                TextElement::Plays(self.first_plays.clone()),
            ]
        } else {
            let middle = if self.count <= MAX_MOVE_BUTTONS { self.count / 2 } else { 1 };
            let middle = self.shown.get(middle).cloned().unwrap_or_default();
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
        let more = (!self.first_plays.is_empty()).then(|| {
            let how = "For all of them, reply with `moves` on the first line, or send the Subject";
            Block::send(how, [format!("{game} moves {number}")])
        });
        [Block::Text(plays)].into_iter().chain(more).chain([Block::send(how, [command])]).collect()
    }

    fn choices(self) -> Vec<Choice> {
        let roll = self.is_asked.then(|| Choice::reply(ROLL));
        let other = (self.count > MAX_MOVE_BUTTONS).then(another_move);
        let moves = self.shown.into_iter().map(Choice::reply);
        let steps = self.first_steps.into_iter().map(first_step_choice);
        roll.into_iter().chain(moves).chain(steps).chain(other).collect()
    }
}

/// The first step of a move, in the reader's words.
struct FirstStep {
    words: String,
    /// Whether it is a whole move.
    is_whole: bool,
}

impl FirstStep {
    fn new(position: &dyn AnyPosition, step: &NextStep) -> Self {
        let words = step.words.clone();
        let is_whole = position.copy().play(&words).is_ok();
        Self { words, is_whole }
    }
}

/// Builds a button that writes the first step of a move. If it is not a whole move, the player writes the
/// rest.
fn first_step_choice(FirstStep { words: step, is_whole }: FirstStep) -> Choice {
    if is_whole {
        return Choice::reply(step);
    }
    let below = format!("Write the rest of your move on the first line, after {step}.");
    Choice { label: format!("{step} ..."), action: ChoiceAction::Reply(step, below.into()) }
}

/// Returns the buttons of a player while the game goes on.
fn choices(board: &Board, seat: Seat, plays: Option<AvailablePlays>) -> Vec<Choice> {
    let mut choices = match board.offer {
        Some(offer) if offer.by == seat => {
            let action = ChoiceAction::Reply("reject".into(), "".into());
            vec![Choice { label: "withdraw the offer".into(), action }]
        }
        Some(_) => vec![Choice::reply("accept"), Choice::reply("reject")],
        None => Vec::new(),
    };
    choices.extend(plays.into_iter().flat_map(AvailablePlays::choices));
    let chat = "Write your message below the word chat.";
    let resign = "To give up the game, write the word resign above.";
    choices.extend([
        Choice {
            label: "say something ...".into(),
            action: ChoiceAction::Reply("chat".into(), chat.into()),
        },
        Choice::reply("show"),
        Choice {
            label: "resign ...".into(),
            action: ChoiceAction::Reply(String::new(), resign.into()),
        },
    ]);
    choices
}

/// Builds a button for a move that the player writes.
fn another_move() -> Choice {
    let action = ChoiceAction::Reply(String::new(), "Write your move above.".into());
    Choice { label: "another move ...".into(), action }
}

fn another_game(board: &Board, seat: Seat) -> String {
    let (me, opponent) = (board.player(seat), board.player(seat.other()));
    format!("{} challenge {me} {opponent}", board.game.spec().name)
}

/// Returns the command that analyses the game, if both players moved and the program can.
fn analysis(board: &Board) -> Option<String> {
    let is_played = Seat::BOTH.into_iter().all(|seat| board.has_moved(seat));
    let is_judged = || board.start().evaluation_unit().is_some();
    (is_played && is_judged()).then(|| format!("{} analyse {}", board.id.game, board.id.number))
}

fn how_to_chat(board: &Board, seat: Seat) -> Block {
    let (game, number, me) = (board.game.spec().name, board.id.number, board.player(seat));
    let opponent = board.player(seat.other());
    let wait = format!(
        "It is {opponent}'s turn. To send a message, reply with `chat` on the first line and your \
         words below it, or send the Subject"
    );
    Block::send(wait, [format!("{game} chat {number} {me} <password>")])
}

/// Returns how to answer or withdraw the open offer.
fn how_to_answer(world: &World, board: &Board, seat: Seat, now: Time) -> Option<Block> {
    let offer = board.offer?;
    let agreed = clock_text::draw_deadline(world, board, seat, now);
    let (game, number, me) = (board.game.spec().name, board.id.number, board.player(seat));
    let of = offer.what.word();
    let command = |word: &str| format!("{game} {word} {number} {me} <password> {of}");
    if offer.by != seat {
        let consequences = offers::what_follows(board, offer, agreed);
        let advice = format!(
            "{consequences}To answer, reply with `accept` or `reject` on the first line, or send one of \
             these as the Subject. A move by either of you withdraws the offer."
        );
        return Some(Block::send(advice, [command("accept"), command("reject")]));
    }
    let opponent = board.player(seat.other());
    let silence = agreed.map_or_else(String::new, |day| {
        format!("Without an answer from {opponent}, the draw counts as accepted on {day}. ")
    });
    let advice = format!(
        "{opponent} has your offer. A move by either of you withdraws it. {silence}To withdraw it \
         now, reply with `reject` on the first line, or send the Subject"
    );
    Some(Block::send(advice, [command("reject")]))
}

/// Returns how to double, for a player who may double but whose dice are rolled automatically.
fn how_to_double(world: &World, board: &Board, seat: Seat) -> Option<Block> {
    let Diagram::Points(points) = board.position().diagram(&View::default()) else { return None };
    let is_crawford = points.game_of.is_some_and(|game_of| game_of.is_crawford);
    let may_double = points.cube.is_some_and(|cube| cube.owner.is_none_or(|owner| owner == seat));
    let manual = MANUAL.switch.name;
    if !may_double || is_crawford || world.settings(board, seat).has(manual) {
        return None;
    }
    Some(Block::sentence(format!(
        "Your dice are rolled automatically. To roll them yourself, so that you can double first, \
         reply with `{manual}` on the first line."
    )))
}
