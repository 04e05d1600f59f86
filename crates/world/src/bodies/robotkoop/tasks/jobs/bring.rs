//! Brings a thing to a person or to a place.
//!
//! ```text
//!            known, or place given             there
//!  LookingUp ────────────────────▶ Fetching ─▶ Looking ─▶ Picking ─▶ Carrying ─▶ Placing ─▶ success
//!   │  ▲                              ▲           │ not there  │        (or Meeting ─▶ Handing)
//!   │  │                              │           ▼            └─ failed: given up
//!   │  │ answered        next place   └─────── searching: Musing, then place by place
//!   │  │                                          │ none left
//!   │  └──────────── Asking ◀──── Choosing ◀──────┘
//!   └─ not known: Musing             └─ nothing is alike: given up
//! ```
//!
//! What it carries already is not fetched. A blocked way is tried twice; then the task is given up, or,
//! in a search, the place is left out.

use latimer_core::model::signal::TaskAction;

use super::{Job, LOOK_UP_S, Mind, TRIES, TRY_AGAIN_S};
use crate::bodies::robotkoop::tasks::{Act, ActFailure, Event, TaskFailure};

/// How often it tries to hand a thing over to a person who walks off.
const HAND_TRIES: u32 = 3;

#[derive(Clone, Debug, PartialEq)]
enum Step {
    LookingUp,
    Musing,
    Fetching { place: String, tries: u32 },
    Looking { place: String },
    Picking,
    Choosing,
    Asking,
    Carrying { place: String, tries: u32 },
    Placing { place: String },
    Meeting { tries: u32 },
    Handing { name: Option<String>, tries: u32 },
}

/// The task.
pub(super) struct Bring {
    object: String,
    from: Option<String>,
    /// Where to; the asker if not given.
    to: Option<String>,
    step: Step,
    /// The places that a search has yet to visit, once there is a search.
    search: Option<Vec<String>>,
    /// A try that begins after a pause.
    waits: bool,
}

impl Bring {
    pub(super) fn new(object: &str, from: Option<String>, to: Option<String>) -> Self {
        Self { object: object.to_owned(), from, to, step: Step::LookingUp, search: None, waits: false }
    }

    fn begin(&mut self, mind: &mut Mind<'_>) -> Act {
        self.search = None;
        if mind.carried.contains(&self.object) {
            return self.deliver(mind);
        }
        if let Some(place) = self.from.clone() {
            return self.fetch(place, 0, mind);
        }
        mind.voice.act(TaskAction::SearchDatabase, &*self.object);
        self.step = Step::LookingUp;
        Act::Think(LOOK_UP_S)
    }

    fn fetch(&mut self, place: String, tries: u32, mind: &mut Mind<'_>) -> Act {
        mind.voice.act(TaskAction::Goto, &*place);
        self.step = Step::Fetching { place: place.clone(), tries };
        Act::Go(place)
    }

    /// Its place is unknown: it searches where such things usually are
    fn wonder(&mut self, mind: &mut Mind<'_>) -> Act {
        mind.voice.act(TaskAction::PositionUnknown, &*self.object);
        if let Some(category) = mind.memory.category_of(&self.object) {
            let category = category.to_owned();
            mind.voice.act(TaskAction::SearchCategory, category);
        }
        self.step = Step::Musing;
        Act::Think(LOOK_UP_S)
    }

    fn search(&mut self, mind: &mut Mind<'_>) -> Act {
        mind.voice.act(TaskAction::Search, &*self.object);
        let looked = match &self.step {
            Step::Looking { place } => Some(place.clone()),
            _ => None,
        };
        let mut order = mind.memory.search_order(&self.object, mind.at_m);
        order.retain(|place| Some(place) != looked.as_ref());
        order.reverse();
        self.search = Some(order);
        self.next_place(mind)
    }

    fn next_place(&mut self, mind: &mut Mind<'_>) -> Act {
        if let Some(place) = self.search.as_mut().and_then(Vec::pop) {
            return self.fetch(place, 0, mind);
        }
        mind.voice.act(TaskAction::NotFound, &*self.object);
        mind.voice.act(TaskAction::SearchAlternatives, &*self.object);
        self.step = Step::Choosing;
        Act::Think(LOOK_UP_S)
    }

    fn choose(&mut self, mind: &mut Mind<'_>) -> Act {
        let alternatives = mind.memory.instead_of(&self.object);
        let Some(first) = alternatives.first() else {
            return self.give_up(TaskFailure::NotFound(self.object.clone()), mind);
        };
        mind.voice.speak(format!("I did not find the {}. Shall I bring the {}?", self.object, first.object));
        mind.voice.assist(TaskAction::SearchAlternatives, &self.object, alternatives);
        self.step = Step::Asking;
        Act::Ask
    }

    fn saw(&mut self, place: &str, things: &[String], mind: &mut Mind<'_>) -> Act {
        mind.memory.saw(place, things);
        if things.contains(&self.object) {
            mind.voice.act(TaskAction::Found, &*self.object);
            mind.voice.act(TaskAction::Pick, &*self.object);
            self.step = Step::Picking;
            return Act::Pick(self.object.clone());
        }
        if self.search.is_some() {
            return self.next_place(mind);
        }
        mind.voice.act(TaskAction::NotFound, &*self.object);
        // It was looked for here just now, so the search begins elsewhere.
        self.search = Some(vec![place.to_owned()]);
        self.wonder(mind)
    }

    fn deliver(&mut self, mind: &mut Mind<'_>) -> Act {
        match self.to.clone() {
            Some(place) => self.carry(place, 0, mind),
            None => self.meet(0, mind),
        }
    }

    fn carry(&mut self, place: String, tries: u32, mind: &mut Mind<'_>) -> Act {
        mind.voice.act(TaskAction::Goto, &*place);
        self.step = Step::Carrying { place: place.clone(), tries };
        Act::Go(place)
    }

    fn meet(&mut self, tries: u32, mind: &mut Mind<'_>) -> Act {
        mind.voice.act(TaskAction::Goto, "user");
        self.step = Step::Meeting { tries };
        Act::Meet
    }

    fn hand_over(&mut self, name: Option<String>, tries: u32, mind: &mut Mind<'_>) -> Act {
        mind.voice.act(TaskAction::PersonDetected, name.as_deref().unwrap_or("unknown"));
        mind.voice.act(TaskAction::HandoverStart, name.as_deref().unwrap_or("user"));
        mind.voice.speak(format!("Here is the {}.", self.object));
        self.step = Step::Handing { name, tries };
        Act::Put { thing: self.object.clone(), place: None }
    }

    fn put_down(&mut self, place: String, mind: &mut Mind<'_>) -> Act {
        mind.voice.act(TaskAction::Place, &*self.object);
        self.step = Step::Placing { place: place.clone() };
        let place = (place != NOWHERE).then_some(place);
        Act::Put { thing: self.object.clone(), place }
    }

    /// Waits before it tries a blocked way again, or gives up.
    fn blocked(&mut self, goal: &str, tries: u32, failure: ActFailure, mind: &mut Mind<'_>) -> Act {
        mind.voice.act(TaskAction::WayBlocked, goal);
        if tries + 1 < TRIES {
            self.waits = true;
            return Act::Think(TRY_AGAIN_S);
        }
        if matches!(self.step, Step::Fetching { .. }) && self.search.is_some() {
            return self.next_place(mind);
        }
        self.give_up(TaskFailure::Blocked { goal: goal.to_owned(), failure }, mind)
    }

    fn give_up(&mut self, failure: TaskFailure, mind: &mut Mind<'_>) -> Act {
        mind.voice.speak(format!("I could not bring the {}.", self.object));
        Act::End(Err(failure))
    }
}

/// Stands for where the task was given, when no person is there to take the thing.
const NOWHERE: &str = "";

impl Job for Bring {
    fn go_on(&mut self, event: Event, mind: &mut Mind<'_>) -> Act {
        if let Event::Answer(request) = &event {
            let place = |name: &str| request.parameter(name).and_then(|it| mind.memory.place(it));
            (self.from, self.to) =
                (place("from").map(|it| it.name.clone()), place("to").map(|it| it.name.clone()));
            if let Some(object) = request.parameter("object") {
                self.object = mind.memory.spelled(object).to_owned();
            }
            return self.begin(mind);
        }
        let retries = std::mem::take(&mut self.waits) && event == Event::Done;
        match (self.step.clone(), event) {
            (_, Event::Begin) => self.begin(mind),
            (Step::LookingUp, _) => match mind.memory.place_of(&self.object).map(str::to_owned) {
                Some(place) => self.fetch(place, 0, mind),
                None => self.wonder(mind),
            },
            (Step::Musing, _) => {
                let looked = self.search.take().and_then(|mut it| it.pop());
                self.step = looked.map_or(Step::Musing, |place| Step::Looking { place });
                self.search(mind)
            }
            (Step::Fetching { place, tries }, Event::Done) if retries => self.fetch(place, tries + 1, mind),
            (Step::Fetching { place, .. }, Event::Done) => {
                self.step = Step::Looking { place };
                Act::Look
            }
            (Step::Fetching { place, tries }, Event::Failed(failure)) => {
                self.blocked(&place, tries, failure, mind)
            }
            (Step::Looking { place }, Event::Saw(things)) => self.saw(&place, &things, mind),
            // Without eyes it cannot know what is there, and its database stays as it was.
            (Step::Looking { .. }, Event::Failed(_)) if self.search.is_some() => self.next_place(mind),
            (Step::Looking { .. }, Event::Failed(failure)) => {
                mind.voice.act(TaskAction::NotFound, &*self.object);
                self.give_up(failure.into(), mind)
            }
            (Step::Picking, Event::Done) => {
                mind.memory.put(&self.object, None);
                self.deliver(mind)
            }
            (Step::Choosing, _) => self.choose(mind),
            (Step::Asking, _) => self.give_up(TaskFailure::NoChoice, mind),
            (Step::Carrying { place, tries }, Event::Done) if retries => self.carry(place, tries + 1, mind),
            (Step::Carrying { place, .. }, Event::Done) => self.put_down(place, mind),
            (Step::Carrying { place, tries }, Event::Failed(failure)) => {
                self.blocked(&place, tries, failure, mind)
            }
            (Step::Placing { place }, Event::Done) => {
                mind.memory.put(&self.object, (place != NOWHERE).then_some(&*place));
                Act::End(Ok(()))
            }
            (Step::Meeting { tries }, Event::Done) if retries => self.meet(tries + 1, mind),
            (Step::Meeting { .. }, Event::Done) => self.put_down(NOWHERE.to_owned(), mind),
            (Step::Meeting { tries }, Event::Met(name)) => self.hand_over(name, tries, mind),
            (Step::Meeting { tries }, Event::Failed(failure)) => self.blocked("user", tries, failure, mind),
            (Step::Meeting { .. }, Event::Silence) => {
                mind.voice.act(TaskAction::NotFound, "user");
                self.give_up(TaskFailure::NoReceiver, mind)
            }
            (Step::Handing { name, .. }, Event::Done) => {
                mind.voice.act(TaskAction::HandoverCompleted, name.as_deref().unwrap_or("user"));
                Act::End(Ok(()))
            }
            (Step::Handing { tries, .. }, Event::Failed(_)) if tries + 1 < HAND_TRIES => {
                self.meet(tries + 1, mind)
            }
            (_, Event::Failed(failure)) => self.give_up(failure.into(), mind),
            (_, event) => self.give_up(TaskFailure::Unexpected(event.into()), mind),
        }
    }
}

#[cfg(test)]
#[path = "bring_tests.rs"]
mod tests;
