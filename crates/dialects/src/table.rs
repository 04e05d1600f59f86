//! What a dialect's messages mean, as data: which field is which field of the model, in which unit.
//!
//! Messages describe themselves ([`describe`]); this is how pages and documents see that.

use latimer_core::model::profile::Ability;
use latimer_core::model::signal::{ContactSensor, TextChannel};
use latimer_core::model::{Kind, KindSet};

use crate::describe::{self, Described};

/// One message of a dialect.
#[derive(Clone, Copy, Debug)]
pub struct MessageInfo {
    /// Event type or topic.
    pub topic: &'static str,
    /// The kinds that it tells.
    pub kinds: &'static [Kind],
    /// The only parts that it tells of; empty if it tells of any.
    pub parts: &'static [&'static str],
    /// Which of the sensors for contacts it tells of, if not of all.
    pub contact: Option<ContactSensor>,
    /// What a robot must be able to do that has something to say on it, beside the kinds.
    pub ability: Option<Ability>,
    /// Which way the texts come that it tells; empty if it tells all.
    pub texts: &'static [TextChannel],
    /// Whether the gateway itself answers commands on it, whatever the robot.
    pub answers: bool,
    /// What it tells.
    pub summary: &'static str,
    /// Its fields.
    pub fields: Fields,
    /// How often a robot sends it by the specification, if that says so and each message is passed on.
    pub rate_hz: Option<f64>,
}

/// The fields of a message.
#[derive(Clone, Copy, Debug)]
pub enum Fields {
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
}

/// The kinds that any of these messages tells.
pub(crate) fn kinds(messages: &[MessageInfo]) -> KindSet {
    messages.iter().flat_map(|message| message.kinds).copied().collect()
}

impl MessageInfo {
    /// None, to be replaced.
    pub(crate) const EMPTY: Self = Self {
        topic: "",
        kinds: &[],
        parts: &[],
        contact: None,
        ability: None,
        answers: false,
        texts: &[],
        summary: "",
        fields: Fields::Described(&[]),
        rate_hz: None,
    };

    /// Its fields.
    pub const fn described(&self) -> &'static [describe::Field] {
        match self.fields {
            Fields::Described(fields) | Fields::Each(fields) => fields,
        }
    }

    /// A row for each field, also of what is inside of others.
    pub fn rows(&self) -> Vec<Row> {
        match self.fields {
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

#[cfg(test)]
mod tests {
    use latimer_core::hub::Shared;
    use latimer_core::model::PartName;
    use latimer_core::model::sample::Seed;
    use latimer_core::model::shape::Type;
    use latimer_core::{Clock, Hub, RobotId, Signal, Update};
    use proptest::prelude::*;

    use super::*;
    use crate::DIALECTS;

    fn holds_numbers(of: Type) -> bool {
        match of {
            Type::Number | Type::Integer => true,
            Type::List(item) => holds_numbers(item.type_),
            _ => false,
        }
    }

    fn check(at: &str, message: &MessageInfo, pair: &Row) {
        let (Some(kind), Some(model)) = (pair.kind, &pair.model) else {
            assert!(pair.role != Role::Value, "{at} has no value");
            let reported = !matches!(pair.role, Role::Own | Role::Reserved) || pair.note.is_some();
            assert!(reported, "{at} has no counterpart and does not say why");
            return;
        };
        assert!(message.kinds.contains(&kind), "{at}: {kind}");
        let field = kind.shape().at(model).unwrap_or_else(|| panic!("{at}: {kind} has no {model}"));
        assert!(pair.unit.is_none() || pair.factor.is_some(), "{at}");
        let has_schema = field.form.type_ != Type::Any;
        assert!(pair.factor.is_none() || !has_schema || holds_numbers(field.form.type_), "{at}: {field:?}");
        if let Type::Word(words) | Type::Name(words) = field.form.type_ {
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

    /// The parts that any dialect's own robots have.
    fn known_parts() -> Vec<Option<PartName>> {
        let of_profiles = DIALECTS.iter().flat_map(|entry| {
            let profile = entry.profile();
            let joints = profile.joints.iter().map(|it| it.part.clone());
            let cameras = profile.cameras.iter().map(|it| it.part.clone());
            let ranges = profile.ranges.iter().filter_map(|it| it.part.clone());
            let placed = profile.placed.iter().map(|it| it.part.clone());
            joints.chain(cameras).chain(ranges).chain(placed).chain(profile.lamps.iter().flatten().cloned())
        });
        let of_messages = DIALECTS
            .iter()
            .flat_map(|entry| entry.messages)
            .flat_map(|message| {
                message.rows().into_iter().filter_map(|row| row.part).chain(message.parts.iter().copied())
            })
            .map(PartName::of);
        let mut parts: Vec<Option<PartName>> = of_profiles.chain(of_messages).map(Some).collect();
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(latimer_testing::rounds(32)))]
        #[test]
        fn what_a_dialect_translates_is_of_a_kind_that_its_table_has(number in any::<u64>(), at in any::<usize>()) {
            let hub = Hub::new(Clock::system());
            let robot = RobotId::new("robot-1").unwrap();
            let parts = known_parts();
            let mut seed = Seed::new(number);
            let signals: Vec<_> = Kind::ALL.iter().map(|kind| Signal::made_up(*kind, &mut seed)).collect();
            for entry in DIALECTS {
                let translator = (entry.default)().translator();
                for (number, signal) in signals.iter().enumerate() {
                    let update = Update::now(&robot, hub.clock().now(), signal.clone());
                    let of_part = parts[at.wrapping_add(number) % parts.len()].clone();
                    for update in [update.clone(), Update { part: of_part, ..update }] {
                        let translated = translator.translate(&hub, &Shared::new(update, 1));
                        prop_assert!(
                            translated.is_none() || entry.has_message_of(signal.kind()),
                            "{} {}", entry.name, signal.kind()
                        );
                    }
                }
            }
        }
    }
}
