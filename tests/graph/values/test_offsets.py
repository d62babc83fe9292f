"""Where a call begins: inputs that are added to places or compared with them."""

from __future__ import annotations

import pytest

from passnet.graph.values.offsets import offsets
from tests.graph.graph_helpers import graph_of, spec


@pytest.mark.parametrize(
    ("lines", "begins"),
    [
        (("p = torch.arange(64)", "y = p + n", "return (y,)"), True),
        (("p = torch.arange(64)", "a = n - 1", "y = p < a", "return (y,)"), True),
        (("p = torch.arange(64)", "p += n", "return (p,)"), True),
        (("y = k - n", "return (y,)"), True),
        (("p = torch.arange(64)", "b = n * 2", "y = p + b", "return (y,)"), False),
        (("m = 1 - n", "y = x + m", "return (y,)"), False),
        (("f = n.float()", "m = 1.0 - f", "b = m * -1e4", "y = x + b", "return (y,)"), False),
        (("y = n + n", "return (y,)"), False),
        (("p = torch.arange(64)", "m = p > 3", "y = m + n", "return (y,)"), False),
    ],
)
def test_what_is_counted_from(lines: tuple[str, ...], begins: bool) -> None:
    graph = graph_of([spec("n", 1, dtype="int64", data=(0,)), spec("k", 64, dtype="int64"), spec("x", 64)], *lines)
    assert (0 in offsets(graph)) is begins
