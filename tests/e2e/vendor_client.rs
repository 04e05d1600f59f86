//! Everything that the vendor's client names, asked of a simulated chassis: each answers as `docs/axbot-sdk.md` says.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use latimer_e2e::Gateway;
use latimer_e2e::PATIENCE;
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

/// The page.
const PAGE: &str = include_str!("../../docs/axbot-sdk.md");

/// A row of the page: what is asked for, an example, and what becomes of it.
struct Row {
    asked: String,
    example: String,
    needs: Option<String>,
}

/// The rows below a heading.
fn rows(page: &str, heading: &str) -> Vec<Row> {
    let section = page.split("\n## ").find(|section| section.starts_with(heading)).expect("the page has it");
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`').to_owned()).collect()
    };
    let lines = section.lines().filter(|line| line.starts_with("| `"));
    let row = |line: &str| {
        // An empty example leaves two spaces between two bars.
        let cells = cells(&line.replace("|  |", "| `` |"));
        let (asked, answer) = (cells.first().expect("a name"), cells.last().expect("an answer"));
        let needs = answer.strip_prefix("needs ").map(str::to_owned);
        assert!(needs.is_some() || answer == "works", "{line}");
        let example = if cells.len() > 2 { cells[1].clone() } else { String::new() };
        Row { asked: asked.clone(), example, needs }
    };
    lines.map(row).collect()
}

#[tokio::test]
async fn every_topic_is_enabled_and_says_what_it_needs() {
    let gateway = Gateway::with_config("hall.toml").await;
    let url = format!("ws://{}/ws/v2/topics", gateway.port(10));
    let (mut socket, _) = connect_async(url).await.expect("it takes connections");
    let rows = rows(PAGE, "Topics");
    assert!(rows.len() >= 85, "{} topics", rows.len());
    for row in &rows {
        let ask = json!({"enable_topic": [row.asked]}).to_string();
        socket.send(Message::text(ask)).await.expect("the socket is open");
        let answer = async {
            loop {
                let Some(Ok(message)) = socket.next().await else { panic!("the socket closes") };
                let Message::Text(text) = message else { continue };
                let json: Value = serde_json::from_str(&text).expect("messages are JSON");
                if json.get("enabled_topics").is_some() {
                    return json;
                }
            }
        };
        let answer = tokio::time::timeout(PATIENCE, answer).await.expect("an answer comes");
        let enabled = answer["enabled_topics"].as_array().expect("a list");
        assert!(enabled.contains(&json!(row.asked)), "{}: {answer}", row.asked);
        assert!(answer.get("error").is_none(), "{}: {answer}", row.asked);
        let needs = answer["needs"][&row.asked].as_str().map(str::to_owned);
        assert_eq!(needs, row.needs, "{}", row.asked);
    }
}

#[tokio::test]
async fn every_request_works_or_says_what_it_needs() {
    let gateway = Gateway::with_config("hall.toml").await;
    let client = reqwest::Client::new();
    let rows = rows(PAGE, "Requests");
    assert!(rows.len() >= 80, "{} requests", rows.len());
    for row in &rows {
        let (method, path) = row.asked.split_once(' ').expect("a method and a path");
        let url = format!("http://{}{path}", gateway.port(10));
        let asking = async {
            loop {
                let request = client.request(method.parse().expect("a method"), &url);
                let answer = request.body(row.example.clone()).send().await.expect("it answers");
                let (status, text) = (answer.status().as_u16(), answer.text().await.expect("a text"));
                // While it boots, which one of the requests has it do.
                if status != 503 {
                    return (status, text);
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        let (status, text) = tokio::time::timeout(PATIENCE, asking).await.expect("an answer comes");
        let body = serde_json::from_str::<Value>(&text).unwrap_or_default();
        let detail = body["detail"].as_str().unwrap_or_default();
        match &row.needs {
            Some(needs) => assert!(status == 501 && detail.contains(needs), "{}: {status} {text}", row.asked),
            // The robot may be at something else just now, or a map not be made yet, and says so; that there is no such
            // request, it may not say.
            None => {
                let explained = body.as_object().is_some_and(|fields| !fields.is_empty());
                let refuses = status == 400 && explained;
                let gone = ["the robot is on no move", "there is no map"];
                let over = status == 404 && gone.iter().any(|start| detail.starts_with(start));
                assert!((200..300).contains(&status) || refuses || over, "{}: {status} {text}", row.asked);
            }
        }
    }
}
