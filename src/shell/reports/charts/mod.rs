//! `charts`: a page with charts of everything played in a home; and `dice-report`.

mod chart;
pub(crate) mod dice;
mod figures;
mod page;

use self::chart::{ChartBars, ChartLine, MOST_LINES, bars, lines};
use self::figures::{Figures, GameFigures, WAITS, line_points, stride, within};
use crate::base::ids::UserId;
use crate::base::time::{DAY, Day, Time, WEEK};
use crate::base::words::Plural;
use crate::shell::home::{locate, read};
use crate::shell::{CommandError, Machine, settings};
use crate::store::operator_files;
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::path::Path;

/// The name of the page, which web servers look for.
const PAGE: &str = "index.html";
/// The default folder in the home.
const FOLDER: &str = "charts";

/// Writes the page into a folder, or to standard output for `-`.
pub(crate) fn run(
    home: &Path,
    folder: Option<&Path>,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let address = settings::load(home)?.identity().address;
    let now = (machine.clock)();
    let bar = machine.screen.bar("boards");
    let mut figures = Figures::from_store(&*read(home)?, &bar)?;
    drop(bar);
    figures.mails = locate(home)?.traffic()?;
    let page = charts_page(address.as_str(), &figures, now).into_string();
    if folder == Some(Path::new("-")) {
        machine.out.write_all(page.as_bytes())?;
        return Ok(());
    }
    let own = home.join(FOLDER);
    let file = folder.unwrap_or(&own).join(PAGE);
    operator_files::publish(&file, &page)?;
    writeln!(machine.out, "wrote {}", file.display())?;
    Ok(())
}

fn charts_page(address: &str, figures: &Figures, now: Time) -> Markup {
    let title = format!("Games at {address}");
    let body = html! {
        h1 { (title) }
        p.told { "Up to " (now.minute()) " UTC, by Postboard " (env!("CARGO_PKG_VERSION")) "." }
        @if figures.games.is_empty() { p { "Nothing was played yet." } }
        @else {
            (summary(figures))
            @if let Some(days) = figures.days() { (traffic(figures, within(days, now))) }
            (waits(figures))
            (ratings(figures))
            (levels(figures))
            (of_dice(figures))
        }
    };
    page::page(&title, &body)
}

/// Builds the table of games.
fn summary(figures: &Figures) -> Markup {
    let damaged = usize::try_from(figures.damaged).unwrap_or(usize::MAX);
    html! {
        div.wide {
            table {
                tr { th { "Game" } th { "boards" } th { "in play" } th { "moves" } th { "rated players" } }
                @for game in &figures.games {
                    tr {
                        td { (game.title) }
                        td { (game.boards) }
                        td { (game.running) }
                        td { (game.moves) }
                        td { (game.ratings.len()) }
                    }
                }
            }
        }
        @if damaged > 0 {
            p { (Plural(damaged, "board")) " cannot be read and " (if damaged == 1 { "is" } else { "are" })
                " not in these numbers: `postboard check` says which." }
        }
    }
}

/// Builds the charts of events over time.
fn traffic(figures: &Figures, days: [Day; 2]) -> Markup {
    let stride = stride(days);
    let each = match stride {
        DAY => "a day",
        WEEK => "a week",
        _ => "in four weeks",
    };
    let line = |name: &str, counts| ChartLine {
        name: name.into(),
        points: line_points(counts, days, stride),
    };
    let games = [line("begun", &figures.begun), line("ended", &figures.ended)];
    html! {
        h2 { "Traffic" }
        (lines(&format!("Games {each}"), "games", &games))
        (lines(&format!("Moves {each}"), "moves", &[line("moves", &figures.moves)]))
        @if !figures.mails.is_empty() {
            @let mails = mails_line(&figures.mails);
            (lines("Mails and forms executed a day", "mails and forms", &[mails]))
            p.told { "The server remembers them for 90 days." }
        }
    }
}

/// Returns the line of mails. They are remembered for so short a time that each day is a point.
fn mails_line(mails: &BTreeMap<Day, u64>) -> ChartLine {
    let days = mails.keys().next().zip(mails.keys().next_back());
    let points =
        days.map(|(first, last)| line_points(mails, [*first, *last], DAY)).unwrap_or_default();
    ChartLine { name: "mails and forms".into(), points }
}

/// Builds the chart of times per move.
fn waits(figures: &Figures) -> Markup {
    let labels: Vec<String> = WAITS.iter().map(|(_, label)| (*label).to_owned()).collect();
    let counts = ChartBars { name: "moves", counts: figures.waits.to_vec() };
    let title = "Time per move of people";
    html! {
        h2 { "Time per move" }
        (bars(title, "up to", &labels, &[counts], None))
    }
}

/// Builds the charts of ratings, of the players who played most.
fn ratings(figures: &Figures) -> Markup {
    let rated = || figures.games.iter().filter(|game| !game.ratings.is_empty());
    html! {
        @if rated().next().is_some() {
            h2 { "Ratings" }
            @for game in rated() { (ratings_of(game)) }
        }
    }
}

fn ratings_of(game: &GameFigures) -> Markup {
    let mut players: Vec<(&UserId, &BTreeMap<Day, i32>)> = game.ratings.iter().collect();
    players.sort_by_key(|(player, days)| (usize::MAX - days.len(), player.folded()));
    let all = players.len();
    let shown = players.into_iter().take(MOST_LINES);
    let line = |(player, days): (&UserId, &BTreeMap<Day, i32>)| ChartLine {
        name: player.to_string(),
        points: days.iter().map(|(day, rating)| (*day, f64::from(*rating))).collect(),
    };
    let shown: Vec<ChartLine> = shown.map(line).collect();
    html! {
        (lines(game.title, "rating", &shown))
        @if all > MOST_LINES {
            p.told { "Those " (MOST_LINES) " of " (all) " who ended rated games on most days." }
        }
    }
}

/// Builds the charts of results against the program.
fn levels(figures: &Figures) -> Markup {
    let met = || figures.games.iter().filter(|game| !game.levels.is_empty());
    html! {
        @if met().next().is_some() {
            h2 { "People against the program" }
            @for game in met() { (levels_of(game)) }
        }
    }
}

fn levels_of(game: &GameFigures) -> Markup {
    let labels: Vec<String> = game.levels.keys().map(|level| format!("level {level}")).collect();
    let of = |name, result: usize| ChartBars {
        name,
        counts: game.levels.values().map(|counts| counts[result]).collect(),
    };
    let counts = [of("people won", 0), of("drawn", 1), of("the program won", 2)];
    bars(game.title, "", &labels, &counts, None)
}

fn of_dice(figures: &Figures) -> Markup {
    html! {
        @if !figures.dice.is_empty() {
            h2 { "Dice" }
            (dice::sections(&figures.dice))
        }
    }
}
