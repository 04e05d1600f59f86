"""The visualiser and the sandbox, which speak over WebSocket: pera_screens.py PORT WEBSOCKET_PORT

What they need of each message is what their drawing code reads.
"""

import json
import re
import sys

from swarm import Peer

PORT, WEBSOCKET_PORT = (int(text) for text in sys.argv[1:3])


def screen(name):
    return Peer(WEBSOCKET_PORT, f"client_{name}", clean=False, websocket=True)


robot = Peer(PORT, "robot_21")
robot.publish("robot/create", '{"id":21,"x":20,"y":-10,"heading":30.0,"reality":"V"}')
robot.subscribe("localization/21", "robot/msg/21")
robot.publish("localization", "21")
robot.take("localization/21")

visualiser = screen("visualiser")
visualiser.subscribe("localization/data", "localization/update", "robot/create", "robot/delete")
visualiser.subscribe("robot/msg/broadcast", "output/neopixel", "obstacles", "obstacles/delete")
visualiser.subscribe("obstacles/delete/all", "mgt/visualizer", "config/arena/", "mgt/robots/?")

# The arena waits for whoever comes late.
arena, _, retained = visualiser.take("config/arena/")
arena = json.loads(arena)
assert retained and arena["xMin"] == -90 and arena["xMax"] == 90 and arena["units"] == "virtual", arena

visualiser.publish("obstacles/?", "M")
obstacles = json.loads(visualiser.take("obstacles")[0])
assert len(obstacles) >= 4, obstacles
for obstacle in obstacles:
    assert {"id", "geometry", "material", "position", "rotation", "reality"} <= obstacle.keys(), obstacle
    assert obstacle["geometry"]["type"] in ("BoxGeometry", "CylinderGeometry"), obstacle
    assert obstacle["material"]["properties"]["color"].startswith("#"), obstacle
walls = [it for it in obstacles if it["id"].endswith(" (Wall)")]
assert {"width", "height", "depth"} <= walls[0]["geometry"].keys(), walls[0]

visualiser.publish("localization/data/?", "M")
places = {it["id"]: it for it in json.loads(visualiser.take("localization/data")[0])}
assert (places["21"]["x"], places["21"]["y"], places["21"]["heading"]) == (20, -10, 30), places
assert places["21"]["reality"] == "V", places

visualiser.publish("mgt/robots/snapshot", '{"id":21}')
snapshot = json.loads(visualiser.take("mgt/robots/?")[0])
assert snapshot["id"] == 21 and snapshot["coordinates"]["x"] == 20, snapshot
assert re.fullmatch(r"\d\d:\d\d:\d\d", snapshot["live"]), snapshot

# The sandbox writes every number as a text.
sandbox = screen("sandbox")
sandbox.subscribe("sensor/distance/31", "sensor/color/31", "sensor/proximity/31", "comm/in/simple/31")
sandbox.publish("robot/create", json.dumps({"id": "31", "x": "10", "y": "10", "heading": "0", "reality": "V"}))
sandbox.publish("localization/update", json.dumps([{"id": "31", "x": "10", "y": "10", "heading": "0", "reality": "V"}]))
sandbox.publish("sensor/distance", json.dumps({"id": "31", "dist": "25"}))
assert int(sandbox.take("sensor/distance/31")[0]) == 74
sandbox.publish("sensor/color", json.dumps({"id": "31", "R": "1", "G": "2", "B": "3", "ambient": "2"}))
assert len(sandbox.take("sensor/color/31")[0].split()) == 4
sandbox.publish("sensor/proximity", json.dumps({"id": "31", "reality": "V"}))
assert sandbox.take("sensor/proximity/31")[0] == "74 #000000"
sandbox.publish("comm/out/simple", json.dumps({"id": "21", "msg": "hello"}))
assert sandbox.take("comm/in/simple/31")[0] == "hello"
# It sends to robots, too.
sandbox.publish("robot/msg/21", "STOP -1")
assert robot.take("robot/msg/21")[0] == "STOP -1"
print("pera_screens: ok")
