//! Reads the lines of a plan: `e5 f4; d6 e6 (c3 c4)`, or `if e5 then f4, if d3 then c2`.
//!
//! Moves of both sides follow each other, the opponent's first unless it is the player's turn. A `;`
//! begins another line where the group began, brackets hold the lines that may follow a move, and
//! `|` or `if` and `then` part moves that could be read as one. `any` is any turn of the opponent.

use crate::model::board::{Board, MOST_PLANNED, Plan, PlannedStep};
use crate::refusal::PlanProblem;
use games::{AnyPosition, Choices, Entry, Next, ROLL, Scripted, Seat, View, bare, play_text};

/// The word for any turn of the opponent.
const ANY: &str = "any";

/// The most brackets in one another.
const MOST_NESTED: usize = 20;

/// The most words of one move.
const MOST_WORDS: usize = 16;

/// A line that cannot be kept: where and why.
#[derive(Debug)]
pub(super) struct WrongLine {
    /// The moves before the wrong one, as they were read.
    pub(super) line: Vec<String>,
    pub(super) problem: PlanProblem,
}

/// A part of the text of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// Words between signs: one move, or several.
    Words(Vec<String>),
    Open,
    Close,
    /// The beginning of another line.
    Other,
}

/// A place in the plan, behind one of its moves.
#[derive(Debug)]
struct Place {
    after: Option<usize>,
    /// The position there; `None` behind a move that is not known.
    position: Option<Box<dyn AnyPosition>>,
    /// Whether the player of the plan moves next, where the position is not known.
    is_own: bool,
    /// Whether the last move was the opponent's.
    ends_with_theirs: bool,
    /// The moves so far, as they were read.
    line: Vec<String>,
}

impl Clone for Place {
    fn clone(&self) -> Self {
        Self {
            after: self.after,
            position: self.position.as_ref().map(|position| position.copy()),
            is_own: self.is_own,
            ends_with_theirs: self.ends_with_theirs,
            line: self.line.clone(),
        }
    }
}

/// The parser of the lines of a plan.
pub(super) struct PlanParser<'a> {
    board: &'a Board,
    seat: Seat,
    view: View,
    plan: Plan,
    /// The number of moves that the plan had before. An answer among them may be replaced.
    old: usize,
}

impl<'a> PlanParser<'a> {
    /// Begins with the plan that lines are added to, if there is one.
    pub(super) fn new(board: &'a Board, seat: Seat, view: View, plan: Option<Plan>) -> Self {
        let plan = plan.unwrap_or_else(|| Plan::new(board.next_move()));
        let old = plan.moves.len();
        Self { board, seat, view, plan, old }
    }

    pub(super) fn read(mut self, text: &str) -> Result<Plan, WrongLine> {
        let tokens = if self.board.can_branch() { tokens(text) } else { own_moves(text) };
        let start = self.start();
        let mut place = start.clone();
        let mut groups: Vec<Place> = Vec::new();
        for token in tokens {
            match token {
                Token::Words(words) => {
                    // Where only the player's moves are known, a turn of the opponent is between them.
                    if !self.board.can_branch() && !place.is_own && !is_any(&words[0]) {
                        self.read_any(&mut place)?;
                    }
                    self.read_words(&mut place, &words)?;
                }
                Token::Open if groups.len() >= MOST_NESTED => {
                    return Err(place.wrong(PlanProblem::Brackets));
                }
                Token::Open => groups.push(place.clone()),
                Token::Other => {
                    Self::check_end(&place)?;
                    place = groups.last().unwrap_or(&start).clone();
                }
                Token::Close => {
                    Self::check_end(&place)?;
                    place = groups.pop().ok_or_else(|| place.wrong(PlanProblem::Brackets))?;
                    // The brackets have the answer.
                    place.ends_with_theirs = false;
                }
            }
        }
        if !groups.is_empty() {
            return Err(place.wrong(PlanProblem::Brackets));
        }
        Self::check_end(&place)?;
        if self.plan.moves.is_empty() {
            return Err(place.wrong(PlanProblem::Empty));
        }
        if self.plan.moves.len() > MOST_PLANNED {
            return Err(place.wrong(PlanProblem::TooMany(MOST_PLANNED)));
        }
        Ok(self.plan)
    }

    /// Returns the place where every line begins.
    fn start(&self) -> Place {
        let mut position = self.board.position().copy();
        position.set_viewer(&self.view);
        let is_own = position.next().asks(self.seat);
        let is_known = self.board.can_branch();
        let position = is_known.then_some(position);
        Place { after: None, position, is_own, ends_with_theirs: false, line: Vec::new() }
    }

    /// Checks that a line does not end with a move of the opponent. What follows brackets may be
    /// empty.
    fn check_end(place: &Place) -> Result<(), WrongLine> {
        if place.ends_with_theirs { Err(place.wrong(PlanProblem::NoAnswer)) } else { Ok(()) }
    }

    /// Reads words: a move, or several that follow each other.
    fn read_words(&mut self, place: &mut Place, words: &[String]) -> Result<(), WrongLine> {
        let mut rest = words;
        while let Some(first) = rest.first() {
            if self.plan.moves.len() >= MOST_PLANNED {
                return Err(place.wrong(PlanProblem::TooMany(MOST_PLANNED)));
            }
            let taken = if is_any(first) {
                self.read_any(place)?;
                place.line.push(ANY.into());
                1
            } else if place.position.is_some() {
                self.read_known(place, rest)?
            } else {
                self.read_unknown(place, rest)?
            };
            rest = &rest[taken..];
        }
        Ok(())
    }

    /// Reads `any`.
    fn read_any(&mut self, place: &mut Place) -> Result<(), WrongLine> {
        if place.is_own_turn(self.seat) {
            return Err(place.wrong(PlanProblem::AnyOfYours));
        }
        let after = self.plan.add(place.after, PlannedStep::Any);
        *place = Place {
            after: Some(after),
            position: None,
            is_own: true,
            ends_with_theirs: true,
            line: std::mem::take(&mut place.line),
        };
        Ok(())
    }

    /// Reads a move of the player behind a move that is not known: all words up to the next `any`.
    fn read_unknown(&mut self, place: &mut Place, words: &[String]) -> Result<usize, WrongLine> {
        if !place.is_own {
            return Err(place.wrong(PlanProblem::NotAny));
        }
        let words: Vec<&str> =
            words.iter().take_while(|word| !is_any(word)).map(String::as_str).collect();
        let text = bare(&words.join(" ")).to_owned();
        if let Err(error) = super::check_spelling(self.board, &text) {
            return Err(place.wrong(PlanProblem::Unplayable { text, error }));
        }
        place.line.push(text.clone());
        // The player goes on after a roll.
        let goes_on = text.eq_ignore_ascii_case(ROLL);
        place.after = Some(self.answer(place, PlannedStep::Unread(text))?);
        (place.is_own, place.ends_with_theirs) = (goes_on, false);
        Ok(words.len())
    }

    /// Reads a move where the position is known. Forced moves before it are added. Returns the number
    /// of its words.
    fn read_known(&mut self, place: &mut Place, words: &[String]) -> Result<usize, WrongLine> {
        loop {
            let position = place.position.as_ref().expect("the position is known");
            let Next::Move(mover) = position.next() else {
                let is_over = matches!(position.next(), Next::Over(_));
                let text = words[0].clone();
                let problem =
                    if is_over { PlanProblem::Over(text) } else { PlanProblem::Chance(text) };
                return Err(place.wrong(problem));
            };
            let forced = position.automatic_move(&Choices::default());
            match (read_turn(&**position, mover, words), forced) {
                (Ok(turn), _) => {
                    self.make(place, mover, &turn.made)?;
                    return Ok(turn.words);
                }
                (Err(_), Some(text)) => {
                    let forced = Entry::Moved { seat: mover, text, auto: true };
                    self.make(place, mover, &[forced])?;
                }
                (Err(problem), None) => return Err(place.wrong(problem)),
            }
        }
    }

    /// Adds the moves of a turn to the plan, and makes them.
    fn make(&mut self, place: &mut Place, mover: Seat, made: &[Entry]) -> Result<(), WrongLine> {
        for entry in made {
            let Entry::Moved { text, .. } = entry else { continue };
            place.after = Some(if mover == self.seat {
                self.answer(place, PlannedStep::Mine(text.clone()))?
            } else {
                self.plan.add(place.after, PlannedStep::Theirs(text.clone()))
            });
            place.line.push(self.board.game.text_for_viewer(&self.view, mover, text.clone()));
            let position = place.position.as_mut().expect("a move was read there");
            position.apply(entry).expect("what was read can be played");
        }
        place.ends_with_theirs = mover != self.seat;
        Ok(())
    }

    /// Adds a move of the player. There is one at each place; an old one is replaced.
    fn answer(&mut self, place: &mut Place, step: PlannedStep) -> Result<usize, WrongLine> {
        let other = self.plan.following(place.after).find(|index| {
            let planned = &self.plan.moves[*index].step;
            planned.is_own() && *planned != step
        });
        if let Some(other) = other {
            if other >= self.old {
                let [one, other] =
                    [&self.plan.moves[other].step, &step].map(|step| self.own_words(step));
                return Err(place.wrong(PlanProblem::TwoAnswers { one, other }));
            }
            self.replace(place);
        }
        Ok(self.plan.add(place.after, step))
    }

    /// Returns a move of the player as they write it.
    fn own_words(&self, step: &PlannedStep) -> String {
        match step {
            PlannedStep::Mine(text) => {
                self.board.game.text_for_viewer(&self.view, self.seat, text.clone())
            }
            PlannedStep::Unread(text) | PlannedStep::Theirs(text) => text.clone(),
            PlannedStep::Any | PlannedStep::Forced => String::new(),
        }
    }

    /// Removes the answer of an old plan at a place, and what follows it. Nothing new follows it.
    fn replace(&mut self, place: &Place) {
        let before = self.plan.moves.len();
        self.plan.cut(place.after);
        self.old = self.old.saturating_sub(before - self.plan.moves.len());
    }
}

impl Place {
    fn wrong(&self, problem: PlanProblem) -> WrongLine {
        WrongLine { line: self.line.clone(), problem }
    }

    fn is_own_turn(&self, seat: Seat) -> bool {
        match &self.position {
            Some(position) => position.next().asks(seat),
            None => self.is_own,
        }
    }
}

/// A turn that was read.
struct Turn {
    made: Vec<Entry>,
    /// The number of its words.
    words: usize,
}

/// Reads the shortest legal turn at the front of words. Where a turn may be several moves, a trailing
/// comma continues it.
fn read_turn(
    position: &dyn AnyPosition,
    mover: Seat,
    words: &[String],
) -> Result<Turn, PlanProblem> {
    let most = words.len().min(MOST_WORDS);
    let goes_on = |word: &&String| word.ends_with(',');
    let least = if position.manner().has_multi_move_turns {
        (1 + words.iter().take_while(goes_on).count()).min(most)
    } else {
        1
    };
    let mut wrong = None;
    for taken in least..=most {
        let text = words[..taken].join(" ");
        // No game that is read here rolls anything.
        match play_text(&mut *position.copy(), mover, &text, &mut Scripted::default()) {
            Ok(made) => return Ok(Turn { made, words: taken }),
            Err(error) => {
                wrong.get_or_insert(PlanProblem::Unplayable { text, error });
            }
        }
    }
    Err(wrong.unwrap_or(PlanProblem::Empty))
}

fn is_any(word: &str) -> bool {
    word == "*" || word.trim_end_matches([',', ';']).eq_ignore_ascii_case(ANY)
}

/// Splits the text of a plan at its signs and at the words `if`, `then` and `or`.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let flush = |words: &mut Vec<String>, tokens: &mut Vec<Token>| {
        if !words.is_empty() {
            tokens.push(Token::Words(std::mem::take(words)));
        }
    };
    let spaced: String = text
        .chars()
        .flat_map(|sign| match sign {
            '(' | ')' | ';' | '|' | '\n' => [Some(' '), Some(sign), Some(' ')],
            sign => [Some(sign), None, None],
        })
        .flatten()
        .collect();
    for word in spaced.split([' ', '\t', '\r']).filter(|word| !word.is_empty()) {
        let sign = match word.to_ascii_lowercase().trim_end_matches(',') {
            "(" => Some(Token::Open),
            ")" => Some(Token::Close),
            ";" | "\n" | "or" => Some(Token::Other),
            "|" | "if" | "then" | "" => None,
            _ => {
                words.extend(unnumbered(word).map(str::to_owned));
                continue;
            }
        };
        flush(&mut words, &mut tokens);
        tokens.extend(sign);
    }
    flush(&mut words, &mut tokens);
    // A sign at an end, or two in a row, begin no empty line.
    let is_line_break = |index: usize| {
        tokens[index] == Token::Other
            && !matches!(tokens.get(index + 1), Some(Token::Words(_) | Token::Open))
    };
    let kept = (0..tokens.len()).filter(|index| !is_line_break(*index));
    kept.map(|index| tokens[index].clone()).collect()
}

/// Splits the player's own moves, of a game with dice or with hidden stones, at `|` and line ends.
fn own_moves(text: &str) -> Vec<Token> {
    let parts = text
        .split(['|', '\n'])
        .map(|part| part.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    parts.filter(|words| !words.is_empty()).map(Token::Words).collect()
}

/// Returns a word without the number of its move: `d4` of `2.d4`; nothing if it is only a number.
fn unnumbered(word: &str) -> Option<&str> {
    let behind = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let is_number = behind.len() < word.len() && behind.starts_with(['.', '\u{2026}']);
    let bare = if is_number { behind.trim_start_matches(['.', '\u{2026}']) } else { word };
    (!bare.is_empty()).then_some(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Token {
        Token::Words(text.split(' ').map(str::to_owned).collect())
    }

    #[test]
    fn signs_and_words_part_the_lines() {
        assert_eq!(
            tokens("e5 f4; d6 e6 (c3 c4)"),
            [
                words("e5 f4"),
                Token::Other,
                words("d6 e6"),
                Token::Open,
                words("c3 c4"),
                Token::Close
            ]
        );
        assert_eq!(
            tokens("1.e4 if 1...c5 then 2.d4, if 2... cxd4 Then 3. c3;"),
            [words("e4"), words("c5"), words("d4,"), words("cxd4"), words("c3")]
        );
        assert_eq!(
            tokens("a1,b2|c3\nd4 e5 ;; or"),
            [words("a1,b2"), words("c3"), Token::Other, words("d4 e5")]
        );
        assert_eq!(own_moves("6/1(3) 8/7 | bar/22"), [words("6/1(3) 8/7"), words("bar/22")]);
        assert_eq!(tokens(" ; \n"), []);
    }
}
