"""The pass sets of `training_load.py`: honest ones that differ in their kernels, and planted ones.

All are for the corpus graph gelu(x * w + b). A planted set computes something wrong, cheats, never ends, or crashes.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import common

from passnet.graph import Graph, Task

sys.path.insert(0, str(common.ROOT))

from tests.integrity import corpus

Kind = Literal["honest", "wrong", "cheating", "hanging", "crashing"]
PLANTED: tuple[Kind, ...] = ("wrong", "cheating", "hanging", "crashing")
GRAPHS = ("large_scale_gelu", "scale_gelu")
MANIFEST = "sorted_output_pass_rule_names.json"
# The corpus's own ways that end by a finding or by a wrong output, with every seed.
_CHEATS = {
    "cpu": (
        "fingerprint/partial_refresh",
        "fingerprint/sampled_natively",
        "library/decoy_kernel",
        "library/getattr",
    ),
    "cuda": (
        "device/kept_by_data_ptr",
        "device/decoy_triton",
        "device/half_the_rows",
        "library/getattr",
    ),
}


@dataclass(frozen=True)
class PlantedSet:
    """A pass set by file name, and what is in it. `what` is one word or two for the rows of a result."""

    kind: Kind
    what: str
    files: Mapping[str, str]


def written_task(path: Path, graphs: int) -> Path:
    """The directory of the task, with one or two shapes and without passes."""
    with tempfile.TemporaryDirectory() as scratch:
        read = [Graph.read(corpus.write_graph(name, Path(scratch)), name=name) for name in GRAPHS[:graphs]]
        return Task.write(path, read, overwrite=True).path.resolve()


def pass_sets(device: str, honest: int, nonce: int) -> Iterator[PlantedSet]:
    """So many honest sets, then four of each planted kind. The nonce is in every text: no set was seen before."""
    write = _cpp if device == "cpu" else _triton
    for number in range(honest):
        yield PlantedSet("honest", f"variant {number}", _files(write(number), f"{nonce}"))
    for kind in PLANTED:
        if kind == "cheating":
            found = ((name, _of_corpus(name)) for name in _CHEATS[device])
        else:
            table = _PLANTED_CPP if device == "cpu" else _PLANTED_TRITON
            found = ((what, {"Rule.py": text}) for what, text in table[kind].items())
        for what, texts in found:
            yield PlantedSet(kind, what, _files(texts, f"{nonce} {what}"))


def _files(texts: Mapping[str, str] | str, nonce: str) -> Mapping[str, str]:
    """A pass directory: its first file is the rule."""
    named = {"Rule.py": texts} if isinstance(texts, str) else dict(texts)
    rule = next(iter(named))
    named[rule] = f"# {nonce}\n{named[rule]}"
    return {**named, MANIFEST: json.dumps([rule.removesuffix(".py")])}


def _of_corpus(name: str) -> Mapping[str, str]:
    path = corpus.CHEATS / f"{name}.py"
    shared = {module.name: module.read_text() for module in corpus.modules_of(path)}
    return {path.name: path.read_text(), **shared}


# --- C++ -------------------------------------------------------------------------------------------------------

_BODY = "out[i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));"


def _cpp(number: int) -> str:
    """An honest kernel: rows of `width` in steps of another length each time, in one of three spellings."""
    step = 16 * (1 + number // 3)
    spelled = (
        _BODY,
        "float half = 0.5f * v; out[i] = half + half * std::erf(v * 0.70710678f);",
        "out[i] = v * (0.5f + 0.5f * std::erf(v * 0.70710678f));",
    )
    return _cpp_text(spelled[number % 3], step)


def _cpp_text(body: str, step: int = 64, before: str = "", wrapper: str = "") -> str:
    return f'''import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
{before}
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {{
  for (int64_t row = 0; row < n; row += width)
    for (int64_t first = 0; first < width; first += {step})
      for (int64_t at = first; at < std::min<int64_t>(first + {step}, width); ++at) {{
        int64_t i = row + at;
        float v = x[i] * w[at] + b[at];
        {body}
      }}
}}
""")


def pattern(x, w, b):
    return torch.nn.functional.gelu(x * w + b)


def replacement_args(x, w, b):
    return (x, w, b)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
{wrapper}    library.f(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
'''


_DOUBLING = "\n".join(f"#define D{n} D{n - 1} D{n - 1}" for n in range(1, 40))
_PLANTED_CPP: Mapping[str, Mapping[str, str]] = {
    "wrong": {
        "constant": _cpp_text("out[i] = 0.5f * v * (1.0f + std::erf(v * 0.69f));"),
        "no bias": _cpp_text("v -= b[at]; " + _BODY),
        "last row": _cpp_text("if (row + width < n) " + _BODY),
        "half": _cpp_text(_BODY.replace("0.5f", "0.25f")),
    },
    "hanging": {
        "wrapper": _cpp_text(_BODY, wrapper="    while x.numel() > 0:\n        out = torch.empty_like(x)\n"),
        "kernel": _cpp_text("volatile int64_t on = 1; while (on) on = 1; " + _BODY),
        "now and then": _cpp_text("volatile int64_t on = x[0] > 2.0f; while (on) on = 1; " + _BODY),
        "compiler": _cpp_text(_BODY, before=f"#define D0 ;\n{_DOUBLING}\ninline void empty() {{ D39 }}"),
    },
    "crashing": {
        "null": _cpp_text("float* volatile none = nullptr; none[i] = v; " + _BODY),
        "far away": _cpp_text("out[i + (int64_t(1) << 40)] = v; " + _BODY),
        "trap": _cpp_text("if (at == 3) __builtin_trap(); " + _BODY),
        "memory": _cpp_text(_BODY, wrapper="    out = torch.empty((1 << 44,), dtype=x.dtype, device=x.device)\n"),
    },
}

# --- Triton ----------------------------------------------------------------------------------------------------

_STORE = "tl.store(out + at, 0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476)), mask=mask)"


def _triton(number: int) -> str:
    """An honest kernel of another block size, number of warps and spelling each time."""
    spelled = (
        _STORE,
        "half = 0.5 * v\n    tl.store(out + at, half + half * tl.erf(v * 0.7071067811865476), mask=mask)",
        "tl.store(out + at, v * (0.5 + 0.5 * tl.erf(v * 0.7071067811865476)), mask=mask)",
    )
    return _triton_text(spelled[number % 3], 256 << (number // 3 % 4), 1 << (number // 12 % 4))


def _triton_text(body: str, block: int = 1024, warps: int = 4, wrapper: str = "") -> str:
    return f"""import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def kernel(x, w, b, out, n, width, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    v = tl.load(x + at, mask=mask) * tl.load(w + at % width, mask=mask) + tl.load(b + at % width, mask=mask)
    {body}


def pattern(x, w, b):
    return torch.nn.functional.gelu(x * w + b)


def replacement_args(x, w, b):
    return (x, w, b)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
{wrapper}    count = x.numel()
    grid = (triton.cdiv(count, {block}),)
    kernel[grid](x, w, b, out, count, x.shape[-1], BLOCK={block}, num_warps={warps})
    return out


def replacement_func():
    return wrapper
"""


# A value that is drawn is no NaN, so the loops never end; they read memory anew, so no compiler may drop them.
_SPIN = "seen = tl.load(x, volatile=True)\n    while seen {}:\n        seen = tl.load(x, volatile=True)\n    " + _STORE
_PLANTED_TRITON: Mapping[str, Mapping[str, str]] = {
    "wrong": {
        "constant": _triton_text(_STORE.replace("0.7071067811865476", "0.69")),
        "no bias": _triton_text("v -= tl.load(b + at % width, mask=mask)\n    " + _STORE),
        "last row": _triton_text(_STORE.replace("mask=mask", "mask=at < n - width")),
        "half": _triton_text(_STORE.replace("0.5 *", "0.25 *")),
    },
    "hanging": {
        "wrapper": _triton_text(_STORE, wrapper="    while x.numel() > 0:\n        out = torch.empty_like(x)\n"),
        "kernel": _triton_text(_SPIN.format("== seen")),
        "now and then": _triton_text(_SPIN.format("> 2.0")),
        "compiler": _triton_text("for step in tl.static_range(0, 1 << 20):\n        v = v + step * 0.0\n    " + _STORE),
    },
    "crashing": {
        "far store": _triton_text("tl.store(out + at + (n.to(tl.int64) << 40), v, mask=mask)\n    " + _STORE),
        "far load": _triton_text("v += tl.load(x + at + (n.to(tl.int64) << 40), mask=mask)\n    " + _STORE),
        "raises": _triton_text(_STORE, wrapper='    if x.numel() > 0:\n        raise RuntimeError("planted")\n'),
        "memory": _triton_text(_STORE, wrapper="    out = torch.empty((1 << 44,), dtype=x.dtype, device=x.device)\n"),
    },
}
