//! `dice-seed`: a player's own values for dice, kept in a file.
//!
//! The file contains the last value of a hash chain and how many values were taken. Each value is
//! the SHA-256 of the one taken after it, so the file stays small, and the first end of the chain
//! can be published.

use crate::base::chance::RandomSource as _;
use crate::shell::{CommandError, Machine};
use crate::store::operator_files;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::path::Path;

/// The length of a chain: more than a player rolls on a board.
const LINKS: usize = 2000;

/// A chain as stored.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct KeptChain {
    /// The value that is taken last, in 64 hexadecimal digits.
    last: String,
    /// How many values were taken.
    taken: usize,
}

impl KeptChain {
    /// Returns the value taken as the `number`-th, from 1. Number 0 is the published end.
    fn value(&self, number: usize) -> String {
        (number..LINKS).fold(self.last.clone(), |value, _| HEXLOWER.encode(&Sha256::digest(value)))
    }
}

/// Makes a chain and prints its end, or takes and prints the next value of an existing chain.
pub(crate) fn run(file: &Path, next: bool, machine: &mut Machine) -> Result<(), CommandError> {
    let mut chain = match operator_files::read_if_any(file)? {
        Some(bytes) => read(file, &bytes)?,
        None if next => {
            let why = format!("there is no {}: make it without --next", file.display());
            return Err(CommandError::Refused(why));
        }
        None => {
            let mut last = [0; 32];
            machine.chance.fill(&mut last);
            KeptChain { last: HEXLOWER.encode(&last), taken: 0 }
        }
    };
    if next {
        if chain.taken == LINKS {
            let why = format!("{} has no more values: make another file", file.display());
            return Err(CommandError::Refused(why));
        }
        chain.taken += 1;
    }
    // Save before showing, so that no two values are shown under one number.
    save(file, &chain)?;
    if chain.taken > 0 {
        writeln!(machine.out, "-seed={}", chain.value(chain.taken))?;
    } else {
        let end = chain.value(0);
        writeln!(machine.out, "With a challenge, or with a move if you lost your chain:")?;
        writeln!(machine.out, "-seed=sha256:{end}")?;
        writeln!(machine.out, "With your first move, if your opponent has committed to a value:")?;
        writeln!(machine.out, "-seed={end}")?;
    }
    Ok(())
}

fn read(file: &Path, bytes: &[u8]) -> Result<KeptChain, CommandError> {
    let chain = serde_json::from_slice::<KeptChain>(bytes).ok();
    let is_one = |it: &KeptChain| crate::model::dice::is_link(&it.last) && it.taken <= LINKS;
    let why = || format!("{} is not a file of `postboard dice-seed`; name another", file.display());
    chain.filter(is_one).ok_or_else(|| CommandError::Refused(why()))
}

fn save(file: &Path, chain: &KeptChain) -> Result<(), CommandError> {
    let text = serde_json::to_string(chain).map_err(std::io::Error::other)?;
    Ok(operator_files::replace_secret(file, &(text + "\n"))?)
}
