//! How answers come into a home: the configuration, the password of the mailbox, and the administrator.

use crate::base::ids::UserId;
use crate::config::Config;
use crate::config::setup::answers::PASSWORD_FILE;
use crate::config::setup::{Answers, DeliverAnswer};
use crate::shell::cli::{ActOptions, ModerateJob};
use crate::shell::repairs::{moderation, user};
use crate::shell::{CommandError, Machine, settings};
use crate::store::{operator_files, settings as files};
use std::path::Path;

/// Returns the configuration with these answers.
///
/// # Errors
/// An answer is invalid.
pub(crate) fn configuration(answers: &Answers) -> Result<String, CommandError> {
    answers.configuration().map_err(|wrong| CommandError::Usage(wrong.why))
}

/// Writes everything: the configuration last, since with it the home is set up. `make_administrator` is done
/// as if the configuration were written.
pub(crate) fn finish(
    home: &Path,
    answers: &Answers,
    make_administrator: impl FnOnce() -> Result<(), CommandError>,
) -> Result<Config, CommandError> {
    let text = configuration(answers)?;
    let config = settings::parse_draft(home, &text)?;
    write_password(answers)?;
    settings::hold(home, &config);
    let made = make_administrator();
    settings::release();
    made?;
    files::rewrite(home, &text)?;
    Ok(config)
}

/// Writes the password of the mailbox into its file, if it is among the answers.
fn write_password(answers: &Answers) -> Result<(), CommandError> {
    if let (Some(password), DeliverAnswer::Provider { password_file, .. }) =
        (&answers.password, &answers.deliver)
    {
        operator_files::replace_secret(Path::new(password_file), &format!("{password}\n"))?;
    }
    Ok(())
}

/// Does work that reads the password of the mailbox from its file, which is there only meanwhile.
///
/// # Errors
/// The file cannot be written or removed, or the work failed.
pub(crate) fn with_password<T>(
    answers: &Answers,
    work: impl FnOnce() -> Result<T, CommandError>,
) -> Result<T, CommandError> {
    write_password(answers)?;
    let done = work();
    let removed = match (&answers.password, &answers.deliver) {
        (Some(_), DeliverAnswer::Provider { password_file, .. }) => {
            operator_files::remove_if_any(Path::new(password_file))
        }
        _ => Ok(()),
    };
    let done = done?;
    removed?;
    Ok(done)
}

/// Removes the password of a mailbox from a home whose configuration does not name it yet.
pub(crate) fn remove_password(home: &Path) -> Result<(), CommandError> {
    Ok(operator_files::remove_if_any(&home.join(PASSWORD_FILE))?)
}

/// Adds a user with a password, or with a new one that is printed.
pub(crate) fn add_user(
    home: &Path,
    id: &UserId,
    address: Option<&str>,
    password: Option<String>,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let addresses: Vec<String> = address.into_iter().map(str::to_owned).collect();
    user::add(home, id, &user::addresses_of(&addresses)?, password, machine)?;
    Ok(())
}

/// Makes a user an administrator.
pub(crate) fn appoint(home: &Path, id: &UserId, machine: &mut Machine) -> Result<(), CommandError> {
    let options = ActOptions { subject: id.to_string(), why: vec!["setup".to_owned()] };
    moderation::moderate(home, ModerateJob::Appoint(options), machine)?;
    Ok(())
}
