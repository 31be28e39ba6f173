//! What this process has done since it began, for Prometheus. The counts end with the process, so they
//! say something only of one that stays: `run` or `serve`.

use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, Opts, Registry, TextEncoder};
use std::sync::LazyLock;
use std::time::Duration;

/// The bounds of durations: 1 ms to 10 s.
const SECONDS: [f64; 13] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

static METERS: LazyLock<Meters> = LazyLock::new(Meters::new);

/// What is counted.
struct Meters {
    registry: Registry,
    mails: IntCounterVec,
    commands: HistogramVec,
    letters: IntCounterVec,
    requests: HistogramVec,
}

const VALID: &str = "a valid name, used once";

impl Meters {
    fn new() -> Self {
        let registry = Registry::new();
        let counter = |name: &str, help: &str, label: &str| {
            let counter = IntCounterVec::new(Opts::new(name, help), &[label]).expect(VALID);
            registry.register(Box::new(counter.clone())).expect(VALID);
            counter
        };
        let histogram = |name: &str, help: &str, label: &str| {
            let options = HistogramOpts::new(name, help).buckets(SECONDS.into());
            let histogram = HistogramVec::new(options, &[label]).expect(VALID);
            registry.register(Box::new(histogram.clone())).expect(VALID);
            histogram
        };
        Self {
            mails: counter(
                "postboard_mails_received_total",
                "Mails that came to this process, kept or not",
                "outcome",
            ),
            commands: histogram(
                "postboard_command_duration_seconds",
                "Time to execute a mail or another command in this process, without the disk",
                "outcome",
            ),
            letters: counter(
                "postboard_letters_total",
                "Tries of this process to send letters",
                "outcome",
            ),
            requests: histogram(
                "postboard_http_request_duration_seconds",
                "Time until a response begins",
                "status",
            ),
            registry,
        }
    }
}

/// Counts a mail that came: whether it was kept durably.
pub fn count_mail(is_kept: bool) {
    METERS.mails.with_label_values(&[if is_kept { "kept" } else { "not kept" }]).inc();
}

/// Counts a command with its outcome, as the log calls it.
pub fn count_command(outcome: &str, took: Duration) {
    METERS.commands.with_label_values(&[outcome]).observe(took.as_secs_f64());
}

/// Counts the letters of a run that sent some, kept some for another try, and gave up some.
pub fn count_letters(sent: usize, kept: usize, given_up: usize) {
    for (outcome, count) in [("sent", sent), ("kept", kept), ("given up", given_up)] {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        METERS.letters.with_label_values(&[outcome]).inc_by(count);
    }
}

/// Counts a request with the status of its response.
pub fn count_request(status: u16, took: Duration) {
    METERS.requests.with_label_values(&[&status.to_string()]).observe(took.as_secs_f64());
}

/// Returns everything in Prometheus' text format.
pub fn text() -> String {
    TextEncoder::new()
        .encode_to_string(&METERS.registry.gather())
        .expect("text is written to memory")
}
