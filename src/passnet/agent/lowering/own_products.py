"""Which products and convolutions of a graph are computed in kernels of ours, and how Inductor is made to."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import torch
from torch import fx

from passnet.agent.lowering import products
from passnet.agent.lowering.convolutions import (
    convolution_of,
    read_convolution,
    write_convolution,
)
from passnet.op_classes import CONVOLUTIONS, LIBRARY, REDUCTIONS, VIEWS, word_set

_MATRICES = frozenset({"matmul", "bmm"})
# Operators that may become products or sums of ours, by torch's names.
OPERATORS = CONVOLUTIONS | _MATRICES
# Products of numbers of four bytes are less exact in three parts than a library's. Convolutions of a library are not
# exact by default.
_SHORT = (torch.float16, torch.bfloat16)
# What follows a product in a kernel of its own, or in none.
_APART = LIBRARY | VIEWS | REDUCTIONS | word_set("max min softmax _softmax layer_norm group_norm adaptive_avg_pool2d")
# Inductor writes out sums of fewer than so many terms by itself.
_SUMMED_BY_INDUCTOR = 8


def is_ours(node: fx.Node) -> bool:
    """Whether a kernel of ours computes the product or convolution of a node of a torch-level graph."""
    if _leaf(node) in _MATRICES:
        return _are_ours(node)
    found = convolution_of(node)
    return found is not None and found.is_worth_a_kernel(is_followed=_is_followed(node))


@dataclass
class WrittenProducts:
    """What was written: the dtypes that are multiplied in products, and the largest window of a sum."""

    multiplied: set[torch.dtype] = field(default_factory=set)
    summed: int = 0

    @property
    def settings(self) -> dict[str, object]:
        """Inductor's settings for them. A sum over a small window is written out, in one loop with its neighbours."""
        found: dict[str, object] = {}
        if self.summed >= _SUMMED_BY_INDUCTOR:
            found["unroll_reductions_threshold"] = self.summed + 1
        return found | products.SETTINGS if self.multiplied else found

    def quickened(self, text: str) -> str:
        """A module's text in which products of numbers of four bytes are made by the units for products."""
        return text.replace(products.SLOW, products.SPLIT) if torch.float32 in self.multiplied else text


def write_products(aten: fx.GraphModule) -> WrittenProducts:
    """Write an ATen graph's convolutions as products and sums, where that likely gains."""
    written, aten_ops = WrittenProducts(), torch.ops.aten
    for node in aten.graph.find_nodes(op="call_function", target=aten_ops.convolution.default):
        image, weight, bias, *settings, groups = node.args
        stride, padding, dilation, transposed, _ = settings
        found = None if transposed else read_convolution(image, weight, stride, padding, dilation, groups)
        if found is None or not found.is_worth_a_kernel(is_followed=_is_followed(node)):
            continue
        with aten.graph.inserting_before(node):
            node.replace_all_uses_with(write_convolution(aten.graph, found, image, weight, bias))
        aten.graph.erase_node(node)
        if found.is_a_sum:
            written.summed = max(written.summed, found.window)
        else:
            written.multiplied.add(found.dtype)
    for node in aten.graph.find_nodes(op="call_function", target=aten_ops.bmm.default):
        # What was just written has no values yet.
        if "val" in node.meta and _are_ours(node):
            written.multiplied.add(node.meta["val"].dtype)
    aten.recompile()
    return written


def _are_ours(node: fx.Node) -> bool:
    """Whether a kernel of ours multiplies these matrices. Where one of them has no batch, a library is better."""
    factors = [each.meta.get("val") for each in node.all_input_nodes]
    made = node.meta.get("val")
    if len(node.args) != 2 or not isinstance(made, torch.Tensor) or made.dtype not in _SHORT:
        return False
    known = [each for each in factors if isinstance(each, torch.Tensor) and each.dim() > 2]
    if len(known) != len(node.args):
        return False
    *batch, rows, columns = made.shape
    depth = known[0].shape[-1]
    sizes = products.ProductSizes(math.prod(batch), rows, columns, depth, made.dtype.itemsize)
    given = sum(each.numel() for each in known)
    return min(rows, columns, depth) > 1 and sizes.is_worth_a_kernel("matrices", given, is_followed=_is_followed(node))


def _is_followed(node: fx.Node) -> bool:
    """Whether something is computed from a value that may be computed in the same kernel."""
    return any(user.op == "call_function" and _leaf(user) not in _APART for user in node.users)


def _leaf(node: fx.Node) -> str:
    """An operator's bare name, at the level of torch and of ATen."""
    name = str(getattr(node.target, "__name__", node.target)).split(".")[0]
    return name if name.startswith("_") else name.rstrip("_")
