//! Drives that are followed to their end: `latimer send axbot-1 goto Desk`.

use std::io::Write;
use std::time::Duration;

use latimer_core::{Clock, Timestamp};
use serde_json::Value;

use super::echo::reached;
use super::ended::ended;
use super::lines::{gap, quoted, time_of_day};
use super::post;
use crate::api::Last;
use crate::client::{Gateway, GatewayArgs, Streamed};
use crate::exit::{Ended, Exit, Failure, remark};
use latimer_wire::v1::{Command, Frame, Outcome};

/// A robot that publishes nothing about its drive for so long never will.
const SILENT: Duration = Duration::from_secs(5);

/// Time between two lines about how much of the way is left.
const EVERY: Duration = Duration::from_secs(2);

/// Sends a drive, prints how it goes, and ends with it.
pub(super) async fn follow(
    gateway: &GatewayArgs,
    robot: &str,
    command: &Command,
    patience: Duration,
) -> Ended {
    post::check_robot(robot)?;
    let gateway = Gateway::new(gateway)?;
    let select = format!("{robot}/navigation");
    // Before the drive begins, so that nothing of it is missed.
    let mut stream = gateway.stream(&[("select", select.clone())]).await?;
    let Last { updates, absent: _ } = gateway.get(&format!("/api/v1/last?select={select}")).await?;
    let mut drive =
        Drive { before: updates.first().and_then(|it| number(it.data.as_ref()?)), own: None, printed: None };
    let path = format!("/api/v1/robots/{robot}/commands");
    let outcome: Outcome = gateway.post(&path, command, patience).await?;
    for line in post::lines(&outcome, robot)? {
        writeln!(std::io::stdout(), "{line}")?;
    }
    let clock = Clock::system();
    let mut give_up = Some(clock.now().after(SILENT));
    loop {
        let streamed = tokio::select! {
            streamed = stream.next() => streamed?,
            () = reached(clock, give_up) => {
                remark(format_args!("{robot} publishes nothing about its drive, so it is not followed"));
                return Ok(());
            }
            _ = tokio::signal::ctrl_c() => {
                remark(format_args!("the drive goes on; `latimer send {robot} cancel` calls it off"));
                return Ok(());
            }
        };
        match streamed {
            Streamed::Frame(Frame::Update(update), _) => {
                let now = clock.now();
                let step = update.data.map_or(Step::Nothing, |report| drive.step(&report, robot, now));
                if drive.own.is_some() {
                    give_up = None;
                }
                match step {
                    Step::Arrived => {
                        let at = time_of_day(&update.received);
                        return Ok(writeln!(std::io::stdout(), "{at} succeeded")?);
                    }
                    Step::Failed(failure) => return Err(failure),
                    Step::Line(line) => {
                        writeln!(std::io::stdout(), "{} {line}", time_of_day(&update.received))?;
                    }
                    Step::Nothing => {}
                }
            }
            Streamed::Frame(Frame::Gap(missing), _) => remark(gap(&missing)),
            Streamed::Frame(..) => {}
            Streamed::Complete => return Ok(()),
        }
    }
}

/// What is known of a drive.
struct Drive {
    /// The number of the one before.
    before: Option<i64>,
    /// Its own number, once it began.
    own: Option<i64>,
    /// What was printed last, and when.
    printed: Option<(String, Timestamp)>,
}

/// What becomes of an update.
enum Step {
    Nothing,
    Line(String),
    Arrived,
    Failed(Failure),
}

fn number(report: &Value) -> Option<i64> {
    report["id"].as_i64()
}

impl Drive {
    fn step(&mut self, report: &Value, robot: &str, now: Timestamp) -> Step {
        let Some(id) = number(report) else { return Step::Nothing };
        if self.before == Some(id) {
            return Step::Nothing;
        }
        if *self.own.get_or_insert(id) != id {
            let what = format!("{robot} has begun another drive");
            return Step::Failed(Failure::new(Exit::Failed, what));
        }
        let state = report["state"].as_str().unwrap_or_default();
        match ended(&format!("the drive of {robot}"), report) {
            Some(Ok(())) => Step::Arrived,
            Some(Err(failure)) => Step::Failed(failure),
            None => self.line(report, state, now),
        }
    }

    /// A line whenever something else holds, and now and then how much of the way is left.
    fn line(&mut self, report: &Value, state: &str, now: Timestamp) -> Step {
        let place = report["place"].as_str().map(|place| format!(" to {}", quoted(place)));
        let stuck = if report["stuck"] == true { ", something is in the way" } else { "" };
        let what = format!("{state}{}{stuck}", place.unwrap_or_default());
        let is_new = self.printed.as_ref().is_none_or(|(last, at)| *last != what || now.since(*at) >= EVERY);
        if !is_new {
            return Step::Nothing;
        }
        let left = report["remaining_m"].as_f64().map(|left| format!(", {left:.1} m left"));
        let line = format!("{what}{}", left.unwrap_or_default());
        self.printed = Some((what, now));
        Step::Line(line)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn steps(before: Option<i64>, reports: &[Value]) -> Vec<String> {
        let mut drive = Drive { before, own: None, printed: None };
        let begun = Timestamp::from_nanos(1_700_000_000_000_000_000);
        let step = |(i, report): (usize, &Value)| match drive.step(
            report,
            "a",
            begun.after(Duration::from_millis(500) * i as u32),
        ) {
            Step::Nothing => "-".to_owned(),
            Step::Line(line) => line,
            Step::Arrived => "succeeded".to_owned(),
            Step::Failed(failure) => format!("{:?} {failure}", failure.exit),
        };
        reports.iter().enumerate().map(step).collect()
    }

    #[test]
    fn a_drive_is_followed_from_its_first_report_to_its_end() {
        let report = |id: i64, state: &str, left: f64| json!({"id": id, "state": state, "place": "Sofa", "remaining_m": left});
        let reports = [
            report(3, "succeeded", 0.0),
            report(4, "moving", 5.0),
            report(4, "moving", 4.8),
            report(4, "moving", 4.6),
            report(4, "moving", 4.4),
            report(4, "moving", 4.2),
            report(4, "succeeded", 0.0),
        ];
        let expected =
            ["-", "moving to Sofa, 5.0 m left", "-", "-", "-", "moving to Sofa, 4.2 m left", "succeeded"];
        assert_eq!(steps(Some(3), &reports), expected);
    }

    #[test]
    fn its_failure_is_the_exit_code() {
        let failed = json!({"id": 1, "state": "failed", "reason": "no way leads there"});
        assert_eq!(steps(None, &[failed]), ["Failed the drive of a failed: no way leads there"]);
        let cancelled = json!({"id": 1, "state": "cancelled"});
        assert_eq!(steps(Some(0), &[cancelled]), ["Failed the drive of a was cancelled"]);
        let moving = |id: i64| json!({"id": id, "state": "moving", "stuck": true});
        let expected = ["moving, something is in the way", "Failed a has begun another drive"];
        assert_eq!(steps(None, &[moving(1), moving(2)]), expected);
    }
}
