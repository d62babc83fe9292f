"""What the worker's loop leaves behind after a call."""

from __future__ import annotations

from types import SimpleNamespace

import torch

from passnet.bench.wire.shared_buffers import DONE, GO
from passnet.bench.worker import calls


def test_what_is_the_same_in_every_call_is_overwritten_once_it_is_delivered() -> None:
    """But for the memory of an input, of which an output may be a view."""
    given, waves = torch.arange(8.0), torch.ones(8)
    control, slots, due = [0] * 64, [torch.zeros(8), torch.zeros(8)], [False, True]
    control[GO] = 7
    buffers = SimpleNamespace(control=control, places=[[given]])
    made, _ = calls.run_due(buffers, lambda x: (waves, x.view(-1)), [slots], "cpu", False, due.pop, alike=(0, 1))
    assert made == 1 and control[DONE] == 7
    assert waves.isnan().all() and given.equal(torch.arange(8.0))
    assert slots[0].equal(torch.ones(8)) and slots[1].equal(given)
