//! Words of other servers and of mailing lists, mapped to what their senders want.

use crate::base::ids::UserId;
use crate::model::program;
use crate::refusal::Intent;

/// The words of each intent. A Subject with more words than the number is a sentence.
const INTENTS: &[(&[&str], usize, Intent)] = &[
    (&["stop", "unsubscribe", "cancel", "end", "abort"], 3, Intent::Stop),
    (&["quit", "remove", "leave", "exit", "bye", "goodbye", "logout"], 3, Intent::Leave),
    (&["register", "subscribe"], 1, Intent::Join),
    (&["join", "registration"], 4, Intent::Join),
    (&["login", "logon", "signin"], 4, Intent::Login),
    (&["rules", "manual", "faq"], 1, Intent::Rules),
    (&["info", "information", "about", "commands", "command", "menu", "?", "man"], 2, Intent::Info),
    (&["start", "begin", "tutorial", "learn"], 2, Intent::Start),
    (&["play", "invite", "opponent"], 4, Intent::Play),
    (&["new"], 3, Intent::Play),
    (&["hello", "hi", "hey", "hallo", "test", "ping"], 2, Intent::Hello),
];

/// Finds the intent of words that are not a command.
pub(crate) fn find_intent(words: &[&str]) -> Option<Intent> {
    let bare = |word: &str| word.trim_end_matches(['!', '.', ',', '?']).to_ascii_lowercase();
    let first = words.first()?;
    // `?` alone is a word.
    let first = Some(bare(first)).filter(|word| !word.is_empty());
    let first = first.unwrap_or_else(|| (*words[0]).to_owned());
    let fits = |(known, most, _): &&(&[&str], usize, Intent)| {
        known.contains(&&*first) && words.len() <= *most
    };
    INTENTS.iter().find(fits).map(|(.., intent)| *intent)
}

/// Words after the name of a game that people write for a verb.
const VERB_SYNONYMS: &[(&[&str], &str)] = &[
    (&["play", "start", "begin", "invite", "match", "vs", "versus", "against"], "challenge"),
    (&["join"], "accept-seek"),
    (&["quit", "leave", "stop", "surrender", "giveup", "give", "cancel"], "resign"),
    (&["status", "position", "look", "view"], "show"),
    (&["say", "write"], "chat"),
];

/// Returns the verb that a word stands in for.
pub(crate) fn verb_meant_by(word: &str) -> Option<&'static str> {
    let is_known = |words: &[&str]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
    VERB_SYNONYMS.iter().find(|(words, _)| is_known(words)).map(|(_, verb)| *verb)
}

/// Words for the program, besides its userids.
const PROGRAM_NAMES: &[&str] = &["computer", "program", "bot", "robot", "ai"];

/// Returns the userid of the program that a word means as an opponent.
pub(crate) fn program_named(word: &str) -> Option<&'static UserId> {
    let named = UserId::parse(word).and_then(|id| program::user(&id)).map(|user| &user.id);
    let is_meant = || PROGRAM_NAMES.iter().any(|known| known.eq_ignore_ascii_case(word));
    named.or_else(|| is_meant().then(program::lowest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{VERBS, find_verb};

    #[test]
    fn no_word_has_two_intents_or_hides_a_command() {
        let mut seen: Vec<&str> = Vec::new();
        for word in INTENTS.iter().flat_map(|(words, ..)| *words) {
            assert!(!seen.contains(word), "{word}");
            seen.push(word);
            if let Some(verb) = find_verb(word, None) {
                // The word alone is not a complete command.
                assert!([("register", "signup"), ("rules", "help")].contains(&(word, verb.name)));
            }
        }
        for (words, verb) in VERB_SYNONYMS {
            assert!(VERBS.iter().any(|known| known.name == *verb), "{verb}");
            for word in *words {
                assert!(find_verb(word, games::find("malaka")).is_none(), "{word}");
                assert_eq!(program_named(word), None, "{word}");
            }
        }
    }

    #[test]
    fn a_sentence_has_no_intent() {
        let intent_of = |line: &str| find_intent(&line.split_whitespace().collect::<Vec<_>>());
        assert_eq!(intent_of("STOP!"), Some(Intent::Stop));
        assert_eq!(intent_of("new game"), Some(Intent::Play));
        assert_eq!(intent_of("?"), Some(Intent::Info));
        for line in [
            "",
            "start your free trial today",
            "information about your order",
            "stop paying too much",
        ] {
            assert_eq!(intent_of(line), None, "{line}");
        }
    }
}
