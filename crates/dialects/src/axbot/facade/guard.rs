//! Who may ask: clients that know the secret, if there is one.

use axum::Json;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::robot::Settings;

/// The header that robots ask for.
const SECRET: &str = "secret";

/// Whether a request carries the secret: as `Secret: …`, or as `Authorization: Secret …` as some clients write it.
pub(super) fn may(settings: &Settings, headers: &HeaderMap) -> bool {
    let Some(secret) = &settings.secret else { return true };
    let own = headers.get(SECRET).map(|value| value.as_bytes());
    let authorization = headers.get(header::AUTHORIZATION).map(|value| value.as_bytes());
    let named = authorization.and_then(|value| value.strip_prefix(b"Secret "));
    [own, named].into_iter().flatten().any(|given| is_same(given, secret.as_bytes()))
}

/// Compares in a time that does not tell how much of it is right.
fn is_same(given: &[u8], secret: &[u8]) -> bool {
    let difference = given.iter().zip(secret).fold(0, |sum, (a, b)| sum | (a ^ b));
    given.len() == secret.len() && difference == 0
}

/// The answer to who may not.
pub(super) fn refusal() -> Response {
    let detail = "the header Secret is missing or wrong; send the secret of the config's table [axbot]";
    (StatusCode::UNAUTHORIZED, Json(json!({ "detail": detail }))).into_response()
}

/// The answer while the robot boots.
pub(super) fn booting() -> Response {
    let detail = "the robot boots; GET /device/boot_progress tells how far it is";
    (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "detail": detail }))).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axbot::AxbotConfig;

    fn may_with(secret: Option<&str>, name: &'static str, value: &str) -> bool {
        let config = AxbotConfig { secret: secret.map(str::to_owned), ..AxbotConfig::default() };
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        may(&Settings::new(&config), &headers)
    }

    #[test]
    fn only_who_knows_the_secret_may_ask() {
        assert!(may_with(None, "x", "y"));
        assert!(may_with(Some("abc"), "secret", "abc"));
        assert!(may_with(Some("abc"), "authorization", "Secret abc"));
        for (name, value) in [("secret", "abd"), ("secret", "ab"), ("secret", "abcd"), ("x", "abc")] {
            assert!(!may_with(Some("abc"), name, value), "{name}: {value}");
        }
        assert!(!may_with(Some("abc"), "authorization", "Token abc"));
        assert_eq!(refusal().status(), 401);
    }
}
