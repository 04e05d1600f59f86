"""Subscribes to IMU under a name, says so, and reads until it is killed: hold.py ADDRESS NAME"""

import json
import sys

import websocket

address, name = sys.argv[1:]
socket = websocket.create_connection(f"ws://{address}/pubsub")
socket.send(json.dumps({"Operation": "subscribe", "Type": "IMU", "DebounceMs": 0, "EventName": name}))
print(socket.recv(), flush=True)
while True:
    socket.recv()
