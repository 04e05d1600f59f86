//! The implementations that a message gets.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Expr, Ident, LitStr, Path, Type};

use crate::attributes::{Field, Inner, Json, Message, Missing, Target};

pub(crate) fn implementations(message: &Message) -> TokenStream {
    let json = (message.json != Json::None).then(|| json(message));
    let described = described(message);
    let translate = message.record.as_ref().map(|record| translate(message, record));
    quote! { #json #described #translate }
}

/// Reading and writing as a JSON object.
fn json(message: &Message) -> TokenStream {
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
fn is_required(field: &Field) -> bool {
    field.bare && !matches!(field.missing, Missing::Or(_))
}

/// What stands in a field, read from the map.
fn read_value(field: &Field, json: Json) -> TokenStream {
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

/// The description.
fn described(message: &Message) -> TokenStream {
    let name = &message.name;
    let fields = described_fields(&message.fields.iter().collect::<Vec<_>>(), 0, name);
    quote! {
        #[automatically_derived]
        impl crate::describe::Described for #name {
            const FIELDS: &'static [crate::describe::Field] = {
                use crate::describe::{Field, Meaning, Target};
                #fields
            };
        }
    }
}

/// Fields of an object so many steps inside; neighbours that are inside of the same field become one.
fn described_fields(fields: &[&Field], depth: usize, name: &Type) -> TokenStream {
    let above = |field: &Field| field.above.get(depth).cloned();
    let groups = fields.chunk_by(|one, next| above(one).is_some() && above(one) == above(next));
    let fields = groups.flat_map(|group| match group {
        [first, ..] if above(first).is_some() => {
            let (object, inside) = (above(first), described_fields(group, depth + 1, name));
            vec![quote! { Field::inside(#object, #inside) }]
        }
        fields => fields.iter().map(|field| described_field(field, name)).collect(),
    });
    quote! { &[#(#fields),*] }
}

fn described_field(field: &Field, message: &Type) -> TokenStream {
    let Field { place, wire, type_, bare, summary, codec, null, .. } = field;
    let form = match type_ {
        Some(type_) => quote! { <#type_ as crate::describe::Formed>::FORM },
        None => quote! { crate::describe::form_of(|it: &#message| &it.#place) },
    };
    let parts = field.parts.as_ref().map_or(quote! { &[] }, |parts| quote! { #parts });
    let role = match &field.target {
        Target::Record(model) | Target::Among(model) => {
            let model = field.path.as_ref().map_or_else(|| model.to_string(), LitStr::value);
            quote! { Value(&[Target { index: None, path: #model }]) }
        }
        Target::Paths(models) => quote! { Value(&[#(Target { index: None, path: #models }),*]) },
        Target::Inside(inner, model) => {
            let model = format!("{inner}.{model}");
            quote! { Value(&[Target { index: None, path: #model }]) }
        }
        Target::Items(models) => {
            let targets = models.iter().enumerate().map(|(index, model)| {
                let names: Vec<String> = model.segments.iter().map(|it| it.ident.to_string()).collect();
                let model = names.join(".");
                quote! { Target { index: Some(#index), path: #model } }
            });
            quote! { Value(&[#(#targets),*]) }
        }
        Target::Stamp => quote! { Time },
        Target::Part => quote! { Part },
        Target::Kind => quote! { Kind },
        Target::Computed(_) | Target::Constant(_) => quote! { Computed },
        Target::Own(_) => quote! { Own },
        Target::Reserved => quote! { Reserved },
    };
    let unit = optional(field.unit.as_ref());
    let note = optional(field.note.as_ref());
    let kind = optional(field.kind.as_ref().map(|kind| quote! { latimer_core::model::Kind::#kind }));
    let also = optional(field.also.as_ref().map(|kind| quote! { latimer_core::model::Kind::#kind }));
    let hidden = field.hidden.as_ref().map_or(quote! { 0 }, |hidden| quote! { #hidden });
    quote! {
        Field {
            name: #wire,
            summary: #summary,
            form: #form,
            meaning: Meaning::#role,
            kind: #kind,
            parts: #parts,
            also: #also,
            unit: #unit,
            note: #note,
            nullable: #null,
            always: #bare,
            hidden: #hidden,
            codec: || crate::describe::codec::Describe::info(&#codec),
        }
    }
}

/// The translation from and to the record.
fn translate(message: &Message, record: &Type) -> TokenStream {
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
fn is_translated(models: &[Path]) -> bool {
    models.iter().all(|model| model.segments.len() == 1)
}

/// The whole message that is encoded.
fn whole(message: &Message, context: &Type) -> TokenStream {
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
fn is_nothing(target: &Target) -> bool {
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

fn optional(value: Option<impl quote::ToTokens>) -> TokenStream {
    value.map_or(quote! { None }, |value| quote! { Some(#value) })
}

fn is_i64(type_: Option<&Type>) -> bool {
    matches!(type_, Some(Type::Path(path)) if path.path.is_ident("i64"))
}
