//! A cable for ROS, whose nodes tell each other over a master where to connect to: each address that passes through is replaced by one of
//! this cable, so that everything between the two sides goes through it and is cut with it.
//!
//! ```text
//! session ──▶ cable ──▶ rewriter ──▶ master        caller_api of the session becomes an address of the cable,
//! session ◀── cable ◀── rewriter ◀── master        those of others in its answers do, too
//! session ──▶ cable ──▶ rewriter ──▶ other node    requestTopic: the port of TCPROS becomes one of the cable
//! master ───▶ cable ──▶ rewriter ──▶ session       publisherUpdate: addresses of others become the cable's
//! ```

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::cable::lay;

/// What begins an address of a node.
const SCHEME: &str = "http://";
const HOST: &str = "127.0.0.1:";
/// Longest call and answer.
const BODY_BYTES: usize = 1 << 22;

/// On which side of the cable an address is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// The session's.
    Near,
    /// The master's, and that of all who are served there.
    Far,
}

/// The addresses that were replaced.
struct Book {
    whole: watch::Receiver<bool>,
    /// The cable's address for an address, and on which side that is.
    laid: Mutex<HashMap<String, (String, Side)>>,
}

/// Stands before a master; the address to plug the cable into.
pub(super) async fn before_master(master: &str, whole: watch::Receiver<bool>) -> String {
    let book = Arc::new(Book { whole, laid: Mutex::default() });
    rewriter(book, master.to_owned(), Side::Far).await
}

/// A server that passes calls on to `target`, which is on that side; its address. Boxed, since each may lay others.
fn rewriter(book: Arc<Book>, target: String, side: Side) -> Pin<Box<dyn Future<Output = String> + Send>> {
    Box::pin(rewrite(book, target, side))
}

async fn rewrite(book: Arc<Book>, target: String, side: Side) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let pass = move |call: Request| {
        let (book, target, client) = (book.clone(), target.clone(), client.clone());
        async move {
            let body = to_bytes(call.into_body(), BODY_BYTES).await.unwrap_or_default();
            let text = String::from_utf8_lossy(&body).into_owned();
            let asks_for_topic = text.contains("requestTopic");
            // Whoever calls is on the other side than whom it calls.
            let text = book.replaced(&text, if side == Side::Far { Side::Near } else { Side::Far }).await;
            let sent =
                client.post(format!("{SCHEME}{target}/")).header("content-type", "text/xml").body(text);
            let Ok(answer) = sent.send().await else {
                return Response::builder().status(502).body(Body::empty()).unwrap();
            };
            let mut text = answer.text().await.unwrap_or_default();
            if asks_for_topic {
                text = book.with_port(&text).await;
            }
            let text = book.replaced(&text, Side::Far).await;
            Response::builder().header("content-type", "text/xml").body(Body::from(text)).unwrap()
        }
    };
    let router = Router::new().fallback(pass);
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

impl Book {
    /// A text with the cable's addresses in place of those that are new on a side; those of the cable itself lead back.
    async fn replaced(self: &Arc<Self>, text: &str, side: Side) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(SCHEME) {
            out.push_str(before);
            out.push_str(SCHEME);
            rest = after;
            let Some(digits) = after.strip_prefix(HOST) else { continue };
            let port = digits.split(|it: char| !it.is_ascii_digit()).next().unwrap_or_default();
            let address = format!("{HOST}{port}");
            rest = &after[address.len()..];
            out.push_str(&self.other(&address, side).await);
        }
        out.push_str(rest);
        out
    }

    /// What stands for a node's address.
    async fn other(self: &Arc<Self>, address: &str, side: Side) -> String {
        if let Some((own, _)) = self.laid.lock().unwrap().get(address) {
            return own.clone();
        }
        // A node that asks for itself finds itself, not the cable.
        let back = self.laid.lock().unwrap().iter().find_map(|(real, (own, of))| {
            (own == address).then(|| if *of == Side::Near { real.clone() } else { own.clone() })
        });
        if let Some(back) = back {
            return back;
        }
        let rewriter = rewriter(self.clone(), address.to_owned(), side).await;
        let own = lay(rewriter, self.whole.clone()).await;
        self.laid.lock().unwrap().insert(address.to_owned(), (own.clone(), side));
        own
    }

    /// The answer to `requestTopic` with the cable's port.
    async fn with_port(&self, text: &str) -> String {
        let Some((head, tail)) = text.split_once("TCPROS") else { return text.to_owned() };
        for tag in ["<i4>", "<int>"] {
            let Some((before, after)) = tail.split_once(tag) else { continue };
            let port = after.split('<').next().unwrap_or_default();
            let own = lay(format!("{HOST}{port}"), self.whole.clone()).await;
            let own_port = own.strip_prefix(HOST).unwrap_or_default();
            return format!("{head}TCPROS{before}{tag}{own_port}{}", &after[port.len()..]);
        }
        text.to_owned()
    }
}
