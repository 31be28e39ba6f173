//! Parked mails and unsent letters, and what the operator or an administrator does with them.

use crate::store::outbox::UnsentLetter;
use crate::store::{Fault, Home, OpenHome, ParkedMail, Remedy, RemedyResult, StuckItem};

/// All parked mails and unsent letters.
#[derive(Debug)]
pub struct StuckMails {
    /// The parked mails, the oldest first.
    pub mails: Vec<ParkedMail>,
    /// The letters that wait or were given up, the oldest first.
    pub letters: Vec<UnsentLetter>,
}

/// A parked mail or an unsent letter.
#[derive(Clone, Copy, Debug)]
pub enum StuckRow<'a> {
    /// A parked mail.
    Mail(&'a ParkedMail),
    /// An unsent letter.
    Letter(&'a UnsentLetter),
}

impl StuckMails {
    /// Reads the parked mails and unsent letters of a home.
    ///
    /// # Errors
    /// The machine failed.
    pub fn of_home(home: &dyn Home) -> Result<Self, Fault> {
        Ok(Self { mails: home.parked_mails()?, letters: home.unsent_letters()? })
    }

    /// Returns all parked mails and then all unsent letters.
    pub fn rows(&self) -> impl Iterator<Item = StuckRow<'_>> {
        self.mails.iter().map(StuckRow::Mail).chain(self.letters.iter().map(StuckRow::Letter))
    }
}

impl<'a> StuckRow<'a> {
    /// Returns the name of the mail or letter.
    pub fn name(self) -> &'a str {
        match self {
            StuckRow::Mail(parked) => &parked.name,
            StuckRow::Letter(unsent) => &unsent.letter.name,
        }
    }

    /// Returns the name for a sentence, with the recipient of a letter.
    pub fn called(self) -> String {
        match self {
            StuckRow::Mail(_) => self.name_without_address(),
            StuckRow::Letter(unsent) => {
                format!("{} to {}", self.name_without_address(), unsent.letter.to)
            }
        }
    }

    /// Returns the name for a record that is kept for good, without the recipient of a letter.
    pub fn name_without_address(self) -> String {
        match self {
            StuckRow::Mail(_) => format!("mail {}", self.name()),
            StuckRow::Letter(_) => format!("letter {}", self.name()),
        }
    }

    fn item(self) -> StuckItem<'a> {
        match self {
            StuckRow::Mail(parked) => StuckItem::Mail(&parked.name),
            StuckRow::Letter(unsent) => StuckItem::Letter(&unsent.letter.name),
        }
    }

    /// Retries or drops the mail or letter, and logs who did it. While the home is open, commits are
    /// complete and no other process works on it.
    ///
    /// # Errors
    /// The machine failed.
    pub fn apply(
        self,
        remedy: Remedy,
        by: &str,
        home: &dyn Home,
        opened: &dyn OpenHome,
    ) -> Result<RemedyResult, Fault> {
        let result = home.apply_remedy(self.item(), remedy)?;
        if result == RemedyResult::Done {
            opened.log(&[&format!("{} {}, by {by}", self.called(), outcome(remedy))])?;
        }
        Ok(result)
    }
}

/// Returns what becomes of a mail or letter, behind its name.
pub fn outcome(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::Retry => "will be tried again by the next run",
        Remedy::Drop => "is dropped",
    }
}
