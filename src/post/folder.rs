//! Transports into files: Maildirs, or a folder of `.eml` files.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "post uses files")]

use super::{DeliveryError, FailureScope, Transport, temporary_error, with_line_ends};
use crate::base::escape;
use crate::mail::Address;
use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A transport into Maildirs. A mail that is sent again replaces its unread copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaildirTransport {
    template: String,
}

impl MaildirTransport {
    /// Returns a transport to this path, in which `{local}` and `{address}` are replaced by the
    /// recipient's.
    pub fn new(template: &str) -> Self {
        Self { template: template.to_owned() }
    }

    fn folder(&self, to: &Address) -> PathBuf {
        let local = to.as_str().rsplit_once('@').map_or(to.as_str(), |(local, _)| local);
        // Replace each separately: an address may contain braces.
        let parts = self.template.split("{local}").map(|part| {
            part.split("{address}").collect::<Vec<_>>().join(&escape::folder(to.as_str()))
        });
        PathBuf::from(parts.collect::<Vec<_>>().join(&escape::folder(local)))
    }
}

impl Transport for MaildirTransport {
    fn send(
        &mut self,
        _: Option<&Address>,
        to: &Address,
        bytes: &[u8],
    ) -> Result<(), DeliveryError> {
        let folder = self.folder(to);
        let name = format!("{}.postboard", digest(to, bytes));
        let write = || {
            for part in ["cur", "new", "tmp"] {
                fs::create_dir_all(folder.join(part))?;
            }
            let mail = with_line_ends(bytes, b"\n");
            write_durably(&folder.join("tmp"), &folder.join("new"), &name, &mail)
        };
        // An error may concern one mailbox or all of them; this tries the others.
        let failed = |error| temporary_error(format!("{}: {error}", self.template));
        write().map_err(|error| DeliveryError { scope: FailureScope::ThisLetter, ..failed(error) })
    }
}

/// A transport into a folder of `.eml` files. A mail that is sent again replaces its copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderTransport {
    path: PathBuf,
}

impl FolderTransport {
    /// Returns a transport to this folder, which is created if it is missing.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }
}

impl Transport for FolderTransport {
    fn send(
        &mut self,
        _: Option<&Address>,
        to: &Address,
        bytes: &[u8],
    ) -> Result<(), DeliveryError> {
        let name = format!("{}.eml", digest(to, bytes));
        let write = || {
            fs::create_dir_all(&self.path)?;
            write_durably(&self.path, &self.path, &name, bytes)
        };
        write().map_err(|error| temporary_error(format!("{}: {error}", self.path.display())))
    }
}

/// Writes a file into the folder `new` durably, first into the folder `tmp`, so that it is never visible half
/// written.
fn write_durably(tmp: &Path, new: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let half = tmp.join(format!("{name}.tmp"));
    let mut file = File::create(&half)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&half, new.join(name))?;
    File::open(new)?.sync_all()
}

/// Returns the digest of a mail to a recipient: the same mail gets the same name.
fn digest(to: &Address, bytes: &[u8]) -> String {
    let sum = Sha256::new().chain_update(to.as_str()).chain_update([0]).chain_update(bytes);
    HEXLOWER.encode(&sum.finalize()[..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipient_cannot_leave_the_folder() {
        let maildir = MaildirTransport::new("/m/{local}/of/{address}");
        let folder = |text| maildir.folder(&Address::parse(text).unwrap());
        assert_eq!(folder("al.ice@x.org"), Path::new("/m/al.ice/of/al.ice@x.org"));
        // An address may contain slashes, but not two dots in a row.
        assert_eq!(folder("a/b/x@y"), Path::new("/m/a%2Fb%2Fx/of/a%2Fb%2Fx@y"));
        assert_eq!(Address::parse("../x@y"), None);
        assert_eq!(folder("{address}@y"), Path::new("/m/%7Baddress%7D/of/%7Baddress%7D@y"));
    }
}
