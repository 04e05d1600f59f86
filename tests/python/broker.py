"""Messages at a broker as a shell sends and hears them: mosquitto_pub, mosquitto_sub."""

import contextlib
import json
import subprocess
import threading

HOST = "127.0.0.1"


def publish(port, topic, message):
    subprocess.run(["mosquitto_pub", "-h", HOST, "-p", port, "-q", "1", "-t", topic, "-m", message], check=True)


@contextlib.contextmanager
def heard(port, topics, hear):
    """Calls `hear` with the topic and the payload of each message that such topics have, from another thread."""
    process = subprocess.Popen(
        ["stdbuf", "-oL", "mosquitto_sub", "-h", HOST, "-p", port, "-q", "2", "-F", "%j", "-t", topics],
        stdout=subprocess.PIPE, text=True,
    )

    def listen():
        for line in process.stdout:
            frame = json.loads(line)
            hear(frame["topic"], str(frame["payload"]))

    threading.Thread(target=listen, daemon=True).start()
    try:
        yield
    finally:
        process.kill()
