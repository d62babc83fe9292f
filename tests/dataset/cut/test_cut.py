"""Cutting: every piece stands alone and gives the parent's own intermediate values; bad ranges are refused."""

from functools import cache

import pytest
import torch
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from passnet.dataset.bundle.cutting import cut_range, find_ops, verify
from passnet.dataset.capture.dynamo import Captured, capture_graphs
from passnet.dataset.capture.nodes import call_nodes, op_name
from passnet.errors import UsageError
from tests.dataset.dataset_toys import Residual


@cache
def toy() -> Captured:
    torch.manual_seed(0)
    (captured,) = capture_graphs(Residual(), {"x": torch.randn(2, 4, 5, 5)})
    return captured


def names() -> list[str]:
    return [op_name(node) for node in call_nodes(toy().module)]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.data())
def test_every_range_that_can_be_cut_equals_the_parent(data):
    count = len(names())
    start = data.draw(st.integers(0, count - 1))
    end = data.draw(st.integers(start + 1, count))
    try:
        piece = cut_range(toy(), start, end)
    except UsageError:
        assume(False)
    verify(piece)
    assert len(call_nodes(piece.module)) == end - start


def test_names_follow_the_published_scheme():
    assert names()[:4] == ["conv2d", "batch_norm", "iadd", "relu"]
    assert "Tensor.chunk" in names()


def test_the_first_place_of_operators_is_found():
    assert find_ops(toy().module, ["batch_norm", "iadd", "relu"]) == (1, 4)
    assert find_ops(toy().module, ["getitem"])[0] == names().index("getitem")
    with pytest.raises(UsageError, match="the operators relu, iadd do not follow one another"):
        find_ops(toy().module, ["relu", "iadd"])


def test_inputs_are_what_comes_before_and_outputs_what_is_used_after():
    piece = cut_range(toy(), 1, 4)
    targets = [str(node.target) for node in piece.module.graph.nodes if node.op == "placeholder"]
    assert sum("norm" in target for target in targets) == 4
    assert len(targets) == 6
    assert len(piece.outputs) == 1
    assert float(piece.outputs[0].min()) == 0.0


def test_in_place_work_inside_the_piece_does_not_reach_its_inputs():
    piece = cut_range(toy(), 1, 4)
    given_inputs = [value.clone() for value in piece.inputs]
    piece.module(*given_inputs)
    assert all(torch.equal(a, b) for a, b in zip(given_inputs, piece.inputs, strict=True))


def test_a_range_that_writes_to_its_inputs_is_refused():
    with pytest.raises(UsageError, match="writes to its input"):
        cut_range(toy(), 2, 4)


def test_a_border_that_is_no_tensor_is_refused():
    chunk = names().index("Tensor.chunk")
    with pytest.raises(UsageError, match=r"crosses the border.*expected a tensor, found tuple"):
        cut_range(toy(), chunk, chunk + 1)


@pytest.mark.parametrize(("start", "end"), [(0, 0), (3, 2), (-1, 2), (0, 999)])
def test_an_impossible_range_is_refused(start, end):
    with pytest.raises(UsageError, match="no such range"):
        cut_range(toy(), start, end)


def test_a_range_without_use_is_refused():
    class Dead(torch.nn.Module):
        def forward(self, x):
            torch.arange(3)
            return x + 1

    (captured,) = capture_graphs(Dead(), {"x": torch.ones(2)})
    dead = [node for node in call_nodes(captured.module) if not node.users]
    if not dead:
        pytest.skip("this Dynamo drops unused nodes itself")
    place = call_nodes(captured.module).index(dead[0])
    with pytest.raises(UsageError, match="nothing of the range is used"):
        cut_range(captured, place, place + 1)


def test_verify_notices_a_piece_that_computes_something_else():
    piece = cut_range(toy(), 1, 4)
    relu = next(node for node in piece.module.graph.nodes if op_name(node) == "relu")
    relu.target = torch.nn.functional.silu
    piece.module.recompile()
    with pytest.raises(UsageError, match="differs from the parent's value"):
        verify(piece)
