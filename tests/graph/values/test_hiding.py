"""The number by which a mask hides, from the statistics of an input."""

from __future__ import annotations

import math

import pytest
import torch

from passnet.graph import Role, TensorSpec
from passnet.graph.values.hiding import added, hidden_value
from tests.graph.graph_helpers import graph_of, spec

_LEAST = torch.finfo(torch.float32).min


def recorded(hidden: float, share: float, *, scores: float = 0.0) -> TensorSpec:
    """The statistics of a tensor of which a share is hidden."""
    generator = torch.Generator().manual_seed(0)
    values = scores * torch.randn(64, 256, generator=generator)
    values[:, : int(256 * share)] += hidden
    return TensorSpec.from_tensor("in_0", values)


@pytest.mark.parametrize("share", [0.02, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("hidden", [-50.0, -100.0, -1e3, -5e3, -1e4, -1e9, -65504.0, 100.0])
def test_two_numbers_are_told_by_mean_and_deviation(hidden: float, share: float) -> None:
    assert hidden_value(recorded(hidden, share), Role.DATA) == hidden


@pytest.mark.parametrize("hidden", [-1e3, -1e4, -1e9])
def test_a_mask_that_was_added_to_scores_is_told(hidden: float) -> None:
    assert hidden_value(recorded(hidden, 0.25, scores=1.0), Role.DATA) == pytest.approx(hidden, rel=1e-3)


def test_infinities_and_the_ends_of_dtypes() -> None:
    assert hidden_value(recorded(-math.inf, 0.25), Role.DATA) == -math.inf
    huge = hidden_value(recorded(_LEAST, 0.25), Role.DATA)
    assert huge is not None and huge < -1e37
    narrow = hidden_value(spec("in_0", 8, 8, dtype="float16", mean=-1.6e38, std=1.7e38), Role.DATA)
    assert narrow == torch.finfo(torch.float16).min


@pytest.mark.parametrize(
    "item",
    [
        spec("in_0", 8, 8, mean=0.0, std=1.0),
        spec("in_0", 8, 8, mean=-22.9, std=41.3),
        spec("in_0", 8, 8, mean=100.0, std=0.0),
        spec("in_0", mean=100.0, std=0.0),
        spec("in_0", 8, 8, mean=0.25, std=0.433),
        spec("in_0", 8, 8, mean=-0.0162, std=0.9),
        spec("in_0", 8, 8, mean=-25.0, std=43.3012702, min_val=-30.0),
        spec("in_0", 8, 8, mean=-25.0, std=43.3012702, min_val=-100.0, max_val=-1.0),
        TensorSpec("in_0", (8, 8), "int64", mean=-25.0, std=43.3012702),
    ],
    ids=str,
)
def test_other_statistics_are_of_no_mask(item: TensorSpec) -> None:
    assert hidden_value(item, Role.DATA) is None


def test_statistics_of_a_norm_are_no_mask() -> None:
    for role in (Role.VARIANCE, Role.MEAN, Role.NORM_SCALE, Role.EPSILON):
        assert hidden_value(spec("in_0", 8, mean=2e4, std=9e3), role) is None


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["y = x + w"], {0, 1}),
        (["a = w.unsqueeze(0)", "b = a.to(torch.float32)", "x += b", "y = x"], {0, 1}),
        (["a = x.softmax(-1)", "b = w * 2", "y = a * b"], set()),
        (["a = x.softmax(-1)", "y = a + w"], {1}),
        (["y = x.argmax(-1)"], set()),
    ],
)
def test_what_is_added(lines: list[str], expected: set[int]) -> None:
    graph = graph_of([spec("x", 4, 8), spec("w", 4, 8)], *lines, "return (y,)")
    assert added(graph.program) == expected


@pytest.mark.parametrize(("mean", "std"), [(1e-300, 1e300), (1e300, 1e-300), (1e308, 1e308), (-5e-324, 1e308)])
def test_statistics_of_any_size_are_read(mean: float, std: float) -> None:
    """A power of a large number raises in Python, and a file may say any."""
    found = hidden_value(TensorSpec("in_0", (4, 4), "float32", mean=mean, std=std), Role.DATA)
    assert found is None or abs(found) <= torch.finfo(torch.float32).max
