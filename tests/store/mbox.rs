//! The parser of mbox files.

use postboard::store::mbox::Mbox;
use postboard::store::spool::MAX_MAIL_BYTES;
use std::io::{BufReader, Cursor};

fn mails(text: &str) -> Vec<String> {
    let read = |capacity| {
        let input = BufReader::with_capacity(capacity, Cursor::new(text.to_owned()));
        let mails = Mbox::new(input).map(|mail| String::from_utf8(mail.unwrap()).unwrap());
        mails.collect::<Vec<_>>()
    };
    let found = read(64 * 1024);
    assert_eq!(found, read(1), "however it is read");
    found
}

#[test]
fn mails_are_told_apart_by_a_from_behind_an_empty_line() {
    let text =
        "From a@b Mon Jan 1\nSubject: 1\n\nFrom here on\nit goes.\n\nFrom c@d\nSubject: 2\n\nb\n\n";
    // `From here on` follows an empty line, so mbox takes it for a new mail.
    assert_eq!(mails(text).len(), 3);
    let text = "From a@b\nSubject: 1\n\nA line\nFrom here on\n\nFrom c@d\nSubject: 2\n\nb\n";
    assert_eq!(mails(text), ["Subject: 1\n\nA line\nFrom here on\n", "Subject: 2\n\nb\n"]);
}

#[test]
fn quoted_froms_lose_one_quote() {
    let text = "From a\n\n>From you\n>>From me\n> From\n>Fromage\n\nFrom b\n\nx\n";
    assert_eq!(mails(text)[0], "\nFrom you\n>From me\n> From\n>Fromage\n");
}

#[test]
fn the_ends_of_lines_and_of_the_file_do_not_matter() {
    assert_eq!(
        mails("From a\r\nS: 1\r\n\r\nx\r\n\r\nFrom b\r\nS: 2\r\n\r\ny"),
        ["S: 1\r\n\r\nx\r\n", "S: 2\r\n\r\ny"]
    );
    assert_eq!(mails(""), Vec::<String>::new());
    assert_eq!(mails("\n\nnothing\n"), Vec::<String>::new());
    assert_eq!(mails("From a\n"), [""]);
    assert_eq!(mails("From a\n\nFrom b\n"), ["", ""]);
}

#[test]
fn a_mail_too_long_is_cut_and_the_next_is_found() {
    let line = "x".repeat(300_000);
    let text = format!("From a\n\n{}\nFrom b\n\nshort\n", format!("{line}\n\n").repeat(5));
    let found = mails(&text);
    assert_eq!(found[0].len(), MAX_MAIL_BYTES + 1);
    assert_eq!(found[1..], ["\nshort\n"]);
}
