//! All integration tests of the server, in one binary: one link step, however many files.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "tests read and write files, and fail where they stand"
)]

mod accounts;
mod alerts;
mod analysed;
mod backup;
mod binary;
mod bombs;
mod browser;
mod clocks;
mod configuration;
mod console;
mod crowd;
mod demo;
mod dice;
mod disturbed;
mod doctor;
mod dovecot;
mod engine;
mod failover;
mod faults;
mod first_lines;
mod floods;
mod html;
mod json;
mod layers;
mod letters;
mod logs;
mod mails;
mod manual;
mod metrics;
mod moves;
mod newcomers;
mod operator;
mod optout;
mod oracles;
mod order;
mod packaging;
mod postfix;
mod privacy;
mod program;
mod progress;
mod proxy;
mod quotation_shapes;
mod quotations;
mod random;
mod rate_limits;
mod receive;
mod recipes;
mod records;
mod reference;
mod refusals;
mod replies;
mod report;
mod resources;
mod robots;
mod script;
mod secrets;
mod seeks;
mod senders;
mod setup;
mod store;
mod subjects;
mod tables;
mod terminal;
mod trickery;
mod trouble;
mod twice;
mod unreadable;
mod upgrade;
mod verbs;
mod warnings;
mod web;
mod workers;

#[test]
fn every_test_file_is_listed() {
    let listed = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(module) = name.strip_suffix(".rs").filter(|module| *module != "main") {
            assert!(listed.contains(&format!("mod {module};")), "tests/{name} is not listed");
        }
    }
}
