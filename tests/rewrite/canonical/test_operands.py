"""Operands as sets, one value computed twice, constants, several results, and which of two matches wins."""

import pytest
import torch
import torch.nn.functional as F

from passnet.rewrite import RewriteLimits, rewrite
from tests.rewrite.helpers import capture, rule_of, run, tensors

TWO = ((4, 8), (4, 8))
FOUR = ((4, 8),) * 4


def count(pattern, model, shapes=TWO, **options):
    return rewrite(capture(model, *tensors(shapes)), [rule_of(pattern, **options)]).total


@pytest.mark.parametrize(
    "model",
    [
        lambda a, b, c: F.gelu(a.exp() + b + c),
        lambda a, b, c: F.gelu(a.exp() + (b + c)),
        lambda a, b, c: F.gelu(c + (b + a.exp())),
        lambda a, b, c: F.gelu(torch.add(b, c).add(a.exp())),
    ],
)
def test_a_sum_matches_however_it_is_grouped(model):
    def pattern(a, b, c):
        return F.gelu((b + c) + torch.exp(a))

    inputs = tensors(FOUR[:3])
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(pattern)])
    assert rewritten.total == 1
    torch.testing.assert_close(run(rewritten.gm, model, inputs)[0], run(gm, model, inputs)[0])


def test_operands_of_a_set_are_found_by_backtracking():
    def pattern(a, b, c, d):
        return a.exp() * b.sin() * c * (d.exp() * a)

    assert count(pattern, lambda a, b, c, d: (a * (c * d.exp())) * (b.sin() * a.exp()), FOUR) == 1
    assert count(pattern, lambda a, b, c, d: (a * (c * d.exp())) * (b.sin() * b.exp()), FOUR) == 0


def test_a_group_is_not_taken_apart_when_somebody_else_uses_it():
    def model(a, b, c):
        s = b + c
        return (a.exp() + s).tanh() * s

    assert count(lambda a, b, c: ((a.exp() + b) + c).tanh(), model, FOUR[:3]) == 0
    assert count(lambda a, s: (a.exp() + s).tanh(), model, FOUR[:3]) == 1


def test_groups_that_do_not_associate_keep_their_order():
    assert count(lambda a, b, c: (a.exp() - b) - c, lambda a, b, c: a.exp() - (b - c), FOUR[:3]) == 0
    assert count(lambda a, b, c: (a.exp() + b) * c, lambda a, b, c: a.exp() + (b * c), FOUR[:3]) == 0


def test_a_long_sum_costs_no_more_than_its_length():
    """Every place has hundreds of pairings of operands; dead ends must show before they are multiplied."""

    def model(a, b, c, d):
        total = a.exp()
        for _ in range(20):
            total = total + b + c + d + a
        return total

    gm = capture(model, *tensors(FOUR))
    limits = RewriteLimits(max_match_steps=20_000)
    assert rewrite(gm, [rule_of(lambda a, b, c, d, e, f: a + b + c + d + e + f)], limits=limits).total == 16
    assert rewrite(gm, [rule_of(lambda a, b, c: a.exp() + b + c + b + c + b)], limits=limits).total == 0


def test_one_value_computed_twice_is_one_value():
    def model(x, y):
        return F.gelu(x + y) * torch.add(y, x).tanh() + x.add(y).tanh()

    def shared(x, y):
        s = x + y
        t = s.tanh()
        return F.gelu(s) * t + t

    assert count(shared, lambda x, y: F.gelu(x + y) * torch.tanh(x + y) + (x + y).tanh()) == 1
    assert count(shared, lambda x, y: F.gelu(x + y) * torch.tanh(x + 1.0 * y) + (x + y).tanh()) == 0

    def written(x, y):
        s = x + y
        z = x.exp()
        a = z + y
        z.mul_(2)
        return F.gelu(a) * (z + y) * s

    assert count(lambda z, y: F.gelu(t := z + y) * t, written) == 0


def two_norms(q, k, w, v):
    a = F.rms_norm(q, (8,), w)
    b = F.rms_norm(k, (8,), v)
    left, right = torch.split(a, [4, 4], -1)
    return b, left, right, q.tanh()


def test_branches_that_are_alike_are_two_where_the_graph_has_two():
    inputs = tensors(((4, 8), (4, 8), (8,), (8,)))
    gm = capture(two_norms, *inputs)
    rewritten = rewrite(gm, [rule_of(two_norms)])
    assert rewritten.total == 1
    assert len(rewritten.records[0].removed) == 6
    assert not any("rms_norm" in str(node.target) for node in rewritten.gm.graph.nodes)
    for got, wanted in zip(run(rewritten.gm, two_norms, inputs), two_norms(*inputs), strict=True):
        assert torch.equal(got, wanted)


def test_branches_that_are_alike_are_one_where_the_graph_has_one():
    def model(q, w):
        a = F.rms_norm(q, (8,), w)
        left, right = torch.split(a, [4, 4], -1)
        return a, left, right, q.tanh()

    inputs = tensors(((4, 8), (8,)))
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(two_norms)])
    assert rewritten.total == 1
    for got, wanted in zip(run(rewritten.gm, model, inputs), model(*inputs), strict=True):
        assert torch.equal(got, wanted)


def test_trying_to_keep_branches_apart_takes_a_share_of_the_steps():
    """To find that no branch can be kept apart here takes more than a quarter of the steps, to match far fewer."""

    def pattern(x):
        a, b, c, d = ((x.exp() + x.exp()).tanh() for _ in range(4))
        return (a * b) * (c * d)

    def model(x):
        e = x.exp()
        t = (e + e).tanh()
        return (t * t) * (t * t)

    gm = capture(model, *tensors(((4, 8),)))
    assert rewrite(gm, [rule_of(pattern)], limits=RewriteLimits(max_match_steps=500)).total == 1


def test_the_larger_of_two_overlapping_matches_wins_although_it_is_later():
    def model(x, y):
        t = x.tanh()
        first = (t * t).tanh()
        return (first * y.tanh()).tanh()

    inputs = tensors(TWO)
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(lambda a, b: (a.tanh() * b.tanh()).tanh())])
    assert rewritten.total == 1
    assert len(rewritten.records[0].removed) == 4
    assert (rewritten.stats[0].tried, rewritten.stats[0].matched, rewritten.stats[0].replaced) == (2, 1, 1)
    torch.testing.assert_close(run(rewritten.gm, model, inputs)[0], run(gm, model, inputs)[0])


def test_constants_of_pattern_and_graph_are_compared_by_value():
    class Model(torch.nn.Module):
        def __init__(self, scale):
            super().__init__()
            self.register_buffer("scale", scale)

        def forward(self, x):
            return (x * self.scale).exp()

    constant = torch.tensor([0.5, 2.0])

    def pattern(x):
        return (x * constant).exp()

    for scale, total in ((constant.clone(), 1), (constant + 1, 0), (constant.double(), 0)):
        gm = torch.fx.symbolic_trace(Model(scale))
        rewritten = rewrite(gm, [rule_of(pattern)])
        assert rewritten.total == total
        x = torch.rand(3, 2)
        assert torch.equal(rewritten.gm(x), gm(x))
    assert rewrite(torch.fx.symbolic_trace(Model(constant)), [rule_of(lambda x, s: (x * s).exp())]).total == 1


@pytest.mark.parametrize(
    ("pattern", "outputs"),
    [
        (lambda x: x.exp().chunk(2, 1), 1),
        (lambda x: tuple(x.exp().chunk(2, 1)[i] for i in (0, 1)), 2),
        (lambda x: tuple(x.exp().split(4, 1)[i] for i in (1, 0)), 2),
    ],
)
def test_results_may_be_a_tuple_or_its_items(pattern, outputs):
    def model(x):
        first, second = x.exp().chunk(2, dim=-1)
        return first * second.sin()

    inputs = tensors([(4, 8)])
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(pattern)])
    assert rewritten.total == 1
    assert len(rewritten.records[0].outputs) == outputs
    assert torch.equal(run(rewritten.gm, model, inputs)[0], run(gm, model, inputs)[0])


def test_results_of_one_call_that_gives_several():
    def model(x):
        values, indices = torch.max(x.exp(), 1)
        return values * 2, indices

    inputs = tensors([(4, 8)])
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(lambda x: torch.exp(x).max(dim=-1))])
    assert rewritten.total == 1
    got, wanted = run(rewritten.gm, model, inputs), run(gm, model, inputs)
    assert all(torch.equal(a, b) for a, b in zip(got, wanted, strict=True))
    assert rewrite(gm, [rule_of(lambda x: torch.exp(x).max(dim=-1)[0])]).total == 0


def test_sizes_that_the_graph_reads_when_it_runs_are_matched_as_calls():
    def model(x, y):
        s = x.exp()
        return s.view(s.size(0), -1) + y

    gm = torch.fx.symbolic_trace(model)
    rewritten = rewrite(gm, [rule_of(model)])
    assert rewritten.total == 1
    assert len(rewritten.records[0].removed) == 4
    inputs = tensors(TWO)
    assert torch.equal(rewritten.gm(*inputs), gm(*inputs))

    def read_outside(x, y):
        n = x.size(0)
        return x.exp().view(n, -1) + y, n

    gm = torch.fx.symbolic_trace(read_outside)
    rewritten = rewrite(gm, [rule_of(lambda x, y: x.exp().view(x.size(0), -1) + y)])
    assert rewritten.total == 1
    got, wanted = rewritten.gm(*inputs), gm(*inputs)
    assert torch.equal(got[0], wanted[0]) and got[1] == wanted[1]
