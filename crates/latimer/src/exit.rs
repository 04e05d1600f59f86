//! Exit codes: what a script can rely on.

use std::fmt;
use std::io::Write;
use std::process::ExitCode;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what was asked.
    Ok = 0,
    /// It could not, and stderr says why.
    Failed = 1,
    /// What was asked makes no sense: arguments, config, selector.
    Usage = 2,
    /// No gateway, or no robot to probe, answers there, or it went away.
    Unreachable = 3,
    /// The robot will not do it.
    Refused = 4,
    /// The robot did not answer in time.
    TimedOut = 5,
    /// A part of the gateway failed; the robots were stopped.
    Fault = 6,
}

/// The codes as `--help` shows them.
pub const HELP: &str = "\
Exit codes:
  0  done
  1  failed, and stderr says why
  2  wrong arguments or a wrong config
  3  no gateway, or no robot to probe, answers there, or it went away
  4  the robot refused
  5  the robot did not answer in time
  6  a part of the gateway failed, and the log says which; the robots were stopped";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A failure: a message for a person, and a code for a script.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The code.
    pub exit: Exit,
    /// What was wrong, where, and what to do.
    pub message: String,
}

impl Failure {
    /// A failure with its code.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into() }
    }

    /// Wrong arguments or a wrong config.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }
}

impl From<std::io::Error> for Failure {
    /// A reader that has gone (`| head`) ends the program quietly.
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::new(Exit::Ok, String::new()),
            _ => Self::new(Exit::Failed, format!("cannot write the output: {error}")),
        }
    }
}

/// What a command of the program gives.
pub type Ended = Result<(), Failure>;

/// Writes a line for people on stderr, if anybody takes it; `eprintln!` would panic on a full disk.
pub fn remark(line: impl fmt::Display) {
    // There is nowhere else to say that it failed.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Ends the program with what became of its task, and says why it failed. All output is written by then, or that is the failure.
pub fn end(ended: Ended) -> ExitCode {
    let flushed = std::io::stdout().flush().map_err(Failure::from);
    match ended.and(flushed) {
        Ok(()) => Exit::Ok.into(),
        Err(failure) => {
            if !failure.message.is_empty() {
                remark(format_args!("latimer: {failure}"));
            }
            failure.exit.into()
        }
    }
}
