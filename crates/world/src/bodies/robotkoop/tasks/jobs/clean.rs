//! Puts away what lies where it does not belong: at one place, or at all.
//!
//! ```text
//!         ┌──────────────────── next place ◀── nothing odd left ───────────────────┐
//!  Going ─┴─▶ Looking ── odd ──▶ (back: Returning) ─▶ Picking ─▶ Carrying ─▶ Placing
//!                                        ▲
//!                     Asking ── answer ──┘   home unknown: Asking first; no answer: left where it is
//! ```
//!
//! What the robot carries already is put away first. A place that cannot be reached is left out, and the
//! task fails in the end.

use latimer_core::model::signal::TaskAction;

use super::{Job, JobContext};
use crate::bodies::robotkoop::tasks::{Act, ActFailure, Event, TaskFailure};

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Going,
    Looking,
    Asking { thing: String },
    Returning { thing: String },
    Picking { thing: String },
    Carrying { thing: String, home: String },
    Placing { thing: String, home: String },
}

/// The task.
pub(super) struct Clean {
    only: Option<String>,
    places: Vec<String>,
    here: String,
    /// What is yet to be put away from here, the next one last.
    strays: Vec<String>,
    /// Whether the robot is elsewhere now.
    away: bool,
    step: Step,
    odd: bool,
    failure: Option<TaskFailure>,
}

impl Clean {
    pub(super) fn new(only: Option<String>) -> Self {
        let (places, here, strays) = (Vec::new(), String::new(), Vec::new());
        Self { only, places, here, strays, away: false, step: Step::Going, odd: false, failure: None }
    }

    fn begin(&mut self, context: &mut JobContext<'_>) -> Act {
        self.places = match &self.only {
            Some(place) => vec![place.clone()],
            None => context.memory.search_order("", context.at_m),
        };
        self.places.reverse();
        let homeless = |it: &&String| context.memory.home_of(it).is_some();
        match context.carried.iter().find(homeless).cloned() {
            Some(thing) => self.carry(thing, context),
            None => self.next_place(context),
        }
    }

    fn next_place(&mut self, context: &mut JobContext<'_>) -> Act {
        if let Some(place) = self.places.pop() {
            context.voice.act(TaskAction::Goto, &*place);
            (self.here, self.step, self.away) = (place.clone(), Step::Going, false);
            return Act::Go(place);
        }
        if let Some(failure) = self.failure.take() {
            return Act::End(Err(failure));
        }
        if !self.odd {
            context.voice.state(TaskAction::NoAnomaliesFound);
        }
        Act::End(Ok(()))
    }

    fn next_stray(&mut self, context: &mut JobContext<'_>) -> Act {
        let Some(thing) = self.strays.pop() else { return self.next_place(context) };
        if context.memory.home_of(&thing).is_some() {
            return self.fetch(thing, context);
        }
        let offers = context.memory.beside_what(&thing);
        context.voice.speak(format!("Where does the {thing} belong?"));
        context.voice.assist(TaskAction::PositionUnknown, &thing, offers);
        self.step = Step::Asking { thing };
        Act::Ask
    }

    fn fetch(&mut self, thing: String, context: &mut JobContext<'_>) -> Act {
        if context.memory.home_of(&thing) == Some(&*self.here) {
            return self.next_stray(context);
        }
        if self.away {
            context.voice.act(TaskAction::Goto, &*self.here);
            self.step = Step::Returning { thing };
            return Act::Go(self.here.clone());
        }
        context.voice.act(TaskAction::Pick, &*thing);
        self.step = Step::Picking { thing: thing.clone() };
        Act::Pick(thing)
    }

    fn carry(&mut self, thing: String, context: &mut JobContext<'_>) -> Act {
        let Some(home) = context.memory.home_of(&thing).map(str::to_owned) else {
            return self.next_stray(context);
        };
        context.voice.act(TaskAction::Goto, &*home);
        self.away = true;
        self.step = Step::Carrying { thing, home: home.clone() };
        Act::Go(home)
    }

    fn saw(&mut self, things: &[String], context: &mut JobContext<'_>) -> Act {
        context.memory.saw(&self.here, things);
        self.strays = context.memory.strays(things, &self.here);
        if !self.strays.is_empty() {
            self.odd = true;
            context.voice.anomaly(&self.here, self.strays.clone());
        }
        self.strays.reverse();
        self.next_stray(context)
    }

    fn blocked(&mut self, goal: &str, failure: ActFailure, context: &mut JobContext<'_>) -> Act {
        context.voice.act(TaskAction::WayBlocked, goal);
        self.failure = Some(TaskFailure::LeftOut { place: goal.to_owned(), failure });
        match self.step {
            Step::Carrying { .. } => self.next_stray(context),
            _ => {
                self.strays.clear();
                self.next_place(context)
            }
        }
    }
}

impl Job for Clean {
    fn go_on(&mut self, event: Event, context: &mut JobContext<'_>) -> Act {
        match (self.step.clone(), event) {
            (_, Event::Begin) => self.begin(context),
            (Step::Going, Event::Done) => {
                self.step = Step::Looking;
                Act::Look
            }
            (Step::Going, Event::Failed(failure)) => self.blocked(&self.here.clone(), failure, context),
            (Step::Looking, Event::Saw(things)) => self.saw(&things, context),
            (Step::Asking { thing }, Event::Answer(request)) => {
                // Something more urgent may have led it elsewhere meanwhile.
                self.away = true;
                let place = request.parameter("to").and_then(|it| context.memory.place(it));
                if let Some(place) = place.map(|it| it.name.clone()) {
                    context.memory.learn_home(&thing, &place);
                    return self.fetch(thing, context);
                }
                self.next_stray(context)
            }
            (Step::Asking { .. }, _) => {
                self.away = true;
                self.next_stray(context)
            }
            (Step::Returning { thing }, Event::Done) => {
                self.away = false;
                self.fetch(thing, context)
            }
            (Step::Returning { .. }, Event::Failed(failure)) => {
                self.blocked(&self.here.clone(), failure, context)
            }
            (Step::Picking { thing }, Event::Done) => {
                context.memory.put(&thing, None);
                self.carry(thing, context)
            }
            (Step::Carrying { thing, home }, Event::Done) => {
                context.voice.act(TaskAction::Place, &*thing);
                self.step = Step::Placing { thing: thing.clone(), home: home.clone() };
                Act::Put { thing, place: Some(home) }
            }
            (Step::Carrying { home, .. }, Event::Failed(failure)) => self.blocked(&home, failure, context),
            (Step::Placing { thing, home }, Event::Done) => {
                context.memory.put(&thing, Some(&home));
                self.next_stray(context)
            }
            (_, Event::Failed(failure)) => {
                self.failure = Some(failure.into());
                self.next_stray(context)
            }
            (_, event) => Act::End(Err(TaskFailure::Unexpected(event.into()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::Script;

    #[test]
    fn all_in_order() {
        let mut it = Script::new("clean", &[("to", "kitchen")]);
        it.begins("goto:Kitchen | go Kitchen").done("look");
        it.saw(&["coke", "plate"], "no_anomalies_found | success");
    }

    #[test]
    fn each_stray_is_carried_home() {
        let mut it = Script::new("clean", &[("to", "Sofa")]);
        it.begins("goto:Sofa | go Sofa").done("look");
        it.saw(&["coke", "book"], "anomaly Sofa[coke,book] pick:coke | pick coke");
        it.done("goto:Kitchen | go Kitchen").done("place:coke | put coke at Kitchen");
        it.done("goto:Sofa | go Sofa").done("pick:book | pick book");
        it.done("goto:Shelf | go Shelf").done("place:book | put book at Shelf").done("success");
        assert_eq!(it.memory.place_of("coke"), Some("Kitchen"));
    }

    #[test]
    fn what_belongs_nowhere_is_asked_about() {
        let mut it = Script::new("clean", &[]);
        it.begins("goto:Sofa | go Sofa").done("look");
        let offer = "assistance position_unknown:vase [coke at Kitchen, book at Shelf] | ask";
        it.saw(&["vase"], &format!("anomaly Sofa[vase] {offer}"));
        it.answers(&[("to", "shelf")], "goto:Sofa | go Sofa").done("pick:vase | pick vase");
        it.done("goto:Shelf | go Shelf");
        it.done("place:vase | put vase at Shelf").done("goto:Shelf | go Shelf").done("look");
        it.saw(&["book", "vase"], "goto:Kitchen | go Kitchen").done("look").saw(
            &["hat"],
            "anomaly Kitchen[hat] assistance position_unknown:hat [coke at Kitchen, book at Shelf] | ask",
        );
        it.silence("success");
    }

    #[test]
    fn unreachable_and_missed_things_are_left_out_and_reported() {
        let mut it = Script::new("clean", &[]);
        it.begins("goto:Sofa | go Sofa").failed("way_blocked:Sofa goto:Shelf | go Shelf").done("look");
        it.saw(&["coke", "fanta"], "anomaly Shelf[coke,fanta] pick:coke | pick coke");
        it.failed("pick:fanta | pick fanta").done("goto:Kitchen | go Kitchen");
        it.failed("way_blocked:Kitchen goto:Kitchen | go Kitchen").done("look");
        it.saw(&["plate"], "failure: Kitchen was left out: it failed");
    }

    #[test]
    fn what_it_carries_is_put_away_first() {
        let mut it = Script::new("clean", &[("to", "Sofa")]);
        it.carries("coke").begins("goto:Kitchen | go Kitchen").done("place:coke | put coke at Kitchen");
        it.done("goto:Sofa | go Sofa").done("look").saw(&[], "no_anomalies_found | success");
    }
}
