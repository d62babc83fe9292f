"""Any order of equal scores is right where no output shows it, and what follows from no order is eager's."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from passnet.bench.compare.comparison import Criteria
from passnet.bench.compare.errors import compare
from passnet.bench.compare.indices.choices import Scores
from passnet.bench.compare.indices.follow import Follower
from passnet.bench.compare.indices.open_ties import tied
from passnet.bench.compare.indices.processor_time import ProcessorTime, ProcessorTimeOver
from passnet.graph import Graph
from tests.bench.compare.indices.test_follow import right
from tests.graph.graph_helpers import graph_of, spec

Tensors = Sequence[torch.Tensor]
KINDS = torch.float32, torch.float64
MIXED = graph_of(
    [spec("x", 8, 16)], "t = torch.topk(x, 4, dim = -1)", "i = t[1]", "z = torch.zeros_like(x)",
    "s = z.scatter(-1, i, 1.0)", "y = s.cumsum(0)", "return (y,)",
)  # fmt: skip
LIKELY = graph_of(
    [spec("x", 4, 256)], "s = torch.sort(x, descending = False)", "v = s[0]", "i = s[1]", "p = v.softmax(dim = -1)",
    "c = p.cumsum(dim = -1)", "r = c <= 0.1", "h = r.scatter(1, i, r)", "y = x.masked_fill(h, float('-inf'))",
    "return (y,)",
)  # fmt: skip
ROUTED = graph_of(
    [spec("x", 64, 16)], "p = x.softmax(dim = -1)", "t = torch.topk(p, 4, dim = -1)", "v = t[0]", "i = t[1]",
    "s = v.sum(-1, keepdim = True)", "w = v / s", "z = torch.zeros_like(x)", "y = z.scatter(-1, i, w)", "return (y,)",
)  # fmt: skip
BOXES = graph_of(
    [spec("x", 4, 300), spec("b", 4, 300, 4)], "t = torch.topk(x, 20, dim = 1)", "v = t[0]", "i = t[1]",
    "u = i.unsqueeze(-1)", "r = u.repeat(1, 1, 4)", "y = torch.gather(b, 1, r)", "return (v, y)",
)  # fmt: skip
RANKS = graph_of(
    [spec("x", 16, 64), spec("y", 16, 64)], "i = x.argsort(-1)", "r = i.argsort(-1)", "f = r.float()", "o = f * y",
    "return (o,)",
)  # fmt: skip


def likely(limit: float) -> Callable[..., Tensors]:
    def candidate(x: torch.Tensor) -> Tensors:
        ordered = x.sort(dim=-1, stable=True)
        gone = ordered.values.double().softmax(-1).cumsum(-1).float() <= limit
        return (x.masked_fill(torch.zeros_like(gone).scatter(1, ordered.indices, gone), -torch.inf),)

    return candidate


def routed(first: int) -> Callable[..., Tensors]:
    def candidate(x: torch.Tensor) -> Tensors:
        best = x.sort(dim=-1, descending=True, stable=True).indices[:, first : first + 4]
        shares = x.softmax(-1).gather(1, best)
        return (torch.zeros_like(x).scatter(-1, best, shares / shares.sum(-1, keepdim=True)),)

    return candidate


def boxes(beside: int) -> Callable[..., Tensors]:
    def candidate(x: torch.Tensor, b: torch.Tensor) -> Tensors:
        best = x.sort(dim=-1, descending=True, stable=True).indices[:, :20]
        return x.gather(1, best), b.gather(1, ((best + beside) % 300).unsqueeze(-1).repeat(1, 1, 4))

    return candidate


def ranks(by: float) -> Callable[..., Tensors]:
    def candidate(x: torch.Tensor, y: torch.Tensor) -> Tensors:
        return ((x.argsort(dim=-1, stable=True).argsort(-1) + by) * y,)

    return candidate


def few_values(*shape: int) -> torch.Tensor:
    return torch.randint(0, 5, shape, generator=torch.Generator().manual_seed(4)).float()


def half_tie(*shape: int) -> torch.Tensor:
    """The first rows hold one number each, all others hold each number once."""
    x = torch.randn(*shape, generator=torch.Generator().manual_seed(5))
    x[: shape[0] // 2] = x[: shape[0] // 2, :1]
    return x


@pytest.mark.parametrize("drawn", [few_values, half_tie, torch.zeros])
@pytest.mark.parametrize(
    ("graph", "candidate", "shape"),
    [
        (LIKELY, likely(0.1), (4, 256)),
        (ROUTED, routed(0), (64, 16)),
        (BOXES, boxes(0), (4, 300)),
        (RANKS, ranks(0), (16, 64)),
    ],
)
def test_any_order_of_equal_scores_is_right(
    graph: Graph, candidate: Callable[..., Tensors], shape: tuple[int, ...], drawn: Callable[..., torch.Tensor]
) -> None:
    assert right(graph, candidate, hard=True, x=drawn(*shape))


@pytest.mark.parametrize("taken", [9, 10, 11])
def test_a_step_amid_what_ties_may_be_where_float64_has_it(taken: int) -> None:
    """A hundred equal shares: ten of them are a tenth in float32, and a little more than the limit in float64."""
    limit = 0.09999999999999998
    graph = graph_of(
        [spec("x", 4, 256)], "s = torch.sort(x, descending = False)", "v = s[0]", "i = s[1]", "p = v.softmax(dim = -1)",
        "c = p.cumsum(dim = -1)", f"r = c <= {limit}", "h = r.scatter(1, i, r)",
        "y = x.masked_fill(h, float('-inf'))", "return (y,)",
    )  # fmt: skip
    x = torch.cat([torch.arange(-356.0, -200.0), torch.zeros(100)]).repeat(4, 1)
    x = x.gather(1, torch.rand(4, 256, generator=torch.Generator().manual_seed(6)).argsort(-1))
    counts = [int((x.to(kind).sort(-1)[0].softmax(-1).cumsum(-1)[0] <= limit).sum()) - 156 for kind in KINDS]
    assert counts == [10, 9]

    def candidate(x: torch.Tensor) -> Tensors:
        order = x.sort(dim=-1, stable=True).indices
        return (x.scatter(1, order[:, : 156 + taken], -torch.inf),)

    assert right(graph, candidate, hard=True, x=x) == (taken in counts)


@pytest.mark.parametrize(
    ("graph", "candidate", "shape"),
    [
        (LIKELY, likely(0.2), (4, 256)),
        (ROUTED, routed(1), (64, 16)),
        (BOXES, boxes(1), (4, 300)),
        (RANKS, ranks(1.0), (16, 64)),
    ],
)
def test_in_the_rows_that_hold_no_number_twice_all_is_judged(
    graph: Graph, candidate: Callable[..., Tensors], shape: tuple[int, ...]
) -> None:
    assert not right(graph, candidate, hard=True, x=half_tie(*shape))


@pytest.mark.parametrize("drawn", [few_values, half_tie, torch.zeros])
def test_of_equal_scores_as_many_are_taken_as_eager_takes(drawn: Callable[..., torch.Tensor]) -> None:
    """Their order is open, and their number is not."""
    assert not right(LIKELY, likely(0.3), hard=True, x=drawn(4, 256))
    x = drawn(64, 16)

    def all_alike(x: torch.Tensor) -> Tensors:
        return (torch.where(x >= x.amax(-1, keepdim=True), 0.25, 0.0),)

    assert not right(ROUTED, all_alike, hard=True, x=x)


def test_where_two_tie_what_follows_is_of_one_of_them() -> None:
    x, b = BOXES.inputs(1)
    best = x[0].topk(20).indices
    x[0, best[7]] = x[0, best[8]]

    def swapped(x: torch.Tensor, b: torch.Tensor) -> Tensors:
        values, found = BOXES.module("cpu").forward(x, b)
        found[0, [7, 8]] = found[0, [8, 7]]
        return values, found

    def mixed(x: torch.Tensor, b: torch.Tensor) -> Tensors:
        values, found = BOXES.module("cpu").forward(x, b)
        found[0, 7] = found[0, 7] * 0.5 + found[0, 8] * 0.5
        return values, found

    assert right(BOXES, swapped, x=x, b=b)
    assert not right(BOXES, mixed, x=x, b=b)


def test_it_is_told_how_much_nobody_knows() -> None:
    follower = Follower.of(BOXES.module("cpu"), wide=True)
    for x, least, most in ((torch.zeros(4, 300), 0.9, 1.0), (half_tie(4, 300), 0.4, 0.6)):
        inputs = [x, torch.randn(4, 300, 4)]
        found = follower.follow(inputs, boxes(0)(*inputs), hard=True, hidden=False, ties=True)
        assert found is not None
        assert least <= found.unknown <= most


def test_when_the_time_is_over_it_is_late_and_no_verdict() -> None:
    follower = Follower.of(LIKELY.module("cpu"), wide=True)
    x = torch.zeros(4, 256)
    found = follower.follow([x], likely(0.1)(x), hard=True, hidden=False, ties=True, seconds=-1.0)
    assert found is not None
    assert found.late


@pytest.mark.parametrize(("graph", "candidate"), [(ROUTED, routed), (LIKELY, lambda by: likely(0.1 + 0.1 * by))])
def test_what_no_order_changes_is_judged_when_the_time_is_over_too(
    graph: Graph, candidate: Callable[[int], Callable[..., Tensors]]
) -> None:
    """Else who is wrong in rows without ties would have no verdict where ties take long."""
    follower = Follower.of(graph.module("cpu"), wide=True)
    x = half_tie(*graph.specs[0].shape)
    for by in (0, 1):
        outputs = candidate(by)(x)
        found = follower.follow([x], outputs, hard=True, hidden=False, ties=True, seconds=-1.0)
        assert found is not None
        assert found.late
        half = len(x) // 2
        assert torch.equal(found.eager[0][:half], outputs[0][:half])  # whatever it has where all ties
        assert compare(outputs, found.eager, found.wide, Criteria(4.0, 0.1, hard=True)).strict is (by == 0)


def test_all_is_in_doubt_where_other_rows_follow_from_ties() -> None:
    follower = Follower.of(MIXED.module("cpu"), wide=True)
    x = half_tie(8, 16)
    outputs = [torch.randn(8, 16)]
    found = follower.follow([x], outputs, hard=True, hidden=False, ties=True, seconds=-1.0)
    assert found is not None
    assert found.late
    assert torch.equal(found.eager[0], outputs[0])


class Counted(TorchDispatchMode):
    """Counts the operators that run."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.count += 1
        return func(*args, **(kwargs or {}))


def test_more_rows_take_no_more_steps() -> None:
    """An ordinary router of thousands of tokens is followed within the time that a reward's protocol gives it."""
    follower = Follower.of(ROUTED.module("cpu"), wide=True)
    steps = []
    for rows in (128, 2048):
        x = few_values(rows, 16)
        with Counted() as counted:
            found = follower.follow([x], routed(0)(x), hard=True, hidden=False, ties=True)
        assert found is not None
        torch.testing.assert_close(found.eager[0], routed(0)(x)[0])
        steps.append(counted.count)
    assert steps[1] <= 1.5 * steps[0]


def test_the_time_of_others_on_the_same_core_is_not_counted() -> None:
    left = ProcessorTime.of(0.05)
    time.sleep(0.1)
    assert not left.over
    while not left.over:
        pass
    with pytest.raises(ProcessorTimeOver):
        left.require()


def test_scores_that_were_not_rounded_tie_only_where_they_are_equal() -> None:
    near = torch.tensor([[1.0, 1.0 + 2.0**-23, 2.0, 2.0, 3.0]], dtype=torch.float64)
    exact = Scores(near.clone(), near, "float32", clear=True)
    rounded = Scores(near + 1e-9, near, "float32")
    assert tied(exact)[0].tolist() == [0, 1, 2, 2, 3]
    assert tied(rounded)[0].tolist() == [0, 0, 1, 1, 2]
