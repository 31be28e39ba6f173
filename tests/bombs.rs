//! Mails made to break a reader: each is read or refused, none makes it panic. That none takes long
//! is measured by hand; a test that watches the clock fails on a busy machine.

use std::fmt::Write as _;

use postboard::message::{Address, LARGEST_MAIL, Message, Unfit, Why, own_words, parse};
use proptest::prelude::*;

use crate::mails;

/// What a mail that was read promises to all who use it.
fn check(read: &Result<Message, Unfit>) {
    let Ok(message) = read else { return };
    let hidden = |c: char| c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c);
    assert!(!message.subject.contains(hidden), "{:?}", message.subject);
    assert!(!message.text.contains(|c| c != '\n' && hidden(c)), "{:?}", message.text);
    assert!(message.text.is_empty() || message.text.ends_with('\n'));
    assert!(message.text.lines().all(|line| !line.ends_with(' ')));
    assert!(message.to.len() <= 50 && message.references.len() <= 20);
    own_words(&message.text);
}

fn read(raw: &[u8]) -> Result<Message, Unfit> {
    let read = parse(raw, &mails::own());
    check(&read);
    read
}

/// Numbers that look like chance and are the same every time (Vigna's splitmix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) >> 33).unwrap() % end.max(1)
    }
}

const MUTATIONS: usize = 2_000;

#[test]
fn mutated_mails_do_no_harm() {
    let mails = mails::all();
    let mut chance = Chance(17);
    let (mut good, mut unfit) = (0, 0);
    for _ in 0..MUTATIONS {
        let (_, raw) = &mails[chance.below(mails.len())];
        let mut raw = raw.clone();
        for _ in 0..=chance.below(4) {
            mutate(&mut raw, &mut chance);
        }
        match read(&raw) {
            Ok(_) => good += 1,
            Err(_) => unfit += 1,
        }
    }
    assert_eq!(good + unfit, MUTATIONS);
    assert!(good > 1_000 && unfit > 100, "{good} read, {unfit} refused: nothing is tested");
}

fn mutate(raw: &mut Vec<u8>, chance: &mut Chance) {
    let at = chance.below(raw.len());
    match chance.below(7) {
        0 if !raw.is_empty() => raw[at] ^= 1 << chance.below(8),
        1 => raw.truncate(at),
        2 => {
            let end = (at + chance.below(200)).min(raw.len());
            raw.drain(at..end);
        }
        3 => {
            let end = (at + chance.below(400)).min(raw.len());
            let piece = raw[at..end].to_vec();
            let to = chance.below(raw.len());
            raw.splice(to..to, piece);
        }
        4 => {
            // A header once more, at the top.
            let lines: Vec<&[u8]> = raw.split_inclusive(|&b| b == b'\n').collect();
            let mut line = lines.get(chance.below(lines.len())).map_or(vec![], |it| it.to_vec());
            line.append(raw);
            *raw = line;
        }
        5 => {
            const PIECES: [&[u8]; 12] = [
                b"\r",
                b"\n\n",
                b"\0",
                b"=?utf-8?Q?",
                b"?=",
                b"--",
                b"<",
                b"\"",
                b"(",
                b"\xff\xfe",
                b"Content-Type: multipart/mixed; boundary=b\n\n--b\n",
                b"\nFrom: ",
            ];
            raw.splice(at..at, PIECES[chance.below(PIECES.len())].iter().copied());
        }
        _ => raw.splice(at..at, (0..chance.below(64)).map(|i| (i * 37 % 256) as u8)).for_each(drop),
    }
}

const FROM: &str = "From: ann@odd.example\nSubject: malaka show 17\n";

fn mixed(boundary: &str) -> String {
    format!("Content-Type: multipart/mixed; boundary=\"{boundary}\"\n\n")
}

fn nested(depth: usize) -> String {
    let mut mail = FROM.to_owned();
    for i in 0..depth {
        write!(mail, "{}--b{i}\n", mixed(&format!("b{i}"))).unwrap();
    }
    mail + "\nplease\n"
}

fn parts(count: usize) -> String {
    format!("{FROM}{}{}--b--\n", mixed("b"), "--b\n\nplease\n".repeat(count))
}

/// `head` and then `piece` up to the limit of a header block.
fn header(head: &str, piece: &str) -> String {
    let room = 64 * 1024 - FROM.len() - head.len();
    format!("{FROM}{head}{}\n\nplease\n", piece.repeat((room - 8) / piece.len()))
}

/// `head` and then `piece` up to the limit of a mail.
fn body(head: &str, piece: &str) -> String {
    format!("{FROM}{head}\n{}", piece.repeat((LARGEST_MAIL - 1_000) / piece.len()))
}

/// Every kind, with what is to come of it.
fn bombs() -> Vec<(&'static str, String, Result<(), Why>)> {
    let html = "Content-Type: text/html\n";
    let subject =
        |piece| header("X-Y: z\nSubject: ", piece).replacen("Subject: malaka show 17\n", "", 1);
    let content = |piece| header("Content-Type: text/plain; ", piece);
    vec![
        ("the largest mail", body("", "please\n"), Ok(())),
        ("too large", "x".repeat(LARGEST_MAIL + 1), Err(Why::TooLarge)),
        ("much too large", body("", "please\n").repeat(9), Err(Why::TooLarge)),
        ("large headers", header("X-Y: ", "x"), Ok(())),
        (
            "too large headers",
            header("X-Y: ", "x").replace("\n\n", "xxxxxxxxxxxxxxxx\n\n"),
            Err(Why::HeadersTooLarge),
        ),
        (
            "a header without end",
            format!("{FROM}X-Y: {}", "x".repeat(900_000)),
            Err(Why::HeadersTooLarge),
        ),
        ("many headers", format!("{FROM}{}\nplease\n", "A: b\n".repeat(998)), Ok(())),
        (
            "too many headers",
            format!("{FROM}{}\nplease\n", "A: b\n".repeat(999)),
            Err(Why::HeadersTooLarge),
        ),
        ("a long fold", format!("{FROM}A: b\n{}\n", " x\n".repeat(998)), Err(Why::HeadersTooLarge)),
        ("deep", nested(30), Ok(())),
        ("too deep", nested(31), Err(Why::TooDeep)),
        ("far too deep", nested(10_000), Err(Why::TooDeep)),
        ("many parts", parts(200), Ok(())),
        ("too many parts", parts(201), Err(Why::TooManyParts)),
        ("far too many parts", parts(80_000), Err(Why::TooManyParts)),
        ("many parts at every depth", parts(150) + &mixed("b").repeat(99), Ok(())),
        (
            "large headers in every part",
            format!(
                "{FROM}{}{}",
                mixed("b"),
                format!("--b\nA: {}\n\nplease\n", "x".repeat(9_000)).repeat(100)
            ),
            Err(Why::HeadersTooLarge),
        ),
        (
            "one part's headers without end",
            format!("{FROM}{}--b\n{}", mixed("b"), "A: b\n".repeat(99_999)),
            Err(Why::HeadersTooLarge),
        ),
        ("dashes", body(&mixed("-"), "--\n---\n----\n"), Err(Why::TooManyParts)),
        ("nothing but almost boundaries", body(&mixed("bbbb"), "--bbb\n"), Ok(())),
        (
            "a boundary as long as the header",
            header("Content-Type: multipart/mixed; boundary=", "b"),
            Ok(()),
        ),
        ("parts of a text that is none", body("", "--b\nContent-Type: text/plain\n\n"), Ok(())),
        ("encoded words", subject("=?utf-8?Q?=41?= "), Ok(())),
        ("encoded words, close", subject("=?utf-8?B?QQ==?="), Ok(())),
        ("encoded words in many charsets", subject("=?utf-8?Q?a?= =?koi8-r?Q?=C1?= "), Ok(())),
        ("encoded words without end", subject("=?utf-8?Q?"), Ok(())),
        ("encoded words that only begin", subject("=?"), Ok(())),
        ("encoded words that only end", subject("?="), Ok(())),
        ("question marks", subject("=?a?b"), Ok(())),
        ("utf-7", subject("=?utf-7?Q?+AOk-+?= "), Ok(())),
        ("comments", header("Cc: ", "("), Ok(())),
        ("comments, closed", header("Cc: ", "()"), Ok(())),
        ("quotes", header("Cc: ", "\"\\"), Ok(())),
        ("groups", header("Cc: ", "a:"), Ok(())),
        ("brackets", header("Cc: ", "<"), Ok(())),
        ("addresses", header("To: ", "a@b.example,"), Ok(())),
        ("encoded names", header("To: ", "=?utf-8?Q?a,b?= <"), Ok(())),
        ("senders", header("", "From: ann@odd.example\n"), Err(Why::HeadersTooLarge)),
        (
            "addresses of the sender",
            header("X-Y: z\nFrom: ", "a@b.example,").replacen("From: ann@odd.example\n", "", 1),
            Err(Why::SeveralSenders),
        ),
        (
            "a comment as sender",
            header("X-Y: z\nFrom: ", "(").replacen("From: ann@odd.example\n", "", 1),
            Err(Why::NoSender),
        ),
        ("ids", header("References: ", "<a@b>"), Ok(())),
        ("ids without end", header("References: ", "<a@b "), Ok(())),
        ("parameters", content("a=b; "), Ok(())),
        ("continued parameters", content("a*0=b; a*1=c; "), Ok(())),
        ("encoded parameters", content("a*0*=utf-8''%41; "), Ok(())),
        (
            "many continued parameters",
            header(
                "Content-Type: text/plain; ",
                &(0..900).fold(String::new(), |all, i| format!("{all}a*{i}*=%41;")),
            ),
            Ok(()),
        ),
        ("quotes in parameters", content("a=\"\\\""), Ok(())),
        ("semicolons", content(";"), Ok(())),
        (
            "a continued boundary",
            body("Content-Type: multipart/mixed; boundary*0=\"a\";\n boundary*1=\"b\"\n", "--ab\n"),
            Err(Why::TooManyParts),
        ),
        ("junk in base64", body("Content-Transfer-Encoding: base64\n", "QUJD=\u{e4}!\n"), Ok(())),
        ("base64", body("Content-Transfer-Encoding: base64\n", "QUJD\n"), Ok(())),
        ("base64 on one line", body("Content-Transfer-Encoding: base64\n", "Q"), Ok(())),
        ("equals signs", body("Content-Transfer-Encoding: quoted-printable\n", "="), Ok(())),
        (
            "junk in quoted-printable",
            body("Content-Transfer-Encoding: quoted-printable\n", "=4=ZZ=\n= \n"),
            Ok(()),
        ),
        (
            "flowed without end",
            body("Content-Type: text/plain; format=flowed\n", ">> \n> \n \n"),
            Ok(()),
        ),
        ("flowed quotes", body("Content-Type: text/plain; format=flowed\n", ">"), Ok(())),
        (
            "flowed quote changes",
            body(
                "Content-Type: text/plain; format=flowed\n",
                &format!("{}a\na\n", ">".repeat(1_000)),
            ),
            Ok(()),
        ),
        ("tags", body(html, "<b>"), Ok(())),
        ("tags that only begin", body(html, "<b "), Ok(())),
        ("tags with open quotes", body(html, "<b \""), Ok(())),
        ("angle brackets", body(html, "<"), Ok(())),
        ("comments of html", body(html, "<!-- -"), Ok(())),
        ("scripts", body(html, "<script></scrip"), Ok(())),
        ("scripts, closed", body(html, "<script></script>"), Ok(())),
        ("quotes of html", body(html, "<blockquote>a<br>"), Ok(())),
        ("entities", body(html, "&#x10FFFF;&amp;&#999999999999;&a"), Ok(())),
        ("blank lines", body("", "\n"), Ok(())),
        ("blanks", body("", " "), Ok(())),
        ("quoted lines", body("", "> x\n"), Ok(())),
        ("attributions", body("", "On 1\n"), Ok(())),
        ("senders in the text", body("", "From: a\n"), Ok(())),
        ("bare CR", body("", "\r"), Ok(())),
        ("NUL", body("", "\0"), Ok(())),
        (
            "a charset of two octets",
            body("Content-Type: text/plain; charset=utf-16\n", "\u{e4}"),
            Ok(()),
        ),
        (
            "a charset with states",
            body("Content-Type: text/plain; charset=iso-2022-jp\n", "\x1b$B\x1b(B"),
            Ok(()),
        ),
        ("utf-7 as text", body("Content-Type: text/plain; charset=utf-7\n", "+AOk-+"), Ok(())),
    ]
}

#[test]
fn every_bomb_is_read_or_refused() {
    let bombs = bombs();
    assert_eq!(bombs.len(), 76, "kinds were added or lost: correct the count");
    for (name, raw, want) in bombs {
        let read = read(raw.as_bytes());
        assert_eq!(read.map(|_| ()).map_err(|unfit| unfit.why), want, "{name}");
    }
}

#[test]
fn the_sender_of_a_bomb_is_known() {
    let ann = Address::parse("ann@odd.example").unwrap();
    for raw in [
        body("", "please\n").repeat(2),
        nested(31),
        parts(201),
        format!("{FROM}{}", "A: b\n".repeat(2_000)),
    ] {
        let unfit = read(raw.as_bytes()).unwrap_err();
        assert_eq!(unfit.tell(), Some(&ann), "{unfit}");
        let automatic = format!("Auto-Submitted: auto-replied\n{raw}");
        let unfit = read(automatic.as_bytes()).unwrap_err();
        assert_eq!((unfit.tell(), unfit.from.as_ref()), (None, Some(&ann)), "{unfit}");
    }
}

/// Measures every kind: `cargo test --release -- --ignored --nocapture time_of`.
#[test]
#[ignore = "a measurement, to be read by a person"]
#[expect(clippy::disallowed_methods, reason = "it measures")]
fn time_of_every_bomb() {
    let mut times: Vec<_> = bombs()
        .into_iter()
        .map(|(name, raw, _)| {
            let start = std::time::Instant::now();
            let _ = parse(raw.as_bytes(), &mails::own()).map(|it| own_words(&it.text).len());
            (start.elapsed(), name)
        })
        .collect();
    times.sort();
    times.iter().rev().for_each(|(time, name)| println!("{time:>12.1?}  {name}"));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(raw in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let _ = read(&raw);
    }

    #[test]
    fn any_text_behind_a_header_is_read(
        name in "Subject|To|References|Content-Type|Content-Disposition|Content-Transfer-Encoding|Return-Path",
        value in "[ -~\u{80}-\u{ff}]{0,120}",
        text in any::<String>(),
    ) {
        let raw = format!("From: ann@odd.example\n{name}: {value}\n\n{text}");
        let _ = read(raw.as_bytes());
    }

    #[test]
    fn any_pieces_of_mime_are_read(pieces in prop::collection::vec(prop::sample::select(vec![
        "\n", "\r", "--b", "--b--", "--", "b", ": ", ";", "=", "\"", "*0*", "%41", "'", "Content-Type", "multipart/mixed",
        "boundary=b", "text/html", "charset=", "utf-8", "=?", "?=", "?Q?", "?B?", "format=flowed", "<", ">", "&#", "From",
        "From: ann@odd.example\n", "Content-Type: multipart/alternative; boundary=b\n\n--b\n", "\u{e4}", " ", "base64",
        "Content-Transfer-Encoding: ", "quoted-printable", "-----BEGIN PGP", " SIGNED MESSAGE-----", "name*", "(", ")",
    ]), 0..60)) {
        let raw = format!("{FROM}{}", pieces.concat());
        let _ = read(raw.as_bytes());
    }
}
