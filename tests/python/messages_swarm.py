"""What mosquitto_sub receives of robots of every family in the swarm, beside the truth of the world.

messages_swarm.py HOST:PORT LATIMER BROKER-PORT
"""

import json
import math
import re
import subprocess
import sys
import threading

from cells_proof import prove, scene_of

scene = scene_of("pera")
# Only a sensor that is absent is answered, when it is asked.
scene.answers = False
# What robots say to each other and note depends on their programs, and they introduce themselves once, when they begin; tests of the
# swarm hear that.
for cells in scene.cells.values():
    for cell in [it for it in cells if it.startswith(("comm/", "robot/log", "robot/create"))]:
        del cells[cell]
BROKER, CHANNEL = sys.argv[3], "v1/"
# The robots' numbers, by the lines to try that the gateway lists.
NUMBERS = {
    name: next(re.search(r"robot/msg/(\d+)", it["try_line"])[1] for it in robot["endpoints"] if it["dialect"] == "pera")
    for name, robot in scene.robots.items()
}
NAMES = {number: name for name, number in NUMBERS.items()}
CELLS = {cell for cells in scene.cells.values() for cell in cells}


def publish(topic, message):
    subprocess.run(["mosquitto_pub", "-h", "127.0.0.1", "-p", BROKER, "-q", "1", "-t", CHANNEL + topic, "-m", message], check=True)


def listed(payload):
    """The items of a message: one robot's, or a list of several."""
    try:
        value = json.loads(payload)
    except json.JSONDecodeError:
        return [payload]
    return value if isinstance(value, list) else [value]


def listen(process):
    for line in process.stdout:
        frame = json.loads(line)
        topic, payload = frame["topic"].removeprefix(CHANNEL), str(frame["payload"])
        if topic in CELLS:
            for it in listed(payload):
                # A request has the name of the reading that it asks for.
                if isinstance(it, dict) and topic.startswith("sensor/") and "reality" in it:
                    continue
                number = str(it.get("id")) if isinstance(it, dict) else None
                if number in NAMES:
                    scene.note(NAMES[number], topic, it)
        else:
            head, _, number = topic.rpartition("/")
            if number in NAMES and f"{head}/{{id}}" in CELLS:
                scene.note(NAMES[number], f"{head}/{{id}}", payload)


def asks(name):
    """What is only published when somebody asks: the simulator answers for each."""
    number = NUMBERS[name]
    publish("localization/data/?", "?")
    publish("localization", number)
    for topic, more in (("distance", {}), ("color", {}), ("proximity", {"angles": [0]})):
        if f"sensor/{topic}/{{id}}" in scene.there(name):
            publish(f"sensor/{topic}", json.dumps({"id": int(number), "reality": "M", **more}))
    publish(f"sensor/compass/{number}/?", "?")
    publish("mgt/robots/snapshot", json.dumps({"id": int(number)}))


def words(payload):
    return payload.split()


def number(index, scale=1.0):
    """One of the numbers that stand side by side in a message."""
    return lambda it: float(words(it)[index]) * scale


def meters(field):
    return lambda it: it[field] / 100.0 if isinstance(it, dict) and it.get(field) is not None else None


def heading(it):
    return math.radians(it["heading"])


PLACE = {"x_m": meters("x"), "y_m": meters("y"), "pose_yaw_rad": heading}
READERS = {
    "localization/update": PLACE,
    "localization/data": PLACE,
    "localization/{id}": {
        "x_m": number(0, 0.01), "y_m": number(1, 0.01), "pose_yaw_rad": lambda it: math.radians(float(words(it)[2])),
    },
    "mgt/robots/?": {
        **{quantity: lambda it, read=read: read(it["coordinates"]) for quantity, read in PLACE.items()},
        "asked_ahead_m": lambda it: it["data"]["distance"] / 100.0,
    },
    # Robots ask for what they cannot see, too.
    "sensor/distance/{id}": {"asked_ahead_m": number(0, 0.01)},
    # The distance and the colour in each direction that was asked for.
    "sensor/proximity/{id}": {"asked_ahead_m": number(0, 0.01)},
    "sensor/color": {
        "seen_rgb": lambda it: [it["R"], it["G"], it["B"]], "light": lambda it: it["ambient"] / 255.0,
    },
    "sensor/color/{id}": {
        "seen_rgb": lambda it: [int(word) for word in words(it)[:3]], "light": number(3, 1.0 / 255.0),
    },
    "sensor/distance": {"ahead_m": meters("dist")},
    "sensor/compass/": {"yaw_rad": lambda it: math.radians(90.0 - it["compass"])},
    "output/neopixel": {"rgb": lambda it: [it["R"], it["G"], it["B"]] if "R" in it else None},
}

process = subprocess.Popen(
    ["stdbuf", "-oL", "mosquitto_sub", "-h", "127.0.0.1", "-p", BROKER, "-q", "2", "-F", "%j", "-t", f"{CHANNEL}#"],
    stdout=subprocess.PIPE, text=True,
)
try:
    threading.Thread(target=listen, args=[process], daemon=True).start()
    scene.asks = asks
    prove(scene, READERS)
finally:
    process.kill()
