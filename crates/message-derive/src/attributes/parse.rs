//! Reads the attributes.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, Ident, LitStr, Member, Path, Result, Type, parse_quote,
};

use super::{Field, Foreign, ForeignPlace, Inner, Json, Message, Missing, Place, Target};

pub(crate) fn read(input: &DeriveInput) -> Result<Message> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(input.span(), "a message is a struct"));
    };
    let name = &input.ident;
    let mut message = Message::of(parse_quote!(#name));
    let names = message.read_attributes(&input.attrs)?;
    let has_record = message.record.is_some();
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
            let inside = read_field(quote!(#name), wire.clone(), None, &attributes, has_record)?;
            message.fields.push(inside);
        }
        if inside.is_empty() {
            let wire = if names.camel_case { camel(&wire) } else { wire };
            let mut field = read_field(quote!(#name), wire, Some(&field.ty), &own, has_record)?;
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

pub(crate) fn read_foreign(foreign: &Foreign) -> Result<Message> {
    let mut message = Message::of(foreign.name.clone());
    message.read_attributes(&foreign.attributes)?;
    (message.is_layout, message.json) = (true, Json::None);
    for ForeignPlace { attributes, place: Place(path) } in &foreign.places {
        let mut above: Vec<_> = path.iter().map(Ident::to_string).collect();
        let wire = above.pop().unwrap_or_default();
        let mut field = read_field(quote!(#path), wire, None, attributes, message.record.is_some())?;
        field.above = above;
        message.fields.push(field);
    }
    Ok(message)
}

/// How names are spelled, and whether what is missing is written.
#[derive(Default)]
struct Names {
    camel_case: bool,
    nulls: bool,
}

impl Message {
    fn of(name: Type) -> Self {
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
    fn read_attributes(&mut self, attributes: &[Attribute]) -> Result<Names> {
        let mut names = Names::default();
        for attribute in attributes.iter().filter(|it| it.path().is_ident("message")) {
            attribute.parse_nested_meta(|meta| {
                match name_of(&meta)?.as_str() {
                    "record" => self.record = Some(meta.value()?.parse()?),
                    "base" => self.base = Some(meta.value()?.parse()?),
                    "ignores" => self.ignores.extend(paths(&meta)?),
                    "records" => self.inner.extend(inner(&meta, false)?),
                    "wholes" => self.inner.extend(inner(&meta, true)?),
                    "context" => self.context = meta.value()?.parse()?,
                    "when" => self.when = Some(meta.value()?.parse()?),
                    "finish" => self.finish = Some(meta.value()?.parse()?),
                    "amend" => self.amend = Some(meta.value()?.parse()?),
                    "part" => self.part = Some(meta.value()?.parse()?),
                    "layout" => (self.is_layout, self.json) = (true, Json::None),
                    "nulls" => names.nulls = true,
                    "json" => {
                        self.json = match meta.value()?.parse::<Ident>()?.to_string().as_str() {
                            "lenient" => Json::Lenient,
                            "strict" => Json::Strict,
                            "none" => Json::None,
                            other => {
                                return Err(meta
                                    .error(format!("JSON is `lenient`, `strict` or `none`, not `{other}`")));
                            }
                        }
                    }
                    "rename" => match meta.value()?.parse::<LitStr>()?.value().as_str() {
                        "camelCase" => names.camel_case = true,
                        other => {
                            return Err(meta.error(format!(
                                "`{other}` is not known; names are `camelCase` or as they are"
                            )));
                        }
                    },
                    other => return Err(meta.error(format!("a message has no `{other}`"))),
                }
                Ok(())
            })?;
        }
        Ok(names)
    }
}

/// What stands alone at a field and is no field of the record.
const FLAGS: &[&str] =
    &["stamp", "part", "which_kind", "own", "reserved", "nested", "each", "required", "null"];

fn read_field(
    mut place: TokenStream,
    mut wire: String,
    type_: Option<&Type>,
    attributes: &[Attribute],
    has_record: bool,
) -> Result<Field> {
    let (mut target, mut codec, mut missing) = (None, None, Missing::Unknown);
    let (mut each, mut null) = (false, false);
    let (mut aliases, mut read, mut write) = (Vec::new(), None, None);
    let (mut above, mut path, mut parts) = (Vec::new(), None, None);
    let (type_, bare) = type_.map(inside_option).map_or((None, true), |(type_, bare)| (Some(type_), bare));
    let (mut unit, mut note, mut kind, mut also, mut hidden) = (None, None, None, None, None);
    for attribute in attributes.iter().filter(|it| it.path().is_ident("field")) {
        attribute.parse_nested_meta(|meta| {
            let word = name_of(&meta)?;
            if target.is_none() && meta.input.peek(syn::Token![.]) {
                meta.input.parse::<syn::Token![.]>()?;
                target = Some(Target::Inside(Ident::new(&word, meta.path.span()), meta.input.parse()?));
                return Ok(());
            }
            let is_alone = !meta.input.peek(syn::Token![=]) && !meta.input.peek(syn::token::Paren);
            if target.is_none() && is_alone && !FLAGS.contains(&word.as_str()) {
                target = Some(Target::Record(Ident::new(&word, meta.path.span())));
                return Ok(());
            }
            match word.as_str() {
                "stamp" => target = Some(Target::Stamp),
                "part" => target = Some(Target::Part),
                "which_kind" => target = Some(Target::Kind),
                "own" if is_alone => target = Some(Target::Own(None)),
                "own" => target = Some(Target::Own(Some(meta.value()?.parse()?))),
                "reserved" => target = Some(Target::Reserved),
                "computed" => target = Some(Target::Computed(meta.value()?.parse()?)),
                "constant" => target = Some(Target::Constant(meta.value()?.parse()?)),
                "items" => target = Some(Target::Items(paths(&meta)?)),
                "among" => target = Some(Target::Among(meta.value()?.parse()?)),
                "model" => match &mut target {
                    Some(Target::Paths(paths)) => paths.push(meta.value()?.parse()?),
                    Some(_) => path = Some(meta.value()?.parse()?),
                    None => target = Some(Target::Paths(vec![meta.value()?.parse()?])),
                },
                "alias" => aliases.push(meta.value()?.parse()?),
                "read" => read = Some(meta.value()?.parse()?),
                "write" => write = Some(meta.value()?.parse()?),
                "factor" => {
                    let factor: Expr = meta.value()?.parse()?;
                    codec = Some(parse_quote!(crate::describe::codec::Factor(#factor)));
                }
                "words" => {
                    let words: Expr = meta.value()?.parse()?;
                    codec = Some(parse_quote!(crate::describe::codec::Words(#words)));
                }
                "codec" => codec = Some(meta.value()?.parse()?),
                "nested" => codec = Some(parse_quote!(crate::describe::codec::Nested)),
                "each" => each = true,
                "required" => missing = Missing::Required,
                "or" => missing = Missing::Or(meta.value()?.parse()?),
                "null" => null = true,
                "unit" => unit = Some(meta.value()?.parse()?),
                "note" => note = Some(meta.value()?.parse()?),
                "kind" => kind = Some(meta.value()?.parse()?),
                "also" => also = Some(meta.value()?.parse()?),
                "hidden" => hidden = Some(meta.value()?.parse()?),
                "parts" => parts = Some(meta.value()?.parse()?),
                "at" => {
                    let Place(inside) = meta.value()?.parse()?;
                    above.push(std::mem::take(&mut wire));
                    above.extend(inside.iter().map(Ident::to_string));
                    wire = above.pop().unwrap_or_default();
                    place = quote!(#place.#inside);
                }
                "name" => wire = meta.value()?.parse::<LitStr>()?.value(),
                other => return Err(meta.error(format!("a field has no `{other}`"))),
            }
            Ok(())
        })?;
    }
    let codec = codec.unwrap_or_else(|| parse_quote!(crate::describe::codec::Same));
    let target = match target {
        Some(target) => target,
        None if has_record => {
            return Err(Error::new_spanned(
                place,
                "what is it in the model? if nothing, it is `#[field(own)]`",
            ));
        }
        None => Target::Own(None),
    };
    Ok(Field {
        place,
        above,
        wire,
        aliases,
        type_,
        bare,
        read,
        write,
        summary: summary(attributes),
        target,
        codec: if each { parse_quote!(crate::describe::codec::Each(#codec)) } else { codec },
        missing,
        unit,
        note,
        kind,
        also,
        null,
        hidden,
        path,
        parts,
    })
}

fn name_of(meta: &ParseNestedMeta<'_>) -> Result<String> {
    Ok(meta.path.require_ident()?.to_string())
}

fn paths(meta: &ParseNestedMeta<'_>) -> Result<Vec<Path>> {
    let mut found = Vec::new();
    meta.parse_nested_meta(|meta| {
        found.push(meta.path.clone());
        Ok(())
    })?;
    Ok(found)
}

fn inner(meta: &ParseNestedMeta<'_>, whole: bool) -> Result<Vec<Inner>> {
    let mut found = Vec::new();
    meta.parse_nested_meta(|meta| {
        let name = meta.path.require_ident()?.clone();
        found.push(Inner { name, type_: meta.value()?.parse()?, whole });
        Ok(())
    })?;
    Ok(found)
}

/// `T` of `Option<T>`; any other as it is, and that it is.
pub(crate) fn inside_option(type_: &Type) -> (Type, bool) {
    if let Type::Path(path) = type_
        && let Some(last) = path.path.segments.last()
        && last.ident == "Option"
        && let syn::PathArguments::AngleBracketed(arguments) = &last.arguments
        && let Some(syn::GenericArgument::Type(inside)) = arguments.args.first()
    {
        return (inside.clone(), false);
    }
    (type_.clone(), true)
}

/// The documentation of a struct or field, in one line.
pub(crate) fn summary(attributes: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|it| it.path().is_ident("doc")) {
        if let syn::Meta::NameValue(value) = &attribute.meta
            && let Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &value.value
        {
            lines.push(text.value().trim().to_owned());
        }
    }
    lines.join(" ")
}

fn camel(name: &str) -> String {
    let mut camel = String::new();
    for (i, word) in name.split('_').enumerate() {
        let mut chars = word.chars();
        match chars.next() {
            Some(first) if i > 0 => camel.extend(first.to_uppercase().chain(chars)),
            _ => camel.push_str(word),
        }
    }
    camel
}
