//! Parses a command line: an optional game, a verb, and the words for the grammar of that verb.

use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::base::words::near;
use crate::command::account::signup;
use crate::command::ladder;
use crate::command::new_board::challenge;
use crate::command::parsing::arguments::MULTIPLE;
use crate::command::parsing::intents;
use crate::command::play::{make_move, settings};
use crate::command::tournament;
use crate::command::verb::verbs_of;
use crate::command::{
    Arguments, Command, Context, Decision, HELP, LastingAct, Needs, ParsedCommand, ReplyScope,
    Trust, VERBS, Verb, VerbScope, find_verb, is_setting, move_word, required_game,
};
use crate::mail::subject_readings;
use crate::model::board::Board;
use crate::model::topic::Topic;
use crate::model::world::{World, failures_key};
use crate::refusal::{Intent, Refusal, SyntaxRefusal};
use games::{AnyGame, GAMES};

/// Parses a command line.
///
/// # Errors
/// The line is not a command.
pub fn parse(line: &str, trust: &Trust) -> ParsedCommand {
    let all = unmarked_words(line);
    let (game, named, rest) = split_command(&all)?;
    named.parse(game, rest, trust)
}

/// Returns the words of a line without the marks before it (`Re:`, `[list]`). The fewest marks are
/// removed that leave a command.
fn unmarked_words(line: &str) -> Vec<&str> {
    let mut readings = subject_readings(line).map(split_words);
    let Some(first) = readings.next() else { return Vec::new() };
    if split_command(&first).is_ok() {
        return first;
    }
    readings.find(|words| split_command(words).is_ok()).unwrap_or(first)
}

/// Splits a line into its game, its keyword and the remaining words. The game may also follow the
/// keyword, and a colon may follow the game.
fn split_command<'a>(words: &'a [&'a str]) -> Result<CommandLine<'a>, SyntaxRefusal> {
    let (&first, rest) = words.split_first().ok_or(SyntaxRefusal::NoCommand)?;
    if let Some(intent) = intents::find_intent(words) {
        let game = rest.iter().find_map(|word| games::find(word));
        let game = game.filter(|_| intent == Intent::Play);
        return Err(
            game.map_or(SyntaxRefusal::ForeignWord(intent), |game| missing_challenge(game, rest))
        );
    }
    if let Some(game) = games::find(first.trim_end_matches([':', ','])) {
        let (&second, behind) = rest.split_first().ok_or_else(|| missing_verb(game))?;
        let named = find_keyword(Some(game), second).ok_or_else(|| unknown_verb(game, rest))?;
        return Ok((Some(game), named, behind));
    }
    if let Some(named) = find_keyword(None, first) {
        return Ok((None, named, rest));
    }
    let second = rest.split_first().and_then(|(word, behind)| Some((games::find(word)?, behind)));
    let behind =
        second.and_then(|(game, behind)| Some((game, find_keyword(Some(game), first)?, behind)));
    let (game, named, behind) = behind.ok_or_else(|| unknown_word(first, rest))?;
    Ok((Some(game), named, behind))
}

/// The game, the keyword, and the remaining words of a command line.
type CommandLine<'a> = (Option<&'static dyn AnyGame>, Keyword<'a>, &'a [&'a str]);

/// Parses the words of a reply after its verb. The reply address supplies the board, the player
/// and, for some verbs, the move number.
///
/// # Errors
/// The words do not fit the grammar of the verb.
pub fn parse_reply(
    verb: &Verb,
    board: &Board,
    moveno: Option<usize>,
    player: &UserId,
    words: &str,
) -> ParsedCommand {
    let trust = Trust::Token(Topic::Board(board.id), player.clone());
    let rest = split_words(words);
    let mut words = Arguments::new(&rest, &trust, verb.usage_for(Some(board.game)));
    if !matches!(verb.reply, Some(ReplyScope::Game | ReplyScope::User)) {
        words.set_board(board.id, moveno);
    }
    (verb.parse)(Some(board.game), &mut words)
}

/// Parses the words of a reply about a topic other than a board, after its verb. The reply address
/// supplies the user.
///
/// # Errors
/// The words do not fit the grammar of the verb.
pub fn parse_topic_reply(
    verb: &Verb,
    topic: &Topic,
    reader: &UserId,
    words: &str,
) -> ParsedCommand {
    let trust = Trust::Token(topic.clone(), reader.clone());
    let rest = split_words(words);
    let game = topic.game().filter(|_| verb.scope != VerbScope::Server);
    let mut words = Arguments::new(&rest, &trust, verb.usage_for(game));
    if let (Some(board), Some(ReplyScope::Board | ReplyScope::Player)) = (topic.board(), verb.reply)
    {
        words.set_board(board, None);
    }
    (verb.parse)(game, &mut words)
}

/// Parses the words of a reply about a tournament: a subcommand without the number, the userid and the
/// password. `None` if the first word is no subcommand.
pub fn parse_tournament_reply(
    id: TournamentId,
    reader: &UserId,
    line: &str,
) -> Option<ParsedCommand> {
    let typed = split_words(line);
    let behind = typed.strip_prefix(&["tournament"]).unwrap_or(&typed);
    let (subcommand, more) = behind.split_first()?;
    let number = id.number.to_string();
    let words = [&[*subcommand, &*number], more].concat();
    let trust = Trust::Token(Topic::Tournament(id), reader.clone());
    tournament::is_about_one(subcommand)
        .then(|| Keyword::Verb(&tournament::VERB).parse(games::find(id.game), &words, &trust))
}

/// Parses the words of a reply about a ladder: a subcommand without the userid and the password.
/// `show` alone shows the part around the reader. `None` if the first word is no subcommand.
pub fn parse_ladder_reply(
    game: &'static str,
    reader: &UserId,
    line: &str,
) -> Option<ParsedCommand> {
    let typed = split_words(line);
    let behind = typed.strip_prefix(&["ladder"]).unwrap_or(&typed);
    let (subcommand, more) = behind.split_first()?;
    let mut words = [&[*subcommand], more].concat();
    if more.is_empty() && subcommand.eq_ignore_ascii_case("show") {
        words.push(reader.as_str());
    }
    let trust = Trust::Token(Topic::Ladder(game), reader.clone());
    ladder::is_about_one(subcommand)
        .then(|| Keyword::Verb(&ladder::VERB).parse(games::find(game), &words, &trust))
}

/// Parses the words of a form of the web, one for each field.
///
/// # Errors
/// The words do not fit the grammar of the verb.
pub fn parse_words(
    game: Option<&'static dyn AnyGame>,
    verb: &'static Verb,
    words: &[&str],
    trust: &Trust,
) -> ParsedCommand {
    Keyword::Verb(verb).parse(game, words, trust)
}

/// Returns whether a line is a `signup`.
pub fn is_signup(line: &str) -> bool {
    let words = unmarked_words(line);
    matches!(split_command(&words), Ok((_, Keyword::Verb(verb), _)) if verb.name == signup::VERB.name)
}

/// Splits a line into words, without `**`, which people copy from the bold type of a manual.
fn split_words(line: &str) -> Vec<&str> {
    line.split_whitespace().filter(|word| *word != "**").collect()
}

/// The first word of a command, or the word after a game's name.
enum Keyword<'a> {
    Verb(&'static Verb),
    /// A one-word move of the game: `double`.
    Move(&'static str),
    /// A setting of the game.
    Setting(&'a str),
}

/// Finds the verb that a word names, or else the one-word move or the setting of the game.
fn find_keyword<'a>(game: Option<&'static dyn AnyGame>, word: &'a str) -> Option<Keyword<'a>> {
    let of_game = |game| {
        let word_of_move = move_word(game, word).map(Keyword::Move);
        word_of_move.or_else(|| is_setting(game, word).then_some(Keyword::Setting(word)))
    };
    find_verb(word, game).map(Keyword::Verb).or_else(|| of_game(game?))
}

impl Keyword<'_> {
    /// Parses the words after the keyword.
    fn parse(
        &self,
        game: Option<&'static dyn AnyGame>,
        rest: &[&str],
        trust: &Trust,
    ) -> ParsedCommand {
        let mut words = Arguments::new(rest, trust, self.usage(game));
        let command = match *self {
            Self::Verb(verb) => (verb.parse)(game, &mut words),
            Self::Move(word) => make_move::parse_move_word(required_game(game), word, &mut words),
            Self::Setting(name) => settings::parse_setting(required_game(game), name, &mut words),
        }?;
        Ok(match words.claimed() {
            Some(user) => Box::new(CommandWithPassword { user: user.clone(), command }),
            None => command,
        })
    }

    /// Returns the usage of the command.
    fn usage(&self, game: Option<&'static dyn AnyGame>) -> String {
        let of_game = |word: &str, more: &str| {
            let game = required_game(game).spec().name;
            format!("{game} {word} <board> <userid> <password>{more}")
        };
        match self {
            Self::Verb(verb) => verb.usage_for(game),
            Self::Move(word) => of_game(word, ""),
            Self::Setting(name) => of_game(name, " [<value>|off]"),
        }
    }

    /// Returns whether the command contains a password.
    fn has_password(&self) -> bool {
        match self {
            Self::Verb(verb) => verb.usage.contains("<password>"),
            Self::Move(_) | Self::Setting(_) => true,
        }
    }
}

/// A command with a password among its words.
#[derive(Debug)]
struct CommandWithPassword {
    user: UserId,
    command: Box<dyn Command>,
}

impl Command for CommandWithPassword {
    /// Also needs the counts of wrong passwords for the user and from the sender.
    fn needs(&self) -> Needs {
        let failures = Needs::WithSender(vec![failures_key(&self.user)]);
        Needs::All(vec![failures, self.command.needs()])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        self.command.decide(world, cx)
    }

    fn board(&self) -> Option<BoardId> {
        self.command.board()
    }

    fn claimed_user(&self) -> Option<&UserId> {
        Some(&self.user)
    }

    fn lasting_act(&self) -> Option<LastingAct> {
        self.command.lasting_act()
    }

    fn is_open_to_guests(&self) -> bool {
        self.command.is_open_to_guests()
    }
}

/// Builds the refusal of a line whose first word is neither a game nor a verb.
fn unknown_word(word: &str, rest: &[&str]) -> SyntaxRefusal {
    if let Some(verb) = GAMES.first().and_then(|game| find_verb(word, Some(*game))) {
        // People also write the game after the verb.
        let game = rest.iter().find_map(|word| games::find(word)).or(GAMES.first().copied());
        return SyntaxRefusal::GameFirst { verb: verb.name, usage: verb.usage_for(game) };
    }
    if let Some(game) = rest.iter().find_map(|word| games::find(word))
        && intents::verb_meant_by(word) == Some(challenge::VERB.name)
    {
        return missing_challenge(game, rest);
    }
    let mut live = games::CONSOLE.iter();
    if let Some(live) = live.find(|game| game.name.eq_ignore_ascii_case(word)) {
        return SyntaxRefusal::OnlyLive { name: live.name, title: live.title };
    }
    // `your move` does not name a game.
    let is_game_verb = |rest: &[&str]| match rest {
        [verb, more @ ..] if verbs_of_games().any(|known| known.is_named(verb)) => {
            let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
            challenge::VERB.is_named(verb) || more.first().is_some_and(is_number)
        }
        _ => false,
    };
    let is_name = (2..=20).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_alphabetic());
    let games = games::names();
    if is_name && is_game_verb(rest) && near(word, games).is_empty() {
        return SyntaxRefusal::UnknownGame { near: Vec::new() };
    }
    // A short word of a sentence easily resembles a verb of games.
    let verbs = VERBS.iter().filter(|verb| verb.scope != VerbScope::Game || word.len() >= 5);
    let verbs = verbs.map(|verb| verb.name);
    let games = games::names();
    let near = completed_or_near(word, None, verbs.chain(games));
    let usage = usage_of(&near, None);
    SyntaxRefusal::UnknownWord { word: word.to_owned(), near, usage }
}

/// Returns the verbs that need the name of a game.
fn verbs_of_games() -> impl Iterator<Item = &'static Verb> {
    VERBS.iter().copied().filter(|verb| verb.scope == VerbScope::Game)
}

/// Builds the refusal of the name of a game without a verb.
fn missing_verb(game: &'static dyn AnyGame) -> SyntaxRefusal {
    let verbs = VERBS.iter().filter(|verb| verb.scope != VerbScope::Server);
    let usage: Vec<_> = verbs.map(|verb| verb.usage_for(Some(game))).collect();
    let what = format!("the command for {} is missing", game.spec().title);
    SyntaxRefusal::Usage { what, usage: usage.join("\n") }
}

/// Builds the refusal of a wish to play without the verb `challenge`.
fn missing_challenge(game: &'static dyn AnyGame, words: &[&str]) -> SyntaxRefusal {
    let spec = game.spec();
    let usage = match words.iter().find_map(|word| intents::program_named(word)) {
        Some(program) if spec.manner.levels > 0 => {
            format!("{} {} {}", spec.name, challenge::VERB.name, program.as_str())
        }
        _ => challenge::VERB.usage_for(Some(game)),
    };
    SyntaxRefusal::Usage { what: "the word `challenge` is missing".into(), usage }
}

/// Builds the refusal of an unknown word after the name of a game.
fn unknown_verb(game: &'static dyn AnyGame, words: &[&str]) -> SyntaxRefusal {
    let (spec, word) = (game.spec(), words[0]);
    let meant = intents::verb_meant_by(word);
    let is_wanted = |word: &&str| intents::program_named(word).is_some();
    if is_wanted(&word) || meant == Some(challenge::VERB.name) && words.iter().any(is_wanted) {
        return missing_challenge(game, words);
    }
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        let what = "the command in front of the number is missing".into();
        return SyntaxRefusal::Usage { what, usage: make_move::VERB.usage_for(Some(game)) };
    }
    let verbs = VERBS.iter().filter(|verb| verb.scope != VerbScope::Server).map(|verb| verb.name);
    let own = spec.verbs.iter().copied().chain(spec.settings.iter().map(|own| own.switch.name));
    let near =
        meant.map_or_else(|| completed_or_near(word, Some(game), verbs.chain(own)), |m| vec![m]);
    let usage = usage_of(&near, Some(game));
    SyntaxRefusal::UnknownVerb { game: spec.title, near, usage, word: word.to_owned() }
}

/// Returns the usage of the only verb that resembles the word.
fn usage_of(near: &[&str], game: Option<&'static dyn AnyGame>) -> Option<String> {
    let [one] = near else { return None };
    VERBS.iter().find(|verb| verb.name == *one).map(|verb| verb.usage_for(game))
}

/// Returns the verbs that begin with a word of at least three letters, or else words that resemble
/// it.
fn completed_or_near(
    word: &str,
    game: Option<&'static dyn AnyGame>,
    known: impl Iterator<Item = &'static str>,
) -> Vec<&'static str> {
    let folded = word.to_ascii_lowercase();
    let begun = verbs_of(game).filter(|verb| verb.begins_with(&folded));
    let begun: Vec<_> = begun.filter(|_| word.len() >= 3).map(|verb| verb.name).collect();
    if begun.is_empty() { near(word, known) } else { begun }
}

/// Returns whether a line was meant as a command with a password, even if the command is wrong.
pub fn has_password(line: &str) -> bool {
    let all = unmarked_words(line);
    match split_command(&all) {
        Ok((Some(_), named, rest)) => named.has_password() && !rest.is_empty(),
        Ok((None, ..)) => {
            parse(line, &Trust::Untrusted).is_ok_and(|command| command.claimed_user().is_some())
        }
        Err(_) => false,
    }
}

/// Returns whether a Subject is `multiple`, or a prefix of it.
pub fn is_multiple(subject: &str) -> bool {
    subject_readings(subject).any(|subject| {
        let words = subject.to_ascii_lowercase();
        let mut words = words.split_whitespace().filter(|word| *word != "**");
        let word = words.next().unwrap_or_default();
        word.len() >= 4 && MULTIPLE.starts_with(word) && words.next().is_none()
    })
}

/// Returns whether a line asks for help pages, which need no home: `help`, `malaka help`.
pub fn is_help(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    let game = games::find(first);
    let verb = if game.is_some() { words.next().unwrap_or_default() } else { first };
    find_verb(verb, game).is_some_and(|verb| verb.name == HELP.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::Time;
    use crate::model::user::Mark;
    use games::Choices;

    #[test]
    fn marks_before_a_command_are_skipped() {
        for line in [
            "Re: Re: malaka help",
            "AW: [games] ***SPAM*** malaka help",
            "Re[2]: Fwd: malaka ** help",
            "MALAKA HELP",
        ] {
            assert!(parse(line, &Trust::Untrusted).is_ok(), "{line}");
        }
        let eleven = format!("{}malaka help", "Re: ".repeat(11));
        assert!(parse(&eleven, &Trust::Untrusted).is_ok());
    }

    #[test]
    fn a_password_is_noticed_before_and_after_the_game() {
        for line in [
            "moloko move 1 dora sesame a1-a2",
            "Moloko: move 1 dora sesame",
            "roll Backgammon 1 x y",
        ] {
            assert!(has_password(line), "{line}");
        }
        for line in
            ["moloko move", "move moloko", "moloko show 1", "show moloko 1", "play moloko x"]
        {
            assert!(!has_password(line), "{line}");
        }
    }

    #[test]
    fn a_password_does_not_hide_that_an_act_is_lasting() {
        let command = parse("malaka resign 17 alice sesame", &Trust::Untrusted).unwrap();
        assert!(command.claimed_user().is_some());
        let board = command.board().unwrap();
        assert_eq!(command.lasting_act(), Some(LastingAct::Resign { board, stake: None }));
    }

    #[test]
    fn a_reply_names_neither_its_board_nor_its_player() {
        let game = games::find("malaka").unwrap();
        let players = ["alice", "bob"].map(|name| UserId::parse(name).unwrap());
        let board = Board::new(game, 17, players.clone(), Choices::default(), Time::from_unix(1));
        let is_for_all_moves = |name: &str| {
            let marks = [Mark::Muted, Mark::Blocked, Mark::Favourite];
            let of_marks = marks.iter().flat_map(|mark| [mark.verb(), mark.undoing_verb()]);
            of_marks
                .chain(["chat", "note", "rematch", "report", "unsubscribe"])
                .any(|known| known == name)
        };
        for verb in VERBS.iter().filter(|verb| verb.reply.is_some()) {
            let words = match verb.name {
                "profile" => "bob",
                "set" => "reminders off",
                "notify" => "on",
                "vacation" => "2026-12-01",
                "timezone" => "Berlin",
                "weekend" => "off",
                "night" => "22-7",
                _ if verb.usage.contains("<move>") => "a1-a2",
                _ => "",
            };
            let command = parse_reply(verb, &board, Some(3), &players[0], words);
            let Ok(command) = command else {
                // These verbs take no move number.
                assert!(is_for_all_moves(verb.name), "{}: {command:?}", verb.name);
                assert!(
                    parse_reply(verb, &board, None, &players[0], words).is_ok(),
                    "{}",
                    verb.name
                );
                continue;
            };
            let is_of_board = !matches!(verb.reply, Some(ReplyScope::Game | ReplyScope::User));
            assert_eq!(command.board(), is_of_board.then_some(board.id), "{}", verb.name);
            assert_eq!(command.claimed_user(), None, "{}", verb.name);
        }
    }
}
