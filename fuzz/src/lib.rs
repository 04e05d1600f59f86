//! A fuzz target for each parser of bytes that come from elsewhere.
//!
//! ```text
//!  targets ◀── tests/replay.rs   in `make check`: seeds and some thousand mutations of them, 30 s in all
//!     ▲
//!     └─────── examples/libfuzzer.rs         in `make fuzz`: with the address sanitizer, guided by coverage
//! ```
//!
//! A target calls what the program calls. It panics where the parser does, or where what the parser promises does not hold.

pub mod mutation;
mod pieces;
mod ros_calls;
mod targets;

pub use targets::TARGETS;

/// A parser that takes bytes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which its folder of seeds has, too.
    pub name: &'static str,
    input: Input,
}

#[derive(Clone, Copy, Debug)]
enum Input {
    Bytes(fn(&[u8])),
    /// As much as is UTF-8.
    Text(fn(&str)),
}

impl Target {
    /// One that takes any bytes.
    pub const fn bytes(name: &'static str, run: fn(&[u8])) -> Self {
        Self { name, input: Input::Bytes(run) }
    }

    /// One that takes text.
    pub const fn text(name: &'static str, run: fn(&str)) -> Self {
        Self { name, input: Input::Text(run) }
    }

    /// Parses; panics if something is wrong.
    pub fn run(&self, bytes: &[u8]) {
        match self.input {
            Input::Bytes(run) => run(bytes),
            Input::Text(run) => run(match std::str::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) => {
                    let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                    std::str::from_utf8(valid).unwrap_or_default()
                }
            }),
        }
    }
}

/// The target of a name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
