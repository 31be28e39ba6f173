//! `games`: which boards a user plays, of one game or of all.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, Origin, Trust, Verb, VerbScope, required_game,
};
use crate::model::board::{Board, BoardStatus};
use crate::model::world::World;
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::Listing;
use games::{AnyGame, GAMES, Seat};

pub(crate) const VERB: Verb = Verb {
    name: "games",
    aliases: &["boards"],
    scope: VerbScope::Both,
    usage: "[<userid> ...] [all|active|inactive|next]",
    about: "a list of boards; without a game: all of yours",
    reply: None,
    parse,
};

pub(crate) const HISTORY: Verb = Verb {
    name: "history",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "[<userid> ...]",
    about: "the finished boards of everybody, or of these players",
    reply: None,
    parse: parse_history,
};

/// The boards of players that a command is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BoardSelector {
    All,
    #[default]
    Active,
    Inactive,
    Next,
}

impl BoardSelector {
    fn parse(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "all" => Self::All,
            "active" => Self::Active,
            "inactive" => Self::Inactive,
            "next" => Self::Next,
            _ => return None,
        })
    }

    /// Reads userids and a selector after them.
    pub(crate) fn read(words: &mut Arguments) -> Result<(Vec<UserId>, Self), Refusal> {
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
    pub(crate) fn pick(
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
                        BoardStatus::ToMove(seat) => {
                            users.is_empty() || users.contains(board.player(seat))
                        }
                        BoardStatus::Ended(_) | BoardStatus::Closed(_) => false,
                    },
                }
        };
        Ok(world.boards().into_iter().filter(fits).map(|board| board.id).collect())
    }
}

#[derive(Debug)]
pub(crate) struct GamesCommand {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) users: Vec<UserId>,
    pub(crate) selector: BoardSelector,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let (users, selector) = BoardSelector::read(words)?;
    Ok(match game {
        Some(game) => Box::new(GamesCommand { game, users, selector }),
        None => Box::new(AllGamesCommand {
            users,
            selector,
            unnamed: words.usage_error("a userid is missing"),
        }),
    })
}

fn parse_history(
    game: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let userid = |word: &&str| UserId::parse(word).ok_or(AccountRefusal::BadUserid);
    let users = words.rest().iter().map(userid).collect::<Result<_, _>>()?;
    Ok(Box::new(GamesCommand {
        game: required_game(game),
        users,
        selector: BoardSelector::Inactive,
    }))
}

/// The boards of players in all games. Where no words name the players, the sender's address does.
#[derive(Debug)]
struct AllGamesCommand {
    users: Vec<UserId>,
    selector: BoardSelector,
    /// The refusal where no user is named and the sender is unknown.
    unnamed: Refusal,
}

impl Command for AllGamesCommand {
    fn needs(&self) -> Needs {
        let games = GAMES.iter().map(|game| game.spec().name).collect();
        match (&self.users[..], self.selector) {
            ([], BoardSelector::Active | BoardSelector::Next) => Needs::BoardsOfSender,
            // Which boards of the past are asked for is known by userids alone.
            ([], _) => Needs::FromSender,
            (users, _) => Needs::BoardsOfUsers(users.to_vec(), games),
        }
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let users = self.players(world, cx)?;
        let of = |game: &&'static dyn AnyGame| self.selector.pick(world, cx, *game, &users);
        let lists = GAMES.iter().map(of).collect::<Result<Vec<_>, _>>()?;
        let (mut boards, since) = (lists.concat(), |id: &BoardId| {
            world.board(*id).map_or(Time::EPOCH, |board| {
                world.clock(board, cx.now).turn.map_or(Time::NEVER, |turn| turn.end)
            })
        });
        // The board nearest to its end comes first.
        boards.sort_by_key(since);
        Ok(Listing::Everywhere { users, boards }.into())
    }
}

impl AllGamesCommand {
    /// Whose boards are meant.
    fn players(&self, world: &World, cx: &Context) -> Result<Vec<UserId>, Refusal> {
        if !self.users.is_empty() {
            return Ok(self.users.clone());
        }
        let address = cx.origin.address().ok_or_else(|| self.unnamed.clone())?;
        let users: Vec<UserId> =
            world.users_at(address).iter().map(|user| user.id.clone()).collect();
        match self.selector {
            _ if users.is_empty() => Err(AccountRefusal::UnknownSender.into()),
            BoardSelector::Active | BoardSelector::Next => Ok(users),
            BoardSelector::All | BoardSelector::Inactive => {
                Err(AccountRefusal::PlayerNotNamed(users).into())
            }
        }
    }
}

impl Command for GamesCommand {
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
        Ok(Listing::Boards { game: self.game, boards }.into())
    }
}

impl Context<'_> {
    /// The seat of the user who asks, if a reply token shows it: then they see their own view.
    pub(crate) fn seat_of(&self, board: &Board) -> Option<Seat> {
        match self.trust {
            Trust::Token(of, user) if *of == board.id => board.seat(user),
            Trust::Session(user) => board.seat(user),
            _ => None,
        }
    }

    /// The seat of the player whose mail asks: their reply token shows it, or it comes from their
    /// address. What they ask to see is mailed to their registered address, as their turns are, so
    /// that they can answer it.
    pub(crate) fn own_seat(&self, world: &World, board: &Board) -> Option<Seat> {
        let Origin::Mail(address) = self.origin else { return None };
        if matches!(self.trust, Trust::Token(..)) {
            return self.seat_of(board);
        }
        let is_theirs = |seat: &Seat| {
            let user = world.user(board.player(*seat));
            user.is_some_and(|user| user.addresses.contains(address))
        };
        let mut seats = Seat::BOTH.into_iter().filter(is_theirs);
        // Two players may share an address.
        seats.next().filter(|_| seats.next().is_none())
    }

    /// Whether the user who asks may see a private board: its players and the operator may.
    pub(crate) fn may_see(&self, world: &World, board: &Board) -> bool {
        if matches!(self.trust, Trust::Token(of, _) if *of == board.id) {
            return true;
        }
        if self.proved.as_ref().is_some_and(|user| board.seat(user).is_some()) {
            return true;
        }
        match self.origin {
            Origin::Shell => true,
            Origin::Doubted(_) | Origin::Unnamed => false,
            Origin::Web(browser) => {
                browser.user.as_ref().is_some_and(|user| board.seat(user).is_some())
            }
            Origin::Mail(address) => board.players.iter().any(|player| {
                world.user(player).is_some_and(|user| user.addresses.contains(address))
            }),
        }
    }
}
