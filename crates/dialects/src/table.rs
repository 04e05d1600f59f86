//! What a dialect's messages mean, as data: which field is which field of the model, in which unit.
//!
//! Messages that describe themselves ([`describe`]) are listed from that; tests hold the tables of the
//! others against what is really translated.

use latimer_core::model::Kind;

use crate::describe::{self, Described};

/// One message of a dialect.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    /// Event type or topic.
    pub topic: &'static str,
    /// The kinds that it tells.
    pub kinds: &'static [Kind],
    /// What it tells.
    pub summary: &'static str,
    /// Its fields.
    pub fields: Fields,
}

/// The fields of a message.
#[derive(Clone, Copy, Debug)]
pub enum Fields {
    /// In a table; a field that two kinds share stands once for each.
    Table(&'static [FieldPair]),
    /// As the message describes itself.
    Described(&'static [describe::Field]),
    /// The message is a list of such.
    Each(&'static [describe::Field]),
}

impl Fields {
    /// Those of a message that describes itself.
    pub const fn of<T: Described>() -> Self {
        Self::Described(T::FIELDS)
    }

    /// The table; empty for a message that describes itself.
    pub const fn pairs(&self) -> &'static [FieldPair] {
        match self {
            Self::Table(pairs) => pairs,
            Self::Described(_) | Self::Each(_) => &[],
        }
    }
}

impl Message {
    /// None, to be replaced.
    pub(crate) const EMPTY: Self =
        Self { topic: "", kinds: &[], summary: "", fields: Fields::Described(&[]) };

    /// Its fields, if it describes itself.
    pub const fn described(&self) -> &'static [describe::Field] {
        match self.fields {
            Fields::Table(_) => &[],
            Fields::Described(fields) | Fields::Each(fields) => fields,
        }
    }

    /// A row for each field, also of what is inside of others.
    pub fn rows(&self) -> Vec<Row> {
        match self.fields {
            Fields::Table(rows) => rows.iter().map(Row::from).collect(),
            Fields::Described(fields) => describe::rows(fields, "", self.kinds.first().copied()),
            Fields::Each(fields) => describe::rows(fields, "[].", self.kinds.first().copied()),
        }
    }
}

/// One field of a message beside the field of the model that it is, for documents and pages.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its path; `[]` stands for each item of a list, `[0]` for one, `**` for everything below.
    pub wire: String,
    /// What it is in the model.
    pub role: Role,
    /// The kind whose field it is.
    pub kind: Option<Kind>,
    /// The part whose field it is, if the message has such a field for each of several parts.
    pub part: Option<&'static str>,
    /// The path of the model's field, through lists as through records.
    pub model: Option<String>,
    /// Its unit on the wire.
    pub unit: Option<&'static str>,
    /// What the model's number times this is the number on the wire.
    pub factor: Option<f64>,
    /// What is added to that.
    pub offset: Option<f64>,
    /// A full turn on the wire, if numbers that differ by it mean the same.
    pub turn: Option<f64>,
    /// Whether axes are turned, so that a point's numbers stand in other places and may change their sign.
    pub is_turned: bool,
    /// Its words, if there are few; others pass as they are.
    pub words: Vec<WordPair>,
    /// What else to know.
    pub note: Option<&'static str>,
}

impl From<&FieldPair> for Row {
    fn from(pair: &FieldPair) -> Self {
        let FieldPair { wire, role, kind, part, model, unit, factor, turn, words, note } = *pair;
        Self {
            wire: wire.to_owned(),
            role,
            kind,
            part,
            model: model.map(str::to_owned),
            unit,
            factor,
            offset: None,
            turn,
            is_turned: false,
            words: words.to_vec(),
            note,
        }
    }
}

/// What a field of a message is in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A value of the record.
    Value,
    /// It tells which part of the robot is meant.
    Part,
    /// It tells which kind is meant.
    Kind,
    /// It tells when it happened.
    Time,
    /// The model has nothing for it.
    Own,
    /// The specification has no use for it yet.
    Reserved,
}

/// A word on the wire, and the word or part that it stands for here.
pub type WordPair = (&'static str, &'static str);

/// One field of a message beside the field of the model that it is.
#[derive(Clone, Copy, Debug)]
pub struct FieldPair {
    /// Its path; `[]` stands for each item of a list, `**` for everything below.
    pub wire: &'static str,
    /// What it is in the model.
    pub role: Role,
    /// The kind whose field it is.
    pub kind: Option<Kind>,
    /// The part whose field it is, if the message has such a field for each of several parts.
    pub part: Option<&'static str>,
    /// The path of the model's field, through lists as through records.
    pub model: Option<&'static str>,
    /// Its unit on the wire.
    pub unit: Option<&'static str>,
    /// What the model's number times this is the number on the wire.
    pub factor: Option<f64>,
    /// A full turn on the wire, if numbers that differ by it mean the same.
    pub turn: Option<f64>,
    /// Its words, if there are few; others pass as they are.
    pub words: &'static [WordPair],
    /// What else to know.
    pub note: Option<&'static str>,
}

const fn field(wire: &'static str, role: Role) -> FieldPair {
    FieldPair {
        wire,
        role,
        kind: None,
        part: None,
        model: None,
        unit: None,
        factor: None,
        turn: None,
        words: &[],
        note: None,
    }
}

impl FieldPair {
    /// The same value on both sides.
    pub const fn same(wire: &'static str, kind: Kind, model: &'static str) -> Self {
        Self { kind: Some(kind), model: Some(model), ..field(wire, Role::Value) }
    }

    /// A number in a unit; on the wire it is the model's times `factor`.
    pub const fn number(
        wire: &'static str,
        unit: &'static str,
        kind: Kind,
        model: &'static str,
        factor: f64,
    ) -> Self {
        Self { unit: Some(unit), factor: Some(factor), ..Self::same(wire, kind, model) }
    }

    /// A word for each word of the model.
    pub const fn words(
        wire: &'static str,
        kind: Kind,
        model: &'static str,
        words: &'static [WordPair],
    ) -> Self {
        Self { words, ..Self::same(wire, kind, model) }
    }

    /// It tells which part is meant.
    pub const fn part(wire: &'static str, words: &'static [WordPair]) -> Self {
        Self { words, ..field(wire, Role::Part) }
    }

    /// It tells which kind is meant.
    pub const fn kind(wire: &'static str, words: &'static [WordPair]) -> Self {
        Self { words, ..field(wire, Role::Kind) }
    }

    /// When it happened.
    pub const fn time(wire: &'static str) -> Self {
        field(wire, Role::Time)
    }

    /// Something that the model has nothing for.
    pub const fn own(wire: &'static str, note: &'static str) -> Self {
        field(wire, Role::Own).note(note)
    }

    /// Something that the specification has no use for yet.
    pub const fn reserved(wire: &'static str, note: &'static str) -> Self {
        field(wire, Role::Reserved).note(note)
    }

    /// The same on a circle: numbers that differ by `turn` mean the same.
    #[must_use]
    pub const fn turning(self, turn: f64) -> Self {
        Self { turn: Some(turn), ..self }
    }

    /// The same for one part only.
    #[must_use]
    pub const fn of_part(self, part: &'static str) -> Self {
        Self { part: Some(part), ..self }
    }

    /// The same with something to know.
    #[must_use]
    pub const fn note(self, note: &'static str) -> Self {
        Self { note: Some(note), ..self }
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::model::shape::Type;

    use super::*;
    use crate::DIALECTS;

    fn holds_numbers(of: Type) -> bool {
        match of {
            Type::Number | Type::Integer => true,
            Type::List(item) => holds_numbers(item.type_),
            _ => false,
        }
    }

    fn check(at: &str, message: &Message, pair: &Row) {
        let (Some(kind), Some(model)) = (pair.kind, &pair.model) else {
            assert!(pair.role != Role::Value, "{at} has no value");
            let told = !matches!(pair.role, Role::Own | Role::Reserved) || pair.note.is_some();
            assert!(told, "{at} has no counterpart and does not say why");
            return;
        };
        assert!(message.kinds.contains(&kind), "{at}: {kind}");
        let field = kind.shape().at(model).unwrap_or_else(|| panic!("{at}: {kind} has no {model}"));
        assert_eq!(pair.factor.is_some(), pair.unit.is_some(), "{at}");
        let has_schema = field.form.type_ != Type::Any;
        assert!(pair.factor.is_none() || !has_schema || holds_numbers(field.form.type_), "{at}: {field:?}");
        if let Type::Word(words) = field.form.type_ {
            for (_, word) in &pair.words {
                assert!(words.iter().any(|it| it.word == *word), "{at}: {word}");
            }
        }
    }

    #[test]
    fn every_field_that_a_table_names_exists() {
        for entry in DIALECTS {
            assert!(!entry.messages.is_empty(), "{}", entry.name);
            for message in entry.messages {
                assert!(message.summary.ends_with('.'), "{}: {}", message.topic, message.summary);
                for pair in message.rows() {
                    check(&format!("{} {} {}", entry.name, message.topic, pair.wire), message, &pair);
                }
            }
        }
    }
}
