"""Publishes poses with a header, ten a second."""

import sys

import rospy
from geometry_msgs.msg import PoseStamped

rospy.init_node("talker", disable_signals=True)
publisher = rospy.Publisher(sys.argv[1], PoseStamped, queue_size=10)
print("ready", flush=True)
message = PoseStamped()
message.header.frame_id = "map"
rate = rospy.Rate(10)
while not rospy.is_shutdown():
    message.pose.position.x += 0.5
    message.header.stamp = rospy.Time.now()
    publisher.publish(message)
    rate.sleep()
