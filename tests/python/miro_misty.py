"""A MiRo through the official Misty SDK, unmodified: battery, range, place and picture, told and checked.

miro_misty.py HOST PORT ROBOT   the gateway's common port, and the robot's name there; it looks at a wall near by
"""

import base64
import io
import math
import sys
import time

from misty_events import Events_of
from mistyPy.EventFilters import EventFilters
from mistyPy.Events import Events
from mistyPy.Robot import Robot
from PIL import Image
from patience import PATIENCE_S

HOST, PORT, ROBOT = sys.argv[1:]
ADDRESS = f"{HOST}:{PORT}/robots/{ROBOT}/misty"


def result(response):
    answer = response.json()
    assert response.status_code == 200 and answer["status"] == "Success", answer
    return answer["result"]


def follow(robot, event_type, condition=None):
    return Events_of(robot, event_type, condition, debounce=50, patience_s=PATIENCE_S)


def drives_until(robot, events, linear, angular, fits):
    """Drives a little again and again, as one who looks, until an event fits."""
    end = time.monotonic() + PATIENCE_S
    while True:
        result(robot.DriveTime(linear, angular, 400))
        try:
            found = events.next(fits, within_s=0.4)
        except TimeoutError:
            if time.monotonic() > end:
                raise
            continue
        result(robot.Stop())
        return found


def place(message):
    pose = message["location"]["pose"]
    return pose["x"], pose["y"], pose["yaw"]


robot = Robot(ADDRESS)
assert robot.ip == ADDRESS, f"something answers at port 80 of this machine; the SDK talks to {robot.ip}"

# A robot may know the voltage alone: then there is no charge, and no invented one.
with follow(robot, Events.BatteryCharge) as battery:
    charge = battery.next(lambda it: it.get("voltage"))
print("battery:", charge["voltage"], "V, charge", charge.get("chargePercent"))
assert 3.5 < charge["voltage"] < 7, charge
assert charge.get("chargePercent") is None or 0 < charge["chargePercent"] <= 1, charge
assert 3.5 < result(robot.GetBatteryLevel())["voltage"] < 7

center = [EventFilters.TimeOfFlightPosition.FrontCenter]
with follow(robot, Events.SelfState) as own:
    x, y, yaw = place(own.next(lambda it: it.get("battery", {}).get("voltage") and it.get("location")))
    print(f"place: {x:.3f} {y:.3f} turned {yaw:.3f}")

    with follow(robot, Events.TimeOfFlight, center) as ranges:
        near = ranges.next(lambda it: it["status"] == 0)
        print("range:", near["distanceInMeters"], "m")
        assert near["sensorId"] == "toffc" and 0.02 < near["distanceInMeters"] < 1.2, near
        away = drives_until(
            robot, ranges, 0, 100, lambda it: abs(it["distanceInMeters"] - near["distanceInMeters"]) > 0.1
        )
        print("range after a turn:", away["distanceInMeters"], "m")
    turned = own.next(lambda it: abs(math.remainder(place(it)[2] - yaw, math.tau)) > 0.2)
    print("place after a turn: turned", place(turned)[2])

    x, y, _ = place(turned)
    drives_until(robot, own, 40, 0, lambda it: math.dist(place(it)[:2], (x, y)) > 0.05)
    print("place after a drive: it went at least 0.05 m")


def picture(file):
    image = Image.open(io.BytesIO(file)).convert("RGB")
    image.load()
    spread = max(high - low for low, high in image.getextrema())
    print("picture:", image.width, "x", image.height, "values spread over", spread)
    assert spread > 10, "the picture is of one colour"
    return image.size


size = picture(robot.TakePicture().content)
taken = result(robot.TakePicture(base64=True, fileName="wall", width=160, height=120))
assert (taken["width"], taken["height"], taken["name"]) == (160, 120, "wall"), taken
assert taken["contentType"] == "image/jpeg", taken["contentType"]
assert picture(base64.b64decode(taken["base64"])) == (160, 120)
wrong = robot.TakePicture(width=160)
assert wrong.status_code == 400 and "both" in wrong.json()["error"], wrong.text

result(robot.ChangeLED(0, 255, 0))
print("miro_misty: ok")
