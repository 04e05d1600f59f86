"""What mosquitto_sub receives of robots of every family as household robots.

messages_household.py HOST:PORT LATIMER BROKER-PORT
"""

import json
import subprocess
import sys
import threading

from cells_proof import prove, scene_of

scene = scene_of("robotkoop")
# Only a task that is absent is answered, when it is given.
scene.answers = False
BROKER = sys.argv[3]


def listen(process):
    for line in process.stdout:
        frame = json.loads(line)
        it = json.loads(frame["payload"])
        if it["source_id"] in scene.robots and frame["topic"] in scene.cells[it["source_id"]]:
            scene.note(it["source_id"], frame["topic"], it)


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
    prove(scene, READERS)
finally:
    process.kill()
