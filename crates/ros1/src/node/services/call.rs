//! A call of another node's service.

use std::io;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::limits::SERVICE_MAX_BYTES;
use crate::message::{DecodeError, EncodeError, ServiceType};
use crate::node::shared::Shared;
use crate::node::socket::prepare;
use crate::node::values::{as_text, ask, text};
use crate::tcpros::{HandshakeError, Header, read_header, write_header};
use crate::xmlrpc::{CallError, shortened};

/// Why a service was not called.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// Its name is none.
    #[error(transparent)]
    Name(#[from] crate::name::BadName),
    /// The master gave no answer.
    #[error(transparent)]
    Master(#[from] CallError),
    /// Nobody offers it.
    #[error("nobody offers {service}: {reason}")]
    NotOffered {
        /// Which.
        service: String,
        /// What the master said.
        reason: String,
    },
    /// The connection broke, or there is none.
    #[error("{service} at {uri} cannot be reached: {source}")]
    Broken {
        /// Which.
        service: String,
        /// Where it is.
        uri: String,
        /// What the system said.
        source: io::Error,
    },
    /// It is of another type, or does not want to.
    #[error(transparent)]
    Handshake(#[from] HandshakeError),
    /// The request does not fit the type.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The response is none of the type.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The service failed.
    #[error("{service} failed: {reason}")]
    Failed {
        /// Which.
        service: String,
        /// What it said.
        reason: String,
    },
    /// No answer.
    #[error("{service} did not answer within {} s", .within.as_secs_f64())]
    NoAnswer {
        /// Which.
        service: String,
        /// How long it was waited for.
        within: Duration,
    },
}

/// Calls a service once.
pub(in crate::node) async fn call<Q: Serialize + ?Sized, R: DeserializeOwned>(
    shared: &Shared,
    service: String,
    service_type: &ServiceType,
    request: &Q,
    within: Duration,
) -> Result<R, ServiceError> {
    let request = service_type.request().encode_frame(request)?;
    let asked = Header::default()
        .with("callerid", &*shared.name)
        .with("service", &service)
        .with("md5sum", service_type.md5())
        .with("type", service_type.type_name());
    let answered = async {
        let uri = provider(shared, &service, within).await?;
        let broken = |source| ServiceError::Broken { service: service.clone(), uri: uri.clone(), source };
        let place = uri.strip_prefix("rosrpc://").unwrap_or(&uri).trim_end_matches('/');
        let mut stream = TcpStream::connect(place).await.map_err(broken)?;
        prepare(&stream).map_err(broken)?;
        let (read, mut write) = stream.split();
        write_header(&mut write, &asked, within).await?;
        let (answer, frames) = read_header(read, SERVICE_MAX_BYTES, within).await?;
        if let Some(error) = answer.get("error") {
            return Err(HandshakeError::Refused(shortened(error)).into());
        }
        write.write_all(&request).await.map_err(broken)?;
        let early = frames.read_buffer().to_vec();
        let mut read = io::Cursor::new(early).chain(frames.into_inner());
        let ok = read.read_u8().await.map_err(broken)?;
        let length = read.read_u32_le().await.map_err(broken)? as usize;
        if length > SERVICE_MAX_BYTES {
            let reason = format!("an answer of {length} bytes; at most {SERVICE_MAX_BYTES} are taken");
            return Err(broken(io::Error::new(io::ErrorKind::InvalidData, reason)));
        }
        let mut body = Vec::new();
        read.take(length as u64).read_to_end(&mut body).await.map_err(broken)?;
        if body.len() < length {
            return Err(broken(io::ErrorKind::UnexpectedEof.into()));
        }
        Ok((ok, body))
    };
    let (ok, body) = timeout(within, answered)
        .await
        .map_err(|_| ServiceError::NoAnswer { service: service.clone(), within })??;
    if ok == 0 {
        let reason = shortened(&String::from_utf8_lossy(&body));
        return Err(ServiceError::Failed { service, reason });
    }
    Ok(service_type.response().decode(&body)?)
}

/// Where a service is.
async fn provider(shared: &Shared, service: &str, within: Duration) -> Result<String, ServiceError> {
    let params = vec![text(&*shared.name), text(service)];
    let answer = ask(&shared.master, "lookupService", params, within).await?;
    match (answer.is_done(), as_text(&answer.value)) {
        (true, Some(uri)) => Ok(uri.to_owned()),
        _ => Err(ServiceError::NotOffered { service: service.to_owned(), reason: shortened(&answer.status) }),
    }
}
