//! One-line messages on a page after a form was accepted. A message has a name in the address of the page, so
//! no link can show other words than these.

/// A one-line message after a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlashMessage {
    /// A setting was saved.
    Saved,
    /// A message was sent.
    Sent,
    /// A player was muted.
    Muted,
    /// A player is no longer muted.
    Unmuted,
    /// A player was blocked.
    Blocked,
    /// A player is no longer blocked.
    Unblocked,
    /// A player is a favourite.
    Favourite,
    /// A player is no longer a favourite.
    NoFavourite,
    /// An open challenge was posted.
    Posted,
    /// An open challenge was withdrawn.
    Withdrawn,
    /// A challenge was declined or withdrawn before its game began.
    Declined,
    /// The user gets the mails of a board.
    Subscribed,
    /// The user gets no more mails of a board.
    Unsubscribed,
    /// A new address must be confirmed.
    AddressMailed,
    /// A newcomer must confirm their address first.
    ConfirmFirst,
    /// A code for leaving was mailed.
    CodeMailed,
    /// The password was changed.
    PasswordChanged,
    /// A key was revoked.
    KeyRevoked,
    /// A tournament was created.
    Opened,
    /// The user entered a tournament.
    Entered,
    /// The user invited a player to a team match.
    Invited,
    /// The user left a tournament.
    Left,
    /// The user joined a ladder.
    OnLadder,
    /// The user left a ladder.
    OffLadder,
    /// A player was reported.
    Reported,
    /// An act of moderation was carried out.
    Moderated,
    /// A code for the administrators' pages was mailed.
    AdministratorCode,
    /// A setting of the server counts once it starts again.
    AfterRestart,
    /// A form was sent twice.
    Before,
}

/// The name of the query parameter with the message.
pub(crate) const FLASH_MESSAGE: &str = "notice";

impl FlashMessage {
    const ALL: [Self; 29] = [
        Self::Saved,
        Self::Sent,
        Self::Muted,
        Self::Unmuted,
        Self::Blocked,
        Self::Unblocked,
        Self::Favourite,
        Self::NoFavourite,
        Self::Posted,
        Self::Withdrawn,
        Self::Declined,
        Self::Subscribed,
        Self::Unsubscribed,
        Self::AddressMailed,
        Self::ConfirmFirst,
        Self::CodeMailed,
        Self::PasswordChanged,
        Self::KeyRevoked,
        Self::Opened,
        Self::Entered,
        Self::Invited,
        Self::Left,
        Self::OnLadder,
        Self::OffLadder,
        Self::Reported,
        Self::Moderated,
        Self::AdministratorCode,
        Self::AfterRestart,
        Self::Before,
    ];

    /// Finds the message of a name.
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|message| message.name() == name)
    }

    /// Returns the name in addresses.
    fn name(self) -> &'static str {
        match self {
            Self::Saved => "saved",
            Self::Sent => "sent",
            Self::Muted => "muted",
            Self::Unmuted => "unmuted",
            Self::Blocked => "blocked",
            Self::Unblocked => "unblocked",
            Self::Favourite => "favourite",
            Self::NoFavourite => "no-favourite",
            Self::Posted => "posted",
            Self::Withdrawn => "withdrawn",
            Self::Declined => "declined",
            Self::Subscribed => "subscribed",
            Self::Unsubscribed => "unsubscribed",
            Self::AddressMailed => "address",
            Self::ConfirmFirst => "confirm",
            Self::CodeMailed => "code",
            Self::PasswordChanged => "password",
            Self::KeyRevoked => "revoked",
            Self::Opened => "opened",
            Self::Entered => "entered",
            Self::Invited => "invited",
            Self::Left => "left",
            Self::OnLadder => "on-ladder",
            Self::OffLadder => "off-ladder",
            Self::Reported => "reported",
            Self::Moderated => "moderated",
            Self::AdministratorCode => "administrator-code",
            Self::AfterRestart => "after-restart",
            Self::Before => "before",
        }
    }

    /// Returns the words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Saved => "Saved.",
            Self::Sent => "Your message is sent.",
            Self::Muted => "Muted: you do not see their messages any more.",
            Self::Unmuted => "No longer muted.",
            Self::Blocked => {
                "Blocked: they cannot challenge you or write to you. Your boards with them go on."
            }
            Self::Unblocked => "No longer blocked.",
            Self::Favourite => "One of your favourites: at the head of your lists of players.",
            Self::NoFavourite => "No longer one of your favourites.",
            Self::Posted => {
                "Your open challenge is posted. The board appears on My boards when \
                             somebody accepts it."
            }
            Self::Withdrawn => "Your open challenge is withdrawn.",
            Self::Declined => "The board is closed without a result. It does not count.",
            Self::Subscribed => "You get mails about this board.",
            Self::Unsubscribed => "You get no more mails about this board.",
            Self::AddressMailed => {
                "We have mailed a link to the new address. Open it to confirm the \
                                    change."
            }
            Self::ConfirmFirst => {
                "Not posted yet: confirm your address first. We have mailed you a \
                                   link for that."
            }
            Self::CodeMailed => {
                "Nothing has changed yet. We have mailed you a code: enter it under \
                                 Leave."
            }
            Self::PasswordChanged => {
                "Your password is changed. You are signed out everywhere else."
            }
            Self::KeyRevoked => "The key is revoked.",
            Self::Opened => "Your tournament is open for entry.",
            Self::Entered => "You have entered. Your games come by mail, and appear on My boards.",
            Self::Invited => "They are invited; a mail tells them how to join.",
            Self::Left => "You have left the tournament.",
            Self::OnLadder => "You are on the ladder. Challenge a player above you.",
            Self::OffLadder => "You have left the ladder. Your unfinished games there are lost.",
            Self::Reported => {
                "Your report is sent to the operator. The player does not learn of it."
            }
            Self::Moderated => "Done, and written into the log.",
            Self::AfterRestart => {
                "Written into the configuration. It counts once the server starts again."
            }
            Self::AdministratorCode => "We have mailed you a code. Enter it below.",
            Self::Before => "This was done already.",
        }
    }

    /// Returns the address of a page with the message.
    pub(crate) fn on(self, page: &str) -> String {
        let (path, query) = page.split_once('?').unwrap_or((page, ""));
        let mut pairs = form_urlencoded::Serializer::new(String::new());
        let others =
            form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != FLASH_MESSAGE);
        pairs.extend_pairs(others).append_pair(FLASH_MESSAGE, self.name());
        format!("{path}?{}", pairs.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_message_is_found_by_its_name_in_an_address() {
        for message in FlashMessage::ALL {
            assert_eq!(FlashMessage::find(message.name()), Some(message));
            let page = message.on("/boards?game=malaka&notice=saved");
            assert_eq!(page, format!("/boards?game=malaka&notice={}", message.name()));
        }
        assert_eq!(FlashMessage::find("<b>You have won</b>"), None);
    }
}
