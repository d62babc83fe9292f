"""Warm up the workers of a pair before they are timed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from passnet.bench.isolation.worker_pair import Role, WorkerPair
from passnet.bench.record.protocol import Protocol
from passnet.bench.timing.block_maker import BlockMaker
from passnet.bench.timing.blocks import Block
from passnet.bench.wire.requests import Variant

# A warm-up goes on in blocks of so many calls, until two in a row agree within this.
_WARM_CALLS, _WARM_AGREE = 3, 0.1


@dataclass
class WarmUp:
    """Makes untimed blocks until a worker is warm."""

    blocks: BlockMaker
    protocol: Protocol
    _warmed: dict[int, Block] = field(default_factory=dict)

    def reference(self, index: int, pair: WorkerPair) -> Block:
        """Warm up the reference of pair `index`, unless that was done when it was another pair's control."""
        if index not in self._warmed:
            self._warmed[index] = self.worker(pair, "reference")
        return self._warmed[index]

    def worker(self, pair: WorkerPair, role: Role) -> Block:
        """Make untimed calls of both conventions. Returns the quickest block of the direct one, for sizing only."""
        quickest = self._warm(pair, role, "direct")
        if self.protocol.deployed_groups:
            self._warm(pair, role, "deployed")
        return quickest

    def _warm(self, pair: WorkerPair, role: Role, variant: Variant) -> Block:
        """Short blocks until two in a row agree, or until the calls or the time of a warm-up are used up."""
        made, spent_us, before = 0, 0.0, math.inf
        quickest: Block | None = None
        while quickest is None or (made < self.protocol.warmup_calls and spent_us < self.protocol.warmup_us):
            block = self.blocks.make(pair, role, variant, min(_WARM_CALLS, self.protocol.warmup_calls))
            made, spent_us = made + _WARM_CALLS, spent_us + _WARM_CALLS * block.us_per_call
            if quickest is None or block.us_per_call < quickest.us_per_call:
                quickest = block
            if abs(block.us_per_call - before) <= _WARM_AGREE * block.us_per_call:
                break
            before = block.us_per_call
        return quickest
