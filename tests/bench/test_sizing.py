"""Sizes of arenas and blocks stay within their bounds for graphs of any size."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.bench import sizing
from passnet.bench.blocks import MAX_CALLS
from passnet.bench.protocol import Protocol
from passnet.bench.sizing import GraphShape

PROTOCOL = Protocol()
_tensors = st.lists(
    st.tuples(st.lists(st.integers(0, 2048), max_size=3).map(tuple), st.sampled_from(["float32", "bfloat16", "int64"])),
    min_size=1,
    max_size=4,
)


@given(_tensors, _tensors, st.sampled_from(["cpu", "cuda"]), st.booleans(), st.integers(2, MAX_CALLS))
def test_layout_bounds(inputs: list, outputs: list, device: str, mutates: bool, calls: int) -> None:
    shape = GraphShape(device, inputs, outputs, mutates)
    layout = sizing.layout(shape, PROTOCOL, calls)
    assert layout.device == device
    assert [t.shape for t in layout.inputs] == [tuple(s) for s, _ in inputs]
    assert [t.dtype for t in layout.outputs] == [d for _, d in outputs]
    assert layout.sets >= 2
    assert layout.slots >= 2
    most = calls if device == "cuda" else 256 if mutates else 6
    assert layout.sets <= max(most, 2)
    assert layout.slots <= (calls if device == "cuda" else 4)
    budget = {"cuda": PROTOCOL.device_bytes, "cpu": 64 << 20 if mutates else PROTOCOL.input_bytes}[device]
    least = 4 if mutates and device == "cpu" else 2
    assert layout.sets == least or layout.sets * layout.input_bytes <= budget


def test_fresh_sets_where_nothing_can_be_patched() -> None:
    assert GraphShape("cuda", [], [], False).fresh_sets
    assert GraphShape("cpu", [], [], True).fresh_sets
    assert not GraphShape("cpu", [], [], False).fresh_sets


@given(st.floats(0, 1e9, allow_nan=False), st.integers(-5, 10_000))
def test_block_calls_bounds(us_per_call: float, most: int) -> None:
    calls = sizing.block_calls(us_per_call, PROTOCOL, most)
    assert 1 <= calls <= MAX_CALLS
    assert calls <= max(1, most)


@pytest.mark.parametrize(("us", "calls"), [(1000.0, 1), (100.0, 10), (1e6, 1), (10.0, 100)])
def test_a_block_is_about_as_long_as_the_protocol_says(us: float, calls: int) -> None:
    assert sizing.block_calls(us, PROTOCOL, MAX_CALLS) == calls


@given(st.integers(1, MAX_CALLS), st.integers(2, 40), st.integers(2, 6), st.integers(1, 1000))
def test_groups_reach_the_calls_of_the_protocol(calls: int, least: int, processes: int, min_calls: int) -> None:
    protocol = Protocol(processes=processes, min_calls=min_calls)
    groups = sizing.quads(calls, least, protocol)
    assert groups >= least
    assert groups * 2 * calls * processes >= min_calls
    assert groups == least or (groups - 1) * 2 * calls * processes < min_calls
    assert groups == max(least, math.ceil(min_calls / (2 * calls * processes)))
