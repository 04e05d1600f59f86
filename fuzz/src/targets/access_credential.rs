//! Credentials in headers, a line each: none panics, and a user's name ends before the colon.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use latimer_dialects::entrance::Shown;

const NAMES: [HeaderName; 3] = [header::AUTHORIZATION, HeaderName::from_static("secret"), header::COOKIE];

pub(super) fn run(text: &str) {
    let values = text.lines().filter_map(|line| HeaderValue::from_str(line).ok());
    let headers: HeaderMap = NAMES.into_iter().zip(values).collect();
    if let Some(Shown::Password(user, _)) = Shown::of(&headers) {
        assert!(!user.contains(':'), "{user:?}");
    }
}
