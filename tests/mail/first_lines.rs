//! The table of first lines: what people write above the quoted mail of a board, and the effect of
//! each reply.
//!
//! `tests/mail/first_lines.txt` has the rows. A section begins with `== <game>` and the script that
//! leads to the position; the last `as` in the script names the player who replies. The rows follow
//! `--`: the reply, with `\n` for a line end, and after `=>` its result.
//!
//! ```text
//! plays <moves>     these moves are added to the record, in its notation
//! rolls             the dice are rolled
//! resigns [<stake>] the player resigns the board, or the game for a stake
//! offers <what>     the player offers a draw or an undo
//! draws             the board ends in a draw by agreement
//! takes back        moves are taken back
//! rejects           the offer is rejected
//! says <verb>       the verb is executed, and nothing changes
//! refused           the reply is read as a move or a verb, which is refused
//! asks <kind>       no move or verb is recognised: the kind of the refusal
//! ```
//!
//! After `+` comes the part of the reply that the opponent reads.

use crate::support::letters::read;
use crate::support::script::ScriptHome;
use games::{Entry, GAMES, View};
use postboard::base::ids::BoardId;
use postboard::mail::{Address, parse};
use postboard::model::board::{Board, ClosedBy, Proposal};
use postboard::model::token::ReplyTag;
use postboard::server::requests::{self, ReplyContext};
use std::fs;

/// A row of the table with its section.
struct Row {
    game: &'static str,
    setup: String,
    line: String,
    number: usize,
    body: String,
    want: String,
}

fn rows() -> Vec<Row> {
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mail/first_lines.txt");
    let table = fs::read_to_string(table).unwrap();
    let (mut rows, mut game, mut setup, mut in_rows) = (Vec::new(), "", String::new(), false);
    for (number, line) in (1..).zip(table.lines()) {
        if let Some(name) = line.strip_prefix("== ") {
            game = games::find(name).expect("a section names a game").spec().name;
            (setup, in_rows) = (String::new(), false);
        } else if line == "--" {
            in_rows = true;
        } else if line.is_empty() || line.starts_with('#') {
        } else if in_rows {
            let (body, want) = line.split_once(" => ").unwrap_or_else(|| panic!("{line}"));
            rows.push(Row {
                game,
                setup: setup.clone(),
                line: line.to_owned(),
                number,
                body: body.trim().replace("\\n", "\r\n"),
                want: want.trim().to_owned(),
            });
        } else {
            setup.push_str(line);
            setup.push('\n');
        }
    }
    rows
}

/// Returns the result of a reply.
fn outcome(row: &Row) -> String {
    let mut stage = ScriptHome::after(&row.setup);
    let id = BoardId { game: row.game, number: 1 };
    let (before, logged) = (stage.board(id), stage.log().len());
    let read_as = read_as(&stage, &before, &row.body);
    let (_, _, mail) = stage.board_mail(0);
    let quoted = format!("> {}", mail.lines().collect::<Vec<_>>().join("\r\n> "));
    let letters = stage.answer(&format!("{}\r\n\r\n{quoted}", row.body), 0);
    let own = format!("{}@example.org", stage.sender);
    assert!(
        letters.iter().any(|letter| letter.to.as_str() == own),
        "line {}: no answer to {}",
        row.number,
        row.line
    );
    let told = letters.iter().filter(|letter| letter.to.as_str() != own).map(|l| read(l).1);
    let told: String = told.collect();
    let passed_on = row.want.split_once(" + ").map_or_else(String::new, |(_, words)| {
        let is_told = told.contains(words);
        if is_told { format!(" + {words}") } else { " + something else".to_owned() }
    });
    assert!(!told.contains("secret"), "a password was passed on: {}", row.line);
    let refused = stage.log()[logged..].contains(": refused")
        || stage.log()[logged..].contains(": no command");
    let done = match changed(&before, &stage.board(id)) {
        Some(what) => what,
        None => match read_as {
            Err(kind) => format!("asks {kind}"),
            Ok(_) if refused => "refused".to_owned(),
            Ok(line) => {
                let words: Vec<&str> = line.split_whitespace().collect();
                let is_game = games::find(words[0]).is_some();
                format!("says {}", words[usize::from(is_game)])
            }
        },
    };
    done + &passed_on
}

/// Returns the command recognised in a reply, or the kind of the refusal.
fn read_as(stage: &ScriptHome, board: &Board, body: &str) -> Result<String, String> {
    let (to, subject, _) = stage.board_mail(0);
    let raw = format!("From: a@b.example\nTo: {to}\nSubject: Re: {subject}\n\n{body}\n");
    let own = Address::parse("postboard@localhost").unwrap();
    let message = parse(raw.as_bytes(), &own).unwrap();
    let tag: ReplyTag = requests::tag(&message).unwrap();
    let player = board.players.iter().find(|player| player.as_str() == stage.sender).unwrap();
    let context = ReplyContext { board, player, tag: &tag, view: View::default() };
    let requests = requests::find_requests(&message, true, Some(&context));
    requests.map(|requests| requests[0].line.clone()).map_err(|refusal| {
        let kind = format!("{refusal:?}");
        kind.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned()
    })
}

/// Describes the change of a board.
fn changed(before: &Board, after: &Board) -> Option<String> {
    if after.record.len() < before.record.len() {
        return Some("takes back".into());
    }
    let new = || after.record[before.record.len()..].iter().map(|line| &line.entry);
    let moves: Vec<&str> = new()
        .filter_map(|entry| match entry {
            Entry::Moved { text, auto: false, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    if !moves.is_empty() {
        return Some(format!("plays {}", moves.join(",")));
    }
    if let Some(stake) = new().find_map(|entry| match entry {
        Entry::Resigned { stake, .. } => Some(usize::from(*stake)),
        _ => None,
    }) {
        return Some(format!("resigns {}", after.game.spec().stakes[stake - 1]));
    }
    if let Some(closing) = after.closing.filter(|_| before.closing.is_none()) {
        let agreed = matches!(closing.by, ClosedBy::Agreeing);
        return Some(if agreed { "draws" } else { "resigns" }.into());
    }
    match (before.offer, after.offer) {
        (None, Some(offer)) => {
            let what = if offer.what == Proposal::Draw { "draw" } else { "undo" };
            return Some(format!("offers {what}"));
        }
        (Some(_), None) => return Some("rejects".into()),
        _ => {}
    }
    new().next().map(|_| "rolls".into())
}

#[test]
fn every_first_line_does_what_the_table_says() {
    let rows = rows();
    let mut wrong = Vec::new();
    for row in &rows {
        let got = std::panic::catch_unwind(|| outcome(row));
        let got = got.unwrap_or_else(|_| "breaks off".into());
        if got != row.want {
            wrong.push(format!("line {}: {}\n    but it {got}", row.number, row.line));
        }
    }
    let count = rows.len();
    assert!(wrong.is_empty(), "{} of {count} rows:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_table_has_rows_for_every_game() {
    let rows = rows();
    assert!(rows.len() >= 60, "{} rows", rows.len());
    for game in GAMES.iter().map(|game| game.spec().name) {
        let count = rows.iter().filter(|row| row.game == game).count();
        assert!(count >= 4, "{game} has {count} rows");
    }
}
