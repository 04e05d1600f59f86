//! Names of the computation graph: `/rover/rob01/platform/sensors`.

/// Longest name that is taken, in bytes.
pub(crate) const MAX_BYTES: usize = 1024;

/// Why a name is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is no graph name; write letters, digits, _ and /, and begin with a letter, / or ~")]
pub struct BadName {
    /// What was given, shortened if it is long.
    pub name: String,
}

impl BadName {
    fn of(name: &str) -> Self {
        Self { name: name.chars().take(80).collect() }
    }
}

/// A name as the graph knows it: relative ones below the namespace, `~` ones below the node.
///
/// ```
/// use latimer_ros1::name::resolve;
///
/// assert_eq!(resolve("sensors", "/rover/bridge").unwrap(), "/rover/sensors");
/// assert_eq!(resolve("~rate", "/rover/bridge").unwrap(), "/rover/bridge/rate");
/// assert_eq!(resolve("/sensors/", "/rover/bridge").unwrap(), "/sensors");
/// ```
pub fn resolve(name: &str, node: &str) -> Result<String, BadName> {
    if !is_legal(name) {
        return Err(BadName::of(name));
    }
    let (base, rest) = match name.split_at_checked(1) {
        Some(("/", rest)) => ("", rest),
        Some(("~", rest)) => (node, rest),
        _ => (node.rsplit_once('/').map_or("", |(namespace, _)| namespace), name),
    };
    let mut resolved = String::with_capacity(base.len() + name.len() + 1);
    for part in base.split('/').chain(rest.split('/')).filter(|part| !part.is_empty()) {
        resolved.push('/');
        resolved.push_str(part);
    }
    if resolved.is_empty() {
        resolved.push('/');
    }
    Ok(resolved)
}

/// The name of a topic or a node: as [`resolve`], and the root is none, nor what is too long for a master.
pub(crate) fn resolve_own(name: &str, node: &str) -> Result<String, BadName> {
    match resolve(name, node)? {
        root if root == "/" || root.len() > MAX_BYTES => Err(BadName::of(name)),
        resolved => Ok(resolved),
    }
}

/// The name of one level that is made of any text: `rover-1` is `rover_1`.
pub fn base_name(text: &str) -> String {
    text.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect()
}

/// Whether a text is a name of one level: letters, digits and `_`.
pub fn is_base_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}

fn is_legal(name: &str) -> bool {
    let first = |byte: u8| byte.is_ascii_alphabetic() || byte == b'/' || byte == b'~';
    let later = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'/' || byte == b'_';
    let mut bytes = name.bytes();
    name.len() <= MAX_BYTES && bytes.next().is_some_and(first) && bytes.all(later) && !name.contains("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_becomes_a_name() {
        for (text, name) in [("rover-1", "rover_1"), ("a.b", "a_b"), ("rob01", "rob01"), ("7", "7")] {
            assert_eq!(base_name(text), name);
            assert!(is_base_name(name));
        }
        for bad in ["", "a b", "a/b", "a-b", "ä"] {
            assert!(!is_base_name(bad), "{bad:?}");
        }
    }

    #[test]
    fn names_are_resolved_as_rosgraph_does() {
        for (name, node, resolved) in [
            ("/a/b", "/n", "/a/b"),
            ("/a/b/", "/n", "/a/b"),
            ("b", "/n", "/b"),
            ("b/c", "/a/n", "/a/b/c"),
            ("~b", "/a/n", "/a/n/b"),
            ("~/b", "/a/n", "/a/n/b"),
            ("~", "/a/n", "/a/n"),
            ("/", "/n", "/"),
            ("latimer", "/", "/latimer"),
        ] {
            assert_eq!(resolve(name, node).as_deref(), Ok(resolved), "{name} in {node}");
        }
    }

    #[test]
    fn what_is_no_name_is_reported() {
        let long = "a".repeat(MAX_BYTES + 1);
        for name in ["", "1a", "_a", "a-b", "a b", "http://a", "a//b", "ä", "a\n", long.as_str()] {
            assert!(resolve(name, "/n").is_err(), "{name:?}");
        }
        let error = resolve("a b", "/n").unwrap_err().to_string();
        assert_eq!(
            error,
            "\"a b\" is no graph name; write letters, digits, _ and /, and begin with a letter, / or ~"
        );
    }

    #[test]
    fn the_root_is_no_topic() {
        assert!(resolve_own("/", "/n").is_err());
        assert_eq!(resolve_own("a", "/n").as_deref(), Ok("/a"));
        let (half, node) = ("a".repeat(MAX_BYTES / 2), format!("/{}", "n".repeat(MAX_BYTES / 2)));
        assert!(resolve_own(&half, &node).is_ok());
        assert!(resolve_own(&format!("~{half}"), &node).is_err(), "it is too long as a whole");
    }
}
