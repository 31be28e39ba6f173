//! Commands about the rules, which need no home: `plays`, `perft` and `compare-levels`.

use crate::base::progress::Progress as _;
use crate::shell::output::progress::Bar;
use crate::shell::{CommandError, Machine};
use games::{AnyGame, Choices, Contender, Next, TournamentEvent, TournamentResult, tournament};
use serde::Serialize;
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// A line of the output of `plays`.
#[derive(Serialize)]
#[serde(untagged)]
enum PlaysLine {
    Plays { plays: Vec<LegalPlay> },
    Error { error: String },
}

/// A legal play, and the position it leads to.
#[derive(Serialize)]
struct LegalPlay {
    play: String,
    after: String,
}

/// Parses a game and its options.
///
/// # Errors
/// There is no such game or option. The message is for the operator.
pub(super) fn parse_game(words: &[String]) -> Result<(&'static dyn AnyGame, Choices), String> {
    let (name, options) = words.split_first().ok_or("the game is missing")?;
    let game = games::find(name).ok_or_else(|| format!("there is no game `{name}`"))?;
    let spec = game.spec();
    let options = Choices::parse(spec.options, spec.exclusive, options.iter().map(String::as_str))
        .map_err(|error| error.to_string())?;
    Ok((game, options))
}

fn requested_game(words: &[String]) -> Result<(&'static dyn AnyGame, Choices), CommandError> {
    parse_game(words).map_err(CommandError::Usage)
}

/// `plays`: prints the legal plays in the positions on standard input.
pub(crate) fn plays_of(words: &[String], machine: &mut Machine) -> Result<(), CommandError> {
    let (game, options) = requested_game(words)?;
    Ok(plays(game, &options, machine.input, machine.out)?)
}

/// `perft`: counts the sequences of plays, to a depth.
pub(crate) fn perft_of(
    words: &[String],
    depth: u32,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let (game, options) = requested_game(words)?;
    let bar = machine.screen.count("depth");
    bar.ticks();
    for depth in 1..=depth {
        bar.advances(1);
        let count = game.perft(&options, depth);
        bar.aside(|| writeln!(machine.out, "{count}").and_then(|()| machine.out.flush()))?;
    }
    Ok(())
}

/// `compare-levels`: lets the levels of the program play each other.
pub(crate) fn compare_levels(
    words: &[String],
    length: ComparisonLength,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let (game, options) = requested_game(words)?;
    let bar = machine.screen.bar("games");
    levels(game, &options, length, machine.stopwatch, &bar, machine.out)
}

/// Reads positions, one per line, and prints the legal plays of each as a JSON line.
///
/// # Errors
/// Reading or writing failed.
pub(super) fn plays(
    game: &dyn AnyGame,
    options: &Choices,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut lines = input.split(b'\n').peekable();
    while let Some(text) = lines.next() {
        let mut text = String::from_utf8_lossy(&text?).into_owned();
        // GNU Backgammon prints the two IDs on a line each.
        let has = |text: &str, words: &str| text.to_ascii_lowercase().contains(words);
        if has(&text, "position id")
            && !has(&text, "match id")
            && let Some(Ok(next)) = lines.peek()
            && has(&String::from_utf8_lossy(next), "match id")
            && let Some(next) = lines.next()
        {
            text = format!("{} {}", text.trim(), String::from_utf8_lossy(&next?));
        }
        let line = match game.place(options, text.trim()) {
            Err(error) => PlaysLine::Error { error },
            Ok(position) => PlaysLine::Plays {
                plays: position
                    .successors()
                    .into_iter()
                    .map(|(play, after)| LegalPlay { play, after: after.notation() })
                    .collect(),
            },
        };
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// The length of a comparison of levels.
#[derive(Clone, Copy, Debug)]
pub(super) struct ComparisonLength {
    /// Games per pair.
    pub(super) games: u32,
    /// The seed of all games.
    pub(super) seed: u64,
}

/// Prints the results of the levels against chance, the next level, and the highest against the
/// lowest. A line is printed as soon as its pair has played.
fn levels(
    game: &dyn AnyGame,
    options: &Choices,
    length: ComparisonLength,
    stopwatch: &dyn Fn() -> Duration,
    bar: &Bar,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let spec = game.spec();
    let highest = spec.manner.levels;
    if highest == 0 || spec.manner.is_solo {
        let why = format!("the program cannot play {}", spec.title);
        return Err(CommandError::Usage(why));
    }
    bar.aside(|| {
        writeln!(
            out,
            "first    second    wins  draws  losses  second won       points a game    seconds a move"
        )?;
        out.flush()
    })?;
    let pairs = pairs(game, options);
    bar.expects(pairs.len() * usize::try_from(length.games).unwrap_or(0));
    for pair in pairs {
        let (mut spent, mut moves) = ([Duration::ZERO; 2], [0_u32; 2]);
        let mut before = stopwatch();
        let mut on_event = |event| {
            let TournamentEvent::Moved(who) = event else { return bar.advances(1) };
            let now = stopwatch();
            spent[who] += now.saturating_sub(before);
            moves[who] += 1;
            before = now;
        };
        let tally = tournament(game, options, pair, length.games, length.seed, &mut on_event);
        let each = [0, 1].map(|who| (spent[who] / moves[who].max(1)).as_secs_f64());
        bar.aside(|| write_tally(pair, &tally, each, out))?;
    }
    Ok(())
}

/// Prints the result of a pair, with the seconds per move of each.
fn write_tally(
    pair: [Contender; 2],
    tally: &TournamentResult,
    each: [f64; 2],
    out: &mut dyn Write,
) -> io::Result<()> {
    let [first, second] = pair.map(contender_name);
    let [share, points] = tally.intervals();
    writeln!(
        out,
        "{first:<8} {second:<8} {:>5}  {:>5}  {:>6}  {:>5.1} % ± {share:<4.1}  \
         {:+.3} ± {points:.3}   {:.6} {:.6}",
        tally.wins,
        tally.draws,
        tally.losses,
        100.0 - tally.percent(),
        0.0 - tally.points_a_game(),
        each[0],
        each[1],
    )?;
    out.flush()
}

/// Returns the pairs: neighbouring levels, the lowest and highest against each other and against
/// random play, and in a game with dice some against a greedy player.
fn pairs(game: &dyn AnyGame, options: &Choices) -> Vec<[Contender; 2]> {
    let highest = game.spec().manner.levels;
    let (lowest, top) = (Contender::Level(1), Contender::Level(highest));
    let mut pairs = vec![[Contender::Random, lowest]];
    pairs.extend((1..highest).map(|level| [level, level + 1].map(Contender::Level)));
    if highest > 2 {
        pairs.push([lowest, top]);
    }
    pairs.push([Contender::Random, top]);
    if has_dice(game, options) {
        pairs.extend([lowest, Contender::Level(3), top].map(|level| [Contender::Greedy, level]));
    }
    pairs
}

/// Returns whether a game begins with dice.
fn has_dice(game: &dyn AnyGame, options: &Choices) -> bool {
    matches!(game.setup(options).next(), Next::Roll(_) | Next::Ready(..))
}

fn contender_name(contender: Contender) -> String {
    match contender {
        Contender::Random => "random".into(),
        Contender::Greedy => "greedy".into(),
        Contender::Level(level) => format!("level {level}"),
    }
}
