//! WebSocket handshakes as any program can send them, with whatever headers, and the socket as bytes.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Longest answer to a handshake that is read.
const MAX_HEAD: usize = 16 << 10;

/// Asks for a WebSocket; the status of the answer, and the connection. `host` is the address if not given.
pub async fn handshake(
    address: &str,
    path: &str,
    host: Option<&str>,
    headers: &[(&str, &str)],
) -> (u16, TcpStream) {
    let mut socket = TcpStream::connect(address).await.expect("the port takes connections");
    let mut request = format!(
        "GET {path} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n",
        host.unwrap_or(address)
    );
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    socket.write_all(request.as_bytes()).await.expect("the socket is open");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") && head.len() < MAX_HEAD {
        head.push(socket.read_u8().await.expect("a handshake is answered"));
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("{head} has no status")), socket)
}
