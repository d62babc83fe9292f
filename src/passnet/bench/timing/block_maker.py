"""Make the blocks of a run: how long each is, which calls are kept, and which hard ones lie amid them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.isolation.worker_pair import Role, WorkerPair
from passnet.bench.outcome.ownership import owned_by
from passnet.bench.record.protocol import Protocol
from passnet.bench.timing import blocks, gpu_idle, sizing
from passnet.bench.timing.blocks import BlockPlan
from passnet.bench.timing.estimate import Unstable
from passnet.bench.timing.hard_turns import HardTurns
from passnet.bench.timing.observe import Observations
from passnet.bench.wire.memory import Stage
from passnet.bench.wire.replies import OutputFacts
from passnet.bench.wire.requests import Mode, Variant

# So many calls after a kept one do not count where calls are short. In a graph with large outputs the first was twice
# as slow, the second by a fifth, and the third by a tenth. Blocks of so many calls are of short ones.
_DISTURBED, _SHORT_CALLS = 2, 16
# Calls of a candidate's block of which outputs are kept, on average.
_KEPT_CALLS = 1.5
_SPREAD = (0.75, 1.25)
STAGES: dict[Role, Stage] = {"reference": "reference", "candidate": "call"}


@dataclass
class BlockMaker:
    """Makes blocks, of one pair after the other: `turn_to` says whose.

    `facts`: about eager's outputs, for the run-time guard.
    """

    pairs: Sequence[WorkerPair]
    protocol: Protocol
    given: SecretInputs
    rng: random.Random
    shape: sizing.GraphShape
    facts: OutputFacts
    _at_rest: bool = False  # the GPU was seen idle, and no candidate was awake since
    _leads: dict[Role, int] = field(default_factory=dict)
    hard: HardTurns = field(init=False)
    _watch: Observations = field(default_factory=Observations)

    def __post_init__(self) -> None:
        self.hard = HardTurns(self.given, self.rng, self.shape)

    def turn_to(self, leads: dict[Role, int], watch: Observations) -> None:
        """The next blocks are of a pair with so many lead-in calls, and `watch` sees what its candidate does."""
        self._leads, self._watch = leads, watch

    def somebody_was_awake(self) -> None:
        """A candidate was awake outside blocks, so the GPU may be at work."""
        self._at_rest = False

    def some(self, calls: int) -> int:
        """A length near the wanted one that nobody can predict."""
        return max(1, round(calls * self.rng.uniform(*_SPREAD)))

    def _kept_calls(self, timed: int) -> int:
        """How many calls of a block are kept. Each is by the same chance, whichever were.

        Keeping takes the controller a while. Who feels that a call was kept must not know whether a further one will
        be.
        """
        return sum(self.rng.random() < _KEPT_CALLS / timed for _ in range(timed))

    def make(
        self,
        pair: WorkerPair,
        role: Role,
        variant: Variant,
        timed: int,
        *,
        mode: Mode = "plain",
        keeps: bool = False,
        hard: Sequence[int] = (),
    ) -> blocks.Block:
        """One block. `keeps`: it keeps outputs of some calls.

        `hard`: the draws of further calls, which are kept and do not count. Nothing tells them from the timed calls.
        """
        lead = self._leads.get(role, self.protocol.lead_calls)
        kept = self._kept_calls(timed) if keeps else 0
        disturbed = _DISTURBED if timed >= _SHORT_CALLS else 1
        timed += disturbed * (kept + len(hard))  # calls after a kept one do not count
        places = range(lead, lead + timed + len(hard))
        apart = dict(zip(self.rng.sample(places, len(hard)), hard, strict=True))
        others = [call for call in places if call not in apart]
        plan = BlockPlan(
            variant,
            lead,
            timed,
            frozenset(self.rng.sample(others, kept)),
            inputs=bool(self.shape.changed),
            most_kept=sizing.most_kept(self.shape),
            apart=apart,
            disturbed=disturbed,
            pads=tuple(sizing.pads(self.shape, self.rng)),
            mode=mode,
            share=self.protocol.guard_share,
            own=role == "candidate" and not pair.trusted,
            facts=self.facts,
        )
        if pair.device != "cpu" and not pair.trusted and not self._at_rest:
            self._settle()
        self._at_rest = role == "reference"
        with owned_by(STAGES[role]), pair.awake(role) as worker:
            buffers = pair.timing_buffers(role)
            block = blocks.run(worker, buffers, self.given, plan, self.rng, self.protocol.first_call_s)
        if role == "candidate":
            self._watch.block(block)
        return block

    def _settle(self) -> None:
        try:
            gpu_idle.settle(self.pairs)
        except gpu_idle.Busy as error:
            raise Unstable(str(error)) from error
