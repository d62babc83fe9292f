"""Pieces compute what the same operators compute inside their parent, bit for bit, and everything else is refused."""

from __future__ import annotations

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passnet.dataset.capture.model import capture_model
from passnet.dataset.cut.parent import Parent, sole_ranges
from passnet.dataset.cut.pieces import Answers, Cut, CutLimits, cut_all, named, runnable
from passnet.graph import Graph
from tests.dataset.cut_parents import Witness, bundled, model, normal, spans_of, written

X = normal(4, 6)
LIMITS = CutLimits()
EVERYTHING = [(start, end) for start in range(12) for end in range(start + 1, 13)]


def cut(graph: Graph, ranges, limits: CutLimits = LIMITS, **options) -> Answers:
    parent = Parent(graph)
    ranges = [(start, end) for start, end in ranges if end <= len(parent.calls)]
    return cut_all(parent, spans_of(parent, ranges, **options), limits)


def pieces(answers: Answers) -> list[Cut]:
    return [answer for answer in answers.values() if isinstance(answer, Cut)]


def reasons(answers: Answers) -> set[str]:
    return {answer for answer in answers.values() if isinstance(answer, str)}


def assert_equal_to_parent(graph: Graph, answers: Answers) -> None:
    """The stored text of every piece, loaded anew and run on what entered the range inside the parent."""
    found = pieces(answers)
    witness = Witness(graph, [piece.span for piece in found])
    for piece in found:
        place = piece.span.start, piece.span.end
        module = Graph(name="again", source=piece.graph.source, specs=piece.graph.specs).module(propagated=False)
        inputs = [value.clone() for value in witness.entered[place]]
        assert [tuple(value.shape) for value in inputs] == [spec.shape for spec in piece.graph.specs]
        assert [str(value.dtype) for value in inputs] == [f"torch.{spec.dtype}" for spec in piece.graph.specs]
        with torch.no_grad():
            outputs = module(*inputs)
        for expected, value in zip(witness.left[place], outputs, strict=True):
            assert expected.dtype == value.dtype
            assert torch.equal(torch.nan_to_num(expected), torch.nan_to_num(value)), place
        touched = any(not torch.equal(old, new) for old, new in zip(witness.entered[place], inputs, strict=True))
        assert touched == piece.writes_input


def typical(total: int) -> list[tuple[int, int]]:
    return [(start, min(total, start + 4 + start % 9)) for start in range(0, total, 5)]


@pytest.mark.parametrize("name", ["test_resnet", "test_vit", pytest.param("resnet18", marks=pytest.mark.slow)])
def test_pieces_of_an_image_model_equal_the_parent(name):
    graph = model("timm", name)
    total = len(graph.statements())
    for ranges, options in (([(place, place + 1) for place in range(12)], {"items_only": True}), (typical(total), {})):
        answers = cut(graph, ranges, **options)
        assert len(answers) > 8
        assert reasons(answers) == set()
        assert {piece.verified for piece in pieces(answers)} == {"values"}
        assert_equal_to_parent(graph, answers)


def test_in_place_blocks_of_an_image_model_write_to_what_enters_them():
    """A ResNet adds in place and applies ReLU in place: alone these write to their input, with what is before not."""
    graph = model("timm", "test_resnet")
    place = graph.meta["op_names"].index("iadd")
    answers = cut(graph, [(place, place + 1), (place, place + 2), (place - 1, place + 2)])
    assert [piece.span.op_names for piece in pieces(answers)] == [
        ["iadd"], ["iadd", "relu"], ["batch_norm", "iadd", "relu"],
    ]  # fmt: skip
    assert [piece.writes_input for piece in pieces(answers)] == [True, True, False]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bert", "t5"])
def test_pieces_of_a_language_model_equal_the_parent(name):
    graph = model("transformers", name)
    total = len(graph.statements())
    answers = cut(graph, typical(total))
    assert len(pieces(answers)) > 0.8 * len(answers)
    assert reasons(answers) <= {"outputs are constant", "outputs do not follow the inputs", "made inputs: IndexError"}
    assert_equal_to_parent(graph, answers)


@pytest.mark.parametrize("number", range(len(bundled())))
def test_pieces_of_every_bundled_graph_equal_the_parent(number):
    graph = bundled()[number]
    total = len(graph.statements())
    answers = cut(graph, [(start, min(total, start + length)) for start in range(0, total, 2) for length in (1, 3)])
    assert len(pieces(answers)) > len(answers) / 2
    assert_equal_to_parent(graph, answers)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_ranges_at_once_give_what_each_gives_alone(data):
    graph = data.draw(st.sampled_from(bundled()))
    total = len(graph.statements())
    ranges = data.draw(st.lists(st.tuples(st.integers(0, total - 1), st.integers(1, 6)), min_size=2, max_size=6))
    ranges = [(start, min(total, start + length)) for start, length in ranges]
    together = cut(graph, ranges)
    for place, answer in together.items():
        (alone,) = cut(graph, [place]).values()
        assert type(alone) is type(answer)
        if isinstance(answer, Cut):
            assert (answer.graph.source, answer.graph.specs) == (alone.graph.source, alone.graph.specs)
        else:
            assert answer == alone


def test_borders_between_in_place_operators():
    body = "a = x * 2\nb = a.add_(1)\nc = b.view(6, 4)\nd = c.mul_(w)\ne = d.sum(0)\nf = d / e"
    graph = written(body, "f", x=X, w=normal(6, 4))
    answers = cut(graph, EVERYTHING)
    assert reasons(answers) == set()
    assert_equal_to_parent(graph, answers)
    writing = {place for place, answer in answers.items() if answer.writes_input}
    assert writing == {(start, end) for start, end in answers if start == 1 or (start in {2, 3} and end > 3)}


def test_inputs_that_share_memory_where_the_range_writes_are_refused():
    """Apart from each other, the inputs of a piece do not show what is written through one of them in another."""
    body = "a = x * 2\nb = a.view(6, 4)\nc = b.mul_(w)\nd = a.sum(0)\ne = torch.matmul(a, c)"
    answers = cut(written(body, "d, e", x=X, w=normal(6, 4)), [(2, 4), (0, 4)])
    assert answers[2, 4] == "other values than in the parent"
    assert isinstance(answers[0, 4], Cut)


def test_operators_with_several_results():
    body = "a = x.sort(dim=1)\nb = a[0]\nc = a[1]\nd = b.softmax(1)\ne = d * c\nf = e.var_mean(1)\ng = f[0]\nh = f[1]"
    graph = written(body.replace("e.var_mean(1)", "torch.var_mean(e, 1)"), "g, h, c", x=X)
    answers = cut(graph, EVERYTHING)
    assert reasons(answers) == set()
    assert_equal_to_parent(graph, answers)
    sole = cut(graph, sole_ranges(Parent(graph)), items_only=True)
    assert [piece.span.op_names for piece in pieces(sole)] == [
        ["Tensor.sort", "getitem", "getitem"], ["Tensor.softmax"], ["mul"], ["var_mean", "getitem", "getitem"],
    ]  # fmt: skip


def test_a_region_of_autocast_does_not_reach_the_pieces_in_it():
    """Alone there is no autocast, so a piece out of its middle computes in float32, which is not the parent's value."""
    body = """
        a = torch.amp.autocast_mode._enter_autocast('cpu', torch.bfloat16, True, None)
        b = torch.nn.functional.linear(x, w)
        c = torch.relu(b)
        d = torch.amp.autocast_mode._exit_autocast(a)
        e = c.float() + 1
    """
    graph = written(body.replace("e = c.float() + 1", "e = c.float()\nf = e + 1"), "f", x=X, w=normal(6, 6))
    answers = cut(graph, EVERYTHING)
    assert answers[1, 2] == "other values than in the parent"
    assert isinstance(answers[2, 3], Cut)
    assert_equal_to_parent(graph, answers)
    assert not torch.is_autocast_enabled("cpu")


def test_half_a_vmap_is_no_piece():
    body = """
        a = torch._functorch.predispatch._vmap_increment_nesting(4, 'error')
        b = torch._functorch.predispatch._add_batch_dim(x, 0, 1)
        c = b * 2
        d = c + w
        e = torch._functorch.predispatch._remove_batch_dim(d, 1, 4, 0)
        f = torch._functorch.predispatch._vmap_decrement_nesting()
        g = e + 1
    """
    answers = cut(written(body, "g", x=X, w=normal(6, 6)), EVERYTHING)
    assert list(answers[6, 7].graph.specs[0].shape) == [4, 6, 6]
    assert {place for place, answer in answers.items() if isinstance(answer, Cut)} == {(6, 7)}
    assert "inside a vmap" in reasons(answers)


def test_weights_keep_their_stored_statistics_until_something_writes_to_them():
    graph = written("a = x + w\nb = w.mul_(3)\nc = a * b\nd = c + w", "d", x=normal(4, 600), w=normal(600))
    answers = cut(graph, [(0, 1), (3, 4)])
    kept, changed = answers[0, 1].graph.specs[1], answers[3, 4].graph.specs[0]
    assert (kept.mean, kept.std) == (graph.specs[1].mean, graph.specs[1].std)
    assert changed.std == pytest.approx(3 * kept.std, rel=0.2)


@pytest.mark.parametrize("limits", [CutLimits(parent_flops=1), CutLimits(parent_bytes=1)])
def test_what_costs_too_much_is_checked_by_shapes(limits):
    graph = written("a = x @ w\nb = a.relu_()\nc = b + 1", "c", x=X, w=normal(6, 5))
    assert runnable(Parent(graph), CutLimits())
    answers = cut(graph, EVERYTHING, limits)
    assert {piece.verified for piece in pieces(answers)} == {"metadata"}
    assert len(pieces(answers)) == len(answers) == 6
    assert [piece.writes_input for piece in pieces(answers)] == [False, False, False, True, True, False]


def test_no_more_copies_are_held_than_allowed():
    graph = written("a = x * 2\nb = a.add_(1)\nc = b.sin()", "c", x=X)
    answers = cut(graph, [(0, 1), (1, 2), (2, 3)], CutLimits(held_bytes=X.nbytes - 1))
    assert [answer if isinstance(answer, str) else "ok" for _, answer in sorted(answers.items())] == [
        "ok", "too much memory held", "ok",
    ]  # fmt: skip


def test_a_parent_that_made_inputs_cannot_run_is_judged_by_shapes():
    """Made indices are within the bounds known for them, which here are wrong."""
    graph = written("a = i * 2\nb = x[a]\nc = b.sin()\nd = c * 2", "d", x=X, i=torch.arange(4))
    answers = cut(graph, [(0, 1), (2, 4)])
    assert isinstance(answers[0, 1], Cut)
    assert answers[2, 4].verified == "metadata"


def test_random_numbers_of_the_caller_are_left_alone():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    cut(written("a = torch.nn.functional.dropout(x, 0.5, True)\nb = a + x", "b", x=X), EVERYTHING)
    assert torch.equal(torch.rand(3), expected)


def test_a_graph_captured_without_values_gives_pieces_with_plausible_statistics():
    from tests.dataset.capture_toys import ToyModels

    _, (graph,) = capture_model(ToyModels(), "residual", methods=["fake"])
    answers = cut(graph, EVERYTHING)
    assert {piece.verified for piece in pieces(answers)} == {"metadata"}
    assert len(pieces(answers)) == len(answers)
    assert all(spec.mean is not None for piece in pieces(answers) for spec in piece.graph.specs)


def test_a_named_piece_has_its_meta_data():
    (piece,) = pieces(cut(written("a = x.sin()", "a", x=X), [(0, 1)]))
    graph = named(piece, "sin_0", {"kind": "sole_op"}, {"samples/a/b": [[0, 1]]})
    assert (graph.name, graph.meta, graph.sources) == ("sin_0", {"kind": "sole_op"}, {"samples/a/b": [[0, 1]]})
    assert graph.structure_hash == piece.graph.structure_hash
