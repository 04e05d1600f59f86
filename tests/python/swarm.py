"""What the clients of a swarm have in common: a connection that keeps what came, by topic."""

import time

import paho.mqtt.client as mqtt
from patience import PATIENCE_S

# Real clients always log in; a broker without users does not mind.
USER, PASSWORD = "swarm_user", "swarm_usere15"


class Peer:
    """A client in the swarm's channel; `heard` holds what came and nobody has taken yet."""

    def __init__(self, port, client_id, channel="v1", qos=0, clean=True, websocket=False, login=True):
        self.channel, self.qos, self.heard = channel, qos, []
        transport = "websockets" if websocket else "tcp"
        self.client = mqtt.Client(
            mqtt.CallbackAPIVersion.VERSION2,
            client_id=client_id,
            clean_session=clean,
            protocol=mqtt.MQTTv311,
            transport=transport,
        )
        if websocket:
            self.client.ws_set_options(path="/mqtt")
        if login:
            self.client.username_pw_set(USER, PASSWORD)
        self.granted, self.failure = set(), None
        self.client.on_connect = self._connected
        self.client.on_subscribe = lambda _c, _u, number, _codes, _p: self.granted.add(number)
        self.client.on_message = self._message
        self.client.connect("127.0.0.1", port, 60)
        self.client.loop_start()
        self._until(self.client.is_connected, "the connection")

    def _connected(self, _client, _user, _flags, reason, _properties):
        if reason.is_failure:
            self.failure = str(reason)

    def _message(self, _client, _user, message):
        topic = message.topic
        if self.channel:
            prefix = f"{self.channel}/"
            assert topic.startswith(prefix), topic
            topic = topic[len(prefix) :]
        self.heard.append((topic, message.payload.decode(), message.qos, message.retain))

    def _until(self, holds, what, patience_s=PATIENCE_S):
        deadline = time.monotonic() + patience_s
        while not holds():
            assert self.failure is None, self.failure
            assert time.monotonic() < deadline, f"{what} did not come; heard {self.heard[-20:]}"
            # The library's own thread fills the lists and has no way to wake this one.
            time.sleep(0.005)

    def full(self, topic):
        return f"{self.channel}/{topic}" if self.channel else topic

    def subscribe(self, *topics):
        """Subscribes, and waits until the broker has granted it."""
        for topic in topics:
            _, number = self.client.subscribe(self.full(topic), self.qos)
            self._until(lambda: number in self.granted, f"the grant of {topic}")

    def publish(self, topic, payload, qos=0):
        self.client.publish(self.full(topic), payload, qos=qos)

    def take(self, topic, fits=lambda payload: True, patience_s=PATIENCE_S):
        """The oldest message of a topic that fits, taken out: payload, QoS, retained."""
        found = []

        def look():
            for i, (name, payload, *rest) in enumerate(self.heard):
                if name == topic and fits(payload):
                    found.append((payload, *rest))
                    del self.heard[i]
                    return True
            return False

        self._until(look, f"a fitting {topic}", patience_s)
        return found[0]

    def nothing(self, topic, for_s):
        """Waits, and makes sure that nothing came; only time can tell that."""
        time.sleep(for_s)
        came = [it for it in self.heard if it[0] == topic]
        assert not came, came

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()
