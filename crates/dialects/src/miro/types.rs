//! The layouts of all messages: this program's, or those of the user's own `.msg` files.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use latimer_ros1::message::{Catalog, Layout, TypeError};

use super::topic::Topic;

/// The package that the messages belong to.
const PACKAGE: &str = "miro_msgs";

/// Names and texts.
macro_rules! texts {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("miro_msgs/", $name), include_str!(concat!("messages/", $name, ".msg")))),*]
    };
}

/// The messages of this program.
const TEXTS: &[(&str, &str)] = texts![
    "affect",
    "audio_event",
    "bridge_config",
    "bridge_stream",
    "core_config",
    "core_control",
    "core_state",
    "platform_config",
    "platform_control",
    "platform_mics",
    "platform_sensors",
    "platform_state",
    "priority_peak",
    "push",
    "sleep",
];

/// All types that are spoken.
#[derive(Clone, Debug)]
pub struct Types(Arc<BTreeMap<Topic, Arc<Layout>>>);

impl Types {
    /// This program's, with those of a folder in place of them.
    pub fn load(folder: Option<&Path>) -> Result<Self, TypeError> {
        let mut catalog = Catalog::common();
        for (name, text) in TEXTS {
            catalog.add(name, text)?;
        }
        if let Some(folder) = folder {
            catalog.add_folder(PACKAGE, folder)?;
        }
        let layout = |topic: &Topic| Ok((*topic, catalog.layout(topic.type_name())?));
        Ok(Self(Arc::new(Topic::ALL.iter().map(layout).collect::<Result<_, _>>()?)))
    }

    /// How messages of a topic lie.
    pub fn of(&self, topic: Topic) -> Arc<Layout> {
        self.0[&topic].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn md5(types: &Types, topic: Topic) -> String {
        types.of(topic).md5().to_owned()
    }

    #[test]
    fn what_is_known_of_the_robot_s_own_messages_is_used_exactly() {
        let types = Types::load(None).unwrap();
        assert_eq!(md5(&types, Topic::Sensors), "547d0cf6cf799e035dff5847bb95c9dd");
        // Computed of the published beginning and of the likeliest types of the rest; no robot was asked.
        assert_eq!(md5(&types, Topic::Control), "a7fe7133b3cfa531711139959c58d5fd");
    }

    #[test]
    fn every_file_is_in_the_list() {
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/miro/messages")).unwrap();
        let files = files
            .map(|file| file.unwrap().path())
            .filter(|file| file.extension().is_some_and(|it| it == "msg"));
        let mut names: Vec<_> =
            files.map(|file| format!("miro_msgs/{}", file.file_stem().unwrap().to_str().unwrap())).collect();
        names.sort();
        assert_eq!(names, TEXTS.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>());
    }

    #[test]
    fn a_folder_of_one_s_own_decides_and_is_checked() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("platform_control.msg"), "std_msgs/Header header\nfloat32 tail\n")
            .unwrap();
        let types = Types::load(Some(folder.path())).unwrap();
        assert_ne!(md5(&types, Topic::Control), "a7fe7133b3cfa531711139959c58d5fd");
        assert_eq!(md5(&types, Topic::Sensors), "547d0cf6cf799e035dff5847bb95c9dd");
        std::fs::write(folder.path().join("platform_mics.msg"), "int16[] data\nint32 no name\n").unwrap();
        let problem = Types::load(Some(folder.path())).unwrap_err().to_string();
        assert!(problem.contains("platform_mics.msg") && problem.contains('2'), "{problem}");
        assert!(
            Types::load(Some(&folder.path().join("nowhere"))).unwrap_err().to_string().contains("nowhere")
        );
    }
}
