//! Passwords from the file that `psql` and its siblings use: `$PGPASSFILE` or `~/.pgpass`, with
//! lines `host:port:database:user:password`.

#![expect(clippy::disallowed_methods, reason = "the store uses files")]

use ::postgres::Config;
use ::postgres::config::Host;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The default port.
const PORT: u16 = 5432;

/// Returns the password for a database from the file of this user. A file that others can read, or
/// that cannot be read, is ignored; the database reports that it needs a password.
pub(super) fn password(config: &Config) -> Option<String> {
    let named = env::var_os("PGPASSFILE").map(PathBuf::from);
    let own = || env::var_os("HOME").map(|home| Path::new(&home).join(".pgpass"));
    let path = named.or_else(own)?;
    let mode_of_others = fs::metadata(&path).ok()?.permissions().mode() & 0o077;
    let is_private = mode_of_others == 0;
    let text = fs::read_to_string(path).ok().filter(|_| is_private)?;
    password_in(&text, config)
}

/// Returns the password in the first line that matches one of the hosts.
fn password_in(text: &str, config: &Config) -> Option<String> {
    let user = config.get_user().unwrap_or_default();
    let database = config.get_dbname().unwrap_or(user);
    let ports = config.get_ports();
    let hosts = config.get_hosts().iter().enumerate().map(|(at, host)| {
        let name = match host {
            Host::Tcp(name) => name.clone(),
            // The usual folders of sockets are called localhost.
            Host::Unix(path)
                if ["/tmp", "/run/postgresql", "/var/run/postgresql"]
                    .iter()
                    .any(|it| path == Path::new(it)) =>
            {
                "localhost".into()
            }
            Host::Unix(path) => path.display().to_string(),
        };
        (name, ports.get(at).or(ports.first()).copied().unwrap_or(PORT).to_string())
    });
    let hosts: Vec<_> = hosts.collect();
    text.lines().filter(|line| !line.starts_with('#')).map(fields).find_map(|fields| {
        let [host, port, of, by, password] = <[String; 5]>::try_from(fields).ok()?;
        let matches = |field: &str, value: &str| field == "*" || field == value;
        let is_host = hosts.iter().any(|(name, at)| matches(&host, name) && matches(&port, at));
        (is_host && matches(&of, database) && matches(&by, user)).then_some(password)
    })
}

/// Splits a line at its colons; a backslash escapes the next character.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (character, fields.last_mut()) {
            (':', _) => fields.push(String::new()),
            ('\\', Some(field)) => field.extend(characters.next()),
            (character, Some(field)) => field.push(character),
            (_, None) => {}
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_about_the_database_has_the_password() {
        let text = "# host:port:database:user:password\n\
                    db.example:5433:games:me:of the other port\n\
                    db.example:5432:games:you:of another\n\
                    odd line\n\
                    db.example:*:games:me:a\\:b\\\\c\n\
                    /srv/db:5432:*:me:of a socket\n\
                    localhost:*:*:*:of this machine\n";
        let password = |url: &str| password_in(text, &url.parse().unwrap());
        let some = |password: &str| Some(password.to_owned());
        assert_eq!(password("postgres://me@db.example/games"), some("a:b\\c"));
        assert_eq!(password("postgres://me@a.example,db.example/games"), some("a:b\\c"));
        assert_eq!(password("postgres://me@db.example:5433/games"), some("of the other port"));
        assert_eq!(password("postgres://me@/games?host=/srv/db"), some("of a socket"));
        assert_eq!(password("postgres://me@/games?host=/run/postgresql"), some("of this machine"));
        assert_eq!(password("postgres://me@db.example/other"), None);
        assert_eq!(password("postgres://him@db.example/games"), None);
    }
}
