//! The table of counts: `counts.toml` beside.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use anyhow::Context as _;
use serde::Deserialize;

use crate::callgrind::Count;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/counts.toml");

/// A count may differ from the table's by so much of it.
const TOLERANCE_RATIO: f64 = 0.05;

/// What stands above the counts.
const HEAD: &str = "\
# Instructions of one operation, on x86-64. `make counts` fails where one differs by more than 5 %; `make counts ARGS=--update` writes
# the table anew.
";

/// Counts by the names of their scenarios.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub(crate) struct Table(BTreeMap<String, u64>);

impl Table {
    pub(crate) fn read() -> anyhow::Result<Self> {
        let text = fs::read_to_string(PATH).with_context(|| format!("reading {PATH}"))?;
        toml::from_str(&text).with_context(|| format!("in {PATH}"))
    }

    pub(crate) fn write(&self) -> anyhow::Result<()> {
        fs::write(PATH, self.text()).with_context(|| format!("writing {PATH}"))
    }

    fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for (name, instructions) in &self.0 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name} = {instructions}");
        }
        text
    }

    /// Takes in new counts, and drops those whose scenario is not `known`.
    pub(crate) fn replace<'a>(&mut self, counts: &[Count], known: impl Iterator<Item = &'a str>) {
        let known: Vec<_> = known.collect();
        self.0.retain(|name, _| known.contains(&name.as_str()));
        self.0.extend(counts.iter().map(|count| (count.name.to_owned(), count.instructions)));
    }

    /// Prints counts beside the table's; a line for each that left the tolerance.
    pub(crate) fn print(&self, counts: &[Count]) -> Vec<String> {
        println!("{:<20} {:>14} {:>14} {:>9}", "instructions", "now", "in the table", "change");
        for Count { name, instructions, .. } in counts {
            let known = self.0.get(*name);
            let (before, change) = match known {
                Some(before) => {
                    (before.to_string(), format!("{:+.1} %", 100.0 * change(*before, *instructions)))
                }
                None => ("-".to_owned(), "-".to_owned()),
            };
            println!("{name:<20} {instructions:>14} {before:>14} {change:>9}");
        }
        counts.iter().filter_map(|count| self.outside(count)).collect()
    }

    /// What is to be said of a count that left the tolerance.
    fn outside(&self, count: &Count) -> Option<String> {
        let Count { name, instructions, profile } = count;
        let Some(before) = self.0.get(*name) else {
            return Some(format!("counts: {name} is not in the table: make counts ARGS=--update"));
        };
        let change = change(*before, *instructions);
        // In whole instructions: 1,050 beside 1,000 are within 5 %.
        let tolerated = (*before as f64 * TOLERANCE_RATIO).round();
        (instructions.abs_diff(*before) as f64 > tolerated).then(|| {
            let direction = if change > 0.0 { "more" } else { "fewer" };
            format!(
                "counts: {name} takes {:.1} % {direction} instructions than in the table: {instructions} instead of {before}.\n  \
                 Where: callgrind_annotate {}\n  If that is meant: make counts ARGS=--update",
                100.0 * change.abs(),
                profile.display()
            )
        })
    }
}

/// By how much of itself a count grew.
fn change(before: u64, now: u64) -> f64 {
    now as f64 / before.max(1) as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios;

    fn count(name: &'static str, instructions: u64) -> Count {
        Count { name, instructions, profile: "there".into() }
    }

    #[test]
    fn what_leaves_the_tolerance_is_named_with_by_how_much() {
        let table = Table([("a".to_owned(), 1_000)].into());
        let outside = |now| table.print(&[count("a", now)]);
        assert_eq!((outside(1_050), outside(950)), (vec![], vec![]));
        let lines = outside(1_060);
        assert!(
            lines[0].contains("a takes 6.0 % more") && lines[0].contains("1060 instead of 1000"),
            "{lines:?}"
        );
        assert!(outside(900)[0].contains("10.0 % fewer"));
        assert!(table.print(&[count("b", 1)])[0].contains("b is not in the table"));
    }

    #[test]
    fn an_update_replaces_what_was_counted_and_drops_what_is_gone() {
        let mut table = Table([("a".to_owned(), 1), ("b".to_owned(), 2), ("gone".to_owned(), 3)].into());
        table.replace(&[count("a", 7)], ["a", "b"].into_iter());
        assert_eq!(table, Table([("a".to_owned(), 7), ("b".to_owned(), 2)].into()));
        assert_eq!(toml::from_str::<Table>(&table.text()).unwrap(), table);
    }

    #[test]
    fn the_table_has_a_count_for_each_scenario() {
        let table = Table::read().unwrap();
        let mut names: Vec<_> = scenarios::ALL.iter().map(|scenario| scenario.name).collect();
        names.sort_unstable();
        assert_eq!(table.0.keys().collect::<Vec<_>>(), names);
    }
}
