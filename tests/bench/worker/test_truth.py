"""What the reference worker says of eager."""

from __future__ import annotations

import pytest

from passnet.bench.wire.requests import Probe
from passnet.bench.worker import truth
from passnet.bench.worker.state import WorkerState
from tests.graph.graph_helpers import graph_of, spec


@pytest.mark.parametrize(
    ("dtype", "lines", "coarse"),
    [
        ("float32", ["a = x * y"], False),
        ("float32", ["b = x.to(torch.bfloat16)", "a = b.float()"], True),
        ("float32", ["b = x.half()", "a = b.float()"], False),
        ("float32", ["b = x.half()", "c = y.bfloat16()", "a = b + c"], True),
        ("bfloat16", ["b = x.float()", "a = torch.softmax(b, -1)"], False),
        ("bfloat16", ["c = x.view(2, 8)", "b = c.float()", "a = torch.softmax(b, -1)"], False),
        ("bfloat16", ["b = x * y", "a = b.float()"], True),
    ],
)
def test_whether_eager_stores_bfloat16_on_its_way(dtype: str, lines: list[str], coarse: bool) -> None:
    graph = graph_of([spec("x", 4, 4, dtype=dtype), spec("y", 4, 4, dtype=dtype)], *lines, "return (a,)")
    state = WorkerState(graph=graph, module=graph.module("cpu"))
    assert truth.probe(state, Probe(seed=7)).coarse == coarse
