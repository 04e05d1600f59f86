//! `/horizontal_laser_2d/matched`: points as numbers of four bytes, little-endian, in Base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use latimer_core::model::signal::{Frame, PointCloud};
use latimer_core::{PartName, Timestamp};

use crate::axbot::messages::Context;
use crate::axbot::messages::codecs::Instant;
use crate::axbot::messages::drive::{LaserPoints, PointField};
use crate::axbot::wire::Extra;
use crate::describe::codec::{Codec, finite};
use crate::describe::{Incomplete, Translate, need};

/// The only type of number that robots were seen to send, and its size, bytes.
const FLOAT: &str = "f32";
const FLOAT_BYTES: usize = 4;

/// What is written of each point.
const AXES: [&str; 3] = ["x", "y", "z"];

impl Translate for LaserPoints {
    type Record = PointCloud;
    type Context = Context;

    /// A height that is missing is that of the floor.
    fn decode(&self, _: &Context) -> Result<PointCloud, Incomplete> {
        let fields = need(self.fields.as_ref(), "fields")?;
        if fields.iter().any(|field| field.data_type.as_deref() != Some(FLOAT)) {
            return Err(Incomplete { field: "fields" });
        }
        let place = |axis: &str| fields.iter().position(|field| field.name.as_deref() == Some(axis));
        let (x, y, z) = (need(place("x"), "fields")?, need(place("y"), "fields")?, place("z"));
        let bytes = need(self.data.as_ref().and_then(|data| STANDARD.decode(data).ok()), "data")?;
        let point = |point: &[u8]| {
            let number = |place: usize| {
                let bytes = point.get(FLOAT_BYTES * place..)?.first_chunk::<FLOAT_BYTES>()?;
                finite(f64::from(f32::from_le_bytes(*bytes)))
            };
            Some([number(x)?, number(y)?, z.map_or(Some(0.0), number)?])
        };
        let points_m = bytes.chunks_exact(FLOAT_BYTES * fields.len()).filter_map(point).collect();
        Ok(PointCloud { frame: Frame::Map, points_m })
    }

    /// `None` if the points are not on the map.
    fn encode(cloud: &PointCloud, context: &Context) -> Option<Self> {
        let PointCloud { frame, points_m } = cloud;
        if *frame != Frame::Map {
            return None;
        }
        let known = points_m.iter().filter(|point| point.iter().all(|it| it.is_finite())).flatten();
        let bytes: Vec<u8> = known.flat_map(|number| (*number as f32).to_le_bytes()).collect();
        let field = |name: &str| PointField {
            name: Some(name.to_owned()),
            data_type: Some(FLOAT.to_owned()),
            extra: Extra::new(),
        };
        Some(Self {
            stamp: Instant.encode(&context.at, context),
            fields: Some(AXES.map(field).to_vec()),
            data: Some(STANDARD.encode(bytes)),
            extra: Extra::new(),
        })
    }

    fn at(&self, context: &Context) -> Option<Timestamp> {
        Instant.decode(self.stamp.as_ref()?, context)
    }

    fn part(&self, _: &Context) -> Option<PartName> {
        Some(PartName::of("lidar"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_back_and_odd_ones_are_left_out() {
        let points_m = vec![[1.5, -2.25, 0.5], [f64::NAN, 0.0, 0.0], [0.0, 4.0, 0.5]];
        let cloud = PointCloud { frame: Frame::Map, points_m };
        let reported = LaserPoints::encode(&cloud, &Context::default()).unwrap();
        let expected = PointCloud { frame: Frame::Map, points_m: vec![[1.5, -2.25, 0.5], [0.0, 4.0, 0.5]] };
        assert_eq!(reported.decode(&Context::default()), Ok(expected));
        for broken in [
            LaserPoints { data: Some("no base64!".into()), ..reported.clone() },
            LaserPoints { fields: None, ..reported.clone() },
            LaserPoints { fields: Some(Vec::new()), ..reported },
        ] {
            assert!(broken.decode(&Context::default()).is_err());
        }
    }
}
