"""Classes of torch's operators by bare name, one row for each. Any room may use it.

A room that needs another set writes it as a class with the names that it adds or leaves out. No torch: whoever reads
texts must not import it.
"""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())


_ATEN = "torch.ops.aten."


def op_leaf(dotted: str) -> str:
    """The bare name of a function or method: `conv2d` for `torch.nn.functional.conv2d`, `view` for `view`, `add` for
    the overload `torch.ops.aten.add.Tensor`.
    """
    return dotted.removeprefix(_ATEN).partition(".")[0] if dotted.startswith(_ATEN) else dotted.rpartition(".")[2]


# The same elements under another shape, in their order.
RESHAPES = word_set("view reshape flatten unsqueeze squeeze expand")
PERMUTATIONS = word_set("permute transpose")
# What may look at the same memory otherwise; a copy is made where it cannot.
VIEWS = (
    RESHAPES
    | PERMUTATIONS
    | word_set("t movedim swapaxes unflatten expand_as view_as select narrow chunk split unbind")
)
# The same with the spellings that only ATen has.
ATEN_VIEWS = VIEWS | word_set(
    "alias detach _reshape_alias _unsafe_view slice as_strided split_with_sizes unsafe_split unsafe_split_with_sizes "
    "unfold diagonal"
)
EMPTY = word_set("empty empty_like empty_strided new_empty new_empty_strided")
ZEROS = word_set("zeros zeros_like new_zeros")
ONES = word_set("ones ones_like new_ones")
FULL = word_set("full full_like new_full")
CREATION = EMPTY | ZEROS | ONES | FULL
# Matrix products as ATen has them, and all that end in one.
GEMMS = word_set("mm addmm bmm baddbmm")
PRODUCTS = GEMMS | word_set("matmul addbmm einsum linear bilinear")
CONVOLUTIONS = word_set("conv1d conv2d conv3d")
TRANSPOSED_CONVOLUTIONS = word_set("conv_transpose1d conv_transpose2d conv_transpose3d")
ATTENTION = word_set("scaled_dot_product_attention multi_head_attention_forward")
# What libraries do well: fuse around these, not over them.
LIBRARY = PRODUCTS | CONVOLUTIONS | TRANSPOSED_CONVOLUTIONS | ATTENTION
# The order of `dim` does not matter, and None or () means every dimension.
REDUCTIONS = word_set("sum mean amax amin var std var_mean std_mean logsumexp nansum nanmean all any")
# Pointwise operators of two operands: those that may be regrouped, and those whose operands may change places.
ASSOCIATIVE = word_set("add mul bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor maximum minimum")
COMMUTATIVE = ASSOCIATIVE | word_set("eq ne fmax fmin")
DROPOUTS = word_set("dropout alpha_dropout feature_dropout feature_alpha_dropout dropout1d dropout2d dropout3d")
