//! Goes on with what it was sent for, and says how that ends.

use latimer_core::model::Kind;
use latimer_core::model::signal::{NavigationFailure, NavigationKind};

use super::jack::Hindrance;
use super::publishing::RARE_PERIOD;
use super::{Axbot, parts, rack_areas, warnings};
use crate::bodies::Outbox;
use crate::bodies::rover::Ended;
use crate::drive::Speeds;
use crate::nav::Failure;
use crate::physics::Surroundings;

impl Axbot {
    /// Goes on with what it was sent for.
    pub(super) fn work(&mut self, around: &Surroundings<'_>, out: &mut Outbox<'_>) {
        self.correct(around);
        self.ride(around, out);
        self.keep_calibrating(around);
        self.beneath = self.rack_above(around).is_some();
        let (alert, undocked) = self.docking_error(around);
        let blind = self.rover.bearings.is_blind(around.time_s);
        let in_area = self.area.is_some();
        self.rover.way.refine(|kind, failure| match (kind, failure) {
            _ if in_area && rack_areas::is_missed(failure) => rack_areas::failure_in_area(kind, failure),
            (NavigationKind::EnterElevator, Failure::DoorShut) => Failure::LiftShut,
            (NavigationKind::EnterElevator, Failure::WayBlocked) => Failure::LiftObscured,
            (NavigationKind::AlignWithRack, Failure::DockFailed) => Failure::RackMissed,
            (_, Failure::Lost) if blind => Failure::Blind,
            (_, Failure::DockFailed) => undocked,
            _ => failure,
        });
        let ended = self.rover.way.publish(&mut self.state.moment(around), around, warnings::failure_code);
        self.publish_next(around);
        if !self.rover.way.is_active() {
            self.trip.end();
            self.following = None;
        }
        if matches!(ended, Some(Ended::Failed(..))) {
            self.rounds.rest(around.time_s);
        }
        if ended.is_some() {
            // What its behaviour wanted before it was sent is over.
            self.rover.drive.intend(Speeds::REST);
        }
        let given_up = matches!(ended, Some(Ended::Failed(..)));
        self.sent_to_charge &= !given_up && self.rover.power.battery.charge_ratio() < parts::FULL_RATIO;
        if let Some(Ended::Failed(NavigationFailure::DockFailed | NavigationFailure::NoCharger, _)) = ended {
            self.alerts.set(alert, true);
        }
        let sticks = around.time_s < self.faults.jack_s;
        let hindrance = Hindrance { held: self.disabled().is_some(), sticks };
        let reached = self.jack.update(&mut self.state.moment(around), hindrance);
        self.handle_rack(reached, around, out);
        if !std::mem::replace(&mut self.outline_published, true)
            || self.state.moment(around).due(Kind::Footprint, RARE_PERIOD)
        {
            self.state.reports.publish(self.footprint_signal());
        }
        if !std::mem::replace(&mut self.limits_published, true)
            || self.state.moment(around).due(Kind::DriveLimits, RARE_PERIOD)
        {
            self.state.reports.publish(self.limits_signal());
        }
    }
}
