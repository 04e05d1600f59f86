//! Reading and writing as a JSON object.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Type;

use crate::attributes::words::place_of;
use crate::attributes::{Field, Json, Message, Missing, Target};

/// Reading and writing as a JSON object.
pub(super) fn json(message: &Message) -> TokenStream {
    let name = &message.name;
    let (flat, keyed): (Vec<_>, Vec<_>) = message.fields.iter().partition(|it| is_flat(it));
    let set = keyed.iter().map(|field| {
        let Field { place, wire, aliases, .. } = field;
        let value = read_value(field, message.json);
        quote! { #wire #(| #aliases)* => self.#place = #value }
    });
    let set_flat = flat.iter().map(|Field { place, span, .. }| {
        quote_spanned!(*span=> crate::describe::Object::set(&mut self.#place, key, map)?)
    });
    let required = keyed.iter().filter(|it| is_required(it)).map(|it| &it.wire);
    let write = message.fields.iter().map(write);
    let extra = message.has_extra.then(|| {
        quote! {
            fn extra(&self) -> Option<&crate::describe::Extra> {
                Some(&self.extra)
            }

            fn extra_mut(&mut self) -> Option<&mut crate::describe::Extra> {
                Some(&mut self.extra)
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl crate::describe::Object for #name {
            const REQUIRED: &'static [&'static str] = &[#(#required),*];

            fn set<'de, A: serde::de::MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
                match key {
                    #(#set,)*
                    _ => return Ok(false #(|| #set_flat)*),
                }
                Ok(true)
            }

            fn write<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                #(#write)*
                Ok(())
            }

            #extra
        }

        #[automatically_derived]
        impl<'de> serde::Deserialize<'de> for #name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::describe::deserialize(deserializer)
            }
        }

        #[automatically_derived]
        impl serde::Serialize for #name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                crate::describe::serialize(self, serializer)
            }
        }
    }
}

/// Whether it is a message whose fields stand among those of this one.
pub(super) fn is_flat(field: &Field) -> bool {
    matches!(field.target, Target::Flatten)
}

/// Whether nothing can be read without it.
fn is_required(field: &Field) -> bool {
    field.bare && !matches!(field.missing, Missing::Or(_))
}

fn write(field: &Field) -> TokenStream {
    let Field { place, wire, null, bare, write, type_, span, .. } = field;
    if is_flat(field) {
        return quote_spanned! {*span=> crate::describe::Object::write(&self.#place, map)?; };
    }
    let span = type_.as_ref().map_or(*span, place_of);
    if let Some(write) = write {
        quote_spanned! {span=> serde::ser::SerializeMap::serialize_entry(map, #wire, &#write(&self.#place))?; }
    } else if *null || *bare {
        quote_spanned! {span=> serde::ser::SerializeMap::serialize_entry(map, #wire, &self.#place)?; }
    } else {
        quote_spanned! {span=>
            if let Some(value) = &self.#place {
                serde::ser::SerializeMap::serialize_entry(map, #wire, value)?;
            }
        }
    }
}

/// What stands in a field, read from the map.
fn read_value(field: &Field, json: Json) -> TokenStream {
    let Field { type_, bare, read, span, .. } = field;
    let span = type_.as_ref().map_or(*span, place_of);
    let value = match (read, json) {
        (Some(read), _) => {
            quote_spanned! {span=>
                {
                    struct Seed;

                    impl<'de> serde::de::DeserializeSeed<'de> for Seed {
                        type Value = Option<#type_>;

                        fn deserialize<D: serde::Deserializer<'de>>(self, value: D) -> Result<Self::Value, D::Error> {
                            #read(value)
                        }
                    }

                    serde::de::MapAccess::next_value_seed(map, Seed)?
                }
            }
        }
        (None, Json::Strict) if is_i64(type_.as_ref()) => {
            quote_spanned!(span=> crate::describe::whole(map)?)
        }
        (None, Json::Strict) => quote_spanned!(span=> serde::de::MapAccess::next_value(map)?),
        (None, Json::Lenient | Json::None) => quote_spanned!(span=> crate::describe::value(map)?),
    };
    match (bare, is_required(field)) {
        (false, _) => value,
        (true, true) => quote_spanned!(span=> crate::describe::present::<_, A::Error>(#value)?),
        (true, false) => quote_spanned!(span=> #value.unwrap_or_default()),
    }
}

fn is_i64(type_: Option<&Type>) -> bool {
    matches!(type_, Some(Type::Path(path)) if path.path.is_ident("i64"))
}
