"""What mosquitto_sub receives of robots of every family as household robots.

messages_household.py HOST:PORT LATIMER BROKER-PORT
"""

import json
import subprocess
import sys
import threading
import time

from cells_proof import prove, scene_of

scene = scene_of("robotkoop")
# What a robot asks and says comes or does not.
scene.is_asked_for = lambda cell: False
BROKER = sys.argv[3]


def listen(process):
    for line in process.stdout:
        frame = json.loads(line)
        it = json.loads(frame["payload"])
        if it["source_id"] in scene.robots and frame["topic"] in scene.cells[it["source_id"]]:
            scene.note(it["source_id"], frame["topic"], it)


def refuse_tasks(readings, name):
    """A robot that can do no such task says so at once."""
    if scene.commands[name]["task"] != "absent":
        return
    task_id, at_s = f"absent-{name}", time.time()
    task = {
        "target_id": name, "source_id": "dm", "timestamp": int(at_s), "task_id": task_id, "priority": 3, "type": "bring",
        "parameter": {"object": "coke", "from": None, "to": "user"},
    }
    subprocess.run(
        ["mosquitto_pub", "-h", "127.0.0.1", "-p", BROKER, "-q", "1", "-t", "/dialogue/task", "-m", json.dumps(task)], check=True,
    )
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

process = subprocess.Popen(
    ["stdbuf", "-oL", "mosquitto_sub", "-h", "127.0.0.1", "-p", BROKER, "-q", "2", "-F", "%j", "-t", "/robots/#"],
    stdout=subprocess.PIPE, text=True,
)
try:
    threading.Thread(target=listen, args=[process], daemon=True).start()
    scene.also = refuse_tasks
    prove(scene, READERS)
finally:
    process.kill()
