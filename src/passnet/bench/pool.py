"""Inputs that a worker has not seen: secret draws, remixed before every block and patched within it.

A pool holds a few full draws (fresh seeds, several distributions). Filling a set rolls each tensor of one draw by a
secret offset: the same multiset of values, so ranges and index bounds still hold, at the speed of a copy. Within a
block on the CPU, a set that is used again first has one element of one tensor overwritten by another, so that sums
change too and an author who remembers outputs by address or by a sparse fingerprint returns a stale one. Everything
is reconstructed from the controller's own copy, never read back from memory that a candidate can write.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import torch

from passnet.bench.arena import Arena
from passnet.graph import Graph

if TYPE_CHECKING:
    from passnet.graph import Distribution

# Up to so many sets are filled one by one, with offsets that have nothing to do with each other.
_FEW_SETS = 8
_RUNS = 6
# Elements up to which a column is filled through an index tensor.
_GATHERED = 1 << 16
_CASTS: dict[int, Literal["B", "H", "I", "Q"]] = {1: "B", 2: "H", 4: "I", 8: "Q"}


@dataclass(frozen=True)
class Patch:
    """Before call `call`, element `a` of input `tensor` took the value of element `b` of the set's draw."""

    call: int
    tensor: int
    a: int
    b: int


@dataclass
class SetState:
    """How one set was made: which draw, rolled by how much, patched how."""

    draw: int
    offsets: tuple[int, ...]
    patches: list[Patch] = field(default_factory=list)


@dataclass(frozen=True)
class OwnInputs:
    """The values of one real call, where those are to be judged on; `rollable`: those that may change between calls."""

    tensors: tuple[torch.Tensor, ...]
    rollable: tuple[bool, ...]


@dataclass
class InputPool:
    """The controller's secret draws for one graph on one device. The first `exact` of them are never rolled."""

    draws: list[list[torch.Tensor]]
    rollable: tuple[bool, ...]
    rng: random.Random
    exact: int = 0
    states: dict[int, SetState] = field(default_factory=dict)
    raw: dict[tuple[int, int], memoryview] = field(default_factory=dict, repr=False)
    twice: dict[tuple[int, int], torch.Tensor] = field(default_factory=dict, repr=False)

    @classmethod
    def draw(cls, graph: Graph, device: str, seed: int, distributions: Sequence[Distribution]) -> InputPool:
        """One full draw per distribution. Tensors with literal content, and scalars, keep their place."""
        rng = random.Random(seed)
        draws = [graph.inputs(rng.getrandbits(48), device, distribution=name) for name in distributions]
        rollable = tuple(spec.data is None and spec.numel > 1 for spec in graph.specs)
        return cls(draws, rollable, rng)

    @classmethod
    def own(cls, inputs: OwnInputs, seed: int) -> InputPool:
        """Two draws of the same values: as they are, and rolled where they may be."""
        tensors = list(inputs.tensors)
        rollable = tuple(rolls and t.numel() > 1 for rolls, t in zip(inputs.rollable, tensors, strict=True))
        return cls([tensors, tensors], rollable, random.Random(seed), exact=1)

    def fill(self, arena: Arena, index: int, *, draw: int | None = None) -> None:
        """Write new values into one set of an arena and remember how they were made."""
        chosen = self.rng.randrange(len(self.draws)) if draw is None else draw
        offsets = tuple(
            self.rng.randrange(tensor.numel()) if rolls and chosen >= self.exact else 0
            for tensor, rolls in zip(self.draws[chosen], self.rollable, strict=True)
        )
        self.states[index] = SetState(chosen, offsets)
        for target, source, offset in zip(arena.sets[index], self.draws[chosen], offsets, strict=True):
            _copy_rolled(target, source, offset)

    def move(self, arena: Arena) -> None:
        """Let the sets trade places: values that the worker has seen, at addresses where it has not seen them."""
        count = arena.layout.sets
        states = {index: SetState(state.draw, state.offsets) for index, state in self.states.items()}
        for index in range(count):
            state = self.states[index] = states[(index + 1) % count]
            for target, source, offset in zip(arena.sets[index], self.draws[state.draw], state.offsets, strict=True):
                _copy_rolled(target, source, offset)

    def fill_all(self, arena: Arena) -> None:
        """Write new values into every set of an arena: many sets in few operations.

        Runs of neighbouring sets share a draw, and a large tensor's offsets follow each other at a secret distance
        within a run, so that one strided copy fills it; which set a call reads is drawn afterwards.
        """
        count = arena.layout.sets
        if count <= _FEW_SETS:
            for index in range(count):
                self.fill(arena, index)
            return
        cuts = sorted(self.rng.sample(range(1, count), min(_RUNS, count) - 1))
        for low, high in pairwise([0, *cuts, count]):
            self._fill_run(arena, low, high, self.rng.randrange(len(self.draws)))

    def _fill_run(self, arena: Arena, low: int, high: int, draw: int) -> None:
        columns = []
        for tensor, (source, rollable) in enumerate(zip(self.draws[draw], self.rollable, strict=True)):
            target = arena.column(tensor)[low:high] if source.numel() else None
            rolls = rollable and draw >= self.exact
            columns.append(self._fill_column(target, draw, tensor) if rolls and target is not None else None)
            if not rolls and target is not None:
                target.copy_(source.reshape(1, -1).expand_as(target))
        for row, index in enumerate(range(low, high)):
            self.states[index] = SetState(draw, tuple(starts[row] if starts else 0 for starts in columns))

    def _fill_column(self, target: torch.Tensor, draw: int, tensor: int) -> list[int]:
        """Fill rows of one tensor, each rolled by its own offset; the offsets."""
        rows, numel = target.shape
        source = self.draws[draw][tensor].reshape(-1)
        if rows * numel <= _GATHERED:
            offsets = [self.rng.randrange(numel) for _ in range(rows)]
            shift = torch.tensor(offsets, device=source.device)[:, None]
            target.copy_(source[(torch.arange(numel, device=source.device) - shift) % numel])
            return offsets
        step = self.rng.randint(1, max(1, (numel - 1) // rows))
        first = self.rng.randrange(numel - (rows - 1) * step)
        target.copy_(self._doubled(draw, tensor).as_strided((rows, numel), (step, 1), first))
        return [(numel - first - row * step) % numel for row in range(rows)]

    def _doubled(self, draw: int, tensor: int) -> torch.Tensor:
        """A drawn tensor twice in a row, so that every roll of it is one slice."""
        if (draw, tensor) not in self.twice:
            flat = self.draws[draw][tensor].reshape(-1)
            self.twice[draw, tensor] = torch.cat([flat, flat])
        return self.twice[draw, tensor]

    def plan_patches(self, arena: Arena, order: Sequence[int], calls: int) -> dict[int, tuple[memoryview, int, int]]:
        """For every call of a block that uses a set again: the view, the element to overwrite, and its new bits.

        The new value comes from the untouched draw, so that many patches do not wear a small tensor out.

        Drawn before the block starts, so that within it a patch costs a fraction of a microsecond (host arenas).
        """
        tensors = [i for i, rolls in enumerate(self.rollable) if rolls and self._element_bytes(arena, i) in _CASTS]
        if not tensors:
            return {}
        views: dict[tuple[int, int], memoryview] = {}
        plan = {}
        for call in range(len(order), calls):
            index, tensor = order[call % len(order)], self.rng.choice(tensors)
            code = _CASTS[self._element_bytes(arena, tensor)]
            if (index, tensor) not in views:
                views[index, tensor] = arena.input_bytes_view(index, tensor).cast(code)
            state, numel = self.states[index], self.draws[0][tensor].numel()
            patch = Patch(call, tensor, int(self.rng.random() * numel), int(self.rng.random() * numel))
            state.patches.append(patch)
            plan[call] = (views[index, tensor], patch.a, self._bits(state.draw, tensor)[patch.b])
        return plan

    def _bits(self, draw: int, tensor: int) -> memoryview:
        """The elements of one drawn tensor as unsigned integers of their size."""
        if (draw, tensor) not in self.raw:
            flat = self.draws[draw][tensor].reshape(-1).view(torch.uint8).numpy()
            self.raw[draw, tensor] = (
                memoryview(flat.data).cast("B").cast(_CASTS[self.draws[draw][tensor].element_size()])
            )
        return self.raw[draw, tensor]

    @staticmethod
    def _element_bytes(arena: Arena, tensor: int) -> int:
        return arena.layout.inputs[tensor].torch_dtype.itemsize

    def reconstruct(self, index: int, call: int) -> list[torch.Tensor]:
        """What a set held when call `call` of the block used it, from the controller's own draws."""
        state = self.states[index]
        tensors = [
            torch.roll(source.reshape(-1), offset).reshape(source.shape) if offset else source.clone()
            for source, offset in zip(self.draws[state.draw], state.offsets, strict=True)
        ]
        for patch in state.patches:
            if patch.call <= call:
                flat = tensors[patch.tensor].view(-1)
                flat[patch.a] = self.draws[state.draw][patch.tensor].reshape(-1)[patch.b]
        return tensors


def _copy_rolled(target: torch.Tensor, source: torch.Tensor, offset: int) -> None:
    if not offset:
        target.copy_(source)
        return
    flat, out = source.reshape(-1), target.view(-1)
    out[:offset].copy_(flat[-offset:])
    out[offset:].copy_(flat[:-offset])
