//! Who may ask: whoever sends the secret, if there is one.

use axum::http::{HeaderMap, header};

use crate::axbot::facade::robot::Settings;

/// Whether a request carries the secret, as `Secret: …` or `Authorization: Secret …`.
pub(in crate::axbot::facade) fn may(settings: &Settings, headers: &HeaderMap) -> bool {
    let Some(secret) = &settings.secret else { return true };
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let authorized = text(header::AUTHORIZATION.as_str()).and_then(|value| {
        let (scheme, credentials) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("secret").then(|| credentials.trim())
    });
    [text("secret"), authorized].into_iter().flatten().any(|given| given == secret)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;
    use crate::axbot::AxbotConfig;

    #[test]
    fn the_secret_comes_in_either_header() {
        let settings = Settings::new(&AxbotConfig { secret: Some("abc".into()), ..AxbotConfig::default() });
        let with = |name: &'static str, value: &'static str| {
            may(&settings, &HeaderMap::from_iter([(name.parse().unwrap(), HeaderValue::from_static(value))]))
        };
        assert!(with("Secret", "abc"));
        assert!(with("Authorization", "Secret abc"));
        assert!(!with("Secret", "abcd"));
        assert!(!with("Authorization", "Bearer abc"));
        assert!(!may(&settings, &HeaderMap::new()));
        assert!(may(&Settings::new(&AxbotConfig::default()), &HeaderMap::new()));
    }
}
