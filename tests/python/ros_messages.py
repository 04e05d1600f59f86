"""What genpy makes of message types: lines of JSON in, {"type": …, "definition": …?}, and out, with MD5 sum and a message as bytes.

With a definition the type is made of it, as rostopic does for a topic; without, it is the one that is installed. Nothing is
empty in the messages, and integers are near the ends of their ranges. With types as arguments it answers for these, without
their definitions: so crates/ros1/testdata/messages.jsonl was made.
"""

import io
import json
import sys

import genpy
from genmsg.msgs import parse_type
from genpy.dynamic import generate_dynamic

RANGES = {
    "int8": (-(2**7), 2**7), "byte": (-(2**7), 2**7), "uint8": (0, 2**8), "char": (0, 2**8),
    "int16": (-(2**15), 2**15), "uint16": (0, 2**16), "int32": (-(2**31), 2**31), "uint32": (0, 2**32),
    "int64": (-(2**63), 2**63), "uint64": (0, 2**64),
}  # fmt: skip


class Filling:
    """Makes values, each another."""

    def __init__(self, classes):
        self.classes = classes
        self.count = 0

    def message(self, made):
        for name, kind in zip(made.__slots__, made._slot_types):
            setattr(made, name, self.value(kind))
        return made

    def value(self, kind):
        base, is_array, length = parse_type(kind)
        if is_array:
            values = [self.value(base) for _ in range(self.count % 3 + 1 if length is None else length)]
            return bytes(values) if base in ("uint8", "char") else values
        self.count = (self.count + 1) % 120
        if base in RANGES:
            low, high = RANGES[base]
            return low + self.count if self.count % 2 else high - 1 - self.count
        if base in ("float32", "float64"):
            return -self.count - 0.25
        if base == "bool":
            return self.count % 2 == 1
        if base == "string":
            return f"größer als {self.count}"
        if base == "time":
            return genpy.Time(2**32 - 1 - self.count, 999_999_999)
        if base == "duration":
            return genpy.Duration(-self.count, 500_000_000)
        return self.message(self.classes(base)())


def shown(value):
    if isinstance(value, genpy.rostime.TVal):
        return {"secs": value.secs, "nsecs": value.nsecs}
    if isinstance(value, genpy.Message):
        return {name: shown(getattr(value, name)) for name in value.__slots__}
    if isinstance(value, (list, tuple, bytes)):
        return [shown(element) for element in value]
    return value


def answer(question):
    if "definition" in question:
        made = generate_dynamic(question["type"], question["definition"])
        classes = {name.replace("roslib/Header", "std_msgs/Header"): kind for name, kind in made.items()}.get
    else:
        classes = genpy.message.get_message_class
    kind = classes(question["type"])
    message = Filling(classes).message(kind())
    out = io.BytesIO()
    message.serialize(out)
    return {
        "type": question["type"],
        "md5": kind._md5sum,
        "definition": kind._full_text,
        "bytes": out.getvalue().hex(),
        "fields": shown(message),
    }


for name in sys.argv[1:]:
    golden = answer({"type": name})
    del golden["definition"]
    print(json.dumps(golden, ensure_ascii=False))
if not sys.argv[1:]:
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line)), ensure_ascii=False))
