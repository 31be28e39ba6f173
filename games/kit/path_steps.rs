//! Partial moves of games whose moves are paths over a board: a press is a path of one place, a man's
//! move one of two, and a path may go on. A turn may be several presses.

use super::partial_move::refusal;
use super::{Diagram, Game, MoveError, Next, NextStep, PartialMove, Seat, Spot, View, whole_moves};
use std::collections::HashSet;

/// Returns the partial move after these steps. Each step adds one place to the path; the first adds
/// two where a man moves. Where several moves have one path, such as promotions, they are listed once
/// the path is complete. Where a turn may be several moves, each step is one of them.
///
/// # Errors
/// The first step that was not offered.
pub(crate) fn partial_move<G: Game>(
    position: &G,
    view: &View,
    steps: &[&str],
) -> Result<PartialMove, MoveError> {
    let Next::Move(seat) = position.next() else {
        return whole_moves(position, view, steps);
    };
    if G::SPEC.manner.has_multi_move_turns {
        return press_by_press(position, seat, view, steps);
    }
    let moves = MovePaths::new(position);
    let (mut so_far, mut paths) = (Vec::new(), Vec::new());
    for words in steps {
        let next = moves.next(&so_far);
        let Some(step) = next.iter().find(|step| step.words == **words) else {
            let example = next.first().map(|step| step.words.clone());
            return Err(MoveError::Illegal(refusal(words, example)));
        };
        let path: Vec<Spot> = step.from.into_iter().chain([step.to]).collect();
        so_far.extend(&path);
        paths.push(path);
    }
    let complete = moves.complete(&so_far);
    let mut diagram = position.diagram(view);
    let (play, other_moves) = match &complete[..] {
        [only] if !steps.is_empty() => {
            if !G::SPEC.manner.is_blind() {
                let mut after = position.clone();
                after.play(only);
                diagram = after.diagram(view);
            }
            (Some(only.to_string()), Vec::new())
        }
        _ => {
            // The man waits where it has come to: for its next leap, or for its arrow.
            if let (Diagram::Board(board), false) = (&mut diagram, G::SPEC.manner.is_blind()) {
                board.move_man(&so_far);
            }
            (
                moves.only().filter(|_| steps.is_empty()).map(ToString::to_string),
                complete.iter().map(ToString::to_string).collect(),
            )
        }
    };
    Ok(PartialMove { diagram, paths, next: moves.next(&so_far), play, other_moves })
}

/// Returns the partial turn after these presses, each of which is a whole move, while the turn may be several
/// moves.
fn press_by_press<G: Game>(
    position: &G,
    seat: Seat,
    view: &View,
    steps: &[&str],
) -> Result<PartialMove, MoveError> {
    let mut at = position.clone();
    let mut paths = Vec::new();
    // A press is a path of one place; a turn that has begun goes on with presses alone.
    let presses = |at: &G| {
        let moves = if at.next() == Next::Move(seat) { at.moves() } else { Vec::new() };
        moves.into_iter().filter_map(|m| match G::path(&m)[..] {
            [to] => Some((NextStep { from: None, to, via: Vec::new(), words: m.to_string() }, m)),
            _ => None,
        })
    };
    for words in steps {
        let Some((step, m)) = presses(&at).find(|(step, _)| step.words == **words) else {
            let example = presses(&at).next().map(|(step, _)| step.words);
            return Err(MoveError::Illegal(refusal(words, example)));
        };
        paths.push(vec![step.to]);
        at.play(&m);
    }
    let next: Vec<NextStep> = presses(&at).map(|(step, _)| step).collect();
    let moves = if steps.is_empty() { at.moves() } else { Vec::new() };
    let other_moves = moves.iter().filter(|m| G::path(m).is_empty()).map(ToString::to_string);
    let play = match &moves[..] {
        [only] => Some(only.to_string()),
        _ => (!steps.is_empty()).then(|| steps.join(",")),
    };
    let (diagram, other_moves) = (at.diagram(view), other_moves.collect());
    Ok(PartialMove { diagram, paths, next, play, other_moves })
}

/// Returns the steps of men that can begin a move.
pub(crate) fn first_steps<G: Game>(position: &G) -> Vec<NextStep> {
    let mut steps = MovePaths::new(position).next(&[]);
    steps.retain(|step| step.from.is_some());
    steps
}

/// The legal moves of a position with their paths.
struct MovePaths<G: Game>(Vec<(Vec<Spot>, G::Move)>);

impl<G: Game> MovePaths<G> {
    fn new(position: &G) -> Self {
        Self(position.moves().into_iter().map(|m| (G::path(&m), m)).collect())
    }

    /// Returns the only legal move.
    fn only(&self) -> Option<&G::Move> {
        if let [(_, only)] = &self.0[..] { Some(only) } else { None }
    }

    /// Returns the moves whose path is complete after these places.
    fn complete(&self, so_far: &[Spot]) -> Vec<&G::Move> {
        self.0.iter().filter(|(path, _)| path == so_far).map(|(_, m)| m).collect()
    }

    /// Returns the steps that lead on from these places along some path, each once.
    fn next(&self, so_far: &[Spot]) -> Vec<NextStep> {
        let mut seen = HashSet::new();
        let rests = self.0.iter().filter_map(|(path, _)| path.strip_prefix(so_far));
        let step = |rest: &[Spot]| match *rest {
            [from, to, ..] if so_far.is_empty() => Some(NextStep {
                from: Some(from),
                to,
                via: Vec::new(),
                words: format!("{from}-{to}"),
            }),
            [to, ..] => Some(NextStep { from: None, to, via: Vec::new(), words: to.to_string() }),
            [] => None,
        };
        rests.filter_map(step).filter(|step| seen.insert(step.words.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::{Choices, Diagram, Outcome, Spec, TiledBoard};
    use std::fmt::{self, Display};

    /// A man that slides, may shoot afterwards, and may be promoted on c3.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Slides {
        played: Option<Slide>,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Slide(&'static str);

    impl Display for Slide {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    const MOVES: [&str; 6] = ["a1-b1", "a1-b1/a1", "a1-b1/c1", "a1-c3=Q", "a1-c3=N", "pass"];

    impl Game for Slides {
        type Move = Slide;

        const SPEC: Spec = Spec {
            name: "slides",
            title: "Slides",
            about: "a test",
            sides: ["O", "X"],
            help: "",
            ..Spec::PLAIN
        };

        fn setup(_options: &Choices) -> Self {
            Self { played: None }
        }

        fn place(_options: &Choices, _notation: &str) -> Result<Self, String> {
            Err("a test has no notation".into())
        }

        fn notation(&self) -> String {
            format!("{self:?}")
        }

        fn next(&self) -> Next {
            match self.played {
                None => Next::Move(Seat(0)),
                Some(_) => Next::Over(Outcome::Drawn { reason: "it is a test" }),
            }
        }

        fn moves(&self) -> Vec<Slide> {
            MOVES.map(Slide).to_vec()
        }

        fn spell(text: &str) -> Result<Slide, MoveError> {
            let found = MOVES.into_iter().find(|known| *known == text);
            found.map(Slide).ok_or(MoveError::Unreadable { at: 0, expected: "a move of the test" })
        }

        fn path(m: &Slide) -> Vec<Spot> {
            let places = m.0.split(['-', '/', '=']);
            places.filter_map(|name| name.parse().ok()).collect()
        }

        fn play(&mut self, m: &Slide) {
            self.played = Some(*m);
        }

        fn diagram(&self, _view: &View) -> Diagram {
            let mut board = TiledBoard::new(["O", "X"], 3, 3);
            board.last = self.played.iter().flat_map(Self::path).collect();
            Diagram::Board(board)
        }
    }

    fn after(steps: &[&str]) -> PartialMove {
        Slides { played: None }.partial_move(&View::default(), steps).unwrap()
    }

    fn words(of: &PartialMove) -> Vec<&str> {
        of.next.iter().map(|step| &*step.words).collect()
    }

    #[test]
    fn a_step_may_be_a_whole_move_and_go_on() {
        let start = after(&[]);
        assert_eq!(words(&start), ["a1-b1", "a1-c3"]);
        assert_eq!((start.play, start.other_moves), (None, vec!["pass".to_owned()]));
        let slid = after(&["a1-b1"]);
        assert_eq!((words(&slid), slid.play.as_deref()), (vec!["a1", "c1"], Some("a1-b1")));
        let shot = after(&["a1-b1", "c1"]);
        assert_eq!((words(&shot), shot.play.as_deref()), (vec![], Some("a1-b1/c1")));
        assert_eq!(shot.paths.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        let Diagram::Board(board) = shot.diagram else { panic!("it is a board of tiles") };
        assert_eq!(board.last.len(), 3);
    }

    #[test]
    fn moves_of_one_path_are_listed_at_its_end() {
        let there = after(&["a1-c3"]);
        assert_eq!((words(&there), &there.play), (vec![], &None));
        assert_eq!(there.other_moves, ["a1-c3=Q", "a1-c3=N"]);
    }

    #[test]
    fn other_steps_are_refused_with_an_example() {
        let slides = Slides { played: None };
        let refused =
            |steps: &[&str]| slides.partial_move(&View::default(), steps).unwrap_err().to_string();
        assert_eq!(refused(&["a1-a2"]), "a1-a2 cannot come next; a1-b1 can");
        assert_eq!(refused(&["a1-c3", "b1"]), "the play is complete before b1");
        assert_eq!(slides.first_steps(&View::default()).len(), 2);
        assert_eq!(Slides::paths("a1-b1/c1")[0].len(), 3);
        assert_eq!(Slides::paths("pass"), Vec::<Vec<Spot>>::new());
    }
}
