//! `#[derive(Message)]`: one declaration of a message's fields, from which its reading, its writing, its translation and
//! its description come. The traits that it implements are in `latimer_dialects::describe`.
//!
//! | on the struct, `#[message(…)]` | |
//! |---|---|
//! | `record = Battery` | the model's record that it translates to and from; without it only JSON and description are derived |
//! | `base = Battery::UNKNOWN` | what fields of the record are that no field of the message tells |
//! | `ignores(temperature_c)` | fields of the record that the message has no word for, their default without a `base`; all others must be named; `ignores(left.velocity_radps)` of a record inside |
//! | `records(left = WheelEncoder)` | records inside of the record, whose fields are named `left.rotation_rad` |
//! | `wholes(orientation = Orientation)` | the same of optional records, of which all fields are decoded or none |
//! | `context = Context` | what else encoding and decoding need, `describe::At` if it is left out; expressions such as those of `or` may name `context` |
//! | `when = function` | `fn(&Record, &Context) -> bool`: whether the record can be encoded at all |
//! | `finish = function` | `fn(&Self, &Context, &mut Record)`: what several fields decide together, after decoding; or it returns `Result<(), Incomplete>` |
//! | `amend = function` | `fn(&Record, &Context, &mut Self)`: what several fields of the record decide together, after encoding |
//! | `part = "jack"` | the part of the robot that it is about, or a function `fn(&Self) -> Option<PartName>` where several fields decide it |
//! | `rename = "camelCase"` | how the names of fields are spelled on the wire |
//! | `nulls` | what is missing is written as `null` |
//! | `json = strict` | values are read as the specification spells them, whole numbers also with a point; `lenient` if it is left out, `none` for other transports |
//! | `layout` | serde reads and writes it, and each field is always there: what is not known is its default |
//!
//! A field is an `Option`, as any may be missing. One that is none must be there, or is empty with `or`. One without a name,
//! as in `Distance(f64)`, is given one by `name`.
//!
//! | on a field, `#[field(…)]` | |
//! |---|---|
//! | `voltage_v` | the record's field; `model = "battery.voltage_v"` for a path that a function translates, also several |
//! | `left.rotation_rad` | a field of a record inside of the record |
//! | `items(x_m, y_m)` | the record's fields that the items of a list are; `items(pose::x_m)` are paths that a function translates |
//! | `among = flags` | adds items to a list of the record, as other fields do |
//! | `stamp`, `part`, `which_kind` | it tells when, of which part of the robot, or which kind of signal |
//! | `constant = "charge"` | always encoded as this, not decoded |
//! | `own`, `reserved` | the model has no field for it; decoded to nothing and not encoded; what a field without a counterpart is in a struct without `record` |
//! | `own = function` | the same, and what is encoded: `fn(&Record, &Context) -> Option<T>` |
//! | `computed = function` | `fn(&Record, &Context) -> Option<T>`: encoded, not decoded |
//! | `factor`, `words`, `codec` | how its values stand for those of the model; the same value if none is given |
//! | `unit = Degrees` | a unit of `describe::Unit`, in which the codec reads and writes; it knows symbol and factor, and which fields it measures |
//! | `nested`, `each` | a message of its own, a list of them |
//! | `required`, `or = PowerState::Unknown` | what a missing value means: nothing can be decoded, or this |
//! | `alias`, `read`, `write` | another name; `fn(D) -> Result<Option<T>, D::Error>`; `fn(&T) -> impl Serialize` |
//! | `note`, `kind`, `name` | for the description: remark, kind of signal, name on the wire |
//! | `flatten` | a message whose fields stand among those of this one, as a brief message's do in a detailed one |
//! | `null` | written as `null` when it is missing |
//! | `also = Cliff` | another kind of signal whose field it is under the same path |
//! | `hidden = 1` | bits of the versions that do not show it |
//! | `model = …` after the record's field | the path that is described, where the record's field is named otherwise |
//! | `parts = &["left", "right"]` | the part that it is about, or those that its items are about |
//! | `at = twist.linear.x` | first: it is about a place inside of the field, of which there may be several |
//!
//! Errors point at the field, and what is generated is documented: the page of a message lists `voltage -> voltage_v`.
//!
//! `describe!` says the same of a struct of another crate, whose fields are places in it without a type; it is a `layout`:
//!
//! ```ignore
//! describe! {
//!     #[message(record = Velocity, ignores(closed_loop, ramped, action_id))]
//!     geometry_msgs::Twist {
//!         /// Forward.
//!         #[field(linear_mps)]
//!         linear.x,
//!     }
//! }
//! ```

mod attributes;
mod call;
mod generate;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Implements `Object`, `Described` and, for a struct that names its record, `Translate`.
#[proc_macro_derive(Message, attributes(message, field))]
pub fn derive_message(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let generated = attributes::read(&input).map(|message| generate::implementations(&message));
    generated.unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Implements `Call` for a command of one family, each field an argument; `///` is what people read of both.
///
/// | on the struct, `#[call(…)]` | |
/// |---|---|
/// | `motion = arc` | what it does to the robot's motion; there is no call without. `still`, `stop`, `speed`, `heading`, `arc`, `goal`, `own`, `parts`, `starts`, `ends_goal`, `ends`, or `by(function)` of the call where arguments decide it. A speed, a heading and an arc are told by fields: `linear_mps`, `angular_radps`, `heading_rad`, `distance_m`, `radius_m`, `duration_s`, `reverse` |
/// | `check = function` | what its arguments ask of each other: of the call, to a `Result` with an `ArgumentError` |
/// | `wire = expression` | what it is on the dialect's wire, a `Row`; several for a command with words for begin and end |
/// | `name = "listen"` | its name, the struct's in small letters if left out |
/// | `word = "arc"`, `no_word` | its word on the command line, its name if left out; none |
///
/// | on a field, `#[argument(…)]` | |
/// |---|---|
/// | `quantity = NonNegative` | its bounds; those of its type and unit if left out |
/// | `default = true` | what it is if it is not given; an `Option` is nothing and a `bool` is false then |
/// | `long = "in"`, `value = "DURATION"` | `--in DURATION` on the command line; by its place if left out |
/// | `written` | it is not left out on the command line, though it has a default |
/// | `wire = expression` | what it is on the dialect's wire, an `Arg` |
///
/// `NAME`, `Row` and `Arg` are those in scope.
#[proc_macro_derive(Call, attributes(call, argument))]
pub fn derive_call(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    call::implementation(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Implements `Described` and, for a struct that names its record, `Translate` for a struct of another crate.
#[proc_macro]
pub fn describe(input: TokenStream) -> TokenStream {
    let foreign = parse_macro_input!(input as attributes::Foreign);
    let generated = attributes::read_foreign(&foreign).map(|message| generate::implementations(&message));
    generated.unwrap_or_else(syn::Error::into_compile_error).into()
}
