//! Who may follow a topic, and in which layout.

use std::sync::Arc;

use super::Publication;
use crate::message::{Layout, TypeError};
use crate::name::MAX_BYTES;
use crate::tcpros::Header;
use crate::xmlrpc::shortened;

/// How a subscriber is served.
#[derive(Clone, Debug)]
pub(in crate::node) struct Welcome {
    /// What is answered.
    pub header: Header,
    /// Its build of the type, if that is another.
    pub foreign: Option<Arc<Layout>>,
}

/// Why a subscriber is refused, in rospy's words where it has some.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::node) enum WelcomeError {
    /// Its connection header lacks a field.
    #[error("Missing required '{field}' field")]
    MissingField {
        /// The field's name.
        field: &'static str,
    },
    /// Its name is too long.
    #[error("a 'callerid' may have {MAX_BYTES} bytes")]
    CallerTooLong,
    /// It wants another type.
    #[error("topic types do not match: [{wanted}] vs. [{own}]")]
    TypeMismatch {
        /// What it wants.
        wanted: String,
        /// What is published.
        own: String,
    },
    /// It has another build of the type, and does not say which.
    #[error(
        "{0}. Its message_definition would be spoken, but it sent none; give both sides the same .msg files"
    )]
    NoDefinition(Box<Md5Mismatch>),
    /// Its definition is not that of its MD5 sum.
    #[error("{mismatch}, and its message_definition has md5sum [{md5}]")]
    WrongDefinition {
        /// What it wants.
        mismatch: Box<Md5Mismatch>,
        /// That of its definition.
        md5: String,
    },
    /// Its definition is none.
    #[error("{mismatch}, and its message_definition cannot be read: {reason}", reason = shortened(&error.to_string()))]
    InvalidDefinition {
        /// What it wants.
        mismatch: Box<Md5Mismatch>,
        /// What is wrong.
        error: TypeError,
    },
}

/// A subscriber's build of a type is not the publisher's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "Client [{caller}] wants topic [{topic}] to have datatype/md5sum [{type_name}/{wanted}], but our version has [{type_name}/{own}]"
)]
pub(in crate::node) struct Md5Mismatch {
    caller: String,
    topic: String,
    type_name: String,
    /// The subscriber's MD5 sum.
    wanted: String,
    /// The publisher's.
    own: String,
}

/// Looks at what a subscriber says of itself.
pub(in crate::node) fn welcome(
    asked: &Header,
    publication: &Publication,
    node: &str,
) -> Result<Welcome, WelcomeError> {
    let own = &publication.layout;
    let foreign = foreign(asked, publication)?.map(Arc::new);
    let spoken = foreign.as_ref().unwrap_or(own);
    let header = Header::default()
        .with("callerid", node)
        .with("topic", &publication.topic)
        .with("type", spoken.type_name())
        .with("md5sum", spoken.md5())
        .with("message_definition", spoken.definition())
        .with("latching", if publication.latch { "1" } else { "0" });
    Ok(Welcome { header, foreign })
}

fn foreign(asked: &Header, publication: &Publication) -> Result<Option<Layout>, WelcomeError> {
    let own = &publication.layout;
    let missing = |field| WelcomeError::MissingField { field };
    let md5 = asked.get("md5sum").ok_or_else(|| missing("md5sum"))?;
    let caller = asked.get("callerid").ok_or_else(|| missing("callerid"))?;
    if caller.len() > MAX_BYTES {
        return Err(WelcomeError::CallerTooLong);
    }
    if md5 == "*" || md5 == own.md5() {
        return Ok(None);
    }
    let wanted = asked.get("type").filter(|&wanted| wanted != "*").unwrap_or(own.type_name());
    let mismatch = || {
        Box::new(Md5Mismatch {
            caller: shortened(caller),
            topic: publication.topic.to_string(),
            type_name: wanted.to_owned(),
            wanted: shortened(md5),
            own: own.md5().to_owned(),
        })
    };
    let other_type =
        || WelcomeError::TypeMismatch { wanted: shortened(wanted), own: own.type_name().to_owned() };
    let Some(definition) = asked.get("message_definition") else {
        let same_type = wanted == own.type_name();
        return Err(if same_type { WelcomeError::NoDefinition(mismatch()) } else { other_type() });
    };
    match Layout::from_definition(wanted, definition) {
        Ok(layout) if layout.md5() == md5 && !own.stands_for(&layout) => Err(other_type()),
        Ok(layout) if layout.md5() == md5 => Ok(Some(layout)),
        Ok(layout) => {
            let md5 = layout.md5().to_owned();
            Err(WelcomeError::WrongDefinition { mismatch: mismatch(), md5 })
        }
        Err(error) => Err(WelcomeError::InvalidDefinition { mismatch: mismatch(), error }),
    }
}
