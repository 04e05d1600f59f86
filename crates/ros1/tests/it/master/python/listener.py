"""Prints what comes on a topic, and each value of a parameter that it follows: listener.py TOPIC NODE PARAMETER."""
import signal
import sys

import rospy
from std_msgs.msg import String

topic, name, parameter = sys.argv[1:4]
# rospy's own handler calls the master from within the signal. Where that interrupts a call of the master, here to ask for a
# parameter that is not set, it waits for ever for a lock that its own thread holds (rospy.core._LockedServerProxy).
rospy.init_node(name, disable_signals=True)
interrupted = []
signal.signal(signal.SIGINT, lambda *_: interrupted.append(True))
rospy.on_shutdown(lambda: print("down", flush=True))
rospy.Subscriber(topic, String, lambda message: print(message.data, flush=True))
last = None
while not (interrupted or rospy.is_shutdown()):
    # Again and again, since whoever gathers logs may come later.
    rospy.loginfo_throttle(0.5, "the listener listens")
    # Cached: the master tells it when it changes.
    value = rospy.get_param_cached(parameter, "nothing")
    if value != last:
        print(f"parameter {value}", flush=True)
        last = value
    try:
        rospy.sleep(0.05)
    except rospy.ROSInterruptException:
        break
rospy.signal_shutdown("its loop ended")
