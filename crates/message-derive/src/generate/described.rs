//! What a message says of its fields: `Described`, with its mapping as documentation.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{LitStr, Path, Type};

use super::json::is_flat;
use crate::attributes::words::place_of;
use crate::attributes::{Field, Message, Missing, Target};

/// The description.
pub(super) fn described(message: &Message) -> TokenStream {
    let name = &message.name;
    let documentation = message.fields.iter().filter_map(documentation);
    let units: Vec<_> = message.fields.iter().flat_map(unit_checks).collect();
    // A constant of its own, as those of implementations are not looked at before they are used.
    let units = (!units.is_empty()).then(|| quote! { const _: () = { #(#units)* }; });
    let parts = message.fields.chunk_by(|one, next| !is_flat(one) && !is_flat(next));
    let parts: Vec<_> = parts
        .map(|fields| match fields {
            [Field { type_: Some(type_), target: Target::Flatten, .. }] => {
                quote_spanned!(place_of(type_)=> <#type_ as crate::describe::Described>::FIELDS)
            }
            fields => described_fields(&fields.iter().collect::<Vec<_>>(), 0, name),
        })
        .collect();
    let fields = match &parts[..] {
        [fields] => quote! { #fields },
        parts => quote! {
            const PARTS: &[&[Field]] = &[#(#parts),*];
            &crate::describe::joined::<{ crate::describe::count(PARTS) }>(PARTS)
        },
    };
    quote! {
        #units

        #(#[doc = #documentation])*
        #[automatically_derived]
        impl crate::describe::Described for #name {
            const FIELDS: &'static [crate::describe::Field] = {
                use crate::describe::{Field, Meaning, Target};
                #fields
            };
        }
    }
}

/// `voltage -> voltage_v`, as an item of a list.
fn documentation(field: &Field) -> Option<String> {
    let Field { above, wire, target, unit, .. } = field;
    let wire: String = above.iter().map(|name| format!("{name}.")).chain([wire.clone()]).collect();
    let of = |function: &Path| function.segments.last().map(|it| it.ident.to_string()).unwrap_or_default();
    let model = match target {
        Target::Stamp => "when it happened".to_owned(),
        Target::Part => "which part".to_owned(),
        Target::Kind => "which kind".to_owned(),
        Target::Computed(function) | Target::Own(Some(function)) => format!("written by `{}`", of(function)),
        Target::Constant(_) => "always the same".to_owned(),
        Target::Own(None) | Target::Reserved | Target::Flatten => return None,
        counterpart => {
            let paths = counterpart.paths();
            let paths: Vec<_> =
                paths.iter().filter(|it| !it.is_empty()).map(|it| format!("`{it}`")).collect();
            if paths.is_empty() {
                return None;
            }
            paths.join(", ")
        }
    };
    let unit = unit.as_ref().map(|unit| format!(", in `{unit}`")).unwrap_or_default();
    Some(format!("- `{wire}` -> {model}{unit}"))
}

/// Units measure what the names of the model's fields end with; an error of the compiler where they do not.
fn unit_checks(field: &Field) -> Vec<TokenStream> {
    let Some(unit) = &field.unit else { return Vec::new() };
    let check = |path| quote_spanned!(place_of(unit)=> crate::describe::Unit::#unit.measures(#path););
    field.target.paths().into_iter().map(check).collect()
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
    let Field { place, wire, type_, bare, summary, codec, null, target, .. } = field;
    let form = match type_ {
        Some(type_) => {
            quote_spanned! {place_of(type_)=> <#type_ as crate::describe::HasWireType>::WIRE_TYPE }
        }
        None => quote_spanned! {field.span=> crate::describe::form_of(|it: &#message| &it.#place) },
    };
    let parts = field.parts.as_ref().map_or(quote! { &[] }, |parts| quote! { #parts });
    let role = match target {
        Target::Record(model) | Target::Among(model) => {
            let model = field.path.as_ref().map_or_else(|| model.to_string(), LitStr::value);
            quote! { Value(&[Target { index: None, path: #model }]) }
        }
        Target::Inside(..) | Target::Paths(_) => {
            let models = target.paths();
            quote! { Value(&[#(Target { index: None, path: #models }),*]) }
        }
        Target::Items(_) => {
            let targets = target.paths().into_iter().enumerate();
            let targets =
                targets.map(|(index, model)| quote! { Target { index: Some(#index), path: #model } });
            quote! { Value(&[#(#targets),*]) }
        }
        Target::Stamp => quote! { Time },
        Target::Part => quote! { Part },
        Target::Kind => quote! { Kind },
        Target::Computed(_) | Target::Constant(_) => quote! { Computed },
        Target::Own(_) | Target::Flatten => quote! { Own },
        Target::Reserved => quote! { Reserved },
    };
    let note = optional(field.note.as_ref());
    let kind = optional(field.kind.as_ref().map(|kind| quote! { latimer_core::model::Kind::#kind }));
    let also = optional(field.also.as_ref().map(|kind| quote! { latimer_core::model::Kind::#kind }));
    let required = matches!(field.missing, Missing::Required);
    let hidden = field.hidden.as_ref().map_or(quote! { 0 }, |hidden| quote! { #hidden });
    let info = quote_spanned!(field.codec_span=> crate::describe::codec::Describe::info(&#codec));
    quote! {
        Field {
            name: #wire,
            summary: #summary,
            form: #form,
            meaning: Meaning::#role,
            kind: #kind,
            parts: #parts,
            also: #also,
            note: #note,
            nullable: #null,
            always: #bare,
            required: #required,
            hidden: #hidden,
            codec: || #info,
        }
    }
}

fn optional(value: Option<impl quote::ToTokens>) -> TokenStream {
    value.map_or(quote! { None }, |value| quote! { Some(#value) })
}
