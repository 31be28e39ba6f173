//! The page of setup on a phone, without scripts: from the token to the first administrator's boards.
//! `ALL_PICTURES=FOLDER` keeps pictures of it.

use super::*;
use crate::web::setup::{Place, Started, mail_server};
use std::env;

/// Keeps a picture at both widths, and checks that nothing is wider than the page.
fn looked_at(browser: &Browser, name: &str) {
    for width in [1200, 390] {
        browser.resize(width, false);
        let out =
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert_eq!(browser.run(out), 0, "{name} at {width}");
        if let Some(folder) = env::var_os("ALL_PICTURES") {
            pictures::keep_whole(browser, &folder, &format!("{name}-{width}"), 1.0);
        }
    }
}

/// Writes into a field in place of what is there.
fn fill(browser: &Browser, name: &str, text: &str) {
    let selector = format!("input[name='{name}']");
    browser.find(&selector);
    browser.run(&format!("document.querySelector({selector:?}).value = ''"));
    browser.write(&selector, text);
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn an_operator_sets_a_server_up_on_a_phone_without_scripts() {
    let place = Place::new();
    let mut command = place.command();
    command.env("POSTBOARD_DELIVER_PORT", mail_server(&place).to_string());
    let started = Started::with(command, "run");
    let site = format!("http://{}", started.address);
    let browser = Browser::open(Window { runs_scripts: false, ..Window::PHONE });
    browser.go(&format!("{site}/setup"));
    browser.sees("//h1[.='Not set up yet']");
    looked_at(&browser, "setup-closed");
    browser.go(&format!("{site}/setup?token={}", started.token.as_deref().unwrap()));
    browser.sees("//h1[.='Set up this server']");
    assert_eq!(browser.run("return location.href"), format!("{site}/setup"));
    looked_at(&browser, "setup-door");
    // What is known of the provider of a mailbox.
    browser.click(&browser.find("label:has(input[value=mailbox])"));
    browser.click(&browser.find("form button"));
    fill(&browser, "address", "games@gmx.de");
    browser.click(&browser.find("form button"));
    browser.sees("//p[contains(., 'imap.gmx.net:993')]");
    looked_at(&browser, "setup-mailbox");
    browser.click(&browser.sees("//a[.='Another way']"));
    // A mail server of one's own, first with a wrong answer.
    browser.click(&browser.find("label:has(input[value=server])"));
    browser.click(&browser.find("form button"));
    fill(&browser, "address", "games@pbm.test");
    fill(&browser, "own-address", "ops@pbm.test");
    fill(&browser, "administrator", "a b");
    fill(&browser, "new", "sesame-42");
    browser.click(&browser.find("form button"));
    browser.sees("//p[contains(., 'is not a valid userid')]");
    looked_at(&browser, "setup-wrong");
    assert_eq!(
        browser.run("return document.querySelector('[name=own-address]').value"),
        "ops@pbm.test"
    );
    fill(&browser, "administrator", "olga");
    fill(&browser, "new", "sesame-42");
    browser.click(&browser.find("form button"));
    browser.sees("//h1[.='A mail to try it']");
    browser.sees("//p[contains(., 'It works.')]");
    looked_at(&browser, "setup-tried");
    browser.click(&browser.sees("//button[.='Finish']"));
    browser.sees("//h1[.='The server is set up']");
    looked_at(&browser, "setup-done");
    browser.click(&browser.sees("//a[.='Go to your boards']"));
    browser.find("header a[href='/player/olga']");
}
