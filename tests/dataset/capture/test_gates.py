"""The quality gates: each passes real captured graphs and fails the graph that it is there to catch."""

from dataclasses import replace

import pytest
import torch
from torch import fx

from passnet.dataset.capture.candidate import CaptureCandidate, CaptureLimits, difference
from passnet.dataset.capture.dynamo import Captured, capture_graphs
from passnet.dataset.capture.gates import GATES, Gate, GateVerdict, judge, kept
from passnet.dataset.capture.halves import halves
from passnet.dataset.capture.model import input_specs
from passnet.dataset.capture.nodes import call_nodes, op_name
from passnet.graph import Graph, find_graphs
from tests.dataset.dataset_toys import Breaks, Residual


def candidate(model, *args, limits=None, real=True) -> CaptureCandidate:
    (captured,) = capture_graphs(model, args=args)
    return CaptureCandidate(captured, written(captured), real, limits or CaptureLimits())


def written(captured: Captured) -> Graph:
    meta = {"framework": "torch", "op_names": [op_name(node) for node in call_nodes(captured.module)]}
    return Graph.from_fx(captured.module, input_specs(captured), name="toy", meta=meta)


def function(body):
    """A module around a function, to be captured."""

    class Module(torch.nn.Module):
        def forward(self, *args):
            return body(*args)

    return Module()


def verdict_of(gate: str, one: CaptureCandidate) -> GateVerdict:
    return next(verdict for verdict in judge(one) if verdict.gate == gate)


@pytest.fixture(scope="module")
def residual():
    return candidate(Residual(4), torch.randn(2, 4, 5, 5))


@pytest.mark.parametrize("gate", [gate.name for gate in GATES])
def test_a_sound_graph_passes(residual, gate):
    assert verdict_of(gate, residual) == GateVerdict(gate, "pass")


@pytest.mark.parametrize("gate", [gate.name for gate in GATES])
def test_it_passes_without_values_too(residual, gate):
    assert verdict_of(gate, replace(residual, real=False)) == GateVerdict(gate, "pass")


def test_bundled_graphs_pass_every_gate(pytestconfig):
    roots = sorted((pytestconfig.rootpath / "data/tasks").glob("*/graphs/float32/0"))
    for root in roots[::5]:
        graph = Graph.read(next(iter(find_graphs(root))))
        module = graph.module(propagated=False)
        (captured,) = capture_graphs(module, args=graph.inputs(0))
        assert [verdict.result for verdict in judge(CaptureCandidate(captured, written(captured), True))] == [
            "pass"
        ] * 7, root


def test_text_that_is_not_what_would_be_written_is_not_serialisable(residual):
    graph = replace(residual.graph, source=residual.graph.source.replace("tmp_0", "other_0"))
    assert verdict_of("serialisable", replace(residual, graph=graph)).result == "fail"


def test_recorded_operators_must_fit_the_text(residual):
    graph = replace(residual.graph, meta={"framework": "torch", "op_names": ["conv2d"]})
    found = verdict_of("analysable", replace(residual, graph=graph))
    assert (found.result, found.reason) == ("fail", "the recorded operator names do not fit the text")


def test_a_graph_that_computes_something_else_is_not_runnable(residual):
    source = residual.graph.source.replace(" * 2", " * 3")
    assert source != residual.graph.source
    found = verdict_of("runnable", replace(residual, graph=replace(residual.graph, source=source)))
    assert found == GateVerdict("runnable", "fail", "output 0 has other values")


def test_what_follows_a_failed_required_gate_is_skipped(residual):
    source = residual.graph.source.replace(" * 2", " * 3")
    verdicts = judge(replace(residual, graph=replace(residual.graph, source=source)))
    assert [verdict.result for verdict in verdicts[-3:]] == ["skip"] * 3
    assert not kept(verdicts)


def test_a_graph_that_breaks_when_captured_again_fails_the_round_trip():
    graph = fx.Graph()
    x = graph.placeholder("x")
    item = graph.call_method("item", (x,))
    scaled = graph.call_function(torch.mul, (x, item))
    graph.output((scaled,))
    captured = Captured(fx.GraphModule(torch.nn.Module(), graph), (torch.tensor(3.0),))
    found = verdict_of("round_trip", CaptureCandidate(captured, written(captured), True))
    assert found.result == "fail"
    assert found.reason.startswith("captured again")


def test_a_single_operation_cannot_be_cut():
    one = candidate(function(lambda x: torch.relu(x)), torch.randn(3))
    assert verdict_of("decomposable", one) == GateVerdict("decomposable", "skip", "a single operation")


def test_a_graph_through_which_no_tensor_alone_passes_is_not_decomposable():
    one = candidate(function(lambda x: torch.split(x, 2)[0]), torch.randn(4))
    assert verdict_of("decomposable", one).reason == "no place where only tensors cross"


def test_halves_are_disjoint_and_cover_the_graph(residual):
    module = residual.graph.module()
    cut = halves(module)
    first, second = [op_name(n) for n in call_nodes(cut.first)], [op_name(n) for n in call_nodes(cut.second)]
    assert first + second == [op_name(node) for node in call_nodes(module)]
    assert abs(len(first) - len(second)) <= 4


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (lambda x: x * 0 + 3, "output 0: constant 3"),
        (lambda x: x / 0 * 0, "output 0: no finite value"),
        (lambda x: torch.zeros_like(x).cumsum(0) + torch.arange(4.0), "insensitive to its inputs"),
    ],
)
def test_outputs_that_tell_nothing_are_found(body, reason):
    found = verdict_of("telling", candidate(function(body), torch.randn(4)))
    assert found == GateVerdict("telling", "fail", reason)


def test_a_graph_that_writes_to_its_inputs_passes():
    one = candidate(function(lambda x: x.mul_(2) + 1), torch.randn(4))
    assert {verdict.result for verdict in judge(one)} == {"pass"}


def test_random_operations_are_compared_under_one_seed():
    one = candidate(function(lambda x: torch.nn.functional.dropout(x, 0.5, training=True) + x), torch.randn(64))
    assert verdict_of("runnable", one).result == "pass"


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (CaptureLimits(ops=3), "operations, more than 3"),
        (CaptureLimits(input_bytes=100), "bytes of inputs, more than 100"),
        (CaptureLimits(flops=10.0), "floating operations, more than 1e+01"),
    ],
)
def test_what_costs_too_much_is_skipped_with_the_reason(residual, limits, reason):
    found = verdict_of("telling", replace(residual, limits=limits, real=False))
    assert found.result == "skip"
    assert reason in found.reason


def test_an_error_inside_a_check_is_its_answer(residual):
    def broken(_candidate):
        raise ZeroDivisionError("oops")

    assert judge(residual, [Gate("broken", "for the test", False, broken)]) == (
        GateVerdict("broken", "fail", "ZeroDivisionError: oops"),
    )


def test_the_second_piece_of_a_broken_graph_passes():
    _, second = capture_graphs(Breaks(), {"x": torch.randn(7)})
    assert kept(judge(CaptureCandidate(second, written(second), True)))


def test_differences_are_named():
    left = [torch.tensor([1.0, float("nan")])]
    assert difference(left, [left[0].clone()], values=True) is None
    assert difference(left, [], values=True) == "0 output(s) instead of 1"
    assert difference(left, [left[0].half()], values=False).startswith("output 0 is torch.float16")
    assert difference(left, [left[0].unsqueeze(0)], values=True).startswith("output 0 is torch.float32 [1, 2]")
    assert difference(left, [torch.tensor([1.0, 0.0])], values=True) == "output 0 has other values"
    assert difference(left, [torch.tensor([2.0, float("nan")])], values=True) == "output 0 has other values"


def test_no_inputs_tell_nothing():
    graph = Graph("none", "import torch\n\nclass GraphModule(torch.nn.Module):\n\n    def forward(self):\n"
                  "        tmp_0 = torch.arange(3)\n        return (tmp_0,)", ())  # fmt: skip
    captured = Captured(graph.module(propagated=False), ())
    assert verdict_of("telling", CaptureCandidate(captured, graph, True)).reason == "it has no inputs"
