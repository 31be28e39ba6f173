//! `reports` and `moderate`: the operator's queue of reports, sanctions, bans, and the log of acts.

use crate::base::time::{Day, Time};
use crate::command::moderation::act::{ActCommand, ActSubject};
use crate::model::document::Document as _;
use crate::model::moderation::{
    Act, AuditEntry, Ban, PAGE, Report, SanctionKind, audit_key, docket_key, report_key,
};
use crate::model::user::{self, User};
use crate::model::world::World;
use crate::refusal::until;
use crate::server::requests::Request;
use crate::shell::cli::{ActOptions, ModerateJob, ReportsJob, SanctionOptions};
use crate::shell::home;
use crate::shell::output::printable::short_text;
use crate::shell::player::execute;
use crate::shell::settings;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::{DocumentKind, Key};
use std::path::Path;

/// The most settled reports in a list.
const MOST_SETTLED: u32 = 100;

/// Runs a `reports` command.
pub(crate) fn reports(
    home: &Path,
    job: ReportsJob,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    match job {
        ReportsJob::List { settled } => list_reports(home, settled, machine),
        ReportsJob::Show { number } => {
            let world = load(home, &[report_key(number)])?;
            let report = world.loaded_report(number);
            let report = report
                .ok_or_else(|| CommandError::Refused(format!("there is no report {number}")))?;
            show(report, machine)
        }
        ReportsJob::Settle { number, note } => {
            act(home, Act::Settle, ActSubject::Report(number), None, &note, machine)
        }
    }
}

/// Runs a `moderate` command.
pub(crate) fn moderate(
    home: &Path,
    job: ModerateJob,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    match job {
        ModerateJob::Mute(options) => sanction(home, Act::Mute, &options, machine),
        ModerateJob::Suspend(options) => sanction(home, Act::Suspend, &options, machine),
        ModerateJob::Ban(options) => sanction(home, Act::Ban, &options, machine),
        ModerateJob::Lift(options) => about(home, Act::Lift, &options, machine),
        ModerateJob::Appoint(options) => about(home, Act::Appoint, &options, machine),
        ModerateJob::Dismiss(options) => about(home, Act::Dismiss, &options, machine),
        ModerateJob::List => list(home, machine),
        ModerateJob::Log { last } => log(home, last, machine),
    }
}

fn sanction(
    home: &Path,
    kind: Act,
    options: &SanctionOptions,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let subject = subject(&options.about)?;
    let until = options.until.as_deref().map(day_of).transpose()?;
    act(home, kind, subject, until, &options.about.why, machine)
}

/// Parses a day that the operator names.
pub(super) fn day_of(word: &str) -> Result<Day, CommandError> {
    let wrong = || CommandError::Usage(format!("`{}` is not a day", short_text(word)));
    Day::parse(word).ok_or_else(wrong)
}

fn about(
    home: &Path,
    kind: Act,
    options: &ActOptions,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    act(home, kind, subject(options)?, None, &options.why, machine)
}

fn subject(options: &ActOptions) -> Result<ActSubject, CommandError> {
    ActSubject::parse(&options.subject).ok_or_else(|| {
        CommandError::Usage(format!(
            "`{}` is neither a userid, nor an address, nor a domain like `@example.org`, nor a \
             network like `192.0.2.0/24` (/16, /24, /32; IPv6: /32, /48, /64)",
            short_text(&options.subject)
        ))
    })
}

/// Carries out an act.
fn act(
    home: &Path,
    kind: Act,
    subject: ActSubject,
    until: Option<Day>,
    why: &[String],
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let (why, operator) = (why.join(" "), machine.operator.to_owned());
    let command = ActCommand { act: kind, subject, until, why, operator };
    execute(home, &Request::from_operator(Box::new(command)), machine)
}

/// Loads documents of a home. A damaged one is an error.
pub(super) fn load(home: &Path, keys: &[Key]) -> Result<World, CommandError> {
    settings::load(home)?;
    let store = home::read(home)?;
    let mut world = World::default();
    match world.load(keys, &*store)?.into_iter().next() {
        Some(damaged) => Err(CommandError::Refused(damaged)),
        None => Ok(world),
    }
}

/// Returns a document of moderation that was loaded without damage.
fn undamaged<T>(found: Result<T, crate::model::world::MissingDocument>) -> Result<T, CommandError> {
    found.map_err(|_| CommandError::Refused("a document of moderation cannot be read".into()))
}

fn list_reports(
    home: &Path,
    are_settled: bool,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let world = load(home, &[docket_key()])?;
    let docket = undamaged(world.docket())?;
    let numbers: Vec<u32> = if are_settled {
        let first = docket.reports.saturating_sub(MOST_SETTLED) + 1;
        (first..=docket.reports).filter(|number| !docket.open.contains(number)).collect()
    } else {
        docket.open.clone()
    };
    let keys: Vec<Key> = numbers.iter().map(|number| report_key(*number)).collect();
    let world = load(home, &keys)?;
    for report in numbers.iter().filter_map(|number| world.loaded_report(*number)) {
        let Report { number, at, by, about, board, why, settled, .. } = report;
        let board = board.map_or_else(String::new, |board| format!(" on {board}"));
        let note = settled.as_ref().map(|it| format!(" -- {}", it.note)).unwrap_or_default();
        let line = format!("{number}  {} UTC  {by} about {about}{board}: {why}{note}", at.minute());
        writeln!(machine.out, "{}", short_text(&line.replace('\n', " ")))?;
    }
    Ok(Exit::Done)
}

fn show(report: &Report, machine: &mut Machine) -> Result<Exit, CommandError> {
    let Report { number, at, by, about, board, why, quoted, settled, .. } = report;
    writeln!(machine.out, "Report {number}, {} UTC: {by} about {about}", at.minute())?;
    if let Some(board) = board {
        writeln!(machine.out, "Board: {board}")?;
    }
    if report.is_emptied {
        writeln!(machine.out, "\nIts words were removed, because it was settled long ago.")?;
    }
    write!(machine.out, "\n{}", indent(why))?;
    for quotation in quoted {
        let mark = if quotation.is_reported { " (reported)" } else { "" };
        writeln!(machine.out, "\n{}, {} UTC{mark}:", quotation.by, quotation.at.minute())?;
        write!(machine.out, "{}", indent(&quotation.words))?;
    }
    if let Some(settled) = settled {
        writeln!(machine.out, "\nSettled {} UTC by {}:", settled.at.minute(), settled.by)?;
        write!(machine.out, "{}", indent(&settled.note))?;
    }
    Ok(Exit::Done)
}

/// Indents each line of a text.
fn indent(text: &str) -> String {
    text.lines().flat_map(|line| ["  ", line, "\n"]).collect()
}

/// Lists the administrators, and what is in force.
fn list(home: &Path, machine: &mut Machine) -> Result<Exit, CommandError> {
    let now = (machine.clock)();
    let world = load(home, &[docket_key()])?;
    for user in &undamaged(world.docket())?.administrators {
        writeln!(machine.out, "{user}  administrator")?;
    }
    let mut exit = Exit::Done;
    let kinds = [Ban::PLACE, User::PLACE];
    let kinds: Vec<DocumentKind> = kinds.iter().flat_map(|place| place.lists()).collect();
    for kind in kinds {
        let keys = home::read(home)?.keys(kind)?;
        for keys in keys.chunks(home::MAX_READ_AT_ONCE) {
            let store = home::read(home)?;
            for key in keys {
                let text = store.load(key)?.text;
                let line = text.map(|text| in_force(key, &text, now));
                match line {
                    Some(Ok(Some(line))) => writeln!(machine.out, "{}", short_text(&line))?,
                    Some(Err(why)) => {
                        exit = Exit::Refused;
                        writeln!(machine.out, "{key} cannot be read: {why}")?;
                    }
                    Some(Ok(None)) | None => {}
                }
            }
        }
    }
    Ok(exit)
}

/// Returns the line of a ban or a user, if something is in force.
fn in_force(
    key: &Key,
    text: &str,
    now: Time,
) -> Result<Option<String>, crate::model::document::Damage> {
    if matches!(key, Key::In(user::COLLECTION, _)) {
        let user = User::read(text)?;
        let sanction = user.sanction(SanctionKind::Mute, now);
        return Ok(sanction.map(|it| {
            let what = match it.kind {
                SanctionKind::Mute => "muted",
                SanctionKind::Suspension => "suspended",
                SanctionKind::Ban => "banned",
            };
            format!("{}  {what}{}: {}", user.id, until(it.until), it.why)
        }));
    }
    let Some(id) = Ban::id_of(key) else { return Ok(None) };
    let ban = Ban::from_text(&id, text)?;
    let line = format!("{}  banned{}: {}", ban.subject, until(ban.until), ban.why);
    Ok(ban.is_in_force(now).then_some(line))
}

/// Prints the end of the log of acts.
fn log(home: &Path, last: u32, machine: &mut Machine) -> Result<Exit, CommandError> {
    let world = load(home, &[docket_key()])?;
    let docket = undamaged(world.docket())?;
    let first = docket.entries.saturating_sub(last);
    for page in first / PAGE..docket.entries.div_ceil(PAGE) {
        let world = load(home, &[audit_key(page)])?;
        for entry in undamaged(world.audit_page(page))?.iter().filter(|it| it.number > first) {
            let AuditEntry { number, record, .. } = entry;
            let (at, until) = (record.at.minute(), until(record.until));
            let line = format!(
                "{number}  {at} UTC  {}: {} {}{until}: {}",
                record.by, record.act, record.about, record.why
            );
            writeln!(machine.out, "{}", line.replace('\n', " "))?;
        }
    }
    if docket.entries > 0 {
        writeln!(machine.out, "digest after entry {}: {}", docket.entries, docket.chain)?;
    }
    Ok(Exit::Done)
}
