//! The picture of a mail in docs/pictures: the HTML part of the mail in Chromium.

use super::driver::{Browser, Window};
use super::pictures::{folder, keep_whole};
use crate::support::program::{Home, names};
use data_encoding::BASE64;
use std::fs;

/// The number of moves before the mail.
const MOVES: usize = 7;

/// Returns the HTML of a mail with its pictures inlined.
fn page(raw: &[u8]) -> String {
    let mail = mailparse::parse_mail(raw).unwrap();
    let mut html = String::new();
    let mut pictures = Vec::new();
    for part in mail.parts() {
        match &*part.ctype.mimetype {
            "text/html" => html = part.get_body().unwrap(),
            "image/png" => {
                let id = part.headers.iter().find(|it| it.get_key_ref() == "Content-ID").unwrap();
                let id = id.get_value().trim_matches(['<', '>']).to_owned();
                pictures.push((id, BASE64.encode(&part.get_body_raw().unwrap())));
            }
            _ => {}
        }
    }
    assert_eq!(pictures.len(), 1);
    for (id, picture) in pictures {
        let data = format!("data:image/png;base64,{picture}");
        assert!(html.contains(&format!("cid:{id}")));
        html = html.replace(&format!("cid:{id}"), &data);
    }
    html
}

#[test]
#[ignore = "draws docs/pictures where PICTURES names that folder; needs Chromium"]
fn a_mail_is_pictured() {
    let Some(folder) = folder() else { return };
    let home = Home::new();
    home.set_up();
    for _ in 0..MOVES {
        home.delivered();
        let (player, text) = home.due("malaka", 1).expect("it goes on");
        home.done(&format!("malaka move 1 {player} secret {text}"));
    }
    assert_eq!(home.run(&["deliver"], b"").code, Some(0));
    let sent = home.base().join("sent");
    let mails = names(&sent).into_iter().map(|name| fs::read(sent.join(name)).unwrap());
    let is_next = |raw: &Vec<u8>| String::from_utf8_lossy(raw).contains("Subject: Your turn:");
    let raw = mails.into_iter().find(is_next).unwrap();
    let file = home.base().join("mail.html");
    fs::write(&file, page(&raw)).unwrap();
    let browser = Browser::open(Window { width: 720, ..Window::DESK });
    browser.go(&format!("file://{}", file.display()));
    keep_whole(&browser, &folder, "mail-720-light", 1.0);
}
