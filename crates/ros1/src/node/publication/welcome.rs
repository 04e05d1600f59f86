//! Who may follow a topic, and in which layout.

use std::sync::Arc;

use super::Publication;
use crate::message::Layout;
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

/// Looks at what a subscriber says of itself; tells why it is refused, in rospy's words where it has some.
pub(in crate::node) fn welcome(
    asked: &Header,
    publication: &Publication,
    node: &str,
) -> Result<Welcome, String> {
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

fn foreign(asked: &Header, publication: &Publication) -> Result<Option<Layout>, String> {
    let own = &publication.layout;
    let missing = |field| format!("Missing required '{field}' field");
    let md5 = asked.get("md5sum").ok_or_else(|| missing("md5sum"))?;
    let caller = asked.get("callerid").ok_or_else(|| missing("callerid"))?;
    if caller.len() > MAX_BYTES {
        return Err(format!("a 'callerid' may have {MAX_BYTES} bytes"));
    }
    if md5 == "*" || md5 == own.md5() {
        return Ok(None);
    }
    let wanted = asked.get("type").filter(|&wanted| wanted != "*").unwrap_or(own.type_name());
    if wanted != own.type_name() {
        return Err(format!("topic types do not match: [{}] vs. [{}]", shortened(wanted), own.type_name()));
    }
    let caller = shortened(caller);
    let differs = format!(
        "Client [{caller}] wants topic [{}] to have datatype/md5sum [{wanted}/{}], but our version has [{wanted}/{}]",
        publication.topic,
        shortened(md5),
        own.md5()
    );
    let Some(definition) = asked.get("message_definition") else {
        return Err(format!(
            "{differs}. Its message_definition would be spoken, but it sent none; give both sides the same .msg files"
        ));
    };
    match Layout::from_definition(wanted, definition) {
        Ok(layout) if layout.md5() == md5 => Ok(Some(layout)),
        Ok(layout) => Err(format!("{differs}, and its message_definition has md5sum [{}]", layout.md5())),
        Err(error) => {
            let error = shortened(&error.to_string());
            Err(format!("{differs}, and its message_definition cannot be read: {error}"))
        }
    }
}
