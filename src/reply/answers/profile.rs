//! What a user tells about themselves, and their ratings, results and boards in progress.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::moderation::SanctionKind;
use crate::model::rating::Standing;
use crate::model::user::preference::{PACE, WELCOME};
use crate::model::user::{ProfileField, User};
use crate::model::world::World;
use crate::reply::answers::lists::{MAX_ROWS, timed_row};
use crate::reply::letters::{Block, TextElement, more_line};
use games::GAMES;

/// What a user tells about themselves, as others see it.
#[derive(Debug, Default)]
pub struct ShownProfile<'a> {
    /// A line about the user.
    pub about: Option<&'a str>,
    /// The other parts, each with its label.
    pub facts: Vec<Fact<'a>>,
}

/// A part of a profile.
#[derive(Debug)]
pub struct Fact<'a> {
    /// Its label.
    pub label: &'static str,
    /// What the user tells.
    pub words: &'a str,
}

impl<'a> ShownProfile<'a> {
    /// Returns what others see of a user's profile. Nothing that a user muted by the operator has
    /// written is shown.
    pub fn of(user: &'a User, now: Time) -> Self {
        let is_muted = user.sanction(SanctionKind::Mute, now).is_some();
        let written = |field| user.profile.get(field).filter(|_| !is_muted);
        let country = written(ProfileField::Country).map(|words| Fact { label: "Country", words });
        let spoken =
            written(ProfileField::Languages).map(|words| Fact { label: "Languages", words });
        let pace = pace(user.preferences.chosen(&PACE).name);
        let pace = pace.map(|words| Fact { label: "Pace", words });
        let welcomes = user.preferences.is_on(&WELCOME);
        let newcomers = welcomes.then_some(Fact { label: "Newcomers", words: "are welcome" });
        Self {
            about: written(ProfileField::About),
            facts: [country, spoken, pace, newcomers].into_iter().flatten().collect(),
        }
    }

    /// Returns whether the user tells nothing.
    pub fn is_empty(&self) -> bool {
        self.about.is_none() && self.facts.is_empty()
    }

    fn block(&self) -> Option<Block> {
        let quote = self.about.map(|words| TextElement::Quote(words.to_owned()));
        let fact = |fact: &Fact| format!("  {:<11} {}", format!("{}:", fact.label), fact.words);
        let facts = self.facts.iter().map(fact).map(TextElement::Preformatted);
        let elements: Vec<TextElement> = quote.into_iter().chain(facts).collect();
        (!elements.is_empty()).then_some(Block::Text(elements))
    }
}

/// Returns the value of [`PACE`] in words; `None` if the user tells nothing.
pub fn pace(value: &str) -> Option<&'static str> {
    match value {
        "fast" => Some("several moves a day"),
        "daily" => Some("about a move a day"),
        "slow" => Some("a few moves a week"),
        _ => None,
    }
}

/// Tells users what their own profile shows from now on.
pub(super) fn own(user: &User, now: Time) -> Vec<Block> {
    let shown = ShownProfile::of(user, now).block();
    let first = if shown.is_some() {
        "Your profile tells everybody:"
    } else {
        "Your profile tells nothing about you."
    };
    let last = "For your ratings and boards, as others see them, send";
    let command = format!("profile {}", user.id);
    let head = [Block::sentence(first)].into_iter().chain(shown);
    head.chain([Block::sentence(last), Block::command(command)]).collect()
}

/// Lists what a player tells about themselves, their ratings, results and boards in progress.
pub(super) fn page(world: &World, id: &UserId, boards: &[BoardId], now: Time) -> Vec<Block> {
    let Some(user) = world.user(id) else { return Vec::new() };
    let since = match world.level(id) {
        Some(level) => format!("{} is the program at level {level}.", user.id),
        None => format!("{} has played here since {}.", user.id, user.joined.day()),
    };
    let mut blocks = vec![Block::sentence(since)];
    blocks.extend(ShownProfile::of(user, now).block());
    let rated = GAMES.iter().map(|game| game.spec());
    let rated = rated.filter_map(|spec| Some((spec.title, user.ratings.get(spec.name)?)));
    let rows: Vec<String> = rated
        .map(|(title, standing)| {
            let Standing { original, won, lost, tied, skill, .. } = standing;
            format!(
                "  {title:<14} {:>6} {:>4} {won:>5} {lost:>5} {tied:>5} {:>8}",
                standing.marked_points(),
                skill.deviation.points(),
                original.points()
            )
        })
        .collect();
    if rows.is_empty() {
        blocks.push(Block::sentence("They have not finished a rated game yet."));
    } else {
        let head = format!("  {:<14} rating  +/-   won  lost  tied original", "");
        blocks.push(Block::preformatted(std::iter::once(head).chain(rows)));
    }
    let lines = boards.iter().take(MAX_ROWS).filter_map(|id| world.board(*id).ok());
    let lines: Vec<String> = lines.flat_map(|board| timed_row(world, board, now)).collect();
    if !lines.is_empty() {
        blocks.push(Block::sentence("Boards in progress:"));
        blocks
            .push(Block::preformatted(lines.into_iter().chain(more_line(boards.len(), MAX_ROWS))));
    }
    blocks.push(Block::sentence(format!("To challenge {id}, send")));
    blocks.push(Block::command(format!("<game> challenge {id}")));
    blocks
}
