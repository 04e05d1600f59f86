//! Structs that are not quite the layout, and what becomes of them.

use bytes::Bytes;
use latimer_ros1::message::{Catalog, Layout, Value};
use latimer_ros1::msgs::geometry_msgs::Vector3;
use latimer_ros1::msgs::sensor_msgs::Image;
use latimer_ros1::msgs::std_msgs::Header;
use latimer_ros1::msgs::{Duration, Time};
use serde::{Deserialize, Serialize};
use serde_json::json;

fn layout(text: &str) -> Layout {
    let mut catalog = Catalog::common();
    catalog.add("test_msgs/Test", text).unwrap();
    Layout::clone(&catalog.layout("test_msgs/Test").unwrap())
}

fn wrong(text: &str, message: &impl Serialize) -> String {
    layout(text).encode(message).unwrap_err().to_string()
}

#[test]
fn fields_are_found_by_name_in_any_order() {
    #[derive(Serialize)]
    struct Other {
        more: Vec<String>,
        c: u8,
        unknown: Vec<f64>,
        a: u8,
        text: &'static str,
    }
    let layout = layout("uint8 a\nfloat64 b\nuint8 c\nstring text\nuint16[2] none\nstring[] more");
    let other = Other { more: vec!["x".to_owned()], c: 3, unknown: vec![1.0], a: 1, text: "t" };
    let bytes = layout.encode(&other).unwrap();
    assert_eq!(
        layout.decode::<serde_json::Value>(&bytes).unwrap(),
        json!({ "a": 1, "b": 0.0, "c": 3, "text": "t", "none": [0, 0], "more": ["x"] })
    );
    assert_eq!(layout.encode(&json!({})).unwrap(), layout.encode(&layout.zero()).unwrap());
    assert_eq!(layout.encode(&()).unwrap(), layout.encode(&layout.zero()).unwrap());
    assert_eq!(layout.encode(&json!({ "more": null, "a": 1 })).unwrap()[0], 1);
}

#[test]
fn bytes_are_taken_from_whatever_holds_them() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Held<A, B> {
        some: A,
        four: B,
    }
    let layout = layout("uint8[] some\nchar[4] four");
    let expected: &[u8] = &[2, 0, 0, 0, 8, 255, 1, 2, 3, 4];
    let lists = Held { some: vec![8_u8, 255], four: [1_u8, 2, 3, 4] };
    let buffers =
        Held { some: serde_bytes::ByteBuf::from([8, 255]), four: serde_bytes::ByteArray::new([1, 2, 3, 4]) };
    let shared = Held { some: Bytes::from_static(&[8, 255]), four: vec![1_i64, 2, 3, 4] };
    assert_eq!(layout.encode(&lists).unwrap(), expected);
    assert_eq!(layout.encode(&buffers).unwrap(), expected);
    assert_eq!(layout.encode(&shared).unwrap(), expected);
    assert_eq!(layout.decode::<Held<Vec<u8>, [u8; 4]>>(expected).unwrap(), lists);
    assert_eq!(layout.decode::<Held<_, _>>(expected).unwrap(), buffers);
    assert_eq!(layout.decode::<Held<_, _>>(expected).unwrap(), shared);
}

#[test]
fn bytes_and_texts_may_be_borrowed() {
    #[derive(Deserialize)]
    struct Borrowed<'a> {
        encoding: &'a str,
        data: &'a [u8],
    }
    let layout = Catalog::common().layout_of::<Image>().unwrap();
    let image = Image { encoding: "rgb8".to_owned(), data: vec![7; 12].into(), ..Image::default() };
    let bytes = layout.encode(&image).unwrap();
    let borrowed: Borrowed<'_> = layout.decode_borrowed(&bytes).unwrap();
    assert_eq!((borrowed.encoding, borrowed.data), ("rgb8", &[7; 12][..]));
    assert!(bytes.as_ptr_range().contains(&borrowed.data.as_ptr()));
}

#[test]
fn numbers_become_each_other_where_they_fit() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Numbers<A, B, C> {
        a: A,
        b: B,
        c: C,
    }
    let of = Numbers { a: 1_u8, b: 2.0_f64, c: 3_i64 };
    for types in ["uint8 a\nfloat64 b\nint64 c", "float32 a\nint8 b\nfloat64 c", "bool a\nuint64 b\nint16 c"]
    {
        let layout = layout(types);
        let bytes = layout.encode(&of).unwrap();
        assert_eq!(layout.decode::<Numbers<u8, f64, i64>>(&bytes).unwrap(), of, "{types}");
        assert_eq!(
            layout.decode::<Numbers<bool, u16, f32>>(&bytes).unwrap(),
            Numbers { a: true, b: 2, c: 3.0 }
        );
    }
}

#[test]
fn what_does_not_fit_is_reported_with_its_path() {
    let text =
        "Header header\nuint8[3] lights\ngeometry_msgs/Vector3[] way\nint8 small\nfloat32 half\nstring name";
    insta::assert_snapshot!(
        [
            json!({ "header": { "stamp": { "secs": -1 } } }),
            json!({ "lights": [1, 2, 256] }),
            json!({ "lights": [1, 2] }),
            json!({ "way": [{ "x": 1 }, { "y": "far" }] }),
            json!({ "small": 0.5 }),
            json!({ "half": 1e300 }),
            json!({ "name": 5 }),
            json!({ "header": [] }),
            json!({ "small": {} }),
            json!([]),
        ]
        .iter()
        .map(|message| wrong(text, message))
        .collect::<Vec<_>>()
        .join("\n")
    );
}

#[test]
fn what_a_struct_does_not_expect_is_reported_with_its_path() {
    let layout = layout("uint8 pad\nstd_msgs/Header[] headers\nfloat64 half\nint32[] few\nstring name");
    let message = json!({ "headers": [{ "seq": 300 }], "half": 0.5, "few": [1, 2, 3], "name": "n" });
    let bytes = layout.encode(&message).unwrap();
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Small {
        seq: u8,
    }
    macro_rules! wrong {
        ($($field:ident: $kind:ty),*) => {{
            #[derive(Debug, Deserialize)]
            #[allow(dead_code)]
            struct Expected { $($field: $kind),* }
            layout.decode::<Expected>(&bytes).unwrap_err().to_string()
        }};
    }
    insta::assert_snapshot!(
        [
            wrong!(headers: Vec<Small>),
            wrong!(half: u8),
            wrong!(half: bool),
            wrong!(few: [i32; 2]),
            wrong!(few: [i32; 4]),
            wrong!(few: (u8, u8, String)),
            wrong!(name: f64),
            wrong!(missing: f64),
            wrong!(pad: String),
        ]
        .join("\n")
    );
}

#[test]
fn times_are_structs_and_texts_need_not_be_utf8() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Moments {
        at: Time,
        spans: Vec<Duration>,
        name: String,
        raw: serde_bytes::ByteBuf,
    }
    let layout = layout("time at\nduration[] spans\nstring name\nstring raw");
    let mut moments = Moments {
        at: Time { secs: u32::MAX, nsecs: 5 },
        spans: vec![Duration { secs: -1, nsecs: 500_000_000 }],
        name: "größer".to_owned(),
        raw: vec![0xff, b'a'].into(),
    };
    let bytes = layout.encode(&moments).unwrap();
    assert_eq!(layout.decode::<Moments>(&bytes).unwrap(), moments);
    let value: Value = layout.decode(&bytes).unwrap();
    assert_eq!(value.get("at.nsecs"), Some(&Value::Unsigned(5)));
    assert_eq!(value.get("at.none"), None);
    assert_eq!(value.get("raw"), Some(&Value::Text("\u{fffd}a".to_owned())));
    moments.raw.clear();
    assert_ne!(layout.encode(&moments).unwrap(), bytes);
}

#[test]
fn another_build_gets_what_it_knows() {
    let catalog = Catalog::common();
    let ours = layout(
        "Header header\nuint8 level\nfloat32 voltage\nuint8[2] cliff\ngeometry_msgs/Vector3 acceleration",
    );
    let theirs = layout(
        "float64 voltage\nHeader header\nstring note\nint32[] cliff\ngeometry_msgs/Vector3 acceleration",
    );
    assert_ne!(ours, theirs);
    let message = json!({ "header": { "seq": 7, "frame_id": "body" }, "voltage": 4.5, "cliff": [3, 4], "acceleration": { "z": 9.5 } });
    let bytes = ours.encode(&message).unwrap();
    let decoded: serde_json::Value = theirs.decode(&ours.transcode(&bytes, &theirs).unwrap()).unwrap();
    assert_eq!(decoded["voltage"], 4.5);
    assert_eq!(decoded["cliff"], json!([3, 4]));
    assert_eq!((&decoded["header"]["seq"], &decoded["header"]["frame_id"]), (&json!(7), &json!("body")));
    assert_eq!((&decoded["note"], &decoded["acceleration"]["z"]), (&json!(""), &json!(9.5)));
    assert_eq!(ours.transcode(&bytes, &ours).unwrap(), bytes);
    let unlike = catalog.layout("std_msgs/Header").unwrap();
    assert!(unlike.transcode(&bytes[..3], &ours).unwrap_err().to_string().contains("at byte 0"));
}

#[test]
fn only_a_header_at_the_beginning_counts() {
    for (text, has) in [
        ("Header header\nint8 a", true),
        ("std_msgs/Header header", true),
        ("Header head", false),
        ("int8 a\nHeader header", false),
        ("std_msgs/Header[] header", false),
        ("", false),
    ] {
        assert_eq!(layout(text).has_header(), has, "{text}");
    }
}

#[test]
fn structs_of_ours_are_messages_of_a_shared_catalog() {
    let catalog = Catalog::common();
    let layout = catalog.layout_of::<Header>().unwrap();
    assert_eq!((layout.type_name(), layout.md5()), ("std_msgs/Header", "2176decaecbce78abc3b96ef049fabed"));
    let vector = Vector3 { x: 1.0, y: -2.0, z: 0.5 };
    let layout = catalog.layout_of::<Vector3>().unwrap();
    assert_eq!(layout.decode::<Vector3>(&layout.encode(&vector).unwrap()).unwrap(), vector);
}
