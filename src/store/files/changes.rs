//! The store's word of changes: which documents every commit has changed, told to all who listen.
//!
//! In a home on disk that is a file of names, a line each; listeners wait for the machine's own
//! word that the file has changed. It is written in homes where a process has ever listened, and
//! says nothing that the documents do not: lines lost by a crash or a full disk cost a page that is
//! a little old.

use crate::store::{ChangeListener, Fault, Subscription, Transaction};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes after which a new file is begun.
const LONGEST: u64 = 64 * 1024;

fn folder(home: &Path) -> PathBuf {
    home.join("changes")
}

fn file(home: &Path) -> PathBuf {
    folder(home).join("names")
}

/// Tells what a transaction has changed, under the lock of the home. A process that does not hear
/// it sees the old documents a little longer, so a failure stops no commit.
pub(in crate::store) fn record_changes(home: &Path, transaction: &Transaction) {
    let names = transaction.names();
    if !names.is_empty() && folder(home).is_dir() {
        let _ = append(&file(home), &names);
    }
}

fn append(path: &Path, names: &[String]) -> io::Result<()> {
    if path.metadata().is_ok_and(|file| file.len() > LONGEST) {
        fs::remove_file(path)?;
    }
    let text: String = names.iter().flat_map(|name| [name, "\n"]).collect();
    OpenOptions::new().create(true).append(true).open(path)?.write_all(text.as_bytes())
}

/// A file that is read as it grows.
struct FileTail {
    path: PathBuf,
    /// Which file that was, and how far it was read.
    at: Option<(u64, u64)>,
}

impl FileTail {
    /// The text added since the last call; none if it is not known.
    fn added(&mut self) -> io::Result<Option<String>> {
        let mut file = File::open(&self.path)?;
        let known = file.metadata()?;
        let is_same = |(inode, read): &(u64, u64)| *inode == known.ino() && *read <= known.len();
        let from = self.at.filter(is_same).map(|(_, read)| read);
        file.seek(SeekFrom::Start(from.unwrap_or(0)))?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        // A line that is being written is read when it is whole.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let is_first = self.at.is_none();
        self.at = Some((known.ino(), from.unwrap_or(0) + whole as u64));
        text.truncate(whole);
        // The end of the file before this one may have been missed.
        Ok((from.is_some() || is_first).then_some(text))
    }
}

/// Who is told; none once the subscription is over.
type Listening = Arc<Mutex<Option<ChangeListener>>>;

/// Listens to a home on disk.
struct FileSubscription {
    listening: Listening,
    _watcher: RecommendedWatcher,
}

impl fmt::Debug for FileSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FileSubscription")
    }
}

impl Subscription for FileSubscription {}

impl Drop for FileSubscription {
    /// The watcher's thread ends later, and may see a change before.
    fn drop(&mut self) {
        *self.listening.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Tells a listener every change from now on.
///
/// # Errors
/// The machine watches no more files.
pub(in crate::store) fn listen(
    home: &Path,
    tell: ChangeListener,
) -> Result<Box<dyn Subscription>, Fault> {
    let (folder, path) = (folder(home), file(home));
    let at = |error: io::Error| Fault::at("cannot watch", &folder)(error);
    fs::create_dir_all(&folder).map_err(at)?;
    OpenOptions::new().create(true).append(true).open(&path).map_err(at)?;
    let mut follower = FileTail { path, at: None };
    // Earlier changes are told, too: a new listener knows what was done last.
    if let Some(text) = follower.added().map_err(at)?.filter(|text| !text.is_empty()) {
        tell(&text.lines().map(str::to_owned).collect::<Vec<_>>());
    }
    let listening: Listening = Arc::new(Mutex::new(Some(tell)));
    let theirs = Arc::clone(&listening);
    let hear = move |event: notify::Result<Event>| {
        if event.is_ok_and(|event| event.kind.is_access()) {
            return;
        }
        let listening = theirs.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(tell) = &*listening else { return };
        match follower.added() {
            Ok(Some(text)) if text.is_empty() => {}
            Ok(Some(text)) => {
                let names: Vec<String> = text.lines().map(str::to_owned).collect();
                tell(&names);
            }
            Ok(None) | Err(_) => tell(&[]),
        }
    };
    let failed = |error: notify::Error| at(io::Error::other(error));
    let mut watcher = notify::recommended_watcher(hear).map_err(failed)?;
    watcher.watch(&folder, RecursiveMode::NonRecursive).map_err(failed)?;
    Ok(Box::new(FileSubscription { listening, _watcher: watcher }))
}
