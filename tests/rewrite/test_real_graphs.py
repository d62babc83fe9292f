"""Rules spelled from real graphs: each matches its graph, re-spelled too, and changes no bit of what it computes."""

import functools
from pathlib import Path

import pytest
import torch

from passnet.graph.graph import Graph
from passnet.rewrite import rewrite
from tests.rewrite.helpers import rule_of
from tests.rewrite.respell import leftover, own_pattern, respelled

TASKS = Path(__file__).parents[2] / "data" / "tasks"
PATHS = sorted(path.parent for path in TASKS.rglob("model.py"))
SIBLINGS = 3


def names(path):
    return str(path.relative_to(TASKS))


@functools.cache
def loaded(path):
    graph = Graph.read(path)
    return graph, graph.module()


@functools.cache
def structures():
    """One graph of each computation."""
    first = {}
    for path in PATHS:
        first.setdefault(loaded(path)[0].structure_hash, path)
    return tuple(first.values())


def rule(pattern):
    return rule_of(pattern, arguments=lambda *values: values)


def outcome(module, inputs):
    """Results, and the inputs as the call left them."""
    own = [value.clone() for value in inputs]
    with torch.no_grad():
        return [value.clone() for value in (*module(*own), *own)]


def same(left, right):
    return all(torch.equal(a.nan_to_num(), b.nan_to_num()) for a, b in zip(left, right, strict=True))


def test_there_are_120_graphs():
    assert len(PATHS) == 120


@pytest.mark.parametrize("path", PATHS, ids=names)
def test_a_graph_replaced_by_itself_computes_the_same_bits(path):
    graph, module = loaded(path)
    rewritten = rewrite(module, [rule(own_pattern(graph.source))])
    assert rewritten.total == 1, rewritten.near_misses[0].text()
    assert not leftover(rewritten)
    inputs = graph.inputs(0)
    assert same(outcome(rewritten.gm, inputs), outcome(module, inputs))


def test_siblings_match(record_property):
    missed, total = [], 0
    for path in structures():
        for sibling in range(SIBLINGS):
            total += 1
            pattern = respelled(loaded(path)[1], f"{names(path)} {sibling}")
            if rewrite(loaded(path)[1], [rule(pattern)]).total != 1:
                missed.append((names(path), pattern.text))
    record_property("siblings", total)
    record_property("matched", total - len(missed))
    assert len(missed) <= 0.05 * total, missed


@pytest.mark.parametrize("path", structures(), ids=names)
def test_a_sibling_computes_the_same(path):
    """Otherwise the speller would be at fault, and matching it wrong."""
    graph, module = loaded(path)
    inputs = graph.inputs(0)
    with torch.no_grad():
        got = respelled(module, names(path))(*[value.clone() for value in inputs])
        wanted = module(*[value.clone() for value in inputs])
    assert same(got, [value for value in wanted if not any(value is given for given in inputs)])
