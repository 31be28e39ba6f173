//! The program's analysis of a game as the text of a mail. It is computed when a letter is printed, so
//! that no process that holds the home waits for it.

use super::judgement::{Judgement, LUCK, SideSummary, ValueFormat, Verdict, entries, move_text};
use crate::base::ids::BoardId;
use crate::base::words::Plural;
use crate::model::board::Board;
use crate::model::topic::Topic;
use crate::reply::AnswerContext;
use crate::reply::board_mail::board_section::{BoardViewer, for_programs, picture};
use crate::reply::board_mail::names::player_names;
use crate::reply::board_mail::state_sentence::headline;
use crate::reply::letters::{Block, OutgoingMail, TextElement};
use games::{AnalysedDecision, AnyPosition, DecisionKind, Entry, EvaluatedMove, Seat, View};
use games::{Choices, replay};
use serde::{Deserialize, Serialize};

/// The most decisions listed.
const MAX_ROWS: usize = 10;
/// The most decisions drawn on a page.
const MAX_DRAWN: usize = 3;

/// A game to be analysed when its letter is printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingAnalysis {
    /// The board, as its file has it.
    board: String,
    /// The seat whose view is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seat: Option<u8>,
    /// The viewer's settings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    settings: Vec<String>,
    /// The move to analyse; all moves without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moveno: Option<usize>,
    /// The last move to analyse in a game in progress; all moves without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<usize>,
}

/// Builds the answer to a user who asks for the analysis of a game or of one move.
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
    let reader = BoardViewer::at(at.world, board, seat);
    let subject = format!("Analysis: {} {}", board.game.spec().title, id.number);
    let analysed = PendingAnalysis { moveno, ..PendingAnalysis::for_reader(board, &reader) };
    let blocks =
        vec![Block::heading(headline(board, &reader.view)), Block::Analysis(Box::new(analysed))];
    let has_page = reader.wants_pages(at.world);
    OutgoingMail {
        topic: Some(Topic::Board(id)),
        has_page,
        ..OutgoingMail::answer(subject, blocks)
    }
}

/// Builds the analysis of a game in progress, up to a move.
pub(crate) fn so_far(board: &Board, reader: &BoardViewer, until: usize) -> Block {
    Block::Analysis(Box::new(PendingAnalysis {
        until: Some(until),
        ..PendingAnalysis::for_reader(board, reader)
    }))
}

/// Returns the blocks of a letter with every analysis computed, also those within other blocks; `None` if
/// there is no analysis.
pub fn run_analyses(blocks: &[Block]) -> Option<Vec<Block>> {
    if !has_analysis(blocks) {
        return None;
    }
    let run_within = |blocks: &[Block]| run_analyses(blocks).unwrap_or_else(|| blocks.to_vec());
    let analyse = |block: &Block| match block {
        Block::Analysis(pending) => pending.run(),
        Block::Shortened(blocks, most) => vec![Block::Shortened(run_within(blocks), *most)],
        Block::Routed(routed) => {
            let mut routed = routed.clone();
            routed.blocks = run_within(&routed.blocks);
            vec![Block::Routed(routed)]
        }
        other => vec![other.clone()],
    };
    Some(blocks.iter().flat_map(analyse).collect())
}

/// Returns whether the blocks of a letter have an analysis to compute, also within other blocks.
pub(crate) fn has_analysis(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| match block {
        Block::Analysis(_) => true,
        Block::Shortened(blocks, _) => has_analysis(blocks),
        Block::Routed(routed) => has_analysis(&routed.blocks),
        _ => false,
    })
}

impl PendingAnalysis {
    /// Builds the analysis of a whole board, for its reader.
    fn for_reader(board: &Board, reader: &BoardViewer) -> Self {
        Self {
            board: board.played().write(),
            seat: reader.view.seat.map(|seat| seat.0),
            settings: reader.view.settings.words().collect(),
            moveno: None,
            until: None,
        }
    }

    /// Computes the analysis.
    fn run(&self) -> Vec<Block> {
        let nothing = || vec![Block::sentence("This game could not be analysed.")];
        let Ok(board) = Board::read(&self.board) else { return nothing() };
        let words = self.settings.iter().map(String::as_str);
        let settings = Choices::of_settings(board.game.spec().settings, words).unwrap_or_default();
        let seat = self.seat.map(Seat).filter(|seat| Seat::BOTH.contains(seat));
        let record = entries(&board, self.until.unwrap_or(usize::MAX));
        let Some(judgement) = Judgement::of_board(&board, self.until) else { return nothing() };
        let view = View { seat, settings, legal: false };
        let report =
            AnalysisReport { board: &board, record: &record, view: &view, judgement: &judgement };
        match self.moveno {
            Some(moveno) => report.one_move(moveno),
            None => report.whole_game(self.until),
        }
    }
}

/// An analysis with its board and its reader.
struct AnalysisReport<'a> {
    board: &'a Board,
    record: &'a [Entry],
    view: &'a View,
    judgement: &'a Judgement,
}

impl AnalysisReport<'_> {
    /// Reports on the whole game: the decisions that lost most.
    fn whole_game(&self, until: Option<usize>) -> Vec<Block> {
        let players = Seat::BOTH.map(|seat| self.player(seat)).to_vec();
        let mut costly: Vec<&AnalysedDecision> =
            self.judgement.decisions().iter().filter(|one| is_listed(one)).collect();
        let all = costly.len();
        costly.sort_by(|a, b| b.cost().total_cmp(&a.cost()));
        costly.truncate(MAX_ROWS);
        let worst = costly.first().map_or(1, |one| one.moveno);
        let drawn = costly.iter().take(MAX_DRAWN).flat_map(|one| self.drawn(one)).collect();
        costly.sort_by_key(|one| one.entry_index);
        let mut blocks = vec![Block::Text(players)];
        if !costly.is_empty() {
            let cost = self.format().number(Verdict::Small.min_cost());
            let first = match all {
                1 => format!("1 decision lost {cost} or more:"),
                _ if all > MAX_ROWS => format!(
                    "{} lost {cost} or more. The {MAX_ROWS} that lost most:",
                    Plural(all, "decision")
                ),
                _ => format!("{} lost {cost} or more:", Plural(all, "decision")),
            };
            let mut lines =
                vec![TextElement::Sentence(first), TextElement::Preformatted(self.heads())];
            lines.extend(costly.iter().flat_map(|one| self.lines(one)));
            blocks.push(Block::Text(lines));
            blocks.push(Block::PageOnly(drawn));
        }
        blocks.push(match until {
            None => self.footer(worst),
            Some(_) => Block::sentence(self.explanation()),
        });
        blocks
    }

    /// Reports on one move.
    fn one_move(&self, moveno: usize) -> Vec<Block> {
        let decisions = self.judgement.at(moveno);
        let Some(last) = decisions.last() else {
            let why = if self.judgement.is_truncated() {
                "The game is too long to be analysed"
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
            Block::sentence(self.explanation()),
            for_programs(&*position, self.view),
        ]
    }

    /// Returns a player's losses by wrong decisions, and their luck.
    fn player(&self, seat: Seat) -> TextElement {
        let summary = self.judgement.summary(seat);
        let SideSummary { plays, lost, each, wrong_cube_decisions, lost_by_cube, luck, .. } =
            summary;
        let format = self.format();
        let mut words = vec![format!(
            "{} lost {} in all, {} each",
            Plural(plays, "unforced play"),
            format.number(lost),
            format.number(each)
        )];
        if summary.cube_decisions > 0 {
            words.push(match wrong_cube_decisions {
                0 => "no wrong cube decision".into(),
                wrong => format!(
                    "{} lost {}",
                    Plural(wrong, "wrong cube decision"),
                    format.number(lost_by_cube)
                ),
            });
        }
        words.push(format!("luck {}", format.signed(luck)));
        let name = format!("{} ({})", self.board.player(seat), self.board.side(seat));
        TextElement::Named(name.into(), words.join("; ") + ".")
    }

    /// Returns how values are written.
    fn format(&self) -> ValueFormat {
        ValueFormat(self.judgement.unit())
    }

    /// Returns what the numbers mean.
    fn explanation(&self) -> String {
        format!("{} {LUCK}", self.format().explanation())
    }

    /// Returns the heads of the columns.
    fn heads(&self) -> String {
        let heads = self.format().heads().iter().map(|head| (*head).to_owned());
        format!("{:<36}{}", "", aligned(heads))
    }

    /// Returns the rows of a decision: its cost, and the best moves.
    fn lines(&self, decision: &AnalysedDecision) -> Vec<TextElement> {
        let AnalysedDecision { moveno, seat, best, done, .. } = decision;
        let dice = match decision.kind {
            DecisionKind::Play(roll) => format!(" {}", roll.higher_first()),
            DecisionKind::Double | DecisionKind::Answer => String::new(),
        };
        let cost = match decision.cost() {
            cost if cost > 0.0 => {
                let verdict = match Verdict::of_cost(cost) {
                    Verdict::Fine => String::new(),
                    verdict => format!(" ({})", verdict.word()),
                };
                format!(" loses {}{verdict}", self.format().number(cost))
            }
            _ => " is best".into(),
        };
        let side = self.board.side(*seat);
        let first = format!("{moveno:>3}. {side}{dice}: {}{cost}", self.move_text(decision, done));
        let others = best.iter().chain((!best.contains(done)).then_some(done));
        let row = |choice: &EvaluatedMove| {
            let mark = if choice == done { '>' } else { ' ' };
            let line = format!("   {mark} {:<31}", self.move_text(decision, choice));
            line + &aligned(self.format().columns(&choice.evaluation))
        };
        [first].into_iter().chain(others.map(row)).map(TextElement::Preformatted).collect()
    }

    /// Returns a move as the reader writes it.
    fn move_text(&self, decision: &AnalysedDecision, choice: &EvaluatedMove) -> String {
        move_text(self.board.game, self.view, decision.seat, choice)
    }

    /// Draws the board before a decision, with its rows, for a page.
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

    /// Returns the position before a decision.
    fn position(&self, decision: &AnalysedDecision) -> Box<dyn AnyPosition> {
        let mut position = self.board.start();
        let before = &self.record[..decision.entry_index];
        replay(&mut *position, before).expect("the record was folded when it was read");
        position
    }

    /// Returns what the numbers mean and how to see a move.
    fn footer(&self, moveno: usize) -> Block {
        let BoardId { game, number } = self.board.id;
        let cut = if self.judgement.is_truncated() {
            "The game is too long: its end was not analysed. "
        } else {
            ""
        };
        Block::Text(vec![
            TextElement::Sentence(format!("{cut}{}", self.explanation())),
            TextElement::Sentence("To see a move with its board, send the Subject".into()),
            TextElement::Command(format!("{game} analyse {number}#{moveno}")),
        ])
    }
}

/// Returns whether a decision is listed: its cost is a small mistake at least.
fn is_listed(decision: &AnalysedDecision) -> bool {
    Verdict::of_cost(decision.cost()) > Verdict::Fine
}

/// Aligns texts to the right in the columns of a mail.
fn aligned(columns: impl IntoIterator<Item = String>) -> String {
    const WIDTHS: [usize; 4] = [8, 8, 10, 15];
    let padded = |(width, text): (&usize, String)| format!("{text:>width$}");
    WIDTHS.iter().zip(columns).map(padded).collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::letters::{RoutedBlocks, TextMedium, plain_text};

    #[test]
    fn an_analysis_within_other_blocks_is_computed() {
        let board = BoardId { game: "backgammon", number: 1 };
        let pending = PendingAnalysis {
            board: "no board".into(),
            seat: None,
            settings: Vec::new(),
            moveno: None,
            until: None,
        };
        let analysis = Block::Analysis(Box::new(pending));
        let routed = Block::Routed(Box::new(RoutedBlocks {
            board,
            subject: "Your turn: Backgammon 1".into(),
            tag: None,
            how_to_answer: None,
            blocks: vec![Block::sentence("The analysis:"), analysis.clone()],
        }));
        let shortened = Block::Shortened(vec![Block::Mark, routed.clone()], 1_000);
        for block in [analysis, routed, shortened] {
            let blocks = run_analyses(&[block]).unwrap();
            assert_eq!(run_analyses(&blocks), None);
            let text = plain_text::text(&blocks, TextMedium::Mail);
            assert!(text.contains("This game could not be analysed."), "{text}");
        }
        assert_eq!(run_analyses(&[Block::Mark]), None);
    }
}
