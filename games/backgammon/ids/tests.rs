use super::*;

const O: Seat = Seat(0);
const X: Seat = Seat(1);

fn start() -> IdPosition {
    let mut men = [0; PLACES];
    (men[23], men[12], men[7], men[5]) = (2, 5, 3, 5);
    IdPosition {
        men: [men; 2],
        on_roll: X,
        stage: IdStage::Ready,
        cube: 1,
        owner: None,
        length: 0,
        score: [0, 0],
        crawford: false,
        jacoby: false,
        beavers: false,
        resigns: None,
    }
}

#[test]
fn positions_are_named_as_gnu_backgammon_names_them() {
    let manual = IdPosition {
        stage: IdStage::Dice(5, 2),
        cube: 2,
        owner: Some(O),
        length: 9,
        score: [2, 4],
        ..start()
    };
    for (snapshot, id) in [
        (IdPosition { jacoby: true, ..start() }, "cAkAAAAAAAAA"),
        (start(), "cAkAAAAAAAAE"),
        (manual, "QYkqASAAIAAE"),
    ] {
        assert_eq!(snapshot.position_id(), "4HPwATDgc/ABMA");
        assert_eq!(snapshot.match_id(), id);
        assert_eq!(IdPosition::of_ids("4HPwATDgc/ABMA", id), Ok(snapshot));
    }
    // The manual's older example has no 67th bit.
    let read = IdPosition::of_ids("4HPwATDgc/ABMA", "QYkqASAAIAAA").unwrap();
    assert_eq!((read.score, read.length, read.owner, read.cube), ([2, 4], 9, Some(O), 2));
    assert_eq!((read.stage, read.on_roll), (IdStage::Dice(5, 2), X));
}

#[test]
fn positions_are_named_as_extreme_gammon_names_them() {
    let text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10";
    let read = IdPosition::of_xgid(&text[5..]).unwrap();
    assert_eq!(read.xgid(), text);
    assert_eq!(
        read,
        IdPosition { stage: IdStage::Dice(5, 2), jacoby: true, beavers: true, ..start() }
    );
    assert_eq!((&*read.position_id(), &*read.match_id()), ("4HPwATDgc/ABMA", "cIkKAAAAAAAA"));
}

#[test]
fn every_field_comes_back() {
    let mut men = [[0; PLACES]; 2];
    (men[0][0], men[0][24], men[0][11]) = (9, 1, 4);
    (men[1][24], men[1][3], men[1][14]) = (2, 7, 1);
    let stages = [
        IdStage::Ready,
        IdStage::Dice(6, 6),
        IdStage::Dice(1, 4),
        IdStage::Doubled,
        IdStage::Beavered,
    ];
    for (index, stage) in stages.into_iter().enumerate() {
        for on_roll in Seat::BOTH {
            let money = IdPosition {
                men,
                on_roll,
                stage,
                cube: 8,
                owner: Some(if stage == IdStage::Beavered { on_roll.other() } else { on_roll }),
                jacoby: index % 2 == 1,
                score: [3, 1],
                ..start()
            };
            let game = IdPosition { length: 25, crawford: true, jacoby: false, ..money.clone() };
            for snapshot in [money, game] {
                let (place, id) = (snapshot.position_id(), snapshot.match_id());
                assert_eq!((place.len(), id.len()), (14, 12));
                assert_eq!(IdPosition::of_ids(&place, &id), Ok(snapshot.clone()));
                assert_eq!(IdPosition::of_xgid(&snapshot.xgid()[5..]), Ok(snapshot.clone()));
                let resigns = Some((on_roll, 2));
                let offer = IdPosition { stage: IdStage::Ready, resigns, ..snapshot };
                let again = IdPosition::of_ids(&offer.position_id(), &offer.match_id());
                assert_eq!(again, Ok(offer));
            }
        }
    }
}

#[test]
fn what_is_no_name_is_told() {
    for (position, game, why) in [
        ("4HPwATDgc/ABM", "cAkAAAAAAAAA", "`4HPwATDgc/ABM` is not a position ID"),
        ("4HPwATDgc/ABMA", "cAkA", "`cAkA` is not a match ID, which has 12"),
        ("4HPwATDgc/ABM\u{e9}", "cAkAAAAAAAAA", "is not a position ID"),
        ("//////////////", "cAkAAAAAAAAA", "a side has more than 15 men"),
        ("4HPwATDgc/ABMA", "cAoAAAAAAAAA", "is over"),
        ("4HPwATDgc/ABMA", "IAkAAAAAAAAA", "names a player"),
    ] {
        let answer = IdPosition::of_ids(position, game).unwrap_err();
        assert!(answer.contains(why), "{answer}");
    }
    for (text, why) in [
        ("", "nine fields"),
        ("-b----E-C---eE---c-e----B:0:0:1:52:0:0:3:0:10", "26 characters"),
        ("Ab----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10", "`A` cannot stand there"),
        ("-b----E-C---eE---c-e----B-:x:0:1:52:0:0:3:0:10", "the cube is not a number: `x`"),
        ("-b----E-C---eE---c-e----B-:99:0:1:52:0:0:3:0:10", "too high"),
        ("-b----E-C---eE---c-e----B-:0:2:1:52:0:0:3:0:10", "owner must be 1, -1 or 0"),
        ("-b----E-C---eE---c-e----B-:0:0:0:52:0:0:3:0:10", "the turn must be 1 or -1"),
        ("-b----E-C---eE---c-e----B-:0:0:1:57:0:0:3:0:10", "not `57`"),
    ] {
        let answer = IdPosition::of_xgid(text).unwrap_err();
        assert!(answer.contains(why), "{answer}");
    }
}
