//! `receive`: takes a mail from the mail server.

use crate::base::chance::{Entropy, RandomSource as _};
use crate::base::meters::{self, MailOutcome};
use crate::base::time::Time;
use crate::mail::with_date;
use crate::shell::home::locate;
use crate::shell::settings;
use crate::shell::{CommandError, Machine};
use crate::store::{Fault, spool};
use data_encoding::HEXLOWER;
use std::io::{self, Read};
use std::path::Path;

/// Puts a mail into the spool. Of a mail that is too long, keeps just enough to show that.
pub(crate) fn run(home: &Path, machine: &mut Machine) -> Result<(), CommandError> {
    settings::load(home)?;
    let mut raw = Vec::new();
    let limit = u64::try_from(spool::MAX_MAIL_BYTES).unwrap_or(u64::MAX) + 1;
    Read::take(&mut *machine.input, limit).read_to_end(&mut raw)?;
    // Read the rest, too: a mail server that cannot write everything would bounce the mail.
    io::copy(&mut *machine.input, &mut io::sink())?;
    Ok(put(home, raw, (machine.clock)(), arrival_id(&mut machine.chance))?)
}

/// Returns what tells two mails with the same text apart if they have no Date.
pub(crate) fn arrival_id(chance: &mut Entropy) -> [u8; 8] {
    let mut arrival = [0; 8];
    chance.fill(&mut arrival);
    arrival
}

/// Puts a mail that has arrived into the spool, durably.
pub(crate) fn put(home: &Path, raw: Vec<u8>, now: Time, arrival: [u8; 8]) -> Result<(), Fault> {
    let raw = with_date(raw, now, &HEXLOWER.encode(&arrival));
    let put = locate(home).and_then(|home| home.put(&raw, None));
    meters::count_mail(match &put {
        Ok(()) => MailOutcome::Kept,
        Err(fault) if fault.is_full() => MailOutcome::NoRoom,
        Err(_) => MailOutcome::Fault,
    });
    put
}
