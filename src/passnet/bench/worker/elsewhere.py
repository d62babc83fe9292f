"""Makes a call as a user may make it: in a thread of its own, with a team of OpenMP, on tensors that he trains.

Timed calls are made in the main thread, on one core. There a race between the threads of a kernel never shows, and a
kernel can see on which stack it runs.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import itertools
import os
import random
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch

from passnet.kernels.compilation.registry import registry

# The threads of a team wait for each other in a call for no longer than this. They begin together then.
_GATHERING_NS = 200_000_000
# Inputs are put elsewhere where all together are no larger.
_MOST_BYTES = 16 << 20
_MOVED = 0.5
# A tensor lies as it did, counted from such an address. It begins this far behind the memory that it is put in.
_ALIGNMENT, _BEHIND = 64, 4096
_Mode = Callable[[], AbstractContextManager[Any]]
_MODES: tuple[_Mode, ...] = (torch.no_grad, torch.enable_grad, torch.inference_mode)


def elsewhere(forms: Sequence[Callable[..., Any]], team: int) -> Callable[..., Any]:
    """One call, each time in a new thread and in the next of its forms and modes.

    `team`: the threads that a region of OpenMP gets there by default.

    The call records no gradient: either no input wants one, or it is made without. What it raises is raised here.
    """
    chance = random.SystemRandom()
    ways = list(itertools.product(forms, _MODES))
    order = itertools.cycle(chance.sample(ways, len(ways)))

    def in_a_thread(*inputs: torch.Tensor) -> Any:
        outcome: list[Any] = []
        call, mode = next(order)
        thread = threading.Thread(
            target=_outcome_of, args=(functools.partial(_as_a_user, call, inputs, mode, chance), team, outcome)
        )
        thread.start()
        thread.join()
        made, error = outcome
        if error is not None:
            raise error
        return made

    return in_a_thread


def _outcome_of(work: Callable[[], Any], team: int, outcome: list[Any]) -> None:
    """Do the work with teams of this size in this thread. Torch's own number of threads is put back."""
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(team)
        with contextlib.suppress(OSError, AttributeError):  # where torch has a library of its own
            ctypes.CDLL("libgomp.so.1", mode=os.RTLD_NOLOAD | os.RTLD_NOW).omp_set_num_threads(team)
        with registry.gathering(_GATHERING_NS if team <= len(os.sched_getaffinity(0)) else 0):
            outcome += [work(), None]
    except BaseException as error:  # noqa: BLE001 - it is raised in the thread that asked
        outcome[:] = [None, error]
    finally:
        torch.set_num_threads(before)


def _as_a_user(call: Callable[..., Any], inputs: Sequence[torch.Tensor], mode: _Mode, chance: random.Random) -> Any:
    """One call in a mode. Where no gradient is recorded, floats are parameters. Some inputs begin amid their memory."""
    moves = sum(tensor.nbytes for tensor in inputs) <= _MOST_BYTES
    given = [_moved(tensor) if moves and chance.random() < _MOVED else tensor for tensor in inputs]
    with mode():
        made = call(*(map(_parameter, given) if mode is torch.no_grad else given))
    with torch.no_grad():
        for tensor, copy in zip(inputs, given, strict=True):
            if copy is not tensor:
                tensor.copy_(copy)  # what eager leaves in an input is looked for there
    return made


def _parameter(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor as a weight that is trained, in the same memory."""
    if not (tensor.is_floating_point() or tensor.is_complex()):
        return tensor
    return torch.nn.Parameter(tensor)


def _moved(tensor: torch.Tensor) -> torch.Tensor:
    """A copy, laid out and aligned alike, which does not begin where its memory does."""
    reach = 1 + sum((size - 1) * step for size, step in zip(tensor.shape, tensor.stride(), strict=True))
    if not 0 < tensor.numel() <= reach:  # nothing, or elements that share their places
        return tensor
    width = tensor.element_size()
    memory = torch.empty(_BEHIND + reach * width + _ALIGNMENT, dtype=torch.uint8)
    first = _BEHIND + (tensor.data_ptr() - memory.data_ptr() - _BEHIND) % _ALIGNMENT
    if first % width:
        return tensor
    empty = torch.empty(0, dtype=tensor.dtype)
    return empty.set_(memory.untyped_storage(), first // width, tensor.shape, tensor.stride()).copy_(tensor)
