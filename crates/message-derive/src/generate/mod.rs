//! The implementations that a message gets.

mod described;
mod encode;
mod json;
mod translate;

use proc_macro2::TokenStream;
use quote::quote;

use crate::attributes::{Json, Message};

pub(crate) fn implementations(message: &Message) -> TokenStream {
    let json = (message.json != Json::None).then(|| json::json(message));
    let described = described::described(message);
    let translate = message.record.as_ref().map(|record| translate::translate(message, record));
    quote! { #json #described #translate }
}
