"""What programs for a MiRo have in common: a rospy node that keeps what came, by topic."""

import collections
import json
import threading
import time
import urllib.request

import rospy
from patience import PATIENCE_S

KEPT = 500


class Robot:
    """A node that looks at a robot, `/miro/NAME/…`; `heard` holds the latest of each topic with when they came."""

    def __init__(self, name, node):
        self.name, self.heard, self.came = name, {}, threading.Condition()
        rospy.init_node(node, disable_signals=True)

    def topic(self, path):
        return f"/miro/{self.name}/{path}"

    def listen(self, path, kind):
        kept = self.heard[path] = collections.deque(maxlen=KEPT)

        def note(message):
            with self.came:
                kept.append((time.time(), message))
                self.came.notify_all()

        return rospy.Subscriber(self.topic(path), kind, note, queue_size=100)

    def wait(self, path, fits=lambda message: True, patience_s=PATIENCE_S):
        """The next message of a topic that fits; what came before does not count."""
        start = time.time()
        with self.came:
            while True:
                for came, message in self.heard[path]:
                    if came >= start and fits(message):
                        return message
                left = start + patience_s - time.time()
                last = self.heard[path][-1][1] if self.heard[path] else "nothing"
                assert left > 0, f"{path} did not come as expected; the last was\n{last}"
                self.came.wait(left)

    def gather(self, path, count, patience_s=PATIENCE_S):
        """So many messages of a topic, one after the other, with when each came."""
        with self.came:
            kept = self.heard[path]
            kept.clear()
            full = self.came.wait_for(lambda: len(kept) >= count, patience_s)
            assert full, f"{path}: only {len(kept)} of {count} came in {patience_s} s"
            return list(kept)[:count]

    def gather_now(self, path):
        """The latest messages of a topic, as many as are kept."""
        with self.came:
            return [message for _, message in self.heard[path]]

    def publisher(self, path, kind):
        """A publisher that the robot already follows: what is said before is said to nobody."""
        publisher = rospy.Publisher(self.topic(path), kind, queue_size=10)
        deadline = time.time() + PATIENCE_S
        while publisher.get_num_connections() == 0:
            assert time.time() < deadline, f"nobody follows {path}"
            # rospy has nothing that tells of it.
            time.sleep(0.01)
        return publisher


def ask(http, path, body=None):
    """Asks the gateway; the answer's JSON."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://{http}{path}", data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        return json.load(answer)


def truth(http, robot):
    """Where a simulated robot truly is: seconds of the world, x, y in metres, yaw in radians."""
    now = ask(http, "/api/v1/world")["now"]
    it = next(it for it in now["robots"] if it["robot"] == robot)
    return now["time_s"], it["x_m"], it["y_m"], it["yaw_rad"]
