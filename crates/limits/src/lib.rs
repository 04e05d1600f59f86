//! Time-outs and limits. Each crate declares its own in `limits.rs`; `latimer limits` and `docs/limits.md` list them.
//!
//! ```
//! use std::time::Duration;
//!
//! latimer_limits::limits! {
//!     /// How long a client may take to shake hands.
//!     pub(crate) const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
//!     /// What is read at a time.
//!     pub(crate) const CHUNK_BYTES: usize = 16 << 10;
//! }
//!
//! assert_eq!((LIMITS[0].name, &*(LIMITS[0].value)()), ("HANDSHAKE_TIMEOUT", "10s"));
//! assert_eq!((LIMITS[1].what, &*(LIMITS[1].value)()), ("What is read at a time.", "16 KiB"));
//! ```

use std::fmt::Debug;

/// A time-out or a limit.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Its name, which is that of the constant.
    pub name: &'static str,
    /// Its value; a time and bytes with their unit, and for numbers the name says of what.
    pub value: fn() -> String,
    /// What it limits, and why there.
    pub what: &'static str,
}

/// A value as it is listed.
#[doc(hidden)]
pub fn shown(name: &str, value: &dyn Debug) -> String {
    let text = format!("{value:?}");
    match text.parse::<u64>() {
        Ok(bytes) if name.ends_with("_BYTES") => match bytes {
            bytes if bytes % (1 << 20) == 0 => format!("{} MiB", bytes >> 20),
            bytes if bytes % (1 << 10) == 0 => format!("{} KiB", bytes >> 10),
            bytes => format!("{bytes} bytes"),
        },
        _ => text,
    }
}

/// Declares constants, and `LIMITS`, the list of them.
#[macro_export]
macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $vis:vis const $name:ident: $type:ty = $value:expr;)+) => {
        $($(#[doc = $doc])+ $vis const $name: $type = $value;)+

        /// The time-outs and limits that are declared here.
        pub const LIMITS: &[$crate::Limit] = &[$($crate::Limit {
            name: stringify!($name),
            value: || $crate::shown(stringify!($name), &$name),
            what: concat!($($doc),+).trim_ascii(),
        }),+];
    };
}
