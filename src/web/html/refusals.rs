//! Refusals in the words of the web: what is wrong, and what to click or write instead. Mails and
//! programs read the hints of [`Refusal::hint`], which name commands.

use super::blocks::capitalized;
use crate::base::ids::UserId;
use crate::base::time::seconds;
use crate::base::words::{AndList, Plural, quoted};
use crate::model::ladder::ChallengeBar;
use crate::refusal::{
    AccountRefusal, BoardRefusal, LadderRefusal, LegalMoves, ModerationRefusal, PlanProblem,
    Refusal, RestRefusal, SeekRefusal, SyntaxRefusal, TournamentRefusal, VacationRefusal,
};
use games::{GAMES, MoveError, OptionError};
use std::fmt::Display;

/// What a refusal is about. A form tells it at the field with this content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The field of this name.
    Field(&'static str),
    /// A userid of the visitor's own.
    Userid,
    /// Another player.
    Player,
    /// The current password.
    Password,
    NewPassword,
    /// A mail address.
    Address,
    /// A code or link from a mail.
    Code,
    /// Days.
    Dates,
    /// A time zone.
    Zone,
    /// Days of the week.
    Days,
    /// The hours of a night.
    Night,
    /// The options of a new game.
    Options,
    Message,
    /// A part of the user's profile.
    Profile,
    /// The form as a whole.
    Other,
}

/// Why a form was refused, as its page tells it.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) subject: Subject,
    pub(crate) words: String,
}

impl Problem {
    /// Describes a refusal.
    pub(crate) fn of(refusal: &Refusal) -> Self {
        Self { subject: subject(refusal), words: sentences(refusal) }
    }
}

/// Returns what a refusal is about.
fn subject(refusal: &Refusal) -> Subject {
    match refusal {
        Refusal::Account(refusal) => subject_of_account(refusal),
        Refusal::Vacation(_) => Subject::Dates,
        Refusal::Moderation(refusal) => match refusal {
            ModerationRefusal::ReportWithoutReason => Subject::Message,
            ModerationRefusal::ActWithoutReason => Subject::Field("why"),
            ModerationRefusal::BadCode => Subject::Code,
            ModerationRefusal::NoEnd | ModerationRefusal::Past => Subject::Field("until"),
            ModerationRefusal::NoUser(_)
            | ModerationRefusal::BadSubject
            | ModerationRefusal::NothingInForce(_)
            | ModerationRefusal::Left(_)
            | ModerationRefusal::IsAdministrator(_) => Subject::Field("subject"),
            _ => Subject::Other,
        },
        Refusal::Rest(refusal) => match refusal {
            RestRefusal::NoPlace { .. }
            | RestRefusal::SeveralPlaces(_)
            | RestRefusal::UnknownPlace { .. } => Subject::Zone,
            RestRefusal::BadDays(_) | RestRefusal::TooManyDays(_) => Subject::Days,
            RestRefusal::BadNight(_) | RestRefusal::LongNight(_) => Subject::Night,
        },
        Refusal::Seek(SeekRefusal::NoRating(..))
        | Refusal::Syntax(
            SyntaxRefusal::Option { .. }
            | SyntaxRefusal::LateReminder { .. }
            | SyntaxRefusal::SmallCap { .. }
            | SyntaxRefusal::NoPosition(_),
        ) => Subject::Options,
        _ => Subject::Other,
    }
}

fn subject_of_account(refusal: &AccountRefusal) -> Subject {
    use AccountRefusal as Account;
    match refusal {
        Account::WrongPassword => Subject::Password,
        Account::AlreadySignedUp(_)
        | Account::LooksLikeAnother(_)
        | Account::Taken(_)
        | Account::BadUserid => Subject::Userid,
        Account::NoUser(_)
        | Account::NoOpponent(_)
        | Account::NoPlayer
        | Account::NotAllUsers
        | Account::MarksSelf(_)
        | Account::NotMarked(..)
        | Account::BlockedByYou(_)
        | Account::OnlyPrograms
        | Account::SamePlayer(_)
        | Account::TooManyUnanswered(_)
        | Account::TakesNoChallenges(_)
        | Account::AtLimit(..)
        | Account::GuestsPlayProgram
        | Account::TooManyStrangers(_) => Subject::Player,
        Account::BadPassword | Account::AddressAsPassword => Subject::NewPassword,
        Account::BadAddress
        | Account::MalformedAddress
        | Account::ServerAddress
        | Account::NoAddress
        | Account::ImpersonalAddress
        | Account::SignedUpAs { .. } => Subject::Address,
        Account::WrongCode | Account::UsedLink | Account::TooManyCodes => Subject::Code,
        Account::TooManyMessages | Account::TooManyToUser { .. } => Subject::Message,
        Account::LongProfile(_) | Account::PasswordInProfile => Subject::Profile,
        _ => Subject::Other,
    }
}

/// Returns the reason of a refusal and what to do, in whole sentences.
pub(crate) fn sentences(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Account(refusal) => account(refusal),
        Refusal::Board(refusal) => board(refusal),
        Refusal::Seek(refusal) => seek(refusal),
        Refusal::Vacation(refusal) => vacation(refusal),
        Refusal::Rest(refusal) => rest(refusal),
        Refusal::Tournament(refusal) => tournament(refusal),
        Refusal::Ladder(refusal) => ladder(refusal),
        Refusal::Moderation(refusal) => moderation(refusal),
        // No page sends these commands.
        Refusal::Announcement(_) => capitalize_and_join(refusal, ""),
        Refusal::Syntax(refusal) => syntax(refusal),
        Refusal::Unavailable => {
            "This cannot be done at the moment. The operator has been told. Try again later.".into()
        }
    }
}

fn moderation(refusal: &ModerationRefusal) -> String {
    use ModerationRefusal as Moderation;
    let advice = match refusal {
        // Their hints name no commands.
        Moderation::Sanctioned { .. }
        | Moderation::Banned { .. }
        | Moderation::TooManyReports { .. }
        | Moderation::QueueFull { .. }
        | Moderation::ActWithoutReason
        | Moderation::NoEnd
        | Moderation::Past
        | Moderation::BadCode
        | Moderation::TooManyCodes
        | Moderation::Left(_) => {
            let hint = Refusal::from(refusal.clone()).hint().unwrap_or_default();
            return capitalize_and_join(refusal, &hint);
        }
        Moderation::OpponentSuspended(_) => return join_advice(refusal, "Play somebody else."),
        Moderation::ReportWithoutReason => "Write what happened.",
        Moderation::Nobody | Moderation::NotThere(_) | Moderation::NotTheirBoard { .. } => {
            "Open the page of the player."
        }
        Moderation::ReportsSelf => "Open the page of another player.",
        Moderation::ReportsProgram(_) => return join_advice(refusal, "Report players only."),
        Moderation::NoMessage(_) => "Report the player, and quote the message in your own words.",
        Moderation::NoUser(_) | Moderation::BadSubject => {
            "Write a userid, an address, a domain such as @example.org, or a network such as \
             192.0.2.0/24."
        }
        Moderation::IsAdministrator(_) | Moderation::UserIsNotAdministrator(_) => {
            return join_advice(refusal, "The operator can change that.");
        }
        Moderation::SenderIsNotAdministrator
        | Moderation::NotOperator
        | Moderation::NothingInForce(_)
        | Moderation::NoReport(_)
        | Moderation::Settled(_) => "",
    };
    capitalize_and_join(refusal, advice)
}

fn tournament(refusal: &TournamentRefusal) -> String {
    use TournamentRefusal as Tournament;
    let advice = match refusal {
        Tournament::Unproved => {
            "Open the link in the mail that you got when you signed up, then enter."
        }
        Tournament::Late(_) | Tournament::Full(_) => "Enter another one.",
        Tournament::NotInvited { .. } => "Ask a captain to invite you.",
        Tournament::Invited(_) => "A mail has told them how to join.",
        Tournament::InvitedEnough => "Wait for their answers.",
        Tournament::CannotInvite(_) => {
            "Invite somebody else. Only players who have confirmed their address play in team matches, \
             and some take no invitations."
        }
        Tournament::TwoTeams => "Leave the numbers of players and rounds out.",
        Tournament::OneGame => "Choose the team match, or one game for each player.",
        Tournament::NotDirector { .. } => "Ask the director.",
        Tournament::Started(_) => "To give players more time, extend the round.",
        Tournament::DirectsEnough => "Wait until one of them is over.",
        Tournament::StartOutside { .. } | Tournament::BadStart => "Choose another day.",
        Tournament::NoAdjudication { .. } => "Choose another way.",
        _ => "",
    };
    capitalize_and_join(refusal, advice)
}

fn ladder(refusal: &LadderRefusal) -> String {
    match refusal {
        LadderRefusal::Unproved => capitalize_and_join(
            refusal,
            "Open the link in the mail that you got when you signed up, then join.",
        ),
        LadderRefusal::Barred {
            bar: ChallengeBar::Below | ChallengeBar::TooFar { .. } | ChallengeBar::Incoming,
            ..
        } => join_advice(refusal, &refusal.advice()),
        _ => capitalize_and_join(refusal, &refusal.advice()),
    }
}

/// Joins a reason and an advice to sentences, the first with a capital letter.
fn capitalize_and_join(reason: &impl Display, advice: &str) -> String {
    join_advice(&capitalized(&reason.to_string()), advice)
}

/// Joins a reason, which begins with a userid or a move and keeps its case, and an advice to sentences.
fn join_advice(reason: &impl Display, advice: &str) -> String {
    let reason = reason.to_string();
    format!("{}. {advice}", reason.trim_end_matches('.')).trim_end().to_owned()
}

#[expect(clippy::too_many_lines, reason = "one sentence for each refusal")]
fn account(refusal: &AccountRefusal) -> String {
    use AccountRefusal as Account;
    let advice = match refusal {
        Account::WrongPassword => {
            "If you have forgotten your password, let us mail you a link that signs you in."
        }
        Account::Paused { left } => {
            let minutes = usize::try_from((*left + seconds(59)).minutes()).unwrap_or(1);
            return capitalize_and_join(
                refusal,
                &format!(
                    "Try again in {}, or let us mail you a link that signs you in.",
                    Plural(minutes, "minute")
                ),
            );
        }
        Account::BadUserid => {
            return format!(
                "This cannot be a userid. A userid begins with a letter and has letters, digits, \
                 dots, dashes and underscores, at most {} in all, for example rita-2. A mail address \
                 is not a userid.",
                UserId::MAX
            );
        }
        Account::NoOpponent(game) => {
            return format!(
                "No player here has this userid. Check the spelling, or {}.",
                other_opponents(game)
            );
        }
        Account::NoUser(_) | Account::NoPlayer | Account::NotAllUsers => {
            return "No player here has this userid. Check the spelling.".into();
        }
        Account::Taken(_) => "Choose another one.",
        Account::LooksLikeAnother(_) => return join_advice(refusal, "Choose another one."),
        Account::AlreadySignedUp(_) => "Sign in instead.",
        Account::SignedUpAs { .. } => {
            "Sign in instead. If you have forgotten the password, let us mail you a link that signs \
             you in."
        }
        Account::BadPassword => {
            "Choose a password of 6 to 128 characters, without spaces, quotes or colons."
        }
        Account::AddressAsPassword => "Choose another password.",
        Account::BadAddress | Account::MalformedAddress => {
            return "This is not a mail address. A mail address looks like name@example.org."
                .into();
        }
        Account::ServerAddress => "Give an address where you read your own mail.",
        Account::NoAddress => "Give an address where you read your mail.",
        Account::ImpersonalAddress => {
            "Addresses such as noreply, abuse or postmaster, and mailing lists, cannot be used. Give \
             an address where you read your own mail."
        }
        Account::Closed => "Ask the operator of this server to sign you up.",
        Account::WrongCode => {
            "Copy the whole code from the newest mail that has one. A code works once, within a day."
        }
        Account::UsedLink => "Ask for a new link.",
        Account::TooManyCodes => {
            "Use the code in the newest of those mails, or wait until tomorrow."
        }
        Account::TooManyLinks => "Sign in with your password, or wait until tomorrow.",
        Account::BadBrowser => {
            "Its push service is not one that we can reach. Update the browser, or use another one."
        }
        Account::TooManyKeys(_) => "Revoke a key that you no longer need.",
        Account::TooManyToUser { .. } => {
            "You can still play with them, and write a message with each move."
        }
        Account::TooManyMarked(_) => "Take somebody off the list first, in your settings.",
        Account::MarksSelf(_) => "Open the page of another player.",
        Account::NotMarked(..) => "Your settings list the players that you have marked.",
        Account::BlockedByYou(other) => {
            let advice = format!("To play with {other} again, unblock them on their page.");
            return capitalize_and_join(refusal, &advice);
        }
        Account::LongProfile(_) => "Write less.",
        Account::PasswordInProfile => "Write something else: everybody sees your profile.",
        Account::TooNew => "Until then, write to single players on their pages.",
        Account::OnlyPrograms => return "The program does not play against itself.".into(),
        Account::NoProgram(game) => {
            let specs = GAMES.iter().map(|game| game.spec());
            let known: Vec<&str> =
                specs.filter(|spec| spec.manner.levels > 0).map(|spec| spec.title).collect();
            let advice = format!("It plays {}. Or {}.", AndList(&known), other_opponents(game));
            return capitalize_and_join(refusal, &advice);
        }
        Account::NoEngine(_) => "Choose a lower level, or Anybody.",
        Account::PlayedAlone(_) => "Press the button that begins it for you alone.",
        Account::SamePlayer(game) => {
            return format!(
                "You cannot play yourself. Name a friend, or {}.",
                other_opponents(game)
            );
        }
        Account::TooManyUnanswered(_) => {
            "Wait for the first move on one of those boards, withdraw one, or play somebody else."
        }
        Account::TakesNoChallenges(_) => {
            return join_advice(refusal, "Play somebody else, or choose Anybody.");
        }
        Account::AtLimit(..) => {
            return join_advice(
                refusal,
                "Wait until one of these boards is over, or choose Anybody.",
            );
        }
        Account::Unproved(_) => {
            "Confirm your address: open the link in the mail that you got when you signed up."
        }
        Account::TooManyStrangers(_) => {
            return join_advice(refusal, "Try again tomorrow, or confirm your address first.");
        }
        Account::TooManyToday
        | Account::TooManyMessages
        | Account::BroadcastToday
        | Account::TooManySignups => "Wait until tomorrow.",
        Account::NotForGuests | Account::TooManyGuestBoards | Account::TooManyGuests => {
            "Sign up to go on. The boards that you have played as a guest then become yours."
        }
        Account::GuestsPlayProgram => "Choose a player who has signed up, or the program.",
        Account::NoGuests => "Sign in, or ask the operator of this server to sign you up.",
        Account::TooManyNewcomers => "Try again in an hour.",
        Account::NotAuthenticated | Account::NotAPlayer => {
            return "You can begin a board only as one of its players. Sign in first.".into();
        }
        Account::UnknownSender
        | Account::PlayerNotNamed(_)
        | Account::NotRegistered(_)
        | Account::AmbiguousSender { .. } => return "Sign in first.".into(),
    };
    capitalize_and_join(refusal, advice)
}

/// Returns the other ways to find an opponent, as a clause.
fn other_opponents(game: &str) -> &'static str {
    let levels = games::find(game).map_or(0, |game| game.spec().manner.levels);
    if levels > 0 { "choose Anybody or Program" } else { "choose Anybody" }
}

#[expect(clippy::too_many_lines, reason = "one sentence for each refusal")]
fn board(refusal: &BoardRefusal) -> String {
    use BoardRefusal as Board;
    let advice = match refusal {
        Board::Move { error, choice, .. } => {
            let advice = match error {
                MoveError::Ambiguous(readings) => {
                    format!("Write it as {}.", readings.join(" or "))
                }
                _ => legal_moves(choice),
            };
            // It may begin with a move, which keeps its letters.
            return join_advice(&format!("Not possible: {refusal}"), &advice);
        }
        Board::Plan(wrong) => {
            let advice = match wrong.problem {
                PlanProblem::Alone | PlanProblem::Choice | PlanProblem::NoLine { .. } => "",
                _ => "Your plan is as it was before. You can also play lines out on the board.",
            };
            return join_advice(&format!("Not planned: {refusal}"), advice);
        }
        Board::Unknown(_) => "My boards lists the boards that you play.",
        Board::Damaged(_) => "The operator has been told.",
        Board::Private(_) => "Only its two players can see it. If you are one of them, sign in.",
        Board::NotPlaying { .. } => {
            return "You do not play on this board. You can watch it.".into();
        }
        Board::Over(_) => "For another game, press Rematch.",
        Board::NotOver(_) => {
            "A rematch can begin when this game has ended. For a second game at the same time, begin \
             one on My boards."
        }
        Board::NotYourMove { .. } => {
            "The page updates itself when it is your turn. To have a move ready for then, play in \
             advance."
        }
        Board::Stale { .. } => {
            return "The board has changed since you opened this page. Nothing was played: look at the \
                    board as it is now, and move again."
                .into();
        }
        Board::OfferOpen { .. } | Board::OtherOffer { .. } => {
            return join_advice(refusal, "Answer it first: accept or reject it.");
        }
        Board::OfferChanged { .. } => {
            return "The offer to you has changed since you opened this page. Look at it, and accept \
                    or reject it."
                .into();
        }
        Board::OwnOfferOpen { .. } => "Wait for the answer, or withdraw your offer.",
        Board::OwnOffer { .. } => "You can withdraw it.",
        Board::DrawRefused { .. } => {
            return join_advice(refusal, "You can offer one again after the next move.");
        }
        Board::TooLateToDecline { moved, .. } => {
            let advice = "If you do not want to go on, you can resign.";
            return if moved.is_some() {
                join_advice(refusal, advice)
            } else {
                capitalize_and_join(refusal, advice)
            };
        }
        Board::NothingSubmitted(_) => {
            "Preview a move first. A previewed move is dropped when another move is made."
        }
        Board::NeedsNoTime { .. } => return join_advice(refusal, "Play on."),
        Board::ClockStopped { .. } => "Give them time when it is their turn.",
        Board::TooMuchTime(_) => "You can agree to end the game without a result.",
        Board::NoDraws { .. } => return join_advice(refusal, "Play on, or resign."),
        Board::NeverDrawn(_) => "Play on, or resign.",
        Board::TooManyProgramMoves { .. } => "Send your move again.",
        Board::StillPlayed(_) => {
            "It can be analysed when it is over. If your opponent agrees, you both get an analysis of \
             all moves but the last two now: ask for it."
        }
        Board::NothingToAnalyse(_) => {
            "While a game goes on, its last two moves are not analysed. Play on, and ask again."
        }
        Board::NotAnalysable(_) => BoardRefusal::analysed_games(),
        Board::TooManyAnalyses(_) => "Wait until tomorrow.",
        Board::LongMessage { .. } => "Shorten it, or send it in parts.",
        Board::LongNote { .. } => "Shorten it. The note that you had stays as it is.",
        Board::Hidden(_) => "You see all of it when the game is over.",
        Board::NotInThisGame { .. } => "The rules of the game say what you can do.",
        Board::Dice { board, why, instead } => {
            let advice = if instead.is_some() {
                "The browser in which you made the value fills it in: move there. If the value is lost, \
                 say so below the move, or roll without one."
            } else {
                "The help page about dice tells how they are checked."
            };
            let bare = BoardRefusal::Dice { board: *board, why, instead: None };
            return capitalize_and_join(&bare, advice);
        }
        Board::NothingToTakeBack(_)
        | Board::Undone(_)
        | Board::IsPlayer(_)
        | Board::TooManyObservers(_)
        | Board::MailboxSubscribed(_)
        | Board::NoOffer(_)
        | Board::OfferGone(_)
        | Board::NotExported { .. }
        | Board::NoSuchMove { .. }
        | Board::NotWatched(_) => "",
    };
    capitalize_and_join(refusal, advice)
}

/// Returns the legal moves, or how many there are, in sentences.
fn legal_moves(choice: &LegalMoves) -> String {
    let words = &choice.legal;
    let example = choice.example.as_deref().unwrap_or_default();
    match (&words[..], choice.count) {
        ([_, ..], _) if words.len() <= 6 => format!("Your legal moves: {}.", words.join(", ")),
        (_, 0) if example.is_empty() => String::new(),
        (_, 0) => format!("Write a move like {example}."),
        (_, count) => {
            format!("You have {}, for example {example}.", Plural(count, "legal move"))
        }
    }
}

fn seek(refusal: &SeekRefusal) -> String {
    let advice = match refusal {
        SeekRefusal::Damaged(_) => "The operator has been told.",
        SeekRefusal::NotOpen { .. } => {
            "Somebody else may have accepted it. Choose another one, or begin a game yourself."
        }
        SeekRefusal::Rated { .. } | SeekRefusal::NotForYou { .. } => {
            "Choose another one, or begin a game yourself."
        }
        SeekRefusal::Own { .. } => "You can withdraw it.",
        SeekRefusal::None(_) => "Begin a game with Anybody to post one.",
        SeekRefusal::NoRating(..) => {
            "For example, at least 1500 and at most 1700. You can leave out either bound."
        }
        SeekRefusal::TooMany(_) => "Accept one of them.",
        SeekRefusal::TooManyToday => "Wait until tomorrow.",
        SeekRefusal::TooManyOpen => "Withdraw one, or wait until somebody accepts one.",
        SeekRefusal::TooManyListeners(_) => {
            "You can get the mails of a single board: open it and press the button for its mails."
        }
    };
    capitalize_and_join(refusal, advice)
}

fn vacation(refusal: &VacationRefusal) -> String {
    let advice = match refusal {
        VacationRefusal::BadDate(Some(words)) => {
            return format!("{} is not a date. Write it like 2026-12-20.", quoted(words));
        }
        VacationRefusal::BadDate(None) => {
            return "This is not a date. Write it like 2026-12-20.".into();
        }
        VacationRefusal::TwoDates(..) => "Write it like 2026-12-20.",
        VacationRefusal::Past(_) => "Choose today or a later day.",
        VacationRefusal::Backwards(..) => "Choose a last day that is not before the first.",
        VacationRefusal::TooFar(_) => "Choose an earlier last day.",
        VacationRefusal::TooLong(_) => {
            "A day that has begun counts as a whole day. Choose an earlier last day."
        }
        VacationRefusal::None => "Your clocks are running.",
        VacationRefusal::LastDay(_, zone) => {
            let ends = format!("It ends by itself at midnight {zone}.");
            return capitalize_and_join(
                refusal,
                &format!("{ends} A day that has begun cannot be taken back."),
            );
        }
        VacationRefusal::NotThen { left, .. } => {
            let days: Vec<String> =
                left.iter().map(|one| format!("{} to {}", one.from, one.to)).collect();
            return capitalize_and_join(refusal, &format!("Your vacations: {}.", days.join(", ")));
        }
    };
    capitalize_and_join(refusal, advice)
}

fn rest(refusal: &RestRefusal) -> String {
    let advice = match refusal {
        RestRefusal::NoPlace { .. } => {
            format!("Name a large city of your zone instead. {}", refusal.choices())
        }
        RestRefusal::SeveralPlaces(_) => refusal.choices(),
        RestRefusal::UnknownPlace { .. } => {
            format!("{} Name a large city of your zone.", refusal.choices())
        }
        RestRefusal::BadDays(_) => "Choose days of the week.".into(),
        RestRefusal::BadNight(_) => "Write its hours like 22:00 and 07:00.".into(),
        RestRefusal::TooManyDays(_) | RestRefusal::LongNight(_) => {
            "Otherwise your opponents would wait too long.".into()
        }
    };
    capitalize_and_join(refusal, advice.trim())
}

fn syntax(refusal: &SyntaxRefusal) -> String {
    use SyntaxRefusal as Syntax;
    let advice = match refusal {
        Syntax::NoMove { choice, .. } => {
            let advice = choice.as_deref().map(legal_moves).unwrap_or_default();
            let message = "Messages have a field of their own.";
            return capitalize_and_join(refusal, format!("{advice} {message}").trim());
        }
        Syntax::TwoMoves(..) => "Write one move.",
        Syntax::LookAlike { meant, .. } => {
            return capitalize_and_join(refusal, &format!("Type it with Latin letters: {meant}."));
        }
        Syntax::LateDecline => "If you do not want to go on, you can resign.",
        Syntax::EmptyReply => return "Choose a move on the board, or write one.".into(),
        Syntax::OnlyLive { .. } => "It is not played on these pages.",
        Syntax::UnknownGame { .. } => "The first page lists all games.",
        Syntax::Option { error, .. } | Syntax::Setting { error: Some(error), .. } => {
            return capitalize_and_join(&option_error(error), "");
        }
        Syntax::NothingAsked | Syntax::Setting { error: None, .. } => "",
        Syntax::SmallCap { .. } => "Choose a cap that is no less than the bank.",
        Syntax::LateReminder { .. } => "Choose an earlier reminder, or more days for a move.",
        Syntax::NoPosition(_) => "Leave the position empty.",
        Syntax::Usage { what, .. } => return capitalize_and_join(what, ""),
        Syntax::ForeignWord(_)
        | Syntax::GameFirst { .. }
        | Syntax::NoCommand
        | Syntax::UnknownWord { .. }
        | Syntax::UnknownVerb { .. }
        | Syntax::MaybeQuoted(_)
        | Syntax::EmptyMultiple
        | Syntax::LongMultiple(_)
        | Syntax::ForeignTag
        | Syntax::NoReplyTag { .. }
        | Syntax::NoBoardOfDigest(_)
        | Syntax::OldDigest
        | Syntax::VoidOptOut
        | Syntax::Mail(_) => {
            return "I could not read this as a move. Choose a move on the board, or press one of the \
                    buttons."
                .into();
        }
    };
    capitalize_and_join(refusal, advice)
}

/// Returns what is wrong with an option or a setting. Fields have no dashes.
fn option_error(error: &OptionError) -> String {
    let bare = |name: &str| name.trim_start_matches('-').replace('_', " ");
    match error {
        OptionError::Unknown(_) => "this game has no such option".into(),
        OptionError::Value { name, takes } => {
            format!("{}: choose {takes}", capitalized(&bare(name)))
        }
        OptionError::Twice(name) => format!("the option {} was chosen twice", bare(name)),
        OptionError::Together(one, other) => {
            format!("the options {} and {} exclude each other: choose one", bare(one), bare(other))
        }
    }
}
