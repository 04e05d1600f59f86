//! Requests as browsers, programs and attackers send them.

use std::net::Ipv4Addr;

use super::*;

fn headers(origin: Option<&str>, host: Option<&str>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in [(ORIGIN, origin), (HOST, host)] {
        if let Some(value) = value {
            headers.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
    }
    headers
}

fn check(guard: &Guard, origin: Option<&str>, host: Option<&str>) -> Result<Allowed, Refusal> {
    guard.check(&headers(origin, host))
}

fn here() -> Guard {
    Guard::new(Ipv4Addr::LOCALHOST.into(), Vec::new())
}

#[test]
fn foreign_pages_are_refused_and_programs_are_not() {
    for (origin, host) in [
        (None, Some("127.0.0.1:8080")),
        (None, Some("[::1]:8080")),
        (None, Some("[::ffff:127.0.0.1]:8080")),
        (None, Some("")),
        (None, None),
        (Some("http://localhost:5173"), Some("127.0.0.1:8080")),
        (Some("http://127.0.0.1:8080"), Some("127.0.0.1:8080")),
        (Some("http://localhost"), None),
    ] {
        assert!(check(&here(), origin, host).is_ok(), "{origin:?} {host:?}");
    }
    for (origin, host) in [
        (Some("https://evil.example"), Some("127.0.0.1:8080")),
        (Some("null"), Some("127.0.0.1:8080")),
        (Some(""), Some("127.0.0.1:8080")),
        (Some("http://"), None),
        (Some("https://evil.example"), None),
        (Some("http://evil.example:8080"), Some("evil.example:8080")),
        (Some("http://localhost.evil.example"), Some("127.0.0.1:8080")),
        (Some("http://localhost:80@evil.example"), Some("127.0.0.1:8080")),
        (Some("http://localhost http://evil.example"), Some("127.0.0.1:8080")),
        (Some("http://localhost\u{e9}"), Some("127.0.0.1:8080")),
        (None, Some("evil.example:8080")),
        (None, Some("127.0.0.1:8080@evil.example")),
        (None, Some("[::1]evil.example")),
        (None, Some("localhost\u{e9}")),
        (None, Some("192.168.1.7")),
    ] {
        assert!(check(&here(), origin, host).is_err(), "{origin:?} {host:?}");
    }
}

/// As a browser asks: whose page, what for, and where it is shown.
fn fetch(origin: Option<&str>, [site, mode, dest]: [&'static str; 3]) -> HeaderMap {
    let mut headers = headers(origin, Some("127.0.0.1:8080"));
    for (name, value) in [(SEC_FETCH_SITE, site), (SEC_FETCH_MODE, mode), (SEC_FETCH_DEST, dest)] {
        headers.append(name, HeaderValue::from_static(value));
    }
    headers
}

#[test]
fn pages_of_other_sites_embed_nothing() {
    for asked in [
        ["cross-site", "no-cors", "image"],
        ["same-site", "no-cors", "video"],
        ["cross-site", "no-cors", "script"],
        ["cross-site", "navigate", "iframe"],
        ["cross-site", "navigate", "object"],
        ["of a later standard", "no-cors", "image"],
    ] {
        for refused in [here().check(&fetch(None, asked)), here().check_page(&fetch(None, asked))] {
            let refusal = refused.unwrap_err();
            assert_eq!(refusal.header, "sec-fetch-site", "{asked:?}");
            assert!(refusal.problem.contains(asked[0]), "{refusal}");
        }
    }
    for asked in [
        ["same-origin", "no-cors", "image"],
        ["same-origin", "cors", "empty"],
        ["none", "navigate", "document"],
    ] {
        assert!(here().check(&fetch(None, asked)).is_ok(), "{asked:?}");
        assert!(here().check_page(&fetch(None, asked)).is_ok(), "{asked:?}");
    }
}

#[test]
fn a_page_that_may_ask_may_embed_too() {
    let list = AllowedOrigin::parse_all(&["https://app.example".to_owned()]).unwrap();
    let guard = here().allow_origins("http.allow_origins", list);
    for (page, passes) in [
        ("http://localhost:5173/robots/1?a=://b", true),
        ("http://127.0.0.1:3000", true),
        ("https://app.example/", true),
        ("https://evil.example/http://localhost/", false),
        ("https://app.example.evil.example/", false),
        ("localhost", false),
        ("", false),
    ] {
        let mut image = fetch(None, ["cross-site", "no-cors", "image"]);
        image.insert("referer", HeaderValue::from_static(page));
        assert_eq!(guard.check(&image).is_ok(), passes, "{page}");
        image.append("referer", HeaderValue::from_static("http://localhost/"));
        assert!(guard.check(&image).is_err(), "{page} twice");
    }
}

#[test]
fn an_origin_decides_alone_where_there_is_one() {
    let asked = ["cross-site", "cors", "image"];
    // What is developed at another port of this machine asks with CORS.
    assert!(here().check(&fetch(Some("http://localhost:5173"), asked)).is_ok());
    let listed = AllowedOrigin::parse_all(&["https://app.example".to_owned()]).unwrap();
    let guard = here().allow_origins("test.allow_origins", listed);
    assert!(guard.check(&fetch(Some("https://app.example"), asked)).is_ok());
    for origin in ["https://evil.example", "null"] {
        // A form of a stranger is a navigation with an origin.
        for asked in [asked, ["cross-site", "navigate", "document"]] {
            assert_eq!(guard.check(&fetch(Some(origin), asked)).unwrap_err().header, "origin");
            assert_eq!(guard.check_page(&fetch(Some(origin), asked)).unwrap_err().header, "origin");
        }
    }
}

#[test]
fn a_page_from_a_file_learns_what_to_write_into_the_config() {
    let guard = here().allow_origins("http.allow_origins", Vec::new());
    let refusal = guard.check(&fetch(Some("null"), ["cross-site", "websocket", "empty"])).unwrap_err();
    let told = refusal.to_string();
    assert!(told.contains("a page from a file may not use this gateway"), "{told}");
    assert!(told.contains("add \"null\" to `http.allow_origins` in the config"), "{told}");
}

#[test]
fn other_sites_link_to_a_page_and_to_nothing_else() {
    for site in ["cross-site", "same-site"] {
        let link = fetch(None, [site, "navigate", "document"]);
        assert!(here().check_page(&link).is_ok(), "{site}");
        assert_eq!(here().check(&link).unwrap_err().header, "sec-fetch-site", "{site}");
        let mut rebound = link;
        rebound.insert(HOST, HeaderValue::from_static("evil.example"));
        assert_eq!(here().check_page(&rebound).unwrap_err().header, "host", "{site}");
    }
}

#[test]
fn a_header_that_is_there_twice_is_foreign() {
    for name in [ORIGIN, HOST, SEC_FETCH_SITE] {
        let origin = (name != SEC_FETCH_SITE).then_some("http://localhost");
        let mut twice = headers(origin, Some("localhost"));
        twice.append(SEC_FETCH_SITE, HeaderValue::from_static("none"));
        twice.append(name.clone(), HeaderValue::from_static("http://localhost"));
        let refusal = here().check(&twice).unwrap_err();
        assert_eq!((refusal.header, refusal.problem.as_str()), (name.as_str(), "it is there more than once"));
    }
}

#[test]
fn a_gateway_of_a_network_answers_to_digits_and_to_its_names() {
    let lab =
        Guard::new(Ipv4Addr::UNSPECIFIED.into(), vec!["gateway.lab".to_owned(), "[fd00::2]".to_owned()]);
    for host in ["gateway.lab:8080", "Gateway.Lab", "192.168.1.7:8080", "[fd00::1]:80", "localhost:8080"] {
        assert!(check(&lab, Some(&format!("http://{host}")), Some(host)).is_ok(), "{host}");
    }
    // A name that an attacker points here is the same in both headers.
    let refusal = check(&lab, Some("http://evil.example:8080"), Some("evil.example:8080")).unwrap_err();
    assert!(refusal.to_string().starts_with("host: ") && refusal.advice.contains("http.names"), "{refusal}");
    assert!(check(&lab, Some("http://evil.example"), Some("gateway.lab:8080")).is_err());
    // A name of the config works at loopback too, e.g. behind a proxy.
    let behind = Guard::new(Ipv4Addr::LOCALHOST.into(), vec!["[fd00::2]".to_owned()]);
    assert!(check(&behind, None, Some("[fd00::2]:80")).is_ok());
}

#[test]
fn listed_origins_pass_and_the_refusal_names_the_list() {
    let list = ["https://App.example:443", "null", "http://10.0.0.1:3000"].map(str::to_owned);
    let allowed = AllowedOrigin::parse_all(&list).unwrap();
    let guard = here().allow_origins("test.serve[0].allow_origins", allowed);
    let host = Some("127.0.0.1:8081");
    for origin in ["https://app.example", "null", "http://10.0.0.1:3000"] {
        assert!(check(&guard, Some(origin), host).is_ok(), "{origin}");
    }
    for origin in [
        "http://app.example",
        "https://app.example:8443",
        "https://app.example.evil.example",
        "https://evil.app.example",
        "http://10.0.0.1",
    ] {
        let refusal = check(&guard, Some(origin), host).unwrap_err();
        assert!(refusal.problem.contains(origin), "{refusal}");
        assert!(refusal.advice.contains("`test.serve[0].allow_origins`"), "{refusal}");
    }
    // A listed origin does not make up for a name that an attacker points here.
    assert_eq!(check(&guard, Some("https://app.example"), Some("evil.example")).unwrap_err().header, "host");
}

#[test]
fn only_origins_can_be_listed() {
    for text in
        ["https://app.example", "http://[::1]:8080", "chrome-extension://abcdef", "null", "http://a_b"]
    {
        assert!(text.parse::<AllowedOrigin>().is_ok(), "{text}");
    }
    for text in [
        "",
        "*",
        "app.example",
        "https://",
        "https://*",
        "https://app.example/",
        "http://a:b",
        "http://a:99999",
        "Null",
    ] {
        assert!(text.parse::<AllowedOrigin>().is_err(), "{text}");
    }
    let (place, error) = AllowedOrigin::parse_all(&["null".to_owned(), "*".to_owned()]).unwrap_err();
    assert_eq!((place, error.to_string().as_str()), (1, "\"*\" is no origin"));
}

#[test]
fn an_answer_names_the_page_that_may_read_it() {
    let mut answer = HeaderMap::new();
    check(&here(), Some("http://localhost:5173"), None).unwrap().write(&mut answer);
    assert_eq!(answer[ACCESS_CONTROL_ALLOW_ORIGIN], "http://localhost:5173");
    assert_eq!(answer[VARY], "Origin");
    let mut answer = HeaderMap::new();
    check(&here(), None, None).unwrap().write(&mut answer);
    assert!(!answer.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN));
    assert_eq!(answer[VARY], "Origin");
}

#[test]
fn a_port_of_programs_takes_no_page_at_all() {
    assert!(here().check_program(&headers(None, Some("localhost:11311"))).is_ok());
    for (origin, host) in
        [(Some("http://localhost"), "localhost"), (Some(""), "localhost"), (None, "evil.example")]
    {
        assert!(here().check_program(&headers(origin, Some(host))).is_err(), "{origin:?} {host}");
    }
    for asked in [["cross-site", "no-cors", "image"], ["none", "navigate", "document"]] {
        let refusal = here().check_program(&fetch(None, asked)).unwrap_err();
        assert_eq!(refusal.header, "sec-fetch-site", "{asked:?}");
    }
}

#[test]
fn refusals_are_logged_ever_more_seldom() {
    let guard = here();
    let logged: Vec<u64> = (0..1000).filter_map(|_| guard.clone().count_refusal()).collect();
    assert_eq!(logged, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
}
