"""A robot of the reference's Java library, message by message: pera_robot.py PORT

Its robot/create has an unquoted word in it, its numbers are written as Java writes them, it reads distances as whole numbers
and gives up after a second.
"""

import random
import sys
import time

from swarm import Peer

PORT = int(sys.argv[1])
TIMEOUT_S = 1.0


class Robot(Peer):
    def __init__(self, number, x, y, heading):
        super().__init__(PORT, f"client_{random.random()}", qos=1)
        self.number, self.x, self.y, self.heading, self.state = number, float(x), float(y), float(heading), "WAIT"
        self.subscribe("localization/update/?", f"robot/msg/{number}", "robot/msg/broadcast")
        self.publish(
            "robot/create",
            f'{{"heading":{self.heading},"x":{self.x},"y":{self.y},"reality":V,"id":{number}}}',
        )

    def setup(self):
        number = self.number
        for sensor in ("distance", "color"):
            self.subscribe(f"sensor/{sensor}/{number}", f"sensor/{sensor}/{number}/?")
        self.subscribe(f"sensor/proximity/{number}", f"comm/in/simple/{number}", f"comm/in/direct/{number}")
        self.publish("output/neopixel", f'{{"R":66,"B":66,"G":66,"id":{number}}}')
        self.place(self.x, self.y, self.heading)

    def place(self, x, y, heading):
        self.x, self.y, self.heading = float(x), float(y), float(heading)
        self.publish(
            "localization/update",
            f'[{{"heading":{self.heading},"x":{self.x},"y":{self.y},"reality":"V","id":{self.number}}}]',
        )

    def ask(self, sensor, request, timeout_s=TIMEOUT_S):
        self.publish(f"sensor/{sensor}", request)
        payload, qos, retained = self.take(f"sensor/{sensor}/{self.number}", patience_s=timeout_s)
        # The robot subscribed with QoS 1, so an answer of QoS 2 arrives with 1.
        assert qos == 1 and not retained, (payload, qos, retained)
        return payload

    def distance(self, reality="M"):
        return int(self.ask("distance", f'{{"reality":"{reality}","id":{self.number}}}'))

    def color(self, reality="M"):
        text = self.ask("color", f'{{"reality":"{reality}","id":{self.number}}}')
        return [int(word) for word in text.split(" ")]

    def proximity(self, angles):
        request = f'{{"angles":{angles},"reality":"V","id":{self.number}}}'
        return self.ask("proximity", request, timeout_s=2 * TIMEOUT_S)

    def obey(self):
        """Does what it is told; the last two words decide."""
        text, *_ = self.take(f"robot/msg/{self.number}")
        kind, value = text.split(" ")
        self.state = {"START": "RUN", "STOP": "WAIT", "RESET": "BEGIN"}[kind]
        return kind, int(value)


robot = Robot(11, 9, 9, 90)
# What it sent is no JSON, and yet it is known: a robot that asks now is answered.
robot.subscribe("localization/11")
robot.publish("localization", "11")
x, y, heading = (float(word) for word in robot.take("localization/11")[0].split(" "))
assert (x, y, heading) == (9, 9, 90), (x, y, heading)
robot.setup()

# The reference simulator's own numbers in its default arena.
for place, expected in [((10, 10, 0), 74), ((0, 0, 45), 122), ((120, 0, 0), 994)]:
    robot.place(*place)
    assert robot.distance() == expected, (place, expected)
for place, expected in [((60, 0, 0), [64] * 4), ((59.9, 0, 0), [0] * 4)]:
    robot.place(*place)
    assert robot.color() == expected, (place, expected)
robot.place(70, 20, 0)
assert robot.proximity("[-90,0,90]") == "64 14 104 #000000 #404040 #000000"
assert robot.proximity("[]") == " "

# Another one in front of it: it is seen, and heard within its reach.
robot.place(0, 0, 0)
other = Robot(12, 30, 0, 180)
time.sleep(TIMEOUT_S)  # as the library does before it goes on
other.setup()
other.subscribe("localization/12")
other.publish("localization", "12")
other.take("localization/12")
assert robot.distance() == 21, "27 to the robot's edge, less the radius of 6"
other.publish("comm/out/simple", '{"msg":"to all","id":12,"dist":40}')
assert robot.take("comm/in/simple/11")[0] == "to all"
robot.publish("comm/out/direct", '{"msg":"to you","id":11,"dist":40}')
assert other.take("comm/in/direct/12")[0] == "to you"
robot.place(0, 0, 90)
robot.publish("localization", "11")
robot.take("localization/11", lambda text: text.endswith(" 90"))
robot.publish("comm/out/direct", '{"msg":"looks away","id":11,"dist":40}')
other.publish("comm/out/simple", '{"msg":"too far","id":12,"dist":10}')
# Who is asked later is answered later, so what did not come until then does not come.
robot.distance()
other.distance()
assert not [it for it in other.heard if it[0] == "comm/in/direct/12"], other.heard
assert not [it for it in robot.heard if it == ("comm/in/simple/11", "too far", 1, False)], robot.heard

# A robot that nobody knows gets no answer.
stranger = Peer(PORT, "stranger")
stranger.subscribe("sensor/distance/4711")
stranger.publish("sensor/distance", '{"reality":"M","id":4711}')
robot.distance()
stranger.nothing("sensor/distance/4711", 0.3)
print("pera_robot: ok")
