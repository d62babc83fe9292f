"""The Markov model is the one of the specification, and rarity orders sequences by it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.dataset.split.rarity import Markov, rarities, transitions

SEQUENCES = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6).map(tuple), min_size=1, max_size=12)


def test_probabilities_by_hand():
    model = Markov([("a", "b"), ("a", "b", "c"), ("a", "c")])
    # Three transitions leave a, two of them to b; there are three operators.
    assert model.probability("a", "b") == pytest.approx((2 + 1e-3) / (3 + 3e-3))
    assert model.probability("c", "a") == pytest.approx(1 / 3)
    expected = -(math.log(model.probability("a", "b")) + math.log(model.probability("b", "c"))) / 2
    assert model.surprise(("a", "b", "c")) == pytest.approx(expected)


def test_a_sequence_counts_once_however_often_it_occurs():
    assert Markov([("a", "b")] * 5 + [("a", "c")]).probability("a", "b") == pytest.approx(0.5, abs=1e-3)


@given(SEQUENCES)
def test_probabilities_of_what_follows_sum_to_one(sequences):
    model = Markov(sequences)
    known = sorted({op for ops in sequences for op in ops})
    for current in known:
        assert math.fsum(model.probability(current, op) for op in known) == pytest.approx(1)


@given(SEQUENCES)
def test_rarity_is_scaled_and_ordered_by_surprise(sequences):
    found = rarities(sequences)
    model = Markov(sequences)
    assert set(found) == set(sequences)
    assert all(0 <= value <= 1 for value in found.values())
    longer = sorted((ops for ops in found if len(ops) > 1), key=model.surprise)
    assert [found[ops] for ops in longer] == sorted(found[ops] for ops in longer)
    if longer and model.surprise(longer[0]) < model.surprise(longer[-1]):
        assert (found[longer[0]], found[longer[-1]]) == (0.0, 1.0)


@given(SEQUENCES, st.randoms())
def test_order_does_not_matter(sequences, random):
    shuffled = list(sequences)
    random.shuffle(shuffled)
    assert rarities(shuffled) == rarities(sequences)


def test_single_operators_and_uniform_corpora_are_not_rare():
    assert rarities([("a",), ("b",)]) == {("a",): 0.0, ("b",): 0.0}
    assert rarities([("a", "b")]) == {("a", "b"): 0.0}
    assert list(transitions(("a",))) == []


def test_the_unusual_turn_is_the_rare_one():
    usual = [("conv", "norm", "relu"), ("conv", "norm", "gelu", "conv"), ("conv", "norm", "relu", "conv")]
    found = rarities([*usual, ("norm", "conv")])
    assert found["norm", "conv"] == 1.0
