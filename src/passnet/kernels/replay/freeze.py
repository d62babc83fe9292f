"""Freezes calls of a wrapper: records them once for a signature and replays them as allocations and launches.

The signature is the dtype, shape, stride and device of every tensor, and the value of everything else. A wrapper is
recorded twice, on copies of the tensors with other values at other addresses. Both recordings must be equal. Nothing
that the wrapper can reach may have changed. The replay must give the same bits as the wrapper. If any of these fails,
the wrapper is not replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from passnet.kernels.replay import codegen
from passnet.kernels.replay.codegen import ALIGNMENT, Leaf, leaves
from passnet.kernels.replay.plan import DeviceLaunch, NotFrozen, ReplayPlan
from passnet.kernels.replay.recorder import record
from passnet.kernels.replay.side_effects import changed, state_of
from passnet.kernels.replay.tensor_guard import tensor_guard

_PLAIN = (torch.Tensor, torch.nn.Parameter)
# Recording takes several copies of the arguments. Above this size a replay would save no visible time.
MOST_BYTES = 256 << 20
# The longest vectors have this many bytes. At another alignment a loop may round differently.
_COPIED_ALIGNMENT = 64


@dataclass(frozen=True)
class Frozen:
    """A wrapper's calls of one signature. `call` takes any arguments and replays those of the signature.

    `source`: the Python text of the replay. `plan`: what is replayed.
    """

    call: Callable[..., Any]
    plan: ReplayPlan
    source: str


def freeze(function: Callable[..., Any], args: Sequence[Any]) -> Frozen:
    """Record `function(*args)` for replay. Call the function once before, so that its compiling and tuning is done.

    The arguments are not changed. Errors: NotFrozen with the reason. A wrapper that raises gives NotFrozen too.
    """
    given = leaves(args)
    _check_inputs(given)
    with torch.no_grad():
        plan, same = _record_twice(function, args)
        entry = _Entry(function, args, plan)
        problem = same(entry.built.core)
    if problem is not None:
        raise NotFrozen(problem)
    return Frozen(entry.built.call, plan, entry.built.text)


def signature(args: Sequence[Any]) -> tuple[Any, ...]:
    """The key of a recording. Calls of one function with equal signatures share a replay."""
    given = leaves(args)
    kinds = tuple((type(leaf.value), leaf.is_tensor and leaf.value.requires_grad) for leaf in given)
    constants = tuple(repr(leaf.value) for leaf in given if not leaf.is_tensor)
    tensors = tuple((_signature(leaf), _rest(leaf)) for leaf in given if leaf.is_tensor)
    return (tuple(codegen.arities(args)), kinds, constants, tensors)


def _record_twice(function: Callable[..., Any], args: Sequence[Any]) -> tuple[ReplayPlan, Callable[..., str | None]]:
    """The plan, and a function that compares a replay with the wrapper and returns the difference."""
    before = state_of(function)
    first, _ = _recorded(function, copied(args, alter=False))
    fresh, used = copied(args, alter=True), copied(args, alter=True)
    second, wanted = _recorded(function, used)
    place = changed(before, state_of(function))
    if place is not None:
        raise NotFrozen(f"changes {place}, which outlives the call")
    difference = first.differs(second)
    if difference is not None:
        raise NotFrozen(difference)

    def compare(core: Callable[..., Any]) -> str | None:
        found = core(*fresh)
        if not _same_bits([found], [wanted]):
            return "a replay gives other bits than the call: it is not deterministic, or does not write all elements"
        if not _same_bits(fresh, used):
            return "a replay changes its arguments differently from the call"
        return None

    return second, compare


def _recorded(function: Callable[..., Any], args: Sequence[Any]) -> tuple[ReplayPlan, Any]:
    try:
        return record(function, args, [leaf.value for leaf in leaves(args) if leaf.is_tensor])
    except NotFrozen:
        raise
    except Exception as error:  # if the wrapper raises, the ordinary call will raise again
        raise NotFrozen(f"raises {type(error).__name__}: {error}"[:300]) from error


class _Entry:
    """The entry to a replay. Arguments like the recorded ones are replayed. All others go to the wrapper."""

    def __init__(self, function: Callable[..., Any], args: Sequence[Any], plan: ReplayPlan) -> None:
        self.function = function
        self.count = len(args)
        self.shape = codegen.arities(args)
        self.wanted = [_signature(leaf) for leaf in leaves(args)]
        self.aligned = any(isinstance(step, DeviceLaunch) and step.aligned for step in plan.steps)
        self.device = plan.device
        self.rests = [_rest(leaf) for leaf in leaves(args)]
        check = tensor_guard([leaf.value for leaf in leaves(args) if leaf.is_tensor])
        self.built = codegen.build(plan, args, getattr(function, "__name__", "replay"), check, self.other)

    def other(self, *args: Any) -> Any:
        """Compares property by property what the quick guard refused, because it also compares harmless properties."""
        given = leaves(args)
        if not self._alike(args, given):
            return self.function(*args)
        if not torch._C._len_torch_dispatch_stack():  # a temporary mode is no reason to accept more
            self._learn([leaf.value for leaf in given if leaf.is_tensor])
        return self.built.core(*args)

    def _alike(self, args: Sequence[Any], given: Sequence[Leaf]) -> bool:
        return (
            len(args) == self.count
            and codegen.arities(args) == self.shape
            and [_signature(leaf) for leaf in given] == self.wanted
            and not (self.aligned and [_rest(leaf) for leaf in given] != self.rests)
            and not (torch.is_grad_enabled() and any(leaf.is_tensor and leaf.value.requires_grad for leaf in given))
            and not _elsewhere(self.device)
        )

    def _learn(self, tensors: Sequence[torch.Tensor]) -> None:
        """The quick guard accepts such tensors too from now on, in the current mode."""
        latest, earliest = tensor_guard(tensors), self.built.space["check"]
        earliest = getattr(earliest, "earliest", earliest)

        def check(*values: torch.Tensor) -> bool:
            return bool(latest(*values) or earliest(*values))

        check.earliest = earliest  # type: ignore[attr-defined]  # keeps the chain at two
        self.built.space["check"] = check


def _signature(leaf: Leaf) -> tuple[Any, ...]:
    value = leaf.value
    if type(value) not in _PLAIN:
        return (leaf.text, type(value), value if not isinstance(value, torch.Tensor) else id(value))
    if value.layout is not torch.strided:
        return (leaf.text, value.layout)
    bits = (value.is_conj(), value.is_neg())
    return (leaf.text, value.dtype, value.shape, value.stride(), value.device, bits)


def _rest(leaf: Leaf) -> int:
    return int(leaf.value.data_ptr() % ALIGNMENT) if type(leaf.value) in _PLAIN else 0


def _elsewhere(device: torch.device) -> bool:
    """Whether new work would not go to this device."""
    return device.type == "cuda" and device.index != torch.cuda.current_device()


def _check_inputs(given: Sequence[Leaf]) -> None:
    size = sum(leaf.value.nbytes for leaf in given if leaf.is_tensor and leaf.value.layout is torch.strided)
    if size > MOST_BYTES:
        raise NotFrozen(f"is given {size >> 20} MiB: the cost of a launch does not matter at this size")
    for leaf in given:
        value = leaf.value
        if not leaf.is_tensor:
            continue
        if type(value) not in _PLAIN or value.layout is not torch.strided or value.is_conj() or value.is_neg():
            raise NotFrozen(f"is given a tensor of another kind ({type(value).__name__}, {value.layout})")
        if _elsewhere(value.device):
            raise NotFrozen(f"is given a tensor on {value.device}, which is not the current device")


def copied(args: Sequence[Any], *, alter: bool) -> list[Any]:
    """The same arguments with tensors in new memory, aligned as before. `alter` reverses their values.

    Integers keep their values, because they may be indices.
    """
    return [_copied(value, alter) for value in args]


def _copied(value: Any, alter: bool) -> Any:
    if type(value) in (tuple, list):
        return type(value)(_copied(item, alter) for item in value)
    return _copy(value.detach(), alter) if isinstance(value, torch.Tensor) else value


def _copy(tensor: torch.Tensor, alter: bool) -> torch.Tensor:
    """Copies everything between the first and the last element, so that overlaps and gaps stay."""
    size, stride, width = tuple(tensor.shape), tensor.stride(), tensor.element_size()
    if not tensor.numel():
        return torch.empty_strided(size, stride, dtype=tensor.dtype, device=tensor.device)
    extent = 1 + sum((length - 1) * step for length, step in zip(size, stride, strict=True))
    before, odd = divmod(tensor.data_ptr() % _COPIED_ALIGNMENT, width)
    if odd:
        raise NotFrozen("is given a tensor that is not aligned to its element size")
    memory = torch.empty(before + extent, dtype=tensor.dtype, device=tensor.device)
    values = tensor.as_strided((extent,), (1,))
    reverse = alter and (values.is_floating_point() or values.is_complex() or values.dtype is torch.bool) and width > 1
    memory[before:].copy_(values.flip(0) if reverse else values)
    return memory.as_strided(size, stride, before)


def _same_bits(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, (tuple, list)):
        return (
            type(found) is type(wanted)
            and len(found) == len(wanted)
            and all(_same_bits(mine, theirs) for mine, theirs in zip(found, wanted, strict=True))
        )
    if not isinstance(wanted, torch.Tensor):
        return bool(found is wanted or found == wanted)
    if (found.dtype, found.shape, found.stride(), found.device) != (
        wanted.dtype,
        wanted.shape,
        wanted.stride(),
        wanted.device,
    ):
        return False
    return torch.equal(_bytes(found), _bytes(wanted))


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    """All elements in order, as a copy. A tensor of one element counts as contiguous whatever its stride."""
    return tensor.detach().reshape(-1).clone(memory_format=torch.contiguous_format).view(torch.uint8)
