//! Random rounds against robots of all six dialects that fail, lie, are slow and go on by themselves: after a stop was answered,
//! nothing that was commanded before reaches them, and a robot that reports that it moves is stopped again within a second.
//!
//! `LATIMER_SEED` plays the rounds of a seed again, which a failure names.

mod client;
mod plan;
mod pulse;
mod rules;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use latimer_core::Timestamp;
use latimer_e2e::{Gateway, PATIENCE};
use serde_json::{Value, json};

use crate::fakes::{Base, Faults, Running, Told, bridge, chassis, household, miro, misty, now, swarm};
use client::{Api, Program};
use plan::{Ending, Kind, Plan, Start};
use pulse::Pulse;
use rules::{Verdict, WITHIN, judge, stood};

/// So many rounds, the same each time; so many times `LATIMER_ROUNDS` if that is set, and others each time.
const USUAL: u32 = 20;
const LONG: u32 = 50;

/// Where the seed stands that is to be played again.
const SEED: &str = "LATIMER_SEED";

/// The broker's port above the common one.
const MQTT: u16 = 20;

/// A robot that has reported for so long that it stands, after all that it was asked for, is believed.
const CONFIRMED: Duration = Duration::from_millis(950);
/// One that stood for so long before it took the stop is not looked at any more once it takes it.
const STOOD_BEFORE: Duration = Duration::from_millis(1_450);

/// What the gateway says of a stop that had no effect.
const UNSTOPPED: [&str; 3] = ["was stopped and moves still", "did not take a stop", NOT_CONFIRMED];
const NOT_CONFIRMED: &str = "does not confirm that it stands";

/// A robot, and who commands it.
struct Robot {
    kind: Kind,
    base: Arc<Base>,
    api: Api,
}

/// What held of all rounds of a robot.
#[derive(Debug, Default)]
struct Tally {
    rounds: u32,
    reports: usize,
    slowest: Duration,
    failures: Vec<String>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_moves_after_a_stop_is_stopped_again() {
    let (rounds, seed) = match latimer_testing::rounds(1) {
        1 => (USUAL, 1),
        times => (LONG.saturating_mul(times), now().as_nanos().unsigned_abs()),
    };
    let seed = std::env::var(SEED).map_or(seed, |it| it.parse().expect("a seed is a number"));
    println!("{SEED}={seed} plays these {rounds} rounds again");
    // Its own broker, since the other must know the address before it starts.
    let broker =
        Gateway::with_text("[http]\nlisten = '127.0.0.1:8080'\n[broker]\nlisten = '127.0.0.1:1883'\n").await;
    let (gateway, robots, _servers) = scene(&broker.port(MQTT)).await;
    let pulse = Arc::new(Pulse::of(&gateway.http()));
    let playing =
        robots.into_iter().enumerate().map(|(i, robot)| play(robot, pulse.clone(), seed, (i as u32, rounds)));
    let mut failures = Vec::new();
    for (kind, tally) in join_all(playing).await {
        let Tally { rounds, reports, slowest, failures: failed } = tally;
        println!(
            "{kind:?}: {rounds} rounds, {reports} reports of motion after a stop, stopped within {slowest:?}"
        );
        failures.extend(failed);
    }
    assert!(failures.is_empty(), "{SEED}={seed}:\n{}\n{}", failures.join("\n"), gateway.said());
}

/// All robots, and a gateway that is connected to them.
async fn scene(broker: &str) -> (Gateway, Vec<Robot>, Vec<Box<dyn Send>>) {
    let bases = Kind::ALL.map(|_| Arc::new(Base::new()));
    let [at_misty, at_chassis, at_miro, at_swarm, at_household, at_bridge] = bases.clone();
    let (misty, misty_server) = misty::start(at_misty).await;
    let (chassis, chassis_server) = chassis::start(at_chassis).await;
    let (master, miro_node) = miro::start(at_miro).await;
    let (bridge, bridge_server) = bridge::start(at_bridge, true).await;
    let clients: [Running; 2] =
        [swarm::start(at_swarm, broker).await, household::start(at_household, broker).await];
    let config = format!(
        "[http]\nlisten = '127.0.0.1:8080'\n\
         [[misty.connect]]\nrobot = 'misty'\naddress = '{misty}'\n\
         [[axbot.connect]]\nrobot = 'chassis'\naddress = '{chassis}'\n\
         [[miro.connect]]\nrobot = 'miro'\nname = '{}'\naddress = '{master}'\n\
         [[pera.connect]]\nrobot = 'swarm'\nid = {}\naddress = '{broker}'\n\
         [[robotkoop.connect]]\nrobot = 'household'\nid = '{}'\naddress = '{broker}'\n\
         [[rosbridge.connect]]\nrobot = 'bridge'\naddress = '{bridge}'\nname = ''\n",
        miro::NAME,
        swarm::ID,
        household::ID
    );
    let gateway = Gateway::with_text(&config).await;
    for kind in Kind::ALL {
        gateway.until_up(kind.name()).await;
    }
    let servers: Vec<Box<dyn Send>> =
        vec![Box::new([misty_server, chassis_server, bridge_server]), Box::new(clients), Box::new(miro_node)];
    let robots = Kind::ALL.into_iter().zip(bases);
    let robots = robots.map(|(kind, base)| Robot { kind, base, api: Api::new(gateway.http(), kind.name()) });
    let robots = robots.collect();
    (gateway, robots, servers)
}

/// Every sixth round is a robot's: those whose number leaves `own` over.
async fn play(robot: Robot, pulse: Arc<Pulse>, seed: u64, (own, rounds): (u32, u32)) -> (Kind, Tally) {
    let mut tally = Tally::default();
    for number in (own..rounds).step_by(Kind::ALL.len()) {
        let plan = Plan::of(robot.kind, seed, number);
        let began = now();
        let verdict = robot.round(&plan, &pulse).await;
        let log = robot.base.log();
        robot.end(&plan).await;
        tally.rounds += 1;
        let breaches = match verdict {
            Ok(Verdict { reports, slowest, breaches }) => {
                tally.reports += reports;
                tally.slowest = tally.slowest.max(slowest);
                breaches
            }
            Err(missing) => vec![missing],
        };
        if !breaches.is_empty() {
            let shown = shown(&log, began);
            tally.failures.push(format!("round {number}, {:?}: {breaches:?}\n{plan:?}\n{shown}", robot.kind));
        }
    }
    (robot.kind, tally)
}

/// A log for a person to read: what is the same several times is counted.
fn shown(log: &[(Timestamp, Told)], began: Timestamp) -> String {
    let runs = log.chunk_by(|(_, one), (_, next)| one == next);
    let run = |run: &[(Timestamp, Told)]| {
        let [first, .., last] = run else {
            return run.iter().map(|(at, told)| format!("{:?} {told:?}", at.since(began))).collect();
        };
        format!("{:?}..{:?} {:?} x{}", first.0.since(began), last.0.since(began), first.1, run.len())
    };
    runs.map(run).collect::<Vec<String>>().join(", ")
}

/// Whether the robot took what it was asked.
fn is_ok(outcome: &Value) -> bool {
    outcome == "accepted" || outcome == "done"
}

impl Robot {
    /// A round; an error says what did not come.
    async fn round(&self, plan: &Plan, pulse: &Pulse) -> Result<Verdict, String> {
        self.until("it can be reached", async || self.api.is_up().await).await?;
        self.base.begin(plan.faults);
        let program = self.begin(plan.start).await?;
        tokio::time::sleep(plan.pause).await;
        self.base.arm();
        let answered = self.stop(plan.ending, program, pulse).await?;
        let is_pressed = plan.ending == Ending::EmergencyStop;
        if self.tells(plan) {
            self.until("it stands, and the gateway knows", async || {
                let log = self.base.log();
                let (longest, last) = stood(&log, answered);
                let given = self.base.first(Told::Stop).unwrap_or(answered);
                // One that has stood for long enough may go on, unless the emergency stop holds.
                let stands = match is_pressed {
                    true => self.base.stands_for_good() && last >= CONFIRMED,
                    false => longest >= CONFIRMED || stood(&log, given).0 >= STOOD_BEFORE,
                };
                let alerts = self.api.last("alerts").await;
                stands && !UNSTOPPED.iter().any(|it| alerts.contains(it))
            })
            .await?;
        } else {
            let alerts = async || self.api.last("alerts").await.contains(NOT_CONFIRMED);
            self.until("an alert says that it does not confirm that it stands", alerts).await?;
        }
        if is_pressed {
            let (status, text) = self.api.command(self.motion(plan.start)).await;
            if status.is_success() || !text.contains("emergency stop is pressed") {
                return Err(format!("an emergency stop that holds: {status} {text}"));
            }
        }
        Ok(judge(&self.base.log(), (answered, now()), is_pressed, |from, until| pulse.lateness(from, until)))
    }

    /// Has it move.
    async fn begin(&self, start: Start) -> Result<Option<Program>, String> {
        let program = match start {
            Start::Own => {
                self.base.go_by_itself(true);
                return Ok(None);
            }
            Start::Burst => {
                self.api.flood().await;
                None
            }
            Start::Program => Some(Program::drive(&self.api, self.kind as u8 + 1).await),
            Start::Drive | Start::Goal => {
                let (api, command) = (self.api.clone(), self.motion(start));
                // What becomes of it is of no interest: a stop may come before its answer.
                tokio::spawn(async move { api.command(command).await });
                None
            }
        };
        self.until("it is told to move", async || self.base.first(Told::Motion).is_some()).await?;
        Ok(program)
    }

    /// A command that moves it.
    fn motion(&self, start: Start) -> Value {
        match (self.kind, start) {
            (Kind::Swarm, _) => json!({"command": "skill_message", "text": "START"}),
            (Kind::Household, _) => {
                let id = format!("T{}", now().as_nanos());
                json!({"command": "task", "id": id, "kind": "clean", "parameters": {"to": "sofa"}})
            }
            (_, Start::Goal) => json!({"command": "navigate", "to": {"x_m": 3.0, "y_m": 1.0}}),
            _ => json!({"command": "drive", "linear_mps": 0.2}),
        }
    }

    /// Stops it; when that was answered.
    async fn stop(
        &self,
        ending: Ending,
        program: Option<Program>,
        pulse: &Pulse,
    ) -> Result<Timestamp, String> {
        let is_taken = match ending {
            Ending::Stop => self.api.command(json!({"command": "stop"})).await.0.is_success(),
            Ending::Halt => self.api.command(json!({"command": "halt"})).await.0.is_success(),
            Ending::EmergencyStop => is_ok(&self.api.emergency_stop(true).await),
            Ending::Leave => {
                let left = now();
                drop(program);
                self.until("a stop, since its program left", async || self.base.first(Told::Stop).is_some())
                    .await?;
                let stopped = self.base.first(Told::Stop).unwrap_or_else(now);
                let took = stopped.since(left).saturating_sub(pulse.lateness(left, stopped));
                if took > WITHIN {
                    return Err(format!("a stop when its program left: it took {took:?}"));
                }
                false
            }
        };
        // One that knows no word for a stop has answered so; another is asked until it takes one.
        if !is_taken && self.kind != Kind::Household {
            self.until("it takes a stop", async || self.base.first(Told::Taken).is_some()).await?;
            return Ok(self.base.first(Told::Taken).unwrap_or_else(now));
        }
        Ok(now())
    }

    /// Whether it tells how it moves.
    fn tells(&self, plan: &Plan) -> bool {
        plan.faults.reports && self.kind != Kind::Household
    }

    /// Ends a round, so that nothing of it is left.
    async fn end(&self, plan: &Plan) {
        self.base.begin(Faults::NONE);
        if plan.ending == Ending::EmergencyStop {
            // One whose connection is made anew at the moment is asked again; a chassis says itself when it is released.
            let released = self
                .until("it is released", async || {
                    is_ok(&self.api.emergency_stop(false).await)
                        && !self.api.last("control").await.contains("\"emergency_stop\":true")
                })
                .await;
            assert_eq!(released, Ok(()), "{:?}", self.kind);
        }
        self.api.stands().await;
    }

    /// Waits until it is so.
    async fn until(&self, what: &str, mut is_so: impl AsyncFnMut() -> bool) -> Result<(), String> {
        let waiting = async {
            while !is_so().await {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let came = tokio::time::timeout(PATIENCE, waiting).await;
        came.map_err(|_| format!("no {what}"))
    }
}
