//! Two short jobs: drive to a place, and greet the nearest person.

use latimer_core::model::signal::TaskAction;

use super::{Job, JobContext, TRIES, TRY_AGAIN_S};
use crate::bodies::robotkoop::tasks::{Act, Event, TaskFailure};

/// Drives to a place, or to the asker.
///
/// ```text
///  Going ──there──▶ success      Going ──blocked──▶ waits ──▶ Going ──blocked──▶ failure
/// ```
pub(super) struct Goto {
    to: Option<String>,
    tries: u32,
    waits: bool,
}

impl Goto {
    pub(super) fn new(to: Option<String>) -> Self {
        Self { to, tries: 0, waits: false }
    }

    fn goal(&self) -> &str {
        self.to.as_deref().unwrap_or("user")
    }
}

impl Job for Goto {
    fn go_on(&mut self, event: Event, context: &mut JobContext<'_>) -> Act {
        let retries = std::mem::take(&mut self.waits);
        match event {
            Event::Done if !retries => Act::End(Ok(())),
            Event::Met(name) => {
                context.voice.act(TaskAction::PersonDetected, name.as_deref().unwrap_or("unknown"));
                Act::End(Ok(()))
            }
            Event::Failed(failure) => {
                self.tries += 1;
                context.voice.act(TaskAction::WayBlocked, self.goal());
                if self.tries >= TRIES {
                    return Act::End(Err(TaskFailure::Blocked { goal: self.goal().to_owned(), failure }));
                }
                self.waits = true;
                Act::Think(TRY_AGAIN_S)
            }
            Event::Silence => Act::End(Err(TaskFailure::NobodyThere)),
            _ => {
                context.voice.act(TaskAction::Goto, self.goal());
                self.to.clone().map_or(Act::Meet, Act::Go)
            }
        }
    }
}

/// Greets a person, or forgets all faces.
///
/// ```text
///  Meeting ──a person──▶ success      Meeting ──no person──▶ failure
/// ```
pub(super) struct Greet {
    forget: bool,
}

impl Greet {
    pub(super) fn new(forget: bool) -> Self {
        Self { forget }
    }
}

impl Job for Greet {
    fn go_on(&mut self, event: Event, context: &mut JobContext<'_>) -> Act {
        match event {
            Event::Begin if self.forget => {
                context.memory.forget_faces();
                Act::End(Ok(()))
            }
            Event::Begin | Event::Answer(_) => {
                context.voice.act(TaskAction::Goto, "user");
                Act::Meet
            }
            Event::Met(name) => {
                context.voice.act(TaskAction::PersonDetected, name.as_deref().unwrap_or("unknown"));
                let name = name.map_or(String::new(), |name| format!(", {name}"));
                context.voice.speak(format!("Hello{name}!"));
                Act::End(Ok(()))
            }
            Event::Failed(failure) => {
                context.voice.act(TaskAction::WayBlocked, "user");
                Act::End(Err(failure.into()))
            }
            _ => Act::End(Err(TaskFailure::NobodyToGreet)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::Script;

    #[test]
    fn goto_goes() {
        let mut it = Script::new("goto", &[("to", "sofa")]);
        it.begins("goto:Sofa | go Sofa").failed("way_blocked:Sofa | think").done("goto:Sofa | go Sofa");
        it.done("success");
        let mut it = Script::new("goto", &[("to", "user")]);
        it.begins("goto:user | meet").failed("way_blocked:user | think").done("goto:user | meet");
        it.failed("way_blocked:user | failure: the way to user is blocked: it failed");
        let mut it = Script::new("goto", &[("to", "user")]);
        it.begins("goto:user | meet").met(None, "person_detected:unknown | success");
        Script::new("goto", &[]).begins("goto:user | meet").silence("failure: nobody is there");
    }

    #[test]
    fn greet_greets_by_name_until_it_forgets() {
        let mut it = Script::new("greet", &[]);
        it.begins("goto:user | meet").met(Some("Anna"), "person_detected:Anna | success");
        assert_eq!(it.speech, ["Hello, Anna!"]);
        Script::new("greet", &[])
            .begins("goto:user | meet")
            .silence("failure: nobody is there to be greeted");
        Script::new("greet", &[]).begins("goto:user | meet").failed("way_blocked:user | failure: it failed");
        let mut it = Script::new("greet", &[("operation", "delete")]);
        it.begins("success");
        assert_eq!(it.memory.recognize(Some("Anna")), None);
    }
}
