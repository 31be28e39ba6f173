//! Faults of pages that were found by looking at them: what error pages know, long messages and those that
//! are written from right to left, lists whose links lead nowhere.

use super::*;

const BOTH: [Window; 2] = [Window::DESK, Window::PLAIN];

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn error_pages_know_who_has_signed_in() {
    let town = ServedHome::new();
    for window in BOTH {
        let alice = town.alice(window);
        for path in ["/nowhere", "/malaka/99", "/malaka/standings?page=99", "/players?page=x"] {
            alice.go(&format!("{}{path}", town.address));
            alice.sees("//header//a[.='alice']");
            assert!(!alice.page().contains("Sign in"), "{path}: {}", alice.page());
            follow(&alice, &alice.sees("//header//a[.='My boards']"));
            alice.sees("//h1[.='My boards']");
        }
    }
}

/// Begins a board, and opens it for the player whose turn it is not.
fn with_a_writer(window: Window) -> (ServedHome, Browser) {
    let town = ServedHome::new();
    town.done("malaka challenge alice bob");
    let writer = if town.due(MALAKA).as_deref() == Some("alice") { "bob" } else { "alice" };
    let browser = town.enters(writer, window);
    browser.go(&town.page(MALAKA));
    (town, browser)
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_message_that_fits_into_its_box_arrives_whole() {
    for window in BOTH {
        let (_town, writer) = with_a_writer(window);
        let text = "textarea[name=comment]";
        writer.write(text, &"ten ladders ".repeat(900));
        let value = format!("return document.querySelector({text:?}).value.trim()");
        let typed = writer.run(&value);
        let typed = typed.as_str().unwrap();
        assert!((1_000..9_000).contains(&typed.len()), "the box takes {}", typed.len());
        writer.click(&writer.sees("//form[.//textarea]//button[.='Send']"));
        writer.sees("//blockquote[contains(., 'ten ladders')]");
        assert_eq!(writer.text(".log blockquote").trim(), typed, "nothing is cut off");
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_message_from_right_to_left_turns_nothing_else_around() {
    for window in BOTH {
        let (town, reader) = with_a_writer(window);
        town.done("malaka chat 1 bob secret A plain message");
        town.done("malaka chat 1 bob secret \u{202e}A message \u{2067}the other way");
        reader.go(&town.page(MALAKA));
        reader.sees("//blockquote[contains(., 'other way')]");
        // The name, the time and the link beside each message are where they are beside the other.
        let places = "const beside = (it) => it.previousElementSibling ?? it.parentElement; \
                      return [...document.querySelectorAll('.log blockquote')].map((it) => { \
                        const range = document.createRange(); \
                        range.selectNodeContents(beside(it)); \
                        return Math.round(range.getBoundingClientRect().left); })";
        let places = reader.run(places);
        let places = places.as_array().unwrap();
        assert!(places.len() == 2 && places[0] == places[1], "{places:?}");
        let is_isolated = "return [...document.querySelectorAll('.log blockquote')] \
                           .every((it) => getComputedStyle(it).unicodeBidi == 'isolate')";
        assert_eq!(reader.run(is_isolated), true);
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn an_entry_of_the_moves_leads_to_its_position() {
    let mut town = ServedHome::new();
    town.done("malaka challenge alice bob");
    for _ in 0..3 {
        town.make_move(MALAKA);
    }
    for window in BOTH {
        let alice = town.alice(window);
        alice.go(&town.page(MALAKA));
        follow(
            &alice,
            &alice.sees("(//h2[.='Moves']/following::a[starts-with(@href, '/malaka/1/')])[1]"),
        );
        alice.until("the position", "return location.pathname == '/malaka/1/1'");
        alice.sees("//*[contains(., 'After move 1')]");
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn finished_boards_are_paged_by_clicks() {
    let town = ServedHome::new();
    for number in 1..=53 {
        town.done("malaka challenge alice bob");
        town.done(&format!("malaka resign {number} alice secret"));
    }
    let feed = "return new URL(document.querySelector('link[type*=atom]').href).pathname";
    for window in BOTH {
        let alice = town.alice(window);
        alice.go(&format!("{}/malaka", town.address));
        follow(&alice, &alice.sees("//nav/a[.='Finished boards']"));
        alice.sees("//tbody/tr[1]/th/a[.='Malaka 53']");
        assert_eq!(alice.counts(["tbody tr"]), [50]);
        assert_eq!(alice.run(feed), "/malaka/feed");
        follow(&alice, &alice.sees("//a[.='Older']"));
        alice.sees("//tbody/tr[3]/th/a[.='Malaka 1']");
        assert_eq!(alice.counts(["tbody tr"]), [3]);
        follow(&alice, &alice.sees("//a[.='Newer']"));
        alice.sees("//tbody/tr[1]/th/a[.='Malaka 53']");
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn an_open_challenge_is_read_in_words_and_withdrawn() {
    for window in BOTH {
        let town = ServedHome::new();
        town.done("malaka seek alice secret -many --forfeittime=7");
        let alice = town.alice(window);
        alice.go(&format!("{}/malaka", town.address));
        let page = alice.page();
        assert!(!page.contains("--forfeittime") && page.contains("7 days"), "{page}");
        alice.click(&alice.sees("//button[starts-with(., 'Withdraw')]"));
        alice.sees("//p[@role='status'][.='Your open challenge is withdrawn.']");
        alice.sees("//p[.='There are no open challenges.']");
    }
}
