"""What the official Misty SDK, unmodified, receives of robots of every family, beside the truth of the world.

messages_misty.py HOST:PORT LATIMER
"""

import datetime
import json
import math
import threading

import websocket
from cells_proof import exits, prove, scene_of
from mistyPy.Robot import Robot

scene = scene_of("misty")
# Milliseconds from one message of a type to the next, at least.
DEBOUNCE_MS = 50
# The radius of wheels that are counted, and what stands for it and for the gap where a profile has none.
COUNTED_WHEEL_M = {"misty": 0.036, "miro": 0.045}
DERIVED_WHEEL_M, DERIVED_GAP_M = 0.05, 0.3
BUMPERS = {"bfl": "front_left", "bfr": "front_right", "brl": "rear_left", "brr": "rear_right"}
TOUCHES = {"HeadLeft": "left", "HeadRight": "right", "HeadFront": "front", "HeadBack": "rear", "Chin": "", "Scruff": ""}


def follow(name):
    robot = Robot(f"{scene.gateway}/robots/{name}/misty")
    for cell in scene.cells[name]:

        def note(frame, cell=cell):
            if isinstance(frame["message"], dict):
                scene.note(name, cell, {**frame["message"], "robot": name})

        robot.RegisterEvent(cell, cell, debounce=DEBOUNCE_MS, keep_alive=True, callback_function=note)


def ask(name):
    """The SDK keeps the answer to a registration to itself."""
    socket = websocket.create_connection(f"ws://{scene.gateway}/robots/{name}/misty/pubsub")
    for cell in scene.cells[name]:
        socket.send(json.dumps({"Operation": "subscribe", "Type": cell, "EventName": cell, "DebounceMs": 60_000}))
    while True:
        frame = json.loads(socket.recv())
        if isinstance(frame["message"], str) and "nothing that tells" in frame["message"]:
            scene.refuse(name, frame["eventName"], frame["message"])


def seconds(text):
    # More digits than a microsecond has are no time to Python.
    whole, _, rest = text.rstrip("Z").partition(".")
    at = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc)
    return at.timestamp() + float(f"0.{rest or 0}")


def created(it):
    return seconds(it["created"])


def coordinates(it):
    return ((it.get("location") or {}).get("pose") or {}).get("homogeneousCoordinates") or {}


def wheels(read):
    """Of the tracks' speeds along the ground, left and right, and of how far they are apart."""

    def of_it(it):
        profile, family = scene.profiles[it["robot"]], scene.robots[it["robot"]]["family"]
        radius_m = profile["wheel_radius_m"] or COUNTED_WHEEL_M.get(family, DERIVED_WHEEL_M)
        gap_m = profile["wheel_gap_m"] or DERIVED_GAP_M
        return read(*(math.radians(it[f"{side}Velocity"]) * radius_m for side in ("left", "right")), gap_m)

    return of_it


def polar(location):
    """Where a thing is on the floor, ahead and to the left of the middle of the base."""
    return location["distance"] * math.cos(location["bearing"]), location["distance"] * math.sin(location["bearing"])


def in_hazard(it):
    return any(sensor["inHazard"] for sensors in it.values() if isinstance(sensors, list) for sensor in sensors)


def of(sensor, read):
    return lambda it: read(it) if it["sensorId"] == sensor else None


READERS = {
    "BatteryCharge": {"charge": lambda it: it.get("chargePercent"), "charging": lambda it: it.get("isCharging"), "stamp_s": created},
    "BumpSensor": {"bumped": lambda it: BUMPERS[it["sensorId"]] if it["isContacted"] else None, "stamp_s": created},
    "TouchSensor": {"touched": lambda it: TOUCHES[it["sensorPosition"]] if it["isContacted"] else None, "stamp_s": created},
    "DriveEncoders": {
        "linear_mps": wheels(lambda left_mps, right_mps, _: (left_mps + right_mps) / 2.0),
        "angular_radps": wheels(lambda left_mps, right_mps, gap_m: (right_mps - left_mps) / gap_m),
        "stamp_s": created,
    },
    "HaltCommand": {"halted": lambda it: it["motorMask"] != 0, "stamp_s": created},
    "HazardNotification": {"hazard": in_hazard},
    "SlamStatus": {"located": lambda it: "HasPose" in it["slamStatus"]["statusList"]},
    "FaceTraining": {"training": lambda it: not it["isProcessComplete"], "stamp_s": created},
    "SourceFocusConfigMessage": {"sectors": lambda it: len(it["sectorsEnabled"])},
    "WorldState": {"things": lambda it: [(thing["class"], *polar(thing["location"])) for thing in it["objects"]]},
    "IMU": {
        "yaw_rad": lambda it: math.radians(it["yaw"]),
        "angular_radps": lambda it: math.radians(it["yawVelocity"]) if "yawVelocity" in it else None,
        "stamp_s": created,
    },
    "TimeOfFlight": {"ahead_m": of("toffc", lambda it: it["distanceInMeters"]), "stamp_s": created},
    "ActuatorPosition": {"head_yaw_rad": of("ahy", lambda it: math.radians(it["value"])), "stamp_s": created},
    "LocomotionCommand": {
        "commanded_mps": lambda it: it["linearVelocity"], "commanded_radps": lambda it: math.radians(it["angularVelocity"]),
        "stamp_s": created,
    },
    "SelfState": {
        "x_m": lambda it: coordinates(it).get("x"),
        "y_m": lambda it: coordinates(it).get("y"),
        "pose_yaw_rad": lambda it: coordinates(it).get("yaw"),
        "charge": lambda it: it["battery"].get("chargePercent"),
    },
    "FaceRecognition": {
        "bearing_rad": lambda it: math.radians(it["bearing"]), "distance_m": lambda it: it["distance"] / 100.0,
        "stamp_s": created,
    },
    "KeyPhraseRecognized": {"confidence": lambda it: it["confidence"] / 100.0, "stamp_s": created},
    "SourceTrackDataMessage": {"sound_rad": lambda it: math.radians(it["degreeOfArrivalSpeech"])},
    "SerialMessage": {"text": lambda it: it["serialMessage"]["message"]},
    "SkillData": {"text": lambda it: it["message"], "stamp_s": lambda it: seconds(it["timestamp"])},
    "AudioPlayComplete": {"sound": lambda it: it["metaData"]["name"], "stamp_s": created},
}

for robot in scene.robots:
    follow(robot)
    threading.Thread(target=ask, args=[robot], daemon=True).start()
# The SDK's threads never end by themselves.
exits(lambda: prove(scene, READERS))
