"""Tolerances agree with the published table, digit by digit."""

from __future__ import annotations

import pytest

from passnet.score import STRICT_T, T_RANGE, T_RANGE_EXTENDED, ScoreError, tolerance
from tests.score.score_oracle import LEVELS_EXTENDED, LOGGED_DTYPES, published_tag


def test_levels():
    assert list(T_RANGE) == list(range(-10, 5))
    assert list(T_RANGE_EXTENDED) == list(LEVELS_EXTENDED)
    assert STRICT_T == -5


@pytest.mark.parametrize("t", LEVELS_EXTENDED)
@pytest.mark.parametrize("dtype", LOGGED_DTYPES)
def test_tags_are_the_published_ones(dtype, t):
    assert tolerance(dtype, t).tag == published_tag(dtype, t)


@pytest.mark.parametrize(
    ("dtype", "rtol", "atol"),
    [
        ("float32", 1.3e-6, 1e-5),
        ("complex64", 1.3e-6, 1e-5),
        ("float16", 1e-3, 1e-5),
        ("complex32", 1e-3, 1e-5),
        ("bfloat16", 1.6e-2, 1e-5),
        ("float64", 1e-7, 1e-7),
        ("complex128", 1e-7, 1e-7),
    ],
)
def test_strict_level(dtype, rtol, atol):
    assert tolerance(dtype, -5) == (rtol, atol)
    assert tolerance(f"torch.{dtype}", -5) == (rtol, atol)


@pytest.mark.parametrize("dtype", ["int64", "int8", "uint8", "bool", "float8_e4m3fn", "str", ""])
def test_other_dtypes_are_exact_everywhere(dtype):
    for t in T_RANGE_EXTENDED:
        assert tolerance(dtype, t) == (0.0, 0.0)
        assert tolerance(dtype, t).exact
        assert tolerance(dtype, t).tag == "equal"


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex32", "complex64", "complex128"])
def test_bounds_grow_with_t_and_have_three_digits(dtype):
    curve = [tolerance(dtype, t) for t in T_RANGE_EXTENDED]
    for loose, tight in zip(curve[1:], curve, strict=False):
        assert loose.rtol > tight.rtol
        assert loose.atol > tight.atol
    for value in (value for pair in curve for value in pair):
        assert value == float(f"{value:.3g}")


@pytest.mark.parametrize("t", [-11, 6, 100, -5.0, True, "0", None])
def test_unknown_level_is_refused(t):
    with pytest.raises(ScoreError, match=r"expected an integer t in -10 \.\.\. 5"):
        tolerance("float32", t)
