"""Capturing one model of a source: its record and its graphs, for models that work and for each way of failing."""

import pytest
import torch

from passnet.dataset.capture.model import capture_model
from passnet.dataset.capture.record import ModelRecord, cluster_of, reason_text
from tests.dataset.capture_toys import ToyModels

SOURCE = ToyModels()


def test_a_model_that_works_gives_one_graph_with_its_meta_data():
    record, (graph,) = capture_model(SOURCE, "residual")
    assert (record.outcome, record.complete, record.stage, record.reason) == ("captured", True, "done", None)
    assert (record.pieces, record.graphs, record.ops) == (1, 1, len(graph.statements()))
    assert graph.meta["kind"] == "full"
    assert graph.meta["capture_method"] == "real"
    assert graph.meta["captured_dtype"] == "float32"
    assert graph.meta["op_names"][:2] == ["conv2d", "batch_norm"]
    assert graph.sources == {"samples/timm/residual": [[0, record.ops]]}


def test_real_statistics_are_those_of_the_tensors():
    case = SOURCE.build("residual", "real")
    _, (graph,) = capture_model(SOURCE, "residual")
    weight = next(spec for spec in graph.specs if spec.original_name.endswith("conv_parameters_weight_"))
    assert weight.std == pytest.approx(float(case.model.conv.weight.detach().double().std()), rel=1e-5)


def test_every_gate_has_a_count():
    record, _ = capture_model(SOURCE, "residual")
    assert {gate: (count.passed, count.failed, count.skipped) for gate, count in record.gates.items()} == dict.fromkeys(
        ("serialisable", "analysable", "reachable", "runnable", "round_trip", "decomposable", "telling"), (1, 0, 0)
    )


@pytest.mark.parametrize("method", ["fake", "meta"])
def test_without_values_the_graph_is_the_same(method):
    _, (real,) = capture_model(SOURCE, "residual", methods=["real"])
    record, (graph,) = capture_model(SOURCE, "residual", methods=[method])
    assert graph.source == real.source
    assert record.gates["telling"].passed == 1
    assert [spec.device for spec in graph.specs] == ["cpu"] * len(real.specs)


def test_unknown_statistics_follow_the_role():
    _, (graph,) = capture_model(SOURCE, "residual", methods=["fake"])
    by_name = {spec.original_name: spec for spec in graph.specs}
    variance = next(spec for name, spec in by_name.items() if "running_var" in name)
    weight = next(spec for name, spec in by_name.items() if "conv_parameters_weight" in name)
    assert (variance.mean, variance.min_val) == (1.0, 0.0)
    assert weight.std == pytest.approx(1 / 6, rel=0.01)


def test_unknown_integers_stay_within_what_they_index():
    record, (graph,) = capture_model(SOURCE, "indexed", methods=["fake"])
    bounds = {spec.original_name: (spec.min_val, spec.max_val) for spec in graph.specs if spec.is_integer}
    assert bounds == {"L_ids_": (0, 49), "L_self_buffers_places_": (0, 29)}
    assert record.gates["telling"].passed == 1


def test_unknown_bytes_are_all_that_they_may_be():
    _, (graph,) = capture_model(SOURCE, "pixels", methods=["fake"])
    bounds = {spec.original_name: (spec.min_val, spec.max_val) for spec in graph.specs if spec.is_integer}
    assert bounds == {"L_image_": (0, 255), "L_self_buffers_colours_": (0, 49)}


def test_each_piece_of_a_broken_graph_is_a_graph():
    record, graphs = capture_model(SOURCE, "breaks")
    assert record.pieces == len(graphs) == 2
    assert record.breaks
    assert [list(graph.sources) for graph in graphs] == [
        ["samples/timm/breaks/subgraph_0"],
        ["samples/timm/breaks/subgraph_1"],
    ]


def test_recurrent_layers_are_traced():
    record, (graph,) = capture_model(SOURCE, "recurrent")
    assert record.complete
    assert "gru" in graph.meta["op_names"]


def test_a_failure_in_the_trial_run_is_one_of_the_inputs():
    record, graphs = capture_model(SOURCE, "raises", methods=["real"])
    assert graphs == []
    assert (record.outcome, record.stage, record.method) == ("failed", "inputs", "real")
    assert record.reason == "NoInputs: KeyError: 'no such layer'"


def test_the_other_methods_are_tried_and_noted():
    record, _ = capture_model(SOURCE, "raises")
    assert [attempt.method for attempt in record.attempts] == ["fake", "meta"]
    assert {attempt.stage for attempt in record.attempts} == {"capture"}


def test_a_constructor_that_fails_is_a_record():
    record, _ = capture_model(SOURCE, "huge", methods=["real"])
    assert (record.outcome, record.stage, record.reason) == ("failed", "build", "MemoryError: cannot allocate")


def test_an_error_after_the_first_piece_keeps_that_piece():
    record, graphs = capture_model(SOURCE, "late", methods=["real"])
    assert (record.outcome, record.complete, record.stage) == ("captured", False, "capture")
    assert record.reason == "ValueError: too late at late.py"
    assert [graph.meta["op_names"] for graph in graphs] == [["relu", "mul"]]


def test_a_degenerate_graph_is_kept_and_marked():
    record, (graph,) = capture_model(SOURCE, "constant")
    assert record.gates["telling"].failed == 1
    assert graph.meta["failed_gates"] == ["telling"]


def test_two_runs_give_the_same_graphs_whatever_the_random_state():
    first = capture_model(SOURCE, "residual")[1]
    torch.manual_seed(99)
    second = capture_model(SOURCE, "residual")[1]
    assert [graph.content_hash for graph in first] == [graph.content_hash for graph in second]


def test_the_random_state_of_the_caller_is_left_alone():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    capture_model(SOURCE, "breaks")
    assert torch.equal(torch.rand(3), expected)


def test_records_survive_json():
    for name in ("residual", "raises", "late"):
        record, _ = capture_model(SOURCE, name, methods=["real"])
        assert ModelRecord.model_validate_json(record.model_dump_json()) == record


def test_an_impossible_record_cannot_be_made():
    fields = {"library": "timm", "model": "m", "family": "f", "domain": "other"}
    with pytest.raises(ValueError, match="has graphs"):
        ModelRecord(**fields, outcome="captured", stage="done")
    with pytest.raises(ValueError, match="stage and the reason"):
        ModelRecord(**fields, outcome="failed", stage="build")


def test_a_reason_can_be_written_whatever_a_model_says() -> None:
    assert reason_text("ValueError", "bad \udcff text").encode() == b"ValueError: bad \\udcff text"


def test_reasons_name_no_place_of_this_machine():
    text = reason_text("OSError", "cannot read /usr/lib/python3/x.py at 0x7f0011223344\nmore")
    assert text == "OSError: cannot read x.py at 0x*"


def test_equal_failures_share_a_cluster():
    first = cluster_of("RuntimeError: shape '[2, 3]' is invalid for input of size 17")
    assert first == cluster_of("RuntimeError: shape '[4, 5, 6]' is invalid for input of size 99")
    assert first != cluster_of("RuntimeError: mat1 and mat2 shapes cannot be multiplied")
