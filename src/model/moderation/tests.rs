//! Tests of the log of acts, bans and sanctions.

use super::*;
use crate::base::ids::UserId;
use crate::base::network::Network;
use crate::base::time::{DAY, Time};
use crate::mail::Address;
use crate::model::document::{Damage, Document as _};
use std::net::IpAddr;

/// A forgery of a log.
type Edit = fn(&mut Vec<AuditEntry>);

fn record(number: u32) -> AuditRecord {
    let (by, about) = ("operator jane".into(), format!("user{number}"));
    let at = Time::from_unix(number.into());
    AuditRecord { at, by, act: Act::Mute, about, until: None, why: "insults".into() }
}

/// Returns the entries of a log.
fn log(count: u32) -> Vec<AuditEntry> {
    let mut entries: Vec<AuditEntry> = Vec::new();
    for number in 1..=count {
        let before = entries.last().map_or(NO_CHAIN, |entry| &entry.chain);
        entries.push(AuditEntry::new(number, record(number), before));
    }
    entries
}

/// Returns whether every entry follows the one before.
fn is_whole(entries: &[AuditEntry]) -> bool {
    let mut before = NO_CHAIN;
    (1..).zip(entries).all(|(number, entry)| {
        let follows = entry.follows(number, before);
        before = &entry.chain;
        follows
    })
}

#[test]
fn a_changed_moved_or_missing_entry_breaks_the_log() {
    let whole = log(5);
    assert!(is_whole(&whole));
    let edits: [Edit; 8] = [
        |log| log[2].record.why = "praise".into(),
        |log| log[2].record.by = "alice".into(),
        |log| log[2].record.about = "user9".into(),
        |log| log[2].record.act = Act::Ban,
        |log| log[2].record.until = Some(Time::EPOCH),
        |log| log[2].record.at = Time::EPOCH,
        |log| drop(log.remove(2)),
        |log| log.swap(1, 2),
    ];
    for (number, edit) in edits.iter().enumerate() {
        let mut log = whole.clone();
        edit(&mut log);
        assert!(!is_whole(&log), "edit {number}");
    }
    // An edit with its own digest made anew breaks the next entry.
    let mut log = whole;
    let mut edited = log[2].record.clone();
    edited.why = "praise".into();
    log[2] = AuditEntry::new(3, edited, &log[1].chain.clone());
    assert!(is_whole(&log[..3]) && !is_whole(&log));
}

#[test]
fn a_page_is_read_as_it_was_written() {
    let mut page = AuditPage::default();
    page.entries = log(3);
    assert_eq!(AuditPage::from_text(&0, &page.to_text()).unwrap(), page);
    assert_eq!(AuditPage::id_of(&audit_key(7)), Some(7));
    let newer = page.to_text().replacen("\"format\": 1", "\"format\": 2", 1);
    assert_eq!(AuditPage::from_text(&0, &newer), Err(Damage::Newer(2)));
}

#[test]
fn subjects_of_bans_are_told_apart_and_covered() {
    let subject = |text: &str| BanSubject::parse(text).map(|subject| subject.to_string());
    for text in ["troll@example.org", "@example.org", "192.0.2.0/24", "2001:db8::/48"] {
        assert_eq!(subject(text).as_deref(), Some(text));
    }
    for text in ["alice", "@", "@localhost", "@exa mple.org", "192.0.2.0/25", ""] {
        assert_eq!(subject(text), None, "{text}");
    }
    let address = Address::parse("Troll+7@Mail.Example.ORG").unwrap();
    let network = Network::from("192.0.2.7".parse::<IpAddr>().unwrap());
    let keys = ban_keys([&address], Some(network));
    let is_covered = |text: &str| keys.contains(&ban_key(&BanSubject::parse(text).unwrap()));
    for text in [
        "troll@mail.example.org",
        "@mail.example.org",
        "@example.org",
        "192.0.2.7",
        "192.0.2.0/24",
        "192.0.0.0/16",
    ] {
        assert!(is_covered(text), "{text}");
    }
    for text in ["roll@mail.example.org", "@xample.org", "@ample.org", "192.0.3.0/24"] {
        assert!(!is_covered(text), "{text}");
    }
}

#[test]
fn a_ban_is_in_force_until_its_end_or_until_it_is_lifted() {
    let subject = BanSubject::parse("@example.org").unwrap();
    let (since, end) = (Time::EPOCH, Time::EPOCH + DAY);
    let mut ban = Ban::new(subject, since, Some(end), "spam".into());
    assert!(ban.is_in_force(since) && !ban.is_in_force(end));
    ban.until = None;
    assert!(ban.is_in_force(end));
    ban.lifted = Some(since);
    assert!(!ban.is_in_force(since));
    let id = Ban::id_of(&ban_key(&ban.subject)).unwrap();
    assert_eq!(Ban::from_text(&id, &ban.to_text()).unwrap(), ban);
    let other = Ban::id_of(&ban_key(&BanSubject::parse("@example.com").unwrap())).unwrap();
    assert_eq!(
        Ban::from_text(&other, &ban.to_text()),
        Err(Damage::OtherDocument("@example.org".into()))
    );
}

#[test]
fn each_sanction_forbids_what_the_weaker_ones_forbid() {
    let mut user = crate::model::user::User::new(
        UserId::parse("alice").unwrap(),
        String::new(),
        Vec::new(),
        Time::EPOCH,
    );
    let kinds = [SanctionKind::Mute, SanctionKind::Suspension, SanctionKind::Ban];
    for (strength, kind) in kinds.into_iter().enumerate() {
        let (since, until) = (Time::EPOCH, Some(Time::EPOCH + DAY));
        user.sanction = Some(Sanction { kind, since, until, why: "insults".into() });
        for (weakness, asked) in kinds.into_iter().enumerate() {
            let is_forbidden = |now| user.sanction(asked, now).is_some();
            assert_eq!(is_forbidden(since), weakness <= strength, "{kind:?} {asked:?}");
            assert!(!is_forbidden(Time::EPOCH + DAY));
        }
    }
}
