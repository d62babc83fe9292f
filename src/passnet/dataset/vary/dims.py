"""Says which dimensions of which inputs may become symbolic, best guess first.  No torch.

A batch symbol sits in leading dimensions, a sequence symbol (tokens, time steps) or a plane symbol (height and width of
images) elsewhere.  These are guesses: `shapes` tries each of them.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from passnet.dataset.vary.literals import leaves
from passnet.graph.tensors.spec import TensorSpec
from passnet.graph.text.program import Op, ParsedModel
from passnet.graph.values.roles import Role, roles_of

Axis = Literal["batch", "sequence", "plane"]
# (input index, dimension)
Place = tuple[int, int]
Powers = Mapping[Place, tuple[int, ...]]
MAX_CANDIDATES = 4

_FIXED_NAME = re.compile(r"_self_|_parameters_|_buffers_|_instance_modules_|^w_\d+$", re.IGNORECASE)
_FIXED_ROLES = frozenset({Role.WEIGHT, Role.NORM_SCALE, Role.BIAS, Role.MEAN})
_NORMS = frozenset({"batch_norm", "instance_norm", "native_batch_norm"})
_SPATIAL = re.compile(r"^(conv\w*2d|conv_transpose2d|\w*pool2d|batch_norm|interpolate|upsample\w*|pixel_\w*shuffle)$")
_ATTENTION = frozenset({"softmax", "matmul", "bmm", "scaled_dot_product_attention", "einsum", "baddbmm"})


@dataclass(frozen=True)
class Symbol:
    """A size that varies: its axis and its value in the original graph."""

    axis: Axis
    value: int


@dataclass(frozen=True)
class Dims:
    """Symbols, and for each place of an input that moves the power of each symbol in it."""

    symbols: tuple[Symbol, ...] = ()
    powers: Powers = field(default_factory=dict)

    def joined(self, other: Dims) -> Dims:
        """Both sets of symbols."""
        first, second = (0,) * len(self.symbols), (0,) * len(other.symbols)
        places = sorted({*self.powers, *other.powers})
        powers = {place: self.powers.get(place, first) + other.powers.get(place, second) for place in places}
        return Dims(self.symbols + other.symbols, powers)

    def divides(self, specs: Sequence[TensorSpec]) -> bool:
        """Whether every place is a whole multiple of its symbols."""
        values = [symbol.value for symbol in self.symbols]
        return all(
            specs[index].shape[dim] % math.prod(v**p for v, p in zip(values, powers, strict=True)) == 0
            for (index, dim), powers in self.powers.items()
        )

    def factor(self, powers: Sequence[int], targets: Sequence[int]) -> Fraction:
        """The factor by which a product of powers grows when the symbols take the values `targets`."""
        pairs = zip(self.symbols, targets, powers, strict=True)
        return math.prod(
            (Fraction(target, symbol.value) ** power for symbol, target, power in pairs), start=Fraction(1)
        )

    def shapes(self, specs: Sequence[TensorSpec], targets: Sequence[int]) -> list[tuple[int, ...]]:
        """The shape of every input when the symbols take the values `targets`."""
        found = []
        for index, spec in enumerate(specs):
            shape = list(spec.shape)
            for dim, size in enumerate(spec.shape):
                if (index, dim) in self.powers:
                    shape[dim] = int(size * self.factor(self.powers[index, dim], targets))
            found.append(tuple(shape))
        return found


def leaf(op: Op) -> str:
    """The last part of the operation's target."""
    return op.target.rpartition(".")[2]


def movable_inputs(program: ParsedModel, specs: Sequence[TensorSpec]) -> list[int]:
    """The inputs that flow through the graph: neither weights nor buffers, by name or by use."""
    nameless = tuple(replace(spec, name=f"x{i}", original_name=None, min_val=None) for i, spec in enumerate(specs))
    roles = roles_of(program, nameless)
    statistics = norm_operands(program)
    return [
        index
        for index, (spec, role) in enumerate(zip(specs, roles, strict=True))
        if role not in _FIXED_ROLES
        and index not in statistics
        and not _FIXED_NAME.search(spec.original_name or spec.name)
    ]


def norm_operands(program: ParsedModel) -> frozenset[int]:
    """The values that batch and instance norms use besides their input: statistics and weights."""
    uses = program.uses()
    return frozenset(index for index, op, place in uses if leaf(op) in _NORMS and place not in {0, "input"})


class Guesser:
    """Guesses symbols from the shapes of the inputs and from the operations."""

    def __init__(self, program: ParsedModel, specs: Sequence[TensorSpec], *, vision: bool = False) -> None:
        self.specs, self.vision = specs, vision
        self.movable = movable_inputs(program, specs)
        self.names = {leaf(op) for op in program.ops}
        fixed = set(range(len(specs))) - set(self.movable)
        self.weight_sizes = {size for index in fixed for size in specs[index].shape}
        self.pairs = list(_view_pairs(program))

    def places(self, *, leading: bool | None = None) -> Iterator[tuple[Place, int]]:
        """Every dimension of every movable input with its size. Vectors and square matrices have no leading one."""
        for index in self.movable:
            shape = self.specs[index].shape
            headless = len(shape) < 2 or (len(shape) == 2 and shape[0] == shape[1] > 1)
            for dim, size in enumerate(shape):
                if leading is None or leading == (dim == 0 and not headless):
                    yield (index, dim), size

    # --- batch

    def batches(self) -> Iterator[Dims]:
        """Guesses for the batch: equal leading dimensions, then their multiples, then equal ones anywhere."""
        sizes = Counter(size for _, size in self.places(leading=True))
        for value in self._batch_values(sizes)[:MAX_CANDIDATES]:
            exact = [place for place, size in self.places(leading=True) if size == value]
            listed = [(i, 0) for i in self.movable if self.specs[i].shape == (value,) and self.specs[i].is_integer]
            multiples = [place for place, size in self.places(leading=True) if size % value == 0]
            anywhere = [place for place, size in self.places() if size == value] if value > 1 else []
            yield from _distinct(
                Symbol("batch", value), [*exact, *listed], exact, multiples, anywhere, [*anywhere, *multiples]
            )

    def _batch_values(self, sizes: Counter[int]) -> list[int]:
        """Sizes of leading dimensions. The ones that divide most others come first, and 1 comes last."""
        multiples = {value: sum(n for size, n in sizes.items() if size % value == 0) for value in sizes}
        return sorted(sizes, key=lambda value: (value == 1, -multiples[value], value))

    def folded(self) -> Iterator[Dims]:
        """Guesses for both axes at once: a leading dimension (batch x tokens) that a view takes apart."""
        for batch, length in self.pairs:
            folded = [place for place, size in self.places(leading=True) if size == batch * length]
            if folded and batch != length:
                powers: dict[Place, tuple[int, ...]] = {}
                powers |= {place: (1, 0) for place, size in self.places(leading=True) if size == batch}
                powers |= {place: (0, 1) for place, size in self.places(leading=False) if size == length}
                powers |= dict.fromkeys(folded, (1, 1))
                yield Dims((Symbol("batch", batch), Symbol("sequence", length)), dict(sorted(powers.items())))

    # --- sequence or plane

    def sequences(self, batch: Dims | None) -> Iterator[Dims]:
        """Guesses for the other axis: image planes where the operations are spatial, else the likeliest sizes."""
        taken = set(batch.powers) if batch else set()
        if self._is_spatial():
            yield from self._planes()
        scores = self._scores(taken)
        ranked = sorted(scores, key=lambda value: (-scores[value], value))
        for value in ranked[:MAX_CANDIDATES]:
            yield from self._flattened(value)
            inner = [place for place, size in self.places(leading=False) if size == value]
            anywhere = [place for place, size in self.places() if size == value and place not in taken]
            multiples = [place for place, size in self.places(leading=True) if size % value == 0]
            yield from _distinct(Symbol("sequence", value), inner, anywhere, [*anywhere, *multiples])

    def _is_spatial(self) -> bool:
        """Whether there are convolutions and similar operations, or square planes without attention in a
        vision model.
        """
        named = any(_SPATIAL.match(name) for name in self.names)
        square = any(_square_at(self.specs[index].shape) is not None for index in self.movable)
        return named or (self.vision and square and not self.names & _ATTENTION)

    def _planes(self) -> Iterator[Dims]:
        """Height and width of images: together where they are equal, else both, then each alone."""
        sides = {index: dims for index in self.movable if (dims := _image_dims(self.specs[index].shape)) is not None}
        planes = {(self.specs[index].shape[h], self.specs[index].shape[w]) for index, (h, w) in sides.items()}
        planes = {plane for plane in planes if max(plane) > 1}
        if not planes:
            return
        # The smallest plane is the unit: others are multiples of it.
        unit = min(planes)
        if all(height == width for height, width in planes):
            powers: Powers = {(i, d): (1,) for i, dims in sides.items() for d in dims if self._holds(i, d, unit[0])}
            flat = {place: (2,) for place, size in self.places(leading=False) if size in {h * w for h, w in planes}}
            yield from _unequal(
                Dims((Symbol("plane", unit[0]),), {**flat, **powers}), (Symbol("plane", unit[0]),), powers
            )
        else:
            yield from self._rectangles(sides, unit)

    def _rectangles(self, sides: Mapping[int, tuple[int, int]], unit: tuple[int, int]) -> Iterator[Dims]:
        height, width = (
            {(index, dims[axis]): (1,) for index, dims in sides.items() if self._holds(index, dims[axis], unit[axis])}
            for axis in (0, 1)
        )
        tall, wide = Dims((Symbol("plane", unit[0]),), height), Dims((Symbol("plane", unit[1]),), width)
        yield from (dims for dims in (tall.joined(wide), tall, wide) if all(s.value > 1 for s in dims.symbols))

    def _holds(self, index: int, dim: int, unit: int) -> bool:
        size = self.specs[index].shape[dim]
        return size > 1 and size % unit == 0

    def _flattened(self, value: int) -> Iterator[Dims]:
        """A plane whose points stand in one dimension that a view makes square again."""
        side = math.isqrt(value)
        if side * side == value and (side, side) in self.pairs:
            flat = {place: (2,) for place, size in self.places(leading=False) if size == value}
            square = {
                (index, dim): (1,)
                for index in self.movable
                for dim in _image_dims(self.specs[index].shape) or ()
                if self.specs[index].shape[dim] == side
            }
            yield Dims((Symbol("plane", side),), dict(sorted({**flat, **square}.items())))

    def _scores(self, taken: set[Place]) -> Counter[int]:
        """Size -> how much it looks like a sequence length."""
        scores: Counter[int] = Counter()
        for (index, dim), size in self.places(leading=False):
            if size > 1 and (index, dim) not in taken:
                scores[size] += _weight(self.specs[index], dim)
        scores = Counter({size: score for size, score in scores.items() if score > 0}) or self._vectors(taken)
        for size in scores:
            scores[size] -= 6 if size in self.weight_sizes else 0
            # Widths and numbers of heads are round or small as a rule.
            scores[size] += 3 if size % 8 and size > 8 else 0
        return Counter({size: score for size, score in scores.items() if score > 0})

    def _vectors(self, taken: set[Place]) -> Counter[int]:
        """Floating vectors may vary where nothing else can."""
        vectors = [size for place, size in self.places(leading=False) if size > 1 and place not in taken]
        return Counter() if any(len(self.specs[i].shape) > 1 for i in self.movable) else Counter(vectors)


def _distinct(symbol: Symbol, *choices: Sequence[Place]) -> Iterator[Dims]:
    """A guess for each different non-empty set of places, all at the first power."""
    seen: set[frozenset[Place]] = set()
    for places in choices:
        if places and frozenset(places) not in seen:
            seen.add(frozenset(places))
            yield Dims((symbol,), dict.fromkeys(sorted(set(places)), (1,)))


def _unequal(first: Dims, symbols: tuple[Symbol, ...], powers: Powers) -> Iterator[Dims]:
    """The first guess, and a plainer one when it differs."""
    yield first
    if dict(powers) != dict(first.powers):
        yield Dims(symbols, powers)


def _view_pairs(program: ParsedModel) -> Iterator[tuple[int, int]]:
    """Neighbouring sizes, both above 1, in the literals of views."""
    for op in program.ops:
        if leaf(op) in {"view", "reshape", "unflatten"}:
            flat = [value for _, value in leaves(op)]
            for left, right in itertools.pairwise(flat):
                if type(left) is int and type(right) is int and left > 1 and right > 1:
                    yield left, right


def _square_at(shape: Sequence[int]) -> int | None:
    """The first of two equal neighbouring dimensions of a 4-d tensor (1: channels last, 2: channels first)."""
    if len(shape) != 4:
        return None
    if shape[2] == shape[3] > 1:
        return 2
    return 1 if shape[1] == shape[2] > 1 else None


def _image_dims(shape: Sequence[int]) -> tuple[int, int] | None:
    """Height and width of a 4-d tensor: equal neighbours, else the last two."""
    if len(shape) != 4:
        return None
    return (1, 2) if _square_at(shape) == 1 else (2, 3)


def _weight(spec: TensorSpec, dim: int) -> int:
    """A score of the dimension's position: higher means more likely a sequence."""
    rank, shape = len(spec.shape), spec.shape
    if rank <= 1:
        return 2 if spec.is_integer else 0
    if rank == 2:
        return 3 if not spec.is_floating or shape[0] == shape[1] else int(shape[dim] % 8 > 0)
    if any(0 < other < rank and shape[other] == shape[dim] for other in (dim - 1, dim + 1)):
        return 3
    if rank == 3:
        return 3 if dim == 1 else 1
    return {rank - 2: 3, rank - 1: 1}.get(dim, 2)
