"""Reading outputs out of another process's memory, whatever it says of where they lie."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import mmap
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from passnet.bench.wire import staying
from passnet.bench.wire.shared_buffers import BufferLayout, SharedBuffers
from passnet.bench.wire.staying import Memory, ShownOutput

PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS


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


def test_truth_values_are_read_as_they_are_stored() -> None:
    stored = torch.tensor([0, 1, 2, 255], dtype=torch.uint8).repeat(8, 1)
    for bytes_ in (stored, stored.t(), stored[:, ::3]):
        (output,) = staying.shown_outputs([(tuple(bytes_.shape), torch.bool)])
        copy = staying.read(os.getpid(), output, bytes_.data_ptr(), bytes_.stride())
        assert copy.dtype is torch.bool and torch.equal(copy.view(torch.uint8), bytes_)


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
    own = torch.empty(64, 32)
    (output,) = staying.shown_outputs([((32, 16), torch.float32)])
    (x,) = buffers.places[1]
    found = staying.MemoryMap.of(os.getpid())
    assert staying.lies_in(found, output, x.data_ptr(), x.stride()) == {Memory.LENT}
    assert staying.lies_in(found, output, x.data_ptr() + 4 * 31 * 32, (-32, 1)) == {Memory.LENT}, "it reaches back"
    assert staying.lies_in(found, output, own.data_ptr(), own.stride()) == {Memory.OWN}
    first = next(part for part in found.between(0, 1 << 64) if part.memory is Memory.LENT)
    start, end = first.start, first.end
    assert Memory.LENT not in staying.lies_in(found, output, end, (16, 1))
    assert Memory.LENT in staying.lies_in(found, output, start - 4 * 511, (16, 1)), "its last element"
    alone = staying.MemoryMap([row for row in found.rows if b"memfd:" in row])
    assert staying.lies_in(alone, output, start - 4 * 511, (16, 1)) == {Memory.LENT, Memory.NONE}
    (nothing,) = staying.shown_outputs([((32, 0), torch.float32)])
    assert staying.lies_in(found, nothing, 0, (1, 1)) == set()
    del x
    buffers.close()


def allocated(nbytes: int) -> list[tuple[str, int, object]]:
    """Memory of each kind in which an honest output may lie: its name, its address, its owner."""
    count = nbytes // 4
    tensor, array, held = torch.zeros(count), numpy.ones(count, numpy.float32), mmap.mmap(-1, nbytes, PRIVATE)
    from_array = torch.from_numpy(numpy.empty(count, numpy.float32))
    in_held = ctypes.addressof(ctypes.c_char.from_buffer(held))
    return [
        ("torch", tensor.data_ptr(), tensor),
        ("numpy", array.ctypes.data, array),
        ("torch over numpy", from_array.data_ptr(), from_array),
        ("an anonymous mapping", in_held, held),
        ("a part of it", in_held + nbytes // 2, held),
    ]


@pytest.mark.parametrize("nbytes", [4096, 1 << 16, 1 << 20, 1 << 26])
def test_whatever_an_honest_output_lies_in_is_the_process_s_own(nbytes: int) -> None:
    (output,) = staying.shown_outputs([((nbytes // 8,), torch.float32)])
    for name, address, _owner in allocated(nbytes):
        assert staying.lies_in(staying.MemoryMap.of(os.getpid()), output, address, (1,)) == {Memory.OWN}, name


def test_memory_that_may_have_several_addresses_is_told_from_a_process_s_own(tmp_path: Path) -> None:
    (output,) = staying.shown_outputs([((1024,), torch.float32)])
    (tmp_path / "file").write_bytes(bytes(4096))
    with (tmp_path / "file").open("r+b") as file:
        held = [mmap.mmap(-1, 4096, mmap.MAP_SHARED), mmap.mmap(file.fileno(), 4096, mmap.MAP_PRIVATE)]
        held += [mmap.mmap(file.fileno(), 4096)]
        for each in held:
            at = ctypes.addressof(ctypes.c_char.from_buffer(each))
            each[0] = 1  # a page that was written is listed as it was
            assert staying.lies_in(staying.MemoryMap.of(os.getpid()), output, at, (1,)) == {Memory.OTHER}


@pytest.mark.parametrize("name", ["plain", "a\rb", "1-2 rw-p", "a b\n7f-80 rw-p 0 0 0"])
def test_a_file_s_name_in_a_map_is_no_row_of_it(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(bytes(4096))
    (output,) = staying.shown_outputs([((1024,), torch.float32)])
    with (tmp_path / name).open("r+b") as file, mmap.mmap(file.fileno(), 4096) as held:
        view = ctypes.c_char.from_buffer(held)
        found = staying.MemoryMap.of(os.getpid())
        assert staying.lies_in(found, output, ctypes.addressof(view), (1,)) == {Memory.OTHER}
        del view


def test_a_process_that_has_ended_has_no_memory() -> None:
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as ended:
        assert ended.stdout is not None and ended.stdout.read() == b""
        while "Z" not in Path(f"/proc/{ended.pid}/stat").read_text().rpartition(")")[2][:3]:
            time.sleep(0.01)
        found = staying.MemoryMap.of(ended.pid)
    (output,) = staying.shown_outputs([((1024,), torch.float32)])
    assert staying.lies_in(found, output, 4096, (1,)) == {Memory.NONE}


def test_mapped_parts_are_in_order_and_apart() -> None:
    mapped = staying.MemoryMap.of(os.getpid())
    found = mapped.between(0, 1 << 64)
    for number, part in enumerate(found):
        assert mapped.between(part.start, part.end) == [part]
        assert {each.memory for each in mapped.between(part.end - 1, part.end)} == {part.memory}
        assert number == 0 or found[number - 1] not in mapped.between(part.start, part.end)
    for one, other in itertools.pairwise(found):
        assert one.start < one.end <= other.start
        assert one.end < other.start or one.memory is not other.memory


STEPS = st.one_of(st.integers(-64, 64), st.integers(-(2**63), 2**63 - 1), st.sampled_from([2**61, -(2**61), 2**62]))


@given(st.integers(-(2**63), 2**63 - 1), st.lists(STEPS, min_size=2, max_size=2))
def test_no_address_of_what_may_lie_somewhere_wraps(address: int, strides: list[int]) -> None:
    """Memory is read modulo 2^64. What is read must be what is reckoned with."""
    output = ShownOutput((3, 5), torch.float32, 64)
    corners = [address + 4 * (row * strides[0] + column * strides[1]) for row in (0, 2) for column in (0, 4)]
    may = staying.may_lie(output.footprint(address, strides))
    assert may == all(at >= 0 and at + 4 <= 2**63 for at in corners)
    if not may:
        with pytest.raises(staying.Unreadable):
            staying.read(os.getpid(), output, address, strides)


def test_a_step_that_leads_nowhere_is_not_read() -> None:
    block = torch.ones(512)
    (output,) = staying.shown_outputs([((16, 512), torch.float32)])
    for step in (2**62, -(2**62), 2**62 + 512):
        with pytest.raises(staying.Unreadable, match="strides"):
            staying.read(os.getpid(), output, block.data_ptr(), (step, 1))
