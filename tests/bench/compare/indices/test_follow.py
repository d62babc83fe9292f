"""References that follow a candidate's choices: near ties are free wherever they show, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import pytest
import torch

from passnet.bench.compare.comparison import Criteria
from passnet.bench.compare.errors import compare
from passnet.bench.compare.float64_twin import WideReference
from passnet.bench.compare.indices.choosers import choosers_of
from passnet.bench.compare.indices.follow import Follower
from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.outcome.ownership import Verdict, owned_by
from passnet.bench.record.protocol import Protocol
from passnet.bench.timing.sizing import GraphShape
from passnet.bench.verdict.answers import Answers, Expected
from passnet.bench.verdict.cases import CallCase, Placing
from passnet.bench.verdict.other_choices import OtherChoices
from passnet.bench.verdict.reference import Reference
from passnet.bench.wire.replies import ChoicesFollowed, FailureKind, OutputFacts, Probed
from passnet.bench.wire.requests import Follow
from passnet.graph import Graph
from passnet.score import STRICT_T, Outcome
from tests.graph.graph_helpers import graph_of, spec

Tensors = Sequence[torch.Tensor]
Candidate = Callable[..., Tensors]


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def right(graph: Graph, candidate: Candidate, *, seed: int = 1, hard: bool = False, **drawn: torch.Tensor) -> bool:
    """Whether a candidate's outputs are right, as the reference finds it; `drawn`: inputs that are not drawn."""
    inputs = graph.inputs(seed)
    names = [each.name for each in graph.specs]
    inputs = [drawn.get(name, value) for name, value in zip(names, inputs, strict=True)]
    module = graph.module("cpu")
    outputs = [t.contiguous() for t in candidate(*[t.clone() for t in inputs])]
    eager = module.forward(*[t.clone() for t in inputs])
    twin = WideReference.build(module, inputs, eager)
    assert [(t.shape, t.dtype) for t in outputs] == [(t.shape, t.dtype) for t in eager]
    criteria = Criteria(4.0, 0.1, hard=hard)
    if compare(outputs, eager, twin(inputs) if twin else None, criteria).strict:
        return True
    follower = Follower.of(module, wide=twin is not None)
    for hidden, ties in ((False, False), (False, True), (True, False)):
        found = follower.follow(inputs, outputs, hard=hard, hidden=hidden, ties=ties)
        if (
            found is None
            or (ties and found.unknown > 1 / 8 and not hard)
            or any(level is None or level > STRICT_T for level in found.levels.values())
        ):
            continue
        if compare(outputs, found.eager, found.wide, criteria).strict:
            return True
    return False


def as_eager(graph: Graph, candidate: Candidate, seed: int = 1) -> bool:
    """Whether a candidate's first output is eager's, bit for bit: then a test of freedom would test nothing."""
    inputs = graph.inputs(seed)
    return torch.equal(candidate(*inputs)[0], graph.module("cpu").forward(*inputs)[0])


# --- which nodes choose --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("y = x.argmax(-1)", ["argmax"]),
        ("y = torch.argmin(x)", ["argmin"]),
        ("y = x.max(dim = -1)[1]", ["max"]),
        ("y = torch.min(x, 0, True)[1]", ["min"]),
        ("y = x.max(dim = -1)[0]", []),
        ("y = torch.max(x, x)", []),
        ("y = x.max()", []),
        ("y = torch.topk(x, 2, dim = -1)[1]", ["topk"]),
        ("y = x.sort(0)[1]", ["sort"]),
        ("y = x.argsort(dim = -1, stable = True)", ["argsort"]),
        ("y = torch.kthvalue(x, 2)[1]", ["kthvalue"]),
        ("y = x.median(-1)[1]", ["median"]),
        ("y = torch.amax(x, -1)", []),
    ],
)
def test_choosers_are_found_by_their_calls(line: str, found: list[str]) -> None:
    name, _, call = line.partition(" = ")
    lines = [f"p = {call.removesuffix(call[-3:])}", f"{name} = p{call[-3:]}"] if call.endswith("]") else [line]
    graph = graph_of([spec("x", 4, 6)], *lines, "return (y,)")
    assert [each.leaf for each in choosers_of(graph.module("cpu").graph)] == found


# --- indices that are outputs --------------------------------------------------------------------------------------

CODES = graph_of(
    [spec("x", 256, 32, dtype="bfloat16"), spec("e", 128, 32, dtype="bfloat16")],
    "t = e.t()",
    "p = x @ t",
    "q = p * 2.0",
    "s = x.pow(2)",
    "n = s.sum(1, keepdim = True)",
    "d = n - q",
    "c = e.pow(2)",
    "m = c.sum(-1)",
    "f = d + m",
    "g = -f",
    "b = g.max(dim = -1)",
    "i = b[1]",
    "j = i.view(16, 16)",
    "o = torch.nn.functional.embedding(j, e)",
    "return (j, o)",
)


def distances(x: torch.Tensor, e: torch.Tensor) -> torch.Tensor:
    return torch.cdist(x.float(), e.float())


def coded(index: torch.Tensor, e: torch.Tensor) -> Tensors:
    return index.view(16, 16), e[index.view(16, 16)]


def in_float32(x: torch.Tensor, e: torch.Tensor) -> Tensors:
    return coded(distances(x, e).argmin(-1), e)


def test_a_code_found_in_float32_is_right() -> None:
    assert not as_eager(CODES, in_float32)
    assert right(CODES, in_float32)


CHEATS: dict[str, Candidate] = {
    "constant": lambda x, e: coded(torch.full((256,), 7), e),
    "shuffled": lambda x, e: coded(distances(x, e).argmin(-1).roll(1), e),
    "second best": lambda x, e: coded(distances(x, e).topk(2, largest=False).indices[:, 1], e),
    "few dimensions": lambda x, e: coded(distances(x[:, :24], e[:, :24]).argmin(-1), e),
    "half the codes": lambda x, e: coded(distances(x, e[:64]).argmin(-1), e),
    "out of range": lambda x, e: (distances(x, e).argmin(-1).view(16, 16) + 128, in_float32(x, e)[1]),
    "negative": lambda x, e: (distances(x, e).argmin(-1).view(16, 16) - 128, in_float32(x, e)[1]),
    "one row astray": lambda x, e: coded(distances(x, e).argmin(-1).index_fill(0, torch.tensor(5), 3), e),
    "gathered elsewhere": lambda x, e: (in_float32(x, e)[0], in_float32(x, e)[1].roll(1, 0)),
    "one gathered elsewhere": lambda x, e: (in_float32(x, e)[0], in_float32(x, e)[1].index_fill(0, torch.tensor(3), 0)),
    "eager's values beside others' codes": lambda x, e: (in_float32(x, e)[0], CODES.module("cpu").forward(x, e)[1]),
}


@pytest.mark.parametrize("name", CHEATS)
@pytest.mark.parametrize("hard", [False, True])
def test_no_other_code_is_right(name: str, hard: bool) -> None:
    assert not right(CODES, CHEATS[name], hard=hard)


BEST = graph_of(
    [spec("x", 64, 100, dtype="float16")],
    "s = x * 0.01",
    "p = s.softmax(-1)",
    "b = torch.topk(p, 4, dim = -1)",
    "v = b[0]",
    "i = b[1]",
    "c = i.to(torch.int32)",
    "return (v, c)",
)


def picked(x: torch.Tensor, index: torch.Tensor) -> Tensors:
    p = (x.float() * 0.01).softmax(-1)
    return p.gather(-1, index).half(), index.int()


def monotone(x: torch.Tensor) -> torch.Tensor:
    """What is largest in a softmax is largest before."""
    return x.float().topk(4).indices


def last_of_ties(x: torch.Tensor) -> torch.Tensor:
    """Of equal half-precision values the last."""
    p = (x * 0.01).softmax(-1)
    return 99 - p.flip(-1).sort(dim=-1, descending=True, stable=True).indices[:, :4]


@pytest.mark.parametrize("choose", [monotone, last_of_ties])
def test_the_best_by_another_way_are_right(choose: Callable[[torch.Tensor], torch.Tensor]) -> None:
    def candidate(x: torch.Tensor) -> Tensors:
        return picked(x, choose(x))

    assert not torch.equal(candidate(*BEST.inputs(1))[1], BEST.module("cpu").forward(*BEST.inputs(1))[1])
    assert right(BEST, candidate)


def test_the_best_twice_or_in_another_order_are_not() -> None:
    def repeated(x: torch.Tensor) -> Tensors:
        return picked(x, monotone(x)[:, [0, 0, 1, 2]])

    def turned(x: torch.Tensor) -> Tensors:
        return picked(x, monotone(x).flip(-1))

    assert not right(BEST, repeated)
    assert not right(BEST, turned)


SORTED = graph_of([spec("x", 8, 64)], "s = x.sort(-1)", "v = s[0]", "i = s[1]", "r = i.argsort(-1)", "return (i, v, r)")


def ranked(x: torch.Tensor, index: torch.Tensor) -> Tensors:
    return index, x.gather(-1, index), index.argsort(-1)


def test_a_sort_of_equal_values_in_any_order_is_right_and_no_order_is_not() -> None:
    x = torch.randn(8, 64).mul(4).round()

    def turned(x: torch.Tensor) -> Tensors:
        return ranked(x, 63 - x.flip(-1).argsort(dim=-1, stable=True))

    def as_it_is(x: torch.Tensor) -> Tensors:
        return ranked(x, torch.arange(64).expand(8, 64).contiguous())

    assert right(SORTED, turned, x=x)
    assert not right(SORTED, as_it_is, x=x)
    nearly_equal = 1.0 + 1e-3 * torch.randn(8, 64)
    assert not right(SORTED, as_it_is, x=nearly_equal)
    assert right(SORTED, turned, x=nearly_equal)


def test_what_follows_from_the_order_must_follow_from_the_same_one() -> None:
    x = torch.randn(8, 64).mul(4).round()

    def of_two_orders(x: torch.Tensor) -> Tensors:
        turned = 63 - x.flip(-1).argsort(dim=-1, stable=True)
        return turned, x.gather(-1, turned), x.argsort(dim=-1, stable=True).argsort(-1)

    assert not right(SORTED, of_two_orders, x=x)


STACKED = graph_of(
    [spec("x", 3, 4, 50, dtype="bfloat16"), spec("k", 3, 4, dtype="int64", min_val=0, max_val=9)],
    "d = x.exp()",
    "l = d.argmin(dim = -1, keepdim = True)",
    "i = l.squeeze(-1)",
    "a = torch.stack([k, i])",
    "return (a,)",
)


def test_an_index_among_other_outputs_is_found_there() -> None:
    x = (1.0 + 0.02 * torch.randn(3, 4, 50)).bfloat16()

    def plain(x: torch.Tensor, k: torch.Tensor) -> Tensors:
        return (torch.stack([k, 49 - x.flip(-1).argmin(-1)]),)

    def changes_the_other(x: torch.Tensor, k: torch.Tensor) -> Tensors:
        return (torch.stack([k + 1, 49 - x.flip(-1).argmin(-1)]),)

    assert right(STACKED, plain, x=x)
    assert not right(STACKED, changes_the_other, x=x)


FIRST_SHOWN = graph_of([spec("m", 16, 64, dtype="bool")], "i = m.int()", "a = i.argmax(1)", "return (a,)")


def test_the_first_of_equal_integers_is_not_free() -> None:
    assert not right(FIRST_SHOWN, lambda m: (63 - m.int().flip(1).argmax(1),))


DULL = graph_of([spec("x", 16, 64)], "r = torch.relu(x)", "y = r.sqrt()", "i = y.argmax(-1)", "return (i,)")


def test_a_draw_of_ties_frees_nothing_unless_it_is_a_hard_one() -> None:
    def constant(x: torch.Tensor) -> Tensors:
        return (torch.full((16,), 9),)

    zeros = -torch.rand(16, 64)
    assert not right(DULL, constant, x=zeros)
    assert right(DULL, constant, x=zeros, hard=True)
    assert not right(DULL, constant, hard=True)


def last_of_the_largest(x: torch.Tensor) -> Tensors:
    return (x.shape[-1] - 1 - x.flip(-1).argmax(-1),)


@pytest.mark.parametrize(
    ("lines", "free"),
    [
        (["y = x.half()"], False),
        (["m = x < -1.0", "y = x.masked_fill(m, -1e9)"], False),
        (["y = torch.relu(x)"], False),
        (["h = x > 1.0", "y = h.to(torch.bfloat16)"], False),
        (["y = x + 0.5"], False),
        (["s = x.clone()", "s.add_(0.5)", "y = s * 2.0"], False),
        (["y = x / 2"], False),
        (["y = torch.tanh(x)"], True),
        (["s = x.clone()", "s.tanh_()", "y = s * 1.0"], True),
        (["s = x * 3.0", "y = torch.relu(s)"], True),
        (["s = x.float()", "t = s.sum(-1, keepdim = True)", "y = s + t"], True),
    ],
)
def test_of_equal_scores_the_first_is_due_where_no_operator_hides_a_rounding(lines: list[str], free: bool) -> None:
    graph = graph_of([spec("x", 16, 64)], *lines, "i = y.argmax(-1)", "return (i,)")
    x = torch.randn(16, 64).mul(2).round().div(2).clamp(max=1.5)
    y = graph_of([spec("x", 16, 64)], *lines, "return (y,)").module("cpu").forward(x)[0]
    assert not torch.equal(last_of_the_largest(y)[0], y.argmax(-1))  # rows have ties
    assert right(graph, lambda _: last_of_the_largest(y), x=x) is free


@pytest.mark.parametrize(("stable", "free"), [("True", False), ("False", True)])
def test_a_stable_order_of_floats_that_nothing_rounds_is_due(stable: str, free: bool) -> None:
    n = spec("n", 8, 64, dtype="int64", min_val=0, max_val=7)
    graph = graph_of([n], "f = n.float()", f"i = torch.argsort(f, dim = -1, stable = {stable})", "return (i,)")
    assert right(graph, lambda n: (63 - n.flip(-1).argsort(dim=-1, stable=True),)) is free


@pytest.mark.parametrize("call", ["x.topk(4)[1]", "x.sort(-1)[1]", "x.max(-1)[1]"])
def test_what_is_near_is_wrong_where_nothing_was_rounded(call: str) -> None:
    graph = graph_of([spec("x", 8, 64)], f"p = {call[:-3]}", "i = p[1]", "return (i,)")
    x = torch.randn(8, 64)
    x[:, 0 if "sort" in call else 63] = x.amax(-1) * (1 + 1e-6)
    rough = x.half().sort(dim=-1, descending="sort" not in call, stable=True).indices
    found = {"topk": rough[:, :4], "sort": rough, "max": rough[:, 0]}[call[2:].partition("(")[0]]
    assert not right(graph, lambda _: (found,), x=x)


def test_experts_that_are_equally_good_are_not_exchanged_where_the_first_is_due() -> None:
    """No output shows the choice."""
    graph = graph_of([spec("x", 16, 8), spec("w", 8, 4)], "i = x.argmax(-1)", "o = w[i]", "return (o,)")
    x = torch.randn(16, 8)
    x[:, 5] = x[:, 2] = 3.0
    assert not right(graph, lambda x, w: (w[last_of_the_largest(x)[0]],), x=x)
    wide = graph_of([spec("x", 16, 8), spec("w", 8, 4)], "e = x.exp()", "i = e.argmax(-1)", "o = w[i]", "return (o,)")
    assert right(wide, lambda x, w: (w[last_of_the_largest(x)[0]],), x=x)


PLACES = graph_of(
    [spec("x", 200, dtype="float16"), spec("b", 20, dtype="float16")],
    "s = b.sort(0)",
    "v = s[0]",
    "y = x * 1.5",
    "i = torch.bucketize(y, v)",
    "return (i,)",
)


def test_the_places_of_values_that_are_nearly_a_bound() -> None:
    drawn = torch.Generator().manual_seed(3)
    x, b = torch.randn(200, generator=drawn).half(), torch.randn(20, generator=drawn).half()
    x[:20] = (b.float() / 1.5).half()  # a rounding decides on which side these are

    def unrounded(x: torch.Tensor, b: torch.Tensor) -> Tensors:
        return (torch.bucketize(x.float() * 1.5, b.float().sort().values),)

    def one_more(x: torch.Tensor, b: torch.Tensor) -> Tensors:
        return ((unrounded(x, b)[0] + 1).clamp_max(20),)

    def beyond(x: torch.Tensor, b: torch.Tensor) -> Tensors:
        return (unrounded(x, b)[0] + 21,)

    assert not torch.equal(unrounded(x, b)[0], PLACES.module("cpu").forward(x, b)[0])
    assert right(PLACES, unrounded, x=x, b=b)
    assert not right(PLACES, one_more, x=x, b=b)
    assert not right(PLACES, beyond, x=x, b=b)


@pytest.mark.parametrize("call", ["x.median(-1)", "torch.kthvalue(x, 8, -1)", "torch.mode(x)"])
def test_one_of_a_rank_may_be_any_that_has_its_value(call: str) -> None:
    graph = graph_of([spec("x", 12, 15)], f"m = {call}", "i = m[1]", "return (i,)")
    x = torch.arange(5.0).repeat(12, 3)

    def other(x: torch.Tensor) -> Tensors:
        return ((graph.module("cpu").forward(x)[0] + 5) % 15,)

    def wrong(x: torch.Tensor) -> Tensors:
        return ((graph.module("cpu").forward(x)[0] + 1) % 15,)

    assert right(graph, other, x=x)
    assert not right(graph, wrong, x=x)


# --- indices that are not ------------------------------------------------------------------------------------------

EXPERTS = graph_of(
    [spec("x", 32, 16), spec("w", 8, 16), spec("e", 8, 16, 12)],
    "l = torch.nn.functional.linear(x, w)",
    "p = l.sigmoid()",
    "b = torch.topk(p, 2, dim = -1, sorted = False)",
    "i = b[1]",
    "g = p.gather(1, i)",
    "s = g.sum(-1, keepdim = True)",
    "h = g / s",
    "f = i.reshape(-1)",
    "m = e[f]",
    "r = x.repeat_interleave(2, dim = 0)",
    "u = r.unsqueeze(1)",
    "o = torch.bmm(u, m)",
    "q = o.view(32, 2, 12)",
    "v = h.unsqueeze(-1)",
    "y = q * v",
    "z = y.sum(1)",
    "return (z,)",
)
TIED = (3, 9, 20, 21)


def experts(choose: Callable[[torch.Tensor], torch.Tensor]) -> Candidate:
    def candidate(x: torch.Tensor, w: torch.Tensor, e: torch.Tensor) -> Tensors:
        p = (x @ w.t()).sigmoid()
        index = choose(p)
        weights = p.gather(1, index)
        weights = weights / weights.sum(-1, keepdim=True)
        return (torch.einsum("rk,rkij,ri->rj", weights, e[index], x),)

    return candidate


def with_ties(seed: int = 1) -> dict[str, torch.Tensor]:
    """Inputs by which some rows' second and third best expert are equal but for rounding."""
    x, w, _ = EXPERTS.inputs(seed)
    for row in TIED:
        order = (x[row] @ w.t()).argsort(descending=True)
        step = w[order[1]] - w[order[2]]
        x[row] -= step * (x[row] @ step) / (step @ step)
        assert set((x[row] @ w.t()).topk(3).indices.tolist()) == set(order[:3].tolist())
    return {"x": x}


def third_for_second(rows: Sequence[int]) -> Callable[[torch.Tensor], torch.Tensor]:
    def choose(p: torch.Tensor) -> torch.Tensor:
        index = p.topk(3).indices
        index[list(rows), 1] = index[list(rows), 2]
        return index[:, :2]

    return choose


@pytest.mark.parametrize("rows", [TIED, TIED[:1], TIED[1:3]])
def test_experts_that_are_equally_good_may_be_exchanged(rows: Sequence[int]) -> None:
    candidate, drawn = experts(third_for_second(rows)), with_ties()
    inputs = [drawn.get(each.name, value) for each, value in zip(EXPERTS.specs, EXPERTS.inputs(1), strict=True)]
    ours, own = candidate(*inputs)[0], EXPERTS.module("cpu").forward(*inputs)[0]
    far = ((ours - own).abs().amax(-1) > 1e-3).nonzero().reshape(-1).tolist()
    exchanged = experts(third_for_second(TIED))(*inputs)[0]
    assert set(far) <= set(TIED)
    assert right(EXPERTS, candidate, **drawn)
    assert right(EXPERTS, lambda *_: (exchanged,), **drawn)


def test_experts_that_are_not_as_good_may_not() -> None:
    drawn = with_ties()
    assert not right(EXPERTS, experts(third_for_second([4])), **drawn)
    assert not right(EXPERTS, experts(third_for_second([*TIED, 4])), **drawn)
    assert not right(EXPERTS, experts(third_for_second(range(32))), **drawn)
    assert not right(EXPERTS, experts(lambda p: torch.tensor([[0, 1]]).expand(32, 2)), **drawn)


def test_a_row_follows_one_choice_whole() -> None:
    drawn = with_ties()

    def half_of_each(x: torch.Tensor, w: torch.Tensor, e: torch.Tensor) -> Tensors:
        one, other = (experts(third_for_second(rows))(x, w, e)[0] for rows in ((), TIED))
        return (torch.cat([one[:, :6], other[:, 6:]], -1),)

    assert not right(EXPERTS, half_of_each, **drawn)


def test_what_follows_from_all_rows_at_once_is_tried_row_by_row() -> None:
    lines = [line for line in EXPERTS.source.splitlines() if " = " in line]
    graph = graph_of(EXPERTS.specs, *(line.strip() for line in lines), "a = z.mean(0)", "return (a,)")
    drawn = with_ties()

    def candidate(x: torch.Tensor, w: torch.Tensor, e: torch.Tensor) -> Tensors:
        return (experts(third_for_second(TIED))(x, w, e)[0].mean(0),)

    def of_another(x: torch.Tensor, w: torch.Tensor, e: torch.Tensor) -> Tensors:
        return (experts(third_for_second([4]))(x, w, e)[0].mean(0),)

    assert right(graph, candidate, **drawn)
    assert not right(graph, of_another, **drawn)


# --- what it may cost ----------------------------------------------------------------------------------------------


def test_the_search_ends_when_its_time_is_over() -> None:
    drawn = with_ties()
    inputs = [drawn.get(each.name, value) for each, value in zip(EXPERTS.specs, EXPERTS.inputs(1), strict=True)]
    outputs, own = experts(third_for_second(TIED))(*inputs), EXPERTS.module("cpu").forward(*inputs)
    follower = Follower.of(EXPERTS.module("cpu"), wide=True)
    late, found = (
        follower.follow(inputs, outputs, hard=False, hidden=True, seconds=seconds) for seconds in (-1.0, 60.0)
    )
    assert late is not None
    assert found is not None
    assert torch.equal(late.eager[0], own[0])
    torch.testing.assert_close(found.eager[0], outputs[0])


@pytest.mark.parametrize(("kind", "outcome"), [("exception", Outcome.ACCURACY), ("timeout", Outcome.REFERENCE_ERROR)])
def test_a_reference_that_cannot_follow_is_not_the_graphs_fault(
    kind: FailureKind, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else outputs that no choice gives would not count as a failure. What was late is the reference's own fault."""

    def fails(*_: object, **__: object) -> NoReturn:
        with owned_by("reference"):
            raise WorkerFailure(kind, "no answer in 120 s")
        raise AssertionError

    monkeypatch.setattr(Answers, "ask", fails)
    nobody: Any = None
    shape = GraphShape("cpu", [], [])
    probed = Probed(outputs=(), mutated=(), wide=False, steady=True, choosers=1, facts=OutputFacts(), peak=0, twin=0)
    reference = Reference(nobody, Protocol(), nobody, shape, probed)
    criteria = Criteria(4.0, 0.1)
    case = CallCase(([torch.zeros(8)], [torch.arange(8.0)], None), criteria)
    with pytest.raises(Verdict) as raised:
        OtherChoices(reference.answers).compare(case.compared(), case, [], [], Placing(on_host=False, changed=()))
    assert raised.value.outcome is outcome
    assert "no answer" in str(raised.value.detail)


@pytest.mark.parametrize(("value", "outcome"), [(1.0, Outcome.REFERENCE_ERROR), (2.0, None)])
def test_what_is_late_is_no_fault_unless_it_is_wrong_in_any_order(
    value: float, outcome: Outcome | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`value`: what the reference knows of the outputs. The candidate has ones."""
    asked: list[int] = []

    def late(_: Answers, request: Follow, *__: object, calls: int = 1) -> tuple[Expected, ChoicesFollowed]:
        asked.append(calls)
        if request.ties:
            return Expected([torch.full((8,), value)], None, []), ChoicesFollowed(levels=(), late=True)
        return Expected([torch.zeros(8)], None, []), ChoicesFollowed(levels=None)

    monkeypatch.setattr(Answers, "ask", late)
    nobody: Any = None
    answers = Answers(nobody, 120.0, GraphShape("cpu", [], []), wide=False, choosers=1)
    outputs, criteria = [torch.ones(8)], Criteria(4.0, 0.1, hard=True)
    case, placing = CallCase((outputs, [torch.zeros(8)], None), criteria), Placing(on_host=False, changed=())
    if outcome is None:
        assert not OtherChoices(answers).compare(case.compared(), case, [], outputs, placing).strict
    else:
        with pytest.raises(Verdict) as raised:
            OtherChoices(answers).compare(case.compared(), case, [], outputs, placing)
        assert raised.value.outcome is outcome
    assert min(asked) > 1  # the clock's limit leaves room for the processor's on a busy machine


def test_arguments_by_name_are_followed_too() -> None:
    graph = graph_of(
        [spec("x", 8, 40)], "y = torch.exp(x)", "b = torch.max(input = y, dim = 1, keepdim = True)", "i = b[1]",
        "s = torch.squeeze(input = i, dim = 1)", "r = torch.flip(i, dims = [0])", "return (s, r)",
    )  # fmt: skip
    x = torch.randn(8, 40).clamp_max(1.0)

    def last(x: torch.Tensor) -> Tensors:
        index = 39 - x.flip(1).argmax(1)
        return index, index.unsqueeze(1).flip(0)

    assert right(graph, last, x=x)
    assert not right(graph, lambda x: (last(x)[0], x.argmax(1, keepdim=True).flip(0)), x=x)


@pytest.mark.parametrize(("offset", "scale", "dull"), [(0.0, 1.0, False), (3e4, 1e4, True), (-9.0, 1.0, True)])
def test_a_draw_that_leaves_nothing_to_choose_is_dull(offset: float, scale: float, dull: bool) -> None:
    """By an overflow in eager, or in float64 too."""
    lines = ["y = torch.relu(x)", "z = y + 1.0", "w = z * 8.0", "i = w.argmax(-1)", "return (i,)"]
    module = graph_of([spec("x", 16, 64, dtype="float16")], *lines).module("cpu")
    x = (torch.randn(16, 64).abs() * scale + offset).half()
    assert Follower.of(module, wide=True).dull([x]) is dull
