//! Two browsers bring the dice of a board to level 2: each browser stores a chain of values and
//! reveals the values automatically.

use super::*;

/// Opens a browser, signs a user in and opens a page.
fn at(town: &ServedHome, user: &str, path: &str) -> Browser {
    let browser = town.enters(user, Window::DESK);
    browser.go(&format!("{}{path}", town.address));
    browser
}

/// Challenges bob on the page of a game.
fn challenge_bob(browser: &Browser) {
    browser.unfold(&browser.find("form.new-game [name=opponent]"));
    browser.write("form.new-game [name=opponent]", "bob");
    browser.click(&browser.find("form.new-game button.main"));
}

/// Plays until the board has `rolls` rolls; each player's browser rolls automatically.
fn play_to(town: &mut ServedHome, players: [(&str, &Browser); 2], id: BoardId, rolls: usize) {
    while town.board(id).drawn() < rolls {
        let due = town.due(id).unwrap_or_else(|| panic!("{:?}", town.board(id).status()));
        let (_, browser) = players.iter().find(|(user, _)| *user == due).unwrap();
        browser.go(&town.page(id));
        // A page that must roll shows the move only after the roll.
        browser.find(&format!("{PLAY}:not([data-roll]), {SPOT}"));
        plays(browser, &mut town.chance);
    }
}

/// Checks all mails and the proof page of a board with the independent checker, and returns the
/// output of `verify`.
fn proof(town: &mut ServedHome, browser: &Browser, id: BoardId) -> String {
    let script =
        format!("return fetch('/{}/{}/proof').then((it) => it.text())", id.game, id.number);
    let sheet = browser.run(&script).as_str().unwrap().to_owned();
    town.deliver();
    let mails: Vec<String> = town.read.iter().map(|mail| mail.text.clone()).collect();
    assert!(mails.iter().any(|mail| mail.contains("dice digest of")), "{mails:?}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mails");
    std::fs::write(&file, mails.concat() + &sheet).unwrap();
    assert!(crate::games::dice::checker_accepts(&file));
    let Mails::Folder(home) = &town.mails else { panic!("it has a folder") };
    let ran = home.run(&["verify", file.to_str().unwrap()], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    ran.out
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn two_browsers_bring_their_dice_to_level_2_by_themselves() {
    let mut town = ServedHome::new();
    let alice = at(&town, "alice", "/moloko");
    let bob = at(&town, "bob", "/");
    challenge_bob(&alice);
    alice.find("svg.board");
    let values =
        "return Object.keys(localStorage).filter((it) => it.startsWith('postboard dice ')).length";
    assert_eq!(alice.run(values), 1, "nothing is kept but the chain");
    play_to(&mut town, [("alice", &alice), ("bob", &bob)], MOLOKO, 9);
    let told = proof(&mut town, &alice, MOLOKO);
    let levels = [0, 1, 2].map(|level| told.matches(&format!("proved, level {level}")).count());
    // Automatic turns and automatic rolls may add further rolls.
    assert!(levels[0] >= 3 && levels[1] == 0 && levels[2] >= 6, "{told}");
    assert!(told.ends_with("proved, 0 not\n\n"), "{told}");
    assert!(!told.contains("WRONG"), "{told}");
    town.assert_tidy();
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_player_who_lost_the_value_plays_on_and_the_roll_is_marked() {
    let mut town = ServedHome::new();
    let alice = at(&town, "alice", "/moloko");
    challenge_bob(&alice);
    alice.find("svg.board");
    plays(&alice, &mut town.chance);
    // The opponent may play by mail.
    let words = town.any_move(MOLOKO);
    town.bob_replies(MOLOKO, &format!("{words} -seed=of-bob"));
    assert_eq!(town.board(MOLOKO).drawn(), 3);
    alice.run("localStorage.clear()");
    alice.go(&town.page(MOLOKO));
    // The page asks whether the value is lost, and alice must answer before her move.
    plays_up_to_the_button(&alice, &mut town.chance);
    let lost = "section.turn form:has(button.main) input[type=checkbox][name=seed]";
    alice.click(&alice.find(lost));
    send(&alice, &alice.find(PLAY));
    let words = town.any_move(MOLOKO);
    town.bob_replies(MOLOKO, &words);
    let told = proof(&mut town, &alice, MOLOKO);
    assert!(told.contains("roll 5") && told.contains("who lost the value could choose"), "{told}");
    town.assert_tidy();
}

/// Clicks men and targets until the move is complete.
fn plays_up_to_the_button(browser: &Browser, chance: &mut Chance) {
    browser.find("section.turn");
    while let [0, targets, spots] = browser.counts([PLAY, TARGET, SPOT]) {
        let (what, count) = if targets == 0 { (SPOT, spots) } else { (TARGET, targets) };
        follow(browser, &Element::nth(what, chance.below(count)));
    }
}

/// A JavaScript function that computes the SHA-256 of a text.
const HASH: &str = r#"
    const hash = async (text) => {
        const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
        return [...new Uint8Array(digest)].map((it) => it.toString(16).padStart(2, "0")).join("");
    };"#;

/// A script that plays for alice and bob by the API.
const PROGRAMS: &str = r#"
        const ask = async (key, path, said) => (await fetch("/api/v1" + path, {
            method: said ? "POST" : "GET", body: said && JSON.stringify(said), credentials: "omit",
            headers: { "content-type": "application/json", ...(key && { authorization: "Bearer " + key }) },
        })).json();
        const keys = {};
        for (const userid of ["alice", "bob"]) {
            keys[userid] = (await ask("", "/keys", { userid, password: "secret" })).key;
        }
        const hex = await hash(value);
        const told = [await ask(keys.alice, "/say",
            { verb: "challenge", game: "moloko", words: ["bob"], seed: "sha256:" + hex })];
        const wanted = [];
        let board;
        for (let ply = 0; ply < plies; ply++) {
            board = await ask(keys.alice, "/boards/moloko/1");
            board = await ask(keys[board.turn], "/boards/moloko/1");
            wanted.push(board.dice_wanted ?? "");
            const seed = { word, value, link: await hash(board.turn) }[board.dice_wanted];
            const say = board.dice_wanted === "link" ? "roll" : board.legal[0];
            told.push(await ask(keys[board.turn], "/boards/moloko/1",
                { say, move: board.move, ...(seed && { seed }) }));
        }
        const end = await ask(keys.alice, "/boards/moloko/1");
        return { told, wanted, level: end.dice_level, same: end.dice_commitment === hex };
    })()"#;

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn programs_commit_answer_and_reveal_in_fields() {
    programs("['of-alice', 'of-bob']", &["", "word", "value", "", ""], 1);
    // Each player has a chain of two values.
    let chains = "[await hash(await hash('alice')), await hash(await hash('bob'))]";
    programs(chains, &["", "word", "value", "link", "", "link"], 2);
}

/// Plays by the API with alice's value and bob's word, and checks which kind of seed the board
/// requests before each move, and the level of the newest roll.
fn programs(values: &str, wanted: &[&str], level: u8) {
    let town = ServedHome::new();
    let browser = Browser::open(Window::DESK);
    browser.go(&town.address);
    let script = format!("return (async () => {{ {HASH} const [value, word] = {values};")
        + &format!("const plies = {};", wanted.len())
        + PROGRAMS;
    let told = browser.run(&script);
    assert_eq!(told["wanted"], serde_json::json!(wanted), "{told}");
    assert_eq!((&told["level"], &told["same"]), (&level.into(), &true.into()), "{told}");
}
