//! Preferences of a user for the whole server.
//!
//! A new preference is its definition here, its entry in [`PREFERENCES`] and its name in
//! `preference_names`. Code reads it with `user.preferences.is_on(&WORDS)`.

use serde::de::Error as _;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A preference for the whole server.
#[derive(Debug, PartialEq, Eq)]
pub struct Preference {
    /// Its name, in `set` and in the document.
    pub name: &'static str,
    /// The possible values.
    pub values: &'static [PreferenceValue],
    /// The index of the default value.
    usual: usize,
    /// Whether documents contain even the default, if they contain any preference.
    always_written: bool,
}

/// A value of a preference.
#[derive(Debug, PartialEq, Eq)]
pub struct PreferenceValue {
    /// Its name.
    pub name: &'static str,
    /// The confirmation of this choice, after `From now on`.
    pub told: &'static str,
}

const fn on(told: &'static str) -> PreferenceValue {
    PreferenceValue { name: "on", told }
}

/// The value of [`MAILS`] for a digest.
const DAILY: &str = "daily";

/// The value of [`MAILS`] for one mail about all boards moved in a run.
const TOGETHER: &str = "together";

/// The value of [`MAILS`] for mails about boards that wait for the reader.
const TURN: &str = "turn";

/// The value of [`WORDS`] that omits pictures.
const ONLY: &str = "only";

const fn off(told: &'static str) -> PreferenceValue {
    PreferenceValue { name: "off", told }
}

/// All preferences, in the order of help pages and documents.
pub const PREFERENCES: &[&Preference] = &[
    &HTML,
    &BROADCAST,
    &REMINDERS,
    &MAILS,
    &EVENTS,
    &DIGEST_HOUR,
    &QUIET,
    &CALENDAR,
    &LANGUAGE,
    &WORDS,
    &PICTURE,
    &PROOFS,
    &NEXT,
    &THEME,
    &MEN,
    &AUTOVACATION,
    &PACE,
    &WELCOME,
];

/// The preferences about boards on pages.
pub const PAGE_PREFERENCES: &[&Preference] = &[&THEME, &MEN];

/// The preferences that a user's profile shows.
pub const PROFILE_PREFERENCES: &[&Preference] = &[&PACE, &WELCOME];

/// The names of all preferences. A macro, because `concat!` needs a literal.
macro_rules! preference_names {
    () => {
        "html, broadcast, reminders, mails, events, digesthour, quiet, calendar, language, words, picture, proofs, next, theme, men, autovacation, pace, welcome"
    };
}
pub(crate) use preference_names;

/// Whether mails have an HTML part.
pub static HTML: Preference = Preference {
    name: "html",
    values: &[on("your mails have an HTML part."), off("your mails are plain text only.")],
    usual: 0,
    always_written: true,
};

/// Whether the user gets broadcasts.
pub static BROADCAST: Preference = Preference {
    name: "broadcast",
    values: &[on("you get broadcasts of other users."), off("you get no broadcasts.")],
    usual: 0,
    always_written: true,
};

/// Whether the user gets reminders.
pub static REMINDERS: Preference = Preference {
    name: "reminders",
    values: &[
        on("you get reminders of boards where it is your turn."),
        off(
            "you get no reminders. Your clocks keep running: if you do not move in time, you lose, \
             and a draw offer that you do not answer counts as accepted.",
        ),
    ],
    usual: 0,
    always_written: false,
};

/// Whether mails about boards come one by one or together.
pub static MAILS: Preference = Preference {
    name: "mails",
    values: &[
        PreferenceValue { name: "each", told: "you get a mail about each move of your opponents." },
        PreferenceValue {
            name: TURN,
            told: "you get a mail about a board when it is your turn there, when you are asked or \
                   told something, and when the game is over.",
        },
        PreferenceValue {
            name: TOGETHER,
            told: "news of several boards that come together are one mail, and so are reminders.",
        },
        PreferenceValue {
            name: DAILY,
            told: "you get one mail a day about all boards with news. `digesthour` chooses the hour. \
                   Reminders still come at once, those of several boards in one mail.",
        },
        off(
            "you get no news of your boards by mail. Reminders still come, and answers to your own \
             mails.",
        ),
    ],
    usual: 0,
    always_written: false,
};

/// Whether the user gets mails about tournaments and ladders.
pub static EVENTS: Preference = Preference {
    name: "events",
    values: &[
        on("you get mails about your tournaments and ladders."),
        off("you get no mails about your tournaments and ladders. Mails about your games in them \
             still come, and answers to your own mails."),
    ],
    usual: 0,
    always_written: false,
};

/// Builds the values of an hour of the day.
macro_rules! hours {
    ($($hour:literal)*) => {
        &[$(PreferenceValue {
            name: stringify!($hour),
            told: concat!("your daily mail comes at ", $hour, ":00, your time."),
        }),*]
    };
}

/// The hour of the daily mail, in the user's time zone.
pub static DIGEST_HOUR: Preference = Preference {
    name: "digesthour",
    values: hours!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23),
    usual: 18,
    always_written: false,
};

/// Whether news wait while the user plays in a browser.
pub static QUIET: Preference = Preference {
    name: "quiet",
    values: &[
        on(
            "while you play in a browser, and for 15 minutes afterwards, no news of your boards are \
            mailed. Boards that still wait for you then come in one mail.",
        ),
        off("news of your boards are mailed even while you play in a browser."),
    ],
    usual: 1,
    always_written: false,
};

/// Whether mails about boards contain the reader's deadlines for their calendar.
pub static CALENDAR: Preference = Preference {
    name: "calendar",
    values: &[
        on("mails about boards that wait for you have your deadlines as a file for your calendar."),
        off("your mails have no file for your calendar."),
    ],
    usual: 1,
    always_written: false,
};

/// The language of mails.
pub static LANGUAGE: Preference = Preference {
    name: "language",
    values: &[PreferenceValue { name: "en", told: "your mails are in English." }],
    usual: 0,
    always_written: true,
};

/// Whether mails describe boards in words, beside pictures or instead of them.
pub static WORDS: Preference = Preference {
    name: "words",
    values: &[
        on("your mails describe each board in words, above its picture."),
        PreferenceValue {
            name: ONLY,
            told: "your mails describe boards in words, without pictures.",
        },
        off("your mails have pictures without descriptions in words."),
    ],
    usual: 2,
    always_written: false,
};

/// How the HTML part of a mail shows boards. Most mail programs show a PNG inside the mail at once
/// and read its alternative text aloud; the text part always has the board.
pub static PICTURE: Preference = Preference {
    name: "picture",
    values: &[
        PreferenceValue { name: "png", told: "boards are drawn as pictures inside your mails." },
        PreferenceValue { name: "table", told: "boards are drawn as tables, without pictures." },
        off("the HTML part of your mails has no boards."),
    ],
    usual: 0,
    always_written: false,
};

/// Whether mails about a board contain the proofs of its dice.
pub static PROOFS: Preference = Preference {
    name: "proofs",
    values: &[
        on("each mail about a board proves its new rolls, and the last one all of them."),
        off("your mails have no proofs of dice. To get them, send `<game> proof <board>`."),
    ],
    usual: 1,
    always_written: false,
};

/// Whether a move in a browser leads to the next board that waits.
pub static NEXT: Preference = Preference {
    name: "next",
    values: &[
        on(
            "a move leads to your next board that waits for you: in your browser, and in the answer to \
            a mail.",
        ),
        off("after a move you stay on its board."),
    ],
    usual: 1,
    always_written: false,
};

/// The colours of boards on pages.
pub static THEME: Preference = Preference {
    name: "theme",
    values: &[
        PreferenceValue { name: "classic", told: "boards on pages look like paper." },
        PreferenceValue { name: "wood", told: "boards on pages look like wood." },
        PreferenceValue { name: "green", told: "boards on pages look like green cloth." },
    ],
    usual: 0,
    always_written: false,
};

/// The colours of men on pages.
pub static MEN: Preference = Preference {
    name: "men",
    values: &[
        PreferenceValue {
            name: "ivory",
            told: "men on pages are ivory and blue, lights are green and red.",
        },
        PreferenceValue {
            name: "stone",
            told: "men on pages are white and black, and one light is darker than the other.",
        },
    ],
    usual: 0,
    always_written: false,
};

/// Whether a vacation begins by itself before the user would lose on time.
pub static AUTOVACATION: Preference = Preference {
    name: "autovacation",
    values: &[
        on(
            "a day of vacation is taken for you before you would lose on time, as long as you have \
             days left this year. You get a mail on each of these days.",
        ),
        off("your vacations begin only when you say so."),
    ],
    usual: 1,
    always_written: false,
};

/// How often the user moves.
pub static PACE: Preference = Preference {
    name: "pace",
    values: &[
        PreferenceValue { name: "any", told: "your profile does not tell how often you move." },
        PreferenceValue {
            name: "fast",
            told: "your profile tells that you make several moves a day.",
        },
        PreferenceValue {
            name: "daily",
            told: "your profile tells that you make about a move a day.",
        },
        PreferenceValue {
            name: "slow",
            told: "your profile tells that you make a few moves a week.",
        },
    ],
    usual: 0,
    always_written: false,
};

/// Whether new players are offered the user as an opponent, and the user is told of them.
pub static WELCOME: Preference = Preference {
    name: "welcome",
    values: &[
        on(
            "you welcome newcomers: your profile says so, new players read that they can challenge \
             you, and you get a mail about one of them a day at most.",
        ),
        off("new players are not told of you, nor you of them."),
    ],
    usual: 1,
    always_written: false,
};

impl Preference {
    /// Finds a preference by name.
    pub fn find(name: &str) -> Option<&'static Self> {
        PREFERENCES.iter().copied().find(|one| one.name.eq_ignore_ascii_case(name))
    }

    /// Returns the choice of a value by name.
    pub fn choose(&'static self, value: &str) -> Option<PreferenceChoice> {
        let is_it = |one: &&PreferenceValue| one.name.eq_ignore_ascii_case(value);
        Some(PreferenceChoice { preference: self, value: self.values.iter().find(is_it)? })
    }

    /// Returns its values for a list of usages: `on|off`, or the first and the last of many.
    pub fn usage(&self) -> String {
        let names: Vec<&str> = self.values.iter().map(|value| value.name).collect();
        match names[..] {
            [first, .., last] if names.len() > 12 => format!("{first}-{last}"),
            _ => names.join("|"),
        }
    }

    /// Returns the value of users who have not chosen one.
    pub fn default_value(&self) -> &'static PreferenceValue {
        &self.values[self.usual]
    }

    fn place(&self) -> usize {
        let place = PREFERENCES.iter().position(|one| *one == self);
        place.expect("the table contains every preference")
    }
}

/// A chosen value of a preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreferenceChoice {
    /// The preference.
    pub preference: &'static Preference,
    /// The value.
    pub value: &'static PreferenceValue,
}

/// The values of all preferences of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preferences([&'static PreferenceValue; PREFERENCES.len()]);

impl Default for Preferences {
    fn default() -> Self {
        Self(std::array::from_fn(|place| PREFERENCES[place].default_value()))
    }
}

impl Preferences {
    /// Returns whether a preference is on.
    pub fn is_on(&self, preference: &Preference) -> bool {
        self.0[preference.place()].name == "on"
    }

    /// Returns the chosen value.
    pub fn chosen(&self, preference: &Preference) -> &'static PreferenceValue {
        self.0[preference.place()]
    }

    /// Returns whether boards are described in words.
    pub fn wants_words(&self) -> bool {
        self.is_on(&WORDS) || self.wants_words_only()
    }

    /// Returns whether news of boards come in one mail a day.
    pub fn wants_digest(&self) -> bool {
        self.chosen(&MAILS).name == DAILY
    }

    /// Returns whether the news of several boards that come together are one mail.
    pub fn wants_mails_together(&self) -> bool {
        self.chosen(&MAILS).name == TOGETHER
    }

    /// Returns whether the user gets only mails about boards that wait for them.
    pub fn wants_turns_only(&self) -> bool {
        self.chosen(&MAILS).name == TURN
    }

    /// Returns whether boards are described in words and not drawn.
    pub fn wants_words_only(&self) -> bool {
        self.chosen(&WORDS).name == ONLY
    }

    /// Applies a choice.
    pub fn choose(&mut self, PreferenceChoice { preference, value }: PreferenceChoice) {
        self.0[preference.place()] = value;
    }

    /// Returns whether the user gets this kind of mail.
    pub fn wants(&self, what: OptOut) -> bool {
        self.chosen(what.preference()) != what.choice().value
    }
}

impl Serialize for Preferences {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (one, value) in PREFERENCES.iter().zip(self.0) {
            match value.name {
                _ if !one.always_written && value == one.default_value() => {}
                "on" => map.serialize_entry(one.name, &true)?,
                "off" => map.serialize_entry(one.name, &false)?,
                name => map.serialize_entry(one.name, name)?,
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Preferences {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut preferences = Self::default();
        for (name, value) in BTreeMap::<String, Json>::deserialize(deserializer)? {
            let value = match &value {
                Json::Bool(true) => "on",
                Json::Bool(false) => "off",
                other => other.as_str().unwrap_or_default(),
            };
            let chosen = Preference::find(&name).and_then(|one| one.choose(value));
            let unknown = || D::Error::custom(format!("`{name}` cannot have this value"));
            preferences.choose(chosen.ok_or_else(unknown)?);
        }
        Ok(preferences)
    }
}

/// Kinds of mail that users can opt out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptOut {
    /// Reminders of boards that wait for the user.
    Reminders,
    /// Messages of a user to everybody.
    Broadcasts,
    /// News of the user's boards.
    Boards,
    /// News of the user's tournaments and ladders.
    Events,
    /// Mails about new players, to a user who welcomes them.
    Newcomers,
}

impl OptOut {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Reminders, Self::Broadcasts, Self::Boards, Self::Events, Self::Newcomers];

    /// Returns the preference for this kind of mail.
    pub fn preference(self) -> &'static Preference {
        match self {
            Self::Reminders => &REMINDERS,
            Self::Broadcasts => &BROADCAST,
            Self::Boards => &MAILS,
            Self::Events => &EVENTS,
            Self::Newcomers => &WELCOME,
        }
    }

    /// Returns the value with which the user gets such mails again.
    pub fn usual(self) -> &'static str {
        self.preference().values[0].name
    }

    /// Returns the choice that opts out.
    pub fn choice(self) -> PreferenceChoice {
        self.preference().choose("off").expect("mails can be turned off")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_the_table() {
        let names: Vec<&str> = PREFERENCES.iter().map(|one| one.name).collect();
        assert_eq!(names.join(", "), preference_names!());
    }

    #[test]
    fn documents_of_earlier_programs_are_read_and_written_as_they_were() {
        for text in [
            r#"{"html":true,"broadcast":true,"language":"en"}"#,
            r#"{"html":false,"broadcast":true,"language":"en","words":true}"#,
            r#"{"html":true,"broadcast":false,"reminders":false,"language":"en"}"#,
        ] {
            let preferences: Preferences = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&preferences).unwrap(), text);
        }
        let few: Preferences = serde_json::from_str(r#"{"html":false}"#).unwrap();
        assert!(!few.is_on(&HTML) && few.is_on(&BROADCAST) && !few.wants_words());
        for text in [r#"{"htm":true}"#, r#"{"html":"en"}"#, r#"{"language":true}"#, "[]"] {
            assert!(serde_json::from_str::<Preferences>(text).is_err(), "{text}");
        }
    }
}
