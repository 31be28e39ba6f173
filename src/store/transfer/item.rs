//! The values that a home consists of, and checksums over them.

use crate::base::digest::Digest;
use crate::base::time::Time;
use crate::mail::Address;
use crate::store::Letter;

/// A value of a home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) enum Item {
    /// The key of the home as number 0, or a key of dice.
    Key { number: u32, key: [u8; 32] },
    /// A document by its file name, and the time of its last change.
    Document { name: String, text: String, changed: Time },
    /// The receipt of a mail.
    Receipt { id: Digest, content: Digest, at: Time },
    /// A mail written to a mailbox on a day.
    Sent { mailbox: [u8; 8], day: String, letter: [u8; 8] },
    /// When a board is due; as number 0, when all boards of a game were last scanned.
    Wakeup { game: String, number: u32, at: Time },
    /// A user in a register, by the name of the register.
    Registered { register: String, user: String },
    /// A waiting mail.
    Mail { name: String, mark: Option<String>, came: Time, begun: u32, bytes: Vec<u8> },
    /// A parked mail.
    Parked { name: String, at: Time, why: String, bytes: Vec<u8> },
    /// A letter that is not sent; `why` it was given up, if it was.
    Letter { letter: Letter, at: Time, tries: u32, not_before: Time, why: Option<String> },
}

impl Item {
    /// Returns roughly its size in memory.
    pub(super) fn bytes(&self) -> usize {
        const SMALL: usize = 100;
        SMALL
            + match self {
                Self::Document { text, .. } => text.len(),
                Self::Mail { bytes, .. } | Self::Parked { bytes, .. } => bytes.len(),
                Self::Letter { letter, .. } => letter.bytes.len(),
                _ => 0,
            }
    }

    /// Returns the digest of what makes two values equal. The name of a mail in its store and the
    /// time of a document's change do not count.
    fn digest(&self) -> Digest {
        let number = |number: u32| number.to_string().into_bytes();
        let time = |at: Time| at.unix().to_string().into_bytes();
        let text = |text: &str| text.as_bytes().to_vec();
        // An absent text differs from an empty one.
        let some = |text: Option<&str>| text.map_or_else(Vec::new, |it| format!("={it}").into());
        let parts: Vec<Vec<u8>> = match self {
            Self::Key { number: of, key } => vec![number(*of), key.to_vec()],
            Self::Document { name, text: whole, changed: _ } => vec![text(name), text(whole)],
            Self::Receipt { id, content, at } => vec![id.to_vec(), content.to_vec(), time(*at)],
            Self::Sent { mailbox, day, letter } => {
                vec![mailbox.to_vec(), text(day), letter.to_vec()]
            }
            Self::Wakeup { game, number: of, at } => {
                vec![text(game), number(*of), time(*at)]
            }
            Self::Registered { register, user } => vec![text(register), text(user)],
            Self::Mail { name: _, mark, came, begun, bytes } => {
                vec![some(mark.as_deref()), time(*came), number(*begun), bytes.clone()]
            }
            Self::Parked { name: _, at, why, bytes } => {
                vec![time(*at), text(why), bytes.clone()]
            }
            Self::Letter { letter, at, tries, not_before, why } => vec![
                text(&letter.name),
                some(letter.sender.as_ref().map(Address::as_str)),
                text(letter.to.as_str()),
                some(letter.thread.as_deref()),
                letter.bytes.clone(),
                time(*at),
                number(*tries),
                time(*not_before),
                some(why.as_deref()),
            ],
        };
        let lengths: Vec<[u8; 8]> =
            parts.iter().map(|it| (it.len() as u64).to_le_bytes()).collect();
        let parts = lengths.iter().zip(&parts).flat_map(|(length, it)| [&length[..], it]);
        Digest::of_all(parts)
    }
}

/// The checksum of the values of a part in any order: their number, and the sum of their digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::store) struct PartChecksum {
    pub(super) count: u64,
    sum: [u64; 4],
}

impl PartChecksum {
    pub(super) fn add(&mut self, item: &Item) {
        self.count += 1;
        let digest = item.digest();
        for (sum, part) in self.sum.iter_mut().zip(digest.chunks_exact(8)) {
            let part = u64::from_le_bytes(part.try_into().expect("a chunk has that length"));
            *sum = sum.wrapping_add(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_knows_no_order_and_sees_every_difference() {
        let wakeup = |game: &str, number, at| Item::Wakeup {
            game: game.to_owned(),
            number,
            at: Time::from_unix(at),
        };
        let checksum = |items: &[Item]| {
            let mut checksum = PartChecksum::default();
            for item in items {
                checksum.add(item);
            }
            checksum
        };
        let (one, other) = (wakeup("malaka", 1, 7), wakeup("malaka", 2, 9));
        let both = checksum(&[one.clone(), other.clone()]);
        assert_eq!(both, checksum(&[other.clone(), one.clone()]));
        assert_ne!(both, checksum(&[one.clone(), one.clone()]));
        assert_ne!(both, checksum(&[one.clone(), wakeup("malaka", 2, 8)]));
        assert_ne!(both, checksum(std::slice::from_ref(&one)));
        assert_ne!(checksum(&[wakeup("malaka", 11, 7)]), checksum(&[wakeup("malaka", 1, 17)]));
        assert_ne!(checksum(&[one]), checksum(&[wakeup("malaka1", 1, 7)]));
    }

    #[test]
    fn no_sender_is_not_an_empty_one() {
        let letter = |thread: Option<&str>| Letter {
            name: "1".into(),
            sender: None,
            to: Address::parse("a@b.example").unwrap(),
            thread: thread.map(str::to_owned),
            bytes: Vec::new(),
        };
        let item = |thread| Item::Letter {
            letter: letter(thread),
            at: Time::EPOCH,
            tries: 0,
            not_before: Time::EPOCH,
            why: None,
        };
        assert_ne!(item(None).digest(), item(Some("")).digest());
    }
}
