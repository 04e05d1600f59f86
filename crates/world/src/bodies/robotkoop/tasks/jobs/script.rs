//! A job played step by step in a test, each step as `reports | act`.

use latimer_core::model::TaskRequest;
use latimer_core::model::signal::{Task, TaskState};

use super::{Job, JobContext, job};
use crate::bodies::robotkoop::tasks::request::tests::request;
use crate::bodies::robotkoop::tasks::{Act, ActFailure, Event, Memory, Voice, memory::tests::flat};

/// A job and what it knows.
pub(super) struct Script {
    request: TaskRequest,
    job: Box<dyn Job>,
    pub(super) memory: Memory,
    carried: Vec<String>,
    pub(super) speech: Vec<String>,
}

impl Script {
    pub(super) fn new(kind: &str, parameters: &[(&str, &str)]) -> Self {
        Self::in_world(kind, parameters, flat())
    }

    pub(super) fn in_world(kind: &str, parameters: &[(&str, &str)], memory: Memory) -> Self {
        let request = request(kind, parameters);
        let job = job(&request, &memory).unwrap();
        Self { request, job, memory, carried: Vec::new(), speech: Vec::new() }
    }

    pub(super) fn carries(&mut self, thing: &str) -> &mut Self {
        self.carried.push(thing.to_owned());
        self
    }

    pub(super) fn begins(&mut self, expected: &str) -> &mut Self {
        self.play(Event::Begin, expected)
    }

    pub(super) fn done(&mut self, expected: &str) -> &mut Self {
        self.play(Event::Done, expected)
    }

    pub(super) fn failed(&mut self, expected: &str) -> &mut Self {
        self.play(Event::Failed(ActFailure::Navigation("it failed".to_owned())), expected)
    }

    pub(super) fn silence(&mut self, expected: &str) -> &mut Self {
        self.play(Event::Silence, expected)
    }

    pub(super) fn saw(&mut self, things: &[&str], expected: &str) -> &mut Self {
        self.play(Event::Saw(things.iter().map(|it| (*it).to_owned()).collect()), expected)
    }

    pub(super) fn met(&mut self, name: Option<&str>, expected: &str) -> &mut Self {
        self.play(Event::Met(name.map(str::to_owned)), expected)
    }

    pub(super) fn answers(&mut self, parameters: &[(&str, &str)], expected: &str) -> &mut Self {
        self.play(Event::Answer(request("bring", parameters)), expected)
    }

    fn play(&mut self, event: Event, expected: &str) -> &mut Self {
        let mut reports = Vec::new();
        let act = self.job.go_on(
            event.clone(),
            &mut JobContext {
                memory: &mut self.memory,
                carried: &self.carried,
                at_m: [1.0, 1.0],
                voice: Voice::of(&self.request, &mut reports, &mut self.speech),
            },
        );
        let published: Vec<String> = reports.iter().map(word).collect();
        let published = [published.join(" "), name(&act)].into_iter().filter(|it| !it.is_empty());
        assert_eq!(published.collect::<Vec<_>>().join(" | "), expected, "after {event:?}");
        self
    }
}

fn word(task: &Task) -> String {
    let action = task.action.map_or(String::new(), |it| it.as_str().to_owned());
    let target = task.target.as_ref().map_or(String::new(), |it| format!(":{it}"));
    match task.state {
        TaskState::Progress => format!("{action}{target}"),
        TaskState::Assistance => {
            let offer = task.alternatives.iter().map(|it| format!("{} at {}", it.object, it.location));
            format!("assistance {action}{target} [{}]", offer.collect::<Vec<_>>().join(", "))
        }
        TaskState::Anomaly => {
            format!("anomaly {}[{}]", task.location.as_deref().unwrap(), task.objects.join(","))
        }
        state => panic!("a job does not say {state}"),
    }
}

fn name(act: &Act) -> String {
    match act {
        Act::Rest => "rest".to_owned(),
        Act::Think(_) => "think".to_owned(),
        Act::Go(place) => format!("go {place}"),
        Act::Meet => "meet".to_owned(),
        Act::Look => "look".to_owned(),
        Act::Reproduce(poses) => format!("reproduce {} poses", poses.len()),
        Act::Pick(thing) => format!("pick {thing}"),
        Act::Put { thing, place: Some(place) } => format!("put {thing} at {place}"),
        Act::Put { thing, place: None } => format!("put {thing} to somebody"),
        Act::Ask => "ask".to_owned(),
        Act::End(Ok(())) => "success".to_owned(),
        Act::End(Err(reason)) => format!("failure: {reason}"),
    }
}
