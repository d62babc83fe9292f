"""Every spelling of an idiom as a pattern against every spelling as a model: a required share must match."""

import functools

import pytest
import torch

from passnet.rewrite import rewrite
from tests.rewrite.helpers import capture, rule_of, run, tensors
from tests.rewrite.idiom_negatives import NEGATIVES
from tests.rewrite.idioms import IDIOMS


@functools.cache
def _captured(idiom, index):
    return capture(IDIOMS[idiom].spellings[index], *tensors(IDIOMS[idiom].shapes))


def _matched(idiom, pattern, target):
    function = IDIOMS[idiom].spellings[pattern]
    rewritten = rewrite(_captured(idiom, target), [rule_of(function)])
    return rewritten, rewritten.total == 1


def _pairs():
    return [
        (i, p, t)
        for i, idiom in enumerate(IDIOMS)
        for p in range(len(idiom.spellings))
        for t in range(len(idiom.spellings))
    ]


def test_there_are_24_idioms_550_pairs_and_40_near_misses():
    assert len(IDIOMS) == 24
    assert all(2 <= len(idiom.spellings) <= 8 for idiom in IDIOMS)
    assert len(_pairs()) >= 550
    assert len(NEGATIVES) >= 40


@pytest.mark.slow
def test_share_of_matched_pairs(record_property):
    missed = [(IDIOMS[i].name, p, t) for i, p, t in _pairs() if not _matched(i, p, t)[1]]
    record_property("pairs", len(_pairs()))
    record_property("matched", len(_pairs()) - len(missed))
    identical = [pair for pair in missed if pair[1] == pair[2]]
    assert not identical
    assert len(missed) <= 0.01 * len(_pairs()), missed


@pytest.mark.parametrize("idiom", range(len(IDIOMS)), ids=[idiom.name for idiom in IDIOMS])
def test_a_matched_pair_computes_the_same(idiom):
    inputs = tensors(IDIOMS[idiom].shapes, seed=3)
    last = len(IDIOMS[idiom].spellings) - 1
    for pattern, target in ((0, last), (last, 0)):
        rewritten, matched = _matched(idiom, pattern, target)
        assert matched
        function = IDIOMS[idiom].spellings[target]
        got, wanted = run(rewritten.gm, function, inputs)[0], run(_captured(idiom, target), function, inputs)[0]
        torch.testing.assert_close(got, wanted, equal_nan=True)
        assert got.dtype == wanted.dtype


@pytest.mark.parametrize("negative", NEGATIVES, ids=[negative.name for negative in NEGATIVES])
def test_near_misses_do_not_match(negative):
    graph = capture(negative.target, *tensors(negative.shapes))
    rewritten = rewrite(graph, [rule_of(negative.pattern)], graph_name="g")
    assert rewritten.total == 0
    (miss,) = rewritten.near_misses
    assert miss.graph == "g"
    assert miss.reason
    assert miss.pattern_node


@pytest.mark.parametrize("negative", NEGATIVES, ids=[negative.name for negative in NEGATIVES])
def test_the_pattern_of_a_near_miss_matches_its_own_spelling(negative):
    graph = capture(negative.pattern, *tensors(negative.shapes))
    assert rewrite(graph, [rule_of(negative.pattern)]).total == 1


def test_an_idiom_matches_another_only_where_it_is_contained_in_it():
    contained = {("silu_gate", "glu_split")}
    found = set()
    for pattern in IDIOMS:
        rule = rule_of(pattern.spellings[0])
        for index, target in enumerate(IDIOMS):
            if target is not pattern and rewrite(_captured(index, 0), [rule]).total:
                found.add((pattern.name, target.name))
    assert found == contained
