//! The middle of a mail about a board: the latest moves, the picture, the position in words where the
//! reader wants it, the facts, and what proves the dice.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::model::board::{Board, RecordedMove};
use crate::model::dice::{self, BoardDice};
use crate::model::user::preference::HTML;
use crate::model::world::World;
use crate::reply::board_mail::names::{player_and_engine, player_names};
use crate::reply::board_mail::{clock_text, match_facts, position_in_words};
use crate::reply::letters::{Block, Highlights, ListedMove, MoveList, Picture, TextElement};
use data_encoding::HEXLOWER;
use games::{AnyPosition, Cube, Diagram, Entry, Next, NextStep, Roll, Seat, View};
use sha2::{Digest as _, Sha256};
use std::cell::OnceCell;

/// The most moves shown above the board: four rounds.
const MAX_MOVES: usize = 8;

/// A reader of a board and their view of it.
pub(crate) struct BoardViewer<'a> {
    /// The user; none for anybody.
    pub(crate) user: Option<&'a UserId>,
    /// The seat and the settings.
    pub(crate) view: View,
    /// The result of [`BoardViewer::first_steps`], once it was needed.
    pub(crate) steps: OnceCell<Vec<NextStep>>,
}

/// The middle of a mail about a board. Both players share it where they see the same board.
#[derive(Clone)]
pub(crate) struct BoardSection {
    /// The latest moves and the picture.
    pub(crate) above: Vec<Block>,
    /// The position in words, for readers who want it.
    pub(crate) words: Option<Block>,
    /// Whether the words replace the picture.
    pub(crate) has_words_only: bool,
    /// Facts, options and clocks.
    pub(crate) below: Vec<Block>,
}

impl<'a> BoardViewer<'a> {
    /// Builds a reader without a user or a seat.
    pub(crate) fn anybody() -> Self {
        Self::with(None, View::default())
    }

    pub(crate) fn observer(user: &'a UserId) -> Self {
        Self::with(Some(user), View::default())
    }

    pub(crate) fn player(world: &World, board: &'a Board, seat: Seat) -> Self {
        Self::with(Some(board.player(seat)), world.view(board, seat))
    }

    /// Builds the player of a seat, or anybody without one.
    pub(crate) fn at(world: &World, board: &'a Board, seat: Option<Seat>) -> Self {
        seat.map_or_else(Self::anybody, |seat| Self::player(world, board, seat))
    }

    fn with(user: Option<&'a UserId>, view: View) -> Self {
        Self { user, view, steps: OnceCell::new() }
    }

    /// Returns the steps by one die with which a move can begin, computed once.
    pub(crate) fn first_steps(&self, board: &Board) -> &[NextStep] {
        self.steps.get_or_init(|| board.position().first_steps(&self.view))
    }

    /// Returns whether the reader wants positions in words.
    pub(crate) fn wants_words(&self, world: &World) -> bool {
        let user = self.user.and_then(|user| world.user(user));
        user.is_some_and(|user| user.preferences.wants_words())
    }

    /// Returns whether the reader wants positions in words and no pictures.
    pub(crate) fn wants_words_only(&self, world: &World) -> bool {
        let user = self.user.and_then(|user| world.user(user));
        user.is_some_and(|user| user.preferences.wants_words_only())
    }

    /// Returns the position in words, if the reader wants it.
    pub(crate) fn position_in_words(
        &self,
        world: &World,
        board: &Board,
        diagram: &Diagram,
        now: Time,
    ) -> Option<Block> {
        let user = self.user.filter(|_| self.wants_words(world))?;
        Some(position_in_words::describe(world, board, diagram, user, now))
    }

    /// Returns whether the reader wants HTML mails.
    pub(crate) fn wants_pages(&self, world: &World) -> bool {
        let user = self.user.and_then(|user| world.user(user));
        user.is_some_and(|user| user.preferences.is_on(&HTML))
    }
}

impl BoardSection {
    /// Builds what a reader sees of a board.
    pub(crate) fn for_reader(
        world: &World,
        board: &Board,
        diagram: &Diagram,
        reader: &BoardViewer,
        now: Time,
    ) -> Self {
        let section = Self {
            above: vec![
                Block::Moves(moves(board, &reader.view)),
                picture(diagram, Some(player_names(board))),
            ],
            words: reader.position_in_words(world, board, diagram, now),
            has_words_only: reader.wants_words_only(world),
            below: below(world, board, diagram, reader.user, dice_proof(board), now),
        };
        section.with_highlights(&Highlights::now(board, reader, diagram))
    }

    /// Replaces the highlights of the picture.
    pub(crate) fn with_highlights(mut self, highlights: &Highlights) -> Self {
        for block in &mut self.above {
            if let Block::Picture(picture) = block {
                picture.highlights = highlights.clone();
            }
        }
        self
    }

    /// Replaces the position in words, for a reader who wants words.
    pub(crate) fn set_words(
        &mut self,
        world: &World,
        reader: &BoardViewer,
        words: impl FnOnce() -> Block,
    ) {
        self.words = reader.wants_words(world).then(words);
        self.has_words_only = reader.wants_words_only(world);
    }

    /// Writes the times in the reader's time zone, in a section that was built for nobody.
    pub(crate) fn set_zone(
        &mut self,
        world: &World,
        board: &Board,
        diagram: &Diagram,
        reader: &BoardViewer,
        now: Time,
    ) {
        if world.zone(reader.user).is_some() {
            self.below = below(world, board, diagram, reader.user, dice_proof(board), now);
        }
    }

    /// Returns all blocks: the words first, the buttons after the picture.
    pub(crate) fn with(self, choices: Option<Block>) -> impl Iterator<Item = Block> {
        let Self { above, words, has_words_only, below } = self;
        let is_shown = move |block: &Block| !(has_words_only && matches!(block, Block::Picture(_)));
        words.into_iter().chain(above.into_iter().filter(is_shown)).chain(choices).chain(below)
    }
}

pub(crate) fn picture(diagram: &Diagram, names: Option<[&str; 2]>) -> Block {
    let names = names.map(|names| names.map(str::to_owned));
    let highlights = Highlights::default();
    Block::Picture(Box::new(Picture { diagram: diagram.clone(), names, highlights }))
}

/// Returns the position in the notation that programs read, as far as the viewer may see it.
pub(crate) fn for_programs(position: &dyn AnyPosition, view: &View) -> Block {
    Block::Position(position.visible_notation(view))
}

/// Returns the diagram of a board. On a board that is over, no offer waits for an answer.
pub(crate) fn diagram(board: &Board, view: &View) -> Diagram {
    let mut diagram = board.position().diagram(view);
    match &mut diagram {
        Diagram::Points(points) if board.is_over() => {
            points.resigns = None;
            points.cube = points.cube.map(|cube| Cube { turned: None, ..cube });
        }
        // The notes are about a game in progress.
        Diagram::Board(tiled) if board.closing.is_some() => {
            tiled.light = None;
            tiled.notes.clear();
        }
        Diagram::Points(_) | Diagram::Board(_) | Diagram::Corridor(_) => {}
    }
    diagram
}

/// Returns the moves of the last four rounds.
fn moves(board: &Board, view: &View) -> MoveList {
    let one = |(number, turn)| listed_move(board, view, number, turn);
    let sides =
        Seat::BOTH.map(|seat| format!("{} {}", board.side(seat), player_and_engine(board, seat)));
    MoveList { sides, turns: latest(board).into_iter().map(one).collect() }
}

/// Returns all moves, each with its number.
pub fn every_move(board: &Board, view: &View) -> Vec<ListedMove> {
    let numbered = (1..).zip(board.moves());
    numbered.map(|(number, turn)| listed_move(board, view, number, turn)).collect()
}

/// Returns a move as an entry of a list.
fn listed_move(board: &Board, view: &View, number: usize, turn: RecordedMove) -> ListedMove {
    let auto = if turn.auto { " (auto)" } else { "" };
    let words = board.game.text_for_viewer(view, turn.seat, turn.text.into_owned()) + auto;
    let dice = turn.dice.map(Roll::higher_first);
    ListedMove { number, seat: turn.seat, dice, words }
}

/// Returns the turns of the last four rounds, each with its number.
fn latest(board: &Board) -> Vec<(usize, RecordedMove<'_>)> {
    let mut turns: Vec<_> = (1..).zip(board.moves()).collect();
    let mut first = turns.len().saturating_sub(MAX_MOVES);
    // A round begins with seat 0. Of a turn with more moves, the end is shown.
    let begins = |(_, turn): &(usize, RecordedMove<'_>)| turn.seat == Seat(0);
    first += turns[first..].iter().position(begins).unwrap_or(0);
    turns.split_off(first)
}

/// Returns the text below a picture, as a user reads it: facts, what proves the dice, options and
/// clocks.
pub(crate) fn below(
    world: &World,
    board: &Board,
    diagram: &Diagram,
    reader: Option<&UserId>,
    dice_proof: Vec<TextElement>,
    now: Time,
) -> Vec<Block> {
    let facts = match_facts::describe(diagram, player_names(board), board.game.spec().stakes);
    let private = board.private.then(|| "--private".to_owned());
    let common = board.terms.words().chain(private);
    let options = board.options.words().chain(common).collect::<Vec<_>>().join(" ");
    let options = (!options.is_empty()).then_some(TextElement::Named("Options".into(), options));
    let clock = clock_text::describe(world, board, reader, now).map(TextElement::Fact);
    let texts = [
        facts.into_iter().map(TextElement::Sentence).collect(),
        hidden_setup(board),
        dice_proof,
        options.into_iter().chain(clock).collect(),
    ];
    texts.into_iter().filter(|text: &Vec<TextElement>| !text.is_empty()).map(Block::Text).collect()
}

/// Returns what proves the dice of a board. The first mails, and those after a player has added a
/// seed, have all of it; every mail has its digest, so that mails from the beginning and the end can be
/// compared.
fn dice_proof(board: &Board) -> Vec<TextElement> {
    let Some(dice) = board.dice.as_ref().filter(|_| board.drawn() > 0) else { return Vec::new() };
    let is_new = !Seat::BOTH.into_iter().any(|seat| board.has_moved(seat));
    if dice.rules == 1 {
        let sentence = "The dice of this board were fixed by this key before the game began. To \
                        check them, send `help dice`.";
        let key = TextElement::Command(dice.key.to_string());
        return if is_new { vec![TextElement::Sentence(sentence.into()), key] } else { Vec::new() };
    }
    let digest = format!("dice digest of {}: {}", board.id, dice::digest(board, dice));
    let digest = TextElement::Preformatted(format!("  {digest}"));
    // A seed word just given waits for its roll; a value just revealed is in the newest roll.
    let newest = dice.words.iter().filter(|word| word.after.is_some()).map(|word| word.from).max();
    let is_changed = dice.waiting.is_some()
        || newest.is_some_and(|from| from > board.drawn())
        || newest.is_some_and(|from| from == board.drawn()) && !dice.has_chains();
    if !(is_new || is_changed) {
        let lines = dice::links_since(board, dice, board.drawn());
        let lines = lines.lines().map(|line| TextElement::Preformatted(format!("  {line}")));
        return lines.chain([digest]).chain(awaited_value(board, dice)).collect();
    }
    let sentence = "The dice of this board are fixed by these lines. To check them, send `help \
                    dice`. Keep this mail.";
    let head = dice::sheet_head(board, dice);
    let lines = head.lines().map(|line| TextElement::Preformatted(format!("  {line}")));
    let sentence =
        [TextElement::Sentence(sentence.into()), TextElement::Preformatted(String::new())];
    sentence.into_iter().chain(lines).chain([digest]).chain(awaited_value(board, dice)).collect()
}

/// Returns whose value the next roll waits for, where players reveal values of a chain.
fn awaited_value(board: &Board, dice: &BoardDice) -> Option<TextElement> {
    let Next::Ready(seat, _) = board.position().next() else { return None };
    let is_due = !board.is_over() && dice.awaits_link(seat, board.drawn());
    is_due.then(|| {
        TextElement::Sentence(format!(
            "The next roll waits for a value from {}: `roll -seed=<value>`. `roll` alone makes a \
             roll of level 1.",
            board.player(seat)
        ))
    })
}

/// Returns what proves that the hidden setup was fixed at the start: during the game its digest, at
/// the end the setup, too.
fn hidden_setup(board: &Board) -> Vec<TextElement> {
    let is_secret = board.game.spec().manner.is_secret;
    let setup = board.record.iter().filter(|_| is_secret).find_map(|line| match &line.entry {
        Entry::Laid(dealt) => Some(dealt.to_string()),
        _ => None,
    });
    let Some(setup) = setup else { return Vec::new() };
    let digest = TextElement::Command(HEXLOWER.encode(&Sha256::digest(&setup)));
    if !board.is_over() {
        let sentence =
            "The SHA-256 digest of what is hidden, which is shown when the game is over:";
        return vec![TextElement::Sentence(sentence.into()), digest];
    }
    // A mail breaks lines of more than 78 characters: cut it between two rows.
    let half = setup[..setup.len() / 2].rfind('/').map_or(0, |at| at + 1);
    let (upper, lower) = setup.split_at(half);
    vec![
        TextElement::Sentence("What was hidden, in one line:".into()),
        TextElement::Command(upper.into()),
        TextElement::Command(lower.into()),
        TextElement::Sentence("Its SHA-256 digest:".into()),
        digest,
    ]
}
