"""Tables of what torch operations are called and how they behave: one row per fact, shared by the whole room."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from passnet.op_classes import DROPOUTS, word_set

# Python operators that appear as call targets, with the canonical operation they stand for.
BINARY_OPERATORS: dict[Callable[..., object], str] = {
    operator.add: "add",
    operator.sub: "sub",
    operator.mul: "mul",
    operator.truediv: "div",
    operator.floordiv: "floor_divide",
    operator.mod: "remainder",
    operator.pow: "pow",
    operator.matmul: "matmul",
    operator.and_: "bitwise_and",
    operator.or_: "bitwise_or",
    operator.xor: "bitwise_xor",
    operator.lshift: "bitwise_left_shift",
    operator.rshift: "bitwise_right_shift",
    operator.eq: "eq",
    operator.ne: "ne",
    operator.lt: "lt",
    operator.le: "le",
    operator.gt: "gt",
    operator.ge: "ge",
}
INPLACE_OPERATORS: dict[Callable[..., object], str] = {
    operator.iadd: "add",
    operator.isub: "sub",
    operator.imul: "mul",
    operator.itruediv: "div",
    operator.ifloordiv: "floor_divide",
    operator.imod: "remainder",
    operator.ipow: "pow",
    operator.iand: "bitwise_and",
    operator.ior: "bitwise_or",
    operator.ixor: "bitwise_xor",
    operator.ilshift: "bitwise_left_shift",
    operator.irshift: "bitwise_right_shift",
}
UNARY_OPERATORS: dict[Callable[..., object], str] = {
    operator.neg: "neg",
    operator.pos: "positive",
    operator.invert: "bitwise_not",
    operator.abs: "abs",
}


def assign_item(tensor: Any, index: Any, value: Any) -> Any:
    """`tensor[index] = value` as a call that returns the tensor: how item assignments stand in graphs being matched."""
    tensor[index] = value
    return tensor


# Dunder methods by bare name. `__rsub__` and its like take their operands in the other order.
DUNDER_BINARY: dict[str, str] = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "truediv": "div",
    "div": "div",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "pow",
    "matmul": "matmul",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift",
    "rshift": "bitwise_right_shift",
    "eq": "eq",
    "ne": "ne",
    "lt": "lt",
    "le": "le",
    "gt": "gt",
    "ge": "ge",
}
DUNDER_UNARY: dict[str, str] = {"neg": "neg", "pos": "positive", "invert": "bitwise_not", "abs": "abs"}

# Spellings of one operation. The right-hand side is the canonical name.
ALIASES: dict[str, str] = {
    "truediv": "div",
    "true_divide": "div",
    "divide": "div",
    "floordiv": "floor_divide",
    "multiply": "mul",
    "subtract": "sub",
    "negative": "neg",
    "absolute": "abs",
    "concat": "cat",
    "concatenate": "cat",
    "clip": "clamp",
    "not_equal": "ne",
    "greater": "gt",
    "greater_equal": "ge",
    "less": "lt",
    "less_equal": "le",
    "special_expit": "sigmoid",
    "expit": "sigmoid",
    "special_erf": "erf",
    "special_erfc": "erfc",
    "special_exp2": "exp2",
    "special_expm1": "expm1",
    "special_log1p": "log1p",
    "special_softmax": "softmax",
    "special_log_softmax": "log_softmax",
    "special_logsumexp": "logsumexp",
    "special_round": "round",
    "arccos": "acos",
    "arcsin": "asin",
    "arctan": "atan",
    "arctan2": "atan2",
    "arccosh": "acosh",
    "arcsinh": "asinh",
    "arctanh": "atanh",
    "swapaxes": "transpose",
    "swapdims": "transpose",
    "moveaxis": "movedim",
    "fix": "trunc",
    "row_stack": "vstack",
    "det": "linalg_det",
    "inverse": "linalg_inv",
}

# Conversions spelled as methods: name -> name of the dtype.
DTYPE_METHODS: dict[str, str] = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "bfloat16": "bfloat16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
    "cfloat": "complex64",
    "cdouble": "complex128",
}

# Argument names: everywhere, and per operation where one name means different things.
ARG_NAMES: dict[str, str] = {
    "self": "input",
    "x": "input",
    "x1": "input",
    "x2": "other",
    "axis": "dim",
    "keepdims": "keepdim",
    "mat2": "other",
    "tensor2": "other",
    "train": "training",
    "split_size_or_sections": "sections",
    "split_size": "sections",
    "split_sizes": "sections",
}
OP_ARG_NAMES: dict[str, dict[str, str]] = {
    "embedding": {"indices": "input"},
    "split": {"tensor": "input"},
    "chunk": {"chunks": "sections"},
    "einsum": {"operands": "tensors"},
}
# Arguments that choose an implementation and never a value.
IGNORED_ARGS = frozenset({"_stacklevel", "cudnn_enable", "cudnn_enabled", "cudnn_deterministic", "non_blocking"})


# a > b is b < a: one of each pair is canonical.
FLIPPED: dict[str, str] = {"gt": "lt", "ge": "le"}

# Methods whose trailing integers are one list: x.view(4, -1) is x.view((4, -1)).
VARIADIC = word_set(
    "view reshape permute expand repeat tile flip new_zeros new_ones new_empty sum mean squeeze amax amin"
)


# Operations whose `dim` counts positions of the *result*, which has one dimension more.
RANK_PLUS_ONE = frozenset({"unsqueeze", "stack"})
DIM_ARGS = word_set("dim dims dim0 dim1 dim2 start_dim end_dim")

# Results with named fields, read by position in captured graphs.
FIELD_INDEX: dict[str, int] = {"values": 0, "indices": 1}

# Operations that draw random numbers (when they do): they are never duplicated and never reordered.
RANDOM = DROPOUTS | word_set(
    "bernoulli multinomial normal rand rand_like randn randn_like randint randint_like randperm rrelu poisson uniform "
    "exponential geometric cauchy log_normal random gumbel_softmax native_dropout"
)
# Calls that change how later operations behave, or that only exist for their effect.
BARRIERS = word_set(
    "_set_grad_enabled _enter_autocast _exit_autocast manual_seed seed _assert _assert_async _assert_scalar _check "
    "_check_is_size _functional_assert_async synchronize set_default_dtype"
)
# In-place spellings that change a tensor's layout in memory, not its values.
RESHAPES_IN_PLACE = word_set(
    "t_ transpose_ swapaxes_ swapdims_ squeeze_ unsqueeze_ resize_ resize_as_ set_ as_strided_"
)
# The result may be the very input tensor although the schema does not say so (dropout in evaluation, no-op casts).
MAY_RETURN_INPUT = DROPOUTS | word_set(
    "interpolate pad getitem getattr contiguous to positive type_as broadcast_tensors meshgrid atleast_1d atleast_2d "
    "atleast_3d real imag einsum tensordot"
)
# Of these, either the very input or a new tensor, never a view of another shape.
INPUT_OR_NEW = DROPOUTS | word_set("interpolate pad to")
# Tensor attributes and methods that read metadata only: the result is known without running anything.
META_ATTRIBUTES = word_set("nbytes shape is_cuda dtype device itemsize layout ndim")
META_METHODS = word_set("nelement stride numel is_floating_point is_contiguous storage_offset dim element_size size")
