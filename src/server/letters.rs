//! Turns outgoing mails into letters, within the daily limits of each mailbox.

use crate::base::digest::Digest;
use crate::base::ids::{BoardId, UserId};
use crate::mail::{MailKind, Message, ReplyRoute};
use crate::model::dice::{RollRange, RollSheet};
use crate::model::rate_limit::LimitVerdict;
use crate::model::token::Generation;
use crate::model::topic::Topic;
use crate::model::user::Preferences;
use crate::model::user::preference::{CALENDAR, PROOFS};
use crate::model::world::World;
use crate::reply::{
    self, Block, CalendarReader, LetterHeaders, OutgoingMail, PictureFormat, Recipient,
};
use crate::server::daily_counts::{self, DailyCounts};
use crate::server::env::Env;
use crate::server::recipients::{AddressedMail, address_mail};
use crate::store::{Fault, Letter, MailKey};
use data_encoding::HEXLOWER;
use std::borrow::Cow;

/// The cause of some letters. The same cause gives the same Message-IDs, so a letter that is sent
/// again after a crash is recognized.
pub(super) struct LetterCause {
    digest: Digest,
    kind: MailKind,
}

impl LetterCause {
    /// Returns the cause "answer to this mail". Two mails with equal text but different Message-IDs
    /// are different causes.
    pub(super) fn mail(key: &MailKey) -> Self {
        Self { digest: Digest::of([key.id, key.content].concat()), kind: MailKind::Answer }
    }

    /// Returns the cause "command of the shell or the web", from random bytes.
    pub(super) fn command(digest: Digest) -> Self {
        Self { digest, kind: MailKind::Answer }
    }

    /// Returns a cause other than a mail, from a unique name.
    pub(super) fn named(name: &str) -> Self {
        Self { digest: Digest::of(name.as_bytes()), kind: MailKind::Notice }
    }
}

/// Writes letters with these mails, in their order. `answered` is the incoming mail that caused
/// them, if any.
pub(super) fn write_letters(
    mails: &[&OutgoingMail],
    answered: Option<&Message>,
    cause: &LetterCause,
    world: &World,
    daily_counts: &mut DailyCounts,
    env: &mut Env,
) -> Result<Vec<Letter>, Fault> {
    let mut letters = Vec::with_capacity(mails.len());
    for (index, mail) in mails.iter().enumerate() {
        let proved = with_dice_proofs(mail, world, env);
        let mail = proved.as_ref().unwrap_or(*mail);
        for addressed in address_mail(mail, answered, cause.kind, world, env) {
            letters.extend(limited_letter(addressed, cause, index, world, daily_counts, env)?);
        }
    }
    Ok(letters)
}

/// Returns the mail with proofs of the new dice of its board, if its reader wants them. When the
/// game is over, all dice are proved. None if there is nothing to prove.
fn with_dice_proofs(mail: &OutgoingMail, world: &World, env: &Env) -> Option<OutgoingMail> {
    let (Recipient::User(user), Some(_)) = (&mail.to, mail.seat) else { return None };
    let user = world.user(user).filter(|user| user.preferences.is_on(&PROOFS))?;
    let board = world.board(mail.board()?).ok().filter(|board| board.seat(&user.id).is_some())?;
    let dice = board.dice.as_ref()?;
    let which = match board.ended_at() {
        Some(at) if at == env.now => RollRange::All,
        Some(_) => return None,
        None => {
            let chance = board.record.iter().filter(|line| line.entry.is_chance());
            let new = chance.rev().take_while(|line| line.at == env.now).count();
            RollRange::These((board.drawn() + 1).checked_sub(new)?..=board.drawn())
        }
    };
    let is_none = matches!(&which, RollRange::These(numbers) if numbers.is_empty());
    let key = env.setup.dice.find(dice.key).filter(|_| !is_none && board.drawn() > 0)?;
    let mut proved = mail.clone();
    proved.blocks.push(Block::Preformatted(RollSheet::new(board, dice, key).text(&which)));
    Some(proved)
}

/// Builds the `index`-th letter for `cause`. None if its address has got its daily limit of mails.
pub(super) fn limited_letter(
    addressed: AddressedMail,
    cause: &LetterCause,
    index: usize,
    world: &World,
    daily_counts: &mut DailyCounts,
    env: &mut Env,
) -> Result<Option<Letter>, Fault> {
    let AddressedMail { mail, to, .. } = &addressed;
    let seed = format!("{} {index} {to}", HEXLOWER.encode(&cause.digest));
    let id = Digest::of(seed).short();
    match daily_counts.count(to, mail.share, &id, env)? {
        LimitVerdict::Answer => Ok(Some(write(addressed, id, world, env))),
        verdict => {
            let most = mail.share.limit_of(daily_counts::daily_limit(&env.setup.config.limits));
            let about =
                mail.topic.as_ref().map_or_else(String::new, |topic| format!(" about {topic}"));
            env.note(format!(
                "dropped: a mail to {to}{about}: {most} mails of its kind ({:?}) went there today",
                mail.share
            ));
            let warning = reply::quota_reached(mail.share, most);
            let warning = OutgoingMail { to: mail.to.clone(), share: mail.share, ..warning };
            let addressed = AddressedMail { mail: &warning, ..addressed };
            Ok((verdict != LimitVerdict::Silence).then(|| write(addressed, id, world, env)))
        }
    }
}

/// Writes a letter: a mail with its headers, its reply addresses and the settings of its reader.
fn write(addressed: AddressedMail, id: String, world: &World, env: &Env) -> Letter {
    let AddressedMail { mail, to, kind, in_reply_to } = addressed;
    let user = match &mail.to {
        Recipient::User(user) => Some(user),
        Recipient::Sender | Recipient::Listener(_) | Recipient::Address(_) => None,
    };
    let setup = env.setup;
    let player = user.filter(|_| mail.seat.is_some());
    let reply_tag =
        mail.board().zip(player).map(|(board, user)| board_reply_tag(board, user, world, env));
    let reply_tag = reply_tag.or_else(|| {
        let reader = world.user(mail.reader()?)?;
        let topic = mail.topic.as_ref().unwrap_or(&Topic::Account);
        Some(setup.key.topic_tag(topic, &reader.id, reader.tokens))
    });
    let opt_out = mail.opt_out.zip(mail.user()).map(|(what, user)| {
        let generation = world.user(user).map_or(0, |user| user.tokens);
        setup.key.opt_out_tag(what, user, generation)
    });
    // RFC 8058 requires HTTPS.
    let site = setup.config.web.address.as_ref().filter(|site| site.starts_with("https://"));
    let one_click =
        opt_out.as_ref().zip(site).map(|(tag, site)| format!("{site}/unsubscribe/{tag}"));
    let bounces = user.map(|user| setup.key.bounce_id(user, &to));
    let preferences = user.and_then(|user| world.user(user)).map(|user| &user.preferences);
    let pictures = preferences.map_or_else(PictureFormat::default, PictureFormat::from_preferences);
    let web_page = mail.board().and_then(|board| {
        let site = setup.config.web.address.as_ref()?;
        Some(format!("{site}/{}/{}", board.game, board.number))
    });
    let calendar = user
        .filter(|_| preferences.is_some_and(|preferences| preferences.is_on(&CALENDAR)))
        .and_then(|user| deadline_calendar(mail, user, world, env));
    let headers = LetterHeaders {
        kind,
        in_reply_to,
        reply_tag,
        opt_out,
        one_click,
        bounces,
        pictures,
        web_page,
        calendar,
    };
    let mut mail = if preferences.is_some_and(Preferences::wants_words_only) {
        Cow::Owned(mail.clone().without_pictures())
    } else {
        Cow::Borrowed(mail)
    };
    if let Some(user) = user.filter(|_| mail.blocks.iter().any(is_routed)) {
        mail.to_mut().blocks.iter_mut().for_each(|block| route(block, user, world, env));
    }
    reply::draft_letter(&mail, headers, id, to, &setup.identity, env.now)
}

/// Returns the deadlines of the boards of a mail that wait for its reader, if any do.
fn deadline_calendar(
    mail: &OutgoingMail,
    user: &UserId,
    world: &World,
    env: &Env,
) -> Option<String> {
    let site = env.setup.config.web.address.as_deref();
    let calendar = CalendarReader { world, user, site, now: env.now };
    let routed = mail.blocks.iter().filter_map(|block| match block {
        Block::Routed(routed) => Some(routed.board),
        _ => None,
    });
    let boards = mail.board().filter(|_| mail.seat.is_some()).into_iter().chain(routed);
    let boards = boards.filter_map(|board| world.loaded_board(board));
    let waiting: Vec<_> = boards.filter(|board| calendar.is_awaited(board)).collect();
    (!waiting.is_empty()).then(|| calendar.print(waiting.into_iter()))
}

fn is_routed(block: &Block) -> bool {
    matches!(block, Block::Routed(_))
}

/// Gives blocks about a board their reply address.
fn route(block: &mut Block, user: &UserId, world: &World, env: &Env) {
    let Block::Routed(routed) = block else { return };
    let tag = board_reply_tag(routed.board, user, world, env);
    let ReplyRoute { to, subject_tag } = ReplyRoute::with_tag(&env.setup.identity, &tag);
    let how = match subject_tag.trim() {
        "" => format!("To answer, write to {to}"),
        subject => format!("To answer, write to {to} with the Subject {subject}"),
    };
    routed.how_to_answer = Some(how);
    routed.tag = Some(tag);
}

/// Returns the tag by which a player replies to a mail about a board.
fn board_reply_tag(board: BoardId, user: &UserId, world: &World, env: &Env) -> String {
    let (mut next, mut offered, mut generation) = (0, None, Generation::default());
    if let Ok(board) = world.board(board) {
        next = board.next_move();
        if let Some(seat) = board.seat(user) {
            offered = board.offered_to(seat);
            generation = world.generation(board, seat);
        }
    }
    env.setup.key.tag(board, next, offered, user, generation)
}
