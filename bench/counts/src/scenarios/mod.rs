//! What is counted. Each scenario is prepared, warmed up, and then counted some times.

mod decode;
mod encode;
mod hub;
mod mqtt;
mod ros1;
mod rosbridge;
mod samples;
mod world;

/// One operation.
type Run = Box<dyn FnMut()>;

/// An operation, and how often it is done.
#[derive(Debug)]
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// Makes what the operation needs; of that nothing is counted.
    pub(crate) prepare: fn() -> anyhow::Result<Run>,
    /// How often it is done before it is counted: caches are filled by then.
    pub(crate) warm_up: u32,
    /// How often it is counted; the table has the mean.
    pub(crate) times: u32,
}

const fn of(name: &'static str, prepare: fn() -> anyhow::Result<Run>, warm_up: u32, times: u32) -> Scenario {
    Scenario { name, prepare, warm_up, times }
}

/// All of them; those that take longest come first.
pub(crate) static ALL: &[Scenario] = &[
    of("world-40-mixed", world::mixed, world::WARM_UP_STEPS, world::STEPS),
    of("world-100-pera", world::swarm, world::WARM_UP_STEPS, world::STEPS),
    of("encode-miro", || encode::by("miro"), 1, encode::ROUNDS),
    of("encode-misty", || encode::by("misty"), 1, encode::ROUNDS),
    of("encode-axbot", || encode::by("axbot"), 1, encode::ROUNDS),
    of("encode-pera", || encode::by("pera"), 1, encode::ROUNDS),
    of("encode-robotkoop", || encode::by("robotkoop"), 1, encode::ROUNDS),
    of("encode-rosbridge", || encode::by("rosbridge"), 1, encode::ROUNDS),
    of("decode-miro", decode::miro, 1, decode::ROUNDS),
    of("decode-misty", decode::misty, 1, decode::ROUNDS),
    of("decode-axbot", decode::axbot, 1, decode::ROUNDS),
    of("decode-pera", decode::pera, 1, decode::ROUNDS),
    of("decode-robotkoop", decode::robotkoop, 1, decode::ROUNDS),
    of("decode-rosbridge", decode::rosbridge, 1, decode::ROUNDS),
    of("hub-publish", hub::publish, 1, hub::PUBLISHED),
    of("hub-deliver", hub::deliver, 1, hub::PUBLISHED),
    of("mqtt-route", mqtt::route, 5, mqtt::TURNS),
    of("rosbridge-publish-1000", rosbridge::publish, 5, rosbridge::TURNS),
    of("ros-frame", ros1::frame, 1, ros1::ROUNDS),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use latimer_dialects::DIALECTS;

    use super::*;

    #[test]
    fn every_dialect_is_encoded_and_decoded() {
        let names: BTreeSet<_> = ALL.iter().map(|scenario| scenario.name).collect();
        assert_eq!(names.len(), ALL.len());
        for entry in DIALECTS {
            for direction in ["encode", "decode"] {
                assert!(
                    names.contains(&*format!("{direction}-{}", entry.name)),
                    "{direction} of {}",
                    entry.name
                );
            }
        }
    }

    #[test]
    fn every_scenario_runs() {
        for scenario in ALL {
            let run = (scenario.prepare)();
            run.unwrap_or_else(|error| panic!("{}: {error:#}", scenario.name))();
        }
    }
}
