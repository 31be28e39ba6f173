//! The program's opinion of a game that is over, worked out where a letter is printed: no process
//! that needs the home waits for it.

use crate::base::ids::BoardId;
use crate::base::words::Plural;
use crate::model::board::Board;
use crate::reply::AnswerContext;
use crate::reply::board_mail::board_section::{BoardViewer, for_programs, picture};
use crate::reply::board_mail::names::player_names;
use crate::reply::board_mail::state_sentence::headline;
use crate::reply::letters::blocks::{Block, TextElement};
use crate::reply::letters::outgoing_mail::OutgoingMail;
use games::{
    AnalysedDecision, Analysis, AnyPosition, DecisionKind, Entry, EvaluatedMove, EvaluationBudget,
    EvaluationUnit, Seat, View,
};
use games::{Choices, replay};
use serde::{Deserialize, Serialize};

/// How many positions are judged for an analysis: it takes about a second.
const EFFORT: u32 = 500_000;

/// A decision is listed if it costs this much: a fiftieth of a point, or a win in a hundred games.
const LISTED: f32 = 0.02;

/// How many decisions are listed at most, and how many of them have their boards on a page.
const MOST: usize = 10;
const DRAWN: usize = 3;

/// A game that is yet to be analysed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingAnalysis {
    /// The board, as its file would have it.
    board: String,
    /// Whose view is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seat: Option<u8>,
    /// The settings of the viewer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    settings: Vec<String>,
    /// The move that is asked about; all of them without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moveno: Option<usize>,
    /// The last move that is told about, where a game goes on; all of them without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<usize>,
}

/// The answer to a user who asks about a game, or about one move of it.
pub(crate) fn mail(
    at: &AnswerContext,
    id: BoardId,
    seat: Option<Seat>,
    moveno: Option<usize>,
) -> OutgoingMail {
    let board = at.world.board(id).expect("it was found when this was decided");
    let own = |seat: &Seat| {
        let address = at.origin.address();
        let player = at.world.user(board.player(*seat));
        address.zip(player).is_some_and(|(address, user)| user.addresses.contains(address))
    };
    let seat = seat.or_else(|| Seat::BOTH.into_iter().find(own));
    let reader =
        seat.map_or_else(BoardViewer::anybody, |seat| BoardViewer::player(at.world, board, seat));
    let subject = format!("Analysis: {} {}", board.game.spec().title, id.number);
    let analysed = PendingAnalysis { moveno, ..PendingAnalysis::for_reader(board, &reader) };
    let blocks =
        vec![Block::heading(headline(board, &reader.view)), Block::Analysis(Box::new(analysed))];
    let is_page = reader.wants_pages(at.world);
    OutgoingMail { board: Some(id), is_page, ..OutgoingMail::answer(subject, blocks) }
}

/// What the program says of a game that goes on, up to that move.
pub(crate) fn so_far(board: &Board, reader: &BoardViewer, until: usize) -> Block {
    Block::Analysis(Box::new(PendingAnalysis {
        until: Some(until),
        ..PendingAnalysis::for_reader(board, reader)
    }))
}

/// The blocks of a letter with every analysis worked out; nothing where there is none.
pub fn run_analyses(blocks: &[Block]) -> Option<Vec<Block>> {
    let is_asked = |block: &Block| match block {
        Block::Analysis(_) => true,
        Block::Shortened(within, _) => within.iter().any(|one| matches!(one, Block::Analysis(_))),
        _ => false,
    };
    if !blocks.iter().any(is_asked) {
        return None;
    }
    let work = |block: &Block| match block {
        Block::Analysis(analysed) => analysed.told(),
        Block::Shortened(within, most) => {
            let within = run_analyses(within).unwrap_or_else(|| within.clone());
            vec![Block::Shortened(within, *most)]
        }
        other => vec![other.clone()],
    };
    Some(blocks.iter().flat_map(work).collect())
}

impl PendingAnalysis {
    /// All of a board, as that reader sees it.
    fn for_reader(board: &Board, reader: &BoardViewer) -> Self {
        Self {
            board: board.played().write(),
            seat: reader.view.seat.map(|seat| seat.0),
            settings: reader.view.settings.words().collect(),
            moveno: None,
            until: None,
        }
    }

    fn told(&self) -> Vec<Block> {
        let nothing = || vec![Block::sentence("This game could not be analysed.")];
        let Ok(board) = Board::read(&self.board) else { return nothing() };
        let words = self.settings.iter().map(String::as_str);
        let settings = Choices::of_settings(board.game.spec().settings, words).unwrap_or_default();
        let seat = self.seat.map(Seat).filter(|seat| Seat::BOTH.contains(seat));
        let moves = self.until.unwrap_or(usize::MAX);
        let record = entries(&board, moves);
        let found =
            Analysis::of_record(board.game, &board.options, &record, EvaluationBudget::new(EFFORT));
        let Some(found) = found else { return nothing() };
        let view = View { seat, settings, legal: false };
        let telling = AnalysisReport { board: &board, record: &record, view: &view, found: &found };
        match self.moveno {
            Some(moveno) => telling.of_move(moveno),
            None => telling.of_all(self.until),
        }
    }
}

/// An analysis, and its reader.
struct AnalysisReport<'a> {
    board: &'a Board,
    record: &'a [Entry],
    view: &'a View,
    found: &'a Analysis,
}

impl AnalysisReport<'_> {
    /// The best plays of the whole game, where others cost most.
    fn of_all(&self, until: Option<usize>) -> Vec<Block> {
        let players = Seat::BOTH.map(|seat| self.player(seat)).to_vec();
        let mut costly: Vec<&AnalysedDecision> =
            self.found.decisions.iter().filter(|one| one.cost() >= LISTED).collect();
        let all = costly.len();
        costly.sort_by(|a, b| b.cost().total_cmp(&a.cost()));
        costly.truncate(MOST);
        let worst = costly.first().map_or(1, |one| one.moveno);
        let drawn = costly.iter().take(DRAWN).flat_map(|one| self.drawn(one)).collect();
        costly.sort_by_key(|one| one.entry_index);
        let mut blocks = vec![Block::Text(players)];
        if !costly.is_empty() {
            let cost = self.number(LISTED);
            let first = match all {
                1 => format!("One decision cost {cost} or more:"),
                _ if all > MOST => format!(
                    "{} cost {cost} or more. The {MOST} that cost most:",
                    Plural(all, "decision")
                ),
                _ => format!("{} cost {cost} or more:", Plural(all, "decision")),
            };
            let mut lines =
                vec![TextElement::Sentence(first), TextElement::Preformatted(self.heads())];
            lines.extend(costly.iter().flat_map(|one| self.lines(one)));
            blocks.push(Block::Text(lines));
            blocks.push(Block::PageOnly(drawn));
        }
        blocks.push(match until {
            None => self.how(worst),
            Some(_) => Block::sentence(self.explained()),
        });
        blocks
    }

    /// The best plays at one move.
    fn of_move(&self, moveno: usize) -> Vec<Block> {
        let decisions = self.found.at(moveno);
        let Some(last) = decisions.last() else {
            let why = if self.found.is_truncated {
                "The game is too long"
            } else {
                "There was no choice"
            };
            return vec![Block::sentence(format!("{why} at move {moveno}."))];
        };
        let position = self.position(last);
        let mut lines = vec![TextElement::Preformatted(self.heads())];
        lines.extend(decisions.iter().flat_map(|one| self.lines(one)));
        vec![
            picture(&position.diagram(self.view), Some(player_names(self.board))),
            Block::Text(lines),
            Block::sentence(self.explained()),
            for_programs(&*position, self.view),
        ]
    }

    /// How well a player has decided, and what the dice did for them.
    fn player(&self, seat: Seat) -> TextElement {
        let of = |is_play: bool| {
            let own = self.found.of_seat(seat).filter(move |one| one.is_play() == is_play);
            own.map(AnalysedDecision::cost).collect::<Vec<f32>>()
        };
        let (plays, cube) = (of(true), of(false));
        let [lost, about_cube] = [&plays, &cube].map(|costs| costs.iter().sum::<f32>());
        let each = if plays.is_empty() { 0.0 } else { lost / to_f32(plays.len()) };
        let mut words = vec![format!(
            "{} with a choice cost {} in all, {} each",
            Plural(plays.len(), "play"),
            self.number(lost),
            self.number(each)
        )];
        if !cube.is_empty() {
            let wrong = cube.iter().filter(|cost| **cost > 0.0).count();
            words.push(match wrong {
                0 => "no wrong decision about the cube".into(),
                _ => format!(
                    "{} about the cube cost {}",
                    Plural(wrong, "wrong decision"),
                    self.number(about_cube)
                ),
            });
        }
        words.push(format!("luck {}", self.signed(self.found.luck[seat.index()])));
        let name = format!("{} ({})", self.board.player(seat), self.board.side(seat));
        TextElement::Named(name.into(), words.join("; ") + ".")
    }

    /// The names of the columns below.
    fn heads(&self) -> String {
        let head = format!("{:<36}{:>8}", "", "worth");
        match self.found.unit {
            EvaluationUnit::Points => {
                format!("{head}{:>8}{:>10}{:>15}", "wins", "gammons", "gammons lost")
            }
            EvaluationUnit::Chances => format!("{:<36}{:>8}", "", "wins"),
        }
    }

    /// A decision, and the best ways to make it.
    fn lines(&self, decision: &AnalysedDecision) -> Vec<TextElement> {
        let AnalysedDecision { moveno, seat, best, done, .. } = decision;
        let dice = match decision.kind {
            DecisionKind::Play(roll) => format!(" {}", roll.higher_first()),
            DecisionKind::Double | DecisionKind::Answer => String::new(),
        };
        let cost = match decision.cost() {
            cost if cost > 0.0 => format!(" costs {}", self.number(cost)),
            _ => " is best".into(),
        };
        let side = self.board.side(*seat);
        let first = format!("{moveno:>3}. {side}{dice}: {}{cost}", self.worded(decision, done));
        let others = best.iter().chain((!best.contains(done)).then_some(done));
        let way = |way: &EvaluatedMove| {
            let mark = if way == done { '>' } else { ' ' };
            let line = format!("   {mark} {:<31}", self.worded(decision, way));
            line + &self.prospect(way)
        };
        [first].into_iter().chain(others.map(way)).map(TextElement::Preformatted).collect()
    }

    /// The prospect of a play, in the columns below [`AnalysisReport::heads`].
    fn prospect(&self, way: &EvaluatedMove) -> String {
        let [win, gammon, _, lost, _] = way.evaluation.odds.0;
        let percent = |share: f32| format!("{:.1} %", 100.0 * share);
        match self.found.unit {
            EvaluationUnit::Points => format!(
                "{:>8}{:>8}{:>10}{:>15}",
                self.signed(way.evaluation.value),
                percent(win),
                percent(gammon),
                percent(lost)
            ),
            EvaluationUnit::Chances => format!("{:>8}", percent(win)),
        }
    }

    /// A decision, made or possible, as its reader writes it.
    fn worded(&self, decision: &AnalysedDecision, way: &EvaluatedMove) -> String {
        match &way.text {
            Some(text) if text.is_empty() => "pass".into(),
            Some(text) if decision.is_play() => {
                self.board.game.text_for_viewer(self.view, decision.seat, text.clone())
            }
            Some(text) => text.clone(),
            None => "no double".into(),
        }
    }

    /// The board before a decision, with its lines: for a page.
    fn drawn(&self, decision: &AnalysedDecision) -> Vec<Block> {
        let position = self.position(decision);
        let lines =
            [self.heads()].into_iter().map(TextElement::Preformatted).chain(self.lines(decision));
        vec![
            Block::heading(format!("Move {}", decision.moveno)),
            picture(&position.diagram(self.view), Some(player_names(self.board))),
            Block::Text(lines.collect()),
        ]
    }

    /// The position before a decision.
    fn position(&self, decision: &AnalysedDecision) -> Box<dyn AnyPosition> {
        let mut position = self.board.start();
        let before = &self.record[..decision.entry_index];
        replay(&mut *position, before).expect("the record was folded when it was read");
        position
    }

    /// How to see a move, and what the numbers are.
    fn how(&self, moveno: usize) -> Block {
        let BoardId { game, number } = self.board.id;
        let cut = if self.found.is_truncated {
            "The game is so long that its end was not looked at. "
        } else {
            ""
        };
        Block::Text(vec![
            TextElement::Sentence(format!("{cut}{}", self.explained())),
            TextElement::Sentence("To see a move with its board, send the Subject".into()),
            TextElement::Command(format!("{game} analyse {number}#{moveno}")),
        ])
    }

    fn explained(&self) -> String {
        let unit = match self.found.unit {
            EvaluationUnit::Points => "points a game, as multiples of the cube where there is one",
            EvaluationUnit::Chances => "games won in a hundred",
        };
        format!(
            "All of this is the opinion of the program, which looks one roll ahead. Numbers are {unit}; \
             luck is how much more your rolls were worth than average ones."
        )
    }

    fn number(&self, value: f32) -> String {
        match self.found.unit {
            EvaluationUnit::Points => format!("{value:.3}"),
            EvaluationUnit::Chances => format!("{:.1} %", 50.0 * value),
        }
    }

    fn signed(&self, value: f32) -> String {
        let sign = if value < 0.0 { '-' } else { '+' };
        format!("{sign}{}", self.number(value.abs()))
    }
}

/// The beginning of a record, with so many moves.
fn entries(board: &Board, moves: usize) -> Vec<Entry> {
    let all = board.record.iter().map(|line| &line.entry);
    let until = all.clone().enumerate().filter(|(_, entry)| !entry.is_chance()).nth(moves);
    all.take(until.map_or(usize::MAX, |(at, _)| at)).cloned().collect()
}

/// A whole number that is not large.
fn to_f32(count: usize) -> f32 {
    f32::from(u16::try_from(count).unwrap_or(u16::MAX))
}
