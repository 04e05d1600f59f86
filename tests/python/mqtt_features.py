"""paho-mqtt, unmodified: what a broker must do, in MQTT 3.1.1 and 5.

mqtt_features.py HOST PORT TRANSPORT [USER PASSWORD]   TRANSPORT is tcp or websockets
"""

import queue
import socket
import sys
import uuid

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from patience import PATIENCE_S

HOST, PORT, TRANSPORT, *LOGIN = sys.argv[1:]
KEPT_S = 600


class Client:
    """A client whose messages are read one by one."""

    def __init__(self, version, name="", clean=True, will=None):
        self.heard = queue.Queue()
        self.connected = queue.Queue()
        self.subscribed = queue.Queue()
        options = {"clean_session": clean} if version == mqtt.MQTTv311 else {}
        self.client = mqtt.Client(
            mqtt.CallbackAPIVersion.VERSION2,
            client_id=name or f"paho-{uuid.uuid4().hex}",
            protocol=version,
            transport=TRANSPORT,
            **options,
        )
        if LOGIN:
            self.client.username_pw_set(*LOGIN)
        if will:
            self.client.will_set(*will)
        self.client.on_message = lambda _c, _u, message: self.heard.put(message)
        self.client.on_connect = lambda _c, _u, flags, reason, _p: self.connected.put((flags, reason))
        self.client.on_subscribe = lambda _c, _u, _mid, reasons, _p: self.subscribed.put(reasons)
        self.version, self.clean = version, clean

    def open(self):
        options = {}
        if self.version == mqtt.MQTTv5:
            kept = Properties(PacketTypes.CONNECT)
            kept.SessionExpiryInterval = 0 if self.clean else KEPT_S
            options = {"clean_start": self.clean, "properties": kept}
        self.client.connect(HOST, int(PORT), keepalive=30, **options)
        self.client.loop_start()
        flags, reason = self.connected.get(timeout=PATIENCE_S)
        assert not reason.is_failure, reason
        self.session_present = flags.session_present
        return self

    def subscribe(self, topic, qos):
        self.client.subscribe(topic, qos)
        granted = self.subscribed.get(timeout=PATIENCE_S)
        assert [reason.value for reason in granted] == [qos], granted
        return self

    def publish(self, topic, payload, qos, retain=False):
        self.client.publish(topic, payload, qos, retain).wait_for_publish(PATIENCE_S)

    def next(self):
        return self.heard.get(timeout=PATIENCE_S)

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()

    def vanish(self):
        """Without a word."""
        self.client.loop_stop()
        self.client.socket().close()


def qualities_of_service(version, topic):
    hears = Client(version).open().subscribe(f"{topic}/+", 2)
    says = Client(version).open()
    for qos in (0, 1, 2):
        for number in range(200):
            says.client.publish(f"{topic}/{qos}", str(number), qos)
        for number in range(200):
            message = hears.next()
            assert (message.topic, message.payload, message.qos) == (f"{topic}/{qos}", str(number).encode(), qos)
            assert not message.retain
    assert hears.heard.empty()
    hears.close()
    says.close()


def retained(version, topic):
    says = Client(version).open()
    says.publish(topic, "first", 1, retain=True)
    says.publish(topic, "last", 2, retain=True)
    hears = Client(version).open().subscribe(topic, 1)
    message = hears.next()
    assert (message.payload, message.retain) == (b"last", True), message.payload
    says.publish(topic, "", 1, retain=True)
    assert hears.next().payload == b""
    late = Client(version).open().subscribe(topic, 1)
    says.publish(topic, "now", 1)
    message = late.next()
    assert (message.payload, message.retain) == (b"now", False), "what was cleared is kept"
    for client in (says, hears, late):
        client.close()


def last_will(version, topic):
    hears = Client(version).open().subscribe(f"{topic}/+", 1)
    polite = Client(version, will=(f"{topic}/polite", "gone", 1, False)).open()
    polite.close()
    rude = Client(version, will=(f"{topic}/rude", "gone", 1, True)).open()
    rude.vanish()
    message = hears.next()
    assert (message.topic, message.payload) == (f"{topic}/rude", b"gone"), message.topic
    late = Client(version).open().subscribe(f"{topic}/+", 1)
    assert late.next().retain
    late.publish(f"{topic}/rude", "", 1, retain=True)
    hears.close()
    late.close()


def persistent_session(version, topic):
    name = f"kept-{uuid.uuid4().hex}"
    first = Client(version, name, clean=False).open().subscribe(topic, 2)
    assert not first.session_present
    first.close()
    says = Client(version).open()
    for number in range(20):
        says.publish(topic, str(number), 2)
    again = Client(version, name, clean=False).open()
    assert again.session_present
    heard = [again.next().payload for _ in range(20)]
    assert heard == [str(number).encode() for number in range(20)], heard
    again.close()
    fresh = Client(version, name).open()
    assert not fresh.session_present
    fresh.close()
    says.close()


def both_versions_meet(topic):
    old = Client(mqtt.MQTTv311).open().subscribe(topic, 2)
    new = Client(mqtt.MQTTv5).open().subscribe(topic, 2)
    for client in (old, new):
        client.publish(topic, "hello", 2)
        assert old.next().payload == new.next().payload == b"hello"
    old.close()
    new.close()


socket.setdefaulttimeout(PATIENCE_S)
for version, word in ((mqtt.MQTTv311, "3.1.1"), (mqtt.MQTTv5, "5")):
    for feature in (qualities_of_service, retained, last_will, persistent_session):
        feature(version, f"features/{uuid.uuid4().hex}")
        print(f"MQTT {word}: {feature.__name__}", flush=True)
both_versions_meet(f"features/{uuid.uuid4().hex}")
print("done", flush=True)
