//! A REST call as a row of the catalogue.

use latimer_core::model::CallDescription;

pub use super::catalogue::{ArgType, Default, ResultType};

/// HTTP method of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Method {
    Get,
    Post,
    Delete,
    Put,
}

/// How stable a call is; also the value of the header `Misty-Command-Version`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Category {
    Current,
    Alpha,
    Beta,
}

/// What kind of thing a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum CommandType {
    Information,
    Action,
    Configuration,
}

/// The unit of a number on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// That of the model.
    Same,
    /// Degrees for radians.
    Degrees,
    /// Milliseconds for seconds.
    Milliseconds,
}

/// One argument of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arg {
    /// Name, as documented; clients send it in any case.
    pub name: &'static str,
    /// Type.
    pub arg_type: ArgType,
    /// Value unless sent.
    pub default: Default,
    /// The described command's argument that it is.
    pub of: Option<&'static str>,
    /// Its unit.
    pub unit: Unit,
    /// Clients have to send it, though the described command can do without; a real robot gets this then.
    pub needed: Option<&'static str>,
}

/// One REST call.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// HTTP method.
    pub method: Method,
    /// Path behind `/api/`.
    pub endpoint: &'static str,
    /// Name, as documented.
    pub name: &'static str,
    /// Name inside the robot.
    pub id: &'static str,
    /// Part of the robot that it concerns.
    pub group: &'static str,
    /// How stable it is.
    pub category: Category,
    /// What kind of thing it does.
    pub command_type: CommandType,
    /// What the robot cannot do when it refuses: "Cannot *drive*  - Missing …".
    pub verb: &'static str,
    /// Arguments, in their order.
    pub args: &'static [Arg],
    /// Type of the result.
    pub result: ResultType,
    /// What it gives, if that is a described command.
    pub given: Option<&'static CallDescription>,
    /// What `on` of the described command is by it, of two calls for one command.
    pub on: Option<bool>,
}

impl Row {
    /// It is for `on` of a described command.
    pub const fn begins(self) -> Self {
        Self { on: Some(true), ..self }
    }

    /// It is for the end of what another begins; it has no arguments.
    pub const fn ends(self) -> Self {
        Self { on: Some(false), ..self }
    }

    /// It gives a described command, with these arguments, or its own if there are none.
    pub const fn of(self, about: &'static CallDescription, args: &'static [Arg]) -> Self {
        let args = match self.on {
            Some(false) => &[],
            _ if args.is_empty() => self.args,
            _ => args,
        };
        Self { args, given: Some(about), ..self }
    }
}

/// `row!(Post "drive/track" DriveTrack as LocomotionTrack in Locomotion: Action "drive" (double LeftTrackSpeed) -> CommandGroup)`:
/// method, endpoint, name, the robot's own name if it is another, group, `(Alpha)` if it is, what kind of thing it does and what the robot
/// cannot do when it refuses, arguments, result.
macro_rules! row {
    ($method:ident $endpoint:literal $name:ident $(as $id:ident)? in $group:ident $(($category:ident))?: $kind:ident $verb:literal
     $(($($type:ident $arg:ident $(= $default:expr)?),*))? -> $result:ident) => {{
        #[allow(unused_imports, reason = "not each row has arguments of each type")]
        use $crate::misty::rest::row::{
            ArgType, Category, CommandType, Default, Method, ResultType, Row, byte, double, doubles, flag, flags, int, maybe_double, maybe_flag,
            maybe_int, text,
        };
        Row {
            method: Method::$method,
            endpoint: $endpoint,
            name: stringify!($name),
            id: $crate::misty::rest::row::first(&[$(stringify!($id),)? stringify!($name)]),
            group: stringify!($group),
            category: $crate::misty::rest::row::first(&[$(Category::$category,)? Category::Current]),
            command_type: CommandType::$kind,
            verb: $verb,
            args: &[$($($type(stringify!($arg))$(.or($default))?),*)?],
            result: ResultType::$result,
            given: None,
            on: None,
        }
    }};
}
pub(in crate::misty) use row;

/// The first of some.
pub(in crate::misty) const fn first<T: Copy>(some: &[T]) -> T {
    some[0]
}

impl Arg {
    const fn new(name: &'static str, arg_type: ArgType, default: Default) -> Self {
        Self { name, arg_type, default, of: None, unit: Unit::Same, needed: None }
    }

    /// The described command's argument that it is.
    pub const fn of(self, argument: &'static str) -> Self {
        Self { of: Some(argument), ..self }
    }

    /// What it is unless it is sent.
    pub const fn or(self, default: Default) -> Self {
        Self { default, ..self }
    }

    /// In degrees.
    pub const fn degrees(self) -> Self {
        Self { unit: Unit::Degrees, ..self }
    }

    /// In milliseconds.
    pub const fn milliseconds(self) -> Self {
        Self { unit: Unit::Milliseconds, ..self }
    }

    /// Clients have to send it; a real robot gets this where it is left out.
    pub const fn needed_of_clients(self, or: &'static str) -> Self {
        Self { needed: Some(or), ..self }
    }
}

/// A function for each type, with the value that it has unless it is sent.
macro_rules! types {
    ($($(#[$doc:meta])* $name:ident = $type:ident, $default:expr;)*) => {$(
        $(#[$doc])*
        pub const fn $name(name: &'static str) -> Arg {
            Arg::new(name, ArgType::$type, $default)
        }
    )*};
}

types! {
    /// A number.
    double = Double, Default::Double(0.0);
    /// A whole number.
    int = Int, Default::Int(0);
    /// A whole number from 0 to 255.
    byte = Byte, Default::Int(0);
    /// True or false.
    flag = Boolean, Default::Bool(false);
    /// A text.
    text = String, Default::Null;
    /// A number, or none.
    maybe_double = NullableDouble, Default::Null;
    /// A whole number, or none.
    maybe_int = NullableInt, Default::Null;
    /// True, false or neither.
    maybe_flag = NullableBoolean, Default::Null;
    /// Booleans by sensor name.
    flags = Booleans, Default::Null;
    /// Numbers by sensor name.
    doubles = Doubles, Default::Null;
}

/// The names of a row's properties on the wire.
macro_rules! names {
    ($($type:ident: $($variant:ident = $name:literal),*;)*) => {$(
        impl $type {
            /// The name on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    )*};
}

names! {
    Method: Get = "GET", Post = "POST", Delete = "DELETE", Put = "PUT";
    Category: Current = "Current", Alpha = "Alpha", Beta = "Beta";
    CommandType: Information = "Information", Action = "Action", Configuration = "Configuration";
}
