"""What rospy receives of robots of every family as MiRos, beside the truth of the world.

messages_miro.py HOST:PORT LATIMER
"""

import functools
import importlib
import math
import pathlib
import re
import subprocess
import time

import numpy
import rospy
from cells_around import GREEN
from cells_proof import prove, scene_of
from miro_msgs.msg import platform_control

scene = scene_of("miro")


def follow(name):
    prefix = f"/miro/{name.replace('-', '_')}/"
    for topic, ros_type in rospy.get_published_topics():
        if not topic.startswith(prefix):
            continue
        package, kind = ros_type.split("/")
        note = lambda it, cell=topic[len(prefix):]: hear(name, cell, it)
        rospy.Subscriber(topic, getattr(importlib.import_module(f"{package}.msg"), kind), note, queue_size=100)


def hear(name, cell, message):
    silent = re.search(r"has nothing that tells (\S+);", message.data) if cell == "log" else None
    if silent:
        scene.refuse(name, silent[1], message.data)
    else:
        scene.note(name, cell, (name, message))


def of(read):
    return lambda it: read(it[1])


def place(axis):
    """On the map: who knows its place by its wheels alone counts from where it started, facing along x."""

    def read(it):
        name, message = it
        start_m = 0.0 if message.header.frame_id.endswith("map") else scene.starts[name][f"{axis}_m"]
        return start_m + getattr(message.pose.pose.position, axis)

    return read


def yaw(q):
    return math.atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y**2 + q.z**2))


stamp = of(lambda it: it.header.stamp.to_sec())


# The Python of ROS has no Pillow.
PICTURES = pathlib.Path(__file__).with_name("pictures.py")
PYTHON = PICTURES.parents[2] / ".venv-rosbridge/bin/python"


@functools.lru_cache(100)
def jpeg_column(data):
    told = subprocess.run([PYTHON, PICTURES], input=data, capture_output=True, check=True).stdout.strip()
    return None if told == b"None" else float(told)


def raw_column(message):
    """The middle of what is green, as in `pictures`."""
    r, g, b = numpy.frombuffer(message.data, numpy.uint8).reshape(message.height, message.width, 3).astype(float).transpose(2, 0, 1)
    _, columns = numpy.nonzero((g > GREEN * r) & (g > GREEN * b))
    return (columns.mean() + 0.5) / message.width if len(columns) > 300 else None


def clock_s(it):
    return 3600 * it.rtc_hrs + 60 * it.rtc_min + it.rtc_sec


def clock_off_s(it):
    """How far the clock of the platform is from UTC's time of the day as it was stamped."""
    return (clock_s(it) - it.header.stamp.to_sec() + 43_200.0) % 86_400.0 - 43_200.0


def head_yaw(it):
    return dict(zip(it.name, it.position)).get("yaw")


def touched(data):
    """The first half of the sensors is on the head."""
    return "" if any(data) else None


READERS = {
    "platform/sensors": {
        "ahead_m": of(lambda it: it.sonar_range.range),
        # The platform tells its speed alone, in mm/s.
        "linear_mps": of(lambda it: it.odometry.twist.twist.linear.x / 1000.0),
        "angular_radps": of(lambda it: it.odometry.twist.twist.angular.z),
        "head_yaw_rad": of(lambda it: head_yaw(it.joint_state)),
        "felt": of(lambda it: touched([*it.touch_head, *it.touch_body])),
        "stamp_s": stamp,
    },
    "platform/state": {"clock_off_s": of(clock_off_s), "stamp_s": stamp},
    "platform/mics": {"loudest": of(lambda it: max(map(abs, it.data)))},
    "platform/caml": {"box_column": of(raw_column), "stamp_s": stamp},
    "platform/camr": {"right_box_column": of(raw_column), "stamp_s": stamp},
    "platform/caml/compressed": {"box_column": of(lambda it: jpeg_column(it.data)), "stamp_s": stamp},
    "platform/camr/compressed": {"right_box_column": of(lambda it: jpeg_column(it.data)), "stamp_s": stamp},
    "core/state": {
        "heard_rad": of(lambda it: it.audio_event.azim if it.audio_event.magnitude > 0.0 else None), "stamp_s": stamp,
    },
    "sensors/cliff": {"least_floor": of(lambda it: min(it.data))},
    "sensors/light": {"light": of(lambda it: numpy.mean(it.data) / 255.0)},
    "log": {"refused": of(lambda it: it.data), "text": of(lambda it: it.data)},
    "sensors/body_vel": {"linear_mps": of(lambda it: it.linear.x), "angular_radps": of(lambda it: it.angular.z)},
    "sensors/odom": {
        "by_wheels_x_m": place("x"),
        "by_wheels_y_m": place("y"),
        "by_wheels_yaw_rad": of(lambda it: yaw(it.pose.pose.orientation)),
        "linear_mps": of(lambda it: it.twist.twist.linear.x),
        "angular_radps": of(lambda it: it.twist.twist.angular.z),
        "stamp_s": stamp,
    },
    "sensors/kinematic_joints": {"head_yaw_rad": of(head_yaw), "stamp_s": stamp},
    "sensors/sonar_range": {"ahead_m": of(lambda it: it.range), "stamp_s": stamp},
    "sensors/touch": {"felt": of(lambda it: touched(it.data))},
}

def provoke(name):
    """In the air it cannot drive, and some have no neck to move."""
    drive = platform_control()
    drive.body_vel.linear.x = 0.1
    drive.body_config[2], drive.body_config_speed[2] = 0.2, 1.0
    before = len(scene.received[name, "log"])
    # As long as it is held.
    for _ in range(80):
        CONTROLS[name].publish(drive)
        if scene.until(lambda: len(scene.received[name, "log"]) > before, 0.05):
            break


rospy.init_node("cells", disable_signals=True)
for robot in scene.robots:
    follow(robot)
CONTROLS = {
    name: rospy.Publisher(f"/miro/{name.replace('-', '_')}/platform/control", platform_control, queue_size=1)
    for name in scene.robots
}
scene.provokes = provoke
try:
    prove(scene, READERS)
finally:
    rospy.signal_shutdown("done")
