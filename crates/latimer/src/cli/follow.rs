//! Tasks that are followed to their end: `latimer send robotkoop-1 bring --object coke --to user`.

use std::io::Write;
use std::time::Duration;

use serde_json::Value;

use super::ended::{ended, reason};
use super::lines::{gap, quoted, time_of_day, visible};
use super::post;
use crate::client::{Gateway, GatewayArgs, Streamed};
use crate::exit::{Ended, Exit, Failure, remark};
use latimer_wire::v1::{Command, Frame, Outcome, Task};

/// Sends a task, prints each report on it, and ends with it.
pub(super) async fn follow(gateway: &GatewayArgs, robot: &str, task: Task, patience: Duration) -> Ended {
    post::check_robot(robot)?;
    let gateway = Gateway::new(gateway)?;
    // Before the task is sent, so that nothing of it is missed.
    let mut stream = gateway.stream(&[("select", format!("{robot}/task"))]).await?;
    let (id, kind) = (task.id.clone(), task.kind.clone());
    writeln!(std::io::stdout(), "{id}")?;
    let path = format!("/api/v1/robots/{robot}/commands");
    let outcome: Outcome = gateway.post(&path, &Command::Task(task), patience).await?;
    post::lines(&outcome, robot)?;
    loop {
        let streamed = tokio::select! {
            streamed = stream.next() => streamed?,
            _ = tokio::signal::ctrl_c() => {
                remark(format_args!("the task goes on; `latimer send {robot} cancel-task {id}` gives it up"));
                return Ok(());
            }
        };
        let update = match streamed {
            Streamed::Frame(Frame::Update(update), _) => update,
            Streamed::Frame(Frame::Gap(missing), _) => {
                remark(gap(&missing));
                continue;
            }
            Streamed::Frame(..) => continue,
            Streamed::Complete => return Ok(()),
        };
        let Some(report) = update.data.filter(|report| report["id"].as_str() == Some(&id)) else { continue };
        writeln!(std::io::stdout(), "{} {}", time_of_day(&update.received), line(&report))?;
        match end(&report, robot, &id, &kind) {
            Some(ended) => return ended,
            None => hint(&report, robot, &id, &kind),
        }
    }
}

/// A report in short: `goto Kitchen`, `anomaly Sofa: coke, book`, `failed: nobody is there`.
fn line(report: &Value) -> String {
    let text = |name: &str| report[name].as_str().filter(|text| !text.is_empty());
    let list = |name: &str, item: &dyn Fn(&Value) -> Option<String>| {
        let items: Vec<String> = report[name].as_array().into_iter().flatten().filter_map(item).collect();
        (!items.is_empty()).then(|| items.join(", "))
    };
    let word = |item: &Value| item.as_str().map(|word| quoted(word).into_owned());
    let offer = |item: &Value| {
        let part = |name: &str| item[name].as_str().filter(|it| !it.is_empty()).map(quoted);
        let at = part("location").map(|place| format!(" at {place}")).unwrap_or_default();
        Some(format!("{}{at}", part("object")?))
    };
    let state = text("state").unwrap_or("?");
    let mut line = match text("action").filter(|_| state == "progress") {
        Some(action) => action.to_owned(),
        None => state.to_owned(),
    };
    for name in ["target", "location"] {
        if let Some(what) = text(name) {
            line.push(' ');
            line.push_str(&quoted(what));
        }
    }
    let more =
        list("missing", &word).or_else(|| list("alternatives", &offer)).or_else(|| list("objects", &word));
    // Written so that a robot cannot write to the terminal unseen.
    let reason = text("reason").map(visible);
    for more in more.into_iter().chain(reason) {
        line.push_str(": ");
        line.push_str(&more);
    }
    line
}

/// How it ends, if it does.
fn end(report: &Value, robot: &str, id: &str, kind: &str) -> Option<Ended> {
    let reason = reason(report);
    let refused = |what: String| Some(Err(Failure::new(Exit::Refused, what)));
    match report["state"].as_str()? {
        "unknown" => refused(format!("{robot} does not know how to {kind}{reason}")),
        "missing_info" => {
            let missing = report["missing"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let words: Vec<String> = missing.map(|name| format!("--{} …", quoted(name))).collect();
            let again = format!("latimer send {robot} {kind} --id {id} {}", words.join(" "));
            refused(format!("the task lacks something{reason}; add it with `{again}`"))
        }
        _ => ended(&format!("the task {id} of {robot}"), report),
    }
}

/// What a person may do, if the robot asks for a choice.
fn hint(report: &Value, robot: &str, id: &str, kind: &str) {
    if report["state"] != "assistance" {
        return;
    }
    let choice = report["alternatives"][0]["object"].as_str().map_or("…".into(), quoted);
    let place = report["alternatives"][0]["location"].as_str().map_or("…".into(), quoted);
    let answer = match report["action"].as_str() {
        Some("position_unknown") => format!("--to {place}"),
        _ => format!("--object {choice}"),
    };
    remark(format_args!(
        "{robot} waits for an answer, such as `latimer send {robot} {kind} --id {id} {answer}`"
    ));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_report_is_a_line() {
        let report = |state: &str, more: Value| {
            let mut report = json!({"id": "T", "kind": "bring", "state": state, "action": null, "target": null,
                "missing": [], "alternatives": [], "location": null, "objects": [], "reason": null});
            more.as_object().unwrap().iter().for_each(|(key, value)| report[key] = value.clone());
            line(&report)
        };
        let printed = [
            report("confirmed", json!({})),
            report("progress", json!({"action": "goto", "target": "Kitchen"})),
            report("progress", json!({"action": "no_anomalies_found"})),
            report(
                "missing_info",
                json!({"missing": ["object"], "reason": "to bring it has to know: object"}),
            ),
            report(
                "assistance",
                json!({"action": "search_alternatives", "target": "coke",
                    "alternatives": [{"object": "fanta", "location": "Kitchen"}, {"object": "tea"}]}),
            ),
            report("anomaly", json!({"location": "Sofa", "objects": ["coke", "old book"]})),
            report("failed", json!({"reason": "nobody is at \"home\" \u{1b}[2J"})),
        ];
        insta::assert_snapshot!(printed.join("\n"));
    }

    #[test]
    fn an_end_says_what_to_do() {
        let ends = |report: Value| end(&report, "robotkoop-1", "T", "bring");
        assert!(
            ends(json!({"state": "progress"})).is_none() && ends(json!({"state": "assistance"})).is_none()
        );
        assert!(matches!(ends(json!({"state": "succeeded"})), Some(Ok(()))));
        let lacks = ends(json!({"state": "missing_info", "missing": ["object"]})).unwrap().unwrap_err();
        assert!(lacks.exit == Exit::Refused && lacks.message.contains("bring --id T --object …"), "{lacks}");
        for (state, exit) in
            [("failed", Exit::Failed), ("cancelled", Exit::Failed), ("unknown", Exit::Refused)]
        {
            assert_eq!(ends(json!({"state": state})).unwrap().unwrap_err().exit, exit);
        }
    }
}
