//! `restore`: makes a home from a backup.

use crate::base::progress::NoProgress;
use crate::config::{Config, Deliver};
use crate::shell::copies::found_backup::{BackupSource, FoundBackup};
use crate::shell::copies::move_home::parse_place;
use crate::shell::copies::upgrade::make_missing_lists;
use crate::shell::health::check::all_mistakes;
use crate::shell::home::{in_database, in_files};
use crate::shell::output::printable::short_text;
use crate::shell::output::progress::{ProgressOutput, ProgressParts};
use crate::shell::{CommandError, Machine, settings};
use crate::store::backup::{WholeBackup, decrypted};
use crate::store::log;
use crate::store::restore::{self, RestoreTarget};
use crate::store::transfer::restore_into_database;
use std::io::{BufRead as _, Read as _};
use std::path::Path;

/// The label of the progress bar.
const UNPACKING: &str = "unpacking";

/// How to read a backup, and which parts of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BackupParts<'w> {
    /// The file of the private keys that open it, if it is encrypted.
    pub(crate) identity: Option<&'w Path>,
    /// Whether to restore letters that were waiting to be sent.
    pub(crate) with_outbox: bool,
}

/// The options of `restore`.
pub(crate) struct RestoreOptions<'w> {
    /// Whether to move an existing home aside.
    pub(crate) replace: bool,
    /// How to read the backup, and which parts of it.
    pub(crate) parts: BackupParts<'w>,
    /// The database for the home, unless it is kept in files.
    pub(crate) store: Option<&'w str>,
    /// Whether to accept programs named in its configuration without asking.
    pub(crate) trust_programs: bool,
}

/// Makes a home from a backup.
pub(crate) fn run(
    home: &Path,
    from: BackupSource,
    options: &RestoreOptions,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    if !options.replace && !restore::is_vacant(home)? {
        let why = "there is a home already; `--replace` moves it aside and keeps it";
        return Err(CommandError::Usage(format!("cannot restore into {}: {why}", home.display())));
    }
    let present = settings::load_if_any(home);
    let obstacle = match &present {
        Ok(config) if config.as_ref().is_none_or(|config| config.store.is_none()) => None,
        Ok(_) => Some("it is kept in a database".to_owned()),
        Err(fault) => Some(format!("it is not known where it is kept: {fault}")),
    };
    if let Some(obstacle) = obstacle.filter(|_| options.store.is_none()) {
        let why = "`--store` says which empty database is to keep the new home, or `--store files`";
        let home = home.display();
        return Err(CommandError::Usage(format!("cannot restore into {home}: {obstacle}; {why}")));
    }
    let store = options.store.map_or(Ok(None), parse_place)?;
    let mut backup = FoundBackup::find(home, from, machine)?;
    let restoring = RestoreTarget::begin(home)?;
    let files = unpack(&restoring, &mut backup, options.parts, machine)?;
    if !options.trust_programs {
        ask_for_programs(present.ok().flatten().as_ref(), restoring.folder(), &backup, machine)?;
    }
    // What cannot be read is reported with the mistakes.
    let _ = make_missing_lists(&in_files(restoring.folder()), (machine.clock)(), &NoProgress);
    // Mistakes were there when the backup was made; a home with mistakes is better than none.
    for line in all_mistakes(restoring.folder(), (machine.clock)(), machine.screen) {
        (machine.warn)(&line);
    }
    move_into_database(&restoring, store.as_deref(), machine.screen)?;
    let line = format!("{files} files from {}", backup.shown);
    if let Err(fault) =
        log(restoring.folder(), &format!("operator {}: restore: {line}", machine.operator))
    {
        (machine.warn)(&fault);
    }
    let aside = restoring.publish()?;
    writeln!(machine.out, "{line}")?;
    if let Some(aside) = aside {
        writeln!(machine.out, "the home that was there is now {}", aside.display())?;
    }
    Ok(())
}

/// Unpacks a backup, `-` from standard input, with the whole one that it may need. Returns the number of files.
pub(super) fn unpack(
    restoring: &RestoreTarget,
    backup: &mut FoundBackup,
    BackupParts { identity, with_outbox }: BackupParts,
    machine: &mut Machine,
) -> Result<u64, CommandError> {
    if backup.path() == Path::new("-") {
        let bar = machine.screen.bytes(UNPACKING, None);
        let from = Path::new("standard input");
        let input = decrypted(from, bar.reading(&mut *machine.input), identity)?;
        return Ok(restoring.unpack(from, input, with_outbox)?);
    }
    let file = backup.path().to_owned();
    let (input, size) = restore::open(&file)?;
    let bar = machine.screen.bytes(UNPACKING, Some(size));
    let input = decrypted(&file, bar.reading(input), identity)?;
    let open_whole = &mut |whole: &WholeBackup| {
        let path = backup.find_whole(whole)?;
        let (input, size) = whole.open(&path)?;
        bar.begin(size);
        let input = decrypted(&path, bar.reading(input), identity)?;
        Ok((path, input))
    };
    Ok(restoring.unpack_all(&file, input, with_outbox, open_whole)?)
}

/// Returns what a configuration runs programs for, as it follows "The configuration".
fn uses_of_programs(config: &Config) -> Vec<String> {
    let mail = match &config.deliver {
        Deliver::Sendmail { command } => command.as_deref(),
        _ => None,
    };
    let mail =
        mail.map(|command| format!("sends each mail by the program {}", short_text(command)));
    let engines = config.engines.programs.iter().map(|program| {
        let command = short_text(&program.command.join(" "));
        format!("lets the program {command} play {}", program.game)
    });
    mail.into_iter().chain(engines).collect()
}

/// Asks the operator before restoring a configuration that runs programs, unless the present home runs them,
/// too. A configuration that cannot be parsed may run some.
fn ask_for_programs(
    present: Option<&Config>,
    unpacked: &Path,
    backup: &FoundBackup,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let present = present.map(uses_of_programs).unwrap_or_default();
    let uses = match settings::load(unpacked) {
        Ok(config) => {
            let mut uses = uses_of_programs(&config);
            uses.retain(|each| !present.contains(each));
            if uses.is_empty() {
                return Ok(());
            }
            uses.join(", and ")
        }
        Err(fault) => {
            let why = short_text(&fault.source.to_string());
            format!("cannot be understood, and may run programs ({why})")
        }
    };
    let is_yes = backup.path() != Path::new("-") && {
        write!(
            machine.out,
            "The configuration in the backup {uses}\n\
             Take it over? [y/N] "
        )?;
        machine.out.flush()?;
        let mut answer = String::new();
        machine.input.take(100).read_line(&mut answer)?;
        writeln!(machine.out)?;
        ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
    };
    if is_yes {
        return Ok(());
    }
    Err(CommandError::Refused(format!(
        "nothing was restored: the configuration in the backup {uses}; \
         `--trust-programs` accepts it without asking"
    )))
}

/// Moves the unpacked home into a database.
fn move_into_database(
    restoring: &RestoreTarget,
    url: Option<&str>,
    screen: ProgressOutput,
) -> Result<(), CommandError> {
    let folder = restoring.folder();
    if url.is_none() {
        return Ok(());
    }
    settings::write_store_url(folder, url)?;
    let config = settings::load(folder)?;
    let own = config.identity().address;
    let Some(place) = config.store else { return Ok(()) };
    let database = in_database(folder, place, own);
    let progress = ProgressParts::new(screen);
    let mut begin = |what, of| progress.begin(what, of);
    Ok(restore_into_database(restoring, &database, &mut begin, &mut |count| progress.add(count))?)
}
