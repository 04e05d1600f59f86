//! What must hold after a stop, by the log of a robot.

use std::time::Duration;

use latimer_core::Timestamp;

use crate::fakes::Told;

/// Within this time a robot that reports that it moves, although it was stopped, is told again: a second, and what sockets and
/// timers take on a machine that is not late.
pub(super) const WITHIN: Duration = Duration::from_millis(1_050);

/// A robot that reported for so long that it stands may be believed, a little before the gateway's second is over.
const STANDS_FOR: Duration = Duration::from_millis(900);

/// What came of a round.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Verdict {
    /// Reports of motion after the stop, each of which obliges.
    pub(super) reports: usize,
    /// How long a stop took at most after one of them, without what the machine was late.
    pub(super) slowest: Duration,
    /// What must not be.
    pub(super) breaches: Vec<String>,
}

/// Looks through a robot's log after a stop that was answered then; `until` it was watched. `late` tells how late the machine was
/// between two moments.
pub(super) fn judge(
    log: &[(Timestamp, Told)],
    (answered, until): (Timestamp, Timestamp),
    is_pressed: bool,
    late: impl Fn(Timestamp, Timestamp) -> Duration,
) -> Verdict {
    let mut verdict = Verdict::default();
    let first_stop = log.iter().find(|(_, told)| *told == Told::Stop).map(|(at, _)| *at);
    // What was sent before may be read after the answer; what comes behind the stop may not be.
    let final_since = first_stop.map_or(answered, |first| first.max(answered));
    let mut stands_since: Option<Timestamp> = None;
    for (i, (at, told)) in log.iter().enumerate() {
        match told {
            Told::Motion if *at > final_since => {
                verdict.breaches.push(format!("it was told to move {:?} after it", at.since(answered)));
            }
            Told::Stands => _ = stands_since.get_or_insert(*at),
            Told::Moves if *at >= answered => {
                if !is_pressed && stands_since.take().is_some_and(|since| at.since(since) >= STANDS_FOR) {
                    // It had confirmed that it stands, and may move again.
                    return verdict;
                }
                stands_since = None;
                let ends = |told: &Told| matches!(told, Told::Stop | Told::Stands | Told::Gone);
                let next = log[i + 1..].iter().find(|(_, told)| ends(told));
                let end = next.map_or(until, |(at, _)| *at);
                let took = end.since(*at).saturating_sub(late(*at, end));
                verdict.reports += 1;
                verdict.slowest = verdict.slowest.max(took);
                if took > WITHIN {
                    let after = at.since(answered);
                    verdict
                        .breaches
                        .push(format!("it reports {after:?} after it that it moves: no stop for {took:?}"));
                }
            }
            Told::Moves => stands_since = None,
            Told::Motion | Told::Stop | Told::Taken | Told::Gone => {}
        }
    }
    verdict
}

/// How long a robot reported in a row that it stands, after a moment: at most, and up to now.
pub(super) fn stood(log: &[(Timestamp, Told)], since: Timestamp) -> (Duration, Duration) {
    let is_report =
        |(at, told): &&(Timestamp, Told)| *at >= since && matches!(told, Told::Moves | Told::Stands);
    let reports: Vec<_> = log.iter().filter(is_report).collect();
    let mut runs = reports.chunk_by(|one, next| one.1 == next.1).map(|run| match run {
        [first, .., last] if first.1 == Told::Stands => last.0.since(first.0),
        _ => Duration::ZERO,
    });
    (runs.clone().max().unwrap_or_default(), runs.next_back().unwrap_or_default())
}

#[test]
fn a_report_of_motion_obliges_and_a_motion_after_the_stop_is_a_breach() {
    let at = |ms| Timestamp::default().after(Duration::from_millis(ms));
    let judged = |log: &[(u64, Told)], is_pressed| {
        let log: Vec<_> = log.iter().map(|(ms, told)| (at(*ms), *told)).collect();
        judge(&log, (at(100), at(9_000)), is_pressed, |_, _| Duration::from_millis(20))
    };
    let good =
        [(0, Told::Motion), (90, Told::Stop), (200, Told::Moves), (1_200, Told::Stop), (1_300, Told::Stands)];
    let verdict = judged(&good, false);
    assert_eq!(
        (verdict.breaches.len(), verdict.reports, verdict.slowest),
        (0, 1, Duration::from_millis(980))
    );
    assert_eq!(judged(&[(90, Told::Stop), (200, Told::Moves)], false).breaches.len(), 1, "never again");
    assert_eq!(judged(&[(90, Told::Stop), (120, Told::Motion)], false).breaches.len(), 1);
    assert_eq!(
        judged(&[(101, Told::Motion), (110, Told::Stop)], false).breaches.len(),
        0,
        "it was read late"
    );
    let later = [(90, Told::Stop), (200, Told::Stands), (1_200, Told::Stands), (1_300, Told::Moves)];
    assert_eq!((judged(&later, false).breaches.len(), judged(&later, true).breaches.len()), (0, 1));
}
