"""The official Misty SDK, unmodified: prints the bumper that is pressed, and ends.

misty_bump.py ADDRESS   prints `ready` once it has asked for its events, which the SDK does in a thread of its own
"""

import queue
import sys

from mistyPy.Events import Events
from mistyPy.Robot import Robot

PATIENCE_S = 60
messages = queue.Queue()
robot = Robot(sys.argv[1])
registration = robot.RegisterEvent(
    "Bump", Events.BumpSensor, debounce=0, keep_alive=True, callback_function=messages.put
)
print("ready", flush=True)
while True:
    message = messages.get(timeout=PATIENCE_S)["message"]
    if message["isContacted"]:
        print(message["sensorId"], flush=True)
        break
robot.UnregisterEvent("Bump")
