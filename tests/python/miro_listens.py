"""Follows everything that a MiRo says, and looks at what it says: miro_listens.py NAME"""

import math
import statistics
import sys

import rospy
from geometry_msgs.msg import Twist
from miro_msgs.msg import platform_mics, platform_sensors, platform_state
from miro_robot import Robot
from nav_msgs.msg import Odometry
from sensor_msgs.msg import CompressedImage, Image, JointState, Range
from std_msgs.msg import String

PERIOD_US, ROLL_OVER_US = 20_000, 1 << 29
TOPICS = {
    "platform/sensors": platform_sensors,
    "platform/state": platform_state,
    "platform/mics": platform_mics,
    "platform/caml": Image,
    "platform/camr": Image,
    "platform/caml/compressed": CompressedImage,
    "platform/camr/compressed": CompressedImage,
    "log": String,
}
STANDARD = {
    "sensors/body_vel": Twist,
    "sensors/odom": Odometry,
    "sensors/kinematic_joints": JointState,
    "sensors/sonar_range": Range,
}

robot = Robot(sys.argv[1], "miro_listens")
offered = dict(rospy.get_published_topics(robot.topic("")))
for path, kind in {**TOPICS, **STANDARD}.items():
    assert offered.get(robot.topic(path)) == kind._type, (path, offered)
    robot.listen(path, kind)


def rates_hz(path, count):
    """How often a second, by each gap between two stamps."""
    stamps = [message.header.stamp.to_sec() for _, message in robot.gather(path, count)]
    return [1.0 / (b - a) for a, b in zip(stamps, stamps[1:])]


def rate_hz(path, count):
    """How often a second; half of the gaps count, since a machine that others use leaves something out now and then."""
    return statistics.median(rates_hz(path, count))


def steps_us(messages):
    """What passed from each to the next by the platform's own clock, which begins anew after nine minutes."""
    clock = [message.time_usec for message in messages]
    assert all(0 <= it < ROLL_OVER_US for it in clock), clock
    return [(b - a) % ROLL_OVER_US for a, b in zip(clock, clock[1:])]


# Sensors: 50 a second, each 20 ms after the one before by the robot's own clock.
sensors = [it for _, it in robot.gather("platform/sensors", 150)]
steps = steps_us(sensors)
middle = statistics.median(steps)
assert abs(middle - PERIOD_US) < 0.05 * PERIOD_US, (middle, steps)
assert [b.header.seq - a.header.seq for a, b in zip(sensors, sensors[1:])] == [1] * (len(sensors) - 1)
it = sensors[-1]
assert it.header.stamp.to_sec() > 1e9 and it.odometry.header.stamp.to_sec() > 1e9, it
assert 4.0 < it.battery_voltage < 6.0, it.battery_voltage
assert 5.0 < it.temperature.temperature < 60.0, it.temperature
for accel in (it.accel_head, it.accel_body):
    all_mps2 = math.hypot(accel.linear_acceleration.x, accel.linear_acceleration.y, accel.linear_acceleration.z)
    assert 8.5 < all_mps2 < 11.0, accel
tilt, lift, yaw, pitch = it.joint_state.position
assert len(it.joint_state.effort) == 4, it.joint_state
assert math.isclose(tilt, math.radians(-5.0), abs_tol=0.02), it.joint_state
assert math.radians(17.0) - 0.02 <= lift <= math.radians(65.0) + 0.02, it.joint_state
assert abs(yaw) <= math.radians(60.0) + 0.02 and -0.29 < pitch < 0.16, it.joint_state
assert 0.0 <= it.eyelid_closure <= 1.0 and 0 <= it.dip_state_phys < 16, it
assert it.sonar_range.range == 0.0 or 0.03 <= it.sonar_range.range <= 1.0, it.sonar_range
assert math.isclose(it.sonar_range.min_range, 0.03, abs_tol=1e-6), it.sonar_range
assert math.isclose(it.sonar_range.max_range, 1.0, abs_tol=1e-6), it.sonar_range
# Arrays of uint8 are bytes to Python; what they are for must be as many as on the robot.
light, head, body, cliff = (bytearray(field) for field in (it.light, it.touch_head, it.touch_body, it.cliff))
assert (len(light), len(head), len(body), len(cliff)) == (4, 4, 4, 2), it
assert max(light) > 0 and not any(head) and not any(body) and min(cliff) > 10, (light, head, body, cliff)

# State: as often, by the same clock.
states = [it for _, it in robot.gather("platform/state", 100)]
steps = steps_us(states)
middle = statistics.median(steps)
assert abs(middle - PERIOD_US) < 0.05 * PERIOD_US, (middle, steps)
it = states[-1]
assert it.P1_error_code == 0 and it.P1_mode == 0, it
assert (it.success_r, it.success_w) == (0x00C4DCE6, 0x0004C786), it
assert it.seed == states[0].seed and it.seed != 0, it
assert it.P2C_R_signals & 1, "the platform is ready"
assert it.num_free_stream_buf > 0, it
assert it.rtc_hrs < 24 and it.rtc_min < 60 and it.rtc_sec < 60, it
year = (it.P1_release >> 9) & 0x3F
assert 15 <= year <= 25, hex(it.P1_release)

# Microphones: a tenth of a second of two channels at 20 kHz, 10 bits each.
for _, frame in robot.gather("platform/mics", 10):
    assert len(frame.data) == 4000, len(frame.data)
    assert max(frame.data) < 512 and min(frame.data) >= -512, (min(frame.data), max(frame.data))
assert abs(rate_hz("platform/mics", 20) - 10.0) < 0.7

# Eyes: 320×240 at 5 a second (a machine without time to draw leaves some out), in as many steps of each colour as five and six bits have.
for eye in ("caml", "camr"):
    image = robot.wait(f"platform/{eye}")
    assert (image.width, image.height, image.encoding, image.step) == (320, 240, "rgb8", 960), image.encoding
    assert len(image.data) == 230_400 and image.header.stamp.to_sec() > 1e9
    pixels = bytearray(image.data)
    assert len(set(pixels)) > 8, "a picture shows something"
    assert len(set(pixels[0::3])) <= 32 and len(set(pixels[1::3])) <= 64 and len(set(pixels[2::3])) <= 32
    fifths = [5.0 / rate for rate in rates_hz(f"platform/{eye}", 10)]
    assert all(abs(it - round(it)) < 0.3 and it > 0.7 for it in fifths), (eye, fifths)
    packed = robot.wait(f"platform/{eye}/compressed")
    data = bytes(packed.data)
    assert data.startswith(b"\xff\xd8") and data.endswith(b"\xff\xd9") and "jpeg" in packed.format, packed.format

# The standard interface.
standing = robot.wait("sensors/body_vel")
assert abs(standing.linear.x) < 0.5, standing
assert len(robot.wait("sensors/kinematic_joints").position) == 4
odometry = robot.wait("sensors/odom")
assert math.isfinite(odometry.pose.pose.position.x), odometry
sonar = robot.wait("sensors/sonar_range")
assert sonar.radiation_type == Range.ULTRASOUND, sonar
print("miro_listens: ok")
