//! Robots that live through a step on several threads. What they say and want is put together in their own order, so that it is the same
//! to the last bit however many threads there are.
//!
//! ```text
//! robots ──▶ shares ──the next one to whoever is free──▶ threads ──▶ what each share said ──in order──▶ updates, wishes
//! ```

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread;

use latimer_core::Update;

use super::robot::Robot;
use crate::bodies::Wishes;
use crate::physics::Touching;

/// Robots in a share: as few as keep all threads at work to the end.
const SHARE: usize = 8;

/// Fewer robots than these do not make up for starting threads.
const WORTH: usize = 40;

/// What robots that live one after another leave behind.
#[derive(Default)]
pub(super) struct Share {
    pub(super) updates: Vec<Update>,
    pub(super) wishes: Wishes,
    /// What touches the present one.
    pub(super) touching: Vec<Touching>,
}

/// The threads, which last as long as the work does.
pub(super) struct Crew {
    threads: NonZeroUsize,
    shares: Vec<Share>,
}

impl Crew {
    pub(super) fn new(threads: NonZeroUsize) -> Self {
        Self { threads, shares: Vec::new() }
    }

    /// Does something with each robot, which is given with its number; puts what was said and wanted behind what is there already.
    pub(super) fn each(
        &mut self,
        robots: &mut [Robot],
        out: &mut Vec<Update>,
        wishes: &mut Wishes,
        work: impl Fn(usize, &mut Robot, &mut Share) + Sync,
    ) {
        let alone = self.threads.get() == 1 || robots.len() < WORTH;
        let size = if alone { robots.len().max(1) } else { SHARE };
        let count = robots.len().div_ceil(size).max(1);
        self.shares.resize_with(count.max(self.shares.len()), Share::default);
        let shares = self.shares.get_mut(..count).unwrap_or_default();
        if let Some(first) = shares.first_mut() {
            std::mem::swap(&mut first.updates, out);
            std::mem::swap(&mut first.wishes, wishes);
        }
        let queue = Mutex::new(robots.chunks_mut(size).zip(shares).enumerate());
        let take_part = || {
            loop {
                let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((number, (robots, share))) = next else { break };
                for (i, robot) in robots.iter_mut().enumerate() {
                    work(number * size + i, robot, share);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..if alone { 1 } else { self.threads.get().min(count) } {
                // Without another thread the ones that are there do all of it.
                let _ = thread::Builder::new().name("world".to_owned()).spawn_scoped(scope, take_part);
            }
            take_part();
        });
        let mut shares = self.shares.iter_mut().take(count);
        if let Some(first) = shares.next() {
            std::mem::swap(&mut first.updates, out);
            std::mem::swap(&mut first.wishes, wishes);
        }
        for share in shares {
            out.append(&mut share.updates);
            wishes.effects.append(&mut share.wishes.effects);
            wishes.exposures.append(&mut share.wishes.exposures);
        }
    }
}
