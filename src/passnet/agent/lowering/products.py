"""Convolutions of one point as matrix products, which Inductor then fuses with what is before and after them.

A library takes such a convolution as it takes any other. It may lay memory out anew first, and what follows is a kernel
of its own. As a product it is a loop over Triton's `dot`, in one kernel with the operators around it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import torch
from torch import fx

from passnet.agent.lowering.launch_model import LaunchSettings

# A convolution by torch's name or by ATen's, and where the settings are among its arguments.
CONVOLUTIONS = frozenset({"conv1d", "conv2d", "conv3d"})
_SETTINGS = ("stride", "padding", "dilation", "groups")
# Inductor's setting for products in ordinary kernels, and how these multiply numbers of four bytes: by default without
# the units for products. Three products of shorter numbers are about as exact, and far faster.
SETTINGS: dict[str, object] = {"triton.native_matmul": True}
_SLOW, _SPLIT = 'input_precision="ieee"', 'input_precision="tf32x3"'
_SIZE = re.compile(r"^ *(z|y|x|r0_)numel = (\d+)$", re.MULTILINE)
# A GPU's processors, the warps of kernels that it was seen to run at once on one of them, bytes of shared memory and
# registers there, accumulators of a thread at most. What a step of a product's loop takes was fitted to times on an
# H200 (`benchmarks/product_times.py`), as were the bytes and multiplications of all processors in a microsecond.
_PROCESSORS, _WARPS, _SHARED_BYTES, _REGISTERS, _MOST_HELD = 132, 11.4, 220e3, 65536, 128
_LAUNCH_US, _STEP_US, _LOAD_US, _DOT_US = 1.56, 0.298, 1.85e-5, 4.94e-6
_BYTES_PER_US, _DOTS_PER_US, _WIDE_COST = 3.94e6, 8.4e7, 2.55
# What a library's convolution takes at least, and the bytes that it moves in a microsecond. In four bytes only the
# smallest products gained. Rows that begin at odd places are loaded slowly, unless there are few operations.
_LIBRARY_US, _LIBRARY_BYTES_PER_US, _WIDE_LIBRARY_US = 2.5, 2.5e6, 3.0
_ALIGNED, _FEW_OPERATIONS = 16, 1e8
# Settings by which a product is judged before there is a kernel: rows, columns, depth, warps, stages.
_TILES = (
    (32, 32, 128, 4, 2), (32, 32, 32, 2, 1), (64, 32, 32, 8, 5), (64, 64, 64, 8, 3), (64, 128, 32, 4, 3),
    (128, 64, 32, 4, 3), (128, 128, 64, 4, 3), (128, 128, 32, 8, 2),
)  # fmt: skip


@dataclass(frozen=True)
class PointProduct:
    """`batch` products of a matrix [outputs, channels] with one [channels, points]."""

    batch: int
    outputs: int
    channels: int
    points: int
    dtype: torch.dtype

    @property
    def is_worth_a_kernel(self) -> bool:
        """Whether a kernel of ours likely takes no longer than a library's convolution."""
        sizes, itemsize = (self.outputs, self.channels, self.batch * self.points), self.dtype.itemsize
        if min(sizes) < 2 or self.dtype not in (torch.float16, torch.bfloat16, torch.float32):
            return False
        if self.points * itemsize % _ALIGNED and self.points > 1 and 2 * math.prod(sizes) > _FEW_OPERATIONS:
            return False
        moved = itemsize * (math.prod(sizes[:2]) + sizes[2] * (self.outputs + self.channels))
        library = _WIDE_LIBRARY_US if itemsize == 4 else _LIBRARY_US + moved / _LIBRARY_BYTES_PER_US
        return self._own_us <= library

    @property
    def _own_us(self) -> float:
        """About how long the product takes in a kernel of ours, by the best of some settings."""
        batch, columns = (1, self.batch) if self.points == 1 else (self.batch, self.points)
        made = ProductSizes(batch, self.outputs, columns, self.channels, self.dtype.itemsize)
        return min(made.tile_us(*tile) for tile in _TILES)


def product_of(node: fx.Node) -> PointProduct | None:
    """The product that a convolution of a torch-level graph is. None for others, and where shapes are not known."""
    leaf = str(getattr(node.target, "__name__", node.target))
    if leaf not in CONVOLUTIONS or len(node.args) < 2:
        return None
    given = dict(zip(("input", "weight", "bias", *_SETTINGS), node.args, strict=False)) | dict(node.kwargs)
    return _product(given["input"], given.get("weight"), *(given.get(name) for name in _SETTINGS))


def write_products(aten: fx.GraphModule) -> set[torch.dtype]:
    """Write an ATen graph's convolutions of one point as products. Returns the dtypes that are multiplied."""
    written = set()
    for node in aten.graph.find_nodes(op="call_function", target=torch.ops.aten.convolution.default):
        image, weight, bias, stride, padding, dilation, transposed, _, groups = node.args
        product = None if transposed else _product(image, weight, stride, padding, dilation, groups)
        if product is not None and product.is_worth_a_kernel:
            with aten.graph.inserting_before(node):
                node.replace_all_uses_with(_written(aten.graph, product, image, weight, bias, node.meta["val"].shape))
            aten.graph.erase_node(node)
            written.add(product.dtype)
    aten.recompile()
    return written


def quickened(text: str, multiplied: Collection[torch.dtype]) -> str:
    """A module's text in which products of numbers of four bytes are made by the units for products."""
    return text.replace(_SLOW, _SPLIT) if torch.float32 in multiplied else text


def _product(
    image: object, weight: object, stride: object, padding: object, dilation: object, groups: object
) -> PointProduct | None:
    seen, kernel = (one.meta.get("val") if isinstance(one, fx.Node) else None for one in (image, weight))
    if not (isinstance(seen, torch.Tensor) and isinstance(kernel, torch.Tensor)):
        return None
    if seen.dim() != kernel.dim() or any(size != 1 for size in kernel.shape[2:]):
        return None
    if not (_are(stride, 1) and _are(padding, 0) and _are(dilation, 1) and groups in (1, None)):
        return None
    batch, channels, *places = seen.shape
    return PointProduct(batch, kernel.shape[0], channels, math.prod(places), seen.dtype)


def _are(setting: object, number: int) -> bool:
    return setting is None or setting == number or (
        isinstance(setting, Sequence) and not isinstance(setting, str) and all(each == number for each in setting)
    )  # fmt: skip


def _written(
    graph: fx.Graph, product: PointProduct, image: fx.Node, weight: fx.Node, bias: fx.Node | None, shape: torch.Size
) -> fx.Node:
    aten = torch.ops.aten
    batch, outputs, channels, points = product.batch, product.outputs, product.channels, product.points

    def call(target: object, *args: object) -> fx.Node:
        return graph.call_function(target, args)  # type: ignore[arg-type]

    matrix = call(aten.reshape.default, weight, [outputs, channels])
    if points == 1:
        rows = call(aten.reshape.default, image, [batch, channels])
        found = call(aten.mm.default, rows, call(aten.permute.default, matrix, [1, 0]))
        along = [outputs]
    elif batch == 1:
        found = call(aten.mm.default, matrix, call(aten.reshape.default, image, [channels, points]))
        along = [outputs, 1]
    else:
        each = call(aten.expand.default, call(aten.unsqueeze.default, matrix, 0), [batch, outputs, channels])
        found = call(aten.bmm.default, each, call(aten.reshape.default, image, [batch, channels, points]))
        along = [outputs, 1]
    if bias is not None:
        found = call(aten.add.Tensor, found, call(aten.reshape.default, bias, along))
    return call(aten.reshape.default, found, list(shape))


@dataclass(frozen=True)
class ProductSizes:
    """How large the product is that a kernel computes: `rows` times `columns` sums of `depth` products, in a batch."""

    batch: int
    rows: int
    columns: int
    depth: int
    itemsize: int

    @classmethod
    def read(cls, text: str) -> ProductSizes:
        """The sizes in the text of a kernel."""
        sizes = {axis: int(size) for axis, size in _SIZE.findall(text)}
        rows, columns, depth = (sizes[axis] for axis in ("y", "x", "r0_"))
        return cls(sizes.get("z", 1), rows, columns, depth, 4 if _SPLIT in text else 2)

    def us(self, settings: LaunchSettings) -> float:
        """About how many microseconds the kernel takes with some launch settings. Infinite where they do not fit."""
        blocks = dict(settings.values)
        # Without a block, all of the depth is one step.
        depth = blocks.get("R0_BLOCK", 1 << (max(self.depth, 16) - 1).bit_length())
        return self.tile_us(blocks.get("YBLOCK", 1), blocks.get("XBLOCK", 1), depth, settings.warps, settings.stages)

    def tile_us(self, rows: int, columns: int, depth: int, warps: int, stages: int) -> float:
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
        dots = rows * columns * depth * math.pow(self.itemsize / 2, _WIDE_COST)
        alone = steps * (_STEP_US + loaded * _LOAD_US / warps + dots * _DOT_US / warps)
        in_turn = max(1.0, programs / (_PROCESSORS * max(1.0, at_once))) * alone
        return _LAUNCH_US + max(in_turn, programs * steps * max(loaded / _BYTES_PER_US, dots / _DOTS_PER_US))
