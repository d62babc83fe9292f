"""A block begins only when the GPU is idle. Leftover kernels of a stopped worker would slow the next block.

Processes share a GPU in turns. So even the smallest work of the controller waits for the work of another process.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Sequence

import torch

from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.outcome.ownership import found

_PROBES, _LOOKS, _BETWEEN_S = 3, 5, 0.01
# A second without a break, before a candidate is suspected. Another lane that builds programs disturbs the device too,
# and may end just when the candidates are ended.
_PATIENT_LOOKS = 100
# The longest probe of an idle device: a multiple of the quickest one before any pass ran, plus some slack.
_FACTOR, _SLACK_US = 20.0, 200.0


@functools.cache
def at_rest_us(device: str) -> float:
    """The quickest probe. The first call must come before a candidate exists."""
    return min(_probe_us(device) for _ in range(_LOOKS * _PROBES))


class Busy(Exception):
    """The GPU works for a process that is none of our workers, so nothing can be measured on it."""


def settle(pairs: Sequence[WorkerPair]) -> None:
    """Wait, with all workers stopped, until the pairs' GPU is idle.

    If it keeps working, the candidates are ended. If it is idle then, the work was theirs: verdict `integrity`. If
    it still works, the load is another tenant's: `Busy`.
    """
    device = pairs[0].device
    for _ in range(_PATIENT_LOOKS):
        busy_us = _probe_us(device)
        if busy_us <= _limit_us(device):
            return
        time.sleep(_BETWEEN_S)
    for pair in pairs:
        pair.end("candidate")
    work = f"the device took {busy_us:.0f} us for what takes {at_rest_us(device):.0f} at rest"
    if all(_rests(device) for _ in range(_LOOKS)):
        raise found("background_work", f"{work}, until the candidates, which were asked nothing, were ended")
    raise Busy(f"{work}: somebody else uses it")


def _rests(device: str) -> bool:
    time.sleep(_BETWEEN_S)
    return _probe_us(device) <= _limit_us(device)


def _limit_us(device: str) -> float:
    return _FACTOR * at_rest_us(device) + _SLACK_US


def _probe_us(device: str) -> float:
    """A smallest kernel, which is waited for. One says enough: the limit is far above what it takes at rest."""
    target = torch.empty(1, device=device)
    torch.cuda.synchronize(device)
    began = time.perf_counter_ns()
    target.zero_()
    torch.cuda.synchronize(device)
    return (time.perf_counter_ns() - began) / 1e3
