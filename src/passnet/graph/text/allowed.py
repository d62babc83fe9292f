"""Decides from the text alone which names a `model.py` may use. One row per namespace. All other names are refused."""

from __future__ import annotations

import re
from collections.abc import Mapping

from passnet.graph import names
from passnet.graph.names import word_set

_VMAP_INTERNALS = frozenset(
    {
        "lazy_load_decompositions",
        "_add_batch_dim",
        "_remove_batch_dim",
        "_vmap_increment_nesting",
        "_vmap_decrement_nesting",
    }
)
_ATEN_ONLY = frozenset(
    {"_local_scalar_dense", "_to_copy", "_unsafe_view", "alias", "lift_fresh_copy", "sym_numel", "sym_size"}
    | {"sym_storage_offset", "sym_stride", "_scaled_dot_product_attention_math", "native_layer_norm", "embedding"}
)
_ATEN = (
    names.TORCH
    | names.C_NN
    | names.C_LINALG
    | names.C_FFT
    | names.C_SPECIAL
    | names.METHODS
    | names.NN_FUNCTIONAL
    | _ATEN_ONLY
)

# Namespace -> its functions that may be called.  A function may have several names: a written graph uses the first of
# these namespaces. Public and stable namespaces come first.
FUNCTIONS: Mapping[str, frozenset[str]] = {
    "torch": names.TORCH,
    "torch.nn.functional": names.NN_FUNCTIONAL,
    "torch.linalg": names.LINALG,
    "torch.fft": names.FFT,
    "torch.special": names.SPECIAL,
    "torch.functional": names.FUNCTIONAL,
    "torch._C._nn": names.C_NN,
    "torch._C._linalg": names.C_LINALG,
    "torch._C._fft": names.C_FFT,
    "torch._C._special": names.C_SPECIAL,
    "torch.amp.autocast_mode": frozenset({"_enter_autocast", "_exit_autocast"}),
    "torch.autograd.function": frozenset({"FunctionCtx"}),
    "torch._C": frozenset({"_log_api_usage_once", "_set_grad_enabled"}),
    "torch._C._functorch": _VMAP_INTERNALS - {"lazy_load_decompositions"},
    "torch._functorch.predispatch": _VMAP_INTERNALS,
    "torch._functorch.vmap": frozenset({"lazy_load_decompositions"}),
    "torch.ops.aten": _ATEN,
}

# Functions that are the same object in two namespaces.
_SHARED_WITH_TORCH = word_set("""
adaptive_avg_pool1d avg_pool1d bilinear celu_ channel_shuffle conv1d conv2d conv3d conv_tbc conv_transpose1d
conv_transpose2d conv_transpose3d cosine_similarity hardshrink native_channel_shuffle pairwise_distance pdist
pixel_shuffle pixel_unshuffle prelu relu_ rrelu_ selu_ threshold_
""")
_SHARED_WITH_C_NN = word_set("""
avg_pool2d avg_pool3d elu_ gelu hardtanh_ leaky_relu_ linear one_hot scaled_dot_product_attention softplus softshrink
""")
_SYNONYMS: Mapping[str, str] = {
    "torch._C._nn.log_sigmoid": "torch.nn.functional.logsigmoid",
    "torch._functorch.vmap.lazy_load_decompositions": "torch._functorch.predispatch.lazy_load_decompositions",
}
_PREFIXED: Mapping[str, tuple[str, str]] = {
    "torch._C._linalg": ("linalg_", "torch.linalg"),
    "torch._C._fft": ("fft_", "torch.fft"),
    "torch._C._special": ("special_", "torch.special"),
}

METHODS = names.METHODS | names.DUNDER_METHODS

ATTRIBUTES = word_set("""
H T device dtype imag indices is_cpu is_cuda is_quantized is_sparse itemsize layout mH mT nbytes ndim real
requires_grad shape values sign logabsdet eigenvalues eigenvectors L U S V Vh Q R LU P pivots info
""")

MAX_DIMENSIONS = 64
# Dtype -> bytes of one element.
DTYPE_BYTES: Mapping[str, int] = {
    "float32": 4, "float64": 8, "float16": 2, "bfloat16": 2, "complex32": 4, "complex64": 8, "complex128": 16,
    "int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8, "bool": 1,
    "float8_e4m3fn": 1, "float8_e4m3fnuz": 1, "float8_e5m2": 1, "float8_e5m2fnuz": 1, "float8_e8m0fnu": 1,
}  # fmt: skip
DTYPE_ALIASES: Mapping[str, str] = {
    "float": "float32", "double": "float64", "half": "float16", "short": "int16", "int": "int32", "long": "int64",
    "chalf": "complex32", "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip
TORCH_CONSTANTS = (DTYPE_BYTES.keys() | DTYPE_ALIASES.keys()) | word_set("""
contiguous_format channels_last channels_last_3d preserve_format
strided sparse_coo sparse_csr sparse_csc sparse_bsr sparse_bsc
""")
TORCH_FLOATS: Mapping[str, float] = {"inf": float("inf"), "nan": float("nan"), "pi": 3.141592653589793}

DEVICE_TYPES = ("cpu", "cuda", "xpu", "mps", "hpu", "npu", "meta")
# A string that names a device.
DEVICE_TEXT = re.compile(rf"({'|'.join(DEVICE_TYPES)})(:\d+)?")

ANNOTATIONS = word_set("""
torch.Tensor torch.nn.parameter.Parameter torch.nn.Parameter torch.nn.parameter.Buffer
torch.SymInt torch.SymFloat torch.SymBool
""")

# Import statements that a model.py may start with, as (module, name). A plain `import torch` is ("torch", "").
IMPORTS = frozenset(
    {("torch", ""), ("torch", "device"), ("torch", "inf"), ("torch", "nan"), ("math", "inf"), ("math", "nan")}
)

# Prefixes of refused names -> the reason. A reason helps more than "not in the table".
_REASONS: tuple[tuple[str, str], ...] = (
    ("torch.ops.higher_order", "higher-order operators need sub-graphs, which this format does not carry"),
    ("torch.load", "it reads files and unpickles"),
    ("torch.save", "it writes files"),
    ("torch.from_file", "it maps files"),
    ("torch.hub", "it downloads and runs code"),
    ("torch.utils", "it is not a tensor function"),
    ("torch.compile", "a graph is straight-line tensor code"),
    ("torch.ops", "only torch.ops.aten is known"),
)


def function_allowed(dotted: str) -> bool:
    """Whether this dotted name may be called.  `torch.ops.aten.<op>` may have one overload name."""
    namespace, _, leaf = dotted.rpartition(".")
    if leaf in FUNCTIONS.get(namespace, ()):
        return True
    packet, _, operator = namespace.rpartition(".")
    return packet == "torch.ops.aten" and operator in _ATEN and leaf.isidentifier() and not leaf.startswith("__")


def canonical_target(dotted: str) -> str:
    """The preferred name of a function that torch offers under several names. Any other name is returned as it is."""
    namespace, _, leaf = dotted.rpartition(".")
    if namespace == "torch.functional" and leaf in names.TORCH:
        return f"torch.{leaf}"
    if namespace == "torch.nn.functional" and leaf in _SHARED_WITH_TORCH:
        return f"torch.{leaf}"
    if namespace == "torch._C._nn" and leaf in _SHARED_WITH_C_NN:
        return f"torch.nn.functional.{leaf}"
    if dotted in _SYNONYMS:
        return _SYNONYMS[dotted]
    private, public = _PREFIXED.get(namespace, ("", ""))
    if private and leaf.removeprefix(private) in FUNCTIONS[public]:
        return f"{public}.{leaf.removeprefix(private)}"
    return dotted


def refusal_reason(dotted: str) -> str:
    """Why a name is refused. The reason is general when we know no better one."""
    for prefix, reason in _REASONS:
        if dotted == prefix or dotted.startswith(prefix + "."):
            return reason
    return "only plain tensor functions of torch may be called"
