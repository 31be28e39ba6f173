//! `games` and `history`: lists of boards, of one game or of all.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, Verb, VerbScope, required_game,
};
use crate::model::board::{Board, BoardStatus};
use crate::model::world::World;
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::Listing;
use games::{AnyGame, GAMES};
use std::cmp::Reverse;

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
    about: "the finished boards, the latest first, of everybody or of these players",
    reply: None,
    parse: parse_history,
};

/// The boards that a command is about.
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

    /// Reads userids and a final selector.
    pub(crate) fn read(words: &mut Arguments) -> Result<(Vec<UserId>, Self), Refusal> {
        let rest = words.take_rest();
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

    /// Returns the selected boards of a game, of any of the users, or of everybody if `users` is
    /// empty. Boards that are over are in the order of their ends, the latest first.
    ///
    /// # Errors
    /// A userid is unknown.
    pub(crate) fn pick(
        self,
        world: &World,
        cx: &Context,
        game: &'static dyn AnyGame,
        users: &[UserId],
    ) -> Result<Vec<BoardId>, Refusal> {
        for user in users {
            world.any_user(user).ok_or(AccountRefusal::NotAllUsers)?;
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
        let mut boards: Vec<&Board> = world.boards().into_iter().filter(fits).collect();
        if self == Self::Inactive {
            boards.sort_by_key(|board| Reverse((board.ended_at(), board.id.number)));
        }
        Ok(boards.into_iter().map(|board| board.id).collect())
    }
}

#[derive(Debug)]
pub(crate) struct GamesCommand {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) users: Vec<UserId>,
    pub(crate) selector: BoardSelector,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (users, selector) = BoardSelector::read(words)?;
    Ok(match game {
        Some(game) => boards_of_game(game, users, selector),
        None => Box::new(AllGamesCommand {
            users,
            selector,
            unnamed: words.usage_error("a userid is missing"),
        }),
    })
}

fn parse_history(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let userid = |word: &&str| UserId::parse(word).ok_or(AccountRefusal::BadUserid);
    let users = words.take_rest().iter().map(userid).collect::<Result<_, _>>()?;
    Ok(boards_of_game(required_game(game), users, BoardSelector::Inactive))
}

/// Returns the command that lists boards of a game, those of everybody if `users` is empty.
fn boards_of_game(
    game: &'static dyn AnyGame,
    users: Vec<UserId>,
    selector: BoardSelector,
) -> Box<dyn Command> {
    match selector {
        BoardSelector::Inactive if users.is_empty() => Box::new(LatestFinishedCommand { game }),
        _ => Box::new(GamesCommand { game, users, selector }),
    }
}

/// Lists the boards of a game that ended last.
#[derive(Debug)]
struct LatestFinishedCommand {
    game: &'static dyn AnyGame,
}

/// The most finished boards of a game that are listed.
const MOST_FINISHED: usize = 200;

impl Command for LatestFinishedCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::LatestFinished(self.game.spec().name, MOST_FINISHED)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let game = self.game.spec().name;
        let listed = world.finished(game).take(MOST_FINISHED);
        // A board that cannot be read is for the operator.
        let boards = listed.filter_map(|ended| world.loaded_board(ended.id(game)));
        let seen = boards.filter(|board| !board.private || cx.may_see(world, board));
        let boards = seen.map(|board| board.id).collect();
        let is_all = world.next_finished_part(game).is_none()
            && world.finished(game).count() <= MOST_FINISHED;
        Ok(if is_all {
            Listing::Boards { game: self.game, boards }.into()
        } else {
            Listing::LatestBoards { game: self.game, boards }.into()
        })
    }
}

/// Lists boards in all games. Without userids the sender's address supplies them.
#[derive(Debug)]
struct AllGamesCommand {
    users: Vec<UserId>,
    selector: BoardSelector,
    /// The refusal if no user is named and the sender is unknown.
    unnamed: Refusal,
}

impl Command for AllGamesCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        let games = games::names().collect();
        match (&self.users[..], self.selector) {
            ([], BoardSelector::Active | BoardSelector::Next) => Needs::BoardsOfSender,
            // Finished boards are listed by userid only.
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
        // The board with the nearest deadline comes first.
        boards.sort_by_cached_key(since);
        Ok(Listing::Everywhere { users, boards }.into())
    }
}

impl AllGamesCommand {
    /// Returns the users whose boards are listed.
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
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        let game = vec![self.game.spec().name];
        if self.users.is_empty() {
            Needs::AllBoards(game)
        } else {
            Needs::BoardsOfUsers(self.users.clone(), game)
        }
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let boards = self.selector.pick(world, cx, self.game, &self.users)?;
        Ok(Listing::Boards { game: self.game, boards }.into())
    }
}
