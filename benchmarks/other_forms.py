"""Right forms of a graph, for `right_forms.py`: other floats on the way, operators as kernels have them, passes."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, fx

from passnet.op_classes import op_leaf
from passnet.rewrite import load_rules, read_pass_set, rewrite

_LOG2_E = 1.4426950408889634
Replaced = Callable[..., Tensor]


class Widened(fx.Interpreter):
    """Runs a graph with all floats in one dtype on the way. Only outputs are rounded to their own."""

    def __init__(self, module: fx.GraphModule, dtype: torch.dtype) -> None:
        super().__init__(module)
        self.dtype = dtype
        self.narrow = module

    def __call__(self, *inputs: Tensor) -> list[Tensor]:
        dtypes = [each.dtype for each in _listed(self.narrow(*(each.clone() for each in inputs)))]
        made = _listed(self.run(*map(self._wide, inputs)))
        return [each.to(dtype) for each, dtype in zip(made, dtypes, strict=True)]

    def run_node(self, n: fx.Node) -> Any:
        found = super().run_node(n)
        return fx.node.map_aggregate(found, self._wide) if n.op != "output" else found

    def _wide(self, value: Any) -> Any:
        is_float = isinstance(value, Tensor) and value.is_floating_point()
        return value.to(self.dtype) if is_float else value


class ByKernels(Widened):
    """Runs a graph with operators put together as a kernel has them. `others`: the names of those that are."""

    def __init__(self, module: fx.GraphModule, dtype: torch.dtype) -> None:
        super().__init__(module, dtype)
        self.others = sorted({name for node in module.graph.nodes if (name := _name(node)) in _BY_KERNELS})

    def run_node(self, n: fx.Node) -> Any:
        name = _name(n)
        if name in _BY_KERNELS:
            args, kwargs = self.fetch_args_kwargs_from_env(n)
            if isinstance(args[0], Tensor) and args[0].is_floating_point():
                try:
                    return self._wide(_BY_KERNELS[name](*args, **kwargs))
                except TypeError:  # arguments that the form does not have
                    pass
        return super().run_node(n)


def of_passes(module: fx.GraphModule, path: Path) -> fx.GraphModule | None:
    """The graph at this path with the passes of its task. None where there are none, or where none matches."""
    directory = next((each / "pass_dir" for each in path.parents if (each / "pass_dir").is_dir()), None)
    if directory is None or not any(directory.glob("*.json")):
        return None
    loaded = load_rules(read_pass_set(directory), "cpu")
    for error in loaded.failed:
        raise error
    found = rewrite(module, loaded.rules)
    return found.gm if found.total else None


def _listed(made: Any) -> list[Tensor]:
    return list(made) if isinstance(made, (tuple, list)) else [made]


def _name(node: fx.Node) -> str:
    if node.op == "call_method":
        return str(node.target)
    return op_leaf(getattr(node.target, "__name__", str(node.target))) if node.op == "call_function" else ""


def _exp(x: Tensor) -> Tensor:
    return torch.exp2(x * _LOG2_E)


def _sigmoid(x: Tensor) -> Tensor:
    return 1.0 / (1.0 + _exp(-x))


def _softmax(x: Tensor, dim: int, _stacklevel: int = 3, dtype: torch.dtype | None = None) -> Tensor:
    e = _exp(x - x.amax(dim, keepdim=True))
    return e * (1.0 / e.sum(dim, keepdim=True))


def _logsumexp(x: Tensor, dim: int, keepdim: bool = False) -> Tensor:
    most = x.amax(dim, keepdim=True)
    found = most + torch.log(_exp(x - most).sum(dim, keepdim=True))
    return found if keepdim else found.squeeze(dim)


def _log_softmax(x: Tensor, dim: int, _stacklevel: int = 3, dtype: torch.dtype | None = None) -> Tensor:
    return x - _logsumexp(x, dim, True)


def _gelu(x: Tensor, *, approximate: str = "none") -> Tensor:
    if approximate == "tanh":
        return x * _sigmoid(2.0 * math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x))
    return 0.5 * x * (1.0 + torch.erf(x * math.sqrt(0.5)))


def _layer_norm(
    x: Tensor, shape: tuple[int, ...], weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    dims, share = tuple(range(-len(shape), 0)), 1.0 / math.prod(shape)
    centred = x - x.sum(dims, keepdim=True) * share
    out = centred * torch.rsqrt((centred * centred).sum(dims, keepdim=True) * share + eps)
    out = out if weight is None else out * weight
    return out if bias is None else out + bias


def _batch_norm(
    x: Tensor, mean: Tensor, var: Tensor, weight: Tensor | None = None, bias: Tensor | None = None,
    training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    if training:
        raise TypeError("statistics of its own")
    form = (1, -1, *(1,) * (x.dim() - 2))
    factor = torch.rsqrt(var + eps) if weight is None else torch.rsqrt(var + eps) * weight
    shift = -mean * factor if bias is None else bias - mean * factor
    return x * factor.reshape(form) + shift.reshape(form)


def _mean(x: Tensor, dim: int | tuple[int, ...], keepdim: bool = False) -> Tensor:
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    return x.sum(dims, keepdim=keepdim) * (1.0 / math.prod(x.shape[each] for each in dims))


def _divided(x: Tensor, other: float) -> Tensor:
    if isinstance(other, Tensor) or not other:
        raise TypeError("no number")
    return x * (1.0 / other)


def _softplus(x: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    return torch.where(x * beta > threshold, x, torch.log1p(_exp(x * beta)) * (1.0 / beta))


def _normalize(x: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    if p != 2.0:
        raise TypeError("another norm")
    return x * torch.rsqrt((x * x).sum(dim, keepdim=True).clamp_min(eps * eps))


_BY_KERNELS: dict[str, Replaced] = {
    "softmax": _softmax,
    "log_softmax": _log_softmax,
    "logsumexp": _logsumexp,
    "sigmoid": _sigmoid,
    "silu": lambda x, inplace=False: x * _sigmoid(x),
    "exp": _exp,
    "gelu": _gelu,
    "layer_norm": _layer_norm,
    "batch_norm": _batch_norm,
    "mean": _mean,
    "truediv": _divided,
    "div": _divided,
    "softplus": _softplus,
    "normalize": _normalize,
    "hardswish": lambda x, inplace=False: x * torch.clamp(x + 3.0, 0.0, 6.0) * (1.0 / 6.0),
    "hardsigmoid": lambda x, inplace=False: torch.clamp(x + 3.0, 0.0, 6.0) * (1.0 / 6.0),
}
