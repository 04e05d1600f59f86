//! The commands of the README and of `docs/`, as they are written there.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use latimer::cli::Cli;
use latimer_e2e::PATIENCE;

use crate::program::{Demo, Guarded, run, stderr};

/// Somebody may stand where a command puts something, and a robot may be busy: it is tried again.
const TRIES: usize = 5;
const BETWEEN: Duration = Duration::from_secs(2);

/// What probes a robot: at the speed of the clock, so that the rates of its messages are those of its specification.
const PROBE: &str = "latimer probe ";

/// Common HTTP port of the demo as documents have it.
const PORT: u16 = 8080;

/// A line of a document.
struct Line {
    file: String,
    number: usize,
    text: String,
}

impl Line {
    fn place(&self) -> String {
        format!("{}:{}: {}", self.file, self.number, self.text)
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The README and the pages of `docs/`, by name.
fn documents() -> Vec<(String, String)> {
    let docs = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = docs.filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    files.push(root().join("README.md"));
    files.sort();
    let read = |path: &PathBuf| {
        (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(path).unwrap())
    };
    files.iter().map(read).collect()
}

/// Lines of blocks of code that begin with one of these programs, with or without a prompt.
fn blocks(programs: &[&str]) -> Vec<Line> {
    let mut found = Vec::new();
    for (file, text) in documents() {
        let mut in_block = false;
        for (number, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("```") {
                in_block = !in_block;
                continue;
            }
            let text = line.trim_start().trim_start_matches("$ ");
            if in_block && programs.iter().any(|program| text.starts_with(&format!("{program} "))) {
                found.push(Line { file: file.clone(), number: number + 1, text: text.to_owned() });
            }
        }
    }
    found
}

/// The words in backquotes that are commands of the program, without those that leave something open.
fn inline() -> Vec<Line> {
    let mut found = Vec::new();
    for (file, text) in documents() {
        for (number, line) in text.lines().enumerate() {
            let quoted = line.split('`').skip(1).step_by(2).filter(|it| it.starts_with("latimer "));
            let whole = quoted.filter(|it| {
                !it.contains(['…', '|'])
                    && !it.split(' ').any(|word| word.len() > 1 && word == word.to_uppercase())
            });
            found.extend(whole.map(|it| Line {
                file: file.clone(),
                number: number + 1,
                text: it.to_owned(),
            }));
        }
    }
    found
}

/// The words of a command as a shell gives them to a program.
fn words(line: &Line) -> Vec<String> {
    let script = format!("set -f; printf '%s\\n' {}", line.text);
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert!(output.status.success(), "{}: {}", line.place(), stderr(&output));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// A line with the ports of this demo, each as far from the common one as in a document. In one pass: a port that is put in
/// may itself look like one of a document's.
fn with_ports_of(demo: &Demo, text: &str) -> String {
    const HOST: &str = "127.0.0.1:";
    let mut parts = text.split(HOST);
    let mut moved = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.len() - part.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let (usual, rest) = part.split_at(digits);
        let port = match usual.parse() {
            Ok(port @ PORT..8100) => (demo.port + (port - PORT)).to_string(),
            Ok(1883) => (demo.port + 20).to_string(),
            Ok(11311) => (demo.port + 30).to_string(),
            _ => usual.to_owned(),
        };
        moved.extend([HOST, &port, rest]);
    }
    moved
}

/// Starts a line in a shell, against a demo.
fn start(demo: &Demo, line: &Line, out: Stdio) -> Guarded {
    let bin = Path::new(env!("CARGO_BIN_EXE_latimer")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let mut text = with_ports_of(demo, &line.text.replacen("curl ", "exec curl -sS --fail ", 1));
    if !text.starts_with("exec ") {
        text = format!("exec {text}");
    }
    let mut command = Command::new("sh");
    command.args(["-c", &text]).current_dir(root()).env("PATH", path);
    command.env("LATIMER_GATEWAY", format!("127.0.0.1:{}", demo.port));
    Guarded(command.stdout(out).stderr(Stdio::piped()).spawn().unwrap())
}

/// Whether a command has no end of its own.
fn is_endless(line: &Line) -> bool {
    let words = words(line);
    let counts = words.iter().any(|word| word == "-n" || word.contains("&n="));
    let streams = words.iter().any(|word| word == "-N" || word == "echo" || word == "hz");
    streams && !counts
}

/// Runs a line to its end, or to its first line of output if it has none.
fn works(demo: &Demo, line: &Line) -> Result<(), String> {
    if is_endless(line) {
        let mut child = start(demo, line, Stdio::piped());
        let (first, came) = std::sync::mpsc::channel();
        let out = BufReader::new(child.0.stdout.take().unwrap());
        std::thread::spawn(move || first.send(out.lines().next().is_some()));
        return match came.recv_timeout(PATIENCE) {
            Ok(true) => Ok(()),
            _ => Err("it prints nothing".to_owned()),
        };
    }
    let mut child = start(demo, line, Stdio::null());
    match child.ended_within(PATIENCE) {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(format!("{status}: {}", child.stderr())),
        None => Err("it does not end".to_owned()),
    }
}

/// The examples that the program's help gives, without what is said of them.
fn examples() -> Vec<Line> {
    let program = Cli::command();
    let tasks = std::iter::once(&program).chain(program.get_subcommands());
    let helps = tasks.flat_map(|task| Some((task.get_name().to_owned(), task.get_after_help()?.to_string())));
    let lines = helps.flat_map(|(name, help)| {
        let lines: Vec<(usize, String)> =
            help.lines().enumerate().map(|(number, line)| (number + 1, line.to_owned())).collect();
        lines.into_iter().map(move |(number, text)| (format!("help of {name}"), number, text))
    });
    let line = |(file, number, text): (String, usize, String)| {
        let text = text.strip_prefix("  ")?.split("   ").next()?.trim_end().to_owned();
        text.starts_with("latimer ").then_some(Line { file, number, text })
    };
    lines.filter_map(line).collect()
}

/// Runs every line, and says which do not work.
fn wrong(demo: &Demo, lines: &[Line]) -> Vec<String> {
    let mut wrong = Vec::new();
    for line in lines {
        let words = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            // Tables of benchmarks begin with the name, too.
            ["latimer", ..] if line.file == "benchmarks.md" => {}
            // A gateway of its own, a file of the reader's, a robot that another program makes.
            ["latimer", "demo" | "completions", ..] => {}
            ["latimer", "world", "check" | "render", file, ..] if file.ends_with(".toml") => {}
            ["latimer", "run", "-c", "robots.toml", ..] => {}
            [_, "echo", "pera-77/**"] => {}
            // The gateway of somebody's lab.
            ["curl", .., address] if address.starts_with("https://gateway.lab") => {}
            ["latimer", _, "--gateway", address, ..] if address.starts_with("https://gateway.lab") => {
                wrong.extend(
                    Cli::try_parse_from(&words).err().map(|error| format!("{}: {error}", line.place())),
                );
            }
            // Nobody gives a command while it looks; `trace.rs` beside this has somebody do that.
            ["latimer", "trace", ..] => {
                let words = line.text.split(" #").next().unwrap().split_whitespace();
                wrong.extend(
                    Cli::try_parse_from(words).err().map(|error| format!("{}: {error}", line.place())),
                );
            }
            // A certificate that another line makes.
            ["latimer", "cert", "--revoke", ..] => {
                let words = line.text.split(" #").next().unwrap().split_whitespace();
                wrong.extend(
                    Cli::try_parse_from(words).err().map(|error| format!("{}: {error}", line.place())),
                );
            }
            // Beside this folder.
            ["latimer", "cert", ..] if !line.text.contains("--out") => {
                let folder = std::env::temp_dir().join(format!("latimer-cert-{}", std::process::id()));
                let text = format!("{} --out {}", line.text.split(" #").next().unwrap(), folder.display());
                let made = works(demo, &Line { file: line.file.clone(), number: line.number, text });
                wrong.extend(made.err().map(|why| format!("{}: {why}", line.place())));
                let _ = std::fs::remove_dir_all(folder);
            }
            ["latimer", "run", "-c", file, ..] => {
                let checked = run(&["check-config", root().join(file).to_str().unwrap()]);
                if !checked.status.success() {
                    wrong.push(format!("{}: {}", line.place(), stderr(&checked)));
                }
            }
            _ => {
                let mut tried = Ok(());
                for _ in 0..TRIES {
                    tried = works(demo, line);
                    if tried.is_ok() {
                        break;
                    }
                    std::thread::sleep(BETWEEN);
                }
                wrong.extend(tried.err().map(|why| format!("{}: {why}", line.place())));
            }
        }
    }
    wrong
}

/// Fails if a command of a document does not work in a demo that just began.
fn works_as_written(is_meant: impl Fn(&str) -> bool) {
    let mut lines = blocks(&["latimer", "curl"]);
    lines.retain(|line| is_meant(&line.file));
    assert!(lines.len() > 3, "only {} commands were found", lines.len());
    for of_file in lines.chunk_by(|one, other| one.file == other.file) {
        let speed = if of_file.iter().any(|line| line.text.starts_with(PROBE)) { "1" } else { "10" };
        let wrong = wrong(&Demo::start(&["--speed", speed]), of_file);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn every_command_of_the_readme_works_in_the_demo() {
    works_as_written(|file| file == "README.md");
}

#[test]
fn every_command_of_the_first_steps_works_in_the_demo() {
    works_as_written(|file| file == "first-steps.md");
}

#[test]
fn every_command_of_the_other_pages_works_in_the_demo() {
    works_as_written(|file| !["README.md", "first-steps.md", "probe.md"].contains(&file));
}

#[test]
fn every_command_of_the_page_about_probes_works_in_the_demo() {
    works_as_written(|file| file == "probe.md");
}

#[test]
fn every_example_of_the_help_works_in_the_demo() {
    let mut lines = examples();
    assert!(lines.len() > 40, "only {} examples were found", lines.len());
    // What is written to a file is written to none of this folder.
    for line in &mut lines {
        line.text = line.text.split(" > ").next().unwrap().split(" 2> ").next().unwrap().to_owned();
        line.text = line.text.replace("-o demo.png", "-o /dev/null");
    }
    lines.retain(|line| !line.text.starts_with(PROBE));
    let wrong = wrong(&Demo::start(&["--speed", "10"]), &lines);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_example_of_a_probe_works_in_the_demo() {
    let mut lines = examples();
    lines.retain(|line| line.text.starts_with(PROBE));
    assert!(lines.len() > 3, "only {} examples were found", lines.len());
    let wrong = wrong(&Demo::start(&[]), &lines);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_in_a_sentence_is_one() {
    let lines = inline();
    assert!(lines.len() > 10, "only {} commands were found", lines.len());
    let wrong = lines.iter().filter_map(|line| {
        let error = Cli::try_parse_from(words(line)).err()?;
        let fine = matches!(
            error.kind(),
            ErrorKind::DisplayHelp
                | ErrorKind::DisplayVersion
                | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        );
        // The name of a command alone says which one is meant.
        let names = error.kind() == ErrorKind::MissingRequiredArgument && line.text.split(' ').count() <= 3;
        (!fine && !names).then(|| format!("{}: {error}", line.place()))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
