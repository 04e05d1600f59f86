"""What a server of the swarm asks of robots of every family: mosquitto_pub.

commands_swarm.py HOST:PORT LATIMER BROKER-PORT
"""

import re
import subprocess
import sys

from cells_commands import LAMP, SPOKEN, prove
from cells_proof import scene_of

scene = scene_of("pera")
BROKER, CHANNEL = sys.argv[3], "v1/"
NUMBERS = {
    name: next(re.search(r"robot/msg/(\d+)", it["try_line"])[1] for it in robot["endpoints"] if it["dialect"] == "pera")
    for name, robot in scene.robots.items()
}


def publish(topic, message):
    subprocess.run(["mosquitto_pub", "-h", "127.0.0.1", "-p", BROKER, "-q", "1", "-t", CHANNEL + topic, "-m", message], check=True)


SENDS = {
    "stop": lambda name: publish(f"robot/msg/{NUMBERS[name]}", "STOP -1"),
    "lamp": lambda name: publish(f"output/neopixel/{NUMBERS[name]}", " ".join(map(str, LAMP))),
    "skill_message": lambda name: publish(f"comm/in/simple/{NUMBERS[name]}", SPOKEN),
}
# A goal is where the program of a robot says that it is, and that needs a configuration of its own: see the maze.
for commands in scene.commands.values():
    del commands["navigate"]
prove(scene, SENDS)
