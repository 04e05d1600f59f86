"""What roslibpy asks of robots of every family.

commands_rosbridge.py HOST:PORT LATIMER
"""

import math

import roslibpy
from cells import PATIENCE_S
from cells_commands import HEAD_RAD, LAMP, SPEED_MPS, joint_of, prove
from cells_proof import exits, scene_of

scene = scene_of("rosbridge")
NONE = {"x": 0.0, "y": 0.0, "z": 0.0}
TOPICS = {
    "cmd_vel": "geometry_msgs/Twist", "goal": "geometry_msgs/PoseStamped", "set_lamp": "std_msgs/ColorRGBA",
    "set_joint": "sensor_msgs/JointState", "initialpose": "geometry_msgs/PoseWithCovarianceStamped", "move_base/cancel": "actionlib_msgs/GoalID",
}
published = {}


def publish(name, topic, message):
    published[name, topic].publish(roslibpy.Message(message))


def call(name, service, kind, request):
    called = roslibpy.Service(bridge, f"/{name.replace('-', '_')}/{service}", kind)
    answer = called.call(roslibpy.ServiceRequest(request), timeout=PATIENCE_S)
    assert answer["success"], (name, service, answer)


def place(name, x, y):
    half = scene.truth(name)["yaw_rad"] / 2.0
    return {"position": {**NONE, "x": x, "y": y}, "orientation": {**NONE, "z": math.sin(half), "w": math.cos(half)}}


def goal(name, x, y):
    publish(name, "goal", {"header": {"frame_id": "map"}, "pose": place(name, x, y)})


def initial_pose(name, x, y):
    publish(name, "initialpose", {"header": {"frame_id": "map"}, "pose": {"pose": place(name, x, y)}})


def turn_joint(name):
    publish(name, "set_joint", {"name": [joint_of(scene, name)], "position": [HEAD_RAD]})


SENDS = {
    "drive": lambda name: publish(name, "cmd_vel", {"linear": {**NONE, "x": SPEED_MPS}, "angular": NONE}),
    "stop": lambda name: call(name, "stop", "std_srvs/Trigger", {}),
    "navigate": goal,
    # An empty id is every goal.
    "cancel_navigation": lambda name: publish(name, "move_base/cancel", {"id": ""}),
    "set_pose": initial_pose,
    "joints": turn_joint,
    "lamp": lambda name: publish(name, "set_lamp", {**dict(zip("rgb", (value / 255.0 for value in LAMP))), "a": 1.0}),
    "emergency_stop": lambda name, on: call(name, "emergency_stop", "std_srvs/SetBool", {"data": on}),
}


def proves():
    bridge.run(timeout=PATIENCE_S)
    for name in scene.robots:
        for topic, kind in TOPICS.items():
            published[name, topic] = roslibpy.Topic(bridge, f"/{name.replace('-', '_')}/{topic}", kind)
            published[name, topic].advertise()
    prove(scene, SENDS)


bridge = roslibpy.Ros(host=f"ws://{scene.gateway}/rosbridge")
# The client's reactor would go on.
exits(proves)
