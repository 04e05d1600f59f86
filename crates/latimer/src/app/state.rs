//! The state folder: what robots are held to when the gateway starts again, however it ended.
//!
//! ```text
//! hub ──keep──▶ writer ──▶ robots.json.new ──fsync, rename──▶ robots.json ──▶ the next start
//! ```
//!
//! A robot that may move is written down before it is set in motion, and an emergency stop before it is answered; that a robot
//! stands again may be written later.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

use latimer_core::authority::Latch;
use latimer_core::hub::Keeper;
use latimer_core::{Author, Hub, Kept, RobotId, Timestamp};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use latimer_wire::v1::WALL;

/// The file in the folder, and the one that is locked as long as a gateway uses it.
const FILE: &str = "robots.json";
const LOCK: &str = "lock";

/// The version of the file that is written, and the only one that is read.
const VERSION: u32 = 1;

/// Why the folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// Reading or making it failed.
    #[error("{path}: {source}; name a folder that this user may write, as --state DIR")]
    Io {
        /// What of it.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// Another process has it.
    #[error("{0} is used by another gateway; stop that one, or name another folder as --state DIR")]
    Taken(PathBuf),
    /// The file is not one of these.
    #[error(
        "{path}: {source}; nobody knows from it which robots were left moving: see to it that all stand, and remove the file"
    )]
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

/// The file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    version: Version,
    robots: BTreeMap<RobotName, SavedRobot>,
}

/// [`VERSION`], and no other.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
struct Version;

impl TryFrom<u32> for Version {
    type Error = String;

    fn try_from(version: u32) -> Result<Self, String> {
        match version {
            VERSION => Ok(Self),
            other => Err(format!("version {other} is of another gateway; this one knows {VERSION}")),
        }
    }
}

impl From<Version> for u32 {
    fn from(_: Version) -> Self {
        VERSION
    }
}

/// A name that a robot may have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct RobotName(RobotId);

impl TryFrom<String> for RobotName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        RobotId::new(&name).map(Self).map_err(|error| error.to_string())
    }
}

impl From<RobotName> for String {
    fn from(RobotName(robot): RobotName) -> Self {
        robot.to_string()
    }
}

/// What a robot is held to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedRobot {
    may_move: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    emergency_stop: Option<SavedLatch>,
}

/// Who pressed an emergency stop, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedLatch {
    dialect: String,
    name: String,
    since_ns: i64,
}

impl From<&Kept> for SavedRobot {
    fn from(Kept { latch, may_move }: &Kept) -> Self {
        let emergency_stop = latch.as_ref().map(|Latch { author, since }| SavedLatch {
            dialect: author.dialect.to_owned(),
            name: author.name.to_string(),
            since_ns: WALL.at(*since).as_nanos(),
        });
        Self { may_move: *may_move, emergency_stop }
    }
}

impl From<SavedRobot> for Kept {
    fn from(SavedRobot { may_move, emergency_stop }: SavedRobot) -> Self {
        let latch = emergency_stop.map(|SavedLatch { dialect, name, since_ns }| Latch {
            // Authors have words of the program; one of a file lives as long, once for each that was pressed.
            author: Author::new(dialect.leak(), name),
            since: Timestamp::from_nanos(since_ns),
        });
        Self { latch, may_move }
    }
}

/// What the thread that writes is asked.
enum Request {
    /// A robot's new state, and whom to tell when it is written.
    Keep(RobotId, SavedRobot, Option<Sender<()>>),
    /// To tell when all before it is written.
    Flush(oneshot::Sender<()>),
}

/// Hands what changes to the thread that writes.
#[derive(Debug)]
struct Writer(Sender<Request>);

/// The folder in use.
#[derive(Debug)]
pub(super) struct StateFolder(Sender<Request>);

impl StateFolder {
    /// Waits until what robots are held to is written, or the thread that writes has gone: what may be written later must be before the
    /// gateway ends, or the next one would stop robots that stand.
    pub(super) async fn written(&self) {
        let (done, is_done) = oneshot::channel();
        if self.0.send(Request::Flush(done)).is_ok() {
            let _ = is_done.await;
        }
    }
}

impl Keeper for Writer {
    fn keep(&self, robot: &RobotId, kept: &Kept) {
        let is_urgent = *kept != Kept::default();
        let (done, is_done) = channel();
        let change = Request::Keep(robot.clone(), SavedRobot::from(kept), is_urgent.then_some(done));
        // A thread that has gone has said why. A robot that cannot be stopped because a disk is full is worse than one that is not
        // stopped at the next start.
        if self.0.send(change).is_ok() && is_urgent {
            let _ = is_done.recv();
        }
    }
}

/// Takes the folder, and holds the hub's robots to what is in it.
pub(super) fn open(folder: &Path, hub: &Hub) -> Result<StateFolder, StateError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| StateError::Io { path, source }
    };
    std::fs::create_dir_all(folder).map_err(io(folder))?;
    let lock = folder.join(LOCK);
    let lock_file = File::options().create(true).append(true).open(&lock).map_err(io(&lock))?;
    match lock_file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(StateError::Taken(folder.to_owned())),
        Err(TryLockError::Error(source)) => return Err(StateError::Io { path: lock, source }),
    }
    let path = folder.join(FILE);
    let robots = match std::fs::read(&path) {
        Ok(bytes) => {
            let saved: Saved = serde_json::from_slice(&bytes)
                .map_err(|source| StateError::Content { path: path.clone(), source })?;
            saved.robots
        }
        Err(error) if error.kind() == ErrorKind::NotFound => BTreeMap::new(),
        Err(source) => return Err(StateError::Io { path, source }),
    };
    for (RobotName(robot), saved) in &robots {
        if saved.may_move {
            tracing::warn!(%robot, "the robot was left moving, or did not confirm that it stands: it is stopped first");
        }
        if saved.emergency_stop.is_some() {
            tracing::warn!(%robot, "the robot's emergency stop is pressed since before the gateway started");
        }
    }
    // What cannot be written is found out now.
    write(folder, &robots).map_err(io(&path))?;
    let (changes, taken) = channel();
    let kept: Vec<_> = robots.iter().map(|(name, saved)| (name.0.clone(), saved.clone().into())).collect();
    let folder = folder.to_owned();
    let thread = std::thread::Builder::new().name("state".to_owned());
    let spawned = thread.spawn(move || run(&folder, robots, &taken, lock_file));
    spawned.map_err(io(&path))?;
    hub.keep(kept, Box::new(Writer(changes.clone())));
    Ok(StateFolder(changes))
}

/// Writes what changes, all that waits at once, until the hub and the folder's holder have gone.
fn run(folder: &Path, mut robots: BTreeMap<RobotName, SavedRobot>, taken: &Receiver<Request>, _lock: File) {
    let mut has_failed = false;
    while let Ok(first) = taken.recv() {
        let (mut waiting, mut flushed, mut has_changed) = (Vec::new(), Vec::new(), false);
        for request in std::iter::once(first).chain(taken.try_iter()) {
            match request {
                Request::Keep(robot, saved, done) => {
                    let (robot, is_free) = (RobotName(robot), saved == SavedRobot::from(&Kept::default()));
                    match is_free {
                        true => robots.remove(&robot),
                        false => robots.insert(robot, saved),
                    };
                    waiting.extend(done);
                    has_changed = true;
                }
                Request::Flush(done) => flushed.push(done),
            }
        }
        // One that failed is tried again.
        let written = if has_changed || has_failed { write(folder, &robots) } else { Ok(()) };
        match written {
            Ok(()) => has_failed = false,
            Err(error) if !has_failed => {
                has_failed = true;
                tracing::error!(folder = %folder.display(), %error, "the state folder cannot be written: after a restart robots are not stopped first, and emergency stops are released");
            }
            Err(_) => {}
        }
        // Whoever waits goes on, with or without.
        for done in waiting {
            let _ = done.send(());
        }
        for done in flushed {
            let _ = done.send(());
        }
    }
}

/// The whole file or none: it is renamed when it is on the disk.
fn write(folder: &Path, robots: &BTreeMap<RobotName, SavedRobot>) -> std::io::Result<()> {
    let saved = Saved { version: Version, robots: robots.clone() };
    let (new, path) = (folder.join(format!("{FILE}.new")), folder.join(FILE));
    let mut file = File::create(&new)?;
    file.write_all(&serde_json::to_vec_pretty(&saved)?)?;
    file.sync_all()?;
    std::fs::rename(&new, &path)?;
    // The name, too.
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use latimer_core::Clock;

    use super::*;

    fn robot() -> RobotId {
        RobotId::new("misty-1").unwrap()
    }

    #[test]
    fn what_is_kept_is_there_after_a_restart_and_a_folder_has_one_gateway() {
        let folder = tempfile::tempdir().unwrap();
        let read = || std::fs::read_to_string(folder.path().join(FILE)).unwrap();
        let latch = Latch { author: Author::new("api", "ada"), since: Timestamp::from_nanos(7) };
        let kept = Kept { latch: Some(latch), may_move: true };
        {
            let hub = Hub::new(Clock::system());
            open(folder.path(), &hub).unwrap();
            let taken = open(folder.path(), &Hub::new(Clock::system())).unwrap_err().to_string();
            assert!(taken.contains("another gateway"), "{taken}");
        }
        let (changes, taken) = channel();
        let lock = File::create(folder.path().join("other")).unwrap();
        let path = folder.path().to_owned();
        let thread = std::thread::spawn(move || run(&path, BTreeMap::new(), &taken, lock));
        let writer = Writer(changes);
        writer.keep(&robot(), &kept);
        assert!(read().contains("misty-1") && read().contains("\"since_ns\": 7"), "{}", read());
        let saved: Saved = serde_json::from_str(&read()).unwrap();
        let (name, saved) = saved.robots.into_iter().next().unwrap();
        assert_eq!((name.0, Kept::from(saved)), (robot(), kept));
        writer.keep(&robot(), &Kept::default());
        drop(writer);
        thread.join().unwrap();
        assert!(!read().contains("misty-1"), "{}", read());
    }

    #[tokio::test]
    async fn what_may_be_written_later_is_there_when_the_gateway_ends() {
        let folder = tempfile::tempdir().unwrap();
        let hub = Hub::new(Clock::system());
        let state = open(folder.path(), &hub).unwrap();
        let writer = Writer(state.0.clone());
        for _ in 0..100 {
            writer.keep(&robot(), &Kept { latch: None, may_move: true });
            // Nobody waits for this one.
            writer.keep(&robot(), &Kept::default());
            state.written().await;
            let text = std::fs::read_to_string(folder.path().join(FILE)).unwrap();
            assert!(!text.contains("misty-1"), "{text}");
        }
    }

    #[test]
    fn a_file_that_says_nothing_is_not_taken_for_robots_that_stand() {
        let folder = tempfile::tempdir().unwrap();
        for text in [
            "",
            "{}",
            "{\"version\": 2, \"robots\": {}}",
            "{\"version\": 1, \"robots\": {\"a/b\": {\"may_move\": true}}}",
        ] {
            std::fs::write(folder.path().join(FILE), text).unwrap();
            let error = open(folder.path(), &Hub::new(Clock::system())).unwrap_err().to_string();
            assert!(error.contains("see to it that all stand"), "{text}: {error}");
        }
    }
}
