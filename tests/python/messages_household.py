"""What mosquitto_sub receives of robots of every family as household robots.

messages_household.py HOST:PORT LATIMER BROKER-PORT
"""

import json
import sys
import time

import broker
from cells_proof import prove, scene_of
from dialogue import TASKS, task

scene = scene_of("robotkoop")
# What a robot asks and says comes or does not.
scene.is_asked_for = lambda cell: False
BROKER = sys.argv[3]


def hear(topic, payload):
    it = json.loads(payload)
    if it["source_id"] in scene.robots and topic in scene.cells[it["source_id"]]:
        scene.note(it["source_id"], topic, it)


def refuse_tasks(readings, name):
    """A robot that can do no such task says so at once."""
    if scene.commands[name]["task"] != "absent":
        return
    task_id, at_s = f"absent-{name}", time.time()
    broker.publish(BROKER, TASKS, task(name, task_id, "bring", {"object": "coke", "from": None, "to": "user"}))
    answered = lambda: [it for it in scene.since(name, "/robots/status", at_s) if (it["task_id"], it["type"]) == (task_id, "unkown")]
    assert scene.until(answered), f"{name} does not refuse a task"


def text(it):
    return it["parameter"]["text"] if it["type"] == "tts" else None


def ended(it):
    """Whether a task succeeded that is over."""
    return it["parameter"]["success"] if it["type"] == "success" else None


READERS = {
    "/robots/status": {"ended": ended, "stamp_s": lambda it: it["timestamp"]},
    "/robots/task": {"text": text, "person": lambda it: it["type"] == "person_detected" or None, "stamp_s": lambda it: it["timestamp"]},
}

with broker.heard(BROKER, "/robots/#", hear):
    scene.also = refuse_tasks
    prove(scene, READERS)
