//! Many processes at once on one spool, some of them killed: every mail is executed once.

#![expect(clippy::print_stdout, reason = "how much was tried is told")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "processes run beside each other, and are killed")]

use crate::program::{Home, mail, names};
use postboard::store::spool;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;
use std::collections::BTreeMap;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Lets so many processes loose on so many mails, a third of which are ended by SIGKILL, and
/// looks at what came of every mail.
fn crowd(mails: u32, processes: usize, seed: u64) {
    let home = Home::new();
    home.configure("mails_a_day = 200", "mails_a_day = 1000000");
    let mut chance = ChaCha20Rng::seed_from_u64(seed);
    let to = home.set_up().into_iter().find(|mail| mail.to == "bob@pbm.test");
    let to = to.and_then(|mail| mail.reply_to).unwrap();
    // A reply of bob's costs no password hash; every mail says something else.
    for number in 0..mails {
        let raw = mail(number, "bob", &to, "Re: Malaka", &format!("chat\n\nword{number}."));
        spool::put(&home.path(), raw.as_bytes()).unwrap();
    }
    let began = Instant::now();
    let start = || {
        let mut command = home.command();
        command.arg("process").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let mut running: Vec<Child> = (0..processes).map(|_| start()).collect();
    let mut killed = 0;
    while killed < processes.div_ceil(2) && !names(&home.path().join("spool/new")).is_empty() {
        std::thread::sleep(Duration::from_millis(chance.random_range(1..60)));
        let victim = chance.random_range(0..running.len());
        let mut child = running.swap_remove(victim);
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            killed += 1;
        }
        child.wait().unwrap();
        running.push(start());
    }
    for mut child in running {
        assert!(child.wait().unwrap().success(), "whoever is not killed ends well");
    }
    home.process();
    let took = began.elapsed().as_secs_f32();
    for folder in ["spool/new", "spool/cur", "spool/bad"] {
        assert_eq!(home.names(folder), [""; 0], "{folder}");
    }
    // Both players get what was said, once.
    let mut said: BTreeMap<u32, usize> = (0..mails).map(|number| (number, 0)).collect();
    for sent in home.delivered() {
        let word = sent.text.split("> word").nth(1).and_then(|rest| rest.split('.').next());
        *said.get_mut(&word.unwrap().parse().unwrap()).unwrap() += 1;
    }
    let wrong: Vec<_> = said.iter().filter(|(_, times)| **times != 2).collect();
    assert!(wrong.is_empty(), "mails not executed once: {wrong:?}");
    home.is_tidy();
    assert!(killed > 0, "nobody was killed");
    println!("{mails} mails, {processes} processes, {killed} killed: {took:.1} s");
}

#[test]
fn a_crowd_executes_every_mail_once() {
    crowd(300, 10, 1);
}

#[test]
#[ignore = "takes a minute: `cargo test --test postboard crowd -- --ignored --nocapture`"]
fn a_crowd_of_sixty_four_executes_ten_thousand_mails_once() {
    for seed in 1..=3 {
        crowd(10_000, 64, seed);
    }
}
