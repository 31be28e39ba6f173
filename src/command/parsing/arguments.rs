//! The words after a verb, read one after the other.

use crate::base::ids::{BoardId, UserId};
use crate::command::{Trust, UserProof};
use crate::model::dice::{commitment_digest, is_seed_word};
use crate::refusal::{AccountRefusal, Refusal, SyntaxRefusal};
use games::{AnyGame, Switch, bare};

/// The Subject of a mail whose text contains one command per line.
pub(crate) const MULTIPLE: &str = "multiple";

/// A cursor over the words of a command.
#[derive(Clone, Debug)]
pub struct Arguments<'a> {
    rest: &'a [&'a str],
    trust: &'a Trust,
    usage: String,
    claimed: Option<UserId>,
    /// Whether the userid was typed in angle brackets, as the manual prints it.
    is_bracketed: bool,
    /// The board and the move number of a reply address.
    board: Option<(BoardId, Option<usize>)>,
}

impl<'a> Arguments<'a> {
    /// Starts at the first word after a verb. `usage` is shown by refusals.
    pub fn new(rest: &'a [&'a str], trust: &'a Trust, usage: String) -> Self {
        Self { rest, trust, usage, claimed: None, is_bracketed: false, board: None }
    }

    /// Sets the board that the reply address names, so that the words need not.
    pub fn set_board(&mut self, board: BoardId, moveno: Option<usize>) {
        self.board = Some((board, moveno));
    }

    /// Returns the user whose password is among the words.
    pub fn claimed(&self) -> Option<&UserId> {
        self.claimed.as_ref()
    }

    /// Records that the words contain this user's password.
    pub fn claim(&mut self, user: &UserId) {
        self.claimed = Some(user.clone());
    }

    /// Replaces the usage once the first words have shown which variant is meant.
    pub fn set_usage(&mut self, usage: &str) {
        usage.clone_into(&mut self.usage);
    }

    /// Builds a refusal that shows the usage.
    pub fn usage_error(&self, what: impl Into<String>) -> Refusal {
        SyntaxRefusal::Usage { what: what.into(), usage: self.usage.clone() }.into()
    }

    /// Returns the trust in the request.
    pub fn trust(&self) -> &'a Trust {
        self.trust
    }

    /// Returns the words that are left, without taking them.
    pub fn remaining(&self) -> &'a [&'a str] {
        self.rest
    }

    /// Returns the next word without taking it.
    pub fn peek(&self) -> Option<&'a str> {
        self.rest.first().copied()
    }

    /// Takes the next word, without the angle brackets of the manual: `<alice>` is `alice`.
    ///
    /// # Errors
    /// No word is left; `what` names the missing word.
    pub fn word(&mut self, what: &str) -> Result<&'a str, Refusal> {
        self.word_as_typed(what).map(unbracketed)
    }

    fn word_as_typed(&mut self, what: &str) -> Result<&'a str, Refusal> {
        let (first, rest) = self
            .rest
            .split_first()
            .ok_or_else(|| self.usage_error(format!("{what} is missing")))?;
        self.rest = rest;
        Ok(first)
    }

    /// Takes the options that come next, each with its value: `-match=5`.
    pub fn options(&mut self, known: &[&'static [Switch]]) -> Vec<String> {
        let mut words = self.rest.iter();
        let options = std::iter::from_fn(|| Switch::take(known, &mut words)).collect();
        self.rest = words.as_slice();
        options
    }

    /// Takes all remaining words.
    pub fn take_rest(&mut self) -> &'a [&'a str] {
        std::mem::take(&mut self.rest)
    }

    /// Checks that no word is left.
    ///
    /// # Errors
    /// The remaining words.
    pub fn expect_end(&self) -> Result<(), Refusal> {
        match self.rest {
            [] => Ok(()),
            // They are not quoted: a password may be among them.
            [_] => Err(self.usage_error("the last word does not belong to this command")),
            more => {
                let count = more.len();
                Err(self
                    .usage_error(format!("the last {count} words do not belong to this command")))
            }
        }
    }

    /// Takes a userid.
    ///
    /// # Errors
    /// It is missing or malformed.
    pub fn userid(&mut self) -> Result<UserId, Refusal> {
        let typed = self.word_as_typed("a userid")?;
        let word = unbracketed(typed);
        self.is_bracketed = word != typed;
        UserId::parse(word).ok_or(AccountRefusal::BadUserid.into())
    }

    /// Takes a password. Its angle brackets are part of it, unless the userid was written in angle
    /// brackets, too.
    ///
    /// # Errors
    /// It is missing.
    pub fn password(&mut self, what: &str) -> Result<&'a str, Refusal> {
        let typed = self.word_as_typed(what)?;
        Ok(if self.is_bracketed { unbracketed(typed) } else { typed })
    }

    /// Takes a userid and a password. The operator writes no password; a reply contains neither.
    ///
    /// # Errors
    /// A word is missing, or the userid is malformed.
    pub fn player(&mut self) -> Result<(UserId, UserProof), Refusal> {
        match self.trust {
            Trust::Untrusted => {
                let user = self.userid()?;
                self.claim(&user);
                let password = self.password("the password")?;
                Ok((user, UserProof::Password(password.to_owned())))
            }
            Trust::Token(topic, holder) => {
                Ok((holder.clone(), UserProof::Token(topic.clone(), holder.clone())))
            }
            Trust::Session(holder) => Ok((holder.clone(), UserProof::Session(holder.clone()))),
            Trust::Operator => Ok((self.userid()?, UserProof::Operator)),
        }
    }

    /// Returns whether the next word is a board number, or the reply address names the board.
    pub fn starts_with_board(&self) -> bool {
        self.board.is_some()
            || self
                .peek()
                .map(unbracketed)
                .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    }

    /// Takes a board number with an optional `#moveno`.
    ///
    /// # Errors
    /// It is missing or not a number.
    pub fn board(
        &mut self,
        game: &'static dyn AnyGame,
    ) -> Result<(BoardId, Option<usize>), Refusal> {
        if let Some(known) = self.board.take() {
            return Ok(known);
        }
        let word = self.word("the board number")?;
        let (number, moveno) = split_moveno(word);
        let number = number.parse().ok().filter(|number| *number > 0);
        let moveno = moveno.map(str::parse).transpose();
        match (number, moveno) {
            (Some(number), Ok(moveno)) => Ok((BoardId { game: game.spec().name, number }, moveno)),
            _ => Err(self.usage_error("the board number must be a number, such as 1")),
        }
    }
}

/// Strips the angle brackets that the manual puts around placeholders.
fn unbracketed(word: &str) -> &str {
    let inner = word.strip_prefix('<').and_then(|word| word.strip_suffix('>'));
    inner.filter(|inner| !inner.is_empty()).unwrap_or(word)
}

/// Splits `word#7` into the word and the text of the move number. In Chess a `#` before it, or without
/// a number, says that the move gives checkmate: `Qh4#`, `Qh4##8`.
pub(crate) fn split_moveno(word: &str) -> (&str, Option<&str>) {
    let Some((word, number)) = word.rsplit_once('#') else { return (word, None) };
    let word = word.trim_end_matches('#');
    if bare(number).is_empty() { (word, None) } else { (word, Some(number)) }
}

/// Returns the value of `-seed=word`; `None` if `word` is another option or no option.
fn seed_value(word: &str) -> Option<&str> {
    let option = word.trim_start_matches(games::is_dash);
    let (name, value) = option.split_once('=')?;
    (option.len() < word.len() && name.eq_ignore_ascii_case("seed")).then_some(value)
}

/// Returns the seed word of `-seed=word`; `None` if `word` is another option or no option.
///
/// # Errors
/// The seed word is malformed.
pub(crate) fn parse_seed_option<'a>(
    word: &'a str,
    words: &Arguments,
) -> Result<Option<&'a str>, Refusal> {
    match seed_value(word) {
        None => Ok(None),
        Some(seed) if is_seed_word(seed) || commitment_digest(seed).is_some() => Ok(Some(seed)),
        Some(_) => Err(words.usage_error(
            "a seed word has 1 to 32 letters, digits, and the signs `.`, `-` and `_`; a \
             commitment is `sha256:` with 64 hexadecimal digits",
        )),
    }
}

/// Returns a move without a trailing `-seed=word`.
pub(crate) fn without_seed_option(text: &str) -> &str {
    match text.trim_end().rsplit_once(char::is_whitespace) {
        Some((before, last)) if seed_value(last).is_some() => before.trim_end(),
        _ => text,
    }
}
