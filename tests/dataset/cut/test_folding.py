"""Folding: which windows are folded, and which ranges come of it; a slow and plain reference decides."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.dataset.cut.folding import FoldedPattern, _patterns, _Stream, fold

Words = list[list[str]]
FEW = st.lists(st.lists(st.sampled_from("abc"), max_size=14), max_size=4)
MANY = st.lists(st.lists(st.sampled_from("abcd"), max_size=60), max_size=5)
BLOCK = ["layer_norm", "linear", "softmax", "matmul", "add"]


def find_patterns(sequences: Words, *, window: int = 64, folds: int = 16, max_ops: int = 64) -> list[FoldedPattern]:
    """What is folded, in order."""
    return _patterns(_Stream(sequences, window=window, max_ops=max_ops), folds)


def disjoint_places(tokens: Sequence[int], window: Sequence[int]) -> list[int]:
    found: list[int] = []
    for start in range(len(tokens) - len(window) + 1):
        fits = list(tokens[start : start + len(window)]) == list(window)
        if fits and (not found or start >= found[-1] + len(window)):
            found.append(start)
    return found


def reference(sequences: Words, window: int, folds: int, max_ops: int) -> list[FoldedPattern]:
    """The rule as it reads: every window of every length is counted anew for each fold."""
    names = sorted({name for sequence in sequences for name in sequence})
    streams = [[names.index(name) for name in sequence] for sequence in sequences]
    sizes = dict.fromkeys(range(len(names)), 1)
    patterns: list[FoldedPattern] = []
    while len(patterns) < folds:
        best = None
        passed = 0
        for stream in streams:
            for start in range(len(stream)):
                for length in range(2, min(window, len(stream) - start) + 1):
                    part = tuple(stream[start : start + length])
                    if sum(sizes[token] for token in part) > max_ops:
                        break
                    count = sum(len(disjoint_places(other, part)) for other in streams)
                    rank = ((count - 1) * (length - 1), length, -(passed + start))
                    if count > 1 and (best is None or rank > best[0]):
                        best = (rank, part, count)
            passed += len(stream) + 1
        if best is None:
            break
        _, part, count = best
        token = len(sizes)
        sizes[token] = sum(sizes[one] for one in part)
        patterns.append(FoldedPattern(token, part, count, sizes[token]))
        streams = [replaced(stream, part, token) for stream in streams]
    return patterns


def replaced(stream: list[int], part: tuple[int, ...], token: int) -> list[int]:
    for start in reversed(disjoint_places(stream, part)):
        stream = [*stream[:start], token, *stream[start + len(part) :]]
    return stream


@settings(max_examples=150, deadline=None)
@given(FEW, st.integers(2, 8), st.integers(2, 12))
def test_every_fold_is_the_one_that_saves_most(sequences, window, max_ops):
    found = find_patterns(sequences, window=window, folds=4, max_ops=max_ops)
    assert found == reference(sequences, window, 4, max_ops)


@settings(max_examples=100, deadline=None)
@given(MANY, st.integers(1, 5), st.integers(5, 20))
def test_ranges_are_disjoint_sorted_sized_and_the_same_again(sequences, min_ops, max_ops):
    found = fold(sequences, min_ops=min_ops, max_ops=max_ops)
    assert found == fold(sequences, min_ops=min_ops, max_ops=max_ops)
    assert len(found) == len(sequences)
    for ranges, sequence in zip(found, sequences, strict=True):
        assert all(min_ops <= end - start <= max_ops for start, end in ranges)
        assert all(start >= 0 and end <= len(sequence) for start, end in ranges)
        assert all(before[1] <= after[0] for before, after in pairwise(ranges))


@settings(max_examples=100, deadline=None)
@given(MANY)
def test_every_range_recurs(sequences):
    found = fold(sequences, min_ops=2, max_ops=16)
    words = [sequence[start:end] for sequence, ranges in zip(sequences, found, strict=True) for start, end in ranges]
    for word in words:
        places = sum(len(disjoint_places(sequence, word)) for sequence in sequences)
        assert places > 1, word


@settings(max_examples=50, deadline=None)
@given(MANY)
def test_only_the_equality_of_names_matters(sequences):
    names = dict(zip("abcd", ("z", "Tensor.view", "y", "add"), strict=True))
    assert fold([[names[name] for name in sequence] for sequence in sequences]) == fold(sequences)


def test_a_block_that_models_share_is_found_in_all_of_them():
    noise = random.Random(0)
    letters = [f"op{number}" for number in range(200)]
    sequences, places = [], []
    for _ in range(6):
        before = noise.sample(letters, noise.randrange(3, 9))
        sequences.append([*before, *BLOCK, *noise.sample(letters, 4)])
        places.append((len(before), len(before) + len(BLOCK)))
    assert [ranges[:1] for ranges in fold(sequences)] == [[place] for place in places]


def test_a_block_repeated_within_one_model_is_found_at_each_place():
    sequence = ["conv2d", *BLOCK, *BLOCK, "mean", *BLOCK]
    assert fold([sequence], folds=1) == [[(1, 6), (6, 11), (12, 17)]]


def test_nothing_recurs_across_the_border_of_two_models():
    assert find_patterns([["a"], ["b", "a"], ["b"]]) == []
    assert find_patterns([["a", "b"], ["c"], ["a", "b"]])[0].parts == (0, 1)


def test_a_fold_may_hold_earlier_folds_and_the_shortest_of_those_that_start_together_is_kept():
    pair = ["a", "b", "c", "d"]
    sequences = [[*pair, "x", "y"] * 2, [*pair, "x", "y"] * 2, pair * 9]
    patterns = find_patterns(sequences)
    tokens = {pattern.token for pattern in patterns}
    nested = [pattern for pattern in patterns if tokens & set(pattern.parts)]
    assert nested
    assert fold(sequences)[0][0] == (0, 4)


def test_the_saving_weighs_how_often_against_how_long():
    """Five pairs save 4 tokens, two blocks of six save 5."""
    block = ["p", "q", "r", "s", "t", "u"]
    sequences = [["a", "b", f"x{number}"] for number in range(5)] + [block, block]
    assert [(pattern.count, pattern.ops) for pattern in find_patterns(sequences)] == [(2, 6), (5, 2)]


def test_ties_go_to_the_longer_and_then_to_the_earlier_window():
    longer = [["a", "b", "x0"], ["a", "b", "x1"], ["a", "b", "x2"], ["p", "q", "r"], ["p", "q", "r"]]
    assert find_patterns(longer)[0].ops == 3
    earlier = [["q", "p", "x0", "a", "b"], ["a", "b", "x1", "q", "p"]]
    assert fold(earlier, folds=1, min_ops=2) == [[(0, 2)], [(3, 5)]]


def test_no_window_longer_than_allowed_is_folded():
    sequence = list("abcdefghij") * 2
    assert fold([sequence], window=10, folds=1) == [[(0, 10), (10, 20)]]
    assert max(pattern.ops for pattern in find_patterns([sequence], window=4, folds=1)) == 4
    assert all(pattern.ops <= 6 for pattern in find_patterns([sequence], max_ops=6))


@pytest.mark.parametrize("sequences", [[], [[]], [["a"]], [[], ["a", "b"], []]])
def test_what_holds_no_repetition_gives_no_ranges(sequences):
    assert fold(sequences) == [[] for _ in sequences]
    assert find_patterns(sequences) == []


def test_overlapping_occurrences_are_counted_apart():
    (pattern, *_) = find_patterns([["a"] * 7], folds=1)
    assert (len(pattern.parts), pattern.count) == (3, 2)
