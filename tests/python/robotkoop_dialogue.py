"""The dialogue system of a household robot, as the speech interface of the field behaves: robotkoop_dialogue.py PORT [ROBOT]

It reads the first action of a progress only, dies of an empty list, and says `success` to what concerns the user.
"""

import json
import sys
import time

from swarm import Peer

PORT, ROBOT = int(sys.argv[1]), (sys.argv[2:] or ["R_1"])[0]
DAY_S = 80.0
ACTIONS = {
    "person_detected", "goto", "found", "search_database", "position_unknown", "search_category", "search",
    "not_found", "search_alternatives", "pick", "place", "handover_start", "handover_completed", "way_blocked",
    "no_anomalies_found", "pause_task", "resume_task",
}
TOLD_TO_THE_USER = {"person_detected", "handover_start", "handover_completed", "found", "obj_rec"}

dialogue = Peer(PORT, "ds", channel="", login=False)
dialogue.subscribe("/robots/status", "/robots/task")
sent = 0


def send(kind, parameter, task_id=None):
    """Sends a task, the same again with an id; returns its id."""
    global sent
    now = int(time.time())
    sent += 1
    task_id = task_id or f"task{now}{sent}"
    task = {
        "target_id": ROBOT, "source_id": "dm", "timestamp": now, "task_id": task_id, "priority": 3,
        "type": kind, "parameter": parameter,
    }
    dialogue.publish("/dialogue/task", json.dumps(task))
    return task_id


def acknowledge(status):
    answer = {
        "target_id": status["source_id"], "source_id": "dm", "timestamp": int(time.time()),
        "task_id": status["task_id"], "priority": status.get("priority", 3), "type": "success",
        "parameter": {"success": True},
    }
    dialogue.publish("/dialogue/status", json.dumps(answer))


def status_of(task_id, patience_s=DAY_S):
    """The next status of a task, read as the speech interface does."""
    text, *_ = dialogue.take("/robots/status", lambda it: json.loads(it)["task_id"] == task_id, patience_s)
    status = json.loads(text)
    assert set(status) >= {"source_id", "timestamp", "task_id", "type", "parameter"}, status
    assert status["source_id"] == ROBOT, status
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
            acknowledge(status)
    elif kind == "assistance":
        assert parameter["type"] in ("no_location", "not_available"), status
        if parameter["type"] == "not_available":
            assert parameter["alternatives"][0]["alternative_object"], status
            acknowledge(status)
    elif kind == "anomaly_detected":
        assert parameter["location"] and parameter["objects"][0], status
        acknowledge(status)
    elif kind == "missing_info":
        assert isinstance(parameter["missing_parameters"], list), status
    else:
        assert kind == "success" and isinstance(parameter["success"], bool), status
    return status


def follow(task_id):
    """All of a task until it succeeds or fails: the types and actions in their order, and how it ended."""
    told = []
    while True:
        status = status_of(task_id)
        if status["type"] == "progress":
            told += [action["action"] for action in status["parameter"]["performed_actions"]]
        elif status["type"] == "success":
            return told, status["parameter"]["success"]
        else:
            told.append(status["type"])


# What it does not know at all.
unknown = send("lfd", {"keyword": "wave", "task": "greet"})
while (told := status_of(unknown))["type"] == "confirm":
    pass
assert told["type"] == "unkown", told

# What it is not told, it asks for; the same task comes again, complete.
incomplete = send("bring", {"from": None, "to": "user"})
while (told := status_of(incomplete))["type"] == "confirm":
    pass
assert told["type"] == "missing_info" and told["parameter"]["missing_parameters"] == ["object"], told
order = ["goto", "found", "pick", "handover_start", "handover_completed"]
for item in ("coke", "cup", "book"):
    incomplete = send("bring", {"object": item, "from": None, "to": "user"}, incomplete)
    told, good = follow(incomplete)
    if good:
        break
    # People walk about and stand in its way; whoever still wants something asks for another thing.
    assert "way_blocked" in told, told
    incomplete = None
assert told[0] == "confirm" and good, (told, good)
places = [told.index(action) for action in order]
assert places == sorted(places), told

# What is nowhere: it offers something else instead, and the same id gets the other thing.
missing = send("bring", {"object": "unicorn", "from": None, "to": "user"})
told = [status_of(missing)]
while told[-1]["type"] not in ("assistance", "success", "missing_info"):
    told.append(status_of(missing))
kinds = [it["type"] for it in told]
assert kinds[-1] == "assistance" or not told[-1]["parameter"].get("success", True), told
if kinds[-1] == "assistance" and told[-1]["parameter"]["type"] == "not_available":
    other = told[-1]["parameter"]["alternatives"][0]["alternative_object"]
    send("bring", {"object": other, "from": None, "to": "user"}, missing)
    told, good = follow(missing)
    assert good and "handover_completed" in told or "way_blocked" in told, (told, good)

# It looks around.
told, good = follow(send("memorize", {}))
assert told[0] == "confirm" and good, (told, good)

# Nobody is called so: nobody answers.
ROBOT = "R_nobody"
quiet = send("memorize", {})
time.sleep(1.0)
assert not [it for it in dialogue.heard if quiet in it[1]], dialogue.heard
print("robotkoop_dialogue: ok")
