"""What mosquitto_sub receives of robots of every family in the swarm, beside the truth of the world.

messages_swarm.py HOST:PORT LATIMER BROKER-PORT
"""

import json
import math
import sys
import time

import broker
from cells_proof import NOISE_M, WITHIN_M, WITHIN_RAD, prove, scene_of

scene = scene_of("pera")
# What a sensor reads and how a lamp shines is asked for; what robots say comes or does not.
ASKED = {"sensor/color": "sensor/color/{id}/?", "sensor/color/{id}": "sensor/color/{id}/?", "output/neopixel": "output/neopixel/{id}"}
scene.is_asked_for = lambda cell: cell in ASKED
BROKER, CHANNEL = sys.argv[3], "v1/"
# What one robot says to another, and how far it is heard.
HEARD, HEARD_M = "ahead of me", 2.7
NUMBERS = scene.numbers()
NAMES = {number: name for name, number in NUMBERS.items()}
CELLS = {cell for cells in scene.cells.values() for cell in cells}


def publish(topic, message):
    broker.publish(BROKER, CHANNEL + topic, message)


def listed(payload):
    """The items of a message: one robot's, or a list of several."""
    try:
        value = json.loads(payload)
    except json.JSONDecodeError:
        return [payload]
    return value if isinstance(value, list) else [value]


def refusal(note):
    """Why a robot does not do or has what it was asked for; that is a note as well."""
    name, text = NAMES.get(note["id"]), note["msg"]
    for word, cells in {"sensor for color": ("sensor/color", "sensor/color/{id}"), "command lamp": ("output/neopixel",)}.items():
        if word in text:
            for cell in cells:
                scene.refuse(name, cell, text)
            return text
    return text if "cannot carry out" in text else None


def ask_for_absent():
    for name, number in NUMBERS.items():
        for topic in {ASKED[cell] for cell in scene.missing(name) if cell in ASKED}:
            publish(topic.format(id=number), "255 0 0")


def speak(readings, name):
    """A robot introduced itself where it began; it speaks to those ahead and notes something; another one speaks to it."""
    start = scene.starts[name]
    for quantity in ("x_m", "y_m"):
        near = lambda it, quantity=quantity: abs(it - start[quantity]) < WITHIN_M + NOISE_M
        readings.happened(name, f"first_{quantity}", 0.0, near, start[quantity])
    readings.happened(name, "first_yaw_rad", 0.0, lambda it: abs(it - start["yaw_rad"]) < WITHIN_RAD, start["yaw_rad"])
    at_s = time.time()
    if "comm/out/direct" in scene.there(name):
        for comm, quantity in (("direct", "said_ahead"), ("log", "noted")):
            assert scene.run(name, "poke", "skill", quantity, "--data", json.dumps({"comm": comm})), scene.refusals
            readings.happened(name, quantity, at_s, lambda it: it == quantity, quantity)
    if "comm/in/direct/{id}" in scene.there(name):
        # The one that stands behind it, looking at it; only this one is so near.
        behind = min((it for it in NUMBERS if it != name), key=lambda it: behind_m(it, name))
        for topic in ("simple", "direct"):
            publish(f"comm/out/{topic}", json.dumps({"id": int(NUMBERS[behind]), "msg": HEARD, "dist": 100.0 * HEARD_M}))
        readings.happened(name, "heard", at_s, lambda it: it == HEARD, HEARD)


def behind_m(one, other):
    """How far one is south of another; robots look north."""
    ahead_m = scene.truth(other)["y_m"] - scene.truth(one)["y_m"]
    return ahead_m if ahead_m > 0.0 else float("inf")


def hear(address, payload):
    topic = address.removeprefix(CHANNEL)
    if topic == "robot/log" and refusal(json.loads(payload)):
        return
    if topic in CELLS:
        for it in listed(payload):
            # A request has the name of the reading that it asks for, and some robots speak by this program.
            is_request = isinstance(it, dict) and topic.startswith("sensor/") and "reality" in it
            if is_request or isinstance(it, dict) and it.get("msg") == HEARD:
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
    "robot/create": {"first_x_m": meters("x"), "first_y_m": meters("y"), "first_yaw_rad": heading},
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
    "comm/out/simple": {"text": lambda it: it["msg"]},
    "comm/out/direct": {"said_ahead": lambda it: it["msg"]},
    "robot/log": {"noted": lambda it: it["msg"]},
    "comm/in/simple/{id}": {"heard": lambda it: it},
    "comm/in/direct/{id}": {"heard": lambda it: it},
    "output/neopixel": {"rgb": lambda it: [it["R"], it["G"], it["B"]] if "R" in it else None},
}

with broker.heard(BROKER, f"{CHANNEL}#", hear):
    scene.world("resume")
    scene.asks, scene.also = asks, speak
    ask_for_absent()
    prove(scene, READERS)
