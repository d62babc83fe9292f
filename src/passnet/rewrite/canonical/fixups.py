"""Rows that bring one operation's several signatures to one: each takes a bound call and returns name and arguments."""

from __future__ import annotations

from collections.abc import Callable

from passnet.rewrite.canonical.shape_args import form
from passnet.rewrite.canonical.values import Value

Args = dict[str, Value]
Fixup = Callable[[str, Args], tuple[str, Args]]


def _view(name: str, args: Args) -> tuple[str, Args]:
    size = args.get("size", args.get("shape"))
    if not isinstance(size, tuple):
        return name, args
    return "reshape", {"input": args["input"], "size": form("size", size)}


def _flatten(name: str, args: Args) -> tuple[str, Args]:
    if "start_dim" not in args:
        return name, args
    return "reshape", {"input": args["input"], "size": form("flatten", args["start_dim"], args["end_dim"])}


def _unflatten(name: str, args: Args) -> tuple[str, Args]:
    sizes = args.get("sizes")
    if not isinstance(sizes, tuple) or not isinstance(args.get("dim"), int):
        return name, args
    return "reshape", {"input": args["input"], "size": form("unflatten", args["dim"], sizes)}


def _transpose(name: str, args: Args) -> tuple[str, Args]:
    pair = [value for key, value in args.items() if key != "input"]
    return "permute", {"input": args["input"], "dims": form("swap", *pair)}


def _t(name: str, args: Args) -> tuple[str, Args]:
    return "permute", {"input": args["input"], "dims": form("reverse")}


def _permute(name: str, args: Args) -> tuple[str, Args]:
    dims = args["dims"]
    if isinstance(dims, tuple) and dims[:1] == ("form",):
        return name, args
    return name, {"input": args["input"], "dims": form("order", dims)}


def _split(name: str, args: Args) -> tuple[str, Args]:
    kind = "chunk" if name == "chunk" else "split"
    return "split", {
        "input": args["input"],
        "sections": form(kind, args["sections"]),
        "dim": args.get("dim", 0),
    }


def _pool_stride(name: str, args: Args) -> tuple[str, Args]:
    if args.get("stride") in (None, ()):
        args = {**args, "stride": args.get("kernel_size")}
    return name, args


def _variance(name: str, args: Args) -> tuple[str, Args]:
    args = dict(args)
    unbiased = args.pop("unbiased", None)
    if args.get("correction") is None:
        args["correction"] = 1 if unbiased is None else int(bool(unbiased))
    args.setdefault("dim", None)
    return name, args


def _binary_extremum(name: str, args: Args) -> tuple[str, Args]:
    return ({"max": "maximum", "min": "minimum"}[name], args) if "other" in args else (name, args)


def _matmul(name: str, args: Args) -> tuple[str, Args]:
    if not {"input", "other"} <= args.keys():
        return name, args
    return "matmul", {"input": args["input"], "other": args["other"], "form": name}


def _rsub(name: str, args: Args) -> tuple[str, Args]:
    if args.get("alpha", 1) != 1:
        return name, args
    return "sub", {"input": args["other"], "other": args["input"]}


def _square(name: str, args: Args) -> tuple[str, Args]:
    return "pow", {"input": args["input"], "exponent": 2}


def _clamp_one_side(name: str, args: Args) -> tuple[str, Args]:
    low = name == "clamp_min"
    value = args["min"] if low else args["max"]
    return "clamp", {"input": args["input"], "min": value if low else None, "max": None if low else value}


def _relu6(name: str, args: Args) -> tuple[str, Args]:
    return "hardtanh", {"input": args["input"], "min_val": 0.0, "max_val": 6.0}


def _several_tensors(name: str, args: Args) -> tuple[str, Args]:
    """`meshgrid(a, b)` and `meshgrid([a, b])`."""
    tensors = args.get("tensors")
    if isinstance(tensors, tuple) and len(tensors) == 1 and isinstance(tensors[0], tuple):
        return name, {**args, "tensors": tensors[0]}
    return name, args


def _einsum(name: str, args: Args) -> tuple[str, Args]:
    tensors = args.get("tensors", ())
    if isinstance(tensors, tuple) and len(tensors) == 1 and isinstance(tensors[0], tuple):
        tensors = tensors[0]
    equation = args.get("equation")
    if isinstance(equation, str):
        return name, {"equation": equation.replace(" ", ""), "tensors": tensors}
    parts = args.get("args")
    if isinstance(parts, tuple) and parts and isinstance(parts[0], str):
        inner = parts[1] if len(parts) == 2 and isinstance(parts[1], tuple) else parts[1:]
        return name, {"equation": parts[0].replace(" ", ""), "tensors": inner}
    return name, args


def _getitem(name: str, args: Args) -> tuple[str, Args]:
    """`x[:, None]` is `unsqueeze(1)`. Trailing full slices have no effect."""
    index = args["index"]
    items = index if isinstance(index, tuple) and index[:1] != ("slice",) else (index,)
    inserted = _inserted_dim(items)
    if inserted is not None:
        return "unsqueeze", {"input": args["input"], "dim": inserted}
    while len(items) > 1 and (_is_full(items[-1]) or items[-1] is Ellipsis):
        items = items[:-1]
    return name, {"input": args["input"], "index": items[0] if len(items) == 1 else items}


def _is_full(item: Value) -> bool:
    return bool(item == ("slice", None, None, None))


def _inserted_dim(items: tuple[Value, ...]) -> int | None:
    if sum(item is None for item in items) != 1 or not all(
        item is None or item is Ellipsis or _is_full(item) for item in items
    ):
        return None
    where = next(i for i, item in enumerate(items) if item is None)
    dots = next((i for i, item in enumerate(items) if item is Ellipsis), len(items))
    return where if where < dots else where - len(items)


def _reduction(name: str, args: Args) -> tuple[str, Args]:
    if set(args) - {"input", "dim", "keepdim", "dtype"}:
        return name, args
    return name, {"dim": None, "keepdim": False, **args}


def _pad(name: str, args: Args) -> tuple[str, Args]:
    """One signature has a float for what is filled in, the other any number."""
    value = args.get("value")
    return name, {**args, "value": float(value)} if isinstance(value, int) else args


def _squeeze(name: str, args: Args) -> tuple[str, Args]:
    dim = args.get("dim")
    return name, {"input": args["input"], "dim": (dim,) if isinstance(dim, int) else dim}


FIXUPS: dict[str, Fixup] = {
    "view": _view,
    "reshape": _view,
    "_unsafe_view": _view,
    "flatten": _flatten,
    "unflatten": _unflatten,
    "transpose": _transpose,
    "t": _t,
    "numpy_T": _t,
    "permute": _permute,
    "split": _split,
    "split_with_sizes": _split,
    "chunk": _split,
    "max_pool1d": _pool_stride,
    "max_pool2d": _pool_stride,
    "max_pool3d": _pool_stride,
    "avg_pool1d": _pool_stride,
    "avg_pool2d": _pool_stride,
    "avg_pool3d": _pool_stride,
    "var": _variance,
    "std": _variance,
    "var_mean": _variance,
    "std_mean": _variance,
    "max": _binary_extremum,
    "min": _binary_extremum,
    "matmul": _matmul,
    "mm": _matmul,
    "bmm": _matmul,
    "rsub": _rsub,
    "square": _square,
    "clamp_min": _clamp_one_side,
    "clamp_max": _clamp_one_side,
    "relu6": _relu6,
    "einsum": _einsum,
    "meshgrid": _several_tensors,
    "broadcast_tensors": _several_tensors,
    "block_diag": _several_tensors,
    "cartesian_prod": _several_tensors,
    "atleast_1d": _several_tensors,
    "atleast_2d": _several_tensors,
    "atleast_3d": _several_tensors,
    "getitem": _getitem,
    "pad": _pad,
    "squeeze": _squeeze,
    "sum": _reduction,
    "mean": _reduction,
}
