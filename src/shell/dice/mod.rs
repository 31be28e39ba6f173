//! `verify`, `dice-key` and the other commands about dice.

mod seed;

use crate::base::chance::RandomSource as _;
use crate::mail::{Address, parse};
use crate::model::dice::{
    CheckedRoll, DiceKeys, NamedDigest, RollVerdict, SheetReport, UndrawnReason, check, digests,
};
use crate::shell::cli::DiceJob;
use crate::shell::home::{locate, read};
use crate::shell::output::printable::short_text;
use crate::shell::reports::charts::dice as report;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::operator_files;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The longest text that is verified, in bytes.
const MAX_TEXT_BYTES: u64 = 50_000_000;

/// Runs a command about dice.
pub(crate) fn run(home: &Path, job: DiceJob, machine: &mut Machine) -> Result<Exit, CommandError> {
    match job {
        DiceJob::Verify { files } => return verify(&files, machine),
        DiceJob::Seed { file, next } => seed::run(&file, next, machine)?,
        DiceJob::DiceReport { game, player, html, json } => {
            let wanted = report::RollFilter { game: game.as_deref(), player: player.as_deref() };
            report::run(home, wanted, html.as_deref(), json, machine)?;
        }
        DiceJob::DiceKey { rotate } => keys(home, rotate, machine)?,
    }
    Ok(Exit::Done)
}

/// Verifies all roll sheets in some files, and that the digests named in these files agree with
/// them.
fn verify(files: &[PathBuf], machine: &mut Machine) -> Result<Exit, CommandError> {
    let (mut checked, mut named) = (Vec::new(), Vec::new());
    for file in files {
        let mut bytes = Vec::new();
        if file == Path::new("-") {
            Read::take(&mut *machine.input, MAX_TEXT_BYTES).read_to_end(&mut bytes)?;
        } else {
            bytes = operator_files::read(file)?;
        }
        let (sheets, digests) = check_text(&bytes);
        checked.extend(sheets);
        named.extend(digests);
    }
    for sheet in &mut checked {
        let digests = named.iter().filter(|named| sheet.is_of(&named.board));
        let other: Vec<_> =
            digests.filter(|named| !sheet.digests.contains(&named.digest)).collect();
        for NamedDigest { digest, .. } in other {
            let wrong = format!("a mail names the digest {digest}, which is not that of the sheet");
            sheet.wrong.push(wrong);
        }
        print_report(sheet, machine.out)?;
        if !named.iter().any(|named| sheet.is_of(&named.board)) {
            writeln!(
                machine.out,
                "No mail here names the digest of this board. Give the first mail about it, too: \
                 without that the server may have chosen what the rolls follow from later.\n"
            )?;
        }
    }
    if checked.is_empty() {
        writeln!(machine.out, "no sheet of dice found; `<game> proof <board>` gives one")?;
    }
    let is_right = !checked.is_empty() && checked.iter().all(SheetReport::is_right);
    Ok(if is_right { Exit::Done } else { Exit::Refused })
}

/// Checks the sheets in a mail, however encoded, or in a plain text. Returns them and the digests there.
fn check_text(bytes: &[u8]) -> (Vec<SheetReport>, Vec<NamedDigest>) {
    let nobody = Address::parse("nobody@elsewhere.example").expect("an address");
    let read = |text: &str| (check(text), digests(text));
    let of_mail = parse(bytes, &nobody).map(|mail| read(&mail.text)).unwrap_or_default();
    if of_mail.0.is_empty() && of_mail.1.is_empty() {
        return read(&String::from_utf8_lossy(bytes));
    }
    of_mail
}

/// Prints what was found about a sheet.
fn print_report(sheet: &SheetReport, out: &mut dyn Write) -> Result<(), CommandError> {
    let (first, last) = (sheet.rolls.start(), sheet.rolls.end());
    writeln!(out, "{}: rolls {first} to {last} of {}", short_text(&sheet.board), sheet.of)?;
    writeln!(out, "key {}", sheet.key)?;
    for wrong in &sheet.wrong {
        writeln!(out, "WRONG: {}", short_text(wrong))?;
    }
    for CheckedRoll { number, shown, verdict } in &sheet.verdicts {
        let what = short_text(shown);
        match verdict {
            RollVerdict::Proved(level) => {
                writeln!(out, "roll {number}: {what} proved, level {}", level.number())?;
            }
            RollVerdict::Steerable(by) => {
                writeln!(out, "roll {number}: {what} {}", by.explanation())?;
            }
            RollVerdict::Wrong(why) => writeln!(out, "roll {number}: {what} WRONG: {why}")?,
            RollVerdict::Undrawn(why) => {
                writeln!(out, "roll {number}: {what} not proved: {}", reason_without_proof(*why))?;
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

/// Returns why a roll has no proof.
fn reason_without_proof(why: UndrawnReason) -> &'static str {
    match why {
        UndrawnReason::Again => "it came again from a board that was given up before",
        UndrawnReason::Imported => "it was played elsewhere",
        UndrawnReason::Operator => "the operator has written it",
    }
}

/// Prints the public keys of the dice. With `rotate`, makes a new key for new boards first.
fn keys(home: &Path, rotate: bool, machine: &mut Machine) -> Result<(), CommandError> {
    let keys = if rotate {
        let mut opened = locate(home)?.open()?;
        // Read everything before changing anything.
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
