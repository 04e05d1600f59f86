//! Why a drive was given up, in the vendor's numbers and names as requests tell them.

use latimer_core::model::signal::{Navigation, NavigationFailure};

use crate::axbot::map::fail_reasons::{code_and_word, word_from_code};

/// Why a drive was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailReason {
    /// The number; 0 if it was not.
    pub code: i64,
    /// `Name - words`
    pub text: String,
    /// For a person to read.
    pub message: String,
}

impl FailReason {
    /// It was not given up.
    pub fn none() -> Self {
        Self { code: 0, text: "None - None".into(), message: String::new() }
    }

    /// Why a robot gave a drive up.
    pub fn of(navigation: &Navigation) -> Self {
        let Navigation { failure, failure_code, reason, .. } = navigation;
        let code = failure_code
            .filter(|code| *code != 0)
            .unwrap_or_else(|| code_and_word(failure.unwrap_or(NavigationFailure::Other)).0);
        let name = name_from_word(word_from_code(code).unwrap_or("unknown"));
        let words = failure.map_or_else(|| name.clone(), |failure| failure.as_str().replace('_', " "));
        let message = reason.clone().unwrap_or_else(|| words.clone());
        Self { code, text: format!("{name} - {}", reason.as_deref().unwrap_or(&words)), message }
    }
}

/// `rack_detection_error` as requests tell it: `RackDetectionError`.
fn name_from_word(word: &str) -> String {
    let capital = |part: &str| {
        let mut letters = part.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    word.split('_').map(capital).collect()
}

#[cfg(test)]
mod tests {
    use latimer_core::model::signal::{NavigationKind, NavigationState};

    use super::*;

    fn failed(failure: Option<NavigationFailure>, failure_code: Option<i64>) -> Navigation {
        Navigation {
            failure,
            failure_code,
            ..Navigation::new(1, NavigationKind::Goto, NavigationState::Failed)
        }
    }

    #[test]
    fn every_failure_has_a_number_with_a_name() {
        for failure in NavigationFailure::ALL {
            let reason = FailReason::of(&failed(Some(*failure), None));
            assert!(reason.code > 0 && !reason.text.starts_with("None"), "{failure}: {reason:?}");
        }
    }

    #[test]
    fn the_robots_own_number_counts() {
        let reason = FailReason::of(&failed(Some(NavigationFailure::NoRack), Some(502)));
        assert_eq!((reason.code, reason.text.as_str()), (502, "RackRetryCountExceeded - no rack"));
        let mut reported = failed(None, Some(501));
        reported.reason = Some("Wrong rack size".into());
        assert_eq!(FailReason::of(&reported).text, "RackDetectionError - Wrong rack size");
    }
}
