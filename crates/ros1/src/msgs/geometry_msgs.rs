//! `geometry_msgs`, in metres and radians.

use super::Covariance;
use super::macros::messages;
use super::std_msgs::Header;

messages! { "geometry_msgs";
    /// A direction with a length.
    Vector3 { x: f64, y: f64, z: f64 }

    /// A place.
    Point { x: f64, y: f64, z: f64 }

    /// A place, in half the bytes.
    Point32 { x: f32, y: f32, z: f32 }

    /// A turn; all zero is none, and no turn is `w` = 1.
    Quaternion { x: f64, y: f64, z: f64, w: f64 }

    /// Place and turn.
    Pose { position: Point, orientation: Quaternion }

    /// Place and turn on the floor.
    Pose2D { x: f64, y: f64, theta: f64 }

    /// Shift and turn.
    Transform { translation: Vector3, rotation: Quaternion }

    /// Speeds along the axes and about them.
    Twist { linear: Vector3, angular: Vector3 }

    /// Accelerations along the axes and about them.
    Accel { linear: Vector3, angular: Vector3 }

    /// Force and torque.
    Wrench { force: Vector3, torque: Vector3 }

    /// Mass, its centre, and how it resists turning.
    Inertia { m: f64, com: Vector3, ixx: f64, ixy: f64, ixz: f64, iyy: f64, iyz: f64, izz: f64 }

    /// Corners, the last joined to the first.
    Polygon { points: Vec<Point32> }

    /// A pose and how sure it is.
    PoseWithCovariance { pose: Pose, covariance: Covariance }

    /// Speeds and how sure they are.
    TwistWithCovariance { twist: Twist, covariance: Covariance }

    /// Accelerations and how sure they are.
    AccelWithCovariance { accel: Accel, covariance: Covariance }

    /// Poses of one moment.
    PoseArray { header: Header, poses: Vec<Pose> }

    /// With a header.
    Vector3Stamped { header: Header, vector: Vector3 }

    /// With a header.
    PointStamped { header: Header, point: Point }

    /// With a header.
    QuaternionStamped { header: Header, quaternion: Quaternion }

    /// With a header.
    PoseStamped { header: Header, pose: Pose }

    /// With a header.
    TransformStamped { header: Header, child_frame_id: String, transform: Transform }

    /// With a header.
    TwistStamped { header: Header, twist: Twist }

    /// With a header.
    AccelStamped { header: Header, accel: Accel }

    /// With a header.
    WrenchStamped { header: Header, wrench: Wrench }

    /// With a header.
    InertiaStamped { header: Header, inertia: Inertia }

    /// With a header.
    PolygonStamped { header: Header, polygon: Polygon }

    /// With a header.
    PoseWithCovarianceStamped { header: Header, pose: PoseWithCovariance }

    /// With a header.
    TwistWithCovarianceStamped { header: Header, twist: TwistWithCovariance }

    /// With a header.
    AccelWithCovarianceStamped { header: Header, accel: AccelWithCovariance }
}
