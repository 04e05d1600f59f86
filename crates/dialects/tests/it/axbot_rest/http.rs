//! What all requests have in common.

use std::time::Duration;

use latimer_core::model::signal::LinkState;
use latimer_dialects::axbot::AxbotConfig;
use serde_json::json;

use super::gateway::Gateway;
use super::sent;

#[tokio::test]
async fn a_slash_at_the_end_means_nothing() {
    let gateway = Gateway::start().await;
    gateway.publish(sent::control(false));
    for path in ["maps", "mappings", "chassis/moves", "device/boot_progress", "chassis/status"] {
        let (plain, slash) = (gateway.get(path).await, gateway.get(&format!("{path}/")).await);
        assert_eq!((plain.0, &plain), (200, &slash), "{path}");
    }
    let without = gateway.refused("POST", "mappings", r#"{"continue_mapping": true}"#).await;
    let with = gateway.refused("POST", "mappings/", r#"{"continue_mapping": true}"#).await;
    assert_eq!((without.0, &without), (400, &with));
}

#[tokio::test]
async fn a_wrong_path_is_answered_with_the_right_one() {
    let gateway = Gateway::start().await;
    for path in ["", "nonsense", "bagpipes/", "system/settings", "maps/one"] {
        let (status, text) = gateway.refused("GET", path, "").await;
        assert!(status == 404 && text.contains("/chassis/moves"), "{path}: {status} {text}");
    }
    let (status, text) = gateway.refused("DELETE", "chassis/pose", "").await;
    assert!(status == 405 && text.contains("GET, POST"), "{status} {text}");
    let response = gateway.client().request("PUT", "maps").send().await.unwrap();
    assert_eq!(response.headers()["allow"], "GET, POST, DELETE");
}

#[tokio::test]
async fn web_apps_may_ask() {
    const PAGE: &str = "http://localhost:5173";
    let gateway = Gateway::start().await;
    let response =
        gateway.client().request("OPTIONS", "chassis/moves").header("origin", PAGE).send().await.unwrap();
    assert_eq!(response.status().as_u16(), 204);
    assert_eq!(response.headers()["access-control-allow-origin"], PAGE);
    let text = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert!(text("access-control-allow-methods").contains("PATCH"));
    assert!(text("access-control-allow-headers").contains("Secret"));
    for path in ["maps", "nonsense"] {
        let response = gateway.client().request("GET", path).header("origin", PAGE).send().await.unwrap();
        assert_eq!(response.headers()["access-control-allow-origin"], PAGE, "{path}");
    }
}

#[tokio::test]
async fn a_head_has_no_body() {
    let gateway = Gateway::start().await;
    let head = gateway.client().request("HEAD", "device/info").send().await.unwrap();
    assert_eq!(head.status().as_u16(), 200);
    assert_eq!(head.headers()["content-type"], "application/json");
    assert!(head.headers()["content-length"].to_str().unwrap().parse::<usize>().unwrap() > 10);
    assert!(head.bytes().await.unwrap().is_empty());
}

#[tokio::test]
async fn while_it_boots_it_answers_nothing_else() {
    let config = AxbotConfig { boot_s: 0.5, ..AxbotConfig::default() };
    let gateway = Gateway::of_family("axbot", config).await;
    gateway.source.link(LinkState::Up, None);
    for path in ["device/info", "maps", "nonsense"] {
        let (status, text) = gateway.refused("GET", path, "").await;
        assert!(status == 503 && text.contains("boot_progress"), "{path}: {status} {text}");
    }
    let (status, progress) = gateway.get("device/boot_progress").await;
    assert!(status == 200 && progress["progress"].as_f64().unwrap() < 1.0, "{progress}");
    assert_eq!(progress["logs"][0]["progress"], 0.0);
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(gateway.get("device/info").await.0, 200);
    let (_, progress) = gateway.get("device/boot_progress").await;
    assert_eq!((&progress["progress"], &progress["logs"][1]["msg"]), (&json!(1.0), &json!("ready")));
}

#[tokio::test]
async fn a_robot_that_was_never_heard_boots_still() {
    let gateway = Gateway::of_family("axbot", AxbotConfig::default()).await;
    gateway.source.link(LinkState::Down, Some("nobody answers at 192.168.25.25".into()));
    let (status, text) = gateway.refused("GET", "device/info", "").await;
    assert!(status == 503 && text.contains("192.168.25.25"), "{status} {text}");
    let (status, progress) = gateway.get("device/boot_progress").await;
    assert_eq!((status, &progress["progress"]), (200, &json!(0.9)));
    gateway.source.link(LinkState::Up, None);
    assert_eq!(gateway.get("device/info").await.0, 200);
    // What it is, is remembered while it is away; how it stands now is not known.
    gateway.publish(sent::control(false));
    gateway.source.link(LinkState::Down, None);
    assert_eq!(gateway.get("device/info").await.0, 200);
    for path in ["chassis/status", "chassis/pose"] {
        let (status, text) = gateway.refused("GET", path, "").await;
        assert!(status == 503 && text.contains("not heard"), "{path}: {status} {text}");
    }
}

#[tokio::test]
async fn the_secret_is_asked_for() {
    let config = AxbotConfig { secret: Some("abc".into()), ..AxbotConfig::default() };
    let gateway = Gateway::of_family("axbot", config).await;
    gateway.source.link(LinkState::Up, None);
    let (status, text) = gateway.refused("GET", "device/info", "").await;
    assert!(status == 401 && text.contains("Secret"), "{status} {text}");
    for (name, value, status) in [
        ("Secret", "abc", 200),
        ("Authorization", "Secret abc", 200),
        ("Secret", "abcd", 401),
        ("Authorization", "Bearer abc", 401),
    ] {
        let request = gateway.client().request("GET", "device/info").header(name, value);
        assert_eq!(request.send().await.unwrap().status().as_u16(), status, "{name}: {value}");
    }
    let preflight = gateway.client().request("OPTIONS", "device/info").send().await.unwrap();
    assert_eq!(preflight.status().as_u16(), 204);
}

#[tokio::test]
async fn long_bodies_are_refused() {
    let gateway = Gateway::start().await;
    let (status, text) = gateway.refused("POST", "chassis/moves", &" ".repeat(70 << 10)).await;
    assert!(status == 413 && text.contains("65536 bytes"), "{status} {text}");
    let (status, _) = gateway.refused("POST", "maps", &" ".repeat(70 << 10)).await;
    assert_eq!(status, 400);
    let body = vec![0xff, 0xfe];
    let response = gateway.client().request("POST", "chassis/moves").body(body).send().await.unwrap();
    assert_eq!(response.status().as_u16(), 400);
}

#[tokio::test]
async fn a_picture_that_is_gone_is_explained() {
    let gateway = Gateway::start().await;
    let (status, text) = gateway.refused("GET", "static-files/map-00.png", "").await;
    assert!(status == 404 && text.contains("map-00.png"), "{status} {text}");
}

#[tokio::test]
async fn on_the_common_port_addresses_begin_with_the_robot() {
    let gateway = Gateway::start().await;
    gateway.publish(sent::hall());
    gateway.say_of("map", sent::cells());
    let common = gateway.common();
    let (status, list) = common.get("maps/").await;
    let url = list[0]["url"].as_str().unwrap();
    assert_eq!((status, url), (200, format!("http://{}/maps/1", common.address).as_str()));
    let fetched = reqwest::get(url).await.unwrap().text().await.unwrap();
    assert!(fetched.contains("\"hall\""), "{fetched}");
    // Both ports are the same robot.
    assert_eq!(gateway.get("maps/1").await.0, 200);
    assert_eq!(common.get("nonsense").await.0, 404);
}
