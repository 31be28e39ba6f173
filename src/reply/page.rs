//! The HTML part of a mail about a board: the sentences of its text, the board as a table, and
//! links that write an answer.

use super::Outgoing;
use super::summary::{Body, latest, names};
use crate::base::ids::UserId;
use crate::mail::{Html, Identity, MARK, Way, mailto, shortened};
use crate::model::board::{Board, Status};
use crate::model::user::preference::HTML;
use crate::model::world::World;
use crate::reply::draw;
use games::{AnyPosition, Diagram, Next, Pile, ROLL, Rim, Seat, View};
use std::fmt::Write as _;

/// What the HTML part of a mail shows beside the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    diagram: Diagram,
    names: [String; 2],
    sides: [&'static str; 2],
    /// The latest moves as they stand in the text, and as cells of a table: number, side, words.
    rounds: String,
    turns: Vec<(usize, Seat, String)>,
    /// The picture as it stands in the text.
    drawn: String,
    presses: Vec<Press>,
}

/// What a player can say by pressing a link.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Press {
    /// A move, or a word that is one.
    Move(String),
    /// A verb.
    Verb(&'static str),
    /// The offer of his own is withdrawn.
    Withdraw,
    /// A move that he writes himself.
    Write,
    /// Words to the opponent.
    Chat,
    /// To give up: he has to write the word.
    Resign,
    /// Another game against the same opponent: the command.
    Again(String),
}

/// Gmail shows no more than about 102 KB of a mail.
pub const LARGEST: usize = 96 * 1024;

/// Links to moves in a mail; with those to verbs there are at most 30.
const MOST_MOVES: usize = 24;

/// How much a page holds: links, and bytes of each message of a player. The first that fits is sent.
const FITS: [(usize, usize); 4] = [(30, 10_000), (10, 6_000), (4, 2_000), (0, 500)];

impl Picture {
    /// What that user is shown of a board in HTML, if he likes to see it. `seat` is his, if he may
    /// play by answering.
    pub(super) fn of(
        world: &World,
        board: &Board,
        (user, seat): (&UserId, Option<Seat>),
        diagram: &Diagram,
        body: &Body,
    ) -> Option<Box<Self>> {
        world.user(user).filter(|user| user.preferences.is_on(&HTML))?;
        let side = |seat| board.side(seat);
        let view = seat.map_or_else(View::default, |seat| world.view(board, seat));
        let turn = |(number, turn): &(usize, crate::model::board::Turn)| {
            let dice = turn.dice.map_or_else(String::new, |dice| format!("{dice}: "));
            let auto = if turn.auto { " (auto)" } else { "" };
            let words = board.game.worded(&view, turn.text.clone().into_owned());
            (*number, turn.seat, format!("{dice}{words}{auto}"))
        };
        Some(Box::new(Self {
            diagram: diagram.clone(),
            names: names(board).map(str::to_owned),
            sides: Seat::BOTH.map(side),
            rounds: body.rounds.clone(),
            turns: latest(board).iter().map(turn).collect(),
            drawn: body.drawn.clone(),
            presses: seat.map_or_else(Vec::new, |seat| presses(board, seat, &view)),
        }))
    }

    /// A move waits to be confirmed: nothing else can be pressed.
    pub(super) fn to_confirm(mut self: Box<Self>) -> Box<Self> {
        self.presses = vec![Press::Verb("confirm"), Press::Write];
        self
    }
}

/// What the player of a seat can say now.
fn presses(board: &Board, seat: Seat, view: &View) -> Vec<Press> {
    let (game, me, opponent) =
        (board.game.spec().name, board.player(seat), board.player(seat.other()));
    let due = match board.status() {
        Status::ToMove(due) => due,
        Status::Ended(_) | Status::Closed(_) => {
            return vec![Press::Again(format!("{game} challenge {me} {opponent}"))];
        }
    };
    let mut presses = match board.offer {
        Some(offer) if offer.by == seat => vec![Press::Withdraw],
        Some(_) => vec![Press::Verb("accept"), Press::Verb("reject")],
        None => Vec::new(),
    };
    if due == seat {
        let written = |press| match press {
            Press::Move(text) => Press::Move(board.game.worded(view, text)),
            press => press,
        };
        presses.extend(moves(board.position()).into_iter().map(written));
    }
    presses.extend([Press::Chat, Press::Verb("show"), Press::Resign]);
    presses
}

/// The moves that can be pressed: all where they are few, else those that the text names.
fn moves(position: &dyn AnyPosition) -> Vec<Press> {
    let mut presses = Vec::new();
    if matches!(position.next(), Next::Ready(..)) {
        presses.push(Press::Verb(ROLL));
    }
    let count = position.count();
    if count <= MOST_MOVES {
        presses.extend(position.moves().into_iter().map(Press::Move));
    } else {
        let samples = [0, count / 2].into_iter().filter_map(|index| position.nth_move(index));
        presses.extend(samples.map(Press::Move));
        presses.push(Press::Write);
    }
    presses
}

impl Press {
    /// What stands on it.
    fn label(&self) -> &str {
        match self {
            Self::Move(text) => text,
            Self::Verb(word) => word,
            Self::Withdraw => "withdraw the offer",
            Self::Write => "another move ...",
            Self::Chat => "say something ...",
            Self::Resign => "resign ...",
            Self::Again(_) => "play again",
        }
    }

    /// The link. What stands below the mark is not read: an answer sent as it is says only what its
    /// first line says, and one that lacks that line is refused.
    fn link(&self, subject: &str, way: &Way, server: &Identity) -> String {
        let first: &str = match self {
            Self::Move(text) => text,
            Self::Verb(word) => word,
            Self::Withdraw => "reject",
            Self::Chat => "chat",
            Self::Write | Self::Resign => "",
            Self::Again(command) => return mailto(&server.address, command, ""),
        };
        let below = match self {
            Self::Write => "\nWrite your move above.",
            Self::Chat => "\nWrite below the word chat what you want to say.",
            Self::Resign => "\nTo give the game up, write the word resign above.",
            _ => "",
        };
        let subject = format!("Re: {subject}{}", way.mark);
        mailto(&way.to, &subject, &format!("{first}\n\n\n{MARK}{below}\n"))
    }
}

/// Writes the HTML part of a mail that has a picture; `tag` is that of its reply address. Nothing
/// where it cannot be made small enough.
pub fn html(mail: &Outgoing, server: &Identity, tag: Option<&str>) -> Option<Html> {
    let picture = mail.picture.as_deref()?;
    let way = tag.map(|tag| Way::of(server, tag));
    let links = way.map_or_else(Vec::new, |way| {
        let subject = &mail.subject;
        let link = |press: &Press| (press.label().to_owned(), press.link(subject, &way, server));
        picture.presses.iter().map(link).collect::<Vec<_>>()
    });
    FITS.into_iter().find_map(|(most_links, most_said)| {
        let links =
            if links.len() > most_links { &links[links.len() - most_links..] } else { &links };
        let html = page(mail, picture, links, most_said);
        (html.as_str().len() <= LARGEST).then_some(html)
    })
}

/// The whole page.
fn page(mail: &Outgoing, picture: &Picture, links: &[(String, String)], most_said: usize) -> Html {
    let in_text = format!("{}{}", picture.rounds, picture.drawn);
    let (before, after) = mail.text.split_once(&in_text).unwrap_or((&mail.text, ""));
    let style = "margin:0;padding:8px;font-family:Arial,Helvetica,sans-serif;font-size:15px;\
                 line-height:21px";
    Html::document(&mail.subject, style, |page| {
        paragraphs(page, before, most_said, true);
        rounds(page, picture);
        let names = [picture.names[0].as_str(), picture.names[1].as_str()];
        draw::html(page, &picture.diagram, names, &in_words(&picture.diagram));
        pressed(page, links);
        paragraphs(page, after, most_said, false);
        again(page, &picture.drawn);
    })
}

/// The latest moves.
fn rounds(page: &mut Html, picture: &Picture) {
    if picture.turns.is_empty() {
        return;
    }
    let style = "font-size:14px;line-height:19px;margin:0 0 8px 0;word-break:break-word";
    let of_table = [("border", "0"), ("cellpadding", "4"), ("cellspacing", "0"), ("style", style)];
    let row = [("valign", "top")];
    page.element("table", &of_table, |page| {
        page.element("tr", &row, |page| {
            page.element("td", &[], |page| page.text("\u{A0}"));
            for (side, name) in picture.sides.iter().zip(&picture.names) {
                page.element("td", &[], |page| {
                    page.element("b", &[], |page| page.text(&format!("{side} {name}")));
                });
            }
        });
        let mut turns = picture.turns.iter().peekable();
        while let Some((number, seat, words)) = turns.next() {
            page.element("tr", &row, |page| {
                let whole = [("style", "word-break:normal")];
                page.element("td", &whole, |page| page.text(&format!("{number}.")));
                let [first, second] = if *seat == Seat(0) {
                    let other = turns.next_if(|(_, seat, _)| *seat == Seat(1));
                    [words.as_str(), other.map_or("", |(_, _, words)| words)]
                } else {
                    ["", words]
                };
                for words in [first, second] {
                    page.element("td", &[], |page| page.text(words));
                }
            });
        }
    });
}

/// The links, as a row of keys.
fn pressed(page: &mut Html, links: &[(String, String)]) {
    if links.is_empty() {
        return;
    }
    page.element("p", &[("style", "margin:12px 0 4px 0")], |page| {
        page.text(
            "Choose a button to write your reply. Your mail program opens it; nothing happens \
             until you send it. A button works for this move only.",
        );
    });
    let style = "display:inline-block;margin:3px 2px;padding:5px 9px;border-radius:4px;\
                 background-color:#28524d;color:#ffffff;text-decoration:none";
    page.element("p", &[("style", "margin:0 0 12px 0")], |page| {
        for (label, link) in links {
            page.element("a", &[("href", link), ("style", style)], |page| page.text(label));
        }
    });
}

/// The picture as the text has it, in letters so small that a phone shows it whole.
fn again(page: &mut Html, drawn: &str) {
    let widest = drawn.lines().map(str::len).max().unwrap_or(0).max(1);
    // Letters of one width are at most 0.61 as wide as they are high: tenths of a pixel.
    let tenths = (3700 * 100 / (61 * widest)).min(120);
    let style = format!(
        "font-family:'Courier New',Courier,monospace;font-size:{0}.{1}px;line-height:{2}px",
        tenths / 10,
        tenths % 10,
        tenths / 9
    );
    let table =
        [("role", "presentation"), ("border", "0"), ("cellpadding", "0"), ("cellspacing", "0")];
    page.element("table", &table, |page| {
        page.element("tr", &[], |page| {
            page.element("td", &[("style", &style)], |page| {
                let of = [("aria-hidden", "true"), ("style", &*format!("margin:0;{style}"))];
                page.element("pre", &of, |page| page.text(drawn));
            });
        });
    });
}

/// A kind of paragraph of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Mark,
    Head,
    Words,
    /// Commands and lists, each on a line.
    List,
    /// What a player wrote.
    Said,
    /// For programs.
    Position,
}

/// The paragraphs of a mail's text; the first sentence of its `beginning` is the heading.
fn paragraphs(page: &mut Html, text: &str, most_said: usize, beginning: bool) {
    let mut open: Option<(Kind, Vec<&str>)> = None;
    let mut has_head = !beginning;
    let mut flush = |open: &mut Option<(Kind, Vec<&str>)>| {
        if let Some((kind, lines)) = open.take() {
            paragraph(page, kind, &lines, most_said);
        }
    };
    for line in text.lines() {
        let before = open.as_ref().map(|(kind, _)| *kind);
        let kind = if line.is_empty() {
            flush(&mut open);
            continue;
        } else if line == MARK {
            Kind::Mark
        } else if line.starts_with('>') {
            Kind::Said
        } else if before == Some(Kind::Position) || line.starts_with("Position: ") {
            Kind::Position
        } else if line.starts_with("  ") {
            // Options that need more than a line go on indented.
            let options = open.as_ref().filter(|(_, lines)| lines[0].starts_with("Options: "));
            if options.is_some() { Kind::Words } else { Kind::List }
        } else if has_head && before != Some(Kind::Head) {
            Kind::Words
        } else {
            has_head = true;
            Kind::Head
        };
        let is_fact = line.starts_with("Options: ") || line.starts_with("Clock: ");
        if before != Some(kind) || is_fact {
            flush(&mut open);
        }
        open.get_or_insert_with(|| (kind, Vec::new())).1.push(line);
    }
    flush(&mut open);
}

fn paragraph(page: &mut Html, kind: Kind, lines: &[&str], most_said: usize) {
    let style = match kind {
        Kind::Mark => "margin:0 0 8px 0;font-size:12px",
        Kind::Head => "margin:0 0 8px 0;font-size:18px;line-height:24px;font-weight:bold",
        Kind::Words => "margin:8px 0",
        Kind::List => "margin:8px 0;font-family:'Courier New',Courier,monospace;font-size:13px",
        Kind::Said => {
            "margin:8px 0;padding:2px 0 2px 10px;border-left:3px solid #8a8a8a;word-break:break-word"
        }
        Kind::Position => {
            "margin:8px 0;font-family:'Courier New',Courier,monospace;font-size:11px;\
             line-height:15px;word-break:break-all"
        }
    };
    let joined;
    let said = match kind {
        Kind::Said => {
            joined = lines.join("\n");
            shortened(&joined, most_said)
        }
        _ => "".into(),
    };
    page.element("p", &[("style", style)], |page| match kind {
        Kind::Mark | Kind::Head | Kind::Words | Kind::Position => page.text(&lines.join("\n")),
        Kind::List => with_breaks(page, lines.iter().map(|line| line.trim_start())),
        Kind::Said => with_breaks(page, said.lines().map(without_mark)),
    });
}

/// Said words without the `> ` before them.
fn without_mark(line: &str) -> &str {
    let line = line.strip_prefix('>').unwrap_or(line);
    line.strip_prefix(' ').unwrap_or(line)
}

fn with_breaks<'a>(page: &mut Html, lines: impl Iterator<Item = &'a str>) {
    for (index, line) in lines.enumerate() {
        if index > 0 {
            page.open("br", &[]);
        }
        page.text(line);
    }
}

/// A position for those who hear it: `a8: 2 O; e3: X pinned by O`.
fn in_words(diagram: &Diagram) -> String {
    let mut words = String::new();
    let mut say = |place: &str, what: &str| {
        let gap = if words.is_empty() { "" } else { "; " };
        let _ = write!(words, "{gap}{place}: {what}");
    };
    let side = |seat: Seat| ["O", "X"][seat.index()];
    let count = |seat: Seat, men: u8| {
        if men == 1 { side(seat).to_owned() } else { format!("{men} {}", side(seat)) }
    };
    let pile = |pile: &Pile| {
        let holder = pile.holder?;
        let above = count(holder, pile.men);
        let pinned = format!("{} pinned by {above}", side(holder.other()));
        Some(if pile.pins { pinned } else { above })
    };
    match diagram {
        Diagram::Points(board) => {
            for (of, number) in board.piles.iter().zip(1..) {
                if let Some(what) = pile(of) {
                    say(&number.to_string(), &what);
                }
            }
            let waiting = if let Rim::Bar(waiting) = board.rim { waiting } else { [0; 2] };
            for (place, men) in [("bar", waiting), ("off", board.off)] {
                for seat in Seat::BOTH.into_iter().filter(|seat| men[seat.index()] > 0) {
                    say(place, &count(seat, men[seat.index()]));
                }
            }
            if let Some((seat, dice)) = &board.dice {
                say("dice of", &format!("{} {}", side(*seat), values(&dice.show)));
            }
        }
        Diagram::Corridor(board) => {
            let size = usize::from(board.size).max(1);
            for (of, index) in board.piles.iter().zip(0..) {
                if let Some(what) = pile(of) {
                    say(&place(index % size, index / size + 1), &what);
                }
            }
            if let Some(dice) = &board.dice {
                say("dice", &values(&dice.show));
            }
        }
        Diagram::Grid(board) => {
            for (marks, row) in board.rows.iter().zip(0..) {
                for (mark, file) in marks.chars().zip(0..).filter(|(mark, _)| *mark != '.') {
                    say(&place(file, board.rows.len() - row), &mark.to_string());
                }
            }
        }
    }
    if words.is_empty() { "no point is lit".into() } else { words }
}

fn values(dice: &[u8]) -> String {
    dice.iter().map(u8::to_string).collect::<Vec<_>>().join(" and ")
}

fn place(file: usize, rank: usize) -> String {
    let letter = char::from(b'a' + u8::try_from(file).unwrap_or(25).min(25));
    format!("{letter}{rank}")
}
