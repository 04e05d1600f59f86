//! What a gateway is troubled by later, and can be known before: entries for nobody, files that others may read or write, few file handles,
//! a clock that is not set, ports that are open to everybody.

use std::path::{Path, PathBuf};

use latimer_core::{Clock, Timestamp};

use crate::config::Config;
use crate::handles;

/// No clock that is set is before this: 2026-01-01. A board without a battery starts in the past.
const SET_AFTER: Timestamp = Timestamp::from_nanos(1_767_225_600 * 1_000_000_000);

/// systemd-timesyncd has this folder, and the file in it once the clock is set by the network.
const TIMESYNC: &str = "/run/systemd/timesync";

/// What is found, each a line for people: what, and what to do.
pub(crate) fn examine(config: &Config, state: Option<&Path>) -> Vec<String> {
    let mut findings = config.doubts();
    for key in &config.insecure {
        findings.push(format!(
            "{key}: other machines reach this listener without encryption or password; give the gateway users ([access]) and certificates ([tls])"
        ));
    }
    findings
        .extend(files(config, state).iter().filter_map(|(path, is_secret)| open_to_others(path, *is_secret)));
    findings.extend(handles::few(handles::most()));
    findings.extend(clock(Clock::system().now(), Path::new(TIMESYNC)));
    findings
}

/// The same at each start, into the log.
pub(crate) fn log(config: &Config, state: Option<&Path>) {
    for finding in examine(config, state) {
        tracing::warn!("{finding}");
    }
}

/// Files that decide about the gateway, and whether what they hold is a secret.
fn files(config: &Config, state: Option<&Path>) -> Vec<(PathBuf, bool)> {
    let mut files = Vec::new();
    files.extend(config.source.iter().map(|it| (it.path.clone(), false)));
    files.extend(config.access.users.iter().map(|it| (it.clone(), true)));
    files.extend(config.tls.key.iter().chain(&config.tls.client_key).map(|it| (it.clone(), true)));
    files.extend(config.tls.client_ca.iter().chain(&config.tls.client_crl).map(|it| (it.clone(), false)));
    files.extend(state.map(|it| (it.to_owned(), false)));
    files
}

/// Who else may write a file, or read a secret one, if anybody may.
#[cfg(unix)]
fn open_to_others(path: &Path, is_secret: bool) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;
    // One that is not there yet is made with the modes of its folder.
    let mode = std::fs::metadata(path).ok()?.permissions().mode();
    let (what, remedy) = match mode {
        mode if mode & 0o002 != 0 => ("write", "o-w"),
        mode if is_secret && mode & 0o004 != 0 => ("read", "o-r"),
        _ => return None,
    };
    let path = path.display();
    Some(format!("{path}: every user of this machine may {what} it; chmod {remedy} {path}"))
}

#[cfg(not(unix))]
fn open_to_others(_: &Path, _: bool) -> Option<String> {
    None
}

/// What is wrong with the clock, by which messages of robots are dated.
fn clock(now: Timestamp, timesync: &Path) -> Option<String> {
    if now < SET_AFTER {
        return Some("the clock of this machine is years behind; set it, e.g. by NTP".into());
    }
    let is_waiting = timesync.is_dir() && !timesync.join("synchronized").exists();
    is_waiting.then(|| {
        "the clock of this machine is not set by the network yet (timedatectl); what robots say is dated by it".into()
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_that_was_never_set_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let nowhere = folder.path().join("none");
        let boot = Timestamp::default().after(Duration::from_secs(60));
        let later = SET_AFTER.after(Duration::from_secs(60));
        assert!(clock(boot, &nowhere).unwrap().contains("years behind"));
        assert_eq!(clock(later, &nowhere), None);
        assert!(clock(later, folder.path()).unwrap().contains("not set by the network"));
        std::fs::write(folder.path().join("synchronized"), "").unwrap();
        assert_eq!(clock(later, folder.path()), None);
    }

    #[cfg(unix)]
    #[test]
    fn files_that_others_may_change_or_secrets_that_they_may_read_are_found() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("users.toml");
        std::fs::write(&file, "").unwrap();
        for (mode, is_secret, expected) in [
            (0o640, true, None),
            (0o644, false, None),
            (0o644, true, Some("read")),
            (0o666, false, Some("write")),
            (0o660, true, None),
        ] {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
            let found = open_to_others(&file, is_secret);
            let says = |word: &str| found.as_ref().is_some_and(|it| it.contains(&format!("may {word} it")));
            assert!(expected.map_or(found.is_none(), says), "{mode:o}: {found:?}");
        }
    }
}
