"""The official Misty SDK, unmodified, at a robot that is no Misty: misty_at_miro.py ADDRESS"""

import base64
import queue
import sys

import requests
from mistyPy.Events import Events
from mistyPy.Robot import Robot

PATIENCE_S = 20
ADDRESS = sys.argv[1]
robot = Robot(ADDRESS)


def first(event_type, fits):
    """The first message of a type that fits."""
    messages = queue.Queue()
    robot.RegisterEvent(event_type, event_type, debounce=100, keep_alive=True, callback_function=messages.put)
    while True:
        message = messages.get(timeout=PATIENCE_S)["message"]
        if isinstance(message, dict) and fits(message):
            robot.UnregisterEvent(event_type)
            return message


battery = first(Events.BatteryCharge, lambda it: it["voltage"])
assert 4.0 < battery["voltage"] < 6.0, battery
asked = requests.get(f"http://{ADDRESS}/api/battery", timeout=PATIENCE_S).json()
assert 4.0 < asked["result"]["voltage"] < 6.0, asked

# Something stands before its nose.
ahead = first(Events.TimeOfFlight, lambda it: it["sensorId"] == "sonar" and it["distanceInMeters"] < 1.0)
assert ahead["type"] == "Range" and 0.03 <= ahead["distanceInMeters"], ahead

state = first(Events.SelfState, lambda it: it["location"] and it["location"]["pose"])
pose = state["location"]["pose"]
assert pose["frameId"] == "Odom" and all(isinstance(pose[axis], float) for axis in ("x", "y", "yaw")), pose
assert 4.0 < state["battery"]["voltage"] < 6.0, state

told = robot.TakePicture(base64=True, fileName="eye").json()
assert told["status"] == "Success", told
shown = told["result"]
assert (shown["width"], shown["height"], shown["contentType"]) == (320, 240, "image/jpeg"), shown
assert base64.b64decode(shown["base64"]).startswith(b"\xff\xd8")
plain = requests.get(f"http://{ADDRESS}/api/cameras/rgb", timeout=PATIENCE_S)
assert plain.headers["content-type"] == "image/jpeg" and plain.content.startswith(b"\xff\xd8"), plain.headers
print("misty_at_miro: ok")
