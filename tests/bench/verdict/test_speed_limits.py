"""What no device can do: which operations are counted as unavoidable, and which times are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.records import Timing
from passnet.bench.timing.sizing import GraphShape
from passnet.bench.verdict import speed_limits
from passnet.bench.wire.replies import OutputFacts
from passnet.graph import Graph
from passnet.graph.targets import find_targets
from passnet.roofline import peaks
from tests.graph.graph_helpers import graph_of, spec

TASKS = Path(__file__).resolve().parents[3] / "data" / "tasks"
X, W, B = spec("x", 8, 16), spec("w", 16, 32), spec("b", 32)
FLOPS = 2 * 8 * 16 * 32


@pytest.mark.parametrize(
    ("lines", "flops"),
    [
        (("y = torch.matmul(x, w)", "return (y,)"), FLOPS),
        (("y = x @ w", "z = y + b", "g = torch.nn.functional.gelu(z)", "return (g,)"), FLOPS),
        (("y = torch.addmm(b, x, w)", "z = y.relu_()", "return (z,)"), FLOPS),
        (("t = w.t()", "y = torch.nn.functional.linear(x, t, b)", "return (y, y)"), FLOPS),
        (("h = x.to(torch.float16)", "k = w.to(torch.float16)", "y = h @ k", "return (y,)"), FLOPS),
        (("y = x @ w", "z = x @ w", "return (y, z)"), FLOPS),  # the same work done once will do
        (("y = x @ w", "s = y.sum()", "return (s,)"), 0),  # a row of sums suffices
        (("y = x @ w", "z = y * 0.0", "return (z,)"), 0),
        (("y = x @ w", "z = y[:, :1]", "return (z,)"), 0),
        (("y = x @ w", "t = w.t()", "z = y @ t", "return (z,)"), 0),  # may be bracketed otherwise
        (("t = w.tanh()", "a = x @ w", "c = x @ t", "y = a + c", "return (y,)"), FLOPS),
        (("a = x @ w", "c = torch.addmm(b, x, w)", "y = a + c", "return (y,)"), 0),  # distributive
        (("t = x.t()", "y = x @ t", "return (y,)"), 0),  # symmetric
        (("r = x[:1].expand(8, 16)", "y = r @ w", "return (y,)"), 0),  # all rows alike
        (("x *= 0.0", "y = x @ w", "return (y,)"), 0),
        (("y = x + 1.0", "return (y,)"), 0),
    ],
)
def test_what_counts_as_unavoidable(lines: tuple[str, ...], flops: int) -> None:
    assert speed_limits.unavoidable_flops(graph_of([X, W, B], *lines)) == flops


def test_operands_of_known_content_promise_nothing() -> None:
    from dataclasses import replace

    identity = tuple(float(row == column) for row in range(16) for column in range(32))
    graph = graph_of([X, replace(W, data=identity)], "y = x @ w", "return (y,)")
    assert speed_limits.unavoidable_flops(graph) == 0


def test_bundled_tasks_can_be_followed() -> None:
    graphs = [target.graphs[0][2] for target in find_targets([TASKS])]
    assert all(speed_limits.unavoidable_flops(graph) >= 0 for graph in graphs)


@pytest.fixture
def slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    level = peaks.Level("memory", None, 50.0, 1)
    ceilings = peaks.Ceilings("cpu", "test", 1, (level,), {"float32": 100.0, "bfloat16": 200.0}, {}, 1.0, 0.0)
    monkeypatch.setattr(peaks, "measure", lambda device: ceilings)


def timing(compiled_us: float, gpu_us: float | None = None) -> Timing:
    fields = {"eager_us": 1.0, "control_ratio": 1.0, "processes": ()}
    return Timing(speedup=1.0, speedup_ci=(1.0, 1.0), compiled_us=compiled_us, compiled_gpu_us=gpu_us, **fields)


def finding(measured: Timing, shape: GraphShape, graph: Graph) -> str | None:
    try:
        speed_limits.check(measured, shape, graph, OutputFacts())
    except Verdict as verdict:
        return verdict.findings[0].exploit
    return None


@pytest.mark.usefixtures("slow_machine")
def test_faster_than_memory() -> None:
    graph = graph_of([spec("x", 1 << 20)], "y = x + 1.0", "return (y,)")
    shape = GraphShape("cpu", [((1 << 20,), "float32")], [((1 << 20,), "float32")])
    assert finding(timing(80.0), shape, graph) is None
    assert finding(timing(25.0), shape, graph) is None
    assert finding(timing(2.0), shape, graph) == "implausible_time"
    assert finding(timing(80.0, gpu_us=60.0), shape, graph) is None
    assert finding(timing(80.0, gpu_us=0.05), shape, graph) == "clock"


@pytest.mark.usefixtures("slow_machine")
def test_faster_than_the_units_multiply() -> None:
    graph = graph_of([spec("x", 512, 512), spec("w", 512, 512)], "y = x @ w", "return (y,)")
    shape = GraphShape("cpu", [((512, 512), "float32")] * 2, [((512, 512), "float32")])
    needed = 2 * 512**3
    assert finding(timing(needed / 700 / 1e3), shape, graph) is None
    assert finding(timing(needed / 900 / 1e3), shape, graph) == "implausible_time"


def test_what_lies_in_one_memory_is_written_once() -> None:
    whole, turned, windows, apart = (
        ((64, 32), "float32"),
        ((32, 64), "float32"),
        ((60, 8, 32), "float32"),
        ((8,), "int64"),
    )
    shape = GraphShape("cpu", [], [whole, turned, windows, apart])
    assert speed_limits.written_bytes(shape, OutputFacts()) == 4 * (64 * 32 + 32 * 64 + 60 * 8 * 32) + 64
    facts = OutputFacts(shared=(1, 2), places=(64 * 32, 64 * 32, 60 * 32 + 128, 8), memories=(0, 0, 0, 3))
    assert speed_limits.written_bytes(shape, facts) == 4 * 64 * 32 + 64
