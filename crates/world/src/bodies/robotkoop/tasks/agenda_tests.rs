//! Every way between the states of the agenda.

use super::super::memory::tests::flat;
use super::super::request::tests::request;
use super::*;

/// An agenda, a context, and the reports: one word for each, with the task's id.
struct Bench {
    agenda: Agenda,
    memory: Memory,
    reports: Vec<Task>,
    speech: Vec<String>,
    time_s: f64,
}

impl Bench {
    fn new() -> Self {
        let (reports, speech) = (Vec::new(), Vec::new());
        Self { agenda: Agenda::default(), memory: flat(), reports, speech, time_s: 0.0 }
    }

    fn with<T>(&mut self, act: impl FnOnce(&mut Agenda, f64, &mut AgendaContext<'_>) -> T) -> T {
        let mut context = AgendaContext {
            memory: &mut self.memory,
            carried: &[],
            at_m: [1.0, 1.0],
            reports: &mut self.reports,
            speech: &mut self.speech,
        };
        act(&mut self.agenda, self.time_s, &mut context)
    }

    fn ask(
        &mut self,
        id: &str,
        kind: &str,
        parameters: &[(&str, &str)],
        priority: u8,
    ) -> Result<(), SubmitError> {
        let request = TaskRequest { id: id.to_owned(), priority, ..request(kind, parameters) };
        let asked = TaskOrigin { pose: Pose2::default(), person: None };
        self.with(|agenda, _, context| agenda.submit(request, asked, &[], context))
    }

    fn goto(&mut self, id: &str, place: &str, priority: u8) {
        self.ask(id, "goto", &[("to", place)], priority).unwrap();
    }

    fn turn(&mut self, event: Option<Event>) -> Option<Act> {
        self.with(|agenda, time_s, context| agenda.turn(event, time_s, context))
    }

    fn published(&mut self) -> String {
        let word = |task: Task| {
            let action = task.action.map(|it| format!("{it}"));
            format!("{}:{}", task.id, action.unwrap_or_else(|| task.state.to_string()))
        };
        self.reports.drain(..).map(word).collect::<Vec<_>>().join(" ")
    }
}

fn go(place: &str) -> Option<Act> {
    Some(Act::Go(place.to_owned()))
}

#[test]
fn a_task_is_confirmed_runs_and_is_over() {
    let mut bench = Bench::new();
    bench.goto("A", "Sofa", 3);
    assert_eq!(bench.published(), "A:confirmed");
    assert_eq!(bench.turn(None), go("Sofa"));
    assert_eq!(bench.turn(None), None, "it is on its way");
    assert_eq!(bench.turn(Some(Event::Done)), Some(Act::Rest));
    assert_eq!(bench.published(), "A:goto A:succeeded");
    assert!(bench.agenda.running().is_none());
}

#[test]
fn an_unknown_task_is_reported_and_forgotten() {
    let mut bench = Bench::new();
    bench.ask("A", "dance", &[("to", "Sofa")], 3).unwrap();
    assert_eq!((bench.published().as_str(), bench.turn(None)), ("A:confirmed A:unknown", None));
}

#[test]
fn what_lacks_something_waits_for_it_under_its_id() {
    let mut bench = Bench::new();
    bench.ask("A", "bring", &[("to", "Sofa")], 3).unwrap();
    assert_eq!(bench.reports[1].missing, ["object"]);
    assert_eq!((bench.published().as_str(), bench.turn(None)), ("A:confirmed A:missing_info", None));
    bench.ask("A", "bring", &[("object", "coke")], 3).unwrap();
    assert!(matches!(bench.turn(None), Some(Act::Think(_))));
    assert_eq!(bench.agenda.running().unwrap().parameter("to"), Some("Sofa"));
    assert_eq!(bench.published(), "A:confirmed A:search_database");
}

#[test]
fn a_search_ends_after_a_while_with_an_offer_or_a_failure() {
    for (object, end) in [("unicorn", TaskState::Failed), ("coke", TaskState::Assistance)] {
        let mut bench = Bench::new();
        bench.ask("A", "bring", &[("object", object), ("from", "Sofa")], 3).unwrap();
        assert_eq!(bench.turn(None), go("Sofa"));
        bench.time_s = SEARCH_S - 1.0;
        assert_eq!(bench.turn(None), None, "it is on its way");
        // Something more urgent does not lengthen it.
        bench.goto("B", "Shelf", 1);
        assert_eq!(bench.turn(None), go("Shelf"));
        bench.published();
        bench.time_s = SEARCH_S + 2.0;
        assert!(matches!(bench.turn(Some(Event::Done)), Some(Act::Think(_))), "{object}");
        bench.time_s += 1.0;
        bench.turn(Some(Event::Done));
        assert_eq!(bench.reports.pop().map(|it| it.state), Some(end));
        assert_eq!(bench.published(), "B:succeeded A:resume_task A:not_found A:search_alternatives");
    }
}

#[test]
fn what_was_found_is_brought_however_long_it_took() {
    let mut bench = Bench::new();
    bench.ask("A", "bring", &[("object", "coke"), ("from", "Kitchen"), ("to", "Sofa")], 3).unwrap();
    bench.turn(None);
    assert_eq!(bench.turn(Some(Event::Done)), Some(Act::Look));
    bench.time_s = SEARCH_S + 1.0;
    assert_eq!(bench.turn(None), None, "it looks");
    assert_eq!(bench.turn(Some(Event::Saw(vec!["coke".into()]))), Some(Act::Pick("coke".into())));
    bench.time_s += SEARCH_S;
    assert_eq!(bench.turn(Some(Event::Done)), go("Sofa"));
    bench.time_s += SEARCH_S;
    assert_eq!(bench.turn(None), None);
}

#[test]
fn the_more_urgent_task_pauses_the_other() {
    let mut bench = Bench::new();
    bench.goto("A", "Sofa", 3);
    bench.turn(None);
    bench.goto("B", "Shelf", 1);
    assert_eq!(bench.turn(None), go("Shelf"));
    assert_eq!(bench.turn(Some(Event::Done)), go("Sofa"));
    assert_eq!(
        bench.published(),
        "A:confirmed A:goto B:confirmed A:pause_task B:goto B:succeeded A:resume_task"
    );
    bench.turn(Some(Event::Done));
    assert_eq!(bench.published(), "A:succeeded");
}

#[test]
fn what_is_as_urgent_or_less_waits_in_order() {
    let mut bench = Bench::new();
    for (id, priority) in [("A", 3), ("B", 5), ("C", 3), ("D", 0), ("E", 200)] {
        bench.goto(id, "Sofa", priority);
    }
    bench.turn(None);
    bench.published();
    for _ in 0..5 {
        bench.turn(Some(Event::Done));
    }
    let order = bench.published();
    assert_eq!(
        order,
        "D:succeeded A:goto A:succeeded C:goto C:succeeded B:goto B:succeeded E:goto E:succeeded"
    );
}

#[test]
fn the_arm_is_not_torn_away() {
    let mut bench = Bench::new();
    bench.ask("A", "bring", &[("object", "coke"), ("from", "Kitchen"), ("to", "Sofa")], 3).unwrap();
    bench.turn(None);
    bench.turn(Some(Event::Done));
    assert_eq!(bench.turn(Some(Event::Saw(vec!["coke".to_owned()]))), Some(Act::Pick("coke".to_owned())));
    bench.goto("B", "Shelf", 1);
    assert_eq!(bench.turn(None), None);
    bench.published();
    assert_eq!(bench.turn(Some(Event::Done)), go("Shelf"));
    assert_eq!(bench.published(), "A:goto A:pause_task B:goto");
    assert_eq!(bench.turn(Some(Event::Done)), go("Sofa"), "it goes on where it was");
}

#[test]
fn a_task_that_asks_is_answered_by_its_id_or_ends() {
    let asks = || {
        let mut bench = Bench::new();
        bench.memory.put("coke", None);
        bench.ask("A", "bring", &[("object", "coke")], 3).unwrap();
        for event in [None, Some(Event::Done), Some(Event::Done)] {
            bench.turn(event);
        }
        for _ in 0..3 {
            bench.turn(Some(Event::Done));
            bench.turn(Some(Event::Saw(Vec::new())));
        }
        // The kitchen was seen to be empty, so the fanta has to be somewhere.
        bench.memory.put("fanta", Some("Shelf"));
        assert_eq!(bench.turn(Some(Event::Done)), Some(Act::Ask));
        bench.published();
        bench
    };
    let mut bench = asks();
    bench.ask("A", "bring", &[("object", "fanta")], 3).unwrap();
    assert!(matches!(bench.turn(None), Some(Act::Think(_))));
    assert_eq!(bench.published(), "A:confirmed A:search_database");
    let mut bench = asks();
    bench.goto("B", "Sofa", 1);
    bench.turn(None);
    bench.ask("A", "bring", &[("object", "fanta")], 3).unwrap();
    assert!(matches!(bench.turn(Some(Event::Done)), Some(Act::Think(_))));
    assert!(bench.published().ends_with("A:resume_task A:search_database"), "answered while it was paused");
    let mut bench = asks();
    bench.time_s += ANSWER_S + 1.0;
    assert_eq!((bench.turn(None), bench.published().as_str()), (Some(Act::Rest), "A:failed"));
}

#[test]
fn the_same_message_is_confirmed_and_another_one_begins_anew() {
    let mut bench = Bench::new();
    bench.goto("A", "Sofa", 3);
    bench.turn(None);
    bench.goto("A", "Sofa", 3);
    assert_eq!(bench.turn(None), None);
    bench.goto("A", "Shelf", 3);
    assert_eq!(bench.turn(None), go("Shelf"));
    assert!(bench.ask("A", "clean", &[], 3).is_err(), "another kind of task");
    assert_eq!(bench.published(), "A:confirmed A:goto A:confirmed A:confirmed A:goto");
}

#[test]
fn any_task_can_be_called_off() {
    let mut bench = Bench::new();
    bench.goto("A", "Sofa", 3);
    bench.goto("B", "Sofa", 3);
    bench.ask("C", "bring", &[], 3).unwrap();
    bench.turn(None);
    bench.published();
    for id in ["A", "B", "C"] {
        bench.with(|agenda, _, context| agenda.cancel(id, context)).unwrap();
        assert!(bench.with(|agenda, _, context| agenda.cancel(id, context)).is_err());
    }
    assert_eq!(bench.published(), "A:cancelled B:cancelled C:cancelled");
    assert_eq!(bench.turn(None), None);
}

#[test]
fn thousands_of_tasks_are_bounded() {
    let mut bench = Bench::new();
    let results: Vec<bool> =
        (0..5_000).map(|i| bench.ask(&format!("T{i}"), "goto", &[("to", "Sofa")], 3).is_ok()).collect();
    assert_eq!(results.iter().filter(|it| **it).count(), MOST_WAITING);
    assert_eq!(bench.reports.iter().filter(|it| it.state == TaskState::Failed).count(), 5_000 - MOST_WAITING);
    let mut bench = Bench::new();
    for i in 0..5_000 {
        bench.ask(&format!("T{i}"), "bring", &[], 3).unwrap();
    }
    assert_eq!(bench.agenda.lacking.len(), MOST_LACKING);
}
