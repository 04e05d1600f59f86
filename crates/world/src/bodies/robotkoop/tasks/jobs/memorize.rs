//! Drives round the places, looks, and remembers what is where.
//!
//! ```text
//!        ┌───────────── next place ──────────────┐
//!  Going ┴─there─▶ Looking ── anomalies sent ───┴── none left ──▶ success
//!    └─ blocked: the place is left out, and the task fails in the end
//! ```
//!
//! An unknown thing belongs where it was seen first.

use latimer_core::model::signal::TaskAction;

use super::{Job, JobContext};
use crate::bodies::robotkoop::tasks::{Act, Event, TaskFailure};

/// The task.
pub(super) struct Memorize {
    places: Vec<String>,
    here: Option<String>,
    odd: bool,
    failure: Option<TaskFailure>,
}

impl Memorize {
    pub(super) fn new() -> Self {
        Self { places: Vec::new(), here: None, odd: false, failure: None }
    }

    fn next(&mut self, context: &mut JobContext<'_>) -> Act {
        self.here = self.places.pop();
        if let Some(place) = &self.here {
            context.voice.act(TaskAction::Goto, &**place);
            return Act::Go(place.clone());
        }
        if let Some(failure) = self.failure.take() {
            return Act::End(Err(failure));
        }
        if !self.odd {
            context.voice.state(TaskAction::NoAnomaliesFound);
        }
        Act::End(Ok(()))
    }

    fn saw(&mut self, place: &str, things: &[String], context: &mut JobContext<'_>) {
        context.memory.saw(place, things);
        let strays = context.memory.strays(things, place);
        for stray in
            strays.iter().filter(|it| context.memory.home_of(it).is_none()).cloned().collect::<Vec<_>>()
        {
            context.memory.learn_home(&stray, place);
        }
        if !strays.is_empty() {
            self.odd = true;
            context.voice.anomaly(place, strays);
        }
    }
}

impl Job for Memorize {
    fn go_on(&mut self, event: Event, context: &mut JobContext<'_>) -> Act {
        match (event, self.here.clone()) {
            (Event::Begin, _) => {
                // The nearest first; nothing is searched that has a name.
                self.places = context.memory.search_order("", context.at_m);
                self.places.reverse();
            }
            (Event::Done, Some(_)) => return Act::Look,
            (Event::Saw(things), Some(place)) => self.saw(&place, &things, context),
            (Event::Failed(failure), Some(place)) => {
                context.voice.act(TaskAction::WayBlocked, &*place);
                self.failure = Some(TaskFailure::LeftOut { place: place.clone(), failure });
            }
            _ => {}
        }
        self.next(context)
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::Script;

    #[test]
    fn all_in_order() {
        let mut it = Script::new("memorize", &[]);
        it.begins("goto:Sofa | go Sofa").done("look").saw(&[], "goto:Shelf | go Shelf").done("look");
        it.saw(&["book"], "goto:Kitchen | go Kitchen").done("look");
        it.saw(&["coke", "fanta", "plate"], "no_anomalies_found | success");
    }

    #[test]
    fn anomalies_are_reported_and_remembered() {
        let mut it = Script::new("memorize", &[]);
        it.begins("goto:Sofa | go Sofa")
            .done("look")
            .saw(&["coke", "vase"], "anomaly Sofa[coke,vase] goto:Shelf | go Shelf");
        it.failed("way_blocked:Shelf goto:Kitchen | go Kitchen").done("look");
        it.saw(&["fanta", "plate"], "failure: Shelf was left out: it failed");
        assert_eq!((it.memory.place_of("coke"), it.memory.home_of("coke")), (Some("Sofa"), Some("Kitchen")));
        assert_eq!(it.memory.home_of("vase"), Some("Sofa"));
    }
}
