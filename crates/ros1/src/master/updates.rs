//! Which nodes are notified of a parameter that changed.
//!
//! Keys end with a slash here, so that one that begins with another lies below it.

use std::collections::HashMap;
use std::sync::Arc;

use super::name::{canonical, joined};
use super::notice::{Notice, Notification};
use super::providers::{Provider, Providers};
use super::reply::nothing;
use crate::xmlrpc::Value;

/// A parameter's name as followers are registered by it.
pub(super) fn follow_key(key: &str) -> String {
    if key == "/" { key.to_owned() } else { format!("{}/", canonical(key)) }
}

/// Notifications that a key has a new value; one that is deleted is a struct without members.
///
/// A follower of a namespace above receives the key and the value, except the one who set it. A follower of
/// something below receives its own part of the value, or that it is gone.
pub(super) fn updates(followers: &Providers, key: &str, value: &Value, setter: Option<&str>) -> Vec<Notice> {
    if followers.len() == 0 {
        return Vec::new();
    }
    let key = follow_key(key);
    let shared = Arc::new(value.clone());
    let mut below = HashMap::new();
    if let Value::Struct(_) = value {
        collect(&key, value, &mut below);
    }
    let mut notices = Vec::new();
    for (followed, who) in followers.iter() {
        if key.starts_with(followed.as_str()) {
            let others = who.iter().filter(|provider| Some(provider.node.as_str()) != setter);
            notify(&mut notices, others, &key, &shared);
        } else if matches!(value, Value::Struct(_)) && followed.starts_with(key.as_str()) {
            let part = below.get(followed.as_str()).map_or_else(nothing, |part| (*part).clone());
            notify(&mut notices, who.iter(), followed, &Arc::new(part));
        }
    }
    notices
}

fn notify<'a>(
    notices: &mut Vec<Notice>,
    followers: impl Iterator<Item = &'a Provider>,
    key: &str,
    value: &Arc<Value>,
) {
    notices.extend(followers.map(|follower| Notice {
        to: follower.address.clone(),
        notification: Notification::Parameter { key: key.to_owned(), value: value.clone() },
    }));
}

/// All keys below one, with their values.
fn collect<'a>(key: &str, value: &'a Value, keys: &mut HashMap<String, &'a Value>) {
    let Value::Struct(members) = value else { return };
    for (name, value) in members {
        let key = format!("{}/", joined(key, name));
        collect(&key, value, keys);
        keys.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::super::quota::Peer;
    use super::*;

    fn followers(keys: &[(&str, &str)]) -> Providers {
        let mut followers = Providers::default();
        for (key, node) in keys {
            let provider =
                Provider { node: (*node).to_owned(), address: format!("http:/{node}"), peer: Peer::Own };
            followers.add(&follow_key(key), provider);
        }
        followers
    }

    fn notified(notices: &[Notice]) -> Vec<(&str, &str, &Value)> {
        let notified = notices.iter().filter_map(|notice| match &notice.notification {
            Notification::Parameter { key, value } => {
                Some((notice.to.as_str(), key.as_str(), value.as_ref()))
            }
            _ => None,
        });
        notified.collect()
    }

    #[test]
    fn followers_above_receive_the_key_and_those_beside_nothing() {
        let followers =
            followers(&[("/", "/all"), ("/a", "/a"), ("/a", "/me"), ("/ab", "/other"), ("/a/b/c", "/deep")]);
        let notices = updates(&followers, "/a/b", &Value::Integer(1), Some("/me"));
        let one = Value::Integer(1);
        assert_eq!(notified(&notices), [("http://all", "/a/b/", &one), ("http://a", "/a/b/", &one)]);
    }

    #[test]
    fn followers_below_receive_their_part_or_that_it_is_gone() {
        let followers = followers(&[("/a/b", "/b"), ("/a/c/d", "/d")]);
        let value = Value::Struct([("b".to_owned(), Value::Integer(1))].into());
        let notices = updates(&followers, "/a", &value, Some("/b"));
        assert_eq!(
            notified(&notices),
            [("http://b", "/a/b/", &Value::Integer(1)), ("http://d", "/a/c/d/", &nothing())]
        );
        let notices = updates(&followers, "/a", &nothing(), None);
        assert_eq!(
            notified(&notices),
            [("http://b", "/a/b/", &nothing()), ("http://d", "/a/c/d/", &nothing())]
        );
    }
}
