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
//! A search that takes too long goes on at Choosing, as one that has been everywhere. What it carries already is not fetched. A blocked way is tried twice; then the task is given up, or,
//! in a search, the place is left out.

use latimer_core::model::signal::TaskAction;

use super::{Job, JobContext, LOOK_UP_S, TRIES, TRY_AGAIN_S};
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

    fn begin(&mut self, context: &mut JobContext<'_>) -> Act {
        self.search = None;
        if context.carried.contains(&self.object) {
            return self.deliver(context);
        }
        if let Some(place) = self.from.clone() {
            return self.fetch(place, 0, context);
        }
        context.voice.act(TaskAction::SearchDatabase, &*self.object);
        self.step = Step::LookingUp;
        Act::Think(LOOK_UP_S)
    }

    fn fetch(&mut self, place: String, tries: u32, context: &mut JobContext<'_>) -> Act {
        context.voice.act(TaskAction::Goto, &*place);
        self.step = Step::Fetching { place: place.clone(), tries };
        Act::Go(place)
    }

    /// Its place is unknown: it searches where such things usually are
    fn wonder(&mut self, context: &mut JobContext<'_>) -> Act {
        context.voice.act(TaskAction::PositionUnknown, &*self.object);
        if let Some(category) = context.memory.category_of(&self.object) {
            let category = category.to_owned();
            context.voice.act(TaskAction::SearchCategory, category);
        }
        self.step = Step::Musing;
        Act::Think(LOOK_UP_S)
    }

    fn search(&mut self, context: &mut JobContext<'_>) -> Act {
        context.voice.act(TaskAction::Search, &*self.object);
        let looked = match &self.step {
            Step::Looking { place } => Some(place.clone()),
            _ => None,
        };
        let mut order = context.memory.search_order(&self.object, context.at_m);
        order.retain(|place| Some(place) != looked.as_ref());
        order.reverse();
        self.search = Some(order);
        self.next_place(context)
    }

    fn next_place(&mut self, context: &mut JobContext<'_>) -> Act {
        match self.search.as_mut().and_then(Vec::pop) {
            Some(place) => self.fetch(place, 0, context),
            None => self.not_found(context),
        }
    }

    fn not_found(&mut self, context: &mut JobContext<'_>) -> Act {
        context.voice.act(TaskAction::NotFound, &*self.object);
        context.voice.act(TaskAction::SearchAlternatives, &*self.object);
        self.step = Step::Choosing;
        Act::Think(LOOK_UP_S)
    }

    fn choose(&mut self, context: &mut JobContext<'_>) -> Act {
        let alternatives = context.memory.instead_of(&self.object);
        let Some(first) = alternatives.first() else {
            return self.give_up(TaskFailure::NotFound(self.object.clone()), context);
        };
        context
            .voice
            .speak(format!("I did not find the {}. Shall I bring the {}?", self.object, first.object));
        context.voice.assist(TaskAction::SearchAlternatives, &self.object, alternatives);
        self.step = Step::Asking;
        Act::Ask
    }

    fn saw(&mut self, place: &str, things: &[String], context: &mut JobContext<'_>) -> Act {
        context.memory.saw(place, things);
        if things.contains(&self.object) {
            context.voice.act(TaskAction::Found, &*self.object);
            context.voice.act(TaskAction::Pick, &*self.object);
            self.step = Step::Picking;
            return Act::Pick(self.object.clone());
        }
        if self.search.is_some() {
            return self.next_place(context);
        }
        context.voice.act(TaskAction::NotFound, &*self.object);
        // It was looked for here just now, so the search begins elsewhere.
        self.search = Some(vec![place.to_owned()]);
        self.wonder(context)
    }

    fn deliver(&mut self, context: &mut JobContext<'_>) -> Act {
        match self.to.clone() {
            Some(place) => self.carry(place, 0, context),
            None => self.meet(0, context),
        }
    }

    fn carry(&mut self, place: String, tries: u32, context: &mut JobContext<'_>) -> Act {
        context.voice.act(TaskAction::Goto, &*place);
        self.step = Step::Carrying { place: place.clone(), tries };
        Act::Go(place)
    }

    fn meet(&mut self, tries: u32, context: &mut JobContext<'_>) -> Act {
        context.voice.act(TaskAction::Goto, "user");
        self.step = Step::Meeting { tries };
        Act::Meet
    }

    fn hand_over(&mut self, name: Option<String>, tries: u32, context: &mut JobContext<'_>) -> Act {
        context.voice.act(TaskAction::PersonDetected, name.as_deref().unwrap_or("unknown"));
        context.voice.act(TaskAction::HandoverStart, name.as_deref().unwrap_or("user"));
        context.voice.speak(format!("Here is the {}.", self.object));
        self.step = Step::Handing { name, tries };
        Act::Put { thing: self.object.clone(), place: None }
    }

    fn put_down(&mut self, place: String, context: &mut JobContext<'_>) -> Act {
        context.voice.act(TaskAction::Place, &*self.object);
        self.step = Step::Placing { place: place.clone() };
        let place = (place != NOWHERE).then_some(place);
        Act::Put { thing: self.object.clone(), place }
    }

    /// Waits before it tries a blocked way again, or gives up.
    fn blocked(&mut self, goal: &str, tries: u32, failure: ActFailure, context: &mut JobContext<'_>) -> Act {
        context.voice.act(TaskAction::WayBlocked, goal);
        if tries + 1 < TRIES {
            self.waits = true;
            return Act::Think(TRY_AGAIN_S);
        }
        if matches!(self.step, Step::Fetching { .. }) && self.search.is_some() {
            return self.next_place(context);
        }
        self.give_up(TaskFailure::Blocked { goal: goal.to_owned(), failure }, context)
    }

    fn give_up(&mut self, failure: TaskFailure, context: &mut JobContext<'_>) -> Act {
        context.voice.speak(format!("I could not bring the {}.", self.object));
        Act::End(Err(failure))
    }
}

/// Stands for where the task was given, when no person is there to take the thing.
const NOWHERE: &str = "";

impl Job for Bring {
    fn go_on(&mut self, event: Event, context: &mut JobContext<'_>) -> Act {
        if let Event::Answer(request) = &event {
            let place = |name: &str| request.parameter(name).and_then(|it| context.memory.place(it));
            (self.from, self.to) =
                (place("from").map(|it| it.name.clone()), place("to").map(|it| it.name.clone()));
            if let Some(object) = request.parameter("object") {
                self.object = context.memory.spelled(object).to_owned();
            }
            return self.begin(context);
        }
        let retries = std::mem::take(&mut self.waits) && event == Event::Done;
        match (self.step.clone(), event) {
            (_, Event::Begin) => self.begin(context),
            (_, Event::Late) => self.not_found(context),
            (Step::LookingUp, _) => match context.memory.place_of(&self.object).map(str::to_owned) {
                Some(place) => self.fetch(place, 0, context),
                None => self.wonder(context),
            },
            (Step::Musing, _) => {
                let looked = self.search.take().and_then(|mut it| it.pop());
                self.step = looked.map_or(Step::Musing, |place| Step::Looking { place });
                self.search(context)
            }
            (Step::Fetching { place, tries }, Event::Done) if retries => {
                self.fetch(place, tries + 1, context)
            }
            (Step::Fetching { place, .. }, Event::Done) => {
                self.step = Step::Looking { place };
                Act::Look
            }
            (Step::Fetching { place, tries }, Event::Failed(failure)) => {
                self.blocked(&place, tries, failure, context)
            }
            (Step::Looking { place }, Event::Saw(things)) => self.saw(&place, &things, context),
            // Without eyes it cannot know what is there, and its database stays as it was.
            (Step::Looking { .. }, Event::Failed(_)) if self.search.is_some() => self.next_place(context),
            (Step::Looking { .. }, Event::Failed(failure)) => {
                context.voice.act(TaskAction::NotFound, &*self.object);
                self.give_up(failure.into(), context)
            }
            (Step::Picking, Event::Done) => {
                context.memory.put(&self.object, None);
                self.deliver(context)
            }
            (Step::Choosing, _) => self.choose(context),
            (Step::Asking, _) => self.give_up(TaskFailure::NoChoice, context),
            (Step::Carrying { place, tries }, Event::Done) if retries => {
                self.carry(place, tries + 1, context)
            }
            (Step::Carrying { place, .. }, Event::Done) => self.put_down(place, context),
            (Step::Carrying { place, tries }, Event::Failed(failure)) => {
                self.blocked(&place, tries, failure, context)
            }
            (Step::Placing { place }, Event::Done) => {
                context.memory.put(&self.object, (place != NOWHERE).then_some(&*place));
                Act::End(Ok(()))
            }
            (Step::Meeting { tries }, Event::Done) if retries => self.meet(tries + 1, context),
            (Step::Meeting { .. }, Event::Done) => self.put_down(NOWHERE.to_owned(), context),
            (Step::Meeting { tries }, Event::Met(name)) => self.hand_over(name, tries, context),
            (Step::Meeting { tries }, Event::Failed(failure)) => {
                self.blocked("user", tries, failure, context)
            }
            (Step::Meeting { .. }, Event::Silence) => {
                context.voice.act(TaskAction::NotFound, "user");
                self.give_up(TaskFailure::NoReceiver, context)
            }
            (Step::Handing { name, .. }, Event::Done) => {
                context.voice.act(TaskAction::HandoverCompleted, name.as_deref().unwrap_or("user"));
                Act::End(Ok(()))
            }
            (Step::Handing { tries, .. }, Event::Failed(_)) if tries + 1 < HAND_TRIES => {
                self.meet(tries + 1, context)
            }
            (_, Event::Failed(failure)) => self.give_up(failure.into(), context),
            (_, event) => self.give_up(TaskFailure::Unexpected(event.into()), context),
        }
    }

    fn is_searching(&self) -> bool {
        matches!(self.step, Step::LookingUp | Step::Musing | Step::Fetching { .. } | Step::Looking { .. })
    }
}

#[cfg(test)]
#[path = "bring_tests.rs"]
mod tests;
