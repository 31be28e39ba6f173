//! Phrases that people write in replies instead of a verb: `I'd like to resign, please.`

/// The meaning of a line that consists of one phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phrase {
    /// A verb or a word of the game, with its argument or an empty string: `accept`, `draw`.
    Verb(&'static str, &'static str),
    /// An answer to a question of the mail.
    Answer {
        /// Whether it is yes.
        is_yes: bool,
        /// Whether it is a clear yes or no, unlike `ok`.
        is_plain: bool,
    },
}

/// The separator of the phrases in a list.
const SEPARATOR: &str = "; ";

/// Verbs, their arguments, and their phrases without the words that [`strip_fillers`] removes.
const VERBS: &[(&str, &str, &str)] = &[
    ("help", "", "help; help me; need help; ?; hilfe; aide"),
    ("rules", "", "rules; the rules; help rules; show rules; what are the rules; see the rules"),
    (
        "show",
        "",
        "show; board; position; show board; show the board; show me; show me the board; see the \
         board; status",
    ),
    ("roll", "", "roll; roll the dice; roll dice; roll them; throw; throw the dice"),
    ("double", "", "double; double you; offer a double; offer the double; turn the cube"),
    ("redouble", "", "redouble; redouble you"),
    ("take", "", "take; take it; take the cube; take the double"),
    ("drop", "", "drop; drop it; drop the cube; drop the double; fold"),
    ("beaver", "", "beaver"),
    ("pass", "", "pass; pass my turn; skip; skip my turn"),
    ("swap", "", "swap; swap sides; swap the sides"),
    ("confirm", "", "confirm; confirm it; confirm my move; confirmed"),
    ("accept", "", "accept; accept it; accept that; accept your offer; accept the offer"),
    ("agree", "", "agree; agree to it; agree to that"),
    ("accept", "draw", "accept draw; accept the draw; accept a draw; accept your draw"),
    ("accept", "draw", "agree to a draw; agree to the draw"),
    ("accept", "undo", "accept undo; accept the undo; accept your undo"),
    (
        "accept",
        "game",
        "accept the double; accept double; accept your double; accept the cube; accept the \
         resignation; accept resignation; accept your resignation",
    ),
    (
        "reject",
        "",
        "reject; reject it; reject that; reject your offer; reject the offer; decline your offer; \
         decline the offer; refuse; refuse it",
    ),
    ("reject", "draw", "reject draw; reject the draw; decline the draw; refuse the draw"),
    ("reject", "undo", "reject undo; reject the undo; decline the undo; refuse the undo"),
    (
        "reject",
        "game",
        "reject the double; decline the double; refuse the double; reject the resignation; decline \
         the resignation; refuse the resignation",
    ),
    (
        "resign",
        "",
        "resign; resign the game; resign this game; give up; give up this game; give up the game; \
         give in; surrender; concede; concede the game",
    ),
    (
        DECLINE,
        "",
        "decline; decline it; decline the game; decline this game; decline your challenge; decline \
         the challenge; decline your invitation; decline the invitation; reject the challenge; \
         reject your challenge; refuse the challenge; refuse your challenge; refuse to play; do \
         not want to play; do not want to play this; do not want to play this game; do not want to \
         play with you; do not want this game; do not wish to play; don't want to play; don't want \
         to play this; don't want to play this game; don't want to play with you; don't want this \
         game; don't wish to play; dont want to play; would rather not play; rather not play; \
         rather not; not interested; i'm not interested; am not interested; im not interested",
    ),
    (
        "rematch",
        "",
        "rematch; a rematch; have a rematch; play a rematch; how about a rematch; again; play \
         again; play it again; once again; once more; one more; one more game; one more time; \
         another game; another one; play another game; play another one; have another game; how \
         about another game; new game; a new game; play a new game; start a new game; next game; \
         revenge; revanche",
    ),
    (
        "unsubscribe",
        "",
        "unsubscribe; unsubscribe me; unsubscribe from this list; stop; stop it; stop this; stop \
         mailing me; stop writing to me; stop the mails; stop the emails; stop these mails; stop \
         these emails; stop all mails; stop sending me mails; stop sending me emails; no more \
         mails; no more mail; no more emails; no more reminders; stop the reminders; opt out; \
         remove me; remove me from this list",
    ),
    (
        QUIT,
        "",
        "quit; leave; exit; log out; logout; cancel; abort; end; end the game; end this game; quit \
         the game; quit this game; leave the game; leave this game; stop the game; stop this game; \
         stop playing; cancel the game; cancel this game",
    ),
    (
        "settings",
        "",
        "settings; my settings; the settings; show settings; show my settings; show me my \
         settings; see my settings; preferences; my preferences; options; what are my settings",
    ),
    (
        "standings",
        "",
        "standings; the standings; show standings; show the standings; show me the standings; \
         ratings; the ratings; ranking; rankings; the ranking; who is leading",
    ),
    (
        "next",
        "",
        "next; next board; next one; next please; the next board; show next; show the next board; \
         show me the next board; what is next; what's next",
    ),
    (
        "players",
        "",
        "players; the players; list players; show players; show the players; who; who plays; who \
         is; who is playing; who else plays",
    ),
    ("resign", "match", "resign match; resign the match; give up the match"),
    ("resign", "single", "resign single; resign a single; resign a single game"),
    ("resign", "gammon", "resign gammon; resign a gammon; resign the gammon"),
    ("resign", "backgammon", "resign backgammon; resign a backgammon"),
    ("resign", "oin", "resign oin; resign an oin"),
    ("resign", "mars", "resign mars; resign a mars"),
    (
        "undo",
        "",
        "undo; undo that; undo it; undo my move; undo my last move; undo the move; undo the last \
         move; take back; take it back; take that back; take back my move; take my move back; take \
         back my last move; take my last move back; take back that move; take that move back",
    ),
    (
        "propose",
        "",
        "propose; draw; a draw; offer draw; offer a draw; offer you a draw; propose draw; propose \
         a draw; have a draw; agree on a draw; call it a draw; how about a draw; remis",
    ),
];

/// The verb of a player who does not want to play. With an open offer it refuses the offer.
pub(crate) const DECLINE: &str = "decline";

/// The pseudo-verb of a player who wants to give up a game, or to leave the server.
pub(crate) const QUIT: &str = "quit";

/// Verbs whose phrases may end with a question mark.
const ASKED: &str = "help; rules; show; propose; undo; rematch; settings; standings; next; players";

/// Clear answers: no, then yes.
const PLAIN: [&str; 2] = [
    "no; no thanks; no thank you",
    "yes; yes please; yes thanks; yes thank you; yes accept; yes accept it",
];

/// Weak answers, which count only on the first line of a reply: no, then yes.
const LOOSE: [&str; 2] = [
    "n; nope; no way; never; not now; no reject; nah",
    "y; yep; yeah; yup; aye; ok; okay; sure; agreed; accepted; fine; gladly; of course; why not; \
     deal; ok accept; ok ok",
];

/// Words before a verb without a meaning of their own.
const BEFORE: &str = "\
    i would like to; i'd like to; i want to; i wish to; i have to; i'm going to; i will have to; i \
    think i will; i think i'll; i will; i'll; i shall; i must; i hereby; i'd; i; id like to; ill; \
    let me; let us; let's; may i; can i; could i; can we; could we; shall we; we; please; gladly; \
    hereby; ok; okay; well; so; then; oh; hm; hmm; alright";

/// Words after a verb without a meaning of their own.
const BEHIND: &str = "please; pls; plz; thanks; thank you; sorry; now; then; here; of course";

/// Returns the meaning of a line that consists of one phrase. The opponent's name may follow it:
/// `Double, bob!`.
pub(crate) fn phrase(line: &str, opponent: &str) -> Option<Phrase> {
    let asks = line.contains('?');
    let words = plain_words(line);
    let whole = if line.trim() == "?" { "?".to_owned() } else { words.join(" ") };
    let whole = whole.strip_prefix("sorry ").unwrap_or(&whole);
    let said = |list: &str| is_listed(list, whole);
    if !asks {
        for (is_yes, all) in [false, true].into_iter().zip(PLAIN) {
            if said(all) {
                return Some(Phrase::Answer { is_yes, is_plain: true });
            }
        }
        for (is_yes, all) in [false, true].into_iter().zip(LOOSE) {
            if said(all) {
                return Some(Phrase::Answer { is_yes, is_plain: false });
            }
        }
    }
    let bare = strip_fillers(whole, opponent);
    let (verb, of, _) = VERBS.iter().find(|(_, _, phrases)| is_listed(phrases, bare))?;
    (!asks || is_listed(ASKED, verb)).then_some(Phrase::Verb(verb, of))
}

/// Thanks, greetings and good wishes, which a name may follow.
const SMALL_TALK: &str = "\
    thanks for the game; thank you for the game; thanks for playing; thank you for playing; thanks \
    for the match; thank you for the match; thanks for a good game; thanks for a great game; \
    thanks for a nice game; thanks; thanks a lot; many thanks; thank you; thank you very much; \
    thx; ty; tnx; good game; great game; nice game; gg; ggs; wp; gg wp; well played; \
    congratulations; congrats; well done; bravo; good move; nice move; great move; nice roll; good \
    roll; lucky you; good luck; gl; glhf; gl hf; have fun; good luck and have fun; see you; bye; \
    bye bye; goodbye; cheers; best wishes; best regards; kind regards; regards; merry christmas; \
    happy new year; happy birthday; danke; danke f\u{fc}r das spiel; merci; gracias; grazie";

/// Salutations. Alone they are not a message.
const GREETINGS: &str = "\
    hi; hello; hey; dear; good morning; good evening; good afternoon; good day; hallo";

/// Returns whether lines contain only thanks and good wishes, with names and salutations around
/// them.
pub(crate) fn is_small_talk<'a>(
    lines: impl IntoIterator<Item = &'a str>,
    names: [&str; 2],
) -> bool {
    let names = names.map(str::to_lowercase);
    let mut is_said = false;
    for line in lines {
        for part in line.split(['.', '!', ',', ';', ':']).map(|part| plain_words(part).join(" ")) {
            let mut part = &*part;
            for name in &names {
                part = part.strip_suffix(&**name).unwrap_or(part).trim_end();
            }
            let is_talk = is_listed(SMALL_TALK, part);
            if !(is_talk || part.is_empty() || is_listed(GREETINGS, part)) {
                return false;
            }
            is_said |= is_talk;
        }
    }
    is_said
}

/// Returns the phrases of a list.
fn listed(list: &str) -> impl Iterator<Item = &str> {
    list.split(SEPARATOR)
}

fn is_listed(list: &str, phrase: &str) -> bool {
    listed(list).any(|known| known == phrase)
}

/// Returns the words of a line in lower case, without punctuation and smileys.
fn plain_words(line: &str) -> Vec<String> {
    let line = line.to_lowercase().replace(['\u{2019}', '\u{2018}', '`'], "'");
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    line.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}

/// Removes the words of [`BEFORE`], [`BEHIND`] and the opponent's name from a phrase.
fn strip_fillers<'a>(phrase: &'a str, opponent: &str) -> &'a str {
    let opponent = opponent.to_lowercase();
    let mut bare = phrase;
    loop {
        let before = listed(BEFORE).filter_map(|words| bare.strip_prefix(words)?.strip_prefix(' '));
        let shorter = before.min_by_key(|rest| rest.len()).or_else(|| {
            let mut behind = listed(BEHIND).chain([&*opponent]);
            behind.find_map(|words| bare.strip_suffix(words)?.strip_suffix(' '))
        });
        match shorter {
            Some(shorter) => bare = shorter,
            None => return bare,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn phrases_are_understood() {
        let verb = |verb, of| Some(Phrase::Verb(verb, of));
        let answer = |is_yes, is_plain| Some(Phrase::Answer { is_yes, is_plain });
        for (line, want) in [
            ("Double!", verb("double", "")),
            ("I double", verb("double", "")),
            ("I\u{2019}ll double, bob! :-)", verb("double", "")),
            ("double please", verb("double", "")),
            ("OK, I take it.", verb("take", "")),
            ("I'd like to resign, please.", verb("resign", "")),
            ("I resign a gammon", verb("resign", "gammon")),
            ("Draw?", verb("propose", "")),
            ("I offer a draw.", verb("propose", "")),
            ("Shall we call it a draw?", verb("propose", "")),
            ("May I take that back, please?", verb("undo", "")),
            ("Please take it back", verb("undo", "")),
            ("?", verb("help", "")),
            ("Rules?", verb("rules", "")),
            ("Yes!", answer(true, true)),
            ("No, thanks.", answer(false, true)),
            ("ok", answer(true, false)),
            ("Yes?", None),
            ("Resign?", None),
            ("no double", None),
            ("I do not resign", None),
            ("I never double", None),
            ("yes, but I resign", None),
            ("take that, bob!", None),
            ("pass the salt", None),
            ("", None),
            ("...", None),
        ] {
            assert_eq!(phrase(line, "bob"), want, "{line}");
        }
    }

    #[test]
    fn every_phrase_of_the_tables_is_understood() {
        let mut all = HashSet::new();
        for (verb, of, phrases) in VERBS {
            for said in listed(phrases) {
                assert!(all.insert(said), "{said} is there twice");
                assert_eq!(phrase(said, "bob"), Some(Phrase::Verb(verb, of)), "{said}");
            }
        }
        for (table, is_plain) in [(PLAIN, true), (LOOSE, false)] {
            for (is_yes, phrases) in [false, true].into_iter().zip(table) {
                for said in listed(phrases) {
                    assert!(all.insert(said), "{said} is there twice");
                    assert_eq!(
                        phrase(said, "bob"),
                        Some(Phrase::Answer { is_yes, is_plain }),
                        "{said}"
                    );
                }
            }
        }
    }
}
