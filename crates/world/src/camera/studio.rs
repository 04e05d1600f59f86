//! Pictures on a thread of their own, so that the world's steps never wait for one.
//!
//! ```text
//!  submit ──▶ waiting: one shot a camera ──▶ Darkroom ──▶ finished ──▶ developed
//!               (a newer one takes its place)              (the oldest go if nobody takes them)
//! ```

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, Thread};

use latimer_core::RobotId;
use latimer_core::model::PartName;

use super::darkroom::{Darkroom, Frame, Shot};

/// Most finished frames that are kept for a world that takes none.
const MAX_FINISHED: usize = 64;

/// A thread that makes pictures.
pub struct Studio {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    desk: Mutex<Desk>,
    work: Condvar,
}

/// What lies on the desk between the world's thread and ours.
#[derive(Default)]
struct Desk {
    /// At most one a camera, the first submitted first.
    waiting: VecDeque<Shot>,
    restarts: Vec<(RobotId, PartName)>,
    finished: VecDeque<Frame>,
    replaced: u64,
    lost: u64,
    closing: bool,
    /// Who is woken when a frame is finished.
    taker: Option<Thread>,
}

impl Studio {
    /// Starts the thread.
    pub fn new() -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let ours = shared.clone();
        let thread = thread::Builder::new().name("studio".to_owned()).spawn(move || ours.run())?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Leaves a shot to be made into a frame; never waits. A shot of the same camera that waits still is
    /// replaced, and counted.
    pub fn submit(&self, shot: Shot) {
        let mut desk = self.shared.desk();
        let same = |waiting: &&mut Shot| waiting.robot == shot.robot && waiting.part == shot.part;
        if let Some(waiting) = desk.waiting.iter_mut().find(same) {
            *waiting = shot;
            desk.replaced += 1;
        } else {
            desk.waiting.push_back(shot);
        }
        drop(desk);
        self.shared.work.notify_one();
    }

    /// Wakes a thread from its parking whenever a frame is finished, so that none lies about until the world's next step.
    pub fn wakes(&self, taker: Thread) {
        self.shared.desk().taker = Some(taker);
    }

    /// Takes the frames that are finished, the first made first.
    pub fn developed(&self) -> Vec<Frame> {
        self.shared.desk().finished.drain(..).collect()
    }

    /// How many shots newer ones took the place of.
    pub fn replaced(&self) -> u64 {
        self.shared.desk().replaced
    }

    /// How many finished frames were thrown away because nobody took them.
    pub fn lost(&self) -> u64 {
        self.shared.desk().lost
    }

    /// Makes a camera's next packet a key frame, for somebody who begins to watch.
    pub fn restart_video(&self, robot: &RobotId, part: &PartName) {
        let camera = (robot.clone(), part.clone());
        let mut desk = self.shared.desk();
        if !desk.restarts.contains(&camera) {
            desk.restarts.push(camera);
        }
    }
}

impl Drop for Studio {
    /// Ends the thread, after the picture that it is at.
    fn drop(&mut self) {
        let mut desk = self.shared.desk();
        desk.closing = true;
        desk.waiting.clear();
        drop(desk);
        self.shared.work.notify_all();
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the studio's thread had panicked");
        }
    }
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut darkroom = Darkroom::default();
        while let Some((shot, restarts)) = self.next() {
            for (robot, part) in restarts {
                darkroom.restart_video(&robot, &part);
            }
            match darkroom.develop(&shot) {
                Ok(frame) => self.finish(frame),
                Err(error) => tracing::warn!(%error, robot = %shot.robot, part = %shot.part, "no picture"),
            }
        }
    }

    /// Waits for the next shot; nothing when the studio closes.
    fn next(&self) -> Option<(Shot, Vec<(RobotId, PartName)>)> {
        let mut desk = self.desk();
        loop {
            if desk.closing {
                return None;
            }
            if let Some(shot) = desk.waiting.pop_front() {
                return Some((shot, std::mem::take(&mut desk.restarts)));
            }
            desk = self.work.wait(desk).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn finish(&self, frame: Frame) {
        let mut desk = self.desk();
        if desk.finished.len() >= MAX_FINISHED
            && let Some(oldest) = desk.finished.pop_front()
        {
            desk.lost += 1;
            if oldest.video.is_some() {
                // Whoever decodes cannot go on without what was lost.
                desk.restarts.push((oldest.robot, oldest.part));
            }
        }
        desk.finished.push_back(frame);
        if let Some(taker) = &desk.taker {
            taker.unpark();
        }
    }
}
