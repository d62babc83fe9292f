"""What is stored meets the numbers of its program, and other lists, in careful draws; sizes and counts stay."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
import torch

from passnet.bench.draws.content.input_source import InputSource
from passnet.bench.draws.stored.stored_met import stored_met
from passnet.graph import Graph
from passnet.graph.values.constants import stored
from tests.graph.graph_helpers import graph_of, spec

KINDS = tuple(row % 4 for row in range(32))


def graph_with(*lines: str, **stored_inputs: Any) -> Graph:
    specs = [
        spec(name, *((len(data),) if len(data) > 1 else ()), dtype="float32" if data[0] % 1 else "int64", data=data)
        for name, data in stored_inputs.items()
    ]
    return graph_of([*specs, spec("x", 32, 8)], *lines, "return (y,)")


def made(graph: Graph) -> list[list[torch.Tensor]]:
    """For each draw the numbers that every stored input may have there."""

    def usual() -> Iterator[list[InputSource]]:
        while True:
            yield [
                InputSource.of_values(torch.randn(4096))
                if (content := stored(each)) is None
                else InputSource.of_content(content, held=False)
                for each in graph.specs
            ]

    rows = stored_met(graph, usual(), Random(5))
    return [[source.values for source, each in zip(row, graph.specs, strict=True) if each.data] for row in rows]


@pytest.mark.parametrize(
    ("line", "data", "number"),
    [
        ("c = n == 50", KINDS, 50),
        ("c = n < 1000", (7,), 1000),
        ("c = n < 100.0", (0.25,), 100.0),
        ("c = n > -3", KINDS, -3),
    ],
)
def test_both_sides_of_a_number_are_met(line: str, data: tuple[float, ...], number: float) -> None:
    shape = "c.unsqueeze(-1)" if len(data) > 1 else "c.reshape(1, 1)"
    draws = made(graph_with(line, f"u = {shape}", "y = x.masked_fill(u, 0.0)", n=data))
    assert any(bool((values < number).any()) for (values,) in draws)
    assert any(bool((values > number).any()) for (values,) in draws)
    if data[0] % 1 == 0:
        assert any(bool((values == number).any()) for (values,) in draws)


def test_lists_that_have_nothing_in_common_meet() -> None:
    lines = ("c = a == b", "u = c.unsqueeze(-1)", "y = x.masked_fill(u, 0.0)")
    draws = made(graph_with(*lines, a=tuple(range(32)), b=tuple(range(500, 532))))
    assert any(set(a.tolist()) == set(b.tolist()) for a, b in draws)


def test_a_list_that_is_looked_up_meets_another_one() -> None:
    words = {"a": tuple(range(8)) * 4, "b": tuple(range(24, 32)) * 4}
    draws = made(graph_with("u = x[a]", "c = a == b", "d = c.unsqueeze(-1)", "y = u.masked_fill(d, 0.0)", **words))
    assert any(set(a.tolist()) & set(b.tolist()) for a, b in draws)
    assert all(int(a.min()) >= 0 and int(a.max()) < 32 for a, _ in draws)


def test_of_labels_only_the_mark_is_another() -> None:
    labels = tuple(place % 8 for place in range(32))
    draws = made(graph_with("y = torch.nn.functional.cross_entropy(x, n, None, None, -100)", n=labels))
    assert any(bool((values == -100).any()) for (values,) in draws)
    assert all(set(values.tolist()) <= {-100, *range(8)} for (values,) in draws)


@pytest.mark.parametrize(
    "lines",
    [
        ("u = x[n]", "y = u * 2"),
        ("u = n * 3", "v = u.unsqueeze(-1)", "y = x + v"),
        ("c = n > 0", "y = x.repeat_interleave(n, 0)"),
    ],
    ids=["index", "not compared", "counts"],
)
def test_what_is_not_compared_stays(lines: tuple[str, ...]) -> None:
    assert made(graph_with(*lines, n=(1,) * 32)) == []
