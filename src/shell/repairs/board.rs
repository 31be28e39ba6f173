//! `board`: the operator's commands for one board.

use crate::base::digest::Digest;
use crate::base::ids::BoardId;
use crate::base::password::Hashing;
use crate::model::world::board_key;
use crate::refusal::{OperatorRefusal, TextError};
use crate::server::repair::RepairError;
use crate::server::{self, Server};
use crate::shell::cli::BoardJob;
use crate::shell::game_tools;
use crate::shell::home::{self, set_up};
use crate::shell::repairs;
use crate::shell::repairs::board_list::{self, BoardFilter};
use crate::shell::settings;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::{StoredDocument, drafts, operator_files};
use std::path::{Path, PathBuf};

/// Runs a `board` command.
pub(crate) fn run(home: &Path, job: BoardJob, machine: &mut Machine) -> Result<Exit, CommandError> {
    match job {
        BoardJob::List { game, in_play, player, json } => {
            let wanted = BoardFilter { game: game.as_deref(), in_play, player: player.as_deref() };
            board_list::list(home, &wanted, json, machine)
        }
        BoardJob::Show { game, number, json } => {
            let id = board_id(&game, number)?;
            if json { stored(home, id, machine) } else { show(home, id, machine) }
        }
        BoardJob::Edit { game, number, from, was } => {
            let id = board_id(&game, number)?;
            edit(home, id, from.as_deref(), was.as_deref(), machine)
        }
        BoardJob::Undo { game, number, moves, new_dice } => {
            let (id, moves) = (board_id(&game, number)?, usize::try_from(moves));
            let moves = moves.unwrap_or(usize::MAX);
            repairs::run(home, machine, |server, files, now| {
                server::repair::undo(server, files, id, moves, new_dice, now)
            })
        }
    }
}

/// Parses the game of a board. Returns the board's id.
fn board_id(game: &str, number: u32) -> Result<BoardId, CommandError> {
    let (game, _) = game_tools::parse_game(&[game.to_owned()]).map_err(CommandError::Usage)?;
    Ok(BoardId { game: game.spec().name, number })
}

/// Prints a board. For a damaged one, prints the damage and the text.
fn show(home: &Path, id: BoardId, machine: &mut Machine) -> Result<Exit, CommandError> {
    let config = settings::load(home)?;
    let files = home::read(home)?;
    let setup = set_up(config, &*files, Hashing::default())?;
    let mut server = Server::new(&setup, &mut machine.chance);
    match server::repair::show_board(&mut server, &*files, id, (machine.clock)()) {
        Ok(text) => {
            machine.out.write_all(text.as_bytes())?;
            Ok(Exit::Done)
        }
        Err(RepairError::Refused(OperatorRefusal::Damaged { file, why })) => {
            let text = files.load_lossy(&board_key(id))?.text.unwrap_or_default();
            write!(machine.out, "{file} cannot be read: {why}\n\n{text}")?;
            if !text.ends_with('\n') {
                writeln!(machine.out)?;
            }
            Ok(Exit::Refused)
        }
        Err(trouble) => Err(trouble.into()),
    }
}

/// Prints the stored document of a board.
fn stored(home: &Path, id: BoardId, machine: &mut Machine) -> Result<Exit, CommandError> {
    settings::load(home)?;
    let files = home::read(home)?;
    let text = files.load_lossy(&board_key(id))?.text;
    let text =
        text.ok_or_else(|| CommandError::Refused(OperatorRefusal::NoBoard(id).to_string()))?;
    let read = server::repair::read_board(&*files, id);
    drop(files);
    machine.out.write_all(text.as_bytes())?;
    // An unreadable file is printed, too, since it is needed for mending it.
    read?;
    Ok(Exit::Done)
}

/// Replaces a board by an edited text. The home is not locked while the operator edits. A refused
/// text is kept.
fn edit(
    home: &Path,
    id: BoardId,
    from: Option<&Path>,
    was: Option<&Path>,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    settings::load(home)?;
    let StoredDocument { text, version } = home::read(home)?.load_lossy(&board_key(id))?;
    let text =
        text.ok_or_else(|| CommandError::Refused(OperatorRefusal::NoBoard(id).to_string()))?;
    let version = match (was, from.map(|from| drafts::base_of(home, from)).transpose()?.flatten()) {
        (Some(path), _) => Some(Digest::of(operator_files::read(path)?)),
        (None, Some(was)) => Some(Digest::of(was)),
        (None, None) => version,
    };
    let (bytes, draft) = edited(home, id, from, &text, machine)?;
    let done = if bytes == text.as_bytes() {
        writeln!(machine.out, "{id}: unchanged")?;
        Ok(Exit::Done)
    } else {
        repairs::run(home, machine, |server, files, now| {
            let found = files.load_lossy(&board_key(id))?;
            let text = String::from_utf8(bytes).map_err(|error| {
                let why = format!("byte {} is not UTF-8", error.utf8_error().valid_up_to() + 1);
                RepairError::from(OperatorRefusal::NoGoodBoard(vec![TextError::of_all(why)]))
            })?;
            server::repair::edit(server, files, id, &found, version, &text, now)
        })
    };
    match (done, draft) {
        (Err(CommandError::Refused(why)), Some(path)) => {
            drafts::save_base(&path, text.as_bytes())?;
            let end = if why.contains('\n') { "\n" } else { "; " };
            Err(CommandError::Refused(format!("{why}{end}{}", kept(&path))))
        }
        (Ok(exit), Some(path)) => {
            if let Err(fault) = operator_files::remove(&path) {
                (machine.warn)(&fault);
            }
            Ok(exit)
        }
        (done, _) => done,
    }
}

/// Gets the new text of a board, and the path of its draft unless it is the operator's own file.
fn edited(
    home: &Path,
    id: BoardId,
    from: Option<&Path>,
    text: &str,
    machine: &mut Machine,
) -> Result<(Vec<u8>, Option<PathBuf>), CommandError> {
    let name = format!("{}-{}.json", id.game, id.number);
    match from {
        Some(path) if path == Path::new("-") => {
            let mut bytes = Vec::new();
            machine.input.read_to_end(&mut bytes)?;
            let draft = drafts::put(home, &name, &bytes)?;
            Ok((bytes, Some(draft)))
        }
        Some(path) => Ok((operator_files::read(path)?, None)),
        None => {
            // An editor may execute what is in files beside the text.
            home::refuse_foreign(home)?;
            let path = drafts::put(home, &name, text.as_bytes())?;
            let edited = (machine.edit)(&path);
            let bytes = operator_files::read(&path)?;
            let is_content = matches!(edited, Ok(true));
            if !is_content && bytes == text.as_bytes() {
                operator_files::remove(&path)?;
            }
            if !edited? {
                let why = OperatorRefusal::EditorFailed.to_string();
                let kept = (bytes != text.as_bytes()).then(|| format!("; {}", kept(&path)));
                return Err(CommandError::Refused(why + &kept.unwrap_or_default()));
            }
            Ok((bytes, Some(path)))
        }
    }
}

/// Tells where the edited text is kept.
fn kept(path: &Path) -> String {
    format!("what you wrote is kept in {}", path.display())
}
