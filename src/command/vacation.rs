//! `vacation`: days on which no clock of a player runs.

use super::proof::UserProof;
use super::words::Arguments;
use super::{Command, Context, Decision, Needs, Verb, VerbScope, authenticate};
use crate::base::ids::UserId;
use crate::base::time::{Day, Span, days};
use crate::model::clock::{Vacation, ended, overdrawn, with};
use crate::model::user::UserEvent;
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal, VacationRefusal};
use crate::reply::PreferenceAnswer;
use games::AnyGame;

pub(super) const VERB: Verb = Verb {
    name: "vacation",
    aliases: &[],
    of: VerbScope::Server,
    usage: "<userid> <password> [<from>] <to> | off [<day>]",
    about: "days on which your clocks stop; write dates like 2004-09-01",
    reply: None,
    parse,
};

/// How long ahead a vacation may be announced.
const AHEAD: Span = days(366);

#[derive(Debug)]
struct VacationCommand {
    user: UserId,
    proof: UserProof,
    days: VacationDates,
}

#[derive(Debug)]
enum VacationDates {
    /// None after today: of all vacations, or of the one that has that day.
    Off(Option<Day>),
    /// Up to that day, from today or from another one.
    Until(Option<Day>, Day),
}

fn parse(
    _: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let (user, proof) = words.player()?;
    let day = |word: &str| Day::parse(word).ok_or(VacationRefusal::BadDate);
    let first = words.word("the last day of your vacation")?;
    let second = words.peek();
    if second.is_some() {
        words.word("the last day of your vacation")?;
    }
    let days = if first.eq_ignore_ascii_case("off") {
        VacationDates::Off(second.map(day).transpose()?)
    } else {
        match second {
            None => VacationDates::Until(None, day(first)?),
            Some(second) => VacationDates::Until(Some(day(first)?), day(second)?),
        }
    };
    words.end()?;
    Ok(Box::new(VacationCommand { user, proof, days }))
}

impl Command for VacationCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, None, cx)?;
        let user = world.user(&self.user).ok_or(AccountRefusal::WrongPassword)?;
        let today = cx.now.day();
        let mut cancelled = Vec::new();
        let (vacations, is_cut) = match self.days {
            VacationDates::Off(of) => {
                let left = ended(&user.vacations, of, today);
                if left == user.vacations {
                    return Err(unended(&user.vacations, of, today).into());
                }
                let gone = |one: &&Vacation| one.from > today && !left.contains(one);
                cancelled.extend(user.vacations.iter().filter(gone));
                (left, true)
            }
            VacationDates::Until(from, to) => {
                let from = from.unwrap_or(today);
                if from < today {
                    return Err(VacationRefusal::Past(today).into());
                }
                if to < from {
                    return Err(VacationRefusal::Backwards(from, to).into());
                }
                let latest = (cx.now + AHEAD).day();
                if to > latest {
                    return Err(VacationRefusal::TooFar(latest).into());
                }
                let all = with(&user.vacations, Vacation { from, to });
                if let Some(year) = overdrawn(&all) {
                    return Err(VacationRefusal::TooLong(year).into());
                }
                (all, false)
            }
        };
        let left = vacations.iter().copied().filter(|one| one.to >= today).collect();
        let user = user.id.clone();
        let answer =
            PreferenceAnswer::Vacation { user: user.clone(), today, left, cancelled }.into();
        let event = Event::User(user, UserEvent::Rested { vacations, is_cut });
        Ok(Decision { events: vec![event], answer })
    }
}

/// Why none of these vacations, or not the one that has a certain day, can be ended today.
fn unended(vacations: &[Vacation], of: Option<Day>, today: Day) -> VacationRefusal {
    let is_meant = |one: &Vacation| of.is_none_or(|day| one.has(day));
    if vacations.iter().any(|one| one.to == today && is_meant(one)) {
        return VacationRefusal::LastDay(today);
    }
    let left: Vec<Vacation> = vacations.iter().copied().filter(|one| one.to >= today).collect();
    match of {
        Some(day) if !left.is_empty() => VacationRefusal::NotThen { day, left },
        _ => VacationRefusal::None,
    }
}
