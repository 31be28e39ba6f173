//! `changes/names`: the names of changed documents, a line each, for processes that watch a home.
//!
//! Subscribers are woken by the system's notification that the file has changed. The file exists in
//! homes where a process has ever subscribed. It says nothing that the documents do not say: lines
//! lost by a crash or a full disk leave a page a little old.

use crate::store::{ChangeListener, Fault, Subscription, Transaction};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The length in bytes from which a new file is begun.
const MAX_FILE_BYTES: u64 = 64 * 1024;

fn folder(home: &Path) -> PathBuf {
    home.join("changes")
}

fn file(home: &Path) -> PathBuf {
    folder(home).join("names")
}

/// Appends the names that a transaction has changed, under the lock of the home. A process that misses them
/// shows old documents a little longer, so a failure stops no commit.
pub(super) fn record_changes(home: &Path, transaction: &Transaction) {
    let names = transaction.names();
    if !names.is_empty() && folder(home).is_dir() {
        let _ = append(&file(home), &names);
    }
}

fn append(path: &Path, names: &[String]) -> io::Result<()> {
    if path.metadata().is_ok_and(|file| file.len() > MAX_FILE_BYTES) {
        fs::remove_file(path)?;
    }
    let text: String = names.iter().flat_map(|name| [name, "\n"]).collect();
    OpenOptions::new().create(true).append(true).open(path)?.write_all(text.as_bytes())
}

/// A file that is read as it grows.
struct FileTail {
    path: PathBuf,
    position: Option<TailPosition>,
}

/// How far a file was read.
#[derive(Clone, Copy)]
struct TailPosition {
    inode: u64,
    offset: u64,
}

impl FileTail {
    /// Returns the names added since the last call; `None` if some may have been missed.
    fn added(&mut self) -> io::Result<Option<Vec<String>>> {
        let mut file = File::open(&self.path)?;
        let meta = file.metadata()?;
        let is_same = |it: &TailPosition| it.inode == meta.ino() && it.offset <= meta.len();
        let known = self.position.filter(is_same);
        let begin = known.map_or(0, |it| it.offset);
        file.seek(SeekFrom::Start(begin))?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        // A line that is being written is read when it is complete.
        let complete = text.rfind('\n').map_or(0, |end| end + 1);
        let is_first = self.position.is_none();
        self.position = Some(TailPosition { inode: meta.ino(), offset: begin + complete as u64 });
        text.truncate(complete);
        // The end of the previous file may have been missed.
        let is_known = known.is_some() || is_first;
        Ok(is_known.then(|| text.lines().map(str::to_owned).collect()))
    }
}

/// The listener; `None` once the subscription is over.
type SharedListener = Arc<Mutex<Option<ChangeListener>>>;

/// A subscription to the changes of a home in files.
struct FileSubscription {
    listener: SharedListener,
    _watcher: RecommendedWatcher,
}

impl fmt::Debug for FileSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FileSubscription")
    }
}

impl Subscription for FileSubscription {}

impl Drop for FileSubscription {
    /// Removes the listener, because the watcher's thread ends later and may see a change before.
    fn drop(&mut self) {
        *self.listener.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Subscribes a listener to all changes from now on, and to the latest ones before.
///
/// # Errors
/// The system cannot watch another file.
pub(super) fn subscribe(
    home: &Path,
    listener: ChangeListener,
) -> Result<Box<dyn Subscription>, Fault> {
    let (folder, path) = (folder(home), file(home));
    let at = |error: io::Error| Fault::at("cannot watch", &folder)(error);
    fs::create_dir_all(&folder).map_err(at)?;
    OpenOptions::new().create(true).append(true).open(&path).map_err(at)?;
    let mut tail = FileTail { path, position: None };
    if let Some(names) = tail.added().map_err(at)?.filter(|names| !names.is_empty()) {
        listener(&names);
    }
    let listener: SharedListener = Arc::new(Mutex::new(Some(listener)));
    let shared = Arc::clone(&listener);
    let on_event = move |event: notify::Result<Event>| {
        if event.is_ok_and(|event| event.kind.is_access()) {
            return;
        }
        let listener = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(listener) = &*listener else { return };
        match tail.added() {
            Ok(Some(names)) if names.is_empty() => {}
            Ok(Some(names)) => listener(&names),
            Ok(None) | Err(_) => listener(&[]),
        }
    };
    let failed = |error: notify::Error| at(io::Error::other(error));
    let mut watcher = notify::recommended_watcher(on_event).map_err(failed)?;
    watcher.watch(&folder, RecursiveMode::NonRecursive).map_err(failed)?;
    Ok(Box::new(FileSubscription { listener, _watcher: watcher }))
}
