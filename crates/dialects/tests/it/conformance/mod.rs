//! What every dialect must do, run over the whole registry and the example: a session of the gateway connected to the
//! gateway's own facade, through a cable that can be cut. Of a dialect that offers one of them alone, that one is tried: with its
//! programs, or with robots that talk nonsense.

mod cable;
mod calls;
mod declared;
mod garbage;
mod house;
mod pages;
mod program;
mod ros_cable;
mod ros_garbage;
mod round_trips;
pub(crate) mod samples;
mod stops;

use std::sync::LazyLock;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use latimer_core::hub::{Delivery, GapReason, Source};
use latimer_core::model::Kind;
use latimer_core::model::signal::LinkState;
use latimer_core::{Clock, Command, Hub, Outcome, PartName};
use latimer_dialects::example::{ENTRY as EXAMPLE, ExampleConfig, NAME as EXAMPLE_NAME};
use latimer_dialects::{Answers, DIALECTS, Entry, Offers, Transport};
use latimer_e2e::PROGRAM;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;

use cable::Cable;
use declared::{gives_what_it_says, its_clients_can_give_each_command_that_it_declares_and_no_other};
use house::{House, Loopback, Observer, PATIENCE, play};
use pages::foreign_pages_are_refused_at_every_http_port;
use program::Program;
use round_trips::{
    commands_through_another_dialect_are_the_same, what_goes_through_another_dialect_comes_out_the_same,
};
use stops::nothing_that_was_given_before_a_stop_moves_the_robot_after_it;

/// A module for each dialect, with a test for each check: `conformance::misty::what_goes_in_comes_out`.
macro_rules! dialects {
    ($($dialect:ident)*) => {
        const TESTED: &[&str] = &[$(stringify!($dialect)),*];
        $(mod $dialect {
            checks! {
                $dialect:
                what_goes_in_comes_out
                what_goes_through_another_dialect_comes_out_the_same
                commands_through_another_dialect_are_the_same
                commands_go_back_the_same_way_and_their_outcome_returns
                its_clients_can_give_each_command_that_it_declares_and_no_other
                garbage_to_the_facade_is_survived
                foreign_pages_are_refused_at_every_http_port
                garbage_from_the_robot_is_survived
                a_dropped_link_comes_back_with_its_subscriptions_and_the_gap_is_published
                it_stops_within_the_grace_period_though_clients_hang
                nothing_that_was_given_before_a_stop_moves_the_robot_after_it
            }
        })*
    };
}

macro_rules! checks {
    ($dialect:ident: $($check:ident)*) => {
        $(#[test]
        fn $check() {
            super::run(stringify!($dialect), super::$check);
        })*
    };
}

dialects! { axbot example facade_alone miro misty pera robotkoop rosbridge sessions_alone }

/// The example as if it had nothing else; who asks for the other half is wrong.
static FACADE_ALONE: LazyLock<Entry> = LazyLock::new(|| {
    let mut entry = Entry::of::<ExampleConfig>();
    entry.offers = Offers::Facade;
    entry.connect = |_, _| panic!("it has no sessions");
    entry
});
static SESSIONS_ALONE: LazyLock<Entry> = LazyLock::new(|| {
    let mut entry = Entry::of::<ExampleConfig>();
    entry.offers = Offers::Sessions;
    entry.serve = |_, _| panic!("it has no facade");
    entry
});

/// What is tested under a name.
fn entry_of(name: &str) -> &'static Entry {
    match name {
        EXAMPLE_NAME => &EXAMPLE,
        "facade_alone" => &FACADE_ALONE,
        "sessions_alone" => &SESSIONS_ALONE,
        name => latimer_dialects::find(name).unwrap(),
    }
}

#[test]
fn every_dialect_is_tested() {
    let registered = DIALECTS.iter().map(|entry| entry.name);
    let mut registered: Vec<&str> =
        registered.chain([EXAMPLE_NAME, "facade_alone", "sessions_alone"]).collect();
    registered.sort_unstable();
    assert_eq!(TESTED, registered, "`dialects!` above lists what is registered, by name");
}

/// Runs a check of one dialect.
fn run<F: Future<Output = ()>>(dialect: &str, check: impl FnOnce(&'static Entry) -> F) {
    let entry = entry_of(dialect);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    // Longer than any wait within, which says what did not come.
    runtime.block_on(async { tokio::time::timeout(PROGRAM, check(entry)).await.unwrap() });
}

async fn what_goes_in_comes_out(entry: &'static Entry) {
    if entry.offers != Offers::Both {
        return;
    }
    let loopback = Loopback::start(entry, None).await;
    let observer = Observer::of(&loopback.there);
    // Not everything is said twice, so somebody has to hear it.
    observer.link(|link| link.state == LinkState::Up).await;
    let mut compared = 0;
    let samples = samples::all(&loopback.here.hub);
    for (i, sample) in samples.iter().enumerate() {
        // Range sensors are those of the dialect's own robots.
        let has_part = |part: &PartName| entry.profile().has_part(Kind::Range, part.as_str()) == Some(true);
        if sample.kind() == Kind::Range && !sample.part.as_ref().is_some_and(has_part) {
            continue;
        }
        let sent = loopback.publish(sample.clone());
        let translator = &loopback.here.translator;
        let Some(translated) = translator.translate(&loopback.here.hub, &sent) else { continue };
        assert!(entry.has_message_of(sample.kind()), "{}: {}", entry.name, sample.kind());
        let (kind, part) = (sample.kind(), sample.part.clone());
        let repeats = entry.repeats_state || kind == Kind::Pose;
        eprintln!("{}", sample.key());
        let incoming = observer
            .update(
                || loopback.publish(sample.clone()),
                // What was before may come once more where the whole state is repeated, the place where the robot was from
                // the start after the link is up, and an earlier sample that was published again.
                |incoming| {
                    let is_late = || samples[..i].iter().any(|earlier| samples::is_alike(earlier, incoming));
                    incoming.kind() == kind
                        && is_part_of(part.as_ref(), incoming.part.as_ref())
                        && (samples::is_alike(sample, incoming) || !repeats && !is_late())
                },
            )
            .await;
        samples::assert_alike(sample, &incoming);
        let native = incoming.native.as_ref().unwrap();
        assert_eq!((native.dialect, &*native.topic), (entry.name, &*translated.topic));
        let inspection = (entry.inspect)(native, kind).unwrap();
        assert!(inspection.deviations.is_empty(), "{kind}: {:?}", inspection.deviations);
        // A message that is made of several updates has no original.
        let alone = translator.translate(&Hub::new(Clock::system()), &sent);
        let is_text = entry.transport != Transport::Ros1;
        if is_text && alone.is_some_and(|alone| alone.payload == translated.payload) {
            let sent = loopback.there.translator.translate(&loopback.there.hub, &incoming).unwrap();
            assert_eq!(sent.payload, native.payload, "{kind}: the original passes through unchanged");
        }
        compared += 1;
    }
    let enough = entry.messages.len().min(5);
    assert!(compared >= enough, "{}: only {compared} of the samples can be said", entry.name);
    loopback.stop().await;
}

async fn commands_go_back_the_same_way_and_their_outcome_returns(entry: &'static Entry) {
    if entry.offers != Offers::Both {
        return;
    }
    let mut loopback = Loopback::start(entry, None).await;
    Observer::of(&loopback.there).link(|link| link.state == LinkState::Up).await;
    let mut travelled = 0;
    for index in 0..samples::commands(0).len() {
        let command = |round: usize| samples::commands(round).swap_remove(index);
        if !travels_as_itself(&mut loopback, entry.answers, &command(0)).await {
            continue;
        }
        travelled += 1;
        for (round, outcome) in
            [Outcome::Accepted, Outcome::not_now("the stairs are ahead")].iter().enumerate()
        {
            let command = command(round + 1);
            let asked = ask(&loopback, &command);
            let mut request = loopback.source.next_command().await;
            while goes_along(&command, &request.command) {
                request.answer(Outcome::Accepted);
                request = loopback.source.next_command().await;
            }
            assert_eq!(request.command, command);
            request.answer(outcome.clone());
            assert_answer(entry, &asked.await.unwrap(), outcome);
        }
    }
    assert!(travelled > 0, "{}: no command arrives as it was given", entry.name);
    loopback.stop().await;
}

/// What comes back is as much as the wire can carry, and no more is claimed.
fn assert_answer(entry: &Entry, incoming: &Outcome, sent: &Outcome) {
    match (entry.answers, incoming, sent) {
        (Answers::InWords, Outcome::Refused(incoming), Outcome::Refused(sent)) => {
            assert!(incoming.reason.contains(&sent.reason), "{}: {incoming}", entry.name);
        }
        (Answers::InWords | Answers::YesOrNo, incoming, sent) => {
            assert_eq!(incoming.is_ok(), sent.is_ok(), "{}: {incoming:?}", entry.name);
        }
        (Answers::Never, incoming, _) => assert!(incoming.is_ok(), "{}: {incoming:?}", entry.name),
    }
}

fn ask(loopback: &Loopback, command: &Command) -> JoinHandle<Outcome> {
    let (hub, command) = (loopback.there.hub.clone(), command.clone());
    tokio::spawn(async move { hub.command(&house::robot(), command, PATIENCE).await })
}

/// Whether a command arrives as it was given; a dialect may need other words of its own for it, or have none.
async fn travels_as_itself(loopback: &mut Loopback, answers: Answers, command: &Command) -> bool {
    let asked = ask(loopback, command);
    tokio::pin!(asked);
    let mut arrived = Vec::new();
    loop {
        tokio::select! {
            incoming = &mut asked => {
                let taken = incoming.unwrap().is_ok();
                assert!(arrived.is_empty() || taken, "{arrived:?} were accepted");
                // What is answered when it was sent arrives later.
                if taken && arrived.is_empty() {
                    let request = tokio::time::timeout(PATIENCE, loopback.source.next_command()).await;
                    // A wire of states does not tell a robot that stands to stop.
                    if request.is_err() && answers == Answers::Never {
                        return false;
                    }
                    let mut request = request.expect("a command that was taken arrives");
                    while goes_along(command, &request.command) {
                        request.answer(Outcome::Accepted);
                        request = loopback.source.next_command().await;
                    }
                    arrived.push(request.command.clone());
                    request.answer(Outcome::Accepted);
                }
                return arrived == [command.clone()];
            }
            request = loopback.source.next_command() => {
                if !goes_along(command, &request.command) {
                    arrived.push(request.command.clone());
                }
                request.answer(Outcome::Accepted);
            }
        }
    }
}

/// Whether a command comes with another one: a stop over a bridge cancels goals, too.
fn goes_along(given: &Command, arrived: &Command) -> bool {
    *arrived == Command::CancelNavigation && given != arrived
}

/// Whether a part is heard of under its own name, or under that of the side that it is on.
fn is_part_of(sent: Option<&PartName>, incoming: Option<&PartName>) -> bool {
    match (sent, incoming) {
        (Some(sent), Some(incoming)) => sent.as_str().starts_with(incoming.as_str()),
        (sent, incoming) => sent == incoming,
    }
}

async fn garbage_to_the_facade_is_survived(entry: &'static Entry) {
    if entry.offers == Offers::Both {
        let loopback = Loopback::start(entry, None).await;
        let observer = Observer::of(&loopback.there);
        send_garbage(entry, &loopback.here, &loopback.source).await;
        loopback.passes(&observer).await;
        loopback.stop().await;
    } else if entry.offers.has_facade() {
        let hub = Hub::new(Clock::system());
        let source = play(&hub, entry);
        let here = House::serving(entry, hub).await;
        send_garbage(entry, &here, &source).await;
        let obeying = tokio::spawn(declared::obey(source));
        let messages = (entry.clients)(&house::robot()).messages;
        gives_what_it_says(entry, &here, &mut Program::default(), &messages[0]).await;
        here.stop().await;
        obeying.abort();
    }
}

async fn send_garbage(entry: &Entry, here: &House, source: &Source) {
    for garbage in [&b"\x00\xff\xfe\x16\x03\x01"[..], b"GET /pubsub HTTP/1.1\r\n\r\n", &[b'['; 100_000]] {
        let mut socket = TcpStream::connect(here.authority()).await.unwrap();
        let _ = socket.write_all(garbage).await;
    }
    if let Ok((mut socket, _)) = tokio_tungstenite::connect_async(&here.urls[0]).await {
        for text in ["", "{", "null", "{\"Operation\":7}", &"[".repeat(1_000_000), "\u{0}"] {
            let _ = socket.send(Message::text(text.to_owned())).await;
        }
        let _ = socket.send(Message::binary(vec![0xff; 1000])).await;
        let _ = tokio::time::timeout(Duration::from_millis(200), socket.next()).await;
    }
    match entry.transport {
        Transport::Web => {}
        Transport::Mqtt => garbage::publish(entry, here, source).await,
        Transport::Ros1 => ros_garbage::publish(entry, here).await,
    }
}

async fn garbage_from_the_robot_is_survived(entry: &'static Entry) {
    if !entry.offers.has_sessions() {
        return;
    }
    let robot = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = robot.local_addr().unwrap().to_string();
    let there = house::House::connected(entry, &address).await;
    let observer = Observer::of(&there);
    for answer in [&b""[..], b"\x00\x01\x02", b"HTTP/1.1 500 No\r\n\r\n", &[0xff; 100_000]] {
        let (mut socket, _) = robot.accept().await.unwrap();
        let mut request = [0; 1024];
        let _ = socket.read(&mut request).await;
        let _ = socket.write_all(answer).await;
    }
    let link = observer.link(|link| link.state == LinkState::Down).await;
    assert!(link.reason.is_some_and(|reason| !reason.is_empty()));
    there.stop().await;
}

async fn a_dropped_link_comes_back_with_its_subscriptions_and_the_gap_is_published(entry: &'static Entry) {
    if entry.offers != Offers::Both {
        return;
    }
    let cable = Cable::new().await;
    let loopback = Loopback::start(entry, Some(&cable)).await;
    let observer = Observer::of(&loopback.there);
    loopback.passes(&observer).await;
    let gaps = Observer::of(&loopback.there);
    cable.cut();

    observer.link(|link| link.state != LinkState::Up).await;
    cable.mend();
    observer.link(|link| link.state == LinkState::Up && link.reconnects == 1).await;
    let gap = gaps.delivery(|delivery| matches!(delivery, Delivery::Gap(_))).await;
    let Delivery::Gap(gap) = gap else { unreachable!() };
    assert_eq!(gap.reason, GapReason::LinkLost);
    loopback.passes(&observer).await;
    loopback.stop().await;
}

async fn it_stops_within_the_grace_period_though_clients_hang(entry: &'static Entry) {
    let hub = Hub::new(Clock::system());
    let source = play(&hub, entry);
    let (mut houses, mut hanging, mut open) = (Vec::new(), Vec::new(), None);
    // A robot that says nothing at all.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut robot = silent.local_addr().unwrap().to_string();
    if entry.offers.has_facade() {
        let here = House::serving(entry, hub).await;
        robot = here.authority();
        hanging.push(TcpStream::connect(&robot).await.unwrap());
        let mut half = TcpStream::connect(&robot).await.unwrap();
        half.write_all(b"GET /pubsub HTTP/1.1\r\nHost: x\r\n").await.unwrap();
        hanging.push(half);
        open = tokio_tungstenite::connect_async(&here.urls[0]).await.ok();
        houses.push(here);
    }
    if entry.offers.has_sessions() {
        houses.push(House::connected(entry, &robot).await);
    }
    let stop = async {
        while let Some(house) = houses.pop() {
            house.stop().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(2), stop).await.expect("stops within 2 s");
    drop((hanging, open, source, silent));
}

#[test]
fn patience_is_longer_than_the_first_backoff() {
    assert!(PATIENCE > latimer_core::supervisor::Backoff::default().first);
}
