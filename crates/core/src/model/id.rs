//! Names: robots and their parts. Both are single chunks of a key expression.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::limits::NAME_MAX_BYTES;

/// Why a name was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// Empty or longer than 64 bytes.
    #[error("a {what} has 1 to 64 characters, but {given:?} has {len}")]
    Length {
        /// "robot id" or "part name".
        what: &'static str,
        /// The name, cut to a readable length.
        given: String,
        /// Its length in bytes.
        len: usize,
    },
    /// A character outside letters, digits, `_`, `-` and `.`.
    #[error("a {what} has letters, digits, '_', '-' and '.' only, but {given:?} has {found:?}")]
    Character {
        /// "robot id" or "part name".
        what: &'static str,
        /// The name.
        given: String,
        /// The first character that is not allowed.
        found: char,
    },
}

fn check(what: &'static str, given: &str) -> Result<(), IdError> {
    let shown = || given.chars().take(NAME_MAX_BYTES).collect::<String>();
    if given.is_empty() || given.len() > NAME_MAX_BYTES {
        return Err(IdError::Length { what, given: shown(), len: given.len() });
    }
    match given.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))) {
        Some(found) => Err(IdError::Character { what, given: shown(), found }),
        None => Ok(()),
    }
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Checks and keeps a name.
            pub fn new(name: &str) -> Result<Self, IdError> {
                check($what, name)?;
                Ok(Self(name.into()))
            }

            /// The name.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(name: &str) -> Result<Self, IdError> {
                Self::new(name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&*self.0, f)
            }
        }
    };
}

name!(
    /// A robot's name in this gateway, e.g. `rover-1`.
    RobotId,
    "robot id"
);
name!(
    /// A part of a robot, e.g. `bump_front_left` or `camera_front`.
    PartName,
    "part name"
);

impl PartName {
    /// A name known at compile time; what the key cannot hold becomes `_`.
    pub fn of(name: &str) -> Self {
        let clean = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') { c } else { '_' };
        let kept: String = name.chars().take(NAME_MAX_BYTES).map(clean).collect();
        Self(if kept.is_empty() { "_".into() } else { kept.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_a_key_expression_could_not_hold() {
        for bad in ["", "a/b", "*", "a b", "ä", "a#b", "$*", &"x".repeat(65)] {
            assert!(RobotId::new(bad).is_err(), "{bad:?}");
        }
        assert!(RobotId::new("rover-1").is_ok());
        assert_eq!(PartName::of("Front right hazard").as_str(), "Front_right_hazard");
    }

    #[test]
    fn errors_have_a_reason() {
        let error = RobotId::new("a/b").unwrap_err().to_string();
        assert!(error.contains("'/'"), "{error}");
    }
}
