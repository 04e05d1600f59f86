//! What is written at a struct and its fields.

use proc_macro2::{Span, TokenStream};
use syn::{Expr, Ident, LitStr, Path, Type};

mod field;
mod foreign;
mod message;
pub(crate) mod words;

pub(crate) use foreign::{Foreign, read_foreign};
pub(crate) use message::read;
pub(crate) use words::{inside_option, summary};

/// A struct with `#[derive(Message)]`, or one of another crate in `describe!`.
pub(crate) struct Message {
    pub(crate) name: Type,
    pub(crate) record: Option<Type>,
    pub(crate) base: Option<Expr>,
    pub(crate) ignores: Vec<ModelField>,
    pub(crate) inner: Vec<Inner>,
    pub(crate) context: Type,
    pub(crate) when: Option<Path>,
    pub(crate) finish: Option<Path>,
    pub(crate) amend: Option<Path>,
    pub(crate) part: Option<Expr>,
    pub(crate) json: Json,
    /// Whether each of its fields is always there, and its default where nothing is known.
    pub(crate) is_layout: bool,
    pub(crate) has_extra: bool,
    pub(crate) fields: Vec<Field>,
}

/// A field of the record, or of a record inside of it.
pub(crate) struct ModelField {
    pub(crate) inside: Option<Ident>,
    pub(crate) name: Ident,
}

impl Message {
    /// The fields that it ignores, of the record or of one inside of it.
    pub(crate) fn ignored(&self, inside: Option<&Ident>) -> Vec<&Ident> {
        let ignored = self.ignores.iter().filter(|it| it.inside.as_ref() == inside);
        ignored.map(|it| &it.name).collect()
    }
}

/// A record inside of the record.
pub(crate) struct Inner {
    pub(crate) name: Ident,
    pub(crate) type_: Type,
    /// Whether it is there only if all of its fields are.
    pub(crate) whole: bool,
}

/// How its JSON is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Json {
    /// In more than the specification's spelling.
    Lenient,
    /// In the specification's spelling.
    Strict,
    /// It is not JSON.
    None,
}

/// One of its fields, other than `extra`.
pub(crate) struct Field {
    /// Below the message: `header.stamp`.
    pub(crate) place: TokenStream,
    /// Names of the fields that it is inside of.
    pub(crate) above: Vec<String>,
    pub(crate) wire: String,
    /// Other names that are read.
    pub(crate) aliases: Vec<LitStr>,
    /// What stands in its `Option`; the compiler knows that of a place inside of a field.
    pub(crate) type_: Option<Type>,
    /// Whether it stands there without an `Option`.
    pub(crate) bare: bool,
    /// Reads its value, and what is written of it.
    pub(crate) read: Option<Path>,
    pub(crate) write: Option<Path>,
    pub(crate) summary: String,
    pub(crate) target: Target,
    /// Where errors about its counterpart in the model point.
    pub(crate) span: Span,
    pub(crate) codec: TokenStream,
    /// Where errors about how it is read and written point.
    pub(crate) codec_span: Span,
    pub(crate) missing: Missing,
    pub(crate) unit: Option<Ident>,
    pub(crate) note: Option<Expr>,
    pub(crate) kind: Option<Ident>,
    pub(crate) also: Option<Ident>,
    pub(crate) null: bool,
    pub(crate) hidden: Option<Expr>,
    /// The path that is described, if it is not the record's field.
    pub(crate) path: Option<LitStr>,
    pub(crate) parts: Option<Expr>,
}

/// What a field is in the model.
pub(crate) enum Target {
    /// A field of the record.
    Record(Ident),
    /// A field of a record inside of the record.
    Inside(Ident, Ident),
    /// Fields of the record, by the index of an item; with a path such as `pose::x_m` a function translates them.
    Items(Vec<Path>),
    /// A list of the record, to which several fields add.
    Among(Ident),
    /// Paths that a function beside translates.
    Paths(Vec<LitStr>),
    Stamp,
    Part,
    /// Which kind of signal is meant.
    Kind,
    /// Written by a function of the record.
    Computed(Path),
    /// Always written as this.
    Constant(Expr),
    /// Nothing; a function gives the value that is written, if any.
    Own(Option<Path>),
    /// Nothing, as the specification has no use for it either.
    Reserved,
    /// A message whose fields stand among those of this one.
    Flatten,
}

impl Target {
    /// The fields of the record itself that it stands for.
    pub(crate) fn known(&self) -> Vec<&Ident> {
        match self {
            Self::Record(model) | Self::Among(model) => vec![model],
            Self::Items(models) => models.iter().filter_map(Path::get_ident).collect(),
            _ => Vec::new(),
        }
    }

    /// The paths of the model that it stands for.
    pub(crate) fn paths(&self) -> Vec<String> {
        match self {
            Self::Record(model) | Self::Among(model) => vec![model.to_string()],
            Self::Inside(inner, model) => vec![format!("{inner}.{model}")],
            Self::Items(models) => models.iter().map(dotted).collect(),
            Self::Paths(models) => models.iter().map(LitStr::value).collect(),
            _ => Vec::new(),
        }
    }
}

fn dotted(path: &Path) -> String {
    let names: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
    names.join(".")
}

/// What it means that a field is missing.
pub(crate) enum Missing {
    /// The record's field is an `Option`.
    Unknown,
    /// Nothing can be decoded.
    Required,
    /// This value.
    Or(Expr),
}
