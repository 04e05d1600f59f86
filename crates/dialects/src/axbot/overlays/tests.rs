use latimer_core::model::signal::{FeatureKind, Frame, MapFeature, Pose};
use proptest::prelude::*;

use super::*;

fn read(features: &str) -> Vec<MapFeature> {
    features_from_overlays(&format!(r#"{{"type":"FeatureCollection","features":[{features}]}}"#)).unwrap()
}

fn problem(features: &str) -> String {
    let text = format!(r#"{{"type":"FeatureCollection","features":[{features}]}}"#);
    features_from_overlays(&text).unwrap_err().to_string()
}

fn point(properties: &str) -> String {
    format!(
        r#"{{"type":"Feature","geometry":{{"type":"Point","coordinates":[1.5,-2]}},"properties":{properties}}}"#
    )
}

#[test]
fn points_are_known_by_their_type_in_any_spelling() {
    let kind = |properties: &str| read(&point(properties)).remove(0).kind;
    assert_eq!(kind(r#"{"type":"9"}"#), FeatureKind::Charger);
    assert_eq!(kind(r#"{"type":9}"#), FeatureKind::Charger);
    assert_eq!(kind(r#"{"type":9.0}"#), FeatureKind::Charger);
    assert_eq!(kind(r#"{"type":"34"}"#), FeatureKind::RackPoint);
    assert_eq!(kind(r#"{"type":"10"}"#), FeatureKind::Place);
    assert_eq!(kind(r#"{"type":"36"}"#), FeatureKind::Other);
    assert_eq!(kind(r#"{"type":"999"}"#), FeatureKind::Other);
    assert_eq!(kind("{}"), FeatureKind::Other);
    assert_eq!(kind("null"), FeatureKind::Other);
}

#[test]
fn yaws_are_degrees_there_and_radians_here() {
    let yaw = |yaw: &str| {
        let mark = read(&point(&format!(r#"{{"type":"9","yaw":{yaw}}}"#))).remove(0);
        mark.pose.unwrap().yaw_rad
    };
    assert!((yaw("90") - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    assert!((yaw(r#""177.8""#) - 177.8_f64.to_radians()).abs() < 1e-12);
    assert_eq!(yaw("null"), 0.0);
    assert_eq!(yaw(r#""""#), 0.0);
}

#[test]
fn codes_and_poles_are_called_by_what_is_read_off_them() {
    let name = |properties: &str| read(&point(properties)).remove(0).name.unwrap();
    assert_eq!(name(r#"{"type":"37","name":"at the door","barcodeId":"D2_29"}"#), "D2_29");
    assert_eq!(name(r#"{"type":"37","barcode_id":"D2_30"}"#), "D2_30");
    assert_eq!(name(r#"{"type":39,"landmarkId":7}"#), "7");
    assert_eq!(name(r#"{"type":"9","name":"dock"}"#), "dock");
}

#[test]
fn lines_and_areas_have_corners() {
    let marks = read(
        r#"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]},"properties":{"lineType":"2"}},
           {"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]],[[0.1,0.1],[0.2,0.1],[0.2,0.2]]]},
            "properties":{"regionType":4,"mac":"30C6F72FAE1C"}},
           {"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]},"properties":{"regionType":"1"}},
           {"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]},"properties":{"regionType":8}},
           {"geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1]]],[[[5,5],[6,5],[6,6]]]]},
            "properties":{"regionType":1}},
           {"id":"racks-1","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]},"properties":{"regionType":"17"}},
           {"geometry":null}"#,
    );
    let kinds: Vec<_> = marks.iter().map(|it| it.kind).collect();
    use FeatureKind::{Door, KeepOut, Other, RackArea, VirtualWall};
    assert_eq!(kinds, [VirtualWall, Door, KeepOut, Other, KeepOut, KeepOut, RackArea]);
    assert_eq!((marks[0].id.as_deref(), marks[6].id.as_deref()), (None, Some("racks-1")));
    assert_eq!(marks[1].points_m, [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]);
    assert_eq!(marks[1].mac.as_deref(), Some("30C6F72FAE1C"));
}

#[test]
fn nothing_is_no_mark() {
    for text in ["", "  ", "null", "{}", "\"\"", r#"{"type":"FeatureCollection"}"#, r#"{"features":[]}"#] {
        assert_eq!(features_from_overlays(text), Ok(Vec::new()), "{text:?}");
    }
    let twice = serde_json::to_string(&format!(r#"{{"features":[{}]}}"#, point("{}"))).unwrap();
    assert_eq!(features_from_overlays(&twice).unwrap().len(), 1);
}

#[test]
fn errors_name_the_feature_and_what_is_wrong_with_it() {
    let good = point("{}");
    let second = |feature: &str| problem(&format!("{good},{feature}"));
    let yaw = second(&point(r#"{"yaw":"north"}"#));
    assert_eq!(yaw, r#"the overlays are wrong at feature 2: its "yaw" is no number: "north""#);
    assert!(second("3").contains("feature 2: it is no object"));
    assert!(second(r#"{"geometry":{"type":"Blob"}}"#).contains("feature 2: its geometry cannot be read"));
    let short = second(r#"{"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}}"#);
    assert!(short.contains("feature 2: it has 2 different corners, but needs 3"), "{short}");
    assert!(features_from_overlays("{").unwrap_err().to_string().contains("no JSON"));
    assert!(features_from_overlays("[1]").unwrap_err().to_string().contains("FeatureCollection"));
    let other = features_from_overlays(r#"{"type":"Feature"}"#).unwrap_err().to_string();
    assert!(other.contains("\"features\""), "{other}");
}

#[test]
fn there_are_limits() {
    let many = vec![r#"{"geometry":null}"#; MAX_FEATURES + 1].join(",");
    assert!(problem(&many).contains("10001 features"));
    let line = format!(r#"{{"geometry":{{"type":"LineString","coordinates":[{}]}}}}"#, {
        vec!["[0,1]"; MAX_POINTS + 1].join(",")
    });
    assert!(problem(&line).contains("more than 100000 points"));
    assert!(features_from_overlays(&" ".repeat(MAX_BYTES + 1)).unwrap_err().to_string().contains("bytes"));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(features_from_overlays(&deep).is_err());
}

#[test]
fn a_mark_keeps_its_id() {
    let dock = |x_m: f64| MapFeature {
        kind: FeatureKind::Charger,
        id: None,
        name: Some("dock".into()),
        pose: Some(Pose::planar(Frame::Map, x_m, 0.0, 0.0)),
        points_m: Vec::new(),
        mac: None,
    };
    let wall = MapFeature {
        kind: FeatureKind::VirtualWall,
        id: None,
        name: None,
        pose: None,
        points_m: vec![[0.0, 0.0], [1.0, 0.0]],
        mac: None,
    };
    let ids = |features: &[MapFeature]| -> Vec<String> {
        let json: serde_json::Value = serde_json::from_str(&overlays_from_features(features)).unwrap();
        json["features"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
    };
    let before = ids(&[dock(1.0), wall.clone()]);
    let after = ids(&[wall, dock(2.0)]);
    assert_eq!((&before[0], &before[1]), (&after[1], &after[0]));
    let twins = ids(&[dock(1.0), dock(1.0)]);
    assert_ne!(twins[0], twins[1]);
    let given = MapFeature { id: Some("66b3".into()), ..dock(1.0) };
    assert_eq!(ids(std::slice::from_ref(&given)), ["66b3"]);
    assert_eq!(
        features_from_overlays(&overlays_from_features(std::slice::from_ref(&given))),
        Ok(vec![given])
    );
}

#[test]
fn is_written_as_robots_write_it() {
    let dock = MapFeature {
        kind: FeatureKind::Charger,
        id: None,
        name: Some("dock".into()),
        pose: Some(Pose::planar(Frame::Map, 1.5, -2.0, std::f64::consts::FRAC_PI_2)),
        points_m: Vec::new(),
        mac: None,
    };
    let json: serde_json::Value = serde_json::from_str(&overlays_from_features(&[dock])).unwrap();
    assert_eq!(json["type"], "FeatureCollection");
    let feature = &json["features"][0];
    assert_eq!(feature["geometry"], serde_json::json!({"type": "Point", "coordinates": [1.5, -2.0]}));
    assert_eq!(
        feature["properties"],
        serde_json::json!({"type": "9", "name": "dock", "yaw": 90.0, "mapOverlay": true})
    );
}

fn any_mark() -> impl Strategy<Value = MapFeature> {
    // Places are written to a billionth of a metre.
    let metres = || (-1_000_000_000_000_i64..1_000_000_000_000).prop_map(|it| it as f64 / 1e9);
    let name = || proptest::option::of("[a-zA-Z0-9 _äß]{1,8}[a-z]");
    let id = proptest::option::of("[a-f0-9]{24}");
    let kind = prop::sample::select(FeatureKind::ALL);
    let pose = (metres(), metres(), -3.0..3.0_f64);
    let corners = prop::collection::vec((metres(), metres()), 4..7);
    (kind, id, name(), pose, corners).prop_map(|(kind, id, name, (x_m, y_m, yaw_rad), corners)| {
        use FeatureKind::{Door, KeepOut, Landmark, RackArea, VirtualWall};
        let is_point = !matches!(kind, Door | KeepOut | RackArea | VirtualWall);
        let yaw_rad = if kind == Landmark { 0.0 } else { yaw_rad };
        let corners = corners.into_iter().map(|(x, y)| [x, y]).collect();
        MapFeature {
            kind,
            id,
            name,
            pose: is_point.then(|| Pose::planar(Frame::Map, x_m, y_m, yaw_rad)),
            points_m: if is_point { Vec::new() } else { corners },
            mac: None,
        }
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(marks in prop::collection::vec(any_mark(), 0..5)) {
        let mut read = features_from_overlays(&overlays_from_features(&marks)).unwrap();
        prop_assert_eq!(read.len(), marks.len());
        for (read, mark) in read.iter_mut().zip(&marks) {
            if let (Some(read), Some(pose)) = (&mut read.pose, &mark.pose) {
                prop_assert!((read.yaw_rad - pose.yaw_rad).abs() < 1e-9);
                read.yaw_rad = pose.yaw_rad;
            }
            // One that had no id got one.
            prop_assert!(read.id.is_some());
            if mark.id.is_none() {
                read.id = None;
            }
            prop_assert_eq!(read, mark);
        }
    }
}
