"""Finds the role of each input (norm weight, variance, bias, index, ...) from its uses and its name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum

from passnet.graph.tensors.spec import TensorSpec
from passnet.graph.text.program import Op, ParsedModel, Ref
from passnet.op_classes import LIBRARY, RESHAPES, VIEWS, word_set


class Role(StrEnum):
    """The role of an input. It decides how the values are drawn where the metadata leaves them open."""

    DATA = "data"
    WEIGHT = "weight"
    NORM_SCALE = "norm_scale"
    BIAS = "bias"
    MEAN = "mean"
    VARIANCE = "variance"
    EPSILON = "epsilon"


# (last part of the target, argument position or keyword) -> role of that argument.  Namespaced rows win.
_USES: Mapping[tuple[str, int | str], Role] = {
    ("torch.nn.functional.batch_norm", 1): Role.MEAN,
    ("torch.nn.functional.batch_norm", 2): Role.VARIANCE,
    ("torch.nn.functional.batch_norm", 3): Role.NORM_SCALE,
    ("torch.nn.functional.batch_norm", 4): Role.BIAS,
    ("torch.nn.functional.batch_norm", 7): Role.EPSILON,
    ("torch.nn.functional.instance_norm", 1): Role.MEAN,
    ("torch.nn.functional.instance_norm", 2): Role.VARIANCE,
    ("torch.nn.functional.instance_norm", 3): Role.NORM_SCALE,
    ("torch.nn.functional.instance_norm", 4): Role.BIAS,
    ("torch.batch_norm", 1): Role.NORM_SCALE,
    ("torch.batch_norm", 2): Role.BIAS,
    ("torch.batch_norm", 3): Role.MEAN,
    ("torch.batch_norm", 4): Role.VARIANCE,
    ("torch.instance_norm", 1): Role.NORM_SCALE,
    ("torch.instance_norm", 2): Role.BIAS,
    ("torch.instance_norm", 3): Role.MEAN,
    ("torch.instance_norm", 4): Role.VARIANCE,
    ("layer_norm", 2): Role.NORM_SCALE,
    ("layer_norm", 3): Role.BIAS,
    ("layer_norm", 4): Role.EPSILON,
    ("group_norm", 2): Role.NORM_SCALE,
    ("group_norm", 3): Role.BIAS,
    ("group_norm", 4): Role.EPSILON,
    ("rms_norm", 2): Role.NORM_SCALE,
    ("rms_norm", 3): Role.EPSILON,
    ("linear", 1): Role.WEIGHT,
    ("linear", 2): Role.BIAS,
    ("embedding", 1): Role.WEIGHT,
    ("multi_head_attention_forward", 5): Role.WEIGHT,
    ("multi_head_attention_forward", 6): Role.BIAS,
    ("multi_head_attention_forward", 11): Role.WEIGHT,
    ("multi_head_attention_forward", 12): Role.BIAS,
    ("rsqrt", 0): Role.VARIANCE,
    ("sqrt", 0): Role.VARIANCE,
    ("log", 0): Role.VARIANCE,
    **{(f"conv{kind}{n}d", 1): Role.WEIGHT for kind in ("", "_transpose") for n in (1, 2, 3)},
    **{(f"conv{kind}{n}d", 2): Role.BIAS for kind in ("", "_transpose") for n in (1, 2, 3)},
}
_KEYWORDS: Mapping[str, Role] = {
    "running_mean": Role.MEAN,
    "running_var": Role.VARIANCE,
    "bias": Role.BIAS,
    "eps": Role.EPSILON,
}
# Operations whose result has the same role as their first operand.
_TRANSPARENT = RESHAPES | word_set(
    "to float half bfloat16 double contiguous type_as detach clone item view_as reshape_as getitem _local_scalar_dense"
)
_STRONGEST_FIRST = (Role.VARIANCE, Role.EPSILON, Role.NORM_SCALE, Role.MEAN, Role.BIAS, Role.WEIGHT)

_NAMES: tuple[tuple[re.Pattern[str], Role], ...] = tuple(
    (re.compile(pattern), role)
    for pattern, role in (
        (r"running_var|moving_var|variance", Role.VARIANCE),
        (r"running_mean|moving_mean", Role.MEAN),
        (r"(^|_)eps(ilon)?_?$", Role.EPSILON),
        (r"bias_?$", Role.BIAS),
        (r"(norm|_bn|_ln)\w*_weight_?$|gamma_?$", Role.NORM_SCALE),
        (r"_parameters_|^w_\d+$", Role.WEIGHT),
    )
)


def roles_of(program: ParsedModel, specs: tuple[TensorSpec, ...]) -> tuple[Role, ...]:
    """The role of each input in signature order: from its use if possible, else from its name, else from
    its metadata.
    """
    used = _real_roles(program, specs)
    return tuple(used.get(index) or _role_by_name(spec) for index, spec in enumerate(specs))


def _real_roles(program: ParsedModel, specs: tuple[TensorSpec, ...], without: str = "") -> Mapping[int, Role]:
    """The roles by use. Complex numbers have logarithms and roots on all sides of zero."""
    used = _roles_by_use(program, without)
    return {
        i: role for i, role in used.items() if not (role is Role.VARIANCE and i < len(specs) and specs[i].is_complex)
    }


def flowing(program: ParsedModel, specs: tuple[TensorSpec, ...]) -> frozenset[int]:
    """The inputs whose numbers flow through the graph, as far as their roles tell.

    These are data, rows of a table that are looked up and nothing else, and what only its bounds make a variance: the
    output of a `relu` has the same. What merely has the name of a parameter, and is as large as data, is data.
    """
    used, otherwise = _real_roles(program, specs), _real_roles(program, specs, without="embedding")
    found = {
        index
        for index, spec in enumerate(specs)
        if index not in otherwise and (index in used or _by_its_name(spec) is None)
    }
    return frozenset(found | _only_named_so(program, specs, found))


def _only_named_so(program: ParsedModel, specs: tuple[TensorSpec, ...], flows: set[int]) -> set[int]:
    """The inputs of which nothing but the name tells a role, and that are no smaller than all that flows.

    Vectors and the factors of products may be parameters. Where nothing else flows, the largest of them do.
    """
    used = _roles_by_use(program)
    named = {
        index: spec.numel
        for index, spec in enumerate(specs)
        if index not in used and index not in flows and spec.is_floating and len(spec.shape) > 1
    }
    floats = [specs[index].numel for index in flows if specs[index].is_floating or specs[index].is_complex]
    largest = max(floats or named.values(), default=0)
    left = {index for index, numel in named.items() if numel >= largest}
    return left - _factors(program) if left and floats else left


def _factors(program: ParsedModel) -> set[int]:
    """The values that are operands of products and convolutions, as they are or turned."""
    found: set[int] = set()
    for number, op in reversed(list(enumerate(program.ops))):
        turned = op.leaf in _TRANSPARENT | VIEWS and len(program.params) + number in found
        if op.leaf in LIBRARY or turned:
            found |= {value.index for value in op.args[: 1 if turned else None] if isinstance(value, Ref)}
    return found


def _roles_by_use(program: ParsedModel, without: str = "") -> Mapping[int, Role]:
    """Value index -> strongest role of any use. Transparent operations are followed backwards. `without`: an operation
    whose uses do not count. Computed once, because every draw of an input asks.
    """
    known: dict[str, Mapping[int, Role]] = program.__dict__.setdefault("_roles_by_use", {})
    if without not in known:
        known[without] = _read_roles(program, without)
    return known[without]


def _read_roles(program: ParsedModel, without: str) -> dict[int, Role]:
    roles: dict[int, Role] = {}
    for number, op in reversed(list(enumerate(program.ops))):
        if op.leaf == without:
            continue
        result = roles.get(len(program.params) + number)
        for index, role in _argument_roles(op, result):
            known = roles.get(index)
            if known is None or _STRONGEST_FIRST.index(role) < _STRONGEST_FIRST.index(known):
                roles[index] = role
    return roles


def _argument_roles(op: Op, result: Role | None) -> Iterator[tuple[int, Role]]:
    for position, value in enumerate(op.args):
        if isinstance(value, Ref):
            role = _USES.get((op.target, position)) or _USES.get((op.leaf, position))
            if role is None and position == 0 and _passes(op, result):
                role = result
            if role is not None:
                yield value.index, role
    for keyword, value in op.kwargs:
        if isinstance(value, Ref) and keyword in _KEYWORDS:
            yield value.index, _KEYWORDS[keyword]


def _passes(op: Op, result: Role | None) -> bool:
    """Whether the first operand keeps the role.  This includes `variance + eps` for a constant eps."""
    shifted = op.leaf == "add" and result is Role.VARIANCE and not any(isinstance(a, Ref) for a in op.args[1:])
    return shifted or op.leaf in _TRANSPARENT


def _role_by_name(spec: TensorSpec) -> Role:
    return _by_its_name(spec) or (Role.VARIANCE if _is_bounded_at_zero(spec) else Role.DATA)


def _by_its_name(spec: TensorSpec) -> Role | None:
    """A tensor of several elements is no epsilon: a diffusion model calls noise so."""
    name = (spec.original_name or spec.name).lower()
    found = next((role for pattern, role in _NAMES if pattern.search(name)), None)
    return None if found is Role.EPSILON and spec.numel > 1 else found


def _is_bounded_at_zero(spec: TensorSpec) -> bool:
    """Bounds at zero were added by hand to running variances and similar inputs."""
    return spec.is_floating and spec.min_val == 0 and spec.max_val is None
