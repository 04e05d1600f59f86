//! Waiting a moment for something that robots only tell while somebody listens.

use std::sync::Arc;

use latimer_core::hub::{MailboxLimits, Selection, Shared, Subscription};
use latimer_core::model::Kind;

use crate::awaited;
use crate::axbot::NAME;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::limits::WAIT_FOR_TIMEOUT;

/// The last update of a part that will do, or the next one; `None` if none comes within 3 s.
pub(super) async fn update(
    robot: &FacadeRobot,
    kind: Kind,
    part: &str,
    will_do: impl Fn(&Shared) -> bool,
) -> Option<Arc<Shared>> {
    if let Some(last) = robot.last_of(kind, part).filter(|last| will_do(last)) {
        return Some(last);
    }
    let select: Selection = format!("{}/{kind}/{part}", robot.robot).parse().ok()?;
    let sink = robot.hub.sink(NAME, "a request", MailboxLimits::default());
    awaited::update(sink, Subscription::to(select), WAIT_FOR_TIMEOUT, will_do).await
}
