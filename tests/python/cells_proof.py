"""What happens to robots of every family, and that each message comes and says what is true.

A robot stands before a box, is bumped and touched, sees somebody, drives 1 m, turns 90°, goes to a goal, and does all else that its
family can feel and do.
"""

import math
import os
import statistics
import sys
import time
import traceback

from cells import PATIENCE_S, READINGS, Readings, Scene
from cells_around import WITHIN_M, WITHIN_RAD, WITHIN_RATIO, ahead_edge_m, around, box_face
from cells_senses import doors, is_felt, people, works

# Three standard deviations of a robot's place on its map are 3 cm: what one reading may be off beside that.
NOISE_M = 0.015
# The compass of one make is as good as a few degrees.
COMPASS_RAD = {"pera": 0.1}
# The charge that is set, and how much of it may be gone meanwhile.
CHARGE, WITHIN_CHARGE = 0.42, 0.02
# How much younger or older a stamp may be than the clock when the message came: a busy machine is late by seconds, while one that
# is of another time zone, of another unit or of the robot's start is off by much more.
STAMP_S = 60.0
# How far it drives ahead, and then to a goal.
WAY_M, GOAL_M = 1.0, 0.8
# The family whose robots find the room's charger, and how long one may take there.
CHARGED, CHARGE_S = "axbot", 40.0
# How near a path or a trail begins or ends, whose points are some way apart.
NEAR_M = 0.15
# Before its sensor.
BOX_M = 0.7
# Pictures a second.
CAMERA_HZ = 1
# Where there is no floor.
DROP_M = (9.5, 12.0)
# Alerts: a scanner is silent, a robot fell.
ALERTS = {"axbot": 5001, "robotkoop": 1}


def scene_of(dialect):
    """HOST:PORT LATIMER: the gateway's common port, and the program."""
    return Scene(sys.argv[1], sys.argv[2], dialect)


def exits(proof):
    """Ends the program with the proof, whatever threads a client leaves behind."""
    code = 0
    try:
        proof()
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def prove(scene, readers):
    """All that happens, and what must have come of it."""
    readings = Readings(scene, readers)
    scene.starts = start = scene.everywhere(scene.truth)
    # One that looks for its place on a map begins with that.
    scene.everywhere(lambda name: scene.run(name, "send", "localize", "start_tracking", patience_s=0))
    # All cameras are followed all the time, and drawing their pictures would slow the world down.
    scene.everywhere(lambda name: scene.run(name, "send", "camera", "--rate", CAMERA_HZ))
    scene.everywhere(lambda name: stands(scene, readings, name, 0.0, BOX_M))
    scene.everywhere(lambda name: is_felt(scene, readings, name))
    people(scene, readings)
    doors(scene, readings)
    scene.everywhere(lambda name: works(scene, readings, name))
    for thing in scene.ask("/api/v1/world")["shapes"]:
        if (thing["name"] or "").startswith("before-"):
            scene.world("remove", thing["name"])
    scene.everywhere(lambda name: drives(scene, readings, name, start[name]))
    scene.everywhere(lambda name: scene.also(readings, name))
    scene.everywhere(lambda name: goes(scene, readings, name))
    scene.everywhere(lambda name: stands(scene, readings, name, WAY_M + GOAL_M))
    scene.everywhere(lambda name: suffers(scene, readings, name))
    for name in scene.robots:
        stamps(scene, readers, name)
    complete(scene, readings)


def stands(scene, readings, name, way_m, ahead_m=None):
    """At rest everything agrees with the world; who counts wheels alone is as far off as 2 % of the way that it came."""
    family = scene.robots[name]["family"]
    scene.run(name, "poke", "battery", CHARGE)
    at, at_s = scene.truth(name), time.time()
    scene.asks(name)
    # It turns by half a turn at most on that way, and an angle that is off leads it aside.
    by_wheels_rad = max(WITHIN_RAD, WITHIN_RATIO * math.pi if way_m > 0.0 else 0.0)
    by_wheels_m = WITHIN_M + WITHIN_RATIO * way_m + by_wheels_rad * max(0.0, way_m - WAY_M)
    knows_place = "localization" in scene.profiles[name]["kinds"]
    within_m, within_rad = (WITHIN_M, WITHIN_RAD) if knows_place else (by_wheels_m, by_wheels_rad)
    readings.settle(name, "charge", CHARGE, WITHIN_CHARGE)
    readings.settle(name, "x_m", at["x_m"], within_m, noise=NOISE_M)
    readings.settle(name, "y_m", at["y_m"], within_m, noise=NOISE_M)
    readings.settle(name, "by_wheels_x_m", at["x_m"], by_wheels_m)
    readings.settle(name, "by_wheels_y_m", at["y_m"], by_wheels_m)
    readings.settle(name, "by_wheels_yaw_rad", at["yaw_rad"], by_wheels_rad, math.tau)
    readings.settle(name, "yaw_rad", at["yaw_rad"], COMPASS_RAD.get(family, within_rad), math.tau)
    readings.settle(name, "pose_yaw_rad", at["yaw_rad"], within_rad, math.tau)
    readings.settle(name, "linear_mps", 0.0, 0.01)
    readings.settle(name, "angular_radps", 0.0, 0.02)
    readings.settle(name, "moves", False, 0)
    readings.happened(name, "located", at_s - 5.0, bool, "that it knows where it is")
    readings.settle(name, "reliable", True, 0)
    if ahead_m is not None:
        readings.settle(name, "ahead_m", ahead_m, WITHIN_M)
        for _ in range(READINGS):
            # The answer is the last reading, with its noise.
            scene.asks(name)
            time.sleep(0.2)
        # Simulators measure from the robot's outline.
        asked_m = box_face(scene, name) - at["x_m"] - ahead_edge_m(scene, name)
        readings.happened(name, "asked_ahead_m", at_s, lambda it: abs(it - asked_m) < WITHIN_M, asked_m)
        around(scene, readings, name)


def drives(scene, readings, name, start):
    """1 m ahead and 90° to the left; what it says meanwhile has the right sign and unit."""
    figure = scene.figure(name)
    linear_mps, angular_radps = min(0.2, figure["max_linear_mps"]), min(0.5, figure["max_angular_radps"])
    at_s = time.time()
    if scene.run(name, "send", "mode", "remote"):
        readings.happened(name, "mode", at_s, lambda it: it == "remote", "remote")
    for speed, turn, lasts_s in ((linear_mps, 0.0, WAY_M / linear_mps), (0.0, angular_radps, math.pi / 2 / angular_radps)):
        at_s = time.time()
        assert scene.run(name, "send", "drive", speed, turn, "--for", f"{lasts_s:.2f}s"), scene.refusals
        told = {"linear_mps": speed, "angular_radps": turn, "commanded_mps": speed, "commanded_radps": turn}
        for quantity, value in told.items():
            fits = lambda it: abs(it - value) < max(0.02, 0.02 * abs(value))
            readings.happened(name, quantity, at_s, fits, value)
        readings.happened(name, "moves", at_s, bool, "that it moves")
        if scene.takes(name, "send", "maintain"):
            readings.happened(name, "calibrates", 0.0, bool, "that it calibrated")
        if turn > 0.0:
            readings.happened(name, "turns_left", at_s, bool, "that it turns left")
        comes_to_rest(scene, name, at_s + lasts_s)
    at_s = time.time()
    if scene.run(name, "send", "mode", "auto"):
        readings.happened(name, "mode", at_s, lambda it: it == "auto", "auto")
    at = scene.truth(name)
    went_m = at["x_m"] - start["x_m"]
    readings.settle(name, "travelled_m", went_m, WITHIN_M)
    trail = lambda it: math.dist(it[0], place_of(start)) < NEAR_M and math.dist(it[-1], place_of(at)) < NEAR_M
    readings.happened(name, "trail", 0.0, trail, f"from {start} to {at}")
    assert 0.8 < went_m < 1.1 and 1.3 < at["yaw_rad"] < 1.8, (name, at)
    stands(scene, readings, name, WAY_M)


def place_of(truth):
    return truth["x_m"], truth["y_m"]


def comes_to_rest(scene, name, from_s):
    """Waits until a drive is over, and the robot stands."""
    time.sleep(max(0.0, from_s - time.time()))
    end, before = time.monotonic() + PATIENCE_S, None
    while (now := scene.truth(name)) != before:
        assert time.monotonic() < end, f"{name} does not stand: {now}"
        before = now
        time.sleep(0.3)


def goes(scene, readings, name):
    """To a goal, by itself or by the gateway's navigator; its path leads from where it is to there."""
    at, at_s = scene.truth(name), time.time()
    goal = [round(at["x_m"], 2), round(at["y_m"] + GOAL_M, 2)]
    assert scene.run(name, "send", "goto", *goal), scene.refusals
    begins = lambda path: math.dist(path[0], place_of(at)) < NEAR_M
    ends = lambda path: math.dist(path[-1], goal) < NEAR_M
    readings.happened(name, "path", at_s, lambda path: begins(path) and ends(path), f"from {at} to {goal}")
    readings.happened(name, "goal", at_s, lambda it: math.dist(it, goal) < 0.05, goal)
    readings.happened(name, "way", at_s, begins, f"from {at}")
    readings.happened(name, "ended", at_s, bool, "that it succeeded")


def suffers(scene, readings, name):
    """All that hinders it, and what only some can do."""
    at_s = time.time()
    if scene.run(name, "send", "task", "greet"):
        readings.happened(name, "text", at_s, bool, "a greeting")
    scene.run(name, "send", "task", "bring", "--object", "coke", "--from", "Desk", "--to", "Desk", patience_s=0)
    carries(scene, readings, name)
    charges(scene, readings, name)
    at_s = time.time()
    if scene.run(name, "poke", "lose-pose", "--for", "1s", patience_s=0):
        readings.happened(name, "located", at_s, lambda it: not it, "that it does not know where it is")
    at_s = time.time()
    scene.run(name, "send", "localize", "relocate", patience_s=0)
    readings.happened(name, "found", at_s, lambda it: math.dist(it, place_of(scene.truth(name))) < WITHIN_M + NOISE_M, "its place")
    at_s = time.time()
    if scene.run(name, "send", "halt"):
        readings.happened(name, "halted", at_s, bool, "motors")
    at_s = time.time()
    scene.run(name, "poke", "lift", "--for", "5s")
    scene.provokes(name)
    readings.happened(name, "refused", at_s, lambda it: "refused" in it or "nothing" in it, "why it does not obey")
    if "cliff" in scene.profiles[name]["kinds"]:
        readings.happened(name, "least_floor", at_s, lambda it: it == 0, 0)
        readings.happened(name, "hazard", at_s, bool, "there is no floor")
    for state in ("on", "off"):
        at_s = time.time()
        if scene.run(name, "poke", "estop", state):
            readings.happened(name, "estop", at_s, lambda it: it == (state == "on"), state)
    is_in_danger(scene, readings, name)


def carries(scene, readings, name):
    for up, ratio in (("up", 1.0), ("down", 0.0)):
        at_s = time.time()
        if scene.run(name, "send", "carry", f"jack-{up}"):
            readings.happened(name, "jack_ratio", at_s, lambda it: abs(it - ratio) < WITHIN_RATIO, ratio)
    at_s = time.time()
    if scene.run(name, "send", "carry", "roller-load"):
        readings.happened(name, "roller", at_s, lambda it: it == "loading", "loading")


def charges(scene, readings, name):
    """One that drives to its charger says so; of the others no message says that they charge."""
    family = scene.robots[name]["family"]
    charging = readings.of(name, "charging")
    if family == CHARGED and charging:
        at_s = time.time()
        assert scene.run(name, "send", "charge"), scene.refusals
        readings.happened(name, "charging", at_s, bool, "that it charges", CHARGE_S)
    for cell, told in charging.items():
        assert not any(told), (name, cell, told)


def is_in_danger(scene, readings, name):
    """Its scanner fails, or it falls; what is its own says so."""
    profile, family, at_s = scene.profiles[name], scene.robots[name]["family"], time.time()
    alert = ALERTS.get(family)
    if any(it["kind"] == "scan" for it in profile["ranges"]) and "hazard" in profile["kinds"]:
        assert scene.run(name, "poke", "fail", "lidar", "--for", "3s"), scene.refusals
        readings.happened(name, "hazard", at_s, bool, "its scanner is silent")
    elif alert is not None:
        assert scene.run(name, "poke", "place", *DROP_M), scene.refusals
    if alert is not None:
        readings.happened(name, "alert", at_s, lambda it: alert in it, alert)


def stamps(scene, readers, name):
    """Messages that say when are of now: the first may be a kept one that is older, but not most of them."""
    for cell, read in readers.items():
        stamped = read.get("stamp_s", lambda message: None)
        told = [(stamped(it.message), it.at_s) for it in list(scene.received[name, cell])]
        off = [abs(stamp_s - at_s) for stamp_s, at_s in told if stamp_s is not None]
        if off:
            typical_s = statistics.median(off) if len(off) >= READINGS else min(off)
            assert typical_s < STAMP_S, f"{name}: {cell} is stamped {typical_s} s beside the clock"


def complete(scene, readings):
    """No cell is silent that is there, none comes that is absent, and of those that are absent clients are answered."""
    silent = lambda: [f"{name} {cell}" for name in scene.robots for cell in scene.there(name) if not scene.received[name, cell]]
    scene.until(lambda: not silent(), PATIENCE_S)
    invented = [f"{name} {cell}: {str(scene.received[name, cell][0].message)[:300]}" for name in scene.robots
                for cell in scene.missing(name) if scene.received[name, cell]]
    unanswered = [f"{name} {cell}" for name in scene.robots for cell in scene.missing(name)
                  if scene.is_asked_for(cell) and (name, cell) not in scene.absent]
    wrong = [f"{name} {cell}: {scene.absent[name, cell]}" for name in scene.robots for cell in scene.there(name)
             if (name, cell) in scene.absent]
    for name in scene.robots:
        there, missing = scene.there(name), scene.missing(name)
        came = [cell for cell in there if scene.received[name, cell]]
        checked = [cell for cell in there if (name, cell) in readings.checked]
        print(f"{name} as {scene.dialect}: {len(came)} of {len(there)} messages came, {len(checked)} beside the truth; "
              f"{len(missing)} are absent", flush=True)
    unproven = [f"{name} {cell}" for name in scene.robots for cell in scene.there(name)
                if scene.received[name, cell] and (name, cell) not in readings.checked]
    problems = {
        "not compared with the world": unproven, "silent": silent(), "invented": invented, "absent without an answer": unanswered,
        "refused, yet there": wrong,
    }
    assert not any(problems.values()), {**problems, "not taken": scene.refusals}
