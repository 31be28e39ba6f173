//! `verify` and `dice-key`: dice are checked, and what they follow from is renewed.

use super::cli::DiceJob;
use super::home::{at, read};
use super::report::dice as report;
use super::{CommandError, Exit, Machine};
use crate::base::chance::RandomSource as _;
use crate::mail::{Address, parse};
use crate::model::dice::{DiceKeys, RollVerdict, SheetReport, UndrawnReason, check};
use crate::store::settings;
use std::io::{Read as _, Write};
use std::path::Path;

/// The longest text that is checked, bytes.
const LONGEST: u64 = 50_000_000;

/// Runs an operator's command about dice.
pub(super) fn run(home: &Path, job: DiceJob, machine: &mut Machine) -> Result<Exit, CommandError> {
    match job {
        DiceJob::Verify { file } => return verify(&file, machine),
        DiceJob::DiceReport { game, player, html, json } => {
            let wanted = report::RollFilter { game: game.as_deref(), player: player.as_deref() };
            report::run(home, wanted, html.as_deref(), json, machine)?;
        }
        DiceJob::DiceKey { rotate } => keys(home, rotate, machine)?,
    }
    Ok(Exit::Done)
}

/// `verify`: checks every sheet of dice in a file.
fn verify(file: &Path, machine: &mut Machine) -> Result<Exit, CommandError> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        machine.input.take(LONGEST).read_to_end(&mut bytes)?;
    } else {
        bytes = settings::bytes(file)?;
    }
    let checked = of_text(&bytes);
    for sheet in &checked {
        tell(sheet, machine.out)?;
    }
    if checked.is_empty() {
        writeln!(machine.out, "there is no sheet of dice in it; `<game> proof <board>` gives one")?;
    }
    let is_right = !checked.is_empty() && checked.iter().all(SheetReport::is_right);
    Ok(if is_right { Exit::Done } else { Exit::Refused })
}

/// The sheets in a mail, in whatever way that is encoded, or else in a text.
fn of_text(bytes: &[u8]) -> Vec<SheetReport> {
    let nobody = Address::parse("nobody@elsewhere.example").expect("an address");
    let of_mail = parse(bytes, &nobody).map(|mail| check(&mail.text)).unwrap_or_default();
    if of_mail.is_empty() { check(&String::from_utf8_lossy(bytes)) } else { of_mail }
}

fn tell(sheet: &SheetReport, out: &mut dyn Write) -> Result<(), CommandError> {
    let shown = super::rules::printable;
    let (first, last) = (sheet.rolls.start(), sheet.rolls.end());
    writeln!(out, "{}: rolls {first} to {last} of {}", shown(&sheet.board), sheet.of)?;
    writeln!(out, "key {}", sheet.key)?;
    for wrong in &sheet.wrong {
        writeln!(out, "WRONG: {}", shown(wrong))?;
    }
    for (number, what, verdict) in &sheet.verdicts {
        let what = shown(what);
        match verdict {
            RollVerdict::Proved => writeln!(out, "roll {number}: {what} proved")?,
            RollVerdict::Wrong(why) => writeln!(out, "roll {number}: {what} WRONG: {why}")?,
            RollVerdict::Undrawn(why) => {
                writeln!(out, "roll {number}: {what} not proved: {}", because(*why))?;
            }
            RollVerdict::Hidden => {
                writeln!(out, "roll {number}: {what}: proved when the game is over")?;
            }
        }
    }
    let proved = sheet.proved();
    writeln!(out, "{proved} proved, {} not\n", sheet.verdicts.len() - proved)?;
    Ok(())
}

/// Why a roll has no proof.
fn because(why: UndrawnReason) -> &'static str {
    match why {
        UndrawnReason::Again => "it came again from a board that was given up before",
        UndrawnReason::Imported => "it was played elsewhere",
        UndrawnReason::Operator => "the operator has written it",
    }
}

/// `dice-key`: what the dice of boards follow from; with `rotate` a new key for new boards.
fn keys(home: &Path, rotate: bool, machine: &mut Machine) -> Result<(), CommandError> {
    let keys = if rotate {
        let mut opened = at(home).open()?;
        // All is read before anything is changed.
        let (first, mut later) = (opened.key()?, opened.dice_keys()?);
        let mut key = [0; 32];
        machine.chance.fill(&mut key);
        opened.add_dice_key(&key)?;
        later.push(key);
        let keys = DiceKeys::new(&first, later);
        opened.log(&["a new key of dice was made"])?;
        opened.close()?;
        keys
    } else {
        let opened = read(home)?;
        DiceKeys::new(&opened.key()?, opened.dice_keys()?)
    };
    let newest = keys.newest().public();
    for key in keys.public() {
        let which = if key == newest { "of new boards" } else { "of earlier boards" };
        writeln!(machine.out, "{key} {which}")?;
    }
    Ok(())
}
