"""What roslibpy receives of robots of every family, beside the truth of the world.

messages_rosbridge.py HOST:PORT LATIMER
"""

import base64
import math
import re
import statistics

import pictures
import roslibpy
from cells import PATIENCE_S
from cells_proof import exits, prove, scene_of

scene = scene_of("rosbridge")
PART = "{part}"
NAMES = {name.replace("-", "_"): name for name in scene.robots}
# The sensor that looks at the box, if it is not called as a Misty's is.
AHEAD = {"pera-1": "front"}
# What a `power_supply_status` says; the others, that it is not known.
CHARGING = {1: True, 2: False, 3: False, 4: True}


def follow(ros):
    listed = roslibpy.Service(ros, "/rosapi/topics", "rosapi/Topics").call(roslibpy.ServiceRequest(), timeout=PATIENCE_S)
    types, asked = dict(zip(listed["topics"], listed["types"])), {}

    def noted(line):
        topic = line["msg"].partition(":")[0]
        if topic in asked:
            scene.refuse(*asked[topic], line["msg"])

    roslibpy.Topic(ros, "/rosout", "rosgraph_msgs/Log").subscribe(noted)
    for called, name in NAMES.items():
        for cell in scene.cells[name]:
            path = cell.replace("{robot}", called)
            pattern = re.escape(path).replace(re.escape(PART), "[^/]+")
            # Of a cell that is absent the bridge lists no topic.
            found = [it for it in types if re.fullmatch(pattern, it)] or [path.replace(PART, "none")]
            for topic in found:
                asked[topic] = (name, cell)
                note = lambda it, name=name, cell=cell, topic=topic: scene.note(name, cell, {**it, "topic": topic})
                roslibpy.Topic(ros, topic, types.get(topic, "")).subscribe(note)


def of(it):
    """The robot and the part that a message is of."""
    _, called, *rest = it["topic"].split("/")
    return NAMES[called], rest[-1]


def stamp(it):
    at = it["header"]["stamp"]
    return at["secs"] + at["nsecs"] / 1e9


def yaw(q):
    return math.atan2(2.0 * (q["w"] * q["z"] + q["x"] * q["y"]), 1.0 - 2.0 * (q["y"] ** 2 + q["z"] ** 2))


def place(pose, axis):
    """On the map: who knows its place by its wheels alone counts from where it started, facing along x."""

    def read(it):
        start_m = scene.starts[of(it)[0]][f"{axis}_m"] if it["header"]["frame_id"].endswith("/odom") else 0.0
        return start_m + pose(it)["position"][axis]

    return read


def placed(pose):
    return {
        "x_m": place(pose, "x"), "y_m": place(pose, "y"), "pose_yaw_rad": lambda it: yaw(pose(it)["orientation"]),
        "stamp_s": stamp,
    }


def ahead(it):
    name, part = of(it)
    return it["range"] if part == AHEAD.get(name, "front_center") else None


def joint(it):
    name, _ = of(it)
    (part,) = it["name"]
    assert part in [own["part"] for own in scene.profiles[name]["joints"]], f"{name} has no joint {part}"
    return part, it["position"][0]


def pressed(it):
    return of(it)[1] if it["data"] else None


def box_x_m(it):
    """How far east the things begin that are straight ahead of where the robot began."""
    name, _ = of(it)
    frames = {frame["name"]: frame for frame in scene.ask(f"/api/v1/frames?robot={name}")["frames"]}
    # Single ranges are told as if they were one scanner's, in the middle of the base.
    scanner = frames.get(f"{name}/{it['header']['frame_id'].rsplit('/')[-1]}", {"x_m": 0.0})
    bearing = lambda number: it["angle_min"] + number * it["angle_increment"]
    ahead = [ray for number, ray in enumerate(it["ranges"]) if abs(bearing(number)) < 0.03 and ray is not None]
    return scene.starts[name]["x_m"] + scanner["x_m"] + statistics.median(ahead) if ahead else None


def box_column(it):
    """Of the camera that looks ahead, or of a left eye."""
    part = it["topic"].split("/")[2]
    role = next(camera["role"] for camera in scene.profiles[of(it)[0]]["cameras"] if camera["part"] == part)
    return pictures.of_jpeg(base64.b64decode(it["data"])) if role in ("front", "left") else None


def map_center(axis):
    def read(it):
        info = it["info"]
        cells = info["width"] if axis == "x" else info["height"]
        return info["origin"]["position"][axis] + cells * info["resolution"] / 2.0

    return read


def map_shows(it):
    info = it["info"]

    def at(place):
        column, row = (int((value - info["origin"]["position"][axis]) / info["resolution"]) for axis, value in zip("xy", place))
        return it["data"][row * info["width"] + column] > 50

    return at


READERS = {
    "/{robot}/battery": {
        "charge": lambda it: it["percentage"], "charging": lambda it: CHARGING.get(it["power_supply_status"]), "stamp_s": stamp,
    },
    "/{robot}/pose": placed(lambda it: it["pose"]),
    "/{robot}/odom": {
        **placed(lambda it: it["pose"]["pose"]),
        "linear_mps": lambda it: it["twist"]["twist"]["linear"]["x"],
        "angular_radps": lambda it: it["twist"]["twist"]["angular"]["z"],
    },
    "/{robot}/imu": {
        "yaw_rad": lambda it: yaw(it["orientation"]),
        "angular_radps": lambda it: it["angular_velocity"]["z"] if it["angular_velocity_covariance"][0] >= 0.0 else None,
        "stamp_s": stamp,
    },
    "/{robot}/scan": {"box_x_m": box_x_m, "stamp_s": stamp},
    "/{robot}/range/{part}": {"ahead_m": ahead, "stamp_s": stamp},
    "/{robot}/joint_states": {
        "joint": joint, "stamp_s": stamp,
        "head_yaw_rad": lambda it: it["position"][0] if it["name"][0] in ("head_yaw", "yaw") else None,
    },
    "/{robot}/{part}/compressed": {"box_column": box_column, "stamp_s": stamp},
    "/{robot}/map": {"map_center_x_m": map_center("x"), "map_center_y_m": map_center("y"), "map_shows": map_shows, "stamp_s": stamp},
    "/{robot}/bumper/{part}": {"bumped": pressed},
    "/{robot}/touch/{part}": {"touched": pressed, "felt": pressed},
    "/{robot}/lamp/{part}": {"rgb": lambda it: [255.0 * it[channel] for channel in "rgb"]},
    "/{robot}/log": {"text": lambda it: it["data"]},
}


def proves():
    bridge = roslibpy.Ros(host=f"ws://{scene.gateway}/rosbridge")
    bridge.run(timeout=PATIENCE_S)
    follow(bridge)
    prove(scene, READERS)


# The client's reactor would go on.
exits(proves)
