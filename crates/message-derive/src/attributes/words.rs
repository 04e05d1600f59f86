//! What attributes are made of, whichever derive reads them.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, GenericArgument, Ident, Path, PathArguments, Result, Token, Type};

/// The word that an item of an attribute begins with.
pub(crate) fn name_of(meta: &ParseNestedMeta<'_>) -> Result<Ident> {
    meta.path.require_ident().cloned()
}

/// What stands behind `=`.
pub(crate) fn value<T: Parse>(meta: &ParseNestedMeta<'_>) -> Result<T> {
    meta.value()?.parse()
}

/// Keeps what may be said once.
pub(crate) fn once<T>(slot: &mut Option<T>, said: T, meta: &ParseNestedMeta<'_>) -> Result<()> {
    match slot.replace(said) {
        Some(_) => Err(meta.error("this, or what it excludes, is said already")),
        None => Ok(()),
    }
}

/// The paths in parentheses.
pub(crate) fn paths(meta: &ParseNestedMeta<'_>) -> Result<Vec<Path>> {
    let mut found = Vec::new();
    meta.parse_nested_meta(|meta| {
        found.push(meta.path.clone());
        Ok(())
    })?;
    Ok(found)
}

/// `a` or `a.b`: what stands behind the dot, if there is one.
pub(crate) fn behind_dot(meta: &ParseNestedMeta<'_>) -> Result<Option<Ident>> {
    let dot: Option<Token![.]> = meta.input.parse()?;
    dot.map(|_| meta.input.parse()).transpose()
}

/// The name of a unit, a variant of `describe::Unit`.
pub(crate) fn unit(meta: &ParseNestedMeta<'_>) -> Result<Ident> {
    let unit: Expr = value(meta)?;
    let name = if let Expr::Path(path) = &unit { path.path.get_ident() } else { None };
    name.cloned().ok_or_else(|| {
        Error::new_spanned(&unit, "a unit is a name, as in `unit = Percent`; `describe::Unit` lists them")
    })
}

/// `T` of `Option<T>`; any other as it is, and that it is.
pub(crate) fn inside_option(type_: &Type) -> (Type, bool) {
    if let Type::Path(path) = type_
        && let Some(last) = path.path.segments.last()
        && last.ident == "Option"
        && let PathArguments::AngleBracketed(arguments) = &last.arguments
        && let Some(GenericArgument::Type(inside)) = arguments.args.first()
    {
        return (inside.clone(), false);
    }
    (type_.clone(), true)
}

/// The documentation of a field, in one line.
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

/// `left_distance` as `leftDistance`.
pub(crate) fn camel(name: &str) -> String {
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

/// Where something was written, for what is generated of it: errors point there, and names are found where the derive stands.
pub(crate) fn place_of(written: &impl Spanned) -> Span {
    written.span().resolved_at(Span::call_site())
}
