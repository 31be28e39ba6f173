//! Makes a home.

use super::settings;
use super::{Machine, Trouble};
use crate::base::chance::Chance;
use crate::store::{Fault, Files};
use std::io;
use std::path::Path;

pub(super) fn run(home: &Path, machine: &mut Machine) -> Result<(), Trouble> {
    let mut key = [0; 32];
    machine.chance.fill(&mut key);
    let made = Files::init(home, &key);
    // An earlier one may have been broken off between the two: then the second is still to do.
    let lacks = |fault: Fault| fault.source.kind() == io::ErrorKind::NotFound;
    match made {
        Err(fault)
            if fault.source.kind() == io::ErrorKind::AlreadyExists
                && settings::load(home).is_err_and(lacks) => {}
        made => made?,
    }
    settings::write_sample(home)?;
    writeln!(machine.out, "{} is ready; see postboard.toml in it", home.display())?;
    Ok(())
}
