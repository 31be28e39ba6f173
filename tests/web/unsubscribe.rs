//! The unsubscribe page of reminders and broadcasts (RFC 8058).

use crate::support::web::browser::{Browser, forms};
use crate::support::web::home::{Reply, WebHome};
use axum::body::Body;
use axum::http::Request;
use postboard::base::time::DAY;

/// Returns the value of a mail's header as one line.
fn header(mail: &str, name: &str) -> Option<String> {
    let head = mail.split("\r\n\r\n").next().unwrap().replace("\r\n ", " ");
    let start = format!("{name}: ");
    head.lines().find_map(|line| line.strip_prefix(&*start).map(str::to_owned))
}

/// Returns the mail that alice receives for a broadcast of bob.
fn broadcast(town: &WebHome) -> String {
    // New users may not send broadcasts.
    town.wait(8 * DAY);
    town.mail(
        "From: bob@example.org\r\nTo: postboard@localhost\r\nSubject: broadcast bob secret\r\n\
         Message-ID: <1@x>\r\n\r\nHello, everybody!\r\n",
    );
    let mails = town.mails().into_iter();
    mails.filter(|(to, _)| to == "alice@example.org").map(|(_, mail)| mail).next().unwrap()
}

/// Sends the one-click request of a mail program, without cookie, origin or a previous page.
fn press(town: &WebHome, path: &str) -> Reply {
    let kind = "application/x-www-form-urlencoded";
    let request = Request::post(path).header("content-type", kind);
    town.send(request.body(Body::from("List-Unsubscribe=One-Click")).unwrap())
}

fn has_broadcasts_off(town: &WebHome) -> bool {
    let documents = town.documents();
    let alice = documents.iter().find(|(key, _)| format!("{key:?}").contains("\"alice\"")).unwrap();
    alice.1.contains("broadcast")
}

#[test]
fn one_click_unsubscribes_and_does_nothing_else() {
    let town = WebHome::with("address = \"https://games.example.org\"\n", false);
    let mail = broadcast(&town);
    assert_eq!(header(&mail, "List-Unsubscribe-Post").unwrap(), "List-Unsubscribe=One-Click");
    let ways = header(&mail, "List-Unsubscribe").unwrap();
    let (page, address) = ways.split_once(", ").unwrap();
    assert!(address.starts_with("<mailto:"), "{ways}");
    let page = page.strip_prefix("<https://games.example.org").unwrap();
    let path = page.strip_suffix('>').unwrap();
    // A mail program that prefetches the page changes nothing.
    let documents = town.documents();
    let shown = town.get(path).says(200, "Turn off mails to everybody");
    assert_eq!(forms(&shown.body).iter().filter(|form| form.action == path).count(), 1);
    assert_eq!(town.documents(), documents);
    // A forged path is not found and changes nothing.
    for forged in [
        path.replace("ob-alice", "or-alice"),
        path.replace("ob-alice", "ob-bob"),
        path.replace("ob-alice", "ob-nobody"),
        format!("{}{}", &path[..path.len() - 1], if path.ends_with('a') { 'b' } else { 'a' }),
        "/unsubscribe/x".into(),
    ] {
        assert_eq!(press(&town, &forged).status, 404, "{forged}");
        assert_eq!(town.get(&forged).status, 404, "{forged}");
    }
    assert_eq!(town.documents(), documents);
    press(&town, path).says(200, "You get no more mails to everybody");
    let after = town.documents();
    let changed: Vec<_> =
        after.iter().filter(|(key, text)| documents.get(key) != Some(text)).collect();
    assert!(changed.len() == 1 && has_broadcasts_off(&town), "{changed:?}");
    let letters = town.letters();
    let [(to, text)] = &letters[..] else { panic!("{letters:?}") };
    assert!(
        to == "alice@example.org" && text.contains("set alice <password> broadcast on"),
        "{text}"
    );
    // A repetition changes nothing and sends no letter.
    press(&town, path).says(200, "You get no more");
    assert_eq!((town.documents(), town.letters().len()), (after, 0));
    // The button on the page has the effect of the one-click request.
    let mut browser = Browser::new(&town);
    let form = browser.form(path, path);
    browser.send(&form).says(200, "You get no more");
}

#[test]
fn a_page_without_encryption_is_not_named() {
    for more in ["", "address = \"http://games.example.org\"\n"] {
        let mail = broadcast(&WebHome::with(more, false));
        assert_eq!(header(&mail, "List-Unsubscribe-Post"), None);
        assert!(header(&mail, "List-Unsubscribe").unwrap().starts_with("<mailto:"));
    }
}
