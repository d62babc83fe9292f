"""What an honest form may make of a graph in its own dtypes: near a step within its rounding, and no farther."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from passnet.bench.compare.rough_twin import Look, run_rough
from passnet.bench.compare.steps import between
from tests.graph.graph_helpers import graph_of, spec

ROWS, WIDTH = 256, 768
# The cosine of rows, each beside a number of its own.
COSINES = (
    "a = torch.nn.functional.normalize(x, p = 2.0, dim = -1)",
    "b = torch.nn.functional.normalize(y, p = 2.0, dim = -1)",
    "p = a * b", "s = p.sum(-1)", "m = s > t", "return (m,)",
)  # fmt: skip


def ends(lines: tuple[str, ...], *given: torch.Tensor, wide: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    names = ("x", "y", "t")
    dtypes = [str(each.dtype).removeprefix("torch.") for each in given]
    specs = [spec(name, *each.shape, dtype=dtype) for name, each, dtype in zip(names, given, dtypes, strict=False)]
    module = graph_of(specs, *lines).module("cpu")
    found = between([wide], [0], lambda look: run_rough(module, given, look, 7))
    return found[0]


def in_one_lane(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The cosines with all sums in order, in float32."""

    def total(terms: torch.Tensor) -> torch.Tensor:
        made = torch.zeros(len(terms))
        for column in terms.t().contiguous():
            made = made + column
        return made

    a, b = (each / total(each * each).sqrt()[:, None] for each in (x, y))
    return total(a * b)


def cosines(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """In float64."""
    return torch.nn.functional.cosine_similarity(x.double(), y.double(), dim=-1)


def near_pairs() -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(3)
    x = torch.randn(ROWS, WIDTH)
    return x, x + torch.rand(ROWS, 1) * 3.0 * torch.randn(ROWS, WIDTH)


@pytest.mark.parametrize("away", [1e-8, 3e-8, 1e-7, 3e-7])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_sum_in_one_lane_is_free_near_a_threshold(away: float, sign: float) -> None:
    x, y = near_pairs()
    t = (cosines(x, y) + sign * away).float()
    due = cosines(x, y) > t.double()
    least, most = ends(COSINES, x, y, t, wide=due)
    made = (in_one_lane(x, y) > t).double()
    assert bool(((least <= made) & (made <= most)).all())
    assert not torch.equal(made, due.double())


def test_beyond_its_rounding_nothing_is_free() -> None:
    x, y = near_pairs()
    for away in (8e-6, -8e-6):
        t = (cosines(x, y) + away).float()
        due = cosines(x, y) > t.double()
        least, most = ends(COSINES, x, y, t, wide=due)
        assert torch.equal(least, due.double()) and torch.equal(most, due.double())


def test_counts_lie_between_what_is_sure_and_what_may_be() -> None:
    x = torch.full((8, 100), 0.1) + torch.arange(100) * 1e-3
    truth = x.double().sum(-1, keepdim=True) * torch.linspace(0.5, 1.5, 11, dtype=torch.float64)
    t = truth.float()
    t[:, 5] *= 1.0 + 2.0**-22
    lines = ("s = x.sum(-1, keepdim = True)", "m = s > y", "out = m.sum(-1)", "return (out,)")
    due = (x.double().sum(-1, keepdim=True) > t.double()).sum(-1)
    least, most = ends(lines, x, t, wide=due)
    assert due.tolist() == [5] * 8 and least.tolist() == [5.0] * 8 and most.tolist() == [6.0] * 8


@pytest.mark.parametrize(
    ("lines", "made"),
    [
        (("s = x.sum(-1)", "m = s > 0.5", "return (m,)"), lambda: torch.full((16, 8), 0.0625)),
        (("s = x.mean(-1)", "m = s >= 0.1", "return (m,)"), lambda: torch.full((16, 8), 0.1)),
        (("s = x.sum(-1)", "r = torch.round(s)", "m = r.long()", "return (m,)"), lambda: torch.full((16, 8), 0.3125)),
        (("s = x.mean(-1, keepdim = True)", "m = x > s", "return (m,)"), lambda: torch.full((16, 7), 0.3)),
    ],
    ids=["exactly half", "all alike", "a half is rounded", "no larger than their mean"],
)  # fmt: skip
def test_what_its_dtype_holds_exactly_is_on_its_side_of_a_step(
    lines: tuple[str, ...], made: Callable[[], torch.Tensor]
) -> None:
    x = made()
    module = graph_of([spec("x", *x.shape)], *lines).module("cpu")
    wide = module.double()(x.double())[0]
    least, most = ends(lines, x, wide=wide)
    assert torch.equal(least, wide.double().reshape(-1)) and torch.equal(most, least)


def test_what_was_rounded_and_lies_at_a_step_is_on_no_side() -> None:
    """The cosine of rows of 384 and of 96 equal numbers amid zeros is a half, and both are normalised."""
    x, y = torch.zeros(1, WIDTH), torch.zeros(1, WIDTH)
    x[:, :384], y[:, :96] = 0.7, 0.3
    least, most = ends(COSINES, x, y, torch.full((1,), 0.5), wide=cosines(x, y) > 0.5)
    assert least.tolist() == [0.0] and most.tolist() == [1.0]


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_a_narrow_dtype_is_rounded_to(dtype: torch.dtype) -> None:
    """A score within a step of the threshold may be on both of its sides, and one beyond two steps may not."""
    step = torch.finfo(dtype).eps
    x = torch.tensor([0.99, 0.9999, 1.0001, 1.01]).to(torch.float64) ** 0.5
    x = torch.stack([x, x], -1)
    module = graph_of([spec("x", 4, 2, dtype=str(dtype).removeprefix("torch."))], "s = x * x", "return (s,)").module(
        "cpu"
    )
    given = [torch.tensor([[0.7, 1.3], [0.3, 0.9]]).to(dtype)]
    due = given[0].double() ** 2
    found = [run_rough(module, given, look, 7)[0] for look in Look]
    off = torch.stack([(each - due).abs() for each in found])
    assert bool((off >= step * due).all()) and bool((off <= 1.01 * step * due).all())


def test_what_is_moved_and_written_in_place_stays_in_step() -> None:
    lines = (
        "v = x.view(4, 16)", "c = v.clone()", "c += 1.1", "d = c.t()", "e = d.relu_()", "f = e.exp()", "return (c, f)",
    )  # fmt: skip
    torch.manual_seed(5)
    x = torch.randn(8, 8)
    module = graph_of([spec("x", 8, 8)], *lines).module("cpu")
    c, f = run_rough(module, [x], Look.AWAY, 7)
    own = x.double().view(4, 16) + 1.1
    off = (c - own.relu())[own > 0.0]
    assert bool((off > 0.0).all()) and float((off / own[own > 0.0]).max()) < 3.0 * 2.0**-23
    assert bool((f >= c.t().exp()).all()) and f.shape == (16, 4)


def test_the_opposite_of_chance_is_off_the_other_way() -> None:
    x = torch.rand(64, 64) + 0.1
    module = graph_of([spec("x", 64, 64)], "s = x.exp()", "return (s,)").module("cpu")
    one, other = (run_rough(module, [x], look, 7)[0] for look in (Look.BY_CHANCE, Look.AGAINST_CHANCE))
    due = x.double().exp()
    assert torch.allclose(one - due, due - other, rtol=1e-6, atol=1e-14) and bool((one != due).all())
    assert 0.3 < float((one > due).double().mean()) < 0.7
