"""Prints each message of a std_msgs/String topic with the connection's header."""

import sys

import rospy
from std_msgs.msg import String


def show(message):
    header = message._connection_header
    print(message.data, header["callerid"], header["latching"], header["type"], flush=True)


rospy.init_node("listener", disable_signals=True)
rospy.Subscriber(sys.argv[1], String, show)
print("ready", flush=True)
rospy.spin()
