//! Learning from demonstration: what a person shows with the arm, and the arm doing it again.
//!
//! ```text
//!  name, start, end, save, delete ──▶ success, or failure        reproduce ──▶ Reproducing ──▶ success
//! ```

use latimer_core::model::TaskRequest;

use super::{Job, JobContext};
use crate::bodies::robotkoop::tasks::{Act, Event, TaskFailure};

/// What a request means that has no operation.
const NAME: &str = "name";

/// The operations.
pub(in crate::bodies::robotkoop::tasks) const OPERATIONS: [&str; 5] =
    ["start", "end", "save", "delete", "reproduce"];

/// The task.
pub(super) struct Learn {
    operation: &'static str,
    /// Of the lesson; empty where none is needed.
    name: String,
}

/// What a lesson is called in a request.
pub(in crate::bodies::robotkoop::tasks) fn lesson(request: &TaskRequest) -> Option<&str> {
    request.parameter("task").or_else(|| request.parameter("keyword"))
}

impl Learn {
    /// The job, if the operation is known.
    pub(super) fn new(request: &TaskRequest) -> Option<Self> {
        let operation = match request.parameter("operation") {
            Some(asked) => OPERATIONS.into_iter().find(|known| *known == asked)?,
            None => NAME,
        };
        Some(Self { operation, name: lesson(request).unwrap_or_default().to_owned() })
    }

    fn begin(&self, context: &mut JobContext<'_>) -> Act {
        let lessons = &mut context.memory.lessons;
        match self.operation {
            "start" => lessons.start(),
            "end" => lessons.end(),
            "save" => return Act::End(lessons.save()),
            "delete" => lessons.delete(),
            "reproduce" => {
                return lessons.poses(&self.name).map_or_else(|why| Act::End(Err(why)), Act::Reproduce);
            }
            _ => lessons.name(&self.name),
        }
        Act::End(Ok(()))
    }
}

impl Job for Learn {
    fn go_on(&mut self, event: Event, context: &mut JobContext<'_>) -> Act {
        match event {
            Event::Begin => self.begin(context),
            Event::Done => Act::End(Ok(())),
            Event::Failed(failure) => Act::End(Err(failure.into())),
            other => Act::End(Err(TaskFailure::Unexpected(other.into()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::Script;
    use crate::bodies::robotkoop::tasks::memory::tests::flat;

    #[test]
    fn a_demonstration_is_named_shown_saved_and_reproduced() {
        let mut memory = flat();
        let named = [("keyword", "lerne"), ("task", "giessen")];
        for (parameters, expected) in [
            (&named[..], "success"),
            (&[("operation", "start")], "success"),
            (&[("operation", "end")], "success"),
            (&[("operation", "save")], "success"),
            (
                &[("operation", "save")],
                "failure: there is no demonstration to save; ask for the operation start first",
            ),
            (&[named[0], named[1], ("operation", "reproduce")], "reproduce 1 poses"),
            (
                &[("task", "tanzen"), ("operation", "reproduce")],
                "failure: it has not learned to \"tanzen\"; it has learned: giessen",
            ),
            (&[("operation", "delete")], "success"),
            (
                &[("keyword", "giessen"), ("operation", "reproduce")],
                "failure: it has not learned to \"giessen\"; it has learned: nothing",
            ),
        ] {
            let mut it = Script::in_world("lfd", parameters, memory.clone());
            it.begins(expected);
            memory = it.memory.clone();
            memory.lessons.watch([0.5; 4]);
        }
        let mut it = Script::in_world("lfd", &named, memory.clone());
        it.begins("success");
        let mut it = Script::in_world("lfd", &[named[1], ("operation", "reproduce")], it.memory.clone());
        it.begins("reproduce 0 poses").done("success");
    }
}
