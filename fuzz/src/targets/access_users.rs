//! The users' file: no panic, and an error names the file and a place.

pub(super) fn run(text: &str) {
    if let Err(error) = latimer_access::fuzzing::users(text) {
        assert!(error.to_string().contains("users.toml"), "{error}");
    }
}
