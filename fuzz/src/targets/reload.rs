//! What a config's file holds at one look after the other, parted by lines of dashes: acted on when two looks find the same, and whole.

pub(super) fn run(text: &str) {
    latimer::app::fuzzing::reload(text.split("\n---\n"));
}
