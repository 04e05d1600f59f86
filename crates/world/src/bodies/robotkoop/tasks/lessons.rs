//! What the robot learns from demonstrations: arm poses in their order, by the name of the task.
//!
//! ```text
//!  start ──▶ Recording ──end──▶ Recorded ──save──▶ a lesson of the current name ──reproduce──▶ the arm
//!                │                  │
//!                └──────delete──────┴──▶ nothing; without a recording, the lesson of the current name goes
//! ```
//!
//! A person moves the arm meanwhile, by commands to its joints; where it comes to rest is a pose of the demonstration.

use super::TaskFailure;

/// Angles of the arm's joints in their order, radians.
pub(in crate::bodies::robotkoop) type ArmPose = [f64; 4];

/// Most lessons; the oldest goes.
const MOST_LESSONS: usize = 64;

/// Most poses of a demonstration; what comes then is not recorded.
const MOST_POSES: usize = 256;

/// A joint that is so far from the last pose makes another one, radians.
const MOVED_RAD: f64 = 0.02;

/// The name of a lesson that was not given one.
const NAMELESS: &str = "demonstration";

#[derive(Clone, Debug, PartialEq)]
struct Lesson {
    name: String,
    poses: Vec<ArmPose>,
}

/// A demonstration that is not saved.
#[derive(Clone, Debug, PartialEq)]
struct Recording {
    goes_on: bool,
    poses: Vec<ArmPose>,
}

/// What the robot learned, and what it is shown.
#[derive(Clone, Debug, Default)]
pub(in crate::bodies::robotkoop) struct Lessons {
    learned: Vec<Lesson>,
    /// The name of what is demonstrated next.
    current: Option<String>,
    recording: Option<Recording>,
}

impl Lessons {
    /// The next demonstration is of this task, which may be new.
    pub(super) fn name(&mut self, name: &str) {
        self.current = Some(name.to_owned());
        if !self.learned.iter().any(|it| it.name == name) {
            self.learn(Lesson { name: name.to_owned(), poses: Vec::new() });
        }
    }

    /// A demonstration begins, in the stead of one that was not saved.
    pub(super) fn start(&mut self) {
        self.recording = Some(Recording { goes_on: true, poses: Vec::new() });
    }

    /// A demonstration is over.
    pub(super) fn end(&mut self) {
        if let Some(recording) = &mut self.recording {
            recording.goes_on = false;
        }
    }

    /// Keeps what was demonstrated.
    pub(super) fn save(&mut self) -> Result<(), TaskFailure> {
        let Recording { poses, .. } = self.recording.take().ok_or(TaskFailure::NothingDemonstrated)?;
        let name = self.current.clone().unwrap_or_else(|| NAMELESS.to_owned());
        self.learned.retain(|it| it.name != name);
        self.learn(Lesson { name, poses });
        Ok(())
    }

    /// Forgets what was demonstrated; if nothing was, the current lesson.
    pub(super) fn delete(&mut self) {
        if self.recording.take().is_none() {
            let name = self.current.take();
            self.learned.retain(|it| Some(&it.name) != name.as_ref());
        }
    }

    /// The poses of a lesson.
    pub(super) fn poses(&self, name: &str) -> Result<Vec<ArmPose>, TaskFailure> {
        let found = self.learned.iter().find(|it| it.name == name);
        found.map(|it| it.poses.clone()).ok_or_else(|| TaskFailure::UnknownLesson {
            name: name.chars().take(80).collect(),
            learned: match self.learned.as_slice() {
                [] => "nothing".to_owned(),
                some => some.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", "),
            },
        })
    }

    /// The arm rests at a pose.
    pub(in crate::bodies::robotkoop) fn watch(&mut self, pose: ArmPose) {
        let Some(recording) = self.recording.as_mut().filter(|it| it.goes_on) else { return };
        let near = |last: &ArmPose| last.iter().zip(pose).all(|(last, now)| (last - now).abs() < MOVED_RAD);
        if recording.poses.len() < MOST_POSES && !recording.poses.last().is_some_and(near) {
            recording.poses.push(pose);
        }
    }

    fn learn(&mut self, lesson: Lesson) {
        if self.learned.len() >= MOST_LESSONS {
            self.learned.remove(0);
        }
        self.learned.push(lesson);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_demonstration_is_recorded_until_its_end_and_saved_under_its_name() {
        let mut lessons = Lessons::default();
        lessons.watch([9.0; 4]);
        lessons.name("pour");
        lessons.start();
        for pose in [[0.0; 4], [0.001; 4], [0.5; 4]] {
            lessons.watch(pose);
        }
        lessons.end();
        lessons.watch([1.0; 4]);
        lessons.save().unwrap();
        assert_eq!(lessons.poses("pour").unwrap(), [[0.0; 4], [0.5; 4]]);
        assert!(lessons.save().is_err(), "it is saved already");
        lessons.start();
        lessons.delete();
        assert!(lessons.poses("pour").is_ok(), "only the recording is gone");
        lessons.delete();
        let unknown = lessons.poses("pour").unwrap_err().to_string();
        assert_eq!(unknown, "it has not learned to \"pour\"; it has learned: nothing");
    }

    #[test]
    fn lessons_and_poses_are_bounded() {
        let mut lessons = Lessons::default();
        lessons.start();
        (0..10_000).for_each(|number| lessons.watch([f64::from(number); 4]));
        lessons.save().unwrap();
        assert_eq!(lessons.poses(NAMELESS).unwrap().len(), MOST_POSES);
        (0..1_000).for_each(|number| lessons.name(&number.to_string()));
        assert_eq!(lessons.learned.len(), MOST_LESSONS);
    }
}
