//! One-line messages on a page after a form was accepted. A message has a name in the address of the page, so
//! no link can show other words than these.

/// The name of the query parameter with the message.
pub(crate) const FLASH_MESSAGE: &str = "notice";

macro_rules! flash_messages {
    ($($message:ident($name:literal, $words:literal $(,)?),)*) => {
        /// A one-line message after a form.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum FlashMessage {
            $($message,)*
        }

        impl FlashMessage {
            const ALL: &[Self] = &[$(Self::$message,)*];

            /// Returns the name in addresses.
            fn name(self) -> &'static str {
                match self {
                    $(Self::$message => $name,)*
                }
            }

            /// Returns the words on the page.
            pub(crate) fn words(self) -> &'static str {
                match self {
                    $(Self::$message => $words,)*
                }
            }
        }
    };
}

flash_messages! {
    Saved("saved", "Saved."),
    Sent("sent", "Your message is sent."),
    Muted("muted", "Muted: you do not see their messages any more."),
    Unmuted("unmuted", "No longer muted."),
    Blocked(
        "blocked",
        "Blocked: they cannot challenge you or write to you. Your boards with them go on.",
    ),
    Unblocked("unblocked", "No longer blocked."),
    Favourite("favourite", "One of your favourites: at the head of your lists of players."),
    NoFavourite("no-favourite", "No longer one of your favourites."),
    Posted(
        "posted",
        "Your open challenge is posted. The board appears on My boards when somebody accepts it.",
    ),
    Withdrawn("withdrawn", "Your open challenge is withdrawn."),
    Declined("declined", "The board is closed without a result. It does not count."),
    Subscribed("subscribed", "You get mails about this board."),
    Unsubscribed("unsubscribed", "You get no more mails about this board."),
    AddressMailed(
        "address",
        "We have mailed a link to the new address. Open it to confirm the change.",
    ),
    ConfirmFirst(
        "confirm",
        "Not posted yet: confirm your address first. We have mailed you a link for that.",
    ),
    CodeMailed("code", "Nothing has changed yet. We have mailed you a code: enter it under Leave."),
    PasswordChanged("password", "Your password is changed. You are signed out everywhere else."),
    KeyRevoked("revoked", "The key is revoked."),
    Opened("opened", "Your tournament is open for entry."),
    Entered("entered", "You have entered. Your games come by mail, and appear on My boards."),
    Invited("invited", "They are invited; a mail tells them how to join."),
    Left("left", "You have left the tournament."),
    OnLadder("on-ladder", "You are on the ladder. Challenge a player above you."),
    OffLadder("off-ladder", "You have left the ladder. Your unfinished games there are lost."),
    Reported("reported", "Your report is sent to the operator. The player does not learn of it."),
    Moderated("moderated", "Done, and written into the log."),
    AdministratorCode("administrator-code", "We have mailed you a code. Enter it below."),
    AfterRestart(
        "after-restart",
        "Written into the configuration. It counts once the server starts again.",
    ),
    Before("before", "This was done already."),
}

impl FlashMessage {
    /// Finds the message of a name.
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|message| message.name() == name)
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
        for message in FlashMessage::ALL.iter().copied() {
            assert_eq!(FlashMessage::find(message.name()), Some(message));
            let page = message.on("/boards?game=malaka&notice=saved");
            assert_eq!(page, format!("/boards?game=malaka&notice={}", message.name()));
        }
        assert_eq!(FlashMessage::find("<b>You have won</b>"), None);
    }
}
