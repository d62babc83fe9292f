"""How far an output may be from the reference at tolerance level t, per dtype (GraphNet report, arXiv 2510.24035)."""

from __future__ import annotations

from typing import Final, NamedTuple

from passnet.score.errors import ScoreError

T_MIN: Final = -10
T_MAX: Final = 4
T_MAX_EXTENDED: Final = 5
"""Last level of the `mismatch_extended` interpretation. It is not part of the default AS weights."""

T_RANGE: Final = range(T_MIN, T_MAX + 1)
T_RANGE_EXTENDED: Final = range(T_MIN, T_MAX_EXTENDED + 1)

STRICT_T: Final = -5
"""The level at which a graph counts as correct: torch's own default relative tolerances."""


class Tolerance(NamedTuple):
    """Bounds of an elementwise comparison: |found - expected| <= atol + rtol * |expected|. Both 0: bit-equal."""

    rtol: float
    atol: float

    @property
    def exact(self) -> bool:
        return self.rtol == 0 and self.atol == 0

    @property
    def tag(self) -> str:
        """The name of this comparison in an upstream log, e.g. `all_close_atol_1.00E-05_rtol_1.30E-06` or `equal`."""
        return "equal" if self.exact else f"all_close_atol_{self.atol:.2E}_rtol_{self.rtol:.2E}"


class _Slope(NamedTuple):
    """Exponents of ten, times five, that one step of t adds to rtol and atol."""

    rtol: float
    atol: float


# Outputs of these dtypes may differ. Every other dtype (integers, bool, float8) is compared exactly.
_SLOPES: Final[dict[str, _Slope]] = {
    "float16": _Slope(3, 5),
    "complex32": _Slope(3, 5),
    "bfloat16": _Slope(1.796, 5),
    "float32": _Slope(5.886, 5),
    "complex64": _Slope(5.886, 5),
    "float64": _Slope(7, 7),
    "complex128": _Slope(7, 7),
}


def tolerance(dtype_name: str, t: int) -> Tolerance:
    """Bounds for one dtype (`float32` or `torch.float32`) at level t in -10 ... 5.

    Rounded to three significant digits, because upstream compares with the rounded numbers.
    """
    if isinstance(t, bool) or not isinstance(t, int) or t not in T_RANGE_EXTENDED:
        raise ScoreError(
            "unknown tolerance level", expected=f"an integer t in {T_MIN} ... {T_MAX_EXTENDED}", found=repr(t)
        )
    slope = _SLOPES.get(dtype_name.rpartition(".")[2])
    if slope is None:
        return Tolerance(0.0, 0.0)
    return Tolerance(_rounded(10 ** (t * slope.rtol / 5)), _rounded(10 ** (t * slope.atol / 5)))


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")
