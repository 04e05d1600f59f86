//! Runs a script of `tests/python` in its virtual environment.

use std::process::Stdio;

use latimer_e2e::{PROGRAM, program};
use tokio::process::Command;

/// A script, not started yet.
pub(crate) fn script(environment: &str, name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program::python(environment));
    command
        .arg(program::repository().join("tests/python").join(name))
        .args(arguments)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    command
}

/// Runs a script to its end, which must be a good one.
pub(crate) async fn run(environment: &str, name: &str, arguments: &[&str]) {
    let running = script(environment, name, arguments).output();
    let output = tokio::time::timeout(PROGRAM, running).await;
    let output =
        output.unwrap_or_else(|_| panic!("{name} takes longer than {PROGRAM:?}")).expect("Python starts");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name} ended with {}:\n{out}{err}", output.status);
}
