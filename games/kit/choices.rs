//! Options and settings: what a game lets people choose, and what they chose.

use std::fmt::{self, Display};

/// One thing that can be chosen.
#[derive(Debug, PartialEq, Eq)]
pub struct Switch {
    /// The word players type, without its dash.
    pub name: &'static str,
    /// What it can be set to.
    pub values: Values,
    /// What it does, in a line.
    pub help: &'static str,
}

/// What a switch can be set to.
#[derive(Debug, PartialEq, Eq)]
pub enum Values {
    /// Off unless named: `-large`.
    Flag,
    /// One of these words, the default first: `-score=123|12`.
    OneOf(&'static [&'static str]),
    /// A whole number in a range: `-match=5`.
    Number {
        /// The smallest allowed.
        min: u32,
        /// The largest allowed.
        max: u32,
        /// What holds when nothing is said.
        default: u32,
    },
}

/// A player's own choice, with how far it reaches.
#[derive(Debug)]
pub struct Setting {
    /// What is chosen.
    pub switch: Switch,
    /// Where it holds.
    pub scope: Scope,
}

/// How far a setting reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// On one board.
    Board,
    /// On all boards of the game, present and future.
    Game,
}

/// Values taken, each checked against its [`Switch`]; what is not named has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices(Vec<(&'static str, String)>);

/// Why a word is not an option of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// No option has that name.
    Unknown(String),
    /// The option does not take that value; the text says what it takes.
    Value {
        /// The option's name.
        name: &'static str,
        /// What it takes: `one of 123, 12`.
        takes: String,
    },
    /// The option was named before.
    Twice(&'static str),
    /// Two options that exclude each other were named.
    Together(&'static str, &'static str),
}

impl Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(word) => write!(f, "there is no option `{word}`"),
            Self::Value { name, takes } => write!(f, "option `-{name}` takes {takes}"),
            Self::Twice(name) => write!(f, "option `-{name}` is given twice"),
            Self::Together(a, b) => write!(f, "options `-{a}` and `-{b}` exclude each other"),
        }
    }
}

impl std::error::Error for OptionError {}

impl Choices {
    /// Takes option words such as `-large` or `-score=12`, with or without their dash.
    ///
    /// # Errors
    /// The first word that is no option, has a wrong value, or contradicts another.
    pub fn parse<'a>(
        switches: &'static [Switch],
        exclusive: &'static [&'static [&'static str]],
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, OptionError> {
        let mut taken = Self::default();
        for word in words {
            let bare = word.trim_start_matches('-');
            let (name, value) = bare.split_once('=').map_or((bare, None), |(n, v)| (n, Some(v)));
            let switch = switches
                .iter()
                .find(|switch| switch.name.eq_ignore_ascii_case(name))
                .ok_or_else(|| OptionError::Unknown(word.to_owned()))?;
            if taken.get(switch.name).is_some() {
                return Err(OptionError::Twice(switch.name));
            }
            let clash = exclusive
                .iter()
                .filter(|group| group.contains(&switch.name))
                .flat_map(|group| group.iter())
                .find(|other| taken.get(other).is_some());
            if let Some(other) = clash {
                return Err(OptionError::Together(other, switch.name));
            }
            taken.0.push((switch.name, switch.values.check(switch.name, value)?));
        }
        Ok(taken)
    }

    /// A single choice.
    ///
    /// # Errors
    /// The switch does not take that value.
    pub fn one(switch: &'static Switch, value: Option<&str>) -> Result<Self, OptionError> {
        Ok(Self(vec![(switch.name, switch.values.check(switch.name, value)?)]))
    }

    /// These choices and those, which hold where both say something.
    #[must_use]
    pub fn and(mut self, those: &Self) -> Self {
        self.0.retain(|(name, _)| those.get(name).is_none());
        self.0.extend(those.0.iter().cloned());
        self
    }

    /// These choices but that one.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.0.retain(|(taken, _)| *taken != name);
        self
    }

    /// The value taken for a switch, if it was named.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }

    /// Whether a flag was named.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The choices as words a challenge understands: `-large`, `-score=12`.
    pub fn words(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(name, value)| match value.as_str() {
            "" => format!("-{name}"),
            _ => format!("-{name}={value}"),
        })
    }
}

impl Values {
    fn check(&self, name: &'static str, value: Option<&str>) -> Result<String, OptionError> {
        let takes = |takes: String| OptionError::Value { name, takes };
        match (self, value) {
            (Self::Flag, None) => Ok(String::new()),
            (Self::Flag, Some(_)) => Err(takes("no value".into())),
            (Self::OneOf(words), value) => words
                .iter()
                .find(|word| value.is_some_and(|value| word.eq_ignore_ascii_case(value)))
                .map(|word| (*word).to_owned())
                .ok_or_else(|| takes(format!("one of {}", words.join(", ")))),
            (Self::Number { min, max, .. }, value) => value
                .and_then(|value| value.parse::<u32>().ok())
                .filter(|number| (min..=max).contains(&number))
                .map(|number| number.to_string())
                .ok_or_else(|| takes(format!("a number from {min} to {max}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SWITCHES: &[Switch] = &[
        Switch { name: "large", values: Values::Flag, help: "" },
        Switch { name: "d4", values: Values::Flag, help: "" },
        Switch { name: "d6", values: Values::Flag, help: "" },
        Switch { name: "score", values: Values::OneOf(&["123", "12"]), help: "" },
        Switch { name: "match", values: Values::Number { min: 1, max: 99, default: 1 }, help: "" },
    ];

    fn parse(words: &str) -> Result<Choices, OptionError> {
        Choices::parse(SWITCHES, &[&["d4", "d6"]], words.split_whitespace())
    }

    #[test]
    fn takes_what_is_declared_and_says_what_is_not() {
        let taken = parse("-Large score=12 -match=7").unwrap();
        assert_eq!(taken.words().collect::<Vec<_>>(), ["-large", "-score=12", "-match=7"]);
        assert!(taken.has("large") && !taken.has("d4"));
        for (words, answer) in [
            ("-huge", "there is no option `-huge`"),
            ("-large=yes", "option `-large` takes no value"),
            ("-score=5", "option `-score` takes one of 123, 12"),
            ("-match=0", "option `-match` takes a number from 1 to 99"),
            ("-match", "option `-match` takes a number from 1 to 99"),
            ("-large -large", "option `-large` is given twice"),
            ("-d6 -d4", "options `-d6` and `-d4` exclude each other"),
        ] {
            assert_eq!(parse(words).unwrap_err().to_string(), answer);
        }
    }
}
