"""Which dimensions are guessed to be batch, sequence or plane, and the arithmetic of symbols."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.dataset.vary.dims import Dims, Guesser, Symbol, movable_inputs
from passnet.graph import Graph
from tests.dataset.generalise_graphs import TASK_NAMES, bundled, captured, spec, written


def movable(graph: Graph) -> list[str]:
    return [graph.specs[index].name for index in movable_inputs(graph.program, graph.specs)]


def test_weights_and_statistics_do_not_move():
    graph = bundled("efficientnet_bn_silu_mean")
    assert [len(graph.specs[index].shape) for index in movable_inputs(graph.program, graph.specs)] == [4]
    assert movable(captured("deberta_attention")) == ["in_6"]
    assert movable(captured("reformer_positions")) == ["in_0"]


def test_a_weight_is_known_by_its_use_where_its_name_tells_nothing():
    specs = [spec("in_0", 2, 8), spec("in_1", 4, 8), spec("in_2", 4)]
    graph = written(specs, "tmp_0 = torch.nn.functional.linear(in_0, in_1, in_2)", "return (tmp_0,)")
    assert movable(graph) == ["in_0"]


@pytest.mark.parametrize("task", TASK_NAMES)
def test_the_first_guess_for_the_batch_is_what_varies_between_the_captures(task: str):
    small, large = bundled(task), bundled(task, "float32", 1)
    first = next(Guesser(small.program, small.specs).batches())
    grown = {
        (index, 0)
        for index, (a, b) in enumerate(zip(small.specs, large.specs, strict=True))
        if a.shape and a.shape[0] != b.shape[0]
    }
    assert grown <= set(first.powers) or any(
        grown <= set(one.powers) for one in Guesser(small.program, small.specs).batches()
    )
    assert all(dim == 0 for _, dim in first.powers)


def test_tokens_are_guessed_to_be_the_sequence():
    graph = bundled("gpt2_gelu_new")
    guess = next(Guesser(graph.program, graph.specs).sequences(None))
    assert guess == Dims((Symbol("sequence", 16),), {(0, 1): (1,)})


def test_image_planes_are_guessed_where_operations_are_spatial():
    graph = bundled("resnet18_bn_add_relu")
    guess = next(Guesser(graph.program, graph.specs, vision=True).sequences(None))
    assert guess.symbols == (Symbol("plane", 28),)
    assert sorted(dim for _, dim in guess.powers) == [2, 2, 3, 3]


def test_a_folded_batch_is_taken_apart_by_a_view():
    specs = [spec("in_0", 51, 8)]
    graph = written(specs, "tmp_0 = in_0.view(3, 17, 8)", "return (tmp_0,)")
    guess = next(Guesser(graph.program, graph.specs).folded())
    assert guess.symbols == (Symbol("batch", 3), Symbol("sequence", 17))
    assert guess.powers == {(0, 0): (1, 1)}


def test_vectors_vary_only_where_nothing_else_can():
    alone = written([spec("in_0", 51), spec("in_1", 51)], "tmp_0 = in_0 - in_1", "return (tmp_0,)")
    beside = written([spec("in_0", 8), spec("in_1", 2, 3, 8)], "tmp_0 = in_1 - in_0", "return (tmp_0,)")
    assert next(Guesser(alone.program, alone.specs).sequences(None)).powers == {(0, 0): (1,), (1, 0): (1,)}
    assert next(Guesser(beside.program, beside.specs).sequences(None)).symbols[0].value == 3


small = st.integers(1, 64)


@given(values=st.tuples(small, small), targets=st.tuples(small, small), factor=st.integers(1, 9))
def test_shapes_follow_the_powers_of_symbols(values: tuple[int, int], targets: tuple[int, int], factor: int):
    batch, length = values
    dims = Dims((Symbol("batch", batch), Symbol("sequence", length)), {(0, 0): (1, 0), (0, 1): (1, 1), (0, 2): (0, 2)})
    specs = [spec("in_0", batch * factor, batch * length, length**2, 7), spec("in_1", 3)]
    assert dims.divides(specs)
    assert dims.shapes(specs, values) == [one.shape for one in specs]
    b, s = targets
    assert dims.shapes(specs, targets) == [(b * factor, b * s, s**2, 7), (3,)]
    assert dims.factor((1, 1), targets) == Fraction(b * s, batch * length)


def test_joined_symbols_keep_their_places():
    batch = Dims((Symbol("batch", 2),), {(0, 0): (1,), (1, 0): (1,)})
    plane = Dims((Symbol("plane", 4),), {(0, 2): (1,), (1, 0): (2,)})
    assert batch.joined(plane) == Dims(
        (Symbol("batch", 2), Symbol("plane", 4)), {(0, 0): (1, 0), (0, 2): (0, 1), (1, 0): (1, 2)}
    )


def test_a_size_that_is_no_multiple_of_its_symbols_is_refused():
    assert not Dims((Symbol("batch", 4),), {(0, 0): (1,)}).divides([spec("in_0", 6)])
