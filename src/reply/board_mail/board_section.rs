//! The middle of a mail about a board: the latest rounds, the picture, also in words if its reader
//! wants that, and the facts.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::model::board::{Board, RecordedMove};
use crate::model::dice::{self, BoardDice};
use crate::model::user::preference::HTML;
use crate::model::world::World;
use crate::reply::board_mail::names::player_names;
use crate::reply::board_mail::{clock_text, match_facts, position_in_words};
use crate::reply::letters::blocks::{Block, MoveList, TextElement};
use crate::reply::letters::highlights::Highlights;
use crate::reply::letters::picture_json::{ListedMove, Picture};
use data_encoding::HEXLOWER;
use games::{AnyPosition, Cube, Diagram, Entry, Next, NextStep, Roll, Seat, View};
use sha2::{Digest as _, Sha256};
use std::cell::OnceCell;

/// Moves shown above the board: four rounds.
const LATEST: usize = 8;

/// A reader of a board, and how they see it.
pub(crate) struct BoardViewer<'a> {
    /// The user; none where anybody may look.
    pub(crate) user: Option<&'a UserId>,
    /// How: with their seat and their settings.
    pub(crate) view: View,
    /// See [`BoardViewer::first_steps`].
    pub(crate) steps: OnceCell<Vec<NextStep>>,
}

/// The same for both players where they see the same board.
#[derive(Clone)]
pub(crate) struct BoardSection {
    /// The latest moves and the picture.
    pub(crate) above: Vec<Block>,
    /// The picture in words.
    pub(crate) words: Option<Block>,
    /// Whether the words stand in place of the picture.
    pub(crate) words_only: bool,
    /// Facts, options and clocks.
    pub(crate) below: Vec<Block>,
}

impl<'a> BoardViewer<'a> {
    /// A reader about whom we know nothing.
    pub(crate) fn anybody() -> Self {
        Self::with(None, View::default())
    }

    /// A user who watches.
    pub(crate) fn observer(user: &'a UserId) -> Self {
        Self::with(Some(user), View::default())
    }

    /// The player of a seat.
    pub(crate) fn player(world: &World, board: &'a Board, seat: Seat) -> Self {
        Self::with(Some(board.player(seat)), world.view(board, seat))
    }

    fn with(user: Option<&'a UserId>, view: View) -> Self {
        Self { user, view, steps: OnceCell::new() }
    }

    /// The steps by one die with which a move on the board that they look at can begin, listed once.
    pub(crate) fn first_steps(&self, board: &Board) -> &[NextStep] {
        self.steps.get_or_init(|| board.position().first_steps(&self.view))
    }

    /// Whether they want positions in words.
    pub(crate) fn wants_words(&self, world: &World) -> bool {
        let user = self.user.and_then(|user| world.user(user));
        user.is_some_and(|user| user.preferences.wants_words())
    }

    /// Whether they want positions in words and no pictures.
    pub(crate) fn wants_words_only(&self, world: &World) -> bool {
        let user = self.user.and_then(|user| world.user(user));
        user.is_some_and(|user| user.preferences.wants_words_only())
    }

    /// Whether they want pages of HTML.
    pub(crate) fn wants_pages(&self, world: &World) -> bool {
        let user = self.user.and_then(|user| world.user(user));
        user.is_some_and(|user| user.preferences.is_on(&HTML))
    }
}

impl BoardSection {
    /// What a reader sees of a board.
    pub(crate) fn for_reader(
        world: &World,
        board: &Board,
        diagram: &Diagram,
        reader: &BoardViewer,
        now: Time,
    ) -> Self {
        let words = reader.user.filter(|_| reader.wants_words(world));
        let body = Self {
            above: vec![
                Block::Moves(moves(board, &reader.view)),
                picture(diagram, Some(player_names(board))),
            ],
            words: words
                .map(|reader| position_in_words::describe(world, board, diagram, reader, now)),
            words_only: reader.wants_words_only(world),
            below: below(world, board, diagram, now),
        };
        body.marked(&Highlights::now(board, reader, diagram))
    }

    /// The same, with that marked on the picture.
    pub(crate) fn marked(mut self, marked: &Highlights) -> Self {
        for block in &mut self.above {
            if let Block::Picture(picture) = block {
                picture.marked = marked.clone();
            }
        }
        self
    }

    /// Tells it in those words to a reader who wants words.
    pub(crate) fn tell(
        &mut self,
        world: &World,
        reader: &BoardViewer,
        words: impl FnOnce() -> Block,
    ) {
        self.words = reader.wants_words(world).then(words);
        self.words_only = reader.wants_words_only(world);
    }

    /// All of it, the words first, with what can be pressed behind the picture.
    pub(crate) fn with(self, choices: Option<Block>) -> impl Iterator<Item = Block> {
        let Self { above, words, words_only, below } = self;
        let is_shown = move |block: &Block| !(words_only && matches!(block, Block::Picture(_)));
        words.into_iter().chain(above.into_iter().filter(is_shown)).chain(choices).chain(below)
    }
}

/// A board to be drawn.
pub(crate) fn picture(diagram: &Diagram, names: Option<[&str; 2]>) -> Block {
    let names = names.map(|names| names.map(str::to_owned));
    let marked = Highlights::default();
    Block::Picture(Box::new(Picture { diagram: diagram.clone(), names, marked }))
}

/// The line that programs read, with what that viewer may know.
pub(crate) fn for_programs(position: &dyn AnyPosition, view: &View) -> Block {
    Block::Position(position.visible_notation(view))
}

/// What is where. Nothing waits for an answer on a board that is over.
pub(crate) fn diagram(board: &Board, view: &View) -> Diagram {
    let mut diagram = board.position().diagram(view);
    match &mut diagram {
        Diagram::Points(points) if board.is_over() => {
            points.resigns = None;
            points.cube = points.cube.map(|cube| Cube { turned: None, ..cube });
        }
        // The notes are about a game that goes on.
        Diagram::Grid(grid) if board.closing.is_some() => {
            grid.light = None;
            grid.notes.clear();
        }
        Diagram::Points(_) | Diagram::Grid(_) | Diagram::Corridor(_) => {}
    }
    diagram
}

/// The moves of the last four rounds.
fn moves(board: &Board, view: &View) -> MoveList {
    let one = |(number, turn)| listed(board, view, number, turn);
    let sides = Seat::BOTH.map(|seat| format!("{} {}", board.side(seat), board.player(seat)));
    MoveList { sides, turns: latest(board).into_iter().map(one).collect() }
}

/// All moves, each with its number.
pub(crate) fn every_move(board: &Board, view: &View) -> Vec<ListedMove> {
    let numbered = (1..).zip(board.moves());
    numbered.map(|(number, turn)| listed(board, view, number, turn)).collect()
}

/// A move as it is listed.
fn listed(board: &Board, view: &View, number: usize, turn: RecordedMove) -> ListedMove {
    let auto = if turn.auto { " (auto)" } else { "" };
    let words = board.game.text_for_viewer(view, turn.seat, turn.text.into_owned()) + auto;
    let dice = turn.dice.map(Roll::higher_first);
    ListedMove { number, seat: turn.seat, dice, words }
}

/// The turns of the last four rounds, each with its number.
fn latest(board: &Board) -> Vec<(usize, RecordedMove<'_>)> {
    let mut turns: Vec<_> = (1..).zip(board.moves()).collect();
    let mut first = turns.len().saturating_sub(LATEST);
    // A round begins with the first seat; where a turn is longer than that its end is shown.
    let begins = |(_, turn): &(usize, RecordedMove<'_>)| turn.seat == Seat(0);
    first += turns[first..].iter().position(begins).unwrap_or(0);
    turns.split_off(first)
}

/// The text below a picture: facts, options and clocks.
fn below(world: &World, board: &Board, diagram: &Diagram, now: Time) -> Vec<Block> {
    let facts = match_facts::describe(diagram, player_names(board), board.game.spec().stakes);
    let private = board.private.then(|| "--private".to_owned());
    let common = board.terms.words().chain(private);
    let options = board.options.words().chain(common).collect::<Vec<_>>().join(" ");
    let options = (!options.is_empty()).then_some(TextElement::Named("Options".into(), options));
    let clock = clock_text::describe(world, board, now).map(TextElement::Fact);
    let texts = [
        facts.into_iter().map(TextElement::Sentence).collect(),
        hidden(board),
        dice(board),
        options.into_iter().chain(clock).collect(),
    ];
    texts.into_iter().filter(|text: &Vec<TextElement>| !text.is_empty()).map(Block::Text).collect()
}

/// What the rolls of a board follow from: all of it in the first mails, and whenever a player has
/// added to it; in every mail its digest, by which mails from the beginning and the end are
/// compared.
fn dice(board: &Board) -> Vec<TextElement> {
    let Some(dice) = board.dice.as_ref().filter(|_| board.drawn() > 0) else { return Vec::new() };
    let is_new = !Seat::BOTH.into_iter().any(|seat| board.has_moved(seat));
    if dice.rules == 1 {
        let sentence = "The dice of this board follow from this key, so that you can check them \
                        (`help dice`):";
        let key = TextElement::Command(dice.key.to_string());
        return if is_new { vec![TextElement::Sentence(sentence.into()), key] } else { Vec::new() };
    }
    let digest = format!("dice digest of {}: {}", board.id, dice::digest(board, dice));
    let digest = TextElement::Preformatted(format!("  {digest}"));
    // A word that was just given waits, and a value that was just revealed is in the newest roll.
    let newest = dice.words.iter().filter(|word| word.after.is_some()).map(|word| word.from).max();
    let is_changed = dice.waiting.is_some()
        || newest.is_some_and(|from| from > board.drawn())
        || newest.is_some_and(|from| from == board.drawn()) && !dice.has_chains();
    if !(is_new || is_changed) {
        let lines = dice::links_since(board, dice, board.drawn());
        let lines = lines.lines().map(|line| TextElement::Preformatted(format!("  {line}")));
        return lines.chain([digest]).chain(waits(board, dice)).collect();
    }
    let sentence = "The dice of this board follow from these lines, so that you can check them \
                    (`help dice`). Keep this mail.";
    let head = dice::head(board, dice);
    let lines = head.lines().map(|line| TextElement::Preformatted(format!("  {line}")));
    let sentence =
        [TextElement::Sentence(sentence.into()), TextElement::Preformatted(String::new())];
    sentence.into_iter().chain(lines).chain([digest]).chain(waits(board, dice)).collect()
}

/// What the next roll waits for, where players reveal a value with it.
fn waits(board: &Board, dice: &BoardDice) -> Option<TextElement> {
    let Next::Ready(seat, _) = board.position().next() else { return None };
    let is_due = !board.is_over() && dice.awaits_link(seat, board.drawn());
    is_due.then(|| {
        TextElement::Sentence(format!(
            "The roll waits for the next value of {}: `roll -seed=<value>`. `roll` alone makes a \
             roll of level 1.",
            board.player(seat)
        ))
    })
}

/// How players can see in the end that what was hidden from them was laid at the start: until then
/// its digest, then it.
fn hidden(board: &Board) -> Vec<TextElement> {
    let is_secret = board.game.spec().manner.secret;
    let laid = board.record.iter().filter(|_| is_secret).find_map(|line| match line.entry {
        Entry::Laid(stones) => Some(stones.to_string()),
        _ => None,
    });
    let Some(laid) = laid else { return Vec::new() };
    let digest = TextElement::Command(HEXLOWER.encode(&Sha256::digest(&laid)));
    if !board.is_over() {
        let sentence = "The SHA-256 digest of what is hidden, which is shown at the end:";
        return vec![TextElement::Sentence(sentence.into()), digest];
    }
    let (upper, lower) = laid.split_at(4 * (usize::from(games::SIZE) + 1));
    vec![
        TextElement::Sentence("What was hidden, in one line:".into()),
        TextElement::Command(upper.into()),
        TextElement::Command(lower.into()),
        TextElement::Sentence("Its SHA-256 digest:".into()),
        digest,
    ]
}
