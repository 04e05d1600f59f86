//! IMU.
//!
//! All signs are those of REP-103. Two words of the specification are not followed: it calls the rates forces, and it
//! says that `zAcceleration` is negative on level ground, where its own sample shows +9.80; so does this.

use latimer_core::Timestamp;
use latimer_core::model::signal::{Accel, AngularRate, Imu as ModelImu, Orientation};

use super::codecs::{Degrees, FullTurn, HalfTurn, Utc};
use super::{Context, DEPRECATED, good_for};
use crate::describe::codec::finite;
use crate::describe::{Extra, Incomplete, Message, Translate};
use crate::misty::map::time::{timestamp_from_utc, utc_from_timestamp};
use crate::misty::map::units::{deg_from_rad, deg360_from_rad, wrapped_rad_from_deg};

/// Section "IMU", every five seconds: attitude and acceleration of the torso, right-handed.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct Imu {
    /// When the reading was taken; the time of arrival counts where it is missing.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// Until when the reading is good, 0.4 s after `created`.
    #[field(own, hidden = DEPRECATED)]
    pub expiry: Option<String>,
    /// Lean forward.
    #[field(model = "orientation.pitch_rad", codec = HalfTurn, unit = "°", note = "forward is positive")]
    pub pitch: Option<f64>,
    /// Rate of `pitch`.
    #[field(model = "angular_velocity.y_radps", codec = Degrees, unit = "°/s")]
    pub pitch_velocity: Option<f64>,
    /// Lean to the right.
    #[field(model = "orientation.roll_rad", codec = HalfTurn, unit = "°", note = "right is positive; robots of 2019 write 0 to 360")]
    pub roll: Option<f64>,
    /// Rate of `roll`.
    #[field(model = "angular_velocity.x_radps", codec = Degrees, unit = "°/s")]
    pub roll_velocity: Option<f64>,
    /// Always `imu`.
    #[field(own)]
    pub sensor_id: Option<String>,
    /// `null` in the sample.
    #[field(own, null, hidden = DEPRECATED)]
    pub sensor_name: Option<String>,
    /// Acceleration forward.
    #[field(model = "linear_acceleration.x_mps2", note = "forward, gravity included")]
    pub x_acceleration: Option<f64>,
    /// Acceleration to the left.
    #[field(model = "linear_acceleration.y_mps2", note = "left")]
    pub y_acceleration: Option<f64>,
    /// Heading, from the one at power-up.
    #[field(model = "orientation.yaw_rad", codec = FullTurn, unit = "°", note = "0 to 360, counter-clockwise from where the robot was switched on")]
    pub yaw: Option<f64>,
    /// Rate of `yaw`.
    #[field(model = "angular_velocity.z_radps", codec = Degrees, unit = "°/s")]
    pub yaw_velocity: Option<f64>,
    /// Acceleration upward.
    #[field(model = "linear_acceleration.z_mps2", note = "up, about 9.81 at rest")]
    pub z_acceleration: Option<f64>,
    /// Properties that the specification does not name.
    pub extra: Extra,
}

fn vector(x: Option<f64>, y: Option<f64>, z: Option<f64>) -> Option<[f64; 3]> {
    Some([x?, y?, z?])
}

impl Translate for Imu {
    type Record = ModelImu;
    type Context = Context;

    /// A vector of which a component is missing is left out.
    fn decode(&self) -> Result<ModelImu, Incomplete> {
        let angles = vector(self.roll, self.pitch, self.yaw).map(|it| it.map(wrapped_rad_from_deg));
        let rates = vector(self.roll_velocity, self.pitch_velocity, self.yaw_velocity);
        let forces = vector(self.x_acceleration, self.y_acceleration, self.z_acceleration);
        Ok(ModelImu {
            orientation: angles.map(|[roll_rad, pitch_rad, yaw_rad]| Orientation {
                roll_rad,
                pitch_rad,
                yaw_rad,
            }),
            angular_velocity: rates
                .map(|it| it.map(f64::to_radians))
                .map(|[x_radps, y_radps, z_radps]| AngularRate { x_radps, y_radps, z_radps }),
            linear_acceleration: forces.map(|[x_mps2, y_mps2, z_mps2]| Accel { x_mps2, y_mps2, z_mps2 }),
        })
    }

    fn encode(imu: &ModelImu, context: &Context) -> Option<Self> {
        let ModelImu { orientation, angular_velocity, linear_acceleration } = imu;
        let (angles, rates, forces) =
            (orientation.as_ref(), angular_velocity.as_ref(), linear_acceleration.as_ref());
        Some(Self {
            created: Some(utc_from_timestamp(context.at)),
            expiry: good_for::<400, _>(imu, context),
            pitch: angles.and_then(|it| deg_from_rad(it.pitch_rad)),
            pitch_velocity: rates.and_then(|it| deg_from_rad(it.y_radps)),
            roll: angles.and_then(|it| deg_from_rad(it.roll_rad)),
            roll_velocity: rates.and_then(|it| deg_from_rad(it.x_radps)),
            sensor_id: Some("imu".to_owned()),
            x_acceleration: forces.and_then(|it| finite(it.x_mps2)),
            y_acceleration: forces.and_then(|it| finite(it.y_mps2)),
            yaw: angles.and_then(|it| deg360_from_rad(it.yaw_rad)),
            yaw_velocity: rates.and_then(|it| deg_from_rad(it.z_radps)),
            z_acceleration: forces.and_then(|it| finite(it.z_mps2)),
            ..Self::default()
        })
    }

    fn at(&self) -> Option<Timestamp> {
        self.created.as_deref().and_then(timestamp_from_utc)
    }
}
