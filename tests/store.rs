//! The home on disk.
use postboard::store::*;
use std::path::Path;

fn home() -> tempfile::TempDir {
    let base = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let dir = tempfile::tempdir_in(base).unwrap();
    Files::init(dir.path(), &[7; 32]).unwrap();
    dir
}
fn change(store: &dyn Store, key: Key, text: &str) -> Change {
    let was = store.load(&key).unwrap().version;
    Change { key, was, text: text.into() }
}

#[test]
fn smoke() {
    let dir = home();
    let key = Key::Board("malaka", 17);
    let mut files = Files::open(dir.path()).unwrap();
    let t = Transaction {
        changes: vec![change(&files, key.clone(), "{\"a\":1}")],
        ..Default::default()
    };
    files.commit(&t).unwrap();
    let t = Transaction {
        changes: vec![change(&files, key.clone(), "{\"a\":2}")],
        seen: vec![MailKey { id: [1; 32], content: [2; 32] }],
        at: 1_790_000_000,
        ..Default::default()
    };
    files.commit(&t).unwrap();
    assert_eq!(files.load(&key).unwrap().text.unwrap(), "{\"a\":2}");
    drop(files);
    let files = Files::read(dir.path()).unwrap();
    assert_eq!(files.load(&key).unwrap().text.unwrap(), "{\"a\":2}");
    assert_eq!(files.boards("malaka").unwrap(), [key]);
    assert_eq!(
        files.seen(&MailKey { id: [1; 32], content: [2; 32] }, 1_790_000_100).unwrap(),
        Seen::Before
    );
    drop(files);
    spool::put(dir.path(), b"hello").unwrap();
    let files = Files::open(dir.path()).unwrap();
    let mut s = spool::Spool::open(&files).unwrap();
    let m = s.next().unwrap().unwrap();
    assert_eq!(m.bytes, b"hello");
    s.done(m).unwrap();
    assert!(s.next().unwrap().is_none());
}
