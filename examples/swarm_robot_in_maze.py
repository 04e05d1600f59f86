"""A virtual robot of the Pera Swarm finds its way out of a maze, in the body of any robot that drives.

swarm_robot_in_maze.py HOST PORT ID X Y GOAL_X GOAL_Y [CELL]    its number, the middle of its first cell and of the last one, and
                                                               the cells' side, in centimetres; 80 if not given

It says where it is with localization/update and reads distances with sensor/distance, as programs of the swarm do; it keeps to the
wall on its right. Latimer serves a robot as its body with

    [[pera.serve]]
    robot = "miro-1"
    id = 7
    body = true

Needs paho-mqtt.
"""

import json
import math
import queue
import random
import sys
import time

import paho.mqtt.client as mqtt

CHANNEL = "v1"
# A step of the program, and how fast it goes: centimetres, and centimetres a second.
STEP_CM, SPEED_CM = 10.0, 20.0
TIMEOUT_S = 1.0
# How near its body must be before it looks, and how long it may take there.
NEAR_CM, NEAR_DEGREES, BODY_S = 6.0, 8.0, 20.0


class Robot:
    def __init__(self, host, port, number, x, y):
        self.number, self.x, self.y, self.heading = number, x, y, 0.0
        self.heard = queue.Queue()
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=f"client_{random.random()}")
        self.client.on_connect = lambda client, *_: client.subscribe(
            [(f"{CHANNEL}/{topic}/{number}", 1) for topic in ("sensor/distance", "localization")]
        )
        self.client.on_message = lambda _client, _data, message: self.heard.put(message)
        self.client.connect(host, port, 60)
        self.client.loop_start()
        place = {"id": number, "x": x, "y": y, "heading": self.heading, "reality": "V"}
        self.publish("robot/create", json.dumps(place))
        self.go_on()

    def publish(self, topic, payload):
        self.client.publish(f"{CHANNEL}/{topic}", payload)

    def ask(self, topic, payload):
        """The answer on the topic's level of this robot."""
        while True:
            self.publish(topic, payload)
            end = time.monotonic() + TIMEOUT_S
            while (left := end - time.monotonic()) > 0:
                try:
                    message = self.heard.get(timeout=left)
                except queue.Empty:
                    break
                if message.topic == f"{CHANNEL}/{topic}/{self.number}":
                    return message.payload.decode()

    def go_on(self):
        place = {"id": self.number, "x": self.x, "y": self.y, "heading": self.heading, "reality": "V"}
        self.publish("localization/update", json.dumps([place]))

    def await_body(self):
        """Waits until its body stands where the program is."""
        end = time.monotonic() + BODY_S
        while time.monotonic() < end:
            x, y, heading = map(float, self.ask("localization", str(self.number)).split(" "))
            off = abs((heading - self.heading + 180.0) % 360.0 - 180.0)
            if math.dist((x, y), (self.x, self.y)) < NEAR_CM and off < NEAR_DEGREES:
                return
            time.sleep(0.1)
        raise SystemExit(f"robot {self.number} did not get to {self.x:.0f}, {self.y:.0f}")

    def distance(self):
        self.await_body()
        # What it saw while it turned is over.
        time.sleep(0.3)
        return int(self.ask("sensor/distance", json.dumps({"id": self.number, "reality": "M"})))

    def turn(self, degrees):
        self.heading = (self.heading + degrees + 180.0) % 360.0 - 180.0
        self.go_on()

    def forward(self, way):
        begun = time.monotonic()
        for step in range(1, round(way / STEP_CM) + 1):
            self.x += STEP_CM * math.cos(math.radians(self.heading))
            self.y += STEP_CM * math.sin(math.radians(self.heading))
            self.go_on()
            time.sleep(max(0.0, begun + step * STEP_CM / SPEED_CM - time.monotonic()))


def main():
    host, port, number = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    x, y, goal_x, goal_y = map(float, sys.argv[4:8])
    cell = float(sys.argv[8]) if len(sys.argv) > 8 else 80.0
    robot = Robot(host, port, number, x, y)
    while math.dist((robot.x, robot.y), (goal_x, goal_y)) > cell / 2.0:
        # Right if that is free, else ahead, else left, else back.
        robot.turn(-90.0)
        while robot.distance() < 0.7 * cell:
            robot.turn(90.0)
        robot.forward(cell)
        robot.await_body()
        print(f"in the cell at {robot.x:.0f}, {robot.y:.0f}", flush=True)
    print("through the maze", flush=True)


main()
