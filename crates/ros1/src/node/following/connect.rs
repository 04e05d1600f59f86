//! How a publisher is reached: asked for its endpoint, connected to, and greeted.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::timeout;

use super::{Connected, Following};
use crate::message::{Catalog, Layout};
use crate::name::MAX_BYTES;
use crate::node::shared::Shared;
use crate::node::socket::{Ends, prepare};
use crate::node::traffic::Traffic;
use crate::node::values::{ask, text};
use crate::tcpros::{Header, Incoming, greet};
use crate::xmlrpc::{Client, Value, shortened};

/// For each step.
const PATIENCE: Duration = Duration::from_secs(5);

/// Longest message that is taken.
const MAX_MESSAGE_BYTES: usize = 32 << 20;

/// A connection that messages come over.
pub(super) struct Open {
    /// Who is there.
    pub connected: Arc<Connected>,
    /// Its messages.
    pub frames: Incoming<OwnedReadHalf>,
    /// Closed with the connection; some publishers take a half that is closed for the end.
    pub write: OwnedWriteHalf,
}

/// Connects to a publisher, or tells why not.
pub(super) async fn open(shared: &Shared, following: &Following, uri: &str) -> Result<Open, String> {
    let (host, port) = endpoint(shared, &following.topic, uri).await?;
    let stream = match timeout(PATIENCE, TcpStream::connect((host.as_str(), port))).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => return Err(format!("{}:{port} cannot be reached: {error}", shortened(&host))),
        Err(_) => {
            let within = PATIENCE.as_secs();
            return Err(format!("{}:{port} did not answer within {within} s", shortened(&host)));
        }
    };
    prepare(&stream).map_err(|error| error.to_string())?;
    let ends = Ends::of(&stream).map_err(|error| error.to_string())?;
    let (read, mut write) = stream.into_split();
    let asked = Header::default()
        .with("callerid", &*shared.name)
        .with("topic", &following.topic)
        .with("type", following.type_name())
        .with("md5sum", "*")
        .with("tcp_nodelay", "1");
    let greeted = greet((read, &mut write), &asked, MAX_MESSAGE_BYTES, PATIENCE).await;
    let (header, frames) = greeted.map_err(|error| shortened(&error.to_string()))?;
    let layout = Arc::new(layout(&header)?);
    if !following.wants(layout.type_name()) {
        return Err(format!(
            "its messages are {}, but {} is asked for",
            shortened(layout.type_name()),
            following.type_name()
        ));
    }
    let caller = header.get("callerid").unwrap_or(uri);
    if caller.len() > MAX_BYTES {
        return Err(format!("the callerid in its connection header has more than {MAX_BYTES} bytes"));
    }
    let caller = caller.into();
    let latches = header.get("latching") == Some("1");
    let (id, uri, traffic) = (shared.id(), uri.to_owned(), Traffic::default());
    let connected = Connected { id, uri, caller, layout, latches, ends, traffic };
    Ok(Open { connected: Arc::new(connected), frames, write })
}

/// Where a publisher takes connections.
async fn endpoint(shared: &Shared, topic: &str, uri: &str) -> Result<(String, u16), String> {
    let protocols = Value::Array(vec![Value::Array(vec![text("TCPROS")])]);
    let params = vec![text(&*shared.name), text(topic), protocols];
    let answer = ask(&Client::new(uri), "requestTopic", params, PATIENCE).await;
    let answer = answer.map_err(|error| error.to_string())?;
    if !answer.is_done() {
        return Err(format!("{uri} refused requestTopic: {}", shortened(&answer.status)));
    }
    let offer = match answer.value {
        Value::Array(offer) => offer,
        _ => Vec::new(),
    };
    match offer.as_slice() {
        [Value::String(protocol), Value::String(host), Value::Integer(port), ..] if protocol == "TCPROS" => {
            let port = u16::try_from(*port).map_err(|_| format!("{uri} names {port} as its port"))?;
            Ok((host.trim_matches(['[', ']']).to_owned(), port))
        }
        _ => Err(format!("{uri} offers no TCPROS connection")),
    }
}

/// How a publisher's messages lie: by its own definition, or as everybody knows the type.
fn layout(header: &Header) -> Result<Layout, String> {
    let field = |name| header.get(name).ok_or_else(|| format!("its connection header has no {name}"));
    let (type_name, md5) = (field("type")?, field("md5sum")?);
    let told = header.get("message_definition").filter(|definition| !definition.is_empty());
    let layout = match told {
        Some(definition) => {
            Layout::from_definition(type_name, definition).map_err(|error| shortened(&error.to_string()))?
        }
        None => match Catalog::common().layout(type_name) {
            Ok(common) if common.md5() == md5 => Layout::clone(&common),
            _ => {
                let type_name = shortened(type_name);
                return Err(format!("it sent no definition of {type_name}, so its messages cannot be read"));
            }
        },
    };
    if layout.md5() != md5 && md5 != "*" {
        let (told, computed) = (shortened(md5), layout.md5());
        let type_name = layout.type_name();
        tracing::warn!(%type_name, %told, %computed, "a publisher's definition has another MD5 sum than it says");
    }
    Ok(layout)
}
