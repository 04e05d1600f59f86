"""What a server of the swarm asks of robots of every family: mosquitto_pub.

commands_swarm.py HOST:PORT LATIMER BROKER-PORT
"""

import sys

import broker
from cells_commands import LAMP, SPOKEN, prove
from cells_proof import scene_of

scene = scene_of("pera")
BROKER, CHANNEL = sys.argv[3], "v1/"
NUMBERS = scene.numbers()


def publish(topic, message):
    broker.publish(BROKER, CHANNEL + topic, message)


SENDS = {
    "stop": lambda name: publish(f"robot/msg/{NUMBERS[name]}", "STOP -1"),
    "lamp": lambda name: publish(f"output/neopixel/{NUMBERS[name]}", " ".join(map(str, LAMP))),
    "skill_message": lambda name: publish(f"comm/in/simple/{NUMBERS[name]}", SPOKEN),
}
# A goal is where the program of a robot says that it is, and that needs a configuration of its own: see the maze.
for commands in scene.commands.values():
    del commands["navigate"]
prove(scene, SENDS)
