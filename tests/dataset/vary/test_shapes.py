"""Other sizes: what may vary, and variants that must equal the graph captured at those sizes."""

import pytest
import torch

from passnet.dataset.layout import ORIGINAL
from passnet.dataset.vary.generalise import generalise
from passnet.dataset.vary.replay import Replay, ReplayStopped, shapes_replay
from passnet.dataset.vary.shapes import COMBINATIONS, Planner, ShapePlan, targets_of
from passnet.graph import Graph
from tests.dataset.generalise_graphs import all_variants, bundled, captured, outputs_of, spec, variant, written

# Task, whether the graph at the larger sizes is the one to make from the smaller, batch and length that give it.
RECAPTURED = [
    ("bert_add_norm", 1, (8, 128)),
    ("bert_add_norm", 0, (1, 128)),
    ("bert_embeddings", 0, (1, 16)),
    ("bloom_gelu", 1, (4, 64)),
    ("convnext_scale_residual", 1, (8, 1600)),
    ("convnextv2_gelu_grn", 1, (8, 256)),
    ("efficientnet_bn_silu_mean", 1, (8, 2304)),
    ("gemma2_rmsnorm_residual", 1, (4, 128)),
    ("gemma2_rmsnorm_residual", 0, (1, 16)),
    ("gemma2_softcap", 1, (4, 128)),
    ("gpt2_gelu_new", 1, (4, 64)),
    ("llama_residual_rmsnorm", 1, (4, 128)),
    ("llama_rotary", 0, (1, 16)),
    ("mobilenetv3_bn_hardswish_mean", 1, (8, 196)),
    ("phi3_swiglu", 1, (4, 128)),
    ("poolformer_pool_scale_add", 1, (4, 256)),
    ("resnet18_bn_add_relu", 1, (8, 784)),
    ("t5_biased_softmax", 0, (1, 64)),
]


def plan_of(graph: Graph, *, vision: bool = False) -> tuple[ShapePlan | None, Planner]:
    replay = shapes_replay(graph.program, graph.specs)
    with replay.session():
        planner = Planner(replay, graph.specs, replay.run(replay.inputs(graph.specs)), vision=vision)
        return planner.plan(), planner


def test_the_combinations_are_the_published_ones():
    assert len(COMBINATIONS) == len(set(COMBINATIONS)) == ORIGINAL == 9
    assert all(batch in {1, 4, 16, 256} and length in {16, 256, 4096} for batch, length in COMBINATIONS)


@pytest.mark.parametrize(("task", "number", "sizes"), RECAPTURED)
def test_a_variant_at_the_sizes_of_another_capture_is_that_capture(task: str, number: int, sizes: tuple[int, int]):
    source, target = bundled(task, "float32", 1 - number), bundled(task, "float32", number)
    made = variant(generalise(source, dtypes=["float32"], shapes=[sizes]), "float32", 0)
    assert [one.shape for one in made.specs] == [one.shape for one in target.specs]
    assert made.structure_hash == target.structure_hash
    assert [one.shape for one in outputs_of(made)] == [one.shape for one in outputs_of(target)]


def test_half_of_a_head_is_not_taken_for_an_equal_sequence_length():
    """16 tokens, and rotary halves of 16 channels: only the tokens vary."""
    source, target = bundled("llama_rotary"), bundled("llama_rotary", "float32", 1)
    made = variant(generalise(source, dtypes=["float32"], shapes=[(4, 128)]), "float32", 0)
    assert [one.shape[-2:] for one in made.specs] == [one.shape[-2:] for one in target.specs]
    assert made.structure_hash == target.structure_hash


def test_symbols_stand_in_the_constraints_with_their_values():
    found = all_variants(bundled("gpt2_gelu_new"))
    made = variant(found, "float32", 4)
    assert made.specs[0].shape == (4, 256, 768)
    assert made.constraints is not None
    assert dict(made.constraints.examples) == {"S0": 4, "S1": 256}
    assert dict(made.constraints.input_shapes) == {"in_0": ("S0", "S1", 768)}


def test_windows_folded_into_the_batch_are_a_multiple():
    plan, _ = plan_of(bundled("swin_masked_softmax"))
    assert plan is not None
    assert (plan.dims.symbols[0].axis, plan.multiples[0]) == ("batch", 16)
    assert targets_of(plan, (4, 16))[0] == 64


def test_planes_have_as_many_points_as_sequences_have_tokens():
    plan, _ = plan_of(bundled("resnet18_bn_add_relu"), vision=True)
    assert plan is not None
    assert [targets_of(plan, one) for one in ((1, 16), (4, 256), (16, 4096))] == [(1, 4), (4, 16), (16, 64)]


def test_a_fixed_table_lets_nothing_vary():
    fixed = written(
        [spec("in_0", 7, 5), spec("in_1", 7, 5, original_name="L_self_parameters_table_")],
        "tmp_0 = torch.relu(in_1)",
        "return (tmp_0,)",
    )
    found = generalise(fixed, dtypes=["float32"])
    assert [one.meta["shape_index"] for one in found.variants] == [ORIGINAL]
    assert sum(found.drops.values()) == 9 and all(reason.startswith("shape: ") for reason in found.drops)


def test_what_an_output_does_not_show_is_no_symbol():
    graph = written([spec("in_0", 3, 5), spec("in_1", 4, 6)], "tmp_0 = in_0.new_zeros(3, 5)", "return (tmp_0,)")
    plan, _ = plan_of(graph)
    assert plan is None or all(index == 0 for index, _ in plan.dims.powers)


def test_sizes_that_depend_on_data_are_replayed_on_fake_tensors():
    specs = [spec("in_0", 3, 5), spec("in_1", 3, 5, dtype="bool")]
    graph = written(specs, "tmp_0 = in_0[in_1]", "return (tmp_0,)")
    assert shapes_replay(graph.program, graph.specs).kind == "fake"
    assert shapes_replay(bundled("bert_add_norm").program, bundled("bert_add_norm").specs).kind == "meta"


@pytest.mark.parametrize("name", ["deberta_attention", "gpt2_attention_value", "reformer_positions", "t5_mask"])
def test_meta_tensors_give_what_fake_tensors_and_real_runs_give(name: str):
    graph = captured(name)
    found = {}
    for kind in ("fake", "meta"):
        replay = Replay(graph.program, kind)
        with replay.session():
            found[kind] = [(tuple(v.shape), v.dtype) for v in replay.outputs(replay.run(replay.inputs(graph.specs)))]
    assert found["meta"] == found["fake"] == [(tuple(v.shape), v.dtype) for v in outputs_of(graph)]


def test_a_replay_names_the_operation_that_does_not_run():
    graph = bundled("gpt2_gelu_new")
    broken = Replay(captured("gpt2_attention_value").program)
    with pytest.raises(ReplayStopped) as stopped:
        broken.run([torch.zeros(256), torch.zeros(256, 256), torch.zeros(1, 1, 2, 5), torch.zeros(1, 1, 3, 3)])
    assert stopped.value.number == 2
    assert graph.program != broken.program
