//! A drive ends with its author: with the connection, the role, or a time without a word.

use std::time::Duration;

use latimer_core::access::{Caller, Grant, Grants, Role};
use latimer_core::authority::Policy;
use latimer_core::{Author, Outcome};

use super::{Bench, code, drive, give, wait};
use crate::rig::robot;

#[tokio::test(start_paused = true)]
async fn a_drive_without_an_end_ends_with_the_connection_of_its_author() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 1);
    let driver = it.connected("a");
    let clone = driver.clone();
    assert_eq!(give(&driver, drive(0.2, None)).await, Outcome::Accepted);
    drop(driver);
    wait(60.0).await;
    assert_eq!(it.names(), ["drive"], "one of its connections is still there");
    drop(clone);
    wait(1.0).await;
    assert_eq!(it.names(), ["drive", "stop"]);
    let record = &it.hub.commands_given_lately(1, |_| true)[0];
    assert_eq!((record.author.dialect, record.command), ("gateway", "stop"));
}

#[tokio::test(start_paused = true)]
async fn a_drive_ends_when_one_of_several_programs_of_a_host_breaks_off() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 1);
    let socket = |of: &str| it.hub.connected_client_of(Author::new("misty", "host"), &of.parse().unwrap());
    let (first, second, third, posts) = (it.connected("host"), socket("r"), socket("r"), it.program("host"));
    assert_eq!(give(&posts, drive(0.2, None)).await, Outcome::Accepted);
    wait(1.0).await;
    third.leaves();
    drop(third);
    wait(5.0).await;
    drop(socket("other"));
    wait(5.0).await;
    assert_eq!(it.names(), ["drive"], "one said farewell, one was for another robot");
    drop(second);
    wait(1.0).await;
    assert_eq!(it.names(), ["drive", "stop"], "it may have been the one that drives");
    // What comes by a connection ends with that one alone.
    let second = socket("r");
    assert_eq!(give(&first, drive(0.2, None)).await, Outcome::Accepted);
    wait(1.0).await;
    drop(second);
    wait(5.0).await;
    assert_eq!(it.names().len(), 3);
    let _other = it.connected("host");
    drop(first);
    wait(1.0).await;
    assert_eq!(it.names(), ["drive", "stop", "drive", "stop"]);
}

#[tokio::test(start_paused = true)]
async fn a_drive_ends_with_the_role_of_its_author() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 1);
    let grant = Grant { role: Role::Drive, select: "**".parse().unwrap(), dialects: Vec::new() };
    let ada = Caller::new("ada", Grants::new(vec![grant]));
    let driver = it.hub.connected_client(Author::of("misty", &ada));
    assert_eq!(give(&driver, drive(0.2, Some(60.0))).await, Outcome::Accepted);
    wait(1.0).await;
    ada.set_grants(Grants::default());
    wait(1.0).await;
    assert_eq!(it.names(), ["drive", "stop"]);
    wait(5.0).await;
    assert_eq!(it.names(), ["drive", "stop"], "once");
}

#[tokio::test(start_paused = true)]
async fn a_drive_of_an_author_without_a_connection_ends_after_a_while_without_a_word() {
    let policy = Policy { drive_timeout: Duration::from_secs(3), ..Policy::default() };
    let it = Bench::new(policy, Duration::from_millis(10), 1);
    let driver = it.program("a");
    for _ in 0..4 {
        give(&driver, drive(0.2, None)).await;
        wait(2.0).await;
    }
    assert_eq!(it.names(), ["drive"; 4]);
    wait(2.0).await;
    assert_eq!(it.names(), ["drive", "drive", "drive", "drive", "stop"]);
    give(&driver, drive(0.2, Some(30.0))).await;
    wait(30.0).await;
    assert_eq!(it.names().len(), 6, "a drive with an end ends by itself");
}

#[tokio::test(start_paused = true)]
async fn what_was_given_is_written_down_with_its_author() {
    let it = Bench::new(Policy::default(), Duration::from_millis(10), 1);
    let (program, page) = (it.program("a"), it.hub.command_client(Author::new("page", "127.0.0.1")));
    for _ in 0..3 {
        give(&page, drive(0.1, Some(0.5))).await;
    }
    give(&program, drive(0.2, None)).await;
    let records = it.hub.commands_given_lately(10, |_| true);
    let shown: Vec<String> = records
        .iter()
        .map(|it| {
            format!("{} {} x{} {:?}", it.author, it.command, it.count, it.outcome.as_ref().and_then(code))
        })
        .collect();
    assert_eq!(shown, ["misty a drive x1 Some(Owned)", "page 127.0.0.1 drive x3 None"]);
    let totals: Vec<_> =
        it.hub.command_totals().into_iter().map(|it| (it.dialect, it.outcome, it.count)).collect();
    assert_eq!(totals, [("misty", "owned", 1), ("page", "accepted", 3)]);
    let driven = it.hub.robot(&robot()).unwrap();
    assert!(driven.is_driven && driven.driver.unwrap().author == *page.author());
}
