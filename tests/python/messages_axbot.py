"""What a client of AutoXing's topics receives of robots of every family, beside the truth of the world: requests, websocket-client.

messages_axbot.py HOST:PORT LATIMER
"""

import base64
import json
import math
import statistics
import struct
import threading

import pictures
import requests
import websocket
from cells import PATIENCE_S
from cells_around import PLACED, size_m
from cells_proof import prove, scene_of

scene = scene_of("axbot")
# Costs of obstacles in pictures of them, and of what is occupied in maps.
OBSTACLE_FROM, OCCUPIED_TO = 200, 100
# The sort of the first unit of a video that a decoder can begin with, after the mark of four bytes.
SEQUENCE_PARAMETERS = 7


def follow(name):
    socket = websocket.create_connection(f"ws://{scene.gateway}/robots/{name}/axbot/ws/v2/topics")
    socket.send(json.dumps({"enable_topic": sorted(scene.cells[name])}))
    while True:
        frame = json.loads(socket.recv())
        if "topic" in frame:
            scene.note(name, frame["topic"], {**frame, "robot": name})
        for topic, why in frame.get("needs", {}).items():
            scene.refuse(name, topic, why)


def pressed(it):
    return next((place for place in ("front", "rear") if it.get(f"{place}_bumper_pressed")), None)


def goal(it):
    targets = it.get("target_poses")
    return targets[-1]["pos"] if targets else None


def spot(what, read):
    """Where something is on the map; `read` gives its `pos`, or none."""
    return {f"{what}_{axis}_m": lambda it, number=number: (read(it) or (None, None))[number] for number, axis in enumerate("xy")}


def first(key, read):
    return lambda it: read(it[key][0]) if it[key] else None


def middle(polygon_m):
    return [statistics.fmean(axis) for axis in zip(*polygon_m)]


def box_x_m(it, points):
    """How far east the things begin that are straight ahead of where the robot began."""
    start = scene.starts[it["robot"]]
    ahead = [x for x, y, _ in points if abs(y - start["y_m"]) < 0.05 and 0.0 < x - start["x_m"] < 2.0]
    return statistics.median(ahead) if ahead else None


def floats(it):
    data = base64.b64decode(it["data"])
    return struct.iter_unpack("<3f", data[:len(data) // 12 * 12])


def center(what, axis):
    """The middle of a map, or of what is drawn near the robot."""
    return {f"{what}_center_{'xy'[axis]}_m": lambda it: it["origin"][axis] + it["size"][axis] * it["resolution"] / 2.0}


def png_of(robot, it):
    if "data" in it:
        return base64.b64decode(it["data"])
    return file_at(robot, it["data_url"])


def file_at(robot, url, known={}):
    if (robot, url) not in known:
        answer = requests.get(f"http://{scene.gateway}/robots/{robot}/axbot/{url}", timeout=PATIENCE_S)
        assert answer.ok, answer
        known[robot, url] = answer.content
    return known[robot, url]


def video_column(it):
    video = base64.b64decode(it["data"])
    return pictures.of_h264(video) if video[4] & 31 == SEQUENCE_PARAMETERS else None


def shows(is_obstacle):
    """Whether something stands at a place, as a function of it."""

    def read(it):
        def at(place):
            (width, height), numbers = pictures.pixels(png_of(it["robot"], it))
            column, row = (int((place[axis] - it["origin"][axis]) / it["resolution"]) for axis in (0, 1))
            return is_obstacle(numbers[(height - 1 - row) * width + column])

        return at

    return read


STAMP = {"stamp_s": lambda it: it["stamp"]}
CENTER = {**center("map", 0), **center("map", 1)}
MAP = {**CENTER, "map_shows": shows(lambda number: number < OCCUPIED_TO)}
NEAR = {**center("near", 0), **center("near", 1), "near_shows": shows(lambda number: number >= OBSTACLE_FROM)}
BATTERY = {"charge": lambda it: it.get("percentage"), "stamp_s": lambda it: it["secs"]}
JPEG = {**STAMP, "box_column": lambda it: pictures.of_jpeg(base64.b64decode(it["data"]))}
VIDEO = {**STAMP, "box_column": video_column}
CONTROL = {"mode": lambda it: it["control_mode"], "estop": lambda it: it["emergency_stop_pressed"]}
# Outlines have the y axis ahead.
OUTLINE = {
    "length_m": lambda it: size_m(it["footprint"])[1], "width_m": lambda it: size_m(it["footprint"])[0],
}
READERS = {
    "/tracked_pose": {
        "x_m": lambda it: it["pos"][0], "y_m": lambda it: it["pos"][1], "pose_yaw_rad": lambda it: it["ori"],
    },
    "/battery_state": BATTERY,
    "/detailed_battery_state": BATTERY,
    "/bumper_state": {"bumped": pressed},
    "/planning_state": {"goal": goal},
    "/path": {"path": lambda it: it["positions"] or None, "stamp_s": lambda it: it["stamp"] / 1000.0},
    "/local_path": {"way": lambda it: [pose[:2] for pose in it["poses"]] or None},
    "/trajectory": {"trail": lambda it: it["points"] or None},
    "/scan_matched_points2": {
        "box_x_m": lambda it: box_x_m(it, it["points"]), "stamp_s": lambda it: it["stamp"] / 1000.0,
    },
    "/horizontal_laser_2d/matched": {**STAMP, "box_x_m": lambda it: box_x_m(it, floats(it))},
    "/rgb_cameras/front/compressed": JPEG,
    "/rgb_cameras/front/video": VIDEO,
    "/rgb_cameras/front_augmented/video": VIDEO,
    # What is green behind it is the charger.
    "/rgb_cameras/back/compressed": JPEG,
    "/rgb_cameras/back/video": VIDEO,
    "/motion_metrics": {"linear_mps": lambda it: it["linear_velocity"], "angular_radps": lambda it: it["angular_velocity"]},
    "/collected_barcode": spot("barcode", lambda it: (it.get("barcode") or {}).get("pose", {}).get("pos")),
    "/landmarks": spot("landmark", first("landmarks", lambda it: it["pos"])),
    "/detected_pallets": spot("pallet", first("pallets", lambda it: it["pose"]["pos"])),
    "/detected_rack": spot("rack", lambda it: it["rack_box"]["pose"]["pos"] if it["rack_detected"] else None),
    "/vision_detected_objects": spot("person", first("boxes", lambda it: it["pose"]["pos"])),
    "/nearby_auto_doors": {
        **spot("door", first("doors", lambda it: middle(it["polygon"]))), "door": first("doors", lambda it: it["state"]),
    },
    "/detected_features/gates": {"door": first("gates", lambda it: it["state"])},
    "/nearby_robots": {"neighbours": lambda it: {robot["uid"]: robot["pose"]["pos"] for robot in it["robots"]}},
    "/nearby_robot_footprints": {"outlines": lambda it: [size_m(robot["coordinates"])[::-1] for robot in it["footprints"]]},
    "/external_rgb_camera_control": {"external_cameras": lambda it: len(it["enabled_devices"])},
    "/robot/footprint": OUTLINE,
    "/robot_model": OUTLINE,
    "/map": MAP,
    "/map_v2": {**MAP, **STAMP},
    "/map/info": {"map_name": lambda it: it["name"]},
    "/env_match_map": {**CENTER, **STAMP},
    "/env_symmetry_map": {**CENTER, **STAMP},
    "/incremental_map": {**CENTER, **STAMP},
    "/incremental_map_v2": {**CENTER, **STAMP},
    "/map/costmap": NEAR,
    "/map/costmap_v2": {**NEAR, **STAMP},
    "/maps/5cm/1hz": NEAR,
    "/maps/1cm/1hz": NEAR,
    "/chassis_state": CONTROL,
    "/wheel_state": CONTROL,
    "/device_info_brief": {"called": lambda it: it["device"]["name"]},
    "/slam/state": {"located": lambda it: it["state"] == "positioning" and it.get("reliable")},
    "/odom_state": {"reliable": lambda it: it["lidar_odom_reliable"]},
    "/fused_sensor_state": {"moves": lambda it: not it["is_still"]},
    "/robot_signal": {"turns_left": lambda it: it["turn_left"]},
    "/platform_monitor/travelled_distance": {"travelled_m": lambda it: it["accumulated_distance"]},
    "/sensor_manager_state": {"power": lambda it: it["power_state"]},
    "/alerts": {"alert": lambda it: [alert["code"] for alert in it["alerts"]]},
    "/jack_state": {"jack_ratio": lambda it: it["progress"]},
    "/roller_state": {"roller": lambda it: it["state"]},
    "/io_pins_state": {
        "output": lambda it: it["outputs"][0][0] if it["outputs"] else None, "inputs_on": lambda it: sum(map(sum, it["inputs"])),
    },
    "/raw_io_board_state": {
        "output": lambda it: it["outputs_active"][0] if it["outputs_active"] else None,
        "inputs_on": lambda it: sum(it["inputs_active"]),
    },
    "/action": {"calibrates": lambda it: it["action"] == "recalibrate_imu", "stamp_s": lambda it: it["timestamp"]},
    "/imu_state": {"calibrates": lambda it: it["calibrate_state"] == 1},
    "/global_positioning_state": {
        "found": lambda it: it["pose"]["pos"] if it["state"] == "succeeded" else None,
    },
}
assert {f"{it}_x_m" for it in PLACED} <= {quantity for read in READERS.values() for quantity in read}

for robot in scene.robots:
    threading.Thread(target=follow, args=[robot], daemon=True).start()
prove(scene, READERS)
