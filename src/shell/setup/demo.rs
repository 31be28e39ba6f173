//! `demo`: plays a game of Malaka through the real pipeline in a temporary home, mail by mail.

use crate::base::chance::Entropy;
use crate::base::password::Hashing;
use crate::base::time::{Span, Time, hours};
use crate::mail::{Address, parse, unquoted_text};
use crate::post::{self, DeliveryError, Transport};
use crate::reply::PictureCache;
use crate::shell::home::{self, locate, open};
use crate::shell::mails::batch::MailBatch;
use crate::shell::mails::deliver::printed;
use crate::shell::settings;
use crate::shell::{CommandError, Machine};
use crate::store::{Fault, FileStore, mbox::Mbox};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use std::io::Write;

/// The mails of alice and bob, in order.
pub const MAILS: &[u8] = include_bytes!("../../../data/demo.mbox");
/// The seed word of the challenge, and of all other chance.
pub const SEED: u64 = 22;
/// The key of the demo's home. The reply tags in the mails depend on it.
pub const KEY: [u8; 32] = *b"the key of a home in every demo.";
/// The configuration of the demo's home.
pub const CONFIG: &str = "address = \"postboard@localhost\"\nplus = true\n";
/// When the first mail arrives: 2004-08-20 12:00 UTC.
const START: Time = Time::from_unix(1_093_003_200);
/// Time between two mails.
const STEP: Span = hours(5);

/// Returns when the mail at `index` arrives.
pub fn arrival(index: usize) -> Time {
    START + i64::try_from(index).unwrap_or(0) * STEP
}

/// How many mails at the beginning have their answers printed in full.
const FIRST: usize = 5;
/// How many mails at the end have their answers printed in full.
const LAST: usize = 2;

/// A transport that collects all mails.
#[derive(Default)]
struct CollectingTransport(Vec<(Address, Vec<u8>)>);

impl Transport for CollectingTransport {
    fn send(
        &mut self,
        _: Option<&Address>,
        to: &Address,
        bytes: &[u8],
    ) -> Result<(), DeliveryError> {
        self.0.push((to.clone(), bytes.to_vec()));
        Ok(())
    }
}

/// Plays the demo and prints it.
///
/// # Errors
/// The machine failed.
pub fn run(machine: &mut Machine) -> Result<(), CommandError> {
    let folder = tempfile::tempdir()?;
    let home = folder.path().join("home");
    FileStore::init(&home, &KEY)?;
    settings::write(&home, CONFIG)?;
    let mails = Mbox::new(MAILS).collect::<Result<Vec<_>, _>>()?;
    let mut chance = Entropy(ChaCha20Rng::seed_from_u64(SEED));
    let out = &mut *machine.out;
    writeln!(
        out,
        "A game of Malaka by mail between alice and bob: {} mails come in from data/demo.mbox.\n\
         Every one is spooled, executed in a home on disk, and answered.\n",
        mails.len()
    )?;
    for (index, raw) in mails.iter().enumerate() {
        let now = arrival(index);
        let answers = answer(&home, raw, &mut chance, now)?;
        let step = DemoStep { index, is_last: index + LAST >= mails.len() };
        show(out, step, raw, &answers)?;
    }
    let end = arrival(mails.len());
    let report = crate::server::check::check(&*home::read(&home)?, end)?;
    for line in report.wrong.iter().chain(&report.mended) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "The game is over, and every board of this home replays without a fault.")?;
    Ok(())
}

/// The position of a mail in the game.
#[derive(Clone, Copy)]
struct DemoStep {
    index: usize,
    /// Whether it is among the last.
    is_last: bool,
}

/// Prints a mail and its answers: in full at the ends of the game and if the mail says more than a
/// move.
fn show(
    out: &mut dyn Write,
    DemoStep { index, is_last }: DemoStep,
    raw: &[u8],
    answers: &[(Address, Vec<u8>)],
) -> Result<(), CommandError> {
    let nobody = Address::parse("nobody@elsewhere.example").expect("an address");
    let read = |bytes| parse(bytes, &nobody).map_err(|why| CommandError::Usage(why.to_string()));
    let mail = read(raw)?;
    let said = unquoted_text(&mail.text);
    let full = index < FIRST || is_last || said.lines().count() > 1;
    let who = mail.from.address().map_or("somebody", Address::local);
    // A reply has its move in the text, a command in the Subject, behind a password.
    let words = if mail.subject.starts_with("Re:") { &said } else { &mail.subject };
    let line = words.lines().next().unwrap_or_default().replace("secret", "******");
    if full {
        writeln!(out, "{:=<78}\n{:>3}. {who} sends: {line}\n", "", index + 1)?;
    } else {
        write!(out, "{:>3}. {who}: {line}", index + 1)?;
    }
    for (count, (to, bytes)) in answers.iter().enumerate() {
        let letter = read(bytes)?;
        // Both players get the board; one picture is enough here.
        if full && count == 0 {
            let text = letter.text.trim_end();
            writeln!(out, "To: {to}\nSubject: {}\n\n{text}\n", letter.subject)?;
        } else if full {
            writeln!(out, "(and to {to}: {})\n", letter.subject)?;
        } else if count == 0 {
            writeln!(out, " -> {}", letter.subject)?;
        }
    }
    Ok(())
}

/// Executes a mail and sends the answers. Returns these.
fn answer(
    home: &std::path::Path,
    raw: &[u8],
    chance: &mut Entropy,
    now: Time,
) -> Result<Vec<(Address, Vec<u8>)>, Fault> {
    locate(home)?.put(raw, None)?;
    let (mut files, setup) = open(home, Hashing::default())?;
    MailBatch::new(&setup, chance, &|| now, &|_| ()).execute_spool(&mut *files, &|| false)?;
    files.close()?;
    let mut transport = CollectingTransport::default();
    let pictures = PictureCache::default();
    post::flush(&*locate(home)?, &mut transport, &|letter| printed(letter, &pictures), now)?;
    Ok(transport.0)
}
