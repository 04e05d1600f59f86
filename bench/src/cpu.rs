//! How long the processor worked for a thread: wall time says little on a machine that others use too.
//!
//! The kernel counts nanoseconds in `schedstat`, but may be a timer tick behind; over seconds that is
//! nothing.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;

/// For the thread that asks.
pub(crate) fn of_this_thread() -> anyhow::Result<Duration> {
    of(Path::new("/proc/thread-self"))
}

/// For the threads of a name, and for all threads of this process.
pub(crate) fn of_threads(name: &str) -> anyhow::Result<(Duration, Duration)> {
    let (mut named, mut all) = (Duration::ZERO, Duration::ZERO);
    for thread in fs::read_dir("/proc/self/task")? {
        let thread = thread?.path();
        // A thread that ended since the list was read has nothing to tell.
        let (Ok(cpu), Ok(comm)) = (of(&thread), fs::read_to_string(thread.join("comm"))) else { continue };
        all += cpu;
        if comm.trim_end() == name {
            named += cpu;
        }
    }
    Ok((named, all))
}

/// For a whole process, threads that ended included; to a hundredth of a second.
pub(crate) fn of_process(pid: u32) -> anyhow::Result<Duration> {
    let path = format!("/proc/{pid}/stat");
    let text = fs::read_to_string(&path).with_context(|| format!("reading {path}"))?;
    // The name before the last bracket may hold anything; user and system time are the 12th and 13th after it.
    let after = text.rsplit_once(')').map_or("", |(_, after)| after);
    let ticks: Option<u64> = after.split_whitespace().skip(11).take(2).map(|it| it.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(10 * ticks.with_context(|| format!("{path} holds no times"))?))
}

/// Processes that wanted to run in the last minute.
pub(crate) fn load_average() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().unwrap_or_default().to_owned()
}

fn of(thread: &Path) -> anyhow::Result<Duration> {
    let path = thread.join("schedstat");
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let ns = text.split(' ').next().and_then(|ns| ns.parse().ok());
    Ok(Duration::from_nanos(ns.with_context(|| format!("{} holds no number", path.display()))?))
}
