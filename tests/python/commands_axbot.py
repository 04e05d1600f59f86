"""What a client of AutoXing's interface asks of robots of every family: requests, websocket-client.

commands_axbot.py HOST:PORT LATIMER
"""

import json

import requests
import websocket
from cells import PATIENCE_S
from cells_commands import SPEED_MPS, prove
from cells_proof import scene_of

scene = scene_of("axbot")
SOCKETS = {name: websocket.create_connection(f"ws://{scene.gateway}/robots/{name}/axbot/ws/v2/topics") for name in scene.robots}
CONTROL = "services/wheel_control"


def ask(method, name, path, body):
    answer = requests.request(method, f"http://{scene.gateway}/robots/{name}/axbot/{path}", json=body, timeout=PATIENCE_S)
    assert answer.ok, (name, path, answer.status_code, answer.text)


def navigate(name, x, y):
    move = {"creator": "cells", "type": "standard", "target_x": x, "target_y": y, "target_accuracy": 0.05}
    ask("POST", name, "chassis/moves", move)


SENDS = {
    "control_mode": lambda name, mode: ask("POST", name, f"{CONTROL}/set_control_mode", {"control_mode": mode}),
    "emergency_stop": lambda name, on: ask("POST", name, f"{CONTROL}/set_emergency_stop", {"enable": on}),
    "drive": lambda name: SOCKETS[name].send(json.dumps({"topic": "/twist", "linear_velocity": SPEED_MPS, "angular_velocity": 0.0})),
    "navigate": navigate,
    "cancel_navigation": lambda name: ask("PATCH", name, "chassis/moves/current", {"state": "cancelled"}),
    "localization": lambda name: ask("POST", name, "services/start_global_positioning", {}),
    "set_pose": lambda name, x, y: ask("POST", name, "chassis/pose", {"position": [x, y, 0.0], "ori": scene.truth(name)["yaw_rad"]}),
}
prove(scene, SENDS)
