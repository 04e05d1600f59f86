//! What is open while users change, and until when it is.

use std::process::Stdio;
use std::time::Duration;

use futures_util::StreamExt;
use latimer_e2e::standing::{CHASSIS, MISTY, MQTT};
use latimer_e2e::{Gateway, PATIENCE};
use reqwest::{Client, Method, StatusCode, header};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::{Users, basic, get, request};

#[tokio::test]
async fn a_file_that_changes_applies_to_who_is_connected() {
    let users = Users::new("reload").await;
    let gateway = users.gateway().await;
    let mut asked = format!("ws://{}/api/v1/stream?select=*/pose&every=50ms", gateway.http())
        .into_client_request()
        .expect("it is an address");
    asked.headers_mut().insert(header::AUTHORIZATION, basic("viewer").parse().expect("a header"));
    let (mut stream, _) = connect_async(asked).await.expect("it is let in");
    let mut robots_within = async |most: Duration| {
        let mut robots = std::collections::BTreeSet::new();
        let reading = async {
            while let Some(Ok(message)) = stream.next().await {
                let frame: Value =
                    serde_json::from_str(message.to_text().unwrap_or_default()).unwrap_or_default();
                if let Some(robot) = frame["robot"].as_str() {
                    robots.insert(robot.to_owned());
                }
            }
        };
        let _ = tokio::time::timeout(most, reading).await;
        robots
    };
    assert!(robots_within(Duration::from_secs(1)).await.len() > 2);
    let text = users.read();
    let (head, tail) = text.split_once("\"viewer\"").expect("there is a viewer");
    users.write(&format!("{head}\"viewer\"{}", tail.replacen("select = \"*\"", "select = \"axbot-1\"", 1)));
    let until = tokio::time::timeout(PATIENCE, async {
        while !gateway.said().contains("the users were read again") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    until.await.expect("the file is read again");
    // What was under way comes still.
    robots_within(Duration::from_millis(300)).await;
    let robots = robots_within(Duration::from_secs(1)).await;
    assert!(robots.iter().all(|robot| robot == "axbot-1"), "{robots:?}");
    // A file that is wrong changes nothing, and the log has why.
    users.write("[[user]]\n");
    let told = tokio::time::timeout(PATIENCE, async {
        while !gateway.said().contains("the users were not read again") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    told.await.expect("the log tells");
    get(&gateway, "/api/v1/robots", "driver").await;
}

/// A client of each protocol that a user has open.
struct Open {
    sockets: Vec<WebSocketStream<MaybeTlsStream<TcpStream>>>,
    events: reqwest::Response,
    subscriber: Child,
}

/// The protocols of [`Open`].
const PROTOCOLS: [&str; 6] = ["api", "api", "axbot", "misty", "mqtt", "rosbridge"];

impl Open {
    async fn of(gateway: &Gateway, user: &str) -> Self {
        let (common, chassis, misty) = (gateway.http(), gateway.port(CHASSIS), gateway.port(MISTY));
        let mut sockets = Vec::new();
        for url in [
            format!("ws://{common}/api/v1/stream?select=*/pose"),
            format!("ws://{common}/rosbridge"),
            format!("ws://{chassis}/ws/v2/topics"),
            format!("ws://{misty}/pubsub"),
        ] {
            let mut asked = url.as_str().into_client_request().expect("it is an address");
            asked.headers_mut().insert(header::AUTHORIZATION, basic(user).parse().expect("a header"));
            sockets.push(connect_async(asked).await.unwrap_or_else(|error| panic!("{url}: {error}")).0);
        }
        let events = request(Method::GET, format!("http://{common}/api/v1/stream?select=*/pose"), user);
        let events = events.send().await.expect("it answers").error_for_status().expect("it is let in");
        let port = gateway.port(MQTT);
        let (_, port) = port.split_once(':').expect("host and port");
        let subscriber = Command::new("mosquitto_sub")
            .args(["-p", port, "-u", user, "-P", user, "-t", "#", "-i", &format!("sub-of-{user}")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("mosquitto's clients are installed: run `make mosquitto`");
        Self { sockets, events, subscriber }
    }

    /// Waits until all of them have ended.
    async fn end(mut self) {
        let ends = async {
            for socket in &mut self.sockets {
                while socket.next().await.is_some_and(|message| message.is_ok()) {}
            }
            while self.events.chunk().await.is_ok_and(|chunk| chunk.is_some()) {}
            self.subscriber.wait().await.expect("it ends")
        };
        tokio::time::timeout(PATIENCE, ends).await.expect("all of them end");
    }
}

/// What the list has of a user, once it is so many.
async fn sessions(gateway: &Gateway, user: &str, count: usize) -> Vec<Value> {
    let listed = async {
        loop {
            let list = get(gateway, "/api/v1/sessions", "admin").await;
            let list = list["sessions"].as_array().expect("a list");
            let own: Vec<Value> = list.iter().filter(|it| it["user"] == user).cloned().collect();
            if own.len() == count {
                return own;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, listed).await.expect("they are listed")
}

async fn delete(gateway: &Gateway, path: &str) -> StatusCode {
    let url = format!("http://{}/api/v1{path}", gateway.http());
    request(Method::DELETE, url, "admin").send().await.expect("it answers").status()
}

#[tokio::test]
async fn whatever_is_open_ends_with_its_user() {
    let users = Users::new("gone").await;
    let gateway = users.gateway().await;
    let open = Open::of(&gateway, "viewer").await;
    let (head, rest) = {
        let text = users.read();
        let (head, rest) = text.split_once("[[user]]\nname = \"driver\"").expect("the driver comes next");
        (head.to_owned(), rest.to_owned())
    };
    assert!(head.contains("\"viewer\"") && !rest.contains("\"viewer\""), "{head}");
    users.write(&format!("[[user]]\nname = \"driver\"{rest}"));
    open.end().await;
    sessions(&gateway, "viewer", 0).await;
    get(&gateway, "/api/v1/robots", "driver").await;
}

#[tokio::test]
async fn an_admin_sees_what_is_open_and_ends_it() {
    let users = Users::new("sessions").await;
    let gateway = users.gateway().await;
    let (ended, other) = (Open::of(&gateway, "viewer").await, Open::of(&gateway, "driver").await);
    let listed = sessions(&gateway, "viewer", PROTOCOLS.len()).await;
    let mut protocols: Vec<_> = listed.iter().filter_map(|it| it["protocol"].as_str()).collect();
    protocols.sort_unstable();
    assert_eq!(protocols, PROTOCOLS);
    let mqtt = listed.iter().find(|it| it["protocol"] == "mqtt").expect("it is listed");
    assert_eq!(mqtt["client"], "sub-of-viewer");
    assert!(mqtt["peer"].as_str().is_some_and(|peer| peer.starts_with("127.0.0.1:")), "{mqtt}");
    // One by its number, then the rest by the user's name.
    let one = format!("/sessions/{}", listed[0]["id"]);
    assert_eq!(delete(&gateway, &one).await, StatusCode::NO_CONTENT);
    assert_eq!(delete(&gateway, &one).await, StatusCode::NOT_FOUND);
    assert_eq!(delete(&gateway, "/sessions/x").await, StatusCode::NOT_FOUND);
    assert_eq!(delete(&gateway, "/sessions").await, StatusCode::BAD_REQUEST);
    assert_eq!(delete(&gateway, "/sessions?user=viewer").await, StatusCode::OK);
    // mosquitto_sub connects again by itself, since its user is still there.
    let Open { mut sockets, .. } = ended;
    let over = async {
        for socket in &mut sockets {
            while socket.next().await.is_some_and(|message| message.is_ok()) {}
        }
    };
    tokio::time::timeout(PATIENCE, over).await.expect("all of them end");
    // Nobody else notices, and what ends by itself is off the list.
    sessions(&gateway, "driver", PROTOCOLS.len()).await;
    drop(other);
    sessions(&gateway, "driver", 0).await;
}

#[tokio::test]
async fn what_a_login_let_in_ends_with_it() {
    let users = Users::new("logins").await;
    let gateway = users.gateway().await;
    let login = Client::new()
        .post(format!("http://{}/api/v1/login", gateway.http()))
        .json(&json!({"user": "viewer", "password": "viewer"}));
    let me: Value = login.send().await.expect("it answers").json().await.expect("JSON");
    let token = me["token"].as_str().expect("a token").to_owned();
    let stream = async |token: &str| {
        let url = format!("http://{}/api/v1/stream?select=*/pose", gateway.http());
        Client::new().get(url).bearer_auth(token).send().await.expect("it answers")
    };
    let mut events = stream(&token).await.error_for_status().expect("it is let in");
    let listed = sessions(&gateway, "viewer", 2).await;
    let login = listed.iter().find(|it| it["protocol"] == "login").expect("it is listed");
    assert!(login["until"].is_string(), "{login}");
    assert_eq!(delete(&gateway, &format!("/sessions/{}", login["id"])).await, StatusCode::NO_CONTENT);
    let ends = async { while events.chunk().await.is_ok_and(|chunk| chunk.is_some()) {} };
    tokio::time::timeout(PATIENCE, ends).await.expect("it ends");
    assert_eq!(stream(&token).await.status(), StatusCode::UNAUTHORIZED);
    sessions(&gateway, "viewer", 0).await;
}

#[tokio::test]
async fn a_login_holds_until_it_ends_and_guesses_wait() {
    let users = Users::new("login").await;
    let gateway = users.gateway().await;
    let url = |path: &str| format!("http://{}/api/v1{path}", gateway.http());
    let login = |password: &str| {
        Client::new().post(url("/login")).json(&json!({"user": "viewer", "password": password})).send()
    };
    let me: Value =
        Client::new().get(url("/me")).send().await.expect("it answers").json().await.expect("JSON");
    assert_eq!((&me["has_users"], &me["name"]), (&json!(true), &Value::Null));
    let answer = login("viewer").await.expect("it answers");
    let cookie = answer.headers()[header::SET_COOKIE].to_str().expect("text").to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains("Secure"), "{cookie}");
    let token = cookie.split(';').next().expect("a pair").to_owned();
    let with_cookie = async |path: &str| {
        let asked = Client::new().get(url(path)).header(header::COOKIE, &token).send().await;
        asked.expect("it answers").status()
    };
    assert_eq!(with_cookie("/robots").await, StatusCode::OK);
    let out =
        Client::new().post(url("/logout")).header(header::COOKIE, &token).send().await.expect("it answers");
    assert_eq!(out.status(), StatusCode::NO_CONTENT);
    assert!(!out.headers()[header::SET_COOKIE].to_str().expect("text").contains("Secure"));
    assert_eq!(with_cookie("/robots").await, StatusCode::UNAUTHORIZED);
    // Who came in a moment ago does so again, though somebody guesses from the same address.
    get(&gateway, "/api/v1/robots", "viewer").await;
    let mut waited = false;
    for _ in 0..6 {
        let answer = login("wrong").await.expect("it answers");
        waited |= answer.status() == StatusCode::TOO_MANY_REQUESTS
            && answer.headers().contains_key(header::RETRY_AFTER);
    }
    assert!(waited);
    get(&gateway, "/api/v1/robots", "viewer").await;
}

#[tokio::test]
async fn a_login_behind_a_proxy_that_speaks_tls_has_a_cookie_for_tls_alone() {
    let users = Users::new("proxy").await;
    let gateway = users.gateway_with("[http]\nlisten = '127.0.0.1:8080'\nbehind_tls = true\n").await;
    let url = |path: &str| format!("http://{}/api/v1{path}", gateway.http());
    let login = Client::new().post(url("/login")).json(&json!({"user": "viewer", "password": "viewer"}));
    for request in [login, Client::new().post(url("/logout"))] {
        let answer = request.send().await.expect("it answers");
        assert!(answer.status().is_success(), "{answer:?}");
        let cookie = answer.headers()[header::SET_COOKIE].to_str().expect("text");
        assert!(cookie.ends_with("; Secure"), "{cookie}");
    }
}
