//! The board as its player gets it with their other data.

use super::Board;
use crate::model::export::pretty;
use games::Seat;
use serde_json::{Value, json};

/// Returns a board's document without the opponent's secrets and without the observers, one record
/// entry per line.
pub(super) fn exported_text(board: &Board, seat: Seat) -> String {
    let mut value: Value =
        serde_json::from_str(&board.write()).expect("a board writes itself as JSON");
    let fields = value.as_object_mut().expect("a board has fields");
    fields.remove("observers");
    let other = seat.other().index();
    // A move that waits is secret until it is played.
    for (field, nothing) in [
        ("settings", json!([])),
        ("submitted", json!(null)),
        ("plans", json!(null)),
        ("plan_notes", json!(null)),
    ] {
        if let Some(of_other) = fields.get_mut(field).and_then(|both| both.get_mut(other)) {
            *of_other = nothing;
        }
    }
    // So is the fact that there is one.
    for field in ["submitted", "plans", "plan_notes"] {
        let both = fields.get(field).and_then(Value::as_array);
        if both.is_some_and(|both| both.iter().all(Value::is_null)) {
            fields.remove(field);
        }
    }
    let mut record = fields.remove("record");
    if board.is_hidden() {
        let entries = record.as_mut().and_then(Value::as_array_mut).into_iter().flatten();
        for laid in entries.filter_map(|entry| entry.get_mut("laid")) {
            *laid = json!("hidden");
        }
    }
    let record = record.as_ref().and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let lines: Vec<String> = record.iter().map(|entry| format!("    {entry}")).collect();
    let head = pretty(&value);
    let head = head.strip_suffix("\n}").expect("a board has fields");
    format!("{head},\n  \"record\": [\n{}\n  ]\n}}", lines.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::UserId;
    use crate::base::time::Time;
    use crate::model::board::{Plan, PlanEnd, PlanNote};
    use games::Choices;

    #[test]
    fn an_exported_board_contains_nothing_of_the_opponent() {
        let game = games::find("malaka").unwrap();
        let players = ["alice", "bob"].map(|user| UserId::parse(user).unwrap());
        let mut board = Board::new(game, 1, players, Choices::default(), Time::from_unix(1));
        let manual = || Choices::of_settings(game.spec().settings, ["-manual"]).unwrap();
        board.settings = [Choices::default(), manual()];
        assert!(!exported_text(&board, Seat(0)).contains("manual"));
        assert!(exported_text(&board, Seat(1)).contains("manual"));
        serde_json::from_str::<Value>(&exported_text(&board, Seat(0))).unwrap();

        let plan = |text: &str| Some(Plan::single(2, text.into(), true));
        board.plans = [plan("a1-a2"), plan("g9-g8")];
        board.submitted = [Some("b1-b2".into()), Some("h9-h8".into())];
        let note = |text: &str| {
            let end = Some(PlanEnd::Unplayed(text.into()));
            Some(PlanNote { end, ..PlanNote::default() })
        };
        board.plan_notes = [note("c1-c2"), note("i9-i8")];
        board.observers.push(UserId::parse("carol").unwrap());
        let [o, x] = Seat::BOTH.map(|seat| exported_text(&board, seat));
        for (mine, theirs, own) in
            [(&o, &x, ["a1-a2", "b1-b2", "c1-c2"]), (&x, &o, ["g9-g8", "h9-h8", "i9-i8"])]
        {
            assert!(own.iter().all(|text| mine.contains(text)), "{mine}");
            assert!(!own.iter().any(|text| theirs.contains(text)), "{theirs}");
            assert!(!mine.contains("carol"), "{mine}");
        }
        board.plans[0] = None;
        assert!(!exported_text(&board, Seat(0)).contains("\"plans\""));
    }
}
