//! Commands of one family, in JSON, OpenAPI and on the command line by their descriptions.

use clap::{Arg, ArgAction, ArgMatches, FromArgMatches, Subcommand, builder::ValueParser};
use latimer_core::Value;
use latimer_core::model::call::{Argument, Presence, Quantity, Spelling};
use latimer_core::model::{CallDescription, NativeCall};
use latimer_dialects::json::{json_from_value, value_from_json};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value as Json;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{Components, KnownFormat, Ref, RefOr, Schema, SchemaFormat};

use super::super::field::InvalidField;
use super::super::quantity::{
    AngularSpeed, Celsius, NonNegative, Number, Positive, Radians, Ratio, Seconds, Share,
};
use super::super::word::start;
use super::Command;

/// What names a command in JSON.
const TAG: &str = "command";

/// A command of one family; its arguments may be out of bounds.
#[derive(Clone, Debug)]
pub struct Described {
    about: &'static CallDescription,
    /// In the order of its description; `Null` is not given.
    arguments: Vec<Value>,
}

impl PartialEq for Described {
    fn eq(&self, other: &Self) -> bool {
        self.about.name == other.about.name && self.arguments == other.arguments
    }
}

impl TryFrom<Described> for NativeCall {
    type Error = InvalidField;

    fn try_from(Described { about, arguments }: Described) -> Result<Self, InvalidField> {
        Self::new(about, arguments)
            .map_err(|error| InvalidField::new(error.name, error.problem, error.advice))
    }
}

/// The description of a command that has a word of its own for what is asked.
fn find(is_it: impl Fn(&CallDescription) -> bool) -> Option<&'static CallDescription> {
    latimer_dialects::calls().find(|about| is_it(about))
}

impl Described {
    /// Reads the fields of a command.
    fn read(about: &'static CallDescription, fields: &serde_json::Map<String, Json>) -> Result<Self, String> {
        let is_known = |name: &str| name == TAG || about.arguments.iter().any(|it| it.name == name);
        if let Some(unknown) = fields.keys().find(|name| !is_known(name)) {
            let known: Vec<_> = about.arguments.iter().map(|it| format!("`{}`", it.name)).collect();
            return Err(format!("unknown field `{unknown}`, expected one of {}", known.join(", ")));
        }
        let arguments = about.arguments.iter().map(|argument| {
            let Argument { name, quantity, presence, .. } = argument;
            match (fields.get(*name), presence) {
                (None, Presence::Required) => Err(format!("missing field `{name}`")),
                (None | Some(Json::Null), Presence::Optional) => Ok(Value::Null),
                (None, Presence::Flag(flag)) => Ok(Value::Bool(*flag)),
                (None, Presence::Number(number)) => Ok(Value::Float(*number)),
                (Some(given), _) => value(*quantity, given).ok_or_else(|| match quantity {
                    Quantity::Word(words) => {
                        let known: Vec<_> = words.iter().map(|it| format!("`{}`", it.word)).collect();
                        format!("unknown variant {given} of `{name}`, expected one of {}", known.join(", "))
                    }
                    _ => format!("invalid type of `{name}`: {given}; {}", quantity.advice()),
                }),
            }
        });
        Ok(Self { about, arguments: arguments.collect::<Result<_, _>>()? })
    }
}

/// A value of the right type; whether it is within its bounds shows later.
fn value(quantity: Quantity, given: &Json) -> Option<Value> {
    match quantity {
        Quantity::Switch | Quantity::Flag => given.as_bool().map(Value::Bool),
        Quantity::Text => given.as_str().map(|text| Value::Text(text.to_owned().into())),
        Quantity::Word(words) => {
            words.iter().find(|it| given == it.word).map(|it| Value::Text(it.word.into()))
        }
        Quantity::Wholes => given.is_array().then(|| value_from_json(given)),
        Quantity::Whole => given.as_u64().and_then(|number| i64::try_from(number).ok()).map(Value::Int),
        _ => given.as_f64().map(Value::Float),
    }
}

impl<'de> Deserialize<'de> for Command {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        let named = json.get(TAG).and_then(Json::as_str);
        let about = named.and_then(|name| find(|about| about.name == name));
        match (about, json.as_object()) {
            (Some(about), Some(fields)) => {
                Described::read(about, fields).map(Self::Native).map_err(D::Error::custom)
            }
            // The command of several families, by what is derived.
            _ => Self::deserialize(json).map_err(|error| D::Error::custom(with_natives(&error.to_string()))),
        }
    }
}

/// A message of serde, which knows the commands of several families only.
fn with_natives(message: &str) -> String {
    if !message.starts_with("unknown variant") {
        return message.to_owned();
    }
    let others: String = latimer_dialects::calls().map(|about| format!(", `{}`", about.name)).collect();
    format!("{message}{others}")
}

impl Serialize for Command {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self::Native(Described { about, arguments }) = self else {
            return Self::serialize(self, serializer);
        };
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry(TAG, about.name)?;
        for (argument, value) in about.arguments.iter().zip(arguments) {
            if *value != Value::Null {
                fields.serialize_entry(argument.name, &json_from_value(value))?;
            }
        }
        fields.end()
    }
}

/// Adds the commands of all families to those of several.
pub fn add_schemas(components: &mut Components) {
    if let Some(RefOr::T(Schema::OneOf(commands))) = components.schemas.get_mut("Command") {
        commands.items.extend(latimer_dialects::calls().map(|about| RefOr::T(schema(about))));
    }
}

fn schema(about: &CallDescription) -> Schema {
    let mut object = ObjectBuilder::new().schema_type(Type::Object).description(Some(about.summary));
    for argument in about.arguments {
        object = object.property(argument.name, argument_schema(argument));
        if argument.presence == Presence::Required {
            object = object.required(argument.name);
        }
    }
    let tag = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([about.name]));
    object.property(TAG, tag).required(TAG).into()
}

fn argument_schema(argument: &Argument) -> RefOr<Schema> {
    let is_optional = argument.presence == Presence::Optional;
    let plain = |type_: Type| {
        let types = match is_optional {
            true => SchemaType::from_iter([type_, Type::Null]),
            false => type_.into(),
        };
        ObjectBuilder::new().schema_type(types).description(Some(argument.summary))
    };
    let whole = |object: ObjectBuilder| {
        object.format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32))).minimum(Some(0_u32))
    };
    match argument.quantity {
        Quantity::Switch | Quantity::Flag => plain(Type::Boolean).into(),
        Quantity::Text => plain(Type::String).into(),
        Quantity::Whole => whole(plain(Type::Integer)).into(),
        Quantity::Word(words) => plain(Type::String).enum_values(Some(words.iter().map(|it| it.word))).into(),
        Quantity::Wholes => {
            let item = whole(ObjectBuilder::new().schema_type(Type::Integer));
            ArrayBuilder::new().items(item.build()).description(Some(argument.summary)).into()
        }
        number => {
            let mut reference = Ref::from_schema_name(format!("{number:?}"));
            reference.description = argument.summary.to_owned();
            match is_optional {
                true => OneOfBuilder::new()
                    .item(reference)
                    .item(ObjectBuilder::new().schema_type(Type::Null))
                    .into(),
                false => reference.into(),
            }
        }
    }
}

/// How a value is read on the command line, whose numbers have units there.
fn parser(quantity: Quantity) -> ValueParser {
    macro_rules! number {
        ($($type:ident)*) => {
            match quantity {
                $(Quantity::$type => {
                    ValueParser::new(|text: &str| text.parse::<$type>().map(|it| Value::Float(it.0)))
                })*
                _ => ValueParser::new(|text: &str| text.parse::<u32>().map(|it| Value::Int(it.into()))),
            }
        };
    }
    match quantity {
        Quantity::Text => ValueParser::new(|text: &str| {
            Ok::<_, std::convert::Infallible>(Value::Text(text.to_owned().into()))
        }),
        Quantity::Word(words) => ValueParser::new(move |text: &str| {
            let given = text.replace('-', "_");
            let known = words.iter().map(|it| it.word);
            known
                .clone()
                .find(|word| *word == given)
                .map(|word| Value::Text(word.into()))
                .ok_or_else(|| crate::words::advice(&given, known))
        }),
        _ => number!(Number NonNegative Positive Ratio Share Radians AngularSpeed Celsius Seconds),
    }
}

fn arg(argument: &'static Argument) -> Arg {
    let summary = argument.summary.strip_suffix('.').unwrap_or(argument.summary);
    let arg = Arg::new(argument.name).help(summary);
    let arg = match argument.spelling {
        Spelling::Long(long, "") => arg.long(long),
        Spelling::Long(long, value) => arg.long(long).value_name(value),
        Spelling::Place | Spelling::Written => arg.value_name(argument.name.to_uppercase()),
    };
    let is_asked = argument.presence == Presence::Required || argument.spelling == Spelling::Written;
    match (argument.quantity, argument.presence) {
        (Quantity::Flag, _) => arg.action(ArgAction::SetTrue),
        (Quantity::Switch, Presence::Flag(on)) if !is_asked => {
            arg.value_parser(start()).action(ArgAction::Set).default_value(if on { "start" } else { "stop" })
        }
        (Quantity::Switch, _) => arg.value_parser(start()).action(ArgAction::Set).required(is_asked),
        (Quantity::Wholes, _) => {
            arg.value_parser(parser(Quantity::Whole)).value_delimiter(',').required(is_asked)
        }
        (quantity @ (Quantity::Radians | Quantity::Share), _) => {
            arg.value_parser(parser(quantity)).allow_hyphen_values(true).required(is_asked)
        }
        (quantity, _) => {
            arg.value_parser(parser(quantity)).allow_negative_numbers(quantity.is_number()).required(is_asked)
        }
    }
}

/// What was written for an argument.
fn written(argument: &Argument, matches: &ArgMatches) -> Value {
    match argument.quantity {
        Quantity::Flag => Value::Bool(matches.get_flag(argument.name)),
        Quantity::Switch => matches.get_one::<bool>(argument.name).map_or(Value::Null, |on| Value::Bool(*on)),
        Quantity::Wholes => {
            let given = matches.get_many::<Value>(argument.name);
            given.map_or(Value::Null, |items| Value::List(items.cloned().collect()))
        }
        _ => matches.get_one::<Value>(argument.name).cloned().unwrap_or(Value::Null),
    }
}

impl FromArgMatches for Described {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (word, matches) = matches.subcommand().ok_or_else(missing)?;
        let about = find(|about| about.word == Some(word)).ok_or_else(missing)?;
        let arguments = about.arguments.iter().map(|argument| written(argument, matches)).collect();
        Ok(Self { about, arguments })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Described {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        command.subcommands(latimer_dialects::calls().filter_map(|about| {
            let summary = about.summary.strip_suffix('.').unwrap_or(about.summary);
            Some(clap::Command::new(about.word?).about(summary).args(about.arguments.iter().map(arg)))
        }))
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(word: &str) -> bool {
        find(|about| about.word == Some(word)).is_some()
    }
}
