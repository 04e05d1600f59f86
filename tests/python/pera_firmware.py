"""A physical robot with the swarm's firmware, and the camera that locates it: pera_firmware.py PORT HTTP

The robot writes numbers as texts and never announces itself but as alive; the camera creates it. HTTP is the gateway's API, where
the robot's own readings must arrive.
"""

import json
import sys
import time
import urllib.request

from swarm import PATIENCE_S, Peer

PORT, HTTP = int(sys.argv[1]), sys.argv[2]

camera = Peer(PORT, "localization", qos=1)
camera.subscribe("localization/update/?")
camera.publish("robot/create", '{"id": 5, "x": 10, "y": 10, "heading": 0, "reality": "R"}', qos=1)

robot = Peer(PORT, "robot_5_1")
robot.subscribe(
    "robot/msg/5", "robot/msg/broadcast", "sensor/distance/5", "sensor/distance/5/?", "sensor/color/5",
    "sensor/color/5/?", "sensor/proximity/5", "comm/in/+/5", "output/neopixel/5", "localization/update/?",
)
robot.publish("robot/live", '{"id": 5,"reality":"R"}')


def last(select):
    with urllib.request.urlopen(f"http://{HTTP}/api/v1/last?select={select}", timeout=PATIENCE_S) as answer:
        return json.load(answer)["updates"]


def until(select, fits):
    deadline = time.monotonic() + PATIENCE_S
    while True:
        found = [it for it in last(select) if fits(it)]
        if found:
            return found[0]
        assert time.monotonic() < deadline, last(select)
        time.sleep(0.05)


# It measured 12 cm, the simulator sees a wall at 74: it takes the smaller one.
robot.publish("sensor/distance", '{"id":"5","dist":"12"}')
virtual = int(robot.take("sensor/distance/5")[0])
assert virtual == 74 and min(12, virtual) == 12, virtual
until("pera-5/range/**", lambda it: abs((it["data"]["distance_m"] or 0) - 0.12) < 1e-6)

robot.publish("sensor/color", '{"id":"5","R":"10","G":"20","B":"30","ambient":"40","reality":"V"}')
color = [int(word) for word in robot.take("sensor/color/5")[0].split(" ")]
assert color == [0, 0, 0, 0], color
until("pera-5/color/**", lambda it: it["data"])



def located(at):
    """Asks where it is until that is so: the camera has a connection of its own, whose messages may come later than the question."""
    deadline = time.monotonic() + PATIENCE_S
    robot.publish("localization", "5")
    while (found := robot.take("localization/5")[0]) != at:
        assert time.monotonic() < deadline, f"it is at {found}, not at {at}"
        robot.publish("localization", "5")


# Where it is comes from the camera, in the arena's own centimetres.
robot.subscribe("localization/5")
camera.publish("localization/update", '[{"id": 5, "x": 30, "y": -20, "heading": 90, "reality": "R"}]', qos=1)
located("30 -20 90")
# An object where an array belongs: the camera's answer to a question.
camera.publish("localization/update", '{"5": {"id": 5, "x": 31, "y": -21, "heading": 95, "reality": "R"}}', qos=1)
located("31 -21 95")

robot.publish("robot/log", '{"id":"5","msg":"123"}')
robot.publish("output/neopixel", '{"id":"5","R":"0","G":"255","B":"0"}')
print("pera_firmware: ok")
