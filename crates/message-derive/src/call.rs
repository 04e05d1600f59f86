//! `#[derive(Call)]`: a command of one family as one description.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Error, Expr, Field, Ident, LitStr, Path, Result};

use crate::attributes::{inside_option, summary};

/// What a command can do to a robot's motion, and the fields that tell how.
const MOTIONS: &[(&str, &str, &[&str])] = &[
    ("still", "Still", &[]),
    ("stop", "Stop", &[]),
    ("speed", "Speed", &[]),
    ("heading", "Heading", &["heading_rad", "distance_m", "duration_s"]),
    ("arc", "Arc", &["radius_m", "duration_s"]),
    ("goal", "Goal", &[]),
    ("own", "Own", &[]),
    ("parts", "Parts", &[]),
    ("starts", "Starts", &[]),
    ("ends_goal", "EndsGoal", &[]),
    ("ends", "Ends", &[]),
];

/// A speed has one of these at least.
const SPEEDS: &[&str] = &["linear_mps", "angular_radps"];

/// What is written at the struct.
struct Call {
    name: String,
    word: Option<String>,
    motion: Motion,
    check: Option<Path>,
    wires: Vec<Expr>,
}

/// What it does to the robot's motion.
enum Motion {
    Of(Ident),
    By(Path),
}

/// One of its fields.
struct Argument<'a> {
    field: &'a Field,
    name: &'a Ident,
    quantity: Option<Path>,
    default: Option<Expr>,
    spelling: TokenStream,
    wire: Option<Expr>,
}

/// The implementation, and what it is on the wire.
pub(crate) fn implementation(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "a call is a struct, with a field for each argument"));
    };
    let call = Call::read(input)?;
    let arguments = data.fields.iter().map(Argument::read).collect::<Result<Vec<_>>>()?;
    let motion = call.motion.checked(&arguments)?;
    let (type_, name, about) = (&input.ident, &call.name, summary(&input.attrs));
    if about.is_empty() {
        return Err(Error::new_spanned(type_, "what does it do? say it in a `///` above"));
    }
    let word = call.word.as_ref().map_or(quote! { None }, |word| quote! { Some(#word) });
    let check = call.check.as_ref().map_or(quote! { None }, |check| quote! { Some(#check) });
    let described = arguments.iter().map(Argument::described).collect::<Result<Vec<_>>>()?;
    let (names, rows) = (arguments.iter().map(|it| it.name), call.rows(type_, &arguments));
    Ok(quote! {
        #[automatically_derived]
        impl crate::describe::Call for #type_ {
            const DESCRIPTION: &'static latimer_core::model::CallDescription = {
                use latimer_core::model::call::{
                    Argument, ArgumentType, CallDescription, CallMotion, Presence, Quantity, Spelling,
                };
                &CallDescription {
                    dialect: NAME,
                    name: #name,
                    summary: #about,
                    arguments: &[#(#described),*],
                    motion: #motion,
                    word: #word,
                    check: #check,
                }
            };

            fn values(self) -> Vec<latimer_core::Value> {
                vec![#(latimer_core::model::call::ArgumentType::into_argument(self.#names)),*]
            }
        }

        #rows
    })
}

impl Call {
    fn read(input: &DeriveInput) -> Result<Self> {
        let mut name = snake(&input.ident.to_string());
        let (mut word, mut motion, mut check, mut wires, mut has_word) = (None, None, None, Vec::new(), true);
        for attribute in input.attrs.iter().filter(|it| it.path().is_ident("call")) {
            attribute.parse_nested_meta(|meta| {
                match meta.path.require_ident()?.to_string().as_str() {
                    "name" => name = meta.value()?.parse::<LitStr>()?.value(),
                    "word" => word = Some(meta.value()?.parse::<LitStr>()?.value()),
                    "no_word" => has_word = false,
                    "wire" => wires.push(meta.value()?.parse()?),
                    "check" => check = Some(meta.value()?.parse()?),
                    "motion" => motion = Some(Motion::read(meta.value()?)?),
                    other => return Err(meta.error(format!("a call has no `{other}`"))),
                }
                Ok(())
            })?;
        }
        let motion = motion.ok_or_else(|| {
            let what =
                format!("what does it do to the robot's motion? write `#[call(motion = …)]`: {}", known());
            Error::new_spanned(&input.ident, what)
        })?;
        let word = has_word.then(|| word.unwrap_or_else(|| name.replace('_', "-")));
        Ok(Self { name, word, motion, check, wires })
    }

    /// What it is on the wire of its dialect, if that is said here.
    fn rows(&self, type_: &Ident, arguments: &[Argument<'_>]) -> TokenStream {
        let wires = &self.wires;
        if wires.is_empty() {
            return TokenStream::new();
        }
        let fields = arguments.iter().filter_map(|it| {
            let (name, wire) = (it.name.to_string(), it.wire.as_ref()?);
            Some(quote! { (#wire).of(#name) })
        });
        quote! {
            impl #type_ {
                /// What it is on the wire.
                pub(crate) const ROWS: &'static [Row] =
                    &[#((#wires).of(<#type_ as crate::describe::Call>::DESCRIPTION, Self::FIELDS)),*];
                const FIELDS: &'static [Arg] = &[#(#fields),*];
            }
        }
    }
}

impl Motion {
    fn read(input: syn::parse::ParseStream<'_>) -> Result<Self> {
        let word: Ident = input.parse()?;
        if word == "by" {
            let function;
            syn::parenthesized!(function in input);
            return Ok(Self::By(function.parse()?));
        }
        Ok(Self::Of(word))
    }

    /// The motion, if the fields are there that tell how.
    fn checked(&self, arguments: &[Argument<'_>]) -> Result<TokenStream> {
        let word = match self {
            Self::By(function) => return Ok(quote! { CallMotion::By(#function) }),
            Self::Of(word) => word,
        };
        let Some((_, variant, fields)) = MOTIONS.iter().find(|(known, ..)| word == known) else {
            return Err(Error::new_spanned(word, format!("there is no motion `{word}`: write {}", known())));
        };
        let has = |name: &&str| arguments.iter().any(|it| it.name == name);
        if let Some(missing) = fields.iter().find(|name| !has(name)) {
            let what = format!("the motion `{word}` is told by the field `{missing}`, which is not there");
            return Err(Error::new_spanned(word, what));
        }
        if word == "speed" && !SPEEDS.iter().any(has) {
            let what =
                "a speed is told by the fields `linear_mps` and `angular_radps`, of which none is there";
            return Err(Error::new_spanned(word, what));
        }
        let variant = format_ident!("{variant}");
        Ok(quote! { CallMotion::#variant })
    }
}

/// The motions that there are.
fn known() -> String {
    let known: Vec<_> = MOTIONS.iter().map(|(word, ..)| format!("`{word}`")).collect();
    format!("{} or `by(function)`", known.join(", "))
}

impl<'a> Argument<'a> {
    fn read(field: &'a Field) -> Result<Self> {
        let Some(name) = &field.ident else {
            return Err(Error::new_spanned(field, "an argument has a name"));
        };
        let (mut quantity, mut default, mut wire) = (None, None, None);
        let (mut long, mut value, mut is_written) = (None, String::new(), false);
        for attribute in field.attrs.iter().filter(|it| it.path().is_ident("argument")) {
            attribute.parse_nested_meta(|meta| {
                match meta.path.require_ident()?.to_string().as_str() {
                    "wire" => wire = Some(meta.value()?.parse()?),
                    "quantity" => quantity = Some(meta.value()?.parse()?),
                    "default" => default = Some(meta.value()?.parse()?),
                    "long" => long = Some(meta.value()?.parse::<LitStr>()?.value()),
                    "value" => value = meta.value()?.parse::<LitStr>()?.value(),
                    "written" => is_written = true,
                    other => return Err(meta.error(format!("an argument has no `{other}`"))),
                }
                Ok(())
            })?;
        }
        let is_flag = is(&field.ty, "bool") && quantity.is_none();
        let spelling = match (long, is_flag, is_written) {
            (Some(long), ..) => quote! { Spelling::Long(#long, #value) },
            (None, true, _) => {
                let long = name.to_string().replace('_', "-");
                quote! { Spelling::Long(#long, #value) }
            }
            (None, false, true) => quote! { Spelling::Written },
            (None, false, false) => quote! { Spelling::Place },
        };
        Ok(Self { field, name, quantity, default, spelling, wire })
    }

    fn described(&self) -> Result<TokenStream> {
        let Self { field, name, quantity, default, spelling, .. } = self;
        let (type_, (inside, is_bare)) = (&field.ty, inside_option(&field.ty));
        let about = summary(&field.attrs);
        if about.is_empty() {
            return Err(Error::new_spanned(name, "what is it? say it in a `///` above"));
        }
        let word = name.to_string();
        let by_name = [("_rad", "Radians"), ("_radps", "Radians"), ("_ratio", "Ratio")];
        let by_name = by_name.into_iter().find(|(ending, _)| is(&inside, "f64") && word.ends_with(ending));
        let quantity = match (quantity, by_name) {
            (Some(quantity), _) => quote! { Quantity::#quantity },
            (None, Some((_, variant))) => {
                let variant = format_ident!("{variant}");
                quote! { Quantity::#variant }
            }
            (None, None) => quote! { <#type_ as ArgumentType>::QUANTITY },
        };
        let presence = match (default, is_bare) {
            (Some(default), _) if is(&inside, "bool") => quote! { Presence::Flag(#default) },
            (Some(default), _) => quote! { Presence::Number(#default) },
            (None, false) => quote! { Presence::Optional },
            (None, true) if is(&inside, "bool") => quote! { Presence::Flag(false) },
            (None, true) => quote! { Presence::Required },
        };
        Ok(quote! {
            Argument {
                name: #word,
                summary: #about,
                quantity: #quantity,
                presence: #presence,
                spelling: #spelling,
            }
        })
    }
}

fn is(type_: &syn::Type, name: &str) -> bool {
    matches!(type_, syn::Type::Path(path) if path.path.is_ident(name))
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    fn error(input: &DeriveInput) -> String {
        implementation(input).unwrap_err().to_string()
    }

    #[test]
    fn a_call_says_what_it_does_to_the_motion() {
        let without = parse_quote! {
            /// Sounds the horn.
            #[call(word = "horn")]
            struct SoundHorn {}
        };
        let what = error(&without);
        assert!(
            what.starts_with("what does it do to the robot's motion?") && what.contains("`still`"),
            "{what}"
        );
        let with = parse_quote! {
            /// Sounds the horn.
            #[call(motion = still)]
            struct SoundHorn {}
        };
        let text = implementation(&with).unwrap().to_string();
        assert!(text.contains("\"sound_horn\"") && text.contains("\"sound-horn\""), "{text}");
        assert!(text.contains("CallMotion :: Still"), "{text}");
    }

    #[test]
    fn a_motion_is_known_and_told_by_fields() {
        let unknown = parse_quote! {
            /// Rolls.
            #[call(motion = rolls)]
            struct Roll {}
        };
        assert!(error(&unknown).starts_with("there is no motion `rolls`: write `still`"));
        let arc = parse_quote! {
            /// Drives on a circle.
            #[call(motion = arc)]
            struct Arc {
                /// How large.
                radius_m: f64,
            }
        };
        assert_eq!(error(&arc), "the motion `arc` is told by the field `duration_s`, which is not there");
        let speed = parse_quote! {
            /// Goes.
            #[call(motion = speed)]
            struct Go {
                /// How fast.
                pace: f64,
            }
        };
        assert!(error(&speed).contains("`linear_mps`"));
    }

    #[test]
    fn what_people_read_is_there() {
        let call = parse_quote! {
            #[call(motion = still)]
            struct SoundHorn {}
        };
        assert!(error(&call).contains("what does it do?"));
        let argument = parse_quote! {
            /// Sounds the horn.
            #[call(motion = still)]
            struct SoundHorn {
                volume_ratio: f64,
            }
        };
        assert!(error(&argument).contains("what is it?"));
    }
}
