"""Parameters that stand for literals and for lists of tensors, and guards that see them."""

from dataclasses import replace
from types import TracebackType

import pytest
import torch
import torch.nn.functional as F

from passnet.rewrite import Candidate, RuleTraceError, TensorInfo, rewrite
from passnet.rewrite.rules.author_guard import Unknown
from tests.rewrite.helpers import capture, rule_of, run, tensors

TWO = ((4, 8), (4, 8))
THREE = ((4, 8),) * 3


def count(pattern, model, shapes=TWO):
    return rewrite(capture(model, *tensors(shapes)), [rule_of(pattern)]).total


def guarded(rule, applies):
    return replace(rule, applies=applies)


def test_a_parameter_with_a_literal_annotation_stands_for_a_number_of_the_graph():
    def norm(x, weight, eps: float, dim: int):
        return x * torch.rsqrt(x.pow(2).mean(dim, keepdim=True) + eps) * weight

    def kernel(x, weight, eps, dim):
        assert (eps, dim) == (1e-6, 1)
        return norm(x, weight, eps, dim)

    def model(x, weight):
        return weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))

    inputs = tensors(((4, 8), (8,)))
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(norm, kernel)])
    assert rewritten.total == 1
    assert rewritten.records[0].arguments[2:] == (
        {"constant": "1e-06", "type": "float"},
        {"constant": "1", "type": "int"},
    )
    torch.testing.assert_close(run(rewritten.gm, model, inputs)[0], run(gm, model, inputs)[0])


def test_a_fused_multiply_add_of_dynamo_is_the_plain_function():
    three = ((4, 8),) * 3
    assert count(
        lambda x, y, z: torch.add(x, y / z, alpha=0.5), lambda x, y, z: x.exp().addcdiv_(y, z, value=0.5), three
    )
    assert count(lambda x, y, z: torch.addcmul(z, x, y), lambda x, y, z: z.exp().add_(x, alpha=y.sum()), three)


def test_what_pads_integers_may_be_written_in_both_ways():
    def model(x):
        return F.pad(x.argmax(-1), (1, 0), value=-1) * 2

    assert count(lambda x: F.pad(x.argmax(-1), (1, 0), value=-1), model, ((4, 8),)) == 1
    assert count(lambda x: torch._C._nn.pad(x.argmax(-1), (1, 0), "constant", -1), model, ((4, 8),)) == 1
    assert count(lambda x: F.pad(x.argmax(-1), (1, 0), value=-2), model, ((4, 8),)) == 0


def test_literal_parameters_take_sizes_flags_and_pairs():
    def heads(x, a: int, b: int, c: int, d: int):
        return x.exp().view(a, b, c, d)

    assert count(heads, lambda x: x.exp().view(2, 2, -1, 4), ((4, 8),)) == 1
    assert count(lambda x, s: x.exp().view(s), lambda x: x.exp().view(2, 2, -1, 4), ((4, 8),)) == 0

    def rest(x, a: int, b: int):
        return x.exp().view(a, -1, b)

    assert count(rest, lambda x: x.exp().view(2, 2, 8), ((4, 8),)) == 1
    assert count(rest, lambda x: x.exp().view(2, -1, 8), ((4, 8),)) == 1

    def pool(x, size: int, ceil: bool):
        return F.max_pool2d(x, size, ceil_mode=ceil)

    image = ((1, 2, 8, 8),)
    assert count(pool, lambda x: F.max_pool2d(x, (2, 2), 2), image) == 1
    assert count(pool, lambda x: F.max_pool2d(x, (2, 4)), image) == 0


def test_a_literal_parameter_takes_neither_tensors_nor_none_nor_another_kind():
    def scaled(x, s: float):
        return x.exp() * s

    assert count(scaled, lambda x, y: x.exp() * y) == 0
    assert count(scaled, lambda x, y: x.exp() * 3 - y) == 1

    def clamped(x, low: float):
        return x.clamp(low, None)

    assert count(clamped, lambda x: x.clamp(0, 6), ((4, 8),)) == 0

    def whole(x, n: int):
        return x.exp() * n

    assert count(whole, lambda x: x.exp() * 2.5, ((4, 8),)) == 0


ONE = ((4, 8),)
OPEN = {
    "a factor": (lambda x, s: x.exp() * s, lambda x: x.exp() * 2.5, ("2.5",)),
    "a factor before": (lambda x, s: s * x.exp(), lambda x: x.exp() * 2.5, ("2.5",)),
    "twice the same": (lambda x, s: (x * s).exp() * s, lambda x: (x * 2.0).exp() * 2.0, ("2.0",)),
    "as it is written": (lambda x, d: x.exp().softmax(d), lambda x: x.exp().softmax(-1), ("-1",)),
    "several": (
        lambda x, p, t: F.dropout(x.exp(), p, t),
        lambda x: F.dropout(x.exp(), 0.1, False),
        ("0.1", "False"),
    ),
    "sizes": (lambda x, a, b: x.exp().view(a, b, -1), lambda x: x.exp().view(2, 2, -1), ("2", "2")),
}


@pytest.mark.parametrize("case", OPEN)
def test_a_parameter_without_annotation_stands_for_a_literal_too(case):
    pattern, model, literals = OPEN[case]
    rewritten = rewrite(capture(model, *tensors(ONE)), [rule_of(pattern)])
    assert rewritten.total == 1
    assert tuple(item["constant"] for item in rewritten.records[0].arguments[1:]) == literals


CLOSED = {
    "two values": (
        lambda x, s: (x * s).exp() * s,
        lambda x: (x * 2.0).exp() * 3.0,
        ONE,
        "s is 2.0 elsewhere, 3.0 here",
    ),
    "a number and a tensor": (
        lambda x, y: (x + y).exp() * y,
        lambda x, y: (x + 2.0).exp() * y,
        TWO,
        "two different values",
    ),
    "a size of it": (
        lambda x, y: (x * y).exp().view(y.shape),
        lambda x: (x * 2.0).exp().view(4, 8),
        ONE,
        "the pattern reads metadata of y",
    ),
    "an operation on it": (lambda x, y: x.exp() * y.sin(), lambda x: x.exp() * 2.0, ONE, "sin"),
    "no value": (lambda x, w, b: F.linear(x, w, b), lambda x, w: F.linear(x, w), ((4, 8), (8, 8)), "write None"),
    "a list": (lambda x: torch.cat(x, 1), lambda x, y: torch.cat([x, y], 1), TWO, "annotate x: list"),
}


@pytest.mark.parametrize("case", CLOSED)
def test_a_literal_is_not_taken_for_what_the_pattern_computes_with(case):
    pattern, model, shapes, reason = CLOSED[case]
    rewritten = rewrite(capture(model, *tensors(shapes)), [rule_of(pattern)])
    assert rewritten.total == 0
    assert reason in rewritten.near_misses[0].reason


def test_what_a_rule_takes_for_a_tensor_is_none_and_the_miss_says_what_to_annotate():
    rule = rule_of(lambda x, s: x.exp() * s)
    tensors_only = {rule.pattern.parameters[1]: "scaled reads s.shape"}
    rule = replace(rule, pattern=replace(rule.pattern, tensors=tensors_only))
    rewritten = rewrite(capture(lambda x: x.exp() * 2.5, *tensors(ONE)), [rule])
    assert rewritten.total == 0
    assert "scaled reads s.shape, so s is a tensor; annotate s: float" in rewritten.near_misses[0].reason
    assert rewrite(capture(lambda x, y: x.exp() * y, *tensors(TWO)), [rule]).total == 1


def test_one_literal_parameter_is_one_number():
    def twice(x, s: float):
        return (x * s).exp() * s

    assert count(twice, lambda x: (x * 2.0).exp() * 2, ((4, 8),)) == 1
    assert count(twice, lambda x: (x * 2.0).exp() * 3, ((4, 8),)) == 0

    def derived(x, s: float):
        return (x * s).exp() * (1 - s)

    assert count(derived, lambda x: (x * 0.25).exp() * 0.75, ((4, 8),)) == 1
    assert count(derived, lambda x: (x * 0.25).exp() * 0.5, ((4, 8),)) == 0


def test_sizes_of_a_literal_parameter_are_a_mistake():
    def scaled(x, s: float):
        return x.exp() * s

    with pytest.raises(RuleTraceError, match="sizes of a literal parameter"):
        rule_of(scaled, arguments=lambda x, s: (x, s.shape))


def test_a_guard_sees_metadata_and_its_reason_is_reported():
    def pattern(x, s: float):
        return x.exp() * s

    def applies(match):
        assert (match.x.dtype, match.x.shape, match["x"].stride()) == (torch.float32, (4, 8), (8, 1))
        assert match.x.is_contiguous() and match.x.device.type == "cpu" and match.outputs[0].numel() == 32
        return match.s < 1 or f"factor {match.s} is too large"

    rule = guarded(rule_of(pattern), applies)
    assert rewrite(capture(lambda x: x.exp() * 0.5, *tensors([(4, 8)])), [rule]).total == 1
    rewritten = rewrite(capture(lambda x: x.exp() * 2, *tensors([(4, 8)])), [rule])
    assert rewritten.total == 0
    assert rewritten.near_misses[0].reason == "applies: factor 2.0 is too large"
    assert rewritten.stats[0].refused == 1


@pytest.mark.parametrize(
    ("applies", "reason"),
    [
        (lambda match: False, "returned False"),
        (lambda match: None, "instead of True, False or a reason"),
        (lambda match: match.y.shape, "no parameter y"),
        (lambda match: 1 / 0, "raised ZeroDivisionError"),
    ],
)
def test_a_guard_that_fails_leaves_the_graph_alone(applies, reason):
    gm = capture(lambda x: x.exp() * 0.5, *tensors([(4, 8)]))
    rewritten = rewrite(gm, [guarded(rule_of(lambda x: x.exp() * 0.5), applies)])
    assert rewritten.total == 0
    assert reason in rewritten.near_misses[0].reason


def test_a_guard_without_metadata_is_a_refusal():
    gm = torch.fx.symbolic_trace(lambda x: x.exp() * 0.5)
    rewritten = rewrite(gm, [guarded(rule_of(lambda x: x.exp() * 0.5), lambda match: match.x.dtype == torch.half)])
    assert "the graph has none" in rewritten.near_misses[0].reason


@pytest.mark.parametrize("change", [lambda t: t, lambda t: t.t(), lambda t: t[:, :3], lambda t: t[:0], lambda t: t[:1]])
def test_tensor_info_reads_like_the_tensor(change):
    value = change(torch.rand(4, 8, dtype=torch.float64))
    info = TensorInfo(value.dtype, tuple(value.shape), value.stride(), value.device)
    assert info.is_contiguous() == value.is_contiguous()
    assert (info.dim(), info.ndim, info.size(), info.size(0), info.stride(), info.stride(-1), info.numel()) == (
        value.dim(), value.ndim, value.size(), value.size(0), value.stride(), value.stride(-1), value.numel(),
    )  # fmt: skip
    assert (info.element_size(), info.is_floating_point()) == (value.element_size(), value.is_floating_point())


def test_a_candidate_has_only_the_parameters():
    with pytest.raises(AttributeError):
        _ = Candidate(("x",), (1.0,), ()).weight


def test_no_way_leads_from_a_match_to_the_graph():
    """A guard is the author's code, and the graph is not the author's to change."""
    known, unknown, *_ = torch.fx.symbolic_trace(lambda x: torch.relu(x) + 1).graph.nodes
    known.meta["val"] = torch.ones(2, device="meta")
    candidate = Candidate(("x", "y", "z"), (known, (known, known), unknown), (known,))
    assert candidate.x.shape == (2,)
    assert [info.shape for info in (*candidate.y, *candidate.outputs)] == [(2,)] * 3
    with pytest.raises(Unknown):
        _ = candidate.z
    assert not any(isinstance(thing, torch.fx.Node) for thing in reachable(candidate))


def reachable(thing):
    """All that attributes, items and tracebacks lead to."""
    pending, found = [thing], {}
    while pending:
        one = pending.pop()
        if id(one) not in found and not isinstance(one, type):
            found[id(one)] = one
            pending += getattr(one, "__dict__", {}).values()
            pending += one.values() if isinstance(one, dict) else one if isinstance(one, (tuple, list)) else ()
            pending += [one.__traceback__] if isinstance(one, BaseException) else ()
            pending += one.tb_frame.f_locals.values() if isinstance(one, TracebackType) else ()
    return found.values()


def whole_list(parts: list, dim: int):
    return torch.cat(parts, dim)


@pytest.mark.parametrize("raw", [False, True])
def test_back_to_back_matches_whose_parameter_is_a_whole_list(raw):
    """The first match's result stands inside the list that the second one takes: fx's own rewriter loses it."""

    def model(x, y, z):
        first = torch.cat([x, y], dim=1)
        return torch.cat([first, z, first], dim=1)

    inputs = tensors(THREE)
    gm = capture(model, *inputs)
    if raw:
        pattern = lambda parts, dim: torch.cat(parts, dim=dim)  # noqa: E731  raw matching needs the keyword
        rule = replace(rule_of(whole_list), source=pattern)
    else:
        rule = rule_of(whole_list)
    rewritten = rewrite(gm, [rule], raw=raw)
    assert rewritten.total == 2
    rewritten.gm.graph.lint()
    assert torch.equal(run(rewritten.gm, model, inputs)[0], run(gm, model, inputs)[0])
    assert rewritten.records[0].arguments[0] == {"items": [{"input": "l_x_"}, {"input": "l_y_"}]}


def test_a_list_parameter_takes_what_a_split_gives_and_no_tensor():
    assert count(whole_list, lambda x: torch.cat(x.chunk(2, 1), 0), ((4, 8),)) == 1
    assert count(lambda parts: torch.cat(parts, 1), lambda x, y: torch.cat([x, y], 1)) == 0

    def stacked(parts: list):
        return torch.stack(parts, -1).sum(-1)

    assert count(stacked, lambda x, y: torch.stack((x, y, x), dim=2).sum(2)) == 1
    assert count(stacked, lambda x, y: torch.stack((x, y, x), dim=0).sum(2)) == 0
