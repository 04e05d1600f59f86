//! What the compiler says of a message that is described wrong: it points at the field, and says what to write.
//!
//! With TRYBUILD=overwrite what it says now is kept.

use std::process::Command;

/// By this clippy's compiler takes the place of rustc, as in `make check`. It spells some paths out.
const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";

#[test]
fn a_wrong_description_is_an_error_at_its_field() {
    if std::env::var_os(WRAPPER).is_some() {
        let this = std::env::current_exe().unwrap();
        assert!(Command::new(this).env_remove(WRAPPER).status().unwrap().success());
        return;
    }
    trybuild::TestCases::new().compile_fail("tests/misuse/*.rs");
}
