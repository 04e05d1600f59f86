//! The texts of the common types: names, types and order.

/// Names and texts of types, whose files lie in a folder for each package.
#[macro_export]
macro_rules! texts {
    ($end:literal: $($package:ident in $folder:literal { $($name:ident)* })*) => {
        &[$($((
            concat!(stringify!($package), "/", stringify!($name)),
            include_str!(concat!($folder, "/", stringify!($name), $end)),
        ),)*)*]
    };
}

/// Type and text of each message.
pub(super) const MESSAGES: &[(&str, &str)] = texts! {
    ".msg":
    actionlib_msgs in "../../msg/actionlib_msgs" { GoalID GoalStatus GoalStatusArray }
    geometry_msgs in "../../msg/geometry_msgs" {
        Accel AccelStamped AccelWithCovariance AccelWithCovarianceStamped Inertia InertiaStamped Point Point32
        PointStamped Polygon PolygonStamped Pose Pose2D PoseArray PoseStamped PoseWithCovariance
        PoseWithCovarianceStamped Quaternion QuaternionStamped Transform TransformStamped Twist TwistStamped
        TwistWithCovariance TwistWithCovarianceStamped Vector3 Vector3Stamped Wrench WrenchStamped
    }
    move_base_msgs in "../../msg/move_base_msgs" {
        MoveBaseAction MoveBaseActionFeedback MoveBaseActionGoal MoveBaseActionResult MoveBaseFeedback MoveBaseGoal MoveBaseResult
    }
    nav2_msgs in "../../msg/nav2_msgs" { NavigateToPoseFeedback NavigateToPoseGoal NavigateToPoseResult }
    nav_msgs in "../../msg/nav_msgs" { GridCells MapMetaData OccupancyGrid Odometry Path }
    roscpp in "../../msg/roscpp" { Logger }
    rosgraph_msgs in "../../msg/rosgraph_msgs" { Clock Log TopicStatistics }
    sensor_msgs in "../../msg/sensor_msgs" {
        BatteryState CameraInfo ChannelFloat32 CompressedImage FluidPressure Illuminance Image Imu JointState
        Joy JoyFeedback JoyFeedbackArray LaserEcho LaserScan MagneticField MultiDOFJointState
        MultiEchoLaserScan NavSatFix NavSatStatus PointCloud PointCloud2 PointField Range RegionOfInterest
        RelativeHumidity Temperature TimeReference
    }
    std_msgs in "../../msg/std_msgs" {
        Bool Byte ByteMultiArray Char ColorRGBA Duration Empty Float32 Float32MultiArray Float64
        Float64MultiArray Header Int16 Int16MultiArray Int32 Int32MultiArray Int64 Int64MultiArray Int8
        Int8MultiArray MultiArrayDimension MultiArrayLayout String Time UInt16 UInt16MultiArray UInt32
        UInt32MultiArray UInt64 UInt64MultiArray UInt8 UInt8MultiArray
    }
    tf2_msgs in "../../msg/tf2_msgs" { TFMessage }
    tf2_web_republisher in "../../msg/tf2_web_republisher" {
        TFArray TFSubscriptionAction TFSubscriptionActionFeedback TFSubscriptionActionGoal TFSubscriptionActionResult
        TFSubscriptionFeedback TFSubscriptionGoal TFSubscriptionResult
    }
};

/// Type and text of each service.
pub(super) const SERVICES: &[(&str, &str)] = texts! {
    ".srv":
    roscpp in "../../srv/roscpp" { GetLoggers SetLoggerLevel }
    std_srvs in "../../srv/std_srvs" { Empty SetBool Trigger }
    tf2_web_republisher in "../../srv/tf2_web_republisher" { RepublishTFs }
};
