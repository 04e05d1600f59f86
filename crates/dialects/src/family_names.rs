//! No folder but its own names a family: what a family has and can is in the profile that its source declares.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::DIALECTS;

/// Folders that no family has to itself, the example's among them.
const COMMON: [&str; 7] = [
    "core/src",
    "simulator-api/src",
    "mqtt/src",
    "ros1/src",
    "http-guard/src",
    "world/src/bodies/rover",
    "dialects/src/example",
];

/// The words for each family: its dialect's name, and what its makers call it.
fn families() -> BTreeMap<String, &'static str> {
    let called = DIALECTS.iter().filter_map(|entry| Some((entry.robots.split(' ').next()?, entry.name)));
    let named = DIALECTS.iter().map(|entry| (entry.name, entry.name));
    named.chain(called).map(|(word, family)| (word.to_lowercase(), family)).collect()
}

/// The words of a text in lower case: letters in a row, and letters and digits, and each hump of `CamelCase` with the digits behind it.
fn words(text: &str) -> Vec<String> {
    let letters = text.split(|c: char| !c.is_ascii_alphabetic());
    let rows = letters.chain(text.split(|c: char| !c.is_ascii_alphanumeric())).filter(|row| !row.is_empty());
    let humps = |row: &str| {
        let mut humps: Vec<String> = Vec::new();
        for c in row.chars() {
            match humps.last_mut() {
                Some(hump) if c.is_lowercase() || c.is_ascii_digit() => hump.push(c),
                _ => humps.push(c.to_ascii_lowercase().to_string()),
            }
        }
        humps
    };
    rows.flat_map(|row| humps(row).into_iter().chain([row.to_lowercase()])).collect()
}

/// Every line below a path that names a family, apart from the one whose folder it is.
fn named_in(path: &Path, own: Option<&str>, found: &mut Vec<String>) {
    if path.is_dir() {
        let mut inside: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        inside.sort();
        return inside.iter().for_each(|path| named_in(path, own, found));
    }
    if !path.extension().is_some_and(|it| ["rs", "toml", "snap"].iter().any(|known| it == *known)) {
        return;
    }
    let families = families();
    for (line, number) in fs::read_to_string(path).unwrap().lines().zip(1..) {
        let named: BTreeSet<_> = words(line).iter().filter_map(|word| families.get(word)).collect();
        for family in named.into_iter().filter(|family| own != Some(**family)) {
            found.push(format!("{}:{number}: names {family}: {}", path.display(), line.trim()));
        }
    }
}

#[test]
fn no_folder_but_its_own_names_a_family() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    for folder in COMMON {
        named_in(&crates.join(folder), None, &mut found);
    }
    for entry in DIALECTS {
        for folder in ["dialects/src", "world/src/bodies"] {
            named_in(&crates.join(folder).join(entry.name), Some(entry.name), &mut found);
        }
    }
    for file in fs::read_dir(crates.join("dialects/src")).unwrap() {
        let path = file.unwrap().path();
        // The crate's root lists the families.
        if path.is_file() && !path.ends_with("lib.rs") {
            named_in(&path, None, &mut found);
        }
    }
    let advice =
        "ask the robot's profile (RobotInfo::profile) instead, and in tests call the family \"test\"";
    assert!(found.is_empty(), "{advice}:\n{}", found.join("\n"));
}

#[test]
fn words_are_found_in_names_of_every_style() {
    for name in [DIALECTS[0].name, "rover2", "r2d2", "k9"] {
        let camel = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
        for text in [
            format!("\"{name}\""),
            format!("{name}_1"),
            format!("{name}-1"),
            format!("is_{name}"),
            format!("is{camel}Here"),
            format!("{}_PORT", name.to_uppercase()),
        ] {
            assert!(words(&text).iter().any(|word| word == name), "{name} in {text}: {:?}", words(&text));
        }
        assert!(!words(&format!("un{name}like")).iter().any(|word| word == name), "{name}");
    }
}
