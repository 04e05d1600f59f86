"""The official SDK's own generator, unmodified: writes its classes anew from what the robot says of itself.

misty_generator.py ADDRESS   The generator overwrites the package that it is in, so it works on a copy.
"""

import importlib.util
import shutil
import sys
import tempfile
from pathlib import Path

import requests

address = sys.argv[1]
installed = Path(importlib.util.find_spec("mistyPy").origin).parent

with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(installed, Path(folder, "mistyPy"))
    sys.path.insert(0, folder)
    from mistyPy.GenerateRobot import RobotGenerator

    RobotGenerator(address)

    from mistyPy.Events import Events
    from mistyPy.RobotCommands import RobotCommands

    assert Path(folder) in Path(sys.modules["mistyPy.RobotCommands"].__file__).parents

    help_ = requests.get(f"http://{address}/api/help", timeout=10).json()["result"]
    offered = {entry["apiCommand"]["name"] for entries in help_.values() for entry in entries}
    own = {"GetRequest", "PostRequest", "DeleteRequest", "PutRequest"}
    written = {name for name in vars(RobotCommands) if not name.startswith("_")} - own
    assert written == offered, written ^ offered
    assert len(offered) > 40, sorted(offered)
    assert len(Events.available_events) == 21, Events.available_events

    # What was written works.
    robot = RobotCommands(address)
    assert robot.GetBatteryLevel().json()["status"] == "Success"
    assert robot.ChangeLED(1, 2, 3).json()["status"] == "Success"
    assert robot.DriveTime(0, 0, 500).json()["status"] == "Success"

print(f"misty_generator: ok, {len(offered)} commands")
