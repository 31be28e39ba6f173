//! The commands by which Postfix passes mails for a home on. They follow from its configuration, of which they
//! change only what the home needs. Where a change could take mails from somebody else, people are told instead.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "post runs programs")]

use crate::base::shell_words::quoted;
use crate::mail::{Address, BOUNCE_MAILBOX, Identity};
use std::collections::BTreeMap;
use std::env;
use std::path::Path;
use std::process::Command;

/// The settings with the domains that Postfix takes mails for, in the order in which it asks, each with the setting
/// with their recipients.
const CLASSES: [(&str, &str); 4] = [
    (LOCAL, "local_recipient_maps"),
    (VIRTUAL_ALIASES, "virtual_alias_maps"),
    ("virtual_mailbox_domains", "virtual_mailbox_maps"),
    (RELAYED, "relay_recipient_maps"),
];
const LOCAL: &str = "mydestination";
const VIRTUAL_ALIASES: &str = "virtual_alias_domains";
const RELAYED: &str = "relay_domains";
const ALIASES: &str = "alias_maps";
const TRANSPORTS: &str = "transport_maps";
const DELIMITER: &str = "recipient_delimiter";

/// The folder of the alias files. It belongs to root: in a folder of their own, the owner of a home could
/// put a link where root writes.
const FOLDER: &str = "/etc/postboard";

/// The address that mails are for.
pub(super) struct Recipient<'a> {
    identity: &'a Identity,
    /// The local part of the address in lower case, as Postfix looks it up.
    local: String,
    /// The domain of the address in lower case.
    host: String,
}

/// Looks a key up in a table; an error says why it cannot.
type LookUp<'a> = &'a dyn Fn(&str, &str) -> Result<Option<String>, String>;

/// The configuration of Postfix.
pub(super) struct Postfix<'a> {
    /// The settings as they are written.
    written: BTreeMap<String, String>,
    /// The settings with the values of those that they name.
    expanded: BTreeMap<String, String>,
    look_up: LookUp<'a>,
}

impl Postfix<'static> {
    /// Reads the configuration of this machine's Postfix.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub(super) fn of_this_machine() -> Result<Self, String> {
        let names = CLASSES.into_iter().flat_map(|(domains, recipients)| [domains, recipients]);
        let names: Vec<&str> = names.chain([ALIASES, TRANSPORTS, DELIMITER]).collect();
        Ok(Self {
            written: settings(&ask("postconf", &names)??),
            expanded: settings(&ask("postconf", &[&["-x"], &names[..]].concat())??),
            look_up: &look_up,
        })
    }
}

/// Reads the lines that `postconf` prints.
fn settings(lines: &str) -> BTreeMap<String, String> {
    let settings = lines.lines().filter_map(|line| line.split_once('='));
    settings.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
}

/// Runs a program of Postfix. Returns what it prints if it succeeds, or else its complaint.
///
/// # Errors
/// It does not run.
fn ask(program: &str, words: &[&str]) -> Result<Result<String, String>, String> {
    let mut path = env::var("PATH").unwrap_or_default();
    path.push_str(":/usr/sbin:/usr/local/sbin");
    let ended = Command::new(program).args(words).env("PATH", path).output();
    let ended = ended.map_err(|error| format!("`{program}` does not run: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let is_done = ended.status.success();
    Ok(if is_done { Ok(text(&ended.stdout)) } else { Err(text(&ended.stderr)) })
}

fn look_up(table: &str, key: &str) -> Result<Option<String>, String> {
    // Only Postfix may ask its proxy, and others would wait for it.
    let table = table.strip_prefix("proxy:").unwrap_or(table);
    if table.contains("proxy:") {
        return Err("it asks the proxy of Postfix".into());
    }
    match ask("postmap", &["-q", key, table])? {
        Ok(value) => Ok(Some(value).filter(|value| !value.is_empty())),
        Err(complaint) => failure(&complaint).map_or(Ok(None), |why| Err(why.to_owned())),
    }
}

/// Returns the reason why a table was not asked. `postmap` also fails if it does not have a key, and it warns of
/// other parts of the configuration.
fn failure(complaint: &str) -> Option<&str> {
    complaint.lines().find(|line| line.contains(": fatal: "))
}

/// Splits a list of Postfix: at blanks and commas outside braces.
fn words(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    let words = list.split(move |c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || c.is_whitespace())
    });
    words.filter(|word| !word.is_empty())
}

impl<'a> Recipient<'a> {
    pub(super) fn new(identity: &'a Identity) -> Self {
        let address: &Address = &identity.address;
        let [local, host] = [address.local(), address.domain()].map(str::to_ascii_lowercase);
        Self { identity, local, host }
    }

    /// Returns the local parts: of the address, and, if mails have tags, of the address for delivery reports.
    fn names(&self) -> Vec<&str> {
        let of_reports = self.identity.plus.then_some(BOUNCE_MAILBOX);
        [&*self.local].into_iter().chain(of_reports).collect()
    }

    fn at_host(&self, name: &str) -> String {
        format!("{name}@{}", self.host)
    }
}

impl Postfix<'_> {
    /// Returns the commands by which mails for an address, with any tag, are delivered to a socket by LMTP.
    ///
    /// # Errors
    /// Why there are none.
    pub(super) fn by_lmtp(&self, to: &Recipient, socket: &Path) -> Result<Vec<String>, String> {
        let mut commands = Vec::new();
        let class = self.class_of(&to.host)?;
        if class.is_none() {
            commands.push(self.add_to_list(LOCAL, " ", &to.host));
        }
        let (domains, recipients) = class.unwrap_or(CLASSES[0]);
        if domains == VIRTUAL_ALIASES {
            return Err(format!(
                "{} is in {domains}, where mails only go on to other addresses: take it out of there",
                to.host
            ));
        }
        commands.extend(self.set_delimiter(to)?);
        let names = to.names();
        // An empty list means that every recipient is taken.
        if !self.expanded(recipients).is_empty() {
            let is_new = |name: &&str| !self.takes(recipients, name, to);
            let new = names.iter().copied().filter(is_new);
            let new: Vec<String> = new.map(|name| format!("{}={name}", to.at_host(name))).collect();
            commands.extend(self.add_inline_table(recipients, &new));
        }
        let socket = format!("lmtp:unix:{}", socket.display());
        let mut new = Vec::new();
        for name in names {
            let address = to.at_host(name);
            match self.find(TRANSPORTS, &address) {
                Some(there) if there == socket => {}
                Some(there) => return Err(Self::taken(TRANSPORTS, &address, &there, name)),
                None => new.push(format!("{address}={socket}")),
            }
        }
        commands.extend(self.add_inline_table(TRANSPORTS, &new));
        // Its client must see the socket, which is outside its chroot.
        commands.push("postconf -F lmtp/unix/chroot=n".into());
        commands.push("postfix reload".into());
        Ok(commands)
    }

    /// Returns the commands by which mails for an address, with any tag, are piped to a program, which runs as
    /// a user.
    ///
    /// # Errors
    /// Why there are none.
    pub(super) fn by_alias(
        &self,
        to: &Recipient,
        program: &str,
        user: &str,
    ) -> Result<Vec<String>, String> {
        let mut commands = Vec::new();
        match self.class_of(&to.host)? {
            Some((LOCAL, _)) => {}
            Some((domains, _)) => {
                return Err(format!(
                    "{} is in {domains}, but aliases are for domains in {LOCAL}: take it out of there",
                    to.host
                ));
            }
            None => commands.push(self.add_to_list(LOCAL, " ", &to.host)),
        }
        commands.extend(self.set_delimiter(to)?);
        let value = |name: &str| {
            if name == to.local { format!("\"|{program}\"") } else { to.local.clone() }
        };
        let mut lines = Vec::new();
        let mut is_new = false;
        for name in to.names() {
            match self.find(ALIASES, name) {
                Some(there) if there == value(name) => {}
                Some(there) => return Err(Self::taken(ALIASES, name, &there, name)),
                None => is_new = true,
            }
            lines.push(quoted(&format!("{name} {}", value(name))));
        }
        if is_new {
            let file = format!("{FOLDER}/aliases-{}", to.local);
            let table = format!("texthash:{file}");
            commands.push(format!("install -d -o root -g root -m 755 {FOLDER}"));
            // Postfix runs the program as the owner of the file.
            commands.push(format!(
                "printf '%s\\n' {} | install -T -o {user} -m 644 /dev/stdin {file}",
                lines.join(" ")
            ));
            if words(self.expanded(ALIASES)).all(|there| there != table) {
                commands.push(self.add_to_list(ALIASES, ", ", &table));
            }
        }
        commands.push("postfix reload".into());
        Ok(commands)
    }

    fn expanded(&self, setting: &str) -> &str {
        self.expanded.get(setting).map_or("", String::as_str)
    }

    /// Returns the command that adds a word to a list.
    fn add_to_list(&self, setting: &str, between: &str, word: &str) -> String {
        let list = self.written.get(setting).map_or("", String::as_str);
        let between = if list.is_empty() { "" } else { between };
        format!("postconf -e {}", quoted(&format!("{setting} = {list}{between}{word}")))
    }

    /// Returns the command that adds a table with these entries to a list, if there are any.
    fn add_inline_table(&self, setting: &str, entries: &[String]) -> Option<String> {
        let table = format!("inline:{{ {} }}", entries.join(", "));
        (!entries.is_empty()).then(|| self.add_to_list(setting, " ", &table))
    }

    /// Returns the command that lets Postfix recognise tags, if the addresses have some, and it does not yet.
    fn set_delimiter(&self, to: &Recipient) -> Result<Option<String>, String> {
        match self.expanded(DELIMITER) {
            "" if to.identity.plus => Ok(Some(format!("postconf -e '{DELIMITER} = +'"))),
            other if to.identity.plus && !other.contains('+') => Err(format!(
                "its {DELIMITER} is `{other}`, and mails to {}+tag@{} would not come in: set `plus = false` in \
                 postboard.toml, or add `+` to the {DELIMITER}",
                to.local, to.host
            )),
            _ => Ok(None),
        }
    }

    /// Returns the list that has a domain, with the list of its recipients.
    ///
    /// # Errors
    /// A list may have it.
    fn class_of(&self, host: &str) -> Result<Option<(&'static str, &'static str)>, String> {
        for class in CLASSES {
            let (setting, _) = class;
            let parents = host.match_indices('.').map(|(at, _)| &host[at + 1..]);
            // By default a relayed domain has its subdomains.
            let keys: Vec<&str> =
                [host].into_iter().chain(parents.filter(|_| setting == RELAYED)).collect();
            let list = self.expanded(setting);
            let is_named = |word: &str| {
                let word = word.strip_prefix('.').unwrap_or(word);
                keys.iter().any(|key| key.eq_ignore_ascii_case(word))
            };
            if words(list).any(is_named) {
                return Ok(Some(class));
            }
            let untold = |word: &str, why: &str| {
                format!(
                    "it cannot be told whether {host} is in {setting}, which has `{word}`: {why}; run this as \
                     root, or name {host} in {LOCAL} if no other mail server and no table has its mailboxes"
                )
            };
            for word in words(list) {
                if word.starts_with(['/', '!', '$']) {
                    return Err(untold(word, "only Postfix reads such a pattern"));
                }
                for key in keys.iter().filter(|_| word.contains(':') && !word.starts_with('[')) {
                    let value = (self.look_up)(word, key).map_err(|why| untold(word, &why))?;
                    if value.is_some() {
                        return Ok(Some(class));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Returns whether a list of recipients has an address. Local ones may be without their domain.
    fn takes(&self, recipients: &str, name: &str, to: &Recipient) -> bool {
        let is_local = recipients == CLASSES[0].1;
        self.find(recipients, &to.at_host(name)).is_some()
            || is_local && self.find(recipients, name).is_some()
    }

    /// Returns the first value of a key in the tables of a list. A table that cannot be asked has none.
    fn find(&self, setting: &str, key: &str) -> Option<String> {
        words(self.expanded(setting)).find_map(|table| (self.look_up)(table, key).ok().flatten())
    }

    /// Returns the message that another home or program has a name.
    fn taken(setting: &str, key: &str, there: &str, name: &str) -> String {
        let remedy = if name == BOUNCE_MAILBOX {
            "set `plus = false` in postboard.toml, and this home needs it no more; or choose an address at \
             another host"
        } else {
            "choose another address in postboard.toml, or remove that entry"
        };
        format!("{setting} passes {key} on to {there}: {remedy}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::HeaderText;

    const SOCKET: &str = "/run/postboard/lmtp";

    fn identity(address: &str, plus: bool) -> Identity {
        let address = Address::parse(address).unwrap();
        Identity { address, name: HeaderText::new("Games"), plus }
    }

    /// Looks a key up in `inline:{key=value, ...}`. `mysql:` is a table that cannot be asked.
    fn look_up(table: &str, key: &str) -> Result<Option<String>, String> {
        let Some(entries) = table.strip_prefix("inline:{").and_then(|it| it.strip_suffix('}'))
        else {
            return Err("no access".into());
        };
        let mut entries = words(entries).filter_map(|entry| entry.split_once('='));
        Ok(entries.find(|(name, _)| *name == key).map(|(_, value)| value.to_owned()))
    }

    /// A Postfix with these lines instead of its usual ones.
    fn postfix(lines: &str) -> Postfix<'static> {
        let usual = "mydestination = pbm.test, localhost\nlocal_recipient_maps = mysql:users\nrelay_domains =\n";
        let all = settings(&format!("{usual}{lines}"));
        Postfix { written: all.clone(), expanded: all, look_up: &look_up }
    }

    fn by_lmtp(lines: &str, address: &str, plus: bool) -> Result<String, String> {
        let identity = identity(address, plus);
        let made = postfix(lines).by_lmtp(&Recipient::new(&identity), Path::new(SOCKET));
        made.map(|commands| commands.join("\n"))
    }

    fn by_alias(lines: &str, address: &str, plus: bool) -> Result<String, String> {
        let identity = identity(address, plus);
        let made = postfix(lines).by_alias(&Recipient::new(&identity), "/bin/p receive", "clerk");
        made.map(|commands| commands.join("\n"))
    }

    #[test]
    fn lmtp_changes_what_the_address_needs() {
        let commands = "\
            postconf -e 'mydestination = pbm.test, localhost play.test'\n\
            postconf -e 'recipient_delimiter = +'\n\
            postconf -e 'local_recipient_maps = mysql:users inline:{ games@play.test=games, \
            bounces@play.test=bounces }'\n\
            postconf -e 'transport_maps = inline:{ games@play.test=lmtp:unix:/run/postboard/lmtp, \
            bounces@play.test=lmtp:unix:/run/postboard/lmtp }'\n\
            postconf -F lmtp/unix/chroot=n\n\
            postfix reload";
        assert_eq!(by_lmtp("", "Games@Play.test", true).as_deref(), Ok(commands));
        // Without tags in addresses there are no delivery reports to `bounces`.
        let commands = "\
            postconf -e 'local_recipient_maps = mysql:users inline:{ games@pbm.test=games }'\n\
            postconf -e 'transport_maps = inline:{ games@pbm.test=lmtp:unix:/run/postboard/lmtp }'\n\
            postconf -F lmtp/unix/chroot=n\n\
            postfix reload";
        assert_eq!(by_lmtp("", "games@pbm.test", false).as_deref(), Ok(commands));
    }

    /// In `mydestination` it would be taken from there, and its other mailboxes with it.
    #[test]
    fn a_domain_that_postfix_has_elsewhere_stays_there() {
        for (line, recipients) in [
            ("relay_domains = play.test", None),
            ("relay_domains = test", None),
            ("relay_domains = proxy.test, inline:{x=y, test=OK}", None),
            ("virtual_mailbox_domains = inline:{play.test=x}", Some("virtual_mailbox_maps")),
            ("virtual_mailbox_domains = PLAY.test", Some("virtual_mailbox_maps")),
        ] {
            let lines = format!("{line}\nvirtual_mailbox_maps = inline:{{ann@play.test=ann}}");
            let made = by_lmtp(&lines, "games@play.test", true).unwrap();
            assert!(!made.contains("mydestination"), "{line}: {made}");
            assert!(made.contains("games@play.test=lmtp:unix:"), "{line}: {made}");
            assert!(!made.contains("local_recipient_maps"), "{line}: {made}");
            let added = recipients.is_some_and(|list| made.contains(&format!("'{list} = ")));
            assert_eq!(added, recipients.is_some(), "{line}: {made}");
        }
        let made = by_lmtp("virtual_alias_domains = play.test", "games@play.test", true);
        assert!(made.as_ref().is_err_and(|why| why.contains("virtual_alias_domains")), "{made:?}");
        let made = by_alias("relay_domains = play.test", "games@play.test", true);
        assert!(made.as_ref().is_err_and(|why| why.contains("relay_domains")), "{made:?}");
    }

    #[test]
    fn a_list_that_may_have_the_domain_is_left_to_people() {
        for word in ["mysql:domains", "/etc/domains", "!play.test", "$else"] {
            for setting in ["virtual_mailbox_domains", "relay_domains"] {
                let lines = format!("{setting} = other.test {word}");
                for made in [
                    by_lmtp(&lines, "games@play.test", true),
                    by_alias(&lines, "games@play.test", true),
                ] {
                    let why = made.unwrap_err();
                    let told = format!("whether play.test is in {setting}, which has `{word}`: ");
                    assert!(why.contains(&told), "{why}");
                }
                // The first list decides.
                assert!(by_lmtp(&lines, "games@pbm.test", true).is_ok());
            }
        }
    }

    #[test]
    fn an_empty_list_of_recipients_takes_all_and_stays_empty() {
        let made = by_lmtp("local_recipient_maps =", "games@pbm.test", true).unwrap();
        assert!(!made.contains("local_recipient_maps"), "{made}");
    }

    #[test]
    fn another_delimiter_stays() {
        for (delimiter, plus, want) in [
            ("", true, Some(true)),
            ("-", true, None),
            ("-", false, Some(false)),
            ("-+", true, Some(false)),
        ] {
            let line = format!("recipient_delimiter = {delimiter}");
            for made in
                [by_lmtp(&line, "games@pbm.test", plus), by_alias(&line, "games@pbm.test", plus)]
            {
                match (made, want) {
                    (Ok(made), Some(is_set)) => {
                        let command = "postconf -e 'recipient_delimiter = +'";
                        assert_eq!(made.contains(command), is_set, "{delimiter}: {made}");
                    }
                    (Err(why), None) => assert!(why.contains("set `plus = false`"), "{why}"),
                    (made, _) => panic!("{delimiter} {plus}: {made:?}"),
                }
            }
        }
    }

    #[test]
    fn a_second_home_takes_nothing_from_the_first() {
        let first = "transport_maps = inline:{ games@pbm.test=lmtp:unix:/run/first, \
            bounces@pbm.test=lmtp:unix:/run/first }";
        let why = by_lmtp(first, "club@pbm.test", true).unwrap_err();
        assert!(
            why.contains("bounces@pbm.test on to lmtp:unix:/run/first: set `plus = false`"),
            "{why}"
        );
        let why = by_lmtp(first, "games@pbm.test", false).unwrap_err();
        assert!(why.contains("choose another address"), "{why}");
        let made = by_lmtp(first, "club@pbm.test", false).unwrap();
        assert!(
            made.contains("club@pbm.test=lmtp") && !made.contains(" bounces@pbm.test=bounces"),
            "{made}"
        );
        assert!(by_lmtp(first, "club@other.test", true).is_ok());

        let first = "alias_maps = hash:/etc/aliases, inline:{ games=other, bounces=games }";
        let why = by_alias(first, "club@pbm.test", true).unwrap_err();
        assert!(why.contains("passes bounces on to games: set `plus = false`"), "{why}");
        let why = by_alias(first, "games@pbm.test", false).unwrap_err();
        assert!(why.contains("passes games on to other: choose another address"), "{why}");
        let made = by_alias(first, "club@pbm.test", false).unwrap();
        assert!(
            made.contains(" /etc/postboard/aliases-club\n") && !made.contains("bounces "),
            "{made}"
        );
    }

    #[test]
    fn an_alias_is_in_a_file_of_its_home() {
        let commands = "\
            postconf -e 'recipient_delimiter = +'\n\
            install -d -o root -g root -m 755 /etc/postboard\n\
            printf '%s\\n' 'games \"|/bin/p receive\"' 'bounces games' | install -T -o clerk -m 644 \
            /dev/stdin /etc/postboard/aliases-games\n\
            postconf -e 'alias_maps = hash:/etc/aliases, texthash:/etc/postboard/aliases-games'\n\
            postfix reload";
        let made = by_alias("alias_maps = hash:/etc/aliases", "games@pbm.test", true);
        assert_eq!(made.as_deref(), Ok(commands));
    }

    #[test]
    fn a_second_run_changes_nothing() {
        let lines = "recipient_delimiter = +\n\
            local_recipient_maps = mysql:users inline:{ games=games, bounces@pbm.test=bounces }\n\
            transport_maps = inline:{ games@pbm.test=lmtp:unix:/run/postboard/lmtp, \
            bounces@pbm.test=lmtp:unix:/run/postboard/lmtp }";
        let made = by_lmtp(lines, "games@pbm.test", true);
        assert_eq!(made.as_deref(), Ok("postconf -F lmtp/unix/chroot=n\npostfix reload"));
    }

    #[test]
    fn a_warning_is_no_failure() {
        let warning =
            "postmap: warning: /etc/postfix/main.cf, line 9: overriding earlier entry: x=y";
        let fatal = "postmap: fatal: open database /etc/missing.db: No such file or directory";
        assert_eq!(failure(warning), None);
        assert_eq!(failure(""), None);
        assert_eq!(failure(&format!("{warning}\n{fatal}\n")), Some(fatal));
    }

    #[test]
    fn a_list_is_split_outside_braces() {
        let list = "a, hash:/b\tinline:{ c=d, e=f },g";
        assert_eq!(words(list).collect::<Vec<_>>(), ["a", "hash:/b", "inline:{ c=d, e=f }", "g"]);
        assert_eq!(words("").count(), 0);
    }
}
