//! `postboard.toml` as a file: the text, whatever it means.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store owns files")]

use crate::store::Fault;
use crate::store::paths::{beside, is_there, names, read_file};
use rustix::fs::Mode;
use std::env;
use std::ffi::OsString;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The environment of the program that its configuration uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessEnv {
    /// The variables of the environment whose names begin with `POSTBOARD_`.
    pub variables: Vec<(String, String)>,
    /// The files that systemd hands over, by their names, with their paths.
    pub credentials: Vec<(String, String)>,
}

impl ProcessEnv {
    /// The environment of this process. A name that is no text means nothing to us.
    ///
    /// # Errors
    /// A value of ours is no text, or the folder of credentials cannot be listed.
    pub fn of_this_process() -> Result<Self, Fault> {
        let ours = |(name, value): (OsString, OsString)| {
            let name = name.into_string().ok().filter(|name| name.starts_with("POSTBOARD_"))?;
            let value = value.into_string().map_err(|_| {
                let (kind, why) = (io::ErrorKind::InvalidData, "its value is not UTF-8");
                Fault::because("cannot use", format!("${name}"), kind, why)
            });
            Some(value.map(|value| (name, value)))
        };
        let mut variables = env::vars_os().filter_map(ours).collect::<Result<Vec<_>, Fault>>()?;
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

/// Where the configuration of a home is.
pub fn path(home: &Path) -> PathBuf {
    home.join("postboard.toml")
}

/// Reads the configuration of a home.
///
/// # Errors
/// There is none, or the machine failed.
pub fn read(home: &Path) -> Result<String, Fault> {
    let path = path(home);
    match fs::read_to_string(&path) {
        // A link to nowhere is no missing configuration.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_there(&path)? => {
            let why = "there is no home; `postboard init` makes one";
            Err(Fault::because("cannot open", home, io::ErrorKind::NotFound, why))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(Fault::because("cannot read", path, io::ErrorKind::Other, &error.to_string()))
        }
        read => read.map_err(Fault::at("cannot read", path)),
    }
}

/// Writes a configuration into a home that has none yet.
///
/// # Errors
/// The machine failed.
pub fn write(home: &Path, text: &str) -> Result<(), Fault> {
    let path = path(home);
    if is_there(&path)? {
        return Ok(());
    }
    // Never half of it: an `init` that was broken off is finished by another one.
    let new = beside(&path, "tmp");
    fs::write(&new, text)
        .and_then(|()| fs::rename(&new, &path))
        .map_err(Fault::at("cannot write", path))
}

/// Puts a configuration in place of that of a home, in one go and durably, with the rights that it has.
///
/// # Errors
/// The machine failed.
pub fn rewrite(home: &Path, text: &str) -> Result<(), Fault> {
    let path = path(home);
    // It may be a link to where all configurations are.
    let path = path.canonicalize().map_err(Fault::at("cannot read", &path))?;
    let meta = fs::metadata(&path).map_err(Fault::at("cannot read", &path))?;
    let new = beside(&path, "tmp");
    let write = || {
        fs::write(&new, "")?;
        fs::set_permissions(&new, meta.permissions())?;
        let ours = fs::metadata(&new)?;
        if (ours.uid(), ours.gid()) != (meta.uid(), meta.gid()) {
            chown(&new, Some(meta.uid()), Some(meta.gid()))?;
        }
        fs::write(&new, text)?;
        fs::File::open(&new)?.sync_all()?;
        fs::rename(&new, &path)?;
        fs::File::open(path.parent().unwrap_or(Path::new("/")))?.sync_all()
    };
    write().map_err(Fault::at("cannot write", &path))
}

/// The rights that files for others have: those that the mask of the operator leaves.
static SHARED: AtomicU32 = AtomicU32::new(0o644);

/// Lets files outside the home follow the mask with which the program was started.
pub fn follow_mask(mask: Mode) {
    #[allow(clippy::useless_conversion, reason = "only Linux has modes of 32 bits")]
    let mask = u32::from(mask.as_raw_mode());
    SHARED.store(0o666 & !mask, Ordering::Relaxed);
}

/// Writes a file that is not of the home, with the rights that the operator's mask leaves.
fn write_shared(path: &Path, text: &str) -> io::Result<()> {
    let is_new = !path.try_exists()?;
    fs::write(path, text)?;
    if is_new {
        let shared = Permissions::from_mode(SHARED.load(Ordering::Relaxed));
        fs::set_permissions(path, shared)?;
    }
    Ok(())
}

/// Writes another file that the operator names.
///
/// # Errors
/// The machine failed.
pub fn save(path: &Path, text: &str) -> Result<(), Fault> {
    write_shared(path, text).map_err(Fault::at("cannot write", path))
}

/// Puts another file that the operator names in place of what was there, in one go, for everybody to read.
///
/// # Errors
/// The machine failed.
pub fn replace(path: &Path, text: &str) -> Result<(), Fault> {
    let new = beside(path, "tmp");
    fs::write(&new, text)
        .and_then(|()| fs::set_permissions(&new, Permissions::from_mode(0o644)))
        .and_then(|()| fs::rename(&new, path))
        .map_err(Fault::at("cannot write", path))
}

/// Puts a file that is for its owner alone in place of what was there, in one go and durably.
///
/// # Errors
/// The machine failed.
pub fn keep(path: &Path, text: &str) -> Result<(), Fault> {
    let new = beside(path, "tmp");
    let made = || {
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        file.set_permissions(Permissions::from_mode(0o600))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    };
    made().map_err(Fault::at("cannot write", path))
}

/// Replaces a page in one go, for readers that this process's rights allow; makes its folder.
///
/// # Errors
/// The machine failed.
pub fn publish(path: &Path, text: &str) -> Result<(), Fault> {
    let new = beside(path, "tmp");
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| write_shared(&new, text))
        .and_then(|()| fs::rename(&new, path))
        .map_err(Fault::at("cannot write", path))
}

/// Reads another file that somebody names, if there is one.
///
/// # Errors
/// It cannot be read.
pub fn find(path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    read_file(path)
}

/// Reads another file that the operator names.
///
/// # Errors
/// It cannot be read.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Fault> {
    fs::read(path).map_err(Fault::at("cannot read", path))
}
