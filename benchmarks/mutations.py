"""One wrong operation in a graph: what an author may leave out, narrow, or know by heart. Used by `mutants.py`.

A mutation is made of a call's result and of its arguments. So a graph runs as it is but for one statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

# What is wrong, and what the statement gives then.
Mutation = tuple[str, Callable[[], Any]]
_CLIPS, _SMALL, _CURVE_ENDS, _EPS_TIMES = (20.0, 1000.0), 1e-4, (4.0, 12.0), (0.0, 100.0)
_AT_EQUALITY = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt"}
_ROUNDING = ("floor", "ceil", "round", "trunc")
# Where weight, bias and eps stand in a call.
_NORM_PLACES = {"layer_norm": (2, 3, 4), "group_norm": (2, 3, 4), "batch_norm": (3, 4, 7), "rms_norm": (2, None, 3)}


@dataclass(frozen=True)
class Called:
    """A call as it was made. `name`: of the operation, without underscores. `run`: the operation."""

    name: str
    out: Any
    args: Sequence[Any]
    kwargs: Mapping[str, Any]
    run: Callable[..., Any]

    def given(self, place: int, name: str) -> Any:
        """An argument by place or by name. None where there is none."""
        return self.args[place] if len(self.args) > place else self.kwargs.get(name)

    def again(self, *args: Any) -> Any:
        return self.run(*args, **self.kwargs)

    def like(self, value: Any) -> torch.Tensor:
        """The value in the form of the result."""
        made = value if isinstance(value, torch.Tensor) else torch.tensor(value)
        return made.to(self.out.dtype).expand(self.out.shape).clone()


def mutations(call: Called) -> Iterator[Mutation]:
    """All that may be wrong with this call."""
    if isinstance(call.out, torch.Tensor) and call.out.numel() > 1:
        yield from _of_any_result(call.out)
    own = _OWN.get(call.name)
    if own is not None:
        yield from own(call)


def _of_any_result(out: torch.Tensor) -> Iterator[Mutation]:
    if out.dtype == torch.bool:
        yield "always true", lambda: torch.ones_like(out)
        yield "never true", lambda: torch.zeros_like(out)
        yield "as the first of its row", lambda: out[..., :1].expand_as(out).clone()
    elif out.dtype.is_floating_point:
        for most in _CLIPS:
            yield f"clipped at {most:g}", lambda most=most: out.clamp(-most, most)  # type: ignore[misc]
        yield "nothing negative", lambda: out.clamp(min=0)
        yield "what is small is zero", lambda: torch.where(out.abs() < _SMALL, torch.zeros_like(out), out)
        if out.dtype == torch.float32:
            yield "rounded to bfloat16", lambda: out.bfloat16().float()
    elif not out.dtype.is_complex:
        yield "nothing negative", lambda: out.clamp(min=0)
        yield "eight bits", lambda: out & 255
        if out.element_size() > 2:
            yield "sixteen bits", lambda: out.to(torch.int16).to(out.dtype)
    if out.dim() > 1 and out.shape[0] > 1:
        yield "the first row for all", lambda: out[:1].expand_as(out).clone()


def _pair(call: Called) -> Iterator[Mutation]:
    if len(call.args) < 2:
        return
    one, other = call.args[:2]
    if isinstance(one, torch.Tensor):
        yield "without the second", lambda: call.like(one)
    if not isinstance(other, torch.Tensor):
        return
    yield "without the first", lambda: call.like(other)
    if call.name == "mul" and isinstance(one, torch.Tensor):
        yield "the second as a mark", lambda: call.again(one, (other != 0).to(other.dtype))
    if other.dim() > 1 and other.shape[0] > 1:
        yield "the second's first row", lambda: call.again(one, other[:1].expand_as(other))
    if other.dim() and other.shape[-1] > 1:
        yield "the second's first column", lambda: call.again(one, other[..., :1].expand_as(other))


def _order(call: Called) -> Iterator[Mutation]:
    yield "otherwise where equal", lambda: getattr(torch, _AT_EQUALITY[call.name])(*call.args[:2])


def _where(call: Called) -> Iterator[Mutation]:
    if len(call.args) == 3:
        yield "always the first", lambda: call.like(call.args[1])
        yield "always the second", lambda: call.like(call.args[2])


def _clamp(call: Called) -> Iterator[Mutation]:
    low, high = call.given(1, "min"), call.given(2, "max")
    if low is not None:
        yield "no lower end", lambda: call.args[0].clone() if high is None else call.args[0].clamp(max=high)
    if high is not None:
        yield "no upper end", lambda: call.args[0].clone() if low is None else call.args[0].clamp(min=low)


def _left_out(call: Called) -> Iterator[Mutation]:
    yield "left out", lambda: call.like(call.args[0])


def _reduction(call: Called) -> Iterator[Mutation]:
    tensor, dim = call.args[0], call.given(1, "dim")
    dim = dim[0] if isinstance(dim, (tuple, list)) and dim else dim
    if not isinstance(dim, int) or isinstance(dim, bool) or not isinstance(tensor, torch.Tensor) or not tensor.dim():
        return
    size = tensor.shape[dim]
    rest = call.args[1:]
    if call.name in ("argmax", "argmin"):
        yield "the last of equals", lambda: size - 1 - call.again(tensor.flip(dim), *rest)
    if size < 4:
        return
    twice = 2 if call.name == "sum" and call.out.dtype.is_floating_point else 1

    def part(begin: int, length: int, times: int) -> Any:
        some = call.again(tensor.narrow(dim, begin, length), *rest)
        return some * times if times > 1 else some

    yield "of the first half", lambda: part(0, size // 2, twice)
    yield "of the second half", lambda: part(size - size // 2, size // 2, twice)
    yield "without the last", lambda: part(0, size - 1, 1)


def _softmax(call: Called) -> Iterator[Mutation]:
    dim, wide = call.given(1, "dim"), call.args[0].float()

    def shifted(by: Any, values: torch.Tensor = wide) -> torch.Tensor:
        powers = (values - by).exp()
        shares = powers / powers.sum(dim, keepdim=True)
        return (shares.log() if call.name == "log_softmax" else shares).to(call.out.dtype)

    def most(size: int) -> torch.Tensor:
        return wide.narrow(dim, 0, size).amax(dim, keepdim=True)

    size = wide.shape[dim]
    yield "without the maximum", lambda: shifted(0.0)
    yield "a maximum of zero at least", lambda: shifted(most(size).clamp(min=0))
    yield "the maximum of the first half", lambda: shifted(most(max(1, size // 2)))
    yield "what is far below is nothing", lambda: shifted(most(size), torch.where(wide < -1e4, -torch.inf, wide))


def _norm(call: Called) -> Iterator[Mutation]:
    weight, bias, eps = _NORM_PLACES[call.name]

    def with_other(place: int, value: Any) -> Any:
        return call.again(*call.args[:place], value, *call.args[place + 1 :])

    for what, place in (("weight", weight), ("bias", bias)):
        if place is not None and len(call.args) > place and call.args[place] is not None:
            yield f"without {what}", lambda place=place: with_other(place, None)  # type: ignore[misc]
    if len(call.args) > eps and isinstance(call.args[eps], float):
        for times in _EPS_TIMES:
            yield f"eps times {times:g}", lambda times=times: with_other(eps, call.args[eps] * times)  # type: ignore[misc]


def _product(call: Called) -> Iterator[Mutation]:
    if call.given(2, "bias") is not None:
        kwargs = {name: value for name, value in call.kwargs.items() if name != "bias"}
        yield "without bias", lambda: call.run(*call.args[:2], None, *call.args[3:], **kwargs)


def _embedding(call: Called) -> Iterator[Mutation]:
    ids, table = call.args[:2]
    last = table.shape[0] - 1
    yield "the first half of the table", lambda: functional.embedding(ids.clamp(max=last // 2), table)
    if last:
        yield "without the table's last row", lambda: functional.embedding(ids.clamp(max=last - 1), table)
    if ids.dim() and ids.shape[0] > 1:
        yield "ids of the first row", lambda: functional.embedding(ids[:1].expand_as(ids), table)


def _cumulative(call: Called) -> Iterator[Mutation]:
    tensor, rest = call.args[0], call.args[1:]
    yield "of ones", lambda: call.again(torch.ones_like(tensor), *rest)
    yield "of each row's first", lambda: call.again(tensor[..., :1].expand_as(tensor), *rest)


def _rounding(call: Called) -> Iterator[Mutation]:
    yield from _left_out(call)
    for other in _ROUNDING:
        if other != call.name:
            yield other, lambda other=other: getattr(torch, other)(call.args[0])  # type: ignore[misc]
    if call.name == "round":
        yield "halves go up", lambda: torch.floor(call.args[0] + 0.5)


def _curve(call: Called) -> Iterator[Mutation]:
    tensor, rest = call.args[0], call.args[1:]
    for end in _CURVE_ENDS:
        yield f"of at least -{end:g}", lambda end=end: call.again(tensor.clamp(min=-end), *rest)  # type: ignore[misc]
        yield f"of at most {end:g}", lambda end=end: call.again(tensor.clamp(max=end), *rest)  # type: ignore[misc]
    if call.name == "gelu":
        other = "none" if call.kwargs.get("approximate") == "tanh" else "tanh"
        yield "the other form", lambda: functional.gelu(tensor, approximate=other)


def _padding(call: Called) -> Iterator[Mutation]:
    if call.given(3, "value"):
        yield "with zeros", lambda: functional.pad(call.args[0], call.args[1])


def _chosen(call: Called) -> Iterator[Mutation]:
    tensor, rest = call.args[0], call.args[1:]

    def late() -> Any:
        values, places = call.again(tensor.flip(-1), *rest)
        return values, tensor.shape[-1] - 1 - places

    yield "the last of equals", late


def _joined(call: Called) -> Iterator[Mutation]:
    parts, rest = list(call.args[0]), call.args[1:]
    if len(parts) > 1 and parts[0].shape == parts[1].shape:
        yield "two exchanged", lambda: call.again([parts[1], parts[0], *parts[2:]], *rest)
        yield "the first twice", lambda: call.again([parts[0], parts[0], *parts[2:]], *rest)


_OWN: dict[str, Callable[[Called], Iterator[Mutation]]] = {
    **dict.fromkeys(("add", "sub", "mul", "div", "truediv", "pow", "maximum", "minimum", "and", "or"), _pair),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "logical_and", "logical_or"), _pair),
    **dict.fromkeys(_AT_EQUALITY, _order),
    "where": _where,
    "clamp": _clamp,
    **dict.fromkeys(("masked_fill", "clamp_min", "relu", "relu6", "hardtanh", "leaky_relu", "abs", "neg"), _left_out),
    **dict.fromkeys(("exp", "log", "sqrt", "rsqrt", "square", "roll", "flip", "tril", "triu"), _left_out),
    **dict.fromkeys(("sum", "mean", "amax", "amin", "any", "all", "logsumexp", "prod", "max", "min"), _reduction),
    **dict.fromkeys(("var", "std", "argmax", "argmin"), _reduction),
    **dict.fromkeys(("softmax", "log_softmax"), _softmax),
    **dict.fromkeys(_NORM_PLACES, _norm),
    **dict.fromkeys(("linear", "conv1d", "conv2d", "conv3d"), _product),
    "embedding": _embedding,
    **dict.fromkeys(("cumsum", "cumprod"), _cumulative),
    **dict.fromkeys(_ROUNDING, _rounding),
    **dict.fromkeys(("gelu", "silu", "sigmoid", "tanh", "softplus", "elu", "hardswish", "hardsigmoid"), _curve),
    **dict.fromkeys(("mish", "erf", "logsigmoid"), _curve),
    "pad": _padding,
    "topk": _chosen,
    **dict.fromkeys(("cat", "stack"), _joined),
}
