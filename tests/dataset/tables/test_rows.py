"""A graph survives being a row, whatever its files hold; the columns say what the graph says."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.dataset import layout
from passnet.dataset.tables.codec import decode, encode, pack, unpack
from passnet.dataset.tables.rows import Row, uid_of, with_origin_families
from passnet.graph import Constraints, Graph, TensorSpec, find_graphs
from tests.dataset.dataset_corpora import FIXTURES, TASKS, bundled_rows, graph

READABLE = [path for path in find_graphs(FIXTURES) if path.name != "paddle_sample"]
NUMBERS = st.one_of(
    st.integers(-(2**70), 2**70), st.booleans(), st.floats(), st.complex_numbers(), st.just(-0.0), st.just(1)
)
LITERALS = st.recursive(
    st.one_of(NUMBERS, st.none(), st.text(st.characters(codec="utf-8"), max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.one_of(st.text(max_size=3), st.integers()), inner, max_size=3),
    ),
    max_leaves=6,
)


def same(left: Graph, right: Graph) -> None:
    assert left == right
    assert left.files() == right.files()
    assert list(left.files()) == list(right.files())
    assert left.stored_hash == right.stored_hash
    assert [spec.fields for spec in left.specs] == [spec.fields for spec in right.specs]
    assert [spec.class_name for spec in left.specs] == [spec.class_name for spec in right.specs]
    assert (left.content_hash, left.structure_hash) == (right.content_hash, right.structure_hash)


@pytest.mark.parametrize("path", READABLE, ids=lambda path: path.name)
def test_fixtures_come_back_identical(path):
    before = Graph.read(path)
    same(Row.from_graph(before).graph(), before)


def test_bundled_graphs_come_back_identical():
    for path, row in zip(find_graphs(TASKS), bundled_rows(), strict=True):
        before = Graph.read(path)
        same(row.graph(), before)
        assert list(row.op_names) == before.meta["op_names"]
        assert (row.num_ops, row.num_inputs) == (len(before.statements()), len(before.specs))
        assert row.input_bytes == before.nbytes


@given(LITERALS)
def test_literals_survive_json(value):
    assert repr(decode(encode(value))) == repr(value)


def test_what_is_no_literal_is_refused():
    with pytest.raises(TypeError, match="set"):
        encode({1, 2})


@st.composite
def specs(draw):
    small = st.integers(0, 3)
    shape = tuple(draw(st.lists(small, max_size=3)))
    data = draw(st.one_of(st.none(), st.lists(NUMBERS, min_size=math.prod(shape), max_size=math.prod(shape))))
    return TensorSpec(
        name="in_0",
        shape=shape,
        dtype=draw(st.sampled_from(["float32", "int64", "bool", "complex64"])),
        device=draw(st.sampled_from(["cpu", "cuda:0"])),
        mean=draw(st.one_of(st.none(), st.floats())),
        std=draw(st.one_of(st.none(), st.floats())),
        min_val=draw(st.one_of(st.none(), st.integers(), st.floats(allow_nan=False))),
        max_val=draw(st.one_of(st.none(), st.integers(), st.floats(allow_nan=False))),
        data=None if data is None else tuple(data),
        original_name=draw(st.sampled_from([None, "L_x_"])),
        extra=draw(st.dictionaries(st.sampled_from(["unknown", "another"]), LITERALS, max_size=2)),
        class_name=draw(st.sampled_from([None, "Program_weight_tensor_meta_old"])),
    )


@given(specs())
def test_any_spec_comes_back_as_it_was_written(spec):
    made = replace(graph(["relu"]), specs=(spec,))
    (back,) = unpack(pack(made)).specs
    assert back.text() == spec.text()
    assert repr(back) == repr(spec)


def test_separate_and_reordered_specs_come_back():
    head = "import torch\n\nclass GraphModule(torch.nn.Module):\n\n"
    source = f"{head}    def forward(self, a, b, c):\n        return (a, b, c)"
    a, b, c = (TensorSpec(name, (2,), "float32", mean=0.0, std=1.0) for name in "abc")
    made = Graph("g", source, (a, b, c), file_order=("c", "a"), input_specs=(b,))
    back = Row.from_graph(made).graph()
    same(back, made)
    assert back.file_order == ("c", "a")
    assert [spec.name for spec in back.input_specs] == ["b"]


def test_meta_constraints_and_sources_come_back():
    constraints = Constraints(("S0",), (("S0", 2),), (), (("in_0", ("S0", 16)),))
    meta = {"z": [1, None, {"é": "ü"}], "framework": "torch", "dtype": None, "shape_index": 3, "x": float("nan")}
    made = replace(
        graph(["relu"]), constraints=constraints, meta=meta, sources={"b": [[1, 2]], "a": []}, stored_hash="h"
    )
    back = Row.from_graph(made).graph()
    assert list(back.meta) == list(meta)
    assert repr(back.meta) == repr(meta)
    assert back.constraints == constraints
    assert list(back.sources or {}) == ["b", "a"]
    assert back.stored_hash == "h"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (
            "hf_subgraphs_v2/fusible_subgraphs/float16/7/samples/mmseg/DMNet_R101/_decomposed/DMNet_R101_start352_end356_1",
            ("fusible", "float16", 7, "mmseg", "DMNet_R101", True),
        ),
        (
            "sole_op_subgraphs/bfloat16/samples/timm/resnet18/_decomposed/resnet18_start1_end2_0",
            ("sole_op", "bfloat16", None, "timm", "resnet18", True),
        ),
        (
            "samples/transformers-auto-model/org/model-1.5B/subgraph_3",
            (None, None, None, "transformers-auto-model", "org/model-1.5B", False),
        ),
        ("samples/timm/5", (None, None, None, "timm", "5", False)),
        ("somewhere/else", (None, None, None, None, None, False)),
    ],
)
def test_paths_are_read(path, expected):
    place = layout.place_of(path)
    assert (place.kind, place.dtype, place.shape_index, place.library, place.model, place.decomposed) == expected


def test_paths_of_our_graphs_are_the_published_ones():
    piece = graph(["relu", "tanh"], dtype="float16", shape_index=4)
    assert (
        Row.from_graph(piece).path
        == "fusible_subgraphs/float16/4/samples/timm/resnet18/_decomposed/resnet18_start0_end2_0"
    )
    single = graph(["relu"], kind="sole_op")
    assert (
        Row.from_graph(single).path
        == "sole_op_subgraphs/float32/samples/timm/resnet18/_decomposed/resnet18_start0_end1_0"
    )
    whole = replace(graph(["relu"], kind="full"), sources={"samples/timm/resnet18/subgraph_1": [[0, 1]]})
    assert Row.from_graph(whole).path == "samples/timm/resnet18/subgraph_1"


def test_a_published_path_says_what_the_meta_does_not():
    bare = replace(graph(["relu"]), meta={"framework": "torch", "model_name": "NO_VALID_MATCH_FOUND"}, sources=None)
    row = Row.from_graph(bare, path="typical_subgraphs/float16/7/samples/mmseg/DMNet_R101/_decomposed/x")
    assert (row.kind, row.dtype, row.shape_index) == ("typical", "float16", 7)
    assert (row.library, row.model, row.family, row.domain) == ("mmseg", "DMNet_R101", "dmnet", "other")


def test_a_piece_of_unknown_kind_is_not_called_full():
    bare = replace(graph(["relu"]), meta={"framework": "torch"})
    assert Row.from_graph(bare, path="a/_decomposed/b").kind == "subgraph"
    assert Row.from_graph(replace(bare, sources=None), path="a").kind == "full"


def test_uid_follows_place_and_content():
    row = Row.from_graph(graph(["relu", "tanh"]))
    assert len(row.uid) == 32
    assert row.uid == uid_of(row.path, row.content_hash) == uid_of(f"graphs/{row.path}", row.content_hash)
    others = [
        Row.from_graph(graph(["relu", "tanh"]), path="elsewhere"),
        Row.from_graph(graph(["relu", "tanh"], shape=(2, 16)), path=row.path),
        Row.from_graph(graph(["relu", "sin"]), path=row.path),
    ]
    assert len({row.uid, *(other.uid for other in others)}) == 4


def test_families_of_every_origin():
    plain = replace(graph(["relu"]), sources={"samples/timm/resnet18": [], "samples/torchvision/vit_b_16": []})
    del plain.meta["origin_families"]  # type: ignore[attr-defined]
    assert Row.from_graph(plain).families == ("resnet", "vit")
    table = {"samples/torchvision/vit_b_16": "transformer"}
    stated = Row.from_graph(plain, families=table)
    assert stated.families == ("resnet", "transformer")
    # What the table said is in the graph, so that its directory can be checked without the table.
    assert Row.from_graph(stated.graph()).families == ("resnet", "transformer")


def test_origin_families_do_not_change_the_computation():
    before = graph(["relu"])
    after = with_origin_families(before, {"samples/timm/resnet18": "other"})
    assert (after.content_hash, after.structure_hash) == (before.content_hash, before.structure_hash)


def test_origins_go_and_return():
    row = Row.from_graph(graph(["relu"], others={"samples/timm/vit": "vit", "samples/timm/swin": "swin"}))
    less = row.without_origins(frozenset({"vit"}))
    assert less.families == ("resnet", "swin")
    assert "vit" not in str(less.graph().files())
    assert less.uid == row.uid
    assert less.with_all_origins() == row
    assert row.without_origins(frozenset({"bert"})) is row


def test_model_libraries_and_torch_are_not_imported():
    import subprocess
    import sys

    code = (
        "import sys; from passnet.dataset.examine import decontaminate, stats_text, verify_store;"
        "from passnet.dataset.exchange import exporting, lists; from passnet.dataset.split import assemble;"
        "from passnet.report import dataset_page;"
        "assert not {'torch', 'transformers', 'timm', 'datasets'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
