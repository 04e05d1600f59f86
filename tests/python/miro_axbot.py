"""A MiRo through AutoXing's interface, with requests and websocket-client: battery, range, place and picture.

miro_axbot.py HOST PORT ROBOT   the gateway's common port, and the robot's name there
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

HOST, PORT, ROBOT = sys.argv[1:]
ADDRESS = f"{HOST}:{PORT}/robots/{ROBOT}/axbot"
TOPICS = ["/battery_state", "/tracked_pose", "/scan_matched_points2", "/rgb_cameras/front/compressed"]


def rest(method, path, **body):
    answer = requests.request(method, f"http://{ADDRESS}{path}", json=body or None, timeout=PATIENCE_S)
    assert answer.ok, (method, path, answer.status_code, answer.text)
    return answer.json() if answer.content else None


class Topics:
    """One socket: what it said last on each topic."""

    def __init__(self):
        self.socket = websocket.create_connection(f"ws://{ADDRESS}/ws/v2/topics", timeout=1)
        self.seen = {}

    def send(self, **message):
        self.socket.send(json.dumps(message))

    def until(self, topic, fits=lambda message: True, meanwhile=lambda: None):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            meanwhile()
            try:
                frame = json.loads(self.socket.recv())
            except websocket.WebSocketTimeoutException:
                continue
            if "topic" in frame:
                self.seen[frame["topic"]] = frame
            if frame.get("topic") == topic and fits(frame):
                return frame
        raise AssertionError(f"{topic} did not come as expected; last: {self.seen.get(topic)}")

    def drives(self, linear, angular):
        return lambda: self.send(topic="/twist", linear_velocity=linear, angular_velocity=angular)


topics = Topics()
topics.send(enable_topic=TOPICS)

battery = topics.until("/battery_state", lambda it: it.get("voltage"))
print("battery:", battery["voltage"], "V, charge", battery.get("percentage"))
assert 3.5 < battery["voltage"] < 7, battery
assert battery.get("percentage") is None or 0 < battery["percentage"] <= 1, battery

# The vendor's own SDK listens to this one alone.
topics.send(enable_topic="/detailed_battery_state")
assert 3.5 < topics.until("/detailed_battery_state")["voltage"] < 7

start = topics.seen.get("/tracked_pose") or topics.until("/tracked_pose")
told = rest("GET", "/chassis/pose")
print("place:", start["pos"], "turned", start["ori"])
assert math.dist(told["position"][:2], start["pos"][:2]) < 0.5, (told, start)

met = topics.until("/scan_matched_points2", lambda it: it["points"])["points"]
here = topics.seen["/tracked_pose"]["pos"]
far_m = math.dist(met[0][:2], here[:2])
print("range: it meets", met, f"{far_m:.2f} m from where it stands")
assert len(met) == 1 and 0.1 < far_m < 1.4, met

picture = topics.until("/rgb_cameras/front/compressed")
image = Image.open(io.BytesIO(base64.b64decode(picture["data"]))).convert("RGB")
image.load()
spread = max(high - low for low, high in image.getextrema())
print("picture:", picture["format"], image.width, "x", image.height, "values spread over", spread)
assert spread > 10, "the picture is of one colour"

# It turns away from what it met: the place says so, and the sonar meets something else, or nothing.
turn = topics.drives(0.0, 0.8)
turned = topics.until("/tracked_pose", lambda it: abs(math.remainder(it["ori"] - start["ori"], math.tau)) > 0.6, turn)
print("place after a turn: turned", turned["ori"])
other = topics.until(
    "/scan_matched_points2",
    lambda it: not it["points"] or math.dist(it["points"][0][:2], met[0][:2]) > 0.1,
    turn,
)
print("range after a turn: it meets", other["points"])

here = topics.seen["/tracked_pose"]["pos"]
went = topics.until("/tracked_pose", lambda it: math.dist(it["pos"][:2], here[:2]) > 0.05, topics.drives(0.15, 0.0))
print("place after a drive:", went["pos"])
topics.send(topic="/twist", linear_velocity=0.0, angular_velocity=0.0)
print("miro_axbot: ok")
