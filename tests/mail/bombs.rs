//! Mails made to break a parser. Each mail is read or refused without a panic, in less than a
//! second and with less than 256 MB.
//! Each mail is read in a process of its own, which the system kills after a second of processor
//! time: a test that measured wall-clock time would fail on a busy machine.

#![expect(clippy::disallowed_types, reason = "each bomb runs in its own process")]
#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]

use std::fmt::Write as _;

use postboard::mail::{
    Address, LARGEST_MAIL, Malformed, MalformedReason, Message, parse, unquoted_text,
};
use proptest::prelude::*;

use crate::mail::corpus;
use crate::support::script::ScriptHome;

/// Checks the guarantees for a parsed mail.
fn check(read: &Result<Message, Malformed>) {
    let Ok(message) = read else { return };
    let hidden = |c: char| c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c);
    assert!(!message.subject.contains(hidden), "{:?}", message.subject);
    assert!(!message.text.contains(|c| c != '\n' && hidden(c)), "{:?}", message.text);
    assert!(message.text.is_empty() || message.text.ends_with('\n'));
    assert!(message.text.lines().all(|line| !line.ends_with(' ')));
    assert!(message.to.len() <= 50 && message.references.len() <= 20);
    unquoted_text(&message.text);
}

fn read(raw: &[u8]) -> Result<Message, Malformed> {
    let read = parse(raw, &corpus::own());
    check(&read);
    read
}

/// A pseudo-random generator with the same numbers in each run (Vigna's splitmix64).
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

#[test]
fn mutated_mails_do_no_harm() {
    mutated(2_000, 17);
}

#[test]
#[ignore = "takes minutes: `cargo test --test postboard a_hundred_thousand -- --ignored --nocapture`"]
fn a_hundred_thousand_mutated_mails_do_no_harm() {
    for seed in 1..=4 {
        mutated(25_000, seed);
    }
}

/// Damages `mutations` random mails, reads them, and lets the whole server execute them.
fn mutated(mutations: usize, seed: u64) {
    let mails = corpus::all();
    let mut chance = Chance(seed);
    let mut stage = ScriptHome::new();
    let (mut good, mut unfit) = (0, 0);
    for _ in 0..mutations {
        let (_, raw) = &mails[chance.below(mails.len())];
        let mut raw = raw.clone();
        for _ in 0..=chance.below(4) {
            mutate(&mut raw, &mut chance);
        }
        stage.raw(&raw);
        match read(&raw) {
            Ok(_) => good += 1,
            Err(_) => unfit += 1,
        }
    }
    assert_eq!(good + unfit, mutations);
    let much = good > mutations / 2 && unfit > mutations / 20;
    assert!(much, "{good} read, {unfit} refused: nothing is tested");
    stage.check();
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
            // Repeats a header line at the top.
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
        _ => {
            let junk: Vec<u8> = (0..64).map(|i: u8| i.wrapping_mul(37)).collect();
            raw.splice(at..at, junk[..chance.below(64)].iter().copied());
        }
    }
}

const FROM: &str = "From: ann@odd.example\nSubject: malaka show 17\n";

fn mixed(boundary: &str) -> String {
    format!("Content-Type: multipart/mixed; boundary=\"{boundary}\"\n\n")
}

fn nested(depth: usize) -> String {
    let mut mail = FROM.to_owned();
    for i in 0..depth {
        writeln!(mail, "{}--b{i}", mixed(&format!("b{i}"))).unwrap();
    }
    mail + "\nplease\n"
}

fn parts(count: usize) -> String {
    format!("{FROM}{}{}--b--\n", mixed("b"), "--b\n\nplease\n".repeat(count))
}

/// Fills a header with copies of `piece` up to the size limit of a header block.
fn header(head: &str, piece: &str) -> String {
    let room = 64 * 1024 - FROM.len() - head.len();
    format!("{FROM}{head}{}\n\nplease\n", piece.repeat((room - 8) / piece.len()))
}

/// Fills a body with copies of `piece` up to the size limit of a mail.
fn body(head: &str, piece: &str) -> String {
    format!("{FROM}{head}\n{}", piece.repeat((LARGEST_MAIL - 1_000) / piece.len()))
}

/// Wraps a mail in `depth` nested opaque signatures, each in base64.
fn signed(depth: usize) -> String {
    let mut part = String::from("\nplease\n");
    for _ in 0..depth {
        let value = |tag: u8, inside: &[&[u8]]| {
            let inside = inside.concat();
            let length = u32::try_from(inside.len()).unwrap().to_be_bytes();
            [&[tag, 0x84], &length[..], &inside].concat()
        };
        let object =
            |last: u8| value(6, &[&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, last]]);
        let content = value(0xa0, &[&value(4, &[part.as_bytes()])]);
        let inner = value(0x30, &[&object(1), &content]);
        let data = value(0x30, &[&value(2, &[&[1]]), &value(0x31, &[]), &inner]);
        let whole = value(0x30, &[&object(2), &value(0xa0, &[&data])]);
        let text = data_encoding::BASE64.encode(&whole);
        part = format!(
            "Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\n{text}\n"
        );
    }
    format!("{FROM}{part}")
}

type Bomb = (&'static str, String, Result<(), MalformedReason>);

/// Returns every kind of bomb with its expected result.
fn bombs() -> Vec<Bomb> {
    let read = harmless().into_iter().map(|(name, raw)| (name, raw, Ok(())));
    let refused = harmful().into_iter().map(|(name, raw, why)| (name, raw, Err(why)));
    read.chain(refused).collect()
}

fn harmful() -> Vec<(&'static str, String, MalformedReason)> {
    let part = format!("--b\nA: {}\n\nplease\n", "x".repeat(9_000));
    let (big, heads) = (MalformedReason::TooLarge, MalformedReason::HeadersTooLarge);
    vec![
        ("too large", "x".repeat(LARGEST_MAIL + 1), big),
        ("much too large", body("", "please\n").repeat(9), big),
        ("too large headers", header("X-Y: ", "x").replace("\n\n", "xxxxxxxxxxxxxxxx\n\n"), heads),
        ("a header without end", format!("{FROM}X-Y: {}", "x".repeat(900_000)), heads),
        ("too many headers", format!("{FROM}{}\nplease\n", "A: b\n".repeat(999)), heads),
        ("a long fold", format!("{FROM}A: b\n{}\n", " x\n".repeat(998)), heads),
        ("large headers in every part", format!("{FROM}{}{}", mixed("b"), part.repeat(100)), heads),
        (
            "headers of a part without end",
            format!("{FROM}{}--b\n{}", mixed("b"), "A: b\n".repeat(99_999)),
            heads,
        ),
        ("too deep", nested(31), MalformedReason::TooDeep),
        (
            "an endless signature",
            body("Content-Type: application/pkcs7-mime\n", "$\u{0}"),
            MalformedReason::Encrypted,
        ),
        ("far too deep", nested(10_000), MalformedReason::TooDeep),
        ("too many parts", parts(201), MalformedReason::TooManyParts),
        ("far too many parts", parts(80_000), MalformedReason::TooManyParts),
        ("dashes", body(&mixed("-"), "--\n---\n----\n"), MalformedReason::TooManyParts),
        (
            "a continued boundary",
            body("Content-Type: multipart/mixed; boundary*0=a;\n boundary*1=b\n", "--ab\n"),
            MalformedReason::TooManyParts,
        ),
        ("senders", header("", "From: ann@odd.example\n"), heads),
    ]
}

fn harmless() -> Vec<(&'static str, String)> {
    [structure(), words(), lists(), parameters(), texts(), html()].concat()
}

fn structure() -> Vec<(&'static str, String)> {
    let dashes = "--\n".repeat(340_000);
    let from =
        |value: &str, piece: &str| header(value, piece).replacen("From: ann@odd.example\n", "", 1);
    vec![
        ("the largest mail", body("", "please\n")),
        ("addresses as sender", from("X-Y: z\nFrom: ", "a@b.example,")),
        ("comments as sender", from("X-Y: z\nFrom: ", "(")),
        ("signatures in signatures", signed(20)),
        ("pieces of base64", body("Content-Transfer-Encoding: base64\n\n", "YQ==")),
        ("warnings and no base64", body("Content-Transfer-Encoding: base64\n\n", "a b\n")),
        ("prefixes", header("Subject: ", "R: ")),
        ("brackets", header("Subject: ", "[x] ")),
        ("large headers", header("X-Y: ", "x")),
        ("many headers", format!("{FROM}{}\nplease\n", "A: b\n".repeat(998))),
        ("deep", nested(30)),
        ("deep and large", nested(30) + &dashes),
        ("deep and without boundaries", nested(29) + &mixed("x") + &dashes),
        ("many parts", parts(200)),
        ("multiparts behind many parts", parts(150) + &mixed("b").repeat(99)),
        ("nothing but almost boundaries", body(&mixed("bbbb"), "--bbb\n")),
        ("a large boundary", header("Content-Type: multipart/mixed; boundary=", "b")),
        ("parts of what has none", body("", "--b\nContent-Type: text/plain\n\n")),
        ("bare CR", body("", "\r")),
        ("NUL", body("", "\0")),
    ]
}

fn words() -> Vec<(&'static str, String)> {
    let subject = |piece: &str| {
        header("X-Y: z\nSubject: ", piece).replacen("Subject: malaka show 17\n", "", 1)
    };
    vec![
        ("encoded words", subject("=?utf-8?Q?=41?= ")),
        ("encoded words, close", subject("=?utf-8?B?QQ==?=")),
        ("encoded words in many charsets", subject("=?utf-8?Q?a?= =?koi8-r?Q?=C1?= ")),
        ("encoded words without end", subject("=?utf-8?Q?")),
        ("one encoded word", subject("=?utf-8?Q?a ").replace("\n\n", "?=\n\n")),
        ("encoded words that only begin", subject("=?")),
        ("encoded words that only end", subject("?=")),
        ("question marks", subject("=?a?b")),
        ("utf-7", subject("=?utf-7?Q?+AOk-+?= ")),
    ]
}

fn lists() -> Vec<(&'static str, String)> {
    let numbered = (0..3_000).map(|i| format!("a{i}@b.example,")).collect::<Vec<_>>().concat();
    vec![
        ("comments", header("Cc: ", "(")),
        ("comments, closed", header("Cc: ", "()")),
        ("quotes", header("Cc: ", "\"\\")),
        ("groups", header("Cc: ", "a:")),
        ("brackets", header("Cc: ", "<")),
        ("addresses", header("To: ", &numbered)),
        ("encoded names", header("To: ", "=?utf-8?Q?a,b?= <")),
        ("encoded names without end", header("To: ", "=?utf-8?Q?a,")),
        ("ids", header("References: ", "<a@b>")),
        ("ids without end", header("References: ", "<a@b ")),
    ]
}

fn parameters() -> Vec<(&'static str, String)> {
    let content = |piece: &str| header("Content-Type: text/plain; ", piece);
    let numbered = (0..900).map(|i| format!("a*{i}*=%41;")).collect::<Vec<_>>().concat();
    vec![
        ("parameters", content("a=b; ")),
        ("continued parameters", content("a*0=b; a*1=c; ")),
        ("encoded parameters", content("a*0*=utf-8''%41; ")),
        ("many continued parameters", content(&numbered)),
        ("quotes in parameters", content("a=\"\\\"")),
        ("semicolons", content(";")),
        ("file names", header("Content-Disposition: inline; ", "filename*0*=''%; ")),
    ]
}

fn texts() -> Vec<(&'static str, String)> {
    let base64 = |piece: &str| body("Content-Transfer-Encoding: base64\n", piece);
    let quoted = |piece: &str| body("Content-Transfer-Encoding: quoted-printable\n", piece);
    let flowed = |piece: &str| body("Content-Type: text/plain; format=flowed\n", piece);
    let charset = |name: &str, piece: &str| {
        body(&format!("Content-Type: text/plain; charset={name}\n"), piece)
    };
    vec![
        ("base64", base64("QUJD\n")),
        ("base64 on one line", base64("Q")),
        ("junk in base64", base64("QUJD=\u{e4}!\n")),
        ("equals signs", quoted("=")),
        ("junk in quoted-printable", quoted("=4=ZZ=\n= \n")),
        ("flowed without end", flowed(">> \n> \n \n")),
        ("flowed quotes", flowed(">")),
        ("flowed changes of quotes", flowed(&format!("{}a\na\n", ">".repeat(1_000)))),
        ("a charset of two octets", charset("utf-16", "\u{e4}")),
        ("a charset with states", charset("iso-2022-jp", "\x1b$B\x1b(B")),
        ("utf-7 as text", charset("utf-7", "+AOk-+")),
        ("blank lines", body("", "\n")),
        ("blanks", body("", " ")),
        ("quoted lines", body("", "> x\n")),
        ("attributions", body("", "On 1\n")),
        ("senders in the text", body("", "From: a\n")),
    ]
}

fn html() -> Vec<(&'static str, String)> {
    let html = |piece: &str| body("Content-Type: text/html\n", piece);
    vec![
        ("tags", html("<b>")),
        ("tags that only begin", html("<b ")),
        ("tags with open quotes", html("<b \"")),
        ("angle brackets", html("<")),
        ("comments of html", html("<!-- -")),
        ("scripts", html("<script></scrip")),
        ("scripts, closed", html("<script></script>")),
        ("open quotes", html("<blockquote>")),
        ("quotes of html", html("<blockquote>a<br>")),
        ("entities", html("&#x10FFFF;&amp;&#999999999999;&a")),
    ]
}

#[test]
fn every_bomb_is_read_or_refused() {
    let bombs = bombs();
    assert_eq!(bombs.len(), 88, "kinds were added or lost: correct the count");
    for (name, raw, want) in bombs {
        let read = read(raw.as_bytes());
        assert_eq!(read.map(|_| ()).map_err(|unfit| unfit.reason), want, "{name}");
    }
}

/// The limits of a process that executes one mail.
const SECONDS: u64 = 2;
const MEGABYTES: u64 = 256;

/// The environment variable with the task of a child process: an index into [`bombs`], or a
/// control.
const TASK: &str = "POSTBOARD_BOMB";

/// Returns a mail of 3.4 MB on which the library spends most of a minute unless a check refuses the
/// mail first.
fn a_subject_of_encoded_words() -> String {
    format!("{FROM}\n").replace("malaka show 17", &"=?utf-8?Q?=41?= ".repeat(212_500))
}

/// Runs a task and prints its peak memory in MB.
#[test]
#[ignore = "done by the next test, in a process of its own"]
fn in_a_process_of_its_own() {
    let Some(task) = std::env::var_os(TASK) else { return };
    match task.to_str().unwrap() {
        "mailparse" => {
            let mail = a_subject_of_encoded_words();
            let mail = mailparse::parse_mail(mail.as_bytes()).unwrap();
            let subject = mail.headers.iter().find(|it| it.get_key() == "Subject").unwrap();
            println!("{}", subject.get_value().len());
        }
        "the same" => {
            let mut stage = ScriptHome::new();
            stage.raw(a_subject_of_encoded_words().as_bytes());
        }
        "memory" => {
            let filled = vec![1_u8; 300 << 20];
            println!("{}", std::hint::black_box(&filled).len());
        }
        number => {
            let (_, raw, _) = bombs().swap_remove(number.parse().unwrap());
            let mut stage = ScriptHome::new();
            stage.raw(raw.as_bytes());
        }
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = most.trim().trim_end_matches(" kB").parse().unwrap();
    println!("used {} MB", kilobytes / 1024);
}

/// Returns the peak memory of a task in MB, or `None` if the task ran out of time.
fn used(task: &str) -> Option<u64> {
    use std::os::unix::process::ExitStatusExt as _;
    const SIGKILL: i32 = 9;
    const SIGXCPU: i32 = 24;
    let this = std::env::current_exe().unwrap();
    let ran = std::process::Command::new("sh")
        .args(["-c", &format!("ulimit -t {SECONDS}; exec \"$0\" \"$@\"")])
        .arg(this)
        .args(["--exact", "mail::bombs::in_a_process_of_its_own", "--ignored", "--nocapture"])
        .env(TASK, task)
        .output()
        .unwrap();
    let out = String::from_utf8(ran.stdout).unwrap();
    let used = out.lines().find_map(|line| line.strip_prefix("used ")?.strip_suffix(" MB"));
    if let Some(SIGKILL | SIGXCPU) = ran.status.signal() {
        return None;
    }
    assert!(ran.status.success(), "{task}: {}\n{out}", ran.status);
    Some(used.unwrap().parse().unwrap())
}

#[test]
fn no_bomb_takes_long_or_much_memory() {
    let fits = |task: &str| used(task).is_some_and(|used| used <= MEGABYTES);
    let names: Vec<_> = bombs().into_iter().map(|(name, ..)| name).collect();
    let too_much = (0..names.len()).filter(|number| !fits(&number.to_string()));
    let too_much: Vec<_> = too_much.map(|number| names[number]).collect();
    assert_eq!(too_much, [""; 0]);
    assert!(fits("the same"));
    // Control: without our check the time limit and the memory limit are exceeded.
    assert_eq!(used("mailparse"), None, "the library alone takes longer");
    assert!(used("memory").is_some_and(|used| used > MEGABYTES));
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
        assert_eq!(unfit.answerable_sender(), Some(&ann), "{unfit}");
        let automatic = format!("Auto-Submitted: auto-replied\n{raw}");
        let unfit = read(automatic.as_bytes()).unwrap_err();
        assert_eq!((unfit.answerable_sender(), unfit.from.as_ref()), (None, Some(&ann)), "{unfit}");
    }
}

/// Measures every kind of bomb: `cargo test --profile dist --test postboard time_of -- --ignored
/// --nocapture`.
#[test]
#[ignore = "a measurement, to be read by a person"]
#[expect(clippy::disallowed_methods, reason = "the test measures time")]
fn time_of_every_bomb() {
    let mut times: Vec<_> = bombs()
        .into_iter()
        .map(|(name, raw, _)| {
            let mut stage = ScriptHome::new();
            let start = std::time::Instant::now();
            stage.raw(raw.as_bytes());
            (start.elapsed(), name)
        })
        .collect();
    times.sort();
    times.iter().rev().for_each(|(time, name)| println!("{time:>12.1?}  {name}"));
    let names: Vec<_> = bombs().into_iter().map(|(name, ..)| name).collect();
    let of = |number: usize| (used(&number.to_string()), names[number]);
    let mut sizes: Vec<_> = (0..names.len()).map(of).collect();
    sizes.sort();
    sizes.iter().rev().take(5).for_each(|(used, name)| println!("{used:?} MB  {name}"));
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
