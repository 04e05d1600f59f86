//! Streams of clients whose roles change.

use std::sync::Arc;

use latimer_core::access::{Caller, Gate, Grant, Grants, Role};
use latimer_core::model::Native;
use latimer_core::model::signal::Battery;
use latimer_core::{Clock, Update};
use latimer_dialects::listen::Ports;
use latimer_e2e::OneUser;

use super::support::Api;

fn sees(selections: &[&str]) -> Grants {
    let grant = |it: &&str| Grant { role: Role::See, select: it.parse().unwrap(), dialects: Vec::new() };
    Grants::new(selections.iter().map(grant).collect())
}

#[tokio::test]
async fn what_a_robot_sent_goes_to_those_alone_who_see_the_whole_robot_by_now() {
    let caller = Caller::new("ada", sees(&["*"]));
    let gate: Arc<dyn Gate> = Arc::new(OneUser(caller.clone()));
    let ports = Ports::default().with_gate(Some(gate));
    let api = Api::behind(ports, Clock::system(), None, None).await;
    let robots = [api.robot("misty-1"), api.robot("misty-2")];
    let publish = |number: usize| {
        let native = Native {
            dialect: "misty",
            topic: "BatteryCharge".into(),
            payload: "{\"whatever\": 1}".into(),
            definition: None,
        };
        let battery = Battery { charge_ratio: Some(0.5), ..Battery::UNKNOWN };
        let update = Update::now(robots[number].robot(), api.clock.now(), battery.into());
        robots[number].publish(Update { native: Some(native), ..update });
    };
    let mut streams = Vec::new();
    for query in ["native=true", "as=misty", "as=all"] {
        streams.push(api.stream(&format!("select=*/battery&{query}")).await);
    }
    publish(0);
    for stream in &mut streams {
        assert_eq!(stream.next_update().await.robot, "misty-1");
    }
    caller.set_grants(sees(&["misty-1/battery", "misty-2"]));
    publish(0);
    publish(1);
    for stream in &mut streams {
        assert_eq!(stream.next_update().await.robot, "misty-2");
    }
}
