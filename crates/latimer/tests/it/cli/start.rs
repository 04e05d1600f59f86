//! The program as it begins and ends: signals, pace, ports, configs, help, logs.

use std::net::TcpListener;
use std::process::Stdio;
use std::time::Duration;

use latimer_core::Clock;
use latimer_e2e::PATIENCE;

use super::{code, file};
use crate::program::{Demo, Guarded, latimer, run, stderr, stdout};

#[test]
fn the_demo_ends_by_itself_and_by_signals() {
    let clock = Clock::system();
    let mut timed = Demo::start(&["--for", "1s"]);
    assert!(timed.child.ended_within(PATIENCE).unwrap().success());

    for signal in ["-INT", "-TERM"] {
        let mut demo = Demo::start(&["--log-level", "info"]);
        // A subscriber must not keep it from stopping.
        let address = format!("127.0.0.1:{}", demo.port);
        let child = latimer(&["echo", "**", "--gateway", &address])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let _echo = Guarded(child.unwrap());
        std::thread::sleep(Duration::from_millis(300));
        let began = clock.now();
        demo.child.signal(signal);
        let status = demo.child.ended_within(PATIENCE).expect("it stops");
        assert!(clock.now().since(began) < Duration::from_secs(2), "{:?}", clock.now().since(began));
        let printed = demo.child.stderr();
        assert!(
            status.success() && printed.contains("stopped") && !printed.contains("not everything"),
            "{printed}"
        );
    }
}

#[test]
fn the_world_s_pace_is_chosen_at_the_start_and_changed_later() {
    let config = file("pace.toml", "[http]\nlisten = '127.0.0.1:0'\n[world]\nspeed = 0.5\n");
    let config = config.to_str().unwrap();
    let fast = run(&["run", "-c", config, "--speed", "2", "--for", "2s"]);
    assert_eq!(code(&fast), Some(0), "{fast:?}");
    for args in [["run", "-c", config, "--speed", "-1"], ["run", "-c", config, "--speed", "fast"]] {
        let wrong = run(&args);
        assert!(code(&wrong) == Some(2) && stderr(&wrong).contains("from 0 to 100"), "{wrong:?}");
    }

    let demo = Demo::start(&["--speed", "2"]);
    for args in
        [["world", "pause", "--patience=5s"], ["world", "step", "5"], ["world", "resume", "--patience=5s"]]
    {
        let printed = demo.ask(&args);
        assert!(code(&printed) == Some(0) && stdout(&printed) == "done\n", "{args:?}: {printed:?}");
    }
    let refused = demo.ask(&["world", "door", "no-such-door", "open"]);
    assert_eq!(code(&refused), Some(4), "{refused:?}");
    let wrong = demo.ask(&["poke", "misty-1", "door", "front", "open"]);
    assert_eq!(code(&wrong), Some(2), "{wrong:?}");
}

#[test]
fn a_taken_port_is_reported_with_its_key() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let output = run(&["demo", "--port-base", &port.to_string()]);
    assert_eq!(code(&output), Some(1), "{output:?}");
    let printed = stderr(&output);
    assert!(printed.contains(&format!("127.0.0.1:{port}")) && printed.contains("http.listen"), "{printed}");

    let config = format!(
        "[http]\nlisten = '127.0.0.1:0'\n[[simulate]]\nrobot = 'a'\nbody = 'misty'\n\
         [[misty.serve]]\nrobot = 'a'\nlisten = '127.0.0.1:{port}'\n"
    );
    let output = run(&["run", "-c", file("taken.toml", &config).to_str().unwrap()]);
    assert!(code(&output) == Some(1) && stderr(&output).contains("misty.serve[0].listen"), "{output:?}");
}

#[test]
fn check_config_says_what_is_wrong_and_where() {
    let check = |name: &str, text: &str| run(&["check-config", file(name, text).to_str().unwrap()]);
    let fine = check("fine.toml", "[[simulate]]\nrobot = 'a'\nbody = 'misty'\n");
    assert!(code(&fine) == Some(0) && stdout(&fine).contains("is fine"), "{fine:?}");

    let wrong = check("wrong.toml", "[http]\nlisen = '127.0.0.1:8080'\n");
    assert_eq!(code(&wrong), Some(2));
    let printed = stderr(&wrong);
    assert!(printed.contains("wrong.toml:2:1") && printed.contains("did you mean `listen`?"), "{printed}");

    let inner = check("inner.toml", "[[misty.serve]]\nrobot = 'a'\nlisten = '127.0.0.1:0'\nlisen = 1\n");
    assert!(stderr(&inner).contains("inner.toml:4:1") && stderr(&inner).contains("`listen`"), "{inner:?}");

    let world = check("world.toml", "[[simulate]]\nrobot = 'a'\nbody = 'misty'\nspawn = 'moon'\n");
    assert!(code(&world) == Some(2) && stderr(&world).contains("living"), "{world:?}");

    let missing = run(&["check-config", "nowhere.toml"]);
    assert!(code(&missing) == Some(2) && stderr(&missing).contains("nowhere.toml"), "{missing:?}");
}

#[test]
fn help_teaches_and_the_small_commands_work() {
    let help = stdout(&run(&["--help"]));
    assert!(help.contains("latimer echo misty-1/battery") && help.contains("Exit codes"), "{help}");
    for args in [["echo", "--help"], ["send", "--help"], ["poke", "--help"], ["demo", "--help"]] {
        assert!(stdout(&run(&args)).contains("Examples:"), "{args:?}");
    }
    assert!(stdout(&run(&["dialects"])).contains("misty"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(stdout(&run(&["completions", shell])).contains("latimer"), "{shell}");
    }
    assert_eq!(code(&run(&["fly"])), Some(2));
}

#[test]
fn logs_are_for_people_or_for_programs() {
    let mut demo = Demo::start(&["--for", "100ms", "--log", "json", "--log-level", "info"]);
    demo.child.ended_within(PATIENCE).unwrap();
    let printed = demo.child.stderr();
    for line in printed.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(line["message"].is_string() && line["level"].is_string(), "{line}");
    }
    assert!(printed.contains("stopping"), "{printed}");
}
