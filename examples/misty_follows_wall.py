"""A program for a Misty, with the official SDK, follows the wall on the right of any robot by its range sensors.

With `latimer demo` running, or any gateway that has a chassis:

    pip install Misty-SDK
    latimer send axbot-1 cancel-navigation       # so that the chassis stands, and nobody else drives it
    python misty_follows_wall.py 127.0.0.1:8080/robots/axbot-1/misty 20

misty_follows_wall.py ADDRESS SECONDS
"""

import sys
import threading
import time

from mistyPy.Events import Events
from mistyPy.Robot import Robot

ADDRESS, SECONDS = sys.argv[1], float(sys.argv[2])

# What the sensor that looks a little to the right shall measure, metres, and what ahead is too near.
RIGHT_M, NEAR_M = 1.2, 0.6
# Percent of the greatest speed, and percent of the greatest turn rate for each metre off.
SPEED, TURN, MOST_TURN = 40, 12, 10

ranges, changed = {}, threading.Condition()


def note(frame):
    """Keeps the last distance of each sensor by its id; a sensor that sees nothing sees far."""
    reading = frame["message"]
    if "sensorId" not in reading:
        return
    with changed:
        ranges[reading["sensorId"]] = reading["distanceInMeters"] if reading.get("status") == 0 else 8.0
        changed.notify()


robot = Robot(ADDRESS)
robot.RegisterEvent("ranges", Events.TimeOfFlight, debounce=20, keep_alive=True, callback_function=note)
with changed:
    assert changed.wait_for(lambda: {"toffc", "toffr"} <= ranges.keys(), 20), f"only {ranges} came"

end = time.monotonic() + SECONDS
while time.monotonic() < end:
    with changed:
        changed.wait(0.2)
        ahead, right = ranges["toffc"], ranges["toffr"]
    # Positive turns left.
    turn = max(-MOST_TURN, min(MOST_TURN, TURN * (RIGHT_M - right)))
    speed = 0 if ahead < NEAR_M else SPEED
    robot.DriveTime(speed, MOST_TURN if ahead < NEAR_M else turn, 500)
    time.sleep(0.1)
robot.Stop()
robot.UnregisterEvent("ranges")
print(f"done; {ranges['toffr']:.2f} m to the wall on the right")
