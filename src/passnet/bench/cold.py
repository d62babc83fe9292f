"""Times of calls whose inputs and output slots no cache holds, beside the warm ones: information, not the score.

Every timed call reads a set that nobody has touched since the controller wrote it and then ran through more memory than
the caches hold; the lead-in keeps to other sets, so that code and allocator are as warm as ever.
"""

from __future__ import annotations

import random
import statistics
from dataclasses import dataclass

import torch

from passnet.bench import blocks, sizing
from passnet.bench.arena import ArenaLayout, pack
from passnet.bench.blocks import BlockPlan
from passnet.bench.lanes import Lane
from passnet.bench.pool import InputPool
from passnet.bench.protocol import Protocol
from passnet.bench.roofline import cpu_cache_bytes
from passnet.bench.verdict import Stage, owned_by

_CALLS, _FEWEST_CALLS = 12, 2
_HOST_BYTES = 256 << 20
_UNKNOWN_CACHE, _MOST_EVICTED = 32 << 20, 512 << 20
_STAGES: dict[str, Stage] = {"reference": "reference", "candidate": "call"}


@dataclass(frozen=True)
class Cold:
    """What the figures depend on. `harness_us`: what is subtracted from each call, as from warm ones."""

    lane: Lane
    shape: sizing.GraphShape
    pool: InputPool
    protocol: Protocol
    rng: random.Random
    harness_us: float

    def measure(self) -> dict[str, float]:
        """Fields of the timing; empty when too few sets find room, as no cache holds one of that size anyway.

        The lane's workers keep the arenas that they are lent for it.
        """
        layout = self._layout()
        if layout is None or not self.protocol.cold_blocks:
            return {}
        for role, stage in _STAGES.items():
            with owned_by(stage):
                self.lane.lend(role, "timing", layout)
        evicted = torch.zeros(_evicted_bytes(self.lane.device), dtype=torch.uint8, device=self.lane.device)
        times: dict[str, list[float]] = {role: [] for role in _STAGES}
        for _ in range(self.protocol.cold_blocks):
            for role in _STAGES:
                times[role].append(self._block(role, evicted))
        eager, compiled = (max(statistics.median(times[role]) - self.harness_us, 1e-3) for role in _STAGES)
        return {"cold_speedup": eager / compiled, "cold_eager_us": eager, "cold_compiled_us": compiled}

    def _layout(self) -> ArenaLayout | None:
        inputs, outputs = self.shape.inputs, self.shape.outputs
        room = _HOST_BYTES if self.lane.device == "cpu" else self.protocol.device_bytes
        calls = min(_CALLS, room // (pack(inputs)[1] + pack(outputs)[1]) - sizing.LEAD_SETS)
        if calls < _FEWEST_CALLS:
            return None
        sets = sizing.LEAD_SETS + calls
        return ArenaLayout.plan(self.lane.device, inputs, outputs, sets=sets, slots=sets, jitter=self.rng)

    def _block(self, role: str, evicted: torch.Tensor) -> float:
        """Microseconds a call."""
        arena = self.lane.arenas[role, "timing"]
        timed = arena.layout.sets - sizing.LEAD_SETS
        plan = BlockPlan("direct", sizing.LEAD_SETS, timed, window=self.protocol.window, lead_sets=sizing.LEAD_SETS)
        self.pool.fill_all(arena)
        evicted.add_(1)
        with owned_by(_STAGES[role]), self.lane.awake(role) as worker:
            return blocks.run(worker, arena, self.pool, plan, self.rng, self.protocol.first_call_s).us_per_call


def _evicted_bytes(device: str) -> int:
    """Twice the largest cache that workers share with the controller: its own and theirs are smaller."""
    if device == "cpu":
        cache = cpu_cache_bytes(3) or cpu_cache_bytes(2) or _UNKNOWN_CACHE
    else:
        properties = torch.cuda.get_device_properties(torch.cuda.current_device())
        cache = int(getattr(properties, "L2_cache_size", 0)) or _UNKNOWN_CACHE
    return min(2 * cache, _MOST_EVICTED)
