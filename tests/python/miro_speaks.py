"""Tells a MiRo everything that it can be told: miro_speaks.py NAME HTTP ROBOT

HTTP is the gateway's, ROBOT the robot's name there; what came of it is asked there, and seen in what the robot says.
"""

import math
import sys
import time

import rospy
from geometry_msgs.msg import Twist
from miro_constants import miro
from miro_msgs.msg import (
    bridge_config, bridge_stream, core_control, platform_config, platform_control, platform_sensors, platform_state,
)
from miro_robot import PATIENCE_S, Robot, ask, truth
from sensor_msgs.msg import Image

NAME, HTTP, ROBOT = sys.argv[1:]
robot = Robot(NAME, "miro_speaks")
robot.listen("platform/sensors", platform_sensors)
robot.listen("platform/state", platform_state)
robot.listen("platform/caml", Image)
control = robot.publisher("platform/control", platform_control)
config = robot.publisher("platform/config", platform_config)
core = robot.publisher("core/control", core_control)
stream = robot.publisher("bridge/stream", bridge_stream)
velocity = robot.publisher("control/cmd_vel", Twist)
robot.publisher("bridge/config", bridge_config).publish(bridge_config())
robot.wait("platform/sensors")


def last(select):
    return ask(HTTP, f"/api/v1/last?select={ROBOT}/{select}")["updates"]


def until(select, fits):
    """Waits until the gateway knows of something; it can only be asked."""
    deadline = time.time() + PATIENCE_S
    while not any(fits(it["data"]) for it in last(select)):
        assert time.time() < deadline, (select, last(select))
        time.sleep(0.05)


def say_until(path, message, fits):
    """Says the same ten times a second until the robot says what fits."""
    rate, deadline = rospy.Rate(10), time.time() + PATIENCE_S
    while True:
        control.publish(message)
        rate.sleep()
        seen = robot.heard[path][-1][1]
        if fits(seen):
            return seen
        assert time.time() < deadline, f"{path} does not show it; the last is\n{seen}"


def still():
    """Waits until the robot stands and moves no joint."""
    calm = lambda it: abs(it.odometry.twist.twist.linear.x) < 3 and abs(it.odometry.twist.twist.angular.z) < 0.05
    time.sleep(1.2)  # What was said last is held over for a second.
    robot.wait("platform/sensors", calm)


# The head: there as fast as it can, then elsewhere at a speed, then not at all.
head = platform_control()
head.body_config = [0.0, math.radians(45.0), math.radians(30.0), math.radians(-5.0)]
head.body_config_speed = [miro.MIRO_LEAN_SPEED_INF] * 4
near = lambda joint, deg: lambda it: abs(it.joint_state.position[joint] - math.radians(deg)) < 0.02
say_until("platform/sensors", head, lambda it: near(1, 45.0)(it) and near(2, 30.0)(it) and near(3, -5.0)(it))
slow = platform_control()
slow.body_config = [0.0, 0.0, math.radians(-30.0), 0.0]
slow.body_config_speed = [0.0, 0.0, 0.5, 0.0]
began = truth(HTTP, ROBOT)[0]
it = say_until("platform/sensors", slow, near(2, -30.0))
took_s = truth(HTTP, ROBOT)[0] - began
assert 1.2 < took_s < 4.5, f"a radian at 0.5 rad/s takes two seconds, not {took_s}"
assert near(1, 45.0)(it) and near(3, -5.0)(it), "a speed of 0 changes nothing"

# What shows a mood.
mood = platform_control()
mood.tail, mood.ear_rotate, mood.eyelid_closure = 0.5, [1.0, 0.25], 0.75
say_until("platform/sensors", mood, lambda it: abs(it.eyelid_closure - 0.75) < 0.03)
for part, wanted in {"tail": 0.5, "ear_left": 1.0, "ear_right": 0.25}.items():
    # Joints tell in radians or as a share; whichever number there is must be near.
    until(f"joint/{part}", lambda it: any(isinstance(x, float) and abs(x - wanted) < 0.05 for x in it.values()))
blink = platform_control()
blink.blink_time = 10
control.publish(blink)
robot.wait("platform/sensors", lambda it: it.eyelid_closure > 0.9)
robot.wait("platform/sensors", lambda it: it.eyelid_closure < 0.2)

# Lamps: six of three bytes each.
lit = platform_control()
lit.lights_raw = bytes([255, 0, 0] + [0, 255, 0] + [0, 0, 255] * 4)
control.publish(lit)
until("lamp/lamp_0", lambda it: (it["red"], it["green"], it["blue"]) == (255, 0, 0))
until("lamp/lamp_1", lambda it: (it["red"], it["green"], it["blue"]) == (0, 255, 0))

# Sounds of the robot's own.
for field in ("sound_index_P1", "sound_index_P2"):
    sound = platform_control()
    setattr(sound, field, 5)
    before = [it for it in last("playback")]
    control.publish(sound)
    deadline = time.time() + PATIENCE_S
    while last("playback") == before:
        assert time.time() < deadline, f"{field} is not heard: {before}"
        time.sleep(0.05)

# Sounds of the bridge: it has as many as it says.
loaded = robot.wait("platform/state").number_of_loaded_sounds
assert loaded == 2, loaded
stream.publish(bridge_stream(sound_index_P3=1))
robot.wait("platform/state", lambda it: it.P2U_R_signals & miro.MIRO_P2U_R_VOCALISING)
stream.publish(bridge_stream(sound_index_P3=-1))
robot.wait("platform/state", lambda it: not it.P2U_R_signals & miro.MIRO_P2U_R_VOCALISING)

# A move of its own: 0.3 m ahead of where it is, by its own controller.
still()
_, x, y, yaw = truth(HTTP, ROBOT)
move = platform_control()
move.body_move.x = 300.0
move.body_move_flags = miro.MIRO_BODY_MOVE_START | miro.MIRO_BODY_MOVE_CONTINUE
control.publish(move)
move.body_move_flags = miro.MIRO_BODY_MOVE_CONTINUE
say_until("platform/state", move, lambda it: it.P2U_R_signals & miro.MIRO_P2U_R_BODY_MOVE_UNDERWAY)
say_until("platform/state", move, lambda it: not it.P2U_R_signals & miro.MIRO_P2U_R_BODY_MOVE_UNDERWAY)
still()
_, x2, y2, _ = truth(HTTP, ROBOT)
ahead, aside = (x2 - x) * math.cos(yaw) + (y2 - y) * math.sin(yaw), (y2 - y) * math.cos(yaw) - (x2 - x) * math.sin(yaw)
assert abs(ahead - 0.3) < 0.05 and abs(aside) < 0.05, (ahead, aside)

# Two streams that belong together are carried out together; nothing happens before the second has come.
both = core_control.FLAG_SYNC_PLATFORM | core_control.FLAG_SYNC_CORE
turn = platform_control(msg_flags=both)
turn.body_vel.angular.z = 0.5
rate = rospy.Rate(20)
for _ in range(30):
    control.publish(turn)
    core.publish(core_control(msg_flags=both))
    rate.sleep()
robot.wait("platform/sensors", lambda it: abs(it.odometry.twist.twist.angular.z - 0.5) < 0.06)
still()

# The standard interface drives in metres.
drive = Twist()
drive.linear.x = -0.1
for _ in range(30):
    velocity.publish(drive)
    rate.sleep()
robot.wait("platform/sensors", lambda it: abs(it.odometry.twist.twist.linear.x + 100.0) < 10.0)
still()

# Pictures of another size and pace.
config.publish(platform_config(frame_size=192, frame_rate=10.0))
robot.wait("platform/caml", lambda it: (it.width, it.height, it.step) == (192, 144, 576))
taken = [it.header.stamp.to_sec() for _, it in robot.gather("platform/caml", 20)]
# The one in the middle, since a busy machine holds some of them up.
gaps = sorted(later - sooner for sooner, later in zip(taken, taken[1:]))
assert 0.08 < gaps[9] < 0.125, gaps
config.publish(platform_config(frame_size=320, frame_rate=5.0))
robot.wait("platform/caml", lambda it: it.width == 320)
print("miro_speaks: ok")
