//! What the mail server of this machine needs, so that it hands over mails.

use super::interview::USER;
use super::service::Service;
use crate::base::shell_words::quoted;
use crate::config::{Config, Deliver};
use crate::post::{MailServer, MailServerSetup};
use crate::store::owner::Owner;
use std::path::Path;

/// What the mail server of this machine needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MailServerNeeds {
    /// Which mail server it is, and what only people can configure there.
    pub(crate) description: String,
    /// The commands for root.
    pub(crate) commands: Vec<String>,
}

impl MailServerNeeds {
    /// Returns what the mail server needs for a home.
    pub(super) fn of(home: &Path, config: &Config, service: Option<&Service>) -> Self {
        let identity = config.identity();
        let user = Owner::nearest(home).map_or_else(|| USER.into(), |(_, owner)| owner.name);
        let Some(server) = MailServer::installed_below(Path::new("/")) else {
            let description = format!(
                "No mail server was found here that we know: have mails to {} passed to \
                 `postboard --home {} receive`, or name a Maildir under [collect].",
                identity.address,
                quoted(&home.display().to_string())
            );
            return Self { description, commands: Vec::new() };
        };
        let description = format!("This machine has {}.", server.name());
        match server.setup(&identity, home, &user, service.map(|service| &*service.socket)) {
            MailServerSetup::Commands(commands) => Self { description, commands },
            MailServerSetup::Advice(advice) => {
                Self { description: format!("{description}\n{advice}"), commands: Vec::new() }
            }
        }
    }

    /// Returns what the mail server needs for a home that the page of setup configures; nothing if its mails come
    /// from a mailbox at a provider, or if it sends none.
    pub(crate) fn of_first_run(home: &Path, config: &Config) -> Option<Self> {
        let has_mail = config.deliver != Deliver::Nothing;
        let service = Service::of(home);
        (has_mail && config.imap.is_none()).then(|| Self::of(home, config, service.as_ref()))
    }
}
