//! Where a server is, as a person writes it.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::header::{AUTHORIZATION, HeaderValue};
use http::{HeaderMap, Request};

/// A server's address: `host`, `host:port`, or an URL, by TLS if it begins with `https://` or `wss://`. What is shown to the server
/// may stand before the host with an `@` behind it, as `NAME:PASSWORD` or as a token; whatever is printed leaves it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    is_tls: bool,
    /// A name or an address; one of IPv6 is in brackets.
    host: String,
    port: u16,
    /// Empty, or with a slash in front and none behind.
    path: String,
    login: Option<Login>,
}

/// The header `Authorization` of a name with its password, or of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login(HeaderValue);

impl Login {
    /// Reads `NAME:PASSWORD`, or a token, which has no colon; `None` if it cannot be a header.
    pub fn parse(text: &str) -> Option<Self> {
        let value = match text.contains(':') {
            true => format!("Basic {}", BASE64_STANDARD.encode(text)),
            false => format!("Bearer {text}"),
        };
        let mut value = HeaderValue::from_str(&value).ok().filter(|_| !text.is_empty())?;
        value.set_sensitive(true);
        Some(Self(value))
    }

    /// Writes it as `Authorization`.
    pub fn write(&self, headers: &mut HeaderMap) {
        headers.insert(AUTHORIZATION, self.0.clone());
    }
}

/// A text that is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no address: {problem}")]
pub struct AddressError {
    text: String,
    problem: &'static str,
}

impl Address {
    /// That of an IP address and a port.
    pub fn of(is_tls: bool, at: SocketAddr) -> Self {
        let host = if at.is_ipv6() { format!("[{}]", at.ip()) } else { at.ip().to_string() };
        Self { is_tls, host, port: at.port(), path: String::new(), login: None }
    }

    /// Reads one; `own_port` is that of a server whose port need not be written. An URL without a port has that of its scheme.
    pub fn parse(text: &str, own_port: Option<u16>) -> Result<Self, AddressError> {
        let shown = text.rsplit_once('@').map_or_else(|| text.to_owned(), |(_, rest)| format!("…@{rest}"));
        let wrong = |problem| AddressError { text: shown.clone(), problem };
        let (scheme, rest) = match text.trim().split_once("://") {
            Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
            None => (String::new(), text.trim()),
        };
        let (is_tls, own_port) = match scheme.as_str() {
            "" => (false, own_port),
            "http" | "ws" => (false, Some(80)),
            "https" | "wss" => (true, Some(443)),
            _ => return Err(wrong("it begins with none of http, https, ws and wss")),
        };
        let rest = rest.trim_end_matches('/');
        let (login, rest) = match rest.rsplit_once('@') {
            Some((login, rest)) => (
                Some(Login::parse(login).ok_or_else(|| wrong("what stands before its @ is no login"))?),
                rest,
            ),
            None => (None, rest),
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if rest.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '?' | '#')) {
            return Err(wrong("a host has no spaces and none of ? and #"));
        }
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => {
                (host, port.parse().map_err(|_| wrong("its port is none"))?)
            }
            _ => (authority, own_port.ok_or_else(|| wrong("its port is missing"))?),
        };
        let is_host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            Some(inner) => inner.parse::<Ipv6Addr>().is_ok(),
            None => !host.is_empty() && !host.contains([':', '[', ']']),
        };
        if !is_host || port == 0 {
            return Err(wrong("it needs a host, and an address of IPv6 needs brackets"));
        }
        Ok(Self { is_tls, host: host.to_owned(), port, path: path.to_owned(), login })
    }

    /// Whether it is reached by TLS.
    pub fn is_tls(&self) -> bool {
        self.is_tls
    }

    /// A name or an IP address; one of IPv6 is in brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether it is below the root of a server.
    pub fn has_path(&self) -> bool {
        !self.path.is_empty()
    }

    /// Shows what stands before its `@` to the server that gets the request.
    pub fn authorize<T>(&self, request: &mut Request<T>) {
        if let Some(login) = &self.login {
            login.write(request.headers_mut());
        }
    }

    /// Whether a server accepts connections there, which says nothing of what it serves.
    pub async fn accepts(&self) -> bool {
        super::accepts(&self.host, self.port).await
    }

    /// The URL of something below it, whose path begins with a slash.
    pub fn http(&self, path: &str) -> String {
        let Self { is_tls, host, port, path: base, .. } = self;
        format!("http{}://{host}:{port}{base}{path}", if *is_tls { "s" } else { "" })
    }

    /// The same as a WebSocket.
    pub fn ws(&self, path: &str) -> String {
        let Self { is_tls, host, port, path: base, .. } = self;
        format!("ws{}://{host}:{port}{base}{path}", if *is_tls { "s" } else { "" })
    }
}

/// With its port; without a scheme if it is plain.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { is_tls, host, port, path, .. } = self;
        write!(f, "{}{host}:{port}{path}", if *is_tls { "https://" } else { "" })
    }
}

/// How this machine reaches what listens at an IP address, which may be all of them.
pub fn from_here(listens: IpAddr) -> IpAddr {
    match listens {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_listens_everywhere_is_reached_on_the_loopback() {
        let reached = |text: &str| from_here(text.parse().unwrap()).to_string();
        assert_eq!(
            [reached("0.0.0.0"), reached("::"), reached("10.0.0.5")],
            ["127.0.0.1", "::1", "10.0.0.5"]
        );
        assert_eq!(Address::of(true, "[::1]:8443".parse().unwrap()).ws("/a"), "wss://[::1]:8443/a");
    }

    #[test]
    fn a_port_need_not_be_written() {
        let read = |text: &str| Address::parse(text, Some(8090)).unwrap().to_string();
        assert_eq!(read("192.168.1.20"), "192.168.1.20:8090");
        assert_eq!(read(" robot.local:8081/ "), "robot.local:8081");
        assert_eq!(read("[::1]:8081"), "[::1]:8081");
        assert_eq!(read("[::1]/robots/a/"), "[::1]:8090/robots/a");
        assert_eq!(read("http://robot.lab"), "robot.lab:80");
        assert_eq!(read("wss://robot.lab"), "https://robot.lab:443");
        assert_eq!(read("HTTPS://robot.lab:8443/a"), "https://robot.lab:8443/a");
    }

    #[test]
    fn its_urls_are_below_it() {
        let address = Address::parse("https://robot.lab/a", None).unwrap();
        assert_eq!(address.http("/b"), "https://robot.lab:443/a/b");
        assert_eq!(address.ws("/b"), "wss://robot.lab:443/a/b");
        assert_eq!(Address::parse("h:1", None).unwrap().ws(""), "ws://h:1");
    }

    #[test]
    fn a_login_is_shown_to_the_server_alone() {
        let header = |text: &str| {
            let address = Address::parse(text, Some(80)).unwrap();
            assert!(!format!("{address} {address:?}").contains("s3cret"), "{address:?}");
            let mut request = Request::new(());
            address.authorize(&mut request);
            request.headers().get(AUTHORIZATION).map(|value| value.to_str().unwrap().to_owned())
        };
        assert_eq!(header("https://kim:s3cret@h").as_deref(), Some("Basic a2ltOnMzY3JldA=="));
        assert_eq!(header("abc.s3cret@h:81").as_deref(), Some("Bearer abc.s3cret"));
        assert_eq!(header("h"), None);
        assert!(!Address::parse("kim:s3cret@", None).unwrap_err().to_string().contains("s3cret"));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            "https://",
            "/a",
            ":80",
            "a b",
            "h:99999",
            "h:port",
            "h:0",
            "mqtts://h",
            "@h",
            "h?a",
            "::1",
            "[::1",
            "[x]",
        ] {
            assert!(Address::parse(text, Some(80)).is_err(), "{text}");
        }
        assert!(Address::parse("h", None).unwrap_err().to_string().contains("port is missing"));
    }
}
