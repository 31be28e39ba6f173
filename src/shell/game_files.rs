//! `import` and `export`: files with games in the formats of other programs.

use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::base::progress::Progress as _;
use crate::base::time::Time;
use crate::base::words::Plural;
use crate::command;
use crate::refusal::OperatorRefusal;
use crate::server::repair::{RepairError, read_board, read_tournament};
use crate::server::requests::Request;
use crate::server::{Server, ShellAnswer};
use crate::shell::cli::{ExportJob, ImportJob};
use crate::shell::home::MAX_READ_AT_ONCE;
use crate::shell::output::printable::short_text;
use crate::shell::output::progress::Bar;
use crate::shell::player::{run_on_server, try_on_server};
use crate::shell::repairs::existing_user;
use crate::shell::repairs::user::userid_of;
use crate::shell::{CommandError, Exit, Machine, game_tools, home, settings};
use crate::store::{Fault, Store};
use games::{AnyGame, Choices, Format, Transcript, is_dash};
use std::collections::HashMap;
use std::io::{BufRead, Read as _};
use std::path::Path;

/// The longest file, in bytes.
const MAX_FILE_BYTES: u64 = 16_000_000;

/// The most characters of a player's name that a message repeats.
const SHOWN_OF_NAME: usize = 40;

/// Sets up a board for each game of a file on standard input. Games that cannot be set up are reported, and
/// spoil no others.
pub(crate) fn import(
    home: &Path,
    job: &ImportJob,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let (game, _) =
        game_tools::parse_game(std::slice::from_ref(&job.game)).map_err(CommandError::Usage)?;
    let names = PlayerNames::new(job)?;
    let read = read_games(game, machine.input)?;
    let requests: Vec<Result<Request, String>> = read
        .into_iter()
        .map(|transcript| {
            let transcript = transcript?;
            let players = names.users(&transcript)?;
            Ok(Request::from_operator(command::import(game, transcript, players)))
        })
        .collect();
    if let [Err(why)] = &requests[..] {
        return Err(CommandError::Usage(why.clone()));
    }
    let bar = machine.screen.bar("games");
    let work = |server: &mut Server, store: &dyn Store, now: Time| {
        set_up(&requests, &bar, server, store, now)
    };
    if job.dry_run {
        try_on_server(home, machine, work)
    } else {
        run_on_server(home, machine, work)
    }
}

/// Sets up the boards, and reports each game of the file.
fn set_up(
    requests: &[Result<Request, String>],
    bar: &Bar,
    server: &mut Server,
    store: &dyn Store,
    now: Time,
) -> Result<ShellAnswer, Fault> {
    bar.expects(requests.len());
    let (mut lines, mut refused) = (Vec::new(), 0);
    let is_only = requests.len() == 1;
    for (number, request) in (1..).zip(requests) {
        let done = match request {
            Ok(request) => server.execute_shell_command(request, store, now)?,
            Err(why) => ShellAnswer { text: format!("{why}\n"), is_done: false },
        };
        bar.advances(1);
        refused += usize::from(!done.is_done);
        lines.push(match done {
            done if is_only => done.text,
            ShellAnswer { text, is_done: false } => format!("game {number} refused: {text}"),
            // Of many boards each has a line.
            ShellAnswer { text, .. } => {
                format!("game {number}: {}\n", text.lines().next().unwrap_or_default())
            }
        });
    }
    if !is_only {
        let done = Plural(requests.len() - refused, "board");
        lines.push(format!("{done} set up, {} refused\n", Plural(refused, "game")));
    }
    let text = lines.concat();
    Ok(ShellAnswer { text, is_done: refused == 0 })
}

/// Reads the games of a file: each, or why it cannot be read.
///
/// # Errors
/// The game has no format that is read, or the text is too long or a position.
fn read_games(
    game: &dyn AnyGame,
    input: &mut dyn BufRead,
) -> Result<Vec<Result<Transcript, String>>, CommandError> {
    let (name, title) = (game.spec().name, game.spec().title);
    let read = game.spec().formats.iter().find_map(|format| format.read);
    let read = read.ok_or_else(|| {
        CommandError::Usage(format!("there is no format of other programs for records of {title}"))
    })?;
    let mut text = Vec::new();
    input.take(MAX_FILE_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_FILE_BYTES {
        let why =
            format!("the file is longer than {MAX_FILE_BYTES} bytes: split it between two games");
        return Err(CommandError::Usage(why));
    }
    let text = String::from_utf8_lossy(&text);
    let mut games = read(&text);
    if games.iter().all(Result::is_err) {
        let place = |line: &str| game.place(&Choices::default(), line.trim()).is_ok();
        // Only a short text is a position.
        if text.lines().count() <= 40 && text.lines().any(place) {
            let why = format!("this is a position, not a record; `plays {name}` reads positions");
            return Err(CommandError::Usage(why));
        }
    }
    for game in &mut games {
        // The text comes from strangers, and the message goes to the operator's terminal.
        if let Err(why) = game {
            *why = short_text(why);
        }
    }
    Ok(games)
}

/// The users who play for the names in a file.
struct PlayerNames {
    /// The players of every game, if the operator names them.
    named: Option<[UserId; 2]>,
    /// Users by name, in small letters.
    aliases: HashMap<String, UserId>,
}

impl PlayerNames {
    fn new(job: &ImportJob) -> Result<Self, CommandError> {
        let named = match &job.players[..] {
            [] => None,
            [first, second] => Some([userid_of(first)?, userid_of(second)?]),
            _ => return Err(CommandError::Usage("name two players, the first mover first".into())),
        };
        let alias = |word: &String| {
            let wrong = || CommandError::Usage(format!("`--as {word}` is not NAME=USERID"));
            let (name, user) = word.rsplit_once('=').ok_or_else(wrong)?;
            Ok((name.trim().to_lowercase(), userid_of(user.trim())?))
        };
        let aliases = job.aliases.iter().map(alias).collect::<Result<_, CommandError>>()?;
        Ok(Self { named, aliases })
    }

    /// Returns the players of a game, seat 0 first.
    ///
    /// # Errors
    /// A name is no userid. The message is for the operator.
    fn users(&self, transcript: &Transcript) -> Result<[UserId; 2], String> {
        if let Some(named) = &self.named {
            return Ok(named.clone());
        }
        let user = |name: &String| {
            let known = self.aliases.get(&name.trim().to_lowercase()).cloned();
            known.or_else(|| UserId::parse(name)).ok_or_else(|| {
                let shown: String = name.chars().take(SHOWN_OF_NAME).collect();
                short_text(&format!(
                    "`{shown}` is not a userid: say who it is with `--as \"{shown}=USERID\"`"
                ))
            })
        };
        let [first, second] = &transcript.players;
        Ok([user(first)?, user(second)?])
    }
}

/// Writes the games of a player or a tournament as one file. Games that the format cannot express are left
/// out with a warning.
pub(crate) fn export(
    home: &Path,
    job: &ExportJob,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    settings::load(home)?;
    let (game, _) =
        game_tools::parse_game(std::slice::from_ref(&job.game)).map_err(CommandError::Usage)?;
    let words: Vec<&String> = job.board.iter().chain(&job.format).collect();
    let format = format_of(game, &words)?;
    let numbers = numbers(home, game, job)?;
    let bar = machine.screen.bar("games");
    bar.expects(numbers.len());
    let mut exit = Exit::Done;
    let mut is_first = true;
    for numbers in numbers.chunks(MAX_READ_AT_ONCE) {
        // The home is closed while the file is written: its reader may be slow.
        let boards: Vec<ExportedBoard> = {
            let store = home::read(home)?;
            let board = |number: &u32| {
                let id = BoardId { game: game.spec().name, number: *number };
                export_board(&*store, id, format)
            };
            numbers.iter().map(board).collect::<Result<_, CommandError>>()?
        };
        for board in boards {
            bar.advances(1);
            match board {
                ExportedBoard::Text(text) => {
                    let before = if std::mem::take(&mut is_first) { "" } else { "\n" };
                    bar.aside(|| write!(machine.out, "{before}{text}"))?;
                }
                ExportedBoard::LeftOut(why) => {
                    bar.aside(|| (machine.warn)(&why));
                    exit = Exit::Refused;
                }
            }
        }
    }
    Ok(exit)
}

/// Returns the format that the operator names, or the first one of the game that can be read again.
fn format_of(
    game: &'static dyn AnyGame,
    words: &[&String],
) -> Result<&'static Format, CommandError> {
    let spec = game.spec();
    let known: Vec<&str> = spec.formats.iter().map(|format| format.name).collect();
    let found = match words {
        [] => spec.formats.iter().find(|format| format.read.is_some()),
        [word] => {
            let name = word.trim_start_matches(is_dash);
            spec.formats.iter().find(|format| format.name.eq_ignore_ascii_case(name))
        }
        _ => None,
    };
    found.ok_or_else(|| {
        CommandError::Usage(match &known[..] {
            [] => format!("{} has no format of other programs", spec.title),
            known => format!("name one format of {}: {}", spec.title, known.join(", ")),
        })
    })
}

/// Returns the numbers of the boards to export, in the order in which they began.
fn numbers(
    home: &Path,
    game: &'static dyn AnyGame,
    job: &ExportJob,
) -> Result<Vec<u32>, CommandError> {
    let name = game.spec().name;
    let store = home::read(home)?;
    let mut numbers: Vec<u32> = match (&job.player, job.tournament) {
        (Some(player), _) => {
            let player = userid_of(player)?;
            let user = existing_user(&*store, &player)?;
            let boards = user.active.iter().chain(&user.finished);
            boards.filter(|id| id.game == name).map(|id| id.number).collect()
        }
        (None, Some(number)) => {
            let id = TournamentId { game: name, number };
            let tournament = read_tournament(&*store, id)?
                .ok_or_else(|| RepairError::from(OperatorRefusal::NoTournament(id)))?;
            tournament.field.iter().flat_map(|field| &field.games).map(|game| game.board).collect()
        }
        (None, None) => {
            let why = "name a board, or whose games to write: `--player ALICE` or `--tournament 7`";
            return Err(CommandError::Usage(why.into()));
        }
    };
    numbers.sort_unstable();
    Ok(numbers)
}

/// A board for a file of another program.
enum ExportedBoard {
    /// Its text in the format.
    Text(String),
    /// Why it is left out.
    LeftOut(String),
}

/// Writes a board in a format.
fn export_board(
    store: &dyn Store,
    id: BoardId,
    format: &Format,
) -> Result<ExportedBoard, CommandError> {
    let left_out =
        |why: String| Ok(ExportedBoard::LeftOut(short_text(&format!("{id} is left out: {why}"))));
    match read_board(store, id) {
        Ok(None) => left_out("it has been deleted".into()),
        Ok(Some(board)) if board.is_hidden() => left_out("it hides something until it ends".into()),
        Ok(Some(board)) => match (format.write)(&board.transcript(None)) {
            Ok(text) => Ok(ExportedBoard::Text(text)),
            Err(why) => left_out(why),
        },
        Err(RepairError::Refused(OperatorRefusal::Damaged { file, why })) => {
            left_out(format!("{file} cannot be read: {why}"))
        }
        Err(trouble) => Err(trouble.into()),
    }
}
