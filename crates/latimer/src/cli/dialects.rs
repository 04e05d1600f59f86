//! `latimer dialects`: what this program speaks.

use std::io::Write;

use latimer_dialects::DIALECTS;

use super::table::table;
use crate::exit::Ended;

pub(super) fn dialects() -> Ended {
    let rows = DIALECTS
        .iter()
        .map(|entry| vec![entry.name.to_owned(), entry.robots.to_owned(), entry.protocols.to_owned()]);
    Ok(writeln!(std::io::stdout(), "{}", table(&["dialect", "robots", "how it travels"], rows))?)
}
