//! `latimer probe` beside robots as they should be, and others.

mod doctored;

use std::net::TcpListener;
use std::process::{Output, Stdio};
use std::time::Duration;

use latimer_wire::v1::Probe;

use crate::program::{Demo, Guarded, finish, latimer, run, stderr, stdout};

/// Between two messages of the same robot.
const BETWEEN: Duration = Duration::from_millis(50);

fn begin(args: &[&str]) -> Guarded {
    Guarded(latimer(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// The report of a probe, and its exit code.
fn report(output: &Output) -> (Probe, Option<i32>) {
    let found = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    (found, output.status.code())
}

#[test]
fn a_simulated_robot_of_each_family_deviates_in_nothing() {
    let demo = Demo::start(&[]);
    let at = |above: u16| format!("127.0.0.1:{}", demo.port + above);
    let (broker, master) = (format!("mqtt://{}", at(20)), format!("http://{}", at(30)));
    let (swarm, bridge) = (format!("{broker}/v1"), format!("ws://{}/rosbridge", at(0)));
    let families = [
        (
            "misty",
            at(1),
            None,
            &["ActuatorPosition", "BatteryCharge", "IMU", "TimeOfFlight", "DriveEncoders"][..],
        ),
        ("axbot", at(10), None, &["/battery_state", "/tracked_pose", "/wheel_state", "/maps/5cm/1hz"]),
        ("pera", swarm, Some("1"), &["localization/update"]),
        ("robotkoop", broker, Some("R_1"), &["/robots/status"]),
        (
            "miro",
            master,
            Some("rob01"),
            &["platform/sensors", "platform/state", "platform/mics", "platform/caml"],
        ),
        ("rosbridge", bridge, Some("misty_1"), &["/{robot}/imu", "/{robot}/range/{part}", "/{robot}/odom"]),
    ];
    for (dialect, address, robot, topics) in families {
        let mut args = vec!["probe", dialect, &address, "--seconds", "4", "--json"];
        args.extend(robot.iter().flat_map(|robot| ["--robot", robot]));
        let mut probe = begin(&args);
        // A household robot publishes nothing but what becomes of its tasks.
        while dialect == "robotkoop" && probe.0.try_wait().unwrap().is_none() {
            let sent = demo.ask(&["send", "robotkoop-1", "task", "clean", "--to", "kitchen"]);
            // In the end enough of them wait.
            assert!(matches!(sent.status.code(), Some(0 | 4)), "{sent:?}");
        }
        let output = finish(probe);
        let (found, code) = report(&output);
        assert_eq!((found.deviations.as_slice(), code), (&[][..], Some(0)), "{dialect}: {}", stderr(&output));
        for topic in topics {
            let came = found.topics.iter().find(|it| it.topic == *topic);
            assert!(
                came.is_some_and(|it| it.described && it.count > 0),
                "{dialect} {topic}: {:?}",
                found.topics
            );
        }
        assert!(found.link.up && found.link.reconnects == 0, "{dialect}: {:?}", found.link);
    }
    let text = finish(begin(&["probe", "misty", &at(1), "--seconds", "1"]));
    assert!(stdout(&text).lines().all(|line| line.chars().count() <= 80), "{}", stdout(&text));
    assert!(stdout(&text).contains("0 deviations") && stdout(&text).contains("firmware"), "{text:?}");
}

async fn probed(args: &[&str]) -> Output {
    let args: Vec<String> = args.iter().map(|it| (*it).to_owned()).collect();
    let run = move || run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    latimer_panics::blocking("probing", run).await.unwrap()
}

#[test]
fn an_address_at_which_nobody_listens_is_unreachable() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    for args in [["misty", &free, ""], ["pera", &free, "--robot=1"], ["miro", &free, "--robot=rob01"]] {
        let args: Vec<&str> = std::iter::once("probe").chain(args).filter(|it| !it.is_empty()).collect();
        let output = run(&args);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert!(stderr(&output).contains(&format!("nobody answers at {free}")), "{output:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_what_to_write() {
    for (args, words) in [
        (&["mistyy", "host"][..], "did you mean `misty`?"),
        (&["pera", "mqtt://host/v1"], "name one with --robot, as `id` of [[pera.connect]] does"),
        (&["pera", "mqtt://host/v1", "--robot", "first"], "pera"),
        (&["misty", "host", "--robot", "a"], "leave --robot out"),
        (&["misty", "host:x"], "misty.connect[0].address"),
        (&["misty", "a\"b"], "is no address"),
        (&["axbot", "host", "--set", "secre=1"], "did you mean `secret`?"),
        (&["misty", "host", "--seconds", "soon"], "--seconds"),
    ] {
        let output = run(&[&["probe"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(stderr(&output).contains(words), "{args:?}: {}", stderr(&output));
    }
}
