//! The message that tells a record.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Type;

use super::json::is_flat;
use super::translate::is_translated;
use crate::attributes::words::place_of;
use crate::attributes::{Field, Inner, Message, Missing, Target};

/// The body of `encode`.
pub(super) fn encode(message: &Message, record: &Type) -> TokenStream {
    let when = message.when.as_ref().map(|when| {
        quote_spanned! {place_of(when)=>
            if !#when(record, context) {
                return None;
            }
        }
    });
    let known: BTreeSet<_> = message.fields.iter().flat_map(|field| field.target.known()).collect();
    let known = known.iter();
    let inner = message.inner.iter().map(|it| &it.name);
    let ignored = message.ignored(None);
    let others = message.fields.iter().any(is_flat).then(|| quote! { .. });
    let checks = message.inner.iter().map(|inner| check(inner, message));
    let whole = whole(message);
    // Without `..`, so that a new field of the record must be handled here.
    let fields = quote_spanned! {place_of(record)=>
        let #record { #(#known,)* #(#inner,)* #(#ignored: _,)* #others } = record;
    };
    quote! {
        #when
        #fields
        #(#checks)*
        #whole
    }
}

/// The same of a record inside of the record.
fn check(Inner { name, type_, whole }: &Inner, message: &Message) -> TokenStream {
    let models = message.fields.iter().filter_map(|field| match &field.target {
        Target::Inside(of, model) if of == name => Some(model),
        _ => None,
    });
    let ignored = message.ignored(Some(name));
    let fields = quote! { #type_ { #(#models: _,)* #(#ignored: _,)* } };
    if *whole {
        quote! { if let Some(#fields) = #name {} }
    } else {
        quote! { let #fields = #name; }
    }
}

/// The whole message.
fn whole(message: &Message) -> TokenStream {
    let is_left = |it: &&Field| !message.is_layout || !is_nothing(&it.target);
    let encoded = message.fields.iter().filter(is_left).map(|field| {
        let (place, value) = (&field.place, encoded(field, message));
        match message.is_layout {
            true => quote! { message.#place = #value; },
            false => quote! { #place: #value, },
        }
    });
    let amend = message.amend.as_ref().map(|amend| {
        quote_spanned! {place_of(amend)=> #amend(record, context, &mut message); }
    });
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
fn is_nothing(target: &Target) -> bool {
    match target {
        Target::Items(models) => !is_translated(models),
        Target::Paths(_) | Target::Kind | Target::Own(None) | Target::Reserved => true,
        _ => false,
    }
}

fn encoded(field: &Field, message: &Message) -> TokenStream {
    let value = encoded_option(field, message);
    match (field.bare, &field.target, &field.missing) {
        (false, ..) => value,
        (true, target, missing)
            if message.is_layout || is_nothing(target) || matches!(missing, Missing::Or(_)) =>
        {
            quote_spanned! {field.span=> #value.unwrap_or_default() }
        }
        (true, ..) => quote_spanned! {field.span=> #value? },
    }
}

/// The same as an `Option`.
fn encoded_option(field: &Field, message: &Message) -> TokenStream {
    let (Message { context, inner, .. }, Field { codec, codec_span, span, .. }) = (message, field);
    let encode = |model: TokenStream| {
        quote_spanned! {*codec_span=> crate::describe::codec::Codec::<_, _, #context>::encode(&#codec, #model, context) }
    };
    let each = encode(quote! { it });
    match (&field.target, &field.missing) {
        (Target::Record(model), Missing::Unknown) => {
            quote_spanned! {*span=> crate::describe::MayLack::known(#model).and_then(|it| #each) }
        }
        (Target::Record(model), Missing::Required) if !field.bare => {
            let value = encode(quote! { #model });
            quote_spanned! {*codec_span=> Some(#value?) }
        }
        (Target::Record(model) | Target::Among(model), _) => encode(quote! { #model }),
        (Target::Inside(of, model), missing) => {
            let whole = inner.iter().any(|inner| inner.whole && inner.name == *of);
            match missing {
                _ if whole => {
                    let value = encode(quote! { &it.#model });
                    quote_spanned! {*span=> #of.as_ref().and_then(|it| #value) }
                }
                Missing::Unknown => {
                    quote_spanned! {*span=> crate::describe::MayLack::known(&#of.#model).and_then(|it| #each) }
                }
                Missing::Required => {
                    let value = encode(quote! { &#of.#model });
                    quote_spanned! {*codec_span=> Some(#value?) }
                }
                Missing::Or(_) => encode(quote! { &#of.#model }),
            }
        }
        (Target::Items(models), _) if !is_translated(models) => quote! { None },
        (Target::Items(models), missing) => {
            let value = encode(quote! { &[#(*#models),*] });
            match missing {
                Missing::Required => quote_spanned! {*codec_span=> Some(#value?) },
                Missing::Unknown | Missing::Or(_) => value,
            }
        }
        (Target::Stamp, _) => encode(quote! { &crate::describe::Context::at(context) }),
        (Target::Part, _) => {
            quote_spanned! {*span=> crate::describe::Context::part(context).and_then(|it| #each) }
        }
        (Target::Computed(function) | Target::Own(Some(function)), _) => {
            quote_spanned! {place_of(function)=> #function(record, context) }
        }
        (Target::Constant(value), _) => quote_spanned! {place_of(value)=> Some((#value).into()) },
        (Target::Flatten, _) => {
            quote_spanned! {*span=> crate::describe::Translate::encode(record, context) }
        }
        (Target::Paths(_) | Target::Kind | Target::Own(None) | Target::Reserved, _) => quote! { None },
    }
}
