"""A program for a robot behind rosbridge, with roslibpy from PyPI: topics, pictures, a drive, what is refused, and its own topics and services."""

import base64
import sys
import threading
import time

import roslibpy
import roslibpy.tf
from patience import PATIENCE_S


host, port, robot = sys.argv[1], int(sys.argv[2]), sys.argv[3]
ros = roslibpy.Ros(host=host, port=port)
ros.run(timeout=PATIENCE_S)


def first(name, message_type, wanted=lambda message: True, **options):
    """The first message of a topic that is wanted."""
    topic = roslibpy.Topic(ros, f"/{robot}/{name}", message_type, **options)
    found, heard = [], threading.Event()

    def hear(message):
        if not heard.is_set() and wanted(message):
            found.append(message)
            heard.set()

    topic.subscribe(hear)
    assert heard.wait(PATIENCE_S), f"nothing comes on {name}"
    topic.unsubscribe()
    return found[0]


topics = ros.get_topics()
assert f"/{robot}/battery" in topics and f"/{robot}/cmd_vel" in topics, topics
assert ros.get_topic_type(f"/{robot}/battery") == "sensor_msgs/BatteryState"
assert f"/{robot}/imu" in ros.get_topics_for_type("sensor_msgs/Imu")
assert abs(ros.get_time()["secs"] - time.time()) < 60

imu = first("imu", "sensor_msgs/Imu", throttle_rate=100)
turned = imu["orientation"]
assert abs(sum(turned[part] ** 2 for part in "xyzw") - 1) < 1e-6, turned
picture = first("camera/compressed", "sensor_msgs/CompressedImage")
assert picture["format"] == "jpeg"
assert base64.b64decode(picture["data"])[:2] == b"\xff\xd8"

before = first("odom", "nav_msgs/Odometry")["pose"]["pose"]["orientation"]
velocity = roslibpy.Topic(ros, f"/{robot}/cmd_vel", "geometry_msgs/Twist")
velocity.advertise()
turning = {"linear": {"x": 0, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": 0.6}}
stop_at = time.monotonic() + 1.5
while time.monotonic() < stop_at:
    velocity.publish(roslibpy.Message(turning))
    time.sleep(0.1)
after = first("odom", "nav_msgs/Odometry", lambda it: abs(it["pose"]["pose"]["orientation"]["z"] - before["z"]) > 0.1)
assert after["header"]["frame_id"] in (f"{robot}/map", f"{robot}/odom"), after

stop = roslibpy.Service(ros, f"/{robot}/stop", "std_srvs/Trigger")
assert stop.call(roslibpy.ServiceRequest(), timeout=PATIENCE_S)["success"]

# What the bridge refuses it notes on /rosout.
notes, noted = [], threading.Event()
rosout = roslibpy.Topic(ros, "/rosout", "rosgraph_msgs/Log")
rosout.subscribe(lambda line: (notes.append(line), noted.set()))
velocity.publish(roslibpy.Message({"linear": {"X": 0.2}}))
assert noted.wait(PATIENCE_S), "a misspelt field is noted nowhere"
assert "linear.X" in notes[0]["msg"] and notes[0]["topics"] == [f"/{robot}/cmd_vel"], notes

fields = ros.get_message_details("sensor_msgs/Imu")["typedefs"][0]["fieldnames"]
assert all(field in imu for field in fields) and len(imu["orientation_covariance"]) == 9, (fields, imu)
assert f"/{robot}" in ros.get_nodes() and f"/{robot}/cmd_vel" in ros.get_node_details(f"/{robot}")["subscribing"]
assert ros.get_service_type(f"/{robot}/stop") == "std_srvs/Trigger"
speed = roslibpy.Param(ros, "/my_app/speed")
speed.set(0.5)
assert speed.get() == 0.5 and "/my_app/speed" in ros.get_params()

# Where it is, computed by the bridge and published on a topic for this program.
frames = roslibpy.tf.TFClient(ros, fixed_frame=f"{robot}/base_link", rate=20, angular_threshold=0.01, translation_threshold=0.01)
found, heard = [], threading.Event()
frames.subscribe(f"{robot}/odom", lambda transform: (found.append(transform), heard.set()))
assert heard.wait(PATIENCE_S), "no transform comes"
assert abs(sum(found[0]["rotation"][part] ** 2 for part in "xyzw") - 1) < 1e-6, found

# A topic and a service of its own; the bridge passes them on.
state, states, heard = roslibpy.Topic(ros, "/my_app/state", "std_msgs/String"), [], threading.Event()
state.subscribe(lambda message: (states.append(message), heard.set()))
state.publish(roslibpy.Message({"data": "ready"}))
assert heard.wait(PATIENCE_S) and states == [{"data": "ready"}], states
switch = roslibpy.Service(ros, "/my_app/switch", "std_srvs/SetBool")


def switched(request, response):
    response["success"], response["message"] = request["data"], "as asked"
    return True


switch.advertise(switched)
# What is answered comes after it.
ros.get_time()
other = roslibpy.Ros(host=host, port=port)
other.run(timeout=PATIENCE_S)
answer = roslibpy.Service(other, "/my_app/switch", "std_srvs/SetBool").call(roslibpy.ServiceRequest({"data": True}), timeout=PATIENCE_S)
assert answer == {"success": True, "message": "as asked"}, answer
switch.unadvertise()
other.close()

lamp = roslibpy.Topic(ros, f"/{robot}/set_lamp", "std_msgs/ColorRGBA")
lamp.publish(roslibpy.Message({"r": 1.0, "g": 0.5, "b": 0.0, "a": 1.0}))
velocity.unadvertise()
ros.terminate()
