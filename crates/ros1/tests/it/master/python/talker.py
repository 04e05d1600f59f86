"""Says `hello N` on a topic, ten times a second, until it is shut down: talker.py TOPIC NODE."""
import sys

import rospy
from std_msgs.msg import String

topic, name = sys.argv[1:3]
publisher = rospy.Publisher(topic, String, queue_size=10)
rospy.init_node(name)
rospy.on_shutdown(lambda: print("down", flush=True))
rate = rospy.Rate(10)
number = 0
while not rospy.is_shutdown():
    publisher.publish(f"hello {number}")
    number += 1
    try:
        rate.sleep()
    except rospy.ROSInterruptException:
        break
