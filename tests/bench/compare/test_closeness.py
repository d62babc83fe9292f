"""As near as eager: one rule, whose two settings differ where a model differs from a graph."""

from __future__ import annotations

import pytest
import torch

from passnet.bench.compare.closeness import GRAPH, HARD, MODEL, Closeness, Errors


def near(closeness, *calls, dtype="float16"):
    return closeness.holds(calls, calls, dtype)


@pytest.mark.parametrize("closeness", [GRAPH, MODEL])
def test_the_factor_on_the_rms_error_is_the_settings(closeness):
    assert near(closeness, Errors(0.99 * closeness.rms * 0.01, 0.01, 0.02, 0.02))
    assert not near(closeness, Errors(1.01 * closeness.rms * 0.01, 0.01, 0.02, 0.02))


@pytest.mark.parametrize("closeness", [GRAPH, MODEL])
def test_the_farthest_element_has_its_own_factor(closeness):
    assert near(closeness, Errors(0.01, 0.01, 0.99 * closeness.peak * 0.02, 0.02))
    assert not near(closeness, Errors(0.01, 0.01, 1.01 * closeness.peak * 0.02, 0.02))


def test_a_model_forgives_two_steps_of_its_dtype_and_a_graph_none():
    least = Errors(1e-3, 0.0, 1e-3, 0.0)
    assert near(MODEL, least)
    assert not near(MODEL, least, dtype="float32")
    assert not near(GRAPH, least)


def test_where_eager_is_far_from_the_truth_it_says_nothing():
    assert not near(GRAPH, Errors(0.01, 0.01, 0.11, 0.11))
    assert near(GRAPH, Errors(0.01, 0.01, 0.11, 0.11), dtype="bfloat16")
    assert near(MODEL, Errors(0.09, 0.09, 0.5, 0.5))
    assert not near(MODEL, Errors(0.11, 0.11, 0.5, 0.5))


@pytest.mark.parametrize("bounds", [GRAPH, HARD])
def test_where_eager_is_far_from_the_truth_a_result_that_is_near_is_right(bounds: Closeness):
    """Seen in float16: eager's scores overflow their own steps, and a kernel that rounds less was refused."""
    assert near(bounds, Errors(0.0006, 0.43, 0.0034, 36.5))
    assert near(bounds, Errors(0.0006, 0.43, 0.1, 36.5))
    assert not near(bounds, Errors(0.0006, 0.43, 0.11, 36.5))


def test_where_single_elements_of_eagers_are_far_off_those_of_another_may_be_as_far():
    """Seen in bfloat16 on an H100: a softmax of large logits, whose draft errs less than eager."""
    found, sampled = Errors(0.0256, 0.0287, 0.69, 0.8486), Errors(0.0, 0.0, 0.687, 0.724)
    assert near(GRAPH, found, sampled, dtype="bfloat16")
    assert not near(GRAPH, Errors(0.0256, 0.0287, 0.86, 0.8486), dtype="bfloat16"), "farther than eager's farthest"
    assert not near(GRAPH, Errors(0.1, 0.1, 0.69, 0.8486), dtype="bfloat16"), "eager is far off everywhere"
    assert not near(GRAPH, found, dtype="float16"), "it has digits enough"


def test_on_hard_draws_one_of_two_equal_logits_may_get_all():
    """Seen in bfloat16: a softmax of logits that are one number there. Eager gives each a half."""
    assert near(HARD, Errors(0.74, 0.55, 16.032, 8.016), dtype="bfloat16")
    assert not near(HARD, Errors(0.74, 0.55, 24.0, 8.016), dtype="bfloat16")
    assert not near(HARD, Errors(1.2, 0.55, 16.032, 8.016), dtype="bfloat16")
    assert not near(HARD, Errors(0.74, 0.55, 16.032, 8.016), dtype="float16"), "it has digits enough"


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_on_a_hard_draw_a_single_element_may_be_as_far_off_as_eagers_where_the_others_are_right(dtype: str) -> None:
    """A row of large logits in float16 amid ordinary ones; the softmax may be stored in float32."""
    assert near(HARD, Errors(0.0051, 0.0075, 0.15, 0.3155), dtype=dtype)
    assert not near(HARD, Errors(0.0051, 0.0075, 0.32, 0.3155), dtype=dtype)
    assert not near(HARD, Errors(0.02, 0.0075, 0.15, 0.3155), dtype=dtype)
    assert near(HARD, Errors(0.053, 0.053, 0.849, 3.614), dtype=dtype), "seen in float16: logits of 511 and 1024"
    assert not near(HARD, Errors(0.11, 0.11, 0.15, 0.3155), dtype=dtype)


def test_a_call_that_is_far_nearer_than_eager_excuses_one_other_only():
    poor, far = Errors(0.001, 1.0, 0.01, 0.09), Errors(0.012, 0.01, 0.01, 0.01)
    assert near(GRAPH, poor, far)
    assert not near(GRAPH, poor, *[Errors(0.016, 0.01, 0.01, 0.01)] * 3)


def test_eagers_errors_in_one_call_take_nothing_from_another():
    """Seen in bfloat16: an attention's large logits in one draw, and one eager element far off in an ordinary draw."""
    alone, other = Errors(0.03, 0.03, 0.69, 0.85), Errors(0.08, 0.1, 0.4, 0.9)
    assert near(GRAPH, alone, dtype="bfloat16") and near(GRAPH, other, dtype="bfloat16")
    assert near(GRAPH, alone, other, dtype="bfloat16")
    assert not near(GRAPH, alone, Errors(0.08, 0.1, 0.69, 0.9), dtype="bfloat16"), "in the call where eager is far off"
    assert not near(GRAPH, Errors(0.03, 0.03, 0.86, 0.85), other, dtype="bfloat16"), "farther than eager's farthest"


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_a_call_in_which_eager_is_lost_takes_no_room_from_others_and_gives_none(dtype: str) -> None:
    """Seen in a router in float16: of five calls eager was far off as a whole in one."""
    right, lost = Errors(0.0051, 0.0075, 0.15, 0.3155), Errors(0.4, 0.5, 0.05, 2.0)
    assert near(HARD, right, dtype=dtype) and near(HARD, lost, right, dtype=dtype)
    assert not near(HARD, lost, Errors(0.0051, 0.0075, 0.4, 0.3155), dtype=dtype)
    assert not near(HARD, Errors(0.4, 0.5, 0.15, 2.0), right, dtype=dtype), "where eager is lost a fixed limit holds"
    few = Errors(0.0, 0.0, 0.15, 2.0, eagers_whole=0.5)
    assert not near(HARD, right, few, dtype=dtype), "the farthest elements of a large output tell of all of it"


@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
def test_a_call_that_eager_has_exactly_by_luck_takes_no_room_from_others(dtype: str) -> None:
    """Where all its outputs are one number, another form has half a step more."""
    step = torch.finfo(getattr(torch, dtype)).eps
    usual, lucky = Errors(0.03, 0.02, 0.03, 0.03), Errors(step / 2, 1e-13)
    assert HARD.holds([usual, *[lucky] * 2, *[Errors(0.02, 0.02)] * 8], [usual], dtype)
    assert not HARD.holds([usual, *[Errors(64 * step, 1e-13)] * 2], [usual], dtype)
