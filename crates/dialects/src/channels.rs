//! Where a dialect's messages are at an MQTT broker, as data: what goes over which topic, and in which form.
//!
//! What a channel's messages tell of the model stands with it, and is the dialect's table of messages.

use latimer_core::model::Kind;
use latimer_core::model::signal::TextChannel;

use crate::table::{Fields, MessageInfo};

/// The topics of a dialect.
#[derive(Clone, Copy, Debug)]
pub struct Channels {
    /// What stands before each topic, such as `{channel}/`; empty if nothing does.
    pub prefix: &'static str,
    /// What stands in braces.
    pub parameters: &'static [Parameter],
    /// Every topic.
    pub list: &'static [Channel],
}

/// A level of a topic that differs from robot to robot or from swarm to swarm.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// What stands in braces.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// Such as this.
    pub example: &'static str,
}

/// One topic.
#[derive(Clone, Copy, Debug)]
pub struct Channel {
    /// The topic without the prefix, e.g. `sensor/distance/{id}`.
    pub address: &'static str,
    /// What its messages contain.
    pub summary: &'static str,
    /// Who publishes.
    pub way: Way,
    /// How a payload is written.
    pub form: PayloadEncoding,
    /// The quality of service with which the gateway publishes or subscribes.
    pub qos: u8,
    /// Whether the broker keeps the last message.
    pub retained: bool,
    /// Payloads.
    pub examples: &'static [&'static str],
    /// The kinds that it tells.
    pub kinds: &'static [Kind],
    /// The only parts that it tells of; empty if it tells of any.
    pub parts: &'static [&'static str],
    /// Which way the texts come that it tells; empty if it tells all.
    pub texts: &'static [TextChannel],
    /// What is in it, if that is described.
    pub fields: Fields,
}

/// Who publishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The gateway.
    Sent,
    /// Others, and the gateway listens.
    Taken,
    /// The gateway in one of its places, others in another.
    Both,
}

/// How a payload is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayloadEncoding {
    /// JSON.
    Json,
    /// A text of this form.
    Text(&'static str),
}

impl Channel {
    /// JSON that is published by anybody, at most once, and not kept.
    pub const fn json(
        address: &'static str,
        way: Way,
        summary: &'static str,
        examples: &'static [&'static str],
    ) -> Self {
        let (form, kinds, fields) = (PayloadEncoding::Json, &[], Fields::Described(&[]));
        let (qos, retained, parts, texts) = (0, false, &[], &[]);
        Self { address, summary, way, form, qos, retained, examples, kinds, parts, texts, fields }
    }

    /// A text.
    pub const fn text(
        address: &'static str,
        way: Way,
        summary: &'static str,
        form: &'static str,
        examples: &'static [&'static str],
    ) -> Self {
        Self { form: PayloadEncoding::Text(form), ..Self::json(address, way, summary, examples) }
    }

    /// The same with what it tells.
    #[must_use]
    pub const fn of_signals(self, kinds: &'static [Kind], fields: Fields) -> Self {
        Self { kinds, fields, ..self }
    }

    /// The same, of these parts only.
    #[must_use]
    pub const fn of_parts(self, parts: &'static [&'static str]) -> Self {
        Self { parts, ..self }
    }

    /// The same, of texts that come these ways only.
    #[must_use]
    pub const fn of_texts(self, texts: &'static [TextChannel]) -> Self {
        Self { texts, ..self }
    }

    /// The same with this quality of service.
    #[must_use]
    pub const fn qos(self, qos: u8) -> Self {
        Self { qos, ..self }
    }

    /// The same, kept by the broker.
    #[must_use]
    pub const fn retained(self) -> Self {
        Self { retained: true, ..self }
    }
}

impl Channels {
    /// How many of them tell something of the model.
    pub const fn with_signals(&self) -> usize {
        let (mut count, mut i) = (0, 0);
        while i < self.list.len() {
            count += !self.list[i].kinds.is_empty() as usize;
            i += 1;
        }
        count
    }

    /// The messages of those, `N` of them.
    pub const fn messages<const N: usize>(&self) -> [MessageInfo; N] {
        let mut messages = [MessageInfo::EMPTY; N];
        let (mut count, mut i) = (0, 0);
        while i < self.list.len() {
            let Channel { address: topic, summary, kinds, parts, texts, fields, .. } = self.list[i];
            if !kinds.is_empty() {
                messages[count] =
                    MessageInfo { topic, kinds, parts, texts, summary, fields, ..MessageInfo::EMPTY };
                count += 1;
            }
            i += 1;
        }
        messages
    }

    /// Whether any of the topics matches a topic or a filter of MQTT, whatever stands in its braces.
    pub fn touches(&self, filter: &str) -> bool {
        self.list.iter().any(|channel| {
            let prefix = self.prefix.split('/').take(self.prefix.matches('/').count());
            meet(prefix.chain(channel.address.split('/')), filter.split('/'))
        })
    }

    /// The parameter that stands in braces.
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|it| it.name == name)
    }
}

/// Whether a topic with braces and a filter have a topic in common.
fn meet<'a>(topic: impl Iterator<Item = &'a str>, filter: impl Iterator<Item = &'a str>) -> bool {
    let (mut topic, mut filter) = (topic, filter);
    loop {
        match (topic.next(), filter.next()) {
            // It also stands for no level.
            (_, Some("#")) | (None, None) => return true,
            (Some(level), Some(wanted))
                if wanted == "+" || level == wanted || (level.starts_with('{') && !wanted.is_empty()) => {}
            _ => return false,
        }
    }
}

/// What stands in braces in a topic.
pub fn parameters_of(topic: &str) -> impl Iterator<Item = &str> {
    topic.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::DIALECTS;

    #[test]
    fn filters_meet_the_topics_that_they_match() {
        let all = || DIALECTS.iter().filter_map(|entry| entry.channels);
        // One has topics by swarm and robot, the other four that are the same everywhere.
        let named = all().find(|channels| !channels.prefix.is_empty()).unwrap();
        let fixed = all().find(|channels| channels.prefix.is_empty()).unwrap();
        for (filter, by_name, by_itself) in [
            ("v1/robot/msg/3", true, false),
            ("other/sensor/distance/3/?", true, false),
            ("v1/robot/msg/3/4", false, false),
            ("v1/#", true, false),
            ("+/robot/+", true, false),
            ("/robots/status", false, true),
            ("/robots/+", false, true),
            ("/#", false, true),
            ("#", true, true),
            ("+/+/+", true, true),
            ("weather", false, false),
        ] {
            let met = [named.touches(filter), fixed.touches(filter)];
            assert_eq!(met, [by_name, by_itself], "{filter}");
        }
    }

    #[test]
    fn every_channel_is_documented_completely() {
        for entry in DIALECTS {
            let Some(channels) = &entry.channels else { continue };
            let mut known = BTreeSet::new();
            for channel in channels.list {
                let at = format!("{} {}", entry.name, channel.address);
                assert!(known.insert(channel.address), "{at} stands twice");
                assert!(channel.summary.ends_with('.') && !channel.examples.is_empty(), "{at}");
                assert!(channel.qos <= 2, "{at}");
                for name in parameters_of(channels.prefix).chain(parameters_of(channel.address)) {
                    assert!(channels.parameter(name).is_some(), "{at}: {name}");
                }
                for example in channel.examples {
                    let json = serde_json::from_str::<serde_json::Value>(example);
                    assert!(json.is_ok() || channel.form != PayloadEncoding::Json, "{at}: {example}");
                }
            }
        }
    }
}
