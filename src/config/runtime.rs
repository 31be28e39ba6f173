//! The settings that administrators may change while the server runs: limits that are safe in every
//! allowed value. Nothing about machines, addresses, files or secrets is among them.

use super::keys::ValueType;
use super::{Config, ConfigOrigin, LayeredConfig, keys};
use toml::Value;
use toml_edit::DocumentMut;

/// The section of the settings.
const SECTION: &str = "limits";

/// The settings, with what they mean.
const SETTINGS: [(&str, &str); 5] = [
    ("signup", "People may sign up"),
    ("mails_a_day", "Mails to one address in a day, at most"),
    ("program_moves", "Moves of the program at its highest level for one mail, at most"),
    ("bad_days", "Days for which bad mails of strangers are kept"),
    ("report_days", "Days for which the words of a settled report are kept"),
];

/// A setting that may be changed while the server runs.
#[derive(Clone, Debug, PartialEq)]
pub struct RuntimeSetting {
    /// Its key in the section `[limits]`.
    pub key: &'static str,
    /// What it means.
    pub label: &'static str,
    /// The value: a flag or a whole number.
    pub value: Value,
    /// The environment variable that sets it, so that it cannot be changed in the file.
    pub variable: Option<String>,
}

/// Returns the settings of a configuration.
pub fn runtime_settings(layered: &LayeredConfig) -> Vec<RuntimeSetting> {
    let setting = |(key, label): (&'static str, &'static str)| {
        let name = keys::full(SECTION, key);
        let found = layered.in_force.iter().find(|it| it.key == name)?;
        let variable = match &found.from {
            ConfigOrigin::Variable(name) => Some(name.clone()),
            ConfigOrigin::Line(_) | ConfigOrigin::Credential(_) | ConfigOrigin::Default => None,
        };
        Some(RuntimeSetting { key, label, value: found.value.clone()?, variable })
    };
    SETTINGS.into_iter().filter_map(setting).collect()
}

/// Returns the text of a configuration with another value of a setting. Comments and all other keys stay.
///
/// # Errors
/// There is no such setting, or its value is not one that it may have.
pub fn with_runtime_setting(text: &str, key: &str, value: &str) -> Result<String, String> {
    let is_setting = SETTINGS.iter().any(|(known, _)| *known == key);
    let kind = keys::all().find(|(section, known, _)| *section == SECTION && *known == key);
    let value: toml_edit::Value = match kind.filter(|_| is_setting) {
        Some((.., ValueType::Flag)) => match value {
            "true" => true.into(),
            "false" => false.into(),
            _ => return Err(format!("{key} is either on or off")),
        },
        Some((.., ValueType::Whole)) => {
            let number: i64 = value.parse().map_err(|_| format!("{key} is a whole number"))?;
            number.into()
        }
        _ => return Err("there is no such setting".into()),
    };
    let mut document: DocumentMut = text.parse().map_err(|_| "invalid TOML".to_owned())?;
    let section = document.entry(SECTION).or_insert(toml_edit::table());
    let section = section.as_table_mut().ok_or("`limits` must be a section")?;
    match section.get_mut(key).and_then(toml_edit::Item::as_value_mut) {
        Some(known) => {
            let decor = known.decor().clone();
            *known = value;
            *known.decor_mut() = decor;
        }
        None => {
            section.insert(key, toml_edit::value(value));
        }
    }
    let text = document.to_string();
    Config::read(&text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SAMPLE;
    use crate::store::settings::ProcessEnv;

    #[test]
    fn one_value_changes_and_the_rest_stays() {
        let text = with_runtime_setting(SAMPLE, "mails_a_day", "77").unwrap();
        assert_eq!(text, SAMPLE.replace("mails_a_day = 200", "mails_a_day = 77"));
        let text =
            with_runtime_setting("address = \"g@example.org\"\n", "signup", "false").unwrap();
        assert!(!Config::read(&text).unwrap().limits.signup);
        let commented = "address = \"g@example.org\"\n[limits]\nbad_days = 3 # few\n";
        let text = with_runtime_setting(commented, "bad_days", "5").unwrap();
        assert!(text.ends_with("bad_days = 5 # few\n"), "{text}");
    }

    #[test]
    fn other_keys_and_values_are_refused() {
        for (key, value) in [
            ("mails_a_day", "0"),
            ("mails_a_day", "many"),
            ("mails_a_day", "1\nby = \"smtp\""),
            ("program_moves", "-1"),
            ("signup", "maybe"),
            ("address", "x@example.org"),
            ("deliver.by", "nothing"),
            ("bad_mails", "5"),
        ] {
            assert!(with_runtime_setting(SAMPLE, key, value).is_err(), "{key} {value}");
        }
    }

    #[test]
    fn a_variable_of_the_environment_is_named() {
        let variables = vec![("POSTBOARD_LIMITS_MAILS_A_DAY".into(), "5".into())];
        let around = ProcessEnv { variables, credentials: Vec::new() };
        let settings = runtime_settings(&Config::layered(SAMPLE, &around).unwrap());
        assert_eq!(settings.len(), SETTINGS.len());
        let of = |key: &str| settings.iter().find(|it| it.key == key).unwrap();
        assert_eq!(of("mails_a_day").value, Value::Integer(5));
        assert_eq!(of("mails_a_day").variable.as_deref(), Some("POSTBOARD_LIMITS_MAILS_A_DAY"));
        assert_eq!(of("signup").variable, None);
    }
}
