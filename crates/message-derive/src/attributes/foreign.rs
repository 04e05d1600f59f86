//! `describe!`: a struct of another crate, and places in it.

use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Result, Token, Type};

use super::field::read_field;
use super::{Json, Message};

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
pub(super) struct Place(pub(super) Punctuated<Ident, Token![.]>);

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

pub(crate) fn read_foreign(foreign: &Foreign) -> Result<Message> {
    let mut message = Message::of(foreign.name.clone());
    message.read_attributes(&foreign.attributes)?;
    (message.is_layout, message.json) = (true, Json::None);
    for ForeignPlace { attributes, place: Place(path) } in &foreign.places {
        let mut above: Vec<_> = path.iter().map(Ident::to_string).collect();
        let wire = above.pop().unwrap_or_default();
        let mut field = read_field(&message, quote!(#path), wire, None, attributes)?;
        field.above = above;
        message.fields.push(field);
    }
    Ok(message)
}
