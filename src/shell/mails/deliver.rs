//! `deliver`: sends the letters in the outbox.

use crate::base::time::Time;
use crate::config::Deliver;
use crate::post::{
    self, DeliveryError, Domains, DomainsInRun, FailureScope, OutboxReport, RecordingTransport,
    Transport, TriedLetters, TroubleLog, TroubleReport, report_files,
};
use crate::reply::{self, PictureCache, Unprintable};
use crate::shell::home::{locate, open_transport};
use crate::shell::mails::worker::words_of;
use crate::shell::output::remedy;
use crate::shell::settings;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::outbox::Backlog;
use crate::store::{Fault, Letter, log_all};
use std::borrow::Cow;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Which troubles to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReportScope {
    /// All, since a person is looking.
    All,
    /// Those not reported today, since cron mails its output every minute.
    New,
}

/// Sends the letters in the outbox. Reports and logs why letters were not sent.
pub(crate) fn run(
    home: &Path,
    telling: ReportScope,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let load = || report_files::load_troubles(home);
    let run = flush(home, load, &mut KeptDelivery::default(), machine.clock)?;
    let Some(DeliveryRun { was, learnt, told, flushed, .. }) = run else {
        return Ok(Exit::Done);
    };
    for line in if telling == ReportScope::All { &told.all } else { &told.new } {
        (machine.warn)(line);
    }
    let noted =
        [log_all(home, &lines(&told, &flushed)), report_files::save_troubles(home, &was, &learnt)];
    // A full disk is reported once.
    for fault in noted.into_iter().filter_map(Result::err).filter(|_| flushed.is_ok()) {
        (machine.warn)(&remedy::fault_with_remedy(&fault, home));
    }
    flushed?;
    Ok(if told.is_late { Exit::Late } else { Exit::Done })
}

/// What is left after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeftToSend {
    Nothing,
    /// Letters that wait for their time: they failed, their domain has to wait, or others have claimed
    /// them. Those that this run has put off wait at least until the given time.
    Waiting(Option<Time>),
    /// Failed letters, of which some have waited too long.
    Late,
    /// Possibly letters: another process was sending.
    Others,
}

/// What a process that stays keeps from run to run.
#[derive(Default)]
pub(crate) struct KeptDelivery {
    domains: Domains,
    /// Those of a sender that every commit wakes.
    tried: Option<TriedLetters>,
    /// A transport with an open connection, and the configuration that it follows.
    connected: Option<(Deliver, Box<dyn Transport>)>,
    album: PictureCache,
}

impl KeptDelivery {
    /// Returns the state of a sender that every commit wakes.
    pub(crate) fn of_woken() -> Self {
        Self { tried: Some(TriedLetters::default()), ..Self::default() }
    }

    /// Returns whether a connection to a mail server is open.
    pub(crate) fn is_connected(&self) -> bool {
        self.connected.is_some()
    }

    /// Closes the connection to the mail server.
    pub(crate) fn disconnect(&mut self) {
        self.connected = None;
    }
}

/// Sends the letters for a process that stays. It keeps its own record of reports, independent of
/// `cron`'s.
pub(crate) fn run_again(
    home: &Path,
    known: &mut TroubleLog,
    kept: &mut KeptDelivery,
    clock: &dyn Fn() -> Time,
    warn: &dyn Fn(&dyn Display),
) -> Result<LeftToSend, CommandError> {
    let Some(run) = flush(home, || known.clone(), kept, clock)? else {
        return Ok(LeftToSend::Nothing);
    };
    let DeliveryRun { learnt, told, flushed, backlog, .. } = run;
    told.new.iter().for_each(|line| warn(line));
    *known = learnt;
    log_all(home, &lines(&told, &flushed))?;
    Ok(match flushed? {
        OutboxReport { is_busy: true, .. } => LeftToSend::Others,
        _ if told.is_late => LeftToSend::Late,
        _ if backlog.failed + backlog.put_off > 0 => LeftToSend::Waiting(kept.domains.next()),
        OutboxReport { may_have_more: true, .. } => LeftToSend::Waiting(None),
        _ => LeftToSend::Nothing,
    })
}

/// The outcome of a run.
struct DeliveryRun {
    /// The troubles reported before.
    was: TroubleLog,
    learnt: TroubleLog,
    told: TroubleReport,
    flushed: Result<OutboxReport, Fault>,
    backlog: Backlog,
}

/// Sends the letters in the outbox, if there is a transport.
fn flush(
    home: &Path,
    known: impl FnOnce() -> TroubleLog,
    kept: &mut KeptDelivery,
    clock: &dyn Fn() -> Time,
) -> Result<Option<DeliveryRun>, CommandError> {
    let (config, now) = (settings::load(home)?, clock());
    let open = kept.connected.take().filter(|(deliver, _)| *deliver == config.deliver);
    let transport = match open {
        Some((_, transport)) => Some(transport),
        None => open_transport(home, &config)?,
    };
    let Some(mut transport) = transport else { return Ok(None) };
    let mut recorder = RecordingTransport::new(&mut *transport);
    kept.domains.begin(config.domain_limits, now);
    let KeptDelivery { domains, tried, album, .. } = kept;
    let limits = DomainsInRun { domains, clock };
    let print: &post::Printer = &|letter| printed(letter, album);
    let tried = tried.as_mut();
    let flushed = post::flush_within(&*locate(home)?, &mut recorder, print, limits, tried, now);
    let results = recorder.into_results();
    kept.connected = transport.end_run().then_some((config.deliver, transport));
    let was = known();
    let (mut learnt, backlog) = (was.clone(), locate(home)?.backlog()?);
    let told = learnt.record_run(&results, backlog, config.late_after, now);
    Ok(Some(DeliveryRun { was, learnt, told, flushed, backlog }))
}

/// Returns the log lines of a run.
fn lines(told: &TroubleReport, flushed: &Result<OutboxReport, Fault>) -> Vec<String> {
    let mut lines = [&told.new[..], &told.over].concat();
    if let Ok(report) = flushed
        && report.deferred + report.given_up > 0
    {
        lines.push(format!(
            "{} mails sent, {} kept for later, {} given up",
            report.sent, report.deferred, report.given_up
        ));
    }
    lines
}

/// Prints a letter as it leaves. A letter that cannot be printed is put aside, so that others go
/// on.
pub(crate) fn printed<'l>(
    letter: &'l Letter,
    album: &PictureCache,
) -> Result<Cow<'l, [u8]>, DeliveryError> {
    let not_sent = |scope, why: String| DeliveryError { scope, why };
    // A picture that a panic left half drawn is not in the cache.
    match catch_unwind(AssertUnwindSafe(|| reply::print_letter_with(letter, album))) {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(later @ Unprintable::Later(_))) => {
            Err(not_sent(FailureScope::ThisLetter, later.to_string()))
        }
        Ok(Err(damaged @ Unprintable::Damaged)) => {
            Err(not_sent(FailureScope::Rejected, damaged.to_string()))
        }
        Err(panic) => {
            let why = format!("it cannot be printed because of a bug: {}", words_of(&*panic));
            Err(not_sent(FailureScope::Rejected, why))
        }
    }
}
