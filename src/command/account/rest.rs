//! `timezone`, `weekend` and `night`: a player's time zone, and the days of the week and the hours of
//! the night at which their clocks stop.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::base::words::near;
use crate::base::zone::{Zone, ZoneError};
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, UserProof, Verb,
    VerbScope, authenticate_in_any_reply,
};
use crate::model::clock::{LONGEST_NIGHT, MOST_DAYS, Night, Rest, Weekdays, change_rest};
use crate::model::user::{User, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{Refusal, RestRefusal};
use crate::reply::SettingAnswer;

pub(crate) const TIMEZONE: Verb = Verb {
    name: "timezone",
    aliases: &["tz"],
    scope: VerbScope::Server,
    usage: "<userid> <password> <place>|none",
    about: "tell deadlines in your own time: `timezone Berlin`, `timezone New York`",
    reply: Some(ReplyScope::User),
    parse: |_, words| parse(words, Subject::Zone),
};

pub(crate) const WEEKEND: Verb = Verb {
    name: "weekend",
    aliases: &["weekends"],
    scope: VerbScope::Server,
    usage: "<userid> <password> off|none|<day> [<day>]",
    about: "stop your clocks on Saturday and Sunday, or on other days of each week",
    reply: Some(ReplyScope::User),
    parse: |_, words| parse(words, Subject::Days),
};

pub(crate) const NIGHT: Verb = Verb {
    name: "night",
    aliases: &["nights"],
    scope: VerbScope::Server,
    usage: "<userid> <password> <from>-<to>|none",
    about: "stop your clocks every night, at most ten hours: `night 22-7`",
    reply: Some(ReplyScope::User),
    parse: |_, words| parse(words, Subject::Night),
};

/// What a command chooses.
#[derive(Clone, Copy, Debug)]
enum Subject {
    Zone,
    Days,
    Night,
}

#[derive(Debug)]
struct RestCommand {
    user: UserId,
    proof: UserProof,
    subject: Subject,
    /// The words that name a place, days or hours; none to end the choice.
    words: Option<String>,
}

/// Returns the verb that `set` can name as if it were a preference.
pub(super) fn verb_of_option(word: &str) -> Option<&'static Verb> {
    [&TIMEZONE, &WEEKEND, &NIGHT].into_iter().find(|verb| verb.is_named(word))
}

/// Parses what follows a verb of this file, after the userid and the password.
pub(super) fn parse_choice(
    user: UserId,
    proof: UserProof,
    verb: &Verb,
    words: &mut Arguments,
) -> ParsedCommand {
    let subject = match verb.name {
        name if name == TIMEZONE.name => Subject::Zone,
        name if name == WEEKEND.name => Subject::Days,
        _ => Subject::Night,
    };
    words.set_usage(&verb.usage_for(None));
    choice(user, proof, subject, words)
}

fn parse(words: &mut Arguments, subject: Subject) -> ParsedCommand {
    let (user, proof) = words.player()?;
    choice(user, proof, subject, words)
}

fn choice(
    user: UserId,
    proof: UserProof,
    subject: Subject,
    words: &mut Arguments,
) -> ParsedCommand {
    if words.peek().is_none() {
        words.word(match subject {
            Subject::Zone => "the place whose time you use",
            Subject::Days => "a day of the week, `off` or `none`",
            Subject::Night => "a time such as `22-7`, or `none`",
        })?;
    }
    let is_none = |word: &&&str| word.eq_ignore_ascii_case("none");
    let words = words.take_rest();
    let chosen: Vec<&str> = words.iter().filter(|word| !is_none(word)).copied().collect();
    let words = (!chosen.is_empty()).then(|| chosen.join(" "));
    Ok(Box::new(RestCommand { user, proof, subject, words }))
}

impl RestCommand {
    /// Returns what the user typed, where a refusal may quote it: in a reply it may be a password.
    fn quotable(&self, words: &str) -> Option<String> {
        (!matches!(self.proof, UserProof::Token(..))).then(|| words.to_owned())
    }

    /// Returns the zone and the rest that the user has from now on.
    fn chosen(&self, user: &User, now: Time) -> Result<Times, RestRefusal> {
        let last = user.rests.last().copied();
        let (mut days, mut night) =
            last.map_or((Weekdays::default(), None), |rest| (rest.days, rest.night));
        let mut zone = user.zone;
        match (self.subject, &self.words) {
            (Subject::Zone, None) => zone = None,
            (Subject::Zone, Some(words)) => zone = Some(self.find_zone(words, now)?),
            (Subject::Days, None) => days = Weekdays::default(),
            (Subject::Days, Some(words)) => days = self.find_days(words)?,
            (Subject::Night, None) => night = None,
            (Subject::Night, Some(words)) => night = Some(self.find_night(words)?),
        }
        let rest = Rest { since: now, zone: zone.unwrap_or(Zone::UTC), days, night };
        Ok(Times { zone, rest })
    }

    fn find_zone(&self, words: &str, now: Time) -> Result<Zone, RestRefusal> {
        Zone::find(words, now).map_err(|error| match error {
            ZoneError::NoPlace(places) => {
                RestRefusal::NoPlace { typed: self.quotable(words), places }
            }
            ZoneError::Several(zones) => RestRefusal::SeveralPlaces(zones),
            ZoneError::Unknown => {
                let near = near(&words.replace(' ', "_"), Zone::places());
                RestRefusal::UnknownPlace { typed: self.quotable(words), near }
            }
        })
    }

    fn find_days(&self, words: &str) -> Result<Weekdays, RestRefusal> {
        // "Weekends off" is how people say it.
        if words.eq_ignore_ascii_case("off") {
            return Ok(Weekdays::WEEKEND);
        }
        let days = Weekdays::parse(words);
        let days = days.ok_or_else(|| RestRefusal::BadDays(self.quotable(words)))?;
        if days.count() > MOST_DAYS {
            return Err(RestRefusal::TooManyDays(days.count()));
        }
        Ok(days)
    }

    fn find_night(&self, words: &str) -> Result<Night, RestRefusal> {
        let night = Night::parse(words);
        let night = night.ok_or_else(|| RestRefusal::BadNight(self.quotable(words)))?;
        if night.length() > LONGEST_NIGHT {
            return Err(RestRefusal::LongNight(night));
        }
        Ok(night)
    }
}

/// A time zone and a rest.
struct Times {
    zone: Option<Zone>,
    rest: Rest,
}

impl Command for RestCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate_in_any_reply(world, &self.user, &self.proof, cx)?;
        let Times { zone, rest } = self.chosen(user, cx.now)?;
        let rests = change_rest(&user.rests, rest);
        let id = user.id.clone();
        let event = Event::User(id.clone(), UserEvent::TimesChosen { zone, rests });
        Ok(Decision { events: vec![event], answer: SettingAnswer::Times(id).into() })
    }
}
