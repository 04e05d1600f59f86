//! Each deviation is found where it is, and a message as it is described has none.

use latimer_core::model::{Kind, Native};
use latimer_ros1::message::Layout;
use serde_json::{Value as Json, json};

use super::*;
use crate::DIALECTS;
use crate::describe::Message as Describe;

/// A point.
#[derive(Clone, Debug, Default, PartialEq, Describe)]
struct Place {
    /// East.
    #[field(required)]
    x: Option<f64>,
    /// North.
    y: Option<f64>,
}

/// Something that is somewhere.
#[derive(Clone, Debug, Default, PartialEq, Describe)]
struct Thing {
    /// Which.
    id: i64,
    /// What people call it.
    name: Option<String>,
    /// Where.
    places: Option<Vec<Place>>,
    /// Whether it counts.
    counts: Option<bool>,
}

static THING: MessageInfo = MessageInfo {
    topic: "thing/{id}",
    kinds: &[],
    summary: "A thing.",
    fields: Fields::of::<Thing>(),
    rate_hz: None,
    ..MessageInfo::EMPTY
};

fn found(json: &Json, numbers: Numbers) -> Vec<(Fault, String, Option<String>)> {
    let deviations = of_value(&THING, json, numbers).deviations;
    deviations.into_iter().map(|it| (it.fault, it.path, it.found)).collect()
}

#[test]
fn a_message_as_described_deviates_in_nothing() {
    let whole = json!({"id": 1, "name": "a", "places": [{"x": 1, "y": null}, null], "counts": null});
    assert_eq!(found(&whole, Numbers::AsNumbers), []);
    let inspection = of_value(&THING, &json!({"id": 1.0, "name": null}), Numbers::AsNumbers);
    assert!(inspection.deviations.is_empty(), "{inspection:?}");
    assert_eq!(inspection.present, Some(["id", "name"].map(str::to_owned).into()));
    assert_eq!(paths(&THING), ["id", "name", "places", "places[].x", "places[].y", "counts"]);
}

#[test]
fn what_is_missing_extra_or_mistyped_is_found_once_with_its_place() {
    let odd = json!({"name": 7, "places": [{"y": "1"}, {"x": true, "z": 0}, {"z": 1}], "tags": []});
    let text = |it: &str| Some(it.to_owned());
    assert_eq!(
        found(&odd, Numbers::AsNumbers),
        [
            (Fault::Missing, "id".to_owned(), None),
            (Fault::Mistyped, "name".to_owned(), text("7")),
            (Fault::Missing, "places[].x".to_owned(), None),
            (Fault::Mistyped, "places[].y".to_owned(), text("\"1\"")),
            (Fault::Mistyped, "places[].x".to_owned(), text("true")),
            (Fault::Extra, "places[].z".to_owned(), text("0")),
            (Fault::Extra, "tags".to_owned(), text("[]")),
        ]
    );
    let as_text = json!({"id": "1", "places": [{"x": " 1.5 "}, {"x": "far"}]});
    let fault = (Fault::Mistyped, "places[].x".to_owned(), text("\"far\""));
    assert_eq!(found(&as_text, Numbers::AlsoAsTexts), [fault]);
    assert_eq!(found(&json!([]), Numbers::AsNumbers), [(Fault::Mistyped, String::new(), text("[]"))]);
    let [deviation] = &of_json(&THING, b"thing", Numbers::AsNumbers).deviations[..] else { panic!() };
    assert_eq!((deviation.expected.as_deref(), deviation.found.as_deref()), (Some("JSON"), Some("thing")));
}

#[test]
fn a_topic_is_found_whatever_stands_in_its_braces() {
    static MESSAGES: &[MessageInfo] = &[THING];
    let topic = |topic: &str| message_of(MESSAGES, topic).map(|it| it.topic);
    assert_eq!([topic("thing/3"), topic("thing/{id}")], [Some("thing/{id}"); 2]);
    assert_eq!([topic("thing"), topic("thing/"), topic("thing/3/4"), topic("a/3")], [None; 4]);
}

#[test]
fn layouts_are_compared_field_by_field() {
    let layout = |text: &str| Layout::from_definition("a/B", text).unwrap();
    let header = "=".repeat(80) + "\nMSG: a/C\n";
    let specified = layout(&format!("int32 a\nC[] b\nuint8[4] c\n{header}float32 x\n"));
    let same = layout(&format!("int32 a # a comment\nC[] b\nuint8[4] c\n{header}float32 x\n"));
    assert_eq!(differences(&same, &specified), []);
    let other = layout(&format!("int64 a\nC[] b\nstring d\n{header}float32 x\nfloat32 y\n"));
    let found: Vec<_> = differences(&other, &specified).into_iter().map(|it| (it.fault, it.path)).collect();
    let expected =
        [(Fault::Mistyped, "a"), (Fault::Extra, "b[].y"), (Fault::Missing, "c"), (Fault::Extra, "d")];
    assert_eq!(found, expected.map(|(fault, path)| (fault, path.to_owned())));
    assert!(has_member(other.structure(), "b[].y") && has_member(other.structure(), "d"));
    assert!(!has_member(other.structure(), "c") && !has_member(other.structure(), "a.x"));
}

/// Nothing that a robot sends can make an inspection fail, and what is no message of the dialect has no description.
#[test]
fn garbage_is_no_message_or_deviates() {
    for entry in DIALECTS {
        let inspect = |topic: &str, payload: &'static [u8]| {
            let native = Native {
                dialect: entry.name,
                topic: topic.into(),
                payload: payload.into(),
                definition: Some("garbage\u{0}".into()),
            };
            (entry.inspect)(&native, Kind::Other)
        };
        assert!(inspect("no/such/topic/at/all", b"{}").is_none(), "{}", entry.name);
        for message in entry.messages {
            for payload in [&b""[..], b"\xff", b"[[", b"null", b"[]", b"{}", br#"{"a":{"b":[1]}}"#] {
                let topic = message.topic.replace("{id}", "3").replace(['{', '}'], "");
                let _ = inspect(&topic, payload);
            }
        }
    }
}
