//! Bounds that change while robots move.

use latimer_core::authority::{Envelope, Policy};
use latimer_core::hub::{Origin, Policies, RobotInfo};
use latimer_core::model::signal::Velocity;
use latimer_core::{Clock, Hub, PartName, RobotId, Update};

#[test]
fn bounds_of_a_robot_that_moves_are_not_loosened() {
    let (clock, robot) = (Clock::system(), RobotId::new("r").unwrap());
    let hub = Hub::new(clock);
    let source =
        hub.register(RobotInfo::new(robot.clone(), "test", Origin::Connected("host".into()))).unwrap();
    let reports = |linear_mps| {
        let velocity = Update::now(&robot, clock.now(), Velocity::of(linear_mps, 0.0).into());
        source.publish(Update { part: Some(PartName::of(Velocity::MEASURED)), ..velocity });
    };
    let bounds = |linear_mps| Policies {
        others: Policy {
            envelope: Envelope { linear_mps: Some(linear_mps), ..Envelope::default() },
            ..Policy::default()
        },
        ..Policies::default()
    };
    let applies = |linear_mps| {
        let applied = hub.set_policies_of_standing(bounds(linear_mps));
        assert_eq!(hub.policies().others.envelope.linear_mps == Some(linear_mps), applied.is_ok());
        applied
    };
    reports(0.3);
    assert_eq!(applies(0.2), Ok(()), "it had none");
    assert_eq!(applies(0.4), Err(vec![(robot.clone(), "max_linear_mps")]));
    assert_eq!(applies(0.1), Ok(()), "narrower ones apply to whatever moves");
    reports(0.0);
    assert_eq!(applies(0.4), Ok(()));
}
