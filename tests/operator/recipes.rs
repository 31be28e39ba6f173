//! The command blocks in docs/operating, run as written by the user whom each block names.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test runs the commands of the documents in shells"
)]

use crate::support::program::{self, Home, PROGRAM};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The pages for operators, in reading order.
const PAGES: [(&str, &str); 9] = [
    ("choose", include_str!("../../docs/operating/choose.md")),
    ("install", include_str!("../../docs/operating/install.md")),
    ("web", include_str!("../../docs/operating/web.md")),
    ("daily", include_str!("../../docs/operating/daily.md")),
    ("trouble", include_str!("../../docs/operating/trouble.md")),
    ("players", include_str!("../../docs/operating/players.md")),
    ("backup", include_str!("../../docs/operating/backup.md")),
    ("growing", include_str!("../../docs/operating/growing.md")),
    ("reference", include_str!("../../docs/operating/reference.md")),
];

/// Returns the pages and the README.
fn documents() -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(|(_, text)| *text).chain([README])
}

/// A block of commands.
struct Recipe {
    user: &'static str,
    text: &'static str,
    /// The page and the line.
    place: String,
}

fn recipes() -> Vec<Recipe> {
    PAGES.iter().flat_map(|(name, text)| recipes_of_page(name, text)).collect()
}

fn recipes_of_page(name: &str, page: &'static str) -> Vec<Recipe> {
    let mut blocks = page.split("```");
    let mut line = 1 + blocks.next().unwrap().matches('\n').count();
    let mut recipes = Vec::new();
    while let (Some(block), behind) = (blocks.next(), blocks.next().unwrap_or_default()) {
        if let Some(text) = block.strip_prefix("sh\n") {
            let user = text.lines().next().unwrap().strip_prefix("# as ");
            let place = format!("{name}.md:{line}");
            let user = user.unwrap_or_else(|| panic!("the block at {place} names no user"));
            recipes.push(Recipe { user, text, place });
        } else {
            let is_other = ["text\n", "toml\n"].iter().any(|kind| block.starts_with(kind));
            assert!(is_other, "what is the block at {name}.md:{line}?");
        }
        line += block.matches('\n').count() + behind.matches('\n').count();
    }
    recipes
}

/// Returns the command by which the reader of the documents becomes the user postboard.
fn become_postboard() -> &'static str {
    let recipes = recipes();
    let block = recipes.iter().find(|recipe| recipe.text.contains("POSTBOARD_HOME=")).unwrap();
    assert_eq!(block.user, "root");
    block.text.lines().nth(1).unwrap()
}

/// Returns the cron lines in the documents: the recipient of mails, the user, and the command.
fn crontabs() -> Vec<(&'static str, &'static str, String)> {
    let mut tabs = Vec::new();
    for Recipe { text, place, .. } in recipes() {
        let Some((_, rest)) = text.split_once("/etc/cron.d/") else { continue };
        let body = rest.split_once('\n').unwrap().1.split("\nEND").next().unwrap();
        let mut mailto = None;
        for entry in body.lines() {
            if let Some(to) = entry.strip_prefix("MAILTO=") {
                mailto = Some(to);
                continue;
            }
            let mut words = entry.splitn(7, ' ').skip(5);
            let (user, command) = (words.next().unwrap(), words.next().unwrap());
            let to = mailto.unwrap_or_else(|| panic!("{place}: cron mails to the server"));
            tabs.push((to, user, command.replace("\\%", "%")));
        }
    }
    tabs
}

#[test]
fn every_recipe_names_its_user_and_can_be_read_by_the_shell() {
    let recipes = recipes();
    assert!(recipes.len() > 15, "the document has its recipes");
    for Recipe { user, text, place } in &recipes {
        assert!(["root", "postboard"].contains(user), "{place}: {user}");
        let ran = program::run(Command::new("bash").args(["-n", "-s"]), text.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{place}");
    }
    assert!(become_postboard().ends_with("/home bash"));
    // Cron's mails reach a person, not the game server.
    let tabs = crontabs();
    assert_eq!(tabs.len(), 3);
    for (mailto, user, _) in tabs {
        assert_eq!((mailto, user), ("root", "postboard"));
    }
    // Every other crontab in the documents sets MAILTO, too.
    for text in documents() {
        for (at, _) in text.match_indices("* * * * * postboard ") {
            assert!(text[..at].trim_end().ends_with("MAILTO=root"), "{}", &text[at..at + 60]);
        }
    }
}

/// Returns commands that prepare a recipe, chosen by words in it: users, boards, existing files.
fn before(recipe: &Recipe) -> &'static str {
    let of = |words: &str| recipe.text.contains(words);
    if of("board edit malaka 17") {
        "postboard signup carol secret carol@games.example.org >/dev/null
         postboard signup dave secret dave@games.example.org >/dev/null
         for n in $(seq 17); do postboard malaka challenge carol dave >/dev/null; done
         was=$(mktemp); cp $POSTBOARD_HOME/boards/malaka/0/17.json $was
         EDITOR='echo nonsense >' postboard board edit malaka 17 2>/dev/null && exit 1
         cp $was $POSTBOARD_HOME/drafts/malaka-17.json"
    } else if of("user erase bob") {
        "postboard signup bob secret bob@games.example.org >/dev/null"
    } else if of("home.aside") {
        "printf 'From: carol@games.example.org\\nSubject: help\\n\\n' |
            postboard --home /var/lib/postboard/home.aside receive"
    } else {
        ""
    }
}

/// Runs the recipes of postboard that need no root, with a temporary folder in place of the
/// machine's own folders.
#[test]
fn recipes_of_postboard_run_in_a_folder() {
    let home = Home::new();
    let base = home.base();
    let bin = base.join("bin");
    fs::create_dir(&bin).unwrap();
    fs::create_dir(base.join("backups")).unwrap();
    std::os::unix::fs::symlink(PROGRAM, bin.join("postboard")).unwrap();
    program::script(&bin.join("ssh"), ELSEWHERE);
    let here = base.to_str().unwrap();
    let place = |text: &str| {
        let text = text.replace("/var/lib/postboard", here).replace("~postboard", here);
        text.replace("/var/backups/postboard", &format!("{here}/backups"))
    };
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    for recipe in recipes().iter().filter(|recipe| recipe.user == "postboard") {
        let script = format!("set -eo pipefail\n{}\n{}", place(before(recipe)), place(recipe.text));
        let mut shell = Command::new("bash");
        shell.arg("-s").current_dir(here).env("PATH", &path).env("HOME", here);
        shell.env("POSTBOARD_HOME", home.path()).env("ELSEWHERE", here);
        let ran = program::run(&mut shell, script.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}: {ran:?}", recipe.place);
    }
    for file in
        ["backups/today.tar.gz", "backups/home/key", "postboard.tar.gz", "home.aside", ".forward"]
    {
        assert!(base.join(file).exists(), "{file}");
    }
    let waiting = home.names("spool/new");
    assert_eq!(waiting.len(), 1, "the mail that waited in the old home");
    assert!(home.read(&format!("spool/new/{}", waiting[0])).contains("From: carol@"));
}

const README: &str = include_str!("../../README.md");

/// Returns every command line of the program in a document: between backquotes in a sentence, or in
/// a block that no test runs as written.
fn named_commands(text: &str) -> Vec<Vec<&str>> {
    let blocks = text.split("```").enumerate();
    let lines = blocks.flat_map(|(at, part)| -> Vec<&str> {
        if at % 2 == 1 {
            part.lines().collect()
        } else {
            part.split('`').skip(1).step_by(2).collect()
        }
    });
    let words = |line| str::split_ascii_whitespace(line).collect::<Vec<_>>();
    let found = lines.map(words).filter_map(|words| {
        let at =
            words.iter().position(|word| *word == "postboard" || word.ends_with("/postboard"))?;
        (at == 0).then(|| words[at + 1..].to_vec())
    });
    found.filter(|words| !words.is_empty()).collect()
}

/// Each command exists, and so do its options.
#[test]
fn every_command_that_the_documents_name_is_there_with_its_options() {
    let own_options = ["--home", "--as-operator", "--version"];
    let mut tried = 0;
    for words in documents().flat_map(named_commands) {
        let mut rest =
            words.iter().copied().skip_while(|word| word.starts_with('-') || word.starts_with('/'));
        let Some(command) = rest.next() else { continue };
        // After a pipe, a redirection or a comment, the words belong to no command of the program.
        let rest: Vec<&str> =
            rest.take_while(|word| !["|", "<", "#", "&&", ">"].contains(word)).collect();
        // A service and an alias of Postfix have the same name, and `proces` is an example of a typing error.
        let is_other = command.starts_with("\"|") || ["unix", "proces"].contains(&command);
        if games::find(command).is_some() || is_other {
            continue;
        }
        let group = ["board", "user", "mail"].contains(&command).then(|| rest.first()).flatten();
        let mut asked: Vec<&str> = vec![command];
        asked.extend(group.copied());
        asked.push("--help");
        let ran = program::run(Command::new(PROGRAM).args(&asked), b"");
        let is_verb = postboard::command::find_verb(command, None).is_some();
        assert!(ran.code == Some(0) || is_verb, "{words:?}: {}{}", ran.out, ran.err);
        for option in rest.iter().filter(|word| word.starts_with("--")) {
            let option = option.split('=').next().unwrap();
            let is_known = ran.out.contains(option) || own_options.contains(&option);
            assert!(is_known || is_verb, "{words:?} has an option {option} that there is not");
        }
        tried += 1;
    }
    assert!(tried > 40, "{tried}");
}

/// The placeholders of the documents.
const PLACEHOLDERS: [(&str, &str); 6] = [
    ("FILE", "a.file"),
    ("NAME", "71d3"),
    ("you@example.org", "alice@games.example.org"),
    ("<address>", "alice@games.example.org"),
    ("match.mat", "a.file"),
    ("/var/www/games", "games"),
];

/// Commands that ask questions, or run until they are stopped.
const LASTING: [&str; 4] = ["setup", "serve", "console", "demo"];

/// Runs the commands in sentences of the documents in a nearly empty home: the program may refuse a
/// command there, but must understand it.
#[test]
fn every_command_that_a_sentence_names_is_understood() {
    let home = Home::with_board();
    for file in ["a.file", "postboard.tar.gz"] {
        fs::write(home.base().join(file), "").unwrap();
    }
    let mut tried = 0;
    for text in documents() {
        let sentences: String = text.split("```").step_by(2).collect();
        let sentences = sentences.replace('\n', " ");
        for line in sentences.split('`').skip(1).step_by(2) {
            let Some(line) = line.strip_prefix("postboard ") else { continue };
            let is_part = ["...", "|", "GAME"].iter().any(|part| line.contains(part));
            let command = line.split(' ').find(|word| !word.starts_with('-')).unwrap_or(line);
            if is_part || LASTING.contains(&command) || ["unix", "proces"].contains(&command) {
                continue;
            }
            let placed = PLACEHOLDERS
                .iter()
                .fold(line.to_owned(), |line, (word, own)| line.replace(word, own));
            let placed = placed.split(" < ").next().unwrap().replace("/var/lib/postboard", ".");
            let mut words: Vec<&str> = placed.split_whitespace().collect();
            // The document mentions only the name of the command.
            let is_name = match words[..] {
                [group, _] => ["board", "user", "mail"].contains(&group),
                _ => words.len() == 1,
            };
            words.extend(is_name.then_some("--help"));
            let mut run = program::program();
            run.args(words)
                .env("POSTBOARD_HOME", home.path())
                .current_dir(home.base())
                .env("EDITOR", "true")
                .env("VISUAL", "true");
            let ran = program::run(&mut run, b"");
            let is_understood = matches!(ran.code, Some(0 | 65 | 75));
            assert!(is_understood, "{line}: {ran:?}");
            tried += 1;
        }
    }
    assert!(tried > 25, "{tried}");
}

/// Runs the README's shell commands as written, but without the build and the console, which needs
/// a terminal, and with fewer games between the levels.
#[test]
fn the_commands_of_the_readme_run() {
    let block = README.split("```sh\n").find(|block| block.contains("postboard init")).unwrap();
    let block = block.split("```").next().unwrap();
    let (build, commands) = block.split_once('\n').unwrap();
    assert_eq!(build, "cargo build --release && export PATH=$PWD/target/release:$PATH");
    let shorter = [(" --games 20 ", " --games 1 "), ("\npostboard console ghost", "\n: ")];
    let commands = shorter.iter().fold(commands.to_owned(), |text, (long, short)| {
        assert!(text.contains(long), "{long}");
        text.replace(long, short)
    });
    let folder = Home::new();
    let path = format!(
        "{}:{}",
        Path::new(PROGRAM).parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let mut shell = Command::new("bash");
    shell.args(["-euo", "pipefail", "-s"]).current_dir(folder.base()).env("PATH", path);
    shell.env_remove("POSTBOARD_HOME").env("HOME", folder.base());
    // The program recognises a checkout by these folders.
    for part in ["games/kit", "data"] {
        fs::create_dir_all(folder.base().join(part)).unwrap();
    }
    fs::write(folder.base().join("data/postboard.toml"), "").unwrap();
    let ran = program::run(&mut shell, commands.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert!(ran.out.contains("data/home is ready"), "{}", ran.out);
    assert!(ran.out.contains("Malaka board 1"), "{}", ran.out);
}

/// A replacement for ssh: it runs the remote command in a folder of this machine.
const ELSEWHERE: &str = "#!/bin/sh\nshift\ncd ${ELSEWHERE:-/srv} && exec sh -c \"$*\"\n";

/// Writes a script that runs all recipes on a machine of its own.
fn machine() -> String {
    let mut script = String::from(
        "set -u\nip link set lo up\nhostname games.example.org\ncd /root\n\
         fail() { echo \"FAILED: $*\"; cat /tmp/out; tail -n 40 /var/log/mail.log; exit 1; }\n\
         until_() { n=0; until eval \"$1\"; do n=$((n + 1)); [ $n -lt 300 ] || fail \"$1\"; sleep 0.1; \
         done; }\n\
         cp /usr/share/postfix/main.cf.dist /etc/postfix/main.cf\n\
         cp /usr/share/postfix/master.cf.dist /etc/postfix/master.cf\n\
         : > /etc/postfix/main.cf\n\
         postconf -e compatibility_level=3.6 myhostname=games.example.org \
            'mydestination=games.example.org, localhost' inet_interfaces=loopback-only \
            alias_maps=hash:/etc/aliases maillog_file=/var/log/mail.log \
            smtp_dns_support_level=disabled 'default_transport=error:elsewhere'\n\
         echo '# none' > /etc/aliases; newaliases; : > /var/mail/root\n\
         postfix start >/dev/null 2>&1 || fail postfix\n\
         chmod 777 /srv\n",
    );
    for recipe in recipes() {
        let place = &recipe.place;
        let text = format!("set -eo pipefail\n{}\n{}", before(&recipe), recipe.text);
        writeln!(script, "cat > /tmp/recipe <<'RECIPE'\n{text}\nRECIPE\nchmod 644 /tmp/recipe")
            .unwrap();
        let shell = if recipe.user == "root" { "bash" } else { become_postboard() };
        writeln!(
            script,
            "( {shell} < /tmp/recipe ) > /tmp/out 2>&1 || fail 'the recipe at {place}'\n\
             ! grep -q '^postboard: ' /tmp/out || fail 'complaints at {place}'\n\
             echo 'ran the recipe at {place} as {}'",
            recipe.user
        )
        .unwrap();
        if recipe.text.contains("sendmail -f root") {
            script += "until_ '[ -n \"$(ls /var/lib/postboard/home/spool/new)\" ]'\n";
            script += &cron(0);
            script += "until_ 'grep -q \"^Subject: Postboard: a test mail\" /var/mail/root'\n\
                       until_ 'grep -q \"^In-Reply-To\" /var/mail/root'\necho 'root has an answer'\n";
        }
    }
    script += "[ -s /var/lib/postboard/home.aside/key ] || fail restore\n";
    for tab in 0..crontabs().len() {
        script += &cron(tab);
    }
    // fetchmail finds no server here and reports this to MAILTO.
    script
        + "[ -s /var/backups/postboard/$(date +%u).tar.gz ] || fail 'no backup'\n\
              until_ 'grep -q \"^Subject: Cron\" /var/mail/root'\n\
              grep -q '^to postboard' /tmp/crons && fail 'cron mailed the server'\n\
              runuser -u postboard -- postboard --home /var/lib/postboard/home check > /tmp/out || \
              fail check\necho 'all recipes ran'\n"
}

/// Returns commands that run a line of cron's files as cron does: with an empty environment, and
/// with a mail if there is output.
fn cron(tab: usize) -> String {
    let (mailto, user, command) = &crontabs()[tab];
    format!(
        "cat > /tmp/command <<'RECIPE'\n{command}\nRECIPE\nchmod 644 /tmp/command\n\
         ( cd ~{user} && runuser -u {user} -- env -i HOME=/var/lib/postboard LOGNAME={user} \
           SHELL=/bin/sh PATH=/usr/bin:/bin /bin/sh -c \"$(cat /tmp/command)\" ) > /tmp/out 2>&1\n\
         if [ -s /tmp/out ]; then\n\
           echo 'to {mailto}' >> /tmp/crons; cat /tmp/out\n\
           {{ echo 'Subject: Cron <{user}>'; echo; cat /tmp/out; }} | sendmail -i -f root {mailto}\n\
         fi\n"
    )
}

/// Runs all recipes on a disposable machine: this machine's files below an overlay, with its own
/// users, network, processes and Postfix.
#[test]
#[ignore = "needs root and Postfix: .ci/run installs it and runs this by name"]
fn recipes_run_as_written_on_a_machine_of_their_own() {
    let base = tempfile::tempdir().unwrap();
    fs::write(base.path().join("machine"), machine()).unwrap();
    let script = format!(
        "set -e\nmount -t tmpfs none {base}/over 2>/dev/null || {{ mkdir {base}/over; \
         mount -t tmpfs none {base}/over; }}\ncd {base}/over\nmkdir up work root\n\
         mount -t overlay overlay -o lowerdir=/,upperdir=up,workdir=work root\n\
         mount -t proc proc root/proc\nmount --rbind /dev root/dev\n\
         cp {program} root/usr/local/bin/postboard\ncp {base}/machine root/machine\n\
         cp {base}/ssh root/usr/local/bin/ssh\n\
         rm -rf root/var/lib/postboard root/var/backups/postboard\n\
         exec chroot root env -i HOME=/root SHELL=/bin/bash \
         PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash /machine\n",
        base = base.path().display(),
        program = PROGRAM
    );
    program::script(&base.path().join("ssh"), ELSEWHERE);
    let mut unshared = Command::new("unshare");
    unshared.args(["-m", "-n", "-u", "-p", "-f", "--kill-child", "bash", "-c", &script]);
    let ran = program::run(&mut unshared, b"");
    println!("{}{}", ran.out, ran.err);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.ends_with("all recipes ran\n"));
    assert!(!Path::new("/var/lib/postboard").exists(), "this machine has none of it");
}
