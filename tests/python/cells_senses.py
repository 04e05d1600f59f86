"""What a robot feels, sees, hears, says, moves and shines where it stands, beside what was done to it."""

import math
import time

from cells_around import WITHIN_M, WITHIN_RAD, ahead_edge_m

# How long something presses. A message that samples a sensor may miss a short touch on a busy machine, so that it is pressed again for longer.
HOLDS_S = (0.3, 1.0, 3.0, 9.0)
TOLD_WITHIN_S = 5.0
FACE = {"bearing_rad": math.radians(10.0), "distance_m": 1.5}
SPOKEN = ("said by hardware", "said by a program", "said to a program")
LAMP = (10, 200, 30)
SOUND_RAD = math.radians(40.0)
# Louder than a room in which nobody speaks, as a sample of a microphone.
LOUD = 100
# Joints go there, but for one that has no motor.
JOINT_RAD, LIFT_RAD, FIXED = 0.1, 0.5, "tilt"
RED = [255, 0, 0]


def sides(word):
    """Where something sits, by its name: a subset of front, rear, left and right."""
    words = word.replace("back", "rear").split("_")
    return {it for it in words if it in ("front", "rear", "left", "right")}


def contradicts(a, b):
    opposite = {"front": "rear", "rear": "front", "left": "right", "right": "left"}
    return any(opposite[it] in b for it in a)


def is_felt(scene, readings, name):
    """Each bumper and each touch sensor, one after the other; in its own dialect each is told, in others one that has its place there."""
    is_own, begin_s, felt = scene.robots[name]["family"] == scene.dialect, time.time(), set()
    # What the one before did may be told late.
    before = set()
    pressed = [it["part"] for it in scene.profiles[name]["placed"] if it["part"].partition("_")[0] in ("bump", "touch")]
    for placed in scene.profiles[name]["placed"]:
        kind = placed["part"].partition("_")[0]
        if kind not in ("bump", "touch"):
            continue
        at_s, place = time.time(), sides(placed["role"])
        felt |= {f"{kind}ed", "felt"} | ({"hazard"} if is_own and kind == "bump" else set())
        has_place = lambda it: not contradicts(sides(it), place)
        for hold_s in HOLDS_S:
            assert scene.run(name, "poke", kind, placed["part"], "--for", f"{hold_s}s"), scene.refusals
            # A sensor beside it that is pressed as well would be no news to who is told of both as one.
            time.sleep(2.0 * hold_s)
            if not (is_own and readings.lacking(name, f"{kind}ed", at_s, has_place, TOLD_WITHIN_S)):
                break
        if is_own:
            readings.happened(name, f"{kind}ed", at_s, has_place, placed["part"])
        for cell, told in readings.of(name, f"{kind}ed", at_s).items():
            wrong = [it for it in told if contradicts(sides(it), place) and (not before or contradicts(sides(it), before))]
            assert not wrong, (name, cell, placed["part"], told)
        before = place
    fits = {quantity: bool if quantity == "hazard" else lambda it: True for quantity in felt}
    for hold_s in HOLDS_S[1:]:
        if not any(readings.lacking(name, quantity, begin_s, fits[quantity], TOLD_WITHIN_S) for quantity in felt):
            break
        for placed in pressed:
            assert scene.run(name, "poke", placed.partition("_")[0], placed, "--for", f"{hold_s}s"), scene.refusals
            time.sleep(2.0 * hold_s)
    for quantity in felt:
        readings.happened(name, quantity, begin_s, fits[quantity], "told")


def people(scene, readings):
    """Everybody goes away and comes again, so that they come into view: straight ahead of the robots, at a distance that messages tell."""
    known = scene.ask("/api/v1/world")["now"]["people"]
    for number, person in enumerate(known):
        scene.world("person", person["name"], 11.5, 1.0 + number)
    time.sleep(1.0)
    at_s = time.time()
    for person in known:
        scene.world("person", person["name"], person["x_m"], person["y_m"])
    for name in scene.robots:
        at = scene.starts[name]
        beside = [it for it in known if it["y_m"] == at["y_m"]]
        # They stand straight ahead; whom cameras see on cue is another matter.
        if beside and not scene.takes(name, "poke", "face"):
            distance_m = beside[0]["x_m"] - at["x_m"]
            readings.happened(name, "distance_m", at_s, lambda it: abs(it - distance_m) < WITHIN_M, distance_m)
            readings.happened(name, "bearing_rad", at_s, lambda it: abs(it) < WITHIN_RAD, 0.0)


def doors(scene, readings):
    """A door is opened and shut."""
    door = next(it["name"] for it in scene.ask("/api/v1/world")["shapes"] if it["layer"] == "door")
    for request, state in (("open", "open"), ("shut", "closed")):
        at_s = time.time()
        scene.world("door", door, request)
        for name in scene.robots:
            readings.happened(name, "door", at_s, lambda it: it == state, state)


def works(scene, readings, name):
    """It sees a face, hears, says something, moves its joints, shines and plays."""
    profile = scene.profiles[name]
    at_s = time.time()
    scene.run(name, "send", "faces", "detect")
    if scene.run(name, "poke", "face", "Dora", "--bearing", "10deg", "--distance", FACE["distance_m"], "--for", "2s"):
        for quantity, value in FACE.items():
            readings.happened(name, quantity, at_s, lambda it, v=value: abs(it - v) < 0.05, value)
        readings.happened(name, "person", at_s, bool, "that somebody is there")
    scene.run(name, "send", "faces", "recognize")
    at_s = time.time()
    if scene.run(name, "send", "faces", "train", "Eva", "--no-wait"):
        readings.happened(name, "training", at_s, bool, "that it learns a face")
    at_s = time.time()
    scene.run(name, "send", "listen")
    if scene.run(name, "poke", "keyphrase", "--confidence", "80%"):
        readings.happened(name, "confidence", at_s, lambda it: abs(it - 0.8) < 0.01, 0.8)
    at_s = time.time()
    scene.run(name, "send", "record", "start", "cells.wav")
    if scene.run(name, "poke", "sound", "40deg", "--voice"):
        for quantity in ("sound_rad", "heard_rad"):
            readings.happened(name, quantity, at_s, lambda it: abs(it - SOUND_RAD) < 0.1, SOUND_RAD)
        readings.happened(name, "loudest", at_s, lambda it: it > LOUD, f"above {LOUD}")
        readings.happened(name, "sectors", 0.0, lambda it: it == 4, "4")
    scene.run(name, "send", "record", "stop")
    at_s = time.time()
    noted = ["--data", '{"comm": "log"}']
    said = [scene.run(name, verb, kind, text, *more) for verb, kind, text, *more in
            (("poke", "serial", SPOKEN[0]), ("poke", "skill", SPOKEN[1]), ("send", "skill", SPOKEN[2]), ("poke", "skill", SPOKEN[1], *noted))]
    if any(said):
        readings.happened(name, "text", at_s, lambda it: it in SPOKEN, SPOKEN)
    at_s = time.time()
    if any(it["role"] == "head_yaw" for it in profile["joints"]) and scene.run(name, "send", "head", "--yaw", "20deg"):
        readings.happened(name, "head_yaw_rad", at_s, lambda it: abs(it - math.radians(20.0)) < WITHIN_RAD, "20 degrees")
    for joint in profile["joints"]:
        said = {it[0] for told in readings.of(name, "joint").values() for it in told} - {FIXED}
        goal = (joint["part"], LIFT_RAD if joint["role"] == "neck_lift" else JOINT_RAD)
        if scene.run(name, "send", "joint", *goal, patience_s=0) and joint["part"] in said:
            moved = lambda it, goal=goal: it[0] == goal[0] and abs(it[1] - goal[1]) < WITHIN_RAD
            readings.happened(name, "joint", at_s, moved, goal)
    at_s = time.time()
    if scene.run(name, "send", "led", *LAMP):
        readings.happened(name, "rgb", at_s, lambda it: math.dist(it, LAMP) < 2.0, LAMP)
    at_s = time.time()
    for sound in scene.figure(name)["sounds"][:1]:
        assert scene.run(name, "send", "play", sound), scene.refusals
        # A dialect may have the folder in a field of its own.
        readings.happened(name, "sound", at_s, lambda it: it in (sound, sound.rpartition("/")[2]), sound)
    sees_color(scene, readings, name)
    scene.run(name, "poke", "heat", 70)
    at_s = time.time()
    if scene.run(name, "send", "pins", "--on", 0):
        readings.happened(name, "output", at_s, bool, "on")
    # It is over when it drives.
    scene.run(name, "send", "maintain", "calibrate_imu", "--no-wait")


def sees_color(scene, readings, name):
    """Something red is put before a robot that sees the colour of what is near."""
    if "color" not in scene.profiles[name]["kinds"]:
        return
    at, at_s = scene.truth(name), time.time()
    scene.world("put", "red", "box", "0.1x0.1", at["x_m"] + ahead_edge_m(scene, name) + 0.2, at["y_m"], "--color", "#ff0000")
    scene.asks(name)
    readings.happened(name, "seen_rgb", at_s, lambda it: it == RED, RED)
    scene.world("remove", "red")
