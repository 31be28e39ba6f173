//! `challenge`: sets up a board with a named opponent. Also the options of all challenges.

use crate::base::ids::UserId;
use crate::command::new_board::begin::{Asker, BoardRequest, RequestedBoard};
use crate::command::parsing::arguments::parse_seed_option;
use crate::command::{
    Arguments, Browser, Command, Context, Decision, Needs, Origin, ParsedCommand, Verb, VerbScope,
    required_game, unknown_user,
};
use crate::mail::Address;
use crate::model::board::Agreement;
use crate::model::clock::{Bank, BoardTerms};
use crate::model::program;
use crate::model::world::{World, failures_key, user_key};
use crate::refusal::{AccountRefusal, OptionHelp, Refusal, SyntaxRefusal};
use crate::reply::{Answer, BoardNews};
use games::{AnyGame, Choices, POSITION, Seat, Switch, Values};

pub(crate) const VERB: Verb = Verb {
    name: "challenge",
    aliases: &["new"],
    scope: VerbScope::Game,
    usage: "[<userid>] <opponent> [-option ...] [--option ...]",
    about: "begin a game with that opponent; the answer says who moves first",
    reply: None,
    parse,
};

/// The options that every game has, written with two dashes.
pub(crate) const COMMON_OPTIONS: &[Switch] = &[
    days("-nagtime", 365, 7, "days until the first reminder in a turn; usually 7"),
    days("-forfeittime", 365, 21, "days for a turn, then the game is lost; usually 21"),
    days("-totaltime", 3650, 0, "days for all turns of a player; usually no limit"),
    days("-bank", 365, Bank::START, "a bank of days for all turns instead; usually none"),
    hours("-increment", 720, Bank::INCREMENT, "hours added to the bank after each turn"),
    days("-cap", 365, Bank::START, "most days in the bank; usually as many as at first"),
    Switch::flag("-unrated", "the game does not change ratings"),
    Switch::flag("-private", "only the players see the board"),
];

/// An option with a number of days. Its name contains the second dash, so that refusals show it.
const fn days(name: &'static str, max: u32, default: u32, help: &'static str) -> Switch {
    Switch { name, values: Values::Number { min: 1, max, default }, help }
}

/// An option with a number of hours, or none.
const fn hours(name: &'static str, max: u32, default: u32, help: &'static str) -> Switch {
    Switch { name, values: Values::Number { min: 0, max, default }, help }
}

/// Returns the clock and rating terms of the common options.
fn read_terms(common: &Choices) -> BoardTerms {
    let days = |name: &str| common.get(name).and_then(|value| value.parse().ok());
    let usual = BoardTerms::default();
    let named = ["-bank", "-increment", "-cap"].map(&days);
    let bank = named.iter().any(Option::is_some).then(|| {
        let [start, increment, cap] = named;
        let start = start.unwrap_or(Bank::START);
        let increment = increment.unwrap_or(Bank::INCREMENT);
        Bank { start_days: start, increment_hours: increment, cap_days: cap.unwrap_or(start) }
    });
    BoardTerms {
        nag_days: days("-nagtime").unwrap_or(usual.nag_days),
        forfeit_days: days("-forfeittime").unwrap_or(BoardTerms::usual_forfeit(bank)),
        bank,
        total_days: days("-totaltime"),
        unrated: common.has("-unrated"),
    }
}

#[derive(Debug)]
struct ChallengeCommand {
    game: &'static dyn AnyGame,
    /// The players; if one is missing, it is the sender.
    named: Vec<UserId>,
    agreed: Agreement,
    /// The challenger's seed word or commitment.
    seed: Option<String>,
    /// The refusal if a player is missing and the sender is unknown.
    missing: Refusal,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let game = required_game(game);
    let known = [game.spec().options, COMMON_OPTIONS];
    let (mut options, mut names) = (words.options(&known), Vec::new());
    while words.peek().is_some() {
        names.push(words.word("a userid")?);
        options.extend(words.options(&known));
    }
    let seed = take_seed_option(&mut options, words)?;
    let (agreed, _) = read_agreement(game, &options, &[])?;
    let userid = |word: &str| UserId::parse(word).ok_or(AccountRefusal::BadUserid);
    let is_solo = game.spec().manner.is_solo;
    let missing = words.usage_error(if is_solo {
        "a challenge names one player"
    } else {
        "a challenge names your opponent, or both players"
    });
    let named = match names[..] {
        [] if is_solo => Vec::new(),
        // In a game for one player the program has the other seat.
        [alone] if is_solo => vec![userid(alone)?, program::lowest().clone()],
        [opponent] => vec![userid(opponent)?],
        [first, second] => vec![userid(first)?, userid(second)?],
        _ => return Err(missing),
    };
    Ok(Box::new(ChallengeCommand { game, named, agreed, seed, missing }))
}

/// Takes the seed word out of the options.
pub(crate) fn take_seed_option(
    options: &mut Vec<String>,
    words: &Arguments,
) -> Result<Option<String>, Refusal> {
    let mut seed = None;
    for option in &*options {
        let word = parse_seed_option(option, words)?.map(str::to_owned);
        if word.is_some() && seed.is_some() {
            return Err(words.usage_error("you gave two seed words"));
        }
        seed = word.or(seed);
    }
    options.retain(|option| !matches!(parse_seed_option(option, words), Ok(Some(_))));
    Ok(seed)
}

/// Parses the options of a game and the common ones, whatever the number of dashes. Also returns
/// the choices among the further options `extra`.
pub(crate) fn read_agreement(
    game: &'static dyn AnyGame,
    options: &[String],
    extra: &'static [Switch],
) -> Result<(Agreement, Choices), Refusal> {
    let spec = game.spec();
    let of = |switches: &'static [Switch]| {
        move |word: &&str| switches.iter().any(|switch| switch.is_named(word))
    };
    let (further, others): (Vec<&str>, Vec<&str>) =
        options.iter().map(String::as_str).partition(of(extra));
    let (common, own): (Vec<&str>, Vec<&str>) = others.into_iter().partition(of(COMMON_OPTIONS));
    let option = |error| SyntaxRefusal::Option { error, known: known_options(game, extra) };
    let further = Choices::parse(extra, &[], further).map_err(option)?;
    let common = Choices::parse(COMMON_OPTIONS, &[], common).map_err(option)?;
    let has_position = spec.options.iter().any(|switch| switch.name == POSITION);
    if !has_position && own.iter().any(|word| is_position(word)) {
        return Err(SyntaxRefusal::NoPosition(spec.title).into());
    }
    let options = Choices::parse(spec.options, spec.exclusive, own).map_err(option)?;
    let terms = read_terms(&common);
    let (nag, forfeit) = (terms.nag_days, terms.forfeit_days);
    if nag >= forfeit && nag != BoardTerms::default().nag_days {
        return Err(SyntaxRefusal::LateReminder { nag, forfeit }.into());
    }
    if let Some(bank) = terms.bank.filter(|bank| bank.cap_days < bank.start_days) {
        let (start, cap) = (bank.start_days, bank.cap_days);
        return Err(SyntaxRefusal::SmallCap { start, cap }.into());
    }
    // A game from a given position is never rated, since it is not equal for both sides.
    let terms = BoardTerms { unrated: terms.unrated || options.has(POSITION), ..terms };
    let agreed = Agreement { options, private: common.has("-private"), terms };
    Ok((agreed, further))
}

/// Returns whether an option sets the starting position.
fn is_position(option: &str) -> bool {
    let name = option.trim_start_matches('-').split('=').next().unwrap_or_default();
    name.eq_ignore_ascii_case(POSITION)
}

/// Returns all options of a challenge: the game's own, the common ones and `extra`.
fn known_options(game: &'static dyn AnyGame, extra: &'static [Switch]) -> Vec<OptionHelp> {
    game.spec().options.iter().chain(COMMON_OPTIONS).chain(extra).map(describe_option).collect()
}

/// Returns the usage and the description of an option.
pub(crate) fn describe_option(option: &Switch) -> OptionHelp {
    OptionHelp {
        usage: format!("-{}", option.values.written(option.name, '=')),
        about: option.help,
    }
}

impl Command for ChallengeCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        let users = self.named.iter().chain([program::lowest()]);
        let strangers = self.named.iter().map(failures_key);
        let name = self.game.spec().name;
        let keys = users.map(user_key).chain(strangers).collect();
        Needs::All(vec![Needs::Keys(keys), BoardRequest::needs(name), Needs::FromSender])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let players = self.players(world, cx.origin)?;
        let [first, second] = &players;
        if first == second {
            return Err(AccountRefusal::SamePlayer(self.game.spec().name).into());
        }
        let challenger = match cx.origin {
            Origin::Shell => None,
            Origin::Doubted(_) | Origin::Unnamed => {
                return Err(AccountRefusal::NotAuthenticated.into());
            }
            Origin::Mail(address) => {
                Some((sender_seat(world, &players, address)?, vec![address.clone()]))
            }
            Origin::Web(Browser { user, .. }) => {
                let user = user.as_ref().and_then(|user| world.user(user));
                let me = user.ok_or(AccountRefusal::NotAPlayer)?;
                let seat = Seat::BOTH.into_iter().find(|seat| players[seat.index()] == me.id);
                Some((seat.ok_or(AccountRefusal::NotAPlayer)?, me.addresses.clone()))
            }
        };
        // Only the operator may learn here whether a userid exists.
        let user = |id: &UserId| {
            world.user(id).ok_or_else(|| match &challenger {
                // The word may be a password in the wrong place.
                Some(_) => AccountRefusal::NoOpponent(self.game.spec().name).into(),
                None => unknown_user(id),
            })
        };
        let known = [user(first)?.id.clone(), user(second)?.id.clone()];
        let asked_by = challenger.as_ref().map_or(Seat(0), |(seat, _)| *seat);
        let mut seeds = [None, None];
        seeds[asked_by.index()].clone_from(&self.seed);
        let asker = challenger.map(|(seat, addresses)| {
            let user = world.user(&players[seat.index()]).expect("the sender was found as a user");
            Asker { seat, user, addresses }
        });
        let request = BoardRequest {
            game: self.game,
            agreed: self.agreed.clone(),
            players: known,
            asker,
            seeds,
            is_challenge: true,
        };
        let RequestedBoard { board, by, events } = request.begin(world, cx)?;
        let answer = Answer::Board { board, what: BoardNews::Begun, by };
        Ok(Decision { events, answer })
    }
}

impl ChallengeCommand {
    /// Returns the players. The sender's address supplies a missing one, if it belongs to one user.
    fn players(&self, world: &World, origin: &Origin) -> Result<[UserId; 2], Refusal> {
        if let [first, second] = &self.named[..] {
            return Ok([first.clone(), second.clone()]);
        }
        let game = self.game.spec().name;
        let opponent = self.named.first().unwrap_or(program::lowest()).clone();
        let address = match origin {
            Origin::Shell => return Err(self.missing.clone()),
            Origin::Doubted(_) | Origin::Unnamed => {
                return Err(AccountRefusal::NotAuthenticated.into());
            }
            Origin::Web(Browser { user, .. }) => {
                let me = user.clone().ok_or_else(|| self.missing.clone())?;
                return Ok([me, opponent]);
            }
            Origin::Mail(address) => address,
        };
        match &world.users_at(address)[..] {
            [] => Err(AccountRefusal::NotRegistered(game).into()),
            [me] => Ok([me.id.clone(), opponent]),
            several => {
                let users = several.iter().map(|user| user.id.clone()).collect();
                let opponent = self.named.first().cloned();
                Err(AccountRefusal::AmbiguousSender { users, game, opponent }.into())
            }
        }
    }
}

/// Returns the seat of the player who sent the mail.
fn sender_seat(world: &World, players: &[UserId; 2], address: &Address) -> Result<Seat, Refusal> {
    let of_sender = |seat: &Seat| {
        let user = world.user(&players[seat.index()]);
        user.is_some_and(|user| user.addresses.contains(address))
    };
    let sender = Seat::BOTH.into_iter().find(of_sender);
    sender.ok_or_else(|| AccountRefusal::NotAPlayer.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::GAMES;

    /// The number of dashes is ignored, so names must differ.
    #[test]
    fn no_game_has_an_option_with_a_common_name() {
        for game in GAMES {
            for option in game.spec().options {
                assert!(
                    !COMMON_OPTIONS.iter().any(|common| common.is_named(option.name)),
                    "{option:?}"
                );
            }
        }
    }
}
