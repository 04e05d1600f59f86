//! Between a message and a record of the model: `Translate`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Expr, Ident, Path, Type};

use crate::attributes::{Field, Inner, Message, Missing, Target};

/// The translation from and to the record.
pub(super) fn translate(message: &Message, record: &Type) -> TokenStream {
    let Message { name, context, .. } = message;
    let (mut before, mut decoded, mut known, mut checks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut lists: Vec<(&Ident, Vec<TokenStream>)> = Vec::new();
    for field in &message.fields {
        let value = decoded_value(field, context);
        match &field.target {
            Target::Record(model) => {
                decoded.push(quote! { #model: #value });
                known.push(quote! { #model });
            }
            Target::Items(models) if is_translated(models) => {
                before.push(quote! { let [#(#models),*] = #value; });
                decoded.extend(models.iter().map(|model| quote! { #model }));
                known.extend(models.iter().map(|model| quote! { #model }));
            }
            Target::Among(model) => match lists.iter_mut().find(|(list, _)| *list == model) {
                Some((_, values)) => values.push(value),
                None => lists.push((model, vec![value])),
            },
            _ => {}
        }
    }
    for (model, values) in lists {
        decoded.push(quote! { #model: [#(#values),*].into_iter().flatten().flatten().collect() });
        known.push(quote! { #model });
    }
    for Inner { name: inner, type_, whole } in &message.inner {
        let fields = message.fields.iter().filter_map(|field| match &field.target {
            Target::Inside(of, model) if of == inner => Some((model, decoded_value(field, context))),
            _ => None,
        });
        let (models, values): (Vec<_>, Vec<_>) = fields.unzip();
        known.push(quote! { #inner });
        if *whole {
            decoded.push(quote! { #inner: (|| Some(#type_ { #(#models: #values?,)* }))() });
            checks.push(quote! { if let Some(#type_ { #(#models: _,)* }) = #inner {} });
        } else {
            decoded.push(quote! { #inner: #type_ { #(#models: #values,)* } });
            checks.push(quote! { let #type_ { #(#models: _,)* } = #inner; });
        }
    }
    let base = match &message.base {
        Some(base) => quote! { ..#base },
        None => {
            let ignored = &message.ignores;
            quote! { #(#ignored: Default::default(),)* }
        }
    };
    let finish = message.finish.as_ref().map(|finish| quote! { #finish(self, &mut record).finished()?; });
    let use_finished = finish.as_ref().map(|_| quote! { use crate::describe::Finished as _; });
    let mutable = finish.as_ref().map(|_| quote! { mut });
    let ignored = &message.ignores;
    let when = message.when.as_ref().map(|when| {
        quote! {
            if !#when(record, context) {
                return None;
            }
        }
    });
    let whole = whole(message, context);
    let stamp = stamp(message, context);
    let part = part(message, context);
    quote! {
        #[automatically_derived]
        impl crate::describe::Translate for #name {
            type Record = #record;
            type Context = #context;

            fn decode(&self) -> Result<#record, crate::describe::Incomplete> {
                #use_finished
                #(#before)*
                let #mutable record = #record { #(#decoded,)* #base };
                #finish
                Ok(record)
            }

            fn encode(record: &#record, context: &#context) -> Option<Self> {
                #when
                // Without `..`, so that a new field of the record must be handled here.
                let #record { #(#known,)* #(#ignored: _,)* } = record;
                #(#checks)*
                #whole
            }

            #stamp
            #part
        }
    }
}

/// Whether items are fields of the record itself.
pub(super) fn is_translated(models: &[Path]) -> bool {
    models.iter().all(|model| model.segments.len() == 1)
}

/// The whole message that is encoded.
pub(super) fn whole(message: &Message, context: &Type) -> TokenStream {
    let is_left = |it: &&Field| !message.is_layout || !is_nothing(&it.target);
    let encoded = message.fields.iter().filter(is_left).map(|field| {
        let (place, value) = (&field.place, encoded(field, context, &message.inner, message.is_layout));
        match message.is_layout {
            true => quote! { message.#place = #value; },
            false => quote! { #place: #value, },
        }
    });
    let amend = message.amend.as_ref().map(|amend| quote! { #amend(record, context, &mut message); });
    if message.is_layout {
        return quote! { let mut message = Self::default(); #(#encoded)* #amend Some(message) };
    }
    let extra = message.has_extra.then(|| quote! { extra: crate::describe::Extra::new(), });
    let whole = quote! { Self { #(#encoded)* #extra } };
    match amend {
        Some(amend) => quote! { let mut message = #whole; #amend Some(message) },
        None => quote! { Some(#whole) },
    }
}

/// Whether nothing is encoded.
pub(super) fn is_nothing(target: &Target) -> bool {
    match target {
        Target::Items(models) => !is_translated(models),
        Target::Paths(_) | Target::Kind | Target::Own(None) | Target::Reserved => true,
        _ => false,
    }
}

/// What stands in a field, as the model has it; an `Option`.
fn decode(Field { place, codec, bare, .. }: &Field, context: &Type) -> TokenStream {
    let decode = quote! { crate::describe::codec::Codec::<_, _, #context>::decode };
    match bare {
        true => quote! { #decode(&#codec, &self.#place) },
        false => quote! { self.#place.as_ref().and_then(|it| #decode(&#codec, it)) },
    }
}

/// What a field decodes to.
fn decoded_value(field: &Field, context: &Type) -> TokenStream {
    let Field { wire, missing, .. } = field;
    let value = decode(field, context);
    match missing {
        Missing::Unknown => value,
        Missing::Required => quote! { #value.ok_or(crate::describe::Incomplete { field: #wire })? },
        Missing::Or(default) => quote! { #value.unwrap_or_else(|| #default) },
    }
}

fn encoded(field: &Field, context: &Type, inner: &[Inner], is_layout: bool) -> TokenStream {
    let value = encoded_option(field, context, inner);
    match (field.bare, &field.target, &field.missing) {
        (false, ..) => value,
        (true, target, missing) if is_layout || is_nothing(target) || matches!(missing, Missing::Or(_)) => {
            quote! { #value.unwrap_or_default() }
        }
        (true, ..) => quote! { #value? },
    }
}

/// The same as an `Option`.
fn encoded_option(field: &Field, context: &Type, inner: &[Inner]) -> TokenStream {
    let codec = &field.codec;
    let encode = quote! { crate::describe::codec::Codec::<_, _, #context>::encode };
    match (&field.target, &field.missing) {
        (Target::Record(model), Missing::Unknown) => {
            quote! { #model.as_ref().and_then(|it| #encode(&#codec, it, context)) }
        }
        (Target::Record(model), Missing::Required) if field.bare => {
            quote! { #encode(&#codec, #model, context) }
        }
        (Target::Record(model), Missing::Required) => quote! { Some(#encode(&#codec, #model, context)?) },
        (Target::Record(model), Missing::Or(_)) => quote! { #encode(&#codec, #model, context) },
        (Target::Inside(of, model), missing) => {
            let whole = inner.iter().any(|inner| inner.whole && inner.name == *of);
            match missing {
                _ if whole => quote! { #of.as_ref().and_then(|it| #encode(&#codec, &it.#model, context)) },
                Missing::Unknown => {
                    quote! { #of.#model.as_ref().and_then(|it| #encode(&#codec, it, context)) }
                }
                Missing::Required => quote! { Some(#encode(&#codec, &#of.#model, context)?) },
                Missing::Or(_) => quote! { #encode(&#codec, &#of.#model, context) },
            }
        }
        (Target::Among(model), _) => quote! { #encode(&#codec, #model, context) },
        (Target::Items(models), _) if !is_translated(models) => quote! { None },
        (Target::Items(models), missing) => {
            let value = quote! { #encode(&#codec, &[#(*#models),*], context) };
            match missing {
                Missing::Required => quote! { Some(#value?) },
                Missing::Unknown | Missing::Or(_) => value,
            }
        }
        (Target::Stamp, _) => quote! { #encode(&#codec, &crate::describe::Context::at(context), context) },
        (Target::Part, _) => {
            quote! { crate::describe::Context::part(context).and_then(|it| #encode(&#codec, it, context)) }
        }
        (Target::Computed(function) | Target::Own(Some(function)), _) => {
            quote! { #function(record, context) }
        }
        (Target::Constant(value), _) => quote! { Some((#value).into()) },
        (Target::Paths(_) | Target::Kind | Target::Own(None) | Target::Reserved, _) => quote! { None },
    }
}

fn stamp(message: &Message, context: &Type) -> Option<TokenStream> {
    let field = message.fields.iter().find(|it| matches!(it.target, Target::Stamp))?;
    let at = decode(field, context);
    Some(quote! {
        fn at(&self) -> Option<latimer_core::Timestamp> {
            #at
        }
    })
}

fn part(message: &Message, context: &Type) -> Option<TokenStream> {
    if let Some(part) = &message.part {
        let part = match part {
            Expr::Lit(name) => quote! { Some(latimer_core::PartName::of(#name)) },
            function => quote! { #function(self) },
        };
        return Some(quote! {
            fn part(&self) -> Option<latimer_core::PartName> {
                #part
            }
        });
    }
    let fields: Vec<_> = message.fields.iter().filter(|it| matches!(it.target, Target::Part)).collect();
    let tried = fields.iter().enumerate().map(|(i, field)| {
        let (found, part): (Ident, _) = (format_ident!("found_{i}"), decode(field, context));
        quote! {
            let #found = #part;
            if #found.is_some() {
                return #found;
            }
        }
    });
    (!fields.is_empty()).then(|| {
        quote! {
            fn part(&self) -> Option<latimer_core::PartName> {
                #(#tried)*
                None
            }
        }
    })
}
