"""How many bits the integers of a graph may have."""

from __future__ import annotations

import pytest

from passnet.graph.values.integer_bits import integer_bits, takes_all
from tests.graph.values.test_indexing import graph_of


@pytest.mark.parametrize(
    ("lines", "dtype", "bits"),
    [
        (["out = n + n"], "int64", 62),
        (["out = n * n"], "int64", 31),
        (["a = n * n", "out = a * n"], "int64", 21),
        (["out = n ** 2"], "int64", 27),
        (["out = n + 1"], "int32", 30),
        (["m = n.abs()", "out = m + 1"], "int32", 30),
        (["m = n // 10", "out = m + 1"], "int16", 14),
        (["out = torch.diff(n, dim = -1)"], "int64", 62),
        (["m = n + 1", "out = torch.sin(m)"], "int64", 31),
        (["m = n >> 4", "k = m & 15", "out = k - 8"], "int32", 31),
        (["k = n % 8", "c = n > 3", "m = torch.where(c, k, -100)", "out = m * 4"], "int32", 31),
        (["out = n.prod(1)"], "int64", 6),
        (["out = n.prod()"], "int64", 1),
        (["out = n.cumprod(1)"], "int64", 0),
    ],
)
def test_integers_have_as_many_bits_as_do_not_overflow(lines: list[str], dtype: str, bits: int) -> None:
    assert integer_bits(graph_of(*lines, dtype=dtype), 1) == bits


TAKES = {
    "nibbles": (["m = n >> 4", "k = m & 15", "y = k.float()", "out = y - 8.0"], True),
    "pixels": (["m = n.float()", "k = m / 255.0", "out = torch.sqrt(k)"], True),
    "compared": (["m = n == 3", "y = x[:, :8]", "out = y.masked_fill(m, 0.0)"], True),
    "ordered": (["m = n.float()", "k = m * 0.5", "out = k.argmax(-1)"], True),
    "a sum": (["out = n + 1"], False),
    "a sum of all": (["m = n >> 4", "out = m.sum()"], True),
    "a product with a fraction": (["y = x[:, :8]", "out = n * y"], True),
    "a product that repeats": (["y = x[:, :8]", "m = n * y", "out = torch.sin(m)"], False),
    "an integer again": (["m = n.float()", "k = m * 3.0", "out = k.long()"], False),
    "sizes": (["m = n.abs()", "out = m.float()"], True),
    "quotients": (["out = n // 10"], True),
    "quotients by it": (["out = 1000 // n"], False),
    "sorted": (["s = n.sort(-1)", "out = s[0]"], True),
    "padded": (["p = torch.nn.functional.pad(n, (1, 0), 'constant', 0)", "out = p.float()"], True),
    "an angle": (["m = n.float()", "out = torch.sin(m)"], False),
}


@pytest.mark.parametrize("case", TAKES)
def test_what_is_only_moved_and_compared_takes_all_of_its_dtype(case: str) -> None:
    lines, found = TAKES[case]
    assert takes_all(graph_of(*lines, dtype="int32"), 1) is found


@pytest.mark.parametrize(
    ("dtype", "lines", "found"),
    [
        ("uint8", ["out = n.sum(-1)"], True),
        ("int64", ["out = n.sum(-1)"], False),
        ("uint8", ["out = n - 128"], False),
        ("uint8", ["m = n.to(torch.int32)", "k = m - 128", "out = k * 0.5"], True),
        ("int8", ["m = n.to(torch.int16)", "k = m * m", "out = k.float()"], True),
        ("int8", ["m = n.to(torch.int16)", "k = m * m", "out = k * m"], False),
        ("uint16", ["m = n.to(torch.int32)", "out = m * m"], False),
        ("int32", ["m = n.long()", "k = m + m", "out = k.sum()"], True),
        ("int32", ["m = n.to(torch.int32, copy = True)", "out = m.add(m, alpha = 3)"], False),
    ],
)
def test_what_is_computed_takes_all_where_the_results_dtype_holds_it(dtype: str, lines: list[str], found: bool) -> None:
    """A pass may take bytes above 127 for negative ones."""
    assert takes_all(graph_of(*lines, dtype=dtype), 1) is found
