//! `metrics`: the numbers of `status` for Prometheus. Takes as long in a home of a million boards
//! as in one of a hundred.

use crate::base::time::Time;
use crate::shell::reports::status::{GameStatus, HomeStatus, PlayerStatus, QueueStatus};
use crate::shell::{CommandError, Machine};
use crate::store::disk_space::{self, DiskSpace};
use crate::store::{JobRun, operator_files};
use prometheus::{CounterVec, Gauge, GaugeVec, Opts, Registry, TextEncoder};
use std::path::Path;

/// Prints the numbers, or replaces a file by them, as the textfile collector of the node exporter
/// needs it.
pub(crate) fn run(
    home: &Path,
    file: Option<&Path>,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let text = text(home, (machine.clock)())?;
    match file {
        Some(file) => operator_files::replace(file, &text)?,
        None => machine.out.write_all(text.as_bytes())?,
    }
    Ok(())
}

/// Returns the numbers of a home in Prometheus' text format.
pub(crate) fn text(home: &Path, now: Time) -> Result<String, CommandError> {
    let status = HomeStatus::of_home(home, now)?;
    let mut page = MetricsPage(Registry::new());
    let version = [("version", env!("CARGO_PKG_VERSION"))];
    page.labelled("postboard_build_info", "The program's version", &[(&version, 1.0)]);
    page.queue("mails", "Mails waiting to be executed", &status.mails);
    page.queue("letters", "Letters waiting to be sent", &status.letters);
    for (name, help, count) in [
        ("postboard_mails_parked", "Mails that were put aside", status.parked.len()),
        (
            "postboard_letters_failed",
            "Waiting letters that have failed at least once",
            status.failed,
        ),
        ("postboard_letters_given_up", "Letters that were given up", status.given_up),
        (
            "postboard_addresses_stopped",
            "Addresses that get no mails because of bounces",
            status.stopped.len(),
        ),
    ] {
        page.gauge(name, help, number(count));
    }
    if let Some(open) = status.reports {
        let help = "Reports of players that are not settled";
        page.gauge("postboard_reports_open", help, number(open));
    }
    page.boards(&status);
    let PlayerStatus { day, week, month } = status.players;
    let spans = [("day", day), ("week", week), ("month", month)];
    let labels = spans.map(|(span, _)| [("span", span)]);
    let rows: Vec<(&[(&str, &str)], f64)> =
        labels.iter().zip(spans).map(|(labels, (_, count))| (&labels[..], number(count))).collect();
    let help = "Players who began or ended a game within a day, a week or 30 days, of the latest 200 of each game";
    page.labelled("postboard_players_recent", help, &rows);
    page.jobs(&status);
    if let Ok(DiskSpace { bytes, files }) = disk_space::free_space(home) {
        page.gauge(
            "postboard_home_free_bytes",
            "Free bytes on the disk of the home",
            number(bytes),
        );
        if files < u64::MAX {
            let help = "Free inodes on the disk of the home";
            page.gauge("postboard_home_free_files", help, number(files));
        }
    }
    Ok(page.written())
}

/// Converts a count for Prometheus.
#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
fn number(count: impl TryInto<u64>) -> f64 {
    count.try_into().unwrap_or(u64::MAX) as f64
}

/// Converts a time for Prometheus.
#[expect(clippy::cast_precision_loss, reason = "Unix times stay below 2^53")]
fn seconds(time: Time) -> f64 {
    time.unix() as f64
}

/// The metrics so far. Their names are constants, each used once; a test writes all of them.
struct MetricsPage(Registry);

const VALID: &str = "a valid name, used once";

impl MetricsPage {
    fn gauge(&mut self, name: &str, help: &str, value: f64) {
        let gauge = Gauge::new(name, help).expect(VALID);
        gauge.set(value);
        self.0.register(Box::new(gauge)).expect(VALID);
    }

    /// Adds a metric with labels. All rows have the same labels.
    fn labelled(&mut self, name: &str, help: &str, rows: &[(&[(&str, &str)], f64)]) {
        let Some((labels, _)) = rows.first() else { return };
        let names: Vec<&str> = labels.iter().map(|(name, _)| *name).collect();
        if name.ends_with("_total") {
            let all = CounterVec::new(Opts::new(name, help), &names).expect(VALID);
            for (labels, value) in rows {
                all.with_label_values(&words(labels)).inc_by(*value);
            }
            self.0.register(Box::new(all)).expect(VALID);
        } else {
            let all = GaugeVec::new(Opts::new(name, help), &names).expect(VALID);
            for (labels, value) in rows {
                all.with_label_values(&words(labels)).set(*value);
            }
            self.0.register(Box::new(all)).expect(VALID);
        }
    }

    fn queue(&mut self, name: &str, help: &str, queue: &QueueStatus) {
        self.gauge(&format!("postboard_{name}_waiting"), help, number(queue.waiting));
        if let Some(oldest) = queue.oldest {
            let help = format!("{help}: arrival of the oldest");
            let name = format!("postboard_{name}_oldest_timestamp_seconds");
            self.gauge(&name, &help, seconds(oldest));
        }
    }

    fn boards(&mut self, status: &HomeStatus) {
        let labels: Vec<_> = status.boards.iter().map(|it| [("game", it.game)]).collect();
        let rows = |value: fn(&GameStatus) -> f64| -> Vec<(&[(&str, &str)], f64)> {
            let labels = labels.iter().map(<[_; 1]>::as_slice);
            labels.zip(status.boards.iter().map(value)).collect()
        };
        let all = rows(|it| number(it.all));
        self.labelled("postboard_boards_created_total", "Boards that have been created", &all);
        let running = rows(|it| number(it.running));
        self.labelled("postboard_boards_in_play", "Boards in play", &running);
    }

    fn jobs(&mut self, status: &HomeStatus) {
        let labels: Vec<_> = status.jobs.iter().map(|run| [("job", &*run.job)]).collect();
        for (name, help, value) in [
            (
                "postboard_job_last_run_timestamp_seconds",
                "When the last run of the job ended",
                (|run| seconds(run.at)) as fn(&JobRun) -> f64,
            ),
            (
                "postboard_job_last_run_duration_seconds",
                "Duration of the last run of the job",
                |run| number(run.took_ms) / 1000.0,
            ),
            (
                "postboard_job_last_run_success",
                "Whether the last run of the job succeeded",
                |run| f64::from(u8::from(run.why.is_none())),
            ),
        ] {
            let labels = labels.iter().map(<[_; 1]>::as_slice);
            let rows: Vec<_> = labels.zip(status.jobs.iter().map(value)).collect();
            self.labelled(name, help, &rows);
        }
    }

    fn written(&self) -> String {
        TextEncoder::new().encode_to_string(&self.0.gather()).expect("text is written to memory")
    }
}

fn words<'a>(labels: &[(&str, &'a str)]) -> Vec<&'a str> {
    labels.iter().map(|(_, value)| *value).collect()
}
