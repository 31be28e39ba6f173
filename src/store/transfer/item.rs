//! The values of which a home is made, and how two homes are told apart by them.

use crate::base::digest::Digest;
use crate::base::time::Time;
use crate::mail::Address;
use crate::store::Letter;

/// One thing that a home holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) enum Item {
    /// The key of the home, as number 0, or one of dice.
    Key { number: u32, key: [u8; 32] },
    /// A document by its file, and when it was last changed.
    Document { name: String, text: String, changed: Time },
    /// A mail that was executed.
    Receipt { id: Digest, content: Digest, at: Time },
    /// A mail that was written to a mailbox on a day.
    Sent { mailbox: [u8; 8], day: String, letter: [u8; 8] },
    /// When a board has to be looked at; as number 0, when all of a game were.
    Look { game: String, number: u32, at: Time },
    /// A user in a register, by its file.
    Registered { register: String, user: String },
    /// A mail that waits.
    Mail { name: String, mark: Option<String>, came: Time, begun: u32, bytes: Vec<u8> },
    /// A mail that was put aside.
    Aside { name: String, at: Time, why: String, bytes: Vec<u8> },
    /// A letter that is not sent, and why it was given up.
    Letter { letter: Letter, at: Time, tries: u32, not_before: Time, why: Option<String> },
}

impl Item {
    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        const SMALL: usize = 100;
        SMALL
            + match self {
                Self::Document { text, .. } => text.len(),
                Self::Mail { bytes, .. } | Self::Aside { bytes, .. } => bytes.len(),
                Self::Letter { letter, .. } => letter.bytes.len(),
                _ => 0,
            }
    }

    /// The digest of the parts of it that count. The name of a mail in one store or the other does
    /// not, nor the time when a document was written.
    fn digest(&self) -> Digest {
        let number = |number: u32| number.to_string().into_bytes();
        let time = |at: Time| at.unix().to_string().into_bytes();
        let text = |text: &str| text.as_bytes().to_vec();
        // Nothing is not the same as something empty.
        let some = |text: Option<&str>| text.map_or_else(Vec::new, |it| format!("={it}").into());
        let parts: Vec<Vec<u8>> = match self {
            Self::Key { number: of, key } => vec![number(*of), key.to_vec()],
            Self::Document { name, text: whole, changed: _ } => vec![text(name), text(whole)],
            Self::Receipt { id, content, at } => vec![id.to_vec(), content.to_vec(), time(*at)],
            Self::Sent { mailbox, day, letter } => {
                vec![mailbox.to_vec(), text(day), letter.to_vec()]
            }
            Self::Look { game, number: of, at } => {
                vec![text(game), number(*of), time(*at)]
            }
            Self::Registered { register, user } => vec![text(register), text(user)],
            Self::Mail { name: _, mark, came, begun, bytes } => {
                vec![some(mark.as_deref()), time(*came), number(*begun), bytes.clone()]
            }
            Self::Aside { name: _, at, why, bytes } => {
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

/// The values that a store has of a part, in any order: how many, and the sum of their digests.
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
    fn a_tally_knows_no_order_and_sees_every_difference() {
        let look = |game: &str, number, at| Item::Look {
            game: game.to_owned(),
            number,
            at: Time::from_unix(at),
        };
        let tally = |items: &[Item]| {
            let mut tally = PartChecksum::default();
            for item in items {
                tally.add(item);
            }
            tally
        };
        let (one, other) = (look("malaka", 1, 7), look("malaka", 2, 9));
        let both = tally(&[one.clone(), other.clone()]);
        assert_eq!(both, tally(&[other.clone(), one.clone()]));
        assert_ne!(both, tally(&[one.clone(), one.clone()]));
        assert_ne!(both, tally(&[one.clone(), look("malaka", 2, 8)]));
        assert_ne!(both, tally(std::slice::from_ref(&one)));
        assert_ne!(tally(&[look("malaka", 11, 7)]), tally(&[look("malaka", 1, 17)]));
        assert_ne!(tally(&[one]), tally(&[look("malaka1", 1, 7)]));
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
