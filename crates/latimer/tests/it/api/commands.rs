//! Who commands robots, and the emergency stop, over real sockets.

use latimer_core::authority::{Envelope, Policy};
use latimer_core::hub::{Policies, Source};
use latimer_core::model::signal::LinkState;
use latimer_core::{Command, Outcome};
use latimer_e2e::PATIENCE;
use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::support::Api;

const DRIVE: &str = "/api/v1/robots/misty-1/commands";

/// A robot that accepts whatever it is asked; its commands come out of the channel.
fn obedient(mut source: Source) -> tokio::sync::mpsc::UnboundedReceiver<&'static str> {
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
    source.link(LinkState::Up, None);
    tokio::spawn(async move {
        loop {
            let request = source.next_command().await;
            let _ = sender.send(request.command.name());
            request.answer(Outcome::Accepted);
        }
    });
    receiver
}

async fn post_as(api: &Api, client: Option<&str>, path: &str, body: &Value) -> (u16, Value) {
    let request = reqwest::Client::new().post(api.url(path)).json(body);
    let request = client.into_iter().fold(request, |request, it| request.header("x-latimer-client", it));
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

#[tokio::test]
async fn commands_are_listed_with_their_authors() {
    let api = Api::start().await;
    let _commands = obedient(api.robot("misty-1"));
    let drive = json!({"command": "drive", "linear_mps": 0.1, "duration_s": 60});
    assert_eq!(post_as(&api, Some("page"), DRIVE, &drive).await.0, 200);
    let (status, problem) = post_as(&api, None, DRIVE, &drive).await;
    assert_eq!((status, &problem["code"]), (409, &"owned".into()));
    assert!(problem["detail"].as_str().unwrap().contains("page 127.0.0.1 drives this robot"), "{problem}");
    assert_eq!(post_as(&api, Some("somebody"), DRIVE, &json!({"command": "stop"})).await.0, 200);

    let answer = api.get("/api/v1/commands?robot=misty-1").await;
    let shown: Vec<String> = answer["commands"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            format!(
                "{} {} {} {}",
                it["author"]["dialect"], it["author"]["name"], it["command"], it["outcome"]
            )
        })
        .map(|it| it.replace('"', ""))
        .collect();
    assert_eq!(
        shown,
        ["api 127.0.0.1 stop accepted", "api 127.0.0.1 drive refused", "page 127.0.0.1 drive accepted"]
    );
    let of_page = api.get("/api/v1/commands?dialect=page&n=5").await;
    assert_eq!(of_page["commands"].as_array().unwrap().len(), 1);
    let figures = reqwest::get(api.url("/metrics")).await.unwrap().text().await.unwrap();
    for row in [
        r#"latimer_commands_total{dialect="api",outcome="owned"} 1"#,
        r#"{dialect="page",outcome="accepted"} 1"#,
    ] {
        assert!(figures.contains(row), "{row}\n{figures}");
    }
}

#[tokio::test]
async fn who_asks_for_more_than_is_allowed_learns_what_was_changed() {
    let api = Api::start().await;
    let envelope = Envelope { linear_mps: Some(0.25), ..Envelope::default() };
    api.hub
        .set_policies(Policies { others: Policy { envelope, ..Policy::default() }, ..Policies::default() });
    let _commands = obedient(api.robot("misty-1"));
    let (status, answer) = post_as(&api, None, DRIVE, &json!({"command": "drive", "linear_mps": 1.0})).await;
    let note = "it drives slower, within what the gateway's config allows this robot here, 0.25 m/s";
    let id = &answer["command_id"];
    assert_eq!((status, &answer), (200, &json!({"command_id": id, "outcome": "accepted", "note": note})));
    assert_eq!(api.get("/api/v1/commands").await["commands"][0]["note"], note);
    let slow = post_as(&api, None, DRIVE, &json!({"command": "drive", "linear_mps": 0.1})).await;
    assert_eq!((slow.1["outcome"].as_str(), slow.1.get("note")), (Some("accepted"), None));
}

#[tokio::test]
async fn an_emergency_stop_holds_all_robots_until_it_is_released() {
    let api = Api::start().await;
    let mut first = obedient(api.robot("misty-1"));
    let mut second = obedient(api.robot("misty-2"));
    let (status, answer) = post_as(&api, Some("page"), "/api/v1/estop", &json!({})).await;
    assert_eq!((status, &answer["outcomes"]["misty-2"]["outcome"]), (200, &"accepted".into()), "{answer}");
    assert_eq!((first.recv().await, second.recv().await), (Some("halt"), Some("halt")));
    let robot = api.get("/api/v1/robots/misty-1").await;
    assert_eq!(robot["emergency_stop"], json!({"dialect": "page", "name": "127.0.0.1"}));
    let drive = json!({"command": "drive", "linear_mps": 0.1});
    let (status, problem) = post_as(&api, None, DRIVE, &drive).await;
    assert_eq!((status, &problem["code"]), (409, &"unsafe".into()), "{problem}");
    let release = json!({"robots": ["misty-1"], "pressed": false});
    let (status, answer) = post_as(&api, None, "/api/v1/estop", &release).await;
    let outcomes = answer["outcomes"].as_object().unwrap();
    assert_eq!((status, outcomes.len(), &outcomes["misty-1"]["outcome"]), (200, 1, &json!("done")));
    assert_eq!(post_as(&api, None, DRIVE, &drive).await.0, 200);
    assert_eq!(api.get("/api/v1/robots/misty-2").await["emergency_stop"]["dialect"], "page");
    let unknown = post_as(&api, None, "/api/v1/estop", &json!({"robots": ["misty-3"]})).await;
    assert_eq!(unknown.0, 404, "{unknown:?}");
}

#[tokio::test]
async fn a_stop_is_answered_though_every_connection_is_taken() {
    let api = Api::start().await;
    let mut commands = obedient(api.robot("misty-1"));
    let mut polite = Vec::new();
    for _ in 0..super::support::MAX_CONNECTIONS {
        polite.push(TcpStream::connect(&api.authority).await.unwrap());
    }
    // Those that are accepted hold their places; one that is not yet is answered by the next lines as well.
    let refused = loop {
        let response = reqwest::get(api.url("/api/v1/robots")).await.unwrap();
        if response.status() != 200 {
            break response;
        }
    };
    assert_eq!(refused.status(), 503);
    assert!(refused.text().await.unwrap().contains("http.max_connections"));
    assert_eq!(post_as(&api, None, "/api/v1/estop", &json!({})).await.0, 200);
    assert_eq!(commands.recv().await, Some(Command::Halt { motor_mask: None }.name()));
    assert_eq!(post_as(&api, None, DRIVE, &json!({"command": "stop"})).await.0, 200);
    polite.clear();
    let answered = async {
        while reqwest::get(api.url("/api/v1/robots")).await.unwrap().status() != 200 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, answered).await.unwrap();
}
