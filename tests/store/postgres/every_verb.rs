//! Every verb by mail in a database whose connection breaks at any message: the home equals the
//! home of an undisturbed run.

#![expect(clippy::print_stdout, reason = "the test prints how many cases it tried")]

use crate::store::every_verb::{NOW, SITUATIONS, Situation, prepare};
use crate::store::postgres::proxy::{Proxy, Way};
use crate::support::home::{config, seeded, setup};
use crate::support::postgres::{PostgresServer, folder, shared};
use postboard::server::Setup;
use postboard::shell::mails::batch::MailBatch;
use postboard::store::postgres::{DatabaseConfig, PostgresHome};
use postboard::store::{Fault, Home as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The tables of a home, which are restored before each run.
const TABLES: [&str; 11] = [
    "documents",
    "receipts",
    "sent",
    "looks",
    "registers",
    "workers",
    "mails",
    "strands",
    "aside",
    "letters",
    "markers",
];

/// A step that no run reaches, so no connection is cut.
const NEVER: usize = usize::MAX;

/// A home, a waiting mail, and a proxy that cuts the connection at a step.
struct Case {
    engine: Arc<PostgresServer>,
    database: String,
    home: PostgresHome,
    setup: Setup,
    steps: Arc<AtomicUsize>,
    cut: Arc<AtomicUsize>,
    _proxy: Proxy,
    _folder: tempfile::TempDir,
}

impl Case {
    fn new(situation: &Situation) -> Self {
        let (engine, folder, setup) = (shared(), folder(), setup(config()));
        let database = engine.database();
        let lease = Duration::from_mins(2);
        let direct = PostgresHome::new(folder.path(), engine.place(&database, lease));
        assert!(direct.init(&[7; 32]).unwrap());
        let mut opened = direct.open().unwrap();
        let raw = prepare(&mut *opened, &setup, situation, NOW);
        opened.close().unwrap();
        direct.put(raw.as_bytes(), None).unwrap();
        let keep = |table: &&str| format!("CREATE TABLE kept.{table} AS TABLE {table}; ");
        let keep: String = TABLES.iter().map(keep).collect();
        engine.sql(&database, &format!("DELETE FROM letters; CREATE SCHEMA kept; {keep}"));
        let (steps, cut) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(NEVER)));
        let (count, at) = (Arc::clone(&steps), Arc::clone(&cut));
        let telling = move |_: bool, _: &[u8], _: &[u8]| {
            let step = count.fetch_add(1, Ordering::SeqCst);
            match step == at.load(Ordering::SeqCst) {
                true if step.is_multiple_of(2) => Way::Half,
                true => Way::Cut,
                false => Way::Pass,
            }
        };
        let proxy = Proxy::start(&engine, Arc::new(telling));
        let place = DatabaseConfig { url: proxy.url(&database), password_file: None, lease };
        let home = PostgresHome::new(folder.path(), place);
        Self { engine, database, home, setup, steps, cut, _proxy: proxy, _folder: folder }
    }

    /// Executes the mail with the connection cut at step `cut`; returns the home afterwards and the
    /// number of steps.
    fn run(&self, cut: usize) -> Result<(String, usize), Fault> {
        let back = |table: &&str| {
            format!(
                "DELETE FROM {table}; INSERT INTO {table} OVERRIDING SYSTEM VALUE \
                 SELECT * FROM kept.{table}; "
            )
        };
        self.engine.sql(&self.database, &TABLES.iter().map(back).collect::<String>());
        self.steps.store(0, Ordering::SeqCst);
        self.cut.store(cut, Ordering::SeqCst);
        let mut chance = seeded(8);
        let executed = loop {
            let done = self.home.open().and_then(|mut opened| {
                let mut batch = MailBatch::new(&self.setup, &mut chance, &|| NOW, &|_| ());
                let more = batch.execute_spool(&mut *opened, &|| false)?;
                opened.close().map(|()| more)
            });
            match done {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(fault) => break Err(fault),
            }
        };
        let steps = self.steps.load(Ordering::SeqCst);
        self.cut.store(NEVER, Ordering::SeqCst);
        executed.map(|()| (self.left(), steps))
    }

    fn left(&self) -> String {
        self.engine.sql(
            &self.database,
            "SELECT 'document ' || name || ' ' || encode(version, 'hex') FROM documents \
             UNION ALL SELECT 'letter ' || name || ' ' || recipient || ' ' || md5(bytes) FROM letters \
             UNION ALL SELECT 'receipt ' || encode(id, 'hex') || encode(content, 'hex') FROM receipts \
             UNION ALL SELECT 'sent ' || encode(mailbox, 'hex') || ' ' || encode(letter, 'hex') FROM sent \
             UNION ALL SELECT 'look ' || game || ' ' || number || ' ' || at FROM looks \
             UNION ALL SELECT 'register ' || register || ' ' || userid FROM registers \
             UNION ALL SELECT 'mail ' || number FROM mails \
             UNION ALL SELECT 'aside ' || name FROM aside ORDER BY 1",
        )
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        self.engine.sql("postgres", &format!("DROP DATABASE {} WITH (FORCE)", self.database));
    }
}

/// Disturbs every `one_of`-th situation at every `every`-th step.
fn disturb(one_of: usize, every: usize) {
    let _engine = shared();
    let (mut tried, mut wrong) = (0, Vec::new());
    for (number, situation) in SITUATIONS.iter().enumerate().step_by(one_of) {
        let case = Case::new(situation);
        // The first run also prepares the statements, so the second run counts the steps.
        let (calm, _) = case.run(NEVER).unwrap();
        let (again, steps) = case.run(NEVER).unwrap();
        assert_eq!(calm, again, "{situation:?}");
        assert!(calm.contains("receipt") && !calm.contains("mail "), "{situation:?}: {calm}");
        for at in (0..steps).filter(|at| (at + number).is_multiple_of(every)) {
            tried += 1;
            match case.run(at) {
                Ok((left, _)) if left == calm => {}
                Ok((left, _)) => wrong.push(format!("{situation:?}, cut at {at}: {left}")),
                Err(fault) => wrong.push(format!("{situation:?}, cut at {at}: {fault}")),
            }
        }
    }
    println!("{tried} tried, {} wrong", wrong.len());
    assert_eq!(wrong, [""; 0]);
    assert!(tried > 40, "{tried} only");
}

#[test]
#[ignore = "starts PostgreSQL"]
fn every_verb_in_a_database_that_is_cut_off_at_some_steps_is_executed_once() {
    disturb(4, 29);
}

#[test]
#[ignore = "starts PostgreSQL, and takes long: see docs/reliability.md"]
fn every_verb_in_a_database_that_is_cut_off_at_each_step_is_executed_once() {
    disturb(1, 1);
}
