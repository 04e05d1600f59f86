"""The official Misty SDK, unmodified: prints a bumper when it is pressed, and ends.

misty_bump.py ADDRESS BUMPER   prints `ready` once it has asked for its events, which the SDK does in a thread of its own
"""

import queue
import sys

from mistyPy.Events import Events
from mistyPy.Robot import Robot
from patience import PATIENCE_S

messages = queue.Queue()
robot = Robot(sys.argv[1])
registration = robot.RegisterEvent(
    "Bump", Events.BumpSensor, debounce=0, keep_alive=True, callback_function=messages.put
)
print("ready", flush=True)
while True:
    message = messages.get(timeout=PATIENCE_S)["message"]
    # A robot that wanders presses others, too.
    if message["isContacted"] and message["sensorId"] == sys.argv[2]:
        print(message["sensorId"], flush=True)
        break
robot.UnregisterEvent("Bump")
