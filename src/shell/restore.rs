//! Makes a home of a backup.

use super::check::found_in;
use super::{Machine, Trouble, settings};
use crate::store::log;
use crate::store::restore::{self, Restoring};
use std::path::Path;

/// What a bar says.
const UNPACKING: &str = "unpacking";

/// Makes a home of a backup.
pub(super) fn run(
    home: &Path,
    file: &Path,
    replace: bool,
    with_outbox: bool,
    machine: &mut Machine,
) -> Result<(), Trouble> {
    if !replace && !restore::is_vacant(home)? {
        let why = "there is a home already; `--replace` moves it aside and keeps it";
        return Err(Trouble::Usage(format!("cannot restore into {}: {why}", home.display())));
    }
    if settings::load(home).is_ok_and(|config| config.store.is_some()) {
        let why = "it is kept in a database: restore that with its own tools";
        return Err(Trouble::Usage(format!("cannot restore into {}: {why}", home.display())));
    }
    let restoring = Restoring::begin(home)?;
    let files = if file == Path::new("-") {
        let bar = machine.screen.bytes(UNPACKING, None);
        let input = bar.reading(&mut *machine.input);
        restoring.unpack(Path::new("standard input"), input, with_outbox)?
    } else {
        let (input, size) = restore::open(file)?;
        let bar = machine.screen.bytes(UNPACKING, Some(size));
        restoring.unpack(file, bar.reading(input), with_outbox)?
    };
    // What is wrong in it was wrong when it was made: better that than nothing.
    for line in found_in(restoring.folder(), (machine.clock)(), machine.screen) {
        (machine.warn)(&line);
    }
    let line = format!("{files} files from {}", file.display());
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
