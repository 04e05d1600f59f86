//! What a kind's record looks like.

use latimer_core::model::Kind;
use latimer_core::model::shape::{Field as ModelField, Type, ValueType as ModelType};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A kind of signal.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct KindShape {
    /// Its word in keys.
    pub kind: String,
    /// How it is delivered: `state`, `event` or `bulk`.
    pub class: String,
    /// What it means.
    pub summary: String,
    /// The fields of its record.
    pub fields: Vec<Field>,
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What it means.
    pub summary: String,
    /// The unit of its numbers.
    #[schema(required)]
    pub unit: Option<String>,
    /// What stands in it.
    #[serde(flatten)]
    pub form: ValueType,
}

/// What may stand in a place.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct ValueType {
    /// `number`, `integer`, `boolean`, `text`, `word`, `time` (ns), `duration` (s), `bytes`, `record`, `list` or `any`.
    #[serde(rename = "type")]
    pub type_: String,
    /// Whether it may be `null`.
    pub nullable: bool,
    /// The words, if it is a `word`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Vec<String>>,
    /// What the words mean, in the same order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meanings: Option<Vec<String>>,
    /// The fields, if it is a `record`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(no_recursion)]
    pub fields: Option<Vec<Field>>,
    /// The items, if it is a `list`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(no_recursion)]
    pub item: Option<Box<ValueType>>,
}

impl From<Kind> for KindShape {
    fn from(kind: Kind) -> Self {
        let shape = kind.shape();
        Self {
            kind: kind.to_string(),
            class: kind.class().to_string(),
            summary: shape.summary.to_owned(),
            fields: shape.fields.iter().map(Into::into).collect(),
        }
    }
}

impl From<&ModelField> for Field {
    fn from(field: &ModelField) -> Self {
        Self {
            name: field.name.to_owned(),
            summary: field.summary.to_owned(),
            unit: field.unit().map(str::to_owned),
            form: (&field.form).into(),
        }
    }
}

impl From<&ModelType> for ValueType {
    fn from(form: &ModelType) -> Self {
        let plain = |word: &str| Self {
            type_: word.to_owned(),
            nullable: form.nullable,
            words: None,
            meanings: None,
            fields: None,
            item: None,
        };
        match form.type_ {
            Type::Number => plain("number"),
            Type::Integer => plain("integer"),
            Type::Boolean => plain("boolean"),
            Type::Text => plain("text"),
            Type::Time => plain("time"),
            Type::Duration => plain("duration"),
            Type::Bytes => plain("bytes"),
            Type::Any => plain("any"),
            Type::Word(words) | Type::Name(words) => Self {
                words: Some(words.iter().map(|it| it.word.to_owned()).collect()),
                meanings: Some(words.iter().map(|it| it.summary.to_owned()).collect()),
                ..plain("word")
            },
            Type::Record(fields) => {
                Self { fields: Some(fields.iter().map(Into::into).collect()), ..plain("record") }
            }
            Type::List(item) => Self { item: Some(Box::new(item.into())), ..plain("list") },
        }
    }
}
