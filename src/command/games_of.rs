//! `games`: which boards somebody plays.

use super::words::{Trust, Words};
use super::{Command, Context, Decision, Needs, Of, Origin, Verb, the_game};
use crate::board::{Board, Status};
use crate::ids::{BoardId, UserId};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::Answer;
use crate::world::World;
use games::{AnyGame, Seat};

pub(super) const VERB: Verb = Verb {
    name: "games",
    aliases: &["boards"],
    of: Of::Game,
    usage: "[<userid> ...] [all|active|inactive|next]",
    about: "the boards of players, a line each; next: where it is their move",
    reply: None,
    parse,
};

/// Which of a player's boards are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Selector {
    All,
    #[default]
    Active,
    Inactive,
    Next,
}

impl Selector {
    fn parse(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "all" => Self::All,
            "active" => Self::Active,
            "inactive" => Self::Inactive,
            "next" => Self::Next,
            _ => return None,
        })
    }

    /// Reads userids and a selector behind them.
    pub(super) fn read(words: &mut Words) -> Result<(Vec<UserId>, Self), Refusal> {
        let rest = words.rest();
        let (names, selector) = match rest.split_last() {
            Some((last, names)) => match Self::parse(last) {
                Some(selector) => (names, selector),
                None => (rest, Self::default()),
            },
            None => (rest, Self::default()),
        };
        let userid = |word: &&str| UserId::parse(word).ok_or(AccountRefusal::BadUserid);
        Ok((names.iter().map(userid).collect::<Result<_, _>>()?, selector))
    }

    /// The boards of a game that fit, for any of these users; of everybody when none is named.
    ///
    /// # Errors
    /// Not all of them are users.
    pub(super) fn pick(
        self,
        world: &World,
        cx: &Context,
        game: &'static dyn AnyGame,
        users: &[UserId],
    ) -> Result<Vec<BoardId>, Refusal> {
        for user in users {
            world.known(user).ok_or(AccountRefusal::NotAllUsers)?;
        }
        let fits = |board: &&Board| {
            board.id.game == game.spec().name
                && (users.is_empty() || users.iter().any(|user| board.seat(user).is_some()))
                && (!board.private || cx.may_see(world, board))
                && match self {
                    Self::All => true,
                    Self::Active => !board.is_over(),
                    Self::Inactive => board.is_over(),
                    Self::Next => match board.status() {
                        Status::ToMove(seat) => {
                            users.is_empty() || users.contains(board.player(seat))
                        }
                        Status::Ended(_) | Status::Closed(_) => false,
                    },
                }
        };
        Ok(world.boards().into_iter().filter(fits).map(|board| board.id).collect())
    }
}

#[derive(Debug)]
pub(super) struct Games {
    pub(super) game: &'static dyn AnyGame,
    pub(super) users: Vec<UserId>,
    pub(super) selector: Selector,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
) -> Result<Box<dyn Command>, Refusal> {
    let (users, selector) = Selector::read(words)?;
    Ok(Box::new(Games { game: the_game(game), users, selector }))
}

impl Command for Games {
    fn needs(&self) -> Needs {
        let game = vec![self.game.spec().name];
        if self.users.is_empty() {
            Needs::BoardsOf(game)
        } else {
            Needs::BoardsOfUsers(self.users.clone(), game)
        }
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let boards = self.selector.pick(world, cx, self.game, &self.users)?;
        Ok(Answer::Boards { game: self.game, boards }.into())
    }
}

impl Context<'_> {
    /// The seat of whoever asks, if a reply token shows it: then he sees his own view.
    pub(super) fn seat_of(&self, board: &Board) -> Option<Seat> {
        match self.trust {
            Trust::Token(of, user) if *of == board.id => board.seat(user),
            _ => None,
        }
    }

    /// Whether whoever asks may see a private board: its players, and the operator.
    pub(super) fn may_see(&self, world: &World, board: &Board) -> bool {
        if matches!(self.trust, Trust::Token(of, _) if *of == board.id) {
            return true;
        }
        if self.proved.as_ref().is_some_and(|user| board.seat(user).is_some()) {
            return true;
        }
        match self.origin {
            Origin::Shell => true,
            Origin::Doubted(_) => false,
            Origin::Mail(address) => board.players.iter().any(|player| {
                world.user(player).is_some_and(|user| user.addresses.contains(address))
            }),
        }
    }
}
