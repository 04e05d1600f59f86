//! Reading and writing as a JSON object.

use proc_macro2::TokenStream;
use quote::quote;

use crate::attributes::{Field, Json, Message, Missing};
use syn::Type;

/// Reading and writing as a JSON object.
pub(super) fn json(message: &Message) -> TokenStream {
    let name = &message.name;
    let set = message.fields.iter().map(|field| {
        let Field { place, wire, aliases, .. } = field;
        let value = read_value(field, message.json);
        quote! { #wire #(| #aliases)* => self.#place = #value }
    });
    let required = message.fields.iter().filter(|it| is_required(it)).map(|it| &it.wire);
    let write = message.fields.iter().map(|Field { place, wire, null, bare, write, .. }| {
        if let Some(write) = write {
            quote! { serde::ser::SerializeMap::serialize_entry(map, #wire, &#write(&self.#place))?; }
        } else if *null || *bare {
            quote! { serde::ser::SerializeMap::serialize_entry(map, #wire, &self.#place)?; }
        } else {
            quote! {
                if let Some(value) = &self.#place {
                    serde::ser::SerializeMap::serialize_entry(map, #wire, value)?;
                }
            }
        }
    });
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
                    _ => return Ok(false),
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

/// Whether nothing can be read without it.
pub(super) fn is_required(field: &Field) -> bool {
    field.bare && !matches!(field.missing, Missing::Or(_))
}

/// What stands in a field, read from the map.
pub(super) fn read_value(field: &Field, json: Json) -> TokenStream {
    let Field { type_, bare, read, .. } = field;
    let value = match (read, json) {
        (Some(read), _) => quote! {
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
        },
        (None, Json::Strict) if is_i64(type_.as_ref()) => {
            quote! { crate::describe::whole(map)? }
        }
        (None, Json::Strict) => quote! { serde::de::MapAccess::next_value(map)? },
        (None, Json::Lenient | Json::None) => quote! { crate::describe::value(map)? },
    };
    match (bare, is_required(field)) {
        (false, _) => value,
        (true, true) => quote! { crate::describe::present::<_, A::Error>(#value)? },
        (true, false) => quote! { #value.unwrap_or_default() },
    }
}

fn is_i64(type_: Option<&Type>) -> bool {
    matches!(type_, Some(Type::Path(path)) if path.path.is_ident("i64"))
}
