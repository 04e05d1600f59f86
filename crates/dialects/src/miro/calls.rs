//! MiRo's own commands, a struct each.

use latimer_core::model::CallDescription;

use super::NAME;
use crate::describe::Call;

/// All of them.
pub(super) const CALLS: &[&CallDescription] = &[StopSound::DESCRIPTION];

/// Play no sound any more.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(motion = ends, word = "silence")]
pub struct StopSound {}

#[cfg(test)]
mod tests {
    use latimer_core::model::Motion;

    use super::*;

    #[test]
    fn a_stop_does_not_void_the_end_of_a_sound() {
        assert_eq!(StopSound {}.command().unwrap().motion(), Motion::Ends);
    }
}
