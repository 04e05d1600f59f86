//! Samples that are written again, compared with what they were.

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde_json::Value as Json;

/// Name and text of each `.json` file in a folder below `src`.
pub(crate) fn files(folder: &str) -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder);
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = paths.filter(|path| path.extension().is_some_and(|it| it == "json"));
    let name = |path: &std::path::Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    files.map(|path| (name(&path), std::fs::read_to_string(&path).unwrap())).collect()
}

/// Compares keys with their order, and numbers by their value.
pub(crate) fn assert_same(path: &str, written: &Json, sample: &Json) {
    assert_like(path, written, sample, |a, b| match (a, b) {
        (Json::Number(a), Json::Number(b)) => a.as_f64() == b.as_f64(),
        _ => a == b,
    });
}

/// Compares keys with their order, and leaves by whether they are alike.
pub(crate) fn assert_like(path: &str, written: &Json, sample: &Json, is_like: fn(&Json, &Json) -> bool) {
    match (written, sample) {
        (Json::Object(a), Json::Object(b)) => {
            assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>(), "keys of {path}");
            for (key, value) in a {
                assert_like(&format!("{path}.{key}"), value, &b[key], is_like);
            }
        }
        (Json::Array(a), Json::Array(b)) => {
            assert_eq!(a.len(), b.len(), "length of {path}");
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                assert_like(&format!("{path}[{i}]"), a, b, is_like);
            }
        }
        _ => assert!(is_like(written, sample), "{path}: {written} is not {sample}"),
    }
}

/// A sample, a place in it where what is written differs, and why: `+` before a key that is written alone, `-` before one that
/// the sample has alone.
pub(crate) type Exception = (&'static str, &'static str, &'static str);

/// Compares what is written with samples, but for exceptions.
pub(crate) struct Comparison {
    exceptions: &'static [Exception],
    needed: RefCell<BTreeSet<(&'static str, &'static str)>>,
    is_same: fn(&str, &Json, &Json) -> bool,
}

impl Comparison {
    /// Compares with these exceptions; what the function holds to be the same at a path is.
    pub(crate) fn new(exceptions: &'static [Exception], is_same: fn(&str, &Json, &Json) -> bool) -> Self {
        Self { exceptions, needed: RefCell::default(), is_same }
    }

    /// Compares what is written with what a sample shows.
    pub(crate) fn compare(&self, sample: &str, written: &Json, shown: &Json) {
        self.compare_at(sample, "", written, shown);
    }

    /// Holds that each exception was needed.
    pub(crate) fn all_are_needed(&self) {
        for (sample, at, _) in self.exceptions {
            assert!(self.needed.borrow().contains(&(sample, at)), "{sample}{at} is no exception any more");
        }
    }

    fn is_excepted(&self, sample: &str, path: &str) -> bool {
        let found = self.exceptions.iter().find(|(of, at, _)| *of == sample && *at == path);
        self.needed.borrow_mut().extend(found.map(|(sample, at, _)| (*sample, *at)));
        found.is_some()
    }

    fn compare_at(&self, sample: &str, path: &str, written: &Json, shown: &Json) {
        match (written, shown) {
            _ if written == shown || (self.is_same)(path, written, shown) => {}
            (Json::Number(ours), Json::Number(theirs)) if ours.as_f64() == theirs.as_f64() => {}
            _ if self.is_excepted(sample, path) => {}
            (Json::Object(ours), Json::Object(theirs)) => {
                let only = |sign: char, key: &str| self.is_excepted(sample, &format!("{sign}{path}.{key}"));
                let kept = |key: &&String| theirs.contains_key(*key) || !only('+', key);
                let ours_keys: Vec<_> = ours.keys().filter(kept).collect();
                let kept = |key: &&String| ours.contains_key(*key) || !only('-', key);
                let theirs_keys: Vec<_> = theirs.keys().filter(kept).collect();
                assert_eq!(ours_keys, theirs_keys, "keys of {sample}{path}");
                for (key, ours) in ours {
                    if let Some(theirs) = theirs.get(key) {
                        self.compare_at(sample, &format!("{path}.{key}"), ours, theirs);
                    }
                }
            }
            (Json::Array(ours), Json::Array(theirs)) if ours.len() == theirs.len() => {
                for (i, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                    self.compare_at(sample, &format!("{path}[{i}]"), ours, theirs);
                }
            }
            _ => panic!("{sample}{path}: {written} instead of {shown}"),
        }
    }
}
