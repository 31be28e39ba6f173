//! Parts that the benchmarks share.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a bench runs cargo")]

#[cfg(feature = "peers")]
pub mod large;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The real program as it is released, built now if it was not. `tmp` is the folder in `target/`
/// that cargo gives to benchmarks.
pub fn program(tmp: &str) -> PathBuf {
    let target = Path::new(tmp).parent().expect("`tmp` is a folder of `target/`");
    let mut build = Command::new(env!("CARGO"));
    build.args([
        "build",
        "--profile",
        "dist",
        "--locked",
        "--package",
        "postboard",
        "--bin",
        "postboard",
    ]);
    build.arg("--target-dir").arg(target);
    build.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    // Cargo's variables for this package would rebuild other packages that look at them.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CARGO_")) {
        if !matches!(&*name, "CARGO_HOME" | "CARGO_TARGET_DIR") {
            build.env_remove(name);
        }
    }
    assert!(build.status().expect("cargo runs").success(), "the program is built");
    target.join("dist/postboard")
}
