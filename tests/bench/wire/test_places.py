"""Places of elements and shared memory, against every element looked at by itself."""

from __future__ import annotations

import itertools
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from passnet.bench.wire import places as module
from passnet.bench.wire.places import Footprint, close, lies_within, memories, places, share, span

ANY = st.integers(-(2**63), 2**63 - 1)


def elements(footprint: Footprint) -> list[int]:
    """The address of each element."""
    axes = (range(0, size * step, step) if step else [0] * size for size, step in
            zip(footprint.shape, footprint.strides, strict=True))  # fmt: skip
    return [footprint.address + sum(at) * footprint.itemsize for at in itertools.product(*axes)]


def bytes_of(footprint: Footprint) -> set[int]:
    return {at + byte for at in elements(footprint) for byte in range(footprint.itemsize)}


@st.composite
def footprints(draw: st.DrawFn, reach: int = 12, most: int = 4) -> Footprint:
    """Any small footprint: strides of both signs and of 0, whether elements overlap or not."""
    shape = draw(st.lists(st.integers(0, most), max_size=4))
    strides = [draw(st.integers(-reach, reach)) for _ in shape]
    return Footprint(tuple(shape), tuple(strides), draw(st.integers(500, 540)), draw(st.sampled_from([1, 2, 4])))


@st.composite
def slices(draw: st.DrawFn, base: torch.Tensor) -> Footprint:
    """A part of a contiguous tensor with its dimensions in another order."""
    view = base.permute(draw(st.permutations(range(base.dim()))))
    for dim, size in enumerate(view.shape):
        view = view.narrow(dim, first := draw(st.integers(0, size - 1)), draw(st.integers(1, size - first)))
        view = view[(slice(None),) * dim + (slice(None, None, draw(st.integers(1, 3))),)]
    return footprint_of(view)


def footprint_of(tensor: torch.Tensor) -> Footprint:
    return Footprint(tuple(tensor.shape), tensor.stride(), tensor.data_ptr(), tensor.element_size())


def base(shape: tuple[int, ...]) -> torch.Tensor:
    return torch.empty(shape, dtype=torch.float16)


SHAPES = st.lists(st.integers(1, 6), min_size=1, max_size=4).map(tuple)
# Two parts of one tensor.
PAIRS = SHAPES.map(base).flatmap(lambda tensor: st.tuples(slices(tensor), slices(tensor)))


@given(footprints())
def test_places_are_never_fewer_than_there_are(footprint: Footprint) -> None:
    true, found = len(set(elements(footprint))), places(footprint.shape, footprint.strides)
    assert true <= found <= math.prod(footprint.shape)


@given(PAIRS)
def test_each_element_of_a_part_has_a_place_of_its_own(parts: tuple[Footprint, Footprint]) -> None:
    for part in parts:
        assert places(part.shape, part.strides) == math.prod(part.shape) == len(set(elements(part)))


@given(st.integers(2, 40), st.integers(2, 40), st.integers(1, 5), st.integers(1, 100), st.integers(0, 3))
def test_places_of_windows_are_those_of_what_they_overlap_in(
    count: int, width: int, hop: int, apart: int, repeats: int
) -> None:
    """However far apart the elements lie, and whatever is repeated beside them."""
    windows = [count, width, repeats + 1], [hop * apart, apart, 0]
    assert places(*windows) <= min((count - 1) * hop + width, count * width)
    rows = [7, *windows[0]], [10**6, *windows[1]]
    assert places(*rows) == 7 * places(*windows)


def test_places_of_some_layouts() -> None:
    assert places((), ()) == 1
    assert places((3, 0), (0, 0)) == 0
    assert places((4, 5), (0, 1)) == 5
    assert places((4, 1), (1, 0)) == 4
    assert places((4033, 64), (1, 1)) == places((4033, 64), (64, 64)) == places((4033, 64), (-1, 1)) == 4096
    assert places((4, 4), (2, 3)) == 16, "a bound: two of them are one"


@given(st.lists(st.tuples(st.integers(0, 2**62), ANY), max_size=64))
def test_whatever_strides_are_shown_they_are_counted(dims: list[tuple[int, int]]) -> None:
    shape, strides = [size for size, _ in dims], [step for _, step in dims]
    assert 0 <= places(shape, strides) <= math.prod(shape)


@given(footprints(), footprints())
def test_shared_bytes_are_found(one: Footprint, other: Footprint) -> None:
    assert share(one, other) == bool(bytes_of(one) & bytes_of(other)) == share(other, one)


@given(PAIRS)
def test_shared_elements_of_two_parts_are_found(parts: tuple[Footprint, Footprint]) -> None:
    one, other = parts
    assert share(one, other) == bool(set(elements(one)) & set(elements(other)))


@given(st.lists(footprints(), max_size=6))
def test_regions_that_share_are_close(found: list[Footprint]) -> None:
    near = set(close(found))
    assert all(one < other for one, other in near)
    for one, other in itertools.combinations(range(len(found)), 2):
        if bytes_of(found[one]) & bytes_of(found[other]):
            assert (one, other) in near


@given(footprints())
def test_a_span_is_from_the_first_byte_to_the_last(footprint: Footprint) -> None:
    if held := bytes_of(footprint):
        assert span(footprint) == (min(held), max(held) + 1)


@given(footprints(), st.integers(400, 700), st.integers(0, 200))
def test_what_lies_within_has_all_its_bytes_there(footprint: Footprint, start: int, size: int) -> None:
    inside = all(start <= byte < start + size for byte in bytes_of(footprint))
    assert lies_within(footprint, start, start + size) == inside


@given(st.lists(st.tuples(ANY, ANY, ANY), min_size=2, max_size=4))
def test_whatever_is_shown_is_judged(shown: list[tuple[int, int, int]]) -> None:
    found = [Footprint((3, 5), (step, further), address, 4) for address, step, further in shown]
    for one, other in close(found):
        share(found[one], found[other])
    assert len(memories(found)) == len(found)


def test_parts_beside_each_other_share_nothing() -> None:
    heads = torch.empty(2, 5, 3, 4, 8)
    query, key, value = (footprint_of(part.transpose(1, 2)) for part in heads.unbind(2))
    assert len(list(close([query, key, value]))) == 3
    assert memories([query, key, value]) == (0, 1, 2)
    flat = torch.empty(64)
    assert memories([footprint_of(flat[:32]), footprint_of(flat[32:])]) == (0, 1)
    assert memories([footprint_of(flat[::2]), footprint_of(flat[1::2])]) == (0, 1)


def test_what_shares_directly_or_by_others_is_one_memory() -> None:
    flat, other = torch.empty(8, 8), torch.empty(8, 8)
    shown = [other, flat[:3], flat[5:], flat[2:6], other.t(), flat[:0], torch.empty(8)]
    assert memories([footprint_of(tensor) for tensor in shown]) == (0, 1, 1, 1, 0, 5, 6)


def test_what_takes_too_long_to_tell_counts_as_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Footprint((17, 8, 15), (8924998, 1730289, 9860956), 4096, 1)
    other = Footprint((17, 8, 15), (82230, 7944811, 2407839), 3963020, 1)
    assert share(one, other)
    monkeypatch.setattr(module, "_MOST_STEPS", 1_000_000)
    assert not share(one, other)
