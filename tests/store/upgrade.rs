//! `upgrade`, homes of earlier formats, and homes of later ones.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(clippy::disallowed_methods, reason = "the test changes files of homes")]

use crate::support::files::files_below;
use crate::support::postgres::{self, PostgresServer};
use crate::support::program::{Home, program, program_at, run};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use games::GAMES;
use serde_json::Value;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;
use tar::{Archive, Builder};
use tempfile::TempDir;

/// A home of every format so far (see tests/store/homes/README.md).
const HOMES: &[(&str, &[u8])] = &[("format-1", include_bytes!("homes/format-1.tgz"))];

/// The number of moves on each board of these homes.
const MOVES: usize = 3;

/// Plays the first legal move on the first board of a game.
fn play(home: &Home, game: &str) {
    let Some((player, text)) = home.due(game, 1) else { return };
    let ran = home.run(&[game, "move", "1", &player, "secret", &text], b"");
    assert_eq!(ran.code, Some(0), "{game}: {}{}", ran.out, ran.err);
}

#[test]
#[ignore = "makes test data where KEEP_HOME names the file: see tests/store/homes/README.md"]
fn a_home_of_this_format_is_kept() {
    let Some(file) = std::env::var_os("KEEP_HOME") else { return };
    let home = Home::new();
    for player in ["alice", "bob"] {
        home.done(&format!("signup {player} secret {player}@pbm.test"));
    }
    home.run(&["dice-key", "--rotate"], b"");
    for game in GAMES {
        let name = game.spec().name;
        let players = if game.spec().manner.is_solo { "alice" } else { "alice bob" };
        home.done(&format!("{name} challenge {players}"));
        for _ in 0..MOVES {
            play(&home, name);
        }
    }
    home.done("malaka challenge alice board1");
    home.done("reversi challenge alice bob");
    home.done("reversi resign 2 bob secret");
    home.done("malaka seek bob secret");
    home.done("vacation bob secret 2026-12-24 2026-12-27");
    home.receive(
        b"From: alice@pbm.test\nTo: postboard@localhost\nSubject: help\nMessage-ID: <1@pbm>\n\n",
    );
    home.process();
    home.configure(&home.by_folder(), "by = \"nothing\"");
    let ran = home.run(&["backup", file.to_str().unwrap()], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn homes_of_every_format_are_restored_and_played_on() {
    for (name, backup) in HOMES {
        let home = Home::new();
        let ran = home.run(&["restore", "-", "--replace"], backup);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{name}");
        assert_eq!(home.run(&["upgrade"], b"").code, Some(0));
        let ran = home.run(&["check"], b"");
        assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "", ""), "{name}");
        let mut played = 0;
        for game in GAMES {
            let game = game.spec().name;
            // The home is older than this game.
            if !home.path().join(format!("boards/{game}/0/1.json")).exists() {
                continue;
            }
            let before = home.board(game, 1);
            assert!(before.record.len() >= MOVES, "{game}");
            play(&home, game);
            let after = home.board(game, 1);
            assert!(before.is_over() || after.record.len() > before.record.len(), "{game}");
            assert_eq!(after.record[..before.record.len()], before.record[..], "{game}");
            played += 1;
        }
        assert!(played >= 13, "{name}: {played}");
        let proof = home.done("malaka proof 1");
        let ran = home.run(&["verify", "-"], proof.as_bytes());
        assert_eq!(ran.code, Some(0), "{}", ran.out);
        assert_eq!(home.run(&["check"], b"").out, "", "{name}");
    }
}

#[test]
fn upgrade_tells_which_formats_there_are() {
    let home = Home::with_board();
    // Homes of early versions have no file `format`.
    fs::remove_file(home.path().join("format")).unwrap();
    let told = home.done("upgrade");
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "home       format 1");
    assert!(lines.contains(&"boards     format 1: 1") && lines.contains(&"users      format 1: 2"));
    assert_eq!(lines.last(), Some(&"all documents are of this version"));
    assert_eq!(home.read("format"), "1\n");

    let file = home.path().join("boards/malaka/0/1.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("\"format\":1,", "\"format\":7,", 1)).unwrap();
    let ran = home.run(&["upgrade"], b"");
    assert_eq!(ran.code, Some(65));
    assert!(
        ran.out.contains("malaka") && ran.out.contains("(format 7) was written by a later version")
    );
    assert!(ran.out.ends_with(
        "1 document cannot be used by this version: install the later one again, or restore a backup \
         that is older than it\n"
    ));
    let ran = home.run(&["malaka", "show", "1"], b"");
    assert!(ran.code != Some(0) && !ran.out.contains(" to move"), "{ran:?}");
    fs::write(&file, "{").unwrap();
    let ran = home.run(&["upgrade"], b"");
    assert!(ran.code == Some(65) && ran.out.contains("has no format"), "{ran:?}");
}

#[test]
fn upgrade_lists_the_wakeups_of_a_home_without_an_index_of_them() {
    let home = Home::with_board();
    home.done("malaka seek alice secret");
    let due = home.names("due");
    assert_eq!(due.len(), 1);
    fs::remove_dir_all(home.path().join("due")).unwrap();
    assert_eq!(home.run(&["check"], b"").code, Some(65));
    assert_eq!(home.run(&["upgrade"], b"").code, Some(0));
    assert_eq!(home.names("due"), due);
    assert_eq!(home.read(&format!("due/{}", due[0])), "\nboards/malaka/seeks.json");
    home.assert_tidy();
}

/// Returns a server, a new database without tables, and a folder whose configuration names it.
fn home_in_new_database() -> (Arc<PostgresServer>, String, TempDir) {
    let (engine, folder) = (postgres::shared(), postgres::folder());
    let database = engine.database();
    let config =
        format!("address = \"p@games.example\"\n[store]\nurl = \"{}\"\n", engine.url(&database));
    fs::write(folder.path().join("postboard.toml"), config).unwrap();
    (engine, database, folder)
}

#[test]
#[ignore = "needs PostgreSQL"]
fn tables_of_a_later_program_are_refused_in_a_database() {
    let (engine, database, folder) = home_in_new_database();
    let at = |words: &[&str]| run(program_at(folder.path()).args(words), b"");
    assert_eq!(at(&["init"]).code, Some(0));
    let ran = at(&["process"]);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    let later = "INSERT INTO refinery_schema_history SELECT version + 1, 'later', applied_on, '1' \
                 FROM refinery_schema_history ORDER BY version DESC LIMIT 1";
    engine.sql(&database, later);
    // The spool accepts mails for a later version of the program.
    let mail = b"From: alice@pbm.test\nSubject: help\nMessage-ID: <1@pbm>\n\n";
    let ran = run(program_at(folder.path()).arg("receive"), mail);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    assert_eq!(engine.sql(&database, "SELECT count(*) FROM mails"), "1");
    for words in [&["process"][..], &["init"], &["upgrade"], &["malaka", "list"], &["check"]] {
        let ran = at(words);
        let is_named = ran.err.contains("was written by a later version")
            && ran.err.ends_with("install that one\n");
        assert!(ran.code == Some(75) && is_named, "{words:?}: {ran:?}");
    }
    engine.sql("postgres", &format!("DROP DATABASE {database} WITH (FORCE)"));
}

/// A process that is killed between creating the tables and recording that is as good as one that
/// cannot record it.
#[test]
#[ignore = "needs PostgreSQL"]
fn tables_that_cannot_be_recorded_are_not_created_in_a_database() {
    let (engine, database, folder) = home_in_new_database();
    let init = || run(program_at(folder.path()).arg("init"), b"");
    let history = "CREATE TABLE refinery_schema_history \
                   (version int4 PRIMARY KEY, name varchar(255), applied_on varchar(255), \
                    checksum varchar(255), CONSTRAINT none CHECK (version < 1))";
    engine.sql(&database, history);
    let ran = init();
    assert!(ran.code == Some(75) && ran.err.contains("violates check constraint"), "{ran:?}");
    assert_eq!(engine.sql(&database, "SELECT to_regclass('documents') IS NULL"), "t");
    engine.sql(&database, "ALTER TABLE refinery_schema_history DROP CONSTRAINT none");
    let ran = init();
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    engine.sql("postgres", &format!("DROP DATABASE {database} WITH (FORCE)"));
}

#[test]
fn a_later_document_of_every_kind_is_named() {
    let home = Home::with_board();
    home.receive(b"From: alice@pbm.test\nTo: postboard@localhost\nSubject: help\n\n");
    home.process();
    let ran = home.run(&["--message", "hello", "malaka", "chat", "1", "alice", "secret"], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    for kind in ["boards", "users", "mailboxes", "talks", "names"] {
        let files = files_below(&home.path().join(kind));
        let is_document =
            |file: &&String| Path::new(file).extension().is_some_and(|ending| ending == "json");
        let first = files.iter().find(is_document).unwrap();
        let file = home.path().join(kind).join(first);
        let text = fs::read_to_string(&file).unwrap();
        let mut later: Value = serde_json::from_str(&text).unwrap();
        later["format"] = 7.into();
        fs::write(&file, later.to_string()).unwrap();
        let ran = home.run(&["upgrade"], b"");
        let name = file.strip_prefix(home.path()).unwrap().display();
        let line = format!("\n{name} (format 7) was written by a later version\n");
        assert!(ran.code == Some(65) && ran.out.contains(&line), "{line}{}", ran.out);
        fs::write(&file, "{}").unwrap();
        let ran = home.run(&["upgrade"], b"");
        assert!(ran.code == Some(65) && ran.out.contains("has no format"), "{kind}: {ran:?}");
        fs::write(&file, text).unwrap();
        assert_eq!(home.run(&["upgrade"], b"").code, Some(0), "{kind}");
    }
}

/// Returns a copy of a backup in which one file has other bytes.
fn with_file(backup: &[u8], name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut archive = Archive::new(GzDecoder::new(backup));
    let mut changed = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let (mut header, path) = (entry.header().clone(), entry.path().unwrap().into_owned());
        let mut text = Vec::new();
        entry.read_to_end(&mut text).unwrap();
        if path.to_str() == Some(name) {
            text = bytes.to_vec();
            header.set_size(text.len() as u64);
        }
        changed.append_data(&mut header, path, &*text).unwrap();
    }
    let mut packed = changed.into_inner().unwrap();
    packed.flush().unwrap();
    packed.finish().unwrap()
}

#[test]
fn a_home_of_a_later_program_is_refused_with_a_sentence_and_its_mails_wait() {
    let home = Home::with_board();
    let backup = home.base().join("backup.tgz");
    assert_eq!(home.run(&["backup", backup.to_str().unwrap()], b"").code, Some(0));
    let sentence = "it was written by a later version (format 2, and this one knows 1): install that \
                    one, or restore an older backup\n";
    fs::write(home.path().join("format"), "2\n").unwrap();
    for words in [
        &["upgrade"][..],
        &["process"],
        &["remind"],
        &["malaka", "show", "1"],
        &["check", "--repair"],
        &["charts"],
        &["dice-key"],
    ] {
        let ran = home.run(words, b"");
        assert_eq!(ran.code, Some(75), "{words:?}");
        assert!(ran.err.contains(sentence.trim_end()), "{words:?}: {}", ran.err);
    }
    let doctor = home.run(&["doctor"], b"");
    assert!(doctor.code == Some(65) && doctor.out.contains(sentence.trim_end()), "{doctor:?}");
    home.receive(b"From: alice@pbm.test\nSubject: help\n\n");
    assert_eq!(home.names("spool/new").len(), 1);

    fs::write(home.path().join("format"), "1\n").unwrap();
    home.process();
    let later = with_file(&fs::read(&backup).unwrap(), "format", b"2\n");
    let elsewhere = home.base().join("elsewhere").display().to_string();
    let ran = run(program().args(["--home", &elsewhere, "restore", "-"]), &later);
    assert!(ran.code == Some(75) && ran.err.contains(sentence.trim_end()), "{ran:?}");
    assert!(!home.base().join("elsewhere").exists(), "nothing was restored");
}

/// Rewrites a document.
fn rewrite(home: &Home, file: &str, change: impl FnOnce(&mut Value)) {
    let path = home.path().join(file);
    let mut document: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    change(&mut document);
    fs::write(&path, document.to_string()).unwrap();
}

/// Removes the fields of a value that this version added to ratings.
pub(crate) fn without_skills(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !["skill", "share", "periods"].contains(&&**name));
            fields.values_mut().for_each(without_skills);
        }
        Value::Array(values) => values.iter_mut().for_each(without_skills),
        _ => {}
    }
}

const USERS: [&str; 2] = ["users/al/alice.json", "users/bo/bob.json"];

#[test]
fn upgrade_computes_ratings_of_an_earlier_version() {
    let home = Home::with_board();
    for _ in 0..10 {
        play(&home, "malaka");
    }
    home.done("malaka resign 1 bob secret");
    home.done("malaka seek alice secret");
    let right = home.done("malaka standings");
    assert!(right.contains(" alice                     1762?  290 "), "{right}");
    for file in ["boards/malaka/0/1.json", USERS[0], USERS[1]] {
        rewrite(&home, file, without_skills);
    }
    assert!(home.done("malaka standings").contains(" alice                     1600?  350 "));
    let ran = home.run(&["check"], b"");
    let line = "the malaka ratings were computed by an earlier version\n";
    assert_eq!((ran.code, &*ran.out), (Some(65), line));
    let doctor =
        "MEND ratings   those of malaka are of an earlier version: run `postboard upgrade`\n";
    assert!(home.run(&["doctor"], b"").out.contains(doctor));
    let ran = home.run(&["upgrade"], b"");
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.out.matches("computed anew: 1 board, 2 users\n").count(), 1, "{}", ran.out);
    assert!(!home.run(&["doctor"], b"").out.contains("ratings"));
    assert_eq!(home.done("malaka standings"), right);
    assert_eq!(home.run(&["check"], b"").out, "");
    let ran = home.run(&["upgrade"], b"");
    assert!(!ran.out.contains("computed anew"), "{}", ran.out);
    // It was interrupted before the users were written.
    for file in USERS {
        rewrite(&home, file, without_skills);
    }
    assert!(home.run(&["upgrade"], b"").out.contains("computed anew: 0 boards, 2 users"));
    assert_eq!(home.run(&["check"], b"").out, "");
    // Where a document cannot be read, no rating is changed; wakeups are listed all the same.
    for file in USERS {
        rewrite(&home, file, without_skills);
    }
    fs::remove_dir_all(home.path().join("due")).unwrap();
    let bob = home.read(USERS[1]);
    rewrite(&home, USERS[1], |user| user["joined"] = "yesterday".into());
    let ran = home.run(&["upgrade"], b"");
    assert_eq!(ran.code, Some(65));
    assert!(ran.out.contains("users/bo/bob.json cannot be read"), "{}", ran.out);
    assert!(ran.out.ends_with(
        "the ratings are as they were: repair this first, and run `postboard upgrade` again\n"
    ));
    assert_eq!(home.names("due").len(), 1);
    fs::write(home.path().join(USERS[1]), bob).unwrap();
    // `check --repair` computes them, too.
    let ran = home.run(&["check", "--repair"], b"");
    assert!(ran.out.contains("mended: the malaka rating of alice differs"), "{}", ran.out);
    assert_eq!(home.done("malaka standings"), right);
}
