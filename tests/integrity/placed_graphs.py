"""Graphs of the corpus about places: among edges, of all entries, of the largest few. Parameters, lines and shapes."""

from __future__ import annotations

from collections.abc import Callable

import torch

GRAPHS: dict[str, tuple[str, tuple[str, ...], dict[str, tuple[int, ...]]]] = {
    "drawn_edges": (
        "bins, x", ("p = torch.searchsorted(bins, x)", "out = p * 0.5", "p = None", "return (out,)"),
        {"bins": (64,), "x": (256, 64)},
    ),
    "segments": (
        "ends_, x",
        ("p = torch.arange(0, 65536)", "s = torch.bucketize(p, ends_, right = True)", "f = s.float()", "out = x * f",
         "p = s = f = None", "return (out,)"),
        {"ends_": (16,), "x": (65536,)},
    ),
    "all_cells_met": (
        "columns_of_cells, rows_of_cells, x, y",
        ("t = rows_of_cells * 32", "key = t + columns_of_cells", "room = torch.zeros((32, 1024))",
         "seen = room.scatter(1, key, 1.0)", "whole = seen.amin(-1, keepdim = True)", "p = whole * y", "out = x + p",
         "t = key = room = seen = whole = p = None", "return (out,)"),
        {"columns_of_cells": (32, 4096), "rows_of_cells": (32, 4096), "x": (32, 64), "y": (32, 64)},
    ),
    "among_the_best": (
        "scores, meant, x, y",
        ("u = meant.unsqueeze(-1)", "own = scores.gather(1, u)", "above = scores > own",
         "rank = above.sum(-1, keepdim = True)", "hit = rank < 5", "out = torch.where(hit, x, y)",
         "u = own = above = rank = hit = None", "return (out,)"),
        {"scores": (8, 32000), "meant": (8,), "x": (8, 64), "y": (8, 64)},
    ),
}  # fmt: skip
# Of dtype int64.
INTEGERS = frozenset({"ends_", "columns_of_cells", "rows_of_cells"})
# What is searched, which a naive harness must draw in order too.
RISING: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "bins": lambda values: values.sort().values,
    "ends_": lambda values: (values.sigmoid() * 65535).long().sort().values,
}
BOUNDS: dict[str, dict[str, float]] = {
    "ends_": {"min_val": 0, "max_val": 65535},
    "columns_of_cells": {"min_val": 0, "max_val": 31},
    "rows_of_cells": {"min_val": 0, "max_val": 31},
}
