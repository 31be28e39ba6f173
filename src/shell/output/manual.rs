//! Shell completions and the manual page, generated from the tables of commands, verbs and games.

use crate::command::{VERBS, VerbScope};
use crate::shell::cli::Cli;
use crate::shell::exit_status;
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, italic, roman};
use games::GAMES;
use std::io::{self, Write};

/// Writes completions for a shell: the operator's commands, and the first words of players'
/// commands.
///
/// # Errors
/// They cannot be written.
pub fn completions(shell: Shell, out: &mut dyn Write) -> io::Result<()> {
    // `generate` would panic on a write error.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_players(), "postboard", &mut script);
    out.write_all(&script)
}

/// Adds verbs and games to the command line, as if they were operator's commands.
fn with_players() -> Command {
    let mut command = Cli::command();
    let of = |of: VerbScope| {
        VERBS.iter().filter(move |verb| verb.scope == of || verb.scope == VerbScope::Both)
    };
    let word = |name: &'static str, about: String| {
        Command::new(name).about(about).disable_help_flag(true).disable_help_subcommand(true)
    };
    for verb in of(VerbScope::Server) {
        // `export` is both an operator's and a player's word.
        if command.find_subcommand(verb.name).is_none() {
            command = command.subcommand(word(verb.name, verb.about.into()));
        }
    }
    command = command.subcommand(word("multiple", "several commands, one a line".into()));
    for game in GAMES {
        let spec = game.spec();
        let verbs = of(VerbScope::Game).map(|verb| word(verb.name, verb.about.into()));
        let taken = |name: &str| of(VerbScope::Game).any(|verb| verb.name == name);
        let own = spec.verbs.iter().copied();
        let own = own.chain(spec.settings.iter().map(|own| own.switch.name));
        let own = own.filter(|name| !taken(name)).map(|name| word(name, String::new()));
        let game = word(spec.name, format!("the game of {}", spec.title));
        command = command.subcommand(game.subcommands(verbs).subcommands(own));
    }
    command
}

/// Writes the manual page.
///
/// # Errors
/// It cannot be written.
pub fn page(out: &mut dyn Write) -> io::Result<()> {
    let mut command = Cli::command();
    command.build();
    let man = Man::new(command.clone()).section("8").manual("Postboard");
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    let mut roff = Roff::new();
    roff.control("SH", ["THE OPERATOR'S COMMANDS"]);
    for job in command.get_subcommands() {
        write_job(job, &mut roff);
    }
    roff.control("SH", ["PLAYERS' COMMANDS"]);
    roff.text([roman("The words that a mail has in its Subject. "), bold("postboard help")]);
    roff.text([roman("has more about each.")]);
    for verb in VERBS {
        let game = if verb.scope == VerbScope::Server { "" } else { "game " };
        let game = if verb.scope == VerbScope::Both { "[game] " } else { game };
        roff.control("TP", []);
        roff.text([italic(game), bold(verb.name), roman(format!(" {}", verb.usage))]);
        roff.text([roman(verb.about)]);
    }
    roff.control("SH", ["GAMES"]);
    for game in GAMES {
        let spec = game.spec();
        roff.control("TP", []);
        roff.text([bold(spec.name)]);
        let options = spec.options.iter().map(|option| format!("-{}", option.name));
        let words = spec.verbs.iter().map(|verb| (*verb).to_owned());
        let settings = spec.settings.iter().map(|own| own.switch.name.to_owned());
        let mut sentences = vec![format!("{}.", spec.title)];
        let parts = [
            ("Options of a challenge", options.collect::<Vec<_>>()),
            ("Words of its own", words.collect()),
            ("Settings of a player", settings.collect()),
        ];
        for (what, words) in parts.into_iter().filter(|(_, words)| !words.is_empty()) {
            sentences.push(format!("{what}: {}.", words.join(", ")));
        }
        roff.text([roman(sentences.join(" "))]);
    }
    roff.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in exit_status::ALL {
        roff.control("TP", []);
        roff.text([bold(code.to_string())]);
        roff.text([roman(meaning)]);
    }
    roff.to_writer(out)?;
    man.render_extra_section(out)?;
    man.render_version_section(out)
}

/// Writes the section of an operator's command.
fn write_job(job: &Command, roff: &mut Roff) {
    let mut line = vec![job.get_name().to_owned()];
    for word in job.get_arguments().filter(|word| word.is_positional()) {
        let mut name = word.get_value_names().unwrap_or_default().join(" ");
        if word.get_num_args().is_some_and(|count| count.max_values() > 1) && !name.contains(' ') {
            name += "...";
        }
        line.push(if word.is_required_set() { name } else { format!("[{name}]") });
    }
    roff.control("SS", [&*line.join(" ")]);
    let about = job.get_long_about().or(job.get_about());
    roff.text([roman(about.map(ToString::to_string).unwrap_or_default())]);
    for word in job.get_arguments().filter(|word| word.get_id() != "help") {
        let Some(help) = word.get_help() else { continue };
        roff.control("TP", []);
        let values = word.get_value_names().unwrap_or_default().join(" ");
        let takes = word.get_action().takes_values();
        let head: Vec<Inline> = match word.get_long() {
            Some(long) if takes => {
                vec![bold(format!("--{long}")), roman(" "), italic(values)]
            }
            Some(long) => vec![bold(format!("--{long}"))],
            None => vec![italic(values)],
        };
        roff.text(head);
        let choices: Vec<String> =
            word.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
        let more = if takes && !choices.is_empty() {
            format!(": {}", choices.join(", "))
        } else {
            String::new()
        };
        roff.text([roman(format!("{help}{more}"))]);
    }
}
