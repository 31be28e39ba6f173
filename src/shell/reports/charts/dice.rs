//! `dice-report`: statistics of the dice on all boards.

use super::chart::{ChartBars, bars};
use super::page;
use crate::base::ids::UserId;
use crate::base::progress::Progress as _;
use crate::model::board::Board;
use crate::model::dice::statistics::{DiceTally, TestResult, drawn_rolls};
use crate::shell::home::read;
use crate::shell::output::progress::Bar;
use crate::shell::{CommandError, Machine};
use crate::store::{DocumentKind, operator_files};
use games::{AnyGame, GAMES, Roll, Seat};
use maud::{Markup, html};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// The explanation of the tests.
const ABOUT: &str = "p is how likely it is that fair dice are as far off as these, or more. Of twenty \
                     such numbers about one is below 0.05, by chance; one below 0.001 is rare.";

/// Which rolls to count.
pub(crate) struct RollFilter<'a> {
    /// Only those of this game.
    pub(crate) game: Option<&'a str>,
    /// Only those of this player.
    pub(crate) player: Option<&'a str>,
}

pub(crate) fn run(
    home: &Path,
    RollFilter { game, player }: RollFilter,
    html: Option<&Path>,
    json: bool,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let unknown = |name: &str| CommandError::Usage(format!("there is no game `{name}`"));
    let games: Vec<&'static dyn AnyGame> = match game {
        Some(name) => vec![games::find(name).ok_or_else(|| unknown(name))?],
        None => GAMES.to_vec(),
    };
    let player = player.map(|name| {
        UserId::parse(name).ok_or_else(|| CommandError::Usage(format!("there is no user `{name}`")))
    });
    let bar = machine.screen.bar("boards");
    let tallies = count_rolls(home, &games, player.transpose()?.as_ref(), &bar)?;
    drop(bar);
    let of_game = game.map_or_else(String::new, |name| format!(" of {name}"));
    let title = format!("Dice{of_game}");
    if json {
        writeln!(machine.out, "{:#}", tallies_json(&tallies))?;
    } else {
        write!(machine.out, "{}", tallies_text(&title, &tallies))?;
    }
    if let Some(file) = html {
        operator_files::write(file, &tallies_page(&title, &tallies).into_string())?;
    }
    Ok(())
}

/// Counts the rolls of these games, or of one player, for each kind of dice.
fn count_rolls(
    home: &Path,
    games: &[&'static dyn AnyGame],
    player: Option<&UserId>,
    bar: &Bar,
) -> Result<Vec<DiceTally>, CommandError> {
    let opened = read(home)?;
    let mut tallies = vec![DiceTally::new(4), DiceTally::new(6)];
    for game in games {
        let keys = opened.keys(DocumentKind::Boards(game.spec().name))?;
        bar.expects(keys.len());
        for key in keys {
            bar.advances(1);
            let text = opened.load(&key)?.text.unwrap_or_default();
            // `check` reports unreadable boards.
            let Ok(board) = Board::read(&text) else { continue };
            for tally in &mut tallies {
                tally.add(&rolls_with_faces(&board, tally.faces, player));
            }
        }
    }
    tallies.retain(|tally| tally.dice() > 0);
    Ok(tallies)
}

/// Returns the rolls of a board with dice of `faces` faces, of all players or of one.
pub(super) fn rolls_with_faces(board: &Board, faces: usize, player: Option<&UserId>) -> Vec<Roll> {
    let is_wanted = |seat: Option<Seat>| {
        player.is_none_or(|player| seat == board.seat(player) && seat.is_some())
    };
    let all = drawn_rolls(board).into_iter();
    let those = all.filter(|drawn| usize::from(drawn.throw.faces) == faces && is_wanted(drawn.by));
    those.map(|drawn| drawn.roll).collect()
}

/// Formats the heading of a kind of dice.
fn head(tally: &DiceTally) -> String {
    format!(
        "Dice with {} faces: {} on {} boards; {} rolls of two, {} of them doubles",
        tally.faces,
        tally.dice(),
        tally.boards,
        tally.pairs(),
        tally.doubles()
    )
}

fn test_line(test: &TestResult) -> String {
    format!("{:<20}  {:<46} p = {:.4}", test.name, test.found, test.p)
}

fn tallies_text(title: &str, tallies: &[DiceTally]) -> String {
    let mut text = format!("{title}\n");
    if tallies.is_empty() {
        text += "\nNothing was rolled.\n";
        return text;
    }
    for tally in tallies {
        let _ = writeln!(text, "\n{}\n", head(tally));
        let even = tally.dice() / tally.faces as u64;
        for (face, count) in (1..).zip(&tally.of_face[..tally.faces]) {
            let _ = writeln!(text, "{face:>6} {count:>10}  ({even} expected)");
        }
        let _ = writeln!(text, "\nfirst die down, second die across");
        for row in &tally.of_pair[..tally.faces] {
            for count in &row[..tally.faces] {
                let _ = write!(text, "{count:>9}");
            }
            text.push('\n');
        }
        let _ = writeln!(
            text,
            "\nmost rolls in a row with a low, or a high, first die: {}\n",
            tally.longest
        );
        for test in tally.tests() {
            let _ = writeln!(text, "{}", test_line(&test));
        }
    }
    let _ = writeln!(text, "\n{ABOUT}");
    text
}

/// Formats the tallies as JSON.
fn tallies_json(tallies: &[DiceTally]) -> Value {
    let test =
        |TestResult { name, found, p }: TestResult| json!({ "test": name, "found": found, "p": p });
    let one = |tally: &DiceTally| {
        let pairs = tally.of_pair[..tally.faces].iter().map(|row| &row[..tally.faces]);
        json!({
            "faces": tally.faces,
            "dice": tally.dice(),
            "boards": tally.boards,
            "of_face": tally.of_face[..tally.faces],
            "rolls_of_two": tally.pairs(),
            "doubles": tally.doubles(),
            "of_pair": pairs.collect::<Vec<_>>(),
            "longest_row": tally.longest,
            "tests": tally.tests().into_iter().map(test).collect::<Vec<_>>(),
        })
    };
    tallies.iter().map(one).collect()
}

fn tallies_page(title: &str, tallies: &[DiceTally]) -> Markup {
    let body = html! {
        h1 { (title) }
        @if tallies.is_empty() { p { "Nothing was rolled." } } @else { (sections(tallies)) }
    };
    page::page(title, &body)
}

/// Builds the section of each kind of dice, and the explanation.
pub(super) fn sections(tallies: &[DiceTally]) -> Markup {
    html! {
        @for tally in tallies { (section(tally)) }
        p.told { (ABOUT) }
    }
}

fn section(tally: &DiceTally) -> Markup {
    html! {
        h3 { (head(tally)) }
        (faces(tally))
        div.wide {
            table {
                caption { "First die down, second die across" }
                @for row in &tally.of_pair[..tally.faces] {
                    tr { @for count in &row[..tally.faces] { td { (count) } } }
                }
            }
        }
        p { "Most rolls in a row with a low, or a high, first die: " (tally.longest) }
        div.wide {
            table {
                tr { th { "Test" } th { "found" } th { "p" } }
                @for test in tally.tests() {
                    tr { td { (test.name) } td { (test.found) } td { (format!("{:.4}", test.p)) } }
                }
            }
        }
    }
}

/// Draws how often each face came up, with a line at the expected count.
fn faces(tally: &DiceTally) -> Markup {
    let labels: Vec<String> = (1..=tally.faces).map(|face| face.to_string()).collect();
    let counts = ChartBars { name: "came up", counts: tally.of_face[..tally.faces].to_vec() };
    let even = tally.dice() / tally.faces as u64;
    bars("How often each face came up", "face", &labels, &[counts], Some(even))
}
