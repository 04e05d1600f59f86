//! `check-config` and `run` say the same of every config.

use std::path::{Path, PathBuf};

use latimer_e2e::ports::free_block;

use crate::program::{run, stderr};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "toml" || it == "json"))
        .collect();
    files.sort();
    assert!(files.len() > 2, "{}", folder.display());
    files
}

/// Whether both take a config; what is said of one that they refuse.
fn verdict(config: &Path) -> Result<(), String> {
    let file = config.to_str().unwrap();
    let checked = run(&["check-config", file]);
    let said = stderr(&checked);
    let base = free_block().to_string();
    let mut args = vec!["run", "-c", file, "--for", "100ms"];
    // What is wrong with an address may be right once all ports have moved.
    if !said.contains(" --> ") {
        args.extend(["--port-base", &base]);
    }
    let ran = run(&args);
    let words = format!("{file}\ncheck-config: {said}\nrun: {}", stderr(&ran));
    assert_eq!(checked.status.success(), ran.status.success(), "{words}");
    assert!(!words.contains("panicked"), "{words}");
    if checked.status.success() {
        return Ok(());
    }
    let last = |text: &str| text.lines().last().unwrap_or_default().trim().to_owned();
    assert_eq!(last(&said), last(&stderr(&ran)), "{words}");
    Err(said)
}

#[test]
fn configs_of_the_repository_are_fine() {
    for file in files("../../config").into_iter().chain(files("tests/configs/good")) {
        assert_eq!(verdict(&file), Ok(()), "{}", file.display());
    }
}

#[test]
fn worlds_of_the_repository_are_fine() {
    for world in files("../../config/worlds") {
        let name = format!("verdict-{}.toml", world.file_stem().unwrap().to_str().unwrap());
        let config = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let world = world.canonicalize().unwrap();
        std::fs::write(&config, format!("[world]\nfile = {:?}\n", world.to_str().unwrap())).unwrap();
        assert_eq!(verdict(&config), Ok(()), "{}", world.display());
    }
}

#[test]
fn bad_configs_are_refused_by_both() {
    for file in files("tests/configs/bad") {
        let said = verdict(&file).expect_err(&format!("{} is refused", file.display()));
        // A sentence that says what to do follows what is wrong.
        assert!(said.contains("latimer: ") && said.contains([';', ':']), "{}: {said}", file.display());
        eprintln!("{}: {said}", file.file_stem().unwrap().display());
    }
}
