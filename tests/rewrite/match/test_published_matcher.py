"""Raw matching is fx's own, and the diff shows what a pass set would change."""

from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F
from torch import fx
from torch.fx.passes.utils.matcher_utils import SubgraphMatcher

from passnet.rewrite import rewrite
from passnet.rewrite.apply.diff import graph_diff
from tests.rewrite.helpers import capture, rule_of, run, tensors
from tests.rewrite.idioms import IDIOMS

TWO = ((4, 8), (4, 8))


@pytest.mark.parametrize("idiom", IDIOMS[:6], ids=[idiom.name for idiom in IDIOMS[:6]])
def test_raw_matching_finds_what_the_matcher_of_fx_finds(idiom):
    for target in idiom.spellings[:3]:
        gm = capture(target, *tensors(idiom.shapes))
        for pattern in idiom.spellings[:3]:
            wanted = len(SubgraphMatcher(fx.symbolic_trace(pattern).graph).match(gm.graph))
            assert rewrite(gm, [rule_of(pattern)], raw=True).total == wanted


def test_raw_matching_replaces_and_needs_the_same_spelling():
    def model(x, y):
        return torch.relu(x.exp() + y) + y

    inputs = tensors(TWO)
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(lambda x, y: torch.relu(x.exp() + y))], raw=True)
    assert rewritten.total == 1
    assert torch.equal(run(rewritten.gm, model, inputs)[0], run(gm, model, inputs)[0])
    other = rule_of(lambda x, y: F.relu(y + torch.exp(x)))
    strict = rewrite(gm, [other], raw=True)
    assert strict.total == 0
    assert "in exactly this spelling" in strict.near_misses[0].reason
    assert rewrite(gm, [other]).total == 1


def test_a_pattern_that_fx_cannot_trace_is_explained():
    gm = capture(lambda x: x.exp() + torch.ones(8), *tensors([(4, 8)]))
    rewritten = rewrite(gm, [rule_of(lambda x, s: x.exp() + s.new_ones(s))], raw=True)
    assert rewritten.total == 0
    assert rewritten.near_misses


def test_a_pattern_that_ends_its_process_is_explained_too():
    def leaves(x):
        raise BaseException("x")

    rule = replace(rule_of(lambda x: x.exp()), source=leaves)
    rewritten = rewrite(capture(lambda x: x.exp() + 1, *tensors([(4, 8)])), [rule], raw=True)
    assert "torch.fx cannot use the pattern: BaseException: x" in rewritten.near_misses[0].reason


def test_a_pattern_computes_nothing_while_fx_traces_it():
    """fx would compute with a tensor that is made of numbers, by operators that check no memory."""

    def makes(x):
        return x.exp() + torch.ones(8)

    rewritten = rewrite(capture(makes, *tensors([(4, 8)])), [replace(rule_of(makes), source=makes)], raw=True)
    assert rewritten.total == 0
    assert "the pattern makes a tensor of its own by ones" in rewritten.near_misses[0].reason


def test_the_diff_shows_the_calls_that_go_and_come():
    def model(x, y):
        s = x.exp()
        return torch.cat([F.gelu(s + y), y[:, :8]], 1) * 2

    gm = capture(model, *tensors(TWO))

    def fused(x, y):
        return F.gelu(x + y)

    rewritten = rewrite(gm, [rule_of(fused)])
    diff = graph_diff(gm, rewritten).splitlines()
    removed = [line for line in diff if line.startswith("-") and not line.startswith("---")]
    added = [line for line in diff if line.startswith("+") and not line.startswith("+++")]
    assert [line.split("(")[0].split("= ")[1] for line in removed] == ["add", "gelu"]
    assert [line.split("(")[0].split("= ")[1] for line in added] == ["fused", "only_result"]
    assert any(line.startswith(" ") and "cat([" in line for line in diff)
    assert graph_diff(gm, rewrite(gm, [rule_of(lambda x: x.tanh())])) == ""
