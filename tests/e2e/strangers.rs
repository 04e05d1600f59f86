//! Web pages of strangers: a browser on this machine must not drive robots for any website, in no dialect.

use latimer_e2e::Gateway;
use reqwest::{Client, StatusCode, header};
use serde_json::Value;

#[tokio::test]
async fn a_strangers_page_gets_nothing_on_the_common_port() {
    let gateway = Gateway::demo().await;
    let url = |path: &str| format!("http://{}{path}", gateway.http());
    let client = Client::new();
    let drive = "/robots/misty-1/misty/api/drive";
    // A page can send plain text anywhere without asking first; that must not drive.
    let request = client
        .post(url(drive))
        .header(header::ORIGIN, "https://evil.example")
        .header(header::CONTENT_TYPE, "text/plain")
        .body(r#"{"LinearVelocity":20,"AngularVelocity":0}"#);
    assert_eq!(request.send().await.expect("it answers").status(), StatusCode::FORBIDDEN);
    for path in ["/robots/axbot-1/misty/api/battery", "/api/v1/robots", "/metrics", "/"] {
        let rebound = client.get(url(path)).header(header::HOST, "evil.example").send().await;
        assert_eq!(rebound.expect("it answers").status(), StatusCode::FORBIDDEN, "{path}");
        let program = client.get(url(path)).send().await;
        assert_eq!(program.expect("it answers").status(), StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn another_site_embeds_nothing_and_links_to_the_page_alone() {
    const PICTURE: &str = "/robots/misty-1/misty/api/cameras/rgb?Width=320&Height=240";
    let gateway = Gateway::demo().await;
    // As a browser sends it for `<img>`, and for a link: neither has an `Origin`.
    let ask = async |path: &str, site: &str, mode: &str, dest: &str| {
        let request = Client::new().get(format!("http://{}{path}", gateway.http()));
        let request = request.header("sec-fetch-site", site).header("sec-fetch-mode", mode);
        request.header("sec-fetch-dest", dest).send().await.expect("it answers").status()
    };
    for path in [PICTURE, "/api/v1/last", "/metrics", "/", "/favicon.svg"] {
        for site in ["cross-site", "same-site"] {
            assert_eq!(ask(path, site, "no-cors", "image").await, StatusCode::FORBIDDEN, "{path} {site}");
            assert_eq!(ask(path, site, "navigate", "iframe").await, StatusCode::FORBIDDEN, "{path} {site}");
        }
        assert_ne!(ask(path, "same-origin", "no-cors", "image").await, StatusCode::FORBIDDEN, "{path}");
        assert_ne!(ask(path, "none", "navigate", "document").await, StatusCode::FORBIDDEN, "{path}");
    }
    for (path, status) in [
        ("/", StatusCode::OK),
        ("/map", StatusCode::OK),
        (PICTURE, StatusCode::FORBIDDEN),
        ("/api/v1/robots", StatusCode::FORBIDDEN),
        ("/metrics", StatusCode::FORBIDDEN),
    ] {
        assert_eq!(ask(path, "cross-site", "navigate", "document").await, status, "{path}");
    }
}

#[tokio::test]
async fn lines_to_copy_show_what_they_promise() {
    let gateway = Gateway::demo().await;
    let url = format!("http://{}/api/v1/lines?key=misty-1/range/front_center", gateway.http());
    let answer: Value = reqwest::get(url).await.expect("it answers").json().await.expect("it is JSON");
    let lines = answer["lines"].as_array().expect("lines are a list");
    let curl: Vec<&str> =
        lines.iter().filter(|it| it["tool"] == "curl").filter_map(|it| it["line"].as_str()).collect();
    assert!(curl.len() >= 2, "{lines:?}");
    for line in curl {
        let shown = tokio::process::Command::new("sh")
            .args(["-c", &format!("timeout 10 {line} | head -c 400")])
            .kill_on_drop(true)
            .output();
        let shown = shown.await.expect("sh is there");
        let text = String::from_utf8_lossy(&shown.stdout);
        assert!(text.contains("istance"), "{line}: {text}");
    }
}
