//! `move-home`: moves a home from files into a database, or back.

use crate::base::chance::RandomSource;
use crate::config::{Config, ConfigOrigin, is_database_url};
use crate::shell::cli::MoveHomeJob;
use crate::shell::home::{locate, storage};
use crate::shell::output::progress::ProgressParts;
use crate::shell::output::remedy;
use crate::shell::{CommandError, Machine, settings};
use crate::store::disk::Disk;
use crate::store::postgres::DatabaseConfig;
use crate::store::transfer::{HomeMove, MoveRoute};
use crate::store::{JobRun, MoveNote, log};
use data_encoding::HEXLOWER;
use std::path::Path;

/// The value of `--to` for a home in files.
const FILES: &str = "files";

/// Moves a home, continues an interrupted move, or cancels it.
pub(crate) fn run(
    home: &Path,
    job: &MoveHomeJob,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let config = settings::load(home)?;
    let begun = MoveNote::read(home)?;
    let Some(to) = &job.to else { return cancel(home, &config, begun, machine) };
    let to = parse_place(to)?.map(|url| config.store_access.database(url));
    let url = |place: &Option<DatabaseConfig>| place.as_ref().map(|place| place.url.clone());
    let from = match &begun {
        Some(begun) if url(&begun.to) != url(&to) => {
            let why =
                "a move to another place has begun; cancel it with `postboard move-home --cancel`";
            return Err(CommandError::Usage(format!("cannot move {}: {why}", home.display())));
        }
        Some(begun) => begun.from.clone(),
        None if url(&config.store) == url(&to) => {
            writeln!(machine.out, "{} is already there", home.display())?;
            return Ok(());
        }
        None => config.store.clone(),
    };
    require_place_in_file(home)?;
    let runs = locate(home)?.last_runs()?;
    let own = config.identity().address;
    let route = MoveRoute { from: storage(home, from, &own), to: storage(home, to.clone(), &own) };
    let progress = ProgressParts::new(machine.screen);
    let mut moving = HomeMove::begin(home, route, &new_token(machine), &Disk::default())?;
    moving.copy(&mut |what, of| progress.begin(what, of), &mut |count| progress.add(count))?;
    drop(progress);
    let left = moving.finish(&|| settings::write_store_url(home, url(&to).as_deref()))?;
    copy_job_runs(home, &runs);
    // Checks that it can be opened.
    locate(home)?.read()?;
    let place = locate(home)?.location();
    if let Err(fault) = log(home, &format!("operator {}: move-home: {place}", machine.operator)) {
        (machine.warn)(&remedy::fault_with_remedy(&fault, home));
    }
    writeln!(machine.out, "{} is kept in {place} now", home.display())?;
    if let Some(left) = left {
        writeln!(machine.out, "its files are left in {}", left.display())?;
    }
    Ok(())
}

/// Records the last runs of jobs in the new place. Failures are ignored, since `status` only shows
/// them.
fn copy_job_runs(home: &Path, runs: &[JobRun]) {
    for run in runs {
        let _ = locate(home).and_then(|home| home.record_run(run));
    }
}

fn cancel(
    home: &Path,
    config: &Config,
    begun: Option<MoveNote>,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let Some(begun) = begun else {
        return Err(CommandError::Usage(format!("no move of {} has begun", home.display())));
    };
    let own = &config.identity().address;
    let route =
        MoveRoute { from: storage(home, begun.from, own), to: storage(home, begun.to, own) };
    HomeMove::begin(home, route, &begun.token, &Disk::default())?.cancel()?;
    writeln!(machine.out, "{} stays where it is", home.display())?;
    Ok(())
}

/// Parses the value of `--to`: the URL of a database. None for files.
pub(crate) fn parse_place(word: &str) -> Result<Option<String>, CommandError> {
    if word == FILES {
        return Ok(None);
    }
    if !is_database_url(word) {
        // The value may contain a password.
        let why = "it must be `files`, or like postgres://postboard@db.example.org/postboard";
        return Err(CommandError::Usage(format!("cannot keep a home there: {why}")));
    }
    Ok(Some(word.to_owned()))
}

/// Refuses if something other than `postboard.toml` sets the place of the home, since a change of
/// the file would have no effect.
fn require_place_in_file(home: &Path) -> Result<(), CommandError> {
    let in_force = settings::layered(home)?.in_force;
    for setting in in_force.into_iter().filter(|setting| setting.key.starts_with("store.")) {
        if let ConfigOrigin::Variable(name) = setting.from {
            let why =
                format!("{name} says where it is kept: put that into its postboard.toml first");
            return Err(CommandError::Usage(format!("cannot move {}: {why}", home.display())));
        }
    }
    Ok(())
}

fn new_token(machine: &mut Machine) -> String {
    let mut token = [0; 16];
    machine.chance.fill(&mut token);
    HEXLOWER.encode(&token)
}
