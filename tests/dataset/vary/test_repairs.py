"""Hard-coded sizes follow: a graph of each kind, at other sizes, with the repair and without it."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from passnet.dataset.vary.arguments import aligned, indexed_dims, size_entries
from passnet.dataset.vary.generalise import generalise
from passnet.dataset.vary.literals import LiteralRewrite, leaves, rewritten, value_at
from passnet.dataset.vary.source_text import SourceText, UnaddressableError
from passnet.graph import Graph, TensorSpec
from passnet.graph.text.program import SliceValue
from tests.dataset.generalise_graphs import (
    all_variants,
    bundled,
    captured,
    outputs_of,
    spec,
    unrepaired,
    variant,
    written,
)

TOKENS = spec("in_0", 3, 17, 8)


def lines(*body: str) -> Graph:
    return written([TOKENS], *body)


# Repair -> a graph whose constants say 3 (batch), 17 (tokens) or their product.
KINDS: dict[str, Graph] = {
    "view": lines("tmp_0 = in_0.view(3, 17, 2, 4)", "return (tmp_0,)"),
    "view folded": lines("tmp_0 = in_0.view(51, 8)", "return (tmp_0,)"),
    "view tuple": lines("tmp_0 = in_0.view((3, 17, 2, -1))", "return (tmp_0,)"),
    "view keyword": lines("tmp_0 = in_0.view(size=(3, 136))", "return (tmp_0,)"),
    "reshape": lines("tmp_0 = torch.reshape(in_0, (3, -1, 17, 4))", "return (tmp_0,)"),
    "unflatten": lines("tmp_0 = in_0.flatten(0, 1)", "tmp_1 = tmp_0.unflatten(0, (3, 17))", "return (tmp_1,)"),
    "expand": written([spec("in_0", 3, 17, 8), spec("in_1", 3, 1, 8)], "tmp_0 = in_1.expand(3, 17, 8)",
                      "tmp_1 = tmp_0 * in_0", "return (tmp_1,)"),
    "arange": written([spec("in_0", 3, 17, 17)], "tmp_0 = torch.arange(17)", "tmp_1 = in_0 + tmp_0", "return (tmp_1,)"),
    "arange from 0": written([spec("in_0", 3, 17, 17)], "tmp_0 = torch.arange(0, 17)", "tmp_1 = in_0 + tmp_0",
                             "return (tmp_1,)"),
    "zeros": lines("tmp_0 = torch.zeros(3, 17, 8)", "tmp_1 = tmp_0 + in_0", "return (tmp_1,)"),
    "full": lines("tmp_0 = torch.full((3, 17, 1), 2.0)", "tmp_1 = tmp_0 + in_0", "return (tmp_1,)"),
    "new_ones": lines("tmp_0 = in_0.new_ones(17, 8)", "tmp_1 = tmp_0 + in_0", "return (tmp_1,)"),
    "repeat": written([TOKENS, spec("in_1", 1, 1, 8, original_name="L_self_parameters_x_")],
                      "tmp_0 = in_1.repeat(3, 17, 1)", "tmp_1 = in_0 * tmp_0", "return (tmp_1,)"),
    "getitem": written([TOKENS, spec("in_1", 64, 8, original_name="L_self_parameters_table_")],
                       "tmp_0 = in_1[slice(None, 17, None)]", "tmp_1 = in_0 + tmp_0", "return (tmp_1,)"),
    "split": lines("tmp_0 = torch.split(in_0, [17, 0], dim=1)", "tmp_1 = tmp_0[0]", "return (tmp_1,)"),
    "narrow": lines("tmp_0 = in_0.narrow(1, 0, 17)", "tmp_1 = tmp_0 + in_0", "return (tmp_1,)"),
    "layer_norm": lines("tmp_0 = in_0.transpose(1, 2)", "tmp_1 = torch.nn.functional.layer_norm(tmp_0, (17,))",
                        "return (tmp_1,)"),
    "eye": written([spec("in_0", 3, 17, 17)], "tmp_0 = torch.eye(17)", "tmp_1 = in_0 + tmp_0", "return (tmp_1,)"),
}  # fmt: skip
REAL = [
    ("reformer_given_positions", "expand"),
    ("deberta_attention", "view"),
    ("gpt2_attention_value", "reshape"),
    ("whisper_positions", "repeat"),
]


def grown(graph: Graph) -> Graph:
    return variant(generalise(graph, dtypes=["float32"], shapes=[(5, 23)]), "float32", 0)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_constant_of_each_kind_follows_the_sizes_and_must(kind: str):
    graph = KINDS[kind]
    made = grown(graph)
    assert made.specs[0].shape[:2] == (5, 23)
    assert made.meta["dimension_generalization_passes"] == [f"repair_{kind.partition(' ')[0]}"]
    shapes = [tuple(one.shape) for one in outputs_of(made)]
    assert all({5, 23, 115} & set(shape) for shape in shapes)
    with pytest.raises(RuntimeError):
        outputs_of(unrepaired(made, graph))


@pytest.mark.parametrize(("name", "repair"), REAL)
def test_captured_pieces_need_their_repairs(name: str, repair: str):
    graph = captured(name)
    made = grown(graph)
    assert f"repair_{repair}" in made.meta["dimension_generalization_passes"]
    assert all(bool(one.isfinite().all()) for one in outputs_of(made))
    with pytest.raises(RuntimeError):
        outputs_of(unrepaired(made, graph))


def test_an_arange_that_meets_no_input_follows_too():
    graph = captured("reformer_positions")
    made = grown(graph)
    assert made.meta["dimension_generalization_passes"] == ["repair_arange", "repair_expand"]
    assert [tuple(one.shape) for one in outputs_of(made)] == [(5, 23), (5, 23, 256)]
    assert [tuple(one.shape) for one in outputs_of(unrepaired(made, graph))] == [(3, 17), (5, 23, 256)]


def test_windows_of_an_image_keep_their_size():
    made = variant(generalise(bundled("swin_masked_softmax"), dtypes=["float32"], shapes=[(4, 49)]), "float32", 0)
    assert ".view(-1, 16, " in made.source


def test_a_literal_that_only_happens_to_equal_a_size_stays():
    """Heads of 17 channels beside 17 tokens: the view's last entry is no number of tokens."""
    graph = written([spec("in_0", 3, 17, 34)], "tmp_0 = in_0.view(3, 17, 2, 17)", "return (tmp_0,)")
    assert grown(graph).source == graph.source.replace("view(3, 17, 2, 17)", "view(5, 23, 2, 17)")


def test_a_slice_that_would_leave_its_dimension_stays():
    graph = written(
        [spec("in_0", 3, 16, 32)],
        "tmp_0 = in_0[..., slice(None, 16, None)]",
        "tmp_1 = in_0[..., slice(16, None, None)]",
        "tmp_2 = torch.cat((tmp_1, tmp_0), dim=-1)",
        "tmp_3 = tmp_2 * in_0",
        "return (tmp_3,)",
    )
    made = grown(graph)
    assert made.specs[0].shape == (5, 23, 32)
    assert made.source == graph.source


def test_the_end_of_a_table_is_reached_from_its_end():
    table = spec("in_1", 64, 8, original_name="L_self_parameters_table_")
    graph = written([TOKENS, table], "tmp_0 = in_1[slice(47, None, None)]", "tmp_1 = in_0 + tmp_0", "return (tmp_1,)")
    assert "slice(41, None, None)" in grown(graph).source


def test_the_text_around_a_repair_stays():
    graph = lines(
        "tmp_0 = in_0.view( 3,17,  2 , 4 )  # é: heads", "tmp_1 = torch.relu(tmp_0);  tmp_0 = None", "return (tmp_1,)"
    )
    made = grown(graph)
    assert made.source == graph.source.replace("( 3,17,", "( 5,23,")


def test_two_operations_on_one_line_take_no_cast():
    specs = [spec("in_0", 3, 4), spec("in_1", 4, 4)]
    graph = written(specs, "tmp_0 = torch.relu(in_0); tmp_1 = torch.matmul(tmp_0, in_1)", "return (tmp_1,)")
    text = SourceText(graph.source, graph.program)
    with pytest.raises(UnaddressableError, match="several statements"):
        text.rendered(LiteralRewrite(casts={1: {(0,): "float16"}}))
    with pytest.raises(UnaddressableError, match="no argument"):
        text.rendered(LiteralRewrite(edits={0: {(7,): 1}}))


@pytest.mark.parametrize("name", ["deberta_attention", "whisper_positions", "vits_split"])
def test_rewriting_the_text_is_rewriting_the_program(name: str):
    """Every integer of every operation in turn."""
    graph = captured(name)
    text = SourceText(graph.source, graph.program)
    changed = 0
    for number, op in enumerate(graph.program.ops):
        for path, value in leaves(op):
            if type(value) is int:
                rewrite = LiteralRewrite(edits={number: {path: value + 1}})
                program = Graph("g", text.rendered(rewrite), graph.specs).program
                assert value_at(program.ops[number], path) == value + 1
                assert program.structure_hash() == rewritten(graph.program, rewrite).structure_hash()
                changed += 1
    assert changed > 1


def test_shapes_line_up_in_groups_of_equal_products():
    assert aligned([3, 17, 256], [3, 17, 4, 64]) == [([0], [0]), ([1], [1]), ([2], [2, 3])]
    assert aligned([3, 4, 17, 64], [12, 17, 64]) == [([0, 1], [0]), ([2], [1]), ([3], [2])]
    assert aligned([6, 4], [4, 6]) == [([0, 1], [0, 1])]
    assert aligned([5, 1, 1], [5]) == [([0], [0]), ([1, 2], [])]


sizes = st.lists(st.integers(1, 12), min_size=1, max_size=4)


@given(sizes, sizes)
def test_groups_hold_every_place_once_and_equal_products(first: list[int], second: list[int]):
    before, after = [*first, torch.Size(second).numel()], [torch.Size(first).numel(), *second]
    groups = aligned(before, after)
    assert [i for inside, _ in groups for i in inside] == list(range(len(before)))
    assert [j for _, outside in groups for j in outside] == list(range(len(after)))
    for inside, outside in groups:
        assert torch.Size([before[i] for i in inside]).numel() == torch.Size([after[j] for j in outside]).numel()


def test_elements_of_an_index_address_dimensions():
    part = SliceValue(None, 2, None)
    assert indexed_dims((part, None, ..., part, 0), 5) == [0, None, None, 3, 4]


def test_sizes_are_found_however_they_are_given():
    for body, paths in (
        ("2, 3", [(1,), (2,)]),
        ("(2, 3)", [(1, 0), (1, 1)]),
        ("size=(2, 3)", [("size", 0), ("size", 1)]),
    ):
        op = written([spec("in_0", 6)], f"tmp_0 = in_0.view({body})", "return (tmp_0,)").program.ops[0]
        assert size_entries(op, 1, "size") == list(zip(paths, (2, 3), strict=True))


def test_repairs_are_the_same_in_every_dtype():
    found = all_variants(captured("deberta_attention"))
    by_index: dict[object, set[str]] = {}
    for one in found.variants:
        by_index.setdefault(one.meta["shape_index"], set()).add(one.structure_hash)
    assert all(len(hashes) == 1 for hashes in by_index.values())


def test_stored_contents_become_ranges_that_fit():
    ids = TensorSpec("in_0", (3, 17), "int64", data=tuple(range(17)) * 3)
    graph = written([ids], "tmp_0 = in_0 + 1", "return (tmp_0,)")
    made = grown(graph)
    assert (made.specs[0].shape, made.specs[0].data) == ((5, 23), None)
    assert (made.specs[0].min_val, made.specs[0].max_val) == (0, 22)
