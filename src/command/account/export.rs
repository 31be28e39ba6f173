//! `export`: everything stored about a user, as JSON.

use crate::base::ids::UserId;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, UserProof, Verb, VerbScope,
    authenticate,
};
use crate::model::board::Board;
use crate::model::user::User;
use crate::model::world::{World, seeks_key};
use crate::refusal::Refusal;
use crate::reply::AccountAnswer;
use games::{AnyGame, Seat};
use serde_json::{Value, json};

pub(crate) const VERB: Verb = Verb {
    name: "export",
    aliases: &[],
    scope: VerbScope::Server,
    usage: "<userid> <password>",
    about: "get everything stored about you, as JSON, at your registered address",
    reply: None,
    parse,
};

#[derive(Debug)]
struct ExportCommand {
    user: UserId,
    proof: UserProof,
}

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (user, proof) = words.player()?;
    words.expect_end()?;
    Ok(Box::new(ExportCommand { user, proof }))
}

impl Command for ExportCommand {
    fn needs(&self) -> Needs {
        let games: Vec<_> = games::names().collect();
        let open = games.iter().map(|game| seeks_key(game)).collect();
        let boards = Needs::BoardsOfUsers(vec![self.user.clone()], games);
        let talks = Needs::ChatsOf(self.user.clone());
        Needs::All(vec![boards, Needs::Keys(open), talks])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate(world, &self.user, &self.proof, None, cx)?;
        let boards = user.active.iter().chain(&user.finished);
        let boards = boards.filter_map(|id| {
            let board = world.board(*id).ok()?;
            Some(export_board(board, board.seat(&user.id)?))
        });
        let boards: Vec<String> = boards.collect();
        let text = format!(
            "{{\n\"user\": {},\n{}{}\"boards\": [\n{}\n]\n}}\n",
            pretty(&redact_secrets(user)),
            export_seeks(world, user),
            export_messages(world, user),
            boards.join(",\n")
        );
        let user = user.id.clone();
        Ok(AccountAnswer::Export { user, text }.into())
    }
}

/// Returns the user's document without its password hash and the tags of codes and keys.
pub(crate) fn redact_secrets(user: &User) -> Value {
    let mut value = serde_json::to_value(user).expect("a user has only plain values");
    if let Some(fields) = value.as_object_mut() {
        fields.remove("password");
    }
    for field in ["words", "keys"] {
        let secrets = value.get_mut(field).and_then(Value::as_array_mut);
        for secret in secrets.into_iter().flatten().filter_map(Value::as_object_mut) {
            secret.remove("tag");
        }
    }
    value
}

/// Returns the fields for the user's open challenges and for the games whose new boards they are
/// notified of, if any.
fn export_seeks(world: &World, user: &User) -> String {
    let (mut seeks, mut notify) = (serde_json::Map::new(), Vec::new());
    for game in games::names() {
        let Ok(open) = world.seeks(game) else { continue };
        let (seek, hears) = open.export(&user.id);
        seeks.extend(seek.map(|seek| (game.to_owned(), seek)));
        notify.extend(hears.then_some(game));
    }
    let mut text = String::new();
    if !seeks.is_empty() {
        text = format!("\"seeks\": {},\n", pretty(&Value::Object(seeks)));
    }
    if !notify.is_empty() {
        text = format!("{text}\"notify\": {},\n", json!(notify));
    }
    text
}

/// Returns the field for the user's messages on boards, if any.
fn export_messages(world: &World, user: &User) -> String {
    let mut talks = serde_json::Map::new();
    for id in user.active.iter().chain(&user.finished) {
        let seat = world.board(*id).ok().and_then(|board| board.seat(&user.id));
        let own = world.chat(*id).iter().filter(|said| seat == Some(Seat(said.by)));
        let own: Vec<Value> = own.map(|said| json!({"at": said.at, "words": said.words})).collect();
        if !own.is_empty() {
            talks.insert(id.to_string(), json!(own));
        }
    }
    if talks.is_empty() {
        return String::new();
    }
    format!("\"said\": {},\n", pretty(&Value::Object(talks)))
}

/// Returns a board's document without the opponent's secrets and without the observers, one record
/// entry per line.
fn export_board(board: &Board, seat: Seat) -> String {
    let mut value: Value =
        serde_json::from_str(&board.write()).expect("a board writes itself as JSON");
    let fields = value.as_object_mut().expect("a board has fields");
    fields.remove("observers");
    let other = seat.other().index();
    // A move that waits is secret until it is played.
    for (field, nothing) in [
        ("settings", json!([])),
        ("submitted", json!(null)),
        ("queued", json!(null)),
        ("dropped", json!(null)),
    ] {
        if let Some(of_other) = fields.get_mut(field).and_then(|both| both.get_mut(other)) {
            *of_other = nothing;
        }
    }
    // So is the fact that there is one.
    for field in ["submitted", "queued", "dropped"] {
        let both = fields.get(field).and_then(Value::as_array);
        if both.is_some_and(|both| both.iter().all(Value::is_null)) {
            fields.remove(field);
        }
    }
    let mut record = fields.remove("record");
    if board.game.spec().manner.secret && !board.is_over() {
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

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("a JSON value can be written")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::chance::ScriptedRandom;
    use crate::base::time::Time;
    use crate::mail::Address;
    use crate::model::board::QueuedMove;
    use crate::model::one_time_code::{CodePurpose, OneTimeCode, PendingCode};
    use crate::model::user::UserEvent;
    use games::Choices;

    #[test]
    fn an_export_contains_no_secrets_and_nothing_of_the_opponent() {
        let alice = UserId::parse("alice").unwrap();
        let address = Address::parse("alice@example.org").unwrap();
        let mut user =
            User::new(alice.clone(), "$argon2id$hash".into(), vec![address], Time::from_unix(5));
        let word = OneTimeCode::new(&alice, &mut ScriptedRandom::counting());
        let pending = PendingCode::new(&word, &alice, CodePurpose::Password, Time::from_unix(9));
        let kept = serde_json::to_value(&pending).unwrap();
        user.apply(&UserEvent::CodeMailed(pending));
        let text = pretty(&redact_secrets(&user));
        let tag = kept["tag"].as_str().unwrap();
        assert!(!text.contains("argon2") && !text.contains(tag), "{text}");
        assert!(text.contains("alice@example.org") && text.contains("\"for\": \"password\""));

        let game = games::find("malaka").unwrap();
        let players = [alice, UserId::parse("bob").unwrap()];
        let mut board = Board::new(game, 1, players, Choices::default(), Time::from_unix(1));
        let manual = || Choices::of_settings(game.spec().settings, ["-manual"]).unwrap();
        board.settings = [Choices::default(), manual()];
        assert!(!export_board(&board, Seat(0)).contains("manual"));
        assert!(export_board(&board, Seat(1)).contains("manual"));
        serde_json::from_str::<Value>(&export_board(&board, Seat(0))).unwrap();

        let queued = |text: &str| Some(QueuedMove { text: text.into(), moveno: None });
        board.queued = [queued("a1-a2"), queued("g9-g8")];
        board.submitted = [Some("b1-b2".into()), Some("h9-h8".into())];
        board.dropped = [Some("c1-c2".into()), Some("i9-i8".into())];
        board.observers.push(UserId::parse("carol").unwrap());
        let [o, x] = Seat::BOTH.map(|seat| export_board(&board, seat));
        for (mine, theirs, own) in
            [(&o, &x, ["a1-a2", "b1-b2", "c1-c2"]), (&x, &o, ["g9-g8", "h9-h8", "i9-i8"])]
        {
            assert!(own.iter().all(|text| mine.contains(text)), "{mine}");
            assert!(!own.iter().any(|text| theirs.contains(text)), "{theirs}");
            assert!(!mine.contains("carol"), "{mine}");
        }
        board.queued[0] = None;
        assert!(!export_board(&board, Seat(0)).contains("queued"));
    }
}
