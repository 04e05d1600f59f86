//! The facade's requests as AutoXing's clients make them: every answer to the letter, every mistake explained.

mod device;
mod foreign;
mod gateway;
mod holdings;
mod http;
mod mappings;
mod maps;
mod moves;
mod params;
mod sdk;
pub(crate) mod sent;
mod services;
