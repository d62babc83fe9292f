"""Matrix products in kernels of ours: how Inductor is asked for them, and about how long they and a library's take.

The numbers were fitted to times on an H200 (`benchmarks/product_times.py`): of 498 products, each with about 13
settings, and of what eager took for the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from passnet.agent.lowering.launch_model import LaunchSettings

# Inductor's setting for products in ordinary kernels, and how these multiply numbers of four bytes: by default without
# the units for products. Three products of shorter numbers are about as exact, and far faster. One alone is not exact
# enough: Triton cuts numbers off where a library rounds, and a library computes many convolutions exactly.
SETTINGS: dict[str, object] = {"triton.native_matmul": True}
SLOW, SPLIT = (f'input_precision="{name}"' for name in ("ieee", "tf32x3"))
_SIZE = re.compile(r"^ *(z|y|x|r0_)numel = (\d+)$", re.MULTILINE)
# A place of the depth that is divided: its window, and the place in it.
_GATHERED = re.compile(r"r0_\d* (?://|%) ")

# A GPU's processors, bytes of shared memory and registers there, accumulators of a thread at most.
_PROCESSORS, _SHARED_BYTES, _REGISTERS, _MOST_HELD = 132, 220e3, 65536, 128
# The warps of kernels that ran at once on a processor. What a step of a product's loop takes, and how many times as
# long loads take that are begun ahead of their use. How many times as long products of four bytes take.
_WARPS, _LAUNCH_US, _STEP_US, _LOAD_US, _DOT_US, _GATHER_US = 7.41, 1.49, 0.267, 4.53e-6, 5.46e-6, 8.43e-4
_AHEAD, _WIDE_AHEAD, _SPLIT_COST = 7.03, 8.48, 11.3
_BYTES_PER_US, _DOTS_PER_US = 4.6e6, 1.75e8
# Settings that Inductor does not try: rows, columns, depth, warps, without loads ahead. The first is mostly the best.
_OWN_TILES = ((32, 32, 64, 4), (32, 32, 32, 4), (64, 32, 32, 4), (32, 64, 32, 4), (64, 64, 64, 8))
# Settings by which a product is judged before there is a kernel: rows, columns, depth, warps, stages.
_TILES = (
    *((*tile, 1) for tile in _OWN_TILES),
    (32, 32, 128, 4, 2), (32, 32, 16, 2, 1), (64, 32, 32, 8, 5), (64, 64, 64, 8, 3), (64, 128, 32, 4, 3),
    (128, 64, 32, 8, 4), (128, 64, 64, 4, 3), (64, 64, 16, 4, 2),
)  # fmt: skip

Kind = Literal["points", "window", "groups", "matrices"]
# What eager's library takes, by kind and the bytes of a factor: microseconds at least, bytes and operations of a
# microsecond, microseconds for each thousand of the depth. It runs where no kernel of ours is made.
_LIBRARY: dict[tuple[Kind, int], tuple[float, float, float, float]] = {
    ("points", 2): (3.02, 7.07e6, 9.94e8, 2.37),
    ("points", 4): (3.8, 8.98e6, 1.71e8, 8.97),
    ("window", 2): (11.0, 8.81e5, 2.55e8, 2.04),
    ("window", 4): (7.08, 7.47e5, 6.25e8, 5.22),
    ("groups", 2): (8.03, 8.19e5, 5.81e7, 5.07),
    ("groups", 4): (9.14, 1.65e6, 4.11e7, 4.71),
    ("matrices", 2): (2.74, 9.3e6, 9.3e7, 0.01),
}
# A kernel of ours is made where it likely takes at most this share of the library's time, and such a share of what the
# next kernel would take that is spared. Estimates err; those of groups are too long. Of groups and matrices none was
# measured with more operations.
_WORTH = {"points": 0.8, "window": 0.9, "groups": 1.3, "matrices": 0.8}
_FUSED = 0.7
_MOST_OPERATIONS = {"points": math.inf, "window": math.inf, "groups": 5e8, "matrices": 2e9}


@dataclass(frozen=True)
class ProductSizes:
    """How large the product is that a kernel computes: `rows` times `columns` sums of `depth` products, in a batch.

    `itemsize` is of the factors, in bytes. Each product of four bytes is made of three of shorter numbers.
    `is_gathered`: whether the columns are read from the windows of an image, whose places must be found.
    """

    batch: int
    rows: int
    columns: int
    depth: int
    itemsize: int
    is_gathered: bool = False

    @classmethod
    def read(cls, text: str) -> ProductSizes:
        """The sizes in the text of a kernel."""
        sizes = {axis: int(size) for axis, size in _SIZE.findall(text)}
        rows, columns, depth = (sizes[axis] for axis in ("y", "x", "r0_"))
        is_gathered = bool(_GATHERED.search(text.partition("tl.dot(")[0]))
        return cls(sizes.get("z", 1), rows, columns, depth, 2 if SLOW in text else 4, is_gathered)

    def is_worth_a_kernel(self, kind: Kind, factors: int, *, is_followed: bool) -> bool:
        """Whether a kernel of ours likely takes less than a library. `factors`: the numbers that both factors have.
        `is_followed`: whether elementwise operators follow, for which the library needs another kernel.
        """
        least, bytes_per_us, operations_per_us, per_depth = _LIBRARY[kind, self.itemsize]
        products = self.batch * self.rows * self.columns
        moved, operations = self.itemsize * (factors + products), 2 * products * self.depth
        if operations > _MOST_OPERATIONS[kind]:
            return False
        library = least + moved / bytes_per_us + operations / operations_per_us
        library = _WORTH[kind] * (library + per_depth * self.depth / 1e3)
        if is_followed:
            library += _FUSED * (_LAUNCH_US + 2 * self.itemsize * products / _BYTES_PER_US)
        return min(self._tile_us(*tile) for tile in _TILES) <= library

    def own_settings(self, names: Sequence[str]) -> list[LaunchSettings]:
        """Settings that Inductor does not try, for a kernel with parameters of these names."""
        found = []
        for rows, columns, depth, warps in _OWN_TILES:
            sizes = {"YBLOCK": rows, "XBLOCK": columns, "R0_BLOCK": depth}
            found.append(LaunchSettings(tuple((name, sizes.get(name, 1)) for name in names), warps, 1))
        return found

    def us(self, settings: LaunchSettings) -> float:
        """About how many microseconds the kernel takes with some launch settings. Infinite where they do not fit."""
        blocks = dict(settings.values)
        # Without a block, all of the depth is one step.
        depth = blocks.get("R0_BLOCK", 1 << (max(self.depth, 16) - 1).bit_length())
        return self._tile_us(blocks.get("YBLOCK", 1), blocks.get("XBLOCK", 1), depth, settings.warps, settings.stages)

    def _tile_us(self, rows: int, columns: int, depth: int, warps: int, stages: int) -> float:
        """The same with blocks of so many rows and columns, and steps of such a depth."""
        loaded = (rows + columns) * depth * self.itemsize
        held = rows * columns / (32 * warps)
        if loaded * max(stages, 1) > _SHARED_BYTES or held > _MOST_HELD:
            return math.inf
        steps = math.ceil(self.depth / depth)
        programs = self.batch * math.ceil(self.rows / rows) * math.ceil(self.columns / columns)
        at_once = min(
            _WARPS / warps,
            _REGISTERS / (32 * warps * max(32.0, 1.5 * held + 40)),
            _SHARED_BYTES / (loaded * max(1, stages - 1 if steps > 1 else 1)),
        )
        is_wide = self.itemsize == 4
        dots = rows * columns * depth * (_SPLIT_COST if is_wide else 1.0)
        # Loads ahead of four bytes each go one by one.
        ahead = steps > 1 and stages > 1
        slowly = _WIDE_AHEAD if ahead and is_wide else 1.0
        load = loaded * _LOAD_US * (_AHEAD if ahead else 1.0) * (1.0 if self.is_gathered else slowly)
        gather = columns * depth * _GATHER_US * slowly if self.is_gathered else 0.0
        alone = steps * (_STEP_US + (load + gather + dots * _DOT_US) / warps)
        in_turn = max(1.0, programs / (_PROCESSORS * max(1.0, at_once))) * alone
        return _LAUNCH_US + max(in_turn, programs * steps * max(loaded / _BYTES_PER_US, dots / _DOTS_PER_US))
