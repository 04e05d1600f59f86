//! What is marked on a map: no panic, errors that are not long, and what was read is read again as it was written.

use latimer_dialects::axbot::overlays::{features_from_overlays, overlays_from_features};

pub(super) fn run(text: &str) {
    match features_from_overlays(text) {
        Ok(features) => {
            let again = features_from_overlays(&overlays_from_features(&features));
            assert_eq!(again.map(|it| it.len()), Ok(features.len()));
        }
        Err(error) => assert!(error.to_string().len() < 1024, "{error}"),
    }
}
