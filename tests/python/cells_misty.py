"""Robots of every family through the official Misty SDK, unmodified: what each tells, beside the truth of the world.

cells_misty.py HOST:PORT LATIMER ROBOT…   the gateway's common port, the program, and the robots' names there
"""

import json
import math
import subprocess
import sys
import time
import urllib.request

from misty_events import Events_of
from mistyPy.EventFilters import EventFilters
from mistyPy.Events import Events
from mistyPy.Robot import Robot
from patience import PATIENCE_S

GATEWAY, LATIMER, ROBOTS = sys.argv[1], sys.argv[2], sys.argv[3:]

# What a robot has beside ranges, encoders, attitude and a place; what is not here is absent and said to be.
HAS = {
    "misty-1": {"battery", "bump", "touch", "head", "edges"},
    "axbot-1": {"battery", "bump"},
    "pera-1": {"battery"},
    "miro-1": {"battery", "touch", "head", "edges"},
    "robotkoop-1": {"battery", "bump"},
}
# Radius of the wheels that a robot has; those of others are derived for 0.05 m.
WHEEL_M = {"misty-1": 0.036, "miro-1": 0.045}
BUMPS = {"misty-1": "bump_front_left", "axbot-1": "bump_front", "robotkoop-1": "bump_front_left"}
TOUCHES = {"misty-1": "touch_head_front", "miro-1": "touch_head_0"}


def result(response):
    answer = response.json()
    assert response.status_code == 200 and answer["status"] == "Success", answer
    return answer["result"]


def truth(name):
    """Where the robot really is: x, y, yaw."""
    with urllib.request.urlopen(f"http://{GATEWAY}/api/v1/world", timeout=PATIENCE_S) as answer:
        robots = json.load(answer)["now"]["robots"]
    robot = next(it for it in robots if it["robot"] == name)
    return robot["x_m"], robot["y_m"], robot["yaw_rad"]


def poke(*what):
    subprocess.run([LATIMER, "poke", *what, "--gateway", GATEWAY], check=True, timeout=PATIENCE_S)


def turned_deg(a, b):
    return (b - a + 180.0) % 360.0 - 180.0


def ranges(robot, name):
    center = [EventFilters.TimeOfFlightPosition.FrontCenter]
    with Events_of(robot, Events.TimeOfFlight, center, debounce=50, patience_s=PATIENCE_S) as events:
        reading = events.next(lambda it: it["status"] == 0)
    assert reading["sensorId"] == "toffc", reading
    assert abs(reading["distanceInMeters"] - 0.7) < 0.02, reading
    # Without a condition each sensor gets its turn.
    if name in ("axbot-1", "misty-1", "robotkoop-1"):
        with Events_of(robot, Events.TimeOfFlight, debounce=50, patience_s=PATIENCE_S) as events:
            seen = {events.next()["sensorId"] for _ in range(40)}
        assert {"toffc", "toffl", "toffr", "tofr"} <= seen, seen


def battery(robot, name):
    poke(name, "battery", "0.42")
    with Events_of(robot, Events.BatteryCharge, debounce=250, patience_s=PATIENCE_S) as events:
        if name == "miro-1":
            # It measures its voltage alone.
            charge = events.next(lambda it: it.get("voltage"))
            assert 4.0 < charge["voltage"] < 6.0, charge
        else:
            charge = events.next(lambda it: abs(it.get("chargePercent", 0.0) - 0.42) < 0.02)


def contact(robot, name, kind, event_type, part, ids):
    with Events_of(robot, event_type, patience_s=PATIENCE_S) as events:
        # The SDK does not say when it is registered.
        time.sleep(0.5)
        poke(name, kind, part)
        pressed = events.next(lambda it: it["isContacted"])
        assert pressed["sensorId"] in ids, pressed
        events.next(lambda it: not it["isContacted"])


def absent(robot, name, event_type):
    """A subscription to what the robot lacks is answered at once."""
    import websocket

    socket = websocket.create_connection(f"ws://{robot.ip}/pubsub", timeout=PATIENCE_S)
    socket.send(json.dumps({"Operation": "subscribe", "Type": event_type, "EventName": "absent"}))
    answer = json.loads(socket.recv())
    socket.close()
    assert name in answer["message"] and event_type in answer["message"], answer


def drives(robot, name):
    """Backwards by 0.3 m by its encoders, and a quarter turn by its attitude."""
    radius_m = WHEEL_M.get(name, 0.05)
    with Events_of(robot, Events.DriveEncoders, debounce=50, patience_s=PATIENCE_S) as events:
        before, start = events.next(), truth(name)
        end = time.monotonic() + 4 * PATIENCE_S
        while True:
            assert time.monotonic() < end, now
            result(robot.DriveTime(-20, 0, 400))
            now = events.next()
            way_m = math.radians(now["leftDistance"] - before["leftDistance"]) * radius_m
            if way_m < -0.25:
                break
        result(robot.Stop())
        time.sleep(1.0)
        # What was said while it drove is of then.
        while not events.messages.empty():
            events.messages.get()
        now, stands = events.next(), truth(name)
    really_m = math.dist(start[:2], stands[:2])
    told_m = -math.radians((now["leftDistance"] + now["rightDistance"]) / 2.0
                           - (before["leftDistance"] + before["rightDistance"]) / 2.0) * radius_m
    assert abs(told_m - really_m) < max(0.02, 0.02 * really_m), (name, told_m, really_m)


def turns(robot, name):
    with Events_of(robot, Events.IMU, debounce=50, patience_s=PATIENCE_S) as events:
        before, start = events.next(), truth(name)
        end = time.monotonic() + 4 * PATIENCE_S
        while True:
            assert time.monotonic() < end, now
            result(robot.DriveTime(0, 20, 300))
            now = events.next()
            if turned_deg(before["yaw"], now["yaw"]) > 60.0:
                break
        result(robot.Stop())
        time.sleep(1.5)
        # What was said while it turned is of then.
        while not events.messages.empty():
            events.messages.get()
        now, stands = events.next(), truth(name)
    told = turned_deg(before["yaw"], now["yaw"])
    really = turned_deg(math.degrees(start[2]), math.degrees(stands[2]))
    # The compass of one make is as good as a degree or so.
    within_deg = 6.0 if name == "pera-1" else 2.5
    assert really > 50.0 and abs(told - really) < within_deg, (name, told, really)


def head(robot, name):
    result(robot.MoveHead(0, 0, 30, velocity=50))
    with Events_of(robot, Events.ActuatorPosition, [EventFilters.ActuatorPosition.HeadYaw], debounce=50,
                   patience_s=PATIENCE_S) as events:
        events.next(lambda it: abs(it["value"] - 30.0) < 2.0)


for name in ROBOTS:
    robot = Robot(f"{GATEWAY}/robots/{name}/misty")
    has = HAS[name]
    ranges(robot, name)
    battery(robot, name)
    if "bump" in has:
        contact(robot, name, "bump", Events.BumpSensor, BUMPS[name], {"bfl", "bfr"})
    else:
        absent(robot, name, "BumpSensor")
    if "touch" in has:
        contact(robot, name, "touch", Events.TouchSensor, TOUCHES[name], {"cap"})
    else:
        absent(robot, name, "TouchSensor")
    if "head" in has:
        head(robot, name)
    if name != "misty-1":
        absent(robot, name, "KeyPhraseRecognized")
    drives(robot, name)
    turns(robot, name)
    print(f"cells_misty {name}: ok")
