"""What the official Misty SDK, unmodified, asks of robots of every family.

commands_misty.py HOST:PORT LATIMER
"""

from cells_commands import LAMP, prove
from cells_proof import exits, scene_of
from mistyPy.Robot import Robot

scene = scene_of("misty")
ROBOTS = {name: Robot(f"{scene.gateway}/robots/{name}/misty") for name in scene.robots}
# A Misty has it; others play the first sound of their own in its place.
SOUND = scene.families["misty"]["sounds"][0]
# Percent of the highest speed, and how long a command holds.
PERCENT, HOLD_MS = 30, 500


def ask(name, method, *arguments, **named):
    response = getattr(ROBOTS[name], method)(*arguments, **named)
    assert response.status_code == 200 and response.json()["status"] == "Success", (name, method, response.text)
    return response.json()["result"]


def set_hazards(name, on):
    sensor = ask(name, "GetHazardSettings")["bumpSensors"][0]["sensorName"]
    ask(name, "UpdateHazardSettings", bumpSensorsEnabled=[{"sensorName": sensor, "enabled": on}])


SENDS = {
    "drive": lambda name: ask(name, "DriveTime", PERCENT, 0, HOLD_MS),
    "drive_tracks": lambda name: ask(name, "DriveTrack", PERCENT, PERCENT),
    "stop": lambda name: ask(name, "Stop"),
    "halt": lambda name: ask(name, "Halt"),
    "joints": lambda name: ask(name, "MoveHead", 0, 0, 20, velocity=80),
    "lamp": lambda name: ask(name, "ChangeLED", *LAMP),
    "play": lambda name: ask(name, "PlayAudio", SOUND),
    "hazard_settings": set_hazards,
    "localization": lambda name: ask(name, "StartTracking"),
}


def proves():
    for name, robot in ROBOTS.items():
        note = lambda frame, name=name: scene.note(name, "AudioPlayComplete", frame["message"])
        robot.RegisterEvent("ended", "AudioPlayComplete", keep_alive=True, callback_function=note)
    prove(scene, SENDS)
    # Programs wait for the end of the sound that they asked for.
    for name, commands in scene.commands.items():
        if commands["play"] != "absent":
            said = lambda name=name: [it["metaData"]["name"] for it in scene.since(name, "AudioPlayComplete", 0.0) if "metaData" in it]
            assert scene.until(lambda: SOUND in said()), f"{name} plays {said()}, not {SOUND}"


exits(proves)
