//! The topics: what each is called, with the channel in front and without.

use std::fmt;

use super::roster::SwarmId;

/// What begins every topic at a broker: a word, and the slash behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel(String);

impl Channel {
    /// A channel; `v1` and `v1/` are the same.
    pub fn new(word: &str) -> Self {
        Self(format!("{}/", word.trim_matches('/')))
    }

    /// A topic or a filter as the broker knows it.
    pub fn join(&self, topic: &str) -> String {
        format!("{}{}", self.0, topic.trim_start_matches('/'))
    }

    /// A topic without the channel; `None` if it is of another one.
    pub fn strip<'a>(&self, topic: &'a str) -> Option<&'a str> {
        topic.strip_prefix(&self.0)
    }

    /// Which topic a name at the broker is; `None` if it is of another channel.
    pub fn topic(&self, name: &str) -> Option<Topic> {
        self.strip(name).map(Topic::parse)
    }
}

/// What a robot senses with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sensor {
    /// How far it is ahead.
    Distance,
    /// The colour ahead.
    Color,
    /// Both, in several directions.
    Proximity,
    /// The heading.
    Compass,
}

impl Sensor {
    /// Every sensor.
    pub const ALL: [Self; 4] = [Self::Distance, Self::Color, Self::Proximity, Self::Compass];

    /// Its word in topics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Color => "color",
            Self::Proximity => "proximity",
            Self::Compass => "compass",
        }
    }

    fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sensor| sensor.as_str() == word)
    }
}

/// Whom a robot's message reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Those around it.
    Simple,
    /// Those ahead of it.
    Direct,
}

impl Reach {
    /// Its word in topics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Direct => "direct",
        }
    }

    fn of(word: &str) -> Option<Self> {
        [Self::Simple, Self::Direct].into_iter().find(|reach| reach.as_str() == word)
    }
}

/// A topic, without the channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// `robot/create`: a robot introduces itself.
    Create,
    /// `robot/live`: a robot shows that it is there.
    Live,
    /// `robot/delete`: a robot was taken out.
    Delete,
    /// `robot/msg/{id}`: an order to a robot.
    Order(SwarmId),
    /// `robot/msg/broadcast`: an order to all.
    OrderAll,
    /// `robot/log`: what a robot notes.
    Log,
    /// `robot/ota/{id}`: where a robot gets its program from.
    Ota(SwarmId),
    /// `localization`: a robot asks where it is.
    Localization,
    /// `localization/{id}`: where it is.
    LocalizationOf(SwarmId),
    /// `localization/update`: where robots are.
    LocalizationUpdate,
    /// `localization/update/?`: all shall tell where they are.
    LocalizationUpdateAsked,
    /// `localization/data/?`: somebody asks for the whole swarm.
    LocalizationDataAsked,
    /// `localization/data`: the whole swarm.
    LocalizationData,
    /// `sensor/{sensor}`: a robot's own reading, and its wish for the simulator's.
    Sensor(Sensor),
    /// `sensor/{sensor}/{id}`: the simulator's reading for a robot.
    SensorOf(Sensor, SwarmId),
    /// `sensor/{sensor}/{id}/?`: a robot shall tell its reading.
    SensorAsked(Sensor, SwarmId),
    /// `comm/out/{reach}`: a robot says something.
    CommOut(Reach),
    /// `comm/in/{reach}/{id}`: a message that reaches a robot.
    CommIn(Reach, SwarmId),
    /// `output/neopixel`: the colour of a robot's lamp.
    Neopixel,
    /// `output/neopixel/{id}`: the colour that it shall have.
    NeopixelOf(SwarmId),
    /// `obstacles/?`: somebody asks what stands around.
    ObstaclesAsked,
    /// `obstacles`: what stands around.
    Obstacles,
    /// `obstacles/delete`: one is gone.
    ObstaclesDelete,
    /// `obstacles/delete/all`: all are gone.
    ObstaclesDeleteAll,
    /// `config/arena/`: how large the arena is.
    Arena,
    /// `mgt/robots/snapshot`: somebody asks for all that is known of a robot.
    SnapshotAsked,
    /// `mgt/robots/?`: all that is known of a robot.
    Snapshot,
    /// `mgt/visualizer`: a word to those who show the swarm.
    Visualizer,
    /// `service/discovery`: a simulator shows that it is there.
    Discovery,
    /// `service/terminate/{uuid}`: a simulator shall end.
    Terminate(String),
    /// `test`: a pose to be printed.
    Test,
    /// Any other.
    Unknown(String),
}

impl Topic {
    /// The topic of a name without the channel; a slash too many at either end is no matter.
    pub fn parse(name: &str) -> Self {
        let levels: Vec<&str> = name.trim_matches('/').split('/').take(6).collect();
        Self::of_levels(&levels).unwrap_or_else(|| Self::Unknown(name.to_owned()))
    }

    /// Whom it is for, if it names a robot.
    pub const fn robot(&self) -> Option<SwarmId> {
        match self {
            Self::Order(id)
            | Self::Ota(id)
            | Self::LocalizationOf(id)
            | Self::SensorOf(_, id)
            | Self::SensorAsked(_, id)
            | Self::CommIn(_, id)
            | Self::NeopixelOf(id) => Some(*id),
            _ => None,
        }
    }

    /// Whether its messages are of one robot each.
    pub const fn is_of_one(&self) -> bool {
        let is_said_by_one = matches!(
            self,
            Self::Create
                | Self::Live
                | Self::Delete
                | Self::Log
                | Self::Localization
                | Self::Sensor(_)
                | Self::CommOut(_)
                | Self::Neopixel
                | Self::SnapshotAsked
                | Self::Snapshot
        );
        is_said_by_one || self.robot().is_some()
    }

    fn of_levels(levels: &[&str]) -> Option<Self> {
        Some(match *levels {
            ["robot", "create"] => Self::Create,
            ["robot", "live"] => Self::Live,
            ["robot", "delete"] => Self::Delete,
            ["robot", "msg", "broadcast"] => Self::OrderAll,
            ["robot", "msg", id] => Self::Order(number(id)?),
            ["robot", "log"] => Self::Log,
            ["robot", "ota", id] => Self::Ota(number(id)?),
            ["localization"] => Self::Localization,
            ["localization", "update"] => Self::LocalizationUpdate,
            ["localization", "update", "?"] => Self::LocalizationUpdateAsked,
            ["localization", "data", "?"] => Self::LocalizationDataAsked,
            ["localization", "data"] => Self::LocalizationData,
            ["localization", id] => Self::LocalizationOf(number(id)?),
            ["sensor", sensor] => Self::Sensor(Sensor::of(sensor)?),
            ["sensor", sensor, id] => Self::SensorOf(Sensor::of(sensor)?, number(id)?),
            ["sensor", sensor, id, "?"] => Self::SensorAsked(Sensor::of(sensor)?, number(id)?),
            ["comm", "out", reach] => Self::CommOut(Reach::of(reach)?),
            ["comm", "in", reach, id] => Self::CommIn(Reach::of(reach)?, number(id)?),
            ["output", "neopixel"] => Self::Neopixel,
            ["output", "neopixel", id] => Self::NeopixelOf(number(id)?),
            ["obstacles", "?"] => Self::ObstaclesAsked,
            ["obstacles"] => Self::Obstacles,
            ["obstacles", "delete"] => Self::ObstaclesDelete,
            ["obstacles", "delete", "all"] => Self::ObstaclesDeleteAll,
            ["config", "arena"] => Self::Arena,
            ["mgt", "robots", "snapshot"] => Self::SnapshotAsked,
            ["mgt", "robots", "?"] => Self::Snapshot,
            ["mgt", "visualizer"] => Self::Visualizer,
            ["service", "discovery"] => Self::Discovery,
            ["service", "terminate", uuid] => Self::Terminate(uuid.to_owned()),
            ["test"] => Self::Test,
            _ => return None,
        })
    }
}

/// A robot's number; one in another spelling, such as `+1` or `01`, would be answered where nobody listens.
fn number(text: &str) -> Option<SwarmId> {
    let plain = text == "0" || !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Create => "robot/create",
            Self::Live => "robot/live",
            Self::Delete => "robot/delete",
            Self::Order(id) => return write!(f, "robot/msg/{id}"),
            Self::OrderAll => "robot/msg/broadcast",
            Self::Log => "robot/log",
            Self::Ota(id) => return write!(f, "robot/ota/{id}"),
            Self::Localization => "localization",
            Self::LocalizationOf(id) => return write!(f, "localization/{id}"),
            Self::LocalizationUpdate => "localization/update",
            Self::LocalizationUpdateAsked => "localization/update/?",
            Self::LocalizationDataAsked => "localization/data/?",
            Self::LocalizationData => "localization/data",
            // The only one whose robots write a slash behind it.
            Self::Sensor(Sensor::Compass) => "sensor/compass/",
            Self::Sensor(sensor) => return write!(f, "sensor/{}", sensor.as_str()),
            Self::SensorOf(sensor, id) => return write!(f, "sensor/{}/{id}", sensor.as_str()),
            Self::SensorAsked(sensor, id) => return write!(f, "sensor/{}/{id}/?", sensor.as_str()),
            Self::CommOut(reach) => return write!(f, "comm/out/{}", reach.as_str()),
            Self::CommIn(reach, id) => return write!(f, "comm/in/{}/{id}", reach.as_str()),
            Self::Neopixel => "output/neopixel",
            Self::NeopixelOf(id) => return write!(f, "output/neopixel/{id}"),
            Self::ObstaclesAsked => "obstacles/?",
            Self::Obstacles => "obstacles",
            Self::ObstaclesDelete => "obstacles/delete",
            Self::ObstaclesDeleteAll => "obstacles/delete/all",
            Self::Arena => "config/arena/",
            Self::SnapshotAsked => "mgt/robots/snapshot",
            Self::Snapshot => "mgt/robots/?",
            Self::Visualizer => "mgt/visualizer",
            Self::Discovery => "service/discovery",
            Self::Terminate(uuid) => return write!(f, "service/terminate/{uuid}"),
            Self::Test => "test",
            Self::Unknown(name) => name,
        };
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_topics_are_one_to_one() {
        let names = "robot/create robot/live robot/delete robot/msg/3 robot/msg/broadcast robot/log robot/ota/3 \
                     localization localization/3 localization/update localization/update/? localization/data/? \
                     localization/data sensor/distance sensor/color sensor/proximity sensor/compass/ \
                     sensor/distance/3 sensor/color/3 sensor/proximity/3 sensor/distance/3/? sensor/color/3/? \
                     sensor/compass/3/? comm/out/simple comm/out/direct comm/in/simple/3 comm/in/direct/3 \
                     output/neopixel output/neopixel/3 obstacles/? obstacles obstacles/delete \
                     obstacles/delete/all config/arena/ mgt/robots/snapshot mgt/robots/? mgt/visualizer \
                     service/discovery service/terminate/1f-2 test";
        for name in names.split_whitespace() {
            let topic = Topic::parse(name);
            assert!(!matches!(topic, Topic::Unknown(_)), "{name}");
            assert_eq!(topic.to_string(), name);
            assert_eq!(topic.robot(), name.contains("/3").then_some(3), "{name}");
        }
    }

    #[test]
    fn a_slash_too_many_is_no_matter_but_another_number_is() {
        assert_eq!(Topic::parse("/sensor/distance/"), Topic::Sensor(Sensor::Distance));
        assert_eq!(Topic::parse("sensor/compass"), Topic::Sensor(Sensor::Compass));
        assert_eq!(Topic::parse("localization/0"), Topic::LocalizationOf(0));
        for name in
            ["", "sensor/sonar", "robot/msg/+1", "robot/msg/01", "robot/msg/99999999999", "a/b/c/d/e/f/g"]
        {
            assert_eq!(Topic::parse(name), Topic::Unknown(name.to_owned()));
        }
    }

    #[test]
    fn exactly_one_slash_is_behind_the_channel() {
        for word in ["v1", "v1/"] {
            let channel = Channel::new(word);
            assert_eq!(channel.join("sensor/distance"), "v1/sensor/distance");
            assert_eq!(channel.topic("v1/robot/live"), Some(Topic::Live));
            assert_eq!(channel.strip("v10/robot/live"), None);
        }
    }
}
