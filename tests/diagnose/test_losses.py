"""Rows and shares of a slowdown, from figures that are given."""

from __future__ import annotations

import json
import math

import pytest

from passnet.bench.record.records import GraphRecord, Timing
from passnet.diagnose.losses import KERNELS, LAUNCHES, UNTOLD, WRAPPER, LossRow, Slowdown, row_of, shares
from passnet.graph import Graph
from passnet.score import Outcome
from tests.graph.graph_helpers import META, graph_of, spec


def row(direct, deployed, *, eager=100.0, kernels_us=None, device=None, name="g", ops=3, places=1, regime=None):
    return LossRow(
        graph=name, model="m", kind="typical", ops=("relu",) * ops, places=places, outcome="correct",
        eager_us=eager, compiled_us=eager / direct, direct=direct, direct_ci=(direct * 0.95, direct * 1.05),
        deployed=deployed, deployed_ci=(deployed * 0.9, deployed * 1.1), device=device, kernels_us=kernels_us,
        regime=regime,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (row(2.0, 1.5), None),
        (row(2.0, 0.5), WRAPPER),
        (row(0.5, 0.45), UNTOLD),
        (row(0.8, 0.2), WRAPPER),
        (row(0.5, 0.45, kernels_us=90.0, device=0.4), KERNELS),
        (row(0.5, 0.45, kernels_us=-10.0, device=1.5), LAUNCHES),
    ],
)
def test_a_loss_is_named_by_its_largest_part(found, why):
    assert found.why == why


def test_the_parts_are_microseconds_of_a_call_and_the_loss_is_of_all_places():
    found = row(0.5, 0.4, places=3)
    assert math.isclose(found.deployed_us, 250.0)
    assert math.isclose(found.wrapper_us, 50.0)
    assert math.isclose(found.loss_us, 450.0)


def test_shares_count_figures_and_a_missing_figure_is_none_never_zero():
    rows = [row(0.5, 0.4), row(2.0, 0.9), row(2.0, 2.0), row(2.0, 2.0, device=0.5)]
    assert shares(rows) == {"graphs": 4, "deployed": 0.5, "direct": 0.25, "captured": None, "device": 1.0}
    assert shares(rows[:3])["device"] is None
    assert shares([]) == {"graphs": 0, "deployed": None, "direct": None, "captured": None, "device": None}


def test_the_document_is_ordered_by_loss_and_names_its_groups():
    failed = LossRow("z", "m", "full", ("relu",), 1, "accuracy", detail="<b>wrong</b>")
    rows = [row(2.0, 2.0, name="gains"), failed, row(0.5, 0.4, name="loses", ops=70, regime="work", eager=5.0)]
    found = Slowdown.of("inductor", "cpu", rows)
    document = found.to_json()
    assert [one["graph"] for one in document["rows"]] == ["loses", "gains", "z"]
    assert (document["graphs"], document["judged"]) == (2, 3)
    assert document["slower"] == {"deployed": 0.5, "direct": 0.5, "captured": None, "device": None}
    assert document["surely_slower"] == {"deployed": 0.5, "direct": 0.5}
    assert document["why"][UNTOLD] + document["why"][WRAPPER] == 1
    assert list(document["by_regime"]) == ["work", "unknown"]
    means = document["conventions"]
    assert {name: group["graphs"] for name, group in means.items() if group["graphs"]} == {
        "all": 2, "work": 1, "unknown": 1,
    }  # fmt: skip
    assert math.isclose(means["all"]["direct"]["value"], 1.0)
    assert math.isclose(means["work"]["deployed"]["value"], 0.4)
    assert means["all"]["captured"]["value"] is means["all"]["device"]["value"] is None
    assert list(document["by_operators"]) == ["2 to 4", "65 or more"]
    assert list(document["by_eager_time"]) == ["below 10 us", "100 us to 1 ms"]
    json.dumps(document, allow_nan=False)


def test_a_row_takes_its_figures_from_the_record_and_its_names_from_the_graph():
    timing = Timing(
        speedup=0.5, speedup_ci=(0.4, 0.6), eager_us=10.0, compiled_us=20.0, control_ratio=1.0, processes=(),
        deployed_speedup=0.25, deployed_speedup_ci=(0.2, 0.3),
        captured_speedup=0.9, busy_speedup=0.8, eager_busy_us=4.0, compiled_busy_us=5.0, launch_us=6.0, bound_us=1.0,
    )  # fmt: skip
    record = GraphRecord(
        task="t", graph="g", graph_hash="", pass_set_hash=None, protocol_hash="", compiler="inductor", device="cuda",
        outcome=Outcome.CORRECT, correct_at=-6, timing=timing, compile_s=3.5,
    )  # fmt: skip
    plain = graph_of([spec("x", 4)], "a = torch.relu(x)", "return (a,)")
    meta = {**META, "kind": "typical", "model_name": "Gemma2"}
    graph = Graph(plain.name, plain.source, plain.specs, meta, sources={"samples/a/b": [[0, 1], [5, 6]], "odd": "text"})
    found = row_of(graph, record)
    assert (found.graph, found.model, found.kind, found.ops, found.places) == ("t", "Gemma2", "typical", ("relu",), 2)
    assert (found.direct, found.deployed, found.device, found.kernels_us) == (0.5, 0.25, 0.8, 1.0)
    assert found.compile_s == 3.5 and found.regime == "launch"
    assert (found.captured, found.eager_bound_share, found.bound_share) == (0.9, 0.25, 0.2)
    (measured,) = Slowdown.of("inductor", "cuda", [found]).measured
    assert (measured.task, measured.regime) == ("t", "launch")
    assert measured.figures == {
        "direct": 0.5, "deployed": 0.25, "captured": 0.9, "device": 0.8, "eager_bound_share": 0.25, "bound_share": 0.2,
    }  # fmt: skip
