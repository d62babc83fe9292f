"""The C++ passes at shapes and strides that no bundled variant has: odd sizes, long rows, one pixel, views."""

from collections.abc import Callable

import pytest
import torch

from passnet.rewrite import load_rules, read_pass_set
from tests.dataset.bundled_passes import DATA, compare

Arguments = list[torch.Tensor]
DTYPES = [torch.float32, torch.float16, torch.bfloat16]
every_dtype = pytest.mark.parametrize("dtype", DTYPES, ids=str)


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def wrapper_and_pattern(task: str) -> tuple[Callable[..., object], Callable[..., object]]:
    """The kernel wrapper of the task's C++ rule, and the pattern that it replaces, as plain functions."""
    (rule,) = load_rules(read_pass_set(DATA / task / "pass_dir"), "cpu").rules
    return rule.function, rule.function.__globals__["pattern"]


def check(task: str, arguments: Arguments) -> None:
    wrapper, pattern = wrapper_and_pattern(task)
    with torch.no_grad():
        got, expected = wrapper(*arguments), pattern(*[argument.clone() for argument in arguments])
    compare(task, *(value if isinstance(value, tuple) else (value,) for value in (expected, got)))


def normal(*shape: int, dtype: torch.dtype) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape))).to(dtype)


def norm_parameters(channels: int) -> Arguments:
    return [
        normal(channels, dtype=torch.float32),
        torch.rand(channels) + 0.5,
        torch.rand(channels),
        torch.rand(channels),
    ]


IMAGES = [(1, 1, 1, 1), (2, 3, 5, 7), (1, 2, 41, 53), (3, 5, 1, 1025)]


@every_dtype
@pytest.mark.parametrize("shape", IMAGES, ids=str)
def test_image_passes_take_any_size(shape, dtype):
    x, y, channel = normal(*shape, dtype=dtype), normal(*shape, dtype=dtype).flip(0), normal(shape[1], dtype=dtype)
    check("resnet18_bn_add_relu", [x, *norm_parameters(shape[1]), y])
    check("mobilenetv3_bn_hardswish_mean", [x, *norm_parameters(shape[1])])
    check("efficientnet_bn_silu_mean", [x, *norm_parameters(shape[1])])
    check("convnext_scale_residual", [x, channel, y])
    check("convnextv2_gelu_grn", [x, channel, channel.flip(0)])


@every_dtype
@pytest.mark.parametrize("size", [(1, 1), (1, 2), (2, 1), (2, 2), (3, 5), (33, 17)], ids=str)
def test_pooling_counts_only_the_neighbours_there_are(size, dtype):
    x, scale = normal(2, 64, *size, dtype=dtype), normal(64, dtype=dtype)
    check("poolformer_pool_scale_add", [x, scale, x.flip(0).contiguous()])


@every_dtype
@pytest.mark.parametrize("count", [1, 15, 1023, 1024, 1025, 4099])
def test_pointwise_passes_take_any_length(count, dtype):
    x = normal(count, dtype=dtype) * 4
    for task in ("gpt2_gelu_new", "bloom_gelu", "gemma2_softcap"):
        check(task, [x])
    check("phi3_swiglu", [normal(2, 3, 2 * count, dtype=dtype)])


@every_dtype
@pytest.mark.parametrize("rows", [1, 5])
def test_token_passes_take_any_number_of_rows(rows, dtype):
    wide = [normal(2, rows, 256, dtype=dtype), normal(2, rows, 256, dtype=dtype).flip(0), normal(256, dtype=dtype)]
    check("bert_add_norm", [*wide, wide[2].flip(0)])
    check("gemma2_rmsnorm_residual", [wide[0], wide[2], wide[1]])
    check(
        "t5_biased_softmax",
        [normal(3, 2, rows, 2 * rows + 1, dtype=dtype), normal(1, 2, rows, 2 * rows + 1, dtype=dtype)],
    )
    token, patches = normal(2, 1, 192, dtype=dtype), normal(2, rows, 192, dtype=dtype)
    check(
        "deit_cat_pos_norm",
        [token, patches, normal(1, rows + 1, 192, dtype=dtype), normal(192, dtype=dtype), normal(192, dtype=dtype)],
    )


@every_dtype
def test_rotary_and_mamba_take_transposed_views(dtype):
    q, k = normal(2, 7, 8, 32, dtype=dtype).transpose(1, 2), normal(2, 7, 2, 32, dtype=dtype).transpose(1, 2)
    for batch in (1, 2):
        cosine, sine = (normal(batch, 7, 32, dtype=dtype) + shift for shift in (0, 1))
        wrapper, pattern = wrapper_and_pattern("llama_rotary")
        expected = tuple(value.contiguous() for value in pattern(q, k, cosine, sine))
        compare("llama_rotary", expected, wrapper(q, k, cosine, sine))
    step, u = (normal(2, 9, 5, dtype=dtype).transpose(1, 2).abs() for _ in range(2))
    decay, gain = -torch.rand(5, 16), normal(2, 9, 16, dtype=dtype)
    wrapper, pattern = wrapper_and_pattern("mamba_discretise")
    expected = tuple(value.contiguous() for value in pattern(decay, step, gain, u))
    compare("mamba_discretise", expected, wrapper(decay, step, gain, u))


@every_dtype
def test_positions_may_be_shared_by_the_batch_or_not(dtype):
    tables = [normal(rows, 256, dtype=dtype) for rows in (11, 2, 13, 1, 1)]
    words, kinds, places = tables[:3]
    weight, bias = tables[3][0], tables[4][0].flip(0)
    ids, types = torch.randint(0, 11, (3, 4)), torch.randint(0, 2, (3, 4))
    for batch in (1, 3):
        check("bert_embeddings", [ids, types, torch.randint(0, 13, (batch, 4)), words, kinds, places, weight, bias])


@pytest.mark.parametrize("index", [-1, 11])
def test_an_index_outside_its_table_is_an_error_and_no_read(index):
    wrapper, _ = wrapper_and_pattern("bert_embeddings")
    zeros = torch.zeros(1, 2, dtype=torch.int64)
    tables = [torch.zeros(rows, 256) for rows in (11, 2, 13)]
    with pytest.raises(RuntimeError, match="index out of range"):
        wrapper(zeros + index, zeros, zeros, *tables, torch.ones(256), torch.ones(256))


@pytest.mark.parametrize("task", ["resnet18_bn_add_relu", "gpt2_gelu_new", "phi3_swiglu", "convnextv2_gelu_grn"])
def test_what_a_kernel_cannot_read_is_refused(task):
    wrapper, _ = wrapper_and_pattern(task)
    count = wrapper.__code__.co_argcount
    views = [torch.randn(2, 8, 8, 3).permute(0, 3, 1, 2), *[torch.ones(3)] * (count - 1)]
    views = [torch.randn(2, 8, 3).transpose(1, 2)] if count == 1 else views
    if task == "resnet18_bn_add_relu":
        views[-1] = views[0]
    with pytest.raises(ValueError, match="contiguous"):
        wrapper(*views)
