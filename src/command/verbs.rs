//! Which verb a word means.

use super::words::MULTIPLE;
use super::{VERBS, Verb, VerbScope, led};
use games::{AnyGame, GAMES};

/// The verb that a word means: its name, an alias, or four letters or more that begin only it.
pub fn find_verb(word: &str, game: Option<&'static dyn AnyGame>) -> Option<&'static Verb> {
    let word = word.to_ascii_lowercase();
    let exact = verbs_of(game).find(|verb| verb.name == word || verb.aliases.contains(&&*word));
    exact.or_else(|| {
        let mut begun: Vec<_> = verbs_of(game).filter(|verb| verb.begins_with(&word)).collect();
        // `accep` is `accept`, though `accept-seek` begins so too.
        begun.sort_by_key(|verb| verb.name.len());
        // `play` means `challenge`, and not `players`.
        let is_word = led::verb_for(&word).is_some();
        let shortest = begun.first().copied().filter(|_| word.len() >= 4 && !is_word)?;
        begun.iter().all(|verb| verb.name.starts_with(shortest.name)).then_some(shortest)
    })
}

/// The verbs that may follow the name of a game, or come first where no game is named.
pub(super) fn verbs_of(game: Option<&'static dyn AnyGame>) -> impl Iterator<Item = &'static Verb> {
    let other = if game.is_some() { VerbScope::Server } else { VerbScope::Game };
    VERBS.iter().copied().filter(move |verb| verb.of != other)
}

/// The words with which a player's command may begin, unless shortened.
pub fn first_words() -> impl Iterator<Item = &'static str> {
    let verbs = verbs_of(None).flat_map(|verb| [&[verb.name], verb.aliases].concat());
    verbs.chain(GAMES.iter().map(|game| game.spec().name)).chain([MULTIPLE])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_found_by_four_letters_or_an_alias() {
        let game = GAMES.first().copied();
        for (word, verb) in [
            ("chall", "challenge"),
            ("mvoe", "move"),
            ("BOARD", "move"),
            ("prev", "preview"),
            ("acce", "accept"),
            ("accept-s", "accept-seek"),
        ] {
            assert_eq!(find_verb(word, game).map(|verb| verb.name), Some(verb));
        }
        assert!(find_verb("cha", game).is_none());
        assert!(find_verb("signup", game).is_none());
    }

    #[test]
    fn the_table_is_in_order() {
        let words: Vec<&str> = VERBS
            .iter()
            .flat_map(|verb| [&[verb.name], verb.aliases].concat())
            .chain(GAMES.iter().map(|game| game.spec().name))
            .collect();
        for (index, word) in words.iter().enumerate() {
            assert!(!words[..index].contains(word), "{word} is there twice");
            assert!(word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{word}");
        }
        for verb in VERBS {
            assert!(!verb.about.is_empty() && !verb.about.ends_with('.'), "{}", verb.name);
        }
    }
}
