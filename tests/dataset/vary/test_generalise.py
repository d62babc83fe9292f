"""All variants of a graph: they add up, they run, indices stay in bounds, and each dropped one carries a reason."""

from collections import Counter
from pathlib import Path

import pytest
import torch

from passnet.dataset.layout import DTYPES
from passnet.dataset.vary.generalise import VaryLimits, generalise
from passnet.dataset.vary.ranges import index_uses
from passnet.dataset.vary.trial import cost_of, run_for_real
from passnet.errors import UsageError
from passnet.graph import Graph, parse_model
from tests.dataset.generalise_graphs import (
    CAPTURED,
    TASK_NAMES,
    all_variants,
    bundled,
    captured,
    outputs_of,
    real_graphs,
    spec,
    variant,
    written,
)

REASONS = ("shape: ", "dtype: ", "size: ", "run: ", "text: ")
# Small enough that all their variants that were not run can be.
RUN_ALL = ("gpt2_attention_value", "reformer_positions", "t5_mask", "vits_split", "whisper_positions")


@pytest.mark.parametrize("graph", real_graphs(), ids=[*TASK_NAMES, *CAPTURED])
def test_variants_and_drops_add_up_and_every_variant_is_whole(graph: Graph):
    found = all_variants(graph)
    assert len(found.variants) + sum(found.drops.values()) == 30
    assert len(found.variants) >= 12
    assert all(reason.startswith(REASONS) and count > 0 for reason, count in found.drops.items())
    seen = [(one.meta["dtype"], one.meta["shape_index"]) for one in found.variants]
    assert seen == sorted(seen, key=lambda pair: (DTYPES.index(pair[0]), pair[1]))
    assert len(set(seen)) == len(seen) == len({one.content_hash for one in found.variants})
    for one in found.variants:
        assert parse_model(one.source, Path("model.py")) == one.program
        assert [each.name for each in one.specs] == list(one.program.params)
        assert one.meta["checked"] in {"fake", "run"}


@pytest.mark.parametrize("graph", real_graphs(), ids=[*TASK_NAMES, *CAPTURED])
def test_the_original_is_among_its_variants_untouched(graph: Graph):
    own = variant(all_variants(graph), "float32", 9)
    assert (own.source, own.specs) == (graph.source, graph.specs)
    assert own.meta["checked"] == "run"
    assert own.sources == graph.sources


@pytest.mark.parametrize("task", TASK_NAMES)
def test_one_variant_of_each_dtype_runs_with_outputs_of_that_dtype(task: str):
    found = all_variants(bundled(task))
    for dtype in DTYPES:
        small = min((one for one in found.variants if one.meta["dtype"] == dtype), key=lambda one: one.nbytes)
        kinds = Counter(one.dtype for one in outputs_of(small))
        assert getattr(torch, dtype) in kinds
        assert set(kinds) <= {getattr(torch, dtype), torch.float32}


@pytest.mark.parametrize("name", RUN_ALL)
def test_variants_that_fake_tensors_accepted_run_for_real(name: str):
    found = all_variants(captured(name))
    unseen = [one for one in found.variants if one.meta["checked"] == "fake" and one.nbytes < 2**20]
    assert unseen
    for one in unseen:
        assert run_for_real(one, 1).failure is None


INDEXED = [bundled("bert_embeddings"), captured("reformer_positions"), captured("whisper_positions")]


@pytest.mark.parametrize("graph", INDEXED, ids=lambda graph: graph.name)
def test_indices_stay_in_bounds_at_every_size(graph: Graph):
    uses = index_uses(graph.program)
    assert uses
    for one in all_variants(graph).variants:
        if one.nbytes > 2**22:
            continue
        inputs = one.inputs(5)
        for use in uses:
            if use.indexed < len(inputs):
                indices = inputs[use.input]
                rows = inputs[use.indexed].shape[use.dim]
                assert not indices.is_floating_point()
                assert int(indices.min()) >= 0
                assert int(indices.max()) < rows


def test_indices_into_what_grows_or_shrinks_fill_it():
    specs = [spec("in_0", 4, 6, 8), spec("in_1", 4, 6, 8, dtype="int64", min_val=0, max_val=5)]
    graph = written(specs, "tmp_0 = torch.gather(in_0, 1, in_1)", "return (tmp_0,)")
    found = generalise(graph, dtypes=["float32"], shapes=[(2, 3), (5, 23)])
    tops = {one.meta["shape_index"]: (one.specs[1].shape[1], one.specs[1].max_val) for one in found.variants}
    assert tops == {0: (3, 2), 1: (23, 22), 9: (6, 5)}


def test_twice_the_same_variants():
    for graph in (bundled("llama_rotary"), captured("deberta_attention"), captured("t5_mask")):
        first, second = all_variants(graph), generalise(graph)
        assert [one.content_hash for one in first.variants] == [one.content_hash for one in second.variants]
        assert [one.meta for one in first.variants] == [one.meta for one in second.variants]
        assert first.drops == second.drops


def test_the_state_of_torch_is_left_as_it_was():
    torch.manual_seed(3)
    before = torch.get_rng_state(), torch.get_num_threads(), torch.is_grad_enabled()
    generalise(captured("vits_split"))
    assert torch.equal(torch.get_rng_state(), before[0])
    assert (torch.get_num_threads(), torch.is_grad_enabled()) == before[1:]


@pytest.mark.parametrize(
    ("dtypes", "shapes"), [(["int8"], []), ([], []), (["float32"], [(1, n) for n in range(1, 11)])]
)
def test_what_cannot_be_asked_is_refused(dtypes: list[str], shapes: list[tuple[int, int]]):
    with pytest.raises(UsageError, match="cannot generalise so"):
        generalise(bundled("bert_add_norm"), dtypes=dtypes, shapes=shapes)


# --- drops

TOKENS = spec("in_0", 3, 17, 8)


def test_too_large_variants_are_dropped_and_counted():
    found = generalise(bundled("bert_add_norm"), dtypes=["float32"], limits=VaryLimits(max_nbytes=4 * 2**20))
    assert found.drops == {"size: inputs and outputs exceed the limit": 10 - len(found.variants)}
    assert len(found.variants) > 1
    assert all(one.nbytes <= 4 * 2**20 for one in found.variants if one.meta["shape_index"] != 9)


def test_a_graph_whose_outputs_are_not_finite_is_dropped_with_all_its_sizes():
    graph = written([TOKENS], "tmp_0 = in_0 * 0", "tmp_1 = tmp_0 / tmp_0", "return (tmp_1,)")
    found = generalise(graph, dtypes=["float32"])
    assert found.variants == ()
    assert found.drops["run: the outputs are not finite"] == 2
    assert found.drops["run: not tried, a sibling failed with the outputs are not finite"] == 8


def test_a_dtype_that_overflows_is_dropped_alone():
    graph = written([TOKENS], "tmp_0 = in_0 + 300000.0", "tmp_1 = tmp_0 * 2.0", "return (tmp_1,)")
    found = generalise(graph)
    assert Counter(one.meta["dtype"] for one in found.variants) == {"float32": 10, "bfloat16": 10}
    assert sum(found.drops.values()) == 10 and all(reason.startswith("run: ") for reason in found.drops)


def test_equal_sizes_are_kept_once():
    found = generalise(written([spec("in_0", 3, 4, 8, 8)], "tmp_0 = torch.relu(in_0)", "return (tmp_0,)"),
                       dtypes=["float32"], shapes=[(3, 4), (3, 4), (3, 64)])  # fmt: skip
    kept = {one.specs[0].shape for one in found.variants}
    assert len(kept) == len(found.variants)
    assert sum(count for reason, count in found.drops.items() if "equal to" in reason) == 4 - len(kept)


def test_a_size_that_an_index_forbids_is_dropped_with_the_operation():
    graph = written([TOKENS], "tmp_0 = in_0[2]", "return (tmp_0,)")
    found = generalise(graph, dtypes=["float32"])
    assert found.drops["shape: getitem does not run at other sizes"] == 3
    assert {one.specs[0].shape[0] for one in found.variants} == {3, 4, 16, 256}


@pytest.mark.parametrize(
    "counted", ["tmp_0 = torch.arange({n})", "tmp_9 = torch.arange(0, {n})\n        tmp_0 = tmp_9 + 2"]
)
def test_a_size_at_which_a_graph_counts_beyond_a_table_is_dropped(counted: str):
    """Positions that the graph makes itself, as language models do. Also at sizes that are never run for real."""
    table, rows = spec("in_1", 300, 8), 24
    graph = written([spec("in_0", 3, rows, 8), table], counted.format(n=rows), "tmp_1 = tmp_0.unsqueeze(0)",
                    "tmp_2 = torch.nn.functional.embedding(tmp_1, in_1)", "tmp_3 = in_0 + tmp_2",
                    "return (tmp_3,)")  # fmt: skip
    limits = VaryLimits(runs=1)
    found = generalise(
        graph, dtypes=["float32"], shapes=[(3, 64), (3, 256), (3, 298), (3, 299), (3, 4096)], limits=limits
    )
    kept = {one.specs[0].shape[1] for one in found.variants}
    assert max(kept) == (298 if "+ 2" in counted else 299)
    assert found.drops["shape: embedding would be given positions beyond its table"] == (2 if "+ 2" in counted else 1)


def test_degenerate_outputs_are_noted_and_kept():
    graph = written([TOKENS], "tmp_0 = in_0 * 0", "return (tmp_0,)")
    found = generalise(graph, dtypes=["float32"], shapes=[])
    assert "constant" in str(found.variants[0].meta["degenerate"])


def test_the_metadata_tells_what_was_done():
    made = variant(all_variants(captured("deberta_attention")), "float16", 4)
    assert made.meta["dimension_generalization_passes"] == ["repair_view"]
    assert made.meta["data_type_generalization_passes"] == ["dtype_generalization_pass_float16"]
    assert made.meta["dtype_generalization_generated"] is True
    assert made.meta["captured_dtype"] == "float32"
    assert made.meta["model_name"] == captured("deberta_attention").meta["model_name"]


def test_the_cost_counts_values_and_multiplications():
    graph = written(
        [spec("in_0", 3, 4), spec("in_1", 5, 4)], "tmp_0 = torch.nn.functional.linear(in_0, in_1)", "return (tmp_0,)"
    )
    values = [*graph.inputs(0), torch.empty(3, 5)]
    cost = cost_of(graph.program, values)
    assert (cost.nbytes, cost.operations) == (4 * (12 + 20 + 15), 3 * 4 * 5)
