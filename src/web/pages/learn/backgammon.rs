//! The first game of Backgammon.

use super::lesson::{Lesson, PlayedMove, Reason, Step};

pub(super) static LESSON: Lesson = Lesson {
    game: "backgammon",
    steps: [
        Step {
            title: "Run",
            position: "O 65 1=XX 6=OOOOO 8=OOO 12=XXXXX 13=OOOOO 17=XXX 19=XXXXX 24=OO",
            rule: "You play O. Your men go down from point 24 to point 1 and then off the board. \
                   Each of the two dice moves one man, and one man may use both.",
            task: "You rolled 6-5. Run with one man from 24 to 13.",
            is_solved: |played| played.leaves("13=OOOOOO"),
            praise: "Right. The man ran 6 points to 18 and 5 more to 13, where it is safe.",
            reasons: &[
                Reason {
                    fits: |played| played.text.starts_with("24-18"),
                    words: "The 6 led from 24 to 18. Let the same man go on with the 5.",
                },
                Reason::otherwise("Both men are still on 24. Move one of them to 18, then to 13."),
            ],
        },
        Step {
            title: "Make a point",
            position: "O 31 1=XX 6=OOOOO 8=OOO 12=XXXXX 13=OOOOO 17=XXX 19=XXXXX 24=OO",
            rule: "Two men on a point close it: the opponent cannot land there.",
            task: "You rolled 3-1. Bring two men to point 5.",
            is_solved: |played| played.leaves("5=OO"),
            praise: "Right. Point 5 is yours: it keeps your men safe and is in X's way.",
            reasons: &[
                Reason {
                    fits: |played| played.leaves("5=O"),
                    words: "One man alone on 5 can be hit. Bring a man from 8 and a man from 6.",
                },
                Reason::otherwise("Point 5 is empty. The 3 leads there from 8, the 1 from 6."),
            ],
        },
        Step {
            title: "Hit a blot",
            position: "O 42 1=X 4=X 6=OOOOO 8=OOO 12=XXXXX 13=OOOOO 17=XXX 19=XXXXX 24=OO",
            rule: "A man alone on its point is a blot. If you land on it, you hit it: it goes to the \
                   bar and must start again.",
            task: "You rolled 4-2. Hit the man on 4, and leave two men there.",
            is_solved: |played| played.leaves("4=OO"),
            praise: "Right. X starts again from the bar, and point 4 is closed.",
            reasons: &[
                Reason {
                    fits: |played| played.leaves("4=O"),
                    words: "You hit it, but your man alone on 4 can be hit back. Bring two men to 4.",
                },
                Reason {
                    fits: |played| played.text.contains('*'),
                    words: "You hit it, and left the point. Stay on 4 with two men.",
                },
                Reason::otherwise(
                    "The man on 4 is still there. The 4 leads there from 8, the 2 from 6.",
                ),
            ],
        },
        Step {
            title: "Come in from the bar",
            position: "O 52 1=XX 6=OOOO 8=OOO 12=XXXXX 13=OOOOO 17=XXX 19=XXXXX 20=O 24=O bar=O",
            rule: "Your man on the bar must come in before any other man moves: a die of 1 brings it \
                   to 24, a die of 6 to 19.",
            task: "You rolled 5-2. Come in so that two of your men are together on 20.",
            is_solved: |played| played.leaves("20=OO"),
            praise: "Right. You hold a point in X's home, where your men are safe.",
            reasons: &[
                Reason {
                    fits: |played| played.text.contains("bar-20"),
                    words: "You came in on 20, but a man left that point. Use the 2 elsewhere.",
                },
                Reason::otherwise("The 2 brought your man to 23. Come in with the 5, on 20."),
            ],
        },
        Step {
            title: "Bear off",
            position: "O 64 1=OO 2=OO 3=OO 4=OOO 5=OOO 6=OOO 19=XXX 20=XXX 21=XXX 22=XXX 23=XXX",
            rule: "When all your men are on points 1 to 6, you may take them off: a 6 from point 6, \
                   a 4 from point 4.",
            task: "You rolled 6-4. Take two men off.",
            is_solved: |played| played.leaves("off=OO"),
            praise: "Right. Thirteen men to go.",
            reasons: &[Reason::otherwise(
                "You took off one man. Use the 4 for a man on point 4, and take it off, too.",
            )],
        },
        Step {
            title: "The last men",
            position: "O 21 1=O 2=O 19=XXXXX 20=XXXXX 21=XXXXX off=OOOOOOOOOOOOO",
            rule: "You win when your last man is off the board.",
            task: "You rolled 2-1. Take both men off and win.",
            is_solved: PlayedMove::wins,
            praise: "You have won. X has not taken off a single man, so this is a gammon: two points.",
            reasons: &[Reason::otherwise(
                "A man is left. Use the 2 for the man on 2, and the 1 for the man on 1.",
            )],
        },
    ],
};
