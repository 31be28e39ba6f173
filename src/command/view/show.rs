//! `show`: boards as they are now or after a given move, as pictures or as exports.

use crate::base::ids::{BoardId, UserId};
use crate::command::view::games::BoardSelector;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, Verb, VerbScope,
    required_game,
};
use crate::model::world::{World, board_key};
use crate::refusal::{BoardRefusal, OptionHelp, Refusal, SyntaxRefusal};
use crate::reply::{BoardDrawing, BoardNotice, DisplayAnswer, Listing};
use games::{AnyGame, Format, OptionError, is_dash};

pub(crate) const VERB: Verb = Verb {
    name: "show",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<board>[#<moveno>] ... | <userid> ... [all|active|inactive|next]",
    about: "boards as they are now, or after a move; with `-export=` for programs",
    reply: Some(ReplyScope::Board),
    parse,
};

/// The most boards of one answer.
pub(crate) const MAX_SHOWN_BOARDS: usize = 20;

/// The option that exports a board in another program's format.
const EXPORT: &str = "-export=";

#[derive(Debug)]
struct ShowBoardsCommand {
    game: &'static dyn AnyGame,
    boards: Vec<(BoardId, Option<usize>)>,
    format: Option<&'static Format>,
}

#[derive(Debug)]
struct ShowUsersCommand {
    game: &'static dyn AnyGame,
    users: Vec<UserId>,
    selector: BoardSelector,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let game = required_game(game);
    if words.starts_with_board() {
        let (mut boards, mut format) = (vec![words.board(game)?], None);
        while let Some(word) = words.peek() {
            if word.starts_with(is_dash) {
                words.word("an option")?;
                let named = words.peek().filter(|next| is_value(game, word, next));
                if let Some(name) = named {
                    words.word("a format")?;
                    format = Some(read_format(game, &format!("{EXPORT}{name}"), format.is_some())?);
                } else {
                    format = Some(read_format(game, word, format.is_some())?);
                }
            } else {
                boards.push(words.board(game)?);
            }
        }
        if boards.len() > MAX_SHOWN_BOARDS {
            return Err(
                words.usage_error(format!("you can see at most {MAX_SHOWN_BOARDS} boards at once"))
            );
        }
        return Ok(Box::new(ShowBoardsCommand { game, boards, format }));
    }
    words.peek().ok_or_else(|| words.usage_error("the board number is missing"))?;
    let (users, selector) = BoardSelector::read(words)?;
    if users.is_empty() {
        return Err(words.usage_error("a userid is missing"));
    }
    Ok(Box::new(ShowUsersCommand { game, users, selector }))
}

/// Returns whether `next` is the format of the option before it: `-export mat`.
fn is_value(game: &'static dyn AnyGame, option: &str, next: &str) -> bool {
    let name = option.trim_start_matches(is_dash);
    let asks = EXPORT.trim_matches(['-', '=']).eq_ignore_ascii_case(name.trim_end_matches('='));
    asks && game.spec().formats.iter().any(|format| format.name.eq_ignore_ascii_case(next))
}

/// Returns the format of an option such as `-export=mat`.
fn read_format(
    game: &'static dyn AnyGame,
    word: &str,
    is_repeated: bool,
) -> Result<&'static Format, Refusal> {
    let formats = game.spec().formats;
    let folded = word.to_ascii_lowercase();
    let name = folded.trim_start_matches(is_dash).strip_prefix(EXPORT.trim_start_matches('-'));
    let found = name.and_then(|name| formats.iter().find(|format| format.name == name));
    let known = || {
        let help = |format: &Format| OptionHelp {
            usage: format!("{EXPORT}{}", format.name),
            about: format.about,
        };
        formats.iter().map(help).collect()
    };
    let refused = |error| SyntaxRefusal::Option { error, known: known() };
    match found {
        Some(_) if is_repeated => Err(refused(OptionError::Twice("export")).into()),
        Some(format) => Ok(format),
        None => Err(refused(OptionError::Unknown(word.to_owned())).into()),
    }
}

impl Command for ShowBoardsCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::Keys(self.boards.iter().map(|(board, _)| board_key(*board)).collect())
    }

    fn board(&self) -> Option<BoardId> {
        self.boards.first().map(|(board, _)| *board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let show = |&(id, after): &(BoardId, Option<usize>)| {
            let board = cx.visible_board(world, id)?;
            let made = board.next_move() - 1;
            match after {
                Some(given) if given > made => {
                    Err(BoardRefusal::NoSuchMove { board: id, given, made }.into())
                }
                // The stones shown at the start are not shown again.
                Some(given) if given < made && board.is_hidden() => {
                    Err(BoardRefusal::Hidden(id).into())
                }
                _ => {
                    let after = after.filter(|given| *given < made);
                    Ok(BoardDrawing { board: id, after, seat: cx.seat_of(board) })
                }
            }
        };
        let shown = self.boards.iter().map(show).collect::<Result<Vec<_>, Refusal>>()?;
        if let [BoardDrawing { board, after: None, .. }] = shown[..]
            && self.format.is_none()
            && let Some(seat) = cx.own_seat(world, world.board(board)?)
        {
            return Ok(BoardNotice::Shown { board, seat }.into());
        }
        let Some(format) = self.format else { return Ok(DisplayAnswer::Boards(shown).into()) };
        let export = |shown: &BoardDrawing| {
            let board = world.board(shown.board)?;
            (format.write)(&board.transcript(shown.after))
                .map_err(|why| Refusal::from(BoardRefusal::NotExported { board: shown.board, why }))
        };
        let texts = shown.iter().map(export).collect::<Result<Vec<_>, _>>()?;
        Ok(DisplayAnswer::Exported { game: self.game, text: texts.join("\n") }.into())
    }
}

impl Command for ShowUsersCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::BoardsOfUsers(self.users.clone(), vec![self.game.spec().name])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let boards = self.selector.pick(world, cx, self.game, &self.users)?;
        if boards.len() > MAX_SHOWN_BOARDS {
            return Ok(Listing::Boards { game: self.game, boards }.into());
        }
        let shown = boards.into_iter().map(|id| {
            let seat = world.board(id).ok().and_then(|board| cx.seat_of(board));
            BoardDrawing { board: id, after: None, seat }
        });
        Ok(DisplayAnswer::Boards(shown.collect()).into())
    }
}
