//! The page: its files as they are embedded, or links where it was not built; either is a good build.

use reqwest::StatusCode;
use reqwest::header;

use super::support::Api;

#[tokio::test]
async fn the_first_page_is_the_page_or_says_how_to_build_it() {
    let api = Api::start().await;
    let _source = api.robot("misty-1");
    let index = reqwest::get(api.url("/")).await.unwrap().text().await.unwrap();
    if latimer::page::is_built() {
        assert!(index.contains("id=\"app\"") && index.contains("/assets/"), "{index}");
    } else {
        assert!(index.contains("Node 18.19") && index.contains("/api/v1/last?select=misty-1"), "{index}");
    }
}

#[tokio::test]
async fn a_browser_lets_nothing_into_the_page_that_is_not_its_own() {
    let api = Api::start().await;
    for path in ["/", "/map", "/docs/api", "/favicon.svg"] {
        let answer = reqwest::get(api.url(path)).await.unwrap();
        if answer.url().path() != path || !answer.status().is_success() {
            // It was not built, and has no file here.
            assert!(!latimer::page::is_built(), "{path}");
            continue;
        }
        let text = |name: header::HeaderName| answer.headers()[name].to_str().unwrap();
        let policy = text(header::CONTENT_SECURITY_POLICY);
        for part in ["default-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]
        {
            assert!(policy.split("; ").any(|it| it == part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(text(header::X_CONTENT_TYPE_OPTIONS), "nosniff", "{path}");
        assert_eq!(text(header::REFERRER_POLICY), "same-origin", "{path}");
    }
}

#[tokio::test]
async fn other_sites_may_link_to_the_page_and_not_to_the_api() {
    let api = Api::start().await;
    let link =
        [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
    for (path, status) in [
        ("/", StatusCode::OK),
        ("/map", StatusCode::OK),
        ("/api/v1/robots", StatusCode::FORBIDDEN),
        ("/metrics", StatusCode::FORBIDDEN),
    ] {
        let request = reqwest::Client::new().get(api.url(path));
        let request = link.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        assert_eq!(request.send().await.unwrap().status(), status, "{path}");
    }
}

#[tokio::test]
async fn each_view_has_an_address_and_other_addresses_are_unknown() {
    let api = Api::start().await;
    let index = reqwest::get(api.url("/")).await.unwrap().text().await.unwrap();
    for view in ["/map", "/interpreter", "/interpreter/misty-1/range/left", "/log", "/robot/misty-1"] {
        let answer = reqwest::get(api.url(view)).await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{view}");
        assert_eq!(answer.text().await.unwrap(), index, "{view}");
    }
    for none in ["/maps", "/robot", "/robot/misty-1/imu"] {
        assert_eq!(reqwest::get(api.url(none)).await.unwrap().status(), StatusCode::NOT_FOUND, "{none}");
    }
}

#[tokio::test]
async fn files_are_kept_by_browsers_and_bring_nothing_from_elsewhere() {
    let api = Api::start().await;
    if !latimer::page::is_built() {
        let docs = reqwest::get(api.url("/docs/api")).await.unwrap();
        assert_eq!(docs.url().path(), "/api/v1/openapi.json");
        return;
    }
    let index = reqwest::get(api.url("/")).await.unwrap();
    assert!(
        index.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().contains("default-src 'self'")
    );
    assert_eq!(index.headers()[header::CACHE_CONTROL], "no-cache");
    let tag = index.headers()[header::ETAG].clone();
    let text = index.text().await.unwrap();
    assert!(!text.contains("http://") && !text.contains("https://"), "{text}");
    let client = reqwest::Client::new();
    let again = client.get(api.url("/")).header(header::IF_NONE_MATCH, tag).send().await.unwrap();
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    let script = text.split('"').find(|part| part.starts_with("/assets/") && part.ends_with(".js")).unwrap();
    let script = reqwest::get(api.url(script)).await.unwrap();
    assert!(script.headers()[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
    assert_eq!(script.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
    let missing = reqwest::get(api.url("/assets/no-such.js")).await.unwrap();
    assert_eq!(missing.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn names_that_are_none_are_problems_too() {
    let api = Api::start().await;
    for address in
        ["/api/v1/robots/%FF", "/api/v1/robots?bogus=1", "/api/v1/kinds?x=1", "/api/v1/openapi.json?x=1"]
    {
        let answer = reqwest::get(api.url(address)).await.unwrap();
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{address}");
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "application/problem+json", "{address}");
    }
}
