//! Userids that nobody may choose.

use crate::base::ids::{UserId, look};

/// The beginning of a guest's userid. Nobody can sign up under one that looks like it.
pub(crate) const GUEST: &str = "guest-";

/// Words with another meaning in the place of a userid.
const WORDS: &[&str] =
    &["all", "active", "inactive", "next", "new", "off", "on", "over", "error", "me", "you"];

/// Names that players would trust, and those of the program. They are reserved, with all userids
/// that look like them.
const TRUSTED: &str = "\
    abuse admin administrator administration board board0 board1 board2 board3 board4 board5 \
    computer daemon guest hostmaster mailer-daemon mailerdaemon moderator nobody noreply no-reply \
    operator postboard postmaster root security server support sysadmin sysop system webmaster";

/// Returns whether a userid is reserved or looks like a reserved one: `admin_`, `0perator`,
/// `board6`.
pub fn is_reserved(user: &UserId) -> bool {
    let folded = user.folded();
    let words = folded.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let bare = |id: &UserId| look(id).replace('-', "");
    let looks = [UserId::parse(words), Some(user.clone())];
    let looks: Vec<String> = looks.iter().flatten().map(bare).collect();
    let is_trusted =
        |word: &str| UserId::parse(word).is_some_and(|word| looks.contains(&bare(&word)));
    WORDS.contains(&&*folded) || TRUSTED.split(' ').any(is_trusted) || look(user).starts_with(GUEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn userids_that_look_trustworthy_are_reserved() {
        let reserved = |word: &str| is_reserved(&UserId::parse(word).unwrap());
        let names = "\
            admin Admin_ adm1n ad-min admin2 board1 board5 board6 board0 b0ard1 boardI boardl Board_2 \
            board17 operator 0perator root r00t Post.Master postboard p0stb0ard moderator \
            rnoderator next OFF guest Guest_1 guest-7f3k2a GUEST.x guest--me";
        for word in names.split(' ').filter(|word| UserId::parse(word).is_some()) {
            assert!(reserved(word), "{word}");
        }
        for word in [
            "alice",
            "boarder",
            "rooty",
            "nextor",
            "bob1",
            "administer",
            "skateboard",
            "al",
            "guestbook",
        ] {
            assert!(!reserved(word), "{word}");
        }
    }
}
