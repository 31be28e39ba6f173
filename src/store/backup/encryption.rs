//! Backups encrypted in the format of age (age-encryption.org/v1): to public keys that the configuration names, so that
//! the machine that makes them cannot read them, nor can anybody who breaks into it later.

use crate::store::Fault;
use age::x25519::Recipient;
use age::{Decryptor, Encryptor, IdentityFile};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read as _, Write};
use std::path::Path;
use std::str::FromStr;

/// How every file of age begins.
const BEGINS: &[u8] = b"age-encryption.org/";

/// A public key to which backups are encrypted, such as `age1..` from `age-keygen`.
#[derive(Clone, PartialEq, Eq)]
pub struct BackupKey(Recipient);

impl FromStr for BackupKey {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.starts_with("AGE-SECRET-KEY-") {
            return Err("is a private key, which must not be on this machine: \
                        name the public key, which begins with age1");
        }
        text.parse().map(Self).map_err(|_| "is no public key of age, which begins with age1")
    }
}

impl fmt::Display for BackupKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for BackupKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BackupKey({self})")
    }
}

/// Lets `write` write to a stream, encrypted to these keys, or unencrypted if there are none.
/// Returns the stream, too.
pub(super) fn encrypted<T, W: Write>(
    keys: &[BackupKey],
    out: W,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Fault>,
) -> Result<(T, W), Fault> {
    let mut out = out;
    if keys.is_empty() {
        let written = write(&mut out)?;
        return Ok((written, out));
    }
    let failed = |error: io::Error| Fault::at("cannot write", path)(error);
    let recipients = keys.iter().map(|key| &key.0 as &dyn age::Recipient);
    let encryptor =
        Encryptor::with_recipients(recipients).map_err(io::Error::other).map_err(failed)?;
    let mut stream = encryptor.wrap_output(out).map_err(failed)?;
    let written = write(&mut stream)?;
    Ok((written, stream.finish().map_err(failed)?))
}

/// Returns what is in a backup that may be encrypted; `identity` is a file with private keys.
///
/// # Errors
/// It is encrypted, and no key of the file opens it; or the machine failed.
pub fn decrypted<'a>(
    backup: &Path,
    mut input: impl BufRead + 'a,
    identity: Option<&Path>,
) -> Result<Box<dyn BufRead + 'a>, Fault> {
    let refuse =
        |why: &str| Fault::because("cannot read", backup, io::ErrorKind::InvalidInput, why);
    let mut begin = Vec::new();
    let read = input.by_ref().take(BEGINS.len() as u64).read_to_end(&mut begin);
    read.map_err(Fault::at("cannot read", backup))?;
    let is_encrypted = begin == BEGINS;
    let whole = Cursor::new(begin).chain(input);
    if !is_encrypted {
        return Ok(Box::new(whole));
    }
    let Some(file) = identity else {
        return Err(refuse("it is encrypted: `--identity` names the file of the private key"));
    };
    let opened = File::open(file).map_err(Fault::at("cannot read", file))?;
    let keys = IdentityFile::from_buffer(BufReader::new(opened))
        .map_err(Fault::at("cannot read", file))?
        .into_identities()
        .map_err(|error| Fault::at("cannot read", file)(io::Error::other(error)))?;
    let decryptor = Decryptor::new_buffered(whole).map_err(|error| refuse(&error.to_string()))?;
    let shown = file.display();
    let stream = decryptor
        .decrypt(keys.iter().map(|key| &**key as &dyn age::Identity))
        .map_err(|error| refuse(&format!("no key in {shown} opens it ({error})")))?;
    Ok(Box::new(BufReader::with_capacity(super::unpack::CHUNK, stream)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_public() {
        let secret = age::x25519::Identity::generate();
        let key: BackupKey = secret.to_public().to_string().parse().unwrap();
        assert_eq!(key.to_string(), secret.to_public().to_string());
        let private = age::secrecy::ExposeSecret::expose_secret(&secret.to_string()).to_owned();
        assert!(private.parse::<BackupKey>().unwrap_err().contains("private"));
        assert!("age1nonsense".parse::<BackupKey>().is_err());
    }

    #[test]
    fn what_was_encrypted_is_read_with_its_key_alone_and_never_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let (mine, other) = (age::x25519::Identity::generate(), age::x25519::Identity::generate());
        let file = |name: &str, identity: &age::x25519::Identity| {
            let path = dir.path().join(name);
            let key = age::secrecy::ExposeSecret::expose_secret(&identity.to_string()).to_owned();
            std::fs::write(&path, key + "\n").unwrap();
            path
        };
        let (mine_file, other_file) = (file("mine", &mine), file("other", &other));
        let key: BackupKey = mine.to_public().to_string().parse().unwrap();
        let text = "a home\n".repeat(30_000);
        let written = |keys: &[BackupKey]| {
            let write = |out: &mut dyn Write| {
                out.write_all(text.as_bytes()).map_err(Fault::at("cannot write", "x"))
            };
            encrypted(keys, Vec::new(), Path::new("x"), write).unwrap().1
        };
        let read = |bytes: &[u8], identity: Option<&Path>| -> Result<String, String> {
            let mut out = String::new();
            let mut plain =
                decrypted(Path::new("x"), bytes, identity).map_err(|it| it.to_string())?;
            plain.read_to_string(&mut out).map_err(|it| it.to_string())?;
            Ok(out)
        };
        assert_eq!(read(&written(&[]), None).unwrap(), text);
        let secret = written(std::slice::from_ref(&key));
        assert!(!String::from_utf8_lossy(&secret).contains("a home"));
        assert_eq!(read(&secret, Some(&mine_file)).unwrap(), text);
        assert!(read(&secret, None).unwrap_err().contains("--identity"));
        assert!(read(&secret, Some(&other_file)).unwrap_err().contains("no key in"));
        for length in [30, 200, 70_000, secret.len() - 1] {
            assert!(read(&secret[..length], Some(&mine_file)).is_err(), "{length}");
        }
        let mut changed = secret.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(read(&changed, Some(&mine_file)).is_err());
    }
}
