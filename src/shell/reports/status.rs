//! `status`: what waits, what is stuck, and when each job ran last. Takes as long in a home of a
//! million boards as in one of a hundred.

use crate::base::ids::UserId;
use crate::base::time::{DAY, Span, Time, WEEK, days, hours, minutes};
use crate::base::words::Plural;
use crate::mail::Address;
use crate::model::board_count::{BoardCount, count_key};
use crate::model::document::Document as _;
use crate::model::moderation::{Docket, docket_key};
use crate::model::recent_players::{ACTIVE, RecentPlayers, count_recent, recent_players_key};
use crate::model::user::User;
use crate::shell::health::service_view::{self, ServiceView};
use crate::shell::health::unreadable;
use crate::shell::home::{self, locate};
use crate::shell::output::printable::short_text;
use crate::shell::settings;
use crate::shell::{CommandError, Machine};
use crate::store::spool::{self, arrival_time};
use crate::store::{Documents, JobRun, OpenHome, ParkedMail, Register};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The status of a home.
#[derive(Debug, Serialize)]
pub(crate) struct HomeStatus {
    home: PathBuf,
    version: &'static str,
    now: Time,
    /// Mails to be executed.
    pub(crate) mails: QueueStatus,
    /// Mails that were put aside.
    pub(crate) parked: Vec<ParkedStatus>,
    /// Letters to be sent.
    pub(crate) letters: QueueStatus,
    /// Letters that failed and will be tried again.
    pub(crate) failed: usize,
    /// Letters that were given up.
    pub(crate) given_up: usize,
    pub(crate) boards: Vec<GameStatus>,
    /// Who has begun or ended a game lately.
    pub(crate) players: PlayerStatus,
    /// Reports of players that are not settled; `None` if their list cannot be read.
    pub(crate) reports: Option<usize>,
    pub(crate) jobs: Vec<JobRun>,
    /// A board or user that a run could not read, with the reason, if that is still the case.
    pub(crate) unreadable: Option<String>,
    /// What the process that executes mails found wrong with the machine.
    pub(crate) service: Option<ServiceView>,
    /// Addresses that get no more mails, since mails came back.
    pub(crate) stopped: Vec<BouncingAddress>,
}

/// A queue of mails or letters.
#[derive(Debug, Serialize)]
pub(crate) struct QueueStatus {
    pub(crate) waiting: usize,
    /// The time of the oldest.
    pub(crate) oldest: Option<Time>,
}

/// A mail that was put aside.
#[derive(Debug, Serialize)]
pub(crate) struct ParkedStatus {
    pub(crate) name: String,
    at: Option<Time>,
    pub(crate) why: String,
}

/// The boards of a game.
#[derive(Debug, Serialize)]
pub(crate) struct GameStatus {
    pub(crate) game: &'static str,
    /// How many were ever set up.
    pub(crate) all: usize,
    /// How many are in play, as the index knows.
    pub(crate) running: usize,
}

/// How many players have begun or ended a game lately, of the latest 200 of each game.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct PlayerStatus {
    pub(crate) day: usize,
    pub(crate) week: usize,
    pub(crate) month: usize,
}

/// Counts the players in the lists of all games, each of which has a bounded length.
fn players(store: &dyn Documents, now: Time) -> Result<PlayerStatus, CommandError> {
    let mut lists = Vec::new();
    for game in games::names() {
        let text = store.load(&recent_players_key(game))?.text;
        lists.extend(text.and_then(|text| RecentPlayers::from_text(&game, &text).ok()));
    }
    let [day, week, month] = [DAY, WEEK, ACTIVE].map(|span| count_recent(&lists, span, now));
    Ok(PlayerStatus { day, week, month })
}

/// An address that mails came back from.
#[derive(Debug, Serialize)]
pub(crate) struct BouncingAddress {
    pub(crate) user: String,
    pub(crate) address: String,
}

/// Prints the status, and fails if `receive` would.
pub(crate) fn run(home: &Path, json: bool, machine: &mut Machine) -> Result<(), CommandError> {
    settings::load(home)?;
    let status = HomeStatus::of_home(home, (machine.clock)())?;
    if json {
        let text = serde_json::to_string_pretty(&status).expect("text and numbers are JSON");
        writeln!(machine.out, "{text}")?;
    } else {
        for (title, line) in status.lines() {
            writeln!(machine.out, "{title:<9} {line}")?;
        }
    }
    machine.out.flush()?;
    Ok(spool::try_put(home)?)
}

impl HomeStatus {
    /// Reads the status of a home.
    pub(crate) fn of_home(home: &Path, now: Time) -> Result<Self, CommandError> {
        let located = locate(home)?;
        let mails = located.waiting_mails()?;
        let unsent = located.unsent_letters()?;
        let (given_up, letters): (Vec<_>, Vec<_>) = unsent.iter().partition(|it| it.is_given_up);
        let store = home::read(home)?;
        let mut boards = Vec::new();
        for game in games::GAMES {
            let game = game.spec().name;
            let count = store.load(&count_key(game))?.text;
            let count = count.and_then(|text| BoardCount::from_text(&game, &text).ok());
            let wakeups = store.wakeups(game)?;
            let (running, all) = (wakeups.running(), wakeups.begun(count.unwrap_or_default().0));
            boards.extend((all > 0).then_some(GameStatus { game, all, running }));
        }
        let players = players(&*store, now)?;
        let docket = store.load(&docket_key())?.text;
        let docket = docket
            .map_or_else(|| Some(Docket::default()), |text| Docket::from_text(&(), &text).ok());
        let stopped = bouncing_addresses(&*store)?;
        let mut jobs = located.last_runs()?;
        let unreadable = unreadable::take(&mut jobs, &*store);
        let service = service_view::take(&mut jobs);
        Ok(Self {
            home: home.to_owned(),
            version: env!("CARGO_PKG_VERSION"),
            now,
            mails: QueueStatus {
                waiting: mails.len(),
                oldest: mails.iter().filter_map(|name| arrival_time(name)).min(),
            },
            parked: located.parked_mails()?.into_iter().map(ParkedStatus::from).collect(),
            letters: QueueStatus {
                waiting: letters.len(),
                oldest: letters.iter().map(|unsent| unsent.written_at).min(),
            },
            failed: letters.iter().filter(|unsent| unsent.tries > 0).count(),
            given_up: given_up.len(),
            boards,
            players,
            reports: docket.map(|docket| docket.open.len()),
            jobs,
            unreadable,
            service,
            stopped,
        })
    }

    /// Formats the status as lines, each with its title.
    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![
            ("Home", format!("{} (postboard {})", self.home.display(), self.version)),
            ("Mails", format!("{}; {} put aside", self.waiting(&self.mails), self.parked.len())),
        ];
        lines.extend(self.parked.iter().rev().take(SHOWN).map(|mail| ("", mail.line())));
        let letters = self.waiting(&self.letters);
        let (failed, given_up) = (self.failed, self.given_up);
        lines.push(("Letters", format!("{letters}; {failed} failed before; {given_up} given up")));
        let boards = self.boards.iter().map(GameStatus::line);
        lines.extend(titled("Boards", boards, "none yet"));
        lines.extend(self.unreadable.iter().map(|line| ("", short_text(line))));
        let reports = match self.reports {
            None => "their list cannot be read: see `postboard check`".to_owned(),
            Some(0) => "none open".to_owned(),
            Some(open) => format!("{open} open: see `postboard reports list`"),
        };
        lines.push(("Reports", reports));
        lines.extend(titled(
            "Jobs",
            self.jobs.iter().map(|run| format_job(run, self.now)),
            "none ran",
        ));
        let stopped = self.stopped.iter().map(|it| format!("{} of {}", it.address, it.user));
        lines.extend(titled("Stopped", stopped, "no address"));
        lines
    }

    fn waiting(&self, queue: &QueueStatus) -> String {
        match (queue.waiting, queue.oldest) {
            (0, _) => "none wait".into(),
            (count, None) => format!("{count} waiting"),
            (count, Some(oldest)) => {
                format!("{count} waiting, the oldest for {}", format_span(self.now - oldest))
            }
        }
    }
}

/// How many parked mails are shown, the latest.
const SHOWN: usize = 5;

/// Gives a title to the first of some lines.
fn titled(
    title: &'static str,
    lines: impl Iterator<Item = String>,
    none: &str,
) -> Vec<(&'static str, String)> {
    let mut lines: Vec<_> = lines.map(|line| ("", line)).collect();
    match lines.first_mut() {
        Some(first) => first.0 = title,
        None => lines.push((title, none.to_owned())),
    }
    lines
}

impl ParkedStatus {
    fn line(&self) -> String {
        format!("  {}: {}", self.name, short_text(&self.why))
    }
}

impl GameStatus {
    fn line(&self) -> String {
        format!("{}: {} in play of {}", self.game, self.running, self.all)
    }
}

impl From<ParkedMail> for ParkedStatus {
    fn from(parked: ParkedMail) -> Self {
        let ParkedMail { name, at, why, .. } = parked;
        Self { name, at, why }
    }
}

/// Formats a job's last run.
pub(crate) fn format_job(run: &JobRun, now: Time) -> String {
    let JobRun { job, at, took_ms, why } = run;
    let ago =
        if *at > now { "in the future".into() } else { format!("{} ago", format_span(now - *at)) };
    let why = why.as_ref().map(|why| format!(": {}", short_text(why))).unwrap_or_default();
    format!("{job} {ago}, in {}.{:03} s{why}", took_ms / 1000, took_ms % 1000)
}

/// Formats a span in a suitable unit.
pub(crate) fn format_span(span: Span) -> String {
    let span = span.or_zero();
    let (number, unit) = match span {
        _ if span < minutes(2) => (span.seconds(), "second"),
        _ if span < hours(2) => (span.minutes(), "minute"),
        _ if span < days(2) => (span.hours(), "hour"),
        _ => (span.days(), "day"),
    };
    Plural(usize::try_from(number).unwrap_or(0), unit).to_string()
}

/// Returns the addresses that get no more mails.
fn bouncing_addresses(store: &dyn OpenHome) -> Result<Vec<BouncingAddress>, CommandError> {
    let mut stopped = Vec::new();
    for name in store.registered(Register::Stopped)? {
        let Some(id) = UserId::parse(&name) else { continue };
        let Some(text) = store.load(&User::key(&id))?.text else { continue };
        let Ok(user) = User::from_text(&id, &text) else { continue };
        let address = |it: &Address| BouncingAddress {
            user: user.id.to_string(),
            address: it.as_str().to_owned(),
        };
        stopped.extend(user.stopped.iter().map(address));
    }
    Ok(stopped)
}
