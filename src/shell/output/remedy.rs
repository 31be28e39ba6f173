//! Remedies for faults, printed in the same line as the fault.

use crate::base::shell_words::quoted;
use crate::shell::CommandError;
use crate::store::Fault;
use crate::store::owner::Owner;
use std::io::ErrorKind;
use std::path::Path;

/// Formats an error with its remedy, in one line.
pub fn with_remedy(trouble: &CommandError, home: &Path) -> String {
    match trouble {
        CommandError::Fault(fault) => fault_with_remedy(fault, home),
        other => other.to_string(),
    }
}

/// Formats a fault with its remedy, in one line.
pub fn fault_with_remedy(fault: &Fault, home: &Path) -> String {
    let remedy = match fault.source.kind() {
        ErrorKind::PermissionDenied => denied(&fault.path, home, &Owner::current()),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            Some("make room there; no mail is lost, and you need not do anything else".into())
        }
        ErrorKind::ReadOnlyFilesystem => {
            Some("that disk is read-only: mount it for writing; no mail is lost".into())
        }
        _ => None,
    };
    let remedy = remedy.map(|remedy| format!("; {remedy}")).unwrap_or_default();
    let line = format!("{fault}{remedy}");
    line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Returns who owns a path that the current user may not access.
fn denied(path: &Path, home: &Path, me: &Owner) -> Option<String> {
    if path.starts_with(home)
        && let Some((place, owner)) = Owner::nearest(home)
        && owner.uid != me.uid
    {
        let what = if place == home { "the home".into() } else { place.display().to_string() };
        let Owner { name, .. } = &owner;
        return Some(format!(
            "{what} belongs to {name}, but you are {}: run it as user {name}, as in {}",
            me.name,
            run_as(name, home)
        ));
    }
    let (place, owner) = Owner::nearest(path)?;
    let (place, name) = (place.display().to_string(), &owner.name);
    Some(if owner.uid == me.uid {
        format!("check the permissions of {place} with `ls -ld {}`", quoted(&place))
    } else {
        format!(
            "{place} belongs to {name}, but you are {}: run the command as user {name}, or change \
             the owner with chown",
            me.name
        )
    })
}

/// Returns a warning if root is about to change another user's home.
pub fn root_warning(home: &Path) -> Option<String> {
    let (place, owner) = Owner::nearest(home)?;
    (place == home && owner.uid != 0 && Owner::current().uid == 0).then(|| {
        let Owner { name, .. } = &owner;
        format!(
            "{} belongs to {name}, who cannot use the files that root makes there: run it as user {name}, \
             as in {}",
            home.display(),
            run_as(name, home)
        )
    })
}

/// Shows how root runs a command as the owner of a home.
fn run_as(owner: &str, home: &Path) -> String {
    let [owner, home] = [owner, &home.display().to_string()].map(quoted);
    format!("`runuser -u {owner} -- postboard --home {home} ...`")
}

/// Shows how root gives all files of a home to its owner.
pub fn give_home_to(owner: &str, home: &Path) -> String {
    let [owner, home] = [owner, &home.display().to_string()].map(quoted);
    format!("`chown -R {owner}: {home}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_nothing_into_the_path_of_a_home() {
        let home = Path::new("/srv/$(id)");
        assert_eq!(give_home_to("uid 998", home), "`chown -R 'uid 998': '/srv/$(id)'`");
        assert_eq!(
            run_as("clerk", home),
            "`runuser -u clerk -- postboard --home '/srv/$(id)' ...`"
        );
    }
}
