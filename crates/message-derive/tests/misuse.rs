//! What the compiler says of a message that is described wrong: it points at the field, and says what to write.
//!
//! With TRYBUILD=overwrite what it says now is kept.

#[test]
fn a_wrong_description_is_an_error_at_its_field() {
    trybuild::TestCases::new().compile_fail("tests/misuse/*.rs");
}
