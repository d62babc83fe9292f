"""Tables of the source policy: allowed imports, names, calls and decorators of a pass. One row per fact."""

from __future__ import annotations

from typing import Literal

from passnet.op_classes import CREATION, GEMMS, PERMUTATIONS, RESHAPES, VIEWS, word_set

Level = Literal["strict", "native"]
LEVELS: tuple[Level, ...] = ("strict", "native")

# Modules by policy level. A module admits its submodules, but for `passnet.kernels`: what lies below runs the passes.
# `torch.*` is narrowed further by TORCH_NAMES.
IMPORTS: dict[str, tuple[Level, ...]] = {
    "torch": LEVELS,
    "triton": LEVELS,
    "math": LEVELS,
    "operator": LEVELS,
    "typing": LEVELS,
    "typing_extensions": LEVELS,
    "collections": LEVELS,
    "dataclasses": LEVELS,
    "functools": LEVELS,
    "textwrap": LEVELS,
    "__future__": LEVELS,
    "passnet.kernels": LEVELS,
    "ctypes": ("native",),
    "numba": ("native",),
    "numpy": ("native",),
    "os": ("native",),
    "sys": ("native",),
    "subprocess": ("native",),
    "tempfile": ("native",),
    "hashlib": ("native",),
    "pathlib": ("native",),
    "shutil": ("native",),
}
# Submodules of torch that may be imported for use inside `pattern`. Elsewhere TORCH_NAMES decides.
TORCH_IMPORTS = frozenset({"torch", "torch.fx", "torch.nn", "torch.nn.functional"})

_DTYPES = word_set(
    "float32 float64 float16 bfloat16 float half double int8 int16 int32 int64 int long short uint8 uint16 uint32 "
    "uint64 bool complex64 complex128 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz"
)
_CREATION = {name for name in CREATION if not name.startswith("new_")} | {"as_tensor"}
_METADATA = word_set(
    "Tensor Size dtype device layout memory_format strided contiguous_format channels_last channels_last_3d "
    "preserve_format finfo iinfo inf nan pi e is_tensor promote_types result_type broadcast_shapes no_grad "
    "inference_mode version.cuda version.hip __version__ fx.wrap "
    "cuda.is_available cuda.current_device cuda.synchronize cuda.device_count cuda.get_device_capability "
    "cuda.get_device_properties cuda.get_device_name cuda.device"
)
# Functions that give views and are no methods of a tensor.
VIEW_FUNCTIONS = ("torch.broadcast_tensors",)
# References from torch that may stand outside `pattern`: creation, dtypes, metadata and views. None of them computes.
TORCH_NAMES = frozenset((*(f"torch.{name}" for name in (*_DTYPES, *_CREATION, *_METADATA)), *VIEW_FUNCTIONS))
# References from torch that compute nothing, but say who runs the pass, and how. They are refused for that reason.
TELLS_WHO_RUNS = word_set("""
    torch.compiler.is_compiling torch.compiler.is_dynamo_compiling torch.compiler.is_exporting torch.jit.is_tracing
    torch.jit.is_scripting torch.onnx.is_in_onnx_export torch.is_grad_enabled torch.is_inference_mode_enabled
    torch.is_inference torch.get_num_threads torch.get_num_interop_threads torch.get_default_dtype
    torch.get_default_device torch.is_autocast_enabled torch.is_autocast_cpu_enabled torch.get_autocast_dtype
    torch.are_deterministic_algorithms_enabled torch.get_float32_matmul_precision torch.initial_seed
""")
# Attributes and methods of tensors that say it: who trains, who has put the tensor where.
TENSORS_TELL = word_set("requires_grad is_leaf retains_grad output_nr grad_dtype is_pinned is_shared is_inference")

_OF_INTERPRETER = "it is a name of Triton's interpreter"
BANNED_NAMES: dict[str, str] = {
    name: reason
    for names, reason in (
        ("getattr setattr delattr hasattr vars globals locals dir", "it reaches names that the text does not show"),
        ("eval exec compile __import__", "it runs text that no check has read"),
        ("interpreter_semantic _InterpreterComparison", _OF_INTERPRETER),
        ("type id", "it can tell a check from a timed call, or key a cache by address"),
        ("open input breakpoint help exit quit", "a kernel needs no files and no terminal"),
        ("memoryview", "it reaches memory past the tensors that were passed"),
        ("__builtins__ __loader__ __spec__ __file__ __cached__", "it reaches the interpreter's internals"),
    )
    for name in names.split()
}
# Of these, what no file may bind: the interpreter takes what the file has there.
NOT_IN_FILES = frozenset(name for name, reason in BANNED_NAMES.items() if reason == _OF_INTERPRETER)
# Of these, what a kernel must not even bind. Triton looks names up in its own way: one that is not assigned on the way
# there, or a positional-only parameter, is its own builtin. It evaluates the types of local names too.
NOT_IN_KERNELS = word_set(
    "getattr setattr delattr hasattr vars globals locals dir eval exec compile __import__ interpreter_semantic "
    "_InterpreterComparison"
)
# Names allowed again at some levels.
ADMITTED_NAMES: dict[str, tuple[Level, ...]] = {"open": ("native",), "__file__": ("native",), "hasattr": ("native",)}

# Decorators that a function of a pass may have (dotted names after imports are resolved), by level.
DECORATORS: dict[str, tuple[Level, ...]] = {
    "torch.fx.wrap": LEVELS,
    "triton.jit": LEVELS,
    "triton.autotune": LEVELS,
    "triton.heuristics": LEVELS,
    "triton.runtime.jit.jit": LEVELS,
    "torch.no_grad": LEVELS,
    "torch.inference_mode": LEVELS,
    "functools.lru_cache": LEVELS,
    "functools.cache": LEVELS,
    "dataclasses.dataclass": LEVELS,
    "staticmethod": LEVELS,
    "classmethod": LEVELS,
    "property": LEVELS,
    "numba.njit": ("native",),
    "numba.jit": ("native",),
    "numba.vectorize": ("native",),
    "numba.guvectorize": ("native",),
    "numba.cfunc": ("native",),
}
# Decorators under which a function is device code: operators there act on values of the kernel, not on tensors.
KERNEL_DECORATORS = frozenset(name for name in DECORATORS if name.startswith(("triton.", "numba.")))
MEMOISERS = frozenset({"functools.lru_cache", "functools.cache"})
# References to functools that may be made at all.
FUNCTOOLS_NAMES = frozenset({"functools.lru_cache", "functools.cache"})

# Attributes of a tensor that read metadata, and methods that read it or make a view. All others compute.
TENSOR_ATTRIBUTES = word_set(
    "shape dtype device ndim is_cuda layout itemsize nbytes requires_grad T mT is_sparse is_quantized"
)
TENSOR_METHODS = VIEWS | word_set(
    "size dim numel nelement stride element_size is_contiguous is_floating_point is_complex storage_offset data_ptr "
    "detach contiguous broadcast_to reshape_as as_strided get_device new_empty new_zeros new_ones new_full "
    "new_empty_strided ndimension fill_ zero_"
)
# Methods that give the same values in another dtype or on another device. They make arguments and outputs fit. The
# run-time guard sees what they really do, and refuses one that computes (to bool, or from fractions to integers).
CONVERSIONS = word_set("to type_as float half bfloat16 double cuda")
# Functions and methods whose arguments after the first are numbers and names. The list is complete for this policy
# only.
TAKES_NUMBERS = (
    RESHAPES
    | PERMUTATIONS
    | word_set(
        "dropout dropout1d dropout2d dropout3d feature_dropout alpha_dropout softmax log_softmax gelu leaky_relu elu "
        "hardtanh repeat unflatten chunk split roll narrow select sum mean var amax amin argmax argmin cumsum topk "
        "norm normalize interpolate pad unfold fold size avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d "
        "max_pool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d to full arange"
    )
)
# Attributes and methods that show a parameter of the wrapper to be a tensor.
TENSOR_EVIDENCE = (TENSOR_ATTRIBUTES | TENSOR_METHODS | {"to"}) - {"split"}

# Methods by which tensors compute and that nothing else of a pass has, written out because reading a text must not
# import torch. Not here: what files, numbers, containers and texts have too.
COMPUTING_METHODS = GEMMS | word_set("""
    abs abs_ absolute absolute_ acos acos_ acosh acosh_ add_ addbmm addbmm_ addcdiv addcdiv_ addcmul addcmul_
    addmm_ addmv addmv_ addr addr_ adjoint allclose amax amin aminmax angle arccos arccos_ arccosh arccosh_ arcsin
    arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_ arctan_ arctanh arctanh_ argmax argmin argsort argwhere asin
    asin_ asinh asinh_ atan atan2 atan2_ atan_ atanh atanh_ baddbmm_ bernoulli bernoulli_ bincount bitwise_and
    bitwise_and_ bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_ bitwise_or bitwise_or_
    bitwise_right_shift bitwise_right_shift_ bitwise_xor bitwise_xor_ cauchy_ ceil ceil_ cholesky cholesky_inverse
    cholesky_solve clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ clone copy_ copysign
    copysign_ corrcoef cos cos_ cosh cosh_ count_nonzero cov cross cummax cummin cumprod cumprod_ cumsum cumsum_
    deg2rad deg2rad_ det diag diag_embed diagflat diagonal_scatter diff digamma digamma_ dist div div_ divide
    divide_ dot eig eq eq_ equal erf erf_ erfc erfc_ erfinv erfinv_ exp exp2 exp2_ exp_ expm1 expm1_ exponential_
    fill_diagonal_ fix fix_ flip fliplr flipud float_power float_power_ floor floor_ floor_divide floor_divide_
    fmax fmin fmod fmod_ frac frac_ frexp gather gcd gcd_ ge ge_ geometric_ geqrf ger greater greater_
    greater_equal greater_equal_ gt gt_ hardshrink hash_tensor heaviside heaviside_ histc histogram hypot hypot_
    i0 i0_ igamma igamma_ igammac igammac_ index_add index_add_ index_copy index_copy_ index_fill index_fill_
    index_put index_put_ index_reduce index_reduce_ index_select inner inverse isclose isfinite isinf isnan
    isneginf isposinf isreal istft kron kthvalue lcm lcm_ ldexp ldexp_ le le_ lerp lerp_ less less_ less_equal
    less_equal_ lgamma lgamma_ log log10 log10_ log1p log1p_ log2 log2_ log_ log_normal_ log_softmax logaddexp
    logaddexp2 logcumsumexp logdet logical_and logical_and_ logical_not logical_not_ logical_or logical_or_
    logical_xor logical_xor_ logit logit_ logsumexp lstsq lt lt_ lu lu_solve masked_fill masked_fill_
    masked_scatter masked_scatter_ masked_select matmul matrix_exp matrix_power max maximum mean median min
    minimum msort mul mul_ multinomial multiply multiply_ mv mvlgamma mvlgamma_ nan_to_num nan_to_num_ nanmean
    nanmedian nanquantile nansum narrow_copy ne ne_ neg neg_ negative negative_ nextafter nextafter_ nonzero
    nonzero_static norm normal_ not_equal not_equal_ orgqr ormqr outer pinverse polygamma polygamma_ pow pow_
    prelu prod quantile rad2deg rad2deg_ random_ ravel reciprocal reciprocal_ relu relu_ remainder remainder_
    renorm renorm_ repeat repeat_interleave roll rot90 round_ rsqrt rsqrt_ scatter scatter_ scatter_add
    scatter_add_ scatter_reduce scatter_reduce_ select_scatter sgn sgn_ sigmoid sigmoid_ sign sign_ signbit sin
    sin_ sinc sinc_ sinh sinh_ slice_inverse slice_scatter slogdet smm softmax solve sparse_mask sqrt sqrt_ square
    square_ sspaddmm std stft sub sub_ subtract subtract_ sum sum_to_size svd symeig take_along_dim tan tan_ tanh
    tanh_ tile topk trace triangular_solve tril tril_ triu triu_ true_divide true_divide_ trunc trunc_ uniform_
    unique unique_consecutive var vdot where xlogy xlogy_
""")
# All other methods of tensors that make no view. Files, numbers, containers, texts or an author's records may have some
# of them too, so they count where the text shows a tensor.
OTHER_METHODS = word_set("""
    add all any apply_ as_strided_ as_strided_scatter as_subclass backward bool byte ccol_indices cdouble cfloat
    chalf char coalesce col_indices conj conj_physical conj_physical_ const_data_ptr cpu crow_indices dense_dim
    dequantize detach_ diagonal dim_order dsplit hsplit index indices int int_repr ipu is_coalesced is_conj
    is_distributed is_inference is_neg is_nonzero is_pinned is_same_size is_set_to is_shared is_signed item long map2_
    map_ mode module_load moveaxis mtia new new_tensor numpy pin_memory positive put put_ q_per_channel_axis
    q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qr qscheme record_stream register_hook
    register_post_accumulate_grad_hook reinforce requires_grad_ resize resize_ resize_as resize_as_
    resize_as_sparse_ resolve_conj resolve_neg retain_grad round row_indices set_ share_memory_ short sort sparse_dim
    sparse_resize_ sparse_resize_and_clear_ split_with_sizes squeeze_ storage storage_type swapaxes_ swapdims
    swapdims_ t_ take tensor_split to_dense to_mkldnn to_padded_tensor to_sparse to_sparse_bsc to_sparse_bsr
    to_sparse_coo to_sparse_csc to_sparse_csr tolist transpose_ type unfold unsafe_chunk unsafe_split
    unsafe_split_with_sizes unsqueeze_ untyped_storage values vsplit xpu
""")
# Of triton.language: what computes in a kernel, and the types of what it computes. Its other names are modules, helpers
# of the compiler, and one that evaluates text.
TRITON_LANGUAGE = word_set("""
    TRITON_MAX_TENSOR_NUMEL abs add arange argmax argmin associative_scan assume atomic_add atomic_and atomic_cas
    atomic_load atomic_max atomic_min atomic_or atomic_poll atomic_store atomic_xchg atomic_xor bfloat16
    bitonic_merge block_type broadcast broadcast_to cast cat cdiv ceil clamp const constexpr cos cumprod cumsum
    debug_barrier device_assert device_print div_rn dot dot_scaled dtype erf exp exp2 expand_dims expect_zero fdiv
    flip float16 float32 float64 float8e4b15 float8e4b8 float8e4nv float8e5 float8e5b16 floor fma full gather
    histogram inline_asm_elementwise int1 int16 int32 int64 int8 interleave join load load_tensor_descriptor log
    log2 make_block_ptr make_tensor_descriptor map_elementwise max max_constancy max_contiguous maximum min minimum
    mul multiple_of num_programs pair_uniform_to_normal permute philox philox_impl pi32_t pointer_type program_id
    rand rand4x randint randint4x randn randn4x range ravel reduce reduce_or reshape rsqrt sigmoid sin softmax sort
    split sqrt sqrt_rn squeeze static_assert static_print static_range store store_tensor_descriptor sub sum
    swizzle2d tensor tensor_descriptor to_tensor topk trans tuple uint1 uint16 uint32 uint64 uint8
    uint_to_uniform_float umulhi unsqueeze view void where xor_sum zeros zeros_like
""")
# Names that authors write for triton.language and that no release has. A kernel that reaches one cannot be compiled,
# which is a mistake of the author's and no cheat.
TRITON_LACKS = word_set("""
    all any atan atan2 barrier block_id block_idx cosh empty erfc expm1 full_like gelu isfinite isinf isnan lane_id
    log10 log1p logical_and logical_not logical_or matmul mean meshgrid norm num_threads num_threads_per_program
    num_warps numel ones ones_like pow power prod relu round shape sign silu sinh size square stack std syncthreads
    tan tanh thread_id thread_idx threadIdx trunc var warp_id
""")
