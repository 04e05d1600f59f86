"""What a dialogue system asks of robots of every family: mosquitto_pub.

commands_household.py HOST:PORT LATIMER BROKER-PORT
"""

import json
import subprocess
import sys
import time

from cells_commands import prove
from cells_proof import scene_of

scene = scene_of("robotkoop")
BROKER = sys.argv[3]


def navigate(name, x, y):
    task = {
        "target_id": name, "source_id": "dm", "timestamp": int(time.time()), "task_id": f"goto-{name}", "priority": 3, "type": "goto",
        "parameter": {"to": f"{x}, {y}"},
    }
    subprocess.run(
        ["mosquitto_pub", "-h", "127.0.0.1", "-p", BROKER, "-q", "1", "-t", "/dialogue/task", "-m", json.dumps(task)], check=True,
    )


# A household robot goes to places that it knows.
del scene.commands["robotkoop-1"]["navigate"]
prove(scene, {"navigate": navigate})
