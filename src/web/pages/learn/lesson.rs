//! Lessons as data: positions, the moves that solve them, and the reasons why others do not.

use games::{AnyGame, AnyPosition, Choices, Next, Outcome, PartialMove, Seat, View};

/// The number of steps of a lesson.
pub(super) const STEPS: usize = 6;

/// The limit on the steps of one move in an address. A double moves four men.
const MAX_PARTS: usize = 8;

/// The learner's seat.
pub(super) const LEARNER: Seat = Seat(0);

/// A lesson: a first game in six steps.
pub(super) struct Lesson {
    /// The name of the game.
    pub(super) game: &'static str,
    pub(super) steps: [Step; STEPS],
}

/// A step of a lesson: one position, in which one move is asked for.
pub(super) struct Step {
    /// The heading.
    pub(super) title: &'static str,
    /// The position, in the notation of the game.
    pub(super) position: &'static str,
    /// The rule that the step teaches.
    pub(super) rule: &'static str,
    /// The move that is asked for.
    pub(super) task: &'static str,
    /// Whether a move solves the step.
    pub(super) is_solved: fn(&PlayedMove) -> bool,
    /// What is said about a move that solves it.
    pub(super) praise: &'static str,
    /// The reasons why other moves do not. The first that fits is given; the last fits all moves.
    pub(super) reasons: &'static [Reason],
}

/// A reason why some moves do not solve a step.
pub(super) struct Reason {
    /// Whether it applies to a move.
    pub(super) fits: fn(&PlayedMove) -> bool,
    /// The words for the learner.
    pub(super) words: &'static str,
}

impl Reason {
    /// Returns a reason for the moves that have no other reason.
    pub(super) const fn otherwise(words: &'static str) -> Self {
        Self { fits: |_| true, words }
    }
}

/// A whole move, and the position after it.
pub(super) struct PlayedMove {
    /// The move in canonical notation.
    pub(super) text: String,
    /// The position after it.
    pub(super) after: Box<dyn AnyPosition>,
}

impl PlayedMove {
    /// Returns whether the position after the move has this place, such as ` 5=OO`.
    pub(super) fn leaves(&self, place: &str) -> bool {
        format!("{} ", self.after.notation()).contains(&format!(" {place} "))
    }

    /// Returns whether the move has won the game.
    pub(super) fn wins(&self) -> bool {
        matches!(self.after.next(), Next::Over(Outcome::Won { by: LEARNER, .. }))
    }
}

/// What a move was worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It solves the step, and this is why.
    Solved(&'static str),
    /// It does not, and this is why.
    Wrong(&'static str),
}

/// A step with the part of a move that the learner has made.
pub(super) struct Attempt {
    /// The move so far.
    pub(super) partial: PartialMove,
    /// The parts of the move, as they are written in an address.
    pub(super) parts: Vec<String>,
    /// The verdict, once the move is complete.
    pub(super) verdict: Option<Verdict>,
}

impl Lesson {
    pub(super) fn game(&self) -> &'static dyn AnyGame {
        games::find(self.game).expect("a lesson names a game")
    }
}

impl Step {
    /// Returns the position in which the step begins.
    pub(super) fn start(&self, game: &dyn AnyGame) -> Box<dyn AnyPosition> {
        let placed = game.place(&Choices::default(), self.position);
        placed.expect("the position of a step is in the notation of its game")
    }

    /// Judges a whole move.
    pub(super) fn judge(&self, played: &PlayedMove) -> Verdict {
        if (self.is_solved)(played) {
            return Verdict::Solved(self.praise);
        }
        let reason = self.reasons.iter().find(|reason| (reason.fits)(played));
        Verdict::Wrong(reason.expect("the last reason fits all moves").words)
    }

    /// Makes the parts of a move, and judges it once it is complete. Parts that the rules do not
    /// offer are dropped, with all parts after them.
    pub(super) fn attempt(&self, game: &dyn AnyGame, parts: &str) -> Attempt {
        let position = self.start(game);
        let view = learner_view();
        let mut parts: Vec<&str> =
            parts.split(',').filter(|part| !part.is_empty()).take(MAX_PARTS).collect();
        let shown = (0..=parts.len()).rev().find_map(|kept| {
            let partial = position.partial_move(&view, &parts[..kept]).ok()?;
            Some((kept, partial))
        });
        let (kept, partial) = shown.expect("a move without parts can always be shown");
        parts.truncate(kept);
        let played = partial.play.as_deref().filter(|_| !parts.is_empty());
        let played = played.and_then(|text| play(&*position, text));
        let parts = parts.into_iter().map(str::to_owned).collect();
        let verdict = played.as_ref().map(|played| self.judge(played));
        Attempt { partial, parts, verdict }
    }
}

/// Returns how the learner sees a board.
pub(super) fn learner_view() -> View {
    View { seat: Some(LEARNER), settings: Choices::default(), legal: true }
}

/// Plays a whole move.
pub(super) fn play(position: &dyn AnyPosition, text: &str) -> Option<PlayedMove> {
    let mut after = position.copy();
    let text = after.play(text).ok()?;
    Some(PlayedMove { text, after })
}

#[cfg(test)]
mod tests {
    use super::super::LESSONS;
    use super::*;
    use std::fmt::Write as _;

    /// Visits each legal move of each step, in which it is the learner's turn, with its verdict.
    fn every_move(mut visit: impl FnMut(&str, &Step, &str, Verdict)) {
        for lesson in LESSONS {
            for step in &lesson.steps {
                let start = step.start(lesson.game());
                assert_eq!(start.next(), Next::Move(LEARNER), "{}, {}", lesson.game, step.title);
                for text in start.moves() {
                    let played = play(&*start, &text).expect("a listed move is legal");
                    visit(lesson.game, step, &text, step.judge(&played));
                }
            }
        }
    }

    #[test]
    fn each_step_has_reasons_and_each_reason_is_given_for_some_move() {
        let mut given: Vec<&str> = Vec::new();
        every_move(|_, _, _, verdict| {
            if let Verdict::Wrong(words) = verdict {
                given.push(words);
            }
        });
        for step in LESSONS.iter().flat_map(|lesson| &lesson.steps) {
            assert!(!step.reasons.is_empty(), "{}: every move solves it", step.title);
            for reason in step.reasons {
                assert!(given.contains(&reason.words), "{}: {}", step.title, reason.words);
            }
        }
    }

    #[test]
    fn exactly_these_moves_solve_the_steps() {
        let mut solved = String::new();
        every_move(|game, step, text, verdict| {
            if matches!(verdict, Verdict::Solved(_)) {
                let _ = writeln!(solved, "{game}: {}: {text}", step.title);
            }
        });
        let expected = "\
            malaka: Into the corridor: a1-a4\n\
            malaka: Into the corridor: b1-b4\n\
            malaka: Into the corridor: c1-c4\n\
            malaka: Round the corner: c8-d8,d8-d6\n\
            malaka: Pin a man: a4-a6,a8-d8\n\
            malaka: Pin a man: a8-c8,a8-d8\n\
            malaka: Pin a man: a8-d8,b6-b8\n\
            malaka: Pin a man: a8-d8,d2-f2\n\
            malaka: Pin a man: a8-d8,f1-h1\n\
            malaka: Leave no man alone: a4-a6,b8-c8\n\
            malaka: Jump over a wall: d2-e2,e5xh5\n\
            malaka: Jump over a wall: e5-e4,e5xh5\n\
            malaka: Jump over a wall: e5xh5,f2-g2\n\
            malaka: Jump over a wall: e5xh5,h5-h6\n\
            malaka: Connect and win: h6-h7,i7-i9\n\
            malaka: Connect and win: h6-h8,i7-i8\n\
            backgammon: Run: 24-18,18-13\n\
            backgammon: Make a point: 8-5,6-5\n\
            backgammon: Hit a blot: 8-4*,6-4\n\
            backgammon: Come in from the bar: bar-20,24-22\n\
            backgammon: Come in from the bar: bar-20,13-11\n\
            backgammon: Come in from the bar: bar-20,8-6\n\
            backgammon: Come in from the bar: bar-20,6-4\n\
            backgammon: Bear off: 6-off,4-off\n\
            backgammon: The last men: 2-off,1-off\n\
            reversi: Close in: d7\n\
            reversi: Close in: c6\n\
            reversi: A whole row: f5\n\
            reversi: Two lines at once: e3\n\
            reversi: Take the corner: a1\n\
            reversi: Do not give a corner away: e6\n\
            reversi: Do not give a corner away: f5\n\
            reversi: Do not give a corner away: g4\n\
            reversi: Do not give a corner away: e3\n\
            reversi: Do not give a corner away: c2\n\
            reversi: Count to the end: i1\n";
        assert_eq!(solved, expected);
    }

    /// A learner who clicks only what is offered can make every solving move.
    #[test]
    fn each_step_is_solved_by_clicks() {
        for lesson in LESSONS {
            for step in &lesson.steps {
                let mut open = vec![String::new()];
                let mut is_solved = false;
                while let Some(parts) = open.pop() {
                    let attempt = step.attempt(lesson.game(), &parts);
                    assert_eq!(attempt.parts.join(","), parts, "an offered part is dropped");
                    match attempt.verdict {
                        Some(Verdict::Solved(_)) => is_solved = true,
                        Some(Verdict::Wrong(_)) => {}
                        None => open.extend(
                            attempt
                                .partial
                                .next
                                .iter()
                                .map(|next| {
                                    let parts = [&parts, &*next.words].map(str::to_owned);
                                    parts
                                        .into_iter()
                                        .filter(|it| !it.is_empty())
                                        .collect::<Vec<_>>()
                                })
                                .map(|parts| parts.join(",")),
                        ),
                    }
                }
                assert!(is_solved, "{}: {}", lesson.game, step.title);
            }
        }
    }

    #[test]
    fn parts_that_are_not_offered_are_dropped() {
        let (lesson, step) = (&LESSONS[0], &LESSONS[0].steps[1]);
        for (parts, kept) in [
            ("", ""),
            ("nonsense", ""),
            ("c8-d8,nonsense", "c8-d8"),
            ("c8-d8,nonsense,d8-d6", "c8-d8"),
            (",,c8-d8,", "c8-d8"),
            ("c8-d8,d8-d6,d6-d5", "c8-d8,d8-d6"),
        ] {
            assert_eq!(step.attempt(lesson.game(), parts).parts.join(","), kept, "{parts}");
        }
        let endless = "c8-d8,".repeat(10_000);
        assert_eq!(step.attempt(lesson.game(), &endless).parts, ["c8-d8"]);
    }
}
