//! Replies as mail programs write them: above, below and between quoted lines, and with broken
//! lines. Quoted words are never played.

mod shapes;

use crate::support::letters::read;
use crate::support::script::ScriptHome;
use games::Entry;
use postboard::base::ids::BoardId;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use shapes::{LANGUAGES, Language, Quoting, SHAPES, THEIRS, filled};
use std::fs;

/// Scripts for boards on which it is bob's turn: one board with 42 legal plays, of which the mail
/// shows two, and one board with few plays, all in a list.
const MANY: &str = "dice 3\n~ malaka challenge alice bob\ndice 12\n~ malaka move 1 alice secret \
                    a1-a4\nas bob\ndice 31\n";
const FEW: &str = "dice 3\n~ malaka challenge alice bob\n~ malaka chat 1 bob secret\n| You have the \
                   choice of many plays, and my own would be this one or that one: a7-d7\n| Or \
                   would you like to resign at once?\nas alice\ndice 12\n";
const DOUBLED: &str = "dice 31\n~ backgammon challenge alice bob\n~ backgammon manual 1 alice secret\n\
                       dice 52\n~ backgammon move 1 alice secret 8-5,6-5\nas bob\n~ backgammon \
                       move 1 bob secret 13-8,24-22\nas alice\n~ backgammon double 1 alice secret\n\
                       as bob\ndice 64\n";

/// Returns a script with few plays in which the opponent's message ends with one of the plays, on
/// lines of many lengths: wherever a mail program breaks the lines, one piece consists of this play
/// alone.
fn advised() -> String {
    let words = |length: usize| "You could as well play ".repeat(3)[..length].trim_end().to_owned();
    let chat: Vec<String> =
        (26..66).map(|length| format!("| {}: b1-b4\n", words(length))).collect();
    FEW.replace("| Or would you like to resign at once?\n", &chat.concat())
}

/// A way in which a mail program quotes.
#[derive(Clone, Copy, Debug)]
enum Style {
    /// `> ` before each line, empty lines included; no line breaks added.
    Marked,
    /// `>` without a blank.
    Tight,
    /// `>` before each line except empty lines.
    Gaps,
    /// `| ` before each line.
    Bars,
    /// `PB> ` before each line.
    Initials,
    /// `> ` before each line, then broken at a width; the remaining pieces have no mark.
    Broken(usize),
    /// `> ` before each line except empty lines, then broken at a width; the remaining pieces have
    /// no mark.
    BrokenGaps(usize),
    /// Broken at a width; each piece has a mark.
    Wrapped(usize),
    /// `> ` before the first line of each paragraph only.
    Paragraphs,
    /// No marks.
    Plain,
    /// No marks, below the header block of Outlook.
    Headers,
    /// Four blanks before each line.
    Indented,
}

const STYLES: [Style; 10] = [
    Style::Marked,
    Style::Tight,
    Style::Gaps,
    Style::Bars,
    Style::Initials,
    Style::Paragraphs,
    Style::Plain,
    Style::Headers,
    Style::Indented,
    Style::Wrapped(72),
];

const ATTRIBUTIONS: [&str; 6] = [
    "",
    "On Fri, 20 Aug 2004 12:00:00 +0000, Postboard <postboard@localhost> wrote:\n",
    "On Fri, Aug 20, 2004 at 12:00 PM Postboard <\npostboard@localhost> wrote:\n\n",
    "Am 20.08.2004 um 12:00 schrieb Postboard:\n",
    "2004. aug. 20., P 12:00-kor Postboard <postboard@localhost> ezt írta:\n",
    "20 августа 2004, Postboard <\npostboard@localhost> написал:\n",
];

impl Style {
    fn quote(self, text: &str) -> String {
        let each = |mark: &str| {
            let lines: Vec<String> = text.lines().map(|line| format!("{mark}{line}")).collect();
            lines.join("\n") + "\n"
        };
        match self {
            Self::Marked => each("> "),
            Self::Tight => each(">"),
            Self::Bars => each("| "),
            Self::Initials => each("PB> "),
            Self::Plain => text.to_owned(),
            Self::Headers => format!(
                "From: Postboard <postboard@localhost>\nSent: Friday, August 20, 2004 12:00\nTo: \
                 bob@example.org\nSubject: Malaka\n\n{text}"
            ),
            Self::Indented => each("    "),
            Self::Gaps => gaps(&each("> ")),
            Self::Broken(width) => each("> ").lines().map(|line| broken(line, width, "")).collect(),
            Self::BrokenGaps(width) => {
                gaps(&each("> ")).lines().map(|line| broken(line, width, "")).collect()
            }
            Self::Wrapped(width) => {
                each("> ").lines().map(|line| broken(line, width, "> ")).collect()
            }
            Self::Paragraphs => {
                let mut begins = true;
                let mark = |line: &str| {
                    let mark = if begins && !line.is_empty() { "> " } else { "" };
                    begins = line.is_empty();
                    format!("{mark}{line}\n")
                };
                text.lines().map(mark).collect()
            }
        }
    }
}

fn gaps(quoted: &str) -> String {
    quoted
        .lines()
        .map(|line| if line.trim() == ">" { "\n".into() } else { line.to_owned() + "\n" })
        .collect()
}

/// Breaks a line between words; each piece after the first begins with a mark.
fn broken(line: &str, width: usize, mark: &str) -> String {
    let mut out = String::new();
    let mut rest = line.to_owned();
    while rest.chars().count() > width {
        let indent = rest.len() - rest.trim_start_matches(['>', ' ']).len();
        let fits = rest.char_indices().take(width + 1).map(|(at, _)| at).last().unwrap();
        let Some(at) = rest[..fits].rfind(' ').filter(|at| *at > indent) else { break };
        out.push_str(rest[..at].trim_end());
        out.push('\n');
        rest = format!("{mark}{}", rest[at..].trim_start());
    }
    out + &rest + "\n"
}

/// Makes a home with a board on which it is a player's turn.
/// Sends a reply; returns the player's last move and the text for the opponent.
fn reply(stage: &mut ScriptHome, game: &'static str, text: &str) -> (Option<String>, String) {
    let id = BoardId { game, number: 1 };
    let before = stage.board(id);
    let letters = stage.answer(&text.replace('\n', "\r\n"), 0);
    assert!(!letters.is_empty(), "no answer to\n{text}");
    let own = format!("{}@example.org", stage.sender);
    let told = letters.iter().filter(|letter| letter.to.as_str() != own);
    let told = told.map(|letter| read(letter).1).collect();
    let after = stage.board(id);
    let new = after.record[before.record.len()..].iter();
    let mut played = new.filter_map(|line| match &line.entry {
        Entry::Moved { text, auto: false, .. } => Some(text.clone()),
        _ => None,
    });
    let played = played.next_back();
    assert_eq!((after.closing, after.offer), (before.closing, before.offer), "{text}");
    (played, told)
}

#[test]
fn quoted_moves_are_never_played() {
    let broken = (40..=80).flat_map(|width| [Style::Broken(width), Style::BrokenGaps(width)]);
    let whole = STYLES.into_iter().flat_map(|style| ATTRIBUTIONS.map(|on| (style, on)));
    let broken = broken.flat_map(|style| [(style, ATTRIBUTIONS[0]), (style, ATTRIBUTIONS[2])]);
    let all: Vec<_> = whole.chain(broken).collect();
    let advised = advised();
    let scripts =
        [("malaka", MANY), ("malaka", FEW), ("malaka", &advised), ("backgammon", DOUBLED)];
    for (game, script) in scripts {
        let mut stage = ScriptHome::after(script);
        let (_, _, mail) = stage.board_mail(0);
        for (style, attribution) in &all {
            for above in ["", "Hello!\n\n"] {
                let text = format!("{above}{attribution}{}", style.quote(&mail));
                let (played, told) = reply(&mut stage, game, &text);
                assert_eq!(played, None, "{style:?}: {text}");
                assert_eq!(told, "", "{style:?}: {text}");
            }
        }
    }
}

#[test]
fn a_move_above_the_quotation_is_played_however_that_is_broken() {
    let broken = (66..=80).flat_map(|width| [Style::Broken(width), Style::BrokenGaps(width)]);
    let broken = broken.map(|style| (style, ATTRIBUTIONS[2]));
    let whole = STYLES.into_iter().flat_map(|style| ATTRIBUTIONS.map(|on| (style, on)));
    for (style, attribution) in whole.chain(broken) {
        let mut stage = ScriptHome::after(FEW);
        let (_, _, mail) = stage.board_mail(0);
        let text = format!("b1-b4\n\nBye!\n\n{attribution}{}", style.quote(&mail));
        let (played, told) = reply(&mut stage, "malaka", &text);
        assert_eq!(played.as_deref(), Some("b1-b4"), "{style:?}: {text}");
        assert!(told.contains("> Bye!"), "{told}");
        assert_eq!(told.matches("write above").count(), 1, "{style:?}: {told}");
    }
}

#[test]
fn a_move_below_a_marked_quotation_is_played() {
    let marked = [Style::Marked, Style::Tight, Style::Gaps, Style::Bars, Style::Initials];
    let whole = marked.into_iter().flat_map(|style| ATTRIBUTIONS.map(|on| (style, on)));
    let broken = (66..=80).flat_map(|width| [Style::Wrapped(width), Style::Broken(width)]);
    let broken = broken.map(|style| (style, ATTRIBUTIONS[1]));
    for (style, attribution) in whole.chain(broken) {
        let mut stage = ScriptHome::after(FEW);
        let (_, _, mail) = stage.board_mail(0);
        let quoted = style.quote(&mail);
        let signature = "-- \nAlice\nb1-b4\n";
        let text = format!("{attribution}{quoted}\na9-d9\n\nBye!\n\n{signature}");
        let (played, told) = reply(&mut stage, "malaka", &text);
        assert_eq!(played.as_deref(), Some("a9-d9"), "{style:?}: {text}");
        assert!(told.contains("> Bye!"), "{style:?}: {told}");
        assert!(!told.contains("Position: O 3"), "{style:?}: {told}");
    }
}

#[test]
fn nothing_below_a_quotation_without_marks_is_played() {
    for style in [Style::Plain, Style::Headers, Style::Indented, Style::Paragraphs] {
        for attribution in ATTRIBUTIONS {
            let mut stage = ScriptHome::after(FEW);
            let (_, _, mail) = stage.board_mail(0);
            let text = format!("{attribution}{}\na9-d9\n", style.quote(&mail));
            assert_eq!(reply(&mut stage, "malaka", &text).0, None, "{style:?}: {text}");
        }
    }
}

/// Names of reply files, each from another mail program, and the move that each makes.
const PROGRAMS: [(&str, Option<&str>); 14] = [
    ("alpine-bottom", Some("a9-d9")),
    ("alpine-between", Some("a9-d9")),
    ("apple-mail-bottom", Some("a9-d9")),
    ("gmail-html-bottom", Some("a9-d9")),
    ("gmail-plain-bottom", Some("a9-d9")),
    ("gmail-plain-nothing", None),
    ("k9-bottom", Some("a9-d9")),
    ("mutt-bottom", Some("a9-d9")),
    ("mutt-between", Some("a9-d9")),
    ("outlook-below", None),
    ("outlook-express-between", None),
    ("outlook-marked-bottom", Some("a9-d9")),
    ("thunderbird-bottom", Some("a9-d9")),
    ("thunderbird-between", Some("a9-d9")),
];

#[test]
fn mails_of_common_programs_are_read_right() {
    const TAGGED: &str = "postboard+bmalaka17-abcdefghijklmnop@games.example";
    for (name, want) in PROGRAMS {
        let mut stage = ScriptHome::after(FEW);
        let id = BoardId { game: "malaka", number: 1 };
        let before = stage.board(id).record.len();
        let (to, ..) = stage.board_mail(0);
        let path = format!("{}/tests/mail/corpus/good/{name}.eml", env!("CARGO_MANIFEST_DIR"));
        let raw = fs::read_to_string(path).unwrap();
        assert!(raw.contains(TAGGED), "{name}");
        stage.raw(raw.replace(TAGGED, &to).as_bytes());
        let after = stage.board(id);
        let played = after.record[before..].iter().find_map(|line| match &line.entry {
            Entry::Moved { text, .. } => Some(text.as_str()),
            _ => None,
        });
        assert_eq!(played, want, "{name}");
    }
}

/// Returns the quoted mail, with the answer below the first legal play.
fn between(mail: &str, answer: &str) -> String {
    let mut text = String::from("On Fri, 20 Aug 2004, Postboard wrote:\n");
    for line in mail.lines() {
        text.extend(["> ", line, "\n"]);
        if line.starts_with("  a1-a4") {
            text.push_str(answer);
        }
    }
    text
}

#[test]
fn a_move_between_quoted_lines_is_played_where_it_cannot_be_one() {
    for (answer, want) in [
        ("\na7-d7\n\n", Some("a7-d7")),
        ("a7-d7\n", Some("a7-d7")),
        ("\nNice!\n\na7-d7\n\n", Some("a7-d7")),
        ("\na7-d7\n\nb1-b4\n", None),
        ("\na7-d9\n", None),
        ("\nI think that a7-d7 is best\n", None),
        ("\na7-d7  a8-d8\n", None),
    ] {
        let mut stage = ScriptHome::after(FEW);
        let (_, _, mail) = stage.board_mail(0);
        let text = between(&mail, answer);
        assert_eq!(reply(&mut stage, "malaka", &text).0.as_deref(), want, "{text}");
    }
}

#[test]
fn a_move_that_may_be_the_rest_of_a_quoted_line_is_asked_about() {
    let long = "> You have the choice of many plays, and my own would be this one or: ";
    let below = format!("On Fri, 20 Aug 2004, Postboard wrote:\n{long}\na7-d7\n");
    let mut on = ScriptHome::after(FEW);
    let letters = on.answer(&below.replace('\n', "\r\n"), 0);
    let (_, answer) = read(&letters[0]);
    assert!(answer.contains("`a7-d7`") && answer.contains("quoted"), "{answer}");
    // Between two quoted lines, the unmarked play is almost certainly broken off a quoted line, and
    // another move is not.
    let text = format!("{below}> next line\n\nb1-b4\n");
    assert_eq!(reply(&mut on, "malaka", &text).0.as_deref(), Some("b1-b4"), "{text}");
    // Below the last quoted line this is less certain.
    let mut on = ScriptHome::after(FEW);
    let text = format!("{below}\nb1-b4\n");
    assert_eq!(reply(&mut on, "malaka", &text).0, None, "{text}");
    // No mail program breaks a short line.
    let text = "> Your legal plays:\na7-d7\n";
    assert_eq!(reply(&mut on, "malaka", text).0.as_deref(), Some("a7-d7"), "{text}");
}

#[test]
fn a_yes_below_a_quotation_answers_what_is_asked() {
    for (answer, want) in
        [("yes", Some("take")), ("I pass.", Some("drop")), ("ok", None), ("Hm.", None)]
    {
        let mut stage = ScriptHome::after(DOUBLED);
        let (_, _, mail) = stage.board_mail(0);
        let text = format!("Hello Alice,\n\n{}\n{answer}\n", Style::Marked.quote(&mail));
        assert_eq!(reply(&mut stage, "backgammon", &text).0.as_deref(), want, "{text}");
    }
}

/// A script for a board on which it is alice's turn and a1-a5 is legal.
const OPENING: &str = "dice 4 12\n~ malaka challenge alice bob\nas alice\n";

/// Returns the player's message in these letters, as the opponent reads it.
fn words_of(told: &str) -> String {
    let Some((_, behind)) = told.split_once("writes:") else { return String::new() };
    let quoted = behind.lines().filter_map(|line| line.trim_start().strip_prefix("> "));
    quoted.collect::<Vec<_>>().join("\n")
}

/// Sends a text above the quoted board mail; returns the move and the message that result.
fn sent_above(text: &str, quoting: Quoting) -> (Option<String>, String) {
    let mut stage = ScriptHome::after(OPENING);
    let (_, _, mail) = stage.board_mail(0);
    let quoted = match quoting {
        Quoting::Marked => Style::Marked.quote(&mail),
        Quoting::Plain => mail,
    };
    let (played, told) = reply(&mut stage, "malaka", &format!("{text}\n{quoted}"));
    assert!(!told.contains(THEIRS) && !told.contains("abcdefghijklmnop"), "{text}\n{told}");
    (played, words_of(&told))
}

#[test]
fn nothing_that_programs_write_above_a_quotation_is_passed_on() {
    for shape in &*SHAPES {
        for quoting in [Quoting::Marked, Quoting::Plain] {
            for gap in ["\n\n", "\n"] {
                let text = format!("a1-a5\n\nNice!{gap}{}", shape.text());
                let (played, words) = sent_above(&text, quoting);
                let name = shape.name;
                assert_eq!(played.as_deref(), Some("a1-a5"), "{name}, {quoting:?}");
                assert_eq!(words, "Nice!", "{name}, {quoting:?}: {text}");
            }
        }
    }
}

#[test]
fn an_attribution_on_the_line_of_the_reply_is_cut_off() {
    for (attribution, above) in [
        (" On Mon, Mar 2, 2026 at 10:00 AM Postboard <PB> wrote:", "a1-a5"),
        (" On Mon, Mar 2, 2026 at 10:00 AM Postboard <\nPB> wrote:", "a1-a5"),
        (" Am Mo., 2. März 2026 um 10:00 Uhr schrieb Postboard <PB>:", "a1-a5"),
        (" man. 2. mars 2026 kl. 10:00 skrev Postboard <PB>:", "a1-a5"),
        (" 于2026年3月2日周一 10:00 Postboard <PB> 写道：", "a1-a5"),
        (" -------- Original message -------- From: Postboard <PB> To: AL Subject: x", "a1-a5"),
        ("Sent from my Galaxy\nFra: Postboard <PB>\nTil: AL", "a1-a5"),
        (" Sent from my iPhone", "a1-a5"),
    ] {
        for quoting in [Quoting::Marked, Quoting::Plain] {
            let attribution = filled(attribution);
            let (played, words) = sent_above(&format!("{above}{attribution}\n"), quoting);
            assert_eq!((played.as_deref(), &*words), (Some("a1-a5"), ""), "{attribution}");
            let (_, words) = sent_above(&format!("a1-a5\n\nNice!{attribution}\n"), quoting);
            assert_eq!(words, "Nice!", "{attribution}");
        }
    }
}

#[test]
fn words_above_a_quotation_are_kept() {
    for own in [
        "De: Paris\nA: Rome\nby train",
        "De: Paris\nA: Rome",
        "Mon: 10:00-12:00\nTue: 9:00",
        "A rule:\n____________________\nand words below it",
        "Sent from my desk, it is easier.",
        "I have a new iPhone!",
        "My iPhone is broken",
        "Regards,\nAlice",
        "See you @ the club, 5 pm",
        "PS: I am away until 2 March 2027.",
        "You rolled 66 twice:\nhow do you do that?",
        "\u{1F44D}",
        "----- scores -----\nyou 3, I 2",
    ] {
        for quoting in [Quoting::Marked, Quoting::Plain] {
            for above in ["", "On Mon, 2 Mar 2026 at 10:00, Postboard <PB> wrote:\n\n"] {
                let text = format!("a1-a5\n\n{own}\n\n{}", filled(above));
                let (played, words) = sent_above(&text, quoting);
                assert_eq!((played.as_deref(), &*words), (Some("a1-a5"), own), "{text}");
            }
        }
    }
}

#[test]
fn words_below_and_between_belong_to_a_move_above() {
    let mut between = ScriptHome::after(OPENING);
    let (_, _, mail) = between.board_mail(0);
    let marked = Style::Marked.quote(&mail);
    let (head, tail) = marked.split_once("> Reply").unwrap();
    let text =
        format!("a1-a5\n\nHello!\n\nPostboard wrote:\n{head}\nIndeed.\n\n> Reply{tail}\nBye!\n");
    let (played, told) = reply(&mut between, "malaka", &text);
    assert_eq!(played.as_deref(), Some("a1-a5"));
    assert_eq!(
        words_of(&told).lines().map(str::trim).collect::<Vec<_>>(),
        ["Hello!", "Indeed.", "Bye!"],
        "{told}"
    );
    // Words that may be broken off a quoted line are no message.
    let long = "> a quoted line that is so long that a mail program may have broken it";
    let text =
        format!("a1-a5\n\nPostboard wrote:\n> --- write above this line ---\n{long}\nhere\n");
    let (played, told) = reply(&mut ScriptHome::after(OPENING), "malaka", &text);
    assert_eq!((played.as_deref(), &*words_of(&told)), (Some("a1-a5"), ""), "{told}");
}

#[test]
fn no_rest_of_a_broken_quotation_belongs_to_a_move_above() {
    let broken = (40..=80).flat_map(|width| [Style::Broken(width), Style::BrokenGaps(width)]);
    for style in broken.chain(STYLES) {
        let mut stage = ScriptHome::after(OPENING);
        let (_, _, mail) = stage.board_mail(0);
        let text = format!("a1-a5\n\nNice!\n\nPostboard wrote:\n{}", style.quote(&mail));
        let (played, told) = reply(&mut stage, "malaka", &text);
        assert_eq!((played.as_deref(), &*words_of(&told)), (Some("a1-a5"), "Nice!"), "{style:?}");
    }
}

/// Wraps a line at a width.
fn wrapped(line: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let last = lines.last_mut().unwrap();
        if !last.is_empty() && last.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            last.push_str(if last.is_empty() { "" } else { " " });
            last.push_str(word);
        }
    }
    lines.join("\n")
}

/// Generates the attributions of a language, composed as mail programs do.
fn an_attribution(language: &'static Language) -> impl Strategy<Value = String> {
    let times =
        select(&["10:00", "kl. 10.00", "10:00 AM", "klo 9:16:02", "\u{4e0a}\u{5348}10:00"][..]);
    let ends = select(&[":", " :", "\u{FF1A}", ":\n", " ----", ""][..]);
    let mailbox = select(
        &[
            "Postboard <PB>",
            "\"Postboard\" <PB>",
            "Postboard (PB)",
            "Postboard <PB<mailto:PB>>",
            "<PB>",
        ][..],
    );
    (times, ends, mailbox, 0..4, 60_usize..100).prop_map(
        move |(time, end, mailbox, order, width)| {
            let Language { on, wrote, day, .. } = language;
            let when = format!("{on} {day} {time}");
            let line = match order {
                0 => format!("{when}, {mailbox} {wrote}"),
                1 => format!("{mailbox} {when} {wrote}"),
                2 => format!("{when} {wrote} {mailbox}"),
                _ => format!("{wrote} {mailbox} ({when})"),
            };
            let line = filled(line.trim());
            match end {
                " ----" => wrapped(&format!("---- {line} ----"), width),
                // Without a colon, an attribution ends with an address.
                "" if !line.ends_with(['>', ')']) => wrapped(&format!("{line}:"), width),
                end => wrapped(&line, width) + end,
            }
        },
    )
}

/// Generates the header blocks of a language.
fn a_header_block(language: &'static Language) -> impl Strategy<Value = String> {
    let colons = select(&[": ", " : ", "\u{FF1A}", ":", ":\n", ":* "][..]);
    let between = select(&["\n", "\n", "\n", "\n\n", " "][..]);
    let titles = select(
        &[
            "",
            "",
            "------------------ PLIM ------------------\n",
            "________________________________\n",
            "-----Gromt Vex-----\n\n",
            "Ek plim gront vex:\n\n",
        ][..],
    );
    let (order, extra) = (any::<[Index; 3]>(), any::<bool>());
    (colons, between, titles, order, extra).prop_map(
        move |(colon, between, title, order, extra)| {
            let [from, sent, to, subject] = language.labels;
            let day = language.day;
            let mut lines = vec![
                (from, "Postboard <PB>".to_owned()),
                (sent, format!("{day} 10:00")),
                (to, "alice <AL>".to_owned()),
                (subject, "New game, your turn: Malaka 1 against bob".to_owned()),
            ];
            if extra {
                lines.insert(1, ("Organization", "Postboard".to_owned()));
            }
            for (at, other) in order.iter().enumerate() {
                let other = other.index(lines.len());
                lines.swap(at, other);
            }
            // One line has one kind of colon.
            let colon = if between == " " { ": " } else { colon };
            let bold = if colon == ":* " { "*" } else { "" };
            let lines: Vec<String> =
                lines.iter().map(|(label, value)| format!("{bold}{label}{colon}{value}")).collect();
            title.to_owned() + &filled(&lines.join(between)) + "\n"
        },
    )
}

fn an_introduction() -> impl Strategy<Value = (&'static str, String)> {
    let languages = (0..LANGUAGES.len()).prop_map(|at| &LANGUAGES[at]);
    languages.prop_flat_map(|it| {
        prop_oneof![an_attribution(it), a_header_block(it)].prop_map(move |text| (it.name, text))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn no_introduction_in_any_language_is_passed_on(
        (language, introduction) in an_introduction(),
        quoting in select(&[Quoting::Marked, Quoting::Plain][..]),
        gap in select(&["\n\n", "\n"][..]),
    ) {
        let (played, words) = sent_above(&format!("a1-a5\n\nNice!{gap}{introduction}"), quoting);
        prop_assert_eq!(played.as_deref(), Some("a1-a5"), "{}: {}", language, &introduction);
        prop_assert_eq!(words, "Nice!", "{}: {}", language, &introduction);
    }
}
