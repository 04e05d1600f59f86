//! `latimer limits`: time-outs and limits of every part of the program, as they are declared.

use std::io::Write;

use clap::Args;
use latimer_dialects::DIALECTS;
use latimer_limits::Limit;
use serde_json::json;

use super::table::table;
use crate::exit::Ended;

/// `latimer limits`.
#[derive(Debug, Args)]
pub struct LimitsArgs {
    /// Print JSON, an object a line
    #[arg(long)]
    json: bool,
}

pub(super) fn limits(args: &LimitsArgs) -> Ended {
    let mut out = std::io::stdout().lock();
    if args.json {
        for (part, Limit { name, value, what }) in all() {
            writeln!(out, "{}", json!({"part": part, "name": name, "value": value(), "what": what}))?;
        }
        return Ok(());
    }
    let rows =
        all().map(|(part, it)| vec![part.to_owned(), it.name.to_owned(), (it.value)(), it.what.to_owned()]);
    Ok(writeln!(out, "{}", table(&["part", "name", "value", "what it limits"], rows))?)
}

/// The crates and dialects, each with what it declares in its `limits.rs`.
fn all() -> impl Iterator<Item = (&'static str, &'static Limit)> {
    let crates = [
        ("core", latimer_core::limits::LIMITS),
        ("latimer", crate::limits::LIMITS),
        ("access", latimer_access::limits::LIMITS),
        ("listen", latimer_listen::limits::LIMITS),
        ("mqtt", latimer_mqtt::limits::LIMITS),
        ("ros1", latimer_ros1::limits::LIMITS),
        ("navigation", latimer_navigation::limits::LIMITS),
        ("world", latimer_world::limits::LIMITS),
        ("dialects", latimer_dialects::limits::LIMITS),
    ];
    let dialects = DIALECTS.iter().map(|dialect| (dialect.name, dialect.limits));
    crates
        .into_iter()
        .chain(dialects)
        .flat_map(|(part, limits)| limits.iter().map(move |limit| (part, limit)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write;
    use std::path::Path;

    use super::*;

    const HEAD: &str = "# Time-outs and limits\n\nGenerated from the constants; `latimer limits` prints those of the program at hand. What a site can \
                        set is in [`config/reference.toml`](../config/reference.toml).\n";

    #[test]
    fn the_reference_lists_what_is_declared() {
        let mut made = HEAD.to_owned();
        let (mut last, mut names) = ("", BTreeSet::new());
        for (part, limit) in all() {
            assert!(names.insert((part, limit.name)), "{part} has {} twice", limit.name);
            if part != last {
                write!(made, "\n## {part}\n\n| | | |\n|---|---|---|\n").unwrap();
                last = part;
            }
            let what = limit.what.replace('|', "\\|");
            writeln!(made, "| `{}` | {} | {what} |", limit.name, (limit.value)()).unwrap();
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/limits.md");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &made).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == made, "docs/limits.md is not what is declared; make it anew with UPDATE_DOCS=1");
    }

    /// What is listed counts as used for the compiler.
    #[test]
    fn each_is_used() {
        let mut sources = String::new();
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut sources);
        let unused: Vec<_> = all().filter(|(_, limit)| !sources.contains(limit.name)).collect();
        assert!(unused.is_empty(), "{unused:?}");
    }

    fn read(folder: &Path, sources: &mut String) {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                read(&path, sources);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = std::fs::read_to_string(path).unwrap();
                if !text.contains("latimer_limits::limits! {") {
                    sources.push_str(&text);
                }
            }
        }
    }
}
