//! `config`: prints the effective configuration, and the origin of each value.

use crate::config::{EffectiveSetting, LayeredConfig};
use crate::shell::settings;
use crate::shell::{CommandError, Machine};
use crate::store::{operator_files, settings as files};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The output as JSON.
#[derive(Serialize)]
struct ConfigReport {
    file: PathBuf,
    keys: Vec<ConfigKey>,
    /// Environment variables that begin with `POSTBOARD_` but name no key.
    unknown_variables: Vec<String>,
}

/// A key with its effective value.
#[derive(Serialize)]
struct ConfigKey {
    #[serde(flatten)]
    in_force: EffectiveSetting,
    /// Whether the file named by the key contains a secret. The secret itself is never printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_secret_set: Option<bool>,
}

/// Prints the configuration in its own format, with the origin of each value as a comment.
pub(crate) fn run(home: &Path, json: bool, machine: &mut Machine) -> Result<(), CommandError> {
    let LayeredConfig { in_force, unknown_variables, .. } = settings::layered(home)?;
    let keys = in_force.into_iter().map(ConfigKey::new).collect();
    let report = ConfigReport { file: files::path(home), keys, unknown_variables };
    if json {
        let text = serde_json::to_string_pretty(&report).expect("text and numbers are JSON");
        writeln!(machine.out, "{text}")?;
        return Ok(());
    }
    writeln!(machine.out, "# {}, overridden by the environment", report.file.display())?;
    for key in &report.keys {
        writeln!(machine.out, "{}", key.line())?;
    }
    for name in &report.unknown_variables {
        writeln!(machine.out, "# {name}: unknown key")?;
    }
    Ok(())
}

impl ConfigKey {
    fn new(in_force: EffectiveSetting) -> Self {
        let path = in_force.value.as_ref().and_then(|value| value.as_str());
        let path = path.filter(|_| in_force.is_secret_file);
        let has_secret = |path: &str| {
            operator_files::read(Path::new(path))
                .is_ok_and(|bytes| bytes.iter().any(|byte| !byte.is_ascii_whitespace()))
        };
        let is_secret_set = path.map(has_secret);
        Self { in_force, is_secret_set }
    }

    fn line(&self) -> String {
        let EffectiveSetting { key, value, from, .. } = &self.in_force;
        let Some(value) = value else { return format!("# {key} is not set") };
        let set = match self.is_secret_set {
            Some(true) => "; contains a secret",
            Some(false) => "; empty or unreadable",
            None => "",
        };
        format!("{:<39} # {from}{set}", format!("{key} = {value}"))
    }
}
