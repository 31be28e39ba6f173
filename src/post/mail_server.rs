//! Mail servers on this machine, and how to configure them to deliver to a home.

#![expect(clippy::disallowed_methods, reason = "finds out which mail server is installed")]

use std::env;
use std::path::Path;

/// A mail server with known configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailServer {
    /// Postfix.
    Postfix,
    /// Exim 4.
    Exim,
    /// `OpenSMTPD`.
    OpenSmtpd,
}

/// Files whose presence shows that a server is installed.
const SIGNS: [(&str, MailServer); 5] = [
    ("etc/postfix/main.cf", MailServer::Postfix),
    ("usr/sbin/exim4", MailServer::Exim),
    ("usr/sbin/exim", MailServer::Exim),
    ("usr/sbin/smtpctl", MailServer::OpenSmtpd),
    ("etc/smtpd.conf", MailServer::OpenSmtpd),
];

impl MailServer {
    /// Returns the mail server whose files exist below `root`.
    pub fn installed_below(root: &Path) -> Option<Self> {
        SIGNS.iter().find(|(sign, _)| root.join(sign).exists()).map(|(_, server)| *server)
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Postfix => "Postfix",
            Self::Exim => "Exim",
            Self::OpenSmtpd => "OpenSMTPD",
        }
    }

    /// Returns what makes the server pass mails for `address` on: to the socket of `run`, if there is one,
    /// or else to `receive`, for a home owned by `user`.
    pub fn setup(
        self,
        address: &str,
        home: &Path,
        user: &str,
        socket: Option<&Path>,
    ) -> MailServerSetup {
        let (local, host) = address.rsplit_once('@').unwrap_or((address, "localhost"));
        let program = env::current_exe().unwrap_or_else(|_| "/usr/local/bin/postboard".into());
        let command = format!("{} --home {} receive", program.display(), home.display());
        let advice = match (self, socket) {
            (Self::Postfix, Some(socket)) => {
                return MailServerSetup::Commands(lmtp_of_postfix(local, host, socket));
            }
            (Self::Postfix, None) => {
                return MailServerSetup::Commands(vec![
                    // Postfix runs the program as the owner of the file.
                    format!("install -d -o {user} -m 755 /etc/postboard"),
                    format!(
                        "printf '%s\\n' '{local}: \"|{command}\"' 'bounces: {local}' > /etc/postboard/aliases"
                    ),
                    format!("chown {user}: /etc/postboard/aliases"),
                    "postalias hash:/etc/postboard/aliases".into(),
                    "postconf -e 'recipient_delimiter = +'".into(),
                    "postconf -h alias_maps | grep -q postboard || postconf -e \"alias_maps = \
                 $(postconf -h alias_maps), hash:/etc/postboard/aliases\""
                        .into(),
                    "postfix reload".into(),
                ]);
            }
            (Self::Exim, _) => format!(
                "In front of the routers for local users, a router:\n\n  \
                   postboard:\n    driver = accept\n    domains = {host}\n    \
                   local_parts = {local} : bounces\n    local_part_suffix = +*\n    \
                   local_part_suffix_optional\n    transport = postboard\n\n\
                 and a transport:\n\n  \
                   postboard:\n    driver = pipe\n    command = {command}\n    user = {user}\n    \
                   return_path_add\n    envelope_to_add\n    timeout_defer\n    log_output\n"
            ),
            (Self::OpenSmtpd, _) => format!(
                "In /etc/smtpd.conf, before other `match` lines for {host}:\n\n  \
                   table postboard {{ \"{address}\", \"bounces@{host}\" }}\n  \
                   action \"postboard\" mda \"{command}\" user {user}\n  \
                   match from any for domain \"{host}\" rcpt-to <postboard> action \"postboard\"\n  \
                   match from any for domain \"{host}\" rcpt-to regex \"^({local}|bounces)\\\\+.*@\" \
                   action \"postboard\"\n"
            ),
        };
        MailServerSetup::Advice(advice)
    }
}

/// What makes a mail server pass mails on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailServerSetup {
    /// Commands for root, a line each. They change nothing when they are run again.
    Commands(Vec<String>),
    /// Lines for files that the operator edits, with a sentence where they belong.
    Advice(String),
}

/// Returns the commands by which Postfix delivers an address, with any tag, to a socket by LMTP.
fn lmtp_of_postfix(local: &str, host: &str, socket: &Path) -> Vec<String> {
    let socket = format!("lmtp:unix:{}", socket.display());
    let names = [local, "bounces"];
    let recipients = names.map(|name| format!("{name}={name}")).join(", ");
    let transports = names.map(|name| format!("{name}@{host}={socket}")).join(", ");
    // Adds to a list that has no word yet.
    let add = |list: &str, word: &str, item: &str| {
        format!(
            "postconf -h {list} | grep -q '{word}' || postconf -e \"{list} = $(postconf -h {list}) {item}\""
        )
    };
    vec![
        format!(
            "postconf -xh mydestination relay_domains virtual_alias_domains virtual_mailbox_domains | \
             tr ', ' '\\n\\n' | grep -qix '{host}' || postconf -e \"mydestination = \
             $(postconf -h mydestination) {host}\""
        ),
        "postconf -e 'recipient_delimiter = +'".into(),
        add(
            "local_recipient_maps",
            &format!("[{{ ]{local}="),
            &format!("inline:{{ {recipients} }}"),
        ),
        add("transport_maps", &format!("{local}@{host}="), &format!("inline:{{ {transports} }}")),
        // Its client must see the socket, which is outside its chroot.
        "postconf -F lmtp/unix/chroot=n".into(),
        "postfix reload".into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_mail_server_is_found_by_its_files() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(MailServer::installed_below(root.path()), None);
        fs::create_dir_all(root.path().join("usr/sbin")).unwrap();
        fs::write(root.path().join("usr/sbin/exim4"), "").unwrap();
        assert_eq!(MailServer::installed_below(root.path()), Some(MailServer::Exim));
        fs::create_dir_all(root.path().join("etc/postfix")).unwrap();
        fs::write(root.path().join("etc/postfix/main.cf"), "").unwrap();
        assert_eq!(MailServer::installed_below(root.path()), Some(MailServer::Postfix));
    }

    #[test]
    fn the_lines_name_the_address_the_home_and_the_user() {
        let all = [MailServer::Postfix, MailServer::Exim, MailServer::OpenSmtpd];
        for server in all {
            let lines = match server.setup("games@pbm.test", Path::new("/srv/home"), "clerk", None)
            {
                MailServerSetup::Commands(commands) => commands.join("\n"),
                MailServerSetup::Advice(advice) => advice,
            };
            for word in [" --home /srv/home receive", "clerk", "games", "bounces"] {
                assert!(lines.contains(word), "{server:?} {word}: {lines}");
            }
        }
    }
}
