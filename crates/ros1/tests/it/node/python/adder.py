"""Offers /adder/set_bool, which says what it was asked, and calls a service of another node twice over one connection."""

import sys

import rospy
from roscpp.srv import GetLoggers, SetLoggerLevel
from std_srvs.srv import SetBool, SetBoolResponse

rospy.init_node("adder")


def answer(request):
    if not request.data:
        raise rospy.ServiceException("only true is answered")
    return SetBoolResponse(success=request.data, message="rospy was asked")


rospy.Service("~set_bool", SetBool, answer)
rospy.wait_for_service(sys.argv[1], timeout=30)
switch = rospy.ServiceProxy(sys.argv[1], SetBool, persistent=True)
print(switch(True).message, switch(True).success)
try:
    switch(False)
except rospy.ServiceException as error:
    print(error)
node = sys.argv[1].rsplit("/", 1)[0]
rospy.ServiceProxy(node + "/set_logger_level", SetLoggerLevel)("ros", "ERROR")
print([(it.name, it.level) for it in rospy.ServiceProxy(node + "/get_loggers", GetLoggers)().loggers])
try:
    rospy.ServiceProxy(node + "/set_logger_level", SetLoggerLevel)("ros", "loud")
except rospy.ServiceException as error:
    print(error)
print("ready", flush=True)
rospy.spin()
