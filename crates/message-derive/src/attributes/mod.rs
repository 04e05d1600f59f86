//! What is written at a struct and its fields.

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, LitStr, Path, Result, Token, Type};

mod parse;

pub(crate) use parse::{inside_option, read, read_foreign, summary};

/// A struct with `#[derive(Message)]`, or one of another crate in `describe!`.
pub(crate) struct Message {
    pub(crate) name: Type,
    pub(crate) record: Option<Type>,
    pub(crate) base: Option<Expr>,
    pub(crate) ignores: Vec<Path>,
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
    pub(crate) codec: Expr,
    pub(crate) missing: Missing,
    pub(crate) unit: Option<LitStr>,
    pub(crate) note: Option<Expr>,
    pub(crate) kind: Option<Ident>,
    pub(crate) also: Option<Ident>,
    pub(crate) null: bool,
    pub(crate) hidden: Option<Expr>,
    /// The path that is described, if it is not the record's field.
    pub(crate) path: Option<LitStr>,
    pub(crate) parts: Option<Expr>,
}

/// A struct of another crate: its path, and places in it.
pub(crate) struct Foreign {
    attributes: Vec<Attribute>,
    name: Type,
    places: Punctuated<ForeignPlace, Token![,]>,
}

struct ForeignPlace {
    attributes: Vec<Attribute>,
    place: Place,
}

/// `header.stamp`.
struct Place(Punctuated<Ident, Token![.]>);

impl Parse for Foreign {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (attributes, name) = (input.call(Attribute::parse_outer)?, input.parse()?);
        let places;
        syn::braced!(places in input);
        let places = Punctuated::parse_terminated(&places)?;
        Ok(Self { attributes, name, places })
    }
}

impl Parse for ForeignPlace {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self { attributes: input.call(Attribute::parse_outer)?, place: input.parse()? })
    }
}

impl Parse for Place {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Punctuated::parse_separated_nonempty(input).map(Self)
    }
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
