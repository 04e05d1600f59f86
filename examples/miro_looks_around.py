"""A program for a MiRo, with rospy, makes any robot that has a head look to the left and to the right.

With `latimer demo` running, and the messages of the MiRo's own developer kit on the path:

    ROS_MASTER_URI=http://127.0.0.1:11311 python3 miro_looks_around.py misty_1

miro_looks_around.py NAME   the robot's name in ROS
"""

import math
import sys

import rospy
from miro_msgs.msg import platform_control, platform_sensors

NAME = sys.argv[1]
# Tilt, lift, yaw and pitch; where the head begins, and how far it looks.
LEVEL = [math.radians(it) for it in (-5.0, 17.0, 0.0, -12.0)]
LOOKS = [math.radians(it) for it in (40.0, -40.0, 0.0)]
YAW = 2

rospy.init_node("miro_looks_around")
control = rospy.Publisher(f"/miro/{NAME}/platform/control", platform_control, queue_size=1)
seen = []
rospy.Subscriber(f"/miro/{NAME}/platform/sensors", platform_sensors, lambda it: seen.append(it.joint_state.position[YAW]))

rate = rospy.Rate(20)
for look in LOOKS:
    message = platform_control()
    message.body_config = list(LEVEL)
    message.body_config[YAW] = look
    message.body_config_speed = [-1.0] * 4
    end = rospy.get_time() + 20.0
    while not (seen and abs(seen[-1] - look) < 0.05):
        assert rospy.get_time() < end, f"the head stands at {seen[-1:]} and not at {look}"
        control.publish(message)
        rate.sleep()
    print(f"looks at {10 * round(math.degrees(seen[-1]) / 10)} degrees", flush=True)
