//! `all show`: a user's boards in progress in all games.

use crate::base::ids::UserId;
use crate::command::view::games::BoardSelector;
use crate::command::view::show;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, Verb, VerbScope,
};
use crate::model::world::World;
use crate::refusal::Refusal;
use crate::reply::{BoardDrawing, DisplayAnswer, Listing, OpenChallenges};
use games::{AnyGame, GAMES};

pub(crate) const VERB: Verb = Verb {
    name: "all",
    aliases: &[],
    scope: VerbScope::Server,
    usage: "show <userid> [next|active]",
    about: "a user's boards in progress in all games; next: where it is their turn",
    reply: None,
    parse,
};

#[derive(Debug)]
struct AllShowCommand {
    user: UserId,
    selector: BoardSelector,
}

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    if !words.word("the word `show`")?.eq_ignore_ascii_case("show") {
        return Err(words.usage_error("after `all` write `show`"));
    }
    let user = words.userid()?;
    let selector = match words.peek().map(str::to_ascii_lowercase).as_deref() {
        None => BoardSelector::Active,
        Some("active") => words.word("active").map(|_| BoardSelector::Active)?,
        Some("next") => words.word("next").map(|_| BoardSelector::Next)?,
        Some(_) => {
            return Err(words.usage_error("after the userid only `next` or `active` can follow"));
        }
    };
    words.expect_end()?;
    Ok(Box::new(AllShowCommand { user, selector }))
}

impl Command for AllShowCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        let games = games::names();
        Needs::BoardsOfUsers(vec![self.user.clone()], games.collect())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let users = std::slice::from_ref(&self.user);
        let of =
            |game: &&'static dyn AnyGame| Ok((*game, self.selector.pick(world, cx, *game, users)?));
        let mut lists = GAMES.iter().map(of).collect::<Result<Vec<_>, Refusal>>()?;
        if lists.iter().map(|(_, boards)| boards.len()).sum::<usize>() > show::MAX_SHOWN_BOARDS {
            lists.retain(|(_, boards)| !boards.is_empty());
            return Ok(Listing::InProgress(lists, OpenChallenges::default()).into());
        }
        let boards = lists.into_iter().flat_map(|(_, boards)| boards);
        let shown = boards.map(|board| BoardDrawing { board, after: None, seat: None });
        Ok(DisplayAnswer::Boards(shown.collect()).into())
    }
}
