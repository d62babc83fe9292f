"""NaN where eager has numbers: the verdict names the draw, and the option of the pass set that may have made them."""

from __future__ import annotations

import math

import pytest
import torch

from passnet.bench.compare.comparison import Comparison, Criteria
from passnet.bench.compare.errors import compare
from passnet.bench.verdict.explained import explained
from passnet.bench.wire.requests import PassFiles
from passnet.rewrite.policy.fast_math import without_fast_math

MANIFEST = "sorted_output_pass_rule_names.json"
USED = "from kernels import library\n"


def wrong(value: float, dtype: torch.dtype = torch.float32) -> Comparison:
    eager = torch.arange(64, dtype=torch.float64).to(dtype)
    got = eager.clone()
    got[3] = value
    return compare([got], [eager], [eager.double()], Criteria(4.0, 0.1, hard=True))


def passes(kernels: str) -> PassFiles:
    return PassFiles({"rule.py": USED, "kernels.py": kernels, MANIFEST: '["rule"]'}, "0" * 64)


@pytest.mark.parametrize(
    ("text", "cures"),
    [
        ("from passnet.kernels import cpp\nlibrary = cpp('')\n", ("cpp(..., fast_math=False)",)),
        ("import passnet.kernels as k\nlibrary = k.cpp('', threads=2)\n", ("cpp(..., fast_math=False)",)),
        ("from passnet.kernels import cpp\nFAST = 1 < 2\nlibrary = cpp('', fast_math=FAST)\n",
         ("cpp(..., fast_math=False)",)),
        ("from passnet.kernels import cpp\nlibrary = cpp('', fast_math=False)\n", ()),
        ("from passnet.kernels import cpp\nlibrary = 1\n", ()),
        ("from passnet.kernels import cuda\nlibrary = cuda('')\n", ()),
        ("from passnet.kernels import cuda\nlibrary = cuda('', fast_math=True)\n", ("cuda(..., fast_math=False)",)),
        ("import numba as nb\n@nb.njit(fastmath=True)\ndef library(x):\n    pass\n", ("njit(..., fastmath=False)",)),
        ("from numba import njit\n@njit\ndef library(x):\n    pass\n", ()),
    ],
)  # fmt: skip
def test_what_is_compiled_with_fast_math_is_read_from_the_text(text: str, cures: tuple[str, ...]) -> None:
    assert without_fast_math(passes(text).files) == cures


def test_nan_are_told_with_their_draw_and_the_option_that_may_have_made_them() -> None:
    said = "output 0 on hard draws: 1 NaN and 0 infinities among 64 elements that eager has as numbers"
    told = explained(wrong(math.nan), passes("from passnet.kernels import cpp\nlibrary = cpp('')\n"))
    assert told.startswith(f"{said}; a kernel is compiled with fast math, ")
    assert told.endswith("try cpp(..., fast_math=False), or passnet::exp, sigmoid or silu")
    exact = passes("from passnet.kernels import cpp\nlibrary = cpp('', fast_math=False)\n")
    assert explained(wrong(math.nan), exact) == explained(wrong(math.nan), None) == said


def test_other_objections_say_nothing_of_fast_math() -> None:
    fast = passes("from passnet.kernels import cpp\nlibrary = cpp('')\n")
    assert "fast math" not in explained(wrong(9.0), fast)
    assert "fast math" not in explained(wrong(9, torch.int64), fast)
