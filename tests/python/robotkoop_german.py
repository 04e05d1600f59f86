"""Every task that the known dialogue system sends, in its own words, to its robot: robotkoop_german.py PORT"""

import sys

from dialogue import Dialogue

dialogue = Dialogue(int(sys.argv[1]), "kurt")


def done(kind, parameter):
    """Sends a task; its types, actions and targets once it has succeeded."""
    told, good, targets = dialogue.follow_targets(dialogue.send(kind, parameter), patience_s=150.0)
    assert told[0] == "confirm" and good, (kind, parameter, told)
    return told, targets


# What a person shows it, and it does again.
for parameter in (
    {"keyword": "lerne", "task": "giessen"},
    {"operation": "start"},
    {"operation": "end"},
    {"operation": "save"},
    {"keyword": "lerne", "task": "giessen", "operation": "reproduce"},
    {"operation": "delete"},
):
    done("lfd", parameter)

done("greet", {"operation": "delete"})

# Each of the places, under the name that it gets.
for place in ("Esstisch", "Küche", "Couchtisch", "Regal3Links"):
    told, targets = done("clean", {"to": place})
    assert told[-1] == "no_anomalies_found" and targets[0] == place, (told, targets)

told, targets = done("memorize", {})
assert {"Esstisch", "Küche", "Couchtisch", "Regal3Links"} <= set(targets), targets

# People walk about and stand in its way; whoever still wants something asks again.
for item, place in (("cola", None), ("apfel", "esstisch"), ("tasse", "Esstisch"), ("buch", None)):
    parameter = {"object": item, "from": place, "to": "user"}
    told, good, targets = dialogue.follow_targets(dialogue.send("bring", parameter), patience_s=150.0)
    if good:
        break
    assert "way_blocked" in told, (told, targets)
assert good and told[0] == "confirm" and item in [str(it).lower() for it in targets], (told, targets)
assert dialogue.acknowledged[-4:] == ["found", "person_detected", "handover_start", "handover_completed"], (
    dialogue.acknowledged
)
print("robotkoop_german: ok")
