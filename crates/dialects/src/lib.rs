//! Robot protocols, one folder per dialect.
//!
//! To add one, copy [`example`], which only tests know, and add its `mod` and its line in [`DIALECTS`]. No dialect imports
//! another; what they share is here: [`body`] reads requests, [`config`] reads what all tables hold, [`listen`] serves HTTP ports, `served_port` a robot's own,
//! [`contract`] is what a dialect declares, [`describe`] and [`table`] what its messages mean, [`inspect`] holds messages against that, [`channels`] its topics at
//! a broker, [`lines`] what to paste to see them, [`pace`] how much one client may ask for, `throttled_warning` tells trouble now and then.

#[cfg(test)]
mod any_signal;
mod awaited;
pub mod axbot;
pub mod body;
mod broker;
pub mod channels;
pub mod config;
mod connection;
pub mod contract;
pub mod describe;
pub mod entrance;
pub mod example;
#[cfg(test)]
mod family_names;
#[cfg(test)]
mod golden;
pub mod inspect;
pub mod json;
mod kept_link;
mod late;
mod lenient_json;
pub mod limits;
pub mod lines;
mod link;
pub mod listen;
pub mod miro;
pub mod misty;
pub mod pace;
mod per_robot;
pub mod pera;
mod picture_size;
pub mod robotkoop;
pub mod rosbridge;
mod running;
mod served_port;
pub mod socket;
pub mod table;
mod throttled_warning;

use latimer_core::derive::Vocabulary;
use latimer_core::model::CallDescription;

pub use contract::{
    Answers, AnyDialect, BuildContext, Built, ClientMessage, Clients, Configured, Dialect, Endpoint, Entry,
    Offers, Sent, Status, Stream, Translated, Translator, Transport,
};

/// Every dialect.
pub static DIALECTS: &[&Entry] =
    &[&misty::ENTRY, &axbot::ENTRY, &pera::ENTRY, &robotkoop::ENTRY, &miro::ENTRY, &rosbridge::ENTRY];

/// The dialect of a name.
pub fn find(name: &str) -> Option<&'static Entry> {
    DIALECTS.iter().copied().find(|entry| entry.name == name)
}

/// The commands that one family alone has, of all dialects.
pub fn calls() -> impl Iterator<Item = &'static CallDescription> {
    DIALECTS.iter().flat_map(|entry| entry.calls).copied()
}

/// What programs of any family expect of a robot.
pub fn vocabulary() -> Vocabulary {
    Vocabulary::new(DIALECTS.iter().map(|entry| (entry.name, entry.profile().clone())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_is_in_the_registry() {
        let folders = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap();
        let folders =
            folders.map(|entry| entry.unwrap()).filter(|entry| entry.path().join("reference.toml").exists());
        let mut names: Vec<_> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        let known = DIALECTS.iter().copied().chain([&example::ENTRY]);
        let mut known: Vec<_> = known.map(|entry| entry.name.to_owned()).collect();
        known.sort();
        assert_eq!(names, known);
    }

    #[test]
    fn every_reference_is_a_config_when_its_examples_are_taken() {
        for entry in DIALECTS.iter().copied().chain([&example::ENTRY]) {
            let is_key = |line: &&str| {
                let word = |it: &str| it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
                line.starts_with('[') || line.split_once(" = ").is_some_and(|(key, _)| word(key))
            };
            let lines = entry.reference.lines();
            let taken = lines.map(|line| line.strip_prefix("# ").filter(is_key).unwrap_or(line));
            let text: String = taken.flat_map(|line| [line, "\n"]).collect();
            let table = &text.parse::<toml::Table>().unwrap()[entry.name];
            assert!(table.get("connect").is_some() && table.get("serve").is_some(), "{}", entry.name);
            let config = (entry.from_toml)(toml::de::ValueDeserializer::parse(&table.to_string()).unwrap());
            assert!(config.is_ok(), "{}: {config:?}", entry.name);
        }
    }
}
