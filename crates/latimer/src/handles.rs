//! File handles: as many as the system lets a process have, some of them kept for what must not wait.

/// Handles beside those of clients of the common port: listeners, robots' links, the broker's clients, files, and the connections that
/// are kept for urgent requests.
const ELSEWHERE: u64 = 256;

/// Fewer than this is said, since a fleet with its clients needs more.
const FEW: u64 = 4_096;

/// Raises the limit of this process to the greatest that it may have; what it is then, if the system has one.
pub(crate) fn raise() -> Option<u64> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
        if raised.is_ok() { maximum } else { current }
    }
    #[cfg(not(unix))]
    None
}

/// How many handles a process may have, if the system has a limit.
pub(crate) fn most() -> Option<u64> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        getrlimit(Resource::Nofile).maximum
    }
    #[cfg(not(unix))]
    None
}

/// What is wrong with so many.
pub(crate) fn few(handles: Option<u64>) -> Option<String> {
    let handles = handles.filter(|it| *it < FEW)?;
    Some(format!(
        "the system gives {handles} file handles, so that few clients are taken; raise the hard limit, `ulimit -Hn`, to {FEW} or more"
    ))
}

/// How many clients the common port takes of those that the config allows.
pub(crate) fn clients(configured: usize, handles: Option<u64>) -> usize {
    let Some(handles) = handles else { return configured };
    let left = handles.saturating_sub(ELSEWHERE).max(handles / 2);
    configured.min(usize::try_from(left).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_leave_handles_for_the_rest() {
        assert_eq!(clients(1_024, None), 1_024);
        assert_eq!(clients(1_024, Some(1 << 20)), 1_024);
        assert_eq!(clients(1_024, Some(1_024)), 768);
        assert_eq!(clients(1_024, Some(100)), 50);
    }
}
