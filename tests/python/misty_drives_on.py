"""A program for a Misty that sets a speed and goes on living, until somebody kills it: keeps a WebSocket, and posts with `requests`."""

import sys
import time

import requests
import websocket

address = sys.argv[1]
socket = websocket.create_connection(f"ws://{address}/pubsub", timeout=10)
answer = requests.post(f"http://{address}/api/drive", json={"LinearVelocity": 10, "AngularVelocity": 0}, timeout=10)
assert answer.status_code == 200, answer.text
print("drives", flush=True)
while True:
    time.sleep(60)
