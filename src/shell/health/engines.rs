//! Tries the engines: the programs that play as `board5`.

use crate::config::{Config, EngineProgram};
use crate::engine::{Confinement, Engine, EngineAnswer};
use crate::shell::health::finding::{Finding, healthy, problem};
use crate::shell::home;
use games::{Chance, EngineMove, SeatSettings, Transcript, advance};
use std::path::Path;

/// Asks each program for a move of a new game.
pub(crate) fn examine(home: &Path, config: &Config) -> Vec<Finding> {
    let programs = &config.engines.programs;
    if programs.is_empty() {
        return Vec::new();
    }
    if let Err(fault) = home::refuse_foreign(home) {
        return vec![problem("engines", fault.to_string())];
    }
    let tried = programs.iter().map(|program| match try_engine(program, config) {
        Ok((name, confined)) => {
            healthy("engines", format!("board5 plays {} as {name}, {confined}", program.game))
        }
        Err(why) => problem(
            "engines",
            format!(
                "{}: {}: {why}: mend it, or remove its line from [engines]; until then our own program \
                 moves for board5",
                program.game,
                program.command.join(" ")
            ),
        ),
    });
    tried.collect()
}

/// Returns the name of a program that makes a legal move, and what it is kept from.
fn try_engine(program: &EngineProgram, config: &Config) -> Result<(String, &'static str), String> {
    let none = || "it plays no game of this server".to_owned();
    let game = games::find(program.game).ok_or_else(none)?;
    let mut engine = Engine::configured(&config.engines, program.game).ok_or_else(none)?;
    let options = games::Choices::default();
    let mut position = game.setup(&options);
    let waits = |_| SeatSettings { settings: games::Choices::default(), level: None };
    let record = advance(&mut *position, &mut Chance::new(1), &waits);
    let players = ["board5", "board5"].map(String::from);
    let question = game.engine_question(&Transcript { players, options, record, ending: None });
    let EngineAnswer { decision, name } =
        engine.ask(&question.ok_or_else(none)?).map_err(|fault| fault.to_string())?;
    match decision {
        EngineMove::Resign => Err("it resigns its first move".into()),
        EngineMove::Move(text) => match position.play(&text) {
            Ok(_) => Ok((name, confinement_words(engine.confinement()))),
            Err(error) => {
                let text: String = text.chars().take(40).collect();
                Err(format!("its first move \"{text}\" is refused: {error}"))
            }
        },
    }
}

fn confinement_words(confinement: Option<Confinement>) -> &'static str {
    match confinement {
        Some(Confinement::Whole) => "kept from other files and from TCP",
        Some(Confinement::Partial) => {
            "kept from other files; this kernel is too old to keep it from TCP"
        }
        Some(Confinement::Nothing) | None => {
            "kept from nothing: the kernel, or the unit of the service, has no Landlock"
        }
    }
}
