//! Mails about several boards, and how they are answered.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]

use crate::support::home::Town;
use crate::support::letters::{header, read, sent_text, texts};
use crate::support::script::as_typed;
use postboard::base::ids::{BoardId, UserId};
use postboard::base::network::Network;
use postboard::base::time::{DAY, HOUR, MINUTE, Time, TimeSlot, days, hours, minutes};
use postboard::command::{Browser, Origin, Trust};
use postboard::reply::print_letter;
use postboard::server::requests::Request;
use postboard::server::{Server, VisitOutcome};
use postboard::store::{Indexes as _, Letter, Store as _};
use std::fmt::Write as _;
use std::net::IpAddr;

const ALICE: &str = "alice@example.org";

impl Town {
    /// Returns a legal move of the player whose turn it is, as they write it.
    fn legal(&self, number: u32) -> String {
        let board = self.board(board(number));
        as_typed(&board, board.position().moves().remove(0))
    }

    /// Begins a board that waits for alice, and returns the letters of bob's first move.
    fn begin(&mut self, number: u32) -> Vec<Letter> {
        self.say("alice", "reversi challenge alice bob");
        self.play(number);
        self.answer(number)
    }

    /// Lets alice move.
    fn play(&mut self, number: u32) -> Vec<Letter> {
        let line = format!("reversi move {number} alice secret {}", self.legal(number));
        self.say("alice", &line)
    }

    /// Lets bob move.
    fn answer(&mut self, number: u32) -> Vec<Letter> {
        let line = format!("reversi move {number} bob secret {}", self.legal(number));
        self.mail("bob", &line, "")
    }

    fn entries(&self, number: u32) -> usize {
        self.board(board(number)).record.len()
    }
}

fn board(number: u32) -> BoardId {
    BoardId { game: "reversi", number }
}

/// Returns noon of the next day.
fn next_noon(now: Time) -> Time {
    now.day().start() + hours(36)
}

/// A town in which alice wants a mail a day, and bob has moved on some boards since noon.
fn town(plus: bool, boards: u32) -> Town {
    let mut town = Town::new("games.example", plus).without_limits();
    town.say("alice", "set alice secret mails daily");
    town.now = next_noon(town.now);
    for number in 1..=boards {
        let letters = town.begin(number);
        assert_eq!(texts(&letters, ALICE), [""; 0], "board {number} waits for the digest");
        town.now += MINUTE;
    }
    town
}

/// Returns the digest of alice at 18:00.
fn digest(town: &mut Town) -> Letter {
    assert_eq!(town.tick(), [], "it is not 18:00 yet");
    town.now = town.now.day().start() + hours(18);
    only(town.tick())
}

/// Returns the only letter, which goes to alice.
fn only(letters: Vec<Letter>) -> Letter {
    let shown: Vec<_> = letters.iter().map(read).collect();
    assert!(letters.len() == 1 && letters[0].to.as_str() == ALICE, "{shown:?}");
    letters.into_iter().next().unwrap()
}

/// Replies to a letter, and returns the letters.
fn reply(town: &mut Town, letter: &Letter, text: &str) -> Vec<Letter> {
    let to = header(letter, "Reply-To").unwrap_or_else(|| town.address());
    let subject = format!("Re: {}", read(letter).0);
    town.send(letter.to.as_str(), &to, &subject, "", text)
}

/// Returns the lines with a move on each board of alice.
fn lines(town: &Town, boards: &[u32]) -> String {
    let mut text = String::new();
    for (place, number) in (1..).zip(boards) {
        writeln!(text, "{place} {}", town.legal(*number)).unwrap();
    }
    text
}

#[test]
fn all_boards_of_a_digest_are_answered_in_one_reply() {
    for plus in [true, false] {
        let mut town = town(plus, 3);
        let letter = digest(&mut town);
        let (subject, text) = read(&letter);
        assert!(subject.starts_with("News of 3 boards, 3 wait for you"), "{subject}");
        assert!(text.contains("1 <move>"), "{text}");
        let before = [1, 2, 3].map(|number| town.entries(number));
        let text = format!("{}Good luck!", lines(&town, &[1, 2, 3]));
        let letters = reply(&mut town, &letter, &text);
        assert_eq!([1, 2, 3].map(|number| town.entries(number)), before.map(|count| count + 1));
        // One answer, with the numbers of the digest, and the message for the last opponent alone.
        let answers = texts(&letters, ALICE);
        assert_eq!(answers.len(), 1, "{answers:#?}");
        assert!(
            ["1.", "2.", "3."].iter().all(|number| answers[0].contains(number)),
            "{answers:#?}"
        );
        let to_bob = texts(&letters, "bob@example.org");
        let greeted = to_bob.iter().filter(|text| text.contains("Good luck!")).count();
        assert_eq!((to_bob.len(), greeted), (3, 1));
        assert_eq!(town.user("alice").held, []);
    }
}

#[test]
fn a_line_may_name_the_board_by_its_game_and_number() {
    let mut town = town(true, 2);
    let letter = digest(&mut town);
    let legal = town.legal(2);
    let before = [1, 2].map(|number| town.entries(number));
    let letters = reply(&mut town, &letter, &format!("Reversi board 2: {legal}\n"));
    assert_eq!(texts(&letters, ALICE).len(), 1);
    assert_eq!([1, 2].map(|number| town.entries(number)), [before[0], before[1] + 1]);
}

#[test]
fn the_good_lines_of_a_reply_are_carried_out_and_the_others_refused() {
    let mut town = town(true, 2);
    let letter = digest(&mut town);
    let (legal, before) = (town.legal(1), [1, 2].map(|number| town.entries(number)));
    let text = format!("hello\n1 {legal}\n2 nonsense\n3 {legal}\nreversi 7 {legal}\n");
    let letters = reply(&mut town, &letter, &text);
    assert_eq!([1, 2].map(|number| town.entries(number)), [before[0] + 1, before[1]]);
    let answers = texts(&letters, ALICE);
    assert_eq!(answers.len(), 1);
    for refused in [
        "which board of the mail `hello` is",
        "could not read `nonsense` as a move",
        &format!("which board of the mail `3 {legal}` is"),
        &format!("which board of the mail `reversi 7 {legal}` is"),
    ] {
        assert!(answers[0].replace('\n', " ").contains(refused), "{refused}: {}", answers[0]);
    }
    // The answer has the same numbers, so the refused line is corrected by a reply to it.
    let answer = letters.iter().find(|letter| letter.to.as_str() == ALICE).unwrap().clone();
    let legal = town.legal(2);
    reply(&mut town, &answer, &format!("2 {legal}\n"));
    assert_eq!(town.entries(2), before[1] + 1);
}

#[test]
fn a_reply_that_comes_twice_moves_once() {
    let mut town = town(true, 2);
    let letter = digest(&mut town);
    let to = header(&letter, "Reply-To").unwrap();
    let text = lines(&town, &[1, 2]);
    let mail = town.written(ALICE, &to, "Re: News", "", &text);
    town.execute(std::slice::from_ref(&mail));
    let before = [1, 2].map(|number| town.entries(number));
    assert_eq!(town.execute(&[mail]), []);
    assert_eq!([1, 2].map(|number| town.entries(number)), before);
    // Bob moves, and it would be legal to move again; the digest showed another position.
    for number in [1, 2] {
        town.answer(number);
    }
    let before = before.map(|count| count + 1);
    let text = lines(&town, &[1, 2]);
    reply(&mut town, &letter, &text);
    assert_eq!([1, 2].map(|number| town.entries(number)), before);
}

#[test]
fn a_reply_acts_on_the_boards_of_its_reader_alone() {
    let mut town = town(true, 2);
    let letter = digest(&mut town);
    town.say("carol", "reversi challenge carol bob");
    let before = [1, 2, 3].map(|number| town.entries(number));
    let legal = [1, 2, 3].map(|number| town.legal(number));
    let own = header(&letter, "Reply-To").unwrap();
    let forged = [own.replace("-alice-", "-bob-"), own.replace("+d1-", "+d2-")];
    for to in &forged {
        town.send(
            "eve@example.org",
            to,
            "Re: News",
            "",
            &format!("1 {}\n2 {}\n", legal[0], legal[1]),
        );
    }
    reply(&mut town, &letter, &format!("reversi 3 {}\n3 {}\n", legal[2], legal[2]));
    assert_eq!([1, 2, 3].map(|number| town.entries(number)), before);
}

#[test]
fn void_reply_addresses_do_not_work_in_a_digest() {
    let mut town = town(true, 2);
    let letter = digest(&mut town);
    let before = [1, 2].map(|number| town.entries(number));
    town.say("alice", "reversi newtoken 1 alice secret");
    let text = lines(&town, &[1, 2]);
    let letters = reply(&mut town, &letter, &text);
    assert_eq!([1, 2].map(|number| town.entries(number)), [before[0], before[1] + 1]);
    let answer = texts(&letters, ALICE).concat().replace('\n', " ");
    assert!(answer.contains("does not belong to a player"), "{answer}");
    town.answer(2);
    town.say("alice", "change password alice secret sesame");
    let letter = digest_of_next_day(&mut town);
    town.say("alice", "change password alice sesame secret");
    let before = town.entries(2);
    let legal = town.legal(2);
    reply(&mut town, &letter, &format!("{legal}\n"));
    assert_eq!(town.entries(2), before);
}

fn digest_of_next_day(town: &mut Town) -> Letter {
    town.now = next_noon(town.now);
    digest(town)
}

#[test]
fn the_latest_three_digests_can_be_answered() {
    let mut town = town(true, 2);
    let old = digest(&mut town);
    let mut latest = old.clone();
    for _ in 0..3 {
        let text = lines(&town, &[1, 2]);
        reply(&mut town, &latest, &text);
        for number in [1, 2] {
            town.answer(number);
        }
        latest = digest_of_next_day(&mut town);
    }
    assert_eq!(town.user("alice").digests.len(), 3);
    let text = lines(&town, &[1, 2]);
    let letters = reply(&mut town, &old, &text);
    let answer = texts(&letters, ALICE).concat().replace('\n', " ");
    assert!(answer.contains("too old to be answered line by line"), "{answer}");
    let before = town.entries(1);
    reply(&mut town, &latest, &text);
    assert_eq!(town.entries(1), before + 1);
}

#[test]
fn the_buttons_of_a_digest_write_to_the_address_of_their_board() {
    let mut town = town(true, 2);
    let page = sent_text(&digest(&mut town)).replace("=\r\n", "").replace("=3D", "=");
    for number in [1, 2] {
        let next = town.board(board(number)).next_move();
        let links = ["+", "%2B"].map(|plus| format!("mailto:post{plus}breversi{number}m{next}-"));
        assert!(links.iter().any(|link| page.contains(link)), "{links:?}: {page}");
    }
}

#[test]
fn a_reply_to_a_digest_may_be_about_the_account() {
    let mut town = town(true, 2);
    let letter = digest(&mut town);
    let letters = reply(&mut town, &letter, "set mails each\n");
    let said = texts(&letters, ALICE).concat();
    assert!(said.contains("you get a mail about each move"), "{said}");
    assert!(!town.user("alice").preferences.wants_digest());
    // Nothing else is trusted, and a password is not asked for in vain.
    let before = town.user("alice");
    for line in ["change password secret sesame", "signoff", "reversi resign 1", "change address"] {
        let letters = reply(&mut town, &letter, line);
        assert_eq!(texts(&letters, ALICE).len(), 1, "{line}");
        let now = town.user("alice");
        assert_eq!((now.password, now.codes), (before.password.clone(), before.codes.clone()));
    }
    assert!(!town.board(board(1)).is_over());
    let letters = reply(&mut town, &letter, "next\n");
    assert!(texts(&letters, ALICE).concat().contains("Reversi board"), "{letters:?}");
}

#[test]
fn boards_with_the_nearest_deadlines_come_first() {
    let mut town = town(true, 1);
    digest(&mut town);
    town.now += 3 * DAY;
    town.begin(2);
    town.play(1);
    town.now += HOUR;
    town.answer(1);
    let text = read(&digest_of_next_day(&mut town)).1;
    let places = [1, 2].map(|number| text.find(&format!("Reversi board {number}")).unwrap());
    assert!(places[1] < places[0], "board 2 waits longer than board 1: {text}");
}

#[test]
fn a_digest_has_the_messages_and_leaves_out_boards_without_news() {
    let mut town = town(true, 3);
    let to = town.address();
    town.send("bob@example.org", &to, "reversi chat 1 bob secret", "", "Well played!");
    // She has seen board 2 and moved there.
    town.play(2);
    let text = read(&digest(&mut town)).1;
    assert!(text.contains("> Well played!"), "{text}");
    assert!(text.contains("Reversi board 3") && !text.contains("Reversi board 2"), "{text}");
}

#[test]
fn a_single_board_with_news_comes_as_its_own_mail() {
    let mut town = town(true, 1);
    let letter = digest(&mut town);
    assert!(header(&letter, "Reply-To").unwrap().starts_with("post+breversi1m"));
    let (legal, before) = (town.legal(1), town.entries(1));
    reply(&mut town, &letter, &format!("{legal}\n"));
    assert_eq!(town.entries(1), before + 1);
}

#[test]
fn the_hour_is_that_of_the_users_own_day() {
    let mut town = Town::new("games.example", true).without_limits();
    town.say("alice", "set alice secret mails daily");
    town.say("alice", "set alice secret digesthour 7");
    town.say("alice", "timezone alice secret New York");
    town.now = next_noon(town.now);
    let today = town.now.day().start();
    town.begin(1);
    // In November New York is 5 hours behind UTC: 7:00 there is 12:00 UTC.
    assert_eq!(town.user("alice").held[0].due, today + DAY + hours(12));
    town.now = today + DAY + hours(11);
    assert_eq!(town.tick(), []);
    town.now += HOUR;
    only(town.tick());
    // In summer it is 11:00 UTC.
    let june = Time::from_unix(1_118_275_200);
    assert_eq!(june.minute(), "2005-06-09 00:00");
    assert_eq!(town.user("alice").next_digest(june), june + hours(11));
}

#[test]
fn the_news_of_a_run_are_one_mail_if_wished() {
    let mut town = Town::new("games.example", true).without_limits();
    for number in 1..=3 {
        let letters = town.begin(number);
        assert_eq!(texts(&letters, ALICE).len(), 1, "each move is a mail");
    }
    town.say("alice", "set alice secret mails together");
    let text = lines(&town, &[1, 2, 3]);
    for (number, line) in (1..).zip(text.lines()) {
        let legal = line.split_once(' ').unwrap().1;
        town.say("alice", &format!("reversi move {number} alice secret {legal}"));
    }
    let commands: Vec<String> = (1..=3)
        .map(|number| format!("reversi move {number} bob secret {}", town.legal(number)))
        .collect();
    let letters = town.mail("bob", "multiple", &commands.join("\n"));
    assert_eq!(texts(&letters, ALICE), [""; 0]);
    let letter = only(town.tick());
    assert!(read(&letter).0.starts_with("News of 3 boards, 3 wait for you"));
    assert_eq!(town.tick(), [], "they are told once");
    let before = town.entries(3);
    let legal = town.legal(3);
    reply(&mut town, &letter, &format!("3 {legal}\n"));
    assert_eq!(town.entries(3), before + 1);
}

#[test]
fn mails_come_only_when_it_is_my_turn_if_wished() {
    let mut town = Town::new("games.example", true).without_limits();
    town.begin(1);
    town.say("alice", "set alice secret mails turn");
    assert_eq!(texts(&town.play(1), ALICE), [""; 0], "it is bob's turn");
    assert_eq!(texts(&town.answer(1), ALICE).len(), 1, "it is alice's turn");
    town.play(1);
    let to = town.address();
    let chat = town.send("bob@example.org", &to, "reversi chat 1 bob secret", "", "Hm.");
    assert_eq!(texts(&chat, ALICE).len(), 1, "a message is told");
    let refused = town.say("alice", "reversi move 1 alice secret a1");
    assert_eq!(texts(&refused, ALICE).len(), 1, "a refusal is told");
    let over = town.say("bob", "reversi resign 1 bob secret");
    assert_eq!(texts(&over, ALICE).len(), 1, "the end is told");
}

#[test]
fn the_reminders_of_a_run_are_one_mail_if_wished() {
    let mut town = Town::new("games.example", true).without_limits();
    for number in 1..=3 {
        town.begin(number);
    }
    town.say("alice", "set alice secret mails together");
    town.now += 8 * DAY;
    let letter = only(town.tick());
    let (subject, text) = read(&letter);
    assert_eq!(subject, "Reminder: 3 boards wait for you");
    assert_eq!(text.matches("you lose").count(), 3, "{text}");
    assert!(header(&letter, "List-Unsubscribe").unwrap().contains("or-alice-"));
    assert_eq!(town.tick(), [], "they come once");
    let before = town.entries(2);
    let legal = town.legal(2);
    reply(&mut town, &letter, &format!("2 {legal}\n"));
    assert_eq!(town.entries(2), before + 1);
}

#[test]
fn reminders_do_not_wait_for_the_digest() {
    let mut town = town(true, 2);
    digest(&mut town);
    town.now += 8 * DAY;
    let (subject, _) = read(&only(town.tick()));
    assert_eq!(subject, "Reminder: 2 boards wait for you");
    assert_eq!(town.user("alice").held, []);
}

#[test]
fn held_news_are_told_after_the_digest_was_turned_off() {
    let mut town = town(true, 2);
    town.say("alice", "set alice secret mails each");
    digest(&mut town);
}

#[test]
fn every_mail_about_boards_has_a_switch_that_works_at_once() {
    let mut town = town(true, 2);
    let letter = digest(&mut town);
    let switch = header(&letter, "List-Unsubscribe").unwrap();
    let to = switch.trim_matches(['<', '>']).strip_prefix("mailto:").unwrap();
    let to = to.split('?').next().unwrap().replace("%2B", "+");
    town.send(ALICE, &to, "unsubscribe", "", "");
    for number in [1, 2] {
        assert_eq!(texts(&town.play(number), ALICE).len(), 1, "answers still come");
        assert_eq!(texts(&town.answer(number), ALICE), [""; 0]);
    }
    assert_eq!(town.user("alice").held, []);
    town.now += DAY;
    assert_eq!(town.tick(), []);
    let letters = reply(&mut town, &letter, "set mails each\n");
    assert_eq!(texts(&letters, ALICE).len(), 1);
    town.play(1);
    let letters = town.answer(1);
    let news = letters.iter().find(|letter| letter.to.as_str() == ALICE).unwrap();
    assert!(header(news, "List-Unsubscribe").unwrap().contains("on-alice-"));
    reply(&mut town, news, "set mails off\n");
    town.play(2);
    assert_eq!(texts(&town.answer(2), ALICE), [""; 0]);
}

#[test]
fn mails_about_tournaments_and_ladders_have_a_switch_and_are_answered() {
    let mut town = Town::new("games.example", true).without_limits();
    for user in ["bob", "alice"] {
        town.say(user, &format!("reversi ladder join {user} secret"));
    }
    let create = "reversi tournament create bob secret --format=single --players=2 --least=2";
    town.say("bob", create);
    town.say("bob", "reversi tournament join 1 bob secret");
    let begun = town.say("alice", "reversi tournament join 1 alice secret");
    let to_alice = |letters: &[Letter], words: &str| {
        let is_it =
            |letter: &&Letter| letter.to.as_str() == ALICE && read(letter).1.contains(words);
        letters.iter().find(is_it).cloned()
    };
    let round = to_alice(&begun, "has begun").unwrap();
    let switch = header(&round, "List-Unsubscribe").unwrap();
    assert!(switch.contains("oe-alice-"), "{switch}");

    // The mail about an idle player is answered without userid and password.
    town.say("bob", "reversi resign 1 bob secret");
    town.now += 31 * DAY;
    let idle = to_alice(&town.tick(), "no game on the Reversi ladder").unwrap();
    assert_eq!(header(&idle, "List-Unsubscribe").unwrap(), switch);
    let to = header(&idle, "Reply-To").unwrap();
    assert!(to.starts_with("post+lreversi-alice-"), "{to}");
    let shown = reply(&mut town, &idle, "show\n");
    let answer = to_alice(&shown, "alice can challenge bob").unwrap();
    // The address is for one ladder and one reader.
    for forged in [to.replace("lreversi", "lmalaka"), to.replace("-alice-", "-bob-")] {
        for line in ["leave", "join", "challenge bob"] {
            town.send(ALICE, &forged, "Re: Reversi ladder", "", line);
        }
    }
    assert!(town.user("alice").ladders.contains_key("reversi"));
    assert!(!town.user("alice").ladders.contains_key("malaka"));
    let begun = reply(&mut town, &answer, "challenge bob\n");
    to_alice(&begun, "You have challenged bob on the Reversi ladder").unwrap();
    reply(&mut town, &answer, "leave\n");
    assert!(!town.user("alice").ladders.contains_key("reversi"));

    // The switch turns off what nobody has asked for, and nothing else.
    town.say("bob", &create.replace("--format", "--start=2005-01-01 --format"));
    town.say("alice", "reversi tournament join 2 alice secret");
    let unsubscribe = switch.trim_matches(['<', '>']).strip_prefix("mailto:").unwrap();
    let unsubscribe = unsubscribe.split('?').next().unwrap().replace("%2B", "+");
    let told = town.send(ALICE, &unsubscribe, "unsubscribe", "", "");
    to_alice(&told, "no mails about your tournaments and ladders").unwrap();
    let begun = town.say("bob", "reversi tournament join 2 bob secret");
    assert_eq!(to_alice(&begun, "Round 1 of Reversi tournament 2"), None);
    let is_told = |letter: &Letter| read(letter).1.contains("Round 1 of Reversi tournament 2");
    assert!(begun.iter().any(is_told), "bob is told");
    let shown = town.say("alice", "reversi tournament show 2");
    to_alice(&shown, "Reversi tournament 2").unwrap();
}

/// Returns the calendars that are attached to a letter.
fn calendars(letter: &Letter) -> Vec<String> {
    let raw = print_letter(letter).unwrap();
    let mail = mailparse::parse_mail(&raw).unwrap();
    let found = mail.parts().filter(|part| part.ctype.mimetype == "text/calendar");
    let text = |part: &mailparse::ParsedMail| {
        let disposition = part.get_content_disposition();
        assert_eq!(disposition.params["filename"], "deadlines.ics");
        part.get_body().unwrap()
    };
    found.map(text).collect()
}

#[test]
fn deadlines_come_as_a_file_for_a_calendar_if_wished() {
    let mut town = Town::new("games.example", true).without_limits();
    let to_alice = |letters: Vec<Letter>| {
        letters.into_iter().find(|letter| letter.to.as_str() == ALICE).unwrap()
    };
    assert_eq!(calendars(&to_alice(town.begin(1))), [""; 0], "she has not asked for it");
    town.say("alice", "set alice secret calendar on");
    let letter = to_alice(town.begin(2));
    let calendar = calendars(&letter).remove(0);
    let lines: Vec<&str> = calendar.lines().collect();
    assert_eq!(lines.first(), Some(&"BEGIN:VCALENDAR"));
    assert!(lines.contains(&"UID:reversi-2-3@postboard"), "{calendar}");
    assert!(lines.contains(&"SUMMARY:Reversi 2 against bob: move"), "{calendar}");
    let forfeit = town.board(board(2)).record.last().unwrap().at + days(21);
    let end = format!("DTEND:{}", forfeit.stamp().replace(['-', ':'], ""));
    assert!(lines.contains(&&*end), "{end}: {calendar}");
    // The text is as it was, and a board that waits for bob has no deadline.
    assert!(read(&letter).1.contains("Your legal plays:"));
    assert_eq!(calendars(&to_alice(town.play(2))), [""; 0]);
    // A digest has the deadlines of all its boards.
    town.say("alice", "set alice secret mails daily");
    town.now = next_noon(town.now);
    town.answer(2);
    town.begin(3);
    let calendar = calendars(&digest(&mut town)).remove(0);
    assert_eq!(calendar.matches("BEGIN:VEVENT").count(), 2, "{calendar}");
    assert!(calendar.contains("UID:reversi-2-") && calendar.contains("UID:reversi-3-"));
}

#[test]
fn a_user_who_leaves_gets_no_digest_and_the_index_forgets_them() {
    let mut town = town(true, 2);
    let due = town.user("alice").held[0].due;
    assert_eq!(town.store.due_slots().unwrap(), [TimeSlot::of(due)]);
    let letters = town.say("alice", "signoff alice secret");
    let text = texts(&letters, ALICE).concat();
    let code = text.split_whitespace().find(|word| word.starts_with("alice-")).unwrap().to_owned();
    town.say("alice", &format!("signoff alice secret {}", code.trim_end_matches(['.', '`'])));
    assert!(town.user("alice").left.is_some(), "{text}");
    town.now = due;
    assert_eq!(town.tick(), []);
    town.now += HOUR;
    town.tick();
    assert_eq!(town.store.due_slots().unwrap(), Vec::<TimeSlot>::new());
}

#[test]
fn a_week_of_ten_boards_is_played_by_answering_digests_alone() {
    let mut town = town(true, 10);
    let mut before: Vec<usize> = (1..=10).map(|number| town.entries(number)).collect();
    for day in 1..=7 {
        let letter = if day == 1 { digest(&mut town) } else { digest_of_next_day(&mut town) };
        let text = read(&letter).1;
        // The boards in the order of the mail.
        let mut places: Vec<(usize, u32)> = (1..=10)
            .map(|number| {
                let head = format!("Reversi board {number},");
                let at = text.find(&head).unwrap_or_else(|| panic!("{head} {text}"));
                (at, number)
            })
            .collect();
        places.sort_unstable();
        let boards: Vec<u32> = places.into_iter().map(|(_, number)| number).collect();
        let answer = lines(&town, &boards);
        town.now += minutes(30);
        let letters = reply(&mut town, &letter, &answer);
        assert_eq!(texts(&letters, ALICE).len(), 1, "one answer on day {day}");
        for number in 1..=10 {
            let index = number as usize - 1;
            assert_eq!(town.entries(number), before[index] + 1, "board {number} on day {day}");
            assert_eq!(texts(&town.answer(number), ALICE), [""; 0], "no mail before the digest");
            before[index] += 2;
            town.now += MINUTE;
        }
    }
    assert!(
        town.user("alice").digests.len() <= 3
            && town.now < Time::from_unix(1_100_000_000) + days(9)
    );
}

#[test]
fn the_answer_to_a_move_shows_the_next_board_if_wished() {
    let mut town = Town::new("games.example", true).without_limits();
    for number in 1..=3 {
        town.begin(number);
        town.now += MINUTE;
    }
    town.say("alice", "set alice secret next on");
    town.say("alice", "set alice secret mails turn");
    let letters = town.play(2);
    let letter = letters.iter().find(|letter| letter.to.as_str() == ALICE).unwrap().clone();
    let text = read(&letter).1;
    assert!(text.contains("Your next board.") && text.contains("You played"), "{text}");
    // A reply is about board 1; board 2 has its own address.
    assert!(header(&letter, "Reply-To").unwrap().starts_with("post+breversi1m"));
    assert!(text.contains("To answer, write to post+breversi2m"), "{text}");
    let (legal, before) = (town.legal(1), town.entries(1));
    let letters = reply(&mut town, &letter, &format!("{legal}\n"));
    assert_eq!(town.entries(1), before + 1);
    let letter = letters.iter().find(|letter| letter.to.as_str() == ALICE).unwrap().clone();
    assert!(header(&letter, "Reply-To").unwrap().starts_with("post+breversi3m"));
    let legal = town.legal(3);
    let last = reply(&mut town, &letter, &format!("{legal}\n"));
    assert_eq!(texts(&last, ALICE), [""; 0], "no board waits, so nothing is told");
}

#[test]
fn news_wait_while_a_user_plays_on_the_web_and_are_told_afterwards() {
    let mut town = Town::new("games.example", true).without_limits();
    for number in 1..=3 {
        town.begin(number);
    }
    town.say("alice", "set alice secret quiet on");
    let start = town.now;
    // Each step is a process of its own, so what waits survives its end.
    town.visit(1);
    assert_eq!(town.user("alice").seen, Some(start));
    for number in [2, 3] {
        town.now += MINUTE;
        town.visit(number);
    }
    town.now = start + minutes(5);
    for number in 1..=3 {
        assert_eq!(texts(&town.answer(number), ALICE), [""; 0], "she is told later");
    }
    // She goes on for a while, so the news are looked at again and wait longer.
    town.now = start + minutes(16);
    town.visit(1);
    town.now = start + minutes(17);
    assert_eq!(town.tick(), []);
    assert_eq!(town.user("alice").held.len(), 3);
    town.now = start + minutes(31);
    let letter = only(town.tick());
    let (subject, text) = read(&letter);
    assert!(subject.starts_with("News of 2 boards, 2 wait for you"), "{subject}");
    assert!(!text.contains("Reversi board 1"), "she has moved there on the web: {text}");
    assert_eq!((town.user("alice").held, town.tick()), (Vec::new(), Vec::new()));
    // A user who does not play there gets each mail at once.
    town.play(2);
    assert_eq!(texts(&town.answer(2), ALICE).len(), 1);
}

impl Town {
    /// Lets alice move in a browser.
    fn visit(&mut self, number: u32) {
        let legal = self.legal(number);
        let alice = UserId::parse("alice").unwrap();
        let line = format!("reversi move {number} {legal}");
        let request = Request::read(line, Trust::Session(alice.clone()), String::new());
        let network = Network::from(IpAddr::from([192, 0, 2, 1]));
        let browser = Browser { user: Some(alice), known: None, network, site: None };
        let home = &mut **self;
        let mut server = Server::new(&home.setup, &mut home.chance);
        let visit = server
            .execute_web_request(&request, &Origin::Web(browser), None, &home.store, home.now)
            .unwrap();
        assert_eq!(visit.outcome, VisitOutcome::Done, "{:?}", visit.refusal);
        home.store.commit(server.take_transaction()).unwrap();
        home.log.append(&mut server.log);
    }
}
