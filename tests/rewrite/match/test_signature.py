"""What a pattern needs of a graph, and its structure: spelling is forgotten, everything that computes is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.graph import Task
from passnet.rewrite import load_rules, read_pass_set, rewrite
from passnet.rewrite.match.signature import operations, operations_of, structure
from passnet.rewrite.rules.trace import trace_pattern
from tests.rewrite.helpers import HERE, capture, rule_of, tensors
from tests.rewrite.idioms import IDIOMS

TASKS = sorted((Path(__file__).parents[3] / "data" / "tasks").iterdir())


ONES, TWOS = torch.ones(2), torch.full((2,), 2.0)


def structure_of(pattern):
    return structure(trace_pattern(pattern, HERE))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (lambda x, y: (x * y).exp() + x, lambda a, b: a + torch.exp(b * a)),
        (lambda x: x.softmax(-1), lambda x: F.softmax(x, dim=-1)),
        (lambda x, w: F.gelu(x * 2) * w, lambda w, x: w * F.gelu(torch.mul(x, 2), approximate="none")),
        (lambda x: x.relu().sum(0), lambda x: torch.sum(torch.relu(x), dim=0)),
    ],
)
def test_spelling_does_not_show(left, right):
    assert structure_of(left) == structure_of(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (lambda x, y: x - y.exp(), lambda x, y: y.exp() - x),
        (lambda x: x * 2.0, lambda x: x * 3.0),
        (lambda x: x.softmax(-1), lambda x: x.softmax(0)),
        (lambda x, y: (x * x).exp() + y, lambda x, y: (x * y).exp() + y),
        (lambda x: (x.exp(), x.relu()), lambda x: (x.relu(), x.exp())),
        (lambda x, y: x.exp() * y.exp() + x, lambda x, y: x.exp() * x.exp() + y),
        (lambda x: x.exp() * ONES, lambda x: x.exp() * TWOS),
    ],
)
def test_what_computes_something_else_does(left, right):
    assert structure_of(left) != structure_of(right)


def test_a_literal_parameter_is_told_from_a_tensor():
    def scaled(x, s: float):
        return x.exp() * s

    assert structure_of(scaled) != structure_of(lambda x, s: x.exp() * s)


def test_bundled_rules_differ_and_need_what_their_graphs_have():
    seen = {}
    for directory in TASKS:
        task = Task.read(directory)
        rules = load_rules(read_pass_set(task.pass_dir), "cpu").rules
        graph = task.refs[0].load().module()
        counts = rewrite(graph, rules).replacements
        for rule in rules:
            seen.setdefault(structure(rule.pattern), rule.name)
            if counts[rule.name]:
                assert operations_of(graph).issuperset(operations(rule.pattern))
    assert len(seen) == sum(len(load_rules(read_pass_set(d / "pass_dir"), "cpu").rules) for d in TASKS)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_no_match_is_lost_to_the_index(data):
    """Whatever spelling a model has: a rule that matches is one that the index would have tried."""
    idiom = data.draw(st.sampled_from(IDIOMS), label="idiom")
    pattern, model = (data.draw(st.sampled_from(idiom.spellings), label=side) for side in ("pattern", "model"))
    rule = rule_of(pattern)
    graph = capture(model, *tensors(idiom.shapes))
    if rewrite(graph, [rule], explain=False).total:
        assert operations_of(graph).issuperset(operations(rule.pattern))
