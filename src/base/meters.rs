//! Counters, gauges and durations of this process, for Prometheus and the administrators' status page. They
//! are lost when the process ends, so only those of a long-running one (`run`, `serve`) are of use.

use prometheus::proto::{LabelPair, MetricType};
use prometheus::{
    HistogramOpts, HistogramVec, IntCounterVec, IntGaugeVec, Opts, Registry, TextEncoder,
};
use std::sync::LazyLock;
use std::time::Duration;

/// The bounds of durations: 1 ms to 10 s.
const SECONDS: [f64; 13] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

static METERS: LazyLock<Meters> = LazyLock::new(Meters::new);

/// The meters of this process and the registry that lists them.
struct Meters {
    registry: Registry,
    mails: IntCounterVec,
    commands: HistogramVec,
    refusals: IntCounterVec,
    signups: IntCounterVec,
    letters: IntCounterVec,
    requests: HistogramVec,
    connections: IntGaugeVec,
    most_connections: IntGaugeVec,
    connection_waits: HistogramVec,
}

const VALID: &str = "a valid name, used once";

impl Meters {
    /// Registers all meters. Each is listed only after its first use.
    fn new() -> Self {
        let registry = Registry::new();
        Self {
            mails: counter(
                &registry,
                "postboard_mails_received_total",
                "Mails that came to this process, kept or not",
                &["outcome", "cause"],
            ),
            commands: histogram(
                &registry,
                "postboard_command_duration_seconds",
                "Time to execute a mail or another command in this process, without the disk",
                &["outcome"],
            ),
            refusals: counter(
                &registry,
                "postboard_commands_refused_total",
                "Commands that this process refused, by what the refusal is about",
                &["reason"],
            ),
            signups: counter(
                &registry,
                "postboard_signups_total",
                "Users who signed up by a command to this process",
                &[],
            ),
            letters: counter(
                &registry,
                "postboard_letters_total",
                "Tries of this process to send letters, and letters that it put off",
                &["outcome", "cause"],
            ),
            requests: histogram(
                &registry,
                "postboard_http_request_duration_seconds",
                "Time until a response begins",
                &["status"],
            ),
            connections: gauge(
                &registry,
                "postboard_database_connections",
                "Connections of this process to the database",
                &["state"],
            ),
            most_connections: gauge(
                &registry,
                "postboard_database_connections_limit",
                "The most connections that this process opens to the database",
                &[],
            ),
            connection_waits: histogram(
                &registry,
                "postboard_database_wait_duration_seconds",
                "Time that work of this process waited for a connection to the database",
                &[],
            ),
            registry,
        }
    }
}

fn counter(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> IntCounterVec {
    let counter = IntCounterVec::new(Opts::new(name, help), labels).expect(VALID);
    registry.register(Box::new(counter.clone())).expect(VALID);
    counter
}

fn gauge(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> IntGaugeVec {
    let gauge = IntGaugeVec::new(Opts::new(name, help), labels).expect(VALID);
    registry.register(Box::new(gauge.clone())).expect(VALID);
    gauge
}

fn histogram(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> HistogramVec {
    let options = HistogramOpts::new(name, help).buckets(SECONDS.into());
    let histogram = HistogramVec::new(options, labels).expect(VALID);
    registry.register(Box::new(histogram.clone())).expect(VALID);
    histogram
}

/// The outcome of receiving a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailOutcome {
    /// It was kept durably.
    Kept,
    /// There was no room for it.
    NoRoom,
    /// It could not be kept for another reason.
    Fault,
}

/// Counts a received mail.
pub fn count_mail(outcome: MailOutcome) {
    let labels = match outcome {
        MailOutcome::Kept => ["kept", ""],
        MailOutcome::NoRoom => ["not kept", "no room"],
        MailOutcome::Fault => ["not kept", "fault"],
    };
    METERS.mails.with_label_values(&labels).inc();
}

/// The counts of a mail or another command, besides its outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandTally {
    /// What the refusal of each refused command is about.
    pub refused: Vec<&'static str>,
    /// The users who signed up.
    pub signups: u64,
}

/// Counts a mail or another command with its outcome, as the log calls it.
pub fn count_command(outcome: &str, took: Duration, tally: &CommandTally) {
    METERS.commands.with_label_values(&[outcome]).observe(took.as_secs_f64());
    for reason in &tally.refused {
        METERS.refusals.with_label_values(&[reason]).inc();
    }
    if tally.signups > 0 {
        METERS.signups.with_label_values::<&str>(&[]).inc_by(tally.signups);
    }
}

/// The outcome of sending a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterOutcome {
    /// It was sent.
    Sent,
    /// It waits for a limit of its recipient's domain.
    PutOff,
    /// It failed, because the transport takes no letters at present.
    TransportDown,
    /// It failed, and is tried again.
    Deferred,
    /// It was given up.
    Rejected,
}

impl LetterOutcome {
    /// Returns the labels `outcome` and `cause`.
    const fn labels(self) -> [&'static str; 2] {
        match self {
            Self::Sent => ["sent", ""],
            Self::PutOff => ["kept", "domain limit"],
            Self::TransportDown => ["kept", "no transport"],
            Self::Deferred => ["kept", "deferred"],
            Self::Rejected => ["given up", "rejected"],
        }
    }
}

/// Counts a letter.
pub fn count_letter(outcome: LetterOutcome) {
    METERS.letters.with_label_values(&outcome.labels()).inc();
}

/// Counts a request with the status of its response.
pub fn count_request(status: u16, took: Duration) {
    METERS.requests.with_label_values(&[&status.to_string()]).observe(took.as_secs_f64());
}

/// Sets how many connections to the database are in use and idle, and how many there may be.
pub fn set_connections(in_use: u32, idle: u32, limit: u32) {
    METERS.connections.with_label_values(&["in use"]).set(in_use.into());
    METERS.connections.with_label_values(&["idle"]).set(idle.into());
    METERS.most_connections.with_label_values::<&str>(&[]).set(limit.into());
}

/// Counts a wait for a connection to the database.
pub fn count_connection_wait(took: Duration) {
    METERS.connection_waits.with_label_values::<&str>(&[]).observe(took.as_secs_f64());
}

/// Returns everything in Prometheus' text format.
pub fn text() -> String {
    TextEncoder::new()
        .encode_to_string(&METERS.registry.gather())
        .expect("text is written to memory")
}

/// The value of a meter for certain labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeterReading {
    /// What is measured, in words.
    pub what: String,
    /// The values of its labels, such as an outcome and its cause: `not kept, no room`.
    pub labels: String,
    /// The count, or the value of a gauge.
    pub count: u64,
    /// The mean duration, if durations are measured.
    pub mean: Option<Duration>,
}

/// Returns the values of all meters.
pub fn readings() -> Vec<MeterReading> {
    let mut readings = Vec::new();
    for family in METERS.registry.gather() {
        for metric in family.get_metric() {
            // They are sorted by name, so a cause comes before its outcome.
            let labels = metric.get_label().iter().rev().map(LabelPair::value);
            let labels: Vec<&str> = labels.filter(|label| !label.is_empty()).collect();
            let durations = metric.get_histogram();
            let (count, mean) = match family.get_field_type() {
                MetricType::HISTOGRAM => {
                    let count = durations.get_sample_count();
                    (count, Some(mean(durations.get_sample_sum(), count)))
                }
                MetricType::GAUGE => (whole(metric.get_gauge().get_value()), None),
                _ => (whole(metric.get_counter().get_value()), None),
            };
            let (what, labels) = (family.help().to_owned(), labels.join(", "));
            readings.push(MeterReading { what, labels, count, mean });
        }
    }
    readings
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a counter or gauge here is a whole number from 0, far below 2^53"
)]
fn whole(count: f64) -> u64 {
    count as u64
}

#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
fn mean(seconds: f64, count: u64) -> Duration {
    Duration::try_from_secs_f64(seconds / count.max(1) as f64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meters_of_each_kind_are_read_with_all_their_labels() {
        count_letter(LetterOutcome::Sent);
        count_letter(LetterOutcome::PutOff);
        set_connections(3, 2, 10);
        count_connection_wait(Duration::from_millis(20));
        let readings = readings();
        let of = |what: &str, labels: &str| {
            let is_it = |reading: &&MeterReading| {
                reading.what.starts_with(what) && reading.labels == labels
            };
            let reading = readings.iter().find(is_it);
            reading.unwrap_or_else(|| panic!("{what}, {labels}: {readings:?}"))
        };
        for (what, labels, count) in [
            ("Tries of this process", "sent", 1),
            ("Tries of this process", "kept, domain limit", 1),
            ("Connections of this process", "in use", 3),
            ("Connections of this process", "idle", 2),
            ("The most connections", "", 10),
        ] {
            let reading = of(what, labels);
            assert!(reading.count >= count && reading.mean.is_none(), "{reading:?}");
        }
        let waits = of("Time that work of this process waited", "");
        assert!(waits.count >= 1 && waits.mean > Some(Duration::ZERO), "{waits:?}");
    }
}
