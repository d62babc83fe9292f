"""Times of calls whose inputs and output slots are in no cache: information beside the warm times, not the score.

Before each timed call, after its inputs were drawn, the worker runs through more memory than the caches hold. This
also cools the code, for both sides alike.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.isolation.worker_pair import Role, WorkerPair
from passnet.bench.outcome.ownership import found, owned_by
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import Timing
from passnet.bench.timing import blocks
from passnet.bench.timing.blocks import BlockPlan
from passnet.bench.wire.memory import Stage
from passnet.bench.wire.requests import Variant
from passnet.roofline.peaks import cpu_cache_bytes

# To run through all caches takes far longer than a call: 50 ms for the 480 MiB of a large processor.
_CALLS = 2
_UNKNOWN_CACHE, _MOST_EVICTED = 32 << 20, 512 << 20
# A cold call may take this much more than the candidate's warm calls and eager's own loss. That loss is the larger one
# of typical and of quickest calls, because a disturbed null block hides the first.
_FAR_ABOVE, _SLACK_US = 3.0, 100.0
# A crowded machine takes the core away after each run through the caches. So many more blocks are asked before a
# finding, and before a figure that is far above the warm one.
_AGAIN = 9
# Where the typical call of a side takes more times its quickest one, other work was timed too.
_UNSTEADY = 3.0
_STAGES: dict[Role, Stage] = {"reference": "reference", "candidate": "call"}


@dataclass(frozen=True)
class Cold:
    """The values that the figures depend on."""

    pair: WorkerPair
    given: SecretInputs
    protocol: Protocol
    rng: random.Random

    def measure(self, timing: Timing) -> Timing:
        """The timing with the cold figures. It is unchanged where the protocol asks for none, or none is steady.

        Verdict `integrity` where empty caches cost the candidate far more than eager, even in its quickest calls.
        Then the candidate saves time when warm because it repeats work, not because it works faster.
        """
        if not self.protocol.cold_blocks:
            return timing
        swept = evicted_bytes(self.pair.device)
        seen: dict[Role, list[blocks.Block]] = {role: [] for role in _STAGES}
        for _ in range(self.protocol.cold_blocks):
            for role in _STAGES:
                seen[role].append(self._block(role, swept))
        harness_us, least_us, steady = self._harness(swept)
        typical = [statistics.median(block.us_per_call for block in seen[role]) - harness_us for role in _STAGES]
        eagers, quickest = (min(block.least_us for block in seen[role]) - least_us for role in _STAGES)
        loss = max(0.0, max(typical[0], eagers) - timing.eager_us)
        least = max(blocks.RESOLUTION_SHARE * harness_us, 1e-3)
        eager, compiled = (max(us, least) for us in typical)
        allowed = _SLACK_US + _FAR_ABOVE * (timing.compiled_us + loss)
        for _ in range(0 if self.pair.trusted else _AGAIN):
            if quickest > allowed:
                quickest = min(quickest, self._block("candidate", swept).least_us - least_us)
        if quickest > allowed and not self.pair.trusted:
            cold = f"with swept caches no call took less than {quickest:.0f} us, warm {timing.compiled_us:.0f}"
            raise found("kept_work", f"{cold}; eager {eager:.0f} and {timing.eager_us:.0f}")
        warm: dict[Role, float] = {"reference": timing.eager_us, "candidate": timing.compiled_us}
        for role, us in warm.items():
            if min(block.least_us for block in seen[role]) - least_us > _SLACK_US + _FAR_ABOVE * us:
                seen[role] += [self._block(role, swept) for _ in range(_AGAIN)]
        if not steady or not all(map(_steady, seen.values())):
            return timing
        eager, compiled = (
            max(statistics.median(block.us_per_call for block in seen[role]) - harness_us, least) for role in _STAGES
        )
        fields = {"cold_speedup": eager / compiled, "cold_eager_us": eager, "cold_compiled_us": compiled}
        return timing.model_copy(update=fields)

    def _harness(self, swept: int) -> tuple[float, float, bool]:
        """Microseconds of a call in which nothing is computed: typically, and of the quickest one. Are they steady?

        The loop and the interpreter are cold too, and cost far more than when they are warm.
        """
        null = self._block("reference", swept, "null")
        if self.pair.device == "cpu":
            return null.us_per_call, null.least_us, _steady([null])
        empty = self._block("reference", swept, "empty")  # its synchronisation stays in every call
        typical, least = max(0.0, null.us_per_call - empty.us_per_call), max(0.0, null.least_us - empty.least_us)
        return typical, least, _steady([null]) and _steady([empty])

    def _block(self, role: Role, swept: int, variant: Variant = "direct") -> blocks.Block:
        plan = BlockPlan(variant, self.protocol.lead_calls, _CALLS, swept=swept)
        with owned_by(_STAGES[role]), self.pair.awake(role) as worker:
            buffers = self.pair.timing_buffers(role)
            return blocks.run(worker, buffers, self.given, plan, self.rng, self.protocol.first_call_s)


def _steady(seen: Sequence[blocks.Block]) -> bool:
    """Whether the typical call took not many times as long as the quickest one."""
    typical = statistics.median(block.us_per_call for block in seen)
    return typical <= _UNSTEADY * min(block.least_us for block in seen)


def evicted_bytes(device: str) -> int:
    """Twice the largest cache that workers share with the controller. The caches of one core are smaller."""
    if device == "cpu":
        cache = cpu_cache_bytes(3) or cpu_cache_bytes(2) or _UNKNOWN_CACHE
    else:
        properties = torch.cuda.get_device_properties(torch.cuda.current_device())
        cache = int(getattr(properties, "L2_cache_size", 0)) or _UNKNOWN_CACHE
    return min(2 * cache, _MOST_EVICTED)
