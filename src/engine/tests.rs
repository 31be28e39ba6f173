//! Programs that answer nonsense, too much, or nothing.

#![expect(clippy::disallowed_methods, reason = "the tests write programs")]

use super::*;
use games::{Choices, Transcript};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

/// A shell script in the place of a program.
struct Script {
    _folder: tempfile::TempDir,
    engine: Engine,
}

/// The beginning of a program that speaks UCI: what it does when it is to search follows.
const UCI: &str = "while read -r line; do case $line in uci) echo 'id name Fake \u{1b}[1m 7'; echo uciok;; \
                   isready) echo readyok;; go*) ";

impl Script {
    fn new(game: &str, text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let game = games::find(game).unwrap().spec().name;
        // `sh` runs it, since another thread may have the file open for writing while it forks.
        let command = ["/bin/sh", path.to_str().unwrap()].map(String::from).to_vec();
        let limits = EngineLimits { answer: Duration::from_mins(1), ..EngineLimits::default() };
        let config = EnginesConfig { programs: vec![EngineProgram { game, command }], limits };
        Self { _folder: folder, engine: Engine::configured(&config, game).unwrap() }
    }

    /// A program that speaks UCI and does this when it is to search.
    fn uci(search: &str) -> Self {
        Self::new("chess", &format!("{UCI}{search};; esac; done"))
    }

    fn hasty(mut self) -> Self {
        self.engine.limits.answer = Duration::from_millis(200);
        self
    }

    fn ask(&mut self) -> Result<EngineAnswer, EngineFault> {
        let game = games::find(self.engine.program.game).unwrap();
        let options = Choices::default();
        let players = ["a", "b"].map(String::from);
        let record = Transcript { players, options, record: Vec::new(), ending: None };
        self.engine.ask(&game.engine_question(&record).unwrap())
    }

    fn decision(&mut self) -> EngineMove {
        self.ask().unwrap().decision
    }
}

fn moved(text: &str) -> EngineMove {
    EngineMove::Move(text.into())
}

#[test]
fn a_program_is_kept_between_questions_and_started_again_when_it_has_died() {
    let mut script =
        Script::uci("n=$((n+1)); echo \"info depth 1\"; echo \"bestmove a${n}b1 ponder x\"");
    assert_eq!(script.engine.process_id(), None, "nothing is started before it is asked");
    let answer = script.ask().unwrap();
    assert_eq!((answer.decision, &*answer.name), (moved("a1b1"), "Fake [1m 7"));
    assert_eq!(script.decision(), moved("a2b1"));
    let id = script.engine.process_id().unwrap();
    script.engine.running.as_ref().unwrap().handle().kill();
    assert_eq!(script.decision(), moved("a1b1"));
    assert_ne!(script.engine.process_id(), Some(id));
}

#[test]
fn a_program_that_says_nothing_is_killed_at_its_limit_with_those_that_it_started() {
    // `cat` never ends, since nothing more is said.
    let hangs = "if [ $n ]; then cat > /dev/null; else n=1; echo bestmove e2e4; fi";
    let mut script = Script::uci(hangs);
    assert_eq!(script.decision(), moved("e2e4"));
    let id = script.engine.process_id().unwrap();
    script = script.hasty();
    assert_eq!(script.ask(), Err(EngineFault::Hung(0)));
    assert_eq!(script.engine.process_id(), None);
    let mut deaf = Script::new("chess", "exec sleep 1000").hasty();
    assert_eq!(deaf.ask(), Err(EngineFault::Hung(0)));
    let mut without_newline = Script::uci("printf 'bestmove e2e4'").hasty();
    assert_eq!(without_newline.ask(), Err(EngineFault::Hung(0)));
    // The process is gone, and its child, too: their group has nobody.
    let pid = rustix::process::Pid::from_raw(id.try_into().unwrap()).unwrap();
    while rustix::process::test_kill_process_group(pid).is_ok() {
        thread::yield_now();
    }
}

#[test]
fn a_program_that_dies_prints_too_much_or_says_no_move_is_a_fault() {
    for (search, want) in [
        ("exit 3", EngineFault::Died),
        ("exec >&-", EngineFault::Died),
        ("printf 'bestmove e2e4'; exit", EngineFault::Died),
        ("while :; do echo info; done", EngineFault::TooMuch),
        ("head -c 100000 /dev/zero | tr '\\0' x", EngineFault::TooMuch),
        ("echo bestmove", EngineFault::NoMove(String::new())),
        ("echo 'bestmove (none)'", EngineFault::NoMove("(none)".into())),
        ("echo 'bestmove 0000 ponder \u{7}'", EngineFault::NoMove("0000 ponder".into())),
    ] {
        let mut script = Script::uci(search);
        assert_eq!(script.ask(), Err(want), "{search}");
        assert_eq!(script.engine.process_id(), None, "{search}");
    }
    let mut absent = Script::uci("");
    absent.engine.program.command = vec!["/nowhere/stockfish".into()];
    assert!(
        matches!(absent.ask(), Err(EngineFault::NotStarted(why)) if why.contains("No such file"))
    );
}

#[test]
fn garbage_around_an_answer_is_passed_over_and_an_illegal_move_is_an_answer() {
    let mut script = Script::uci("printf '\\377\\0\\n\\nbestmov\\n'; echo '  bestmove h9i10'");
    assert_eq!(script.decision(), moved("h9i10"));
}

#[test]
fn a_program_of_go_answers_passes_resigns_or_refuses() {
    let gtp = |genmove: &str| {
        let text = format!(
            "while read -r line; do case $line in name) printf '= Fake Go\\n\\n';; \
             version) printf '? unknown command\\n\\n';; genmove*) {genmove};; \
             *) echo noise; printf '= \\n\\n';; esac; done"
        );
        Script::new("go", &text)
    };
    let mut script = gtp("printf '= D4\\n\\n'");
    let answer = script.ask().unwrap();
    assert_eq!((answer.decision, &*answer.name), (moved("d4"), "Fake Go"));
    assert_eq!(gtp("printf '= PASS\\n\\n'").decision(), moved("pass"));
    assert_eq!(gtp("printf '= resign\\n\\n'").decision(), EngineMove::Resign);
    let refused = gtp("printf '? no memory\\n\\n'").ask();
    assert_eq!(refused, Err(EngineFault::Refused("no memory".into(), "genmove b".into())));
    assert_eq!(gtp("printf '= D4\\n'").hasty().ask(), Err(EngineFault::Hung(0)), "no empty line");
}

#[test]
fn a_program_has_its_limits_and_nothing_of_our_environment() {
    let limits = ["v", "c", "t", "f"].map(|it| format!("$(ulimit -{it})")).join("/");
    // Files are counted in blocks of 512 bytes.
    assert_eq!(
        Script::uci(&format!("echo \"bestmove {limits}\"")).decision(),
        moved("1048576/0/3600/2048")
    );
    let mut script = Script::uci("echo \"bestmove $(env | cut -d= -f1 | sort | tr '\\n' ,)\"");
    assert_eq!(script.decision(), moved("HOME,LANG,PATH,PWD,"));
}

/// What the program can do and what is told of its confinement agree, also on a kernel without Landlock.
#[test]
fn a_program_that_is_called_confined_reads_and_writes_its_own_folder_only() {
    let secret = tempfile::NamedTempFile::new().unwrap();
    fs::write(&secret, "secret").unwrap();
    let path = secret.path().display();
    let mut script = Script::uci(&format!(
        "if {{ cat {path} || echo x >> {path} || echo x > {path}2; }} > /dev/null 2>&1; \
         then echo other > f; else echo own > f; fi; echo \"bestmove $(cat f)\""
    ));
    let decision = script.decision();
    let reach = match script.engine.confinement().unwrap() {
        Confinement::Whole | Confinement::Partial => "own",
        Confinement::Nothing => "other",
    };
    assert_eq!(decision, moved(reach));
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret", "this process is not confined");
}
