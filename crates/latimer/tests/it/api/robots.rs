//! The API over real sockets, with robots that the test plays itself.

use std::time::Duration;

use latimer_core::hub::{Origin, RobotInfo};
use latimer_core::model::signal::{Contact, ContactSensor, Frame as RobotFrame, LinkState};
use latimer_core::model::{Native, PartName, Reading, Realities, Refusal, SenseRequest, Sensing};
use latimer_core::{Clock, Command, Outcome, Update};
use latimer_e2e::PATIENCE;
use latimer_simulator_api::{Happening, Pace, SimulatorHandle, WorldRequest, WorldResponse};
use latimer_wire::v1::{Frame, PROBLEM_MEDIA_TYPE, Problem};
use serde_json::{Value, json};

use super::support::{Api, range, robot};

#[tokio::test]
async fn health_follows_the_gateway() {
    let api = Api::start().await;
    let status = async || reqwest::get(api.url("/api/v1/health")).await.unwrap().status().as_u16();
    assert_eq!(status().await, 503);
    api.phase.serving();
    assert_eq!(status().await, 200);
    let health: Value = api.get("/api/v1/health").await;
    assert_eq!(health["status"], "ok");
    api.phase.stopping();
    assert_eq!(status().await, 503);
}

#[tokio::test]
async fn lists_tell_who_is_there() {
    let api = Api::start().await;
    let source = api.robot("misty-1");
    source.link(LinkState::Up, None);
    let robots: Value = api.get("/api/v1/robots").await;
    assert_eq!(robots["robots"][0]["robot"], "misty-1");
    assert_eq!(robots["robots"][0]["link"]["state"], "up");
    let one: Value = api.get("/api/v1/robots/misty-1").await;
    assert_eq!(one["origin"], "simulated");
    let _stream = api.stream("select=misty-1").await;
    let sinks: Value = api.get("/api/v1/sinks").await;
    assert_eq!(sinks["sinks"][0]["dialect"], "api");
}

#[tokio::test]
async fn the_skew_of_a_clock_of_whole_seconds_is_an_interval() {
    let api = Api::start().await;
    let connected = RobotInfo::new(robot("misty-1"), "misty", Origin::Connected("host".into()));
    let source = api.hub.register(connected).unwrap();
    let skew = async || -> Vec<Option<f64>> {
        let robot: Value = api.get("/api/v1/robots/misty-1").await;
        ["skew_min_s", "skew_max_s"].map(|bound| robot["link"][bound].as_f64()).to_vec()
    };
    assert_eq!(skew().await, [None, None]);
    let received = latimer_core::Timestamp::from_nanos(1_700_000_007_250_000_000);
    let whole = latimer_core::Timestamp::from_nanos(1_700_000_002_000_000_000);
    let stamp = latimer_core::model::Stamp::robot(whole);
    source.publish(Update { stamp, received, ..range(&source, "front", 0.25) });
    assert_eq!(skew().await, [Some(4.25), Some(5.25)]);
    // A finer stamp shows that the clock is finer.
    let stamp = latimer_core::model::Stamp::robot(whole.after(Duration::from_millis(1)));
    source.publish(Update { stamp, received, ..range(&source, "front", 0.25) });
    assert_eq!(skew().await, [Some(5.248), Some(5.249)]);
}

#[tokio::test]
async fn last_values_are_answered_by_selection() {
    let api = Api::start().await;
    let source = api.robot("misty-1");
    source.publish(range(&source, "front", 0.25));
    source.publish(range(&source, "back", 1.0));
    let last: Value = api.get("/api/v1/last?select=misty-1/range/*").await;
    let keys: Vec<&str> =
        last["updates"].as_array().unwrap().iter().map(|it| it["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["misty-1/range/back", "misty-1/range/front"]);
    let all: Value = api.get("/api/v1/last").await;
    assert_eq!(all["updates"].as_array().unwrap().len(), 3, "with the link: {all}");
}

#[tokio::test]
async fn wrong_requests_say_what_where_and_what_to_do() {
    let api = Api::start().await;
    let _source = api.robot("misty-1");
    let client = reqwest::Client::new();
    let long = format!("\"{}\"", "x".repeat(70_000));
    let post = |path: &str, body: &str| {
        client.post(api.url(path)).header("content-type", "application/json").body(body.to_owned())
    };
    let commands = "/api/v1/robots/misty-1/commands";
    let cases = [
        (client.get(api.url("/api/v1/robot")), 404, "/api/v1/robots"),
        (client.get(api.url("/nothing")), 404, "/api/v1/health"),
        (client.get(api.url("/api/v1/robots/misty-2")), 404, "misty-1"),
        (client.get(api.url("/api/v1/robots/a%20b")), 400, "letters"),
        (client.get(api.url(commands)), 405, "POST"),
        (client.get(api.url("/api/v1/last?selct=a")), 400, "select"),
        (client.get(api.url("/api/v1/last?select=a/rnge")), 400, "range"),
        (client.get(api.url("/api/v1/stream")).header("upgrade", "websocket"), 426, "Server-Sent Events"),
        (client.get(api.url("/api/v1/stream?every=5")), 400, "250ms"),
        (client.get(api.url("/api/v1/stream?as=mysty")), 400, "misty"),
        (
            client.get(api.url("/api/v1/stream?as=misty&select=misty-1/pins")),
            400,
            "misty has no message for pins",
        ),
        (client.get(api.url("/api/v1/stream?where=rnge.distance_m<1")), 400, "range"),
        (client.get(api.url("/api/v1/stream?n=0")), 400, "from 1"),
        (client.post(api.url(commands)).body("{}"), 415, "--json"),
        (post(commands, "{"), 400, "line 1"),
        (post(commands, r#"{"command":"driv"}"#), 400, "`drive`"),
        (post(commands, r#"{"command":"drive","linear":1}"#), 400, "linear_mps"),
        (post(commands, r#"{"command":"drive","linear_mps":1e999}"#), 400, "out of range"),
        (post(commands, r#"{"command":"volume","volume_ratio":50}"#), 400, "0 to 1"),
        (post(commands, &long), 413, "65536"),
        (post("/api/v1/robots/misty-1/commands?patience=1h", "{}"), 400, "60s"),
        (post("/api/v1/robots/misty-1/poke", r#"{"stimulus":"toch","part":"a"}"#), 400, "`touch`"),
        (post(commands, r#"{"command":"navigate","to":{}}"#), 400, "`place`"),
        (post("/api/v1/world/poke", r#"{"happening":"remove_obstacle","name":"a"}"#), 404, "[[simulate]]"),
        (post("/api/v1/world/pace", r#"{"pace":"pause"}"#), 404, "latimer demo"),
        (post("/api/v1/world/pace", r#"{"pace":"paus"}"#), 400, "`pause`"),
        (post("/api/v1/world/pace", r#"{"pace":"speed","speed":1000}"#), 400, "from 0 to 100"),
        (client.get(api.url("/api/v1/world/pace")), 405, "POST"),
        (client.get(api.url("/api/v1/world/poek")), 404, "/api/v1/world/poke"),
        (client.get(api.url("/api/v1/robots")).header("host", "evil.example"), 403, "127.0.0.1"),
        (
            client.get(api.url("/api/v1/robots")).header("origin", "http://evil.example"),
            403,
            "from this machine",
        ),
        (client.get(api.url("/api/v1/robots")).header("sec-fetch-site", "cross-site"), 403, "`crossorigin`"),
    ];
    for (request, status, hint) in cases {
        let response = request.send().await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{hint}");
        assert_eq!(response.headers()["content-type"], PROBLEM_MEDIA_TYPE, "{hint}");
        let problem: Problem = response.json().await.unwrap();
        assert_eq!(problem.status, status);
        let body = format!("{problem:?}");
        assert!(body.contains(hint), "{hint}: {body}");
        assert!(problem.place.is_some(), "{body}");
    }
}

#[tokio::test]
async fn commands_reach_the_robot_and_its_answer_comes_back() {
    let api = Api::start().await;
    let mut source = api.robot("misty-1");
    let robot = tokio::spawn(async move {
        let asked = source.next_command().await;
        let command = asked.command.clone();
        asked.answer(Outcome::Done);
        source.next_command().await.answer(Outcome::not_safe("a bumper is pressed"));
        (command, source)
    });
    let body = json!({"command": "drive", "linear_mps": 0.2, "duration_s": 2});
    let (status, answer) = api.post("/api/v1/robots/misty-1/commands", &body).await;
    let id = &answer["command_id"];
    assert_eq!((status, id.is_string(), &answer), (200, true, &json!({"command_id": id, "outcome": "done"})));
    let (status, answer) = api.post("/api/v1/robots/misty-1/commands", &body).await;
    assert_eq!(
        (status, &answer["outcome"], &answer["code"], &answer["detail"]),
        (409, &json!("refused"), &json!("unsafe"), &json!("a bumper is pressed"))
    );
    let (command, _source) = robot.await.unwrap();
    let two_seconds = Some(Duration::from_secs(2));
    assert_eq!(command, Command::Drive { linear_mps: 0.2, angular_radps: 0.0, duration: two_seconds });
    let (status, answer) = api.post("/api/v1/robots/misty-1/commands?patience=50ms", &body).await;
    assert_eq!((status, &answer["outcome"]), (504, &json!("timed_out")));
}

#[tokio::test]
async fn what_shall_happen_reaches_the_world_and_its_answer_comes_back() {
    let clock = Clock::system();
    let (simulator, mut desk) = SimulatorHandle::new(clock);
    let api = Api::with_simulator(clock, Some(simulator)).await;
    let world = tokio::spawn(async move {
        let mut asked = Vec::new();
        for answer in [
            Ok(WorldResponse::Done),
            Ok(WorldResponse::Done),
            Err(Refusal::bad_argument("there is no door \"back\"")),
        ] {
            let request = loop {
                match desk.next_request() {
                    Some(request) => break request,
                    None => tokio::time::sleep(Duration::from_millis(5)).await,
                }
            };
            asked.push(request.request.clone());
            request.answer(answer);
        }
        (asked, desk)
    });
    let open = |name: &str| json!({"happening": "door", "name": name, "open": true});
    let done = (200, json!({"outcome": "done"}));
    assert_eq!(api.post("/api/v1/world/poke", &open("front")).await, done);
    assert_eq!(api.post("/api/v1/world/pace", &json!({"pace": "speed", "speed": 10})).await, done);
    let (status, answer) = api.post("/api/v1/world/poke", &open("back")).await;
    assert_eq!((status, &answer["outcome"]), (400, &json!("refused")), "{answer}");
    assert_eq!(answer["detail"], "there is no door \"back\"");
    let (asked, desk) = world.await.unwrap();
    let door = |name: &str| WorldRequest::Happen(Happening::Door { name: name.to_owned(), open: true });
    assert_eq!(asked, [door("front"), WorldRequest::Pace(Pace::Speed(10.0)), door("back")]);

    let (status, answer) = api.post("/api/v1/world/poke?patience=50ms", &open("front")).await;
    assert_eq!((status, &answer["outcome"]), (504, &json!("timed_out")), "{answer}");
    drop(desk);
    let (status, answer) = api.post("/api/v1/world/poke", &open("front")).await;
    assert!(status == 503 && answer["detail"].as_str().unwrap().contains("stopped"), "{answer}");
}

#[tokio::test]
async fn a_reading_comes_back_with_the_answer() {
    let api = Api::start().await;
    let mut source = api.robot("pera-1");
    let robot = tokio::spawn(async move {
        let asked = source.next_command().await;
        let command = asked.command.clone();
        let signal = latimer_core::model::signal::Range::valid(0.25).into();
        asked.answer(Outcome::Sensed(vec![Reading { part: None, signal }]));
        (command, source)
    });
    let body = json!({"command": "sense", "what": "distance", "reality": "mixed"});
    let (status, answer) = api.post("/api/v1/robots/pera-1/commands", &body).await;
    assert_eq!((status, &answer["outcome"]), (200, &json!("sensed")), "{answer}");
    assert_eq!(answer["readings"][0]["data"]["distance_m"], 0.25, "{answer}");
    let (command, _source) = robot.await.unwrap();
    let wanted = SenseRequest { what: Sensing::Distance, realities: Realities::Mixed };
    assert_eq!(command, Command::Sense(wanted));
}

#[tokio::test]
async fn a_real_robot_cannot_be_poked() {
    let api = Api::start().await;
    let origin = Origin::Connected("10.0.0.7:80".into());
    let _source = api.hub.register(RobotInfo::new(robot("misty-1"), "misty", origin)).unwrap();
    let (status, answer) = api.post("/api/v1/robots/misty-1/poke", &json!({"stimulus": "lift"})).await;
    assert!(status == 409 && answer["detail"].as_str().unwrap().contains("10.0.0.7"), "{answer}");
}

#[tokio::test]
async fn a_stream_brings_what_was_asked_for() {
    let api = Api::start().await;
    let source = api.robot("misty-1");
    source.publish(range(&source, "front", 0.9));
    let mut near =
        api.stream("select=misty-1/range/**&where=range.distance_m%3C0.3&pick=distance_m,part&n=2").await;
    let mut all = api.stream("select=misty-1/range/**&native=true").await;
    assert_eq!(
        all.next_update().await.data.unwrap()["distance_m"],
        json!(0.9),
        "a late joiner gets the last value"
    );
    let native = Native {
        dialect: "misty",
        topic: "TimeOfFlight".into(),
        payload: r#"{"a": 1.50}"#.into(),
        definition: None,
    };
    source.publish(Update { native: Some(native), ..range(&source, "front", 0.2) });
    let update = near.next_update().await;
    assert_eq!(update.data.unwrap(), json!({"distance_m": 0.2, "part": "front"}));
    let native = all.next_update().await.native.unwrap();
    assert_eq!(native.payload.unwrap().get(), r#"{"a": 1.50}"#);
    source.publish(range(&source, "back", 0.1));
    assert_eq!(near.next_update().await.key, "misty-1/range/back");
    assert!(near.next_text().await.unwrap().contains(r#""type":"end","reason":"complete""#));
    assert_eq!(near.next_text().await, None, "and it is closed");
}

#[tokio::test]
async fn a_stream_tells_of_gaps_and_of_its_end() {
    let api = Api::start().await;
    let source = api.robot("misty-1");
    source.link(LinkState::Up, None);
    let mut stream = api.stream("select=misty-1").await;
    stream.next_update().await;
    source.link(LinkState::Down, Some("cable".into()));
    source.link(LinkState::Up, None);
    let gap = loop {
        if let Frame::Gap(gap) = Frame::parse(&stream.next_text().await.unwrap()).unwrap() {
            break gap;
        }
    };
    assert_eq!((gap.reason.as_str(), gap.lost), ("link_lost", None));
    api.shutdown.cancel();
    let end = loop {
        if let Frame::End(end) = Frame::parse(&stream.next_text().await.unwrap()).unwrap() {
            break end;
        }
    };
    assert!(end.detail.contains("stops"), "{end:?}");
}

#[tokio::test]
async fn every_event_comes_in_order() {
    let api = Api::start().await;
    let source = api.robot("misty-1");
    let mut stream = api.stream("select=misty-1/contact/**").await;
    let contact = |contacted| Contact {
        contacted,
        sensor: ContactSensor::Touch,
        position: None,
        frame: RobotFrame::Head,
    };
    for i in 0..500 {
        let update = Update::now(source.robot(), api.clock.now(), contact(i % 2 == 0).into());
        source.publish(update.of_part(PartName::of("touch_chin")));
    }
    for i in 1..=500 {
        assert_eq!(stream.next_update().await.sequence, i);
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_is_cut_and_costs_others_nothing() {
    let api = Api::start().await;
    let source = api.robot("misty-1");
    let frozen = api.stream("select=misty-1/image&native=true").await;
    let mut reader = api.stream("select=misty-1/range/**").await;
    let sinks = || api.hub.sinks().len();
    assert_eq!(sinks(), 2);
    let native = Native {
        dialect: "misty",
        topic: "camera".into(),
        payload: vec![b'x'; 1 << 20].into(),
        definition: None,
    };
    let picture = || {
        let image = latimer_core::model::signal::Image {
            encoding: latimer_core::model::signal::image::Encoding::Rgb8,
            width: 1,
            height: 1,
            data: vec![0; 4].into(),
        };
        Update {
            native: Some(native.clone()),
            ..Update::now(&robot("misty-1"), api.clock.now(), image.into())
        }
    };
    let began = api.clock.now();
    let mut worst = Duration::ZERO;
    while sinks() == 2 {
        source.publish(picture());
        let sent = api.clock.now();
        source.publish(range(&source, "front", 0.5));
        reader.next_update().await;
        worst = worst.max(api.clock.now().since(sent));
        assert!(api.clock.now().since(began) < PATIENCE, "the frozen client is still there");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(api.clock.now().since(began) > Duration::from_secs(8), "it was given time to read");
    // As long as the frozen one was waited for, if it had to wait for that; a busy machine makes it some tenths of a second.
    assert!(worst < Duration::from_secs(4), "a reader waited {worst:?}");
    drop(frozen);
}
