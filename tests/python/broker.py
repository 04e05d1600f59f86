"""Messages at a broker as a shell sends and hears them: mosquitto_pub, mosquitto_sub."""

import contextlib
import json
import subprocess
import threading

from patience import PATIENCE_S

HOST = "127.0.0.1"
# A message that the broker keeps, which a subscriber receives as soon as it has subscribed.
KEPT = "listening"


def publish(port, topic, message, *options):
    subprocess.run(["mosquitto_pub", "-h", HOST, "-p", port, "-q", "1", "-t", topic, "-m", message, *options], check=True)


@contextlib.contextmanager
def heard(port, topics, hear):
    """Calls `hear` with the topic and the payload of each message that such topics have, from another thread.

    It yields once the broker has the subscription: an answer to what is published then is heard.
    """
    publish(port, KEPT, "yes", "-r")
    process = subprocess.Popen(
        ["stdbuf", "-oL", "mosquitto_sub", "-h", HOST, "-p", port, "-q", "2", "-F", "%j", "-t", topics, "-t", KEPT],
        stdout=subprocess.PIPE, text=True,
    )
    subscribed = threading.Event()

    def listen():
        for line in process.stdout:
            frame = json.loads(line)
            if frame["topic"] == KEPT:
                subscribed.set()
            else:
                hear(frame["topic"], str(frame["payload"]))

    threading.Thread(target=listen, daemon=True).start()
    try:
        assert subscribed.wait(PATIENCE_S), f"the broker does not confirm {topics}"
        yield
    finally:
        process.kill()
