//! A config's file that changes, without a gateway: for the fuzz target.

use toml::Table;

use super::change::{changes, list, set_list};
use super::config_file::Looks;
use crate::config::{Config, Overrides};

/// Looks at a file that holds one text after the other.
pub fn reload<'a>(texts: impl Iterator<Item = &'a str>) {
    let (mut looks, mut running) = (Looks::new(None), Table::new());
    let (mut before, mut applied) = (None, None);
    for text in texts.take(64) {
        let found = (!text.is_empty()).then(|| text.to_owned());
        let missing = looks.went_missing(found.as_deref());
        let is_new = looks.has_changed(found.clone());
        assert!(!is_new || before == found, "one look alone is acted on");
        assert!(!is_new || missing == Some(false) || applied != found, "a text is acted on once");
        let is_back = missing == Some(false);
        before.clone_from(&found);
        if is_back {
            applied = None;
        }
        if !is_new {
            continue;
        }
        applied = found;
        let Ok(config) = Config::parse("fuzzed.toml", text, &Overrides::default()) else { continue };
        let lists: Vec<_> =
            changes(&running, &config.tables).into_iter().filter(|it| it.len() == 2).collect();
        for path in &lists {
            set_list(&mut running, path, list(&config.tables, path).to_vec());
        }
        for path in &lists {
            assert_eq!(list(&running, path), list(&config.tables, path), "what applies is what was read");
        }
    }
}
