"""passnet.h: conversions exact to the bit, functions to a few units in the last place, on this machine's vectors."""

from __future__ import annotations

import math

import pytest
import torch

from passnet.kernels import cpp, native

FUNCTIONS = {
    "exp": (torch.exp, 88.72),
    "tanh": (torch.tanh, 20.0),
    "erf": (torch.erf, 20.0),
    "sigmoid": (torch.sigmoid, 80.0),
    "silu": (torch.nn.functional.silu, 80.0),
}


@pytest.fixture(scope="module")
def library() -> native.Library:
    names = (*FUNCTIONS, "gelu", "gelu_tanh")
    mapped = "\n".join(
        f'extern "C" void map_{name}(const float* x, float* out, int64_t n) '
        f"{{ for (int64_t i = 0; i < n; ++i) out[i] = passnet::{name}(x[i]); }}"
        for name in names
    )
    loop = "for (int64_t i = 0; i < n; ++i) out[i] = x[i];"
    converted = "\n".join(
        f"""
        extern "C" void to_{half}(const float* x, {half}* out, int64_t n) {{ {loop} }}
        extern "C" void from_{half}(const {half}* x, float* out, int64_t n) {{ {loop} }}
        extern "C" void narrow_{half}(const float* x, {half}* out, int64_t n) {{ passnet::narrow(x, out, n); }}
        extern "C" void widen_{half}(const {half}* x, float* out, int64_t n) {{ passnet::widen(x, out, n); }}
        """
        for half in ("bf16", "fp16")
    )
    return cpp(f'#include "passnet.h"\nusing passnet::bf16; using passnet::fp16;\n{mapped}\n{converted}')


HALVES = [("bf16", torch.bfloat16), ("fp16", torch.float16)]


def same(a: torch.Tensor, b: torch.Tensor) -> bool:
    return bool(((a == b) | (a.isnan() & b.isnan())).all())


@pytest.mark.parametrize(("name", "dtype"), HALVES)
@pytest.mark.parametrize("how", ["from", "widen"])
def test_every_half_widens_exactly(library: native.Library, name: str, dtype: torch.dtype, how: str) -> None:
    halves = torch.arange(-32768, 32768).to(torch.int16).view(dtype)[:-3]
    out = torch.empty(halves.numel())
    getattr(library, f"{how}_{name}")(halves, out, out.numel())
    assert same(out, halves.float())


@pytest.mark.parametrize(("name", "dtype"), HALVES)
@pytest.mark.parametrize("how", ["to", "narrow"])
def test_floats_round_to_nearest_even(library: native.Library, name: str, dtype: torch.dtype, how: str) -> None:
    halves = torch.arange(-32768, 32768).to(torch.int16).view(dtype).float().view(torch.int32)
    ties = {"bf16": (0x8000, 0x7FFF, 0x8001), "fp16": (0x1000, 0x0FFF, 0x1001)}[name]
    near = torch.cat([halves + step for step in (0, *ties)])
    anywhere = torch.randint(-(2**31), 2**31 - 1, (1 << 18,), generator=torch.Generator().manual_seed(0))
    values = torch.cat([near, anywhere.to(torch.int32)]).view(torch.float32)[:-5]
    out = torch.empty(values.numel(), dtype=dtype)
    getattr(library, f"{how}_{name}")(values, out, out.numel())
    assert same(out, values.to(dtype))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_relative_error_of_a_few_units(library: native.Library, name: str) -> None:
    exact, limit = FUNCTIONS[name]
    x = torch.cat([torch.linspace(-limit, limit, 20001), torch.linspace(-1e-3, 1e-3, 4001), torch.randn(5000)])
    out = torch.empty_like(x)
    getattr(library, f"map_{name}")(x, out, x.numel())
    expected = exact(x.double())
    assert ((out - expected).abs() <= 8e-7 * expected.abs() + 1e-37).all()


@pytest.mark.parametrize(("name", "approximate"), [("gelu", "none"), ("gelu_tanh", "tanh")])
def test_gelu_error_is_below_the_scale_of_its_input(library: native.Library, name: str, approximate: str) -> None:
    x = torch.cat([torch.linspace(-200, 200, 20001), torch.randn(5000)])
    out = torch.empty_like(x)
    getattr(library, f"map_{name}")(x, out, x.numel())
    expected = torch.nn.functional.gelu(x.double(), approximate=approximate)
    assert ((out - expected).abs() <= 4e-7 * x.abs() + 1e-12).all()


@pytest.mark.parametrize("name", ["exp", "sigmoid", "silu", "gelu", "gelu_tanh"])
def test_no_result_is_subnormal(library: native.Library, name: str) -> None:
    """A processor without fast subnormal numbers takes a hundred times as long for them."""
    x = torch.cat([torch.linspace(-200, 200, 400_001), torch.tensor([-1e38, -1e30, -3e4])])
    out = torch.empty_like(x)
    getattr(library, f"map_{name}")(x, out, x.numel())
    assert ((out == 0) | (out.abs() >= torch.finfo(torch.float32).tiny)).all()


def test_saturation(library: native.Library) -> None:
    x = torch.tensor([-1e4, -200.0, 200.0, 1e4])
    out = torch.empty(4)
    library.map_exp(x, out, 4)
    assert out[:2].tolist() == [0.0, 0.0]
    assert (out[2:] > 1e38).all()
    for name, ends in {"tanh": (-1, 1), "erf": (-1, 1), "sigmoid": (0, 1)}.items():
        getattr(library, f"map_{name}")(x, out, 4)
        torch.testing.assert_close(out, torch.tensor([ends[0]] * 2 + [ends[1]] * 2, dtype=torch.float32))


def test_without_fast_math_infinities_and_nan_stay(library: native.Library) -> None:
    text = 'extern "C" void all(const float* x, float* out, int64_t n) {'
    text += " for (int64_t i = 0; i < n; ++i) out[i] = passnet::exp(x[i]); }"
    exact = cpp(f'#include "passnet.h"\n{text}', fast_math=False)
    x = torch.tensor([1.0, 88.7, 88.8, 1e4, math.inf, -math.inf, math.nan])
    out = torch.empty_like(x)
    exact.all(x, out, x.numel())
    torch.testing.assert_close(out, x.exp(), equal_nan=True)
