//! What the engine does with what it hears, without a broker or a world.

use std::time::Duration;

use latimer_core::model::Realities;
use latimer_core::{RobotId, Timestamp};
use latimer_mqtt::{Progress, Qos};
use latimer_simulator_api::{Arena, ArenaObstacle, ArenaShape};

use super::engine::{Effect, Engine, Request, Sense, Settings};
use crate::pera::config::{DefaultReality, Geometry, PeraConfig};
use crate::pera::messages::localization::Localization;
use crate::pera::roster::SwarmId;
use crate::pera::topic::Topic;
use crate::pera::wire::{Message, Reality};

fn config(text: &str) -> PeraConfig {
    toml::from_str(text).unwrap()
}

fn now() -> Timestamp {
    Timestamp::from_nanos(100_000_000_000)
}

fn wall(at_cm: [f64; 2], orientation_deg: f64, reality: Realities) -> ArenaObstacle {
    let shape = ArenaShape::Wall { width_cm: 180.0, height_cm: 8.0 };
    let color = "#404040".to_owned();
    ArenaObstacle { name: None, shape, at_cm, orientation_deg, color, reality }
}

fn arena(revision: u64) -> Arena {
    let east = wall([90.0, 90.0], -90.0, Realities::Virtual);
    let north = wall([-90.0, 90.0], 0.0, Realities::Real);
    let (bounds_cm, units) = ([-90.0, -90.0, 90.0, 90.0], "virtual".to_owned());
    Arena { frame: Some("arena".into()), bounds_cm, units, obstacles: vec![east, north], revision }
}

struct Swarm(Engine);

impl Swarm {
    fn new(text: &str) -> Self {
        let config = config(text);
        let mut engine = Engine::new(Settings::of(&config, "1f".to_owned()), config.roster);
        engine.set_arena(arena(1));
        Self(engine)
    }

    fn receive_kept(&mut self, name: &str, payload: &str, kept: bool) {
        let message = Message::read(&Topic::parse(name), payload.as_bytes()).unwrap();
        self.0.receive(&message, kept, now());
    }

    fn receive(&mut self, name: &str, payload: &str) -> &mut Self {
        self.receive_kept(name, payload, false);
        self
    }

    /// Published messages, as `topic payload`; the rest of the effects is dropped.
    fn sent(&mut self) -> Vec<String> {
        let sent = self.0.take_deeds().into_iter().filter_map(|effect| match effect {
            Effect::Say(message, ..) => Some(text(&message)),
            _ => None,
        });
        sent.collect()
    }

    /// All that wait, in the order of their turns.
    fn requests(&mut self) -> Vec<(SwarmId, Request)> {
        let mut taken = Vec::new();
        while !self.0.requests.is_empty() {
            taken.extend(self.0.requests.take(CONFIRMED));
        }
        taken
    }

    /// Answers all that wait by what the engine knows, readings by the reference's arithmetic.
    fn answers(&mut self) -> Vec<String> {
        let requests = self.requests();
        requests.iter().filter_map(|(id, request)| Some(text(&self.0.reckoned(*id, request)?))).collect()
    }
}

fn text(message: &Message) -> String {
    let (topic, payload) = message.write();
    format!("{topic} {}", String::from_utf8_lossy(&payload))
}

/// All that was published is confirmed.
const CONFIRMED: Progress = Progress { published: 0, confirmed: 0 };

const SPEAKS: &str = "simulator = true\ngeometry = 'reference'\n";

#[test]
fn robots_come_in_three_ways_and_are_answered() {
    let mut swarm = Swarm::new(SPEAKS);
    swarm.receive("robot/create", "{\"heading\":0.0,\"x\":10.0,\"y\":10.0,\"reality\":V,\"id\":11}");
    swarm.receive("robot/live", "{\"id\": 5,\"reality\":\"R\"}");
    swarm.receive("localization/update", "[{\"id\":\"7\",\"x\":\"60\",\"y\":\"0\",\"heading\":\"0\"}]");
    assert_eq!(swarm.0.take_deeds(), [Effect::Appear(11), Effect::Appear(5), Effect::Appear(7)]);
    swarm.receive("sensor/distance", "{\"id\":\"11\",\"dist\":\"12\"}");
    swarm.receive("sensor/color", "{\"id\":7,\"reality\":\"M\"}");
    swarm.receive("sensor/proximity", "{\"id\":5}");
    swarm.receive("sensor/distance", "{\"id\":99}");
    let answers = swarm.answers();
    assert_eq!(
        answers[..2],
        ["sensor/distance/11 42", "sensor/color/7 64 64 64 64"],
        "the robot at 60, 0 is met"
    );
    assert_eq!(answers[2], "sensor/proximity/5 51 #000000");
    assert_eq!(answers.len(), 3, "no answer names an unknown robot");
}

#[test]
fn who_moves_is_moved_and_who_turns_real_gets_another_body() {
    let mut swarm = Swarm::new(SPEAKS);
    let update = |swarm: &mut Swarm, fields: &str| {
        swarm.receive("localization/update", &format!("[{{\"id\":1,{fields}}}]"));
        swarm.0.take_deeds()
    };
    assert_eq!(update(&mut swarm, "\"x\":1,\"y\":2,\"heading\":3"), [Effect::Appear(1)]);
    assert_eq!(update(&mut swarm, "\"x\":1,\"y\":2,\"heading\":3"), []);
    assert_eq!(update(&mut swarm, "\"x\":9"), [Effect::Move(1)], "what is not said stays");
    let turned = update(&mut swarm, "\"x\":9,\"y\":2,\"heading\":3,\"reality\":\"R\"");
    assert_eq!(turned, [Effect::Leave(1), Effect::Appear(1)]);
    assert_eq!(update(&mut swarm, "\"x\":1e300"), [], "nobody is there");
    swarm.receive("localization", "1").receive("localization", "2");
    assert_eq!(swarm.answers(), ["localization/1 9 2 3"]);
    swarm.receive("localization/data/?", "V").receive("localization/data/?", "?");
    let whole = "localization/data [{\"id\":\"1\",\"x\":9,\"y\":2,\"heading\":3,\"reality\":\"R\"}]";
    assert_eq!(swarm.sent(), ["localization/data []", whole]);
}

#[test]
fn messages_reach_those_around_and_those_ahead() {
    let mut swarm = Swarm::new(SPEAKS);
    for (id, x, y) in [(1, 0, 0), (2, 50, 0), (3, 0, 50), (4, 80, 0)] {
        swarm.receive("robot/create", &format!("{{\"id\":{id},\"x\":{x},\"y\":{y},\"heading\":0}}"));
    }
    swarm.0.take_deeds();
    swarm.receive("comm/out/simple", "{\"id\":1,\"msg\":\"hi\"}");
    assert_eq!(swarm.answers(), ["comm/in/simple/2 hi", "comm/in/simple/3 hi"]);
    swarm.receive("comm/out/direct", "{\"id\":\"1\",\"msg\":\"hi\",\"dist\":100}");
    assert_eq!(swarm.answers(), ["comm/in/direct/2 hi", "comm/in/direct/4 hi"]);
    swarm.receive("comm/out/simple", "{\"id\":9,\"msg\":\"hi\"}");
    assert!(swarm.answers().is_empty());
}

#[test]
fn a_robot_may_hear_itself() {
    let mut swarm = Swarm::new(&format!("{SPEAKS}hears_itself = true"));
    swarm.receive("robot/live", "{\"id\":1}").receive("robot/live", "{\"id\":2}");
    swarm.0.take_deeds();
    swarm.receive("comm/out/simple", "{\"id\":1,\"msg\":\"hi\"}");
    assert_eq!(swarm.answers(), ["comm/in/simple/1 hi", "comm/in/simple/2 hi"]);
    swarm.receive("comm/out/direct", "{\"id\":1,\"msg\":\"hi\"}");
    assert!(!swarm.answers().iter().any(|it| it.contains("direct/1")), "nobody is ahead of itself");
    swarm.receive("comm/out/simple", "{\"id\":9,\"msg\":\"hi\"}");
    assert!(swarm.answers().is_empty());
}

#[test]
fn who_calls_without_end_keeps_nobody_waiting() {
    let mut swarm = Swarm::new(SPEAKS);
    for id in 0..500 {
        swarm.receive("robot/live", &format!("{{\"id\":{id}}}"));
    }
    for _ in 0..5_000 {
        swarm.receive("comm/out/simple", &format!("{{\"id\":1,\"msg\":\"{}\"}}", "a".repeat(64)));
        swarm.receive("localization", "1").receive("mgt/robots/snapshot", "{\"id\":1}");
    }
    swarm.receive("sensor/distance", "{\"id\":2}");
    let mut is_reachable = |id: SwarmId| {
        let (topic, call) = (Topic::parse("comm/out/direct"), format!("{{\"id\":{id},\"msg\":\"hi\"}}"));
        swarm.0.receive(&Message::read(&topic, call.as_bytes()).unwrap(), false, now())
    };
    assert!(!is_reachable(1) && is_reachable(3), "what is left out is heard by nobody");
    let effects = swarm.0.take_deeds();
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Say(..))), "all of it waits for its turn");
    let turn: Vec<_> = swarm.0.requests.take(CONFIRMED).into_iter().map(|(id, _)| id).collect();
    assert_eq!(turn, [1, 2, 3, 1, 3, 1, 3, 1, 3]);
}

#[test]
fn nobody_is_silent_while_the_broker_is_away() {
    let mut swarm = Swarm::new(&format!("{SPEAKS}heartbeat_s = 30.0\nprune_s = 360.0"));
    swarm.receive("robot/live", "{\"id\":1}");
    swarm.0.take_deeds();
    swarm.0.lose_broker();
    let late = now().after(Duration::from_secs(4_000));
    swarm.0.tick(late);
    assert!(swarm.0.take_deeds().is_empty());
    assert!(swarm.0.next_beat(late).is_some_and(|next| next > late), "it waits for the next beat");
    swarm.0.greet(late);
    swarm.0.take_deeds();
    swarm.0.tick(late.after(Duration::from_secs(300)));
    assert!(!swarm.0.take_deeds().contains(&Effect::Leave(1)));
    swarm.0.tick(late.after(Duration::from_secs(600)));
    assert!(swarm.0.take_deeds().contains(&Effect::Leave(1)));
}

#[test]
fn the_gateways_own_robots_are_heard_though_they_know_no_place() {
    let config = config(SPEAKS);
    let mut swarm = Swarm(Engine::new(Settings::of(&config, "1f".to_owned()), config.roster.clone()));
    swarm.receive("sensor/distance", "{\"id\":40}");
    assert!(swarm.requests().is_empty(), "nobody is 40 yet");
    assert!(config.roster.serve(40, &RobotId::new("rover").unwrap()));
    swarm.receive("sensor/distance", "{\"id\":40}").receive("sensor/distance", "{\"id\":41}");
    let (id, request) = swarm.requests().pop().unwrap();
    assert_eq!((id, swarm.0.reckoned(id, &request)), (40, None), "there is no place to reckon from");
    assert!(swarm.0.requests.is_empty());
}

#[test]
fn the_roll_is_called_and_the_silent_are_struck_off() {
    let mut swarm = Swarm::new(&format!("{SPEAKS}heartbeat_s = 30.0\nprune_s = 360.0"));
    swarm.receive("robot/live", "{\"id\":1}");
    swarm.0.take_deeds();
    let start = now();
    assert_eq!(swarm.0.next_beat(start), Some(Timestamp::from_nanos(120_000_000_000)));
    swarm.0.tick(start.after(Duration::from_secs(21)));
    assert_eq!(swarm.sent(), ["robot/msg/broadcast ID? -1"]);
    let late = start.after(Duration::from_secs(400));
    swarm.0.tick(late);
    let effects = swarm.0.take_deeds();
    assert!(effects.contains(&Effect::Leave(1)));
    let delete = Effect::Say(Message::Delete(1), Qos::ExactlyOnce, false);
    assert!(effects.contains(&delete), "{effects:?}");
    assert!(swarm.receive("localization", "1").answers().is_empty());
}

#[test]
fn the_arena_is_published_at_the_start_and_when_it_changes() {
    let mut swarm = Swarm::new(SPEAKS);
    swarm.0.greet(now());
    let effects = swarm.0.take_deeds();
    let sent = effects.iter().map(|effect| match effect {
        Effect::Say(message, qos, kept) => (text(message), *qos, *kept),
        other => panic!("{other:?}"),
    });
    let sent: Vec<_> = sent.collect();
    let arena_text =
        "config/arena/ {\"xMin\":-90,\"xMax\":90,\"yMin\":-90,\"yMax\":90,\"units\":\"virtual\"}";
    assert_eq!(sent[0], ("robot/msg/broadcast ID? -1".to_owned(), Qos::AtLeastOnce, false));
    assert_eq!(sent[1], ("obstacles/delete/all ?".to_owned(), Qos::ExactlyOnce, false));
    assert_eq!(sent[2], (arena_text.to_owned(), Qos::AtMostOnce, true));
    swarm.0.introduce(now());
    let sent = swarm.sent();
    assert!(sent[0].starts_with("obstacles [{\"id\":") && sent[0].contains("(Wall)"), "{sent:?}");
    assert_eq!(sent[1], "service/discovery {\"uuid\":\"1f\",\"timestamp\":\"1970-01-01T00:01:40.000Z\"}");
    swarm.receive("obstacles/?", "R");
    let Effect::Say(Message::Obstacles(real), Qos::ExactlyOnce, true) = &swarm.0.take_deeds()[0] else {
        panic!()
    };
    assert_eq!((real.len(), real[0].position.x.0), (1, 0.0), "a wall's middle");
    // Only what changed gets another name.
    swarm.receive("obstacles/?", "M");
    let before = swarm.sent();
    let mut moved = arena(2);
    moved.obstacles[1].at_cm = [-90.0, 80.0];
    swarm.0.set_arena(moved);
    let sent = swarm.sent();
    assert_eq!(sent[..2], [arena_text, "obstacles/delete/all ?"]);
    assert_eq!(sent[2][..50], before[0][..50]);
    swarm.0.set_arena(arena(2));
    assert!(swarm.sent().is_empty(), "the same revision is the same arena");
}

#[test]
fn realities_are_as_asked_or_as_the_config_says() {
    let asked = |config: &str, robot: &str, request: &str| {
        let mut swarm = Swarm::new(&format!("simulator = true\n{config}"));
        swarm.receive("robot/live", &format!("{{\"id\":1,\"reality\":\"{robot}\"}}"));
        swarm.receive("sensor/distance", &format!("{{\"id\":1{request}}}"));
        match swarm.requests().pop() {
            Some((_, Request::Sense(Sense { realities, .. }))) => realities,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(config("").default_reality, DefaultReality::Virtual);
    assert_eq!(asked("", "V", ""), Realities::Virtual);
    assert_eq!(asked("", "R", ",\"reality\":\"R\""), Realities::Real);
    assert_eq!(asked("", "R", ",\"reality\":\"odd\""), Realities::Mixed);
    let reference = "default_reality = 'reference'";
    assert_eq!(asked(reference, "V", ""), Realities::Mixed);
    assert_eq!(asked(reference, "R", ""), Realities::Virtual);
    assert_eq!(asked(reference, "V", ",\"reality\":\"V\""), Realities::Virtual);
}

#[test]
fn a_robot_without_a_full_place_is_virtual_whatever_it_says() {
    let reality = |topic: &str, fields: &str, whole: bool| {
        let mut swarm = Swarm::new(SPEAKS);
        let item = format!("{{\"id\":1,\"reality\":\"R\"{fields}}}");
        swarm.receive(topic, &if whole { item } else { format!("[{item}]") });
        let member = swarm.0.members.get(1).unwrap();
        let Localization { x, y, heading } = member.place;
        (member.reality, [x, y, heading])
    };
    for (fields, expected) in [
        (",\"x\":1,\"y\":2,\"heading\":3", (Reality::R, [1.0, 2.0, 3.0])),
        (",\"x\":1,\"y\":2", (Reality::V, [0.0; 3])),
        (",\"x\":1,\"heading\":3", (Reality::V, [0.0; 3])),
        (",\"y\":2,\"heading\":3", (Reality::V, [0.0; 3])),
        ("", (Reality::V, [0.0; 3])),
    ] {
        assert_eq!(reality("robot/create", fields, true), expected, "{fields}");
        assert_eq!(reality("localization/update", fields, false), expected, "{fields}");
    }
    assert_eq!(reality("robot/live", "", true).0, Reality::R, "it never says a place");
}

#[test]
fn a_snapshot_holds_what_a_robot_received_last() {
    let mut swarm = Swarm::new(SPEAKS);
    let place = "\"x\":1.234567,\"y\":-51.825,\"heading\":-0.125";
    swarm.receive("robot/create", &format!("{{\"id\":0,{place},\"reality\":\"R\"}}"));
    let snapshot = |distance: &str| {
        format!(
            "mgt/robots/? {{\"id\":0,\"reality\":\"R\",\
             \"coordinates\":{{\"x\":1.23,\"y\":-51.82,\"heading\":-0.12}},\
             \"live\":\"05:31:40\",\"data\":{{{distance}}}}}"
        )
    };
    swarm.receive("mgt/robots/snapshot", "{\"id\":0}");
    assert_eq!(swarm.answers(), [snapshot("")], "in Colombo it is half past five at midnight UTC");
    swarm.receive("sensor/distance", "{\"id\":0}");
    let (id, request) = swarm.requests().pop().unwrap();
    let reported = swarm.0.reckoned(id, &request).unwrap();
    swarm.0.remember(&reported);
    swarm.receive("mgt/robots/snapshot", "{\"id\":0}").receive("mgt/robots/snapshot", "{\"id\":8}");
    assert_eq!(swarm.answers(), [snapshot("\"distance\":83")]);
}

#[test]
fn what_the_broker_kept_counts_only_where_robots_keep_it() {
    let mut swarm = Swarm::new(SPEAKS);
    swarm.receive_kept("robot/live", "{\"id\":1}", true);
    swarm.receive_kept("robot/create", "{\"id\":2,\"x\":1,\"y\":1,\"heading\":1}", true);
    swarm.receive_kept("sensor/distance", "{\"id\":2}", true);
    assert_eq!(swarm.0.take_deeds(), [Effect::Appear(2)]);
    assert!(swarm.0.requests.is_empty());
}

#[test]
fn a_full_swarm_turns_away() {
    let mut swarm = Swarm::new(&format!("{SPEAKS}max_robots = 100"));
    for id in 0..10_000 {
        swarm.receive("robot/live", &format!("{{\"id\":{id}}}"));
    }
    assert_eq!(swarm.0.take_deeds().len(), 100);
    swarm.receive("sensor/distance", "{\"id\":9999}");
    assert!(swarm.0.requests.is_empty());
}

#[test]
fn an_observer_learns_and_says_nothing() {
    let mut swarm = Swarm::new("observe = true");
    assert_eq!(config("").geometry, Geometry::Exact);
    swarm.receive("sensor/distance", "{\"id\":3,\"dist\":7}");
    swarm.receive("localization/data", "[{\"id\":\"4\",\"x\":1,\"y\":2,\"heading\":3,\"reality\":\"R\"}]");
    swarm.receive("localization/4", "5 6 7");
    swarm
        .receive("localization", "4")
        .receive("obstacles/?", "M")
        .receive("comm/out/simple", "{\"id\":3,\"msg\":\"x\"}");
    swarm.receive("robot/delete", "3");
    assert_eq!(
        swarm.0.take_deeds(),
        [Effect::Appear(3), Effect::Appear(4), Effect::Move(4), Effect::Leave(3)]
    );
    swarm.0.greet(now());
    swarm.0.introduce(now());
    swarm.0.tick(now());
    swarm.0.tick(now().after(Duration::from_secs(3_000)));
    assert_eq!(swarm.0.take_deeds(), [Effect::Leave(4)]);
    assert!(swarm.0.requests.is_empty());
}

#[test]
fn what_everybody_hears_is_answered_to_all_who_ask_at_once() {
    let mut swarm = Swarm::new(SPEAKS);
    let places = |sent: Vec<String>| sent.iter().filter(|it| it.starts_with("localization/data ")).count();
    for _ in 0..1_000 {
        swarm.receive("localization/data/?", "V").receive("localization/data/?", "nonsense");
    }
    assert_eq!(places(swarm.sent()), 2, "of two realities, the first question at once");
    let next = swarm.0.next_beat(now()).unwrap();
    assert!(next <= now().after(Duration::from_millis(100)), "the others soon");
    swarm.0.tick(next);
    assert_eq!(places(swarm.sent()), 2);
    swarm.0.tick(next.after(Duration::from_secs(1)));
    assert_eq!(places(swarm.sent()), 0, "nobody asked again");
}
