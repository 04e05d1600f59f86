"""The dialogue system of a household robot, as the speech interface of the field behaves.

It reads the first action of a progress only, dies of an empty list, and says `success` to what concerns the user.
"""

import json
import time

from patience import PATIENCE_S
from swarm import Peer

ACTIONS = {
    "person_detected", "goto", "found", "search_database", "position_unknown", "search_category", "search",
    "not_found", "search_alternatives", "pick", "place", "handover_start", "handover_completed", "way_blocked",
    "no_anomalies_found", "pause_task", "resume_task",
}
TOLD_TO_THE_USER = {"person_detected", "handover_start", "handover_completed", "found", "obj_rec"}


# Where tasks go.
TASKS = "/dialogue/task"


def task(robot, task_id, kind, parameter):
    """A task for a robot, as JSON."""
    return json.dumps({
        "target_id": robot, "source_id": "dm", "timestamp": int(time.time()), "task_id": task_id, "priority": 3, "type": kind,
        "parameter": parameter,
    })


class Dialogue:
    """The speech interface `dm` at a broker, speaking to one robot."""

    def __init__(self, port, robot):
        self.robot = robot
        self.peer = Peer(port, "ds", channel="", login=False)
        self.peer.subscribe("/robots/status", "/robots/task")
        self.sent = 0
        self.acknowledged = []

    def send(self, kind, parameter, task_id=None):
        """Sends a task, the same again with an id; returns its id."""
        self.sent += 1
        task_id = task_id or f"task{int(time.time())}{self.sent}"
        self.peer.publish(TASKS, task(self.robot, task_id, kind, parameter))
        return task_id

    def acknowledge(self, status, what):
        answer = {
            "target_id": status["source_id"], "source_id": "dm", "timestamp": int(time.time()),
            "task_id": status["task_id"], "priority": status.get("priority", 3), "type": "success",
            "parameter": {"success": True},
        }
        self.peer.publish("/dialogue/status", json.dumps(answer))
        self.acknowledged.append(what)

    def status_of(self, task_id, patience_s=PATIENCE_S):
        """The next status of a task, read as the speech interface does."""
        text, *_ = self.peer.take(
            "/robots/status", lambda it: json.loads(it)["task_id"] == task_id, patience_s
        )
        status = json.loads(text)
        assert set(status) >= {"source_id", "timestamp", "task_id", "type", "parameter"}, status
        assert status["source_id"] == self.robot, status
        # Seconds; the world may be faster than the clock.
        assert isinstance(status["timestamp"], int) and 1e9 < status["timestamp"] < 1e10, status
        kind, parameter = status["type"], status["parameter"]
        if kind in ("confirm", "unkown"):
            assert parameter == {}, status
        elif kind == "progress":
            first = parameter["performed_actions"][0]
            for action in parameter["performed_actions"]:
                assert action["action"] in ACTIONS and "target" in action, status
            if first["action"] in TOLD_TO_THE_USER:
                # The target is put into a sentence, so it must be a text.
                assert isinstance(first["target"], str), status
                self.acknowledge(status, first["action"])
        elif kind == "assistance":
            assert parameter["type"] in ("no_location", "not_available"), status
            if parameter["type"] == "not_available":
                assert parameter["alternatives"][0]["alternative_object"], status
                self.acknowledge(status, kind)
        elif kind == "anomaly_detected":
            assert parameter["location"] and parameter["objects"][0], status
            self.acknowledge(status, kind)
        elif kind == "missing_info":
            assert isinstance(parameter["missing_parameters"], list), status
        else:
            assert kind == "success" and isinstance(parameter["success"], bool), status
        return status

    def follow(self, task_id, patience_s=PATIENCE_S):
        """All of a task until it succeeds or fails: the types and actions in their order, and how it ended."""
        told, good, _ = self.follow_targets(task_id, patience_s)
        return told, good

    def follow_targets(self, task_id, patience_s=PATIENCE_S):
        """The same, and the targets of all actions."""
        told, targets = [], []
        while True:
            status = self.status_of(task_id, patience_s)
            if status["type"] == "progress":
                actions = status["parameter"]["performed_actions"]
                told += [action["action"] for action in actions]
                targets += [action["target"] for action in actions]
            elif status["type"] == "success":
                return told, status["parameter"]["success"], targets
            else:
                told.append(status["type"])
