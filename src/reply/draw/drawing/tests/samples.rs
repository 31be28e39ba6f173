//! Sample boards of all games, with all kinds of marks.

use super::super::{
    ArrowKind, DrawOptions, Drawing, Ink, Link, Marks, MoveArrow, Orientation, draw, svg,
};
use games::{
    AnyPosition, Chance, Choices, Corner, Corridor, Cube, Diagram, DiceOnTable, Match, Next, Pile,
    Points, Rim, Seat, Spot, View, find,
};

/// A board to draw, with its marks.
#[derive(Clone)]
pub(super) struct Sample {
    pub(super) name: String,
    pub(super) diagram: Diagram,
    pub(super) names: [&'static str; 2],
    pub(super) beside: [&'static str; 2],
    pub(super) turn: Option<Seat>,
    pub(super) marks: Marks,
}

impl Sample {
    fn new(name: impl Into<String>, diagram: Diagram) -> Self {
        let (name, marks) = (name.into(), Marks::default());
        let names = ["alice", "bob"];
        Self { name, diagram, names, beside: [""; 2], turn: None, marks }
    }

    pub(super) fn drawn(&self, ink: Ink) -> String {
        self.oriented(ink, Orientation::upright(&self.diagram))
    }

    pub(super) fn oriented(&self, ink: Ink, orientation: Orientation) -> String {
        svg(&self.diagram, &self.options(ink, orientation))
    }

    pub(super) fn drawing(&self, ink: Ink) -> Drawing {
        draw(&self.diagram, &self.options(ink, Orientation::upright(&self.diagram)))
    }

    fn options(&self, ink: Ink, orientation: Orientation) -> DrawOptions<'_> {
        let Self { names, beside, turn, ref marks, .. } = *self;
        DrawOptions { names, beside, turn, marks, ink, orientation }
    }
}

fn options(game: &str, words: &[&str]) -> Choices {
    let game = find(game).unwrap();
    Choices::parse(game.spec().options, &[], words.iter().copied()).unwrap()
}

/// Returns the position after `moves` random moves.
fn walked(game: &str, words: &[&str], seed: u64, moves: usize) -> Box<dyn AnyPosition> {
    let mut position = find(game).unwrap().setup(&options(game, words));
    let mut chance = Chance::new(seed);
    let mut made = 0;
    loop {
        match position.next() {
            Next::Roll(throw) | Next::Ready(_, throw) => {
                position.roll(chance.roll(throw)).unwrap();
            }
            Next::Deal => {
                let stones = position.deal(&mut |limit| chance.below(limit));
                position.lay(stones).unwrap();
            }
            Next::Move(_) if made < moves => {
                let text = position.nth_move(chance.below(position.count())).unwrap();
                position.play(&text).unwrap();
                made += 1;
            }
            Next::Move(_) | Next::Over(_) => return position,
        }
    }
}

fn placed(game: &str, words: &[&str], notation: &str) -> Diagram {
    let position = find(game).unwrap().place(&options(game, words), notation).unwrap();
    position.diagram(&View::default())
}

fn link(spot: Spot) -> (Spot, Link) {
    let href = Some(format!("/board/17?play={spot}"));
    (spot, Link { href, label: format!("the man on {spot}") })
}

fn square(name: &str) -> Spot {
    let [file, rank] = *name.as_bytes() else { panic!("{name}") };
    Spot::Square(file - b'a' + 1, rank - b'0')
}

/// Returns boards of every game: at the start, in the middle, near the end.
fn of_all_games() -> Vec<Sample> {
    let mut samples = Vec::new();
    for game in games::GAMES {
        let name = game.spec().name;
        for moves in [0, 9, 40] {
            let position = walked(name, &[], 7, moves);
            let view = View { legal: true, ..View::default() };
            let turn = position.next().decider();
            let sample = Sample::new(format!("{name}-{moves}"), position.diagram(&view));
            samples.push(Sample { turn, ..sample });
        }
    }
    samples
}

/// Returns walled boards: pins and high piles, the large board, and an unfinished play.
fn corridors() -> Vec<Sample> {
    let pins = "O 14 a7=OOOO a1=OO b1=OOOOOOOOOOOO c1=OO e5=O e3=XO h5=X g9=XX h9=X i9=OXXX i3=X i2=XX i1=XX";
    let squares = |names: &[&str]| names.iter().map(|name| square(name)).collect::<Vec<_>>();
    let marks = Marks {
        last: vec![squares(&["h5", "h1", "d1"]), squares(&["g9", "e9"])],
        can: squares(&["a7", "b1", "c1"]).into_iter().map(link).collect(),
        chosen: Some(square("e5")),
        targets: squares(&["e3", "e4", "h5"]).into_iter().map(link).collect(),
        arrows: vec![
            arrow(ArrowKind::Played, squares(&["b1", "b5"])),
            arrow(ArrowKind::Best, squares(&["b1", "d1", "d5"])),
        ],
    };
    let pinned = Sample::new("malaka-pins", placed("malaka", &[], pins));
    let mut begun = pinned.diagram.clone();
    if let Diagram::Corridor(Corridor { dice: Some(dice), .. }) = &mut begun {
        dice.used = [1, 0];
    }
    let play = Sample {
        name: "malaka-play".into(),
        diagram: begun,
        marks,
        turn: Some(Seat(0)),
        beside: ["your turn", "2 days 4 h left"],
        ..pinned.clone()
    };
    let large = walked("malaka", &["-large", "-many"], 3, 60);
    let large = Sample::new("malaka-large", large.diagram(&View::default()));
    vec![pinned, play, Sample { turn: Some(Seat(1)), ..large }]
}

fn arrow(kind: ArrowKind, path: Vec<Spot>) -> MoveArrow {
    MoveArrow { kind, path }
}

fn pile(holder: u8, men: u8, pins: bool) -> Pile {
    Pile { holder: Some(Seat(holder)), men, pins }
}

fn points(first: Corner, rim: Rim, piles: &[(usize, Pile)]) -> Points {
    let mut board = Points {
        piles: [Pile::default(); 24],
        first,
        rim,
        off: [0; 2],
        men: [15; 2],
        pips: [167, 143],
        upper: Seat(u8::from(matches!(first, Corner::LowerLeft | Corner::LowerRight))),
        dice: None,
        cube: None,
        game_of: None,
        resigns: None,
    };
    for (point, pile) in piles {
        board.piles[point - 1] = *pile;
    }
    board
}

fn dice(show: &[u8]) -> DiceOnTable {
    DiceOnTable { faces: 6, show: show.to_vec(), is_double: show.len() == 1, used: [0; 2] }
}

/// Returns boards of 24 points: bars, trays, cubes, pins, high piles, all corners.
#[expect(clippy::too_many_lines, reason = "a list of boards")]
fn boards_of_points() -> Vec<Sample> {
    let late = points(
        Corner::LowerRight,
        Rim::Bar([2, 1]),
        &[
            (6, pile(0, 3, false)),
            (5, pile(0, 2, false)),
            (8, pile(0, 6, false)),
            (1, pile(1, 2, false)),
            (19, pile(1, 7, false)),
            (20, pile(1, 3, false)),
            (13, pile(0, 1, false)),
            (17, pile(1, 1, false)),
        ],
    );
    let game_of = Match {
        length: 7,
        score: [3, 2],
        is_crawford: false,
        game: 4,
        title: None,
        last: Some((Seat(0), 2)),
    };
    let cube = Cube { value: 2, owner: Some(Seat(0)), turned: None };
    let late = Points {
        off: [1, 1],
        dice: Some((Seat(0), dice(&[6, 2]))),
        cube: Some(cube),
        game_of: Some(game_of),
        ..late
    };
    let mark = |points: &[u8]| points.iter().map(|point| link(Spot::Point(*point))).collect();
    let turned = Points {
        dice: None,
        cube: Some(Cube { value: 16, owner: Some(Seat(1)), turned: Some(Seat(1)) }),
        ..late.clone()
    };
    let high = |first| {
        let board = points(first, Rim::Line, &[(1, pile(0, 15, false)), (13, pile(1, 15, false))]);
        let thrown = DiceOnTable { used: [3, 0], ..dice(&[5]) };
        Points { dice: Some((Seat(0), thrown)), ..board }
    };
    let pins = points(
        Corner::UpperRight,
        Rim::Bar([0; 2]),
        &[
            (1, pile(0, 4, false)),
            (9, pile(0, 2, true)),
            (15, pile(1, 4, true)),
            (18, pile(0, 8, true)),
            (22, pile(1, 1, true)),
            (24, pile(1, 7, false)),
        ],
    );
    let thrown = DiceOnTable { used: [0, 1], ..dice(&[6, 2]) };
    let used = Points { dice: Some((Seat(0), thrown)), ..late.clone() };
    let play = Sample {
        marks: Marks {
            last: vec![
                vec![Spot::Point(13), Spot::Point(20)],
                vec![Spot::Point(12), Spot::Point(17)],
            ],
            can: mark(&[6, 5]),
            chosen: Some(Spot::Point(8)),
            targets: [mark(&[2, 7, 17]), vec![link(Spot::Off)]].concat(),
            arrows: vec![
                arrow(ArrowKind::Played, vec![Spot::Point(8), Spot::Point(2)]),
                arrow(ArrowKind::Played, vec![Spot::Point(8), Spot::Point(2)]),
                arrow(ArrowKind::Best, vec![Spot::Point(8), Spot::Off]),
            ],
        },
        turn: Some(Seat(0)),
        beside: ["your turn", "away"],
        ..Sample::new("backgammon-play", Diagram::Points(used))
    };
    let enters = Sample {
        marks: Marks { can: vec![link(Spot::Bar)], targets: mark(&[23, 19]), ..Marks::default() },
        turn: Some(Seat(0)),
        ..Sample::new("backgammon-enter", Diagram::Points(late.clone()))
    };
    let resigned = Points {
        resigns: Some((Seat(1), 2)),
        cube: Some(Cube { value: 1, owner: None, turned: None }),
        off: [0, 13],
        ..late.clone()
    };
    let crawford = Points {
        game_of: Some(Match { is_crawford: true, ..game_of }),
        dice: Some((Seat(1), dice(&[4]))),
        ..late
    };
    let named = [
        ("backgammon-turned", turned),
        ("backgammon-resigned", resigned),
        ("backgammon-crawford", crawford),
        ("plakoto-pins", pins),
        ("moultezim-ur", high(Corner::UpperRight)),
        ("moultezim-ul", high(Corner::UpperLeft)),
        ("moultezim-lr", high(Corner::LowerRight)),
        ("moultezim-ll", high(Corner::LowerLeft)),
    ];
    let named = named.into_iter().map(|(name, board)| Sample::new(name, Diagram::Points(board)));
    [play, enters].into_iter().chain(named).collect()
}

/// Returns boards of tiles: hidden and never found lights, small boards, and one with links everywhere.
fn grids() -> Vec<Sample> {
    let seen = |name: &str, position: Box<dyn AnyPosition>| {
        Sample::new(name, position.diagram(&View::default()))
    };
    let mut pressed = seen("visiput-press", walked("visiput", &[], 5, 12));
    let all = (1..=9).flat_map(|file| (1..=9).map(move |rank| Spot::Square(file, rank)));
    pressed.marks.can = all.map(link).collect();
    let mut chosen = seen("reversi-chosen", walked("reversi", &[], 5, 12));
    chosen.marks.chosen = Some(square("c3"));
    chosen.names = ["alexandra_of_the_seven_mountains", "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW"];
    chosen.beside = ["your turn, 3 days 12 hours left", ""];
    let mut cells =
        Sample::new("hex-press", walked("hex", &["-size=5"], 5, 12).diagram(&View::default()));
    let all = (1..=5).flat_map(|file| (1..=5).map(move |rank| Spot::Square(file, rank)));
    cells.marks.can = all.map(link).collect();
    let mut man = seen("loa-chosen", walked("loa", &[], 5, 12));
    let played = walked("loa", &[], 5, 12).partial_move(&View::default(), &[]).unwrap();
    let chosen_man = played.next[0].from;
    let of_chosen = |step: &&games::NextStep| step.from == chosen_man;
    man.marks.chosen = chosen_man;
    man.marks.targets = played.next.iter().filter(of_chosen).map(|step| link(step.to)).collect();
    man.marks.can = played
        .next
        .iter()
        .filter(|step| !of_chosen(step))
        .filter_map(|step| step.from.map(link))
        .collect();
    let begun = walked("amazons", &[], 5, 30);
    let first = begun.partial_move(&View::default(), &[]).unwrap().next[3].words.clone();
    let shot = begun.partial_move(&View::default(), &[&first]).unwrap();
    let mut arrow = Sample::new("amazons-arrow", shot.diagram);
    arrow.marks.can = shot.next.iter().map(|step| link(step.to)).collect();
    vec![
        cells,
        man,
        arrow,
        seen("findthem-hidden", walked("findthem", &[], 5, 6)),
        seen("findthem-over", walked("findthem", &[], 5, 2000)),
        seen("life-two", walked("life", &["-mode=1"], 5, 30)),
        pressed,
        chosen,
    ]
}

pub(super) fn samples() -> Vec<Sample> {
    [of_all_games(), corridors(), boards_of_points(), grids()].concat()
}
