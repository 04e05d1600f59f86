"""What a dialogue system asks of robots of every family: mosquitto_pub.

commands_household.py HOST:PORT LATIMER BROKER-PORT
"""

import sys

import broker
from cells_commands import prove
from cells_proof import scene_of
from dialogue import TASKS, task

scene = scene_of("robotkoop")
BROKER = sys.argv[3]


def navigate(name, x, y):
    broker.publish(BROKER, TASKS, task(name, f"goto-{name}", "goto", {"to": f"{x}, {y}"}))


# A household robot goes to places that it knows.
del scene.commands["robotkoop-1"]["navigate"]
prove(scene, {"navigate": navigate})
