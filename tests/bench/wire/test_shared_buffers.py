"""Lent memory: where things lie, that both sides see the same, and that every tensor is a tensor of its own."""

from __future__ import annotations

import fcntl
import os

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.bench.wire.message import read
from passnet.bench.wire.requests import LendBuffers, Order
from passnet.bench.wire.shared_buffers import (
    DONE,
    DUE,
    FAILED,
    GO,
    KEY,
    READY,
    SWEEP,
    BufferLayout,
    SharedBuffers,
    pack,
    widen,
)
from tests.bench.bench_helpers import bits


def carried(layout: BufferLayout) -> BufferLayout:
    """The layout as the other side reads it."""
    order = read(Order, Order(id=1, request=LendBuffers(name="timing", layout=layout, handle=None)).encoded())
    assert isinstance(order.request, LendBuffers)
    return order.request.layout


DTYPES = [
    "float64",
    "float32",
    "float16",
    "bfloat16",
    "float8_e4m3fn",
    "float8_e5m2",
    "int64",
    "int32",
    "int16",
    "int8",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "bool",
    "complex64",
    "complex128",
    "complex32",
]
_shapes = st.lists(st.integers(0, 5), max_size=4).map(tuple)
_tensors = st.lists(st.tuples(_shapes, st.sampled_from(DTYPES)), min_size=1, max_size=5)


def _fill(tensor: torch.Tensor, seed: int) -> bytes:
    """Random bytes into a tensor; returns them."""
    if tensor.numel() == 0:
        return b""
    raw = torch.randint(0, 2 if tensor.dtype is torch.bool else 256, (tensor.numel() * tensor.element_size(),),
                        dtype=torch.uint8, generator=torch.Generator().manual_seed(seed))  # fmt: skip
    tensor.reshape(-1).view(torch.uint8).copy_(raw)
    return raw.numpy().tobytes()


@given(_tensors)
def test_packed_tensors_are_aligned_and_do_not_overlap(tensors: list) -> None:
    layouts, total = pack(tensors)
    end = 0
    for (shape, dtype), layout in zip(tensors, layouts, strict=True):
        assert layout.offset % 64 == 0
        assert layout.offset >= end
        assert layout.nbytes == torch.empty(shape, dtype=getattr(torch, dtype)).nbytes
        assert layout.torch_dtype is getattr(torch, dtype)
        end = layout.offset + layout.nbytes
    assert end <= total
    assert total % 64 == 0
    assert total > 0


@given(_tensors, _tensors, st.integers(1, 3), st.integers(1, 3), st.booleans())
@settings(max_examples=30, deadline=None)
def test_a_layout_survives_json(inputs: list, outputs: list, sets: int, slots: int, wide: bool) -> None:
    layout = BufferLayout.plan("cpu", inputs, outputs, places=sets, slots=slots, wides=2 * wide)
    assert carried(layout) == layout
    assert len(layout.wide) == (len(outputs) if wide else 0)


@given(_tensors, _tensors, st.integers(1, 3), st.integers(1, 3), st.booleans())
@settings(max_examples=40, deadline=None)
def test_both_sides_see_the_same_bytes(inputs: list, outputs: list, sets: int, slots: int, wide: bool) -> None:
    layout = BufferLayout.plan("cpu", inputs, outputs, places=sets, slots=slots, wides=2 * wide)
    ours = SharedBuffers.create(layout)
    theirs = SharedBuffers.open(carried(layout), os.dup(ours.fd), ours.device_handle)
    mine, other = ([t for group in (*each.places, *each.slots, *each.wide) for t in group] for each in (ours, theirs))
    written = [_fill(tensor, seed) for seed, tensor in enumerate(mine)]  # all first: nothing may overwrite another
    ours.control[KEY] = -7
    try:
        assert [bits(t) for t in other] == written
        assert [(t.shape, t.dtype) for t in other] == [(t.shape, t.dtype) for t in mine]
        assert theirs.control[KEY] == -7
    finally:
        del mine, other
        ours.close()
        theirs.close()


@given(_tensors)
@settings(max_examples=40, deadline=None)
def test_every_tensor_has_a_storage_of_its_own_and_is_contiguous(tensors: list) -> None:
    buffers = SharedBuffers.create(BufferLayout.plan("cpu", tensors, tensors, places=2, slots=2))
    everything = [t for group in (*buffers.places, *buffers.slots) for t in group]
    for (shape, dtype), tensor in zip(tensors * 4, everything, strict=True):
        assert tensor.shape == shape
        assert tensor.dtype is getattr(torch, dtype)
        assert tensor.is_contiguous()
        assert not tensor.requires_grad
        assert tensor.storage_offset() == 0
        if tensor.numel():
            assert tensor.data_ptr() % 64 == 0
            assert tensor.untyped_storage().nbytes() == tensor.nbytes
    addresses = [t.data_ptr() for t in everything if t.numel()]
    assert len(set(addresses)) == len(addresses)
    buffers.close()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 5)])
def test_poison_is_never_a_plausible_output(dtype: str, shape: tuple[int, ...]) -> None:
    buffers = SharedBuffers.create(BufferLayout.plan("cpu", [((1,), "float32")], [(shape, dtype)], places=1, slots=2))
    ((tensor,), (untouched,)) = buffers.slots
    tensor.zero_()
    untouched.zero_()
    buffers.poison(0)
    if tensor.numel():
        if tensor.is_floating_point():
            assert bool(tensor.double().isnan().all())
        elif tensor.is_complex():
            assert bool(tensor.to(torch.complex128).isnan().all())
        else:
            assert bits(tensor) != bits(torch.zeros_like(tensor))
            assert len(set(bits(tensor.reshape(-1)[:1]))) <= 2
    assert bits(untouched) == bits(torch.zeros_like(untouched)), "the neighbour slot is left alone"
    buffers.close()


def test_control_words_are_cleared_before_a_block_and_each_side_writes_to_lines_of_its_own() -> None:
    buffers = SharedBuffers.create(
        BufferLayout.plan("cpu", [((1,), "float32")], [((1,), "float32")], places=1, slots=1)
    )
    words = (DUE, GO, READY, DONE, FAILED, SWEEP)
    for word in words:
        buffers.control[word] = 9
    buffers.reset()
    assert [buffers.control[word] for word in words] == [0] * len(words)
    lines = [word * 8 // 64 for word in (DUE, GO, READY, DONE, FAILED)]
    assert len(set(lines)) == len(lines)
    buffers.close()


def test_the_control_page_does_not_reach_into_the_tensors() -> None:
    buffers = SharedBuffers.create(BufferLayout.plan("cpu", [((4,), "int64")], [((4,), "int64")], places=1, slots=1))
    buffers.places[0][0].zero_()
    for word in range(len(buffers.control)):
        buffers.control[word] = -1
    assert not buffers.places[0][0].any()
    buffers.close()


def test_closing_twice_is_harmless_and_gives_the_descriptor_back() -> None:
    buffers = SharedBuffers.create(
        BufferLayout.plan("cpu", [((1,), "float32")], [((1,), "float32")], places=1, slots=1)
    )
    fd = buffers.fd
    buffers.close()
    buffers.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(fd)


def test_lent_memory_cannot_be_shrunk_by_the_other_side() -> None:
    """A worker that truncates the file would end the controller with SIGBUS at its next look."""
    buffers = SharedBuffers.create(
        BufferLayout.plan("cpu", [((1,), "float32")], [((1,), "float32")], places=1, slots=1)
    )
    seals = fcntl.fcntl(buffers.fd, fcntl.F_GET_SEALS)
    assert seals & fcntl.F_SEAL_SHRINK
    assert seals & fcntl.F_SEAL_SEAL
    with pytest.raises(PermissionError):
        os.ftruncate(buffers.fd, 0)
    buffers.close()


@pytest.mark.parametrize(
    ("dtype", "wide"),
    [
        ("float16", "float64"),
        ("bfloat16", "float64"),
        ("float64", "float64"),
        ("float8_e4m3fn", "float64"),
        ("complex64", "complex128"),
        ("int8", "int8"),
        ("bool", "bool"),
    ],
)
def test_widen(dtype: str, wide: str) -> None:
    assert widen(dtype) == wide


@given(st.sampled_from([((4, 6), (1, 4)), ((4, 6), (12, 2)), ((0, 3), (3, 1)), ((), ()), ((2, 3, 5), (5, 10, 1))]))
def test_slots_lie_as_they_are_asked_to(asked: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    shape, stride = asked
    layout = BufferLayout.plan("cpu", [], [(shape, "float32")] * 2, places=1, slots=2, strides=[stride] * 2)
    buffers = SharedBuffers.create(carried(layout))
    values = [torch.randn(shape) for slot in buffers.slots for _ in slot]
    targets = [tensor for slot in buffers.slots for tensor in slot]
    for number in range(2):
        buffers.poison(number)
    assert all(bool(target.isnan().all()) for target in targets)
    for target, value in zip(targets, values, strict=True):
        assert (target.shape, target.stride()) == (shape, stride)
        target.copy_(value)
    assert all(torch.equal(target, value) for target, value in zip(targets, values, strict=True))
    buffers.close()


def test_what_stands_on_the_control_page_where_nobody_writes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that does not draw is told no key: then these words are nobody's too."""
    buffers = SharedBuffers.create(BufferLayout.plan("cpu", [((2,), "float32")], [], places=1, slots=1))
    buffers.control[GO] = buffers.control[KEY + 1] = 7
    assert not buffers.is_scribbled_on()
    monkeypatch.setattr(buffers, "drawn", object())
    assert buffers.is_scribbled_on()
    buffers.control[KEY + 1] = 0
    assert not buffers.is_scribbled_on()
    buffers.control[511] = 1
    assert buffers.is_scribbled_on()
    monkeypatch.undo()
    buffers.close()
