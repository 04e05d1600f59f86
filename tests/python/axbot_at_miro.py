"""A program for an AutoXing chassis, at a robot that is none: axbot_at_miro.py ADDRESS"""

import base64
import io
import json
import math
import sys
import time

import requests
import websocket
from PIL import Image

PATIENCE_S = 20
CHASSIS = sys.argv[1]
TOPICS = ["/battery_state", "/tracked_pose", "/scan_matched_points2", "/rgb_cameras/front/compressed"]

socket = websocket.create_connection(f"ws://{CHASSIS}/ws/v2/topics", timeout=PATIENCE_S)
socket.send(json.dumps({"enable_topic": TOPICS}))


def until(topic, fits=lambda it: True):
    """The next message of a topic that fits."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        message = json.loads(socket.recv())
        if message.get("topic") == topic and fits(message):
            return message
    raise AssertionError(f"no {topic} that fits")


battery = until("/battery_state", lambda it: it.get("voltage"))
assert 4.0 < battery["voltage"] < 6.0, battery

pose = until("/tracked_pose") if not requests.get(f"http://{CHASSIS}/chassis/pose", timeout=PATIENCE_S).ok else None
place = requests.get(f"http://{CHASSIS}/chassis/pose", timeout=PATIENCE_S).json()
x, y, _ = place["position"]
if pose:
    assert math.dist(pose["pos"], (x, y)) < 0.5, (pose, place)

# Something stands before its nose: a point there.
met = until("/scan_matched_points2", lambda it: it["points"])
assert len(met["points"]) == 1 and 0.03 <= math.dist(met["points"][0][:2], (x, y)) <= 1.0, (met, place)

picture = until("/rgb_cameras/front/compressed")
image = Image.open(io.BytesIO(base64.b64decode(picture["data"])))
assert image.format == "JPEG" and image.size == (320, 240), (image.format, image.size)
print("axbot_at_miro: ok")
