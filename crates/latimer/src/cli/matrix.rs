//! `latimer matrix`: what a program of each dialect gets of a robot of each family.

use std::collections::BTreeSet;
use std::io::Write;

use clap::Args;
use latimer_dialects::DIALECTS;

use super::table::table;
use crate::exit::{Ended, Exit, Failure};
use crate::matrix::{Matrix, Pair, Support, matrix};
use latimer_wire::words::advice;

/// `latimer matrix`.
#[derive(Debug, Args)]
pub struct MatrixArgs {
    /// The robots' family; every family if not given
    family: Option<String>,
    /// The programs' dialect, to list each message and command
    #[arg(requires = "family")]
    dialect: Option<String>,
    /// Print JSON, as the API sends it
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &MatrixArgs) -> Ended {
    let mut pairs = matrix().pairs;
    for (name, what) in [(&args.family, "family"), (&args.dialect, "dialect")] {
        let Some(name) = name else { continue };
        let of = |pair: &Pair| if what == "family" { pair.family.clone() } else { pair.dialect.clone() };
        if !pairs.iter().any(|pair| of(pair) == *name) {
            let known: BTreeSet<String> = pairs.iter().map(of).collect();
            let hint = advice(name, known.iter().map(String::as_str));
            return Err(Failure::usage(format!("there is no {what} {name}; {hint}")));
        }
        pairs.retain(|pair| of(pair) == *name);
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        let json = serde_json::to_string_pretty(&Matrix { pairs });
        let json = json.map_err(|error| Failure::new(Exit::Failed, error.to_string()))?;
        return Ok(writeln!(out, "{json}")?);
    }
    if args.dialect.is_none() {
        return Ok(writeln!(out, "{}", overview(&pairs))?);
    }
    for pair in &pairs {
        let rows = pair.cells.iter().map(|cell| {
            let name = if cell.is_command { format!("command {}", cell.name) } else { cell.name.clone() };
            vec![name, cell.support.as_str().to_owned(), cell.how.clone().unwrap_or_default()]
        });
        writeln!(out, "{}", table(&["message or command", "support", "how"], rows))?;
        writeln!(out, "\nabsent: {}", pair.absent)?;
    }
    Ok(())
}

/// Each family with each dialect: how many cells are exact, derived and absent.
fn overview(pairs: &[Pair]) -> String {
    let mut families: Vec<&str> = pairs.iter().map(|pair| pair.family.as_str()).collect();
    families.dedup();
    let count = |pair: &Pair| match pair.count(Support::Native) {
        0 => {
            [Support::Exact, Support::Derived, Support::Absent].map(|it| pair.count(it).to_string()).join("/")
        }
        _ => "native".to_owned(),
    };
    let rows = families.into_iter().map(|family| {
        let of = pairs.iter().filter(|pair| pair.family == family).map(count);
        std::iter::once(family.to_owned()).chain(of).collect()
    });
    let head: Vec<&str> = std::iter::once("robot").chain(DIALECTS.iter().map(|entry| entry.name)).collect();
    format!(
        "{}\n\nexact/derived/absent messages and commands; `latimer matrix FAMILY DIALECT` lists them",
        table(&head, rows)
    )
}
