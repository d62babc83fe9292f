"""Convolutions as products or sums, which Inductor then fuses with what is before and after them.

A library takes a convolution as it takes any other. It may lay memory out anew first, and what follows is a kernel of
its own. Written as a product it is a loop over Triton's `dot`, in one kernel with the operators around it: the image is
read through its windows, which are never stored. A convolution of each channel alone is a sum over its window.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import fx
from torch.fx.node import Argument

from passnet.agent.lowering import products
from passnet.op_classes import CONVOLUTIONS

# Where the settings of a convolution are among its arguments, by torch's names.
_ARGUMENTS = ("input", "weight", "bias", "stride", "padding", "dilation", "groups")
DTYPES = (torch.float16, torch.bfloat16, torch.float32)
# A sum over a window is written out, so a window has at most so many places.
_MOST_SUMMED = 49


@dataclass(frozen=True)
class Convolution:
    """A convolution of `image` [batch, channels, places...] with `weight` [outputs, channels of a group, window...].

    `stride`, `padding` and `dilation` have a number for each dimension of a place.
    """

    image: tuple[int, ...]
    weight: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    groups: int
    dtype: torch.dtype

    @property
    def places(self) -> tuple[int, ...]:
        """The sizes of the output, without batch and channels."""
        sizes = zip(self.image[2:], self.weight[2:], self.stride, self.padding, self.dilation, strict=True)
        return tuple((size + 2 * pad - gap * (taps - 1) - 1) // step + 1 for size, taps, step, pad, gap in sizes)

    @property
    def points(self) -> int:
        return math.prod(self.places)

    @property
    def window(self) -> int:
        """How many places of the image a place of the output is computed from."""
        return math.prod(self.weight[2:])

    @property
    def is_of_points(self) -> bool:
        """Whether each place of the output is computed from the same place of the image."""
        return self.window == 1 and set(self.stride) == {1} and set(self.padding) == {0}

    @property
    def is_a_sum(self) -> bool:
        """Whether each channel is convolved alone. Then it is a sum over its window."""
        return 1 < self.groups == self.image[1] and self.weight[1] == 1 and self.window <= _MOST_SUMMED

    @property
    def is_a_product(self) -> bool:
        return min(self.weight[0] // self.groups, self.depth, self.image[0] * self.points) > 1

    @property
    def depth(self) -> int:
        """How many products each element of the output is a sum of."""
        return math.prod(self.weight[1:])

    @property
    def is_one_matrix(self) -> bool:
        """Whether all images of a batch are columns of one product. Each column lies apart from the next then."""
        return self.groups == 1 and 1 in (self.image[0], self.points)

    @property
    def kind(self) -> products.Kind:
        """What a library's time for it depends on."""
        return "groups" if self.groups > 1 else "points" if self.is_of_points else "window"

    @property
    def sizes(self) -> products.ProductSizes:
        """The matrix product that this is."""
        batch, columns = self.image[0] * self.groups, self.points
        if self.is_one_matrix:
            batch, columns = 1, batch * columns
        outputs, itemsize = self.weight[0] // self.groups, self.dtype.itemsize
        return products.ProductSizes(batch, outputs, columns, self.depth, itemsize, is_gathered=self.window > 1)

    def is_worth_a_kernel(self, *, is_followed: bool) -> bool:
        """Whether a kernel of ours likely takes less than a library's. `is_followed`: whether elementwise operators
        follow.
        """
        if self.dtype not in DTYPES:
            return False
        if self.is_a_sum:
            return True  # every one that was measured gained
        factors = math.prod(self.image) + math.prod(self.weight)
        return self.is_a_product and self.sizes.is_worth_a_kernel(self.kind, factors, is_followed=is_followed)


def convolution_of(node: fx.Node) -> Convolution | None:
    """The convolution that a node of a torch-level graph is. None for others, and where shapes are not known."""
    if str(getattr(node.target, "__name__", node.target)) not in CONVOLUTIONS:
        return None
    given = dict(zip(_ARGUMENTS, node.args, strict=False)) | dict(node.kwargs)
    return read_convolution(given["input"], given.get("weight"), *(given.get(name) for name in _ARGUMENTS[3:]))


def write_convolution(
    graph: fx.Graph, convolution: Convolution, image: fx.Node, weight: fx.Node, bias: fx.Node | None
) -> fx.Node:
    """Write a convolution into an ATen graph, at the place where the graph inserts. The output is contiguous."""
    return _Writer(graph, convolution).write(image, weight, bias)


def read_convolution(
    image: object, weight: object, stride: object, padding: object, dilation: object, groups: object
) -> Convolution | None:
    """The convolution of two nodes with such settings. None where shapes or settings are not known."""
    seen, kernel = (one.meta.get("val") if isinstance(one, fx.Node) else None for one in (image, weight))
    if not (isinstance(seen, torch.Tensor) and isinstance(kernel, torch.Tensor) and seen.dim() == kernel.dim()):
        return None
    count = seen.dim() - 2
    steps, pads, gaps = (_numbers(*each, count) for each in ((stride, 1), (padding, 0), (dilation, 1)))
    together = 1 if groups is None else groups
    if steps is None or pads is None or gaps is None or not isinstance(together, int):
        return None
    return Convolution(tuple(seen.shape), tuple(kernel.shape), steps, pads, gaps, together, seen.dtype)


def _numbers(setting: object, default: int, count: int) -> tuple[int, ...] | None:
    """A setting as a number for each dimension. None where it is none."""
    if setting is None or setting == "valid":
        return (default,) * count
    if isinstance(setting, int):
        return (setting,) * count
    if not isinstance(setting, Sequence) or not all(isinstance(each, int) for each in setting):
        return None
    return tuple(setting) * count if len(setting) == 1 else tuple(setting)


class _Writer:
    """Writes one convolution into a graph, at the place where the graph inserts."""

    def __init__(self, graph: fx.Graph, convolution: Convolution) -> None:
        self._graph = graph
        self._of = convolution

    def write(self, image: fx.Node, weight: fx.Node, bias: fx.Node | None) -> fx.Node:
        return self._sum(image, weight, bias) if self._of.is_a_sum else self._product(image, weight, bias)

    def _call(self, target: object, *args: object) -> fx.Node:
        return self._graph.call_function(target, args)  # type: ignore[arg-type]

    def _reshaped(self, value: fx.Node, *sizes: int) -> fx.Node:
        return self._call(torch.ops.aten.reshape.default, value, list(sizes))

    def _product(self, image: fx.Node, weight: fx.Node, bias: fx.Node | None) -> fx.Node:
        aten, of = torch.ops.aten, self._of
        batch, outputs, points, groups = of.image[0], of.weight[0], of.points, of.groups
        read = image if of.is_of_points else self._windows(image)
        if of.is_one_matrix:
            matrix = self._reshaped(weight, outputs, of.depth)
            columns = self._reshaped(read, batch, of.depth, points)
            columns = self._reshaped(self._call(aten.permute.default, columns, [1, 0, 2]), of.depth, batch * points)
            found = self._reshaped(self._call(aten.mm.default, matrix, columns), outputs, batch, points)
            return self._finished(self._call(aten.permute.default, found, [1, 0, 2]), [outputs, 1], bias)
        sizes = [batch, groups, outputs // groups, of.depth]
        matrix = self._reshaped(weight, 1, *sizes[1:])
        matrix = self._reshaped(self._call(aten.expand.default, matrix, sizes), batch * groups, *sizes[2:])
        found = self._call(aten.bmm.default, matrix, self._reshaped(read, batch * groups, of.depth, points))
        return self._finished(self._reshaped(found, batch, outputs, points), [outputs, 1], bias)

    def _finished(self, found: fx.Node, along: Sequence[int], bias: fx.Node | None) -> fx.Node:
        """With the bias, in the shape and the memory layout of a convolution's output."""
        if bias is not None:
            found = self._call(torch.ops.aten.add.Tensor, found, self._reshaped(bias, *along))
        found = self._reshaped(found, self._of.image[0], self._of.weight[0], *self._of.places)
        given: dict[str, Argument] = {"memory_format": torch.contiguous_format}
        return self._graph.call_function(torch.ops.aten.clone.default, (found,), given)

    def _windows(self, image: fx.Node) -> fx.Node:
        """The image as [batch, channels, window..., places...]. Nothing is stored: each element says where it is."""
        aten, of = torch.ops.aten, self._of
        count = len(of.places)
        found = self._padded(image)
        for axis in range(count):
            reach = (of.weight[2 + axis] - 1) * of.dilation[axis] + 1
            found = self._call(aten.unfold.default, found, 2 + axis, reach, of.stride[axis])
            if of.dilation[axis] > 1:
                found = self._call(aten.slice.Tensor, found, 2 + count + axis, 0, sys.maxsize, of.dilation[axis])
        order = [0, 1, *range(2 + count, 2 + 2 * count), *range(2, 2 + count)]
        return self._call(aten.permute.default, found, order)

    def _padded(self, image: fx.Node) -> fx.Node:
        if not any(self._of.padding):
            return image
        around = [number for pad in reversed(self._of.padding) for number in (pad, pad)]
        return self._call(torch.ops.aten.constant_pad_nd.default, image, around, 0.0)

    def _sum(self, image: fx.Node, weight: fx.Node, bias: fx.Node | None) -> fx.Node:
        aten, of = torch.ops.aten, self._of
        outputs, count = of.weight[0], len(of.places)
        windows = self._windows(image)
        if outputs > of.image[1]:
            each = self._call(aten.unsqueeze.default, windows, 2)
            sizes = [*of.image[:2], outputs // of.image[1], *of.weight[2:], *of.places]
            each = self._call(aten.expand.default, each, sizes)
            windows = self._reshaped(each, of.image[0], outputs, *of.weight[2:], *of.places)
        factors = self._reshaped(weight, outputs, *of.weight[2:], *(1 for _ in of.places))
        terms = self._call(aten.mul.Tensor, windows, factors)
        found = self._call(aten.sum.dim_IntList, terms, list(range(2, 2 + count)))
        if bias is not None:
            found = self._call(aten.add.Tensor, found, self._reshaped(bias, outputs, *(1 for _ in of.places)))
        return found
