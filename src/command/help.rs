//! `help`: pages for players.

use super::words::Words;
use super::{Command, Context, Decision, Needs, Of, VERBS, Verb};
use crate::refusal::Refusal;
use crate::reply::Answer;
use crate::reply::words::{lines, wrapped};
use crate::world::World;
use games::{AnyGame, GAMES, Scope, Setting};
use std::fmt::Write as _;

pub(super) const VERB: Verb = Verb {
    name: "help",
    aliases: &["rules"],
    of: Of::Both,
    usage: "[<subject> ...]",
    about: "these pages; for a game: its rules",
    reply: None,
    parse,
};

/// Pages that belong to no game: the word for each, and the page.
const PAGES: &[(&str, &str)] = &[
    ("postboard", include_str!("../../help/postboard.md")),
    ("commands", include_str!("../../help/commands.md")),
    ("tutorial", include_str!("../../help/tutorial.md")),
    ("dice", include_str!("../../help/dice.md")),
    ("time", include_str!("../../help/time.md")),
    ("ratings", include_str!("../../help/ratings.md")),
];

/// Pages sent at once at most.
const MOST: usize = 5;

#[derive(Debug)]
struct Help(Vec<String>);

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
) -> Result<Box<dyn Command>, Refusal> {
    let mut subjects: Vec<String> =
        words.rest().iter().map(|word| word.to_ascii_lowercase()).collect();
    if subjects.len() > MOST {
        return Err(words.wrong(format!("at most {MOST} pages are sent at once")));
    }
    if let Some(game) = game {
        subjects = vec![game.spec().name.to_owned()];
    } else if subjects.is_empty() {
        subjects.push("postboard".into());
    }
    Ok(Box::new(Help(subjects)))
}

impl Command for Help {
    fn needs(&self) -> Needs {
        Needs::Keys(Vec::new())
    }

    fn decide(&self, _: &World, _: &mut Context) -> Result<Decision, Refusal> {
        let pages: Vec<String> = self.0.iter().map(|subject| page(subject)).collect();
        Ok(Answer::Help(pages.join("\n\n")).into())
    }
}

/// A page as it is mailed: without the fences around examples.
fn page(subject: &str) -> String {
    let game = games::find(subject).map(|game| game.spec().help);
    let own = PAGES.iter().find(|(word, _)| *word == subject).map(|(_, page)| *page);
    let Some(page) = game.or(own) else {
        let words = PAGES.iter().map(|(word, _)| *word);
        let all: Vec<&str> = words.chain(GAMES.iter().map(|game| game.spec().name)).collect();
        let there = format!("There is no such page. There is help on: {}.", all.join(", "));
        return wrapped(&there) + "\n";
    };
    let mut text = String::with_capacity(page.len());
    let mut in_script = false;
    for line in page.lines() {
        if line.starts_with("```") {
            in_script = line == "```script";
        } else if !(in_script && is_stage_direction(line)) {
            match line.strip_prefix("as ").filter(|_| in_script) {
                Some(name) => text.extend(["(", name, " writes)"]),
                // Answers are set in there; a mail has no room for that.
                None if in_script => text.push_str(line.strip_prefix("    ").unwrap_or(line)),
                None => text.push_str(line),
            }
            text.push('\n');
        }
    }
    text
}

/// Lines of an example that make it run, and tell its reader nothing.
fn is_stage_direction(line: &str) -> bool {
    ["dice ", "at "].iter().any(|word| line.starts_with(word))
}

/// The table of verbs as `help/commands.md` shows it.
pub fn reference() -> String {
    let mut text = String::new();
    for (heading, of) in
        [("For everybody", Of::Server), ("For a game", Of::Game), ("For both", Of::Both)]
    {
        let _ = write!(text, "## {heading}\n\n```\n");
        for verb in VERBS.iter().filter(|verb| verb.of == of) {
            let written = match of {
                Of::Both => format!("[<game>] {} {}", verb.name, verb.usage),
                Of::Server | Of::Game => verb.written(None),
            };
            let _ = write!(text, "{written}\n    {}\n", verb.about);
            if !verb.aliases.is_empty() {
                let _ = writeln!(text, "    also: {}", verb.aliases.join(", "));
            }
        }
        text.push_str("```\n\n");
    }
    text.push_str("## Words of single games\n\n```\n");
    for spec in GAMES.iter().map(|game| game.spec()) {
        let name = spec.name;
        if !spec.verbs.is_empty() {
            let written = format!("{name} {}", spec.verbs.join("|"));
            let _ = write!(text, "{written}\n        <board> <userid> <password>\n");
            text.push_str("    a move that is a word; `move` takes it too\n");
        }
        for Setting { switch, scope } in spec.settings {
            let place = match scope {
                Scope::Board => "on that board",
                Scope::Game => "on all boards",
            };
            let values = switch.values.written("").trim_start().to_owned();
            let values = if values.is_empty() { "off".into() } else { format!("{values}|off") };
            let about = lines(&format!("    {place}: {}", switch.help), 78, "    ");
            let _ = write!(
                text,
                "{name} {} <board> <userid> <password> [{values}]\n{about}\n",
                switch.name
            );
        }
    }
    text.push_str("```\n\n");
    text
}
