//! Between a message and a record of the model: `Translate`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, Ident, Path, Type};

use super::encode;
use super::json::is_flat;
use crate::attributes::words::place_of;
use crate::attributes::{Field, Inner, Message, Missing, Target};

/// The translation from and to the record.
pub(super) fn translate(message: &Message, record: &Type) -> TokenStream {
    let Message { name, context, .. } = message;
    let decode = decode(message, record);
    let encode = encode::encode(message, record);
    let (at, part) = (at(message), part(message));
    quote! {
        #[automatically_derived]
        impl crate::describe::Translate for #name {
            type Record = #record;
            type Context = #context;

            fn decode(&self, context: &#context) -> Result<#record, crate::describe::Incomplete> {
                #decode
            }

            fn encode(record: &#record, context: &#context) -> Option<Self> {
                #encode
            }

            #at
            #part
        }
    }
}

fn decode(message: &Message, record: &Type) -> TokenStream {
    let (mut before, mut decoded) = (Vec::new(), Vec::new());
    let mut lists: Vec<(&Ident, Vec<TokenStream>)> = Vec::new();
    for field in &message.fields {
        let value = model_value(field, message);
        match &field.target {
            Target::Record(model) => decoded.push(quote! { #model: #value }),
            Target::Items(models) if is_translated(models) => {
                before.push(quote! { let [#(#models),*] = #value; });
                decoded.extend(models.iter().map(|model| quote! { #model }));
            }
            Target::Among(model) => {
                let value = known(field, message);
                match lists.iter_mut().find(|(list, _)| *list == model) {
                    Some((_, values)) => values.push(value),
                    None => lists.push((model, vec![value])),
                }
            }
            _ => {}
        }
    }
    for (model, values) in lists {
        decoded.push(quote! { #model: [#(#values),*].into_iter().flatten().flatten().collect() });
    }
    decoded.extend(message.inner.iter().map(|inner| decoded_inner(inner, message)));
    let flat = message.fields.iter().find(|it| is_flat(it));
    let base = match (flat, &message.base) {
        (Some(Field { place, span, .. }), _) => {
            quote_spanned! {*span=> ..crate::describe::Translate::decode(&self.#place, context)? }
        }
        (None, Some(base)) => quote_spanned! {place_of(base)=> ..#base },
        (None, None) => {
            let ignored = message.ignored(None);
            quote! { #(#ignored: Default::default(),)* }
        }
    };
    let Some(finish) = &message.finish else {
        return quote! {
            #(#before)*
            Ok(#record { #(#decoded,)* #base })
        };
    };
    let finished = quote_spanned! {place_of(finish)=> #finish(self, context, &mut record).finished()?; };
    quote! {
        use crate::describe::Finished as _;
        #(#before)*
        let mut record = #record { #(#decoded,)* #base };
        #finished
        Ok(record)
    }
}

/// A record inside of the record.
fn decoded_inner(Inner { name, type_, whole }: &Inner, message: &Message) -> TokenStream {
    let inside = message.fields.iter().filter_map(|field| match &field.target {
        Target::Inside(of, model) if of == name => Some((field, model)),
        _ => None,
    });
    let ignored = message.ignored(Some(name));
    let (fields, models): (Vec<_>, Vec<_>) = inside.unzip();
    if *whole {
        let values = fields.iter().map(|field| known(field, message));
        return quote! {
            #name: (|| Some(#type_ { #(#models: #values?,)* #(#ignored: Default::default(),)* }))()
        };
    }
    let values = fields.iter().map(|field| model_value(field, message));
    match &message.base {
        Some(base) if !ignored.is_empty() => {
            quote! { #name: #type_ { #(#models: #values,)* ..#base.#name } }
        }
        _ => quote! { #name: #type_ { #(#models: #values,)* #(#ignored: Default::default(),)* } },
    }
}

/// Whether items are fields of the record itself.
pub(super) fn is_translated(models: &[Path]) -> bool {
    models.iter().all(|model| model.segments.len() == 1)
}

/// What stands in a field, as the model has it; an `Option`.
fn known(
    Field { place, codec, codec_span: span, bare, .. }: &Field,
    Message { context, .. }: &Message,
) -> TokenStream {
    let decode = quote_spanned!(*span=> crate::describe::codec::Codec::<_, _, #context>::decode);
    match bare {
        true => quote_spanned!(*span=> #decode(&#codec, &self.#place, context)),
        false => quote_spanned!(*span=> self.#place.as_ref().and_then(|it| #decode(&#codec, it, context))),
    }
}

/// What a field decodes to.
fn model_value(field: &Field, message: &Message) -> TokenStream {
    let Field { wire, missing, span, .. } = field;
    let value = known(field, message);
    match missing {
        Missing::Unknown => quote_spanned!(*span=> crate::describe::MayLack::of(#value)),
        Missing::Required => quote_spanned!(*span=> crate::describe::need(#value, #wire)?),
        Missing::Or(default) => quote_spanned!(place_of(default)=> #value.unwrap_or_else(|| #default)),
    }
}

/// When it happened, if it tells.
fn at(message: &Message) -> Option<TokenStream> {
    let own = message.fields.iter().find(|it| matches!(it.target, Target::Stamp));
    let flat = || message.fields.iter().find(|it| is_flat(it));
    let at = own.map(|field| known(field, message)).or_else(|| Some(of_flat(flat()?, "at")))?;
    Some(quote! {
        fn at(&self, context: &Self::Context) -> Option<latimer_core::Timestamp> {
            #at
        }
    })
}

/// The same question, put to a message whose fields stand among those of this one.
fn of_flat(Field { place, span, .. }: &Field, question: &str) -> TokenStream {
    let question = Ident::new(question, *span);
    quote_spanned!(*span=> crate::describe::Translate::#question(&self.#place, context))
}

/// Which part it is about, if it tells.
fn part(message: &Message) -> Option<TokenStream> {
    let known = message.fields.iter().filter_map(|field| match field.target {
        Target::Part => Some(known(field, message)),
        Target::Flatten => Some(of_flat(field, "part")),
        _ => None,
    });
    let known: Vec<_> = known.collect();
    let part = match (&message.part, &known[..]) {
        (Some(Expr::Lit(name)), _) => quote! { Some(latimer_core::PartName::of(#name)) },
        (Some(function), _) => quote_spanned! {place_of(function)=> #function(self) },
        (None, []) => return None,
        (None, [first, others @ ..]) => quote! { #first #(.or_else(|| #others))* },
    };
    Some(quote! {
        fn part(&self, context: &Self::Context) -> Option<latimer_core::PartName> {
            #part
        }
    })
}
