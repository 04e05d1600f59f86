//! What README, ARCHITECTURE, CONTRIBUTING and the pages of `docs/` name in backquotes or link to exists: paths, file
//! names, targets of make, and names of tests, fields and metrics.
//!
//! A word is a pattern where it has a placeholder (`NAME`, `…`) or alternatives (`{a,b}`): something must fit it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders that are made by tools and hold nothing of the project's own.
const NOT_OURS: [&str; 9] =
    ["target", "node_modules", "dist", "test-results", ".git", "__pycache__", "corpus", "artifacts", "ready"];

/// What tools make, so that documents may name it before it is there.
const MADE: [&str; 4] = ["fuzz/corpus", "fuzz/artifacts", "ui/src/api/types.ts", "ui/test-results"];

/// Files of the reader's own that documents talk about.
const READERS: [&str; 3] = ["users.toml", "lab.toml", "arena_maze.json"];

const ENDINGS: [&str; 12] = ["rs", "toml", "md", "py", "ts", "tsx", "mjs", "json", "css", "sh", "png", "txt"];

/// Files whose words count as names of the project.
const SOURCES: [&str; 9] = ["rs", "py", "ts", "tsx", "mjs", "toml", "msg", "txt", "json"];

/// So many underscores has a name that is looked for: with fewer it may be a word of any dialect.
const UNDERSCORES: usize = 3;

struct Tree {
    /// Files and folders, from the repository on.
    paths: BTreeSet<String>,
    /// Words of the sources, documents not among them.
    names: BTreeSet<String>,
    targets: BTreeSet<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn ending(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, ending)| ending)
}

impl Tree {
    fn read() -> Self {
        let mut tree = Self { paths: BTreeSet::new(), names: BTreeSet::new(), targets: BTreeSet::new() };
        tree.add(&root(), "");
        let makefile = std::fs::read_to_string(root().join("Makefile")).unwrap();
        let heads = makefile.lines().filter_map(|line| line.split_once(':'));
        let heads = heads.filter(|(head, _)| !head.starts_with(['\t', ' ', '#', '.']));
        tree.targets = heads.flat_map(|(head, _)| head.split_whitespace()).map(str::to_owned).collect();
        tree
    }

    fn add(&mut self, folder: &Path, above: &str) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().to_string_lossy().into_owned();
            if NOT_OURS.contains(&name.as_str()) || name.starts_with(".venv") {
                continue;
            }
            let path = if above.is_empty() { name } else { format!("{above}/{name}") };
            if entry.file_type().unwrap().is_dir() {
                self.add(&entry.path(), &path);
            } else if SOURCES.contains(&ending(&path)) {
                let text = std::fs::read(entry.path()).unwrap();
                let text = String::from_utf8_lossy(&text);
                let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
                self.names.extend(words.filter(|it| is_long_name(it)).map(str::to_owned));
            }
            self.paths.insert(path);
        }
    }

    /// Whether a path or the end of one is like this, seen from the document or from anywhere.
    fn has(&self, word: &str) -> bool {
        let word = word.trim_start_matches("./").trim_end_matches('/');
        MADE.contains(&word)
            || alternatives(word)
                .iter()
                .all(|word| self.paths.contains(word) || self.paths.iter().any(|path| ends_like(path, word)))
    }

    /// What is wrong with a word in backquotes, if it names something.
    fn fault(&self, quoted: &str) -> Option<String> {
        if let Some(target) = quoted.strip_prefix("make ") {
            let target = target.split_whitespace().next().unwrap_or_default();
            let known = target.contains('=') || self.targets.contains(target);
            return (!known).then(|| format!("make has no target {target}"));
        }
        // Lines for a shell have files of the reader's.
        if quoted.contains(' ') && quoted.starts_with("latimer ") {
            return None;
        }
        quoted.split_whitespace().find_map(|word| {
            let word = word.trim_start_matches(['(', '"']).trim_end_matches(['.', ',', ';', ':', ')', '"']);
            // With a line or a name in it: `a.rs:12`, `a.rs::name`.
            let path = word.split(':').next().unwrap_or_default();
            if is_path(path) && !word.contains("://") && !path.starts_with('/') && !READERS.contains(&path) {
                return (!self.has(path)).then(|| format!("there is no {path}"));
            }
            let name = word.rsplit("::").next().unwrap_or_default();
            let is_unknown = is_long_name(name) && !self.names.contains(name);
            is_unknown.then(|| format!("nothing is called {name}"))
        })
    }
}

fn is_path(word: &str) -> bool {
    let top = word.split('/').next().unwrap_or_default();
    let tops = ["crates", "docs", "tests", "ui", "config", "fuzz", "bench", "examples", ".ci", ".config"];
    (word.contains('/') && tops.contains(&top))
        || (ENDINGS.contains(&ending(word)) && !word.contains('*') && ending(word).len() + 1 < word.len())
}

fn is_long_name(word: &str) -> bool {
    let letters = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
    word.chars().all(letters)
        && word.starts_with(|it: char| it.is_ascii_lowercase())
        && word.matches('_').count() >= UNDERSCORES
}

/// `a/{b,c}.rs` is `a/b.rs` and `a/c.rs`.
fn alternatives(word: &str) -> Vec<String> {
    let Some((before, rest)) = word.split_once('{') else { return vec![word.to_owned()] };
    let Some((within, after)) = rest.split_once('}') else { return vec![word.to_owned()] };
    within.split(',').map(|it| format!("{before}{it}{after}")).collect()
}

/// Whether the last parts of a path are like those of a word.
fn ends_like(path: &str, word: &str) -> bool {
    let mut parts = path.rsplit('/');
    word.rsplit('/').all(|wanted| parts.next().is_some_and(|part| is_like(part, wanted)))
}

/// Whether a part of a path fits one that may have a placeholder in it.
fn is_like(part: &str, wanted: &str) -> bool {
    let is_placeholder = |word: &str| word.len() > 2 && word.chars().all(|it| it.is_ascii_uppercase());
    let pattern: Vec<&str> = wanted
        .split_inclusive(['_', '.', '…'])
        .flat_map(|it| match it.strip_suffix('…') {
            Some(before) => [before, "…"],
            None => [it, ""],
        })
        .filter(|it| !it.is_empty())
        .collect();
    if !pattern.iter().any(|it| *it == "…" || is_placeholder(it.trim_end_matches(['_', '.']))) {
        return part == wanted;
    }
    let mut rest = part;
    for piece in pattern {
        if piece == "…" || is_placeholder(piece.trim_end_matches(['_', '.'])) {
            continue;
        }
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    true
}

fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].iter().map(|it| root().join(it)).collect();
    for folder in ["docs", "docs/decisions"] {
        let entries = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        found.extend(entries.filter(|path| path.extension().is_some_and(|it| it == "md")));
    }
    found.sort();
    found
}

/// Addresses of links within the repository, without what follows `#`.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let after = line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
    after
        .filter(|link| !link.contains("://") && !link.starts_with('#'))
        .filter_map(|link| link.split('#').next())
}

#[test]
fn what_documents_name_exists() {
    let tree = Tree::read();
    let mut faults = Vec::new();
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        let name = document.strip_prefix(root()).unwrap().display().to_string();
        let mut in_block = false;
        for (number, line) in text.lines().enumerate() {
            let mut add = |fault: String| faults.push(format!("{name}:{}: {fault}", number + 1));
            if line.trim_start().starts_with("```") {
                in_block = !in_block;
                continue;
            }
            if in_block {
                // Lines to copy: targets of make. The commands of the program are tried by the tests beside this one.
                if line.starts_with("make ") {
                    tree.fault(line).into_iter().for_each(&mut add);
                }
                continue;
            }
            line.split('`').skip(1).step_by(2).filter_map(|it| tree.fault(it)).for_each(&mut add);
            for link in links(line) {
                if !document.with_file_name(link).exists() {
                    add(format!("a link to {link}, which does not exist"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The files of the example dialect are the steps of the guide, each named where it is gone through.
#[test]
fn the_guide_goes_through_each_file_of_the_example() {
    let guide = std::fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let (_, steps) = guide.split_once("## Add a dialect\n").unwrap();
    let (steps, _) = steps.split_once("\nThen name it").unwrap();
    let begin = |line: &str| line.split_once(". `").is_some_and(|(number, _)| number.parse::<u8>().is_ok());
    let named = steps.lines().filter(|line| begin(line)).flat_map(|line| {
        let (head, _) = line.split_once(": ").unwrap();
        let second = line.split('`').nth(3).filter(|it| it.ends_with(".toml"));
        head.split('`').nth(1).into_iter().chain(second)
    });
    let named: BTreeSet<String> = named.map(|it| it.trim_end_matches('/').to_owned()).collect();
    let folder = std::fs::read_dir(root().join("crates/dialects/src/example")).unwrap();
    let files: BTreeSet<String> =
        folder.map(|it| it.unwrap().file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(named, files, "the steps of CONTRIBUTING, and the files of the example");
}

#[test]
fn what_does_not_exist_is_found() {
    let tree = Tree::read();
    // In two pieces, since what stands here whole is found here.
    let unwritten = ["a_test_that", "nobody_wrote_at_all"].join("_");
    let unwritten = [unwritten.clone(), format!("cli::{unwritten}")];
    let missing = [
        "crates/core/src/nothing.rs",
        "nothing_of_this_name.rs",
        "crates/dialects/src/NAME/fields.rs",
        "bodies/{battery,nothing}.rs",
        "make nothing",
        "tests/nothing/",
    ];
    for word in missing.into_iter().chain(unwritten.iter().map(String::as_str)) {
        assert!(tree.fault(word).is_some(), "{word}");
    }
    let there = [
        "crates/core/src/lib.rs",
        "core/src/lib.rs:1",
        "crates/dialects/src/NAME/profile.rs",
        "bodies/{battery,wheels}.rs",
        "fuzz/seeds/misty_…",
        "fuzz/src/targets/NAME_….rs",
        "make test",
        "what_is_not_absent_is_said_and_what_is_absent_is_not",
        "latimer run -c lab.toml",
        "serde",
    ];
    for word in there {
        assert_eq!(tree.fault(word), None, "{word}");
    }
}
