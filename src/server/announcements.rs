//! Adds the operator's announcements to the first mail that each user gets after them.

use crate::model::announcement::{Announcement, announcements_key};
use crate::model::user::UserEvent;
use crate::model::world::event::Event;
use crate::reply::{self, OutgoingMail, Recipient};
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::store::Fault;
use std::borrow::Cow;

/// Returns the mails, those with announcements that are new to their readers. The readers' documents
/// note what they were told.
pub(super) fn add<'a>(
    mails: Vec<&'a OutgoingMail>,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Vec<Cow<'a, OutgoingMail>>, Fault> {
    if mails.iter().any(|mail| matches!(mail.to, Recipient::User(_))) {
        documents.gather(&[announcements_key()], env)?;
    }
    let mut all = Vec::with_capacity(mails.len());
    for mail in mails {
        let Recipient::User(reader) = &mail.to else {
            all.push(Cow::Borrowed(mail));
            continue;
        };
        let world = &documents.world;
        let shown = world.announcements().ok().into_iter();
        let shown = shown.flat_map(|announcements| announcements.shown(env.now.day()));
        let told = world.user(reader).map_or(u32::MAX, |user| user.announced);
        let new: Vec<&Announcement> = shown.filter(|one| one.number > told).collect();
        let Some(latest) = new.last().map(|one| one.number) else {
            all.push(Cow::Borrowed(mail));
            continue;
        };
        let mut with_news = mail.clone();
        with_news.blocks.push(reply::announcements(&new));
        all.push(Cow::Owned(with_news));
        let event = Event::User(reader.clone(), UserEvent::Announced(latest));
        documents.apply_and_log(&event, env)?;
    }
    Ok(all)
}
