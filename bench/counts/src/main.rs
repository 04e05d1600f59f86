//! Instruction counts: `latimer-counts [--update] [NAME ...]`, all scenarios without a name.
//!
//! ```text
//! latimer-counts ──a process for each scenario──▶ valgrind ──▶ latimer-counts --run NAME ──▶ counted()
//!       ▲ counts.toml                                └──instructions within counted()──┐
//!       └──────────────── fails if one left the tolerance ◀────────────────────────────┘
//! ```
//!
//! A count says what a change costs, whatever else the machine does: every scenario runs on one thread, with the same input each
//! time. What varies is the order within hash maps, by 0.3 % at most.

mod callgrind;
mod scenarios;
mod table;

use std::hint::black_box;
use std::process::ExitCode;

use anyhow::{Context, ensure};

use scenarios::Scenario;
use table::Table;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match &arguments[..] {
        [run, name] if run == "--run" => find(name).and_then(once).map(|()| true),
        _ => compare(&arguments),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("counts: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn find(name: &str) -> anyhow::Result<&'static Scenario> {
    let known = || scenarios::ALL.iter().map(|scenario| scenario.name).collect::<Vec<_>>().join(", ");
    let found = scenarios::ALL.iter().find(|scenario| scenario.name == name);
    found.with_context(|| format!("there is no scenario {name:?}; there are: {}", known()))
}

/// What valgrind counts: nothing else of the process is.
#[inline(never)]
fn counted(run: &mut dyn FnMut()) {
    run();
    black_box(());
}

/// Runs a scenario under valgrind.
fn once(scenario: &Scenario) -> anyhow::Result<()> {
    let mut run = (scenario.prepare)()?;
    (0..scenario.warm_up).for_each(|_| run());
    counted(&mut || (0..scenario.times).for_each(|_| run()));
    Ok(())
}

/// Counts scenarios and holds them against the table, or writes it; whether all are within the tolerance.
fn compare(arguments: &[String]) -> anyhow::Result<bool> {
    let (options, names): (Vec<_>, Vec<_>) = arguments.iter().partition(|it| it.starts_with("--"));
    let updates = options.iter().any(|it| *it == "--update");
    ensure!(options.len() == usize::from(updates), "usage: latimer-counts [--update] [NAME ...]");
    let chosen = match &names[..] {
        [] => scenarios::ALL.iter().collect(),
        names => names.iter().map(|name| find(name)).collect::<anyhow::Result<Vec<_>>>()?,
    };
    let counts = callgrind::count(&chosen)?;
    let mut table = Table::read()?;
    let outside = table.print(&counts);
    if updates {
        table.replace(&counts, scenarios::ALL.iter().map(|scenario| scenario.name));
        table.write()?;
        return Ok(true);
    }
    outside.iter().for_each(|line| eprintln!("{line}"));
    Ok(outside.is_empty())
}
