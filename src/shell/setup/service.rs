//! The services of systemd that run a home: `postboard.service` for the package's, an instance of
//! `postboard@.service` for one beside it.

use std::path::{Path, PathBuf};

/// The folder of the homes that services run.
const HOMES: &str = "/var/lib/postboard";

/// The unit of the package.
const UNIT: &str = include_str!("../../../data/systemd/postboard.service");

/// A service that runs a home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Service {
    /// The name of its unit.
    pub(super) unit: String,
    /// Where it takes mails by LMTP.
    pub(super) socket: PathBuf,
}

impl Service {
    /// Returns the service of a home, if a unit of the package runs it.
    pub(super) fn of(home: &Path) -> Option<Self> {
        let name = home.strip_prefix(HOMES).ok()?.to_str()?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        (!name.is_empty() && name.chars().all(is_plain)).then(|| match name {
            "home" => {
                Self { unit: "postboard.service".into(), socket: "/run/postboard/lmtp".into() }
            }
            name => Self {
                unit: format!("postboard@{name}.service"),
                socket: format!("/run/postboard-{name}/lmtp").into(),
            },
        })
    }

    /// Returns the text of the unit for a machine without the package, with the program at `program`.
    pub(super) fn text(program: &Path) -> String {
        UNIT.replace("ExecStart=postboard ", &format!("ExecStart={} ", program.display()))
    }

    /// Returns the commands with which root lets systemd run the service in place of the units that run
    /// parts of it.
    pub(super) fn commands(&self) -> Vec<String> {
        let mut commands = vec!["systemctl daemon-reload".to_owned()];
        if self.unit == "postboard.service" {
            commands.push(
                "systemctl --quiet disable --now postboard-cron.timer postboard-serve.service \
                 2>/dev/null || true"
                    .into(),
            );
        }
        commands.push(format!("systemctl --quiet enable {}", self.unit));
        commands.push(format!("systemctl restart {}", self.unit));
        commands
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_of_the_package_has_its_unit() {
        let of = |home: &str| Service::of(Path::new(home)).map(|it| it.unit);
        assert_eq!(of("/var/lib/postboard/home").as_deref(), Some("postboard.service"));
        assert_eq!(of("/var/lib/postboard/club").as_deref(), Some("postboard@club.service"));
        for home in ["/var/lib/postboard", "/var/lib/postboard/a/b", "/srv/home", "data/home"] {
            assert_eq!(of(home), None, "{home}");
        }
        let text = Service::text(Path::new("/usr/local/bin/postboard"));
        assert!(text.contains("\nExecStart=/usr/local/bin/postboard --home "), "{text}");
    }
}
