//! Answers that are no success, in the forms that robots send: `{"detail": …}`, or the fields with what is wrong.

use std::time::Duration;

use latimer_core::memory::{DecodeError, Exceeded};
use latimer_listen::limits::REQUEST_BODY_TIMEOUT;
use serde_json::{Value, json};

use super::fields::{BodyError, FieldError};

/// Why a request is not answered as its sender hoped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The request makes no sense, or the robot refuses.
    #[error("{0}")]
    Bad(String),
    /// A field of the request makes no sense; the answer has the reason under its name.
    #[error("{0}")]
    Field(FieldError),
    /// The secret is missing or wrong.
    #[error(
        "the header Secret is missing or wrong; send the secret that this gateway was given for its robots"
    )]
    Secret,
    /// The same, in the form in which requests for host names are answered.
    #[error("error: {1}")]
    InMessage(u16, String),
    /// The robot, or this gateway, lacks something for it.
    #[error("{0}")]
    Needs(String),
    /// There is no such thing.
    #[error("{0}")]
    NotFound(String),
    /// The address takes other methods.
    #[error("{method} is not allowed here; this address takes {allowed}")]
    Method {
        /// The one that was used.
        method: String,
        /// Those that it takes, with commas.
        allowed: String,
    },
    /// The body did not come in time.
    #[error("the body did not come within {} s; send it at once", REQUEST_BODY_TIMEOUT.as_secs())]
    Slow,
    /// The body is too long, or broke off.
    #[error("the body is longer than {0} bytes or broke off; send less")]
    Long(usize),
    /// There is no memory for it now.
    #[error("{0}")]
    Full(String),
    /// The robot is not there, or boots.
    #[error("{0}")]
    Unavailable(String),
    /// The robot did not answer in time.
    #[error("the robot did not answer within {} s; look whether it did what was asked before asking again", .0.as_secs())]
    NoAnswer(Duration),
}

impl Problem {
    /// HTTP status.
    pub fn status(&self) -> u16 {
        match self {
            Self::Bad(_) | Self::Field(_) => 400,
            Self::Secret => 401,
            Self::InMessage(status, _) => *status,
            Self::Needs(_) => 501,
            Self::NotFound(_) => 404,
            Self::Method { .. } => 405,
            Self::Slow => 408,
            Self::Long(_) => 413,
            Self::Unavailable(_) | Self::Full(_) => 503,
            Self::NoAnswer(_) => 504,
        }
    }

    /// JSON body.
    pub fn body(&self) -> Value {
        match self {
            Self::Field(FieldError { field, problem }) => json!({*field: [problem]}),
            problem @ Self::InMessage(..) => json!({"message": problem.to_string()}),
            problem => json!({"detail": problem.to_string()}),
        }
    }
}

impl From<Exceeded> for Problem {
    fn from(error: Exceeded) -> Self {
        Self::Full(error.to_string())
    }
}

impl From<DecodeError> for Problem {
    fn from(error: DecodeError) -> Self {
        Self::Full(error.to_string())
    }
}

impl From<FieldError> for Problem {
    fn from(error: FieldError) -> Self {
        Self::Bad(error.to_string())
    }
}

impl From<BodyError> for Problem {
    fn from(error: BodyError) -> Self {
        Self::Bad(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_have_the_shapes_that_clients_look_for() {
        let problem = Problem::NotFound("there is no map 5".into());
        assert_eq!((problem.status(), problem.body()), (404, json!({"detail": "there is no map 5"})));
        let problem = Problem::Field(FieldError::new("map_name", "is taken"));
        assert_eq!((problem.status(), problem.body()), (400, json!({"map_name": ["is taken"]})));
        let problem = Problem::from(FieldError::new("mode", "is required"));
        assert_eq!(problem.body(), json!({"detail": "\"mode\" is required"}));
    }
}
