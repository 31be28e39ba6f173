//! `tournament create`: opens a tournament for entry.

use super::enter::check_rating;
use crate::base::ids::{TournamentId, UserId};
use crate::base::time::{Day, Time};
use crate::command::moderation::check_sanction;
use crate::command::new_board::challenge::{COMMON_OPTIONS, read_agreement};
use crate::command::new_board::seek::read_bounds;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, UserProof, authenticate,
};
use crate::model::moderation::SanctionKind;
use crate::model::tournament::{
    Adjudication, Entry, Format, Stage, TEAM, Teams, Tournament, TournamentList, TournamentTerms,
    tournament_list_key,
};
use crate::model::user::User;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{AccountRefusal, Refusal, TournamentRefusal};
use crate::reply::TournamentAnswer;
use games::{AnyGame, Choices, Diagram, Switch, Values, View};

/// The words of the formats, the usual one first.
const FORMATS: &[&str] = &["round-robin", "cup", "single", "double", "swiss", "teams"];

/// The words for the adjudication of unfinished games.
const ADJUDICATIONS: &[&str] = &["program", "pips", "draw"];

/// How many days after its creation a tournament starts if no day is named.
const USUAL_START: i64 = 14;

/// The options of a tournament besides those of its games. Their names contain the second dash, so
/// that refusals show it.
pub(crate) const OPTIONS: &[Switch] = &[
    Switch::one_of("-format", FORMATS, "the format; usually round-robin"),
    number("-players", 2, 128, "it is full and starts with so many; usually 16"),
    number("-least", 2, 128, "it starts on its day with at least so many; usually 4"),
    number("-group", 3, 12, "the most players of a division or group; usually 10"),
    number("-rounds", 2, Format::MOST_ROUNDS, "the rounds of a Swiss tournament; usually 5"),
    Switch::flag("-double", "two games for each player of a team"),
    number("-days", 7, 365, "the days for a round; usually 60"),
    Switch::one_of("-adjudicate", ADJUDICATIONS, "who wins games that are unfinished then"),
    Switch::flag("-recurring", "a round robin in seasons, with promotion and relegation"),
    number("-min", 0, 9_999, "only for players with at least this rating"),
    number("-max", 0, 9_999, "only for players with at most this rating"),
];

const fn number(name: &'static str, min: u32, max: u32, help: &'static str) -> Switch {
    Switch { name, values: Values::Number { min, max, default: min }, help }
}

#[derive(Debug)]
struct CreateCommand {
    game: &'static dyn AnyGame,
    user: UserId,
    proof: UserProof,
    terms: TournamentTerms,
    /// The day on which it starts, if one was named.
    start: Option<Day>,
}

pub(super) fn parse(game: &'static dyn AnyGame, words: &mut Arguments) -> ParsedCommand {
    let known = [game.spec().options, COMMON_OPTIONS, OPTIONS];
    let mut options = words.options(&known);
    let (user, proof) = words.player()?;
    options.extend(words.options(&known));
    words.expect_end()?;
    let start = take_start(&mut options)?;
    let (agreed, chosen) = read_agreement(game, &options, OPTIONS)?;
    if agreed.private {
        return Err(TournamentRefusal::Private.into());
    }
    if game.spec().manner.is_solo {
        return Err(AccountRefusal::PlayedAlone(game.spec().name).into());
    }
    let format = read_format(&chosen);
    let is_recurring = chosen.has("-recurring");
    if is_recurring && !matches!(format, Format::RoundRobin { .. }) {
        return Err(TournamentRefusal::OneSeason.into());
    }
    let Sizes { least, most } = read_sizes(format, is_recurring, &chosen)?;
    let terms = TournamentTerms {
        format,
        bounds: read_bounds(&chosen)?,
        least,
        most,
        round_days: chosen.get("-days").and_then(|days| days.parse().ok()).unwrap_or(60),
        adjudication: read_adjudication(game, &agreed.options, &chosen)?,
        is_recurring,
        agreed,
    };
    Ok(Box::new(CreateCommand { game, user, proof, terms, start }))
}

/// Takes the option `--start=2026-12-20`, which no [`Switch`] can describe.
fn take_start(options: &mut Vec<String>) -> Result<Option<Day>, Refusal> {
    let value = |option: &str| {
        let (name, value) = option.trim_start_matches('-').split_once('=')?;
        name.eq_ignore_ascii_case("start").then(|| value.to_owned())
    };
    let starts: Vec<String> = options.iter().filter_map(|option| value(option)).collect();
    options.retain(|option| value(option).is_none());
    match &starts[..] {
        [] => Ok(None),
        [day] => Ok(Some(Day::parse(day).ok_or(TournamentRefusal::BadStart)?)),
        _ => Err(TournamentRefusal::BadStart.into()),
    }
}

fn count(chosen: &Choices, name: &str) -> Option<usize> {
    chosen.get(name)?.parse().ok()
}

/// How many players a tournament has.
struct Sizes {
    least: usize,
    most: usize,
}

/// Returns how many players a tournament has. A team match has eight, so that its options would be
/// ignored.
fn read_sizes(
    format: Format,
    is_recurring: bool,
    chosen: &Choices,
) -> Result<Sizes, TournamentRefusal> {
    let is_match = matches!(format, Format::Teams { .. });
    let sized = ["-players", "-least", "-group", "-rounds"].map(|name| chosen.get(name).is_some());
    if is_match && sized.contains(&true) {
        return Err(TournamentRefusal::TwoTeams);
    }
    if !is_match && chosen.has("-double") {
        return Err(TournamentRefusal::OneGame);
    }
    if is_match {
        return Ok(Sizes { least: 2 * TEAM, most: 2 * TEAM });
    }
    let usual_most = if is_recurring { Format::MOST_PLAYERS } else { 16 };
    let most = count(chosen, "-players").unwrap_or(usual_most);
    let least = count(chosen, "-least").unwrap_or(most.min(4));
    if least > most {
        Err(TournamentRefusal::Sizes { least, most })
    } else {
        Ok(Sizes { least, most })
    }
}

fn read_format(chosen: &Choices) -> Format {
    let group = count(chosen, "-group").unwrap_or(10);
    match chosen.get("-format") {
        Some("cup") => Format::Cup { group },
        Some("single") => Format::KnockOut { lives: 1 },
        Some("double") => Format::KnockOut { lives: 2 },
        Some("swiss") => Format::Swiss {
            rounds: chosen.get("-rounds").and_then(|rounds| rounds.parse().ok()).unwrap_or(5),
        },
        Some("teams") => Format::Teams { games: if chosen.has("-double") { 2 } else { 1 } },
        _ => Format::RoundRobin { division: group },
    }
}

/// Returns how unfinished games are decided: as chosen, or as the game allows.
fn read_adjudication(
    game: &'static dyn AnyGame,
    options: &Choices,
    chosen: &Choices,
) -> Result<Adjudication, Refusal> {
    let position = game.setup(options);
    let has_pips = matches!(position.diagram(&View::default()), Diagram::Points(_));
    let is_judged = position.evaluation_unit().is_some();
    let usual = if is_judged {
        "program"
    } else if has_pips {
        "pips"
    } else {
        "draw"
    };
    match chosen.get("-adjudicate").unwrap_or(usual) {
        "program" if is_judged => Ok(Adjudication::Program),
        "pips" if has_pips => Ok(Adjudication::Pips),
        "draw" => Ok(Adjudication::Draw),
        _ => Err(TournamentRefusal::NoAdjudication { has_pips, is_judged }.into()),
    }
}

impl Command for CreateCommand {
    fn needs(&self) -> Needs {
        let list = Needs::Keys(vec![tournament_list_key(self.game.spec().name)]);
        Needs::All(vec![list, Needs::CurrentTournamentsOf(self.user.clone())])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate(world, &self.user, &self.proof, None, cx)?;
        check_sanction(user, SanctionKind::Suspension, cx)?;
        let game = self.game.spec().name;
        if user.unproved && cx.limits.rate_limits.newcomers {
            return Err(TournamentRefusal::Unproved.into());
        }
        let list = world.tournament_list(game)?;
        if list.current.len() >= TournamentList::MOST_CURRENT {
            return Err(TournamentRefusal::TooMany(game).into());
        }
        if directed(world, user).count() >= TournamentRefusal::DIRECTED {
            return Err(TournamentRefusal::DirectsEnough.into());
        }
        let id = TournamentId { game, number: list.next_number() };
        // The captain who opens a team match plays in it.
        let is_match = matches!(self.terms.format, Format::Teams { .. });
        if is_match {
            check_rating(id, self.terms.bounds, user)?;
        }
        let teams = is_match.then(|| Teams::of(&user.id));
        let own = Entry { user: user.id.clone(), at: cx.now, finish: None };
        let new = Tournament {
            id,
            director: user.id.clone(),
            terms: self.terms.clone(),
            created: cx.now,
            starts: self.starts(cx.now)?,
            postponed: 0,
            waits_for: None,
            teams,
            entries: is_match.then_some(own).into_iter().collect(),
            field: None,
            round: None,
            next: None,
            ended: None,
        };
        let answer = TournamentAnswer::Created(new.id).into();
        Ok(Decision { events: vec![Event::TournamentCreated(Box::new(new))], answer })
    }
}

impl CreateCommand {
    /// Returns when the tournament starts.
    fn starts(&self, now: Time) -> Result<Time, Refusal> {
        let today = now.day();
        let latest = today.plus(TournamentRefusal::LATEST_START);
        match self.start {
            None => Ok(today.plus(USUAL_START).start()),
            Some(day) if day > today && day <= latest => Ok(day.start()),
            Some(_) => {
                Err(TournamentRefusal::StartOutside { from: today.plus(1), to: latest }.into())
            }
        }
    }
}

/// Returns the open and running tournaments that a user directs.
fn directed<'w>(world: &'w World, user: &'w User) -> impl Iterator<Item = &'w Tournament> {
    let all = user.tournaments.iter().filter_map(|id| world.loaded_tournament(*id));
    all.filter(|tournament| {
        tournament.director == user.id && matches!(tournament.stage(), Stage::Open | Stage::Running)
    })
}
