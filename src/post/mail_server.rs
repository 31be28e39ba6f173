//! Mail servers on this machine, and how to configure them to deliver to a home.

#![expect(clippy::disallowed_methods, reason = "finds out which mail server is installed")]

use super::postfix::{Postfix, Recipient};
use crate::mail::Identity;
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

    /// Returns what makes the server pass mails for the address of `identity` on: to the socket of `run`, if
    /// there is one, or else to `receive`, for a home owned by `user`.
    pub fn setup(
        self,
        identity: &Identity,
        home: &Path,
        user: &str,
        socket: Option<&Path>,
    ) -> MailServerSetup {
        let program = env::current_exe().unwrap_or_else(|_| "/usr/local/bin/postboard".into());
        let [home, program] = [home, &program].map(|path| path.display().to_string());
        let (address, host) = (identity.address.as_str(), identity.address.domain());
        if let Some(why) = refuse_odd_words(address, &home, user, &program) {
            return MailServerSetup::Advice(why);
        }
        let local = identity.address.local();
        let command = format!("{program} --home {home} receive");
        let advice = match self {
            Self::Postfix => {
                let to = Recipient::new(identity);
                let commands = Postfix::of_this_machine().and_then(|postfix| match socket {
                    Some(socket) => postfix.by_lmtp(&to, socket),
                    None => postfix.by_alias(&to, &command, user),
                });
                match commands {
                    Ok(commands) => return MailServerSetup::Commands(commands),
                    Err(why) => {
                        format!(
                            "Its configuration stays as it is, since {why}; then run `postboard setup` again."
                        )
                    }
                }
            }
            Self::Exim => format!(
                "In front of the routers for local users, a router:\n\n  \
                   postboard:\n    driver = accept\n    domains = {host}\n    \
                   local_parts = {local} : bounces\n    local_part_suffix = +*\n    \
                   local_part_suffix_optional\n    transport = postboard\n\n\
                 and a transport:\n\n  \
                   postboard:\n    driver = pipe\n    command = {command}\n    user = {user}\n    \
                   return_path_add\n    envelope_to_add\n    timeout_defer\n    log_output\n"
            ),
            Self::OpenSmtpd => format!(
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

/// Refuses words in which a shell or a mail server could find a command: root runs what is made of them, but
/// the owner of the home chooses them.
fn refuse_odd_words(address: &str, home: &str, user: &str, program: &str) -> Option<String> {
    let words = [
        ("address", address, "@", "choose another one in postboard.toml"),
        ("path of the home", home, "/", "move it"),
        ("user of the home", user, "", "give it to another one"),
        ("path of this program", program, "/", "install it elsewhere"),
    ];
    let is_odd = |word: &str, others: &str| {
        let is_plain =
            |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c) || others.contains(c);
        word.is_empty() || word.starts_with('-') || !word.chars().all(is_plain)
    };
    let odd = words.into_iter().find(|(_, word, others, _)| is_odd(word, others));
    let (what, word, _, remedy) = odd?;
    let word = word.escape_debug();
    Some(format!(
        "Nothing is set up in it, since the {what}, \"{word}\", has characters other than letters, digits and \
         . _ + - in which root's shell could find commands: {remedy}, then run `postboard setup` again."
    ))
}

/// What makes a mail server pass mails on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailServerSetup {
    /// Commands for root, a line each. They change nothing when they are run again, in the same configuration.
    Commands(Vec<String>),
    /// Lines for files that the operator edits, with a sentence where they belong.
    Advice(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::{Address, HeaderText};
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

    /// Returns what a server needs for an address.
    fn setup(server: MailServer, address: &str, home: &str, user: &str) -> String {
        let address = Address::parse(address).unwrap();
        let identity = Identity { address, name: HeaderText::new("Games"), plus: true };
        match server.setup(&identity, Path::new(home), user, None) {
            MailServerSetup::Commands(commands) => commands.join("\n"),
            MailServerSetup::Advice(advice) => advice,
        }
    }

    #[test]
    fn the_lines_name_the_address_the_home_and_the_user() {
        for server in [MailServer::Exim, MailServer::OpenSmtpd] {
            let lines = setup(server, "games@pbm.test", "/srv/home", "clerk");
            for word in [" --home /srv/home receive", "clerk", "games", "bounces"] {
                assert!(lines.contains(word), "{server:?} {word}: {lines}");
            }
        }
    }

    #[test]
    fn nothing_in_a_home_becomes_a_command_of_root() {
        for server in [MailServer::Postfix, MailServer::Exim, MailServer::OpenSmtpd] {
            for (address, home, user, what) in [
                ("`/tmp/e`@pbm.test", "/srv/home", "clerk", "the address, \"`/tmp/e`@pbm.test\","),
                ("${run{id}}@pbm.test", "/srv/home", "clerk", "the address"),
                ("a/b@pbm.test", "/srv/home", "clerk", "the address"),
                ("a'b@pbm.test", "/srv/home", "clerk", "the address"),
                ("games@[127.0.0.1]", "/srv/home", "clerk", "the address"),
                ("games@pbm.test", "/srv/$(id)", "clerk", "the path of the home, \"/srv/$(id)\""),
                ("games@pbm.test", "/srv/a\nb", "clerk", "the path of the home, \"/srv/a\\nb\""),
                ("games@pbm.test", "/srv/home", "uid 998", "the user of the home, \"uid 998\""),
            ] {
                let told = setup(server, address, home, user);
                let begins = format!("Nothing is set up in it, since {what}");
                assert!(told.starts_with(&begins) && !told.contains('\n'), "{server:?}: {told}");
            }
        }
    }
}
