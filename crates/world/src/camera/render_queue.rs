//! A queue of pictures to render on another thread, so that the world's steps never wait for one.
//!
//! ```text
//!  submit ──▶ waiting: one shot a camera ──▶ FrameEncoder ──▶ finished ──▶ rendered
//!               (a newer one takes its place)              (the oldest are dropped if none is taken)
//! ```

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, Thread};

use latimer_core::RobotId;
use latimer_core::model::PartName;

use super::frame_encoder::{Frame, FrameEncoder, Shot};

/// Most finished frames.
const MAX_FINISHED: usize = 64;

/// The queue and its rendering thread.
pub struct RenderQueue {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<QueueState>,
    work: Condvar,
}

/// Shared by the world's thread and the rendering thread.
#[derive(Default)]
struct QueueState {
    /// At most one a camera, the first submitted first.
    waiting: VecDeque<Shot>,
    restarts: Vec<(RobotId, PartName)>,
    finished: VecDeque<Frame>,
    replaced: u64,
    lost: u64,
    closing: bool,
    /// The thread to unpark when a frame is finished.
    taker: Option<Thread>,
}

impl RenderQueue {
    /// Starts the thread.
    pub fn new() -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let ours = shared.clone();
        let thread = thread::Builder::new().name("render".to_owned()).spawn(move || ours.run())?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Queues a shot; never waits. A queued shot of the same camera is replaced, and counted.
    pub fn submit(&self, shot: Shot) {
        let mut state = self.shared.state();
        let same = |waiting: &&mut Shot| waiting.robot == shot.robot && waiting.part == shot.part;
        if let Some(waiting) = state.waiting.iter_mut().find(same) {
            *waiting = shot;
            state.replaced += 1;
        } else {
            state.waiting.push_back(shot);
        }
        drop(state);
        self.shared.work.notify_one();
    }

    /// Unparks a thread whenever a frame is finished, so that no frame waits for the world's next step.
    pub fn wakes(&self, taker: Thread) {
        self.shared.state().taker = Some(taker);
    }

    /// Takes the finished frames, the oldest first.
    pub fn rendered(&self) -> Vec<Frame> {
        self.shared.state().finished.drain(..).collect()
    }

    /// How many shots were replaced by newer ones.
    pub fn replaced(&self) -> u64 {
        self.shared.state().replaced
    }

    /// How many finished frames were dropped.
    pub fn lost(&self) -> u64 {
        self.shared.state().lost
    }

    /// Makes a camera's next packet a key frame, for a new subscriber.
    pub fn restart_video(&self, robot: &RobotId, part: &PartName) {
        let camera = (robot.clone(), part.clone());
        let mut state = self.shared.state();
        if !state.restarts.contains(&camera) {
            state.restarts.push(camera);
        }
    }
}

impl Drop for RenderQueue {
    /// Ends the thread after the current picture.
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.closing = true;
        state.waiting.clear();
        drop(state);
        self.shared.work.notify_all();
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the rendering thread had panicked");
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut frame_encoder = FrameEncoder::default();
        while let Some((shot, restarts)) = self.next() {
            for (robot, part) in restarts {
                frame_encoder.restart_video(&robot, &part);
            }
            match frame_encoder.develop(&shot) {
                Ok(frame) => self.finish(frame),
                Err(error) => tracing::warn!(%error, robot = %shot.robot, part = %shot.part, "no picture"),
            }
        }
    }

    /// Waits for the next shot; `None` when the queue closes.
    fn next(&self) -> Option<(Shot, Vec<(RobotId, PartName)>)> {
        let mut state = self.state();
        loop {
            if state.closing {
                return None;
            }
            if let Some(shot) = state.waiting.pop_front() {
                return Some((shot, std::mem::take(&mut state.restarts)));
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn finish(&self, frame: Frame) {
        let mut state = self.state();
        if state.finished.len() >= MAX_FINISHED
            && let Some(oldest) = state.finished.pop_front()
        {
            state.lost += 1;
            if oldest.video.is_some() {
                // A decoder cannot continue without the lost packet.
                state.restarts.push((oldest.robot, oldest.part));
            }
        }
        state.finished.push_back(frame);
        if let Some(taker) = &state.taker {
            taker.unpark();
        }
    }
}
