//! What tests make of layouts: messages in which every field says something.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::structure::{Kind, Primitive, Structure};
use super::{Catalog, Value};
use crate::msgs::Message;

/// A message in which no two numbers are the same, and nothing is empty.
pub(crate) fn filled(structure: &Structure) -> Value {
    fill(structure, &mut 0)
}

fn fill(structure: &Structure, counter: &mut u8) -> Value {
    let members = structure.members.iter();
    Value::Message(members.map(|member| (member.name.as_str().into(), any(&member.kind, counter))).collect())
}

fn any(kind: &Kind, counter: &mut u8) -> Value {
    *counter = counter.wrapping_add(1) % 100;
    match kind {
        Kind::Primitive(Primitive::Bool) => Value::Bool(true),
        Kind::Primitive(Primitive::Float32) => Value::Float32(f32::from(*counter) + 0.5),
        Kind::Primitive(Primitive::Float64) => Value::Float64(f64::from(*counter) - 0.25),
        Kind::Primitive(Primitive::Int8 | Primitive::Int16 | Primitive::Int32 | Primitive::Int64) => {
            Value::Signed(-i64::from(*counter))
        }
        Kind::Primitive(_) => Value::Unsigned(u64::from(*counter)),
        Kind::Text => Value::Text(format!("text {counter}")),
        Kind::Bytes => Value::Bytes(vec![*counter, 255]),
        Kind::FixedBytes(count) => Value::Bytes(vec![*counter; *count]),
        Kind::Variable(element) => Value::List(vec![any(element, counter), any(element, counter)]),
        Kind::Fixed(count, element) => Value::List((0..*count).map(|_| any(element, counter)).collect()),
        Kind::Message(structure) => fill(structure, counter),
    }
}

/// That a struct has all fields of its type, under their names, each of a type that holds it.
pub(crate) fn assert_is_its_message<T>()
where
    T: Message + Serialize + DeserializeOwned + Default + PartialEq + std::fmt::Debug,
{
    let layout = Catalog::common().layout_of::<T>().unwrap();
    let zero = layout.encode(&layout.zero()).unwrap();
    assert_eq!(layout.encode(&T::default()).unwrap(), zero);
    assert_eq!(layout.decode::<T>(&zero).unwrap(), T::default());

    let bytes = layout.encode(&filled(layout.structure())).unwrap();
    let message: T = layout.decode(&bytes).unwrap();
    assert_eq!(layout.encode(&message).unwrap(), bytes, "{message:?}");
}
