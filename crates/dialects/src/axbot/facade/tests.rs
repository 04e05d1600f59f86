use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use latimer_core::hub::{Origin, RobotInfo};
use latimer_core::{Clock, Update};
use tokio_tungstenite::tungstenite::Message;

use super::*;
use crate::axbot::AxbotConfig;

#[tokio::test]
async fn a_restart_of_the_robots_programs_ends_its_sockets() {
    let hub = Hub::new(Clock::system());
    let robot: RobotId = "axbot-1".parse().unwrap();
    let info = RobotInfo::new(robot.clone(), "test", Origin::Simulated);
    let _source = hub.register(info).unwrap();
    let facade = Facade::new(hub, Settings::new(&AxbotConfig::default()), CancellationToken::new());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/ws/v2/topics", listener.local_addr().unwrap());
    let service = facade
        .own_port(robot.clone(), CancellationToken::new())
        .into_make_service_with_connect_info::<SocketAddr>();
    let serving = tokio::spawn(async move { axum::serve(listener, service).await });
    let (mut client, _) = tokio_tungstenite::connect_async(&url).await.unwrap();
    client.send(Message::text(r#"{"enable_topic": "/alerts"}"#)).await.unwrap();
    let patience = Duration::from_secs(5);
    let answer = tokio::time::timeout(patience, client.next()).await.unwrap().unwrap().unwrap();
    assert_eq!(answer.to_text().unwrap(), r#"{"enabled_topics":["/alerts"]}"#);
    facade.robot(&robot).restarts.send_modify(|count| *count += 1);
    match tokio::time::timeout(patience, client.next()).await.unwrap().unwrap().unwrap() {
        Message::Close(Some(frame)) => assert!(frame.reason.contains("restarted"), "{frame}"),
        other => panic!("{other:?}"),
    }
    serving.abort();
}

#[tokio::test]
async fn what_is_shown_follows_the_configured_style() {
    use latimer_core::hub::Shared;
    use latimer_core::model::signal::{Relocation, RelocationState};

    use crate::Configured;

    let relocation = Relocation {
        state: RelocationState::Succeeded,
        score_percent: Some(82.5),
        needs_confirmation: None,
        pose: None,
        message: None,
    };
    let hub = Hub::new(Clock::system());
    let robot = RobotId::new("r").unwrap();
    let update = Shared::new(Update::now(&robot, hub.clock().now(), relocation.into()), 1);
    let shown = |config: &str| {
        let config: AxbotConfig = toml::from_str(config).unwrap();
        String::from_utf8(config.translator().translate(&hub, &update).unwrap().payload.to_vec()).unwrap()
    };
    assert!(shown("").contains("\"score\":\"82.5\""), "{}", shown(""));
    assert!(shown("score = \"number\"").contains("\"score\":82.5"));
}
