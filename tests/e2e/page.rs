//! The page in Debian's chromium: what `make browser-test` runs, as one test, so that nextest gives it a core of its own.

use std::process::Stdio;

use latimer_e2e::program;
use tokio::process::Command;

#[tokio::test]
async fn passes_its_tests_in_a_browser() {
    let output = Command::new("npm")
        .args(["run", "--silent", "browser-test"])
        .current_dir(program::repository().join("ui"))
        .env("LATIMER", program::latimer())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .expect("npm starts");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    println!("{out}{err}");
    assert!(
        output.status.success(),
        "tests of the page fail, listed above; each by itself: cd ui && npx playwright test NAME"
    );
}
