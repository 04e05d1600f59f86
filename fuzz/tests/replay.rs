//! The short run of every target: its seeds, and mutations of them that are the same each time.
//!
//! `LATIMER_FUZZ_MILLIS` is for how long each target is mutated; `LATIMER_FUZZ_SEED` lets other mutations come.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::time::Duration;
use std::{env, fs};

use latimer_core::Clock;
use latimer_fuzz::mutation::Mutator;
use latimer_fuzz::{TARGETS, Target};
use latimer_testing::rounds;

/// For each target, times `LATIMER_ROUNDS`.
const MILLIS: u32 = 200;

/// For all of a target's inputs; nextest gives each target a process of its own.
const MOST_BYTES: u64 = 1 << 30;

/// What one input may take; a build for tests is slow, and so may be the machine.
const SLOWEST: Duration = Duration::from_secs(10);

fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target.name);
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> =
        files.map(|file| file.expect("an entry").path()).filter(|it| it.is_file()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).expect("a seed")).collect()
}

fn number(variable: &str, otherwise: u64) -> u64 {
    env::var(variable).ok().map_or(otherwise, |text| text.parse().expect("a number"))
}

/// Runs one input; what fails is kept as a file, which `fuzz/run` takes, too.
fn run(target: &Target, input: &[u8]) {
    let clock = Clock::system();
    let began = clock.now();
    let failed = catch_unwind(AssertUnwindSafe(|| target.run(input))).err();
    let took = clock.now().since(began);
    if failed.is_none() && took < SLOWEST {
        return;
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-found", target.name));
    fs::write(&file, input).expect("the input is kept");
    eprintln!("{} failed after {took:?} with {}", target.name, file.display());
    match failed {
        Some(panic) => resume_unwind(panic),
        None => panic!("{} took {took:?}", target.name),
    }
}

fn replay(target: &Target) {
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "{} has no seeds", target.name);
    seeds.iter().for_each(|seed| run(target, seed));
    let count =
        mutate(target, &seeds, Duration::from_millis(number("LATIMER_FUZZ_MILLIS", rounds(MILLIS).into())));
    let room = most_room();
    assert!(room < MOST_BYTES, "{room} bytes of room");
    println!("{}: {} seeds, {count} mutations, {} MiB", target.name, seeds.len(), room >> 20);
}

/// Runs mutations for so long; how many.
fn mutate(target: &Target, seeds: &[Vec<u8>], within: Duration) -> u64 {
    let clock = Clock::system();
    let end = clock.now().after(within);
    let mut mutator = Mutator::new(number("LATIMER_FUZZ_SEED", 1));
    let mut count = 0;
    while clock.now() < end {
        run(target, &mutator.mutation(seeds));
        count += 1;
    }
    count
}

/// The most memory that this process ever had, where the system tells.
fn most_room() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let most =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    most.map_or(0, |kib: u64| kib << 10)
}

#[test]
fn a_parser_that_panics_is_found() {
    let planted = Target::bytes("planted", |bytes| assert!(!bytes.starts_with(b"{\"a\"{"), "planted"));
    let seeds = [b"{\"a\": {\"b\": 1}}".to_vec()];
    let found = catch_unwind(|| mutate(&planted, &seeds, Duration::from_secs(60)));
    assert!(found.is_err(), "{found:?} mutations are all parsed");
}

macro_rules! replays {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                replay(latimer_fuzz::find(stringify!($name)).expect("a target"));
            }
        )*

        #[test]
        fn every_target_is_replayed() {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}

replays! {
    access_credential
    access_token
    access_users
    api_command
    api_select
    axbot_form
    axbot_message
    axbot_overlays
    axbot_pbstream
    axbot_picture
    axbot_request
    axbot_rest
    config
    example_frame
    misty_frame
    misty_lenient
    misty_message
    misty_rest
    misty_subscribe
    mqtt_packet
    pera_arena
    pera_message
    pera_request
    picture
    reload
    robot_events
    robotkoop_message
    ros1_definition
    ros1_handshake
    ros1_header
    ros1_master
    ros1_message
    ros1_slave
    ros1_xmlrpc
    rosbridge_frame
    rosbridge_message
    rosbridge_published
    scenario
    tls_files
    world
}
