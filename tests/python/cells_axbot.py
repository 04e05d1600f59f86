"""Robots of every family through AutoXing's interface, with requests and websocket-client, beside the truth of the world.

cells_axbot.py HOST:PORT LATIMER ROBOT…   the gateway's common port, the program, and the robots' names there
"""

import json
import math
import subprocess
import sys
import time

import requests
import websocket
from patience import PATIENCE_S

GATEWAY, LATIMER, ROBOTS = sys.argv[1], sys.argv[2], sys.argv[3:]
# From the middle of the robot to the sensor that looks ahead; the box is 0.7 m before it.
SENSOR_M = {"misty-1": 0.12, "axbot-1": 0.324, "pera-1": 0.03, "miro-1": 0.12, "robotkoop-1": 0.275}
BUMPS = {"misty-1": "bump_front_left", "axbot-1": "bump_front", "robotkoop-1": "bump_front_left"}


def truth(name):
    robots = requests.get(f"http://{GATEWAY}/api/v1/world", timeout=PATIENCE_S).json()["now"]["robots"]
    robot = next(it for it in robots if it["robot"] == name)
    return robot["x_m"], robot["y_m"], robot["yaw_rad"]


def poke(*what):
    subprocess.run([LATIMER, "poke", *what, "--gateway", GATEWAY], check=True, timeout=PATIENCE_S)


class Topics:
    """One socket of a robot."""

    def __init__(self, name):
        self.socket = websocket.create_connection(f"ws://{GATEWAY}/robots/{name}/axbot/ws/v2/topics", timeout=1)

    def send(self, **message):
        self.socket.send(json.dumps(message))

    def answer(self, fits):
        while True:
            frame = json.loads(self.socket.recv())
            if fits(frame):
                return frame

    def until(self, topic, fits=lambda message: True, meanwhile=lambda: None):
        end, last = time.monotonic() + PATIENCE_S, None
        while time.monotonic() < end:
            meanwhile()
            try:
                frame = json.loads(self.socket.recv())
            except websocket.WebSocketTimeoutException:
                continue
            if frame.get("topic") == topic:
                last = frame
                if fits(frame):
                    return frame
        raise AssertionError(f"{topic} did not come as expected; last: {str(last)[:500]}")


def turned(a, b):
    return (b - a + math.pi) % math.tau - math.pi


def at_truth(name, pose, within_m=0.03):
    x, y, yaw = truth(name)
    off_m = math.dist(pose["pos"], (x, y))
    assert off_m < within_m and abs(turned(yaw, pose["ori"])) < 0.05, (name, pose, (x, y, yaw))


for name in ROBOTS:
    topics = Topics(name)
    topics.send(enable_topic=["/tracked_pose", "/scan_matched_points2", "/battery_state", "/bumper_state"])
    pose = topics.until("/tracked_pose")
    at_truth(name, pose)
    if name in ("misty-1", "pera-1", "miro-1"):
        topics.send(enable_topic="/wheel_state")
        ack = topics.answer(lambda it: "/wheel_state" in it.get("enabled_topics", []))
        assert ack["needs"] == {"/wheel_state": "a robot that publishes control"}, ack

    # The box ahead, on the map.
    def ahead_m(frame):
        x, y, yaw = truth(name)
        seen = []
        for px, py, *_ in frame["points"]:
            ahead = (px - x) * math.cos(yaw) + (py - y) * math.sin(yaw)
            left = (py - y) * math.cos(yaw) - (px - x) * math.sin(yaw)
            if ahead > 0.0 and abs(left) < 0.05:
                seen.append(ahead)
        # The face of the box: the least of noisy distances is too small.
        near = min(seen, default=math.inf)
        face = [it for it in seen if it < near + 0.05] or [math.inf]
        return sum(face) / len(face) - SENSOR_M[name]

    points = topics.until("/scan_matched_points2", lambda it: abs(ahead_m(it) - 0.7) < 0.1)
    assert abs(ahead_m(points) - 0.7) < 0.02, (name, ahead_m(points))

    poke(name, "battery", "0.42")
    if name == "miro-1":
        topics.until("/battery_state", lambda it: 4.0 < it.get("voltage", 0.0) < 6.0)
    else:
        topics.until("/battery_state", lambda it: abs(it.get("percentage", 0.0) - 0.42) < 0.02)
    if name in BUMPS:
        poke(name, "bump", BUMPS[name])
        topics.until("/bumper_state", lambda it: it.get("front_bumper_pressed"))

    # Whatever the robot, a client takes control first; who has no modes can be driven in any.
    answer = requests.post(
        f"http://{GATEWAY}/robots/{name}/axbot/services/wheel_control/set_control_mode",
        json={"control_mode": "remote"},
        timeout=PATIENCE_S,
    )
    assert answer.ok, (name, answer.status_code, answer.text)
    start = truth(name)
    topics.until(
        "/tracked_pose",
        lambda it: turned(start[2], it["ori"]) > 1.2,
        meanwhile=lambda: topics.send(topic="/twist", linear_velocity=0.0, angular_velocity=0.5),
    )
    topics.send(topic="/twist", linear_velocity=0.0, angular_velocity=0.0)
    time.sleep(1.5)
    x, y, yaw = truth(name)
    stands = topics.until("/tracked_pose", lambda it: abs(turned(yaw, it["ori"])) < 0.03)
    assert turned(start[2], yaw) > 1.1, (name, start, yaw)
    print(f"cells_axbot {name}: ok", stands["pos"])
