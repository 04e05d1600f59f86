"""What rospy asks of robots of every family as MiRos.

commands_miro.py HOST:PORT LATIMER
"""

import time

import rospy
from cells import PATIENCE_S
from cells_commands import HEAD_RAD, LAMP, SPEED_MPS, WIDTH_PX, prove
from cells_proof import scene_of
from miro_msgs.msg import platform_config, platform_control

scene = scene_of("miro")
# The joint of the head's yaw, as fast as it goes.
YAW, FASTEST = 2, -1.0
LAMPS = 6
# The first sound.
SOUND = 1


def publisher(name, topic, kind):
    return rospy.Publisher(f"/miro/{name.replace('-', '_')}/{topic}", kind, queue_size=1)


def control(name, **fields):
    message = platform_control()
    for field, value in fields.items():
        setattr(message, field, value)
    CONTROLS[name].publish(message)


def drive(name):
    message = platform_control()
    message.body_vel.linear.x = 1e3 * SPEED_MPS
    CONTROLS[name].publish(message)


def turn_head(name):
    message = platform_control()
    message.body_config[YAW], message.body_config_speed[YAW] = HEAD_RAD, FASTEST
    CONTROLS[name].publish(message)


rospy.init_node("cells", disable_signals=True)
CONTROLS = {name: publisher(name, "platform/control", platform_control) for name in scene.robots}
CONFIGS = {name: publisher(name, "platform/config", platform_config) for name in scene.robots}
end = time.monotonic() + PATIENCE_S
while any(it.get_num_connections() == 0 for it in [*CONTROLS.values(), *CONFIGS.values()]):
    assert time.monotonic() < end, "nobody follows the controls"
    time.sleep(0.05)
try:
    prove(scene, {
        "drive": drive,
        "stop": control,
        "joints": turn_head,
        "lamp": lambda name: control(name, lights_raw=bytes(LAMP) * LAMPS),
        "play": lambda name: control(name, sound_index_P1=SOUND),
        "camera": lambda name: CONFIGS[name].publish(platform_config(frame_size=WIDTH_PX, frame_rate=5.0)),
    })
finally:
    rospy.signal_shutdown("done")
