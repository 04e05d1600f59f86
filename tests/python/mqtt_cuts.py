"""paho-mqtt, unmodified, of either line: messages of QoS 1 and 2 over connections that break off all the time.

mqtt_cuts.py PORT COUNT VERSION   VERSION is 4 or 5
"""

import os
import sys
import threading
import time

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

PORT, COUNT, VERSION = map(int, sys.argv[1:])
# A hang is told from a busy machine.
PATIENCE_S = 90 + COUNT
KEPT_S = 600
# Whether the client library is of the line with named versions of its callbacks.
NEW = hasattr(mqtt, "CallbackAPIVersion")


def client(name):
    options = {"client_id": name, "protocol": VERSION}
    if VERSION == mqtt.MQTTv311:
        options["clean_session"] = False
    made = mqtt.Client(mqtt.CallbackAPIVersion.VERSION1, **options) if NEW else mqtt.Client(**options)
    made.reconnect_delay_set(0.02, 0.05)
    return made


def connect(one):
    """Again if the first connection breaks off at once."""
    options = {}
    if VERSION == mqtt.MQTTv5:
        kept = Properties(PacketTypes.CONNECT)
        kept.SessionExpiryInterval = KEPT_S
        options = {"clean_start": False, "properties": kept}
    while True:
        try:
            one.connect("127.0.0.1", PORT, keepalive=30, **options)
            one.loop_start()
            return
        except OSError:
            time.sleep(0.05)


def ends(problem):
    print(problem or "done", flush=True)
    os._exit(1 if problem else 0)


def main():
    received = {1: [], 2: []}
    subscribed = threading.Event()
    subscriber, publisher = client("subscriber"), client("publisher")
    subscriber.on_message = lambda _c, _u, it: received[1 + int(it.payload) % 2].append(int(it.payload))
    # What was asked for when the connection broke off is asked for again.
    subscriber.on_connect = lambda *_: subscribed.is_set() or subscriber.subscribe("cuts/#", 2)
    subscriber.on_subscribe = lambda *_: subscribed.set()
    connect(subscriber)
    if not subscribed.wait(PATIENCE_S):
        ends("nothing was granted")
    connect(publisher)
    confirmed = set()
    publisher.on_publish = lambda _c, _u, mid: confirmed.add(mid)
    # What is published while it is not connected waits in the client.
    sent = [publisher.publish(f"cuts/{number % 2}", str(number), 1 + number % 2).mid for number in range(COUNT)]
    until = time.monotonic() + PATIENCE_S
    whole = lambda: all(len(set(received[qos])) == (COUNT + 2 - qos) // 2 for qos in received)
    while not (whole() and confirmed >= set(sent)) and time.monotonic() < until:
        time.sleep(0.05)
    # A message that comes twice would come now.
    time.sleep(0.5)
    expected = {qos: [it for it in range(COUNT) if 1 + it % 2 == qos] for qos in received}
    firsts = list(dict.fromkeys(received[1]))
    problems = []
    for qos, got in ((1, firsts), (2, received[2])):
        if sorted(set(got)) != expected[qos]:
            problems.append(f"QoS {qos}: lost {sorted(set(expected[qos]) - set(got))}")
        elif len(got) > len(expected[qos]):
            problems.append(f"QoS {qos}: twice {sorted(it for it in set(got) if got.count(it) > 1)}")
        elif got != expected[qos]:
            problems.append(f"QoS {qos}: out of order {got}")
    unconfirmed = [number for number, mid in enumerate(sent) if mid not in confirmed]
    if unconfirmed:
        problems.append(f"not confirmed: {unconfirmed}")
    ends("; ".join(problems))


main()
