//! `postboard dice-seed`: the seed values of a player who uses a mail program, made by the program
//! itself.

use crate::support::program::{Ran, program, run};
use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

fn seed(file: &Path, more: &[&str]) -> Ran {
    run(program().arg("dice-seed").arg(file).args(more), b"")
}

/// Returns the value in the last line of the output.
fn value(told: &Ran) -> String {
    assert_eq!((told.code, told.err.as_str()), (Some(0), ""), "{told:?}");
    let line = told.out.lines().last().unwrap();
    line.strip_prefix("-seed=").unwrap().to_owned()
}

fn hash(value: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(value))
}

#[test]
fn each_value_is_the_digest_of_the_next_and_comes_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chain");
    let told = seed(&file, &[]);
    let end = value(&told);
    assert!(told.out.contains(&format!("\n-seed=sha256:{end}\n")), "{told:?}");
    assert_eq!(seed(&file, &[]), told, "looking at it takes nothing");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    let mut newest = end;
    for _ in 0..3 {
        let next = value(&seed(&file, &["--next"]));
        assert_eq!(hash(&next), newest);
        assert_eq!(value(&seed(&file, &[])), next, "it is shown again, should a mail get lost");
        newest = next;
    }
    let other = folder.path().join("other");
    assert_ne!(value(&seed(&other, &[])), value(&seed(&file, &[])));
}

#[test]
fn the_last_value_is_the_one_in_the_file_and_none_comes_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chain");
    seed(&file, &[]);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"taken\":0", "\"taken\":1999")).unwrap();
    let last = value(&seed(&file, &["--next"]));
    assert!(text.contains(&last), "{text}");
    let told = seed(&file, &["--next"]);
    assert!(told.code != Some(0) && told.err.contains("has no more values"), "{told:?}");
    assert!(!told.out.contains("-seed="), "{told:?}");
}

#[test]
fn a_word_that_is_no_chain_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chain");
    let told = seed(&file, &["--next"]);
    assert!(told.code != Some(0) && told.err.contains("without --next"), "{told:?}");
    assert!(!file.exists());
    let long = format!("{{\"last\":\"{}\",\"taken\":2001}}", "0".repeat(64));
    for text in ["a letter to my mother", "{\"last\":\"00\",\"taken\":0}", "", &long] {
        fs::write(&file, text).unwrap();
        for more in [&[][..], &["--next"]] {
            let told = seed(&file, more);
            assert!(told.code != Some(0) && told.err.contains("is not a file of"), "{told:?}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
    }
}
