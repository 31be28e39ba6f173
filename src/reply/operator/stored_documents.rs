//! Everything stored about a board or a user, as the operator's commands print it.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::base::words::lines;
use crate::mail::Address;
use crate::model::board::{Board, Offer, RecordLine};
use crate::model::rating::Standing;
use crate::model::user::User;
use crate::model::world::{World, board_key, user_key};
use crate::reply::board_mail::board_section::{diagram, for_programs, picture};
use crate::reply::board_mail::names::player_names;
use crate::reply::board_mail::state_sentence::state_sentence;
use crate::reply::board_mail::{clock_text, offers, plans};
use crate::reply::letters::plain_text::{self, TextMedium};
use crate::reply::letters::{Block, TextElement};
use games::{Entry, Seat, View};

/// Fields with their names. Empty fields are left out.
#[derive(Default)]
struct Fields(Vec<TextElement>);

impl Fields {
    fn add(&mut self, name: &'static str, words: impl Into<String>) {
        let words = words.into();
        if !words.is_empty() {
            self.0.push(TextElement::Field(name.into(), words));
        }
    }
}

/// Returns a board as a line of a list.
pub fn board_line(board: &Board) -> String {
    let [one, other] = &board.players;
    format!("{}  {one}, {other}  {}", board.id, state_sentence(board, None))
}

/// Returns a user as a line of a list.
pub fn user_line(user: &User) -> String {
    let addresses: Vec<&str> = user.addresses.iter().map(Address::as_str).collect();
    let addresses = if addresses.is_empty() { "no address".into() } else { addresses.join(" ") };
    let (playing, over) = (user.active.len(), user.finished.len());
    let gone = match (&user.renamed, user.left) {
        (Some(new), _) => format!("  is {new} now"),
        (None, Some(left)) if left.erased => format!("  erased {}", left.at),
        (None, Some(left)) => format!("  left {}", left.at),
        (None, None) => String::new(),
    };
    format!("{}  {addresses}  {playing} in play, {over} over{gone}", user.id)
}

/// Prints everything stored about a board.
pub fn board_details(world: &World, board: &Board, now: Time) -> String {
    let mut fields = Fields::default();
    add_agreement(&mut fields, world, board);
    add_times(&mut fields, world, board, now);
    add_offers_and_plans(&mut fields, board);
    add_choices_and_ratings(&mut fields, world, board);
    let view = View::default();
    let blocks = [
        Block::sentence(state_sentence(board, None)),
        Block::Text(fields.0),
        record(board),
        picture(&diagram(board, &view), Some(player_names(board))),
        for_programs(board.position(), &view),
    ];
    plain_text::text(&blocks, TextMedium::Shell)
}

/// Returns a fact of each player, where there is one.
fn both(board: &Board, of: impl Fn(Seat) -> Option<String>) -> String {
    let one = |seat: Seat| Some(format!("{}: {}", board.player(seat), of(seat)?));
    Seat::BOTH.into_iter().filter_map(one).collect::<Vec<_>>().join("; ")
}

fn add_agreement(fields: &mut Fields, world: &World, board: &Board) {
    let player = |seat: Seat| {
        let challenger = if board.challenger == Some(seat) { " (challenger)" } else { "" };
        let gone = if world.user(board.player(seat)).is_none() { " (gone)" } else { "" };
        format!("{} {}{challenger}{gone}", board.side(seat), board.player(seat))
    };
    fields.add("File", board_key(board.id).to_string());
    fields.add("Players", Seat::BOTH.map(player).join(", "));
    fields.add("Options", board.options.words().collect::<Vec<_>>().join(" "));
    let private = board.private.then(|| "--private".to_owned());
    fields.add("Terms", board.terms.words().chain(private).collect::<Vec<_>>().join(" "));
}

fn add_times(fields: &mut Fields, world: &World, board: &Board, now: Time) {
    fields.add("Started", board.started.to_string());
    fields.add("Ended", board.ended_at().map(|at| at.to_string()).unwrap_or_default());
    if let Some(closing) = board.closing {
        let who = board.player(Seat(closing.seat & 1));
        fields.add("Closed", format!("{:?} by {who}", closing.by).to_lowercase());
    }
    if board.is_over() {
        let [o, x] = world.clock(board, now).used.map(clock_text::span);
        let [one, other] = &board.players;
        fields.add("Time", format!("Clock: {one} {o}, {other} {x}."));
    } else {
        fields.add("Time", clock_text::describe(world, board, None, now).unwrap_or_default());
    }
    let nags = board.nags.map(|nags| format!("{}, last {}", nags.first, nags.last));
    fields.add("Reminded", nags.unwrap_or_default());
}

fn add_offers_and_plans(fields: &mut Fields, board: &Board) {
    fields.add("Offer", offers::open(board, &View::default()).unwrap_or_default());
    let past = |offer: &Offer| {
        let (what, end) = (offer.what.word(), if offer.is_refused { ", refused" } else { "" });
        format!("{what} of {}, {}{end}", board.player(offer.by), offer.at)
    };
    fields.add("Withdrawn", board.past.iter().map(past).collect::<Vec<_>>().join("; "));
    fields.add("Submitted", both(board, |seat| board.submitted[seat.index()].clone()));
    let plan = |seat: Seat| {
        let plan = board.plans[seat.index()].as_ref()?;
        let lines = plans::plan_lines(board, seat, plan, &View::default());
        Some(format!("{} (from move {})", lines.join("; "), plan.from))
    };
    fields.add("Plan", both(board, plan));
    let kept: Vec<String> = board.kept.iter().map(ToString::to_string).collect();
    fields.add("Kept rolls", kept.join(" "));
}

fn add_choices_and_ratings(fields: &mut Fields, world: &World, board: &Board) {
    let settings = |seat: Seat| {
        let words: Vec<String> = world.settings(board, seat).words().collect();
        (!words.is_empty()).then(|| words.join(" "))
    };
    fields.add("Settings", both(board, settings));
    let observers: Vec<&str> = board.observers.iter().map(UserId::as_str).collect();
    fields.add("Observers", observers.join(", "));
    let effect = |seat: Seat| {
        let effect = board.rated?[seat.index()];
        let of =
            |standing: Standing| format!("{} ({})", both_ratings(&standing), results(&standing));
        Some(format!("{} to {}", of(effect.before), of(effect.after)))
    };
    fields.add("Ratings", both(board, effect));
}

/// Returns the rating with its deviation, and the rating of the original server.
fn both_ratings(standing: &Standing) -> String {
    let Standing { skill, original, .. } = standing;
    format!("{} +/- {}, original {original}", skill.rating, skill.deviation)
}

fn results(standing: &Standing) -> String {
    format!("won {}, lost {}, tied {}", standing.won, standing.lost, standing.tied)
}

/// Prints the record, an entry on each line: its number, its time, and the number of the move.
fn record(board: &Board) -> Block {
    let mut rows = vec!["Record".to_owned()];
    let mut moves = (1..).zip(board.moves());
    for (index, RecordLine { at, entry, .. }) in board.record.iter().enumerate() {
        let text = match entry {
            Entry::Rolled(roll) => format!("      {} rolled", roll.higher_first()),
            Entry::Laid(stones) => format!("      {stones} laid"),
            Entry::Moved { .. } | Entry::Resigned { .. } => {
                let Some((number, turn)) = moves.next() else { continue };
                let auto = if turn.auto { " (auto)" } else { "" };
                format!("{number:>4}. {} {}{auto}", board.side(turn.seat), turn.text)
            }
        };
        let again = board.rewound.filter(|rewound| rewound.entries == index + 1);
        let again = again.map(|rewound| format!("; waits again since {}", rewound.at));
        let line = format!("{:>5}  {at}  {text}{}", index + 1, again.unwrap_or_default());
        rows.push(lines(&line, 76, "                                   "));
    }
    Block::preformatted(rows)
}

/// Prints what is stored about a user, without secrets.
pub fn user_details(user: &User) -> String {
    let mut fields = Fields::default();
    fields.add("File", user_key(&user.id).to_string());
    let addresses: Vec<&str> = user.addresses.iter().map(Address::as_str).collect();
    fields.add("Addresses", addresses.join(" "));
    if user.joined != Time::EPOCH {
        fields.add("Joined", user.joined.to_string());
    }
    if let Some(left) = user.left {
        let how = if left.erased { ", erased" } else { "" };
        fields.add("Left", format!("{}{how}", left.at));
    }
    let renamed = user.renamed.as_ref().map(|new| format!("is {new} now"));
    fields.add("Renamed", renamed.unwrap_or_default());
    let boards =
        |boards: &[BoardId]| boards.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    fields.add("Active", boards(&user.active));
    fields.add("Finished", boards(&user.finished));
    for (game, standing) in &user.ratings {
        fields.add("Rating", format!("{game} {}, {}", both_ratings(standing), results(standing)));
    }
    for (game, most) in &user.limits {
        fields.add("Limit", format!("{game} {most}"));
    }
    for vacation in &user.vacations {
        fields.add("Vacation", format!("{} to {}", vacation.from, vacation.to));
    }
    plain_text::text(
        &[Block::sentence(user.id.to_string()), Block::Text(fields.0)],
        TextMedium::Shell,
    )
}
