//! Users as `latimer user` makes them.

use std::process::Stdio;

use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use crate::program;

/// What `latimer user` prints for a user whose password is its name.
pub async fn entry(user: &str, grants: &[&str]) -> String {
    let mut command = Command::new(program::latimer());
    command.args(["user", user]).args(grants.iter().flat_map(|grant| ["--grant", grant]));
    let mut running =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut password = running.stdin.take().expect("it is piped");
    password.write_all(user.as_bytes()).await.expect("it reads");
    drop(password);
    let output = running.wait_with_output().await.expect("it ends");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("it is text")
}
