//! Administrators' pages: entering by a code from a mail, retrying a parked mail, and suspending a user, with
//! a mouse, a finger, and without scripts.

use super::*;
use std::fs;
use std::thread;

/// Puts a mail aside that the program could execute.
fn park(town: &ServedHome, number: u32) {
    let Mails::Folder(home) = &town.mails else { panic!("not a folder") };
    let bad = home.path().join("spool/bad");
    let name = format!("{number:012}.000000002.1234.5");
    let raw = mail(number, "bob@pbm.test", "games@pbm.test", "help", "<b>help</b>");
    fs::write(bad.join(&name), raw).unwrap();
    fs::write(bad.join(format!("{name}.why")), "it crashed three times\n").unwrap();
}

/// Waits until the server has sent alice a code, and takes the mail away.
fn code(town: &ServedHome) -> String {
    let Mails::Folder(home) = &town.mails else { panic!("not a folder") };
    let sent = home.base().join("sent");
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let paths = names(&sent).into_iter().map(|name| sent.join(name));
        for path in paths.filter(|path| path.extension().is_some_and(|it| it == "eml")) {
            let mail = Mail::read(&fs::read(&path).unwrap());
            if let Some(code) = mail.text.lines().map(str::trim).find(|it| it.starts_with("alice-"))
            {
                fs::remove_file(&path).unwrap();
                return code.to_owned();
            }
        }
        assert!(Instant::now() < deadline, "no code came");
        thread::yield_now();
    }
}

/// Opens the pages as alice, who is an administrator.
fn enter(town: &ServedHome, alice: &Browser) {
    alice.go(&format!("{}/settings", town.address));
    alice.click(&alice.sees("//main//a[.='Administration']"));
    alice.sees("//h1[starts-with(., 'Administrators')]");
    alice.click(&alice.find("form[action='/admin/code'] button"));
    alice.sees("//*[@role='status'][contains(., 'mailed you a code')]");
    alice.write("[name=code]", &code(town));
    alice.click(&alice.find("form[action='/admin/enter'] button"));
    alice.sees("//h1[.='Status']");
}

fn with_an_administrator() -> ServedHome {
    let town = ServedHome::sending();
    town.done("moderate appoint alice she helps");
    town
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn an_administrator_enters_retries_a_mail_and_suspends_a_user() {
    let town = with_an_administrator();
    for (number, window) in [(1, Window::DESK), (2, Window::PHONE), (3, Window::PLAIN)] {
        park(&town, number);
        let alice = town.alice(window);
        enter(&town, &alice);
        alice.click(&alice.sees("//nav//a[.='Parked mails']"));
        alice.click(&alice.sees(&format!("//main//table//a[starts-with(., '{number:012}')]")));
        alice.sees("//pre[contains(., '<b>help</b>')]");
        alice.click(&alice.sees("//button[.='Try it again']"));
        alice.sees("//p[.='No mail was put aside.']");
        alice.click(&alice.sees("//nav//a[.='Users']"));
        alice.write("[name=find]", "bob");
        alice.click(&alice.sees("//button[.='Find']"));
        alice.click(&alice.sees("//main//a[.='bob']"));
        alice.sees("//h1[.='bob']");
        alice.run("document.querySelector('[name=act]').value = 'suspend'");
        alice.run("document.querySelector('[name=until]').value = '2999-12-20'");
        alice.write("textarea[name=why]", "insults");
        alice.click(&alice.sees("//button[.='Go on']"));
        alice.sees("//h1[.='Suspend bob?']");
        alice.click(&alice.find("[data-ask] form button"));
        alice.sees("//*[@role='status'][contains(., 'written into the log')]");
        alice.click(&alice.sees("//nav//a[.='Log of acts']"));
        alice.sees("//main//li[contains(., 'Suspend bob')]");
        alice.go(&format!("{}/admin", town.address));
        alice.click(&alice.sees("//button[starts-with(., 'Leave the admin')]"));
        alice.sees("//h1[.='Settings']");
    }
}

#[test]
#[ignore = "needs Chromium and axe-core: .ci/run installs them and runs this by name"]
fn administrators_pages_are_accessible_and_fit_into_every_window() {
    let town = with_an_administrator();
    town.done("malaka challenge alice bob");
    park(&town, 1);
    let alice = town.alice(Window::DESK);
    alice.go(&format!("{}/admin/enter", town.address));
    let mut wrong = Vec::new();
    let mut look = |path: &str| {
        wrong.extend(looks::wrong(&alice, path));
        alice.resize(1200, false);
    };
    look("enter");
    enter(&town, &alice);
    for path in [
        "/admin",
        "/admin/doctor",
        "/admin/queues",
        "/admin/parked",
        "/admin/parked/000000000001.000000002.1234.5",
        "/admin/users?find=bob",
        "/admin/users/bob",
        "/admin/settings",
        "/admin/boards",
        "/admin/boards/malaka/1",
    ] {
        alice.go(&format!("{}{path}", town.address));
        look(path);
    }
    alice.go(&format!("{}/admin/users/bob", town.address));
    alice.write("form[action$=erase] textarea", "he asked me");
    alice.click(&alice.sees("//button[.='Remove and erase']"));
    alice.sees("//h1[.='Remove and erase bob?']");
    look("code");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
