//! Reads what is written at one field.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Error, Expr, Ident, LitStr, Path, Result, Token, Type};

use super::foreign::Place;
use super::words::{behind_dot, inside_option, name_of, once, paths, place_of, summary, unit, value};
use super::{Field, Message, Missing, Target};

/// What stands alone at a field and is no field of the record.
const FLAGS: &[&str] =
    &["stamp", "part", "which_kind", "own", "reserved", "nested", "each", "required", "null", "flatten"];

/// What is said of a field so far.
#[derive(Default)]
struct Said {
    target: Option<(Target, Span)>,
    codec: Option<(TokenStream, Span)>,
    missing: Option<Missing>,
    unit: Option<Ident>,
    each: bool,
    null: bool,
    aliases: Vec<LitStr>,
    read: Option<Path>,
    write: Option<Path>,
    note: Option<Expr>,
    kind: Option<Ident>,
    also: Option<Ident>,
    hidden: Option<Expr>,
    path: Option<LitStr>,
    parts: Option<Expr>,
}

/// A field of a message; `place` is where it stands in the struct, and `wire` its name if it is given no other.
pub(super) fn read_field(
    message: &Message,
    mut place: TokenStream,
    mut wire: String,
    type_: Option<&Type>,
    attributes: &[Attribute],
) -> Result<Field> {
    let (mut said, mut above) = (Said::default(), Vec::new());
    for attribute in attributes.iter().filter(|it| it.path().is_ident("field")) {
        attribute.parse_nested_meta(|meta| {
            let word = name_of(&meta)?;
            match word.to_string().as_str() {
                "at" if meta.input.peek(Token![=]) => {
                    let Place(inside) = value(&meta)?;
                    above.push(std::mem::take(&mut wire));
                    above.extend(inside.iter().map(Ident::to_string));
                    wire = above.pop().unwrap_or_default();
                    place = quote!(#place.#inside);
                }
                "name" if meta.input.peek(Token![=]) => wire = value::<LitStr>(&meta)?.value(),
                _ => said.read(&word, &meta, message)?,
            }
            Ok(())
        })?;
    }
    let (type_, bare) = type_.map(inside_option).map_or((None, true), |(type_, bare)| (Some(type_), bare));
    let (target, span) = match said.target.take() {
        Some(target) => target,
        None if message.record.is_some() => {
            let problem = "what is it in the model? if nothing, it is `#[field(own)]`";
            return Err(Error::new_spanned(place, problem));
        }
        None => (Target::Own(None), place_of(&place)),
    };
    let (codec, codec_span) = said.codec(span);
    Ok(Field {
        place,
        above,
        wire,
        aliases: said.aliases,
        type_,
        bare,
        read: said.read,
        write: said.write,
        summary: summary(attributes),
        target,
        span,
        codec,
        codec_span,
        missing: said.missing.unwrap_or(Missing::Unknown),
        unit: said.unit,
        note: said.note,
        kind: said.kind,
        also: said.also,
        null: said.null,
        hidden: said.hidden,
        path: said.path,
        parts: said.parts,
    })
}

impl Said {
    /// Reads one item of an attribute, whose word is read already.
    fn read(&mut self, word: &Ident, meta: &ParseNestedMeta<'_>, message: &Message) -> Result<()> {
        let is_alone = !meta.input.peek(Token![=]) && !meta.input.peek(syn::token::Paren);
        if self.target.is_none() && is_alone && !FLAGS.iter().any(|flag| word == flag) {
            let target = match behind_dot(meta)? {
                Some(_) if message.inner.iter().all(|inner| inner.name != *word) => {
                    let problem = format!("no record stands in `{word}`: `records({word} = …)` names one");
                    return Err(meta.error(problem));
                }
                Some(name) => Target::Inside(word.clone(), name),
                None => Target::Record(word.clone()),
            };
            return self.target(target, meta);
        }
        match word.to_string().as_str() {
            "stamp" => self.target(Target::Stamp, meta),
            "part" => self.target(Target::Part, meta),
            "which_kind" => self.target(Target::Kind, meta),
            "own" if is_alone => self.target(Target::Own(None), meta),
            "own" => self.target(Target::Own(Some(value(meta)?)), meta),
            "reserved" => self.target(Target::Reserved, meta),
            "flatten" => self.target(Target::Flatten, meta),
            "computed" => self.target(Target::Computed(value(meta)?), meta),
            "constant" => self.target(Target::Constant(value(meta)?), meta),
            "items" => self.target(Target::Items(paths(meta)?), meta),
            "among" => self.target(Target::Among(value(meta)?), meta),
            "model" => match &mut self.target {
                Some((Target::Paths(paths), _)) => {
                    paths.push(value(meta)?);
                    Ok(())
                }
                Some(_) => once(&mut self.path, value(meta)?, meta),
                None => self.target(Target::Paths(vec![value(meta)?]), meta),
            },
            "alias" => {
                self.aliases.push(value(meta)?);
                Ok(())
            }
            "codec" => {
                let codec: Expr = value(meta)?;
                once(&mut self.codec, (quote!(#codec), place_of(&codec)), meta)
            }
            "factor" => self.codec_of("Factor", meta),
            "words" => self.codec_of("Words", meta),
            "nested" => {
                let span = place_of(word);
                once(&mut self.codec, (quote_spanned!(span=> crate::describe::codec::Nested), span), meta)
            }
            "each" => {
                self.each = true;
                Ok(())
            }
            "null" => {
                self.null = true;
                Ok(())
            }
            "required" => once(&mut self.missing, Missing::Required, meta),
            "or" => once(&mut self.missing, Missing::Or(value(meta)?), meta),
            "unit" => once(&mut self.unit, unit(meta)?, meta),
            "read" => once(&mut self.read, value(meta)?, meta),
            "write" => once(&mut self.write, value(meta)?, meta),
            "note" => once(&mut self.note, value(meta)?, meta),
            "kind" => once(&mut self.kind, value(meta)?, meta),
            "also" => once(&mut self.also, value(meta)?, meta),
            "hidden" => once(&mut self.hidden, value(meta)?, meta),
            "parts" => once(&mut self.parts, value(meta)?, meta),
            other => Err(meta.error(format!("a field has no `{other}`"))),
        }
    }

    fn target(&mut self, target: Target, meta: &ParseNestedMeta<'_>) -> Result<()> {
        once(&mut self.target, (target, place_of(&meta.path)), meta)
    }

    /// A codec that is made of what stands behind its word.
    fn codec_of(&mut self, name: &str, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let of: Expr = value(meta)?;
        let span = place_of(&of);
        let name = Ident::new(name, span);
        once(&mut self.codec, (quote_spanned!(span=> crate::describe::codec::#name(#of)), span), meta)
    }

    /// How its values stand for those of the model, and where errors about that point.
    fn codec(&mut self, target: Span) -> (TokenStream, Span) {
        let unit = self.unit.as_ref().map(|unit| {
            let span = place_of(unit);
            (quote_spanned!(span=> crate::describe::Unit::#unit), span)
        });
        let (codec, span) = match (unit, self.codec.take()) {
            (None, None) => (quote_spanned!(target=> crate::describe::codec::Same), target),
            (Some(unit), None) => unit,
            (None, Some(codec)) => codec,
            (Some((unit, _)), Some((codec, span))) => {
                (quote_spanned!(span=> crate::describe::codec::In(#unit, #codec)), span)
            }
        };
        let each = |codec| quote_spanned!(span=> crate::describe::codec::Each(#codec));
        (if self.each { each(codec) } else { codec }, span)
    }
}
