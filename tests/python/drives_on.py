"""Sends a message over a WebSocket twenty times a second until it is killed: drives_on.py URL MESSAGE"""

import sys
import time

import websocket

url, message = sys.argv[1:]
socket = websocket.create_connection(url, timeout=10)
socket.send(message)
print("drives", flush=True)
while True:
    time.sleep(0.05)
    socket.send(message)
