//! The file `postboard.toml` of a home, as text, and the environment that its settings may refer
//! to.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store uses files")]

use crate::base::time::Time;
use crate::store::Fault;
use crate::store::paths::{beside, is_there, names};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};

/// The environment that a configuration may refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessEnv {
    /// The environment variables whose names begin with `POSTBOARD_`.
    pub variables: Vec<(String, String)>,
    /// The names and paths of the credentials that systemd passes.
    pub credentials: Vec<(String, String)>,
}

impl ProcessEnv {
    /// Returns the environment of this process. Ignores variables whose names are not UTF-8.
    ///
    /// # Errors
    /// A value is not UTF-8, or the folder of credentials cannot be listed.
    pub fn of_this_process() -> Result<Self, Fault> {
        let variable = |(name, value): (OsString, OsString)| {
            let name = name.into_string().ok().filter(|name| name.starts_with("POSTBOARD_"))?;
            let value = value.into_string().map_err(|_| {
                let (kind, why) = (io::ErrorKind::InvalidData, "its value is not UTF-8");
                Fault::because("cannot use", format!("${name}"), kind, why)
            });
            Some(value.map(|value| (name, value)))
        };
        let mut variables =
            env::vars_os().filter_map(variable).collect::<Result<Vec<_>, Fault>>()?;
        variables.sort();
        let folder = env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from);
        let mut credentials = Vec::new();
        if let Some(folder) = folder {
            let named = |name: String| {
                let path = folder.join(&name).to_str()?.to_owned();
                Some((name, path))
            };
            credentials.extend(names(&folder)?.into_iter().filter_map(named));
        }
        Ok(Self { variables, credentials })
    }
}

/// Returns the path of the configuration of a home.
pub fn path(home: &Path) -> PathBuf {
    home.join("postboard.toml")
}

/// Returns when the configuration of a home was changed last.
///
/// # Errors
/// There is none, or the machine failed.
pub fn changed(home: &Path) -> Result<Time, Fault> {
    let path = path(home);
    let changed = fs::metadata(&path).and_then(|meta| meta.modified());
    changed.map(Time::from).map_err(Fault::at("cannot read", path))
}

/// Reads the configuration of a home.
///
/// # Errors
/// There is none, or the machine failed.
pub fn read(home: &Path) -> Result<String, Fault> {
    let path = path(home);
    match fs::read_to_string(&path) {
        // A dangling link may lead to a disk that is not mounted.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_there(&path)? => {
            let why = "there is no home; create one with `postboard init`";
            Err(Fault::because("cannot open", home, io::ErrorKind::NotFound, why))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(Fault::because("cannot read", path, io::ErrorKind::Other, &error.to_string()))
        }
        read => read.map_err(Fault::at("cannot read", path)),
    }
}

/// Writes a configuration into a home that has none, completely or not at all.
pub fn write(home: &Path, text: &str) -> Result<(), Fault> {
    let path = path(home);
    if is_there(&path)? {
        return Ok(());
    }
    // So an `init` that was interrupted can be repeated.
    let new = beside(&path, "tmp");
    fs::write(&new, text)
        .and_then(|()| fs::rename(&new, &path))
        .map_err(Fault::at("cannot write", path))
}

/// Replaces the configuration of a home atomically and durably. Owner and mode stay.
pub fn rewrite(home: &Path, text: &str) -> Result<(), Fault> {
    let path = path(home);
    // It may be a link into a folder of configurations.
    let path = path.canonicalize().map_err(Fault::at("cannot read", &path))?;
    let meta = fs::metadata(&path).map_err(Fault::at("cannot read", &path))?;
    let new = beside(&path, "tmp");
    let write = || {
        fs::write(&new, "")?;
        fs::set_permissions(&new, meta.permissions())?;
        let created = fs::metadata(&new)?;
        if (created.uid(), created.gid()) != (meta.uid(), meta.gid()) {
            chown(&new, Some(meta.uid()), Some(meta.gid()))?;
        }
        fs::write(&new, text)?;
        fs::File::open(&new)?.sync_all()?;
        fs::rename(&new, &path)?;
        fs::File::open(path.parent().unwrap_or(Path::new("/")))?.sync_all()
    };
    write().map_err(Fault::at("cannot write", &path))
}
