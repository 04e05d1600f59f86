//! Lists, bounded, and objects where lists belong.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Most items of a list: as many robots as anybody announces, and more.
const MAX_ITEMS: usize = 20_000;

/// A list, or an object that is one: its values, or itself if it has the `id` that items have. An object's keys are the
/// items' ids where they have none.
#[derive(Debug)]
pub(in crate::pera) struct List<T>(pub(in crate::pera) Vec<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Items(PhantomData)).map(Self)
    }
}

struct Items<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for Items<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            push(&mut list, item)?;
        }
        Ok(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Vec<T>, A::Error> {
        let mut whole = Map::new();
        while let Some((key, value)) = fields.next_entry::<String, Value>()? {
            whole.insert(key, value);
        }
        let item = |value| T::deserialize(value).map_err(A::Error::custom);
        if whole.contains_key("id") {
            return Ok(vec![item(Value::Object(whole))?]);
        }
        let mut list = Vec::new();
        for (key, mut value) in whole {
            if let Value::Object(fields) = &mut value {
                fields.entry("id").or_insert(Value::String(key));
            }
            push(&mut list, item(value)?)?;
        }
        Ok(list)
    }
}

fn push<T, E: Error>(list: &mut Vec<T>, item: T) -> Result<(), E> {
    if list.len() >= MAX_ITEMS {
        return Err(E::custom(format_args!("the list has more than {MAX_ITEMS} items")));
    }
    list.push(item);
    Ok(())
}
