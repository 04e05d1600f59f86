"""The specification's program for the speeds of single wheels, as it is printed, said for some seconds as a MiRo wants it:
control_wheel_speeds.py NAME HTTP ROBOT"""

import math
import sys
import time

import rospy
from geometry_msgs.msg import Twist
from miro_constants.miro import MIRO_WHEEL_TRACK_MM
from miro_msgs.msg import platform_control, platform_sensors
from miro_robot import Robot, truth

NAME, HTTP, ROBOT = sys.argv[1:]

# desired wheel speeds (mm/sec)
wheel_speed_l = -100
wheel_speed_r = 50

# constants are in share/miro_constants/miro.py (or include/miro_platform.h)
dr = (wheel_speed_l + wheel_speed_r) / 2.0
dtheta = (wheel_speed_r - wheel_speed_l) / MIRO_WHEEL_TRACK_MM

# send
q = platform_control()
q.body_vel = Twist()
q.body_vel.linear.x = dr;
q.body_vel.angular.z = dtheta;

robot = Robot(NAME, "control_wheel_speeds")
robot.listen("platform/sensors", platform_sensors)
control = robot.publisher("platform/control", platform_control)
robot.wait("platform/sensors")

rate, places = rospy.Rate(10), []
for _ in range(60):
    control.publish(q)
    places.append(truth(HTTP, ROBOT))
    rate.sleep()
last_said_s = truth(HTTP, ROBOT)[0]


def turned(before, after):
    """How far it turned between two looks, less than half a circle, radians."""
    return (after[3] - before[3] + math.pi) % math.tau - math.pi


# The first second is for gathering speed.
begun = [it for it in places if it[0] > places[0][0] + 1.0]
pairs = list(zip(begun, begun[1:]))
seconds = begun[-1][0] - begun[0][0]
turn_radps = sum(turned(*pair) for pair in pairs) / seconds
way_mps = sum(math.dist(a[1:3], b[1:3]) for a, b in pairs) / seconds
assert seconds > 3.0, places
assert abs(turn_radps - dtheta) < 0.03 * dtheta, (turn_radps, dtheta)
assert abs(way_mps - abs(dr) / 1000.0) < 0.002, (way_mps, dr)
# It drives backwards: where it came from is ahead.
ahead = [(b[1] - a[1]) * math.cos(a[3]) + (b[2] - a[2]) * math.sin(a[3]) for a, b in pairs]
assert sum(ahead) < 0.0, ahead

# Its own odometry says the same, in millimetres.
said = robot.heard["platform/sensors"][-20][1].odometry.twist.twist
assert abs(said.linear.x - dr) < 3.0 and abs(said.angular.z - dtheta) < 0.06, said
assert said.linear.y == said.linear.z == said.angular.x == said.angular.y == 0.0, said

# What was said last is held over for at most a second, and then it stops.
deadline, before = time.time() + 20.0, truth(HTTP, ROBOT)
while True:
    assert time.time() < deadline, "it goes on by itself"
    # Between two looks something must have had time to happen.
    time.sleep(0.1)
    now = truth(HTTP, ROBOT)
    if now[0] > before[0] and abs(turned(before, now)) < 1e-4:
        break
    before = now
held_s = before[0] - last_said_s
assert 0.5 < held_s < 1.6, held_s
stopped = robot.wait("platform/sensors").odometry.twist.twist
assert abs(stopped.linear.x) < 3.0 and abs(stopped.angular.z) < 0.06, stopped
print(f"control_wheel_speeds: ok, {turn_radps:.4f} rad/s, {way_mps:.4f} m/s, held for {held_s:.2f} s")
