//! Lists of things, tested as lists.

use crate::script;
use games::GAMES;
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

#[test]
fn every_verb_occurs_in_a_script() {
    let mut all = String::new();
    for path in script::files() {
        all.push_str(&fs::read_to_string(path).unwrap());
    }
    let said: Vec<&str> = all
        .lines()
        .filter_map(|line| [">> ", "> ", "~ "].iter().find_map(|mark| line.strip_prefix(mark)))
        .collect();
    for verb in VERBS {
        let occurs = said.iter().any(|line| line.split_whitespace().any(|word| word == verb.name));
        assert!(occurs, "no script says `{}`", verb.name);
    }
}

#[test]
fn the_manual_is_the_table_of_verbs() {
    let path = root().join("help/commands.md");
    let page = fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once("## For everybody").expect("the table has its place");
    let (_, tail) = rest.split_once("## Examples").expect("examples follow the table");
    let right = format!("{head}{}## Examples{tail}", reference());
    if page != right && std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &right).unwrap();
    } else {
        assert!(page == right, "help/commands.md differs from the table; UPDATE_GOLDEN=1");
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
