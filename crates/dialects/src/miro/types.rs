//! The layouts of all messages: the maker's, those that were inferred before, or those of the user's own `.msg` files.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use latimer_core::model::Native;
use latimer_ros1::message::{Catalog, Layout, TypeError};
use latimer_ros1::texts;

use super::config::Layouts;
use super::topic::Topic;
use crate::inspect::{Inspection, differences, message_of};

/// The package that the messages belong to.
const PACKAGE: &str = "miro_msgs";

/// The maker's messages.
const MAKER: &[(&str, &str)] = texts! {
    ".msg":
    miro_msgs in "messages" {
        affect audio_event bridge_config bridge_stream core_config core_control core_state platform_config platform_control
        platform_mics platform_sensors platform_state priority_peak push sleep
    }
};

/// What was inferred of the messages' names, where it differs.
const INFERRED: &[(&str, &str)] = texts! {
    ".msg":
    miro_msgs in "messages/inferred" {
        audio_event bridge_config bridge_stream core_config core_control core_state platform_config platform_control
        platform_mics platform_state push
    }
};

/// All types that are spoken.
#[derive(Clone, Debug)]
pub struct Types(Arc<BTreeMap<Topic, Arc<Layout>>>);

impl Types {
    /// This program's, with those of a folder in place of them.
    pub fn load(layouts: Layouts, folder: Option<&Path>) -> Result<Self, TypeError> {
        let mut catalog = catalog(layouts)?;
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

/// Holds how a message lies by its publisher's word against the maker's layout.
pub(super) fn inspect(native: &Native) -> Option<Inspection> {
    static MAKERS: LazyLock<Option<Types>> = LazyLock::new(|| Types::load(Layouts::Maker, None).ok());
    let topic = *Topic::ALL.iter().find(|topic| topic.as_str() == &*native.topic)?;
    let message = message_of(super::messages::MESSAGES, &native.topic)?;
    let specified = MAKERS.as_ref()?.of(topic);
    let mut inspection = Inspection::whole(message);
    let definition = native.definition.as_deref().filter(|it| *it != specified.definition());
    if let Some(definition) = definition {
        let offered = Layout::from_definition(topic.type_name(), definition).ok()?;
        inspection.deviations = differences(&offered, &specified);
    }
    Some(inspection)
}

fn catalog(layouts: Layouts) -> Result<Catalog, TypeError> {
    let mut catalog = Catalog::common();
    let inferred = match layouts {
        Layouts::Maker => &[],
        Layouts::Inferred => INFERRED,
    };
    for (name, text) in MAKER.iter().chain(inferred) {
        catalog.add(name, text)?;
    }
    Ok(catalog)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MD5 sums of the maker's messages, as programs in the field declare them.
    const MD5: [(&str, &str); 11] = [
        ("audio_event", "927b70f5d010591eff5a84c7dbebec11"),
        ("bridge_config", "a26a18f3a53f76ae1bb086e80d6facca"),
        ("bridge_stream", "2561ec53c29e2879d816c0b48c26135e"),
        ("core_config", "5266ec95e82c31fd16cf7510eab84b6e"),
        ("core_control", "52582e6531275ac4d2c842929d7e98c1"),
        ("core_state", "522684231c219a6061e3a57fd3a4cba3"),
        ("platform_config", "b5fd24d294cb70170d909fa6587bd842"),
        ("platform_control", "772dcaa16082fd0df16a4baa9867cf17"),
        ("platform_mics", "e0d585bee98f8b40f3eb8fae2d114fdb"),
        ("platform_sensors", "547d0cf6cf799e035dff5847bb95c9dd"),
        ("platform_state", "09c2ef52295e8a4f8b13c274212a1728"),
    ];

    fn md5(types: &Types, topic: Topic) -> String {
        types.of(topic).md5().to_owned()
    }

    #[test]
    fn messages_have_the_md5_sums_of_the_maker() {
        let catalog = catalog(Layouts::Maker).unwrap();
        for (name, md5) in MD5 {
            assert_eq!(catalog.layout(&format!("miro_msgs/{name}")).unwrap().md5(), md5, "{name}");
        }
    }

    #[test]
    fn a_publisher_with_another_build_of_its_messages_deviates() {
        let inspect = |layouts| {
            let layout = Types::load(layouts, None).unwrap().of(Topic::Mics);
            let (topic, definition) = (Topic::Mics.as_str().into(), Some(layout.shared_definition()));
            let native =
                Native { dialect: crate::miro::NAME, topic, payload: Default::default(), definition };
            super::inspect(&native).unwrap()
        };
        assert_eq!(inspect(Layouts::Maker).deviations, []);
        let deviations = inspect(Layouts::Inferred).deviations;
        assert!(!deviations.is_empty(), "{deviations:?}");
    }

    #[test]
    fn what_was_inferred_before_can_be_asked_for() {
        let types = Types::load(Layouts::Inferred, None).unwrap();
        assert_eq!(md5(&types, Topic::Sensors), "547d0cf6cf799e035dff5847bb95c9dd");
        assert_eq!(md5(&types, Topic::Control), "a7fe7133b3cfa531711139959c58d5fd");
    }

    fn names(folder: &str) -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/miro").join(folder);
        let files = std::fs::read_dir(folder).unwrap();
        let files = files
            .map(|file| file.unwrap().path())
            .filter(|file| file.extension().is_some_and(|it| it == "msg"));
        let mut names: Vec<_> =
            files.map(|file| format!("miro_msgs/{}", file.file_stem().unwrap().to_str().unwrap())).collect();
        names.sort();
        names
    }

    #[test]
    fn every_file_is_in_the_list() {
        for (folder, texts) in [("messages", MAKER), ("messages/inferred", INFERRED)] {
            assert_eq!(names(folder), texts.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_folder_of_one_s_own_decides_and_is_checked() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("platform_control.msg"), "std_msgs/Header header\nfloat32 tail\n")
            .unwrap();
        let types = Types::load(Layouts::Maker, Some(folder.path())).unwrap();
        assert_ne!(md5(&types, Topic::Control), "772dcaa16082fd0df16a4baa9867cf17");
        assert_eq!(md5(&types, Topic::Sensors), "547d0cf6cf799e035dff5847bb95c9dd");
        std::fs::write(folder.path().join("platform_mics.msg"), "int16[] data\nint32 no name\n").unwrap();
        let problem = Types::load(Layouts::Maker, Some(folder.path())).unwrap_err().to_string();
        assert!(problem.contains("platform_mics.msg") && problem.contains('2'), "{problem}");
        assert!(
            Types::load(Layouts::Maker, Some(&folder.path().join("nowhere")))
                .unwrap_err()
                .to_string()
                .contains("nowhere")
        );
    }
}
