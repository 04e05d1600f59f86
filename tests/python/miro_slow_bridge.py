"""The bridge of a MiRo that takes its time for each control: miro_slow_bridge.py NAME ROBOT SECONDS

What the robot ROBOT publishes, NAME publishes at once; what is said to NAME, ROBOT hears SECONDS later, the newest alone."""

import sys
import time

import rospy
from miro_msgs.msg import platform_control, platform_sensors

NAME, ROBOT, SECONDS = sys.argv[1:]

rospy.init_node(f"slow_bridge_{NAME}")
control = rospy.Publisher(f"/miro/{ROBOT}/platform/control", platform_control, queue_size=1)
sensors = rospy.Publisher(f"/miro/{NAME}/platform/sensors", platform_sensors, queue_size=8)


def obey(message):
    time.sleep(float(SECONDS))
    control.publish(message)


rospy.Subscriber(f"/miro/{ROBOT}/platform/sensors", platform_sensors, sensors.publish, queue_size=8)
rospy.Subscriber(f"/miro/{NAME}/platform/control", platform_control, obey, queue_size=1)
rospy.spin()
