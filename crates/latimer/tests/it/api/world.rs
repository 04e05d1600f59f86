//! The simulated world over the API, with a world that really runs.

use std::time::Duration;

use futures_util::StreamExt;
use latimer_core::{Clock, RobotId};
use latimer_e2e::PATIENCE;
use latimer_simulator_api::SimulatorHandle;
use latimer_wire::v1::{Figure, World as WireWorld, WorldFrame};
use latimer_world::{Behaviour, Pose2, Runtime, RuntimeHandle, Start, World, WorldFile};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use super::support::Api;

const ROOM: &str = "name = \"room\"\nsize_m = [6.0, 4.0]\n\
    [[walls]]\npoints_m = [[0.0, 3.0], [2.0, 3.0]]\ncolor = \"#808080\"\n\
    [[boxes]]\nname = \"sofa\"\ncenter_m = [5.0, 3.0]\nsize_m = [1.0, 0.5]\ncolor = \"#ff0000\"\n\
    [[cylinders]]\ncenter_m = [5.0, 1.0]\nradius_m = 0.25\nreality = \"virtual\"\n\
    [[doors]]\nname = \"front\"\npoints_m = [[2.0, 3.0], [2.0, 4.0]]\nmode = \"manual\"\n\
    [[people]]\nname = \"Anna\"\nstart_m = [3.0, 3.0]\n\
    [[chargers]]\nname = \"dock\"\nposition_m = [0.5, 0.5]\n\
    [[lights]]\nname = \"lamp\"\nposition_m = [3.0, 2.0]\n";

/// An API over a paused world.
async fn api() -> (Api, RuntimeHandle) {
    let clock = Clock::system();
    let (simulator, desk) = SimulatorHandle::new(clock);
    let api = Api::with_simulator(clock, Some(simulator)).await;
    let mut world = World::new(WorldFile::parse(ROOM).unwrap(), 1).unwrap();
    let start = Start::At(Pose2::new(2.0, 1.0, 0.0));
    world.add_robot(RobotId::new("misty-1").unwrap(), "misty", start, Behaviour::Stand).unwrap();
    let handle = Runtime::start(world, &api.hub, clock, desk, 0.0).unwrap();
    (api, handle)
}

/// Stops the world off the test's thread.
async fn stop(handle: RuntimeHandle) {
    latimer_panics::blocking("stopping the world", move || handle.stop()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_world_is_answered_whole() {
    let (api, handle) = api().await;
    let world: Value = api.get("/api/v1/world").await;
    insta::assert_json_snapshot!("world", world);
    let read: WireWorld = serde_json::from_value(world.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), world, "it survives the way there and back");
    stop(handle).await;
    let gone = reqwest::get(api.url("/api/v1/world")).await.unwrap();
    assert_eq!(gone.status(), 503);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_revision_tells_when_to_look_again() {
    let (api, handle) = api().await;
    let revision = async || api.get("/api/v1/world").await["revision"].as_u64().unwrap();
    let first = revision().await;
    let put = json!({"happening": "put_obstacle", "name": "p", "cylinder": {"radius_m": 0.1}, "x_m": 4.0, "y_m": 1.0});
    assert_eq!(api.post("/api/v1/world/poke", &put).await.0, 200);
    let second = revision().await;
    assert!(second > first);
    let world = api.get("/api/v1/world").await;
    let shape = world["shapes"].as_array().unwrap().iter().find(|it| it["name"] == "p").unwrap().clone();
    assert_eq!((&shape["layer"], &shape["circle"]["radius_m"]), (&json!("obstacle"), &json!(0.1)));
    assert_eq!(
        api.post("/api/v1/world/poke", &json!({"happening": "door", "name": "front", "open": true})).await.0,
        200
    );
    assert_eq!(revision().await, second, "a door is no new shape");
    stop(handle).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn what_moves_comes_over_a_web_socket() {
    let (api, handle) = api().await;
    let url = api.url("/api/v1/world/stream?every=20ms").replace("http://", "ws://");
    let (mut socket, _) = connect_async(url).await.unwrap();
    let mut times = Vec::new();
    assert_eq!(api.post("/api/v1/world/pace", &json!({"pace": "speed", "speed": 5})).await.0, 200);
    while times.len() < 20 {
        let Some(Ok(Message::Text(text))) = socket.next().await else { panic!("the stream goes on") };
        match serde_json::from_str(&text).unwrap() {
            WorldFrame::World(now) => {
                assert_eq!(now.robots[0].robot, "misty-1");
                times.push(now.time_s);
            }
            end @ WorldFrame::End(_) => panic!("{end:?}"),
        }
    }
    assert!(times.is_sorted() && times.last().unwrap() > &0.5, "{times:?}");
    api.shutdown.cancel();
    let end = loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) if text.contains("\"type\":\"end\"") => break text,
            Some(Ok(_)) => {}
            other => panic!("{other:?}"),
        }
    };
    assert!(end.contains("stopping"), "{end}");
    let _ = socket.close(None).await;
    stop(handle).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn what_moves_comes_as_events_to_who_asks_for_no_upgrade() {
    let (api, handle) = api().await;
    let mut response = reqwest::get(api.url("/api/v1/world/stream?every=20ms")).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut text = String::new();
    while text.matches("event: world").count() < 3 {
        text.push_str(std::str::from_utf8(&response.chunk().await.unwrap().unwrap()).unwrap());
    }
    let data = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let frame: WorldFrame = serde_json::from_str(data).unwrap();
    assert!(matches!(frame, WorldFrame::World(now) if now.paused && now.doors[0].state == "closed"));
    api.shutdown.cancel();
    let rest = async {
        while let Ok(Some(bytes)) = response.chunk().await {
            text.push_str(std::str::from_utf8(&bytes).unwrap());
        }
    };
    tokio::time::timeout(PATIENCE, rest).await.expect("the response ends");
    assert!(text.contains("event: end\n"), "{text}");
    stop(handle).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_stream_ends_with_the_world() {
    let (api, handle) = api().await;
    let url = api.url("/api/v1/world/stream").replace("http://", "ws://");
    let (mut socket, _) = connect_async(url).await.unwrap();
    socket.next().await.unwrap().unwrap();
    stop(handle).await;
    let ended = tokio::time::timeout(PATIENCE, async {
        while let Some(Ok(message)) = socket.next().await {
            if matches!(&message, Message::Text(text) if text.contains("has stopped")) {
                return true;
            }
        }
        false
    });
    assert!(ended.await.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_scenario_begins_now() {
    let (api, handle) = api().await;
    let done = (200, json!({"outcome": "done"}));
    let door = "[[events]]\nat_s = 0.1\nhappening = \"door\"\nname = \"front\"\nopen = true\n";
    assert_eq!(api.post("/api/v1/world/scenario", &json!({"toml": door})).await, done);
    assert_eq!(api.post("/api/v1/world/pace", &json!({"pace": "speed", "speed": 20})).await.0, 200);
    let state = async |wanted: &str| {
        for _ in 0..200 {
            if api.get("/api/v1/world").await["now"]["doors"][0]["state"] == wanted {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        false
    };
    assert!(state("open").await);
    let shut = json!({"events": [
        {"at_s": 0, "happening": "door", "name": "front", "open": false, "robot": null},
        {"at_s": 1.5, "robot": "misty-1", "command": "stop"}
    ]});
    assert_eq!(api.post("/api/v1/world/scenario", &shut).await, done);
    assert!(state("closed").await);
    stop(handle).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn wrong_scenarios_are_reported_where_they_are_wrong() {
    let (api, handle) = api().await;
    let refused = async |body: Value| {
        let (status, problem) = api.post("/api/v1/world/scenario", &body).await;
        (
            status,
            problem["detail"].as_str().unwrap().to_owned(),
            problem["place"].as_str().unwrap().to_owned(),
        )
    };
    let (status, detail, place) = refused(json!({"toml": "[[events]]\nat_s = 1\nhappening = \"dor\""})).await;
    assert_eq!((status, place.as_str()), (400, "body, toml"));
    assert!(detail.contains("toml:1"), "{detail}");
    let stranger = json!({"events": [{"at_s": 1, "robot": "ghost", "stimulus": "lose_pose"}]});
    let (status, detail, _) = refused(stranger).await;
    assert_eq!(status, 400);
    assert!(
        detail.contains("events[0]") && detail.contains("ghost") && detail.contains("misty-1"),
        "{detail}"
    );
    let door = "[[events]]\nat_s = 1\nhappening = \"door\"\nname = \"back\"\nopen = true";
    let (status, detail, _) = refused(json!({"toml": door})).await;
    assert_eq!(status, 400);
    assert!(detail.contains("events[0]") && detail.contains("the doors are: front"), "{detail}");
    let (status, _, place) = refused(json!({"events": [{"at_s": 1, "robot": "misty-1"}]})).await;
    assert_eq!((status, place.as_str()), (400, "body, events[0]"));
    let (status, _, place) = refused(json!({"events": [], "repeat_s": 0})).await;
    assert_eq!((status, place.as_str()), (400, "body, repeat_s"));
    for body in [json!({}), json!({"toml": "", "events": []}), json!({"tomll": ""})] {
        assert_eq!(refused(body).await.0, 400);
    }
    let wrong = reqwest::get(api.url("/api/v1/world/scenario")).await.unwrap();
    assert_eq!(wrong.status(), 405);
    stop(handle).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_a_world_and_with_wrong_parameters_there_is_a_problem() {
    let alone = Api::start().await;
    for path in ["/api/v1/world", "/api/v1/world/stream"] {
        let response = reqwest::get(alone.url(path)).await.unwrap();
        assert_eq!(response.status(), 404);
        assert_eq!(response.headers()["content-type"], "application/problem+json");
    }
    assert_eq!(alone.post("/api/v1/world/scenario", &json!({"toml": ""})).await.0, 404);
    let (api, handle) = api().await;
    for path in ["/api/v1/world?x=1", "/api/v1/world/stream?every=1ms", "/api/v1/world/stream?evry=1s"] {
        assert_eq!(reqwest::get(api.url(path)).await.unwrap().status(), 400, "{path}");
    }
    stop(handle).await;
}

#[tokio::test]
async fn families_are_listed() {
    let api = Api::start().await;
    let families: Value = api.get("/api/v1/families").await;
    insta::assert_json_snapshot!("families", families);
    let read: Vec<Figure> = serde_json::from_value(families["families"].clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), families["families"]);
}
