//! The words of a command line, taken one after the other.

use crate::base::ids::{BoardId, UserId};
use crate::command::{Trust, UserProof};
use crate::model::dice::{is_commitment, is_seed_word};
use crate::refusal::{AccountRefusal, Refusal, SyntaxRefusal};
use games::{AnyGame, Switch};

/// The Subject of a mail whose text holds the commands.
pub(crate) const MULTIPLE: &str = "multiple";

/// The words still to be read.
#[derive(Clone, Debug)]
pub struct Arguments<'a> {
    rest: &'a [&'a str],
    trust: &'a Trust,
    usage: String,
    claimed: Option<UserId>,
    /// Whether the userid was typed with the brackets of the manual.
    is_bracketed: bool,
    /// The board, with a move number, where the address of a reply says it.
    board: Option<(BoardId, Option<usize>)>,
}

impl<'a> Arguments<'a> {
    /// The words after a verb, and how that verb is written.
    pub fn new(rest: &'a [&'a str], trust: &'a Trust, usage: String) -> Self {
        Self { rest, trust, usage, claimed: None, is_bracketed: false, board: None }
    }

    /// Names the board, so that no word has to.
    pub fn set_board(&mut self, board: BoardId, moveno: Option<usize>) {
        self.board = Some((board, moveno));
    }

    /// The user whose password the words name.
    pub fn claimed(&self) -> Option<&UserId> {
        self.claimed.as_ref()
    }

    /// Notes that the words name that user's password.
    pub fn claim(&mut self, user: &UserId) {
        self.claimed = Some(user.clone());
    }

    /// Sets how the command is written, once its first words have shown which one it is.
    pub fn set_usage(&mut self, usage: &str) {
        usage.clone_into(&mut self.usage);
    }

    /// A refusal that shows how the command is written.
    pub fn usage_error(&self, what: impl Into<String>) -> Refusal {
        SyntaxRefusal::Usage { what: what.into(), usage: self.usage.clone() }.into()
    }

    /// The next word, if there is one.
    pub fn peek(&self) -> Option<&'a str> {
        self.rest.first().copied()
    }

    /// The next word, without the brackets of the manual: `<alice>` is `alice`.
    ///
    /// # Errors
    /// There is none.
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

    /// The options that come next, each with its value: `-match=5`.
    pub fn options(&mut self, known: &[&'static [Switch]]) -> Vec<String> {
        let mut words = self.rest.iter();
        let options = std::iter::from_fn(|| Switch::take(known, &mut words)).collect();
        self.rest = words.as_slice();
        options
    }

    /// All words left.
    pub fn rest(&mut self) -> &'a [&'a str] {
        std::mem::take(&mut self.rest)
    }

    /// Nothing more may follow.
    ///
    /// # Errors
    /// Something does.
    pub fn expect_end(&self) -> Result<(), Refusal> {
        match self.rest {
            [] => Ok(()),
            more => Err(self.usage_error(format!(
                "there {} too many at the end",
                if more.len() == 1 {
                    "is a word".into()
                } else {
                    format!("are {} words", more.len())
                }
            ))),
        }
    }

    /// A userid.
    ///
    /// # Errors
    /// It is missing or cannot be one.
    pub fn userid(&mut self) -> Result<UserId, Refusal> {
        let typed = self.word_as_typed("a userid")?;
        let word = unbracketed(typed);
        self.is_bracketed = word != typed;
        UserId::parse(word).ok_or(AccountRefusal::BadUserid.into())
    }

    /// A password. It may have brackets of its own: they are the manual's only if the userid has
    /// them, too.
    ///
    /// # Errors
    /// It is missing.
    pub fn password(&mut self, what: &str) -> Result<&'a str, Refusal> {
        let typed = self.word_as_typed(what)?;
        Ok(if self.is_bracketed { unbracketed(typed) } else { typed })
    }

    /// A userid with its password. The operator needs no password, and a reply needs neither.
    ///
    /// # Errors
    /// A word is missing or cannot be a userid.
    pub fn player(&mut self) -> Result<(UserId, UserProof), Refusal> {
        match self.trust {
            Trust::Words => {
                let user = self.userid()?;
                self.claim(&user);
                let password = self.password("the password")?;
                Ok((user, UserProof::Password(password.to_owned())))
            }
            Trust::Token(board, holder) => {
                Ok((holder.clone(), UserProof::Token(*board, holder.clone())))
            }
            Trust::Session(holder) => Ok((holder.clone(), UserProof::Session(holder.clone()))),
            Trust::Operator => Ok((self.userid()?, UserProof::Operator)),
        }
    }

    /// Whether a board comes next.
    pub fn starts_with_board(&self) -> bool {
        self.board.is_some()
            || self
                .peek()
                .map(unbracketed)
                .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    }

    /// A board number with an optional `#moveno`.
    ///
    /// # Errors
    /// It is missing or no number.
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

/// A word without the brackets that the manual puts around what is to be filled in.
fn unbracketed(word: &str) -> &str {
    let inner = word.strip_prefix('<').and_then(|word| word.strip_suffix('>'));
    inner.filter(|inner| !inner.is_empty()).unwrap_or(word)
}

/// Splits `word#7` into the word and the move number's text.
pub(crate) fn split_moveno(word: &str) -> (&str, Option<&str>) {
    word.split_once('#').map_or((word, None), |(word, number)| (word, Some(number)))
}

/// The word that `-seed=word` mixes into the dice, if that is what a word says.
///
/// # Errors
/// It can be no such word.
pub(crate) fn parse_seed_option<'a>(
    word: &'a str,
    words: &Arguments,
) -> Result<Option<&'a str>, Refusal> {
    let option = word.trim_start_matches(games::is_dash);
    let named = option.split_once('=').filter(|(name, _)| name.eq_ignore_ascii_case("seed"));
    match named.filter(|_| option.len() < word.len()) {
        None => Ok(None),
        Some((_, seed)) if is_seed_word(seed) || commitment_digest(seed).is_some() => {
            Ok(Some(seed))
        }
        Some(_) => Err(words.usage_error(
            "a seed word has 1 to 32 letters, digits, and the signs `.`, `-` and `_`; a \
                        commitment is `sha256:` with 64 hexadecimal digits",
        )),
    }
}

/// A move without the `-seed=word` behind it.
pub(crate) fn without_seed_option(text: &str) -> &str {
    let names_seed = |word: &str| {
        let option = word.trim_start_matches(games::is_dash);
        let name = option.split('=').next().unwrap_or_default();
        option.len() < word.len() && option.contains('=') && name.eq_ignore_ascii_case("seed")
    };
    match text.trim_end().rsplit_once(char::is_whitespace) {
        Some((before, last)) if names_seed(last) => before.trim_end(),
        _ => text,
    }
}

/// The digest in a commitment: `sha256:` and 64 hexadecimal digits.
pub(crate) fn commitment_digest(seed: &str) -> Option<&str> {
    let (kind, hash) = seed.split_once(':')?;
    (kind.eq_ignore_ascii_case("sha256") && is_commitment(hash)).then_some(hash)
}
