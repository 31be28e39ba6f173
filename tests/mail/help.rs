//! Help pages and lists: each game and each verb has its page, its line and its scripts.

use crate::mail::scripts;
use crate::support::home::Town;
use crate::support::letters::texts;
use games::GAMES;
use postboard::command::Trust;
use postboard::command::{VERBS, reference};
use std::fs;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_game_has_its_page_and_its_scripts() {
    for game in GAMES {
        let spec = game.spec();
        assert!(root().join("help").join(format!("{}.md", spec.name)).is_file(), "{}", spec.name);
        let scripts = root().join("games").join(spec.name).join("scripts");
        assert!(fs::read_dir(scripts).unwrap().count() > 0, "{} has no script", spec.name);
        assert!(spec.help.starts_with(&format!("# {}", spec.title)), "{}", spec.name);
    }
}

/// Returns the commands of a script: by mail, by reply, or in the text of a mail.
fn said(script: &str) -> impl Iterator<Item = &str> {
    let marks = [">> ", "> ", "~ ", "<< ", "< ", "<- ", "| "];
    script.lines().filter_map(move |line| marks.iter().find_map(|mark| line.strip_prefix(mark)))
}

/// Returns whether a line is a command with this verb, before or after the name of a game.
pub(crate) fn says(line: &str, word: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [game, verb, ..] if games::find(game).is_some() => verb == word,
        [verb, ..] => verb == word,
        [] => false,
    }
}

#[test]
fn every_verb_occurs_in_a_script() {
    let texts: Vec<String> =
        scripts::files().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    for verb in VERBS {
        let occurs = texts.iter().flat_map(|text| said(text)).any(|line| says(line, verb.name));
        assert!(occurs, "no script says `{}`", verb.name);
    }
}

#[test]
fn the_town_uses_every_verb() {
    let town = fs::read_to_string(root().join("tests/mail/scripts/town.txt")).unwrap();
    let used = |word: &str| said(&town).any(|line| says(line, word));
    for verb in VERBS {
        let is_used = used(verb.name) || verb.aliases.iter().copied().any(used);
        assert!(is_used, "nobody in town says `{}`", verb.name);
    }
    for word in ["multiple", "add", "ratings", "rules", "double", "take", "roll", "greedy"] {
        assert!(used(word), "nobody in town says `{word}`");
    }
}

/// The verbs of the old server's command summary, and the verbs that are new here.
const KNOWN: &str = "help signup add change signoff delete forgot confirm-address export list \
    message broadcast vacation set multiple all rules standings ratings history games show showas \
    challenge move pass swap propose undo accept reject resign queue plan note chat submit confirm preview \
    subscribe unsubscribe limit seek accept-seek notify tournament ladder newtoken mute unmute block unblock \
    favourite unfavourite profile report double take drop \
    roll greedy manual sethome flip";

#[test]
fn the_manual_names_every_verb_that_players_know() {
    let page = fs::read_to_string(root().join("help/all-commands.md")).unwrap();
    let (table, _) = page.split_once("## Examples").unwrap();
    let words: Vec<&str> = table.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    for verb in KNOWN.split_whitespace() {
        assert!(words.contains(&verb), "`help all-commands` is silent about `{verb}`");
    }
}

#[test]
fn the_short_page_has_the_twenty_commands_that_one_needs() {
    let page = fs::read_to_string(root().join("help/commands.md")).unwrap();
    let lines: Vec<&str> = page.lines().filter(|line| line.starts_with("  ")).collect();
    let lines: Vec<&str> = lines.into_iter().filter(|line| !line.starts_with("    ")).collect();
    assert_eq!(lines.len(), 20, "{lines:?}");
    for line in lines {
        // Fills in the words in <>; the explanation follows after two blanks.
        let filled = line.trim().split("  ").next().unwrap();
        let filled = [("<game>", "malaka"), ("<board>", "1"), ("<number>", "1")]
            .into_iter()
            .chain([("<userid>", "alice"), ("<opponent>", "bob"), ("<password>", "secret")])
            .chain([("<move>", "a1-a2"), ("<from>", "2004-09-01"), ("<to>", "2004-09-02")])
            .fold(filled.to_owned(), |line, (blank, word)| line.replace(blank, word));
        assert!(!filled.contains('<'), "{filled}");
        // The example must parse as a command.
        assert!(postboard::command::parse(&filled, &Trust::Untrusted).is_ok(), "{filled}");
    }
}

#[test]
fn the_tutorials_begin_with_signing_up_and_end_with_a_result() {
    for page in ["tutorial.md", "backgammon-tutorial.md"] {
        let page = fs::read_to_string(root().join("help").join(page)).unwrap();
        let at = |words: &str| page.find(words).unwrap_or_else(|| panic!("no {words:?}"));
        let order = [
            at("> signup dave sesame"),
            at("What is the game about?"),
            at(" challenge dave carol"),
            at("\n< "),
            at("Subject: You won: "),
        ];
        assert!(order.is_sorted(), "{order:?}");
    }
}

#[test]
fn every_game_is_told_in_a_line_of_the_list() {
    for spec in GAMES.iter().map(|game| game.spec()) {
        let about = spec.about;
        assert!((10..=46).contains(&about.len()) && !about.ends_with('.'), "{about:?}");
    }
}

#[test]
fn the_games_that_a_sender_plays_stand_first_in_the_list() {
    let mut town = Town::new("games.example", false);
    town.say("alice", "hex challenge alice bob");
    let [alices, carols] = ["alice", "carol"]
        .map(|user| texts(&town.say(user, "list"), &format!("{user}@example.org")).concat());
    let title = alices.find("Your games\n  hex ").expect(&alices);
    assert!(title < alices.find("Dice and walls\n  malaka ").unwrap(), "{alices}");
    assert_eq!(alices.matches("\n  hex ").count(), 1, "{alices}");
    assert!(!carols.contains("Your games") && carols.contains("Connection\n  hex "), "{carols}");
}

#[test]
fn the_manual_is_the_table_of_verbs() {
    let path = root().join("help/all-commands.md");
    let page = fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once("## For everybody").expect("the table has its place");
    let (_, tail) = rest.split_once("## Examples").expect("examples follow the table");
    let right = format!("{head}{}## Examples{tail}", reference());
    if page != right && std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &right).unwrap();
    } else {
        assert!(page == right, "help/all-commands.md differs from the table; UPDATE_GOLDEN=1");
    }
}

#[test]
fn help_pages_can_be_mailed() {
    for entry in fs::read_dir(root().join("help")).unwrap() {
        let path = entry.unwrap().path();
        let mut in_script = false;
        for line in fs::read_to_string(&path).unwrap().lines() {
            in_script = if line.starts_with("```") { line == "```script" } else { in_script };
            let width = line.strip_prefix("    ").filter(|_| in_script).unwrap_or(line).len();
            let plain = line.is_ascii() && width <= 78 && !line.ends_with(' ');
            assert!(plain, "{}: {line}", path.display());
        }
    }
}
