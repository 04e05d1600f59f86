//! The commands that a dialect declares beside those that a robot gets of its clients, who send what they can over the real wire.

mod over_mqtt;
mod over_ros;
mod over_web;

use std::any::Any;
use std::collections::BTreeSet;
use std::time::Duration;

use latimer_core::hub::Source;
use latimer_core::{Clock, Command, Hub, Outcome};
use latimer_dialects::Entry;

use super::house::{House, PATIENCE, play};

/// A household robot's own programs know nothing but tasks; another robot is sent somewhere by one.
const FAMILY: &[(&str, &str)] = &[("robotkoop", "axbot")];

/// A program of the swarm drives a robot that is its body.
const KEYS: &[(&str, &str)] = &[("pera", "body = true\n")];

pub(super) async fn its_clients_can_give_each_command_that_it_declares_and_no_other(entry: &'static Entry) {
    let hub = Hub::new(Clock::system());
    let family = FAMILY.iter().find(|(dialect, _)| *dialect == entry.name).map_or(entry.name, |(_, it)| it);
    let source = play(&hub, family);
    over_web::equip(&source);
    let robot = tokio::spawn(obey(source));
    let keys = KEYS.iter().find(|(dialect, _)| *dialect == entry.name).map_or("", |(_, keys)| keys);
    let here = House::serving_with(entry, hub.clone(), keys).await;
    let declared: BTreeSet<&str> = entry.commands.iter().copied().collect();
    let is_complete = || given(&hub, entry).is_superset(&declared);
    let deadline = hub.clock().now().after(PATIENCE);
    // Those that keep a connection stay until all is done.
    let mut clients = Vec::new();
    // What is published before the facade has subscribed at its broker is lost: then all is sent once more.
    while !is_complete() && hub.clock().now() < deadline {
        let client: Option<Box<dyn Any>> = match entry.name {
            "misty" => {
                over_web::misty(&here).await;
                None
            }
            "axbot" => Some(Box::new(over_web::axbot(&here).await)),
            "rosbridge" => Some(Box::new(over_web::rosbridge(&here).await)),
            "pera" => {
                over_mqtt::pera(&here).await;
                None
            }
            "robotkoop" => {
                over_mqtt::robotkoop(&here).await;
                None
            }
            "miro" => Some(Box::new(over_ros::miro(&here).await)),
            other => panic!("{other}: nothing says what its clients send"),
        };
        clients.extend(client);
        for _ in 0..100 {
            if is_complete() {
                break;
            }
            // Nothing tells when a command is recorded.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    assert_eq!(given(&hub, entry), declared, "{}: given and declared", entry.name);
    here.stop().await;
    robot.abort();
}

/// What the robot did for clients of the dialect.
fn given(hub: &Hub, entry: &Entry) -> BTreeSet<&'static str> {
    let is_done = |outcome: &Option<Outcome>| outcome.as_ref().is_some_and(Outcome::is_ok);
    let all = hub.commands_given_lately(usize::MAX, |it| it.author.dialect == entry.name);
    all.into_iter().filter(|it| is_done(&it.outcome)).map(|it| it.command).collect()
}

/// A robot that does all but errands to another place, which are drives for it.
async fn obey(mut source: Source) {
    loop {
        let request = source.next_command().await;
        let outcome = match &*request.command {
            Command::Task(task) if task.kind == "goto" => Outcome::unsupported("it knows no tasks"),
            _ => Outcome::Done,
        };
        request.answer(outcome);
    }
}
