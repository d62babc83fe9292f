"""Modes of fake tensors."""

import functools
import time
from concurrent.futures import ThreadPoolExecutor

from passnet.graph.values import propagation


def test_the_first_fake_mode_of_a_process_is_entered_alone(monkeypatch):
    """On a build for CUDA that sees no device, two threads that enter the first one at once crash."""
    entered, inside, most = [], [], []

    class Mode:
        def __init__(self, **_):
            pass

        def __enter__(self):
            entered.append(self)
            inside.append(self)
            time.sleep(0.05)
            most.append(len(inside))

        def __exit__(self, *_):
            inside.remove(self)

    monkeypatch.setattr(propagation, "FakeTensorMode", Mode)
    monkeypatch.setattr(propagation, "_enter_first", functools.cache(propagation._enter_first.__wrapped__))
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda _: propagation.fake_mode(), range(8)))
    assert len(made) == 8 and len(entered) == 1 and most == [1]
