"""A robot in rospy: publisher.py imu|picture BYTES, on /imu at 50 Hz or on /picture/compressed at 10 Hz"""

import sys

import rospy
from sensor_msgs.msg import CompressedImage, Imu

what, size = sys.argv[1], int(sys.argv[2])
rospy.init_node("robot", disable_signals=True)
if what == "imu":
    topic, message, rate = "/imu", Imu(), 50
    message.linear_acceleration.z = 9.81
else:
    topic, message, rate = "/picture/compressed", CompressedImage(format="jpeg", data=bytes(size)), 10
publisher = rospy.Publisher(topic, type(message), queue_size=2, tcp_nodelay=True)
pace = rospy.Rate(rate)
while not rospy.is_shutdown():
    message.header.stamp = rospy.Time.now()
    publisher.publish(message)
    pace.sleep()
