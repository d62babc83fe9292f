"""Makes the inputs of a graph from its metadata. By default an input is constant only if the real tensor is.

Values are drawn on the CPU with NumPy's PCG64, with one stream per (seed, input index), and then moved. A seed gives
the same values on every device, and the values of one input do not depend on the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import torch
from numpy.typing import NDArray

from passnet.errors import UsageError
from passnet.graph.tensors.spec import TensorSpec
from passnet.graph.values.constants import stored
from passnet.graph.values.finite import NOT_FINITE, asked
from passnet.graph.values.hiding import MASKS_ALONE, folded, hidden_value
from passnet.graph.values.indexing import free_integers
from passnet.graph.values.left_out import SHARE, labels_left_out, with_classes_alone
from passnet.graph.values.roles import Role, flowing, roles_of
from passnet.graph.values.searched import in_search_order
from passnet.graph.values.standing_out import base, far_in_rows, far_in_whole, noise
from passnet.graph.values.wide_integers import wide
from passnet.op_classes import REDUCTIONS, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

Policy = Literal["default", "published"]
Distribution = Literal[
    "normal", "uniform", "small", "large", "sparse", "extreme", "offset", "negative", "tiny", "outliers", "dominated",
    "wide", "vast", "nonfinite",
]  # fmt: skip

Array = NDArray[Any]
Draw = Callable[[np.random.Generator, tuple[int, ...], Any], Array]

# Outliers are so few and so far out that a sample of a row says nothing about the other elements.
_OUTLYING, _FAR = 1 / 256, 128.0
# So many numbers are not finite where a graph asks for such.
_NOT_FINITE = 1 / 64
# Standardised draws for each "distribution" (mean 0, variance about 1 except for outliers). See `_SCALES` for small and
# large.
_DRAWS: Mapping[str, Draw] = {
    "normal": lambda rng, shape, kind: rng.standard_normal(shape, dtype=kind),
    "uniform": lambda rng, shape, kind: (rng.random(shape, dtype=kind) * 2 - 1) * kind(math.sqrt(3)),
    "sparse": lambda rng, shape, kind: (
        rng.standard_normal(shape, dtype=kind) * (rng.random(shape, dtype=kind) < 0.5) * kind(math.sqrt(2))
    ),
    "outliers": lambda rng, shape, kind: (
        np.where(rng.random(shape) < _OUTLYING, kind(_FAR), kind(1)) * rng.standard_normal(shape, dtype=kind)
    ),
}
_SCALES: Mapping[str, float] = {"small": 1 / 32, "large": 4.0}
# Hard distributions: for each dtype the smallest standard deviation, and the mean in units of that deviation.
#
# - "extreme": the exponential of a row's largest element overflows if nothing was subtracted before. In float16 its
#   square overflows too.
# - "offset": all exponentials overflow, and those of the negated values vanish. The mean square minus the squared mean
#   cancels. The offset is small enough that a narrow dtype can still tell the values apart.
# - "negative": the same below zero. A maximum that starts at zero is none of the row's. Scales of norms have both
#   signs, and additive masks numbers of every size.
# - "tiny": what a graph adds to a variance, or the least that it divides by, decides.
# - "outliers": a few elements decide a row, and most of these elements are harmless.
_HARD: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "extreme": {"float64": (1024.0, 0.0), "float32": (128.0, 0.0), "float16": (128.0, 0.0), "bfloat16": (128.0, 0.0)},
    "offset": {"float64": (4.0, 256.0), "float32": (1.0, 128.0), "float16": (4.0, 32.0), "bfloat16": (32.0, 4.0)},
    "negative": {"float64": (4.0, -256.0), "float32": (1.0, -128.0), "float16": (4.0, -32.0), "bfloat16": (32.0, -8.0)},
    "outliers": {"float64": (8.0, 0.0), "float32": (1.0, 0.0), "float16": (1.0, 0.0), "bfloat16": (1.0, 0.0)},
}
# Standard deviations of "tiny" draws. In float16 these are subnormal numbers.
_TINY: Mapping[str, float] = {"float64": 1e-8, "float32": 1e-8, "float16": 2.0**-16, "bfloat16": 1e-8}
HARD_DISTRIBUTIONS: tuple[Distribution, ...] = ("extreme", "offset", "negative", "tiny", "outliers")
HARDENING = frozenset({*HARD_DISTRIBUTIONS, "dominated"})
# With "dominated" two elements decide a whole tensor: the sum of all others is far smaller.
_REDUCING = (REDUCTIONS - {"nansum", "nanmean"}) | word_set("""
argmax argmin batch_norm group_norm instance_norm layer_norm log_softmax max min norm normalize prod rms_norm softmax
vector_norm adaptive_avg_pool1d adaptive_avg_pool2d adaptive_max_pool1d adaptive_max_pool2d
""")
# The mean of recorded numbers is off by so many of its own deviations, where that of what they were drawn from is zero.
_CHANCE = 4.0
# One element of four is hidden where a tensor is made as a whole.
_SHOWN = 0.75
_EPSILON = 1e-6
# A prime, so that no row is like the row before it.
_DISTINCT = 131_071
_LEAST_DOMINATED = 1.0
# Integers of which nothing is known have up to so many bits. The squares of vast ones have more than 32, and more than
# float32 holds. They take no more than half of their own dtype's, so that squares in it are exact.
_INTEGER_BITS: Mapping[Distribution, int] = {"wide": 10, "vast": 17}
INTEGER_DISTRIBUTIONS = frozenset(_INTEGER_BITS)


def make_inputs(
    graph: Graph,
    seed: int,
    device: str | torch.device = "cpu",
    *,
    policy: Policy = "default",
    distribution: Distribution = "normal",
    samples: int | None = None,
    repeating: bool = False,
    every: bool = False,
) -> list[torch.Tensor]:
    """Fresh tensors in signature order.  The caller checks the sizes (`Graph.inputs` does).

    `policy` "published" replays the upstream harness and ignores `distribution`.  With `samples` each tensor is flat
    and holds that many values with the distribution of the input's elements. Of one whose structure `hides` these are
    the values that are shown. Stored content stays as it is.
    `repeating`: the numbers of a large tensor are a few that repeat, which takes less time. `every`: on hard draws
    weights and statistics are as hard as data is.
    Errors: `UsageError` for an unknown policy or distribution.
    """
    if policy not in get_args(Policy):
        raise UsageError("unknown input policy", expected=" or ".join(get_args(Policy)), found=policy)
    if distribution not in get_args(Distribution):
        raise UsageError("unknown distribution", expected=" or ".join(get_args(Distribution)), found=distribution)
    if policy == "published":
        from passnet.graph.values.published_inputs import replay

        return [tensor.to(device) for tensor in replay(graph.specs, seed)]
    left_out, graph = labels_left_out(graph), with_classes_alone(graph)
    roles = roles_of(graph.program, graph.specs)
    open_ended = any(spec.is_integer and spec.data is None and spec.max_val is None for spec in graph.specs)
    # Bounds that leave one value are those of one recorded call. On hard draws such an index is drawn like others.
    stuck = distribution in HARD_DISTRIBUTIONS and any(map(_is_stuck, graph.specs))
    rows = graph.index_bounds() if open_ended or stuck else {}
    free = free_integers(graph) if distribution in _INTEGER_BITS else {}
    every_kind = dict.fromkeys(range(len(graph.specs)), NOT_FINITE)
    odd = asked(graph) or every_kind if distribution == "nonfinite" else {}
    made, flows = [], hardened(graph, every=every)
    for index, (spec, role) in enumerate(zip(graph.specs, roles, strict=True)):
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed % 2**64, index])))
        maker = _Maker(spec, role, rng, distribution, rows.get(index), samples, index in flows, odd.get(index, ()))
        if repeating and maker.repeats:
            few = _Maker(spec, role, rng, distribution, rows.get(index), _DISTINCT, index in flows)
            made.append(_repeated(few.tensor().to(device), spec.shape))
            continue
        tensor = maker.wide(_INTEGER_BITS[distribution], positive=free[index]) if index in free else maker.tensor()
        if index in left_out and samples is None:
            tensor = _some_left_out(tensor, left_out[index].numbers, rng)
        made.append(tensor.to(device))
    return made if samples is not None else in_search_order(graph, made)


def _repeated(values: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """A tensor of this shape that holds these values again and again."""
    made = values.new_empty(math.prod(shape))
    whole = made.numel() // values.numel()
    made[: whole * values.numel()].view(whole, -1).copy_(values)
    made[whole * values.numel() :] = values[: made.numel() % values.numel()]
    return made.reshape(shape)


def _some_left_out(labels: torch.Tensor, numbers: Sequence[int], rng: np.random.Generator) -> torch.Tensor:
    """Labels of which a share is one of these numbers. Never all: the first one counts."""
    if not numbers or not labels.numel():
        return labels
    among = rng.random(tuple(labels.shape)) < 1 / SHARE
    among.flat[0] = False
    others = torch.from_numpy(np.asarray(rng.choice(numbers, tuple(labels.shape)))).to(labels.dtype)
    return torch.where(torch.from_numpy(np.asarray(among)), others, labels)


def even_integers(graph: Graph, distribution: Distribution) -> dict[int, tuple[int, int]]:
    """The integer inputs of which one number is as likely as another, and the least and the largest of these."""
    free = free_integers(graph) if distribution in _INTEGER_BITS else {}
    rows = graph.index_bounds() if any(spec.is_integer for spec in graph.specs) else {}
    found = {}
    for index, spec in enumerate(graph.specs):
        if spec.is_integer and index not in free:
            maker = _Maker(spec, Role.DATA, np.random.default_rng(0), distribution, rows.get(index))
            if maker.ranged or stored(spec) is None:
                found[index] = maker.integer_bounds()
    return found


def hard_distributions(graph: Graph) -> tuple[Distribution, ...]:
    """The distributions on which a graph is compared but not timed."""
    used = {op.leaf for op in graph.program.ops}
    more: list[Distribution] = []
    if used & _REDUCING:
        more.append("dominated")
    if free_integers(graph):
        more += _INTEGER_BITS
    if asked(graph):
        more.append("nonfinite")
    return (*HARD_DISTRIBUTIONS, *more)


def hardened(graph: Graph, *, every: bool = False) -> frozenset[int]:
    """The inputs that are hard on hard draws: those that flow through the graph, or all that have no fixed content.

    An epsilon stays what it is.
    """
    if not every:
        return flowing(graph.program, graph.specs)
    roles = roles_of(graph.program, graph.specs)
    return frozenset(
        index
        for index, (spec, role) in enumerate(zip(graph.specs, roles, strict=True))
        if spec.data is None and spec.scalar is None and role is not Role.EPSILON
    )


@dataclass(frozen=True)
class RowStructure:
    """Elements of an input that depend on their place. All other elements are drawn one by one.

    - `literal`: every element comes from the metadata.
    - `first`, `last`: the first and last element of each row. None where they are free.
    - `far`: these two stand out, and they do not belong to a mask.
    - `hides`: some elements are hidden by `last`, and all others are ordinary. Otherwise a mask is of these two alone.
    - `whole`: the row is the whole tensor.
    """

    literal: bool = False
    first: bool | float | complex | None = None
    last: bool | float | complex | None = None
    far: bool = False
    whole: bool = False
    hides: bool = False


def row_structure(
    spec: TensorSpec, role: Role, distribution: Distribution = "normal", *, flows: bool | None = None
) -> RowStructure:
    """The structure that `make_inputs` gives an input, whatever the seed. `flows`: see `hardened`."""
    flows = role is Role.DATA if flows is None else flows
    return _Maker(spec, role, np.random.default_rng(0), distribution, None, flows=flows).structure()


def row_structures(graph: Graph, distribution: Distribution = "normal", *, every: bool = False) -> list[RowStructure]:
    """The structure of every input of a graph."""
    roles, flows = roles_of(graph.program, graph.specs), hardened(graph, every=every)
    return [
        row_structure(spec, role, distribution, flows=index in flows)
        for index, (spec, role) in enumerate(zip(graph.specs, roles, strict=True))
    ]


def _is_stuck(spec: TensorSpec) -> bool:
    return spec.is_integer and spec.min_val is not None and spec.min_val == spec.max_val


class _Maker:
    """Makes one tensor."""

    def __init__(
        self,
        spec: TensorSpec,
        role: Role,
        rng: np.random.Generator,
        distribution: str,
        rows: int | None,
        samples: int | None = None,
        flows: bool = True,
        odd: Sequence[float] = (),
    ) -> None:
        self.hidden = hidden_value(spec, role)
        masks = self.hidden is not None and (flows or distribution not in HARDENING)
        if flows and role is not Role.DATA and distribution in HARDENING and hidden_value(spec, Role.DATA) is None:
            # A role keeps what eager needs to be finite, and no more.
            least = max(0.0, spec.min_val or 0.0) if role is Role.VARIANCE else spec.min_val
            spec, role = replace(spec, min_val=least), Role.DATA
        self.spec, self.role, self.rng, self.rows = spec, role, rng, rows
        # Numbers that are not finite belong to data without bounds.
        self.odd = odd if role is Role.DATA and (spec.min_val, spec.max_val) == (None, None) else ()
        self.flat = samples is not None
        self.shape = spec.shape if samples is None else (samples,)
        self.dtype: torch.dtype = getattr(torch, spec.dtype)
        # Only the data that flows through the graph changes its distribution. Weights and statistics keep theirs.
        self.distribution = distribution if role is Role.DATA or masks else "normal"
        self.both_signs = distribution == "negative" and role is Role.NORM_SCALE

    def tensor(self) -> torch.Tensor:
        spec = self.spec
        if self.ranged:
            return self.integers(*self.integer_bounds())
        if (content := stored(spec)) is not None:
            return self.literal(content)
        if spec.dtype == "bool":
            return torch.from_numpy(self.booleans())
        if spec.is_integer:
            return self.integers(*self.integer_bounds())
        if spec.is_complex:
            real, imaginary = self.floats(), self.floats()
            return torch.complex(real.to(torch.float64), imaginary.to(torch.float64)).to(self.dtype)
        return self.floats()

    @property
    def repeats(self) -> bool:
        """Whether a few of its numbers can stand for all: there are many, and no row has a structure."""
        spec = self.spec
        floats = not spec.is_integer and spec.dtype != "bool" and spec.numel > _DISTINCT
        return floats and self.hidden is None and self.structure() == RowStructure()

    @property
    def ranged(self) -> bool:
        """An integer input with stored bounds. The bounds are used even if content is stored too."""
        return self.spec.is_integer and self.spec.min_val is not None and self.spec.max_val is not None

    def structure(self) -> RowStructure:
        """A row of a mask must not hide everything or nothing: its first element is shown and its last one
        is hidden.
        """
        spec = self.spec
        if (spec.data is not None or spec.scalar is not None) and not self.ranged:
            return RowStructure(literal=True)
        if self.distribution == "dominated" and spec.numel > 1 and spec.is_inexact and self.hidden is None:
            return self.far(whole=True)
        if not spec.shape or spec.shape[-1] < 2:
            return RowStructure()
        # Integers may be a mask too. On usual draws no long row of theirs is all 0 or all 1.
        marks = self.ranged and (spec.min_val, spec.max_val) == (0, 1) and self.distribution in HARD_DISTRIBUTIONS
        if spec.dtype == "bool" or marks:
            return RowStructure(first=True, last=False)
        huge = self.hidden
        if huge is None:
            return self.far(whole=False) if self.distribution == "outliers" and spec.is_inexact else RowStructure()
        low, high = (
            _finite(bound, default) for bound, default in ((spec.min_val, -math.inf), (spec.max_val, math.inf))
        )
        first, last = (max(low, min(high, value)) for value in (0.0, huge))
        hides = self.distribution not in MASKS_ALONE
        return RowStructure(first=first, last=complex(last, last) if spec.is_complex else last, hides=hides)

    def far(self, *, whole: bool) -> RowStructure:
        mean, std = self.hardened(*self.moments())
        values = far_in_whole(self.spec, std) if whole else far_in_rows(self.spec, mean, std)
        return RowStructure() if values is None else RowStructure(False, *values, far=True, whole=whole)

    def literal(self, tensor: torch.Tensor) -> torch.Tensor:
        """The stored content.  An epsilon that was rounded to zero becomes small and positive again."""
        if self.role is Role.EPSILON and self.spec.is_floating and not tensor.any():
            return torch.full_like(tensor, _EPSILON)
        return tensor

    def integer_bounds(self) -> tuple[int, int]:
        """Inclusive bounds. A bound that the metadata does not give is guessed."""
        spec = self.spec
        if self.rows is not None and _is_stuck(spec) and self.distribution in HARD_DISTRIBUTIONS:
            return 0, max(0, self.rows - 1)
        low = int(spec.min_val) if spec.min_val is not None else 0
        if spec.max_val is not None:
            return min(low, int(spec.max_val)), int(spec.max_val)
        high = low + 1 if self.rows is None else max(low, self.rows - 1)
        return low, min(high, torch.iinfo(self.dtype).max)

    def integers(self, low: int, high: int) -> torch.Tensor:
        kind = np.uint64 if self.spec.dtype == "uint64" else np.int64
        values = self.rng.integers(low, high, size=self.shape, endpoint=True, dtype=kind)
        if values.size > 1 and low < high and values.min() == values.max():
            values.flat[0], values.flat[-1] = low, high
        return torch.from_numpy(self.with_ends(values)).to(self.dtype)

    def wide(self, bits: int, *, positive: bool) -> torch.Tensor:
        """Integers of all sizes up to so many bits, if the dtype can hold them."""
        signed = self.spec.dtype.startswith("int")
        most = 8 * self.dtype.itemsize - (1 if signed or self.dtype.itemsize == 8 else 0)
        bits = min(bits, most, max(_INTEGER_BITS["wide"], most // 2))
        return torch.from_numpy(wide(self.spec, self.rng, self.shape, bits, positive=positive)).to(self.dtype)

    def booleans(self) -> Array:
        """Random booleans with equal chances, except at the ends of rows."""
        return self.with_ends(np.asarray(self.rng.random(self.shape) < 0.5))

    def with_ends(self, values: Array) -> Array:
        """The values with the structure's first and last element in each row."""
        fixed = self.structure()
        if (fixed.far or fixed.hides) and self.flat:
            return values  # These few are put in when a row is drawn.
        rows = values.reshape(1, -1) if fixed.whole else values
        for place, value in ((0, fixed.first), (-1, fixed.last)):
            if value is not None:
                rows[..., place] = value.real
        return rows.reshape(values.shape)

    def floats(self) -> torch.Tensor:
        kind = np.float64 if self.spec.dtype in {"float64", "complex128"} else np.float32
        with np.errstate(over="ignore"):  # The values are clamped below.
            values = self.with_odd(self.bounded(self.values(kind)))
            tensor = torch.from_numpy(np.asarray(self.with_ends(values)))
        limit = torch.finfo(self.dtype).max
        # An infinity that was drawn stays. A number that the dtype cannot hold becomes the largest that it can hold.
        clamped = tensor.clamp(-limit, limit)
        infinite = bool(self.odd) or math.isinf(self.hidden or 0.0)
        tensor = torch.where(torch.isinf(tensor), tensor, clamped) if infinite else clamped
        return tensor if self.spec.is_complex else tensor.to(self.dtype)

    def with_odd(self, values: Array) -> Array:
        """The values with a few among them that are not finite, where a graph asks for such."""
        if not self.odd:
            return values
        among = self.rng.random(values.shape) < _NOT_FINITE
        if values.size > 1:
            among.flat[self.rng.integers(values.size)] = True
        return np.where(among, self.rng.choice(self.odd, values.shape), values).astype(values.dtype)

    def values(self, kind: Any) -> Array:
        """Numbers with the stored moments, before the bounds are applied."""
        if self.hidden is not None:
            return self.masked(kind, self.hidden)
        mean, std = self.moments()
        most = float(np.finfo(kind).max)
        if self.role is Role.VARIANCE:
            spread = min(max(std / mean, 0.1), 0.5)
            return np.asarray(kind(min(mean, most)) * np.exp(kind(spread) * self.draw(kind)))
        mean, std = self.hardened(mean, std)
        # Half of a sparse draw is the mean. A recorded one that chance explains is zero: else rows would be constants.
        if self.distribution == "sparse" and abs(mean) <= _CHANCE * std / math.sqrt(max(1, self.spec.numel)):
            mean = 0.0
        values = self.draw(kind)
        if self.distribution == "dominated" and self.spec.is_inexact:
            mean, std, values = base(self.spec), noise(self.spec, std), np.abs(values)
        values *= kind(min(std, most))
        values += kind(max(-most, min(mean, most)))
        if self.both_signs:
            values *= np.where(self.rng.random(values.shape) < 0.5, kind(-1), kind(1))
        return values

    def masked(self, kind: Any, huge: float) -> Array:
        """A mask, or numbers of which some are hidden. Those that are shown have no known moments. As samples these are
        alone, if rows hide some of them.
        """
        if self.distribution == "negative":
            size = 2 + 2 * np.abs(self.rng.standard_normal(self.shape, dtype=kind))
            return np.asarray(kind(math.copysign(1, huge)) * size)
        values = np.zeros(self.shape, dtype=kind)
        if self.distribution not in MASKS_ALONE:
            mean, std = self.hardened(0.0, 1.0)
            values = folded(self.draw(kind) * kind(std) + kind(mean), self.spec)
            if self.flat and self.structure().hides:
                return values
        return np.asarray(np.where(self.rng.random(self.shape) < _SHOWN, values, kind(huge)))

    def draw(self, kind: Any) -> Array:
        values = np.asarray(_DRAWS.get(self.distribution, _DRAWS["normal"])(self.rng, self.shape, kind))
        if self.distribution in _SCALES:
            values *= kind(_SCALES[self.distribution])
        return values

    def moments(self) -> tuple[float, float]:
        """Mean and standard deviation to draw with: the stored ones, but wider where they would give a constant."""
        unit = self.role in {Role.NORM_SCALE, Role.VARIANCE}
        mean = _finite(self.spec.mean, 1.0 if unit and self.spec.mean is None else 0.0)
        std = _finite(self.spec.std, 0.0)
        if self.role is Role.VARIANCE:
            mean = abs(mean) or 1.0
        floor = self.floor(mean)
        if std == 0 or unit:
            std = max(std, floor)
        # Around a large mean a small spread vanishes in the dtype's rounding.
        resolution = torch.finfo(self.dtype).eps if self.spec.is_floating else 0.0
        return mean, max(std, 16 * resolution * abs(mean))

    def hardened(self, mean: float, std: float) -> tuple[float, float]:
        """The moments of a hard distribution. Any other distribution keeps the given ones."""
        if self.distribution == "tiny" and (self.spec.min_val or 0, self.spec.max_val) == (0, None):
            return 0.0, _TINY.get(self.spec.part_dtype, std)
        if self.distribution == "dominated":
            std = max(std, _LEAST_DOMINATED)
        least, offset = _HARD.get(self.distribution, {}).get(self.spec.part_dtype, (0.0, 0.0))
        std = max(std, least)
        return mean + offset * std, std

    def floor(self, mean: float) -> float:
        """A small positive standard deviation by role. It is used where the stored one was rounded to 0.000."""
        if self.role is Role.NORM_SCALE:
            return 0.1 * abs(mean) or 0.1
        if self.role is Role.VARIANCE:
            return 0.25 * abs(mean)
        if self.role in {Role.BIAS, Role.MEAN}:
            return 0.02
        if self.role is Role.WEIGHT and len(self.spec.shape) > 1:
            return 1 / math.sqrt(max(1, self.spec.numel // max(1, self.spec.shape[0])))
        if self.role is Role.EPSILON:
            return 0.1 * abs(mean) or _EPSILON
        return 0.25 * abs(mean) or 1.0

    def bounded(self, values: Array) -> Array:
        """Values folded back at the stored bounds, so that no values gather at a bound."""
        low, high = self.spec.min_val, self.spec.max_val
        if low is not None and high is not None:
            outside = (values < low) | (values > high)
            # Halves, because the distance between two bounds may be more than a float holds.
            half = low / 2 + (high / 2 - low / 2) * self.rng.random(values.shape)
            inside = np.asarray(2 * half, dtype=values.dtype)
            return np.asarray(np.where(outside, inside, values))
        if low is not None:
            return np.asarray(low + np.abs(values - low))
        if high is not None:
            return np.asarray(high - np.abs(high - values))
        return values


def _finite(value: float | None, default: float) -> float:
    return value if value is not None and math.isfinite(value) else default
