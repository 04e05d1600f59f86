"""What the tests of messages have in common: which there are, what clients received, and what a robot is asked or made to feel.

The messages come from the gateway (`/api/v1/matrix`), the robots' parts from their profiles, what can be done with them from their
families' figures, so that what is added later is tested as well.
"""

import collections
import concurrent.futures
import itertools
import json
import re
import statistics
import subprocess
import threading
import time
import urllib.request

from patience import PATIENCE_S

# How long a robot may say that it cannot now.
AGAIN_S = 20
# Messages of a cell that are kept.
KEPT = 600
# Readings that are averaged, for sensors have noise.
READINGS = 5
# What the command line calls differently than the API.
WORDS = {
    "keyphrase": "key_phrase", "skill": "skill_message", "estop": "emergency_stop", "mode": "control_mode", "head": "joints",
    "joint": "joints", "led": "lamp", "localize": "localization", "silence": "stop_sound", "goto": "navigate", "charge": "navigate",
    "faces detect": "detect_faces", "faces recognize": "recognize_faces", "faces train": "train_face",
}

# Fields that a message of a family has not: a compass measures no turn rate, what a Misty's programs and hardware say is not said to people.
LACKS = {("pera", "angular_radps"): {"IMU", "/{robot}/imu"}, ("misty", "text"): {"/robots/task", "log"}}


class Received:
    """A message, when it came, and what was read of it: pictures and scans are read once."""

    def __init__(self, message):
        self.at_s, self.message, self.read = time.time(), message, {}

    def reading(self, read):
        if read not in self.read:
            self.read[read] = read(self.message)
        return self.read[read]



class Scene:
    """A gateway with its robots, and what clients of one dialect received of each cell."""

    def __init__(self, gateway, latimer, dialect):
        self.gateway, self.latimer, self.dialect = gateway, latimer, dialect
        # Asks for what is only published then.
        self.asks = lambda name: None
        # Whether a client can ask for a message at all: a broker tells nobody what others subscribe to.
        self.is_asked_for = lambda cell: True
        # What happens in this dialect alone.
        self.also = lambda readings, name: None
        # Commands a robot that cannot obey.
        self.provokes = lambda name: None
        self.came, self.refusals = threading.Condition(), []
        self.received, self.absent = collections.defaultdict(lambda: collections.deque(maxlen=KEPT)), {}
        self.families = {it["family"]: it for it in self.ask("/api/v1/families")["families"]}
        self.robots = {it["robot"]: it for it in self.ask("/api/v1/robots")["robots"]
                       if it["origin"] == "simulated"}
        pairs = {pair["family"]: pair for pair in self.ask("/api/v1/matrix")["pairs"] if pair["dialect"] == dialect}
        self.cells, self.commands = (
            {name: {cell["name"]: cell["support"] for cell in pairs[robot["family"]]["cells"] if cell["is_command"] == is_command}
             for name, robot in self.robots.items()}
            for is_command in (False, True)
        )
        self.profiles = {name: self.ask(f"/api/v1/robots/{name}")["profile"] for name in self.robots}

    def ask(self, path):
        with urllib.request.urlopen(f"http://{self.gateway}{path}", timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def numbers(self):
        """The robots' numbers in the swarm, by the lines to try that the gateway lists."""
        return {
            name: next(re.search(r"robot/msg/(\d+)", it["try_line"])[1] for it in robot["endpoints"] if it["dialect"] == "pera")
            for name, robot in self.robots.items()
        }

    def shape(self, name):
        """Something of the room that has a name."""
        return next(it for it in self.ask("/api/v1/world")["shapes"] if it["name"] == name)

    def truth(self, name):
        """Where a robot really is."""
        robots = self.ask("/api/v1/world")["now"]["robots"]
        return next(it for it in robots if it["robot"] == name)

    def world(self, *what):
        subprocess.run([self.latimer, "world", *map(str, what)], env={"LATIMER_GATEWAY": self.gateway}, check=True,
                       capture_output=True, timeout=PATIENCE_S)

    def figure(self, name):
        return self.families[self.robots[name]["family"]]

    def takes(self, name, verb, *what):
        """Whether robots of the family have such a sense or take such a command."""
        word = WORDS.get(" ".join(what[:2])) or WORDS.get(what[0], what[0].replace("-", "_"))
        commands = {*self.figure(name)["commands"]}
        if "drive" in commands:
            # The gateway's own navigator takes them.
            commands |= {"navigate"}
        return word in (commands if verb == "send" else self.figure(name)["stimuli"])

    def run(self, name, verb, *what, patience_s=AGAIN_S):
        """Asks something of a robot or lets it happen, as often as the robot says that it cannot now; whether it took it."""
        what = [str(it) for it in what]
        if not self.takes(name, verb, *what):
            return False
        end = time.monotonic() + patience_s
        while True:
            ended = subprocess.run([self.latimer, verb, name, *what], env={"LATIMER_GATEWAY": self.gateway},
                                   capture_output=True, text=True, timeout=PATIENCE_S)
            if ended.returncode == 0:
                return True
            if time.monotonic() > end:
                self.refusals.append(" ".join([verb, name, *what]) + ": " + ended.stderr.strip())
                return False
            time.sleep(0.2)

    def everywhere(self, happen):
        """Lets something happen to all robots at once; what came of it."""
        with concurrent.futures.ThreadPoolExecutor(len(self.robots)) as pool:
            return dict(zip(self.robots, pool.map(happen, self.robots)))

    def note(self, name, cell, message):
        with self.came:
            self.received[name, cell].append(Received(message))
            self.came.notify_all()

    def refuse(self, name, cell, why):
        """A client was answered that the cell is absent."""
        with self.came:
            self.absent[name, cell] = why
            self.came.notify_all()

    def there(self, name):
        return sorted(cell for cell, support in self.cells[name].items() if support != "absent")

    def missing(self, name):
        return sorted(cell for cell, support in self.cells[name].items() if support == "absent")

    def until(self, holds, patience_s=PATIENCE_S):
        """Waits until something holds of what came; whether it does."""
        with self.came:
            return self.came.wait_for(holds, patience_s)

    def since(self, name, cell, at_s):
        return [it.message for it in list(self.received[name, cell]) if it.at_s >= at_s]


class Readings:
    """What messages of a dialect say, in SI units and the world's frame: by cell and quantity a function of the message."""

    def __init__(self, scene, readers):
        self.scene, self.readers, self.checked = scene, readers, set()
        unknown = set(readers) - {cell for cells in scene.cells.values() for cell in cells}
        assert not unknown, f"no cells: {unknown}"

    def lacks(self, name, cell, quantity):
        """Whether a robot's message has a field less than those of others, since its sensor does not measure that."""
        return cell in LACKS.get((self.scene.robots[name]["family"], quantity), ())

    def cells(self, name, quantity):
        """The cells of a robot that say a quantity."""
        return [cell for cell, reads in self.readers.items()
                if quantity in reads and cell in self.scene.there(name) and not self.lacks(name, cell, quantity)]

    def newest(self, name, cell, quantity, at_s=0.0):
        """The readings of a quantity in a cell since then, newest first, each when it is asked for."""
        for it in reversed(list(self.scene.received[name, cell])):
            if it.at_s < at_s:
                return
            value = it.reading(self.readers[cell][quantity])
            if value is not None:
                yield value

    def of(self, name, quantity, at_s=0.0, most=None):
        """The newest readings of a quantity since then, newest first, by each cell that says it."""
        return {cell: list(itertools.islice(self.newest(name, cell, quantity, at_s), most)) for cell in self.cells(name, quantity)}

    def settle(self, name, quantity, expected, within, turn=None, noise=0.0):
        """Waits until the newest readings of a quantity are what they should be in each cell that has it.

        One that comes at changes alone may have the sensor's noise; of others the median is taken.
        """
        at_s = time.time()

        def is_off(cell, newest):
            new = list(itertools.islice(self.newest(name, cell, quantity, at_s), READINGS)) if turn is None else []
            is_alone = len(new) < READINGS
            miss = (newest if is_alone else statistics.median(new)) - expected
            if turn is not None:
                miss = (miss + turn / 2) % turn - turn / 2
            return abs(miss) > within + (noise if is_alone else 0.0)

        def wrong():
            readings = self.of(name, quantity, most=READINGS).items()
            return {cell: values for cell, values in readings if not values or is_off(cell, values[0])}

        end, asked = time.monotonic() + PATIENCE_S, time.monotonic()
        while (left := wrong()) and time.monotonic() < end:
            time.sleep(0.1)
            if time.monotonic() - asked > 1.0:
                # What is only told when asked for may be of before it came to rest.
                self.scene.asks(name)
                asked = time.monotonic()
        assert not left, f"{name}: {quantity} is {expected} within {within}, not {left}"
        self.checked |= {(name, cell) for cell in self.cells(name, quantity)}

    def lacking(self, name, quantity, at_s, fits, patience_s):
        """The cells that say a quantity, and have not said it since then as it should be, after waiting for that."""
        def now():
            return [cell for cell in self.cells(name, quantity) if not any(map(fits, self.newest(name, cell, quantity, at_s)))]

        end = time.monotonic() + patience_s
        while (left := now()) and time.monotonic() < end:
            time.sleep(0.1)
        return left

    def happened(self, name, quantity, at_s, fits, what, patience_s=PATIENCE_S):
        """Waits until each cell that says a quantity said it since then as it should be."""
        left = self.lacking(name, quantity, at_s, fits, patience_s)
        said = self.of(name, quantity, at_s, READINGS)
        assert not left, f"{name}: {quantity} is {what}, not {({cell: said[cell] for cell in left})}"
        self.checked |= {(name, cell) for cell in said}
