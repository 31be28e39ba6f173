//! The first game of Malaka.

use super::lesson::{Lesson, PlayedMove, Reason, Step};

pub(super) static LESSON: Lesson = Lesson {
    game: "malaka",
    steps: [
        Step {
            title: "Into the corridor",
            position: "O 3 a1=OO a7=OO a8=OO a9=OO b1=OO c1=OO g9=XX h9=XX i1=XX i2=XX i3=XX i9=XX",
            rule: "You play O. Your men start on the left and race through the corridor to the upper \
                   right corner. At the lower left they go up.",
            task: "You rolled a 3. Move a man from a1, b1 or c1 three points up.",
            is_solved: |played| ["a1", "b1", "c1"].iter().any(|from| played.text.starts_with(from)),
            praise: "Right. A die moves one man by as many points as it shows.",
            reasons: &[Reason::otherwise(
                "That man was at the top of the corridor, where men go to the right. Move a man from \
                 a1, b1 or c1.",
            )],
        },
        Step {
            title: "Round the corner",
            position: "O 21 a4=OO a7=OO c8=O d6=OO g9=XX h9=XX i1=XX i2=XX i3=XX i9=XX",
            rule: "At the top left men go to the right, and in the next part they go down. You have \
                   two dice each turn, and one man may use both.",
            task: "You rolled 2-1. Move the man on c8 round the corner to d6.",
            is_solved: |played| played.leaves("d6=OOO"),
            praise: "Right. It went one point to the right with the 1 and two points down with the 2.",
            reasons: &[
                Reason {
                    fits: |played| played.text.contains("c8-e8"),
                    words: "With the 2 the man passes column d. Play the 1 first: c8 to d8.",
                },
                Reason {
                    fits: |played| played.text.contains("c8-d8"),
                    words: "The man on d8 is on its way. Let it go on to d6 with the 2.",
                },
                Reason::otherwise("The man on c8 has not moved. Choose it, then d6."),
            ],
        },
        Step {
            title: "Pin a man",
            position: "O 23 a4=OO a8=OO b6=OO d2=OO d8=X f1=OO g9=XX h9=XX i1=XX i2=XX i3=X i9=XX",
            rule: "If you land on a single enemy man, it is pinned: it cannot move until your men \
                   have left the point.",
            task: "You rolled 3-2. Pin the man on d8.",
            is_solved: |played| played.leaves("d8=XO"),
            praise: "Right. X cannot move that man until you go on.",
            reasons: &[
                Reason {
                    fits: |played| played.text.contains("d8-d6"),
                    words: "Your man only passed d8. Use the 2 for another man, and stay on d8.",
                },
                Reason::otherwise(
                    "The man on d8 is still free. Your men on a8 reach it with the 3.",
                ),
            ],
        },
        Step {
            title: "Leave no man alone",
            position: "O 21 a4=O a6=O b8=O c8=O d2=OO f1=OO f8=XX g9=XX h9=XX i1=XX i3=XX",
            rule: "X can pin a man of yours that is alone on its point. Two men on a point are safe: \
                   X cannot land there.",
            task: "You rolled 2-1. Play so that none of your men is alone.",
            is_solved: |played| !has_single_man(played),
            praise: "Right. Now X can pin nobody.",
            reasons: &[
                Reason {
                    fits: |played| played.leaves("c8=OO"),
                    words: "b8 to c8 is right. But the man on a4 is still alone.",
                },
                Reason {
                    fits: |played| played.leaves("a6=OO"),
                    words: "a4 to a6 is right. But the man on b8 is still alone.",
                },
                Reason::otherwise("Some men are still alone. Move a4 to a6 and b8 to c8."),
            ],
        },
        Step {
            title: "Jump over a wall",
            position: "O 31 d2=OO e5=OO f2=OO g9=XX h5=X h9=XX i1=XX i2=XX",
            rule: "A man may jump to the right across one wall, if it lands on a single enemy man. \
                   That man leaves the game.",
            task: "You rolled 3-1. Jump from e5 across the wall to h5.",
            is_solved: |played| played.text.contains("xh5"),
            praise: "Right. That man is out of the game.",
            reasons: &[Reason::otherwise(
                "The man on h5 is still there. The men on e5 reach it with the 3, across the wall.",
            )],
        },
        Step {
            title: "Connect and win",
            position: "O 21 a1=XX b2=XX c1=XX g9=OO h6=O h8=O h9=O i7=O i9=OO",
            rule: "You win when all your men are connected to the edge g9, h9, i9: one beside or \
                   below the other, without a gap.",
            task: "You rolled 2-1. Connect your men and win.",
            is_solved: PlayedMove::wins,
            praise: "You have won: all your men are connected to the edge.",
            reasons: &[
                Reason {
                    fits: |played| played.leaves("h6=O"),
                    words: "The man on h6 is cut off. Move it as well.",
                },
                Reason::otherwise("The man on i7 is cut off. Move it as well."),
            ],
        },
    ],
};

/// Returns whether a man of the learner is alone on its point.
fn has_single_man(played: &PlayedMove) -> bool {
    played.after.notation().split(' ').any(|place| place.ends_with("=O"))
}
