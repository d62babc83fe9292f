"""Sizes of lent and blocks stay within their bounds for graphs of any size."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.record.protocol import Protocol
from passnet.bench.timing import sizing
from passnet.bench.timing.sizing import MOST_CALLS, GraphShape
from passnet.bench.wire.shared_buffers import pack

PROTOCOL = Protocol()
NOTHING = SecretInputs([], [], "cpu", random.Random(0), ())
_tensors = st.lists(
    st.tuples(st.lists(st.integers(0, 2048), max_size=3).map(tuple), st.sampled_from(["float32", "bfloat16", "int64"])),
    min_size=1,
    max_size=4,
)


@given(_tensors, _tensors, st.sampled_from(["cpu", "cuda"]))
def test_layout_bounds(inputs: list, outputs: list, device: str) -> None:
    layout = sizing.layout(GraphShape(device, inputs, outputs), PROTOCOL, NOTHING)
    assert layout.device == device
    assert [t.shape for t in layout.inputs] == [tuple(s) for s, _ in inputs]
    assert [t.dtype for t in layout.outputs] == [d for _, d in outputs]
    assert 1 <= layout.places <= 4
    assert 1 <= layout.slots <= 4
    budget = {"cuda": PROTOCOL.device_bytes, "cpu": PROTOCOL.input_bytes}[device]
    assert layout.places == 1 or layout.places * layout.input_bytes <= budget


@given(st.floats(0, 1e9, allow_nan=False))
def test_block_calls_bounds(us_per_call: float) -> None:
    assert 1 <= sizing.block_calls(us_per_call, PROTOCOL) <= MOST_CALLS


@pytest.mark.parametrize(("us", "calls"), [(600.0, 3), (100.0, 6), (1e6, 1), (10.0, MOST_CALLS)])
def test_a_block_is_about_as_long_as_the_protocol_says(us: float, calls: int) -> None:
    assert sizing.block_calls(us, PROTOCOL) == calls


def test_where_drawing_takes_long_a_block_has_few_calls() -> None:
    assert [sizing.block_calls(30.0, PROTOCOL, draw_us) for draw_us in (0.0, 30.0, 300.0, 9000.0)] == [20, 20, 9, 8]
    assert sizing.block_calls(2000.0, PROTOCOL, 9000.0) == 1
    assert sizing.lead_calls(30.0, PROTOCOL, 9000.0) == 4


def test_what_takes_long_needs_no_second_call_before_the_clock() -> None:
    assert [sizing.lead_calls(us, PROTOCOL) for us in (3.0, 50.0, 900.0, 50_000.0)] == [24, 6, 2, 1]


@given(_tensors, _tensors, st.sampled_from(["cpu", "cuda"]), st.integers(0, 1 << 40))
def test_what_is_answered_at_once_takes_a_small_part_of_what_is_free(
    inputs: list, outputs: list, device: str, free: int
) -> None:
    shape = GraphShape(device, inputs, outputs)
    count = sizing.answered_at_once(shape, free)
    taken = count * sum(pack(each)[1] for each in (inputs, outputs))
    assert 1 <= count <= 16
    assert count == 1 or taken <= min(free / 64, 512 << 20)


def test_inputs_that_eager_changes_are_kept_too_and_count() -> None:
    large, small = ((64 << 20,), "float32"), ((16,), "float32")
    assert sizing.most_kept(GraphShape("cuda", [large], [small])) == 4
    assert sizing.most_kept(GraphShape("cuda", [large], [small], changed=(0,))) == 1
