"""What a graph makes of sizes and tuples is bounded wherever its shapes are propagated."""

from __future__ import annotations

import pytest
import torch

from passnet.graph import GraphError
from passnet.graph.values.bounded import MOST_ITEMS, BoundedInterpreter
from passnet.graph.values.constants import known_values
from passnet.roofline.op_trace import trace
from tests.graph.graph_helpers import graph_of, spec

WIDE, LONG, MANY = "more than 64 bits", f"more than {MOST_ITEMS} items", f"more than {MOST_ITEMS} results"
START = ["s = x.size(0)", "h = x.shape"]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["p = s ** s", "q = p ** s"], WIDE),
        (["p = s.__pow__(s)"], WIDE),
        (["p = s.__rpow__(s)"], WIDE),
        (["p = s", "p **= s"], WIDE),
        (["p = 1 << s"], WIDE),
        (["p = s.__lshift__(4000000000000)"], WIDE),
        (["p = s * 9000000000000000000", "q = p * s"], WIDE),
        (["p = torch.sym_int(1e300)"], WIDE),
        (["p = h * 1000000000"], LONG),
        (["p = 1000000000 * h"], LONG),
        (["p = h.__rmul__(1000000000)"], LONG),
        (["p = (1, 2) * s", *(f"p{i} = p * {2**i}" for i in range(1, 25))], LONG),
        (["p = h + h", *["p = p + p"] * 40], LONG),
        (["p = (h, h) + (h, h)", *["p = (p, p) + (p, p)"] * 40], LONG),
        (["p = torch.ops.aten.mul.left_t([1], 1000000000)"], LONG),
        (["p = '%1000000000d' % s"], "fills in a text"),
        (["k = s * 1000000", "p = 'a' * k"], LONG),
        (["w = x.expand(1099511627776, 200, 4)", "p = w.unbind()"], MANY),
        (["w = x.expand(1099511627776, 200, 4)", "p = w.split(2)"], MANY),
        (["w = x.expand(1099511627776, 200, 4)", "p = torch.split(w, split_size_or_sections=3, dim=0)"], MANY),
        (["p = torch.tensor_split(x, 1000000000)"], MANY),
        (["p = x.chunk(chunks=1000000000)"], MANY),
    ],
    ids=str,
)
def test_one_line_names_the_statement(lines: list[str], told: str) -> None:
    graph = graph_of([spec("x", 200, 4)], *START, *lines, "y = x * 2", "return (y,)", name="odd")
    for ask in (known_values, lambda asked: trace(asked, "cpu"), lambda asked: asked.module()):
        with pytest.raises(GraphError, match=rf"^odd, statement \w+: .*{told}"):
            ask(graph)


def test_what_is_small_is_computed() -> None:
    lines = [
        "p = s ** 7",
        "q = h * 3",
        "r = s << 40",
        "z = s - 200",
        "t = z << 10000000000000",
        "u = z ** 1000000000000",
    ]
    lines += ["v = x.split(1)", "w = x.unbind(1)", "b = x ** 2000000", "c = s ** -5", "d = x.chunk(7)"]
    graph = graph_of([spec("x", 200, 4)], *START, *lines, "y = x * 2", "return (y,)")
    found = known_values(graph)
    assert found[3:9] == [200**7, (200, 4) * 3, 200 << 40, 0, 0, 0]
    trace(graph, "cpu")


def test_a_real_run_is_bounded_too() -> None:
    graph = graph_of([spec("x", 200, 4)], *START, "p = s ** s", "return (x,)", name="odd")
    with pytest.raises(GraphError, match="odd, statement p"):
        BoundedInterpreter(graph.module(propagated=False), "odd").run(torch.ones(200, 4))
