//! Users, their roles, and every port that asks for them.

mod ports;
mod routes;
mod sessions;

use std::path::PathBuf;
use std::process::Stdio;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use latimer_e2e::PATIENCE;
use latimer_e2e::standing::{MQTT, ROBOTS, STANDING};
use latimer_e2e::{Gateway, users};
use reqwest::{Client, Method, RequestBuilder, header};
use serde_json::Value;
use tokio::process::Command;

/// Users and what they may do, by the words of `latimer user`. Each has its name as its password.
const USERS: [(&str, &[&str]); 6] = [
    ("viewer", &["see"]),
    ("driver", &["drive"]),
    ("admin", &["admin"]),
    ("student", &["drive:misty-1", "see:axbot-1/battery"]),
    ("owner", &["admin:misty-1"]),
    ("elsewhere", &["admin:axbot-1"]),
];

/// A users' file, gone when this is dropped.
struct Users(PathBuf);

impl Users {
    async fn new(name: &str) -> Self {
        let users =
            Self(std::env::temp_dir().join(format!("latimer-users-{}-{name}.toml", std::process::id())));
        let mut text = String::new();
        for (user, grants) in USERS {
            text += &users::entry(user, grants).await;
        }
        users.write(&text);
        users
    }

    fn read(&self) -> String {
        std::fs::read_to_string(&self.0).expect("the file is there")
    }

    fn write(&self, text: &str) {
        std::fs::write(&self.0, text).expect("the temporary folder can be written");
    }

    async fn gateway(&self) -> Gateway {
        self.gateway_with(STANDING).await
    }

    async fn gateway_with(&self, text: &str) -> Gateway {
        Gateway::with_text(&format!("[access]\nusers = '{}'\n{text}", self.0.display())).await
    }
}

impl Drop for Users {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn basic(user: &str) -> String {
    format!("Basic {}", BASE64_STANDARD.encode(format!("{user}:{user}")))
}

/// A request of a user; of nobody if the name is empty.
fn request(method: Method, url: String, user: &str) -> RequestBuilder {
    let request = Client::new().request(method, url).timeout(PATIENCE);
    if user.is_empty() { request } else { request.header(header::AUTHORIZATION, basic(user)) }
}

async fn get(gateway: &Gateway, path: &str, user: &str) -> Value {
    let answer = request(Method::GET, format!("http://{}{path}", gateway.http()), user).send().await;
    let answer = answer.expect("it answers").error_for_status().expect("it is let in");
    answer.json().await.expect("it is JSON")
}

/// Where robots stand by their wheels, and what the world holds.
async fn places(gateway: &Gateway) -> String {
    let last = get(gateway, "/api/v1/world", "admin").await;
    let mut seen = Vec::new();
    for robot in ROBOTS {
        let body = last["now"]["robots"].as_array().into_iter().flatten().find(|it| it["robot"] == robot);
        let body = body.unwrap_or_else(|| panic!("{robot} is not in {}", last["now"]));
        seen.push(format!("{robot} {:.3} {:.3}", body["x_m"], body["y_m"]));
    }
    seen.push(last["revision"].to_string());
    seen.join(", ")
}

/// Publishes at the broker; whether the broker took it.
async fn publish(gateway: &Gateway, user: &str, topic: &str, payload: &str) -> bool {
    let port = gateway.port(MQTT);
    let (_, port) = port.split_once(':').expect("host and port");
    let published = Command::new("mosquitto_pub")
        .args(["-V", "5", "-p", port, "-u", user, "-P", user, "-q", "1", "-t", topic, "-m", payload])
        .stdin(Stdio::null())
        .output()
        .await
        .expect("mosquitto's clients are installed: run `make mosquitto`");
    published.status.success() && published.stderr.is_empty()
}
