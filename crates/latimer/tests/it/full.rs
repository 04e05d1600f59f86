//! Nothing that cannot be written ends in a panic: output that nobody reads, a full disk, a full log.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::{Demo, Guarded, latimer};

use latimer_e2e::PATIENCE;

/// Where each write fails as on a full disk.
fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

/// A pipe whose reader has gone.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

/// The exit code of a command, and what it said on stderr.
fn ended(mut command: Command) -> (i32, String) {
    let mut child = Guarded(command.spawn().unwrap());
    let code = child.ended_within(PATIENCE).unwrap_or_else(|| panic!("{command:?} goes on")).code();
    let mut said = String::new();
    if let Some(mut stderr) = child.0.stderr.take() {
        stderr.read_to_string(&mut said).unwrap();
    }
    (code.unwrap_or(-1), said)
}

/// Runs a command without an output, and without a place for what goes wrong.
fn check(args: &[&str], gateway: Option<&str>) {
    let command = |stdout: Stdio, stderr: Stdio| {
        let mut command = latimer(args);
        if let Some(gateway) = gateway {
            command.env("LATIMER_GATEWAY", gateway);
        }
        command.stdin(Stdio::null()).stdout(stdout).stderr(stderr);
        command
    };
    let (fine, said) = ended(command(Stdio::null(), Stdio::piped()));
    assert!((0..=6).contains(&fine), "{args:?}: {fine}, {said}");

    let (code, said) = ended(command(full(), Stdio::piped()));
    if fine == 0 {
        assert!(
            code == 1 && said.contains("cannot write the output"),
            "{args:?} > /dev/full: {code}, {said}"
        );
    }
    assert!(!said.contains("panicked"), "{args:?} > /dev/full: {said}");
    let (code, said) = ended(command(closed(), Stdio::piped()));
    assert!(code == fine && !said.contains("panicked"), "{args:?} | true: {code}, {said}");
    for (name, stdout, stderr) in [
        ("2> /dev/full", Stdio::null(), full()),
        ("2>&1 | true", closed(), closed()),
        ("&> /dev/full", full(), full()),
    ] {
        let (code, _) = ended(command(stdout, stderr));
        assert!(code == fine || (fine == 0 && code == 1), "{args:?} {name}: {code} instead of {fine}");
    }
    // Closed from the start, as by `>&-`.
    let program = env!("CARGO_BIN_EXE_latimer");
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec \"$0\" \"$@\" >&- 2>&- <&-", program]).args(args).env_remove("RUST_LOG");
    match gateway {
        Some(gateway) => shell.env("LATIMER_GATEWAY", gateway),
        None => shell.env_remove("LATIMER_GATEWAY"),
    };
    assert_eq!(ended(shell).0, fine, "{args:?} >&- 2>&-");
}

#[test]
fn commands_without_a_gateway_end_with_a_code_and_a_message() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("full");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let picture = folder.join("world.png");
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/demo.toml");
    for args in [
        &["--help"][..],
        &["--version"],
        &["help", "world"],
        &["send", "--help"],
        &["fly"],
        &["dialects"],
        &["completions", "bash"],
        &["api", "openapi"],
        &["api", "asyncapi"],
        &["world", "list"],
        &["world", "check", "demo"],
        &["world", "check", "nowhere.toml"],
        &["world", "render", "demo", "-o", picture.to_str().unwrap()],
        &["world", "render", "demo", "-o", "/dev/full"],
        &["check-config", config],
        &["check-config", "nowhere.toml"],
        &["run", "-c", "nowhere.toml"],
        &["robots", "--gateway", "127.0.0.1:1"],
    ] {
        check(args, None);
    }
}

#[test]
fn commands_of_a_running_demo_end_with_a_code_and_a_message() {
    let demo = Demo::start(&["--speed", "5"]);
    let gateway = format!("127.0.0.1:{}", demo.port);
    for args in [
        &["robots"][..],
        &["topics", "misty-1"],
        &["info", "misty-1"],
        &["commands", "misty-1"],
        &["echo", "misty-1/imu", "-n", "2"],
        &["echo", "nobody/imu", "-n", "1", "--gateway", "127.0.0.1:1"],
        &["hz", "misty-1/imu", "-n", "5"],
        &["send", "misty-1", "led", "255", "0", "0"],
        &["send", "misty-1", "drive", "0.1", "0", "--for", "200ms"],
        &["send", "axbot-1", "goto", "1.5", "2", "--no-wait"],
        &["poke", "misty-1", "bump", "front_left"],
        &["world", "door", "workshop", "open"],
        &["estop", "misty-1"],
        &["estop", "misty-1", "--release"],
    ] {
        check(args, Some(&gateway));
    }
}

/// Whether a gateway answers within a while.
async fn answers(port: u16) -> bool {
    for _ in 0..200 {
        let asked = reqwest::get(format!("http://127.0.0.1:{port}/api/v1/robots")).await;
        if asked.is_ok_and(|answer| answer.status().is_success()) {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

#[tokio::test]
async fn a_gateway_goes_on_though_its_output_and_its_log_are_full_or_closed() {
    type Output = fn() -> Stdio;
    for (stdout, stderr) in [(full as Output, full as Output), (closed, closed), (full, closed)] {
        let port = latimer_e2e::ports::free_block();
        let port_base = port.to_string();
        let args = ["demo", "--port-base", &port_base, "--no-open", "--log-level", "debug"];
        let mut command = latimer(&args);
        command.stdin(Stdio::null()).stdout(stdout()).stderr(stderr());
        let mut gateway = Guarded(command.spawn().unwrap());
        assert!(answers(port).await, "it serves");
        // A line of the log for each of them.
        for _ in 0..20 {
            let _ = reqwest::get(format!("http://127.0.0.1:{port}/api/v1/nothing")).await;
        }
        assert!(answers(port).await, "it goes on");
        gateway.signal("-TERM");
        let status = gateway.ended_within(PATIENCE).expect("it ends when it is told to");
        // 1 if where the robots are reached could not be shown; a fault would be 6, a panic 101.
        assert!(matches!(status.code(), Some(0 | 1)), "{status}");
    }
}

#[tokio::test]
async fn commands_go_on_though_their_file_is_full_which_the_log_says_once() {
    let port = latimer_e2e::ports::free_block();
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (config, log) = (folder.join("full-audit.toml"), folder.join("full-audit.log"));
    let text = "[audit]\nfile = '/dev/full'\n[[simulate]]\nrobot = 'misty-1'\nbody = 'misty'\n";
    std::fs::write(&config, text).unwrap();
    let port_base = port.to_string();
    let mut command = latimer(&["run", "-c", config.to_str().unwrap(), "--port-base", &port_base]);
    command.stdout(Stdio::null()).stderr(File::create(&log).unwrap());
    let mut gateway = Guarded(command.spawn().unwrap());
    assert!(answers(port).await, "it serves");
    let address = format!("127.0.0.1:{port}");
    for red in ["1", "2", "3"] {
        let mut sent = latimer(&["send", "misty-1", "led", red, "0", "0", "--gateway", &address]);
        sent.stdout(Stdio::null()).stderr(Stdio::piped());
        assert_eq!(ended(sent), (0, String::new()), "a command is done");
        // Longer than between two looks at what is to be written.
        tokio::time::sleep(Duration::from_millis(700)).await;
    }
    gateway.signal("-TERM");
    assert_eq!(gateway.ended_within(PATIENCE).expect("it ends when it is told to").code(), Some(0));
    let log = std::fs::read_to_string(&log).unwrap();
    assert_eq!(log.matches("the file of commands cannot be written").count(), 1, "{log}");
}
