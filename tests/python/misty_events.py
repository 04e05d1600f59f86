"""Events of a robot as the official Misty SDK receives them, for the programs of tests."""

import queue
import time


class Events_of:
    """One registration: its messages in a queue, gone at the end of `with`."""

    def __init__(self, robot, event_type, condition=None, debounce=0, patience_s=10):
        self.robot, self.event_type, self.messages = robot, event_type, queue.Queue()
        self.patience_s = patience_s
        self.registration = robot.RegisterEvent(
            event_type,
            event_type,
            condition=condition,
            debounce=debounce,
            keep_alive=True,
            callback_function=self.messages.put,
        )

    def __enter__(self):
        return self

    def next(self, fits=lambda message: True, within_s=None):
        end, last = time.monotonic() + (within_s or self.patience_s), None
        while (left_s := end - time.monotonic()) > 0:
            try:
                frame = self.messages.get(timeout=left_s)
            except queue.Empty:
                break
            assert frame["eventName"] == self.registration.event_name, frame
            last = frame["message"]
            if fits(last):
                return last
        raise TimeoutError(f"{self.event_type} did not come as expected; last: {last}")

    def __exit__(self, *_):
        self.robot.UnregisterEvent(self.event_type)
        self.registration.thread.join(self.patience_s)
        assert not self.registration.thread.is_alive(), f"{self.event_type} is still connected"
