//! Options of a board and settings of a player: which values exist and which were chosen.

use super::text::is_dash;
use std::fmt::{self, Display};
use std::slice;

/// An option or setting.
#[derive(Debug)]
pub struct Switch {
    /// The name that players type, without its dash; a two-word name has a space.
    pub name: &'static str,
    /// The allowed values.
    pub values: Values,
    /// The effect, in a line.
    pub help: &'static str,
}

impl Switch {
    /// Creates a switch without values: off unless named.
    pub const fn flag(name: &'static str, help: &'static str) -> Self {
        Self { name, values: Values::Flag, help }
    }

    /// Creates a switch that takes one of these words, the default first.
    pub const fn one_of(
        name: &'static str,
        words: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self { name, values: Values::OneOf(words), help }
    }

    /// Returns the chosen number of this switch, or its default; 0 where it takes no number.
    pub fn number(&self, chosen: &Choices) -> u32 {
        let Values::Number { default, .. } = self.values else { return 0 };
        chosen.get(self.name).and_then(|number| number.parse().ok()).unwrap_or(default)
    }

    /// Returns whether an option word names this switch, with or without dashes and in any case.
    pub fn is_named(&self, word: &str) -> bool {
        let name = word.trim_start_matches(is_dash).split('=').next().unwrap_or_default();
        self.name.trim_start_matches('-').eq_ignore_ascii_case(name)
    }

    /// Takes an option off the front of `words`: any word that begins with a dash, in any form that
    /// keyboards and mail programs give it, and its value, which follows `=` or is the next word.
    /// Returns the option with plain dashes and `=`.
    pub fn take(known: &[&'static [Self]], words: &mut slice::Iter<&str>) -> Option<String> {
        let (&word, rest) = words.as_slice().split_first()?;
        let name = word.trim_start_matches(is_dash);
        let dashes = &word[..word.len() - name.len()];
        if dashes.is_empty() {
            return None;
        }
        *words = rest.iter();
        // A mail program may have turned two typed dashes into a long one.
        let dashes =
            if dashes == "-" || dashes == "\u{2013}" || dashes == "\u{2212}" { "-" } else { "--" };
        let mut option = format!("{dashes}{name}");
        let mut all = known.iter().flat_map(|switches| switches.iter());
        let Some(switch) = all.find(|switch| switch.is_named(word)) else { return Some(option) };
        if !matches!(switch.values, Values::Flag) {
            if !option.contains('=') && words.as_slice().first().is_some_and(|w| w.starts_with('='))
            {
                option.extend(words.next().copied());
            }
            let is_open = !option.contains('=') || option.ends_with('=');
            let next = words.as_slice().first().filter(|next| switch.values.could_be(next));
            if let Some(value) = next.filter(|_| is_open) {
                option = format!("{}={value}", option.trim_end_matches('='));
                words.next();
            }
        }
        Some(option)
    }
}

/// The allowed values of a switch.
#[derive(Debug)]
pub enum Values {
    /// No value; off unless named: `-large`.
    Flag,
    /// One of these words, the default first: `-score=123|12`.
    OneOf(&'static [&'static str]),
    /// A whole number within a range: `-match=5`.
    Number {
        /// The smallest allowed number.
        min: u32,
        /// The largest allowed number.
        max: u32,
        /// The value if the option is not named.
        default: u32,
    },
    /// A number in halves: `-komi=7.5`. The numbers here count halves.
    Halves {
        /// The largest allowed number.
        max: u32,
        /// The value if the option is not named.
        default: u32,
    },
    /// A position in another program's format: `-position=XGID=...`.
    Position {
        /// Checks a position; the error says what is wrong with it.
        read: fn(&str) -> Result<(), String>,
        /// The name of the format: `XGID`.
        format: &'static str,
        /// What is taken, as in "takes an XGID".
        takes: &'static str,
        /// A position, for tests that try every option.
        example: &'static str,
    },
}

/// The name of the option that sets the starting position.
pub const POSITION: &str = "position";

/// A setting of a player and the boards to which it applies.
#[derive(Debug)]
pub struct Setting {
    /// The switch.
    pub switch: Switch,
    /// The boards to which it applies.
    pub scope: Scope,
}

impl Setting {
    /// Reads a player's words as a change of a setting: `flip`, `flip on`, `noflip`, `flip off`,
    /// `sethome ul`. Returns `None` if the first word names no setting.
    ///
    /// # Errors
    /// The setting does not allow this value.
    pub fn read(
        settings: &'static [Self],
        words: &[&str],
    ) -> Option<Result<(&'static Self, Option<Choices>), OptionError>> {
        let (&first, rest) = words.split_first()?;
        let (name, value) = first.split_once('=').map_or((first, None), |(n, v)| (n, Some(v)));
        let named = |name: &str| {
            settings.iter().find(|setting| setting.switch.name.eq_ignore_ascii_case(name))
        };
        let denied = || {
            let of = named(name.get(2..).filter(|_| name[..2].eq_ignore_ascii_case("no"))?)?;
            matches!(of.switch.values, Values::Flag).then_some(of)
        };
        let (setting, is_denied) =
            named(name).map(|setting| (setting, false)).or_else(|| Some((denied()?, true)))?;
        let switch = &setting.switch;
        let value = match (value, rest, is_denied) {
            (None, [], true) => return Some(Ok((setting, None))),
            (None, [value], false) => Some(*value),
            (value, [], false) => value,
            _ => return Some(Err(setting.takes())),
        };
        let is = |word: &str| value.is_some_and(|value| value.eq_ignore_ascii_case(word));
        if is("off") {
            return Some(Ok((setting, None)));
        }
        let value = value.filter(|_| !(is("on") && matches!(switch.values, Values::Flag)));
        let choice = Choices::one(switch, value).map_err(|_| setting.takes());
        Some(choice.map(|choice| (setting, Some(choice))))
    }

    /// Returns the refusal of a wrong value. `off` always restores the default.
    fn takes(&self) -> OptionError {
        let takes = match &self.switch.values {
            Values::Flag => "on or off".into(),
            values => format!("{}, or off", values.takes()),
        };
        OptionError::Value { name: self.switch.name, takes }
    }
}

/// The boards to which a setting applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One board.
    Board,
    /// All boards of the game, present and future.
    Game,
}

/// Chosen values, each checked against its [`Switch`]. Switches that are not named have their
/// default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices(Vec<(&'static str, String)>);

/// Why a word is not a valid option of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// No option has this name.
    Unknown(String),
    /// The option does not allow the value.
    Value {
        /// The option's name.
        name: &'static str,
        /// The allowed values: `one of 123, 12`.
        takes: String,
    },
    /// The option is named twice.
    Twice(&'static str),
    /// The two options exclude each other.
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
    /// Parses option words such as `-large` or `-score=12`, with or without a dash.
    ///
    /// # Errors
    /// The first word that is not an option, has a wrong value or conflicts with an earlier option.
    pub fn parse<'a>(
        switches: &'static [Switch],
        exclusive: &'static [&'static [&'static str]],
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, OptionError> {
        let mut taken = Self::default();
        for word in words {
            let value = word.split_once('=').map(|(_, value)| value);
            let switch = switches
                .iter()
                .find(|switch| switch.is_named(word))
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

    /// Returns the choice of one switch.
    ///
    /// # Errors
    /// The switch does not allow this value.
    pub fn one(switch: &'static Switch, value: Option<&str>) -> Result<Self, OptionError> {
        Ok(Self(vec![(switch.name, switch.values.check(switch.name, value)?)]))
    }

    /// Parses settings such as `-flip` and `-sethome=ul`.
    ///
    /// # Errors
    /// The first word that is not a setting or has a wrong value.
    pub fn of_settings<'a>(
        settings: &'static [Setting],
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, OptionError> {
        words.into_iter().try_fold(Self::default(), |taken, word| {
            match Setting::read(settings, &[word.trim_start_matches(is_dash)]) {
                Some(Ok((_, choice))) => Ok(taken.and(&choice.unwrap_or_default())),
                Some(Err(error)) => Err(error),
                None => Err(OptionError::Unknown(word.to_owned())),
            }
        })
    }

    /// Merges `those` into these choices; `those` win.
    #[must_use]
    pub fn and(mut self, those: &Self) -> Self {
        self.0.retain(|(name, _)| those.get(name).is_none());
        self.0.extend(those.0.iter().cloned());
        self
    }

    /// Removes a choice.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.0.retain(|(taken, _)| *taken != name);
        self
    }

    /// Returns the chosen value of a switch.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }

    /// Returns whether a flag is set.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns the choices in the syntax of a challenge: `-large`, `-score=12`.
    pub fn words(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(name, value)| match value.as_str() {
            "" => format!("-{name}"),
            _ => format!("-{name}={value}"),
        })
    }
}

impl Values {
    /// Reads a number in halves, as in `7.5`, `7` and `.5`, and returns how many halves it has.
    pub fn halves_of(text: &str) -> Option<u32> {
        const LONGEST: usize = 8;
        let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, ""));
        let whole: u32 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        let half = match part.trim_end_matches('0') {
            "" => 0,
            "5" => 1,
            _ => return None,
        };
        (text.len() <= LONGEST).then(|| 2 * whole + half)
    }

    /// Writes a number of halves: `7.5`, `7`.
    pub fn of_halves(halves: u32) -> String {
        format!("{}{}", halves / 2, if halves % 2 == 1 { ".5" } else { "" })
    }

    fn check(&self, name: &'static str, value: Option<&str>) -> Result<String, OptionError> {
        if let (Self::Position { read, .. }, Some(value)) = (self, value) {
            return read(value).map(|()| value.to_owned()).map_err(|why| OptionError::Value {
                name,
                takes: format!("{}; {why}", self.takes()),
            });
        }
        let taken = match (self, value) {
            (Self::Flag, value) => value.is_none().then(String::new),
            (Self::OneOf(words), value) => words
                .iter()
                .find(|word| value.is_some_and(|value| word.eq_ignore_ascii_case(value)))
                .map(|word| (*word).to_owned()),
            (Self::Number { min, max, .. }, value) => value
                .and_then(|value| value.parse::<u32>().ok())
                .filter(|number| (min..=max).contains(&number))
                .map(|number| number.to_string()),
            (Self::Halves { max, .. }, value) => {
                value.and_then(Self::halves_of).filter(|number| number <= max).map(Self::of_halves)
            }
            (Self::Position { .. }, _) => None,
        };
        taken.ok_or_else(|| OptionError::Value { name, takes: self.takes() })
    }

    /// Returns whether a word after the switch looks like its value. It may still be out of range.
    fn could_be(&self, word: &str) -> bool {
        match self {
            Self::Flag => false,
            Self::OneOf(words) => words.iter().any(|known| known.eq_ignore_ascii_case(word)),
            Self::Number { .. } => word.bytes().all(|byte| byte.is_ascii_digit()),
            Self::Halves { .. } => Self::halves_of(word).is_some(),
            Self::Position { .. } => word.contains(':'),
        }
    }

    /// Returns a switch with its values as help shows them, joined by `tie`: `sethome ur|ul|ll|lr`,
    /// `-match=1..64`.
    pub fn written(&self, name: &str, tie: char) -> String {
        self.shown().map_or_else(|| name.to_owned(), |values| format!("{name}{tie}{values}"))
    }

    /// Returns the values as help shows them: `ur|ul|ll|lr`, `1..64`; `None` for a flag.
    pub fn shown(&self) -> Option<String> {
        match self {
            Self::Flag => None,
            Self::OneOf(words) => Some(words.join("|")),
            Self::Number { min, max, .. } => Some(format!("{min}..{max}")),
            Self::Halves { max, .. } => Some(format!("0..{}", Self::of_halves(*max))),
            Self::Position { format, .. } => Some((*format).to_owned()),
        }
    }

    /// Returns what is taken, as in "takes an XGID".
    fn takes(&self) -> String {
        match self {
            Self::Flag => "no value".into(),
            Self::OneOf(words) => format!("one of {}", words.join(", ")),
            Self::Number { min, max, .. } => format!("a number from {min} to {max}"),
            Self::Halves { max, .. } => {
                format!("a number from 0 to {} in halves, such as 6.5", Self::of_halves(*max))
            }
            Self::Position { takes, .. } => (*takes).to_owned(),
        }
    }
}

/// The setting of players who roll their own dice and make their own forced moves.
pub const MANUAL: Setting = Setting {
    switch: Switch::flag("manual", "you send `roll` and make forced moves yourself"),
    scope: Scope::Board,
};

#[cfg(test)]
mod tests {
    use super::*;

    const SWITCHES: &[Switch] = &[
        Switch::flag("large", ""),
        Switch::flag("d4", ""),
        Switch::flag("d6", ""),
        Switch { name: "score", values: Values::OneOf(&["123", "12"]), help: "" },
        Switch { name: "match", values: Values::Number { min: 1, max: 99, default: 1 }, help: "" },
        Switch { name: "komi", values: Values::Halves { max: 100, default: 15 }, help: "" },
    ];

    fn parse(words: &str) -> Result<Choices, OptionError> {
        Choices::parse(SWITCHES, &[&["d4", "d6"]], words.split_whitespace())
    }

    const SETTINGS: &[Setting] = &[
        Setting { switch: Switch::flag("flip", ""), scope: Scope::Game },
        Setting {
            switch: Switch { name: "home", values: Values::OneOf(&["ur", "ul"]), help: "" },
            scope: Scope::Game,
        },
    ];

    #[test]
    fn a_setting_is_turned_on_and_off_in_the_words_of_players() {
        let read = |words: &str| {
            let words: Vec<&str> = words.split_whitespace().collect();
            Setting::read(SETTINGS, &words).map(|read| {
                read.map(|(setting, choice)| {
                    let choice = choice.map(|choice| choice.words().collect::<Vec<_>>().join(" "));
                    format!("{}: {}", setting.switch.name, choice.unwrap_or_default())
                })
                .map_err(|error| error.to_string())
            })
        };
        for (words, answer) in [
            ("flip", Ok("flip: -flip")),
            ("FLIP on", Ok("flip: -flip")),
            ("noflip", Ok("flip: ")),
            ("flip off", Ok("flip: ")),
            ("home UL", Ok("home: -home=ul")),
            ("home=ul", Ok("home: -home=ul")),
            ("home off", Ok("home: ")),
            ("home", Err("option `-home` takes one of ur, ul, or off")),
            ("home on", Err("option `-home` takes one of ur, ul, or off")),
            ("flip often", Err("option `-flip` takes on or off")),
            ("noflip on", Err("option `-flip` takes on or off")),
            ("flip on off", Err("option `-flip` takes on or off")),
        ] {
            assert_eq!(read(words), Some(answer.map(str::to_owned).map_err(str::to_owned)));
        }
        for words in ["", "nohome", "no", "flipp", "n\u{e9}"] {
            assert_eq!(read(words), None, "{words}");
        }
        let of = |words: &[&str]| Choices::of_settings(SETTINGS, words.iter().copied());
        let taken = of(&["-flip", "-home=ur"]).unwrap();
        assert_eq!(taken.words().collect::<Vec<_>>(), ["-flip", "-home=ur"]);
        let changed = taken.and(&of(&["-home=ul"]).unwrap()).without("flip");
        assert_eq!(changed.words().collect::<Vec<_>>(), ["-home=ul"]);
        assert!(of(&["-flop"]).is_err());
    }

    #[test]
    fn an_option_is_taken_with_its_value_however_it_is_typed() {
        for (words, option, left) in [
            ("-large alice", "-large", "alice"),
            ("\u{2013}large", "-large", ""),
            ("\u{2212}LARGE", "-LARGE", ""),
            ("\u{2014}large", "--large", ""),
            ("\u{2013}\u{2013}match=3 x", "--match=3", "x"),
            ("--match 3 alice", "--match=3", "alice"),
            ("-match= 3 alice", "-match=3", "alice"),
            ("-match =3 alice", "-match=3", "alice"),
            ("-match = 3 alice", "-match=3", "alice"),
            ("\u{2014}match 0", "--match=0", ""),
            ("-match alice 3", "-match", "alice 3"),
            ("-komi 6.5 3", "-komi=6.5", "3"),
            ("-komi alice", "-komi", "alice"),
            ("-match -large", "-match", "-large"),
            ("-score 12 31", "-score=12", "31"),
            ("-score 5", "-score", "5"),
            ("-large 3", "-large", "3"),
            ("-huge 3", "-huge", "3"),
        ] {
            let all: Vec<&str> = words.split_whitespace().collect();
            let mut words = all.iter();
            assert_eq!(Switch::take(&[SWITCHES], &mut words).as_deref(), Some(option), "{all:?}");
            assert_eq!(words.as_slice().join(" "), left, "{all:?}");
        }
        assert_eq!(Switch::take(&[SWITCHES], &mut ["alice", "-large"].iter()), None);
        assert_eq!(Switch::take(&[SWITCHES], &mut [].iter()), None);
    }

    #[test]
    fn what_an_option_can_be_set_to_is_shown_beside_its_name() {
        let written =
            |tie| SWITCHES.iter().map(move |switch| switch.values.written(switch.name, tie));
        let options: Vec<String> = written('=').collect();
        assert_eq!(options, ["large", "d4", "d6", "score=123|12", "match=1..99", "komi=0..50"]);
        assert_eq!(written(' ').next_back().as_deref(), Some("komi 0..50"));
    }

    #[test]
    fn takes_what_is_declared_and_says_what_is_not() {
        let taken = parse("-Large score=12 -match=7").unwrap();
        assert_eq!(taken.words().collect::<Vec<_>>(), ["-large", "-score=12", "-match=7"]);
        assert!(taken.has("large") && !taken.has("d4"));
        for (words, komi) in
            [("-komi=7.50", "7.5"), ("komi=6,5", "6.5"), ("-komi=.5", "0.5"), ("-komi=8.0", "8")]
        {
            assert_eq!(parse(words).unwrap().get("komi"), Some(komi), "{words}");
        }
        for (words, answer) in [
            ("-huge", "there is no option `-huge`"),
            ("-large=yes", "option `-large` takes no value"),
            ("-score=5", "option `-score` takes one of 123, 12"),
            ("-match=0", "option `-match` takes a number from 1 to 99"),
            ("-match", "option `-match` takes a number from 1 to 99"),
            ("-komi=51", "option `-komi` takes a number from 0 to 50 in halves, such as 6.5"),
            ("-komi=6.3", "option `-komi` takes a number from 0 to 50 in halves, such as 6.5"),
            (
                "-komi=4294967295.5",
                "option `-komi` takes a number from 0 to 50 in halves, such as 6.5",
            ),
            ("-large -large", "option `-large` is given twice"),
            ("-d6 -d4", "options `-d6` and `-d4` exclude each other"),
        ] {
            assert_eq!(parse(words).unwrap_err().to_string(), answer);
        }
    }
}
