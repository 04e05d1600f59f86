//! What web pages of others get.

use latimer_core::{Clock, Hub};
use latimer_dialects::Entry;

use super::house::{House, play};

pub(super) async fn foreign_pages_are_refused_at_every_http_port(entry: &'static Entry) {
    if !entry.offers.has_facade() {
        return;
    }
    let hub = Hub::new(Clock::system());
    let source = play(&hub, entry);
    let here = House::serving(entry, hub).await;
    for url in here.urls.iter().filter(|url| !url.starts_with("mqtt:")) {
        let url = url.replacen("ws://", "http://", 1);
        for method in [reqwest::Method::GET, reqwest::Method::POST, reqwest::Method::OPTIONS] {
            let foreign = [
                ("origin", "https://evil.example"),
                ("host", "evil.example"),
                ("sec-fetch-site", "cross-site"),
            ];
            for (name, value) in foreign {
                let ask = reqwest::Client::new().request(method.clone(), &url).header(name, value);
                let answer = ask.send().await.unwrap();
                assert_eq!(answer.status().as_u16(), 403, "{}: {method} {url} {name}", entry.name);
                assert!(!answer.headers().contains_key("access-control-allow-origin"));
                let text = answer.text().await.unwrap();
                assert!(text.starts_with(name) && text.contains(';'), "{text}");
            }
        }
    }
    here.stop().await;
    drop(source);
}
