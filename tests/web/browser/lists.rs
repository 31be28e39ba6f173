//! Lists in Chromium: search, sorting, paging, and their layout on phones.

use super::*;

/// A home with finished boards of two games between alice and bob, and players for the search.
fn with_lists() -> ServedHome {
    let mut town = ServedHome::new();
    for user in ["Bobby.Longname-of_thirty.two.chrs", "carol", "dora"] {
        let user = &user[..user.len().min(32)];
        town.done(&format!("signup {user} secret {user}@pbm.test"));
    }
    for (game, number, loser) in
        [("malaka", 1, "alice"), ("malaka", 2, "bob"), ("moloko", 1, "alice"), ("malaka", 3, "bob")]
    {
        town.done(&format!("{game} challenge alice bob"));
        let id = BoardId { game, number };
        for _ in 0..2 {
            town.make_move(id);
        }
        town.done(&format!("{game} resign {number} {loser} secret"));
    }
    town.done("malaka challenge alice carol");
    for user in ["bob", "dora", "carol", "alice"] {
        town.done(&format!("reversi ladder join {user} secret"));
    }
    town.done("reversi ladder challenge bob carol secret");
    town.done("reversi ladder challenge dora alice secret");
    town.done("reversi resign 2 dora secret");
    town
}

#[test]
#[ignore = "needs Chromium and axe-core: .ci/run installs them and runs this by name"]
fn lists_are_accessible_and_fit_into_every_window() {
    let town = with_lists();
    let alice = town.alice(Window::DESK);
    fit(
        &town,
        &alice,
        &[
            "/players",
            "/players?q=bob",
            "/players?q=nobody",
            "/malaka/standings",
            "/malaka/history",
            "/malaka/history?player=nobody",
            "/player/bob",
            "/player/alice/boards",
            "/player/alice/boards?state=active",
            "/player/alice/against/bob",
            "/player/alice/rating/malaka",
            "/ladders",
            "/reversi/ladder",
        ],
    );
}

/// Pages of moderation with long words and several acts.
#[test]
#[ignore = "needs Chromium and axe-core: .ci/run installs them and runs this by name"]
fn pages_of_moderation_are_accessible_and_fit_into_every_window() {
    let town = ServedHome::new();
    let long = "donkey".repeat(20);
    town.done("malaka challenge alice bob");
    town.done(&format!("--message {long} malaka chat 1 bob secret"));
    for _ in 0..2 {
        town.done(&format!("--message {long} malaka report 1 alice secret"));
    }
    for act in [
        "moderate appoint alice she helps with the reports",
        &format!("moderate mute bob --until 2999-12-31 {long}"),
        &format!("moderate ban someone.with.a.long.name@{}.example.org spam", "spam".repeat(12)),
        "moderate ban @spam.example spam",
        "moderate ban 192.0.2.7/24 spam",
        &format!("reports settle 2 {long}"),
    ] {
        town.done(act);
    }
    let alice = town.alice(Window::DESK);
    let reports = ["/moderation/report/1", "/moderation/report/2"];
    let paths = [&["/moderation", "/moderation/log"], &reports[..]].concat();
    fit(&town, &alice, &paths);
}

/// Checks that pages are accessible, light and dark, and as wide as the window, on a phone and on a
/// desk.
fn fit(town: &ServedHome, alice: &Browser, paths: &[&str]) {
    let mut wrong = Vec::new();
    for &path in paths {
        alice.go(&format!("{}{path}", town.address));
        for width in looks::WIDTHS {
            alice.resize(width, false);
            // Words stay whole: a cell has at most two lines.
            let broken = "return [...document.querySelectorAll('table.list :is(th, td)')] \
                          .filter((it) => it.getBoundingClientRect().height > 60).length";
            assert_eq!(alice.run(broken), 0, "{path} at {width}");
            let result = "const it = document.querySelector('td.result')?.getBoundingClientRect(); \
                          return !it || it.right <= innerWidth";
            assert_eq!(alice.run(result), true, "the result of a board is in view: {path}");
            if width == 390 {
                // Columns that do not fit are left out; only the longest names are too wide.
                let hidden = "return [...document.querySelectorAll('.scroll')] \
                              .filter((it) => it.scrollWidth > it.clientWidth).length";
                let is_too_wide = path == "/players" || path == "/players?q=bob";
                assert!(is_too_wide || alice.run(hidden) == 0, "{path}: a table is cut");
                let small = "return [...document.querySelectorAll('table.list a, .tabs a, .pages a, \
                             main button, main input:not([type=hidden]), main select')] \
                             .filter((it) => it.checkVisibility() \
                             && it.getBoundingClientRect().height < 44) \
                             .map((it) => it.outerHTML)";
                assert_eq!(alice.run(small), serde_json::json!([]), "{path}");
            }
        }
        wrong.extend(looks::wrong(alice, path));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_player_is_found_and_compared_by_clicks() {
    let town = with_lists();
    for window in [Window::DESK, Window::PLAIN] {
        let alice = town.alice(window);
        follow(&alice, &alice.sees("//nav/a[.='Players']"));
        alice.write("#q", "BO");
        alice.click(&alice.sees("//button[.='Search']"));
        alice.sees("//p[contains(., '2 players found')]");
        follow(&alice, &alice.sees("//td/preceding-sibling::th/a[.='bob']"));
        follow(&alice, &alice.sees("//a[.='You against bob']"));
        alice.sees("//tr[th='Malaka'][td[1]='3'][td[2]='2'][td[3]='1']");
        follow(&alice, &alice.sees("//th/a[.='Malaka 3']"));
        alice.sees("//h1[contains(., 'Malaka')]");
        alice.go(&format!("{}/malaka/standings", town.address));
        alice.sees("//tr[@id='you'][contains(., 'alice (you)')]");
        follow(&alice, &alice.sees("//th/a[.='Games']"));
        alice.sees("//th[@aria-sort='descending'][contains(., 'Games')]");
        alice.go(&format!("{}/malaka/history", town.address));
        alice.write("#player", "carol");
        alice.click(&alice.sees("//button[.='Show']"));
        alice.sees("//p[contains(., 'no finished boards')]");
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_wide_table_scrolls_by_keyboard_in_its_own_box() {
    let town = with_lists();
    let alice = town.alice(Window { width: 390, ..Window::DESK });
    // A name of 32 letters.
    alice.go(&format!("{}/players?q=bob", town.address));
    let is_wide = "const it = document.querySelector('.scroll'); \
                   return it.scrollWidth > it.clientWidth";
    assert_eq!(alice.run(is_wide), true, "the table is wider than its box");
    alice.run("document.querySelector('.scroll').focus()");
    alice.press(driver::RIGHT);
    alice.until("the table", "return document.querySelector('.scroll').scrollLeft > 0");
    assert_eq!(alice.run("return scrollX"), 0);
}
