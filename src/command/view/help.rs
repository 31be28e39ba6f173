//! `help`: help pages, and reference entries for verbs, settings and preferences.

use crate::base::words::{OrList, lines, near, wrapped};
use crate::command::account::preferences;
use crate::command::parsing::arguments::MULTIPLE;
use crate::command::play::{make_move, settings};
use crate::command::{
    Arguments, Command, Context, Decision, MOST_LINES, Needs, ParsedCommand, ReplyScope, VERBS,
    Verb, VerbScope, find_verb, move_word,
};
use crate::model::dice::DiceKeys;
use crate::model::world::World;
use crate::refusal::Refusal;
use crate::reply::Listing;
use games::{AnyGame, GAMES, Scope, Setting};
use std::fmt::Write as _;

pub(crate) const VERB: Verb = Verb {
    name: "help",
    aliases: &["rules"],
    scope: VerbScope::Both,
    usage: "[<subject> ...]",
    about: "a help page, or how to write a command; for a game: its rules",
    reply: Some(ReplyScope::Game),
    parse,
};

/// The pages that belong to no game, by subject.
const PAGES: &[(&str, &str)] = &[
    ("postboard", include_str!("../../../help/postboard.md")),
    ("commands", include_str!("../../../help/commands.md")),
    ("all-commands", include_str!("../../../help/all-commands.md")),
    (TUTORIAL, include_str!("../../../help/tutorial.md")),
    ("backgammon-tutorial", include_str!("../../../help/backgammon-tutorial.md")),
    (DICE, include_str!("../../../help/dice.md")),
    ("time", include_str!("../../../help/time.md")),
    ("timezone", include_str!("../../../help/timezone.md")),
    ("weekend", include_str!("../../../help/weekend.md")),
    ("digest", include_str!("../../../help/digest.md")),
    ("plan", include_str!("../../../help/plan.md")),
    ("analysis", include_str!("../../../help/analysis.md")),
    ("ratings", include_str!("../../../help/ratings.md")),
    ("tournament", include_str!("../../../help/tournament.md")),
    ("ladder", include_str!("../../../help/ladder.md")),
    ("profile", include_str!("../../../help/profile.md")),
    ("players", include_str!("../../../help/players.md")),
    ("report", include_str!("../../../help/report.md")),
    ("console", include_str!("../../../help/console.md")),
    ("ghost", include_str!("../../../help/ghost.md")),
    ("touchit", include_str!("../../../help/touchit.md")),
];

/// The tutorial; a game's own tutorial has the name of the game in front.
const TUTORIAL: &str = "tutorial";

/// The page about dice, which ends with the keys of the server.
pub const DICE: &str = "dice";

/// The most pages of one answer.
const MAX_PAGES: usize = 5;

#[derive(Debug)]
struct HelpCommand {
    game: Option<&'static dyn AnyGame>,
    subjects: Vec<String>,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let subjects: Vec<String> =
        words.take_rest().iter().map(|word| word.to_ascii_lowercase()).collect();
    if subjects.len() > MAX_PAGES {
        return Err(words.usage_error(format!("you can ask for at most {MAX_PAGES} pages at once")));
    }
    // `help tutorial backgammon` and `backgammon help tutorial` are the same page.
    let of_game = match (game, &subjects[..]) {
        (Some(game), [word]) if word == TUTORIAL => Some(game),
        (None, [word, named]) if word == TUTORIAL => games::find(named),
        (None, [named, word]) if word == TUTORIAL => games::find(named),
        _ => None,
    };
    if let Some(game) = of_game {
        let own = format!("{}-{TUTORIAL}", game.spec().name);
        let subject = if mailed_page(&own).is_some() { own } else { TUTORIAL.to_owned() };
        return Ok(Box::new(HelpCommand { game: None, subjects: vec![subject] }));
    }
    // `help malaka move` is `malaka help move`, but `help malaka dice` asks for two pages.
    if let (None, [first, more @ ..]) = (game, &subjects[..])
        && let Some(game) = games::find(first)
        && !more.is_empty()
        && more.iter().all(|word| mailed_page(word).is_none())
    {
        return Ok(Box::new(HelpCommand { game: Some(game), subjects: more.to_vec() }));
    }
    Ok(Box::new(HelpCommand { game, subjects }))
}

impl Command for HelpCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::Keys(Vec::new())
    }

    fn decide(&self, _: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let first = self.game.map_or("postboard", |game| game.spec().name);
        let subjects: Vec<&str> = match &self.subjects[..] {
            [] => vec![first],
            named => named.iter().map(String::as_str).collect(),
        };
        let (mut pages, mut before): (Vec<String>, Option<&Verb>) = (Vec::new(), None);
        let mut legend = "";
        for subject in subjects {
            // `help change password`: the entry of the first word covers the second.
            if before.take().is_some_and(|verb| has_word(verb.usage, subject)) {
                continue;
            }
            before = find_verb(subject, GAMES.first().copied()).or(find_verb(subject, None));
            let entries = || reference_entries(subject, self.game).inspect(|_| legend = LEGEND);
            let text =
                mailed_page(subject).or_else(entries).unwrap_or_else(|| unknown_subject(subject));
            let own = if subject == DICE { key_list(cx.keys) } else { String::new() };
            let text = (text + &own).trim_end().to_owned();
            if !pages.contains(&text) {
                pages.push(text);
            }
        }
        Ok(Listing::Help(pages.join("\n\n") + "\n" + legend).into())
    }
}

/// Returns the end of the page about dice: the public keys of this server.
pub fn key_list(keys: &DiceKeys) -> String {
    let newest = keys.newest().public();
    let mut text =
        format!("\n## The key of this server\n\nNew boards use this key:\n\n    {newest}\n");
    for (at, key) in keys.public().filter(|key| *key != newest).enumerate() {
        let heading = if at == 0 { "\nEarlier boards use one of these keys:\n\n" } else { "" };
        let _ = writeln!(text, "{heading}    {key}");
    }
    text
}

/// Returns whether a usage contains `word` as a keyword, not as a placeholder.
fn has_word(usage: &str, word: &str) -> bool {
    let mut plain = usage.split(|c: char| !(c.is_ascii_alphabetic() || "<>".contains(c)));
    plain.any(|plain| plain == word)
}

/// Returns the subjects that have a page, besides the games.
pub fn page_names() -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(|(word, _)| *word)
}

/// Returns the answer to an unknown subject.
fn unknown_subject(subject: &str) -> String {
    let verbs = VERBS.iter().flat_map(|verb| [&[verb.name], verb.aliases].concat());
    let near = near(subject, verbs.chain(PAGES.iter().map(|(word, _)| *word)));
    let meant =
        if near.is_empty() { String::new() } else { format!(" Did you mean {}?", OrList(&near)) };
    let words = PAGES.iter().map(|(word, _)| *word);
    let all: Vec<&str> = words.chain(games::names()).collect();
    let there = format!(
        "There is no help page of this name.{meant} There is help on: {}; and on every command that \
         `help all-commands` lists, as in `help move`.",
        all.join(", ")
    );
    wrapped(&there) + "\n"
}

/// Returns a page as it is mailed: without code fences.
fn mailed_page(subject: &str) -> Option<String> {
    render_page(subject, false)
}

/// Returns a page as Markdown.
pub fn markdown_page(subject: &str) -> Option<String> {
    render_page(subject, true)
}

fn render_page(subject: &str, is_fenced: bool) -> Option<String> {
    let game = games::find(subject).map(|game| game.spec().help);
    let own = PAGES.iter().find(|(word, _)| *word == subject).map(|(_, page)| *page);
    let page = game.or(own)?;
    let mut text = String::with_capacity(page.len());
    let mut in_script = false;
    for line in page.lines() {
        if line.starts_with("```") {
            in_script = line == "```script";
            text.push_str(if is_fenced { "```\n" } else { "" });
        } else if !(in_script && is_stage_direction(line)) {
            // Marks of abridged answers become plain quotation marks.
            let shown = [("~~ ", "> "), ("~ ", "> "), ("<~ ", "< "), (">> ", "> "), ("<< ", "< ")];
            let mut shown = shown.iter().filter(|_| in_script);
            let line = &*shown
                .find_map(|(mark, plain)| Some(format!("{plain}{}", line.strip_prefix(mark)?)))
                .unwrap_or_else(|| line.to_owned());
            match line.strip_prefix("as ").filter(|_| in_script) {
                Some(name) => text.extend(["(", name, " writes)"]),
                // Answers are indented in scripts; a mail has no room for that.
                None if in_script => text.push_str(line.strip_prefix("    ").unwrap_or(line)),
                None => text.push_str(line),
            }
            text.push('\n');
        }
    }
    Some(text)
}

/// Returns whether a line of a script only sets dice or time.
fn is_stage_direction(line: &str) -> bool {
    ["dice ", "at "].iter().any(|word| line.starts_with(word))
}

/// Returns the reference entries for a word: verbs, and the one-word moves and settings of `game`,
/// or of all games if `game` is `None` or does not know the word.
fn reference_entries(word: &str, game: Option<&'static dyn AnyGame>) -> Option<String> {
    let named = game.map_or_else(String::new, |game| game_help(game, word));
    let own: String = if named.is_empty() {
        GAMES.iter().map(|game| game_help(*game, word)).collect()
    } else {
        named
    };
    let is_exact = |verb: &&&Verb| verb.name == word || verb.aliases.contains(&word);
    let exact = VERBS.iter().find(is_exact).copied();
    let meant = exact.or_else(|| {
        find_verb(word, game.or(GAMES.first().copied())).or_else(|| find_verb(word, None))
    });
    let mut text = meant.map_or_else(String::new, |verb| verb_help(verb, game));
    if word == MULTIPLE {
        let _ = write!(
            text,
            "{MULTIPLE}\n    write one command on each line of the mail, at most {MOST_LINES}; `end` \
             ends them\n"
        );
    }
    text += &own;
    if text.is_empty() {
        return preferences::is_option(word).then(|| verb_help(&settings::VERB, None));
    }
    Some(text)
}

/// The explanation of the notation in usages.
const LEGEND: &str = "\nReplace words in <> by your own. Words in [] may be left out. | means \
                      \"or\".\n`help all-commands` lists all commands.\n";

/// Returns the entry of a verb, with its form in a reply.
fn verb_help(verb: &Verb, game: Option<&'static dyn AnyGame>) -> String {
    let mut text = verb_entry(verb, game);
    if let Some(said) = reply_usage(verb) {
        let said = lines(&format!("    in a reply, no password: {said}"), 78, "        ");
        let _ = writeln!(text, "{said}");
    }
    text
}

/// Returns what to write on the first line of a reply: the usage without the words that the reply
/// address replaces.
fn reply_usage(verb: &Verb) -> Option<String> {
    let usage = match verb.reply? {
        // The variant without a board comes after the bar.
        ReplyScope::Board => verb.usage.split(" | ").next().unwrap_or_default(),
        ReplyScope::Game | ReplyScope::User | ReplyScope::Player | ReplyScope::ForMove => {
            verb.usage
        }
    };
    let known = |word: &&str| {
        let board = ["<board>", "[<board>]", "<board>[#<moveno>]", "[<board>[#<moveno>]]"];
        let user = ["<userid>", "<password>", "[<password>]", "[<userid>", "<password>]"];
        board.contains(word) || user.contains(word)
    };
    let words: Vec<&str> = usage.split(' ').filter(|word| !known(word)).collect();
    let words = words.strip_prefix(&["..."]).unwrap_or(&words);
    // A move needs no verb.
    let name = Some(verb.name).filter(|name| *name != make_move::VERB.name);
    Some(name.into_iter().chain(words.iter().copied()).collect::<Vec<_>>().join(" "))
}

/// Returns the entries of a game for one of its own words.
fn game_help(game: &'static dyn AnyGame, word: &str) -> String {
    let spec = game.spec();
    let mut text = String::new();
    if let Some(own) = move_word(game, word) {
        let _ = write!(
            text,
            "{} {own} <board> <userid> <password>\n{AS_MOVE}    in a reply, no password: \
             {own}\n",
            spec.name
        );
    }
    for own in spec.settings.iter().filter(|own| own.switch.name == word) {
        let _ = writeln!(
            text,
            "{}    in a reply, no password: {word} [{}]",
            setting_entry(spec.name, own),
            setting_values(own)
        );
    }
    text
}

/// The description of all one-word moves.
const AS_MOVE: &str = "    a move in one word; you can also send it with `move`\n";

/// Returns the values of a setting, with `off`.
fn setting_values(own: &Setting) -> String {
    own.switch.values.shown().map_or_else(|| "off".into(), |values| format!("{values}|off"))
}

fn setting_entry(game: &str, own: &Setting) -> String {
    let place = match own.scope {
        Scope::Board => "on that board",
        Scope::Game => "on all boards",
    };
    let about = lines(&format!("    {place}: {}", own.switch.help), 78, "    ");
    let name = own.switch.name;
    format!("{game} {name} <board> <userid> <password> [{}]\n{about}\n", setting_values(own))
}

fn verb_entry(verb: &Verb, game: Option<&'static dyn AnyGame>) -> String {
    let written = match (verb.scope, game) {
        (VerbScope::Both, None) => format!("[<game>] {} {}", verb.name, verb.usage),
        _ => verb.usage_for(game),
    };
    // The name of a game may be longer than the placeholder.
    let written: Vec<String> = written.lines().map(|line| lines(line, 78, "        ")).collect();
    let about = lines(&format!("    {}", verb.about), 78, "    ");
    let mut text = format!("{}\n{about}\n", written.join("\n"));
    if !verb.aliases.is_empty() {
        let _ = writeln!(text, "    also: {}", verb.aliases.join(", "));
    }
    text
}

/// Returns the table of verbs for `help/all-commands.md`.
pub fn reference() -> String {
    let mut text = String::new();
    for (heading, of) in [
        ("For everybody", VerbScope::Server),
        ("For a game", VerbScope::Game),
        ("For both", VerbScope::Both),
    ] {
        let _ = write!(text, "## {heading}\n\n```\n");
        text.extend(
            VERBS.iter().filter(|verb| verb.scope == of).map(|verb| verb_entry(verb, None)),
        );
        text.push_str("```\n\n");
    }
    text.push_str("## Words of single games\n\n```\n");
    for spec in GAMES.iter().map(|game| game.spec()) {
        let name = spec.name;
        if !spec.verbs.is_empty() {
            let written = format!("{name} {}", spec.verbs.join("|"));
            let _ = write!(text, "{written}\n        <board> <userid> <password>\n{AS_MOVE}");
        }
        text.extend(spec.settings.iter().map(|own| setting_entry(name, own)));
    }
    text.push_str("```\n\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_that_a_command_begins_with_has_its_entry() {
        for verb in VERBS {
            for word in [&[verb.name], verb.aliases].concat() {
                for game in [None, GAMES.first().copied()] {
                    let text = reference_entries(word, game).unwrap_or_default();
                    // An entry wraps what is longer than a line.
                    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
                    let has = |part: &str| words(&text).contains(&words(part));
                    let begins = text.starts_with(&verb_entry(verb, game));
                    assert!(begins && has(verb.usage) && has(verb.about), "{word}: {text}");
                    assert_eq!(has("in a reply"), verb.reply.is_some(), "{word}: {text}");
                    assert!(verb.aliases.iter().all(|alias| has(alias)), "{word}: {text}");
                }
            }
        }
        for game in GAMES {
            let spec = game.spec();
            let settings = spec.settings.iter().map(|own| own.switch.name);
            for word in spec.verbs.iter().copied().chain(settings) {
                let written = format!("{} {word} <board> <userid> <password>", spec.name);
                for named in [None, Some(*game)] {
                    let text = reference_entries(word, named).unwrap_or_default();
                    assert!(text.contains(&written), "{} {word}: {text}", spec.name);
                    assert!(text.contains(&format!("password: {word}")), "{word}: {text}");
                }
            }
        }
        for word in ["html", "broadcast", "reminders", "language", "words", MULTIPLE] {
            assert!(reference_entries(word, None).is_some(), "{word}");
        }
        assert_eq!(reference_entries("xyzzy", None), None);
    }

    #[test]
    fn entries_fit_into_a_mail() {
        for game in [None].into_iter().chain(GAMES.iter().copied().map(Some)) {
            let words = VERBS.iter().flat_map(|verb| [&[verb.name], verb.aliases].concat());
            for word in words.chain(["manual", "sethome", "double", MULTIPLE]) {
                for line in reference_entries(word, game).unwrap().lines() {
                    assert!(line.is_ascii() && line.len() <= 78, "{line}");
                }
            }
        }
    }

    #[test]
    fn a_reply_leaves_out_what_its_address_has() {
        let said = |word| reply_usage(find_verb(word, GAMES.first().copied()).unwrap()).unwrap();
        for (word, right) in [
            ("move", "<move>[#<moveno>]"),
            ("queue", "queue <move>[#<moveno>] | off"),
            ("show", "show"),
            ("preview", "preview <move> ..."),
            ("accept", "accept [<offer>]"),
            ("chat", "chat"),
            ("mute", "mute [<other>]"),
            ("help", "help [<subject> ...]"),
        ] {
            assert_eq!(said(word), right);
        }
    }
}
