//! Backups in a bucket of a real S3-compatible server (moto), also over a connection that is cut.

use crate::operator::backup::{a_night_passes, identity, nightly_names};
use crate::support::program::{Home, names};
use postboard::base::time::Day;
use postboard::store::backup::{BackupBucket, BackupOwner, BucketAddress};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// The path at which `.ci/run` installs moto.
const MOTO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/moto/bin/moto_server");

/// A server, which ends when dropped.
struct S3Server {
    child: Child,
    port: u16,
}

impl S3Server {
    fn start() -> Self {
        // Its port is free now; a test that takes it meanwhile makes the server end, which is seen below.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut child = Command::new(MOTO)
            .args(["--host", "127.0.0.1", "--port", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot run {MOTO}: {error}"));
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert_eq!(child.try_wait().unwrap(), None, "moto has ended");
            thread::yield_now();
        }
        let server = Self { child, port };
        let answer = server.request("PUT /backups HTTP/1.1");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        server
    }

    /// Sends a request without a body; nobody but this test knows the server.
    fn request(&self, line: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let head = "Host: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\
                    Authorization: AWS4-HMAC-SHA256 Credential=id/20261127/us-east-1/s3/aws4_request\r\n\r\n";
        stream.write_all(format!("{line}\r\n{head}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A proxy before a server that cuts each connection after so many bytes to the server.
struct CuttingProxy {
    port: u16,
    limit: Arc<AtomicUsize>,
    cut: Arc<AtomicBool>,
}

impl CuttingProxy {
    fn before(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let limit = Arc::new(AtomicUsize::new(usize::MAX));
        let cut = Arc::new(AtomicBool::new(false));
        let (limit_too, cut_too) = (Arc::clone(&limit), Arc::clone(&cut));
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(upstream) = TcpStream::connect(("127.0.0.1", server)) else { return };
                let (limit, cut) = (Arc::clone(&limit_too), Arc::clone(&cut_too));
                let (back_from, back_to) =
                    (upstream.try_clone().unwrap(), client.try_clone().unwrap());
                thread::spawn(move || {
                    let _ = std::io::copy(&mut &back_from, &mut &back_to);
                    let _ = back_to.shutdown(Shutdown::Write);
                });
                thread::spawn(move || {
                    let most = limit.load(Ordering::SeqCst) as u64;
                    let sent = std::io::copy(&mut (&client).take(most), &mut &upstream);
                    if sent.is_ok_and(|sent| sent == most) {
                        cut.store(true, Ordering::SeqCst);
                        let _ = client.shutdown(Shutdown::Both);
                    }
                    let _ = upstream.shutdown(Shutdown::Both);
                });
            }
        });
        Self { port, limit, cut }
    }

    fn after(&self, bytes: usize) {
        self.cut.store(false, Ordering::SeqCst);
        self.limit.store(bytes, Ordering::SeqCst);
    }
}

fn address(home: &Home, port: u16) -> BucketAddress {
    let file = home.base().join("s3");
    fs::write(&file, "id\nsecret\n").unwrap();
    BucketAddress {
        url: format!("http://127.0.0.1:{port}/backups/of/postboard"),
        region: "us-east-1".into(),
        credentials_file: file.to_str().unwrap().to_owned(),
    }
}

#[test]
#[ignore = "needs moto: `cargo test --test postboard bucket -- --ignored`"]
fn a_connection_that_is_cut_leaves_no_backup_in_the_bucket() {
    let (home, server) = (Home::new(), S3Server::start());
    let proxy = CuttingProxy::before(server.port);
    let bucket = BackupBucket::new(&address(&home, proxy.port)).unwrap();
    assert_eq!(bucket.list().unwrap(), []);
    let file = home.base().join("a backup");
    let bytes: Vec<u8> =
        (0..3_000_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    fs::write(&file, &bytes).unwrap();
    let name = "postboard-2026-11-26.tar.gz.age";
    for limit in [100, 2_000, 100_000, 2_999_000] {
        proxy.after(limit);
        assert!(bucket.put(&file, name).is_err(), "{limit}");
        assert!(proxy.cut.load(Ordering::SeqCst), "{limit}: nothing was cut");
        proxy.after(usize::MAX);
        assert_eq!(bucket.list().unwrap(), [], "{limit}");
    }
    bucket.put(&file, name).unwrap();
    bucket.put(&file, "postboard-2026-11-25.tar.gz.age").unwrap();
    let stored = bucket.list().unwrap();
    let of = |it: &postboard::store::backup::StoredBackup| (it.name.clone(), it.bytes);
    let listed: Vec<_> = stored.iter().map(of).collect();
    assert_eq!(listed[1], (name.to_owned(), 3_000_000));
    assert_eq!(listed.len(), 2);
    // What others have put there is neither listed nor taken for the newest.
    bucket.put(&file, "zebra").unwrap();
    let mut below = address(&home, server.port);
    below.url += "/two";
    let below = BackupBucket::new(&below).unwrap();
    below.put(&file, "postboard-2026-11-27.tar.gz.age").unwrap();
    assert_eq!(bucket.list().unwrap(), stored);
    assert_eq!(bucket.names().unwrap().len(), 3);
    let today = Day::parse("2026-11-28").unwrap();
    assert_eq!(bucket.newest(today).unwrap(), (name.to_owned(), vec![]));
    let fetched = bucket.fetch(name, home.base()).unwrap();
    assert!(fs::read(&fetched).unwrap() == bytes);
    drop(fetched);
    bucket.remove(name).unwrap();
    assert_eq!(bucket.list().unwrap().len(), 1);
    assert_eq!(names(home.base()), ["a backup", "home", "s3"]);
    // It belongs to one home, and the prefix below it may belong to another.
    let [one, other] = [[7; 32], [8; 32]].map(|key| BackupOwner::of_key(&key));
    let [mine, theirs] = ["mine", "theirs"].map(|name| home.base().join(name));
    fs::create_dir(&mine).and_then(|()| fs::create_dir(&theirs)).unwrap();
    one.claim_folder(&mine).and_then(|()| other.claim_folder(&theirs)).unwrap();
    for _ in 0..2 {
        one.claim_bucket(&bucket, &mine).unwrap();
        let why = other.claim_bucket(&bucket, &theirs).unwrap_err().to_string();
        assert!(why.contains("another home's") && why.contains("/backups/of/postboard:"), "{why}");
    }
    other.claim_bucket(&below, &theirs).unwrap();
    assert_eq!(bucket.list().unwrap().len(), 1);
    // A bucket that is not there, and a server that is not.
    let mut elsewhere = address(&home, server.port);
    elsewhere.url = elsewhere.url.replace("/backups/", "/nothing/");
    let why = BackupBucket::new(&elsewhere).unwrap().list().unwrap_err().to_string();
    assert!(why.contains("404") && why.contains("NoSuchBucket"), "{why}");
    drop(server);
    let why = bucket.list().unwrap_err().to_string();
    assert!(why.contains("cannot list") && !why.contains("X-Amz"), "{why}");
}

#[test]
#[ignore = "needs moto: `cargo test --test postboard bucket -- --ignored`"]
fn the_backup_of_the_night_is_proved_from_the_bucket() {
    let (home, server) = (Home::with_board(), S3Server::start());
    let (public, private) = identity(&home, "key.txt");
    let folder = home.base().join("backups");
    fs::create_dir(&folder).unwrap();
    let BucketAddress { url, credentials_file, .. } = address(&home, server.port);
    let lines = format!(
        "[backup]\nfolder = \"{}\"\nrecipients = [\"{public}\"]\nbucket = \"{url}\"\n\
         credentials_file = \"{credentials_file}\"\nkeep = 2\nwhole_every = 7",
        folder.display()
    );
    home.configure("[backup]", &lines);
    let bucket = BackupBucket::new(&address(&home, server.port)).unwrap();
    // Two old ones, of which one goes when the new one is there.
    for night in ["2020-01-01", "2020-01-02"] {
        bucket.put(Path::new(&private), &format!("postboard-{night}.tar.gz.age")).unwrap();
    }
    let mut running = home.command().arg("run").spawn().unwrap();
    while bucket.list().unwrap()[0].name != "postboard-2020-01-02.tar.gz.age" {
        assert_eq!(running.try_wait().unwrap(), None, "the program has ended");
        thread::yield_now();
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let made = nightly_names(&folder);
    assert!(made.len() == 1 && made[0].ends_with(".tar.gz.age"), "{made:?}");
    assert_eq!(bucket.list().unwrap()[1].name, made[0]);
    // The next night has the changes, and the bucket gets the whole backup that they need, if it lacks it.
    bucket.remove(&made[0]).unwrap();
    let whole = a_night_passes(&home, &folder);
    home.done("signup carol secret carol@pbm.test");
    let mut running = home.command().arg("run").spawn().unwrap();
    while bucket.list().unwrap().last().is_none_or(|it| !it.name.contains("-since-")) {
        assert_eq!(running.try_wait().unwrap(), None, "the program has ended");
        thread::yield_now();
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let made = [nightly_names(&folder).pop().unwrap()];
    let stored: Vec<String> = bucket.list().unwrap().into_iter().map(|it| it.name).collect();
    assert!(stored.ends_with(&[whole.clone(), made[0].clone()]), "{stored:?}");
    // The folder is lost; the bucket is enough.
    fs::remove_dir_all(&folder).unwrap();
    let checked = home.done(&format!("check-backup --bucket --identity {private}"));
    let shown = format!("{} with {whole}", made[0]);
    assert!(checked.contains(&format!("/{shown} can be restored: ")), "{checked}");
    let ran = home.run(&["check-backup", "--bucket"], b"");
    assert!(ran.code == Some(75) && ran.err.contains("--identity"), "{ran:?}");
    // The machine is lost, too: a new home with the lines of the backup is enough.
    let other = Home::new();
    other.configure("[backup]", &lines);
    let ran = other.run(&["restore", "--bucket", "--identity", &private], b"");
    assert!(ran.code == Some(64) && ran.err.contains("--replace"), "{ran:?}");
    let restored = other.done(&format!("restore --bucket --replace --identity {private}"));
    assert!(restored.contains(&format!(" files from {url}/{shown}\n")), "{restored}");
    assert_eq!(other.done("board list"), home.done("board list"));
    assert_eq!(names(other.base()), ["home", "home.aside"], "what was fetched is gone");
    // Without the whole one, one line says what lacks.
    bucket.remove(&whole).unwrap();
    let ran = home.run(&["check-backup", "--bucket", "--identity", &private], b"");
    assert!(
        ran.code == Some(75) && ran.err.contains(&format!("{whole}, which is not in")),
        "{ran:?}"
    );
}
