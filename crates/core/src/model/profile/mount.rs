//! Where a sensor sits: fixed to the base, or carried by joints one after the other.

use crate::model::PartName;

/// Where a sensor is mounted, as a chain of URDF joints from `base_link`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mount {
    /// The joints that carry it, from the base outward; none if it is fixed to the base.
    pub hinges: Vec<Hinge>,
    /// Its place in the axes of the last joint: forward, left, up, metres.
    pub at_m: [f64; 3],
    /// Where it looks in those axes, counter-clockwise from ahead, radians.
    pub yaw_rad: f64,
    /// Tipped forward after that: positive looks down, radians.
    pub pitch_rad: f64,
}

/// A joint that carries a sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Hinge {
    /// Its part.
    pub joint: PartName,
    /// Its place in the axes of the joint before it, metres.
    pub at_m: [f64; 3],
    /// What it turns about.
    pub axis: Axis,
}

/// What a hinge turns about; positive angles follow the right hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// To the left, so that positive angles lean forward.
    Y,
    /// Up, so that positive angles turn left.
    Z,
}

/// Where a sensor is and looks, in `base_link`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Its place, metres.
    pub from_m: [f64; 3],
    /// Its direction, of length 1.
    pub toward: [f64; 3],
}

impl Mount {
    /// Fixed to the base.
    pub const fn fixed(at_m: [f64; 3], yaw_rad: f64) -> Self {
        Self { hinges: Vec::new(), at_m, yaw_rad, pitch_rad: 0.0 }
    }

    /// Where the sensor is and looks by the angles of its joints, radians; `None` if one of them is not known.
    pub fn ray(&self, angle_rad: impl Fn(&PartName) -> Option<f64>) -> Option<Ray> {
        let toward = Axis::Z.turned(Axis::Y.turned([1.0, 0.0, 0.0], self.pitch_rad), self.yaw_rad);
        let mut ray = Ray { from_m: self.at_m, toward };
        for hinge in self.hinges.iter().rev() {
            let angle_rad = angle_rad(&hinge.joint)?;
            let [x_m, y_m, z_m] = hinge.axis.turned(ray.from_m, angle_rad);
            let [dx_m, dy_m, dz_m] = hinge.at_m;
            ray.from_m = [x_m + dx_m, y_m + dy_m, z_m + dz_m];
            ray.toward = hinge.axis.turned(ray.toward, angle_rad);
        }
        Some(ray)
    }
}

impl Axis {
    fn turned(self, [x, y, z]: [f64; 3], angle_rad: f64) -> [f64; 3] {
        let (sin, cos) = angle_rad.sin_cos();
        match self {
            Self::Y => [x * cos + z * sin, y, z * cos - x * sin],
            Self::Z => [x * cos - y * sin, x * sin + y * cos, z],
        }
    }
}

impl Ray {
    /// The point at a distance before the sensor, metres.
    pub fn at(&self, distance_m: f64) -> [f64; 3] {
        let [x_m, y_m, z_m] = self.from_m;
        let [dx, dy, dz] = self.toward;
        [x_m + distance_m * dx, y_m + distance_m * dy, z_m + distance_m * dz]
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn a_sensor_on_a_head_looks_where_the_joints_turn_it() {
        let hinge = |joint, z_m, axis| Hinge { joint: PartName::of(joint), at_m: [0.0, 0.0, z_m], axis };
        let hinges = vec![hinge("yaw", 0.2, Axis::Z), hinge("pitch", 0.1, Axis::Y)];
        let mount = Mount { hinges, at_m: [0.1, 0.0, 0.0], yaw_rad: 0.0, pitch_rad: 0.0 };
        let near = |ray: Option<Ray>, wanted: [f64; 3]| {
            let point = ray.unwrap().at(1.0);
            assert!(point.iter().zip(wanted).all(|(is, wanted)| (is - wanted).abs() < 1e-9), "{point:?}");
        };
        near(mount.ray(|_| Some(0.0)), [1.1, 0.0, 0.3]);
        let angle =
            |yaw, pitch| move |joint: &PartName| Some(if joint.as_str() == "yaw" { yaw } else { pitch });
        near(mount.ray(angle(FRAC_PI_2, 0.0)), [0.0, 1.1, 0.3]);
        near(mount.ray(angle(0.0, FRAC_PI_2)), [0.0, 0.0, -0.8]);
        let down = Mount { yaw_rad: FRAC_PI_2, pitch_rad: FRAC_PI_2 / 3.0, ..mount.clone() };
        near(down.ray(|_| Some(0.0)), [0.1, 0.75_f64.sqrt(), -0.2]);
        assert_eq!(mount.ray(|joint| (joint.as_str() == "yaw").then_some(0.0)), None);
    }
}
