"""Robots of every family as MiRos, with rospy, beside the truth of the world.

cells_miro.py HOST:PORT LATIMER ROBOT…   the gateway's common port, the program, and the robots' names there
"""

import math
import subprocess
import sys
import time

import rospy
from geometry_msgs.msg import Twist
from miro_msgs.msg import platform_control, platform_sensors
from miro_robot import PATIENCE_S, Robot, truth
from nav_msgs.msg import Odometry

GATEWAY, LATIMER, ROBOTS = sys.argv[1], sys.argv[2], sys.argv[3:]
# What a robot lacks: the value that stands for it, beside the bits of success_r, which are 0 then.
EDGES = {"misty-1", "miro-1"}
TOUCHES = {"misty-1": ("touch", "touch_head_front"), "miro-1": ("touch", "touch_head_0")}
BUMPS = {
    "misty-1": ("bump", "bump_front_left"),
    "axbot-1": ("bump", "bump_front"),
    "robotkoop-1": ("bump", "bump_front_left"),
}


def poke(*what):
    subprocess.run([LATIMER, "poke", *what, "--gateway", GATEWAY], check=True, timeout=PATIENCE_S)


def yaw_of(message):
    q = message.pose.pose.orientation
    return math.atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))


def turned(a, b):
    return (b - a + math.pi) % math.tau - math.pi


for name in ROBOTS:
    called = name.replace("-", "_")
    robot = Robot(called, "cells_miro") if name == ROBOTS[0] else robot
    robot.name = called
    robot.listen("platform/sensors", platform_sensors)
    robot.listen("sensors/odom", Odometry)
    has_edges = lambda it: all(raw <= 15 for raw in bytes(it.cliff)) == (name in EDGES)
    seen = robot.wait("platform/sensors", lambda it: it.sonar_range.range > 0.0 and has_edges(it))
    assert abs(seen.sonar_range.range - 0.7) < 0.02, (name, seen.sonar_range)
    assert math.isnan(seen.temperature.temperature) == (name not in ("miro-1", "axbot-1")), (name, seen.temperature)

    for of, list_name in ((TOUCHES, "touch_head"), (BUMPS, "touch_body")):
        if name in of:
            kind, part = of[name]
            poke(name, kind, part)
            robot.wait("platform/sensors", lambda it: any(bytes(getattr(it, list_name))))

    control = robot.publisher("platform/control", platform_control)
    drive = platform_control()
    drive.body_vel = Twist()
    drive.body_vel.angular.z = 0.6
    before, (_, _, _, start) = robot.wait("sensors/odom"), truth(GATEWAY, name)
    end = time.monotonic() + 4 * PATIENCE_S
    while turned(yaw_of(before), yaw_of(robot.wait("sensors/odom"))) < 1.2:
        assert time.monotonic() < end, f"{name} does not turn"
        control.publish(drive)
        time.sleep(0.05)
    drive.body_vel.angular.z = 0.0
    control.publish(drive)
    time.sleep(1.5)
    told = turned(yaw_of(before), yaw_of(robot.wait("sensors/odom")))
    really = turned(start, truth(GATEWAY, name)[3])
    assert really > 1.1 and abs(told - really) < 0.05, (name, told, really)
    print(f"cells_miro {name}: ok")
rospy.signal_shutdown("done")
