"""Tables of everything that a wrapper may do in a recorded call. Anything else is a reason not to record it."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# --- of tensors ----------------------------------------------------------------------------------------------

# Questions whose answer follows from the signature. A recording is replayed only for that signature.
METADATA = _words(
    """shape size stride dim ndim ndimension numel nelement dtype device layout is_contiguous is_cuda is_cpu is_leaf
    is_floating_point is_complex is_signed element_size itemsize nbytes requires_grad get_device is_sparse is_quantized
    is_meta is_tensor is_nested is_mkldnn is_conj is_neg broadcast_shapes result_type promote_types can_cast finfo iinfo
    __len__ __iter__ _set_grad_enabled"""
)

# Operators, without their namespace `aten`.
EMPTY = _words("empty empty_like empty_strided new_empty new_empty_strided")
FILLED = {"zeros": 0, "zeros_like": 0, "new_zeros": 0, "ones": 1, "ones_like": 1, "new_ones": 1}
FULL = _words("full full_like new_full")
VIEWS = _words(
    """alias detach view reshape _reshape_alias _unsafe_view t transpose permute unsqueeze squeeze expand slice select
    narrow as_strided split split_with_sizes unsafe_split unsafe_split_with_sizes chunk unbind unfold diagonal movedim
    swapaxes unflatten flatten expand_as view_as"""
)

# --- of Python -----------------------------------------------------------------------------------------------

BUILTINS = _words(
    """len isinstance issubclass min max sum abs all any round sorted divmod pow iter next callable format getattr
    hasattr repr ord chr bin hex __build_class__"""
)
MODULES = _words("math operator _operator itertools _functools functools")
# Functions of torch that take no tensor. The recorder of operators does not see them.
TORCH_NATIVE = _words("promote_types result_type can_cast is_grad_enabled get_default_dtype is_inference_mode_enabled")
TORCH_MODULES = _words(
    """torch._tensor torch.functional torch.nn.functional torch._ops torch.overrides torch._jit_internal
    torch.autograd.grad_mode torch.utils._contextlib torch.fx._symbolic_trace"""
)
TORCH_CUDA = _words(
    """is_available current_device device_count get_device_capability get_device_properties get_device_name
    device.__init__ device.__enter__ device.__exit__ _lazy_init"""
)
