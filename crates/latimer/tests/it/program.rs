//! The program itself, as a child that ends with the test.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::Duration;

use latimer_core::Clock;
use latimer_e2e::PATIENCE;
use latimer_e2e::ports::free_block;

/// A child that is killed by its own id when the test lets go of it.
pub(crate) struct Guarded(pub(crate) Child);

impl Drop for Guarded {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Guarded {
    /// Waits for the end.
    pub(crate) fn ended_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        let clock = Clock::system();
        let began = clock.now();
        while clock.now().since(began) < patience {
            if let Some(status) = self.0.try_wait().unwrap() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }

    /// Sends a signal by its number.
    pub(crate) fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.0.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    pub(crate) fn stderr(&mut self) -> String {
        let mut text = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }
}

/// `latimer demo` on ports of its own, once it is up.
pub(crate) struct Demo {
    pub(crate) child: Guarded,
    pub(crate) port: u16,
    /// What it printed.
    pub(crate) table: String,
}

impl Demo {
    pub(crate) fn start(args: &[&str]) -> Self {
        for _ in 0..10 {
            let port = free_block();
            let child = latimer(&["demo", "--port-base", &port.to_string()])
                .args(args)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn();
            let mut child = Guarded(child.unwrap());
            let mut table = String::new();
            for line in BufReader::new(child.0.stdout.take().unwrap()).lines() {
                table.push_str(&line.unwrap());
                table.push('\n');
                if table.contains("Ctrl-C") {
                    return Self { child, port, table };
                }
            }
            let stderr = child.stderr();
            assert!(stderr.contains("cannot listen"), "the demo did not start: {stderr}");
        }
        panic!("no free ports");
    }

    /// Runs the program against this demo.
    pub(crate) fn ask(&self, args: &[&str]) -> Output {
        let child = latimer(args)
            .env("LATIMER_GATEWAY", format!("127.0.0.1:{}", self.port))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        finish(Guarded(child.unwrap()))
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}

/// The program with arguments, away from the environment's settings.
pub(crate) fn latimer(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_latimer"));
    command.args(args).env_remove("LATIMER_GATEWAY").env_remove("RUST_LOG");
    command
}

/// What the program says when it is run to its end.
pub(crate) fn run(args: &[&str]) -> Output {
    finish(Guarded(latimer(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()))
}

/// Waits for the end, reading its output meanwhile.
pub(crate) fn finish(mut child: Guarded) -> Output {
    let read = |pipe: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
            bytes
        })
    };
    let stdout = read(child.0.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>));
    let stderr = read(child.0.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>));
    let status = child.ended_within(PATIENCE).expect("the program ends in time");
    Output { status, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
