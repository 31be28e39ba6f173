//! The operator's announcements. The commands have no verbs; the shell alone sends them.

use crate::base::time::Day;
use crate::command::{Command, Context, Decision, Needs, Trust};
use crate::model::announcement::{
    Announcement, AnnouncementEvent, Announcements, announcements_key,
};
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{AnnouncementRefusal, Refusal};
use crate::reply::AccountAnswer;

/// Makes an announcement.
#[derive(Debug)]
pub struct AnnounceCommand {
    /// The last day on which it is shown.
    pub until: Day,
    /// The text.
    pub words: String,
}

/// Withdraws an announcement.
#[derive(Debug)]
pub struct WithdrawCommand {
    /// Its number.
    pub number: u32,
}

/// Checks that the operator sends the command.
fn check_operator(cx: &Context) -> Result<(), Refusal> {
    if *cx.trust == Trust::Operator { Ok(()) } else { Err(Refusal::Unavailable) }
}

impl Command for AnnounceCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![announcements_key()])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        check_operator(cx)?;
        let announcements = world.announcements()?;
        let (today, words) = (cx.now.day(), self.words.trim());
        if self.until < today {
            return Err(AnnouncementRefusal::Past(self.until).into());
        }
        let letters = words.chars().count();
        if letters == 0 || letters > Announcements::LONGEST {
            return Err(AnnouncementRefusal::Length(letters).into());
        }
        if announcements.shown(today).count() >= Announcements::MOST {
            return Err(AnnouncementRefusal::TooMany.into());
        }
        let (number, until) = (announcements.next_number(), self.until);
        let new = Announcement { number, at: cx.now, until, words: words.to_owned() };
        let event = Event::Announcements(AnnouncementEvent::Made(new));
        let answer = AccountAnswer::Announced { number, until: Some(until) }.into();
        Ok(Decision { events: vec![event], answer })
    }
}

impl Command for WithdrawCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![announcements_key()])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        check_operator(cx)?;
        let number = self.number;
        let mut shown = world.announcements()?.shown(cx.now.day());
        if shown.all(|one| one.number != number) {
            return Err(AnnouncementRefusal::NotShown(number).into());
        }
        let event = Event::Announcements(AnnouncementEvent::Withdrawn(number));
        let answer = AccountAnswer::Announced { number, until: None }.into();
        Ok(Decision { events: vec![event], answer })
    }
}
