"""Gates: inputs by whose steps a state is multiplied."""

from __future__ import annotations

import pytest

from passnet.graph.values.gates import Gates, gates, kept_by_biases
from tests.graph.graph_helpers import graph_of, spec

_STEPS = range(1, 5)


def scan(gate: str, read: str, *before: str) -> list[str]:
    """Statements of a scan. `@` stands for a step."""
    lines = [*before, "h0 = y[:, 0]"]
    for step in _STEPS:
        lines += [f"g{step} = {gate.replace('@', str(step))}", f"x{step} = {read.replace('@', str(step))}"]
        lines += [f"k{step} = h{step - 1} * g{step}", f"h{step} = k{step} + x{step}"]
    return [*lines, f"return (h{_STEPS[-1]},)"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (scan("x[:, @]", "y[:, @]"), [Gates(0, 2, True)]),
        (scan("g[:, @]", "y[:, @]", "g = torch.sigmoid(x)"), [Gates(0, 2, False)]),
        (scan("p[@]", "y[:, @]", "s = torch.nn.functional.softplus(x)", "n = -s", "e = n.exp()", "p = e.unbind(1)"),
         [Gates(0, 2, False)]),
        (scan("p[@]", "y.select(1, @)", "t = x.transpose(0, 1)", "p = t.chunk(6)"), [Gates(0, 2, True)]),
        (["z = x.cumprod(1)", "return (z,)"], [Gates(0, 2, True)]),
        (["g = torch.sigmoid(x)", "z = torch.cumprod(g, -1)", "return (z,)"], [Gates(0, 1, False)]),
        (["z = x.cumsum(1)", "return (z,)"], []),
        (["g = torch.sigmoid(x)", "z = g * y", "return (z,)"], []),
        (scan("0.9", "y[:, @]"), []),
    ],
)  # fmt: skip
def test_gates_are_found(lines: list[str], expected: list[Gates]) -> None:
    assert gates(graph_of([spec("x", 2, 6, 8), spec("y", 2, 6, 8)], *lines)) == expected


def test_biases_of_cells_are_found() -> None:
    specs = [spec("x", 2, 6, 8), spec("h", 1, 2, 4), spec("w", 12, 8), spec("u", 12, 4), spec("b", 12), spec("c", 12)]
    call = "o = torch.gru(x, h, [w, u, b, c], True, 1, 0.0, False, False, True)"
    assert kept_by_biases(graph_of(specs, call, "z = o[0]", "return (z,)")) == {4: 4, 5: 4}
    assert kept_by_biases(graph_of([spec("x", 12)], "z = x * 2.0", "return (z,)")) == {}
