//! The process, under the names that Prometheus' own clients give. Linux only; elsewhere there are none.

use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::registry::Unit;

use super::page::Figure;

/// What Linux counts CPU time in for programs, on every machine that Rust runs on.
const TICKS_PER_SECOND: f64 = 100.0;

#[derive(Debug)]
pub(super) struct Process {
    resident_bytes: Option<u64>,
    cpu_s: Option<f64>,
    open_handles: Option<u64>,
    tasks: Option<u64>,
}

impl Process {
    pub(super) fn now() -> Self {
        // A machine without /proc has no such files.
        let read = |name: &str| std::fs::read_to_string(format!("/proc/self/{name}")).ok();
        Self {
            resident_bytes: read("status").as_deref().and_then(resident_bytes),
            cpu_s: read("stat").as_deref().and_then(cpu_s),
            open_handles: std::fs::read_dir("/proc/self/fd").ok().map(|handles| handles.count() as u64),
            tasks: tokio::runtime::Handle::try_current().ok().map(|it| it.metrics().num_alive_tasks() as u64),
        }
    }
}

/// From `/proc/self/status`, by proc(5).
fn resident_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// User and system time from `/proc/self/stat`, by proc(5).
fn cpu_s(stat: &str) -> Option<f64> {
    // The program's name may contain anything; its closing parenthesis is the last one.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11);
    let mut ticks = || times.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        if let Some(bytes) = self.resident_bytes {
            Figure::measured("process_resident_memory", Unit::Bytes, "Memory that the process holds")
                .gauge(&mut encoder, bytes)?;
        }
        if let Some(seconds) = self.cpu_s {
            Figure::measured("process_cpu", Unit::Seconds, "CPU time that the process took")
                .counter(&mut encoder, seconds)?;
        }
        if let Some(handles) = self.open_handles {
            Figure::new("process_open_fds", "Files and sockets that the process has open")
                .gauge(&mut encoder, handles)?;
        }
        if let Some(tasks) = self.tasks {
            Figure::new("latimer_tasks", "Asynchronous tasks that have not ended")
                .gauge(&mut encoder, tasks)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proc_files_are_read() {
        assert_eq!(resident_bytes("VmHWM:\t 10 kB\nVmRSS:\t   2048 kB\n"), Some(2_097_152));
        let stat = "7 (a ) b) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20";
        assert_eq!(cpu_s(stat), Some(3.0));
        assert_eq!((resident_bytes("VmRSS: x"), cpu_s("7 (a")), (None, None));
    }
}
