"""paho-mqtt, unmodified, with its own delays before it reconnects: a line for each message of a topic.

mqtt_follow.py PORT TOPIC
"""

import sys

import paho.mqtt.client as mqtt

PORT, TOPIC = int(sys.argv[1]), sys.argv[2]

client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
client.on_connect = lambda *_: client.subscribe(TOPIC, 0)
client.on_message = lambda _c, _u, message: print(message.payload.decode(), flush=True)
client.connect("127.0.0.1", PORT, keepalive=30)
client.loop_forever()
