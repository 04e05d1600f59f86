"""misty2py, unmodified: subscribes, reads, acts, asks, unsubscribes.

misty2py_client.py ADDRESS
"""

import sys
import time

from misty2py.robot import Misty
from patience import PATIENCE_S

misty = Misty(sys.argv[1])


def done(response):
    """The answer to a call that went well."""
    answer = response.parse_to_dict()
    assert answer["overall_success"], answer
    return answer


def info(name, **params):
    return done(misty.get_info(name, params))["rest_response"]["result"]


def log(name):
    return done(misty.event("get_log", name=name))["ws_response"]["message"]


def data(name):
    return done(misty.event("get_data", name=name))["ws_response"]["message"]


def until(name, fits):
    """The first message of an event that fits; the client only offers its list of the last ten."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        for message in data(name):
            if fits(message):
                return message
        time.sleep(0.02)
    raise AssertionError(f"{name}: {data(name)}, {log(name)}")


def subscribe(name, **how):
    """Subscribes, and again if the client loses a race against itself.

    It starts its thread before it has set all of the thread's attributes, so that a robot that answers as fast as
    one on this machine can meet a half-made object. The client then closes its socket.
    """
    while True:
        done(misty.event("subscribe", name=name, debounce=1, **how))
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline and not data(name):
            if any(isinstance(entry, AttributeError) for entry in log(name)):
                break
            time.sleep(0.02)
        else:
            assert "Opened" in log(name), log(name)
            return
        misty.event("unsubscribe", name=name)


subscribe("battery", type="BatteryCharge")
# The first message that the client keeps is the robot's answer to the subscription.
assert data("battery")[0] == "Registration Status: API event registered.", data("battery")
charge = until("battery", lambda message: isinstance(message, dict))
assert 0 < charge["chargePercent"] <= 1, charge

subscribe("encoders", type="DriveEncoders")
before = until("encoders", lambda message: isinstance(message, dict))
done(misty.perform_action("drive_time", {"LinearVelocity": "20", "AngularVelocity": "0", "TimeMs": "1500"}))
# The encoders count degrees; the robot stood still before.
until("encoders", lambda now: isinstance(now, dict) and now["leftDistance"] - before["leftDistance"] > 90)
done(misty.perform_action("drive_stop"))

# Colours come as texts with numbers in them.
done(misty.perform_action("led", "azure_light"))
done(misty.perform_action("led", {"red": "12", "green": "0", "blue": "255"}))

assert 0 < info("battery_status")["chargePercent"] <= 1
assert info("device")
assert {"get", "post", "delete", "put"} <= info("help").keys()
assert len(info("websockets")) == 21
assert info("websocket_version") == "Current"

for name in ("battery", "encoders"):
    done(misty.event("unsubscribe", name=name))
# The name is free again, for one property of another event.
subscribe("battery", type="IMU", return_property="yaw")
until("battery", lambda message: isinstance(message, float))
done(misty.event("unsubscribe", name="battery"))
print("misty2py_client: ok")
