//! Robots that appear, disappear and take commands, by the thousand.

use std::time::Duration;

use latimer_core::hub::{Origin, RobotInfo, Source};
use latimer_core::model::signal::Range;
use latimer_core::{Clock, Command, Hub, Outcome, RobotId, Update};

fn robot(name: &str) -> RobotId {
    RobotId::new(name).unwrap()
}

fn source(hub: &Hub, name: &str) -> Source {
    hub.register(RobotInfo::new(robot(name), "test", Origin::Simulated)).unwrap()
}

#[tokio::test(start_paused = true)]
async fn commands_are_counted_across_robots() {
    let hub = Hub::new(Clock::system());
    let mut source = source(&hub, "r");
    let stop = Command::Stop { hold: false };
    let patience = Duration::from_secs(2);
    let _nobody = hub.command(&robot("x"), stop.clone(), patience).await;
    assert_eq!(hub.commands_given(), 0);
    let r = robot("r");
    let (outcome, ()) = tokio::join!(hub.command(&r, stop, patience), async {
        tokio::task::yield_now().await;
        assert_eq!(hub.commands_given(), 1);
        source.try_next_command().unwrap().answer(Outcome::Done);
    });
    assert_eq!(outcome, Outcome::Done);
}

#[tokio::test(start_paused = true)]
async fn a_robot_that_goes_takes_its_topics_with_it() {
    let hub = Hub::new(Clock::system());
    let stays = source(&hub, "r-2");
    let goes = source(&hub, "r");
    goes.publish(Update::now(&robot("r"), hub.clock().now(), Range::valid(1.0).into()));
    assert_eq!(hub.last_of_robot(&robot("r")).len(), 2, "its link and its range");
    let gone = hub.robots_gone();
    drop(goes);
    assert_eq!(hub.robots_gone(), gone + 1);
    assert!(!hub.has(&robot("r")) && hub.last_of_robot(&robot("r")).is_empty());
    assert_eq!(hub.last_of_robot(stays.robot()).len(), 1, "its name begins as the other one's");
    let _again = source(&hub, "r");
    assert!(hub.has(&robot("r")));
}

#[tokio::test(start_paused = true)]
async fn the_population_is_read_less_often_when_it_is_larger() {
    let hub = Hub::new(Clock::system());
    let _crowd: Vec<_> = (0..10_000).map(|number| source(&hub, &format!("r-{number}"))).collect();
    let mut population = hub.population();
    population.changed().await;
    let _one_more = source(&hub, "one-more");
    let soon = tokio::time::timeout(Duration::from_millis(400), population.changed()).await;
    assert!(soon.is_err(), "looked through ten thousand for one");
    let later = tokio::time::timeout(Duration::from_millis(200), population.changed()).await;
    assert!(later.is_ok(), "the one that came was overlooked");
}

#[tokio::test(start_paused = true)]
async fn a_growing_crowd_is_counted_in_few_reads() {
    let hub = Hub::new(Clock::system());
    let mut population = hub.population();
    let mut sources = Vec::new();
    let coming = async {
        for number in 0..1_000 {
            sources.push(source(&hub, &format!("r-{number}")));
            hub.clock().sleep(Duration::from_millis(1)).await;
        }
    };
    let (mut looks, mut seen) = (0, 0);
    let looking = async {
        while seen < 1_000 {
            // Whoever does other things meanwhile misses nothing.
            while tokio::time::timeout(Duration::from_millis(2), population.changed()).await.is_err() {}
            looks += 1;
            seen = hub.robots().len();
        }
    };
    tokio::join!(coming, looking);
    assert!((10..=22).contains(&looks), "{looks} looks at robots that came for a second");
    assert!(
        tokio::time::timeout(Duration::from_secs(60), population.changed()).await.is_err(),
        "nobody came"
    );
    sources.pop();
    let gone = tokio::time::timeout(Duration::from_millis(1), population.changed()).await;
    assert!(gone.is_ok(), "after a rest a change is published at once");
}

#[tokio::test(start_paused = true)]
async fn a_robot_that_is_only_observed_gets_no_command_not_even_a_stop() {
    let hub = Hub::observing(Clock::system());
    let mut source = source(&hub, "r");
    let stop = Command::Stop { hold: false };
    for outcome in [
        hub.command(&robot("r"), stop.clone(), Duration::from_secs(2)).await,
        source.gateway().command(&robot("r"), stop, Duration::from_secs(2)).await,
        hub.command(&robot("r"), Command::Volume(0.5), Duration::from_secs(2)).await,
    ] {
        assert!(matches!(outcome, Outcome::Refused(_)), "{outcome:?}");
    }
    assert!(source.try_next_command().is_none());
}
