"""The official Misty SDK, unmodified: subscribes, receives, drives, unsubscribes.

misty_sdk.py ADDRESS COMMAND…   where COMMAND presses the front left bumper
"""

import queue
import subprocess
import sys

from mistyPy.EventFilters import EventFilters
from mistyPy.Events import Events
from mistyPy.Robot import Robot

PATIENCE_S = 10
ADDRESS, PRESS_BUMPER = sys.argv[1], sys.argv[2:]


class Events_of:
    """One registration: its messages in a queue, gone at the end of `with`."""

    def __init__(self, robot, event_type, condition=None):
        self.robot, self.event_type, self.messages = robot, event_type, queue.Queue()
        self.registration = robot.RegisterEvent(
            event_type,
            event_type,
            condition=condition,
            debounce=0,
            keep_alive=True,
            callback_function=self.messages.put,
        )

    def __enter__(self):
        return self

    def next(self, fits=lambda message: True):
        while True:
            frame = self.messages.get(timeout=PATIENCE_S)
            assert frame["eventName"] == self.registration.event_name, frame
            if fits(frame["message"]):
                return frame["message"]

    def __exit__(self, *_):
        self.robot.UnregisterEvent(self.event_type)
        self.registration.thread.join(PATIENCE_S)
        assert not self.registration.thread.is_alive(), f"{self.event_type} is still connected"


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
