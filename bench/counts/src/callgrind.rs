//! Runs scenarios under valgrind, as many at a time as there are cores.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, anyhow, ensure};

use crate::scenarios::Scenario;

/// What one scenario came to.
#[derive(Debug)]
pub(crate) struct Count {
    pub(crate) name: &'static str,
    /// Instructions of one operation.
    pub(crate) instructions: u64,
    /// What `callgrind_annotate` reads.
    pub(crate) profile: PathBuf,
}

/// Counts scenarios, in their order.
pub(crate) fn count(scenarios: &[&'static Scenario]) -> anyhow::Result<Vec<Count>> {
    let program = std::env::current_exe().context("finding this program")?;
    let folder = program.parent().context("the folder of this program")?.join("callgrind");
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let (next, counts) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(scenario) = scenarios.get(next.fetch_add(1, Ordering::Relaxed)) {
            let count = count_one(scenario, &program, &folder).with_context(|| scenario.name);
            counts.lock().map_err(|_| anyhow!("another thread broke"))?.push(count?);
        }
        anyhow::Ok(())
    };
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|it| it.join().map_err(|_| anyhow!("a thread broke"))?)
    })?;
    let mut counts = counts.into_inner().map_err(|_| anyhow!("a thread broke"))?;
    counts.sort_by_key(|count| scenarios.iter().position(|scenario| scenario.name == count.name));
    Ok(counts)
}

fn count_one(scenario: &Scenario, program: &Path, folder: &Path) -> anyhow::Result<Count> {
    let profile = folder.join(scenario.name);
    // Without the variables of whoever calls: they lie on the stack, and move what lies behind.
    let output = Command::new("valgrind")
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .args(["--tool=callgrind", "--toggle-collect=latimer_counts::counted*"])
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(program)
        .args(["--run", scenario.name])
        .stdin(Stdio::null())
        .output()
        .context("starting valgrind")?;
    ensure!(output.status.success(), "valgrind failed: {}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(&profile).with_context(|| format!("reading {}", profile.display()))?;
    let total =
        text.lines().find_map(|line| line.strip_prefix("totals: ")).and_then(|it| it.parse::<u64>().ok());
    let total = total.filter(|total| *total > 0).context("valgrind counted nothing within `counted`")?;
    Ok(Count { name: scenario.name, instructions: total / u64::from(scenario.times), profile })
}
