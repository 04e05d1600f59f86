"""What a dialogue system asks of a household robot: robotkoop_dialogue.py PORT [ROBOT]"""

import sys
import time

from dialogue import Dialogue

dialogue = Dialogue(int(sys.argv[1]), (sys.argv[2:] or ["R_1"])[0])
send, status_of, follow = dialogue.send, dialogue.status_of, dialogue.follow

# What it does not know at all.
unknown = send("dance", {"keyword": "wave"})
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
dialogue.robot = "R_nobody"
quiet = send("memorize", {})
time.sleep(1.0)
assert not [it for it in dialogue.peer.heard if quiet in it[1]], dialogue.peer.heard
print("robotkoop_dialogue: ok")
