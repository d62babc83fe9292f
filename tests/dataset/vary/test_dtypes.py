"""Half-precision variants: inputs, constants and casts, checked against graphs captured at that dtype."""

import math
from pathlib import Path

import pytest
import torch

from passnet.dataset.layout import DTYPES
from passnet.dataset.vary.dtypes import captured_dtype, kept_inputs
from passnet.dataset.vary.generalise import generalise
from passnet.dataset.vary.replay import Replay, ReplayStopped
from passnet.graph import Graph, parse_model
from tests.dataset.generalise_graphs import TASK_NAMES, bundled, captured, outputs_of, spec, variant, written

HALVES = ("float16", "bfloat16")
# A model in half precision keeps this parameter in float32; nothing in the piece tells.
KEPT_BY_ITS_MODEL = {("mamba_discretise", "in_0")}


def at(graph: Graph, dtype: str) -> Graph:
    return variant(generalise(graph, dtypes=[dtype], shapes=[]), dtype, 9)


@pytest.mark.parametrize("task", TASK_NAMES)
@pytest.mark.parametrize("number", [0, 1])
def test_generated_half_precision_is_what_was_captured_at_that_dtype(task: str, number: int):
    found = generalise(bundled(task, "float32", number), shapes=[])
    assert not found.drops
    for dtype in DTYPES:
        made, real = variant(found, dtype, 9), bundled(task, dtype, number)
        assert made.structure_hash == real.structure_hash
        assert [one.shape for one in made.specs] == [one.shape for one in real.specs]
        odd = {(task, a.name) for a, b in zip(made.specs, real.specs, strict=True) if a.dtype != b.dtype}
        assert odd <= KEPT_BY_ITS_MODEL


@pytest.mark.parametrize("task", [task for task in TASK_NAMES if task != "mamba_discretise"])
def test_outputs_have_the_dtype_and_shape_of_the_captured_ones(task: str):
    for dtype in HALVES:
        made, real = outputs_of(at(bundled(task), dtype)), outputs_of(bundled(task, dtype))
        assert [(one.dtype, one.shape) for one in made] == [(one.dtype, one.shape) for one in real]


@pytest.mark.parametrize("task", ["resnet18_bn_add_relu", "efficientnet_bn_silu_mean", "mobilenetv3_bn_hardswish_mean"])
def test_statistics_and_affine_weights_of_a_batch_norm_stay_float32(task: str):
    made = at(bundled(task), "float16")
    kept = kept_inputs(made.program, made.specs)
    assert len(kept) == 4
    assert {made.specs[index].dtype for index in kept} == {"float32"}
    assert {one.dtype for index, one in enumerate(made.specs) if index not in kept} == {"float16"}


def test_statistics_are_known_by_name_where_no_norm_uses_them():
    specs = [spec("in_0", 4), spec("in_1", 2, 4)]
    named = [specs[0].__class__(**{**specs[0].__dict__, "original_name": "L_self_bn_buffers_running_var_"}), specs[1]]
    program = written(specs, "tmp_0 = in_1 * in_0", "return (tmp_0,)").program
    assert kept_inputs(program, specs) == frozenset()
    assert kept_inputs(program, named) == {0}


def test_weights_of_a_layer_norm_follow():
    made = at(bundled("bert_add_norm"), "bfloat16")
    assert {one.dtype for one in made.specs} == {"bfloat16"}


@pytest.mark.parametrize("dtype", HALVES)
def test_an_operand_is_cast_only_where_the_operation_demands_equal_dtypes(dtype: str):
    original = captured("gpt2_attention_value")
    made = at(original, dtype)
    assert made.meta["dtype_generalization_changes"] == {"casts": 1, "cast_backs": 0, "clamped": 0}
    assert made.source.count(f".to(torch.{dtype})") == 1
    assert f"cast_0 = tmp_1.to(torch.{dtype})" in made.source and "torch.matmul(cast_0, in_2)" in made.source
    assert made.meta["op_names"] == [*original.meta["op_names"][:2], "Tensor.to", *original.meta["op_names"][2:]]
    assert len(made.program.ops) == len(original.program.ops) + 1
    assert {one.dtype for one in outputs_of(made)} == {getattr(torch, dtype)}
    uncast = Replay(original.program)
    with pytest.raises(ReplayStopped, match="dtype"):
        uncast.run(made.inputs(0))


def test_mixed_operands_that_promote_are_left_alone():
    graph = written(
        [spec("in_0", 2, 4), spec("in_1", 4, dtype="float32", original_name="running_mean")],
        "tmp_0 = in_0 - in_1",
        "return (tmp_0,)",
    )
    made = at(graph, "float16")
    assert made.source == graph.source
    assert [one.dtype for one in made.specs] == ["float16", "float32"]
    assert outputs_of(made)[0].dtype is torch.float32


def test_writing_through_indices_casts_and_through_slices_does_not():
    specs = [spec("in_0", 4, 3), spec("in_1", 4, 3), spec("in_2", 4, dtype="int64", min_val=0, max_val=3)]
    body = ["tmp_0 = in_0.clone()", "tmp_1 = in_1.to(torch.float32)", "tmp_0[{}] = tmp_1", "return (tmp_0,)"]
    for index, casts in (("in_2", 1), ("slice(None, None, None)", 0)):
        made = at(written(specs, *(line.format(index) for line in body)), "float16")
        assert made.meta["dtype_generalization_changes"]["casts"] == casts
        assert outputs_of(made)[0].dtype is torch.float16


def test_a_cast_back_names_the_target_and_an_upcast_does_not():
    made = at(bundled("llama_residual_rmsnorm"), "bfloat16")
    assert "torch.float32" in made.source and "torch.bfloat16" in made.source
    assert made.meta["dtype_generalization_changes"]["cast_backs"] == 1


@pytest.mark.parametrize("dtype", HALVES)
def test_numbers_and_stored_values_stay_within_the_range(dtype: str):
    made = at(captured("t5_mask"), dtype)
    limit = float(torch.finfo(getattr(torch, dtype)).max)
    assert str(-limit) in made.source and "3.4028234663852886e+38" not in made.source
    assert made.meta["dtype_generalization_changes"]["clamped"] == 1
    assert all(bool(one.isfinite().all()) for one in outputs_of(made))
    specs = [spec("in_0", 2, data=(-3.4e38, math.inf)), spec("in_1", 2)]
    stored = at(written(specs, "tmp_0 = torch.exp(in_0)", "tmp_1 = tmp_0 * in_1", "return (tmp_0,)"), dtype)
    assert stored.specs[0].data == (-limit, math.inf)


def test_integer_graphs_have_one_dtype():
    graph = written([spec("in_0", 2, 3, dtype="int64", min_val=0, max_val=9)], "tmp_0 = in_0 + 1", "return (tmp_0,)")
    found = generalise(graph, shapes=[])
    assert captured_dtype(graph.specs) is None
    assert [one.meta["dtype"] for one in found.variants] == ["float32"]
    assert found.drops == {"dtype: no floating input": 2}


def test_what_was_captured_in_half_precision_has_no_other_dtypes():
    found = generalise(bundled("bert_add_norm", "bfloat16"), shapes=[])
    assert [one.meta["dtype"] for one in found.variants] == ["bfloat16"]
    assert found.drops == {"dtype: captured as bfloat16": 2}


def test_an_operation_that_knows_no_half_precision_is_a_counted_drop():
    graph = written([spec("in_0", 8, 8)], "tmp_0 = torch.linalg.inv(in_0)", "return (tmp_0,)")
    found = generalise(graph, shapes=[])
    assert [one.meta["dtype"] for one in found.variants] == ["float32"]
    assert sum(found.drops.values()) == 2 and all("inv" in reason or "run:" in reason for reason in found.drops)


def test_the_text_around_a_cast_is_kept():
    graph = captured("gpt2_attention_value")
    made = at(graph, "float16")
    lines = [line for line in made.source.splitlines() if "cast_0" not in line]
    assert [line for line in graph.source.splitlines() if "matmul" not in line] == lines
    assert parse_model(made.source, Path("model.py")) == made.program
