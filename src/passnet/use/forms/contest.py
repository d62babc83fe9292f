"""Times forms in turn: palindromes of blocks in an order drawn anew for each group, so that drift cancels.

A block is some rounds of the example calls, after one round that is not counted. Each form has two blocks in a group,
as far before its middle as after it. Forms that are surely far behind are left out of later groups.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from passnet.bench.timing.stats import Estimate, Process, estimate
from passnet.use.form import Form
from passnet.use.forms.stage import FormFailed, Stage

Pair = tuple[float, float]
_BLOCK_S, _MOST_ROUNDS = 0.02, 1 << 14
# After so many groups, forms that take so many times as long as the fastest are measured no further.
_LOOKS, _FAR = 3, 1.2
CONFIDENCE = 0.95


@dataclass(frozen=True)
class OfProcesses:
    """What is known of a process of whole models before it is measured. See `bench.timing.stats.Prior`."""

    process_sd: float = 0.01
    process_sd_dof: float = 8.0


PRIOR = OfProcesses()


@dataclass
class Measured:
    """One process: for each form its groups, as seconds of one round in the two blocks. `failed`: forms that ended."""

    groups: dict[Form, list[Pair]] = field(default_factory=dict)
    failed: dict[Form, str] = field(default_factory=dict)

    def seconds(self, form: Form) -> float | None:
        """The median of all blocks. None when there is none."""
        blocks = [each for pair in self.groups.get(form, ()) for each in pair]
        return statistics.median(blocks) if blocks else None

    def fastest(self, among: Collection[Form]) -> Form | None:
        """The form with the least median."""
        known = {form: seconds for form in among if (seconds := self.seconds(form)) is not None}
        return min(known, key=lambda form: known[form]) if known else None


def speedup(processes: Sequence[Measured], form: Form, over: Form) -> Estimate | None:
    """How many times as fast a form is as another one, over the processes in which both were measured.

    None without two groups.
    """
    sides = []
    for process in processes:
        ours, theirs = process.groups.get(form, []), process.groups.get(over, [])
        count = min(len(ours), len(theirs))  # a form is left out after a group, so the first ones are the same groups
        if count >= 2:
            sides.append(Process(tuple(theirs[:count]), tuple(ours[:count])))
    if not sides:
        return None
    return estimate(sides, confidence=CONFIDENCE, prior=PRIOR)


@dataclass
class Contest:
    """The forms of one stage. `rounds`: how many rounds of the calls are in a block of each form.

    `left_s`: seconds until the very end, None for any time. No block begins after it.
    """

    stage: Stage
    seed: int
    left_s: Callable[[], float | None] = lambda: None
    measured: Measured = field(default_factory=Measured)
    rounds: dict[Form, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seed)

    def run(
        self,
        forms: Sequence[Form],
        *,
        groups: int,
        goes_on: Callable[[], bool] = lambda: True,
        needed: Collection[Form] = (),
    ) -> Measured:
        """At most so many groups of these forms, beginning anew; at least two while `goes_on` is false.

        A form that has not two new groups when the time is over keeps those that it had.
        Forms that are far behind are left out unless `needed`. A form that fails is left out, with its reason.
        """
        racing = [form for form in forms if form not in self.measured.failed]
        before = {form: self.measured.groups.pop(form, []) for form in racing}
        for number in range(groups):
            if number >= 2 and not goes_on():
                break
            self._group(racing)
            racing = [form for form in racing if form not in self.measured.failed]
            if number + 1 >= _LOOKS:
                racing = self._near(racing, needed)
        for form, known in before.items():
            if len(self.measured.groups.get(form, ())) < min(2, len(known)) and form not in self.measured.failed:
                self.measured.groups[form] = known
        return self.measured

    def _group(self, racing: Sequence[Form]) -> None:
        order = list(racing)
        self._rng.shuffle(order)
        first = {form: self._block(form) for form in order}
        for form in reversed(order):
            again = self._block(form)
            before = first[form]
            if before is not None and again is not None:
                self.measured.groups.setdefault(form, []).append((before, again))

    def _block(self, form: Form) -> float | None:
        """Seconds of one round. None when the form fails, or has failed."""
        if form in self.measured.failed or self.left_s() == 0:
            return None
        try:
            if form not in self.rounds:
                self.rounds[form] = self._sized(form)
            rounds = self.rounds[form]
            return self.stage.seconds(form, rounds, self.left_s()) / rounds
        except FormFailed as failure:
            if self.left_s() == 0:  # it was ended with the time of all, and its groups so far are good
                return None
            self.measured.failed[form] = str(failure)
            self.measured.groups.pop(form, None)
            return None

    def _sized(self, form: Form) -> int:
        """How many rounds make a block. A round may be shorter than the clock's own noise, so more are tried."""
        rounds = 1
        while (seconds := self.stage.seconds(form, rounds, self.left_s())) < _BLOCK_S / 4 and rounds < _MOST_ROUNDS:
            rounds *= 4
        return max(1, min(_MOST_ROUNDS, round(rounds * _BLOCK_S / seconds)))

    def _near(self, racing: Sequence[Form], needed: Collection[Form]) -> list[Form]:
        best = self.measured.fastest(racing)
        least = self.measured.seconds(best) if best is not None else None
        if least is None:
            return list(racing)
        seconds = {form: self.measured.seconds(form) or least for form in racing}
        return [form for form in racing if form in needed or seconds[form] <= _FAR * least]
