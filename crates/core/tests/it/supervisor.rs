//! The supervisor's loop on a paused clock: it retries as its policy says, restores the link and
//! leaves no command waiting.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use latimer_core::hub::{Origin, RobotInfo, Source};
use latimer_core::model::signal::LinkState;
use latimer_core::supervisor::{Backoff, Reach, Session, SessionEnd, supervise};
use latimer_core::{Clock, Command, Hub, Outcome, Timestamp};
use tokio_util::sync::CancellationToken;

use crate::rig::robot;

/// Ends as scripted, after living for a while; notes when it was started.
struct Scripted {
    ends: Vec<(Duration, SessionEnd)>,
    started: Arc<Mutex<Vec<Timestamp>>>,
    clock: Clock,
}

impl Session for Scripted {
    fn run<'a>(&'a mut self, source: &'a mut Source) -> BoxFuture<'a, SessionEnd> {
        Box::pin(async move {
            self.started.lock().unwrap().push(self.clock.now());
            if self.ends.is_empty() {
                std::future::pending::<()>().await;
            }
            let (lived, end) = self.ends.remove(0);
            if !lived.is_zero() {
                source.link(LinkState::Up, None);
            }
            self.clock.sleep(lived).await;
            end
        })
    }
}

struct Supervised {
    hub: Hub,
    started: Arc<Mutex<Vec<Timestamp>>>,
    stop: CancellationToken,
    task: tokio::task::JoinHandle<()>,
}

/// A command that is no drive and no stop.
fn message(text: &str) -> Command {
    Command::SkillMessage { text: text.to_owned(), data: None }
}

fn start(ends: Vec<(Duration, SessionEnd)>) -> Supervised {
    let clock = Clock::starting_at(Timestamp::default());
    let hub = Hub::new(clock);
    let info = RobotInfo::new(robot(), "test", Origin::Connected("host".into()));
    let source = hub.register(info).unwrap();
    let started = Arc::new(Mutex::new(Vec::new()));
    let session = Scripted { ends, started: started.clone(), clock };
    let stop = CancellationToken::new();
    let task = tokio::spawn(supervise(source, session, Backoff::default(), clock, stop.clone()));
    Supervised { hub, started, stop, task }
}

fn failing(times: usize) -> Vec<(Duration, SessionEnd)> {
    (0..times).map(|_| (Duration::ZERO, SessionEnd::retry("no route"))).collect()
}

#[tokio::test(start_paused = true)]
async fn waits_grow_and_the_link_tells_why() {
    let it = start(failing(6));
    // The clock is paused: longer than the six waits together.
    tokio::time::sleep(Duration::from_secs(60)).await;
    let started = it.started.lock().unwrap().clone();
    assert_eq!(started.len(), 7, "it went on trying");
    let waits: Vec<f64> = started.windows(2).map(|pair| pair[1].since(pair[0]).as_secs_f64()).collect();
    for (i, wait) in waits.iter().enumerate() {
        let whole = 0.25 * f64::from(1 << i);
        assert!((whole / 2.0..=whole + 0.01).contains(wait), "{waits:?}");
    }
    it.stop.cancel();
    it.task.await.unwrap();
    assert!(it.hub.robot(&robot()).is_none(), "a robot without a supervisor is not in the hub");
}

#[tokio::test(start_paused = true)]
async fn a_healthy_spell_starts_the_waits_over() {
    let mut ends = failing(4);
    ends.push((Duration::from_secs(60), SessionEnd::retry("cable")));
    let it = start(ends);
    tokio::time::sleep(Duration::from_secs(90)).await;
    let started = it.started.lock().unwrap().clone();
    let last = started[5].since(started[4].after(Duration::from_secs(60)));
    assert!(last <= Duration::from_millis(260), "{last:?}");
    it.stop.cancel();
}

#[tokio::test(start_paused = true)]
async fn commands_are_refused_with_the_reason_while_it_is_down() {
    let it = start(vec![(Duration::ZERO, SessionEnd::stop("it is another robot"))]);
    tokio::time::sleep(Duration::from_millis(10)).await;
    let link = it.hub.robot(&robot()).unwrap().link;
    assert_eq!((link.state, link.reason.as_deref()), (LinkState::Down, Some("it is another robot")));
    let outcome = it.hub.command(&robot(), Command::Stop { hold: false }, Duration::from_secs(5)).await;
    assert!(
        matches!(&outcome, Outcome::Refused(why) if why.reason.contains("it is another robot")),
        "{outcome:?}"
    );
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert_eq!(it.started.lock().unwrap().len(), 1, "what cannot help is not tried again");
    it.stop.cancel();
    it.task.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_robot_that_takes_no_commands_is_connected_anew() {
    let it = start(vec![(Duration::from_secs(3600), SessionEnd::retry("never reached"))]);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let patience = Duration::from_secs(5);
    let asks = (0..70).map(|_| {
        let hub = it.hub.clone();
        tokio::spawn(async move { hub.command(&robot(), Command::Stop { hold: false }, patience).await })
    });
    for ask in asks.collect::<Vec<_>>() {
        assert!(!ask.await.unwrap().is_ok());
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(it.started.lock().unwrap().len(), 2);
    it.stop.cancel();
}

/// Obeys one command and panics at the next; then obeys all.
struct Fragile {
    obeyed: Arc<Mutex<Vec<Command>>>,
    panicked: bool,
    /// So many stops are refused first.
    refuses_stops: usize,
}

impl Session for Fragile {
    fn run<'a>(&'a mut self, source: &'a mut Source) -> BoxFuture<'a, SessionEnd> {
        Box::pin(async move {
            source.link(LinkState::Up, None);
            loop {
                let request = source.next_command().await;
                let is_message = matches!(*request.command, Command::SkillMessage { .. });
                if is_message && !std::mem::replace(&mut self.panicked, true) {
                    panic!("unexpected");
                }
                if request.command.is_stop() && self.refuses_stops > 0 {
                    self.refuses_stops -= 1;
                    request.answer(Outcome::unreachable("it does not listen yet"));
                    continue;
                }
                self.obeyed.lock().unwrap().push(request.command.clone());
                request.answer(Outcome::Accepted);
            }
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_that_panics_is_begun_anew_and_stops_the_robot_if_it_moved() {
    for moves in [true, false] {
        let clock = Clock::starting_at(Timestamp::default());
        let hub = Hub::new(clock);
        let source = hub.register(RobotInfo::new(robot(), "test", Origin::Connected("host".into()))).unwrap();
        let obeyed = Arc::new(Mutex::new(Vec::new()));
        let session = Fragile { obeyed: obeyed.clone(), panicked: false, refuses_stops: 0 };
        let stop = CancellationToken::new();
        let task = tokio::spawn(supervise(source, session, Backoff::default(), clock, stop.clone()));
        let give = |command| hub.command(&robot(), command, Duration::from_secs(5));
        let drive = Command::Drive { linear_mps: 0.2, angular_radps: 0.0, duration: None };
        tokio::time::sleep(Duration::from_millis(1)).await;
        if moves {
            assert!(give(drive.clone()).await.is_ok());
        }
        let Outcome::Refused(refusal) = give(message("x")).await else { panic!("taken") };
        assert_eq!(refusal.code.as_str(), "unreachable", "{refusal}");
        let down = hub.robot(&robot()).unwrap().link;
        assert!(down.reason.is_some_and(|it| it.contains("unexpected")), "the link says why");
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(give(message("y")).await.is_ok(), "it goes on");
        let other = message("y");
        let stopped = Command::Stop { hold: false };
        let expected = if moves { vec![drive, stopped, other] } else { vec![other] };
        assert_eq!(*obeyed.lock().unwrap(), expected);
        stop.cancel();
        task.await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_stop_that_a_returned_robot_does_not_take_is_given_again() {
    let clock = Clock::starting_at(Timestamp::default());
    let hub = Hub::new(clock);
    let source = hub.register(RobotInfo::new(robot(), "test", Origin::Connected("host".into()))).unwrap();
    let obeyed = Arc::new(Mutex::new(Vec::new()));
    let session = Fragile { obeyed: obeyed.clone(), panicked: false, refuses_stops: 2 };
    let stop = CancellationToken::new();
    let task = tokio::spawn(supervise(source, session, Backoff::default(), clock, stop.clone()));
    let give = |command| hub.command(&robot(), command, Duration::from_secs(5));
    let drive = Command::Drive { linear_mps: 0.2, angular_radps: 0.0, duration: None };
    assert!(give(drive.clone()).await.is_ok());
    assert!(!give(message("x")).await.is_ok());
    let reason = || hub.robot(&robot()).unwrap().link.reason;
    assert!(reason().is_some_and(|it| it.starts_with("moving, out of reach: ")), "{:?}", reason());
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(*obeyed.lock().unwrap(), [drive, Command::Stop { hold: false }]);
    stop.cancel();
    task.await.unwrap();
}

/// Is off from one moment to another; its port accepts connections otherwise, and sessions last for ever.
struct Switched {
    off: (Timestamp, Timestamp),
    started: Arc<Mutex<Vec<Timestamp>>>,
    clock: Clock,
}

impl Session for Switched {
    fn run<'a>(&'a mut self, source: &'a mut Source) -> BoxFuture<'a, SessionEnd> {
        Box::pin(async move {
            self.started.lock().unwrap().push(self.clock.now());
            if self.clock.now() < self.off.0 || self.clock.now() >= self.off.1 {
                source.link(LinkState::Up, None);
                self.clock.sleep_until(self.off.0).await;
                if self.clock.now() >= self.off.1 {
                    std::future::pending::<()>().await;
                }
            }
            SessionEnd::retry("it is off")
        })
    }

    fn probe(&mut self) -> BoxFuture<'_, Option<Reach>> {
        Box::pin(async move {
            let now = self.clock.now();
            Some(if now < self.off.0 || now >= self.off.1 { Reach::Accepts } else { Reach::Away })
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_robot_that_was_off_for_an_hour_is_heard_within_two_seconds() {
    let clock = Clock::starting_at(Timestamp::default());
    let hub = Hub::new(clock);
    let source = hub.register(RobotInfo::new(robot(), "test", Origin::Connected("host".into()))).unwrap();
    let (off, on) =
        (clock.now().after(Duration::from_secs(60)), clock.now().after(Duration::from_secs(3660)));
    let started = Arc::new(Mutex::new(Vec::new()));
    let session = Switched { off: (off, on), started: started.clone(), clock };
    let stop = CancellationToken::new();
    let task = tokio::spawn(supervise(source, session, Backoff::default(), clock, stop.clone()));
    clock.sleep_until(on).await;
    let link = || hub.robot(&robot()).unwrap().link;
    assert_eq!((link().state, link().since), (LinkState::Down, off), "it is down all the time");
    assert_eq!(started.lock().unwrap().len(), 1, "no session is tried while nobody accepts connections");
    clock.sleep(Duration::from_secs(2)).await;
    assert_eq!(link().state, LinkState::Up);
    stop.cancel();
    task.await.unwrap();
}
