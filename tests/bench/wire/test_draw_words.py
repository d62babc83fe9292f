"""The random words of draws: a published cipher, of which no input tells more than random numbers would."""

from __future__ import annotations

import ctypes
import itertools
from collections import Counter
from pathlib import Path

import pytest
import torch

from passnet.bench.draws.content.input_source import InputSource
from passnet.bench.wire import generator
from passnet.bench.wire.generator import drawer
from passnet.kernels.native import build_trusted

_COUNT = 1 << 20
# Of so many random words of 32 bits, so many pairs are equal, give or take eleven.
_EQUAL = _COUNT * _COUNT / 2.0**33
_TEXT = Path(generator.__file__).parent / "native" / "draw.h"
_ASKED = r"""
#define ASKED extern "C" __attribute__((visibility("default"))) void
ASKED passnet_words(uint32_t a, uint32_t b, uint32_t index, uint32_t purpose, uint32_t* out) {
    const Words made = words_at(Stream{a, b}, index, purpose);
    out[0] = made.first, out[1] = made.second;
}
ASKED passnet_stream(uint64_t key0, uint64_t key1, uint32_t whose, uint32_t number, uint32_t* out) {
    const Stream made = stream_of(key0, key1, whose, number);
    out[0] = made.a, out[1] = made.b;
}
"""


@pytest.fixture(scope="module")
def asked() -> ctypes.CDLL:
    return ctypes.CDLL(str(build_trusted(_TEXT.read_text(encoding="utf-8") + _ASKED, computes=True)))


def words(function: ctypes._FuncPointer, *given: ctypes._SimpleCData[int]) -> tuple[int, int]:
    out = (ctypes.c_uint32 * 2)()
    function(*given, out)
    return out[0], out[1]


@pytest.mark.parametrize(
    ("key", "counter", "wanted"),
    [
        ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
        ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
        ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
    ],
)
def test_words_are_those_of_the_published_cipher(
    asked: ctypes.CDLL, key: tuple[int, int], counter: tuple[int, int], wanted: tuple[int, int]
) -> None:
    """The known answers of Threefry-2x32 with 20 rounds."""
    assert words(asked.passnet_words, *map(ctypes.c_uint32, (*key, *counter))) == wanted


def test_no_stream_of_a_key_is_another(asked: ctypes.CDLL) -> None:
    """One bit of the key, the number of the input, or whose it is: half of all bits are other ones."""
    own, shared = 0, 1
    known = [
        (3, 5, own, 0),
        (3, 5, own, 1),
        (3, 5, shared, 0),
        (3, 5, 2, 0),
        (3, 5, 3, 0),
        (2, 5, own, 0),
        (3, 4, own, 0),
    ]
    kinds = (ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint32)
    made = [
        words(asked.passnet_stream, *(kind(each) for kind, each in zip(kinds, given, strict=True))) for given in known
    ]
    for left, right in itertools.combinations(made, 2):
        assert 12 <= sum((a ^ b).bit_count() for a, b in zip(left, right, strict=True)) <= 52
    assert (
        words(asked.passnet_stream, *(kind(each) for kind, each in zip(kinds, (3, 5, shared, 7), strict=True)))
        == made[2]
    )


@pytest.mark.parametrize(
    ("dtype", "low", "high", "shift"),
    [
        (torch.int32, -(2**31), 2**31 - 1, 0),
        (torch.int64, 0, (1 << 40) - 1, 8),
        (torch.int64, 0, (1 << 40) - 1, 0),
        (torch.int64, -(2**63), 2**63 - 1, 32),
        (torch.int64, -(2**63), 2**63 - 1, 0),
    ],
)
def test_wide_integers_have_as_many_equal_words_as_random_ones(
    dtype: torch.dtype, low: int, high: int, shift: int
) -> None:
    """A pass that found none equal in any draw counted the different ids without a look at them."""
    source = InputSource.of_range(low, high, dtype)
    for key in range(2):
        out = torch.empty(_COUNT, dtype=dtype)
        drawer([source.filled(out, source.table, 0)], "cpu")(key, 2)
        found = (out.to(torch.int64) >> shift & 0xFFFFFFFF).sort().values
        assert abs(int((found[1:] == found[:-1]).sum()) - _EQUAL) < 6 * _EQUAL**0.5


@pytest.mark.parametrize("dtype", [torch.int64, torch.float64])
def test_all_bits_of_wide_numbers_are_drawn(dtype: torch.dtype) -> None:
    """The last bits of ids were 0 in all draws, and those of floats were what the word was."""
    whole = dtype == torch.int64
    source = (
        InputSource.of_range(0, (1 << 40) - 1, dtype) if whole else InputSource.of_values(torch.randn(4096).double())
    )
    out = torch.empty(1 << 14, dtype=dtype)
    drawer([source.filled(out, source.table, 0)], "cpu")(1, 2)
    last = out.view(torch.int64) & 255
    counts = Counter(last.tolist())
    assert len(counts) == 256 and max(counts.values()) < 2 * len(last) / 256
