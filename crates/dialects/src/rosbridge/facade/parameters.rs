//! Parameters that clients share: a tree, as at ROS's own master, of which a name is any node.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value as Json, json};

use crate::rosbridge::limits::{MAX_PARAMETERS, PARAMETERS_MAX_BYTES, RELAYED_NAME_MAX_BYTES};

/// All of a port.
pub(super) struct Parameters(Mutex<Json>);

impl Default for Parameters {
    fn default() -> Self {
        // By these programs tell which ROS it is.
        Self(Mutex::new(json!({"rosdistro": "noetic\n", "rosversion": "1.16.0\n"})))
    }
}

fn levels(name: &str) -> impl DoubleEndedIterator<Item = &str> {
    name.split('/').filter(|it| !it.is_empty())
}

/// The names of what has a value.
fn leaves(name: &str, node: &Json) -> Vec<String> {
    match node.as_object() {
        Some(below) => {
            below.iter().flat_map(|(level, node)| leaves(&format!("{name}/{level}"), node)).collect()
        }
        None => vec![name.to_owned()],
    }
}

impl Parameters {
    fn all(&self) -> MutexGuard<'_, Json> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, name: &str) -> Option<Json> {
        let all = self.all();
        levels(name).try_fold(&*all, |node, level| node.get(level)).cloned()
    }

    pub(super) fn names(&self) -> Vec<String> {
        leaves("", &self.all())
    }

    /// Sets a parameter to a JSON text. A value that stands where a level shall be goes.
    pub(super) fn set(&self, name: &str, value: &str) -> Result<(), String> {
        if name.len() > RELAYED_NAME_MAX_BYTES {
            return Err(format!("the name of a parameter has {RELAYED_NAME_MAX_BYTES} bytes at most"));
        }
        let wrong = |_| format!("{name}: the value is no JSON text");
        let value = serde_json::from_str::<Json>(value).map_err(wrong)?;
        let mut all = self.all();
        let mut tree = all.clone();
        let node = levels(name).fold(&mut tree, |node, level| {
            if !node.is_object() {
                *node = json!({});
            }
            &mut node[level]
        });
        *node = value;
        if !tree.is_object() {
            return Err("the root of all parameters is no value; give it a name".to_owned());
        }
        if leaves("", &tree).len() > MAX_PARAMETERS || tree.to_string().len() > PARAMETERS_MAX_BYTES {
            return Err(format!(
                "{MAX_PARAMETERS} parameters of {PARAMETERS_MAX_BYTES} bytes in all are the limit; delete one"
            ));
        }
        *all = tree;
        Ok(())
    }

    pub(super) fn delete(&self, name: &str) {
        let mut all = self.all();
        let mut above = levels(name);
        let Some(last) = above.next_back() else { return };
        let node = above.try_fold(&mut *all, |node, level| node.get_mut(level));
        node.and_then(Json::as_object_mut).map(|it| it.remove(last));
    }
}
