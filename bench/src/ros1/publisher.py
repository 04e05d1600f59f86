"""A publisher in rospy: publisher.py TOPIC image|sensors RATE"""

import sys

import rospy
from miro_msgs.msg import platform_sensors
from sensor_msgs.msg import Image

topic, what, rate = sys.argv[1], sys.argv[2], float(sys.argv[3])
rospy.init_node("rospy_publisher", disable_signals=True)
if what == "image":
    message = Image(width=320, height=240, encoding="rgb8", step=960, data=bytes(range(256)) * 900)
else:
    message = platform_sensors()
publisher = rospy.Publisher(topic, type(message), queue_size=2, tcp_nodelay=True)
pace = rospy.Rate(rate)
while not rospy.is_shutdown():
    message.header.stamp = rospy.Time.now()
    publisher.publish(message)
    pace.sleep()
