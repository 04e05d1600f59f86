//! Brings a thing to somebody or to a place.
//!
//! ```text
//!            known, or told from where            there
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
use crate::bodies::robotkoop::tasks::{Act, Event};

/// How often it tries to hand a thing over to somebody who walks off.
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
    /// Where to; whoever asked if not given.
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

    /// Nobody knows where it is: what do such things do?
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
            return self.give_up(format!("the {} was not found, nor anything like it", self.object), mind);
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
    fn blocked(&mut self, goal: &str, tries: u32, reason: String, mind: &mut Mind<'_>) -> Act {
        mind.voice.act(TaskAction::WayBlocked, goal);
        if tries + 1 < TRIES {
            self.waits = true;
            return Act::Think(TRY_AGAIN_S);
        }
        if matches!(self.step, Step::Fetching { .. }) && self.search.is_some() {
            return self.next_place(mind);
        }
        self.give_up(format!("the way to {goal} is blocked: {reason}"), mind)
    }

    fn give_up(&mut self, reason: String, mind: &mut Mind<'_>) -> Act {
        mind.voice.speak(format!("I could not bring the {}.", self.object));
        Act::End(Err(reason))
    }
}

/// Stands for where the order was given, when nobody is there to take the thing.
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
            (Step::Fetching { place, tries }, Event::Failed(reason)) => {
                self.blocked(&place, tries, reason, mind)
            }
            (Step::Looking { place }, Event::Saw(things)) => self.saw(&place, &things, mind),
            // Without eyes it cannot know what is there, and its database stays as it was.
            (Step::Looking { .. }, Event::Failed(_)) if self.search.is_some() => self.next_place(mind),
            (Step::Looking { .. }, Event::Failed(reason)) => {
                mind.voice.act(TaskAction::NotFound, &*self.object);
                self.give_up(reason, mind)
            }
            (Step::Picking, Event::Done) => {
                mind.memory.put(&self.object, None);
                self.deliver(mind)
            }
            (Step::Choosing, _) => self.choose(mind),
            (Step::Asking, _) => self.give_up("nobody chose something else".to_owned(), mind),
            (Step::Carrying { place, tries }, Event::Done) if retries => self.carry(place, tries + 1, mind),
            (Step::Carrying { place, .. }, Event::Done) => self.put_down(place, mind),
            (Step::Carrying { place, tries }, Event::Failed(reason)) => {
                self.blocked(&place, tries, reason, mind)
            }
            (Step::Placing { place }, Event::Done) => {
                mind.memory.put(&self.object, (place != NOWHERE).then_some(&*place));
                Act::End(Ok(()))
            }
            (Step::Meeting { tries }, Event::Done) if retries => self.meet(tries + 1, mind),
            (Step::Meeting { .. }, Event::Done) => self.put_down(NOWHERE.to_owned(), mind),
            (Step::Meeting { tries }, Event::Met(name)) => self.hand_over(name, tries, mind),
            (Step::Meeting { tries }, Event::Failed(reason)) => self.blocked("user", tries, reason, mind),
            (Step::Meeting { .. }, Event::Silence) => {
                mind.voice.act(TaskAction::NotFound, "user");
                self.give_up("nobody is there to take it".to_owned(), mind)
            }
            (Step::Handing { name, .. }, Event::Done) => {
                mind.voice.act(TaskAction::HandoverCompleted, name.as_deref().unwrap_or("user"));
                Act::End(Ok(()))
            }
            (Step::Handing { tries, .. }, Event::Failed(_)) if tries + 1 < HAND_TRIES => {
                self.meet(tries + 1, mind)
            }
            (_, Event::Failed(reason)) => self.give_up(reason, mind),
            (_, event) => self.give_up(format!("something unforeseen happened: {event:?}"), mind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::Script;

    fn coke() -> Script {
        Script::new("bring", &[("object", "coke"), ("to", "user")])
    }

    #[test]
    fn what_is_where_it_belongs_is_fetched_and_handed_over() {
        let mut it = coke();
        it.begins("search_database:coke | think").done("goto:Kitchen | go Kitchen").done("look");
        it.saw(&["coke", "fanta"], "found:coke pick:coke | pick coke");
        it.done("goto:user | meet");
        it.met(Some("Anna"), "person_detected:Anna handover_start:Anna | put coke to somebody");
        it.done("handover_completed:Anna | success");
    }

    #[test]
    fn a_stranger_is_unknown_and_a_user() {
        let mut it = coke();
        it.carries("coke").begins("goto:user | meet");
        it.met(None, "person_detected:unknown handover_start:user | put coke to somebody");
        it.failed("goto:user | meet")
            .met(None, "person_detected:unknown handover_start:user | put coke to somebody");
        it.failed("goto:user | meet")
            .met(None, "person_detected:unknown handover_start:user | put coke to somebody");
        it.failed("failure: it failed");
    }

    #[test]
    fn from_and_to_are_taken_at_their_word() {
        let mut it = Script::new("bring", &[("object", "Coke"), ("from", "sofa"), ("to", "shelf")]);
        it.begins("goto:Sofa | go Sofa").done("look").saw(&["coke"], "found:coke pick:coke | pick coke");
        it.done("goto:Shelf | go Shelf").done("place:coke | put coke at Shelf").done("success");
        assert_eq!(it.memory.place_of("coke"), Some("Shelf"));
    }

    #[test]
    fn what_is_not_there_is_searched_where_its_like_belongs_then_nearby() {
        let mut it = Script::new("bring", &[("object", "coke"), ("from", "Sofa")]);
        it.begins("goto:Sofa | go Sofa").done("look");
        it.saw(&[], "not_found:coke position_unknown:coke search_category:soda | think");
        it.done("search:coke goto:Kitchen | go Kitchen")
            .done("look")
            .saw(&["fanta"], "goto:Shelf | go Shelf");
        it.done("look").saw(&["coke"], "found:coke pick:coke | pick coke");
    }

    #[test]
    fn a_place_that_cannot_be_reached_is_left_out_of_a_search() {
        let mut it = Script::new("bring", &[("object", "unicorn")]);
        it.begins("search_database:unicorn | think").done("position_unknown:unicorn | think");
        it.done("search:unicorn goto:Sofa | go Sofa").failed("way_blocked:Sofa | think");
        it.done("goto:Sofa | go Sofa").failed("way_blocked:Sofa goto:Shelf | go Shelf");
        it.done("look").failed("goto:Kitchen | go Kitchen").done("look");
        it.saw(&[], "not_found:unicorn search_alternatives:unicorn | think");
        it.done("failure: the unicorn was not found, nor anything like it");
    }

    #[test]
    fn something_else_is_offered_and_brought() {
        let mut it = coke();
        it.begins("search_database:coke | think").done("goto:Kitchen | go Kitchen").done("look");
        it.saw(&["fanta"], "not_found:coke position_unknown:coke search_category:soda | think");
        it.done("search:coke goto:Sofa | go Sofa")
            .done("look")
            .saw(&[], "goto:Shelf | go Shelf")
            .done("look");
        it.saw(&["book"], "not_found:coke search_alternatives:coke | think");
        it.done("assistance search_alternatives:coke [fanta at Kitchen] | ask");
        it.answers(&[("object", "fanta"), ("to", "user")], "search_database:fanta | think");
        it.done("goto:Kitchen | go Kitchen");
    }

    #[test]
    fn an_offer_that_nobody_takes_is_given_up() {
        let mut it = coke();
        it.begins("search_database:coke | think").done("goto:Kitchen | go Kitchen").done("look");
        it.saw(&["fanta"], "not_found:coke position_unknown:coke search_category:soda | think");
        it.done("search:coke goto:Sofa | go Sofa")
            .done("look")
            .saw(&[], "goto:Shelf | go Shelf")
            .done("look");
        it.saw(&[], "not_found:coke search_alternatives:coke | think");
        it.done("assistance search_alternatives:coke [fanta at Kitchen] | ask");
        it.silence("failure: nobody chose something else");
    }

    #[test]
    fn a_blocked_way_is_tried_twice() {
        let mut it = coke();
        it.begins("search_database:coke | think").done("goto:Kitchen | go Kitchen");
        it.failed("way_blocked:Kitchen | think").done("goto:Kitchen | go Kitchen");
        it.failed("way_blocked:Kitchen | failure: the way to Kitchen is blocked: it failed");
    }

    #[test]
    fn blind_or_without_a_grip_it_gives_up() {
        let mut it = coke();
        it.begins("search_database:coke | think").done("goto:Kitchen | go Kitchen").done("look");
        it.failed("not_found:coke | failure: it failed");
        let mut it = coke();
        it.begins("search_database:coke | think").done("goto:Kitchen | go Kitchen").done("look");
        it.saw(&["coke"], "found:coke pick:coke | pick coke").failed("failure: it failed");
    }

    #[test]
    fn nobody_takes_it_or_nobody_lives_there() {
        let mut it = coke();
        it.carries("coke")
            .begins("goto:user | meet")
            .silence("not_found:user | failure: nobody is there to take it");
        let mut it = coke();
        it.carries("coke")
            .begins("goto:user | meet")
            .done("place:coke | put coke to somebody")
            .done("success");
        let mut it = Script::new("bring", &[("object", "coke"), ("to", "Sofa")]);
        it.carries("coke").begins("goto:Sofa | go Sofa").failed("way_blocked:Sofa | think");
        it.done("goto:Sofa | go Sofa").done("place:coke | put coke at Sofa").failed("failure: it failed");
        let mut it = coke();
        it.carries("coke")
            .begins("goto:user | meet")
            .failed("way_blocked:user | think")
            .done("goto:user | meet");
        it.failed("way_blocked:user | failure: the way to user is blocked: it failed");
    }
}
