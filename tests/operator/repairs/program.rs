//! Repairs by the program, as an operator runs it.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(clippy::disallowed_methods, reason = "the test damages homes")]

use crate::support::program::{Home, Ran, names};
use std::fs;
use std::path::Path;

/// Runs the program as jane, with this editor.
fn by_jane(home: &Home, editor: &str, args: &[&str], input: &[u8]) -> Ran {
    let mut command = home.command();
    command.env_remove("VISUAL").env("EDITOR", editor).env("SUDO_USER", "jane").args(args);
    crate::support::program::run(&mut command, input)
}

fn first_play(home: &Home) -> String {
    home.due("malaka", 1).unwrap().1
}

#[test]
fn the_program_edits_with_an_editor() {
    let home = Home::with_board();
    let (board, play) = ("boards/malaka/0/1.json", first_play(&home));
    let before = home.read(board);
    let edit = |editor: &str| by_jane(&home, editor, &["board", "edit", "malaka", "1"], b"");
    let drafts = || {
        let mut names = names(&home.path().join("drafts"));
        names.retain(|name| Path::new(name).extension().is_none_or(|end| end != "was"));
        names
    };
    assert_eq!(edit("true").out, "malaka 1: unchanged\n");
    assert_eq!(drafts(), [""; 0]);
    // The editor has arguments of its own, and writes an invalid board.
    let ran = edit("sed -i -e s/bob/mallory/");
    assert_eq!((ran.code, ran.out.as_str()), (Some(65), ""));
    let kept = home.path().join("drafts/malaka-1.json");
    let why = format!(
        "postboard: mallory is named in malaka 1, but is not a user; what you wrote is kept in {}\n",
        kept.display()
    );
    assert_eq!(ran.err, why);
    assert_eq!(home.read(board), before);
    assert!(fs::read_to_string(&kept).unwrap().contains("mallory"));
    // An editor that fails changes nothing.
    let ran = edit("sh -c 'echo x >> \"$0\"; exit 1'");
    assert!(
        ran.err.starts_with("postboard: the editor exited with an error; ") && ran.code == Some(65),
        "{ran:?}"
    );
    assert_eq!(drafts(), ["malaka-1.json", "malaka-1.json.2"]);
    assert!(kept.with_extension("json.was").is_file(), "what it was made from");
    let ran = edit("no-such-editor-here");
    assert!(
        ran.err.ends_with("postboard: the editor exited with an error\n") && ran.code == Some(65),
        "{ran:?}"
    );
    // While the operator edits, the players move; neither the edit nor the move is lost.
    let program = crate::support::program::PROGRAM;
    let editor = format!(
        "sh -c '{program} --home {} malaka move 1 alice secret {play} >&2; sed -i s/bob/carol/ $0'",
        home.path().display()
    );
    let ran = edit(&editor);
    assert!(ran.err.contains("malaka 1 has changed since you began to edit it, so"), "{ran:?}");
    assert_eq!((ran.code, home.moves(1), drafts().len()), (Some(65), 1, 3));
    // A draft that was refused before the move and is corrected now would undo the move.
    let mended = fs::read_to_string(&kept).unwrap().replace("mallory", "bob");
    fs::write(&kept, mended.replace("\"started\":", "\"private\":true,\"started\":")).unwrap();
    let args = ["board", "edit", "malaka", "1", "--from", kept.to_str().unwrap()];
    let ran = by_jane(&home, "", &args, b"");
    assert!(ran.err.contains("malaka 1 has changed since you began to edit it, so"), "{ran:?}");
    assert_eq!((ran.code, home.moves(1)), (Some(65), 1));
    // The program accepts a good text and removes its draft.
    let text = home.read(board);
    let ran = edit("sed -i -e 's/\"started\":/\"private\":true,&/'");
    assert!(ran.out.starts_with("malaka 1: edited\n") && ran.code == Some(0), "{ran:?}");
    assert!(home.read(board).contains("\"private\":true"));
    assert_eq!(drafts().len(), 3);
    // A script edits from a file or standard input, compared with the text that it has read.
    let args = ["board", "edit", "malaka", "1", "--from", "-"];
    let ran = by_jane(&home, "false", &args, text.as_bytes());
    assert!(ran.out.starts_with("malaka 1: edited\n") && ran.code == Some(0), "{ran:?}");
    assert_eq!((home.read(board), drafts().len()), (text.clone(), 3));
    let (file, was) = (home.base().join("text"), home.base().join("was"));
    fs::write(&file, text.replace("\"started\":", "\"private\":true,\"started\":")).unwrap();
    fs::write(&was, "something else").unwrap();
    let args = ["board", "edit", "malaka", "1", "--from", file.to_str().unwrap()];
    let ran = by_jane(&home, "", &[&args[..], &["--was", was.to_str().unwrap()]].concat(), b"");
    assert!(ran.err.contains("has changed since") && ran.code == Some(65), "{ran:?}");
    fs::write(&was, &text).unwrap();
    let ran = by_jane(&home, "", &[&args[..], &["--was", was.to_str().unwrap()]].concat(), b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = by_jane(&home, "", &["board", "edit", "malaka", "1", "--from", "-"], b"\xff{");
    assert!(
        ran.err.starts_with("postboard: byte 1 is not UTF-8; what you wrote is kept in "),
        "{ran:?}"
    );
    // A file with invalid UTF-8 is shown, and repaired.
    let mut broken = text.clone().into_bytes();
    broken[3] = 0xff;
    fs::write(home.path().join(board), broken).unwrap();
    let ran = by_jane(&home, "", &["board", "show", "malaka", "1"], b"");
    assert!(ran.out.starts_with("boards/malaka/0/1.json cannot be read: ") && ran.code == Some(65));
    assert!(ran.out.contains("\"record\":["), "{ran:?}");
    fs::write(&file, &text).unwrap();
    let ran = by_jane(&home, "", &args, b"");
    assert!(ran.out.starts_with("malaka 1: edited\n") && ran.code == Some(0), "{ran:?}");
    assert_eq!(home.read(board), text);
    let mails = home.delivered();
    assert!(mails.iter().any(|mail| mail.text.contains("has corrected this board")));
    home.assert_tidy();
    let log = home.read("log/postboard.log");
    let uid = own_uid();
    assert!(log.contains(&format!(" operator jane (uid {uid}): malaka 1: edited\n")), "{log}");
}

/// Returns the id of the user who runs the tests.
fn own_uid() -> u32 {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata("/proc/self").unwrap().uid()
}

#[test]
fn the_program_takes_back_and_keeps_users() {
    let home = Home::with_board();
    let run = |words: &str, input: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        by_jane(&home, "", &words, input.as_bytes())
    };
    let play = first_play(&home);
    home.done(&format!("malaka move 1 alice secret {play}"));
    let play = first_play(&home);
    home.done(&format!("malaka move 1 bob secret {play}"));
    home.done("malaka resign 1 bob secret");
    home.delivered();
    let shown = run("board show malaka 1", "");
    assert!(
        shown.out.contains("Closed     resigning by bob") && shown.code == Some(0),
        "{shown:?}"
    );
    let ran = run("board undo malaka 1 --moves 2", "");
    assert!(ran.out.starts_with("malaka 1: taken back: resigning "), "{ran:?}");
    assert_eq!((ran.code, home.moves(1), home.delivered().len()), (Some(0), 1, 2));
    assert!(home.done("malaka standings").contains("Nobody"));
    let passwords = [
        ("user add carol carol@pbm.test", "sesame1\n", 0),
        ("user add carol", "sesame1\n", 65),
        ("user add dave d@pbm.test", "short\n", 65),
        ("user add dave d@pbm.test", "", 65),
        ("user add 1dave", "sesame1\n", 64),
        ("user add dave nowhere", "sesame1\n", 64),
        ("user add dave a@b.c b@b.c c@b.c d@b.c", "sesame1\n", 64),
        ("user password carol", "sesame2\r\n", 0),
        ("user password nobody", "sesame2\n", 65),
        ("user rename carol Caroline", "", 0),
        ("user rename bob alice", "", 65),
        ("user show caroline", "", 0),
        ("user show nobody", "", 65),
        ("user remove nobody", "", 65),
        ("board undo malaka 9", "", 65),
        ("board undo malaka 1 --moves 0", "", 64),
        ("board undo malaka 1 --moves 9", "", 65),
        ("board undo ludo 1", "", 64),
        ("board show malaka 9", "", 65),
        ("board show malaka x", "", 64),
        ("board", "", 64),
        ("user", "", 64),
    ];
    for (words, input, code) in passwords {
        let ran = run(words, input);
        assert_eq!(ran.code, Some(code), "{words}: {ran:?}");
        if code == 65 {
            assert!(ran.out.is_empty() && ran.err.starts_with("postboard: "), "{words}: {ran:?}");
            assert_eq!(ran.err.lines().count(), 1, "{words}: {ran:?}");
        }
    }
    home.done("change password caroline sesame2 sesame3");
    let ran = run("user password caroline --generate", "");
    let password = ran.out.lines().find_map(|line| line.strip_prefix("password: ")).unwrap();
    home.done(&format!("change password caroline {password} sesame4"));
    let ran = run("user add erin --generate", "");
    let password = ran.out.lines().find_map(|line| line.strip_prefix("password: ")).unwrap();
    home.done(&format!("change password erin {password} sesame5"));
    assert_eq!(run("user remove bob", "").code, Some(0));
    assert!(home.read("boards/malaka/0/1.json").contains("\"by\":\"declining\""));
    home.delivered();
    home.assert_tidy();
    let log = home.read("log/postboard.log");
    for line in [
        "malaka 1: taken back: resigning",
        "carol signed up",
        "carol changed their password",
        "carol is Caroline now",
        "bob left and was erased",
    ] {
        let line = format!(" operator jane (uid {}): {line}", own_uid());
        assert!(log.contains(&line), "{line}: {log}");
    }
    assert!(!log.contains("sesame") && !log.contains(password), "{log}");
    // A missing home is the machine's fault, reported in one line with its path.
    let ran = crate::support::program::run(
        crate::support::program::program()
            .args(["--home", "/nowhere", "board", "undo", "malaka", "1"]),
        b"",
    );
    assert!(ran.code == Some(75) && ran.err.contains("/nowhere") && ran.err.lines().count() == 1);
}
