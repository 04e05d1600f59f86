"""What programs of a dialect ask of robots of every family, and what the robots then do: every command that the matrix does not call absent.

The world has where robots are; their lamps, sounds and modes are those that each says in its own dialect.
"""

import contextlib
import math
import subprocess
import threading
import time

from cells import PATIENCE_S
from cells_proof import comes_to_rest, place_of

LAMP = (10, 200, 30)
HEAD_RAD = math.radians(20.0)
WITHIN_RAD = math.radians(2.0)
# How far a drive goes at least, at this speed, metres and metres per second.
DRIVE_M, SPEED_MPS = 0.12, 0.1
# Where a goal is from where a robot stands, and how near it comes.
BESIDE_M, NEAR_M = 0.5, 0.12
MOVE_S = 40.0
# Pictures that are asked for.
WIDTH_PX, HEIGHT_PX = 320, 240
SPOKEN = "said to a program"
# In these dialects to stop is to drive at no speed, and a program that does not drive says that all the time.
STOPS_ITS_OWN = ("miro",)
# Commands are sent again until they show, as they hold for a while only.
AGAIN_S = 0.1
# It is told when a sound is over; one that begins again is not.
SOUND_S = 3.0


def joint_of(scene, name):
    """The joint that turns a robot's head, or its first one."""
    joints = scene.profiles[name]["joints"]
    return next((it for it in joints if it["role"] == "head_yaw"), joints[0])["part"]


class Robot:
    """A robot that a program sends commands to; `sends` has a function of the robot for each command."""

    def __init__(self, scene, sends, name):
        self.scene, self.sends, self.name = scene, sends, name

    def truth(self):
        return self.scene.truth(self.name)

    def last(self, kind):
        """What the robot itself said last, by part."""
        found = self.scene.ask(f"/api/v1/last?select={self.name}/{kind}")["updates"]
        return {it.get("part"): it["data"] for it in found if "provenance" not in it}

    @contextlib.contextmanager
    def follows(self, kind):
        """The lines of a kind of the robot's signals as they come; cameras take pictures while somebody follows."""
        echo = [self.scene.latimer, "echo", f"{self.name}/{kind}", "--gateway", self.scene.gateway]
        process, lines = subprocess.Popen(echo, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True), []

        def keep():
            for line in process.stdout:
                lines.append(line)

        threading.Thread(target=keep, daemon=True).start()
        try:
            yield lines
        finally:
            process.kill()
            process.wait()

    def until(self, holds, what, send=lambda: None, patience_s=PATIENCE_S, again_s=AGAIN_S):
        end = time.monotonic() + patience_s
        while not (found := holds()):
            assert time.monotonic() < end, f"{self.name}: {what}"
            send()
            time.sleep(again_s)
        return found

    def said(self, kind, fits, what):
        return self.until(lambda: any(map(fits, self.last(kind).values())), f"{what}; it says {self.last(kind)}")

    def drives(self, command):
        start = self.truth()

        def went():
            now = self.truth()
            east, north = (now[axis] - start[axis] for axis in ("x_m", "y_m"))
            return east * math.cos(start["yaw_rad"]) + north * math.sin(start["yaw_rad"]) > DRIVE_M

        self.until(went, f"{command} does not drive it", lambda: self.sends[command](self.name))
        self.stand()

    def stand(self):
        assert self.scene.run(self.name, "send", "stop"), self.scene.refusals
        comes_to_rest(self.scene, self.name, 0.0)

    def stops(self, command):
        start = self.truth()
        self.scene.run(self.name, "send", "mode", "remote")
        goes = lambda: math.dist(place_of(self.truth()), place_of(start)) > 0.05
        if self.scene.dialect in STOPS_ITS_OWN:
            self.until(goes, "it does not drive", lambda: self.sends["drive"](self.name))
        else:
            assert self.scene.run(self.name, "send", "drive", SPEED_MPS, 0, "--for", "60s"), self.scene.refusals
            self.until(goes, "it does not drive")
        self.sends[command](self.name)
        comes_to_rest(self.scene, self.name, 0.0)

    def lamp(self, _):
        self.sends["lamp"](self.name)
        is_lit = lambda it: math.dist((it["red"], it["green"], it["blue"]), LAMP) < 2.0
        self.said("lamp", is_lit, f"its lamp is not {LAMP}")

    def play(self, _):
        with self.follows("playback") as played:
            # A family may have the folder in a field of its own.
            is_played = lambda: any(sound in line for line in played)
            sound = self.scene.figure(self.name)["sounds"][0].rpartition("/")[2]
            self.until(is_played, f"it plays {played}", lambda: self.sends["play"](self.name), again_s=SOUND_S)

    def joints(self, _):
        part = joint_of(self.scene, self.name)
        turned = lambda: abs(self.last("joint")[part]["position_rad"] - HEAD_RAD) < WITHIN_RAD
        self.until(turned, f"{part} does not turn", lambda: self.sends["joints"](self.name))

    def goal(self, beside_m):
        """To the north: maps still have the box that was ahead."""
        at = self.truth()
        return at["x_m"], at["y_m"] + beside_m

    def navigates(self, _):
        self.scene.run(self.name, "send", "mode", "auto")
        goal = self.goal(BESIDE_M)
        self.sends["navigate"](self.name, *goal)
        arrived = lambda: math.dist(place_of(self.truth()), goal) < NEAR_M
        self.until(arrived, f"it does not come to {goal}, but to {self.truth()}", patience_s=MOVE_S)
        comes_to_rest(self.scene, self.name, 0.0)

    def cancels(self, _):
        self.scene.run(self.name, "send", "mode", "auto")
        start, goal = self.truth(), self.goal(3.0 * BESIDE_M)
        self.sends["navigate"](self.name, *goal)
        self.until(lambda: math.dist(place_of(self.truth()), place_of(start)) > 0.05, "it does not set off")
        self.sends["cancel_navigation"](self.name)
        comes_to_rest(self.scene, self.name, 0.0)
        assert math.dist(place_of(self.truth()), goal) > BESIDE_M, self.truth()

    def mode(self, _):
        for mode in ("auto", "remote"):
            self.sends["control_mode"](self.name, mode)
            # Others have no modes, and can be driven in any.
            if self.last("control"):
                self.said("control", lambda it: it["mode"] == mode, f"it is not in {mode}")

    def emergency_stop(self, _):
        for on in (True, False):
            self.sends["emergency_stop"](self.name, on)
            self.said("control", lambda it: it["emergency_stop"] == on, f"its emergency stop is not {on}")

    def localizes(self, _):
        self.sends["localization"](self.name)
        self.said("localization", lambda it: it["state"] != "idle", "it does not look for its place")

    def is_placed(self, _):
        at = self.truth()
        told = (at["x_m"] + 0.2, at["y_m"])
        self.sends["set_pose"](self.name, *told)
        self.said("pose", lambda it: math.dist((it["x_m"], it["y_m"]), told) < 0.05, f"it is not at {told}")
        self.sends["set_pose"](self.name, *place_of(at))

    def hazards(self, _):
        for on in (False, True):
            self.sends["hazard_settings"](self.name, on)
            self.said("hazard_settings", lambda it: it["bumpers"][0]["enabled"] == on, f"its reflex is not {on}")

    def camera(self, _):
        with self.follows("compressed_image"):
            self.sends["camera"](self.name)
            is_small = lambda it: (it["width"], it["height"]) == (WIDTH_PX, HEIGHT_PX)
            self.said("compressed_image", is_small, "its pictures stay as they are")

    def hears(self, _):
        self.sends["skill_message"](self.name)
        self.said("text", lambda it: it["text"] == SPOKEN, "it does not hear")


PROOFS = {
    "control_mode": Robot.mode, "localization": Robot.localizes, "drive": Robot.drives, "drive_tracks": Robot.drives, "stop": Robot.stops,
    "halt": Robot.stops, "cancel_navigation": Robot.cancels, "navigate": Robot.navigates, "joints": Robot.joints, "lamp": Robot.lamp,
    "play": Robot.play, "hazard_settings": Robot.hazards, "camera": Robot.camera, "skill_message": Robot.hears,
    "set_pose": Robot.is_placed, "emergency_stop": Robot.emergency_stop,
}


def prove(scene, sends):
    """Every robot is asked for everything that is not absent, one command after the other; what only its own family has, its tests ask."""
    asked = {command for commands in scene.commands.values() for command, support in commands.items() if support in ("exact", "derived")}
    assert not asked - sends.keys(), f"nothing sends {asked - sends.keys()}"
    assert not sends.keys() - PROOFS.keys(), f"nothing proves {sends.keys() - PROOFS.keys()}"
    for thing in scene.ask("/api/v1/world")["shapes"]:
        if (thing["name"] or "").startswith("before-"):
            scene.world("remove", thing["name"])

    def obeys(name):
        # One that looks for its place on a map begins with that.
        scene.run(name, "send", "localize", "start_tracking", patience_s=0)
        proven = [command for command in PROOFS if scene.commands[name].get(command, "absent") != "absent" and command in sends]
        for command in proven:
            PROOFS[command](Robot(scene, sends, name), command)
        print(f"{name} as {scene.dialect}: {', '.join(proven)}", flush=True)

    scene.everywhere(obeys)
