//! What a message says of its fields: `Described`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{LitStr, Type};

use crate::attributes::{Field, Message, Missing, Target};

/// The description.
pub(super) fn described(message: &Message) -> TokenStream {
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
pub(super) fn described_fields(fields: &[&Field], depth: usize, name: &Type) -> TokenStream {
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

pub(super) fn described_field(field: &Field, message: &Type) -> TokenStream {
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
    let required = matches!(field.missing, Missing::Required);
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
            required: #required,
            hidden: #hidden,
            codec: || crate::describe::codec::Describe::info(&#codec),
        }
    }
}

fn optional(value: Option<impl quote::ToTokens>) -> TokenStream {
    value.map_or(quote! { None }, |value| quote! { Some(#value) })
}
