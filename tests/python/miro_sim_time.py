"""Lives by the world's time, at speed 4 and while it is paused: miro_sim_time.py NAME HTTP"""

import statistics
import sys
import threading
import time

import rospy
from miro_msgs.msg import platform_mics, platform_sensors, platform_state
from miro_robot import Robot, ask
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Image

SPEED = 4
# A machine that others use lets the world, or this program, be slower than it shall be, and never faster: what takes too long is tried again.
PATIENCE = 3.0
TRIES = 8
STREAMS = {
    "platform/sensors": platform_sensors,
    "platform/state": platform_state,
    "platform/mics": platform_mics,
    "platform/caml": Image,
}
# A machine without time to draw leaves pictures out, which is not the clock's fault: they are whole steps apart.
DRAWN = {"platform/caml"}

name, http = sys.argv[1:]


def pace(**words):
    ask(http, "/api/v1/world/pace", words)


def wall_s(what):
    began = time.monotonic()
    what()
    return time.monotonic() - began


def stamps_ms(messages):
    return [round(message.header.stamp.to_nsec() / 1e6) for _, message in messages]


def in_time(attempt):
    """Whether one of some tries took no longer than it may; what must hold whenever it is tried is asserted within."""
    return any(attempt() for _ in range(TRIES))


robot = Robot(name, "miro_sim_time")
assert rospy.get_param("/use_sim_time") is True
for path, kind in STREAMS.items():
    robot.listen(path, kind)
ticks = []
rospy.Subscriber("/clock", Clock, lambda message: ticks.append((time.monotonic(), message.clock.to_sec())))

# rospy's own time goes by the world's; before anything of it came it is zero.
deadline = time.monotonic() + 15.0
while rospy.get_time() == 0.0:
    assert time.monotonic() < deadline, "nobody tells the time"
    time.sleep(0.01)
pace(pace="speed", speed=SPEED)


def sleeps(what):
    began = rospy.get_time()
    took = wall_s(what)
    passed = rospy.get_time() - began
    assert passed > 5.9 and took > 0.9 * 6.0 / SPEED, (passed, took)
    return passed < 8.0 and took < PATIENCE * 6.0 / SPEED


def keeps_a_rate():
    rate = rospy.Rate(10)
    return sleeps(lambda: [rate.sleep() for _ in range(60)])


assert in_time(lambda: sleeps(lambda: rospy.sleep(6.0))), "rospy.sleep goes by another clock"
assert in_time(keeps_a_rate), "rospy.Rate goes by another clock"


def comes(path, count, apart_ms):
    messages = []
    took = wall_s(lambda: messages.extend(robot.gather(path, count)))
    stamps = stamps_ms(messages)
    steps = [b - a for a, b in zip(stamps, stamps[1:])]
    assert all(step > 0 and step % 10 == 0 for step in steps), (path, steps)
    if hasattr(messages[0][1], "time_usec"):
        clock = [message.time_usec for _, message in messages]
        for step, (a, b) in zip(steps, zip(clock, clock[1:])):
            assert (b - a) % (1 << 29) == step * 1000, (path, step, a, b)
    if path in DRAWN:
        assert all(step % apart_ms == 0 for step in steps), (path, steps)
        return True
    return statistics.median(steps) == apart_ms and took < PATIENCE * count * apart_ms / 1e3 / SPEED


# Everything that the robot says comes as much faster, and is as far apart by its own stamps as ever.
for path, count, apart_ms in (("platform/sensors", 400, 20), ("platform/state", 400, 20), ("platform/mics", 40, 100), ("platform/caml", 20, 200)):
    assert in_time(lambda: comes(path, count, apart_ms)), path


def clock_runs():
    time.sleep(1.0)
    since = [(wall, sim) for wall, sim in ticks if wall > time.monotonic() - 1.0]
    (first_wall, first_sim), (last_wall, last_sim) = since[0], since[-1]
    return SPEED / PATIENCE < (last_sim - first_sim) / (last_wall - first_wall) < 1.1 * SPEED


assert in_time(clock_runs), "/clock runs at another speed"

# Paused, nothing comes, nothing is stamped anew, and who sleeps goes on sleeping.
pace(pace="pause")


def arrived():
    """When the last of each came."""
    return {path: robot.heard[path][-1][0] for path in STREAMS} | {"/clock": ticks[-1][0]}


# What was on its way has come when a second brings nothing.
deadline, before = time.monotonic() + 15.0, None
while before != arrived():
    assert time.monotonic() < deadline, "it goes on though the world is paused"
    before = arrived()
    time.sleep(1.0)
last = {path: robot.gather_now(path)[-1].header.stamp for path in STREAMS}
stood = rospy.get_time()
sleeper = threading.Thread(target=lambda: rospy.sleep(0.2), daemon=True)
sleeper.start()
time.sleep(1.5)
assert arrived() == before
assert rospy.get_time() == stood
assert sleeper.is_alive(), "a second of nobody's time"

# It goes on where it stood.
pace(pace="resume")
sleeper.join(15.0)
assert not sleeper.is_alive()
for path, apart_s in (("platform/sensors", 0.02), ("platform/mics", 0.1), ("platform/caml", 0.2)):
    message = robot.wait(path, lambda it: True)
    later = [it for it in robot.gather_now(path) if it.header.stamp > last[path]]
    gap = (later[0].header.stamp - last[path]).to_sec()
    assert gap < 10 * apart_s, (path, gap)
print("miro_sim_time: ok")
