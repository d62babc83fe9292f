"""An author's time is the time that it uses: waiting for the device, or for other episodes' turns, is not counted."""

from __future__ import annotations

import threading

from passnet.agent.env.env import PassEnv
from passnet.agent.record.budget import Budget
from passnet.agent.run.serial_workbench import SerialWorkbench
from tests.agent.agent_helpers import FakeWorkbench


def test_waiting_for_the_device_is_not_on_the_clock(tmp_path):
    now = [0.0]
    bench = FakeWorkbench()
    env = PassEnv(bench, tmp_path, budget=Budget(wall_s=60.0), clock=lambda: now[0])
    now[0], bench.waited_s = 100.0, 90.0
    assert env.state.left_s() == 50.0


def test_waiting_for_a_turn_is_counted_for_the_thread_that_waited():
    inner = FakeWorkbench()
    serial = SerialWorkbench(inner)
    waited: dict[str, float] = {}

    def ask() -> None:
        serial.kernel_source(None, "", None, None)
        waited["asker"] = serial.waited_s

    asked = threading.Thread(target=ask)

    def answer(*_: object) -> str:
        inner.waited_s += 1000.0  # the device was held by another command during the call
        return ""

    inner.kernel_source = answer
    asked.start()
    serial.serve_one(60.0)
    asked.join()
    assert waited["asker"] >= 1000.0
    assert serial.waited_s == 0.0
