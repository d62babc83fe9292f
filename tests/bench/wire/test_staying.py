"""Reading outputs out of another process's memory, whatever it says of where they lie."""

from __future__ import annotations

import contextlib
import os

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from passnet.bench.wire import staying
from passnet.bench.wire.shared_buffers import BufferLayout, SharedBuffers
from passnet.bench.wire.staying import ShownOutput


@st.composite
def strided(draw: st.DrawFn) -> torch.Tensor:
    """A view of any kind: permuted, sliced with steps, expanded, or a single row of many."""
    shape = draw(st.lists(st.integers(0, 9), max_size=4))
    dtype = draw(st.sampled_from([torch.float32, torch.float64, torch.int8, torch.complex64]))
    base = torch.randn(shape).to(dtype) if shape else torch.tensor(2).to(dtype)
    view = base.permute(draw(st.permutations(range(len(shape)))))
    for dim in range(view.dim()):
        if view.shape[dim]:
            view = view.narrow(dim, 0, draw(st.integers(1, view.shape[dim])))
            index = [slice(None)] * dim + [slice(None, None, draw(st.integers(1, 4)))]
            view = view[tuple(index)]
    return view.expand(draw(st.integers(1, 3)), *view.shape) if draw(st.booleans()) else view


@given(strided())
def test_what_is_read_is_what_lies_there(tensor: torch.Tensor) -> None:
    (output,) = staying.shown_outputs([(tuple(tensor.shape), tensor.dtype)])
    copy = staying.read(os.getpid(), output, tensor.data_ptr(), tensor.stride())
    assert copy.is_contiguous()
    assert copy.shape == tensor.shape
    assert torch.equal(copy, tensor)


def test_large_pieces_are_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staying, "_PIECE_BYTES", 1000)
    tensor = torch.randn(3, 977)
    (output,) = staying.shown_outputs([(tuple(tensor.shape), tensor.dtype)])
    assert torch.equal(staying.read(os.getpid(), output, tensor.data_ptr(), tensor.stride()), tensor)
    rows = torch.randn(40, 20, 977)[:, 3]
    (output,) = staying.shown_outputs([(tuple(rows.shape), rows.dtype)])
    assert torch.equal(staying.read(os.getpid(), output, rows.data_ptr(), rows.stride()), rows)


@given(st.integers(-(2**63), 2**63 - 1), st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=2))
def test_whatever_is_shown_it_is_read_or_refused(address: int, strides: list[int]) -> None:
    output = ShownOutput((3, 5), torch.float32, 64)
    with contextlib.suppress(staying.Unreadable):
        assert staying.read(os.getpid(), output, address, strides).shape == (3, 5)


def test_words_lie_side_by_side_and_end_with_the_page() -> None:
    shapes = [(2, 3), (), (4,)]
    shown = staying.shown_outputs([(shape, torch.float32) for shape in shapes])
    assert [output.word for output in shown] == [64, 67, 68]
    assert staying.words_of(shown) == range(64, 70)
    assert staying.words_of(()) == range(0)
    assert staying.fit([(1,)] * 224) and not staying.fit([(1,)] * 225)


def test_a_process_that_is_not_there_may_not_be_read() -> None:
    assert staying.may_read(os.getpid())
    assert not staying.may_read(2**22 - 1)


def test_what_is_lent_is_told_from_a_process_s_own_memory() -> None:
    buffers = SharedBuffers.create(BufferLayout.plan("cpu", [((64, 32), "float32")], [], places=2, slots=1))
    lent = staying.lent_memory(os.getpid())
    (output,) = staying.shown_outputs([((32, 16), torch.float32)])
    (x,) = buffers.places[1]
    own = torch.empty(64, 32)
    assert staying.lies_in(lent, output, x.data_ptr(), x.stride())
    assert staying.lies_in(lent, output, x.data_ptr() + 4 * 31 * 32, (-32, 1)), "it reaches back"
    assert not staying.lies_in(lent, output, own.data_ptr(), own.stride())
    start, end = lent[-1]
    assert not staying.lies_in([(start, end)], output, end, (16, 1))
    assert staying.lies_in([(start, end)], output, start - 4 * 511, (16, 1)), "its last element"
    del x
    buffers.close()
