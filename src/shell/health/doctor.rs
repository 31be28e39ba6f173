//! `doctor`: finds what stops mails and games, or soon will, and names the remedies. Takes as long
//! in a home of a million boards as in one of a hundred; `check` looks at every board.

use crate::base::time::{DAY, Span, Time, days, hours, minutes};
use crate::base::words::{OrList, Plural};
use crate::config::{Config, Deliver, ImapConfig, LayeredConfig};
use crate::intake::check_mailbox;
use crate::post;
use crate::server::check::{find_outdated_ratings, find_unlisted_game};
use crate::shell::health::check;
use crate::shell::health::dns_records;
use crate::shell::health::engines;
use crate::shell::health::finding::{Finding, healthy, problem};
use crate::shell::health::service_view::ServiceView;
use crate::shell::home;
use crate::shell::output::printable::short_text;
use crate::shell::output::remedy;
use crate::shell::reports::status::{HomeStatus, format_job, format_span};
use crate::shell::settings;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::disk_space::{self, DiskSpace};
use crate::store::owner::{self, Owner};
use crate::store::{ErasureNote, Fault};
use crate::store::{lock_holder, restore, settings as store_settings, spool};
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The least free space for a home, in bytes and in files.
const MIN_FREE_BYTES: u64 = 100_000_000;
const MIN_FREE_FILES: u64 = 1_000;

/// When a job that should run every minute is late.
const STALE: Span = hours(1);

/// When a nightly backup is late.
const BACKUP_STALE: Span = days(2);

/// How long another process may keep the home locked.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// How much two clocks of a machine may differ.
const MAX_CLOCK_DIFFERENCE: Span = minutes(5);

/// How long a mail may wait.
const MAX_MAIL_WAIT: Span = hours(1);

/// Runs all examinations, and sends a test mail if requested.
pub(crate) fn run(
    home: &Path,
    json: bool,
    mail: Option<&str>,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let to = check::parse_address(mail)?;
    let config = settings::load(home);
    if let (Some(_), Ok(config)) = (&to, &config) {
        home::refuse_foreign_transport(home, config)?;
    }
    let findings = examine_all(home, config.as_ref(), (machine.clock)());
    if !json {
        for finding in &findings {
            write_line(finding, machine.out)?;
        }
        machine.out.flush()?;
    }
    check::conclude(home, findings, config.as_ref().ok().zip(to.as_ref()), json, machine)
}

fn write_line(
    Finding { subject, is_well, message }: &Finding,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mark = if *is_well { "ok" } else { "MEND" };
    writeln!(out, "{mark:<5}{subject:<10}{message}")
}

/// Runs all examinations.
pub(crate) fn examine_all(home: &Path, config: Result<&Config, &Fault>, now: Time) -> Vec<Finding> {
    let settings = match config {
        Ok(_) => examine_settings(home),
        Err(fault) => problem("settings", remedy::fault_with_remedy(fault, home)),
    };
    let config = config.ok();
    let mut found = vec![settings, examine_files(home), examine_spool(home), examine_disk(home)];
    if let Some(path) = restore::half_restored(home) {
        let message = format!(
            "a restore was interrupted and left {}: run `postboard restore` again, or remove \
             that folder",
            path.display()
        );
        found.push(problem("restore", message));
    }
    found.extend(examine_erasures(home));
    let status = read_status(home, now);
    if let Some(config) = config {
        let trusted = home::refuse_foreign_transport(home, config);
        found.extend(trusted.err().map(|fault| problem("files", fault.to_string())));
        let service = match &status {
            Some(Ok(status)) => status.service.as_ref().filter(|seen| now - seen.at <= STALE),
            _ => None,
        };
        found.extend(examine_transport(config, service));
        found.extend(config.imap.as_ref().map(|it| examine_mailbox(home, it)));
        found.extend(engines::examine(home, config));
    }
    match status {
        Some(Ok(status)) => {
            found.push(healthy("home", home.display().to_string()));
            found.extend(examine_status(&status, config, now));
            let has_nightly = config.is_some_and(|config| config.backup.nightly.is_some());
            found.extend(has_nightly.then(|| examine_backup(&status, home, now)));
            found.extend(examine_ratings(home));
            found.extend(examine_finished(home));
            if config.is_some_and(|config| config.store.is_some()) {
                found.extend(examine_tables(home));
            }
        }
        Some(Err(trouble)) => found.push(explain_unopened(&trouble, home)),
        None => found.push(match config.and_then(|config| config.store.as_ref()) {
            Some(_) => {
                let why = "its database does not answer: check that PostgreSQL runs and that this \
                           machine can connect to the `url` under [store]";
                problem("home", why)
            }
            None => problem("lock", describe_lock(home)),
        }),
    }
    found
}

/// Reports erasures of users that were interrupted.
fn examine_erasures(home: &Path) -> Vec<Finding> {
    let message = |user: String| {
        let message = format!(
            "the erasure of {user} has begun and not ended, so places with their addresses may be left: run \
             `postboard user erase {user}`"
        );
        problem("erasure", message)
    };
    match ErasureNote::users(home) {
        Ok(users) => users.into_iter().map(message).collect(),
        Err(fault) => vec![problem("erasure", remedy::fault_with_remedy(&fault, home))],
    }
}

/// Reports ratings that `upgrade` has not computed anew.
fn examine_ratings(home: &Path) -> Option<Finding> {
    match home::read(home).and_then(|home| find_outdated_ratings(&*home)) {
        Ok(game) => Some(problem(
            "ratings",
            format!("those of {} are of an earlier version: run `postboard upgrade`", game?),
        )),
        Err(fault) => Some(problem("ratings", fault.to_string())),
    }
}

/// Reports a list of finished boards that `upgrade` has not made.
fn examine_finished(home: &Path) -> Option<Finding> {
    match home::read(home).and_then(|home| find_unlisted_game(&*home)) {
        Ok(game) => Some(problem(
            "finished",
            format!("the finished boards of {} are not listed: run `postboard upgrade`", game?),
        )),
        Err(fault) => Some(problem("finished", fault.to_string())),
    }
}

/// Reports inconsistencies in the tables of a database, as somebody leaves them who writes into the tables.
fn examine_tables(home: &Path) -> Vec<Finding> {
    let flaws = home::read(home).and_then(|home| home.flaws());
    let message = |flaw: String| {
        let flaw = short_text(&flaw);
        problem("database", format!("{flaw}: `postboard check --repair` mends it"))
    };
    match flaws {
        Ok(flaws) => flaws.into_iter().map(message).collect(),
        Err(fault) => vec![problem("database", fault.to_string())],
    }
}

/// Returns the status of the home. None if another process keeps it locked.
fn read_status(home: &Path, now: Time) -> Option<Result<HomeStatus, CommandError>> {
    let (sender, receiver) = mpsc::channel();
    let home = home.to_owned();
    thread::spawn(move || {
        let key = home::read(&home).and_then(|opened| opened.key().map(|_| ()));
        let status = key.map_err(CommandError::from).and_then(|()| HomeStatus::of_home(&home, now));
        // The receiver may have given up waiting.
        let _ = sender.send(status);
    });
    receiver.recv_timeout(LOCK_TIMEOUT).ok()
}

/// Reports why a home cannot be opened.
fn explain_unopened(trouble: &CommandError, home: &Path) -> Finding {
    let message = remedy::with_remedy(trouble, home);
    let is_missing = matches!(trouble, CommandError::Fault(fault)
        if fault.source.kind() == io::ErrorKind::NotFound && fault.path.starts_with(home));
    if !is_missing {
        return problem("home", message);
    }
    let key = "if its key is lost, take it from a backup, or make a new one: see \"The key is lost\" \
               in docs/operating/trouble.md";
    problem("home", format!("{message}; a new home is made by `postboard init`; {key}"))
}

/// Reports whether `receive` could accept a mail now.
fn examine_spool(home: &Path) -> Finding {
    match spool::try_put(home) {
        Ok(()) => healthy("spool", "it takes mails"),
        Err(fault) => problem("spool", remedy::fault_with_remedy(&fault, home)),
    }
}

fn examine_settings(home: &Path) -> Finding {
    match settings::layered(home) {
        Ok(LayeredConfig { config, unknown_variables, .. }) => {
            let unknown = unknown_variables.iter().map(|name| format!("; unknown variable {name}"));
            let unknown = unknown.collect::<String>();
            healthy("settings", format!("mails come to {}{unknown}", config.identity().address))
        }
        Err(fault) => problem("settings", remedy::fault_with_remedy(&fault, home)),
    }
}

/// Reports whether the current user owns the home and its files.
fn examine_files(home: &Path) -> Finding {
    let me = Owner::current();
    let strange = match owner::foreign_files_nearby(home) {
        Ok(strange) => strange,
        Err(fault) => return problem("files", remedy::fault_with_remedy(&fault, home)),
    };
    match (Owner::nearest(home), strange.first()) {
        (Some((_, owner)), _) if owner.uid != me.uid => problem(
            "files",
            format!(
                "the home belongs to {0}, but you are {1}: run this as {0}",
                owner.name, me.name
            ),
        ),
        (Some((_, owner)), Some(one)) => problem(
            "files",
            format!(
                "{} does not belong to {}, as the home does: {}",
                one.display(),
                owner.name,
                remedy::give_home_to(&owner.name, home)
            ),
        ),
        _ => healthy("files", format!("they belong to {}", me.name)),
    }
}

/// Reports a process that keeps the home locked. Our own release it after a second.
fn describe_lock(home: &Path) -> String {
    let holder = lock_holder::home_lock_holder(home)
        .map_or("a process".into(), |it| format!("process {it}"));
    format!("{holder} keeps the home locked: see what it does, and end it if it hangs")
}

fn examine_disk(home: &Path) -> Finding {
    let DiskSpace { bytes, files } = match disk_space::free_space(home) {
        Ok(room) => room,
        Err(fault) => return problem("disk", fault.to_string()),
    };
    let message = format!("{} MB free", bytes / 1_000_000);
    match (bytes < MIN_FREE_BYTES, files < MIN_FREE_FILES) {
        (true, _) => problem("disk", format!("{message}: make room; mails wait once it is full")),
        (_, true) => problem("disk", format!("room for {files} files only: remove some")),
        _ => healthy("disk", message),
    }
}

/// Reports on transport, mail sources and DNS records, as this process and the service see them.
fn examine_transport(config: &Config, service: Option<&ServiceView>) -> Vec<Finding> {
    let named = post::describe(&config.deliver);
    let mut wrong = post::inspect(config);
    // The password may be a credential, which only the service gets.
    let has_own_password = service.is_some_and(|seen| seen.wrong.is_none())
        && matches!(&config.deliver, Deliver::Smtp { user: Some(_), password_file: None, .. });
    if has_own_password {
        let seen = post::inspect_files(config);
        wrong.retain(|it| !seen.contains(it));
    }
    let unseen = service.and_then(|seen| seen.wrong.as_ref()).filter(|it| !wrong.contains(it));
    let unseen = unseen.map(|it| {
        format!(
            "{it}: so the service sees it, though you do not: see \"What the service may see\" in \
             docs/operating/install.md"
        )
    });
    let mut found: Vec<_> = wrong.into_iter().chain(unseen).map(|it| problem("ways", it)).collect();
    if has_own_password {
        found.push(healthy("sending", format!("by {named}; only the service has the password")));
        found.extend(dns_records::check_dns(config));
        return found;
    }
    found.push(match post::open_transport(&config.deliver) {
        Ok(None) => problem(
            "sending",
            "[deliver] by = \"nothing\": answers stay in the outbox; choose another value in postboard.toml",
        ),
        Err(fault) => problem("sending", fault.to_string()),
        Ok(Some(mut transport)) => match transport.check() {
            Ok(()) => healthy("sending", format!("by {named}")),
            Err(why) => problem("sending", format!("{named} does not take mails now: {}", why.why)),
        },
    });
    found.extend(dns_records::check_dns(config));
    found
}

/// Opens the mailbox that `run` reads.
fn examine_mailbox(home: &Path, mailbox: &ImapConfig) -> Finding {
    let trusted =
        home::refuse_foreign_token_command(home, mailbox).map_err(|fault| fault.to_string());
    match trusted.and_then(|()| check_mailbox(mailbox)) {
        Ok(()) => {
            let ImapConfig { host, port, user, mailbox, .. } = mailbox;
            healthy("mailbox", format!("{mailbox} of {user} at {host}:{port} can be opened"))
        }
        Err(why) => problem("mailbox", why),
    }
}

/// Reports what waits or is stuck, and which jobs ran.
fn examine_status(status: &HomeStatus, config: Option<&Config>, now: Time) -> Vec<Finding> {
    let mut found =
        vec![examine_clock(status, now), examine_jobs(status, now), examine_boards(status, now)];
    found.push(examine_parked(status));
    let since =
        status.mails.oldest.map(|oldest| now - oldest).filter(|waits| *waits > MAX_MAIL_WAIT);
    found.push(match since {
        Some(waits) => problem(
            "mails",
            format!(
                "one has waited for {}: run `postboard process` and read what it says",
                format_span(waits)
            ),
        ),
        None => healthy("mails", format!("{} waiting", status.mails.waiting)),
    });
    let late = config.map_or(DAY, |config| config.late_after);
    let oldest = status.letters.oldest.map(|oldest| now - oldest).filter(|waits| *waits > late);
    found.push(match oldest {
        Some(waits) => problem(
            "letters",
            format!("one has waited for {}: `postboard deliver` says why", format_span(waits)),
        ),
        None if status.failed > 0 => problem(
            "letters",
            format!(
                "{} failed and will be tried again: `postboard deliver` says why",
                Plural(status.failed, "letter")
            ),
        ),
        None => healthy("letters", format!("{} waiting", status.letters.waiting)),
    });
    if status.given_up > 0 {
        let count = Plural(status.given_up, "letter");
        let message = format!(
            "{count} given up: `postboard mail list` names them; `postboard mail retry NAME` or `drop NAME`"
        );
        found.push(problem("letters", message));
    }
    let bouncing = status.stopped.iter().map(|it| {
        let (user, address) = (&it.user, &it.address);
        let message = format!(
            "mails to {address} of {user} came back: once it works again any command of theirs with \
             their password starts it again"
        );
        problem("address", message)
    });
    found.extend(bouncing);
    found
}

/// Reports a clock that was wrong, which leaves times in the future.
fn examine_clock(status: &HomeStatus, now: Time) -> Finding {
    let noted = status.jobs.iter().map(|run| run.at);
    let latest = noted.chain(status.mails.oldest).chain(status.letters.oldest).max();
    match latest.filter(|latest| *latest > now + MAX_CLOCK_DIFFERENCE) {
        Some(latest) => problem(
            "clock",
            format!(
                "it says {}, but something was noted at {}: set the clock, and let `systemd-timesyncd` or \
                 another program keep it",
                now.minute(),
                latest.minute()
            ),
        ),
        None => healthy("clock", now.minute()),
    }
}

/// Reports whether the periodic jobs run.
fn examine_jobs(status: &HomeStatus, now: Time) -> Finding {
    let regular = ["cron", "process", "run"];
    let last =
        status.jobs.iter().filter(|run| regular.contains(&&*run.job)).max_by_key(|run| run.at);
    match last {
        None => problem(
            "jobs",
            format!(
                "{} never ran: start `postboard run`, or let a timer or crontab run `postboard cron` \
                 every minute",
                OrList(&regular)
            ),
        ),
        Some(run) if now - run.at > STALE => {
            problem("jobs", format!("{}: check its timer or crontab", format_job(run, now)))
        }
        Some(run) if run.why.is_some() => problem("jobs", format_job(run, now)),
        Some(run) => healthy("jobs", format_job(run, now)),
    }
}

/// Reports whether the nightly backup that is configured is made.
fn examine_backup(status: &HomeStatus, home: &Path, now: Time) -> Finding {
    let remedy = "`postboard run` makes one every night: see whether it runs";
    match status.jobs.iter().find(|run| run.job == "backup") {
        Some(run) if run.why.is_some() => problem("backup", format_job(run, now)),
        Some(run) if now - run.at > BACKUP_STALE => {
            problem("backup", format!("{}: {remedy}", format_job(run, now)))
        }
        Some(run) => healthy("backup", format_job(run, now)),
        // It was configured only now.
        None if store_settings::changed(home).is_ok_and(|at| now - at <= BACKUP_STALE) => {
            healthy("backup", format!("none was made yet: {remedy}"))
        }
        None => problem(
            "backup",
            format!("none was ever made, though `[backup]` asks for it: {remedy}"),
        ),
    }
}

/// Reports damaged boards that some run has met. Only `check` finds all others.
fn examine_boards(status: &HomeStatus, now: Time) -> Finding {
    if let Some(line) = &status.unreadable {
        let line = short_text(line);
        return problem(
            "boards",
            format!(
                "{line}: mend it, a board with `postboard board edit`, or take it from a backup"
            ),
        );
    }
    match status.jobs.iter().find(|run| run.job == "check") {
        None => healthy("boards", "never read as a whole: `postboard check` does that"),
        Some(run) if run.why.is_some() => problem(
            "boards",
            format!("{}: run `postboard check`, and mend what it names", format_job(run, now)),
        ),
        Some(run) => healthy("boards", format_job(run, now)),
    }
}

fn examine_parked(status: &HomeStatus) -> Finding {
    match status.parked.last() {
        None => healthy("parked", "no mail was put aside"),
        Some(last) => problem(
            "parked",
            format!(
                "{} put aside, {} at last ({}): `postboard mail show NAME`, then `retry` or `drop`",
                Plural(status.parked.len(), "mail"),
                last.name,
                short_text(&last.why)
            ),
        ),
    }
}
