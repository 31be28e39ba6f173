//! Backups of changes: with the whole one that they name they are the home, and without it they are refused.

use super::backup::{FULL_DISKS, entries, full_home, refused, state, until_unlocked};
use crate::support::faults::troubled;
use crate::support::files::folder;
use postboard::base::progress::NoProgress;
use postboard::store::backup::{Manifest, NightlyName, save_changes, save_listed};
use postboard::store::disk::Disk;
use postboard::store::restore::{RestoreTarget, open};
use postboard::store::{Fault, FileStore};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;
use std::fs;
use std::io::BufRead;
use std::path::{Path, PathBuf};

fn name(text: &str) -> NightlyName {
    NightlyName::parse(text).unwrap()
}

/// Makes a whole backup of a home in a folder, and its manifest.
fn whole(disk: &Disk, home: &Path, folder: &Path, text: &str) -> Result<(), Fault> {
    let files = FileStore::read(home).unwrap();
    save_listed(disk, &files, home, folder, name(text), &[], &NoProgress).map(drop)
}

/// Makes a backup of the changes; returns its file, and how many files are in it.
fn changes(home: &Path, folder: &Path, text: &str) -> (PathBuf, u64) {
    let (file, manifest) = (folder.join(text), Manifest::read(home).unwrap().unwrap());
    let files = FileStore::read(home).unwrap();
    let disk = Disk::default();
    let saved = save_changes(&disk, &files, &file, &[], &manifest, &NoProgress).unwrap();
    (file, saved.files)
}

/// Restores a backup of changes with the whole one that is in this folder.
fn restore(file: &Path, folder: &Path, to: &Path) -> Result<u64, Fault> {
    let restoring = RestoreTarget::begin(to)?;
    let files = restoring.unpack_all(file, open(file)?.0, true, &mut |whole| {
        let path = folder.join(whole.name.to_string());
        let input: Box<dyn BufRead> = Box::new(whole.open(&path)?.0);
        Ok((path, input))
    })?;
    restoring.publish().map(|_| files)
}

/// Writes, changes, moves and removes some files of a home.
fn change(home: &Path, chance: &mut ChaCha20Rng) {
    let mut below = |most: usize| chance.random_range(0..most);
    for _ in 0..below(12) {
        let all: Vec<PathBuf> = state(home).into_iter().map(|(name, _)| name).collect();
        let old = &all[below(all.len())];
        let place = ["boards/malaka/0", "users/al", "seen/2026-11/ab", "outbox/new", "spool/new"];
        let new = home.join(place[below(5)]).join(format!("{}.json", below(9)));
        fs::create_dir_all(new.parent().unwrap()).unwrap();
        let is_fixed = ["key", "postboard.toml", "format"].iter().any(|it| old == Path::new(it));
        match below(4) {
            0 => fs::write(&new, below(3).to_string()).unwrap(),
            1 if !is_fixed => fs::remove_file(home.join(old)).unwrap(),
            2 if !is_fixed => fs::rename(home.join(old), new).unwrap(),
            _ if !is_fixed => fs::write(home.join(old), "x".repeat(below(9))).unwrap(),
            _ => {}
        }
    }
}

#[test]
fn changes_with_their_whole_backup_are_the_home() {
    let mut counts = (0, 0);
    for seed in 0..40 {
        let mut chance = ChaCha20Rng::seed_from_u64(seed);
        let (from, base) = (full_home(), folder());
        whole(&Disk::default(), from.path(), base.path(), "postboard-2026-11-01.tar.gz").unwrap();
        for night in 2..5 {
            change(from.path(), &mut chance);
            let text = format!("postboard-2026-11-0{night}-since-2026-11-01.tar.gz");
            let (file, saved) = changes(from.path(), base.path(), &text);
            let to = base.path().join(night.to_string());
            let files = restore(&file, base.path(), &to).unwrap();
            assert_eq!(state(&to), state(from.path()), "seed {seed}, night {night}");
            assert_eq!(files, state(from.path()).len() as u64);
            counts = (counts.0 + saved, counts.1 + files);
        }
    }
    assert!(counts.0 * 2 < counts.1, "{counts:?}: unchanged files are in it");
}

#[test]
fn changes_without_their_whole_backup_are_refused() {
    let (from, base) = (full_home(), folder());
    let text = "postboard-2026-11-01.tar.gz";
    fs::write(from.path().join("boards/malaka/count"), "4\n").unwrap();
    whole(&Disk::default(), from.path(), base.path(), text).unwrap();
    fs::remove_file(from.path().join("boards/malaka/count")).unwrap();
    let (file, _) =
        changes(from.path(), base.path(), "postboard-2026-11-02-since-2026-11-01.tar.gz");
    // Alone, as from a pipe.
    refused(
        &fs::read(&file).unwrap(),
        "it contains only the changes since postboard-2026-11-01.tar.gz",
    );
    let to = base.path().join("to");
    let right = fs::read(base.path().join(text)).unwrap();
    let wrong = |bytes: Option<&[u8]>, words: &str| {
        fs::remove_file(base.path().join(text)).unwrap();
        if let Some(bytes) = bytes {
            fs::write(base.path().join(text), bytes).unwrap();
        }
        let fault = restore(&file, base.path(), &to).unwrap_err().to_string();
        assert!(fault.contains(words) && fault.contains(text) && !fault.contains('\n'), "{fault}");
        assert!(!to.exists(), "{words}");
        fs::write(base.path().join(text), &right).unwrap();
    };
    wrong(None, "No such file");
    wrong(Some(b"another"), "it is not the backup that was made: its SHA-256 is not ");
    let mut bit = right.clone();
    *bit.last_mut().unwrap() ^= 1;
    wrong(Some(&bit), "it is not the backup that was made");
    wrong(Some(&fs::read(&file).unwrap()), "it is not the backup that was made");
    restore(&file, base.path(), &to).unwrap();
    assert!(!to.join("boards/malaka/count").exists(), "what was removed does not come back");
}

#[test]
fn forged_changes_are_refused() {
    let base = folder();
    let digest = "5".repeat(64);
    let since = ("postboard-backup-since", &*format!("postboard-2026-11-01.tar.gz {digest}\n"));
    let [first, end] = [("postboard-backup", "2\n"), ("postboard-backup-end", "2\n2\n")];
    let own = [("key", "x"), ("postboard.toml", "")];
    let of =
        |before: &[(&str, &str)], after: &[(&str, &str)]| entries(&[before, &own, after].concat());
    refused(&of(&[first, since], &[end]), "contains only the changes since postboard-2026-11-01");
    refused(&of(&[first], &[end]), "does not say once, and first, since when");
    refused(&of(&[first, since, since], &[end]), "does not say once, and first, since when");
    for name in
        ["", "x", "../postboard-2026-11-01.tar.gz", "postboard-2026-11-02-since-2026-11-01.tar.gz"]
    {
        let since = ("postboard-backup-since", &*format!("{name} {digest}"));
        refused(&of(&[first, since], &[end]), "it does not name its whole backup");
    }
    for numbers in ["2\n", "3\n3\n", "2\n1\n", "2\n2\n2\n", ""] {
        refused(&of(&[first, since], &[("postboard-backup-end", numbers)]), "files are missing");
    }
    let whole = ("postboard-backup", "1\n");
    refused(&of(&[whole, since], &[end]), "`postboard-backup-since` is not a file of a home");
    refused(&of(&[whole], &[end]), "files are missing");
    let gone = |names| ("postboard-backup-gone", names);
    let twice = of(&[first, since], &[gone("seen/1/a\n"), gone("seen/1/b\n"), end]);
    refused(&twice, "it says twice which files are gone");
    for names in ["seen/1/a\nseen/1/a\n", "key\n"] {
        refused(&of(&[first, since], &[gone(names), end]), "a name occurs twice");
    }
    // Letters that are left out, too.
    let letter = ("outbox/new/1.eml", "");
    let target = base.path().join("home");
    let all = ("postboard-backup-end", "4\n4\n");
    let bytes = of(&[first, since], &[letter, letter, all]);
    let unpacked = RestoreTarget::begin(&target).unwrap().unpack(&target, &*bytes, false);
    let fault = unpacked.unwrap_err().to_string();
    assert!(fault.contains("a name occurs twice"), "{fault}");
}

#[test]
fn a_manifest_is_replaced_only_after_its_backup_is_complete() {
    for full in FULL_DISKS {
        for at in 0.. {
            let (from, base) = (full_home(), folder());
            whole(&Disk::default(), from.path(), base.path(), "postboard-2026-11-01.tar.gz")
                .unwrap();
            fs::write(from.path().join("boards/malaka/count"), "99\n").unwrap();
            let new = "postboard-2026-11-08.tar.gz";
            let done = whole(&troubled(at, full).0, from.path(), base.path(), new);
            let manifest = until_unlocked(|| Manifest::read(from.path())).unwrap().unwrap();
            let named = manifest.whole.name.to_string();
            // What it names can be restored, and a later backup of changes with it.
            assert!(done.is_err() || named == new, "step {at}");
            fs::remove_file(from.path().join("boards/malaka/count")).unwrap();
            let (file, _) =
                changes(from.path(), base.path(), "postboard-2026-11-09-since-2026-11-01.tar.gz");
            let to = base.path().join("to");
            restore(&file, base.path(), &to).unwrap();
            assert_eq!(state(&to), state(from.path()), "step {at}");
            if done.is_ok() {
                assert!(at >= 9, "only {at} steps");
                break;
            }
        }
    }
}
