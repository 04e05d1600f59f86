"""What a client of AutoXing's topics receives of robots of every family, beside the truth of the world: requests, websocket-client.

messages_axbot.py HOST:PORT LATIMER
"""

import json
import math
import threading

import websocket
from cells_proof import prove, scene_of

scene = scene_of("axbot")
# A topic that is absent is named in the answer to the request.
scene.answers = True


def follow(name):
    socket = websocket.create_connection(f"ws://{scene.gateway}/robots/{name}/axbot/ws/v2/topics")
    socket.send(json.dumps({"enable_topic": sorted(scene.cells[name])}))
    while True:
        frame = json.loads(socket.recv())
        if "topic" in frame:
            scene.note(name, frame["topic"], frame)
        for topic, why in frame.get("needs", {}).items():
            scene.refuse(name, topic, why)


def pressed(it):
    return next((place for place in ("front", "rear") if it.get(f"{place}_bumper_pressed")), None)


def goal(it):
    targets = it.get("target_poses")
    return targets[-1]["pos"] if targets else None


BATTERY = {"charge": lambda it: it.get("percentage"), "stamp_s": lambda it: it["secs"]}
CAMERA = {"stamp_s": lambda it: it["stamp"]}
READERS = {
    "/tracked_pose": {
        "x_m": lambda it: it["pos"][0], "y_m": lambda it: it["pos"][1], "pose_yaw_rad": lambda it: it["ori"],
    },
    "/battery_state": BATTERY,
    "/detailed_battery_state": BATTERY,
    "/bumper_state": {"bumped": pressed},
    "/planning_state": {"goal": goal},
    "/path": {"path": lambda it: it["positions"] or None, "stamp_s": lambda it: it["stamp"] / 1000.0},
    "/scan_matched_points2": {"stamp_s": lambda it: it["stamp"] / 1000.0},
    "/horizontal_laser_2d/matched": CAMERA,
    "/rgb_cameras/front/compressed": CAMERA,
    "/rgb_cameras/front/video": CAMERA,
    "/motion_metrics": {"linear_mps": lambda it: it["linear_velocity"], "angular_radps": lambda it: it["angular_velocity"]},
}

for robot in scene.robots:
    threading.Thread(target=follow, args=[robot], daemon=True).start()
prove(scene, READERS)
