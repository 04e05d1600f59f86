//! The program as people use it: spawned, asked, stopped.

mod start;

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use crate::program::{Demo, Guarded, finish, latimer, run, stderr, stdout};

fn code(output: &std::process::Output) -> Option<i32> {
    output.status.code()
}

/// A file in a folder of this test run.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[tokio::test]
async fn the_demo_shows_where_each_robot_is_on_a_small_terminal_and_the_page_last() {
    let demo = Demo::start(&[]);
    let line = |word: &str| demo.table.lines().find(|line| line.contains(word)).unwrap_or_default().trim();
    assert!(line("pubsub").starts_with("misty-1"), "{}", demo.table);
    assert!(line("pubsub").ends_with(&format!("ws://127.0.0.1:{}/pubsub", demo.port + 1)), "{}", demo.table);
    assert_eq!(demo.table.lines().filter(|line| line.starts_with("axbot-1")).count(), 1, "{}", demo.table);
    assert!(line(" echo ").contains(&format!("--gateway 127.0.0.1:{}", demo.port)), "{}", demo.table);
    // Where this program lies is not a matter of the table.
    let program = env!("CARGO_BIN_EXE_latimer");
    let widths = demo.table.lines().map(|line| line.replace(program, "latimer").chars().count());
    assert!(widths.max() <= Some(80), "{}", demo.table);
    let last = demo.table.lines().last().unwrap_or_default();
    assert!(last.contains(&demo.url("/")), "{}", demo.table);
    let health = reqwest::get(demo.url("/api/v1/health")).await.unwrap();
    assert_eq!(health.status().as_u16(), 200);

    let url = line("curl ").strip_prefix("curl ").expect("a line to paste").to_owned();
    assert!(reqwest::get(&url).await.unwrap().status().is_success(), "{url}");
}

#[test]
fn topics_info_and_commands_explain_a_robot() {
    let demo = Demo::start(&[]);
    let topics = demo.ask(&["topics", "misty-1"]);
    let line = |key: &str| {
        let line =
            stdout(&topics).lines().find(|line| line.starts_with(&format!("{key} "))).map(str::to_owned);
        line.unwrap_or_else(|| panic!("{key} is not in {}", stdout(&topics)))
    };
    assert!(line("misty-1/battery").contains("Charge, voltage, current."), "{topics:?}");
    let imu = line("misty-1/imu");
    let rate = imu.split_whitespace().nth(2).and_then(|rate| rate.strip_suffix("/s")?.parse::<u32>().ok());
    assert!(rate > Some(1), "{imu}");
    assert!(stdout(&topics).lines().skip(1).all(|line| line.starts_with("misty-1/")), "{topics:?}");

    let info = demo.ask(&["info", "misty-1/battery"]);
    let said = stdout(&info);
    for words in [
        "state: Charge",
        "misty-1 (misty, simulated)",
        "journal gateway",
        "BatteryCharge",
        "/battery_state",
        "voltage_v",
        " V ",
    ] {
        assert!(said.contains(words), "{words} is not in {said}");
    }
    let robot = stdout(&demo.ask(&["info", "misty-1"]));
    for words in [
        "misty-1     a robot of the family misty, simulated in this gateway",
        "served      as ",
        "battery",
        "bounds      none by the config",
        "priority    page 10",
        "motion      ",
        "stop        none is open",
        "latimer trace misty-1",
    ] {
        assert!(robot.contains(words), "{words} is not in {robot}");
    }
    let commands = demo.ask(&["commands", "axbot-1"]);
    let navigate = stdout(&commands).lines().find(|line| line.starts_with("navigate ")).map(str::to_owned);
    assert!(navigate.is_some_and(|line| line.contains("[accuracy_m]")), "{commands:?}");

    for (words, exit, hint) in [
        (["topics", "misti-1"], 1, "did you mean `misty-1`?"),
        (["commands", "misti-1"], 1, "did you mean `misty-1`?"),
        (["info", "misty-1/batery"], 2, "did you mean `battery`?"),
        (["info", "misti-1"], 1, "did you mean `misty-1`?"),
        (["info", "misty-1/**"], 2, "latimer topics"),
    ] {
        let asked = demo.ask(&words);
        assert!(code(&asked) == Some(exit) && stderr(&asked).contains(hint), "{words:?}: {asked:?}");
    }
}

#[test]
fn conditions_that_could_never_hold_are_errors() {
    let demo = Demo::start(&[]);
    for (condition, hint) in [
        ("range.distance_m > abc", "is a number"),
        ("battery.charge_ratio > 50kg", "one of: %"),
        ("navigation.state == flying", "did you mean `moving`?"),
        ("range.distance_m > range.max_m", "another field"),
        ("(range.distance_m > 1", "without a )"),
    ] {
        let echo = demo.ask(&["echo", "**", "--where", condition]);
        assert!(code(&echo) == Some(2) && stderr(&echo).contains(hint), "{condition}: {echo:?}");
    }
    let either =
        "battery.charge_ratio > 200% or (battery.voltage_v > 1000mV and battery.charge_ratio <= 100%)";
    let echo = demo.ask(&["echo", "misty-1/battery", "--where", either, "-n", "1"]);
    assert!(code(&echo) == Some(0) && stdout(&echo).contains("misty-1/battery"), "{echo:?}");
}

#[test]
fn a_drive_is_followed_to_its_end() {
    let demo = Demo::start(&["--speed", "10"]);
    let there = demo.ask(&["send", "axbot-1", "goto", "9.5", "4.0"]);
    let said = stdout(&there);
    assert!(
        code(&there) == Some(0) && said.starts_with("accepted\n") && said.ends_with(" succeeded\n"),
        "{there:?}"
    );
    let nowhere = demo.ask(&["send", "axbot-1", "goto", "90", "90"]);
    assert!(code(&nowhere) == Some(1) && stderr(&nowhere).contains("outside the map"), "{nowhere:?}");
    let sent = demo.ask(&["send", "axbot-1", "goto", "9.0", "3.0", "--no-wait"]);
    assert_eq!((code(&sent), stdout(&sent)), (Some(0), "accepted\n".into()), "{sent:?}");
}

#[test]
fn robots_echo_and_hz_show_what_a_robot_says() {
    let demo = Demo::start(&[]);
    let robots = demo.ask(&["robots"]);
    assert!(stdout(&robots).contains("misty-1") && stdout(&robots).contains("up"), "{robots:?}");

    let echo = demo.ask(&["echo", "misty-1/imu", "-n", "3"]);
    assert_eq!((code(&echo), stdout(&echo).lines().count()), (Some(0), 3), "{echo:?}");
    assert!(stdout(&echo).contains("orientation.yaw_rad="), "{echo:?}");

    let json = demo.ask(&["echo", "misty-1/battery", "-n", "1", "--json"]);
    let update: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(update["data"]["charge_ratio"].is_f64(), "{update}");

    let misty = demo.ask(&["echo", "misty-1/battery", "-n", "1", "--as", "misty"]);
    assert!(stdout(&misty).contains("BatteryCharge"), "{misty:?}");

    let placed = demo.ask(&["echo", "axbot-1/pose", "--in", "misty-1/base_link", "-n", "1"]);
    assert!(stdout(&placed).contains("frame=misty-1/base_link"), "{placed:?}");

    let near =
        ["echo", "misty-1/range/**", "--where", "range.distance_m < 100", "--pick", "distance_m", "-n", "2"];
    let near = demo.ask(&near);
    assert!(
        stdout(&near).lines().all(|line| line.contains("distance_m=") && !line.contains("status")),
        "{near:?}"
    );

    let hz = demo.ask(&["hz", "misty-1/imu", "-n", "30"]);
    assert!(stdout(&hz).contains("average rate: ") && stdout(&hz).contains("std dev"), "{hz:?}");
}

#[test]
fn send_and_poke_tell_what_became_of_it() {
    let demo = Demo::start(&[]);
    let ok = |args: &[&str]| {
        let output = demo.ask(args);
        assert_eq!(code(&output), Some(0), "{args:?}: {output:?}");
    };
    ok(&["send", "misty-1", "drive", "0.1", "-0.5", "--for", "500ms"]);
    ok(&["send", "misty-1", "head", "--yaw", "20deg"]);
    ok(&["send", "misty-1", "led", "255", "0", "0"]);
    ok(&["send", "misty-1", "json", r#"{"command":"stop"}"#]);
    ok(&["poke", "misty-1", "battery", "15%"]);

    let watch = latimer(&["echo", "misty-1/contact/**", "-n", "1", "--gateway"])
        .arg(format!("127.0.0.1:{}", demo.port))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut watch = Guarded(watch.unwrap());
    while watch.ended_within(Duration::from_millis(200)).is_none() {
        ok(&["poke", "misty-1", "touch", "head_front", "--for", "100ms"]);
    }
    let seen = finish(watch);
    assert!(stdout(&seen).contains("touch_head_front") && stdout(&seen).contains("contacted="), "{seen:?}");

    let refused = demo.ask(&["poke", "misty-1", "touch", "left_knee"]);
    assert_eq!(code(&refused), Some(4), "{refused:?}");
    let unknown = demo.ask(&["send", "misty-9", "stop"]);
    assert!(code(&unknown) == Some(1) && stderr(&unknown).contains("misty-1"), "{unknown:?}");
}

#[test]
fn wrong_words_are_refused_with_the_right_ones() {
    let demo = Demo::start(&[]);
    for (args, hint) in [
        (vec!["echo", "misty-1/rnge"], "range"),
        (vec!["echo", "misty-1", "--where", "rnge.distance_m < 1"], "range"),
        (vec!["echo", "misty-1", "--as", "mysty"], "misty"),
        (vec!["echo", "axbot-1/pins", "--as", "misty", "-n", "1"], "misty has no message for pins"),
        (vec!["echo", "axbot-1/map", "--as", "miro", "-n", "1"], "miro has no message for map"),
        (vec!["echo", "misty-1/face", "--as", "pera", "-n", "1"], "pera has no message for face"),
        (vec!["echo", "misty-1/imu", "--as", "robotkoop", "-n", "1"], "robotkoop has no message for imu"),
        (vec!["echo", "misty-1/face", "--as", "axbot", "-n", "1"], "axbot has no message for face"),
        (vec!["echo", "misty-1/face", "--as", "rosbridge", "-n", "1"], "rosbridge has no message for face"),
        (vec!["echo", "misty-1", "--in", "wrld"], "did you mean `world`"),
        (vec!["echo", "misty-1", "--every", "5"], "500ms"),
        (vec!["send", "misty-1", "drive", "nan"], "finite"),
        (vec!["send", "misty-1", "drve", "1"], "drive"),
        (vec!["send", "misty-1", "json", r#"{"command":"drve"}"#], "drive"),
        (vec!["poke", "misty-1", "battery", "15"], "0% to 100%"),
    ] {
        let output = demo.ask(&args);
        assert_eq!(code(&output), Some(2), "{args:?}: {output:?}");
        assert!(stderr(&output).contains(hint), "{args:?}: {output:?}");
    }
}

#[test]
fn a_reader_that_goes_ends_echo_quietly() {
    let demo = Demo::start(&[]);
    let child = latimer(&["echo", "misty-1/imu", "--gateway", &format!("127.0.0.1:{}", demo.port)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = Guarded(child.unwrap());
    let mut line = String::new();
    BufReader::new(child.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("misty-1/imu"));
    let output = finish(child);
    assert_eq!((code(&output), stderr(&output).as_str()), (Some(0), ""));
}

#[test]
fn a_gateway_that_is_not_there_or_goes_away_is_reported() {
    let nobody = run(&["robots", "--gateway", "127.0.0.1:1"]);
    assert_eq!(code(&nobody), Some(3));
    assert!(stderr(&nobody).contains("latimer demo"), "{nobody:?}");

    let demo = Demo::start(&[]);
    let address = format!("127.0.0.1:{}", demo.port);
    let mut echo = Guarded(
        latimer(&["echo", "misty-1/imu", "--gateway", &address])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap(),
    );
    let mut line = String::new();
    let mut out = BufReader::new(echo.0.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    drop(demo);
    std::io::copy(&mut out, &mut std::io::sink()).unwrap();
    let output = finish(echo);
    assert_eq!(code(&output), Some(3));
    assert!(stderr(&output).contains("went away"), "{output:?}");
}

#[test]
fn robots_and_keys_are_completed_and_a_missing_robot_is_named_at_once() {
    let demo = Demo::start(&[]);
    let completed = |words: &[&str]| {
        let mut command = latimer(&["--", "latimer"]);
        command.args(words).env("COMPLETE", "fish");
        command.env("LATIMER_GATEWAY", format!("127.0.0.1:{}", demo.port));
        let output = command.output().unwrap();
        // What it is stands behind a tab.
        let lines = stdout(&output);
        lines.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect::<Vec<String>>()
    };
    // Who presses TAB does not wait for a gateway on a busy machine, and presses it again.
    let comes = |words: &[&str], expected: &[&str]| (0..20).any(|_| completed(words) == expected);
    assert!(comes(&["send", "mi"], &["miro-1", "misty-1"]));
    assert!(comes(&["info", "misty-1/bat"], &["misty-1/battery"]));
    assert!(comes(&["send", "misty-1", "sto"], &["stop"]));

    let mut command = latimer(&["echo", "mysty-1/imu"]);
    command.env("LATIMER_GATEWAY", format!("127.0.0.1:{}", demo.port)).stderr(Stdio::piped());
    let mut echo = Guarded(command.spawn().unwrap());
    let first = BufReader::new(echo.0.stderr.take().unwrap()).lines().next().unwrap().unwrap();
    assert!(first.contains("no robot is called mysty-1") && first.contains("misty-1"), "{first}");
}
