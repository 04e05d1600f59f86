"""The official Misty SDK, unmodified: subscribes, receives, drives, unsubscribes.

misty_sdk.py ADDRESS COMMAND…   where COMMAND presses the front left bumper
"""

import subprocess
import sys

from misty_events import Events_of
from mistyPy.EventFilters import EventFilters
from mistyPy.Events import Events
from mistyPy.Robot import Robot
from patience import PATIENCE_S

ADDRESS, PRESS_BUMPER = sys.argv[1], sys.argv[2:]


def result(response):
    answer = response.json()
    assert response.status_code == 200 and answer["status"] == "Success", answer
    return answer["result"]


# The constructor asks 127.0.0.1 at port 80 first, and takes what answers there for the robot.
robot = Robot(ADDRESS)
assert robot.ip == ADDRESS, f"something answers at port 80 of this machine; the SDK talks to {robot.ip}"

with Events_of(robot, Events.BatteryCharge) as battery:
    charge = battery.next()
    assert 0 < charge["chargePercent"] <= 1, charge
    assert charge["sensorId"] == "charge", charge

center = [EventFilters.TimeOfFlightPosition.FrontCenter, EventFilters.TimeOfFlightDistance.MaxDistance(100)]
with Events_of(robot, Events.TimeOfFlight, center) as ranges:
    for _ in range(5):
        reading = ranges.next()
        assert reading["sensorId"] == "toffc", reading
        assert reading["distanceInMeters"] <= 100, reading

with Events_of(robot, Events.IMU) as imu:
    attitude = imu.next()
    assert {"yaw", "pitch", "roll", "xAcceleration", "created"} <= attitude.keys(), attitude
    assert attitude["sensorId"] == "imu", attitude
    assert imu.next()["created"] > attitude["created"]

with Events_of(robot, Events.BumpSensor, [EventFilters.BumpSensorPosition.FrontLeft]) as bumps:
    with Events_of(robot, Events.IMU) as imu:
        imu.next()  # the earlier registration is in force by now
    subprocess.run(PRESS_BUMPER, check=True, timeout=PATIENCE_S)
    pressed = bumps.next(lambda bump: bump["isContacted"])
    assert pressed["sensorId"] == "bfl", pressed
    released = bumps.next(lambda bump: not bump["isContacted"])
    assert released["created"] > pressed["created"], (pressed, released)

with Events_of(robot, Events.DriveEncoders) as encoders:
    before = encoders.next()
    result(robot.DriveTime(20, 0, 1500))
    # The encoders count degrees; the robot stood still before.
    after = encoders.next(lambda now: now["leftDistance"] - before["leftDistance"] > 90)
    assert after["rightDistance"] - before["rightDistance"] > 45, (before, after)
    assert after["leftVelocity"] > 0, after
    result(robot.Stop())
    encoders.next(lambda now: now["leftVelocity"] == 0)

assert list(robot.GetRegisteredEvents()) == []
assert result(robot.GetBatteryLevel())["chargePercent"] > 0
assert result(robot.GetDeviceInformation())
print("misty_sdk: ok")
