//! The tree of parameters.

use std::collections::BTreeMap;

use super::name::{joined, parts};
use crate::xmlrpc::{Value, size_of};

/// What all parameters may be together, bytes.
const SIZE: usize = 16 << 20;
/// How deep the tree may be, values included; a whole tree must fit into an answer.
const DEPTH: usize = 28;
/// What a name costs beside its letters, bytes.
const OVERHEAD: usize = 64;

/// Why a parameter cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SetError {
    /// The whole tree must be one.
    #[error("Error: invalid arguments: cannot set root of parameter tree to non-dictionary")]
    Root,
    /// Too deep.
    #[error("parameter {key} is more than {DEPTH} levels deep; set a flatter tree")]
    Deep {
        /// Which.
        key: String,
    },
    /// No room.
    #[error(
        "parameter {key} does not fit, all parameters together may have 16 MiB; delete some, or keep large data in a file"
    )]
    Full {
        /// Which.
        key: String,
    },
}

/// The tree of parameters, and who follows which.
#[derive(Debug, Default)]
pub(super) struct Params {
    root: BTreeMap<String, Value>,
    /// At least what the tree takes.
    size: usize,
}

impl Params {
    /// A parameter, or a part of the tree; `/` is all of it.
    pub(super) fn get(&self, key: &str) -> Option<Value> {
        if parts(key).next().is_none() {
            return Some(Value::Struct(self.root.clone()));
        }
        self.find(key).cloned()
    }

    /// Whether it is set.
    pub(super) fn has(&self, key: &str) -> bool {
        parts(key).next().is_none() || self.find(key).is_some()
    }

    fn find(&self, key: &str) -> Option<&Value> {
        let mut parts = parts(key);
        let mut value = self.root.get(parts.next()?)?;
        for part in parts {
            let Value::Struct(members) = value else { return None };
            value = members.get(part)?;
        }
        Some(value)
    }

    /// Sets a parameter or a part of the tree, in place of what was there.
    pub(super) fn set(&mut self, key: &str, value: Value) -> Result<(), SetError> {
        if parts(key).count() + depth(&value) > DEPTH {
            return Err(SetError::Deep { key: key.to_owned() });
        }
        let Some((last, path)) = split(key) else {
            let Value::Struct(root) = value else { return Err(SetError::Root) };
            let size = root.iter().map(size_of_member).sum();
            if size > SIZE {
                return Err(SetError::Full { key: key.to_owned() });
            }
            (self.root, self.size) = (root, size);
            return Ok(());
        };
        self.make_room(key, &value)?;
        let mut members = &mut self.root;
        for part in path {
            let below = members.entry(part.to_owned()).or_insert_with(|| Value::Struct(BTreeMap::new()));
            if !matches!(below, Value::Struct(_)) {
                // A value that becomes a namespace is lost.
                *below = Value::Struct(BTreeMap::new());
            }
            let Value::Struct(inner) = below else { return Err(SetError::Root) };
            members = inner;
        }
        members.insert(last.to_owned(), value);
        Ok(())
    }

    /// Counts a value in, and everything anew when it seems too much.
    fn make_room(&mut self, key: &str, value: &Value) -> Result<(), SetError> {
        let more = size_of(value) + key.len() + OVERHEAD * parts(key).count();
        if self.size + more > SIZE {
            let replaced = self.find(key).map_or(0, size_of);
            let all: usize = self.root.iter().map(size_of_member).sum();
            self.size = all.saturating_sub(replaced);
            if self.size + more > SIZE {
                self.size += replaced;
                return Err(SetError::Full { key: key.to_owned() });
            }
        }
        self.size += more;
        Ok(())
    }

    /// Deletes a parameter or a part of the tree; false if it is not set.
    pub(super) fn delete(&mut self, key: &str) -> bool {
        let Some((last, path)) = split(key) else { return false };
        let mut members = &mut self.root;
        for part in path {
            let Some(Value::Struct(inner)) = members.get_mut(part) else { return false };
            members = inner;
        }
        members.remove(last).is_some()
    }

    /// The names of all parameters, without namespaces.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        collect(&self.root, "/", &mut names);
        names
    }

    /// The nearest name, from a namespace upwards, whose first part is set.
    pub(super) fn search(&self, from: &str, key: &str) -> Option<String> {
        if key.starts_with('/') {
            return self.has(key).then(|| key.to_owned());
        }
        let first = parts(key).next()?;
        let namespaces: Vec<&str> = parts(from).collect();
        (0..=namespaces.len()).rev().find_map(|kept| {
            let namespace = format!("/{}", namespaces.get(..kept)?.join("/"));
            self.has(&joined(&namespace, first)).then(|| joined(&namespace, key))
        })
    }
}

/// The last part of a key, and those before.
fn split(key: &str) -> Option<(&str, Vec<&str>)> {
    let mut path: Vec<&str> = parts(key).collect();
    Some((path.pop()?, path))
}

fn size_of_member((name, value): (&String, &Value)) -> usize {
    name.len() + OVERHEAD + size_of(value)
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(values) => 1 + values.iter().map(depth).max().unwrap_or(0),
        Value::Struct(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn collect(members: &BTreeMap<String, Value>, namespace: &str, names: &mut Vec<String>) {
    for (name, value) in members {
        let name = joined(namespace, name);
        match value {
            Value::Struct(members) => collect(members, &name, names),
            _ => names.push(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(members: &[(&str, Value)]) -> Value {
        Value::Struct(members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
    }

    fn params() -> Params {
        let mut params = Params::default();
        params
            .set("/robot", tree(&[("arm", Value::Integer(1)), ("leg", tree(&[("left", Value::Integer(2))]))]))
            .unwrap();
        params.set("/pr2/robot/arm", Value::Integer(3)).unwrap();
        params
    }

    #[test]
    fn a_part_of_the_tree_is_a_parameter_too() {
        let params = params();
        assert_eq!(params.get("/robot/leg/left"), Some(Value::Integer(2)));
        assert_eq!(params.get("/robot/leg/"), Some(tree(&[("left", Value::Integer(2))])));
        assert_eq!(params.get("/robot/arm/finger"), None);
        assert_eq!(params.names(), ["/pr2/robot/arm", "/robot/arm", "/robot/leg/left"]);
        assert!(params.has("/") && params.has("/pr2") && !params.has("/pr3"));
    }

    #[test]
    fn setting_replaces_all_that_was_there() {
        let mut params = params();
        params.set("/robot", tree(&[("head", Value::Integer(4))])).unwrap();
        assert_eq!(params.get("/robot"), Some(tree(&[("head", Value::Integer(4))])));
        params.set("/robot/head/eye", Value::Integer(5)).unwrap();
        assert_eq!(params.get("/robot"), Some(tree(&[("head", tree(&[("eye", Value::Integer(5))]))])));
        assert_eq!(params.set("/", Value::Integer(1)), Err(SetError::Root));
        params.set("/", tree(&[("only", Value::Integer(6))])).unwrap();
        assert_eq!(params.names(), ["/only"]);
    }

    #[test]
    fn deleting_takes_what_is_below() {
        let mut params = params();
        assert!(params.delete("/robot/leg"));
        assert!(!params.delete("/robot/leg/left"));
        assert!(!params.delete("/"));
        assert_eq!(params.names(), ["/pr2/robot/arm", "/robot/arm"]);
    }

    #[test]
    fn a_search_goes_up_and_asks_for_the_first_part_only() {
        let params = params();
        assert_eq!(params.search("/pr2/foo", "robot"), Some("/pr2/robot".into()));
        assert_eq!(params.search("/pr2/foo", "robot/none"), Some("/pr2/robot/none".into()));
        assert_eq!(params.search("/foo/bar", "robot/arm"), Some("/robot/arm".into()));
        assert_eq!(params.search("/foo", "none"), None);
        assert_eq!(params.search("/foo", "/robot/arm"), Some("/robot/arm".into()));
    }

    #[test]
    fn neither_depth_nor_size_is_without_bounds() {
        let mut params = params();
        let deep = "/a".repeat(1000);
        assert_eq!(params.set(&deep, Value::Integer(1)), Err(SetError::Deep { key: deep.clone() }));
        let large = Value::Base64(vec![0; 4 << 20]);
        for key in ["/x/a", "/x/b", "/x/c"] {
            params.set(key, large.clone()).unwrap();
        }
        // In the same place there is always room.
        for _ in 0..10 {
            params.set("/x/c", large.clone()).unwrap();
        }
        assert_eq!(params.set("/x/d", large.clone()), Err(SetError::Full { key: "/x/d".into() }));
        assert!(params.delete("/x/a"));
        params.set("/x/d", large).unwrap();
        assert!(params.has("/robot/arm"));
    }
}
