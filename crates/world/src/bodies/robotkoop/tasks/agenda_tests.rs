//! Every way between the states of the agenda.

use super::super::memory::tests::flat;
use super::super::request::tests::request;
use super::*;

/// An agenda, a mind, and the reports: one word for each, with the task's id.
struct Desk {
    agenda: Agenda,
    memory: Memory,
    reports: Vec<Task>,
    speech: Vec<String>,
    time_s: f64,
}

impl Desk {
    fn new() -> Self {
        let (reports, speech) = (Vec::new(), Vec::new());
        Self { agenda: Agenda::default(), memory: flat(), reports, speech, time_s: 0.0 }
    }

    fn with<T>(&mut self, act: impl FnOnce(&mut Agenda, f64, &mut Wits<'_>) -> T) -> T {
        let mut wits = Wits {
            memory: &mut self.memory,
            carried: &[],
            at_m: [1.0, 1.0],
            reports: &mut self.reports,
            speech: &mut self.speech,
        };
        act(&mut self.agenda, self.time_s, &mut wits)
    }

    fn ask(
        &mut self,
        id: &str,
        kind: &str,
        parameters: &[(&str, &str)],
        priority: u8,
    ) -> Result<(), SubmitError> {
        let request = TaskRequest { id: id.to_owned(), priority, ..request(kind, parameters) };
        let asked = Asked { pose: Pose2::default(), person: None };
        self.with(|agenda, _, wits| agenda.submit(request, asked, &[], wits))
    }

    fn goto(&mut self, id: &str, place: &str, priority: u8) {
        self.ask(id, "goto", &[("to", place)], priority).unwrap();
    }

    fn turn(&mut self, event: Option<Event>) -> Option<Act> {
        self.with(|agenda, time_s, wits| agenda.turn(event, time_s, wits))
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
    let mut desk = Desk::new();
    desk.goto("A", "Sofa", 3);
    assert_eq!(desk.published(), "A:confirmed");
    assert_eq!(desk.turn(None), go("Sofa"));
    assert_eq!(desk.turn(None), None, "it is on its way");
    assert_eq!(desk.turn(Some(Event::Done)), Some(Act::Rest));
    assert_eq!(desk.published(), "A:goto A:succeeded");
    assert!(desk.agenda.running().is_none());
}

#[test]
fn an_unknown_task_is_reported_and_forgotten() {
    let mut desk = Desk::new();
    desk.ask("A", "lfd", &[("keyword", "pour")], 3).unwrap();
    assert_eq!((desk.published().as_str(), desk.turn(None)), ("A:confirmed A:unknown", None));
}

#[test]
fn what_lacks_something_waits_for_it_under_its_id() {
    let mut desk = Desk::new();
    desk.ask("A", "bring", &[("to", "Sofa")], 3).unwrap();
    assert_eq!(desk.reports[1].missing, ["object"]);
    assert_eq!((desk.published().as_str(), desk.turn(None)), ("A:confirmed A:missing_info", None));
    desk.ask("A", "bring", &[("object", "coke")], 3).unwrap();
    assert!(matches!(desk.turn(None), Some(Act::Think(_))));
    assert_eq!(desk.agenda.running().unwrap().parameter("to"), Some("Sofa"));
    assert_eq!(desk.published(), "A:confirmed A:search_database");
}

#[test]
fn the_more_urgent_task_pauses_the_other() {
    let mut desk = Desk::new();
    desk.goto("A", "Sofa", 3);
    desk.turn(None);
    desk.goto("B", "Shelf", 1);
    assert_eq!(desk.turn(None), go("Shelf"));
    assert_eq!(desk.turn(Some(Event::Done)), go("Sofa"));
    assert_eq!(
        desk.published(),
        "A:confirmed A:goto B:confirmed A:pause_task B:goto B:succeeded A:resume_task"
    );
    desk.turn(Some(Event::Done));
    assert_eq!(desk.published(), "A:succeeded");
}

#[test]
fn what_is_as_urgent_or_less_waits_in_order() {
    let mut desk = Desk::new();
    for (id, priority) in [("A", 3), ("B", 5), ("C", 3), ("D", 0), ("E", 200)] {
        desk.goto(id, "Sofa", priority);
    }
    desk.turn(None);
    desk.published();
    for _ in 0..5 {
        desk.turn(Some(Event::Done));
    }
    let order = desk.published();
    assert_eq!(
        order,
        "D:succeeded A:goto A:succeeded C:goto C:succeeded B:goto B:succeeded E:goto E:succeeded"
    );
}

#[test]
fn the_arm_is_not_torn_away() {
    let mut desk = Desk::new();
    desk.ask("A", "bring", &[("object", "coke"), ("from", "Kitchen"), ("to", "Sofa")], 3).unwrap();
    desk.turn(None);
    desk.turn(Some(Event::Done));
    assert_eq!(desk.turn(Some(Event::Saw(vec!["coke".to_owned()]))), Some(Act::Pick("coke".to_owned())));
    desk.goto("B", "Shelf", 1);
    assert_eq!(desk.turn(None), None);
    desk.published();
    assert_eq!(desk.turn(Some(Event::Done)), go("Shelf"));
    assert_eq!(desk.published(), "A:goto A:pause_task B:goto");
    assert_eq!(desk.turn(Some(Event::Done)), go("Sofa"), "it goes on where it was");
}

#[test]
fn a_task_that_asks_is_answered_by_its_id_or_ends() {
    let asks = || {
        let mut desk = Desk::new();
        desk.memory.put("coke", None);
        desk.ask("A", "bring", &[("object", "coke")], 3).unwrap();
        for event in [None, Some(Event::Done), Some(Event::Done)] {
            desk.turn(event);
        }
        for _ in 0..3 {
            desk.turn(Some(Event::Done));
            desk.turn(Some(Event::Saw(Vec::new())));
        }
        // The kitchen was seen to be empty, so the fanta has to be somewhere.
        desk.memory.put("fanta", Some("Shelf"));
        assert_eq!(desk.turn(Some(Event::Done)), Some(Act::Ask));
        desk.published();
        desk
    };
    let mut desk = asks();
    desk.ask("A", "bring", &[("object", "fanta")], 3).unwrap();
    assert!(matches!(desk.turn(None), Some(Act::Think(_))));
    assert_eq!(desk.published(), "A:confirmed A:search_database");
    let mut desk = asks();
    desk.goto("B", "Sofa", 1);
    desk.turn(None);
    desk.ask("A", "bring", &[("object", "fanta")], 3).unwrap();
    assert!(matches!(desk.turn(Some(Event::Done)), Some(Act::Think(_))));
    assert!(desk.published().ends_with("A:resume_task A:search_database"), "answered while it was paused");
    let mut desk = asks();
    desk.time_s += ANSWER_S + 1.0;
    assert_eq!((desk.turn(None), desk.published().as_str()), (Some(Act::Rest), "A:failed"));
}

#[test]
fn the_same_message_is_confirmed_and_another_one_begins_anew() {
    let mut desk = Desk::new();
    desk.goto("A", "Sofa", 3);
    desk.turn(None);
    desk.goto("A", "Sofa", 3);
    assert_eq!(desk.turn(None), None);
    desk.goto("A", "Shelf", 3);
    assert_eq!(desk.turn(None), go("Shelf"));
    assert!(desk.ask("A", "clean", &[], 3).is_err(), "another kind of task");
    assert_eq!(desk.published(), "A:confirmed A:goto A:confirmed A:confirmed A:goto");
}

#[test]
fn any_task_can_be_called_off() {
    let mut desk = Desk::new();
    desk.goto("A", "Sofa", 3);
    desk.goto("B", "Sofa", 3);
    desk.ask("C", "bring", &[], 3).unwrap();
    desk.turn(None);
    desk.published();
    for id in ["A", "B", "C"] {
        desk.with(|agenda, _, wits| agenda.cancel(id, wits)).unwrap();
        assert!(desk.with(|agenda, _, wits| agenda.cancel(id, wits)).is_err());
    }
    assert_eq!(desk.published(), "A:cancelled B:cancelled C:cancelled");
    assert_eq!(desk.turn(None), None);
}

#[test]
fn thousands_of_tasks_are_bounded() {
    let mut desk = Desk::new();
    let results: Vec<bool> =
        (0..5_000).map(|i| desk.ask(&format!("T{i}"), "goto", &[("to", "Sofa")], 3).is_ok()).collect();
    assert_eq!(results.iter().filter(|it| **it).count(), MOST_WAITING);
    assert_eq!(desk.reports.iter().filter(|it| it.state == TaskState::Failed).count(), 5_000 - MOST_WAITING);
    let mut desk = Desk::new();
    for i in 0..5_000 {
        desk.ask(&format!("T{i}"), "bring", &[], 3).unwrap();
    }
    assert_eq!(desk.agenda.lacking.len(), MOST_LACKING);
}
