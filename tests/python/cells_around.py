"""What messages say of the things about a robot, beside the world: the box before it, maps, pictures, people and other robots.

Every quantity is one of the readers' of `cells.Readings`; a dialect without a message of it has nothing to compare.
"""

import math
import time

# A neighbour's place is as good as its own knowledge of it, and 2 cm.
NEIGHBOUR_M = 0.04
# How far from the world's truth a reading may be: 2 cm or 2 %.
WITHIN_M, WITHIN_RATIO = 0.02, 0.02
# An attitude; 2 % of a quarter turn.
WITHIN_RAD = 0.02 * math.pi / 2
# A pixel is green that has so many times as much green as red and as blue.
GREEN = 1.4
# Of a picture's width.
WITHIN_PICTURE = 0.02
# What sits where the message says, by its name in quantities: the layer of the world's shapes.
PLACED = ("barcode", "landmark", "pallet", "rack")
# What the room's file says of its light, and how good a sensor of it is.
AMBIENT, WITHIN_LIGHT = 0.6, 0.05
# As an edge sensor says it that sees the floor.
SURELY_FLOOR = 15
# The room's walls: within one, and in the open in view of the chassis.
WALL_M, OPEN_M = (-0.02, 4.0), (1.5, 5.5)


def box_face(scene, name):
    """Where the front of the box before a robot is along x."""
    return min(x for x, _ in scene.shape(f"before-{scene.robots[name]['family']}")["polygon_m"])


def ahead_edge_m(scene, name):
    """How far a robot's outline reaches ahead of its middle."""
    return max(x for x, _ in scene.profiles[name]["footprint_m"])


def around(scene, readings, name):
    """A robot stands where it began, before its box."""
    world = scene.ask("/api/v1/world")
    shapes, people = world["shapes"], world["now"]["people"]
    at, at_s = scene.starts[name], time.time()
    readings.settle(name, "box_x_m", box_face(scene, name), WITHIN_M)
    readings.happened(name, "called", 0.0, lambda it: it == name, name)
    readings.settle(name, "inputs_on", 0, 0)
    readings.happened(name, "power", 0.0, lambda it: it == "awake", "awake")
    readings.settle(name, "light", AMBIENT, WITHIN_LIGHT)
    readings.settle(name, "least_floor", SURELY_FLOOR, 0)
    readings.settle(name, "clock_off_s", 0.0, 1.5)
    pictures(scene, readings, name, at_s)
    for layer in PLACED:
        there = next(it for it in shapes if it["layer"] == layer)
        readings.settle(name, f"{layer}_x_m", there["x_m"], WITHIN_M)
        readings.settle(name, f"{layer}_y_m", there["y_m"], WITHIN_M)
    near = min(people, key=lambda it: math.dist((it["x_m"], it["y_m"]), (at["x_m"], at["y_m"])))
    readings.settle(name, "person_x_m", near["x_m"], WITHIN_M)
    readings.settle(name, "person_y_m", near["y_m"], WITHIN_M)
    door = next(it for it in shapes if it["layer"] == "door")
    readings.settle(name, "door_x_m", door["x_m"], WITHIN_M)
    readings.settle(name, "door_y_m", door["y_m"], WITHIN_M)
    readings.settle(name, "external_cameras", 0, 0)
    things(scene, readings, name, near, at_s)
    outlines(scene, readings, name)
    others = {it: (truth["x_m"], truth["y_m"]) for it, truth in scene.starts.items() if it != name}
    readings.happened(name, "neighbours", at_s, lambda it: everybody(others, it), others)
    maps(scene, readings, name)


def things(scene, readings, name, person, at_s):
    """What it detects, where it is from there: the box, or the person behind it."""
    at = scene.starts[name]
    expected = {
        "misty": ("obstacle", box_face(scene, name) - at["x_m"], 0.0), "axbot": ("person", person["x_m"] - at["x_m"], 0.0),
        "robotkoop": ("person", person["x_m"] - at["x_m"], 0.0),
    }.get(scene.robots[name]["family"])
    if expected:
        fits = lambda it: any(thing[0] == expected[0] and math.dist(thing[1:], expected[1:]) < NEIGHBOUR_M for thing in it)
        readings.happened(name, "things", at_s, fits, expected)


def everybody(others, told):
    return told.keys() == others.keys() and all(math.dist(told[it], others[it]) < NEIGHBOUR_M for it in others)


def pictures(scene, readings, name, at_s):
    """The box is ahead: in the middle of what a camera sees that looks ahead, and between the eyes of those that have two."""
    roles = {camera["role"] for camera in scene.profiles[name]["cameras"]}
    middle = lambda it: abs(it - 0.5) < WITHIN_PICTURE
    readings.happened(name, "box_column", at_s, middle if "front" in roles else lambda it: 0.5 < it < 1.0, "the box")
    readings.happened(name, "right_box_column", at_s, middle if "front" in roles else lambda it: 0.0 < it < 0.5, "the box")


def size_m(polygon_m):
    """Length and width of an outline."""
    return [max(it[axis] for it in polygon_m) - min(it[axis] for it in polygon_m) for axis in (0, 1)]


def outlines(scene, readings, name):
    length_m, width_m = size_m(scene.profiles[name]["footprint_m"])
    readings.settle(name, "length_m", length_m, 0.001)
    readings.settle(name, "width_m", width_m, 0.001)
    others = sorted(size_m(it["footprint_m"]) for other, it in scene.profiles.items() if other != name)
    fits = lambda told: all(math.dist(a, b) < 0.01 for a, b in zip(sorted(told), others, strict=True))
    readings.happened(name, "outlines", 0.0, fits, others)


def maps(scene, readings, name):
    world = scene.ask("/api/v1/world")
    west, south, east, north = world["bounds_m"]
    readings.happened(name, "map_name", 0.0, lambda it: it == world["name"], world["name"])
    readings.settle(name, "map_center_x_m", (west + east) / 2.0, 0.05)
    readings.settle(name, "map_center_y_m", (south + north) / 2.0, 0.05)
    # What is only drawn near the robot goes with it.
    readings.settle(name, "near_center_x_m", scene.starts[name]["x_m"], 0.05)
    readings.settle(name, "near_center_y_m", scene.starts[name]["y_m"], 0.05)
    readings.happened(name, "map_shows", 0.0, lambda at: at(WALL_M) and not at(OPEN_M), "walls and what is free")
    face_m, start = box_face(scene, name), scene.starts[name]
    shown = lambda at: at((face_m + 0.03, start["y_m"])) and not at((start["x_m"], start["y_m"]))
    readings.happened(name, "near_shows", 0.0, shown, "the box")
