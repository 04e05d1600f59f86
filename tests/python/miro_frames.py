"""Follows frames and cameras as programs of ROS do: miro_frames.py NAME"""

import math
import sys
import threading
import time

import genpy.dynamic
import numpy
import rospy
from geometry_msgs.msg import Twist
from miro_msgs.msg import platform_control, platform_sensors
from miro_robot import PATIENCE_S, Robot
from nav_msgs.msg import Odometry
from sensor_msgs.msg import CameraInfo, Image

try:
    import tf2_ros
    from tf2_msgs.msg import TFMessage
except ImportError:
    tf2_ros, TFMessage = None, rospy.AnyMsg

name = sys.argv[1]
robot = Robot(name, "miro_frames")
tree, came, kinds = {}, threading.Condition(), {}


def read(message):
    """A message whose package is not installed, by the definition that comes with it, as rostopic reads it."""
    kind, definition = (message._connection_header[field] for field in ("type", "message_definition"))
    if kind not in kinds:
        kinds[kind] = genpy.dynamic.generate_dynamic(kind, definition)[kind]
    return kinds[kind]().deserialize(message._buff)


def note(message):
    with came:
        for it in (message if tf2_ros else read(message)).transforms:
            tree[it.child_frame_id] = it
        came.notify_all()


def matrix(it):
    """A transform as a matrix: points of the child in the parent."""
    q, t = it.transform.rotation, it.transform.translation
    x, y, z, w = q.x, q.y, q.z, q.w
    assert math.isclose(x * x + y * y + z * z + w * w, 1.0, abs_tol=1e-9), it
    return numpy.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), t.x],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), t.y],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), t.z],
        [0, 0, 0, 1],
    ])


def chain(frame):
    """The frames from one up to the root, and the one's points in the root."""
    with came:
        path, whole = [frame], numpy.eye(4)
        while path[-1] in tree:
            assert len(path) < 20, path
            whole = matrix(tree[path[-1]]) @ whole
            path.append(tree[path[-1]].header.frame_id)
        return path, whole


for topic in ("/tf", "/tf_static"):
    rospy.Subscriber(topic, TFMessage, note, queue_size=100)
robot.listen("platform/sensors", platform_sensors)
robot.listen("sensors/odom", Odometry)
for eye in ("caml", "camr"):
    robot.listen(f"platform/{eye}", Image)
    robot.listen(f"platform/{eye}/camera_info", CameraInfo)

# Pictures and what is told of them are of one frame and one moment.
frames = {}
for eye in ("caml", "camr"):
    image = robot.wait(f"platform/{eye}")
    info = robot.wait(f"platform/{eye}/camera_info", lambda it: it.header.stamp >= image.header.stamp)
    stamps = {it.header.stamp for it in robot.gather_now(f"platform/{eye}")}
    deadline = time.time() + PATIENCE_S
    while info.header.stamp not in stamps:
        assert time.time() < deadline, (eye, info.header, stamps)
        time.sleep(0.05)
        stamps = {it.header.stamp for it in robot.gather_now(f"platform/{eye}")}
    frames[eye] = image.header.frame_id
    assert info.header.frame_id == image.header.frame_id, (info.header, image.header)
    assert (info.width, info.height) == (image.width, image.height), info
    assert info.distortion_model == "plumb_bob" and len(info.D) == 5, info
    # Half of the field of view is 45 degrees: what is as far aside as ahead is seen at the end of a row.
    k1, k2, p1, p2, k3 = info.D
    edge = info.K[0] * (1 + k1 + k2 + k3) + info.K[2]
    assert math.isclose(edge, info.width - 0.5, abs_tol=0.01), (edge, info)
    assert info.K[2] == (info.width - 1) / 2 and info.P[0] == info.K[0] and info.R[0] == 1.0, info

# From the odometry to the pictures, below the robot's name.
with came:
    whole = came.wait_for(lambda: all(chain(it)[0][-1] == f"{name}/odom" for it in frames.values()), PATIENCE_S)
    assert whole, {it: chain(it)[0] for it in frames.values()}
links = ["head", "gimbal", "neck", "body", "base_link", "odom"]
for eye, frame in frames.items():
    assert chain(frame)[0] == [frame, f"{name}/{eye}"] + [f"{name}/{link}" for link in links], chain(frame)[0]


def looks(frame):
    """Where a camera looks: to the left of the robot's nose and up, degrees."""
    with came:
        _, whole = chain(frame)
        _, base = chain(f"{name}/base_link")
    ahead = (numpy.linalg.inv(base) @ whole)[:3, 2]
    return math.degrees(math.atan2(ahead[1], ahead[0])), math.degrees(math.asin(ahead[2]))


# The eyes look 27 degrees outward and 45 up, from 43 mm beside the middle.
left, right = looks(frames["caml"]), looks(frames["camr"])
assert all(math.isclose(a, b, abs_tol=1.5) for a, b in zip(left + right, (27, 45, -27, 45))), (left, right)
apart = numpy.linalg.norm(chain(frames["caml"])[1][:3, 3] - chain(frames["camr"])[1][:3, 3])
assert math.isclose(apart, 0.0862, abs_tol=1e-4), apart

# The head turns, and the eyes with it.
control = robot.publisher("platform/control", platform_control)
message = platform_control()
message.body_config, message.body_config_speed = [0, 0, math.radians(40), 0], [0, 0, -1, 0]
deadline = time.time() + PATIENCE_S


def turned():
    with came:
        rotation = tree[f"{name}/gimbal"].transform.rotation
    return math.degrees(2 * math.atan2(rotation.z, rotation.w))


while abs(turned() - 40) > 1:
    assert time.time() < deadline, turned()
    control.publish(message)
    time.sleep(0.1)
# It turns about a neck that leans forward, so that the eyes do not turn as far.
assert looks(frames["caml"])[0] - left[0] > 25, (left, looks(frames["caml"]))

# What is measured is of the same tree, and stands where the odometry says.
sensors = robot.wait("platform/sensors")
odom = robot.wait("sensors/odom")
with came:
    known = set(tree) | {it.header.frame_id for it in tree.values()}
for header in (sensors.header, sensors.accel_head.header, sensors.accel_body.header, sensors.sonar_range.header, sensors.odometry.header, odom.header):
    assert header.frame_id in known, (header, known)
assert (odom.header.frame_id, odom.child_frame_id) == (f"{name}/odom", f"{name}/base_link"), odom

# tf itself says the same.
if tf2_ros:
    buffer = tf2_ros.Buffer()
    listener = tf2_ros.TransformListener(buffer)
    told = buffer.lookup_transform(f"{name}/odom", frames["caml"], rospy.Time(0), rospy.Duration(PATIENCE_S))
    assert numpy.allclose(matrix(told), chain(frames["caml"])[1], atol=0.02), (told, chain(frames["caml"]))
else:
    print("tf2_ros is not installed; the frames were followed by hand")
print("miro_frames: ok")
