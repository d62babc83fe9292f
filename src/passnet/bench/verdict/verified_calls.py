"""The verified calls of a candidate: blocks like those that are timed later, whose outputs are compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.outcome.ownership import owned_by
from passnet.bench.record.protocol import Protocol
from passnet.bench.timing import blocks, observe, sizing
from passnet.bench.timing.blocks import BlockPlan
from passnet.bench.verdict.evidence import GraphTrial
from passnet.bench.verdict.reference import Reference

# Where more is kept, it is compared before further calls are made.
_KEPT_BYTES = 64 << 20
# Calls of a block that are made elsewhere, where keeping them takes little.
_ELSEWHERE = 8


@dataclass(frozen=True)
class VerifiedCalls:
    """Makes the calls of one graph. The comparisons go to `trial`."""

    protocol: Protocol
    reference: Reference
    given: SecretInputs
    trial: GraphTrial

    def make(self, pair: WorkerPair, draws: Sequence[int], *, every: bool = False) -> None:
        """Make calls on each draw. Some outputs of each are compared.

        `every`: all siblings of these draws are compared, where there is room for that in several blocks. Of very large
        tensors some of them are, drawn at random. Else a block has one of them where keeping takes much.

        The first block is short, because a first call may compile. All later blocks are as long as timed ones, so
        their length tells the candidate nothing.
        """
        us: float | None = None
        seen: list[blocks.Block] = []
        for draw, siblings in self._blocks(draws, every=every):
            seen.append(self._block(pair, draw, siblings, us))
            us = seen[-1].us_per_call
            if sum(block.kept_bytes for block in seen) > _KEPT_BYTES:
                self._compare(seen)
        self._compare(seen)

    def make_elsewhere(self, pair: WorkerPair, draws: Sequence[int], cores: tuple[int, ...]) -> None:
        """Make calls as a user may: in other threads, on all of these cores, with a team of OpenMP. All are compared.

        Timed calls have one core, so there no two threads of a kernel ever run at once. The first team has a thread for
        each core, two at least. Another one may have more. What is right in these calls alone is wrong in the others.
        """
        if pair.device != "cpu" or pair.trusted or not self.protocol.guard_blocks:
            return
        rng, most = self.trial.rng, max(2, len(cores))
        small = sizing.more_compared(self.reference.shape) > 0
        every = [*draws, *(sibling for draw in draws for sibling in self.given.siblings.get(draw, ()))]
        for team in (most, rng.randint(2, 2 * most)) if small else (most,):
            chosen = [rng.choice(every) for _ in range(_ELSEWHERE if small else 1)]
            plan = BlockPlan(
                "direct", 0, 2, inputs=True, apart=dict(enumerate(chosen, 1)), team=team, facts=self.reference.facts
            )
            with pair.spread("candidate", cores):
                self._compare([self._run(pair, plan, more_s=plan.calls)])

    def _blocks(self, draws: Sequence[int], *, every: bool) -> Iterator[tuple[int, Sequence[int]]]:
        """The draw of each block, and the siblings that are in it."""
        rng, (at_once, most) = self.trial.rng, sizing.most_siblings(self.reference.shape)
        known = {draw: self.given.siblings.get(draw, ()) for draw in draws}
        if not every and not sizing.more_compared(self.reference.shape):
            most = 0
        every_one = [(draw, sibling) for draw, siblings in known.items() for sibling in siblings]
        firsts = {(draw, rng.choice(siblings)) for draw, siblings in known.items() if siblings}
        chosen = set(every_one) if len(every_one) <= most else firsts | set(rng.sample(every_one, most))
        for draw, siblings in known.items():
            left = [sibling for sibling in siblings if (draw, sibling) in chosen]
            yield draw, left[:at_once]
            for first in range(at_once, len(left), at_once):
                yield draw, left[first : first + at_once]

    def _compare(self, seen: list[blocks.Block]) -> None:
        """Compare what was kept of blocks, and let go of it."""
        self.trial.comparisons.extend(self.reference.compare_blocks(self.given, seen))
        seen.clear()

    def _block(self, pair: WorkerPair, draw: int, siblings: Sequence[int], us: float | None) -> blocks.Block:
        """Run one block under the guard. `us`: about how many microseconds a call takes, where that is known.

        One call gets the inputs of an earlier call, with other calls in between. Both are compared in the same way,
        so the outputs may depend on the inputs only. On hard draws some more calls are compared, and one of each of
        these siblings. All other calls are of timed draws, as in a timed block: the draws tell no block from another.
        """
        rng = self.trial.rng
        calls = rng.randint(3, 5)
        if us is not None and self.protocol.guard_blocks:
            calls = max(3, round(sizing.block_calls(us, self.protocol) * rng.uniform(0.75, 1.25)))
        more = sizing.more_compared(self.reference.shape)
        apart = dict(zip(rng.sample(range(calls + len(siblings)), len(siblings)), siblings, strict=True))
        own = [call for call in range(calls + len(siblings)) if call not in apart]
        place = rng.randrange(calls - 2)
        first, again = own[place], own[rng.randrange(place + 2, calls)]
        checked = {first, again}
        if draw in self.given.hard:  # where it is chance in which rows a naive form breaks
            others = [call for call in own if call not in checked]
            checked.update(rng.sample(others, min(len(others), more)))
        apart |= dict.fromkeys(checked - {again}, draw)
        plan = BlockPlan(
            "direct",
            0,
            calls + len(siblings) - len(apart),
            frozenset({again}),
            inputs=True,
            apart=apart,
            again={again: first},
            pads=tuple(sizing.pads(self.reference.shape, rng)),
            mode="plain" if pair.trusted or not self.protocol.guard_blocks else "guarded",
            share=1.0 if us is None else self.protocol.guard_share,
            facts=self.reference.facts,
        )
        return self._run(pair, plan)

    def _run(self, pair: WorkerPair, plan: BlockPlan, more_s: float = 0.0) -> blocks.Block:
        """Run one block. `more_s`: the seconds that it may take beyond the protocol's, because its teams gather."""
        limit_s = self.protocol.first_call_s + more_s
        with owned_by("call"), pair.awake("candidate") as worker:
            buffers = pair.timing_buffers("candidate")
            block = blocks.run(worker, buffers, self.given, plan, self.trial.rng, limit_s)
        observe.look_at_notes(block.reply.notes)
        return block
