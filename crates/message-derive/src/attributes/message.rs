//! Reads what is written at a struct, and its fields one by one.

use proc_macro2::TokenTree;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Error, Ident, LitStr, Member, Result, Type, parse_quote};

use super::field::read_field;
use super::words::{behind_dot, camel, name_of, value};
use super::{Inner, Json, Message, Missing, ModelField};

pub(crate) fn read(input: &DeriveInput) -> Result<Message> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(input.span(), "a message is a struct"));
    };
    let name = &input.ident;
    let mut message = Message::of(parse_quote!(#name));
    let names = message.read_attributes(&input.attrs)?;
    for (i, field) in data.fields.iter().enumerate() {
        let name = field.ident.clone().map_or_else(|| Member::Unnamed(i.into()), Member::Named);
        if field.ident.as_ref().is_some_and(|name| name == "extra") {
            message.has_extra = true;
            continue;
        }
        let wire = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
        let (inside, own): (Vec<_>, Vec<_>) = field.attrs.iter().cloned().partition(is_inside);
        for place in &inside {
            let docs = own.iter().filter(|it| it.path().is_ident("doc")).cloned();
            let attributes: Vec<_> = docs.chain([place.clone()]).collect();
            let inside = read_field(&message, quote!(#name), wire.clone(), None, &attributes)?;
            message.fields.push(inside);
        }
        if inside.is_empty() {
            let wire = if names.camel_case { camel(&wire) } else { wire };
            let mut field = read_field(&message, quote!(#name), wire, Some(&field.ty), &own)?;
            if field.bare && !message.is_layout && matches!(field.missing, Missing::Unknown) {
                field.missing = Missing::Required;
            }
            field.null |= names.nulls && !field.bare;
            message.fields.push(field);
        }
    }
    Ok(message)
}

/// Whether an attribute is about a place inside of its field.
fn is_inside(attribute: &Attribute) -> bool {
    let first = |list: &syn::MetaList| list.tokens.clone().into_iter().next();
    attribute.path().is_ident("field")
        && matches!(attribute.meta.require_list().ok().and_then(first), Some(TokenTree::Ident(word)) if word == "at")
}

/// How names are spelled, and whether what is missing is written.
#[derive(Default)]
pub(super) struct Names {
    camel_case: bool,
    nulls: bool,
}

impl Message {
    pub(super) fn of(name: Type) -> Self {
        Self {
            name,
            record: None,
            base: None,
            ignores: Vec::new(),
            inner: Vec::new(),
            context: parse_quote!(crate::describe::At),
            when: None,
            finish: None,
            amend: None,
            part: None,
            json: Json::Lenient,
            is_layout: false,
            has_extra: false,
            fields: Vec::new(),
        }
    }

    /// What is written at the struct.
    pub(super) fn read_attributes(&mut self, attributes: &[Attribute]) -> Result<Names> {
        let mut names = Names::default();
        for attribute in attributes.iter().filter(|it| it.path().is_ident("message")) {
            attribute.parse_nested_meta(|meta| self.read_attribute(&meta, &mut names))?;
        }
        Ok(names)
    }

    fn read_attribute(&mut self, meta: &ParseNestedMeta<'_>, names: &mut Names) -> Result<()> {
        match name_of(meta)?.to_string().as_str() {
            "record" => self.record = Some(value(meta)?),
            "base" => self.base = Some(value(meta)?),
            "ignores" => self.ignores.extend(model_fields(meta)?),
            "records" => self.inner.extend(inner(meta, false)?),
            "wholes" => self.inner.extend(inner(meta, true)?),
            "context" => self.context = value(meta)?,
            "when" => self.when = Some(value(meta)?),
            "finish" => self.finish = Some(value(meta)?),
            "amend" => self.amend = Some(value(meta)?),
            "part" => self.part = Some(value(meta)?),
            "layout" => (self.is_layout, self.json) = (true, Json::None),
            "nulls" => names.nulls = true,
            "json" => {
                self.json = match value::<Ident>(meta)?.to_string().as_str() {
                    "lenient" => Json::Lenient,
                    "strict" => Json::Strict,
                    "none" => Json::None,
                    other => {
                        return Err(
                            meta.error(format!("JSON is `lenient`, `strict` or `none`, not `{other}`"))
                        );
                    }
                }
            }
            "rename" => match value::<LitStr>(meta)?.value().as_str() {
                "camelCase" => names.camel_case = true,
                other => {
                    let problem = format!("`{other}` is not known; names are `camelCase` or as they are");
                    return Err(meta.error(problem));
                }
            },
            other => return Err(meta.error(format!("a message has no `{other}`"))),
        }
        Ok(())
    }
}

fn model_fields(meta: &ParseNestedMeta<'_>) -> Result<Vec<ModelField>> {
    let mut found = Vec::new();
    meta.parse_nested_meta(|meta| {
        let first = name_of(&meta)?;
        found.push(match behind_dot(&meta)? {
            Some(name) => ModelField { inside: Some(first), name },
            None => ModelField { inside: None, name: first },
        });
        Ok(())
    })?;
    Ok(found)
}

fn inner(meta: &ParseNestedMeta<'_>, whole: bool) -> Result<Vec<Inner>> {
    let mut found = Vec::new();
    meta.parse_nested_meta(|meta| {
        found.push(Inner { name: name_of(&meta)?, type_: value(&meta)?, whole });
        Ok(())
    })?;
    Ok(found)
}
