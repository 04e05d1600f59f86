//! Names as a master takes them: it joins and tidies them, and refuses few.
//!
//! What is a good name is the business of nodes; a master that knows better than the others breaks programs that work.

/// How long a name may be, bytes.
pub(super) const LENGTH: usize = 1024;

/// Without double and trailing slashes.
pub(super) fn canonical(name: &str) -> String {
    let mut tidy = String::with_capacity(name.len());
    if name.starts_with('/') {
        tidy.push('/');
    }
    for part in name.split('/').filter(|part| !part.is_empty()) {
        if !tidy.is_empty() && !tidy.ends_with('/') {
            tidy.push('/');
        }
        tidy.push_str(part);
    }
    tidy
}

/// The name as the graph knows it: below the caller's namespace, or with `~` below the caller.
pub(super) fn resolved(name: &str, caller: &str) -> String {
    if name.is_empty() {
        return namespace(caller);
    }
    let name = canonical(name);
    if name.starts_with('/') {
        name
    } else if let Some(private) = name.strip_prefix('~') {
        canonical(&format!("/{caller}/{private}"))
    } else {
        canonical(&format!("/{}{name}", namespace(caller)))
    }
}

/// The namespace of a name, with a slash at its end: `/robot/` of `/robot/camera`.
fn namespace(name: &str) -> String {
    let name = name.strip_suffix('/').unwrap_or(name);
    match name.rfind('/') {
        Some(at) => name.get(..=at).unwrap_or("/").to_owned(),
        None => "/".to_owned(),
    }
}

/// A name below a namespace.
pub(super) fn joined(namespace: &str, name: &str) -> String {
    if name.starts_with('/') || namespace.is_empty() {
        name.to_owned()
    } else if namespace.ends_with('/') {
        format!("{namespace}{name}")
    } else {
        format!("{namespace}/{name}")
    }
}

/// Its parts, outermost first.
pub(super) fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split('/').filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_resolved_as_rosgraph_does_it() {
        for (name, caller, expected) in [
            ("/a//b/", "/me", "/a/b"),
            ("b", "/ns/me", "/ns/b"),
            ("b/c", "/me", "/b/c"),
            ("~b", "/ns/me", "/ns/me/b"),
            ("~", "/ns/me", "/ns/me"),
            ("~/b", "/ns/me", "/ns/me/b"),
            ("b", "me", "/b"),
            ("b", "", "/b"),
            ("", "/ns/me", "/ns/"),
            ("/", "/me", "/"),
            ("//", "/me", "/"),
        ] {
            assert_eq!(resolved(name, caller), expected, "{name:?} of {caller:?}");
        }
    }

    #[test]
    fn names_are_joined_with_one_slash() {
        assert_eq!(joined("/", "a"), "/a");
        assert_eq!(joined("/a", "b"), "/a/b");
        assert_eq!(joined("/a/", "b"), "/a/b");
        assert_eq!(joined("/a", "/b"), "/b");
        assert_eq!(parts("/a//b/").collect::<Vec<_>>(), ["a", "b"]);
    }
}
