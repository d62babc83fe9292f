"""Turns kernel counts of growing prefixes into fusible ranges: the published grouping rule, without torch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

Range = tuple[int, int]


def fusible_ranges(counts: Sequence[int]) -> list[Range]:
    """Ranges of operators that launch no kernel beyond the first one's: half-open, disjoint and sorted.

    `counts[p - 1]` is the number of kernels of the first p operators. If it does not grow, the new operator was
    absorbed. A plateau of prefixes p..q therefore means that operators p-1..q-1 belong together. Prefixes between two
    equal counts belong to that plateau even if they need more kernels (a later operator joined separate parts).
    Neighbouring plateaus merge while the next begins with no more kernels than the last ends with. Only groups of more
    than one prefix count. The published rule also drops groups that end on a rise. Once neighbours have merged, there
    are none.
    """
    groups = _merged(_plateaus(counts), counts)
    return [(group[0] - 1, group[-1]) for group in groups if len(group) > 1]


def disjoint(ranges: Iterable[Range]) -> list[Range]:
    """Of overlapping ranges the one that starts first. Of those that start together the longest."""
    kept: list[Range] = []
    for start, end in sorted(set(ranges), key=lambda found: (found[0], -found[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def lowered(counts: Sequence[int]) -> list[int]:
    """Each count replaced by the smallest value whose first and last occurrence enclose it: bumps are cut off."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for place, count in enumerate(counts):
        first.setdefault(count, place)
        last[count] = place
    smooth = list(counts)
    # The order is from large to small, so that the smallest enclosing value is written last.
    for count in sorted(first, reverse=True):
        span = slice(first[count], last[count] + 1)
        smooth[span] = [count] * (last[count] + 1 - first[count])
    return smooth


def _plateaus(counts: Sequence[int]) -> list[list[int]]:
    """Runs of prefixes (counted from 1) with equal lowered counts. Together they hold every prefix once."""
    numbered = enumerate(lowered(counts), start=1)
    return [[prefix for prefix, _ in run] for _, run in groupby(numbered, key=lambda pair: pair[1])]


def _merged(groups: list[list[int]], counts: Sequence[int]) -> list[list[int]]:
    merged: list[list[int]] = []
    for group in groups:
        if merged and counts[merged[-1][-1] - 1] >= counts[group[0] - 1]:
            merged[-1] = merged[-1] + group
        else:
            merged.append(group)
    return merged
