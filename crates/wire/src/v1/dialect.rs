//! A dialect's messages beside the model, field by field.

use latimer_dialects::Entry;
use latimer_dialects::table::{MessageInfo, Role, Row};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A dialect.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct Dialect {
    /// Its word in configs, addresses and `as=`.
    pub name: String,
    /// The robots that speak it.
    pub robots: String,
    /// How it travels.
    pub transport: String,
    /// Its messages.
    pub messages: Vec<DialectMessage>,
}

/// One message of a dialect.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct DialectMessage {
    /// Event type or topic.
    pub topic: String,
    /// Its kinds.
    pub kinds: Vec<String>,
    /// What it means.
    pub summary: String,
    /// Its fields; a field that two kinds share stands once for each.
    pub fields: Vec<DialectField>,
}

/// One field of a message beside the field of the model that it is.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct DialectField {
    /// Its path; `[]` stands for each item of a list, `**` for everything below.
    pub wire: String,
    /// What it is here: `value`, `part`, `kind`, `time`, `own` (the model has nothing for it) or `reserved`.
    pub role: String,
    /// The kind whose field it is.
    #[schema(required)]
    pub kind: Option<String>,
    /// The part whose field it is, if the message has such a field for each of several parts.
    #[schema(required)]
    pub part: Option<String>,
    /// The path of the model's field.
    #[schema(required)]
    pub model: Option<String>,
    /// Its unit on the wire.
    #[schema(required)]
    pub unit: Option<String>,
    /// What the model's number times this is the number on the wire.
    #[schema(required)]
    pub factor: Option<f64>,
    /// A full turn on the wire, if numbers that differ by it mean the same.
    #[schema(required)]
    pub turn: Option<f64>,
    /// Its words, if there are few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<DialectWord>,
    /// What else to know.
    #[schema(required)]
    pub note: Option<String>,
}

/// A word on the wire and the word or part that it stands for here.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct DialectWord {
    /// On the wire.
    pub wire: String,
    /// In the model.
    pub model: String,
}

impl From<&Entry> for Dialect {
    fn from(entry: &Entry) -> Self {
        Self {
            name: entry.name.to_owned(),
            robots: entry.robots.to_owned(),
            transport: entry.protocols.to_owned(),
            messages: entry.messages.iter().map(Into::into).collect(),
        }
    }
}

impl From<&MessageInfo> for DialectMessage {
    fn from(message: &MessageInfo) -> Self {
        let MessageInfo {
            topic,
            kinds,
            parts: _,
            contact: _,
            ability: _,
            answers: _,
            texts: _,
            summary,
            fields: _,
            rate_hz: _,
        } = *message;
        let mut kinds: Vec<String> = kinds.iter().map(ToString::to_string).collect();
        // A topic that several parts are sent on names their kind for each.
        kinds.dedup();
        Self {
            topic: topic.to_owned(),
            kinds,
            summary: summary.to_owned(),
            fields: message.rows().into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Row> for DialectField {
    fn from(row: Row) -> Self {
        let Row { wire, role, kind, part, model, unit, factor, offset, turn, is_turned: _, words, note } =
            row;
        // The remark describes a number that is not only another times a factor.
        let (unit, factor) = if offset.is_none() { (unit, factor) } else { (None, None) };
        let role = match role {
            Role::Value => "value",
            Role::Part => "part",
            Role::Kind => "kind",
            Role::Time => "time",
            Role::Own => "own",
            Role::Reserved => "reserved",
        };
        let words = words.into_iter().map(|(wire, model)| {
            let (wire, model) = (wire.to_owned(), model.to_owned());
            DialectWord { wire, model }
        });
        Self {
            wire,
            role: role.to_owned(),
            kind: kind.map(|kind| kind.to_string()),
            part: part.map(str::to_owned),
            model,
            unit: unit.map(str::to_owned),
            factor,
            turn,
            words: words.collect(),
            note: note.map(str::to_owned),
        }
    }
}
