//! How a publisher is reached: asked for its endpoint, connected to, and greeted.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::timeout;

use super::{Connected, Following};
use crate::limits::{PUBLISHER_CONNECT_TIMEOUT, RECEIVED_MESSAGE_MAX_BYTES};
use crate::message::{Catalog, Layout, TypeError};
use crate::name::MAX_BYTES;
use crate::node::shared::Shared;
use crate::node::socket::{Ends, prepare};
use crate::node::traffic::Traffic;
use crate::node::values::{ask, text};
use crate::tcpros::{HandshakeError, Header, Incoming, greet};
use crate::xmlrpc::{CallError, Client, Value, shortened};

/// A connection that messages come over.
pub(super) struct Open {
    /// Who is there.
    pub connected: Arc<Connected>,
    /// Its messages.
    pub frames: Incoming<OwnedReadHalf>,
    /// Closed with the connection; some publishers take a half that is closed for the end.
    pub write: OwnedWriteHalf,
}

/// Why there is no connection to a publisher.
#[derive(Debug, thiserror::Error)]
pub(in crate::node) enum ConnectError {
    /// Its endpoint cannot be asked for.
    #[error(transparent)]
    Call(#[from] CallError),
    /// It does not tell its endpoint.
    #[error("{uri} refused requestTopic: {status}")]
    Refused {
        /// Who was asked.
        uri: String,
        /// How its reason begins.
        status: String,
    },
    /// Its endpoint's port is none.
    #[error("{uri} names {port} as its port")]
    InvalidPort {
        /// Who was asked.
        uri: String,
        /// What it names.
        port: i32,
    },
    /// It offers another protocol, or nothing.
    #[error("{uri} offers no TCPROS connection")]
    NoTcpros {
        /// Who was asked.
        uri: String,
    },
    /// Nobody listens at its endpoint.
    #[error("{host}:{port} cannot be reached: {error}")]
    Unreachable {
        /// How the host's name begins.
        host: String,
        /// The port.
        port: u16,
        /// What went wrong.
        error: io::Error,
    },
    /// Its endpoint does not answer.
    #[error("{host}:{port} did not answer within {within} s", within = PUBLISHER_CONNECT_TIMEOUT.as_secs())]
    NoAnswer {
        /// How the host's name begins.
        host: String,
        /// The port.
        port: u16,
    },
    /// The socket cannot be set up.
    #[error(transparent)]
    Socket(#[from] io::Error),
    /// It does not greet.
    #[error("{}", shortened(&.0.to_string()))]
    Handshake(#[from] HandshakeError),
    /// Its messages are of another type.
    #[error("its messages are {offered}, but {wanted} is asked for")]
    WrongType {
        /// How its type's name begins.
        offered: String,
        /// The type that is asked for.
        wanted: String,
    },
    /// Its name is too long.
    #[error("the callerid in its connection header has more than {MAX_BYTES} bytes")]
    CallerTooLong,
    /// Its connection header lacks a field.
    #[error("its connection header has no {field}")]
    MissingField {
        /// The field's name.
        field: &'static str,
    },
    /// Its definition is none.
    #[error("{}", shortened(&.0.to_string()))]
    InvalidDefinition(#[from] TypeError),
    /// It sends no definition, and its build of the type is not known.
    #[error("it sent no definition of {type_name}, so its messages cannot be read")]
    NoDefinition {
        /// How the type's name begins.
        type_name: String,
    },
}

/// Connects to a publisher.
pub(super) async fn open(shared: &Shared, following: &Following, uri: &str) -> Result<Open, ConnectError> {
    let (host, port) = endpoint(shared, &following.topic, uri).await?;
    let stream = match timeout(PUBLISHER_CONNECT_TIMEOUT, TcpStream::connect((host.as_str(), port))).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => {
            return Err(ConnectError::Unreachable { host: shortened(&host), port, error });
        }
        Err(_) => return Err(ConnectError::NoAnswer { host: shortened(&host), port }),
    };
    prepare(&stream)?;
    let ends = Ends::of(&stream)?;
    let (read, mut write) = stream.into_split();
    let Greeted { caller, layout, latches, frames } =
        greeted(shared, following, uri, (read, &mut write)).await?;
    let (id, uri, traffic) = (shared.id(), uri.to_owned(), Traffic::default());
    let connected = Connected { id, uri, caller, layout, latches, ends, traffic };
    Ok(Open { connected: Arc::new(connected), frames, write })
}

/// What a publisher says of itself, and then its messages.
pub(in crate::node) struct Greeted<R> {
    pub caller: Arc<str>,
    pub layout: Arc<Layout>,
    pub latches: bool,
    pub frames: Incoming<R>,
}

/// Greets a publisher over a connection to it.
pub(in crate::node) async fn greeted<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    shared: &Shared,
    following: &Following,
    uri: &str,
    connection: (R, &mut W),
) -> Result<Greeted<R>, ConnectError> {
    let asked = Header::default()
        .with("callerid", &*shared.name)
        .with("topic", &following.topic)
        .with("type", following.type_name())
        .with("md5sum", "*")
        .with("tcp_nodelay", "1");
    let (header, frames) =
        greet(connection, &asked, RECEIVED_MESSAGE_MAX_BYTES, PUBLISHER_CONNECT_TIMEOUT).await?;
    let layout = layout(&header, |md5| following.known(md5))?;
    if !following.wants(&layout) {
        let (offered, wanted) = (shortened(layout.type_name()), following.type_name().to_owned());
        return Err(ConnectError::WrongType { offered, wanted });
    }
    let caller = header.get("callerid").unwrap_or(uri);
    if caller.len() > MAX_BYTES {
        return Err(ConnectError::CallerTooLong);
    }
    let latches = header.get("latching") == Some("1");
    Ok(Greeted { caller: caller.into(), layout, latches, frames })
}

/// Where a publisher takes connections.
async fn endpoint(shared: &Shared, topic: &str, uri: &str) -> Result<(String, u16), ConnectError> {
    let protocols = Value::Array(vec![Value::Array(vec![text("TCPROS")])]);
    let params = vec![text(&*shared.name), text(topic), protocols];
    let answer = ask(&Client::new(uri), "requestTopic", params, PUBLISHER_CONNECT_TIMEOUT).await?;
    let uri = || uri.to_owned();
    if !answer.is_done() {
        return Err(ConnectError::Refused { uri: uri(), status: shortened(&answer.status) });
    }
    let offer = match answer.value {
        Value::Array(offer) => offer,
        _ => Vec::new(),
    };
    match offer.as_slice() {
        [Value::String(protocol), Value::String(host), Value::Integer(port), ..] if protocol == "TCPROS" => {
            let port =
                u16::try_from(*port).map_err(|_| ConnectError::InvalidPort { uri: uri(), port: *port })?;
            Ok((host.trim_matches(['[', ']']).to_owned(), port))
        }
        _ => Err(ConnectError::NoTcpros { uri: uri() }),
    }
}

/// How a publisher's messages lie: by its own definition, as is asked for if that has its MD5 sum, or as everybody knows the type.
fn layout(header: &Header, asked: impl Fn(&str) -> Option<Arc<Layout>>) -> Result<Arc<Layout>, ConnectError> {
    let field = |name| header.get(name).ok_or(ConnectError::MissingField { field: name });
    let (type_name, md5) = (field("type")?, field("md5sum")?);
    let sent = header.get("message_definition").filter(|definition| !definition.is_empty());
    let layout = match sent {
        Some(definition) => Arc::new(Layout::from_definition(type_name, definition)?),
        None => {
            let common = || Catalog::common().layout(type_name).ok().filter(|common| common.md5() == md5);
            let known = asked(md5).or_else(common);
            known.ok_or_else(|| ConnectError::NoDefinition { type_name: shortened(type_name) })?
        }
    };
    if layout.md5() != md5 && md5 != "*" {
        let (sent, computed) = (shortened(md5), layout.md5());
        let type_name = layout.type_name();
        tracing::warn!(%type_name, %sent, %computed, "a publisher's definition has another MD5 sum than it says");
    }
    Ok(layout)
}
