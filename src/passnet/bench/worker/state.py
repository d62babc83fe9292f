"""The state of a worker between requests: its graph, the program made from it, and the memory that it was lent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import torch

from passnet.bench.compare.float64_twin import WideReference
from passnet.bench.compare.indices.follow import Follower
from passnet.bench.wire.orders import Bell
from passnet.bench.wire.replies import Done
from passnet.bench.wire.requests import LendBuffers, Variant
from passnet.bench.wire.shared_buffers import SharedBuffers
from passnet.bench.worker.captured import CapturedCall
from passnet.bench.worker.compilers import Program
from passnet.bench.worker.draw_server import DrawServer
from passnet.graph import Graph

if TYPE_CHECKING:
    from passnet.rewrite import Rule
    from passnet.rewrite.rules.kept_values import KeptValues

_TOUCH_BYTES, _KEPT_BYTES = 16 << 20, 128 << 20


@dataclass
class WorkerState:
    """The graph that this worker is on, and the program made from it.

    `large`: a call takes much memory for itself. `changed`: which parts of the code that watches the passes were
    replaced.
    `kept`: `examples` of a seed.
    `replays`: captured calls, by the variant of block that makes them. They read and write the buffers `timing`.
    `draws`: the drawer's jobs. Only the drawer has any.
    `values`: what the passes keep, from block to block of one graph. None where there are no passes.
    """

    layers: tuple[str, ...] = ()
    device: str = "cpu"
    graph: Graph | None = None
    module: torch.fx.GraphModule | None = None
    program: Program | None = None
    lent: dict[str, SharedBuffers] = field(default_factory=dict)
    kept: tuple[int, list[torch.Tensor]] | None = None
    replays: dict[Variant, CapturedCall] = field(default_factory=dict)
    rules: Sequence[Rule] | None = None
    wide: WideReference | None = None
    follower: Follower | None = None
    large: bool = False
    changed: Callable[[], list[str]] = list
    draws: DrawServer | None = None
    values: KeptValues | None = None
    stack: ExitStack = field(default_factory=ExitStack)

    def examples(self, seed: int) -> list[torch.Tensor]:
        """Public inputs of the graph, which the caller may change. Small ones are drawn once."""
        assert self.graph is not None
        if self.kept is None or self.kept[0] != seed:
            made = self.graph.examples(seed, self.device)
            if sum(tensor.nbytes for tensor in made) > _KEPT_BYTES:
                return made
            self.kept = seed, made
        return [tensor.clone() for tensor in self.kept[1]]

    def open_buffers(self, request: LendBuffers, fds: list[int]) -> Done:
        """Map lent memory under a name. It replaces what had that name."""
        self.close_buffers(request.name)
        memory, *bells = fds
        self.lent[request.name] = buffers = SharedBuffers.open(request.layout, memory, request.handle)
        buffers.bell = Bell.open(bells[0]) if bells else None
        if request.layout.device == "cpu":
            _touch_heap([t.nbytes for t in request.layout.outputs])
        return Done()

    def close_buffers(self, *names: str) -> None:
        """Release lent memory, so that neither pages nor descriptors pile up over the graphs of a task."""
        if "timing" in names:
            self.replays.clear()
        for name in names:
            buffers = self.lent.pop(name, None)
            if buffers is not None:
                buffers.close()

    def synchronise(self) -> None:
        """Wait for the device."""
        if self.device == "cuda":
            torch.cuda.synchronize()


def _touch_heap(sizes: list[int]) -> None:
    """Write to the memory from which outputs will be allocated.

    The first write to a page costs a fault, and after a fork also a copy. Without this, early calls would be slow.
    """
    held = [torch.empty(size, dtype=torch.uint8).fill_(1) for size in sizes for _ in range(8) if size < _TOUCH_BYTES]
    held.append(torch.empty(_TOUCH_BYTES, dtype=torch.uint8).fill_(1))
    del held
