//! `user export` and `user erase`: what the server holds of a person, in documents and everywhere else.

use super::{existing_user, run};
use crate::base::ids::UserId;
use crate::base::password::Hashing;
use crate::base::words::Plural;
use crate::config::Config;
use crate::mail::Address;
use crate::model::caches::DOCUMENT_TYPES;
use crate::model::user::User;
use crate::refusal::OperatorRefusal;
use crate::server::Server;
use crate::server::repair::{
    RepairError, export_user, former_userids, remove_user, unlink_former_userids,
};
use crate::shell::home::{locate, open, read};
use crate::shell::output::printable::short_text;
use crate::shell::{CommandError, Exit, Machine, settings};
use crate::store::backup::Manifest;
use crate::store::traces::{self, MaskedFiles};
use crate::store::{
    ErasureNote, Fault, Home, JobRun, LogTo, Remedy, RemedyResult, StuckItem, log, operator_files,
};
use serde_json::{Value, json};
use std::path::Path;

/// Why documents of a kind may still name a user who was erased. A kind that is not here must not.
const KEPT: &[(&str, &str)] = &[
    (
        "users",
        "the userid stays taken, and others' lists of muted, blocked and favourite players and opponents name it",
    ),
    ("names", "nobody may take a userid that looks the same"),
    ("boards", "they belong to the opponents, too, and keep the userid as a pseudonym"),
    ("tournaments", "their tables belong to the other players, too"),
    ("reports", "they are evidence, even against their author"),
    ("audit", "entries of the log of acts are never changed"),
    ("bans", "a ban stays in force until you lift it"),
];

/// The folder of a home that holds its files from before it was moved into a database.
const MOVED: &str = "moved";

/// Writes all that the server holds of a user into a file.
pub(super) fn export(
    home: &Path,
    id: &UserId,
    file: &Path,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let config = settings::load(home)?;
    let (opened, setup) = open(home, Hashing::default())?;
    let mut server = Server::new(&setup, &mut machine.chance);
    let (user, mut export) = export_user(&mut server, &*opened, id, (machine.clock)())?;
    opened.close()?;
    let (located, addresses) = (locate(home)?, user.every_address());
    let words = words_of(&addresses);
    export.set("letters", letters(&*located, &addresses)?);
    export.set("parked_mails", parked_mails(&*located, &words)?);
    let named: Vec<String> = words.iter().cloned().chain([user.id.to_string()]).collect();
    let lines = traces::log_lines(home, &named)?;
    export.set("log", lines.iter().map(|line| without_others(line, &words)).collect());
    for place in unreached_logs(&config) {
        (machine.warn)(&format!("the export has nothing from {place}: look there, too"));
    }
    let text = export.text();
    if file == Path::new("-") {
        machine.out.write_all(text.as_bytes())?;
        return Ok(Exit::Done);
    }
    operator_files::replace_secret(file, &text)?;
    log(
        home,
        &format!("operator {}: all data of {} written to a file", machine.operator, user.id),
    )?;
    writeln!(machine.out, "all data of {} is in {}", user.id, file.display())?;
    Ok(Exit::Done)
}

fn words_of(addresses: &[Address]) -> Vec<String> {
    addresses.iter().map(|address| address.as_str().to_owned()).collect()
}

/// Returns the letters to these addresses that wait or were given up.
fn letters(home: &dyn Home, addresses: &[Address]) -> Result<Value, Fault> {
    let unsent = home.unsent_letters()?.into_iter().filter(|it| addresses.contains(&it.letter.to));
    let letter = unsent.map(|unsent| {
        let content = String::from_utf8_lossy(&unsent.letter.bytes).into_owned();
        let content = serde_json::from_str(&content).unwrap_or(Value::String(content));
        let (at, to, about) = (unsent.written_at, unsent.letter.to.as_str(), unsent.letter.thread);
        json!({ "at": at, "to": to, "board": about, "content": content })
    });
    Ok(letter.collect())
}

/// Returns the parked mails that contain one of these addresses.
fn parked_mails(home: &dyn Home, words: &[String]) -> Result<Value, Fault> {
    let mut mails = Vec::new();
    for parked in home.parked_mails()? {
        let Some(raw) = home.parked_mail(&parked.name)? else { continue };
        if traces::contains_word(&raw, words) {
            let text = String::from_utf8_lossy(&raw);
            mails.push(json!({ "at": parked.at, "why": parked.why, "mail": text }));
        }
    }
    Ok(Value::Array(mails))
}

/// Removes the addresses of others from a line of the log.
fn without_others(line: &str, own: &[String]) -> String {
    let is_own = |word: &str| own.iter().any(|own| own.eq_ignore_ascii_case(word));
    let parts = line.split_inclusive(|c: char| c.is_whitespace() || "<>()[]{},;:\"'".contains(c));
    let plain = parts.map(|part| {
        let word =
            part.trim_end_matches(|c: char| c.is_whitespace() || "<>()[]{},;:\"'.".contains(c));
        let is_foreign = word.contains('@') && !is_own(word);
        if is_foreign {
            format!("[address removed]{}", &part[word.len()..])
        } else {
            part.to_owned()
        }
    });
    plain.collect()
}

/// What was removed beside the documents.
#[derive(Debug, Default)]
struct RemovedTraces {
    letters: usize,
    /// Letters that a process was sending at this moment.
    busy: usize,
    mails: usize,
    masked: MaskedFiles,
}

impl RemovedTraces {
    /// Adds what a later search removed. What is left is as the later one found it.
    fn and(self, later: Self) -> Self {
        Self {
            letters: self.letters + later.letters,
            busy: later.busy,
            mails: self.mails + later.mails,
            masked: MaskedFiles {
                places: self.masked.places + later.masked.places,
                compressed: later.masked.compressed,
            },
        }
    }
}

/// Resigns a user's games, erases their data in documents and everywhere else, and tells what remains.
pub(super) fn erase(
    home: &Path,
    id: &UserId,
    further: &[Address],
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let config = settings::load(home)?;
    let user = existing_user(&*read(home)?, id)?;
    let is_erased = user.left.as_ref().is_some_and(|left| left.erased);
    if let Some(new) = user.renamed.clone() {
        return Err(RepairError::from(OperatorRefusal::Renamed { old: user.id, new }).into());
    }
    let note = ErasureNote::read(home, id)?;
    let is_finished = is_erased && note.is_none() && further.is_empty();
    if is_finished && former_userids(&*read(home)?, id)?.is_empty() {
        return Err(RepairError::from(OperatorRefusal::NothingToErase(user.id)).into());
    }
    if !is_erased {
        check_removable(home, id, machine)?;
    }
    let located = locate(home)?;
    let note = completed(note.unwrap_or_default(), &*located, &user, further)?;
    let first = remove_traces(home, &*located, &note)?;
    // The user's document has the addresses only until it is erased; the same command, repeated, reads them here.
    note.write(home, id)?;
    if is_erased {
        run(home, machine, |server, files, now| unlink_former_userids(server, files, id, now))?;
    } else {
        run(home, machine, |server, files, now| remove_user(server, files, id, now))?;
    }
    // Again, for the journal of this commit and what was written meanwhile.
    let later = remove_traces(home, &*located, &note).inspect_err(|_| {
        (machine.warn)(&format!(
            "{0} is erased, but places with their addresses may be left; mend what the next line says, then run \
             `postboard user erase {0}`",
            user.id
        ));
    })?;
    ErasureNote::remove(home, id)?;
    let removed = first.and(later);
    for (what, count) in [
        ("letters to them that waited or were given up, removed", removed.letters),
        ("parked mails with an address of theirs, removed", removed.mails),
        ("places in the log and in records of failures, overwritten", removed.masked.places),
    ] {
        writeln!(machine.out, "{what}: {count}")?;
    }
    tell_what_remains(home, &config, &user, &note.addresses, &removed, machine)
}

/// Adds what the server and the operator know to the note of an interrupted erasure, or to an empty one: the user's
/// addresses, and the letters to them. The letter that tells the user comes later, and is sent.
fn completed(
    mut note: ErasureNote,
    located: &dyn Home,
    user: &User,
    further: &[Address],
) -> Result<ErasureNote, Fault> {
    let mut addresses = user.every_address();
    addresses.extend(further.iter().cloned());
    let unsent = located.unsent_letters()?.into_iter().map(|unsent| unsent.letter);
    let theirs = unsent.filter(|letter| addresses.contains(&letter.to));
    note.letters.extend(theirs.map(|letter| letter.name));
    for address in words_of(&addresses) {
        if !note.addresses.contains(&address) {
            note.addresses.push(address);
        }
    }
    Ok(note)
}

/// Checks that the user can be removed, so that a refusal comes before anything changes.
fn check_removable(home: &Path, id: &UserId, machine: &mut Machine) -> Result<(), CommandError> {
    let (opened, setup) = open(home, Hashing::default())?;
    let mut server = Server::new(&setup, &mut machine.chance);
    remove_user(&mut server, &*opened, id, (machine.clock)())?;
    Ok(opened.close()?)
}

/// Removes the letters of the note, and everything outside the documents that contains one of its addresses. It may be
/// repeated.
fn remove_traces(
    home: &Path,
    located: &dyn Home,
    note: &ErasureNote,
) -> Result<RemovedTraces, CommandError> {
    let words = &note.addresses[..];
    let mut removed = RemovedTraces::default();
    for name in &note.letters {
        match located.apply_remedy(StuckItem::Letter(name), Remedy::Drop)? {
            RemedyResult::Done => removed.letters += 1,
            RemedyResult::Busy => removed.busy += 1,
            RemedyResult::Gone => {}
        }
    }
    for parked in located.parked_mails()? {
        let raw = located.parked_mail(&parked.name)?.unwrap_or_default();
        let is_theirs = traces::contains_word(&raw, words)
            || traces::contains_word(parked.why.as_bytes(), words);
        if is_theirs
            && located.apply_remedy(StuckItem::Mail(&parked.name), Remedy::Drop)?
                == RemedyResult::Done
        {
            removed.mails += 1;
        }
    }
    for run in located.last_runs()? {
        let why = run.why.as_ref().map(|why| traces::masked(why, words));
        if why != run.why {
            located.record_run(&JobRun { why, ..run })?;
        }
    }
    located.scrub(words)?;
    // It has the names of their documents. Without it the next backup is whole.
    Manifest::remove(home)?;
    removed.masked = traces::mask(home, words)?;
    Ok(removed)
}

/// Looks through all documents for the user, and prints what remains of them, there and elsewhere. A document that
/// must not name them is reported as a mistake.
fn tell_what_remains(
    home: &Path,
    config: &Config,
    user: &User,
    words: &[String],
    removed: &RemovedTraces,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let mut exit = Exit::Done;
    writeln!(machine.out, "what remains of {}:", user.id)?;
    for (kind, count) in naming_documents(home, &user.id, words)? {
        let documents = Plural(count, "document");
        if let Some((_, why)) = KEPT.iter().find(|(kept, _)| *kept == kind) {
            writeln!(machine.out, "- {kind}, {documents}: {why}")?;
        } else {
            exit = Exit::Refused;
            let what = format!(
                "{kind}, {documents}: they should not name {}; report this as a bug",
                user.id
            );
            (machine.warn)(&what);
        }
    }
    let log_days = config.limits.log_days;
    for file in &removed.masked.compressed {
        let why = format!("it is compressed; it is removed {log_days} days after its last line");
        writeln!(machine.out, "- {}: {why}", short_text(file))?;
    }
    if operator_files::names(home)?.iter().any(|name| name == MOVED) {
        let why = "the files of the home before `move-home`, as they were, until you remove them";
        writeln!(machine.out, "- {MOVED}: {why}")?;
    }
    if removed.busy > 0 {
        let busy = Plural(removed.busy, "letter");
        writeln!(machine.out, "- {busy} to them: another process is sending at this moment")?;
    }
    for place in unreached_logs(config) {
        let why =
            "addresses and the userid, as long as they are kept there; nothing was overwritten";
        writeln!(machine.out, "- {place}: {why}")?;
    }
    if config.store.is_some() && !words.is_empty() {
        let (id, addresses) = (&user.id, words.join(" "));
        let todo = format!("run `postboard user erase {id} {addresses}` on each such machine");
        writeln!(machine.out, "  {todo}")?;
    }
    let place = match config.store {
        Some(_) => {
            "the database and its own backups: old versions of rows, until it reuses their room"
        }
        None => "the disk: what the file system keeps of overwritten and removed files",
    };
    let until = match &config.backup.nightly {
        // Without the manifest the next one is whole, so none of the newer ones needs an earlier whole one.
        Some(nightly) => {
            format!("those of each night until {} newer ones are there", nightly.keep)
        }
        None => "until you remove them".to_owned(),
    };
    write!(
        machine.out,
        "- the letters about this, to them and to opponents: until they are sent\n\
         - files of the log: lines with the userid, until {log_days} days after the last line of each\n\
         - digests of mails and addresses, which name nobody: eight days, of receipts 90\n\
         - backups, and homes that `restore` moved aside: {until}\n\
         - {place}\n"
    )?;
    Ok(exit)
}

/// Returns the logs that a command on this machine does not reach.
fn unreached_logs(config: &Config) -> Vec<&'static str> {
    let own = match config.log.to {
        LogTo::File => None,
        LogTo::Stderr => Some("whatever reads standard error, to which the log is written"),
        LogTo::Journald => Some("the journal of systemd, to which the log is written"),
    };
    let others = config.store.is_some();
    let others = others.then_some(
        "the logs and reports of failures on any other machine that shares the database",
    );
    own.into_iter().chain(others).collect()
}

/// Returns how many documents of each kind name a userid or contain one of these words.
fn naming_documents(
    home: &Path,
    id: &UserId,
    words: &[String],
) -> Result<Vec<(&'static str, usize)>, CommandError> {
    let (store, id) = (read(home)?, format!("\"{id}\""));
    let mut found = Vec::new();
    for kind in DOCUMENT_TYPES {
        let mut count = 0;
        for key in kind.keys(&*store)? {
            let text = store.load_lossy(&key)?.text.unwrap_or_default();
            count +=
                usize::from(text.contains(&id) || traces::contains_word(text.as_bytes(), words));
        }
        if count > 0 {
            found.push((kind.name(), count));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_log_keeps_no_address_but_the_users_own() {
        let own = ["alice@pbm.test".to_owned()];
        let line =
            "2026-11-23T04:33:10Z Alice@pbm.test: forwarded to <bob@pbm.test>, by carol@pbm.test.";
        assert_eq!(
            without_others(line, &own),
            "2026-11-23T04:33:10Z Alice@pbm.test: forwarded to <[address removed]>, by [address removed]."
        );
    }
}
