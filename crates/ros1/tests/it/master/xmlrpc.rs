//! The server and the client, with each other and with bytes that are no calls.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use latimer_e2e::PATIENCE;
use latimer_e2e::ports::free_block;
use latimer_ros1::xmlrpc::{self, CallError, Client, Fault, Handler, Value};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::ros::here;

/// Answers `echo` with its parameters.
struct Echo;

impl Handler for Echo {
    fn call<'a>(
        &'a self,
        method: &'a str,
        params: Vec<Value>,
        _peer: SocketAddr,
    ) -> BoxFuture<'a, Result<Value, Fault>> {
        Box::pin(async move {
            match method {
                "echo" => Ok(Value::Array(params)),
                "wait" => std::future::pending().await,
                _ => Err(xmlrpc::unsupported(method)),
            }
        })
    }
}

async fn echo() -> (SocketAddr, DropGuard) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = CancellationToken::new();
    tokio::spawn(xmlrpc::serve(listener, Arc::new(Echo), here(), shutdown.clone()));
    (address, shutdown.drop_guard())
}

async fn exchange(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may refuse, and close, before it has read all.
    let _ = stream.write_all(request).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

fn post(body: &str) -> Vec<u8> {
    format!(
        "POST /any/path HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_comes_back() {
    let (address, _guard) = echo().await;
    let client = Client::for_master(format!("http://{address}/"));
    let params = vec![
        Value::String("a <b> & \"c\" \u{1F916}\n".into()),
        Value::Struct(
            [("x".to_owned(), Value::Array(vec![Value::Integer(-1), Value::Boolean(false)]))].into(),
        ),
        Value::Double(0.1),
        Value::Base64(vec![0; 300_000]),
        Value::String(String::new()),
    ];
    for _ in 0..3 {
        let answer = client.call("echo", params.clone(), PATIENCE).await;
        assert_eq!(answer, Ok(Value::Array(params.clone())));
    }
}

#[tokio::test]
async fn a_parser_that_panics_fails_one_call() {
    let (address, _guard) = echo().await;
    let client = Client::for_master(format!("http://{address}/"));
    for text in ["short".to_owned(), "long".repeat(20_000)] {
        let params = vec![Value::String(text)];
        for doing in ["reading an XML-RPC call", "writing an XML-RPC answer"] {
            latimer_panics::fail_next(doing);
            let error = client.call("echo", params.clone(), PATIENCE).await.unwrap_err().to_string();
            assert!(error.contains("500"), "{error}");
        }
        latimer_panics::fail_next("reading an XML-RPC answer");
        let error = client.call("echo", params.clone(), PATIENCE).await.unwrap_err();
        assert!(matches!(error, CallError::Unread { .. }), "{error}");
        assert_eq!(client.call("echo", params.clone(), PATIENCE).await, Ok(Value::Array(params)));
    }
    let call = "<methodCall><methodName>echo</methodName></methodCall>";
    latimer_panics::fail_next("reading an XML-RPC call");
    let answer = exchange(address, &post(call)).await;
    assert!(answer.starts_with("HTTP/1.1 500") && answer.contains("meets a fault"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_may_not_answer_at_any_length() {
    let (address, _guard) = echo().await;
    let client = Client::new(format!("http://{address}/"));
    let error = client.call("echo", vec![Value::Base64(vec![0; 100_000])], PATIENCE).await.unwrap_err();
    assert!(error.to_string().ends_with(": longer than 64 KiB"), "{error}");
    let short = vec![Value::Base64(vec![0; 10_000])];
    assert_eq!(client.call("echo", short.clone(), PATIENCE).await, Ok(Value::Array(short)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_method_that_is_none_is_refused_as_python_does_it() {
    let (address, _guard) = echo().await;
    let refused =
        Client::new(format!("http://{address}")).call("sing", Vec::new(), PATIENCE).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!("http://{address} refused sing: <class 'Exception'>:method \"sing\" is not supported")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_waits_no_longer_than_its_limit() {
    let (address, _guard) = echo().await;
    let client = Client::new(format!("http://{address}"));
    let error = client.call("wait", Vec::new(), Duration::from_millis(200)).await.unwrap_err();
    assert!(error.to_string().ends_with("cannot be reached: no answer to wait within 200ms"), "{error}");
    assert!(client.call("echo", Vec::new(), PATIENCE).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_there_is_reported_as_such() {
    let port = free_block();
    let error =
        Client::new(format!("http://127.0.0.1:{port}")).call("echo", Vec::new(), PATIENCE).await.unwrap_err();
    assert!(error.to_string().contains("onnection refused"), "{error}");
    let error = Client::new("no address").call("echo", Vec::new(), PATIENCE).await.unwrap_err();
    assert!(matches!(error, CallError::Unreachable { .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_calls_go_in_one() {
    let (address, _guard) = echo().await;
    let call = |method: &str, params: Vec<Value>| {
        let members = [
            ("methodName".to_owned(), Value::String(method.to_owned())),
            ("params".to_owned(), Value::Array(params)),
        ];
        Value::Struct(members.into())
    };
    let calls = vec![
        call("echo", vec![Value::Integer(5)]),
        call("sing", Vec::new()),
        call("system.multicall", Vec::new()),
    ];
    let client = Client::new(format!("http://{address}"));
    let Ok(Value::Array(answers)) =
        client.call("system.multicall", vec![Value::Array(calls)], PATIENCE).await
    else {
        panic!("no array");
    };
    assert_eq!(answers[0], Value::Array(vec![Value::Array(vec![Value::Integer(5)])]));
    for (answer, text) in [(&answers[1], "not supported"), (&answers[2], "Recursive")] {
        let Value::Struct(fault) = answer else { panic!("{answer:?} is no fault") };
        assert!(matches!(&fault["faultString"], Value::String(said) if said.contains(text)), "{fault:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_go_in_one_are_counted() {
    let (address, _guard) = echo().await;
    let client = Client::for_master(format!("http://{address}"));
    let call = [
        ("methodName".to_owned(), Value::String("echo".to_owned())),
        ("params".to_owned(), Value::Array(Vec::new())),
    ];
    let calls = |count| vec![Value::Array(vec![Value::Struct(call.clone().into()); count])];
    let Ok(Value::Array(answers)) = client.call("system.multicall", calls(4096), PATIENCE).await else {
        panic!("no array");
    };
    assert_eq!(answers.len(), 4096);
    let error = client.call("system.multicall", calls(4097), PATIENCE).await.unwrap_err();
    assert!(
        error.to_string().ends_with("system.multicall: 4097 calls; make 4096 at once at most"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_call_is_answered_with_what_is_wrong() {
    let (address, _guard) = echo().await;
    let get = exchange(address, b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").await;
    assert!(get.starts_with("HTTP/1.1 405") && get.contains("POST"), "{get}");

    let deep = format!("{}1{}", "<value><array><data>".repeat(9000), "</data></array></value>".repeat(9000));
    let deep = format!(
        "<methodCall><methodName>echo</methodName><params><param>{deep}</param></params></methodCall>"
    );
    let deep = exchange(address, &post(&deep)).await;
    assert!(deep.contains("more than 32 arrays and structs in each other"), "{deep}");

    let garbage = exchange(address, &post("\u{1}garbage")).await;
    assert!(garbage.starts_with("HTTP/1.1 200") && garbage.contains("faultString"), "{garbage}");

    let entities = "<!DOCTYPE a [<!ENTITY b \"ha\"><!ENTITY c \"&b;&b;&b;\">]><methodCall><methodName>&c;</methodName></methodCall>";
    let entities = exchange(address, &post(entities)).await;
    assert!(entities.contains("document type"), "{entities}");

    let head = exchange(address, &[b"POST / HTTP/1.1\r\nX: ".as_slice(), &[b'a'; 100_000]].concat()).await;
    assert!(head.is_empty() || head.starts_with("HTTP/1.1 431"), "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_browsers_are_refused() {
    let (address, _guard) = echo().await;
    let body = "<methodCall><methodName>echo</methodName><params></params></methodCall>";
    let ask = async |head: &str| {
        let length = body.len();
        let request = format!(
            "POST / HTTP/1.1\r\n{head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        exchange(address, request.as_bytes()).await
    };
    for (head, status) in [
        ("Host: localhost\r\nContent-Type: text/xml", 200),
        ("Host: 127.0.0.1:1\r\nContent-Type: Text/XML;charset=utf-8", 200),
        ("Content-Type: text/xml", 200),
        ("Host: localhost\r\nContent-Type: text/plain", 415),
        ("Host: localhost", 415),
        ("Host: localhost\r\nContent-Type: text/xml\r\nOrigin: https://evil.example", 403),
        ("Host: localhost\r\nContent-Type: text/xml\r\nOrigin: http://localhost", 403),
        ("Host: localhost\r\nContent-Type: text/plain\r\nOrigin: null", 403),
        ("Host: evil.example\r\nContent-Type: text/xml", 403),
        ("Host: localhost\r\nHost: evil.example\r\nContent-Type: text/xml", 403),
    ] {
        let answer = ask(head).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{head}: {answer}");
    }
    let preflight =
        b"OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nConnection: close\r\n\r\n";
    let preflight = exchange(address, preflight).await;
    assert!(preflight.starts_with("HTTP/1.1 403") && preflight.contains("origin: "), "{preflight}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_without_end_is_cut_off() {
    let (address, _guard) = echo().await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: 99999999999\r\n\r\n").await.unwrap();
    let (mut reader, mut writer) = stream.into_split();
    // It stops when the other side has closed.
    let writing = tokio::spawn(async move { while writer.write_all(&[b' '; 65536]).await.is_ok() {} });
    let mut answer = [0; 12];
    reader.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 413");
    tokio::time::timeout(PATIENCE, writing).await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn half_requests_keep_nobody_waiting() {
    let (address, _guard) = echo().await;
    let mut halves = Vec::new();
    for half in ["", "POST", "POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\n<methodCall>"]
        .into_iter()
        .cycle()
        .take(300)
    {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(half.as_bytes()).await.unwrap();
        halves.push(stream);
    }
    let answer = Client::new(format!("http://{address}")).call("echo", Vec::new(), PATIENCE).await;
    assert_eq!(answer, Ok(Value::Array(Vec::new())));
    drop(halves);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_dropped_leaves_no_connection_served() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(xmlrpc::serve(listener, Arc::new(Echo), here(), CancellationToken::new()));
    let mut stream = TcpStream::connect(address).await.unwrap();
    let client = Client::new(format!("http://{address}"));
    // Who connected later is answered, so the first one has been taken.
    client.call("echo", Vec::new(), PATIENCE).await.unwrap();
    server.abort();
    // Long before the server would tire of a caller who says nothing.
    let closed = tokio::time::timeout(PATIENCE, stream.read(&mut [0; 16])).await;
    assert!(matches!(closed, Ok(Ok(0) | Err(_))), "{closed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_stops_although_callers_wait() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = CancellationToken::new();
    let server = tokio::spawn(xmlrpc::serve(listener, Arc::new(Echo), here(), shutdown.clone()));
    let _idle = TcpStream::connect(address).await.unwrap();
    let client = Client::new(format!("http://{address}"));
    client.call("echo", Vec::new(), PATIENCE).await.unwrap();
    let waiting = tokio::spawn(async move { client.call("wait", Vec::new(), PATIENCE).await });
    shutdown.cancel();
    tokio::time::timeout(PATIENCE, server).await.unwrap().unwrap();
    assert!(waiting.await.unwrap().is_err());
}
