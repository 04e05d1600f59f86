"""Robots of every family sent to goals through AutoXing's interface, with requests: by their own navigation or the gateway's.

cells_moves.py HOST:PORT [ROBOT X Y]…   the gateway's common port; each robot's name, and its goal on the map in metres
"""

import sys
import time

import requests
from patience import PATIENCE_S

MOVE_S = 300
GATEWAY, REST = sys.argv[1], sys.argv[2:]
GOALS = [(REST[i], float(REST[i + 1]), float(REST[i + 2])) for i in range(0, len(REST), 3)]
ENDS = ("succeeded", "failed", "cancelled")


def post(robot, path, message):
    url = f"http://{GATEWAY}/robots/{robot}/axbot/{path}"
    answer = requests.post(url, json=message, timeout=PATIENCE_S)
    assert answer.ok, (robot, answer.status_code, answer.text)
    return answer.json()


def move(robot, number):
    url = f"http://{GATEWAY}/robots/{robot}/axbot/chassis/moves/{number}"
    return requests.get(url, timeout=PATIENCE_S).json()


moves = {}
for robot, x, y in GOALS:
    post(robot, "services/wheel_control/set_control_mode", {"control_mode": "auto"})
    goal = {"creator": "cells", "type": "standard", "target_x": x, "target_y": y, "target_ori": 0.0, "target_accuracy": 0.05}
    moves[robot] = post(robot, "chassis/moves", goal)["id"]

end = time.monotonic() + MOVE_S
while moves:
    assert time.monotonic() < end, {robot: move(robot, number) for robot, number in moves.items()}
    time.sleep(0.3)
    for robot, number in list(moves.items()):
        now = move(robot, number)
        if now["state"] in ENDS:
            assert now["state"] == "succeeded", (robot, now)
            print(f"cells_moves {robot}: ok", flush=True)
            del moves[robot]
