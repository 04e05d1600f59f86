"""A day of an integrator with a chassis: requests and websocket-client, the public interface only.

axbot_integrator.py CHASSIS GATEWAY   both host:port; the gateway is asked to block the way and the like
"""

import base64
import io
import json
import math
import sys
import time

import requests
import websocket
from PIL import Image
from patience import PATIENCE_S

CHASSIS, GATEWAY = sys.argv[1:]
TOPICS = [
    "/tracked_pose",
    "/battery_state",
    "/slam/state",
    "/map",
    "/wheel_state",
    "/alerts",
    "/robot_model",
    "/planning_state",
    "/jack_state",
    "/scan_matched_points2",
]
FAR, NEAR = (8.0, 2.0), (1.6, 2.7)


def rest(method, path, status=200, **body):
    answer = requests.request(method, f"http://{CHASSIS}{path}", json=body or None, timeout=PATIENCE_S)
    assert answer.status_code == status, (method, path, answer.status_code, answer.text)
    return answer.json() if answer.content and "json" in answer.headers["Content-Type"] else answer.content


def gateway(path, **body):
    answer = requests.post(f"http://{GATEWAY}/api/v1{path}", json=body, timeout=PATIENCE_S)
    assert answer.ok and answer.json()["outcome"] in ("accepted", "done"), (path, body, answer.text)


def poke(**stimulus):
    gateway("/robots/axbot-1/poke", **stimulus)


class Topics:
    """One socket: what is enabled, and the messages that come."""

    def __init__(self, address):
        self.socket = websocket.create_connection(f"ws://{address}/ws/v2/topics", timeout=PATIENCE_S)
        self.seen = {}

    def send(self, **message):
        self.socket.send(json.dumps(message))

    def frame(self):
        frame = json.loads(self.socket.recv())
        if "topic" in frame:
            self.seen[frame["topic"]] = frame
        return frame

    def enable(self, topics):
        self.send(enable_topic=topics)
        return self.acknowledged()

    def disable(self, topics):
        self.send(disable_topic=topics)
        return self.acknowledged()

    def acknowledged(self):
        while True:
            frame = self.frame()
            if "enabled_topics" in frame:
                return frame["enabled_topics"]

    def until(self, topic, fits=lambda message: True):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            frame = self.frame()
            if frame.get("topic") == topic and fits(frame):
                return frame
        raise AssertionError(f"{topic} did not come as expected; last: {self.seen.get(topic)}")


def move(topics, **asked):
    """Creates a move and watches it to its end: its states, and the last of them."""
    created = rest("POST", "/chassis/moves", 201, creator="integrator", **asked)
    assert created["state"] == "moving", created
    states = []

    def ended(message):
        if message["action_id"] != created["id"]:
            return False
        states.append(message)
        return message["move_state"] in ("succeeded", "failed", "cancelled")

    last = topics.until("/planning_state", ended)
    assert [state["move_state"] for state in states[:-1]].count("moving") == len(states) - 1, states
    told = rest("GET", f"/chassis/moves/{created['id']}")
    assert told["state"] == last["move_state"], (told, last)
    return told, states


# What is it, and what can it do?
info = rest("GET", "/device/info")
assert info["device"]["model"] and info["caps"]["supportsEnableTopicList"] and info["caps"]["supportsJack"], info
assert rest("GET", "/device/boot_progress")["progress"] in (1, 1.0, 100), "booted"

# Load its map, and look at it.
maps = rest("GET", "/maps/")
assert [it["map_name"] for it in maps] == ["hall"], maps
hall = rest("GET", f"/maps/{maps[0]['id']}")
picture = Image.open(io.BytesIO(requests.get(hall["image_url"], timeout=PATIENCE_S).content))
cell_m = hall["grid_resolution"]
assert abs(picture.width * cell_m - 10.0) < 0.5 and abs(picture.height * cell_m - 6.0) < 0.5, picture.size
marks = json.loads(hall["overlays"])["features"]
assert {"9", "37"} <= {str(it["properties"]["type"]) for it in marks if it["geometry"]["type"] == "Point"}, marks
assert rest("POST", "/chassis/current-map", map_id=hall["id"])["map_name"] == "hall"
assert rest("GET", "/chassis/current-map")["uid"] == hall["uid"]

# Say where it stands.
rest("POST", "/chassis/pose", position=[*NEAR, 0.0], ori=0.0)

# Ten topics in one message; the answer names all of them, and comes before what they tell.
topics = Topics(CHASSIS)
assert set(topics.enable(TOPICS)) == set(TOPICS)
assert set(topics.seen) <= set(TOPICS)
while not set(TOPICS) <= set(topics.seen):
    topics.frame()
topics.until("/slam/state", lambda it: it["state"] == "positioning" and it["reliable"])
grid = topics.seen["/map"]
picture = Image.open(io.BytesIO(base64.b64decode(grid["data"])))
assert list(picture.size) == grid["size"] and picture.mode == "L", (picture, grid["size"])


def shade(x, y):
    """The map's grey at a point of the world; row 0 is on top, the origin is the lower left corner."""
    column = int((x - grid["origin"][0]) / grid["resolution"])
    row = grid["size"][1] - 1 - int((y - grid["origin"][1]) / grid["resolution"])
    return picture.getpixel((column, row))


assert shade(5.0, 1.0) < 60 and shade(5.0, 5.0) < 60, "the wall is dark"
assert shade(5.0, 2.7) > 200 and shade(1.6, 2.7) > 200, "the passage is bright"
assert math.dist(topics.seen["/tracked_pose"]["pos"], NEAR) < 0.3, topics.seen["/tracked_pose"]
meets = topics.seen["/scan_matched_points2"]["points"]
assert any(math.dist(point[:2], (5.0, 1.5)) < 0.7 for point in meets), "the scan meets the wall"

# There.
told, states = move(topics, type="standard", target_x=FAR[0], target_y=FAR[1], target_ori=0.0)
assert told["state"] == "succeeded" and states[0]["action_type"] == "standard", (told, states)
assert math.dist(rest("GET", "/chassis/pose")["position"][:2], FAR) < 0.3

# And back, but somebody has put a crate into the passage.
gateway("/world/poke", happening="put_obstacle", name="crate", box={"length_m": 0.4, "width_m": 1.3}, x_m=5.0, y_m=2.7)
told, states = move(topics, type="standard", target_x=NEAR[0], target_y=NEAR[1], target_ori=0.0)
assert told["state"] == "failed" and told["fail_reason"] != 0 and told["fail_reason_str"], told
assert states[-1]["fail_reason"] == told["fail_reason"], states[-1]
gateway("/world/poke", happening="remove_obstacle", name="crate")
told, _ = move(topics, type="standard", target_x=NEAR[0], target_y=NEAR[1], target_ori=0.0)
assert told["state"] == "succeeded", told

# A change of mind.
created = rest("POST", "/chassis/moves", 201, type="standard", target_x=FAR[0], target_y=FAR[1])
assert rest("GET", "/chassis/moves/current")["id"] == created["id"]
assert rest("PATCH", "/chassis/moves/current", state="cancelled")["state"] == "cancelled"
topics.until("/planning_state", lambda it: it["action_id"] == created["id"] and it["move_state"] == "cancelled")
rest("GET", "/chassis/moves/current", 404)

# Low, lower, and to the charger until it is full.
poke(stimulus="battery", charge_ratio=0.1)
low = topics.until("/alerts", lambda it: 8501 in [alert["code"] for alert in it["alerts"]])
assert [it["level"] for it in low["alerts"] if it["code"] == 8501] == ["warning"], low
poke(stimulus="battery", charge_ratio=0.03)
topics.until("/alerts", lambda it: 8003 in [alert["code"] for alert in it["alerts"]])
told, states = move(topics, type="charge", charge_retry_count=3)
assert told["state"] == "succeeded", told
topics.until("/battery_state", lambda it: it["power_supply_status"] == "charging" and it["current"] < 0)
poke(stimulus="battery", charge_ratio=0.999)
topics.until("/alerts", lambda it: not it["alerts"])
full = topics.until("/battery_state", lambda it: it["power_supply_status"] == "full")
assert full["percentage"] > 0.99, full

# Its scanner fails, and is well again.
poke(stimulus="fail", part="lidar", hold_s=20.0)
topics.until("/alerts", lambda it: 5001 in [alert["code"] for alert in it["alerts"]])
topics.until("/alerts", lambda it: not it["alerts"])

# It drives by hand in control mode remote only, a step for each answer.
rest("POST", "/services/wheel_control/set_control_mode", control_mode="remote")
topics.until("/wheel_state", lambda it: it["control_mode"] == "remote")
topics.send(topic="/twist", linear_velocity=-0.2, angular_velocity=0.0)
topics.until("/twist_feedback")
rest("POST", "/services/wheel_control/set_control_mode", control_mode="auto")

# What it does not have or understand is said, and nothing ends.
topics.socket.send("{no json")
while "error" not in topics.frame():
    pass
assert set(topics.enable("/no_such_topic")) == set(TOPICS)
assert "detail" in rest("GET", "/chassis/moves/999999", 404)
assert topics.disable(TOPICS) == []

# A Misty looks like a chassis with little: what she cannot know is not there.
requests_to_misty = f"http://{sys.argv[1].rsplit(':', 1)[0]}:{int(sys.argv[1].rsplit(':', 1)[1]) + 1}"
caps = requests.get(f"{requests_to_misty}/device/info", timeout=PATIENCE_S).json()["caps"]
assert not caps.get("supportsJack") and not caps.get("supportsFollowTarget"), caps
print("axbot_integrator: ok")
