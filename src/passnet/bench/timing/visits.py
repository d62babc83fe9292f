"""Visit a pair of workers: groups of interleaved blocks, with the harness's own cost before and after them."""

from __future__ import annotations

import random
import statistics
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from passnet.bench.isolation.worker_pair import Role, WorkerPair
from passnet.bench.record.protocol import Protocol
from passnet.bench.timing.block_maker import BlockMaker
from passnet.bench.timing.blocks import RESOLUTION_SHARE, Block
from passnet.bench.timing.estimate import PairFigures, Unstable
from passnet.bench.timing.groups import GrossGroup
from passnet.bench.timing.observe import Observations, idle_work
from passnet.bench.timing.quiet_core import QuietCore
from passnet.bench.wire.requests import Variant
from passnet.bench.wire.shared_buffers import SharedBuffers

_FEWEST_NULL, _MOST_NULL_CALLS = 9, 24
# Where eager takes hardly longer than null calls, these are measured so often at most, until two blocks agree.
_MOST_NULL, _NULL_AGREE = 6, 0.15
# Blocks compared in a later visit of a pair. Whoever counts calls finds no visit that is not looked at.
_LATER_CHECKS, _LATER_GUARDS = 1, 1
# One in so many later visits ends with a look at the idle candidate.
_LATER_IDLE = 4


def _disturbed(gross_us: float, null_us: Sequence[float]) -> bool:
    """True where eager seems to take hardly longer than null calls, and these do not say so reliably.

    A graph may compute next to nothing, such as a view. Then eager takes as long as a null call, whenever one is
    measured. No side is faster there, because no call counts as less than `blocks.RESOLUTION_SHARE`.
    """
    first, second = sorted(null_us)[:2]
    if gross_us > (1 + RESOLUTION_SHARE) * first:
        return False
    return second > (1 + _NULL_AGREE) * first or gross_us < (1 - _NULL_AGREE) * first


@dataclass(frozen=True)
class CheckedBlock:
    """A timed block of a candidate to be compared now. Its inputs still lie in `buffers` as the block left them."""

    block: Block
    buffers: SharedBuffers


@dataclass
class Looks:
    """Decides after each block whether it is compared: about `wanted` of `blocks`, and at least one.

    All blocks are made alike, so nobody can know which it will be. Each is chosen by itself, so whoever feels that some
    were compared does not know that the next will not be.
    """

    rng: random.Random
    wanted: int
    blocks: int
    _chosen: int = 0
    _seen: int = 0

    def chooses(self) -> bool:
        self._seen += 1
        forced = self._seen == self.blocks and not self._chosen
        chosen = forced or self.rng.random() < self.wanted / self.blocks
        self._chosen += chosen
        return chosen


@dataclass
class PairOnTrial:
    """One pair of processes on trial: what it is measured with, and what was measured.

    `control`: the pair whose reference worker is the A/A control. `idle`: microseconds of null calls.
    """

    index: int
    pair: WorkerPair
    control: WorkerPair
    calls: dict[Role, int]
    leads: dict[Role, int]
    watch: Observations = field(default_factory=Observations)
    groups: list[GrossGroup] = field(default_factory=list)
    deployed: list[GrossGroup] = field(default_factory=list)
    idle: list[float] = field(default_factory=list)

    def figures(self, harness_us: float, hidden_us: float, held_us: float) -> PairFigures:
        return PairFigures(
            quads=tuple(group.net(harness_us, hidden_us, held_us) for group in self.groups),
            deployed=tuple(group.net(harness_us, hidden_us, held_us) for group in self.deployed),
            calls=2 * len(self.groups) * self.calls["candidate"],
            harness_us=harness_us,
        )


@dataclass
class Visits:
    """Visits pairs, with blocks of `blocks`, each measured on a quiet core."""

    blocks: BlockMaker
    protocol: Protocol
    rng: random.Random
    quiet_core: QuietCore
    _null_calls: int = _FEWEST_NULL

    def visit(self, tried: PairOnTrial, groups: int) -> Generator[CheckedBlock, None, None]:
        """Measure some groups of a pair, with the harness's cost before and after, and look at what the candidate did.

        Unstable where the machine hides what eager takes beyond the harness.
        """
        first = not tried.groups
        # Enough that the slowest does not count, and few where drawing takes long.
        self._null_calls = max(self._null_calls, min(_MOST_NULL_CALLS, tried.calls["reference"]))
        self.blocks.turn_to(tried.leads, tried.watch)
        looks = Looks(self.rng, self.protocol.spot_checks if first else _LATER_CHECKS, 2 * groups)
        guarded = self._some_of(groups, self.protocol.guard_blocks if first else _LATER_GUARDS)
        idle = [self._harness(tried.pair)]
        measured = []
        for number in range(groups):
            if number in guarded and self.protocol.guard_blocks and not tried.pair.trusted:
                self.blocks.make(
                    tried.pair, "candidate", "direct", self.blocks.some(tried.calls["candidate"]), mode="guarded"
                )
            measured.append((yield from self.group(tried, "direct", looks)))
        idle.append(self._harness(tried.control))
        typical = statistics.median(us for group in measured for us in group.eager)
        while _disturbed(typical, idle) and len(idle) < _MOST_NULL:
            idle.append(self._harness(tried.pair))
        tried.idle += idle
        tried.groups += measured
        more = self.protocol.deployed_groups if first else 0
        looks = Looks(self.rng, _LATER_CHECKS, 2 * more)
        for _ in range(more):
            tried.deployed.append((yield from self.group(tried, "deployed", looks)))
        tried.watch.decide()
        if not tried.pair.trusted and (first or not self.rng.randrange(_LATER_IDLE)):
            idle_work(tried.pair, self.protocol.idle_s)
            self.blocks.somebody_was_awake()
        if _disturbed(typical, idle):
            nothing = f"{min(idle):.2f} us of a call in which nothing is computed"
            raise Unstable(f"eager's call of {typical:.2f} us cannot be told from the {nothing}")

    def _some_of(self, count: int, wanted: int) -> set[int]:
        return set(self.rng.sample(range(count), min(wanted, count)))

    def _harness(self, pair: WorkerPair) -> float:
        """What a call costs in which nothing is computed, in the reference worker of a pair."""
        kinds: list[Variant] = ["null"]
        if pair.device != "cpu":  # a synchronised call costs its synchronisation everywhere: that one stays in
            kinds.append("empty")
        self.rng.shuffle(kinds)
        us = {}
        for kind in kinds:
            self.quiet_core.quieten()
            us[kind] = self.blocks.make(pair, "reference", kind, self._null_calls).us_per_call
        return max(0.0, us["null"] - us.get("empty", 0.0))

    def group(self, tried: PairOnTrial, variant: Variant, looks: Looks) -> Generator[CheckedBlock, None, GrossGroup]:
        """The blocks of one group, two a side."""
        sides: dict[str, tuple[WorkerPair, Role]] = {
            "eager": (tried.pair, "reference"),
            "candidate": (tried.pair, "candidate"),
            "control": (tried.control, "reference"),
        }
        order = self.rng.sample(sorted(sides), len(sides))
        found: dict[str, list[Block]] = {side: [] for side in sides}
        for side in (*order, *order[::-1]):
            where, role = sides[side]
            chosen = looks if side == "candidate" else None
            found[side].append((yield from self._quiet_block(where, role, variant, tried.calls[role], chosen)))
        tried.watch.group(found["eager"], found["control"], found["candidate"])
        return GrossGroup.of(found)

    def _quiet_block(
        self, pair: WorkerPair, role: Role, variant: Variant, calls: int, looks: Looks | None
    ) -> Generator[CheckedBlock, None, Block]:
        """A block on a core that was quiet before and after it. `looks`: keep outputs. Tries that do not count are not
        compared.
        """
        counts, keeps = False, looks is not None
        while not counts:
            self.quiet_core.quieten()
            timed = self.blocks.some(calls)
            hard = self.blocks.hard.amid(timed) if keeps else ()
            block = self.blocks.make(pair, role, variant, timed, keeps=keeps, hard=hard)
            counts = self.quiet_core.counts(candidate=role == "candidate")
        if looks is not None and looks.chooses():
            yield CheckedBlock(block, pair.timing_buffers(role))
            self.blocks.hard.were_compared()
        else:
            block.kept.clear()
        return block
