"""Writes a bag for roscpp to play: bag.py FILE TOPIC image|sensors RATE COUNT"""

import sys

import rosbag
import rospy
from miro_msgs.msg import platform_sensors
from sensor_msgs.msg import Image

path, topic, what, rate, count = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]), int(sys.argv[5])
if what == "image":
    message = Image(width=320, height=240, encoding="rgb8", step=960, data=bytes(range(256)) * 900)
else:
    message = platform_sensors()
with rosbag.Bag(path, "w") as bag:
    for i in range(count):
        # Stamped as it is recorded, so that a receiver of the playback knows when it was due.
        message.header.stamp = rospy.Time.from_sec(1_000_000_000.0 + i / rate)
        bag.write(topic, message, message.header.stamp)
