//! Any message of any layout is read and written without a change.

use latimer_ros1::message::{Catalog, Layout, Value};
use proptest::prelude::*;

/// A type, and what a field of it may hold.
#[derive(Clone, Debug)]
struct Any {
    kind: String,
    value: Value,
}

fn number() -> BoxedStrategy<Any> {
    let of = |kind: &str, value: Value| Any { kind: kind.to_owned(), value };
    prop_oneof![
        any::<bool>().prop_map(move |value| of("bool", Value::Bool(value))),
        any::<i8>().prop_map(move |value| of("int8", Value::Signed(value.into()))),
        any::<i16>().prop_map(move |value| of("int16", Value::Signed(value.into()))),
        any::<i32>().prop_map(move |value| of("int32", Value::Signed(value.into()))),
        any::<i64>().prop_map(move |value| of("int64", Value::Signed(value))),
        any::<u8>().prop_map(move |value| of("char", Value::Unsigned(value.into()))),
        any::<u16>().prop_map(move |value| of("uint16", Value::Unsigned(value.into()))),
        any::<u32>().prop_map(move |value| of("uint32", Value::Unsigned(value.into()))),
        any::<u64>().prop_map(move |value| of("uint64", Value::Unsigned(value))),
        any::<f32>().prop_map(move |value| of("float32", Value::Float32(value))),
        any::<f64>().prop_map(move |value| of("float64", Value::Float64(value))),
    ]
    .boxed()
}

fn field() -> BoxedStrategy<Any> {
    let of = |kind: &str, value: Value| Any { kind: kind.to_owned(), value };
    let repeated = |one: Any, count: usize, is_fixed: bool| {
        let kind = if is_fixed { format!("{}[{count}]", one.kind) } else { format!("{}[]", one.kind) };
        let value = match one.value {
            Value::Unsigned(value) if one.kind == "char" => Value::Bytes(vec![value as u8; count]),
            value => Value::List(vec![value; count]),
        };
        Any { kind, value }
    };
    prop_oneof![
        number(),
        ".{0,8}".prop_map(move |text| of("string", Value::Text(text))),
        any::<(u32, u32)>().prop_map(move |(secs, nsecs)| {
            let fields = [("secs", secs), ("nsecs", nsecs)]
                .map(|(name, value)| (name.into(), Value::Unsigned(value.into())));
            of("time", Value::Message(fields.into()))
        }),
        (number(), 0..5_usize, any::<bool>())
            .prop_map(move |(one, count, is_fixed)| repeated(one, count, is_fixed)),
    ]
    .boxed()
}

/// A layout of one type within another, and a message of it.
fn message() -> impl Strategy<Value = (Layout, Value)> {
    let fields = || prop::collection::vec(field(), 0..8);
    (fields(), fields(), 0..4_usize).prop_map(|(outer, inner, count)| {
        let text = |fields: &[Any]| -> String {
            fields.iter().enumerate().map(|(index, field)| format!("{} f{index}\n", field.kind)).collect()
        };
        let value = |fields: Vec<Any>| {
            let named = fields.into_iter().enumerate();
            Value::Message(named.map(|(index, field)| (format!("f{index}").into(), field.value)).collect())
        };
        let mut catalog = Catalog::default();
        catalog.add("a/Inner", &text(&inner)).unwrap();
        catalog.add("a/Outer", &format!("{}Inner[] f{}\n", text(&outer), outer.len())).unwrap();
        let layout = Layout::clone(&catalog.layout("a/Outer").unwrap());
        let inner = Any { kind: String::new(), value: Value::List(vec![value(inner); count]) };
        (layout, value(outer.into_iter().chain([inner]).collect()))
    })
}

proptest! {
    #[test]
    fn any_message_comes_back_as_it_was((layout, value) in message()) {
        let bytes = layout.encode(&value).unwrap();
        prop_assert_eq!(&layout.decode::<Value>(&bytes).unwrap(), &value);
        prop_assert_eq!(&layout.transcode(&bytes, &layout).unwrap(), &bytes);
        let again = Layout::from_definition(layout.type_name(), layout.definition()).unwrap();
        prop_assert_eq!(&again, &layout);
        prop_assert_eq!(again.encode(&layout.zero()).unwrap(), layout.encode(&()).unwrap());
    }

    #[test]
    fn the_order_of_fields_does_not_matter((layout, value) in message()) {
        let Value::Message(mut fields) = value.clone() else { unreachable!() };
        fields.reverse();
        prop_assert_eq!(layout.encode(&Value::Message(fields)).unwrap(), layout.encode(&value).unwrap());
    }

    #[test]
    fn any_bytes_are_a_message_or_none((layout, _) in message(), bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(value) = layout.decode::<Value>(&bytes) {
            let again = layout.encode(&value).unwrap();
            prop_assert!(layout.decode::<Value>(&again).is_ok());
        }
    }

    #[test]
    fn any_text_is_a_type_or_none(text in "\\PC{0,80}") {
        let _ = Layout::from_definition("a/A", &text);
    }
}
