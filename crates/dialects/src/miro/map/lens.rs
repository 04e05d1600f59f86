//! `camera_info`: how an eye sees, for the size of a picture.

use latimer_core::model::profile::Lens;
use latimer_ros1::msgs::sensor_msgs::{CameraInfo, RegionOfInterest};
use latimer_ros1::msgs::std_msgs::Header;

/// The model of `D`, whose order is k1, k2, p1, p2, k3.
const MODEL: &str = "plumb_bob";

/// How a picture of so many pixels was seen. Of a camera whose lens is not known the matrices are zero, by which ROS tells that.
pub fn info_from_lens(lens: Option<&Lens>, [width, height]: [u32; 2], header: Header) -> CameraInfo {
    let mut info = CameraInfo { header, width, height, ..CameraInfo::default() };
    // A picture is not a part of a larger one.
    info.roi = RegionOfInterest::default();
    let Some((lens, focal_px)) = lens.and_then(|lens| Some((lens, lens.focal_px(width)?))) else {
        return info;
    };
    // The middle of the first pixel is at zero.
    let [x, y] = [width, height].map(|side| (f64::from(side) - 1.0) / 2.0);
    let [k1, k2] = lens.radial;
    info.distortion_model = MODEL.to_owned();
    info.D = vec![k1, k2, 0.0, 0.0, 0.0];
    info.K = [focal_px, 0.0, x, 0.0, focal_px, y, 0.0, 0.0, 1.0];
    info.R = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    // The eyes look apart, so that neither is the other's stereo pair.
    info.P = [focal_px, 0.0, x, 0.0, 0.0, focal_px, y, 0.0, 0.0, 0.0, 1.0, 0.0];
    info
}

#[cfg(test)]
mod tests {
    use latimer_core::model::profile::CameraRole;

    use super::*;
    use crate::miro::profile::PROFILE;

    /// The maker's arithmetic for a thing at `x` one metre ahead: in widths of a picture, bent, and put right at the edge.
    fn maker_px(x: f64, width: f64) -> f64 {
        let bent = |u: f64| u * (1.0 - 0.75 * u * u + 0.25 * u.powi(4));
        bent(x / 2.0) * (0.5 / bent(0.5)) * width + 0.5 * width - 0.5
    }

    #[test]
    fn a_miro_s_eye_sees_as_its_maker_computes() {
        let lens = PROFILE.camera(CameraRole::Left).unwrap().lens;
        for [width, height] in [[320, 240], [192, 144], [128, 96]] {
            let info = info_from_lens(lens.as_ref(), [width, height], Header::default());
            assert_eq!((info.distortion_model.as_str(), info.D.len()), ("plumb_bob", 5));
            let [k1, k2, p1, p2, k3] = info.D[..] else { panic!("{:?}", info.D) };
            assert_eq!([p1, p2, k3], [0.0; 3]);
            for x in [-1.0_f64, -0.4, 0.0, 0.25, 0.7, 1.0] {
                let r2 = x * x;
                let seen = info.K[0] * x * (1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))) + info.K[2];
                let maker = maker_px(x, f64::from(width));
                assert!((seen - maker).abs() < 1e-6, "{x}: {seen}, not {maker}");
            }
            assert_eq!(
                [info.K[0], info.K[2], info.K[4], info.K[5]],
                [info.P[0], info.P[2], info.P[5], info.P[6]]
            );
        }
    }

    #[test]
    fn a_lens_that_is_not_known_is_said_to_be_so() {
        let info = info_from_lens(None, [640, 480], Header::default());
        assert_eq!((info.width, info.height, info.K[0]), (640, 480, 0.0));
        assert!(info.D.is_empty() && info.distortion_model.is_empty());
    }
}
