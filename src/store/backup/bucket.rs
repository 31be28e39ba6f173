//! Backups in a bucket of an S3-compatible store.
//!
//! A backup is made as a file first and sent as a whole: an object exists only when the store has all of its announced
//! bytes, so a connection that is cut leaves none. That a backup is in the bucket is read from the bucket, by name and
//! size, and from nothing else: one that is missing is sent at the next look.

use super::nightly_name::NightlyName;
use crate::base::time::{Day, Span, minutes};
use crate::store::Fault;
use percent_encoding::percent_decode_str;
use rusty_s3::actions::{ListObjectsV2, S3Action};
use rusty_s3::{Bucket, Credentials, UrlStyle};
use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::{NamedTempFile, TempPath};
use tokio_rustls::rustls::crypto::ring::default_provider;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body, SendBody};

/// How long a signature is valid.
const SIGNATURE_LIFETIME: Span = minutes(15);
/// How long the store may take to connect, or to answer a request.
const REQUEST_TIMEOUT: Duration = Duration::from_mins(2);
/// How long a backup may take to be sent or fetched.
const TRANSFER_TIMEOUT: Duration = Duration::from_hours(6);
/// The largest object that a store takes in one request.
const MAX_OBJECT_BYTES: u64 = 5 << 30;
/// The most bytes of a page of a list, or of the text of an error.
const MAX_PAGE_BYTES: u64 = 16 << 20;
/// The most pages of a list. A page has up to a thousand objects.
const MAX_PAGES: usize = 100;

/// Where a bucket is, as the configuration says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketAddress {
    /// The URL of the store with the bucket and a prefix of names: `https://s3.example.org/backups/postboard`.
    pub url: String,
    /// The region.
    pub region: String,
    /// The file with the access key's id in its first line, and its secret in the second.
    pub credentials_file: String,
}

/// A backup in a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBackup {
    /// Its name, without the prefix.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// A bucket with the key to it.
#[derive(Debug)]
pub struct BackupBucket {
    bucket: Bucket,
    credentials: Credentials,
    /// The beginning of all names: empty, or ends in `/`.
    prefix: String,
    agent: Agent,
    /// The URL, for faults.
    shown: PathBuf,
}

impl BackupBucket {
    /// Reads the key, and connects to nothing yet.
    ///
    /// # Errors
    /// The file cannot be read, or the URL names no bucket.
    pub fn new(address: &BucketAddress) -> Result<Self, Fault> {
        let shown = PathBuf::from(&address.url);
        let refuse = |why: &str| {
            Fault::because("cannot use the bucket", &shown, io::ErrorKind::InvalidInput, why)
        };
        let (store, name, prefix) = split(&address.url)
            .ok_or_else(|| refuse("it must be like https://s3.example.org/bucket"))?;
        let store = store.parse().map_err(|_| refuse("its server is no URL"))?;
        let bucket = Bucket::new(store, UrlStyle::Path, name, address.region.clone())
            .map_err(|error| refuse(&error.to_string()))?;
        let file = Path::new(&address.credentials_file);
        let text = std::fs::read_to_string(file).map_err(Fault::at("cannot read", file))?;
        let mut lines = text.lines().map(str::trim);
        let (Some(id), Some(secret)) = (lines.next(), lines.next()) else {
            let why = "its first line is the id of the access key, its second the secret";
            return Err(Fault::because("cannot use", file, io::ErrorKind::InvalidInput, why));
        };
        let credentials = Credentials::new(id, secret);
        Ok(Self { bucket, credentials, prefix, agent: agent(), shown })
    }

    /// Returns the nightly backups in the bucket, by night. Other objects, and those below a further prefix, are of others.
    ///
    /// # Errors
    /// The store does not answer, or refuses.
    pub fn list(&self) -> Result<Vec<StoredBackup>, Fault> {
        let mut found = self.objects()?;
        found.retain(|stored| NightlyName::parse(&stored.name).is_some());
        found.sort_by_key(|stored| NightlyName::parse(&stored.name));
        Ok(found)
    }

    /// Returns the names of all objects directly below the prefix.
    ///
    /// # Errors
    /// The store does not answer, or refuses.
    pub fn names(&self) -> Result<Vec<String>, Fault> {
        Ok(self.objects()?.into_iter().map(|stored| stored.name).collect())
    }

    /// Returns its URL, for faults.
    pub fn shown(&self) -> &Path {
        &self.shown
    }

    /// Returns all objects directly below the prefix.
    fn objects(&self) -> Result<Vec<StoredBackup>, Fault> {
        let mut found = Vec::new();
        let mut next: Option<String> = None;
        for _ in 0..MAX_PAGES {
            let mut list = ListObjectsV2::new(&self.bucket, Some(&self.credentials));
            list.with_prefix(self.prefix.as_str());
            list.with_delimiter("/");
            if let Some(next) = next.take() {
                list.with_continuation_token(next);
            }
            let url = list.sign(SIGNATURE_LIFETIME.into());
            let mut body = self.answered("cannot list", self.agent.get(url.as_str()).call())?;
            let text = body.with_config().limit(MAX_PAGE_BYTES).read_to_vec();
            let text = text.map_err(|error| self.fault("cannot list", &error))?;
            let page = ListObjectsV2::parse_response(&text).map_err(|error| {
                Fault::at("cannot list", &self.shown)(io::Error::other(error.to_string()))
            })?;
            for object in page.contents {
                let name = self.name_of(&object.key);
                found.extend(name.map(|name| StoredBackup { name, bytes: object.size }));
            }
            next = page.next_continuation_token;
            if next.is_none() {
                return Ok(found);
            }
        }
        let why = format!("its list of objects has more than {MAX_PAGES} pages");
        Err(Fault::because("cannot list", &self.shown, io::ErrorKind::Other, &why))
    }

    /// Sends a file, completely or not at all.
    ///
    /// # Errors
    /// The file cannot be read, or the store does not take it.
    pub fn put(&self, file: &Path, name: &str) -> Result<(), Fault> {
        let opened = File::open(file).map_err(Fault::at("cannot read", file))?;
        let bytes = opened.metadata().map_err(Fault::at("cannot read", file))?.len();
        if bytes > MAX_OBJECT_BYTES {
            let why =
                "it is larger than the 5 GB that a store takes at once: send it by another program";
            return Err(Fault::because("cannot send", file, io::ErrorKind::FileTooLarge, why));
        }
        let object = self.object(name);
        let url = self
            .bucket
            .put_object(Some(&self.credentials), &object)
            .sign(SIGNATURE_LIFETIME.into());
        let request = self.agent.put(url.as_str()).header("Content-Length", bytes.to_string());
        let mut reader = opened.take(bytes);
        self.answered("cannot send to", request.send(SendBody::from_reader(&mut reader))).map(drop)
    }

    /// Fetches a backup into a temporary file of a folder, which is removed when dropped.
    ///
    /// # Errors
    /// The store does not answer, or the file cannot be written.
    pub fn fetch(&self, name: &str, folder: &Path) -> Result<TempPath, Fault> {
        let object = self.object(name);
        let url = self
            .bucket
            .get_object(Some(&self.credentials), &object)
            .sign(SIGNATURE_LIFETIME.into());
        let body = self.answered("cannot fetch from", self.agent.get(url.as_str()).call())?;
        let file = NamedTempFile::new_in(folder).map_err(Fault::at("cannot write in", folder))?;
        let mut out = BufWriter::new(&file);
        io::copy(&mut body.into_with_config().limit(MAX_OBJECT_BYTES).reader(), &mut out)
            .and_then(|_| out.flush())
            .map_err(Fault::at("cannot fetch into", file.path()))?;
        drop(out);
        Ok(file.into_temp_path())
    }

    /// Removes a backup.
    ///
    /// # Errors
    /// The store does not answer, or refuses.
    pub fn remove(&self, name: &str) -> Result<(), Fault> {
        let object = self.object(name);
        let url = self
            .bucket
            .delete_object(Some(&self.credentials), &object)
            .sign(SIGNATURE_LIFETIME.into());
        self.answered("cannot remove from", self.agent.delete(url.as_str()).call()).map(drop)
    }

    /// Returns the fault of a backup that was sent, and is not in the bucket with all its bytes.
    pub fn incomplete_fault(&self, name: &str) -> Fault {
        let why = format!("{name} was sent, and is not there with all its bytes");
        Fault::because("cannot copy to", &self.shown, io::ErrorKind::InvalidData, &why)
    }

    /// Returns the name of the newest backup whose night does not lie ahead, and the names of those whose nights do.
    ///
    /// # Errors
    /// The bucket has none, or the store does not answer, or refuses.
    pub fn newest(&self, today: Day) -> Result<(String, Vec<String>), Fault> {
        let names = self.list()?.into_iter().map(|stored| stored.name);
        let (ahead, mut names): (Vec<_>, Vec<_>) =
            names.partition(|name| NightlyName::parse(name).is_some_and(|it| it.is_ahead(today)));
        let newest = names.pop().ok_or_else(|| {
            let why = match ahead.last() {
                None => "no backup is there".into(),
                Some(ahead) => format!("{ahead} there lies ahead: set the clock"),
            };
            Fault::because("cannot fetch from", &self.shown, io::ErrorKind::NotFound, &why)
        })?;
        Ok((newest, ahead))
    }

    fn object(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Returns the name behind the prefix of an object in a list; `None` if it has another prefix. Most stores encode the
    /// names in lists as in the query of a URL.
    fn name_of(&self, listed: &str) -> Option<String> {
        let without_plus = listed.replace('+', " ");
        let decoded = percent_decode_str(&without_plus).decode_utf8_lossy();
        let name = listed.strip_prefix(&self.prefix).or_else(|| decoded.strip_prefix(&self.prefix));
        name.map(str::to_owned)
    }

    /// Returns the body of a successful answer. The fault of any other says what the store has answered.
    fn answered(
        &self,
        doing: &'static str,
        answer: Result<ureq::http::Response<Body>, ureq::Error>,
    ) -> Result<Body, Fault> {
        let answer = answer.map_err(|error| self.fault(doing, &error))?;
        let (status, mut body) = (answer.status(), answer.into_body());
        if status.is_success() {
            return Ok(body);
        }
        let said = body.with_config().limit(MAX_PAGE_BYTES).read_to_string().unwrap_or_default();
        let code = said.split_once("<Code>").and_then(|(_, rest)| rest.split_once("</Code>"));
        let why = format!("the store answers {status} {}", code.map_or("", |(code, _)| code));
        Err(Fault::because(doing, &self.shown, io::ErrorKind::Other, why.trim_end()))
    }

    fn fault(&self, doing: &'static str, error: &ureq::Error) -> Fault {
        // Its text may quote the URL, which has a signature.
        let why = match error {
            ureq::Error::Io(error) => error.to_string(),
            ureq::Error::Timeout(_) => "it takes too long".into(),
            ureq::Error::HostNotFound => "there is no such server".into(),
            _ => "the store cannot be understood".into(),
        };
        Fault::because(doing, &self.shown, io::ErrorKind::Other, &why)
    }
}

/// Splits the URL of a bucket into the store, the bucket, and the prefix of names.
fn split(url: &str) -> Option<(&str, String, String)> {
    let path = url.find("://")? + 3;
    let slash = path + url[path..].find('/')?;
    let (store, rest) = (&url[..slash], url[slash + 1..].trim_end_matches('/'));
    let (name, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
    (!name.is_empty()).then(|| (store, name.to_owned(), prefix))
}

/// Returns an HTTP client that trusts the authorities that the machine trusts, and follows no redirects.
fn agent() -> Agent {
    let roots = rustls_native_certs::load_native_certs().certs;
    let roots: Vec<_> = roots.iter().map(|it| Certificate::from_der(it).to_owned()).collect();
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&roots))
        .unversioned_rustls_crypto_provider(Arc::new(default_provider()))
        .build();
    let config = Agent::config_builder()
        .tls_config(tls)
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        .timeout_connect(Some(REQUEST_TIMEOUT))
        .timeout_recv_response(Some(REQUEST_TIMEOUT))
        .timeout_global(Some(TRANSFER_TIMEOUT))
        .build();
    config.new_agent()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead as _, BufReader};
    use std::net::TcpListener;
    use std::thread;

    /// Returns the names in a bucket with this prefix, at a store that answers each request by this list.
    fn listed(prefix: &str, list: &'static str) -> Result<Vec<String>, Fault> {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("key");
        std::fs::write(&file, "id\nsecret\n").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let mut stream = BufReader::new(stream);
                let mut line = String::new();
                while stream.read_line(&mut line).unwrap_or(0) > "\r\n".len() {
                    line.clear();
                }
                let head = format!("Content-Length: {}\r\nConnection: close\r\n\r\n", list.len());
                let _ = write!(stream.get_mut(), "HTTP/1.1 200 OK\r\n{head}{list}");
            }
        });
        let address = BucketAddress {
            url: format!("http://127.0.0.1:{port}/backups/{prefix}"),
            region: "test".into(),
            credentials_file: file.to_str().unwrap().to_owned(),
        };
        BackupBucket::new(&address).unwrap().names()
    }

    #[test]
    fn a_list_without_an_end_is_a_fault() {
        let list =
            "<ListBucketResult><NextContinuationToken>x</NextContinuationToken></ListBucketResult>";
        let fault = listed("", list).unwrap_err().to_string();
        assert!(fault.contains("more than 100 pages"), "{fault}");
    }

    #[test]
    fn a_prefix_is_found_whether_the_store_encodes_it_or_not() {
        let list = "<ListBucketResult>\
            <Contents><ETag>x</ETag><Key>a+b%3D1/new</Key><LastModified>x</LastModified><Size>1</Size></Contents>\
            <Contents><ETag>x</ETag><Key>a b=1/old</Key><LastModified>x</LastModified><Size>1</Size></Contents>\
            <Contents><ETag>x</ETag><Key>a+c/other</Key><LastModified>x</LastModified><Size>1</Size></Contents>\
            </ListBucketResult>";
        assert_eq!(listed("a b=1", list).unwrap(), ["new", "old"]);
    }

    #[test]
    fn a_url_names_a_store_a_bucket_and_a_prefix() {
        let of = |url| split(url).map(|(store, name, prefix)| format!("{store} {name} {prefix}"));
        assert_eq!(of("https://s3.test/a"), Some("https://s3.test a ".into()));
        assert_eq!(of("http://127.0.0.1:9000/a/b/c/"), Some("http://127.0.0.1:9000 a b/c/".into()));
        for wrong in ["", "s3.test/a", "https://s3.test", "https://s3.test/"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
