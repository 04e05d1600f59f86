//! The config's file while the gateway runs: read once nobody writes it any more.

use std::sync::Arc;

use latimer_panics::blocking;

use crate::config::{Config, ConfigSource, read};
use crate::limits::CONFIG_FILE_SECOND_LOOK_DELAY;

/// How often it is looked again.
const LOOKS: usize = 20;

/// What the program is doing when it looks at the file.
const READING: &str = "reading the config";

/// What a file held that is looked at now and then.
pub(super) struct Looks {
    /// What was acted on.
    known: Option<String>,
    /// At the look before.
    before: Option<String>,
    is_missing: bool,
}

impl Looks {
    pub(super) fn new(found: Option<String>) -> Self {
        Self { known: found.clone(), before: found, is_missing: false }
    }

    /// Whether it is missing, or empty, from now on, or is there again; `None` if that is as before. Two looks in a row have to find it so. Called before
    /// [`Self::has_changed`], which keeps what this look has found.
    pub(super) fn went_missing(&mut self, found: Option<&str>) -> Option<bool> {
        let is_nothing = |text: Option<&str>| text.is_none_or(|it| it.trim().is_empty());
        let is_missing = is_nothing(found) && (self.is_missing || is_nothing(self.before.as_deref()));
        if std::mem::replace(&mut self.is_missing, is_missing) == is_missing {
            return None;
        }
        // Whatever it holds when it comes back is read.
        self.known = None;
        Some(is_missing)
    }

    /// Whether the file holds something else than what was acted on, and did so at the look before; it is acted on then.
    pub(super) fn has_changed(&mut self, found: Option<String>) -> bool {
        let is_settled = self.before == found;
        self.before.clone_from(&found);
        // While it is not there, or empty, somebody is writing it.
        if !is_settled || found.as_ref().is_none_or(|it| it.trim().is_empty()) || found == self.known {
            return false;
        }
        self.known = found;
        true
    }
}

/// What a file holds, if it can be read.
pub(super) async fn contents(source: &ConfigSource) -> Option<String> {
    let path = source.path.clone();
    blocking(READING, move || read(&path).ok()).await.ok().flatten()
}

/// Checks the text of a file.
pub(super) async fn parsed(source: &ConfigSource, text: Arc<str>) -> Result<Config, String> {
    let (path, overrides) = (source.path.clone(), source.overrides.clone());
    let check = move || Config::from_text_of(&path, &text, &overrides);
    let checked = blocking("checking the config", check).await.map_err(|panic| panic.to_string())?;
    checked.map_err(|error| error.to_string())
}

/// The text of a file that nobody writes just now.
pub(super) async fn settled(source: &ConfigSource) -> Result<String, String> {
    let look = || {
        let path = source.path.clone();
        async {
            let found = blocking(READING, move || read(&path)).await.map_err(|panic| panic.to_string())?;
            found.map_err(|error| error.to_string())
        }
    };
    let mut before = look().await?;
    for _ in 0..LOOKS {
        tokio::time::sleep(CONFIG_FILE_SECOND_LOOK_DELAY).await;
        let found = look().await?;
        if found == before && !found.trim().is_empty() {
            return Ok(found);
        }
        before = found;
    }
    let is = if before.trim().is_empty() { "empty" } else { "being written" };
    Err(format!("{} is {is}; nothing has changed", source.path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Overrides;

    #[tokio::test]
    async fn a_fault_while_the_config_is_read_or_checked_is_its_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lab.toml");
        std::fs::write(&path, "[http]\n").unwrap();
        let source = ConfigSource { path, overrides: Overrides::default(), text: "".into() };
        latimer_panics::fail_next(READING);
        let error = settled(&source).await.unwrap_err();
        assert!(error.contains("while reading the config"), "{error}");
        let text: Arc<str> = settled(&source).await.unwrap().into();
        latimer_panics::fail_next("checking the config");
        let error = parsed(&source, text.clone()).await.map(|_| ()).unwrap_err();
        assert!(error.contains("while checking the config"), "{error}");
        assert!(parsed(&source, text).await.is_ok());
    }

    #[test]
    fn a_file_that_stays_empty_is_noted_and_read_when_it_is_back() {
        let mut looks = Looks::new(Some("[a]\n".to_owned()));
        let mut sees = |text: Option<&str>| {
            let missing = looks.went_missing(text);
            (missing, looks.has_changed(text.map(str::to_owned)))
        };
        assert_eq!(sees(Some("")), (None, false), "an editor writes it");
        assert_eq!(sees(Some("")), (Some(true), false));
        assert_eq!(sees(None), (None, false));
        assert_eq!(sees(Some("[a]\n")), (Some(false), false));
        assert_eq!(sees(Some("[a]\n")), (None, true), "whatever was said of it before");
        assert_eq!(sees(Some("[a]\n")), (None, false));
    }

    #[test]
    fn a_file_is_acted_on_once_two_looks_find_the_same() {
        let whole = || Some("[a]\n[b]\n".to_owned());
        let mut looks = Looks::new(whole());
        let mut sees = |text: Option<&str>| looks.has_changed(text.map(str::to_owned));
        assert!(!sees(Some("[a]\n[b]\n")), "it is as it was");
        // An editor truncates it, and writes it in two pieces.
        assert!(!sees(Some("")) && !sees(Some("")) && !sees(Some("[a]\n")) && !sees(Some("[a]\n[b]\n")));
        assert!(!sees(Some("[a]\n[b]\n")), "nothing has come of it");
        // Another file takes its place.
        assert!(!sees(None) && !sees(None) && !sees(Some("[c]\n")));
        assert!(sees(Some("[c]\n")) && !sees(Some("[c]\n")), "once");
        assert!(!sees(Some("[d]\n")) && !sees(Some("[c]\n")) && !sees(Some("[c]\n")));
    }
}
