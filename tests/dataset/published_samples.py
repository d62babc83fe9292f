"""Whole graphs of our own in the published layout: aliases, frees, `Ellipsis`, a CUDA device, one file of inputs."""

from __future__ import annotations

import json
from pathlib import Path

_BLOCK = """
        a_{n} = torch.nn.functional.layer_norm({x}, (16,), l_norm_w, l_norm_b, 1e-05)
        b_{n} = torch._C._nn.linear(a_{n}, l_wide_w, None)
        a_{n} = None
        c_{n} = torch._C._nn.gelu(b_{n}, approximate="tanh")
        b_{n} = None
        d_{n} = c_{n} * 0.5
        c_{n} = None
        e_{n} = torch._C._nn.linear(d_{n}, l_narrow_w, None)
        d_{n} = None
        x_{n} = {x} + e_{n}
        e_{n} = None"""

_MODEL = """import torch

from torch import device


class GraphModule(torch.nn.Module):
    def forward(
        self,
        L_x_: torch.Tensor,
        L_self_modules_norm_parameters_weight_: torch.nn.parameter.Parameter,
        L_self_modules_norm_parameters_bias_: torch.nn.parameter.Parameter,
        L_self_modules_wide_parameters_weight_: torch.nn.parameter.Parameter,
        L_self_modules_narrow_parameters_weight_: torch.nn.parameter.Parameter,
    ):
        l_x_ = L_x_
        l_norm_w = L_self_modules_norm_parameters_weight_
        l_norm_b = L_self_modules_norm_parameters_bias_
        l_wide_w = L_self_modules_wide_parameters_weight_
        l_narrow_w = L_self_modules_narrow_parameters_weight_{blocks}
        steps = torch.arange(6, device=device(type="cuda", index=0))
        scaled = steps.to(device(type="cuda", index=0), torch.float32)
        steps = None
        gate = torch.sigmoid(scaled)
        scaled = None
        gates = gate[(slice(None, None, None), None)]
        gate = None
        weighed = x_1 * gates
        x_1 = gates = None
        last = weighed[(Ellipsis, slice(-1, None, None), slice(None, None, None))]
        weighed = None
        out = {end}(last)
        last = None
        return (out,)
"""

_META = {"framework": "torch", "num_devices_required": 1, "num_nodes_required": 1, "dynamic": False}


def _spec(name: str, shape: list[int], mean: float, std: float) -> str:
    lines = [f'name = "{name}"', f"shape = {shape}", 'dtype = "torch.float32"', 'device = "cuda:0"']
    lines += [f"mean = {mean:.3f}", f"std = {std:.3f}", "data = None"]
    return "\n".join([f"class Program_weight_tensor_meta_{name}:", *("\t" + line for line in lines)]) + "\n"


_SPECS = "\n\n".join(
    (
        _spec("L_x_", [2, 6, 16], 0.0, 1.0),
        _spec("L_self_modules_norm_parameters_weight_", [16], 1.0, 0.0),
        _spec("L_self_modules_norm_parameters_bias_", [16], 0.0, 0.0),
        _spec("L_self_modules_wide_parameters_weight_", [32, 16], 0.001, 0.144),
        _spec("L_self_modules_narrow_parameters_weight_", [16, 32], 0.0, 0.102),
    )
)
NAMES = ("timm/toynet_tiny.own", "transformers-auto-model/someone_tiny-random-toybert")


def model_text(end: str = "torch.tanh") -> str:
    """Two equal blocks, a mask from a literal device, one output."""
    blocks = _BLOCK.format(n=0, x="l_x_") + _BLOCK.format(n=1, x="x_0")
    return _MODEL.replace("{blocks}", blocks).replace("{end}", end)


SHORT = """import torch


class GraphModule(torch.nn.Module):
    def forward(
        self,
        L_x_: torch.Tensor,
        L_self_modules_norm_parameters_weight_: torch.nn.parameter.Parameter,
        L_self_modules_norm_parameters_bias_: torch.nn.parameter.Parameter,
        L_self_modules_wide_parameters_weight_: torch.nn.parameter.Parameter,
        L_self_modules_narrow_parameters_weight_: torch.nn.parameter.Parameter,
    ):
        wide = torch._C._nn.linear(L_x_, L_self_modules_wide_parameters_weight_, None)
        {steps}
        return (narrow,)
"""


def write_short_tree(root: Path) -> Path:
    """`samples` of two models of three and four operators."""
    ends = ("half = torch.tanh(wide)", "soft = torch.nn.functional.softplus(wide)\n        half = soft * wide")
    for name, end in zip(NAMES, ends, strict=True):
        steps = f"{end}\n        narrow = torch._C._nn.linear(half, L_self_modules_narrow_parameters_weight_, None)"
        write_sample(root / "samples" / name, SHORT.format(steps=steps))
    return root / "samples"


def write_sample(path: Path, text: str | None = None) -> Path:
    """One sample directory."""
    path.mkdir(parents=True)
    files = {"model.py": text or model_text(), "weight_meta.py": _SPECS, "input_meta.py": ""}
    files |= {"input_tensor_constraints.py": "", "graph_net.json": json.dumps(_META, indent=4)}
    for name, content in files.items():
        (path / name).write_text(content)
    return path


def write_tree(root: Path) -> Path:
    """`samples` of two libraries: two graphs that share their blocks and differ at the end, one that calls what is no
    operator, and a piece, which is no whole graph.
    """
    for name, end in zip(NAMES, ("torch.tanh", "torch.nn.functional.softplus"), strict=True):
        write_sample(root / "samples" / name, model_text(end))
    write_sample(root / "samples/timm/brokennet", model_text("torch.load"))
    write_sample(root / "samples/timm/toynet_tiny.own-cut/_decomposed/toynet_start0_end3_0")
    return root / "samples"
