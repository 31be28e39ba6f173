//! `vacation`: days on which a player's clocks stop.

use crate::base::ids::UserId;
use crate::base::time::{Day, Span, days};
use crate::base::zone::Zone;
use crate::command::parsing::dates::{Period, PeriodError, parse_period};
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, UserProof, Verb,
    VerbScope, authenticate_in_any_reply,
};
use crate::model::clock::{Vacation, add_vacation, end_vacations, overdrawn_year};
use crate::model::user::{User, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{Refusal, VacationRefusal};
use crate::reply::SettingAnswer;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "vacation",
    aliases: &[],
    scope: VerbScope::Server,
    usage: "<userid> <password> [<from>] <to> | off [<day>]",
    about: "days on which your clocks stop: `2004-09-01`, `until Friday`, `2 weeks`",
    reply: Some(ReplyScope::User),
    parse,
};

/// How far ahead a vacation may be announced.
const AHEAD: Span = days(366);

#[derive(Debug)]
struct VacationCommand {
    user: UserId,
    proof: UserProof,
    /// Whether to end all vacations, or the one that contains the named day.
    is_off: bool,
    /// The words that name days; they are parsed on the day of execution.
    words: Vec<String>,
}

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (user, proof) = words.player()?;
    let is_off = words.peek().is_some_and(|word| word.eq_ignore_ascii_case("off"));
    if is_off || words.peek().is_none() {
        words.word("the last day of your vacation")?;
    }
    let words = words.take_rest().iter().map(|word| (*word).to_owned()).collect();
    Ok(Box::new(VacationCommand { user, proof, is_off, words }))
}

impl VacationCommand {
    /// Parses the days.
    ///
    /// # Errors
    /// The words name no days, or have two meanings.
    fn period(&self, today: Day) -> Result<Period, VacationRefusal> {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        parse_period(&words, today).map_err(|error| match error {
            PeriodError::Ambiguous(one, other) => VacationRefusal::TwoDates(one.to, other.to),
            // After a password the answer hides the words; in a reply they may contain one.
            PeriodError::Unknown => VacationRefusal::BadDate(match self.proof {
                UserProof::Password(_) => Some(words.join(" ")),
                _ => None,
            }),
        })
    }
}

impl Command for VacationCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate_in_any_reply(world, &self.user, &self.proof, cx)?;
        let today = user.day(cx.now);
        let mut cancelled = Vec::new();
        let vacations = if self.is_off {
            let of = if self.words.is_empty() { None } else { Some(self.period(today)?.to) };
            let left = end_vacations(&user.vacations, of, today);
            if left == user.vacations {
                return Err(unended(user, of, today).into());
            }
            let gone = |one: &&Vacation| one.from > today && !left.contains(one);
            cancelled.extend(user.vacations.iter().filter(gone));
            left
        } else {
            let Period { from, to } = self.period(today)?;
            let from = from.unwrap_or(today);
            if from < today {
                return Err(VacationRefusal::Past(today).into());
            }
            if to < from {
                return Err(VacationRefusal::Backwards(from, to).into());
            }
            let latest = user.day(cx.now + AHEAD);
            if to > latest {
                return Err(VacationRefusal::TooFar(latest).into());
            }
            let all = add_vacation(&user.vacations, Vacation { from, to, zone: user.zone });
            if let Some(year) = overdrawn_year(&all) {
                return Err(VacationRefusal::TooLong(year).into());
            }
            all
        };
        let left = vacations.iter().copied().filter(|one| one.to >= today).collect();
        let user = user.id.clone();
        let answer = SettingAnswer::Vacation { user: user.clone(), today, left, cancelled }.into();
        let event = Event::User(user, UserEvent::Rested { vacations, is_cut: self.is_off });
        Ok(Decision { events: vec![event], answer })
    }
}

/// Returns the reason why no vacation can be ended, or not the one that contains day `of`.
fn unended(user: &User, of: Option<Day>, today: Day) -> VacationRefusal {
    let vacations = &user.vacations;
    let is_meant = |one: &Vacation| of.is_none_or(|day| one.has(day));
    if vacations.iter().any(|one| one.to == today && is_meant(one)) {
        return VacationRefusal::LastDay(today, user.zone.unwrap_or(Zone::UTC));
    }
    let left: Vec<Vacation> = vacations.iter().copied().filter(|one| one.to >= today).collect();
    match of {
        Some(day) if !left.is_empty() => VacationRefusal::NotThen { day, left },
        _ => VacationRefusal::None,
    }
}
