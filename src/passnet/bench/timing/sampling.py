"""What to measure next: more groups of a pair that is open, a further pair, or nothing more. Pure decisions.

A decision depends on widths alone. A factor on all of the candidate's times changes none, with one exception: where
the question is whether the ratio is surely on one side of a threshold, an answer ends the measurement.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import EndOfTiming
from passnet.bench.timing import stats

# A process's own variance is taken to be at least this share of the prior's, however alike the processes look.
_LEAST_SHARE = 0.25


@dataclass(frozen=True)
class Step:
    """`groups`: visit pair `index` for `groups` more groups. `pair`: the same of a pair that is not there yet. Else why
    nothing more is measured.
    """

    kind: Literal["groups", "pair", "narrow", "decided", "limit"]
    index: int = 0
    groups: int = 0

    @property
    def ends(self) -> EndOfTiming | None:
        """Why nothing more is measured. None where something is."""
        return None if self.kind == "groups" or self.kind == "pair" else self.kind  # noqa: PLR1714


def confidence_of_look(protocol: Protocol, look: int) -> float:
    """The confidence of an interval that may end the measurement by its place, at look 1, 2, ...

    The chance of error is shared out over the looks: 1/2, 1/6, 1/12, ... of it. However many looks there are, the
    shares sum to less than all of it.
    """
    return 1.0 - (1.0 - protocol.confidence) / (look * (look + 1))


def next_step(
    logs: Sequence[np.ndarray], opened: Collection[int], protocol: Protocol, look: int = 1, built: int = 0
) -> Step:
    """The next step after what is there: log ratios of groups, an array for each pair that counts.

    `opened`: the numbers of the pairs in `logs` that can be visited again. `look`: how often this was asked before,
    plus 1. `built`: how many pairs there are whose programs are built, those in `logs` among them.
    """
    if len(logs) < protocol.least_pairs:
        return Step("pair", groups=protocol.visit_groups)
    found = stats.spread(logs, protocol)
    if found.estimate(protocol.confidence).half_width <= protocol.precision:
        return Step("narrow")
    if protocol.question == "decided":
        surely = found.estimate(confidence_of_look(protocol, look))
        if not surely.low <= protocol.threshold <= surely.high:
            return Step("decided")
    return _more(found, [len(each) for each in logs], opened, protocol, built)


def _more(found: stats.Spread, counts: Sequence[int], opened: Collection[int], protocol: Protocol, built: int) -> Step:
    """The step towards the cheapest narrow interval: the open pair with the fewest groups, or a further pair."""
    fewest = min(opened, key=lambda index: counts[index], default=None)
    lacking = protocol.most_groups - counts[fewest] if fewest is not None else 0
    hoped = _cheapest(found, counts, opened, protocol, built)
    if hoped is None and len(counts) >= protocol.most_pairs:
        return Step("limit")  # groups without end would not do
    pairs, groups = hoped or (protocol.most_pairs, _thrifty(found, protocol))
    visit = Step("groups", fewest or 0, min(protocol.visit_groups, lacking))
    if lacking > 0 and protocol.most_groups - lacking < groups:
        return visit
    if len(counts) < protocol.most_pairs and (pairs > len(counts) or lacking <= 0):
        return Step("pair", groups=max(protocol.visit_groups, min(groups, protocol.most_groups)))
    return visit if lacking > 0 else Step("limit")


def _cheapest(
    found: stats.Spread, groups: Sequence[int], opened: Collection[int], protocol: Protocol, built: int
) -> tuple[int, int] | None:
    """The pairs, and the groups of each, that promise the wanted width for the least time. None where nothing does."""
    process = _process_variance(found, protocol)
    best: tuple[int, int] | None = None
    cheapest = math.inf
    for pairs in range(len(groups), protocol.most_pairs + 1):
        more_pairs, lie_ready = pairs - len(groups), max(0, min(pairs, built) - len(groups))
        further = lie_ready * protocol.built_pair_cost + (more_pairs - lie_ready) * protocol.pair_cost
        if further + more_pairs * protocol.visit_groups >= cheapest:
            break
        t = stats.t_quantile(protocol.confidence, math.floor(found.dof) + more_pairs)
        for each in _visits(protocol):
            figure = process + stats.figure_variance(each) * found.group_sd**2
            more = sum(max(0, each - groups[index]) for index in opened)
            cost = more + further + more_pairs * each
            narrow = t * math.sqrt(stats.centre_cost(pairs) * figure / pairs) <= protocol.precision
            if narrow:  # more groups would only cost more
                best, cheapest = ((pairs, each), cost) if cost < cheapest else (best, cheapest)
                break
    if best is not None and best[0] == len(groups) and all(groups[index] >= best[1] for index in opened):
        # The figures are further apart than their groups explain, or the pairs that lack groups are closed.
        return len(groups) + 1, max(best[1], min(groups))
    return best


def _thrifty(found: stats.Spread, protocol: Protocol) -> int:
    """The groups of a pair that narrow the interval most for their time, however many pairs there will be."""
    process = _process_variance(found, protocol)
    return min(
        _visits(protocol),
        key=lambda each: (protocol.pair_cost + each) * (process + stats.figure_variance(each) * found.group_sd**2),
    )


def _visits(protocol: Protocol) -> range:
    return range(protocol.visit_groups, protocol.most_groups + 1, protocol.visit_groups)


def _process_variance(found: stats.Spread, protocol: Protocol) -> float:
    return max(found.figure - found.within, _LEAST_SHARE * protocol.process_sd**2)
