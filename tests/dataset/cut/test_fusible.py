"""The published grouping rule: which ranges follow from the kernel counts of growing prefixes."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.dataset.cut.fusible import disjoint, fusible_ranges, lowered

COUNTS = st.lists(st.integers(0, 9), max_size=40)


@pytest.mark.parametrize(
    ("counts", "ranges"),
    [
        ([], []),
        ([3], []),
        # Each operator has a kernel of its own.
        ([1, 2, 3, 4], []),
        # Prefixes of 2 to 4 operators need two kernels: operators 1 to 3 share one.
        ([1, 2, 2, 2, 3], [(1, 4)]),
        ([1, 1, 2, 2, 2, 4, 4], [(0, 2), (2, 5), (5, 7)]),
        # A bump between equal counts: what was apart is joined by a later operator.
        ([1, 2, 3, 2, 4], [(1, 4)]),
        ([1, 1, 2, 1, 2, 2], [(0, 4), (4, 6)]),
        # Within the smallest enclosing pair larger pairs count for nothing.
        ([1, 2, 3, 3, 2, 1, 5], [(0, 6)]),
        ([2, 1, 2, 1], [(0, 4)]),
        # Counts that fall take what is before them in.
        ([1, 3, 2, 4], [(1, 3)]),
        ([4, 3, 2, 1], [(0, 4)]),
        # A rise at the end starts something new.
        ([1, 1, 1, 2], [(0, 3)]),
        ([2, 3, 1, 2], [(0, 3)]),
        ([5, 4, 6, 7, 7], [(0, 2), (3, 5)]),
        # Views at the beginning launch nothing.
        ([0, 0, 1, 1], [(0, 2), (2, 4)]),
    ],
)
def test_ranges_of_hand_made_counts(counts, ranges):
    assert fusible_ranges(counts) == ranges


def test_bumps_are_lowered_to_the_smallest_value_that_encloses_them():
    assert lowered([1, 3, 2, 3, 1, 4]) == [1, 1, 1, 1, 1, 4]
    assert lowered([2, 3, 1, 2, 1, 3]) == [2, 2, 1, 1, 1, 3]


def published(counts: tuple[int, ...]) -> list[tuple[int, int]]:
    """The rule in its published words, with nothing left out: plateaus, bumps, merging, checks, overlaps."""
    floor = [
        min(v for v in counts if counts.index(v) <= place < len(counts) - counts[::-1].index(v))
        for place in range(len(counts))
    ]
    groups: list[list[int]] = []
    for place, value in enumerate(floor):
        if groups and floor[groups[-1][-1]] == value and groups[-1][-1] == place - 1:
            groups[-1].append(place)
        else:
            groups.append([place])
    merged = groups[:1]
    for group in groups[1:]:
        if counts[merged[-1][-1]] >= counts[group[0]]:
            merged[-1] = merged[-1] + group
        else:
            merged.append(group)
    kept = []
    for group in merged:
        steps = [counts[after] - counts[before] for before, after in pairwise(group)]
        changes = [step for step in steps if step]
        rises = bool(changes) and changes[-1] > 0
        if len(group) > 1 and counts[group[0]] >= counts[group[-1]] and not rises:
            kept.append((group[0], group[-1] + 1))
    return disjoint(kept)


def test_every_short_sequence_of_counts_follows_the_published_words():
    """Also shows that groups which end on a rise need no check of their own."""
    cases = [counts for length in range(7) for counts in product(range(4), repeat=length)]
    assert [counts for counts in cases if fusible_ranges(counts) != published(counts)] == []


@given(COUNTS)
def test_ranges_are_sorted_disjoint_within_the_graph_and_of_two_operators_or_more(counts):
    ranges = fusible_ranges(counts)
    assert all(start >= 0 and start + 2 <= end <= len(counts) for start, end in ranges)
    assert all(before[1] <= after[0] for before, after in pairwise(ranges))


@given(COUNTS)
def test_a_range_never_ends_with_more_kernels_than_it_begins_with(counts):
    assert all(counts[start] >= counts[end - 1] for start, end in fusible_ranges(counts))


@given(COUNTS, st.integers(0, 5))
def test_only_differences_between_counts_matter(counts, more):
    """A piece cut out of a larger graph has the counts of the larger one, less a constant."""
    assert fusible_ranges([count + more for count in counts]) == fusible_ranges(counts)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12))
def test_counts_that_never_fall_give_their_plateaus(lengths):
    counts = [number for number, length in enumerate(lengths) for _ in range(length)]
    starts = [sum(lengths[:number]) for number in range(len(lengths))]
    expected = [(start, start + length) for start, length in zip(starts, lengths, strict=True) if length > 1]
    assert fusible_ranges(counts) == expected


def test_of_overlapping_ranges_the_earliest_and_of_those_the_longest_is_kept():
    assert disjoint([(4, 8), (0, 3), (0, 5), (5, 9), (2, 12), (5, 9)]) == [(0, 5), (5, 9)]
    assert disjoint([]) == []
