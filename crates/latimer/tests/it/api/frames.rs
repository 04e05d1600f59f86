//! Coordinates in the frame that was asked for.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use latimer_core::frames::{FrameTree, Placement, Pose2};
use latimer_core::hub::{Origin, RobotInfo, Source};
use latimer_core::model::profile::{Mount, RangeSensor, RobotProfile};
use latimer_core::model::signal::{Battery, Frame, Path, Pose, Scan};
use latimer_core::model::{Kind, PartName, Signal};
use latimer_core::{RobotId, Update};
use latimer_wire::v1::{Frame as WireFrame, Problem};

use super::support::{Api, Stream};

/// A hall at (10, 0), turned by a quarter, and a robot whose map is nowhere.
async fn site() -> (Api, Source) {
    let api = Api::start().await;
    let hall = Placement::in_world(Pose2::new(10.0, 0.0, FRAC_PI_2));
    let site = BTreeMap::from([("hall".into(), hall)]);
    api.hub.set_frames(FrameTree::new(site, BTreeMap::new()).unwrap());
    let robot = RobotId::new("lost-1").unwrap();
    let lost = api.hub.register(RobotInfo::new(robot, "axbot", Origin::Connected("there".into()))).unwrap();
    (api, lost)
}

fn publish(api: &Api, source: &Source, signal: impl Into<Signal>) {
    source.publish(Update::now(source.robot(), api.clock.now(), signal.into()));
}

async fn gap(stream: &mut Stream) -> (String, String, Option<u64>) {
    let text = stream.next_text().await.expect("the stream goes on");
    let WireFrame::Gap(gap) = WireFrame::parse(&text).unwrap() else { panic!("no gap: {text}") };
    (gap.reason, gap.detail, gap.lost)
}

#[tokio::test]
async fn coordinates_come_in_the_frame_that_was_asked_for() {
    let (api, _) = site().await;
    let source = api.robot("axbot-1");
    publish(&api, &source, Pose::planar(Frame::Map, 10.0, 2.0, FRAC_PI_2));
    publish(&api, &source, Path::of(Frame::Map, vec![[10.0, 2.0], [9.0, 2.0]]));
    publish(&api, &source, Battery { charge_ratio: Some(0.5), ..Battery::UNKNOWN });

    let mut own = api.stream("select=axbot-1/pose&n=1").await;
    let update = own.next_update().await;
    let data = update.data.unwrap();
    assert_eq!((update.frame.as_deref(), &data["frame"]), (Some("axbot-1/map"), &"map".into()));

    let near = |value: &serde_json::Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-9;
    let mut stream = api.stream("select=axbot-1/path,axbot-1/pose,axbot-1/battery&in=hall&n=3").await;
    for _ in 0..3 {
        let update = stream.next_update().await;
        let (frame, data) = (update.frame.as_deref(), update.data.unwrap());
        match &*update.kind {
            "battery" => assert_eq!((frame, &data["charge_ratio"]), (None, &0.5.into())),
            "path" => assert!(frame == Some("hall") && near(&data["points_m"][1][1], 1.0), "{data}"),
            _ => assert!(near(&data["x_m"], 2.0) && near(&data["yaw_rad"], 0.0), "{data}"),
        }
        assert!(frame.is_none() || data["frame"] == "hall", "{data}");
    }

    // Conditions and picked fields see what comes.
    let mut picked =
        api.stream("select=axbot-1/pose&in=hall&where=pose.x_m%20%3C%203&pick=y_m,frame&n=1").await;
    let data = picked.next_update().await.data.unwrap();
    assert!(near(&data["y_m"], 0.0) && data["frame"] == "hall", "{data}");

    let last = api.get("/api/v1/last?select=axbot-1/pose&in=axbot-1/base_link").await;
    assert!(near(&last["updates"][0]["data"]["x_m"], 0.0), "{last}");
    assert_eq!(last["updates"][0]["frame"], "axbot-1/base_link");
}

#[tokio::test]
async fn the_sensors_of_a_robot_are_in_the_tree() {
    let (api, lost) = site().await;
    let mount = Mount::fixed([0.2, 0.0, 0.4], FRAC_PI_2);
    let rear = RangeSensor { mount: Some(mount), ..RangeSensor::new(Kind::Scan, Some("rear")) };
    let profile = Arc::new(RobotProfile { ranges: vec![rear], ..RobotProfile::default() });
    let rover = RobotInfo::new(RobotId::new("rover-1").unwrap(), "test", Origin::Simulated).with(profile);
    let rover = api.hub.register(rover).unwrap();
    let scan = Scan { ranges_m: vec![1.0], range_max_m: 9.0, ..Scan::NONE };
    let of = |part: Option<&str>| part.map(PartName::of);
    for (source, part, frame) in [(&rover, Some("rear"), "rover-1/rear"), (&lost, None, "lost-1/base_link")] {
        let now = api.clock.now();
        source.publish(Update { part: of(part), ..Update::now(source.robot(), now, scan.clone().into()) });
        let last = api.get(&format!("/api/v1/last?select={}/scan/**", source.robot())).await;
        assert_eq!(
            last["updates"][0]["frame"], frame,
            "a scan without a pose names its scanner's frame: {last}"
        );
    }
    publish(&api, &rover, Pose::planar(Frame::Odom, 3.0, 0.0, 0.0));
    let answer = api.get("/api/v1/frames?robot=rover-1&in=rover-1/odom").await;
    let frames = answer["frames"].as_array().unwrap();
    let named =
        |name: &str| frames.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(
        (&named("rover-1/base_link")["in"], &named("rover-1/base_link")["x_m"]),
        (&"rover-1/odom".into(), &3.0.into())
    );
    assert_eq!(
        (&named("rover-1/rear")["in"], &named("rover-1/rear")["x_m"]),
        (&"rover-1/base_link".into(), &0.2.into())
    );
    assert_eq!(answer["robots"].as_array().unwrap().len(), 1, "the other robot was not asked for: {answer}");
    assert!(frames.iter().all(|it| !it["name"].as_str().unwrap().starts_with("lost-1")), "{answer}");
    let all = api.get("/api/v1/frames").await;
    assert!(!all.to_string().contains("rover-1/rear"), "sensors are listed of one robot: {all}");
    let seen = api.get("/api/v1/last?select=rover-1/scan/**&in=rover-1/odom").await;
    assert_eq!(seen["updates"][0]["data"]["pose"]["x_m"], 3.2, "{seen}");
    let nobody = reqwest::get(api.url("/api/v1/frames?robot=nobody")).await.unwrap();
    assert_eq!(nobody.status().as_u16(), 404);
}

#[tokio::test]
async fn what_has_no_transform_is_named_once() {
    let (api, lost) = site().await;
    let mut stream = api.stream("select=lost-1/pose,lost-1/battery&in=hall&n=2").await;
    for x_m in [1.0, 2.0, 3.0] {
        publish(&api, &lost, Pose::planar(Frame::Map, x_m, 0.0, 0.0));
        publish(&api, &lost, Battery { charge_ratio: Some(x_m / 10.0), ..Battery::UNKNOWN });
        if x_m == 1.0 {
            let (reason, detail, count) = gap(&mut stream).await;
            assert_eq!((&*reason, count), ("no_transform", None));
            assert!(detail.starts_with("lost-1/pose is left out: lost-1/map has no placement"), "{detail}");
            assert_eq!(stream.next_update().await.kind, "battery");
        }
    }
    assert_eq!(stream.next_update().await.kind, "battery", "the next poses are left out without a word");
    assert!(stream.next_text().await.unwrap().contains(r#""reason":"complete""#));

    let last = api.get("/api/v1/last?select=lost-1/pose,lost-1/battery&in=hall").await;
    assert_eq!(last["updates"].as_array().unwrap().len(), 1, "{last}");
    assert_eq!(last["absent"][0]["key"], "lost-1/pose");
    let own = api.get("/api/v1/last?select=lost-1/pose&in=lost-1/map").await;
    assert_eq!(own["updates"][0]["data"]["x_m"], 3.0, "its own frames need no placement: {own}");
    assert_eq!(own.get("absent"), None);
}

#[tokio::test]
async fn a_frame_that_there_is_not_is_refused() {
    let (api, _) = site().await;
    for path in ["stream?in=cellar", "last?in=cellar", "frames?in=cellar", "stream?in=nobody/map"] {
        let response = reqwest::get(api.url(&format!("/api/v1/{path}"))).await.unwrap();
        assert_eq!(response.status().as_u16(), 400, "{path}");
        let Problem { detail, advice, place, .. } = response.json().await.unwrap();
        let (detail, advice) = (format!("{detail:?}"), advice.unwrap());
        assert!(detail.contains("there is no frame") && detail.contains("/api/v1/frames"), "{detail}");
        assert!(advice.contains("hall") || advice.contains("lost-1/map"), "{advice}");
        assert_eq!(place.as_deref(), Some("in"));
    }
    let both = reqwest::get(api.url("/api/v1/stream?in=hall&as=misty")).await.unwrap();
    assert_eq!(both.status().as_u16(), 400);
}

#[tokio::test]
async fn poses_are_published_for_what_is_moved_by_them() {
    let (api, _) = site().await;
    let source = api.robot("axbot-1");
    let _stream = api.stream("select=*/scan&in=hall").await;
    assert!(source.wants(Kind::Pose, None));
}
