//! Why a connection is not there or no longer is, and why a message is not published.

use latimer_core::BrokerAddress;
use latimer_listen::Trust;
use rumqttc::{ConnectReturnCode, StateError, mqttbytes};

use super::MAX_PAYLOAD_BYTES;

/// Why a connection cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The broker did not complete the login and the subscriptions in time.
    #[error("no answer within {seconds} s; check host and port")]
    TimedOut {
        /// How long it had.
        seconds: u64,
    },
    /// The will cannot be published.
    #[error("the will's topic {topic:?} is no topic to publish to")]
    InvalidWill {
        /// Its topic.
        topic: String,
    },
    /// The client library rejects the topic filters.
    #[error("the topic filters {filters:?} are not well-formed")]
    InvalidFilters {
        /// All of them.
        filters: Vec<String>,
    },
    /// The broker grants everything but a subscription.
    #[error("the broker refuses the subscription of {filter}; allow it for this login")]
    SubscriptionRefused {
        /// Its topic filter.
        filter: String,
    },
    /// The connection was refused, or dropped before the subscriptions were granted.
    #[error(transparent)]
    Dropped(#[from] DropReason),
}

/// Why a connection dropped, with what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DropReason {
    /// No broker listens at the address.
    #[error("nothing listens there; start a broker or check host and port")]
    NotListening,
    /// The broker rejects the credentials.
    #[error("the broker does not know this user or password; check the login in the address")]
    BadCredentials,
    /// The broker requires a login.
    #[error("the broker does not let this login in; write mqtt://user:password@host")]
    NotAuthorized,
    /// The broker refuses for another reason.
    #[error("the broker refuses: {0:?}")]
    Refused(ConnectReturnCode),
    /// The network connection was not established in time.
    #[error("no answer; check host and port")]
    NoAnswer,
    /// TLS ended it; with what to do.
    #[error("{0}")]
    Tls(String),
    /// The protocol's state machine ended the connection.
    #[error("the connection dropped: {0}")]
    Protocol(String),
    /// The socket failed.
    #[error("{0}")]
    Io(String),
    /// The client library failed otherwise.
    #[error("{0}")]
    Library(String),
}

impl DropReason {
    pub(super) fn of(error: &rumqttc::ConnectionError, trust: &Trust) -> Self {
        use rumqttc::ConnectionError as Error;
        if let Some(reason) = trust.explain_tls(error) {
            return Self::Tls(reason);
        }
        match error {
            Error::Io(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => Self::NotListening,
            Error::Io(error) => Self::Io(error.to_string()),
            Error::ConnectionRefused(ConnectReturnCode::BadUserNamePassword) => Self::BadCredentials,
            Error::ConnectionRefused(ConnectReturnCode::NotAuthorized) => Self::NotAuthorized,
            Error::ConnectionRefused(code) => Self::Refused(*code),
            Error::NetworkTimeout => Self::NoAnswer,
            Error::MqttState(StateError::Io(error)) => Self::Io(error.to_string()),
            Error::MqttState(StateError::Deserialization(mqttbytes::Error::Io(error))) => {
                Self::Io(error.to_string())
            }
            Error::MqttState(error @ (StateError::ConnectionAborted | StateError::AwaitPingResp)) => {
                Self::Io(error.to_string())
            }
            Error::MqttState(error) => Self::Protocol(error.to_string()),
            other => Self::Library(other.to_string()),
        }
    }
}

/// Why there is no link to a broker.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{address}: {cause}")]
pub struct LinkError {
    /// The broker.
    pub address: BrokerAddress,
    /// Why not.
    pub cause: OpenError,
}

/// Why there is no connection, or none any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectionError {
    /// It could not be opened.
    #[error(transparent)]
    Open(#[from] LinkError),
    /// It dropped.
    #[error(transparent)]
    Dropped(#[from] DropReason),
    /// It was closed from this side.
    #[error("said goodbye")]
    Closed,
    /// Its task ended without a reason.
    #[error("the connection dropped")]
    Ended,
    /// A message cannot be published.
    #[error(transparent)]
    Publish(#[from] PublishError),
}

/// Why a message is not published.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublishError {
    /// The protocol forbids the topic.
    #[error("{topic:?} is no topic to publish to; it has 1 to 65535 bytes and no +, # or NUL")]
    InvalidTopic {
        /// How it begins.
        topic: String,
    },
    /// The payload is bigger than a link sends.
    #[error("the payload for {topic} has {bytes} bytes; a message has at most {MAX_PAYLOAD_BYTES}")]
    PayloadTooLarge {
        /// Where it should go.
        topic: String,
        /// Its size.
        bytes: usize,
    },
    /// The queue to the broker is full.
    #[error("too many messages wait for the broker")]
    QueueFull,
}

/// Why messages were lost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LossReason {
    /// They could not be published.
    #[error(transparent)]
    Publish(#[from] PublishError),
    /// The inbox was full.
    #[error("messages are read more slowly than they come")]
    SlowReader,
}
