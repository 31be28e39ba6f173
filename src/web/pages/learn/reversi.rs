//! The first game of Reversi.

use super::lesson::{LEARNER, Lesson, PlayedMove, Reason, Step};
use games::{AnyPosition, Next, Outcome};

/// The corners of the board.
const CORNERS: [&str; 4] = ["a1", "a9", "i1", "i9"];

pub(super) static LESSON: Lesson = Lesson {
    game: "reversi",
    steps: [
        Step {
            title: "Close in",
            position: "G ........./........./........./...RG..../...GR..../........./........./\
                       ........./.........",
            rule: "You are green. Press a dark point so that red points lie in a line between it and \
                   another green point. They become green.",
            task: "Catch the red point on d6.",
            is_solved: |played| ["d7", "c6"].contains(&&*played.text),
            praise: "Right. d6 was between two green points, so it is green now.",
            reasons: &[Reason::otherwise(
                "That caught e5. Press the point above d6, or the one to its left.",
            )],
        },
        Step {
            title: "A whole row",
            position: "G ........./........./....R..../...RG..../.GRRR..../...GR..../........./\
                       ........./.........",
            rule: "All red points between two green ones are caught at once, if there is no gap.",
            task: "Catch three points with one move.",
            is_solved: |played| played.text == "f5",
            praise: "Right. c5, d5 and e5 were between b5 and f5.",
            reasons: &[Reason::otherwise(
                "That caught fewer than three. b5 is yours: close the row of red points beside it.",
            )],
        },
        Step {
            title: "Two lines at once",
            position: "G ........./........./..G.G..../..RRG..../..GGRR.../...RR..../...G...../\
                       ........./.........",
            rule: "A move catches in all eight directions: along rows, columns and diagonals.",
            task: "Catch three points on two different lines.",
            is_solved: |played| played.text == "e3",
            praise: "Right. e3 caught two points above it and one on the diagonal.",
            reasons: &[Reason::otherwise(
                "That caught points on one line only. Look for a point below the red ones.",
            )],
        },
        Step {
            title: "Take the corner",
            position: "G ........./........./....G..../..GGG..../..RGRR.../..RRG..../..G.R..../\
                       .RR....../.........",
            rule: "A corner cannot be caught back, because nothing lies behind it. Often a corner is \
                   worth more than many points.",
            task: "Take the corner a1.",
            is_solved: |played| played.text == "a1",
            praise: "Right. a1 is yours for the rest of the game.",
            reasons: &[Reason::otherwise(
                "That is legal, but the corner is open. Press a1: b2 lies between it and c3.",
            )],
        },
        Step {
            title: "Do not give a corner away",
            position: "G ........./........./......R../..G..G.../..GRR..../..GRGR.../..R....../\
                       ........./.........",
            rule: "A point beside an empty corner is dangerous: if you press it, the other side may \
                   take the corner.",
            task: "Play so that Red cannot take a corner with the next move.",
            is_solved: |played| !gives_corner(played),
            praise: "Right. Red reaches no corner now.",
            reasons: &[
                Reason {
                    fits: |played| played.text == "b2",
                    words: "b2 catches most, but now Red takes a1 and catches the diagonal back.",
                },
                Reason::otherwise("Now Red takes i9. Stay away from the points beside a corner."),
            ],
        },
        Step {
            title: "Count to the end",
            position: "G RRRRRRRRR/GGGGGGRRR/GGRGRRGGR/GGGRRGGGG/GGGRGGGGG/GRRGRGGRR/GRRRRRGR./\
                       GGRRRGRRG/GGGRRRRR.",
            rule: "The game ends when nobody can press a point. The side with more points wins.",
            task: "Two points are dark. Press the one with which you win.",
            is_solved: |played| always_wins(&*played.after),
            praise: "You have won: whatever Red does, you have more points at the end.",
            reasons: &[Reason::otherwise(
                "Now Red takes the corner i1 and has more points at the end. Take it yourself.",
            )],
        },
    ],
};

/// Returns whether the other side can take a corner next.
fn gives_corner(played: &PlayedMove) -> bool {
    played.after.moves().iter().any(|text| CORNERS.contains(&&**text))
}

/// Returns whether the learner wins against any play. The position must have few moves left.
fn always_wins(position: &dyn AnyPosition) -> bool {
    match position.next() {
        Next::Move(seat) => {
            let mut results =
                position.successors().into_iter().map(|(_, after)| always_wins(&*after));
            if seat == LEARNER { results.any(|wins| wins) } else { results.all(|wins| wins) }
        }
        Next::Over(Outcome::Won { by, .. }) => by == LEARNER,
        Next::Over(Outcome::Drawn { .. }) | Next::Roll(_) | Next::Deal | Next::Ready(..) => false,
    }
}
