//! Robots of several families at one place: each client gets poses in the frame of its dialect.

use latimer_e2e::Gateway;
use latimer_e2e::PATIENCE;
use latimer_e2e::mosquitto::{Subscriber, port_of};
use serde_json::Value;

/// An arena at (4, 3), turned by a quarter; robots by dead reckoning, with a map of the world, and with the arena for their map.
const SITE: &str = "
[http]
listen = '127.0.0.1:8080'
[broker]
listen = '127.0.0.1:1883'
[world]
file = 'empty'
seed = 1
[[frame]]
name = 'arena'
x_m = 4.0
y_m = 3.0
yaw_deg = 90.0
[[robot]]
robot = 'pera-3'
map = { in = 'world', x_m = 0.0, y_m = 0.0 }
[[simulate]]
robot = 'axbot-1'
body = 'axbot'
position_m = [4.0, 4.5]
yaw_deg = 90.0
[[simulate]]
robot = 'pera-3'
body = 'pera'
position_m = [3.0, 3.0]
yaw_deg = 0.0
[[simulate]]
robot = 'miro-1'
body = 'miro'
position_m = [2.0, 1.5]
yaw_deg = 180.0
[pera]
serve_all = true
";

async fn get(url: String) -> Value {
    reqwest::get(url).await.expect("it answers").json().await.expect("it is JSON")
}

#[tokio::test]
async fn each_client_gets_poses_in_the_frame_of_its_dialect() {
    let gateway = Gateway::with_text(SITE).await;
    let tree = get(format!("http://{}/api/v1/frames", gateway.http())).await;
    let frames = tree["frames"].as_array().expect("a list");
    let names: Vec<_> = frames.iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(
        names,
        [
            "world",
            "arena",
            "axbot-1/map",
            "axbot-1/odom",
            "miro-1/map",
            "miro-1/odom",
            "pera-3/map",
            "pera-3/odom"
        ]
    );

    // The swarm: centimetres in the arena.
    let broker = gateway.port(20);
    let mut swarm = Subscriber::new(port_of(&broker), &["v1/localization/update"]).await;
    let mut expected = vec![
        ("axbot-1", [150.0, 0.0, 0.0]),
        ("pera-3", [0.0, 100.0, -90.0]),
        ("miro-1", [-150.0, 200.0, 90.0]),
    ];
    let arrived = async {
        while !expected.is_empty() {
            let payload = swarm.message("v1/localization/update").await;
            let places: Value = serde_json::from_str(&payload).expect("it is JSON");
            for place in places.as_array().into_iter().flatten() {
                let value = |key: &str| place[key].as_f64().unwrap_or(f64::NAN);
                let off = |at: &[f64; 3]| {
                    let turned = (value("heading") - at[2]).rem_euclid(360.0);
                    (value("x") - at[0]).abs().max((value("y") - at[1]).abs()).max(turned.min(360.0 - turned))
                };
                expected.retain(|(_, at)| off(at) > 2.0);
            }
        }
    };
    let in_time = tokio::time::timeout(PATIENCE, arrived).await;
    assert!(in_time.is_ok(), "missing: {expected:?}");

    // The API, in any frame.
    let answer = get(format!("http://{}/api/v1/frames?in=arena", gateway.http())).await;
    let chassis = answer["robots"].as_array().and_then(|it| it.iter().find(|it| it["robot"] == "axbot-1"));
    let chassis = chassis.unwrap_or_else(|| panic!("{answer}"));
    assert!((chassis["pose"]["x_m"].as_f64().unwrap_or(f64::NAN) - 1.5).abs() < 0.05, "{answer}");
    let nowhere = get(format!("http://{}/api/v1/frames?in=cellar", gateway.http())).await;
    assert!(nowhere["detail"].as_str().is_some_and(|it| it.contains("no frame \"cellar\"")), "{nowhere}");

    // A chassis' client of a MiRo: metres in the world, by dead reckoning from where it started.
    let pose = get(format!("http://{}/robots/miro-1/axbot/chassis/pose", gateway.http())).await;
    let at = |number: usize| pose["position"][number].as_f64().unwrap_or(f64::NAN);
    assert!((at(0) - 2.0).abs() < 0.02 && (at(1) - 1.5).abs() < 0.02, "{pose}");
}

/// A chassis alone in an empty room of 6 m by 6 m.
const ROOM: &str = "
[http]
listen = '127.0.0.1:8080'
[world]
file = 'empty'
seed = 1
[[simulate]]
robot = 'axbot-1'
body = 'axbot'
position_m = [2.0, 2.5]
yaw_deg = 30.0
[[axbot.serve]]
robot = 'axbot-1'
listen = '127.0.0.1:8090'
";

#[tokio::test]
async fn what_a_chassis_scans_is_where_the_walls_of_the_world_are() {
    let room = Gateway::with_text(ROOM).await;
    // A gateway that knows the chassis by its dialect alone; the room lies elsewhere in its world, and turned.
    let address = room.port(10);
    let site = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n\
         [[axbot.connect]]\nrobot = 'far-1'\naddress = '{address}'\n\
         [[frame]]\nname = 'dock'\nx_m = 20.0\ny_m = -5.0\nyaw_deg = 90.0\n\
         [[robot]]\nrobot = 'far-1'\nmap = {{ in = 'dock', x_m = 1.0, y_m = 0.0 }}\n"
    ))
    .await;
    let bounds = get(format!("http://{}/api/v1/world", room.http())).await["bounds_m"].clone();
    assert_eq!(bounds, serde_json::json!([0.0, 0.0, 6.0, 6.0]));
    // How far a place of the room is from its nearest wall.
    let off_wall = |[x_m, y_m]: [f64; 2]| {
        [x_m, y_m, 6.0 - x_m, 6.0 - y_m].map(f64::abs).into_iter().fold(f64::MAX, f64::min)
    };
    let to_room = |frame: &str, [x_m, y_m]: [f64; 2]| match frame {
        "world" => [y_m + 5.0 - 1.0, 20.0 - x_m],
        "dock" => [x_m - 1.0, y_m],
        _ => [x_m, y_m],
    };
    for frame in ["world", "dock", "far-1/map"] {
        let said = site.cli_ok(&["echo", "far-1/point_cloud/**", "--in", frame, "--json", "-n", "3"]).await;
        let clouds: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let points: Vec<[f64; 2]> = clouds
            .iter()
            .flat_map(|cloud| cloud["data"]["points_m"].as_array().expect("points"))
            .map(|point| [0, 1].map(|axis: usize| point[axis].as_f64().unwrap_or(f64::NAN)))
            .collect();
        assert!(clouds.iter().all(|it| it["frame"] == frame && it["data"]["frame"] == frame), "{said}");
        let mut off: Vec<f64> = points.iter().map(|&at| off_wall(to_room(frame, at))).collect();
        off.sort_by(f64::total_cmp);
        let middle = off.get(off.len() / 2).copied().unwrap_or(f64::NAN);
        assert!(points.len() > 100 && middle < 0.02, "{frame}: {} points, {middle} m off", points.len());
    }
    let refused = site.cli(&["echo", "far-1", "--in", "cellar"]).await;
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no frame \"cellar\""), "{refused:?}");
}
