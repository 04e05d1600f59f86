//! Where things are: the built program beside the running test, the rest in the repository.

use std::path::{Path, PathBuf};

/// The repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the repository").to_owned()
}

/// The built program, of the same profile as the running one.
pub fn latimer() -> PathBuf {
    let own = std::env::current_exe().expect("a running program knows where it is");
    let mut folder = own.parent().expect("a file lies in a folder");
    if folder.ends_with("deps") || folder.ends_with("examples") {
        folder = folder.parent().expect("deps lies in the profile's folder");
    }
    let program = folder.join("latimer");
    assert!(program.exists(), "{} is missing; run `make test`, or `cargo build` first", program.display());
    program
}

/// The Python of a virtual environment: `sdk`, `misty2py` or `axbot`.
pub fn python(environment: &str) -> PathBuf {
    let folder = repository().join(format!(".venv-{environment}"));
    let ready = folder.join("ready");
    assert!(ready.exists(), "{} is missing; run `make setup`", ready.display());
    folder.join("bin").join("python")
}
