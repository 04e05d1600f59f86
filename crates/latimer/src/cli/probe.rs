//! `latimer probe`: what a robot offers, and where its messages deviate from their description.

use std::io::Write;
use std::time::Duration;

use clap::Args;
use latimer_dialects::{DIALECTS, find};

use super::robots::skew_text;
use crate::client::TrustArgs;
use crate::exit::{Ended, Exit, Failure};
use crate::probe::{Request, probe as probe_robot};
use latimer_wire::v1::{Probe, ProbeClock, ProbeDeviation, ProbeDevice, ProbeFault, ProbeTopic, duration};
use latimer_wire::words::advice;

/// How wide a terminal is at least, characters.
const WIDTH: usize = 80;

/// Widest column of topics, characters.
const TOPIC: usize = 32;

/// `latimer probe`.
#[derive(Debug, Args)]
pub struct ProbeArgs {
    /// Which dialect, as `latimer dialects` lists them
    dialect: String,
    /// Where the robot is, its broker or its master, as in `address` of the dialect's entries of connect
    address: String,
    /// What the robot is called there, where several may be: its number in a swarm, its name in ROS
    #[arg(long, value_name = "NAME")]
    robot: Option<String>,
    /// Another key of the dialect's entries of connect, such as secret=TEXT
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    keys: Vec<(String, String)>,
    /// How long the robot is observed, e.g. 10 or 1m
    #[arg(long, value_name = "N", default_value = "10", value_parser = seconds)]
    seconds: Duration,
    /// Fields that may be left out deviate too if they never come
    #[arg(long)]
    strict: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    trust: TrustArgs,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("write KEY=VALUE, such as secret=TEXT".to_owned()),
    }
}

/// Seconds, also with a unit.
fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string()),
        Err(_) => duration(text).map_err(|error| error.to_string()),
    }
}

pub(super) async fn probe(args: &ProbeArgs) -> Ended {
    let Some(entry) = find(&args.dialect) else {
        let hint = advice(&args.dialect, DIALECTS.iter().map(|entry| entry.name));
        return Err(Failure::usage(format!("{} is no dialect; {hint}", args.dialect)));
    };
    let request = Request {
        entry,
        address: &args.address,
        called: args.robot.as_deref(),
        keys: &args.keys,
        observe: args.seconds,
        strict: args.strict,
        trust: args.trust.load()?,
    };
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let found = probe_robot(&request, interrupted).await?;
    let mut out = std::io::stdout().lock();
    if args.json {
        let json = serde_json::to_string_pretty(&found);
        let json = json.map_err(|error| Failure::new(Exit::Failed, error.to_string()))?;
        writeln!(out, "{json}")?;
    } else {
        write!(out, "{}", text(&found))?;
    }
    out.flush()?;
    verdict(&found)
}

/// The exit code for scripts; what was found is printed already.
fn verdict(found: &Probe) -> Ended {
    let Probe { link, topics, deviations, observed_s, .. } = found;
    match (link.up, topics.is_empty(), deviations.is_empty()) {
        (false, ..) => {
            let reason = link.reason.as_deref().unwrap_or("the link is down");
            Err(Failure::new(Exit::Unreachable, format!("the robot went away: {reason}")))
        }
        (true, true, _) => Err(Failure::new(
            Exit::TimedOut,
            format!(
                "nothing came within {observed_s:.0} s; make the robot do something, or observe longer with --seconds"
            ),
        )),
        (true, false, true) => Ok(()),
        // Without a word on stderr: the deviations stand on stdout.
        (true, false, false) => Err(Failure::new(Exit::Failed, "")),
    }
}

/// What was found, for people, in lines that fit a terminal.
fn text(found: &Probe) -> String {
    let Probe { dialect, address, observed_s, device, link, clock, topics, silent, deviations } = found;
    let mut lines = vec![format!(
        "{dialect} at {address}, observed for {observed_s:.1} s: {}",
        counted(deviations.len(), "deviation")
    )];
    lines.push(String::new());
    lines.extend(wrapped("robot  ", &device_in_words(device)));
    let lost = match link.lost {
        0 => String::new(),
        lost => format!(", {} lost here", counted(usize::try_from(lost).unwrap_or(usize::MAX), "update")),
    };
    let state = match &link.reason {
        Some(reason) => format!("down: {reason}"),
        None => format!("up after {:.3} s", link.up_after_s),
    };
    lines.extend(wrapped(
        "link   ",
        &format!(
            "{state}, round trip {:.1} ms, {}, longest silence {:.1} s{lost}",
            link.round_trip_s * 1e3,
            counted(link.reconnects as usize, "reconnect"),
            link.longest_silence_s,
        ),
    ));
    lines.extend(wrapped("clock  ", &clock_in_words(clock)));
    if !topics.is_empty() {
        lines.push(String::new());
        lines.extend(table(topics));
    }
    let absent = topics.iter().filter(|topic| !topic.absent.is_empty());
    let absent: Vec<String> =
        absent.flat_map(|it| wrapped("  ", &format!("{}: {}", it.topic, it.absent.join(", ")))).collect();
    if !absent.is_empty() {
        lines.extend([String::new(), "fields that may be left out and never came:".to_owned()]);
        lines.extend(absent);
    }
    if !silent.is_empty() {
        lines.extend([String::new(), "described and never came:".to_owned()]);
        lines.extend(wrapped("  ", &silent.join(", ")));
    }
    if !deviations.is_empty() {
        lines.extend([String::new(), "deviations:".to_owned()]);
        lines.extend(deviations.iter().flat_map(|it| wrapped("  ", &deviation_in_words(it))));
    }
    lines.iter().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}

fn device_in_words(device: &ProbeDevice) -> String {
    let ProbeDevice { maker, model, serial, firmware, hardware } = device;
    let named = |what: &str, value: &Option<String>| value.as_ref().map(|it| format!("{what}{it}"));
    let words = [
        named("", maker),
        named("", model),
        named("serial ", serial),
        named("firmware ", firmware),
        named("hardware ", hardware),
    ];
    let words: Vec<String> = words.into_iter().flatten().collect();
    if words.is_empty() { "does not tell what it is".to_owned() } else { words.join(", ") }
}

fn clock_in_words(clock: &ProbeClock) -> String {
    let Some((min_s, max_s)) = clock.skew_min_s.zip(clock.skew_max_s) else {
        return "its messages have no times".to_owned();
    };
    let ms = |seconds: Option<f64>| seconds.unwrap_or_default() * 1e3;
    format!(
        "this one minus the robot's is {}; delays vary by {:.1} ms, {:.1} ms at most",
        skew_text(min_s, max_s),
        ms(clock.delay_median_s),
        ms(clock.delay_max_s)
    )
}

fn table(topics: &[ProbeTopic]) -> Vec<String> {
    let shown = |topic: &str| match topic.chars().count() {
        length if length <= TOPIC => topic.to_owned(),
        length => ['…'].into_iter().chain(topic.chars().skip(length - TOPIC + 1)).collect(),
    };
    let width = topics.iter().map(|it| shown(&it.topic).chars().count()).max().unwrap_or_default().max(5);
    let number =
        |value: Option<f64>, digits: usize| value.map_or("-".to_owned(), |it| format!("{it:.digits$}"));
    let heading = format!(
        "{:width$} {:>7} {:>8} {:>9} {:>8} {:>8}",
        "TOPIC", "COUNT", "HZ", "SPECIFIED", "MIN GAP", "MAX GAP"
    );
    let rows = topics.iter().map(|it| {
        format!(
            "{:width$} {:>7} {:>8} {:>9} {:>8} {:>8}{}",
            shown(&it.topic),
            it.count,
            number(it.rate_hz, 2),
            number(it.specified_hz, 1),
            number(it.gap_min_s, 3),
            number(it.gap_max_s, 3),
            if it.described { "" } else { " *" },
        )
    });
    let foreign = topics.iter().any(|it| !it.described).then(|| "* not described".to_owned());
    std::iter::once(heading).chain(rows).chain(foreign).collect()
}

fn deviation_in_words(deviation: &ProbeDeviation) -> String {
    let ProbeDeviation { topic, fault, path, expected, found, count } = deviation;
    let place = if path.is_empty() { topic.clone() } else { format!("{topic} {path}") };
    let found = found.as_deref().unwrap_or("nothing");
    let expected = expected.as_deref();
    let what = match fault {
        ProbeFault::Missing => expected.map_or(String::new(), |it| format!(" ({it})")),
        ProbeFault::Extra => format!(" = {found}"),
        ProbeFault::Mistyped | ProbeFault::Rate => {
            format!(" = {found}, specified is {}", expected.unwrap_or("another"))
        }
        ProbeFault::NotUnderstood => String::new(),
    };
    let times = counted(usize::try_from(*count).unwrap_or(usize::MAX), "message");
    format!("{}: {place}{what}, in {times}", fault.word())
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A text in lines of the width of a terminal, the first behind a heading and the others below its text.
fn wrapped(heading: &str, text: &str) -> Vec<String> {
    let indent = " ".repeat(heading.chars().count().max(4));
    let (mut lines, mut line, mut is_empty) = (Vec::new(), heading.to_owned(), true);
    for word in text.split(' ') {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, indent.clone()));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        // What no line holds is broken.
        for c in word.chars().map(|c| if c.is_control() { '?' } else { c }) {
            if line.chars().count() == WIDTH {
                lines.push(std::mem::replace(&mut line, indent.clone()));
            }
            line.push(c);
        }
        is_empty = false;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use latimer_wire::v1::ProbeLink;

    fn found() -> Probe {
        let topic = ProbeTopic {
            topic: "a/topic/with/a/name/that/is/longer/than/its/column".into(),
            described: false,
            count: 1_000_000,
            bytes: 1,
            rate_hz: Some(1000.0),
            specified_hz: Some(50.0),
            gap_min_s: Some(0.001),
            gap_max_s: Some(1000.5),
            absent: (0..30).map(|i| format!("field_{i}")).collect(),
        };
        let deviation = ProbeDeviation {
            topic: "a".into(),
            fault: ProbeFault::Mistyped,
            path: "b.".repeat(60),
            expected: Some("number".into()),
            found: Some("\"\u{1b}[2J\"".into()),
            count: 1,
        };
        Probe {
            dialect: "d".into(),
            address: "host:1".into(),
            observed_s: 10.0,
            device: ProbeDevice::default(),
            link: ProbeLink {
                up: true,
                reason: None,
                round_trip_s: 0.0001,
                up_after_s: 0.02,
                reconnects: 1,
                longest_silence_s: 0.5,
                lost: 0,
            },
            clock: ProbeClock {
                skew_min_s: Some(-0.5),
                skew_max_s: Some(-0.5),
                delay_median_s: Some(0.001),
                delay_max_s: Some(0.02),
            },
            topics: vec![topic],
            silent: vec!["b".into()],
            deviations: vec![deviation],
        }
    }

    #[test]
    fn every_line_fits_a_terminal_and_cannot_change_it() {
        let text = text(&found());
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
        for words in ["1 deviation\n", "-0.500 s", "round trip 0.1 ms, 1 reconnect", "* not described"] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }

    #[test]
    fn the_exit_code_says_what_was_found() {
        let exit = |change: fn(&mut Probe)| {
            let mut found = found();
            change(&mut found);
            verdict(&found).err().map(|failure| failure.exit)
        };
        assert_eq!(exit(|_| ()), Some(Exit::Failed));
        assert_eq!(exit(|it| it.deviations.clear()), None);
        assert_eq!(exit(|it| it.topics.clear()), Some(Exit::TimedOut));
        assert_eq!(exit(|it| it.link.up = false), Some(Exit::Unreachable));
    }

    #[test]
    fn seconds_need_no_unit() {
        assert_eq!(seconds("2.5"), Ok(Duration::from_millis(2500)));
        assert_eq!(seconds("1m"), Ok(Duration::from_secs(60)));
        assert!(seconds("-1").is_err() && seconds("x").is_err());
    }
}
