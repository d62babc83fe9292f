"""What a step of the inputs makes of the outputs: where that is much, no element is known better than that.

In a sum that almost cancels the rounding of each term counts. Whoever adds in another order than eager is as near to
the truth as the inputs say anything of it, and eager's own order is often exact just there. So an element counts as
right if it is off by no more than float64 itself changes where each input is a step of its dtype larger or smaller.
That holds for few elements: where many are like that, eager's errors tell what is due.

Where eager has no number because a narrow dtype overflowed on the way, it has no error either. So it holds for all of
these elements: a form that does not overflow there still rounds what came before.

A matrix may have an inverse by roundings alone. Then all of what is made of it is of one size with what a step changes,
and eager is as far off. There an output says nothing, and an infinity or NaN in it is right, as if eager had raised.

It does not hold where a graph jumps, as a comparison or a rounding does: a step beside a threshold changes everything,
and on which side of it a number lies is just what is asked there.

Where the number was rounded before the jump, nobody knows its side. A duration that is rounded from an exponential is
one more or less in another form, and a large one differs by what float32 cannot hold. Such an integer is right if it is
as near to float64's as eager and float64 are where each input is a few steps larger or smaller.

A careful draw has numbers at a step on purpose, and steps of the inputs move these too. There an integer is right if it
is what an honest form may have whose values are all off by what they may be, see `rough_twin`. That holds for few
elements, or as many as eager's that are not float64's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from random import Random
from types import MappingProxyType

import torch

from passnet.bench.compare.due import odd_bytes
from passnet.bench.compare.measures import real, rms
from passnet.bench.compare.neighbours import is_exact, nudged, shaken
from passnet.bench.compare.on_host import placed
from passnet.bench.compare.rough_twin import Look
from passnet.graph import Graph
from passnet.graph.text.program import refs_of
from passnet.graph.values.indexing import known_forms
from passnet.op_classes import word_set

# Inputs are moved so many times, and the largest change counts, times this: another order rounds more than once.
_LOOKS, _AS_MUCH = 4, 4.0
# A well-conditioned element changes by fewer steps of its dtype. So large a share of elements may be others.
_WELL_STEPS, _FEW = 64.0, 0.03
# Where a step changes so large a share of an output, and eager is as far off, nobody knows it.
_UNKNOWN = 0.5
# A sum of hundreds in one lane rounds far more often than eager's. So many steps inputs are moved both ways where
# they end in integers.
_FAR_STEPS = 16.0
# Where the inputs' dtype is narrow, a step of them changes all large integers, and eager's own errors tell what is due.
_AS_FAR = 1.5
# Integers that float32 cannot hold are off by no more of their size. Others are off by one, in few places or as many as
# eager, but for the draws on which eager itself says nothing.
_OF_ITS_SIZE, _AS_OFTEN, _SAYS_NOTHING = 0.02, 2.0, 0.25
# Of integers that stray by so much, rounding to whole ones is not the reason.
_TOLD = 2.0
# Results of these jump though they are of the dtype of what they are made from.
_JUMPING = word_set("floor ceil round trunc fix frac sign sgn heaviside remainder fmod mod floor_divide floordiv")
# Which element these choose is judged by its own rule, see `indices`.
_CHOOSING = word_set("argmax argmin argsort")
Tensors = Sequence[torch.Tensor]
# The least and the largest of each element.
Between = tuple[torch.Tensor, torch.Tensor]


def jumps(graph: Graph) -> bool:
    """Whether a graph makes truth values or integers of floats, or rounds to whole numbers."""
    kinds = [dtype for _, dtype in known_forms(graph)]
    for place, op in enumerate(graph.statements(), start=len(graph.specs)):
        refs, kind = refs_of((*op.args, *(value for _, value in op.kwargs))), kinds[place]
        floats = any((of := kinds[ref.index]) is not None and of.is_floating_point for ref in refs)
        counts = kind is not None and not (kind.is_floating_point or kind.is_complex)
        rounds = op.leaf in _JUMPING or dict(op.kwargs).get("rounding_mode") is not None
        if floats and (rounds or (counts and op.leaf not in _CHOOSING)):
            return True
    return False


def changes(
    inputs: Tensors, wide: Tensors, expected: Callable[[Tensors], Tensors], rng: Random, eager: Tensors = ()
) -> list[torch.Tensor]:
    """By how much each element of float64's outputs changes at most where inputs are moved by a step. `expected`:
    float64's outputs for some inputs.

    `eager`: its outputs. Where it has no numbers, inputs are moved as many steps as elsewhere a change counts, both
    ways: a softmax takes one row of two there, and seldom shows the other one by a step.
    """
    found = [torch.zeros_like(real(placed(each))) for each in wide]
    for _ in range(_LOOKS):
        _widen(found, expected(nudged(inputs, rng)), wide)
    odd = [_without_number(own, due) for own, due in zip(eager, wide, strict=False)]
    if any(bool(each.any()) for each in odd):
        far = [torch.zeros_like(each) for each in found]
        for seed in [rng.getrandbits(48) for _ in range(_LOOKS)]:
            for steps in (_AS_MUCH, -_AS_MUCH):
                _widen(far, expected(nudged(inputs, Random(seed), steps)), wide)
        found = [torch.where(at, torch.maximum(*pair), pair[0]) for at, *pair in zip(odd, found, far, strict=True)]
    return found


def _widen(found: Tensors, made: Tensors, wide: Tensors) -> None:
    """Take in what some outputs are off float64's."""
    for most, moved, own in zip(found, made, wide, strict=True):
        change = (real(placed(moved)) - real(placed(own))).abs_()
        torch.maximum(most, change.nan_to_num_(0.0, 0.0, 0.0), out=most)


def _without_number(own: torch.Tensor, due: torch.Tensor) -> torch.Tensor:
    """The elements in which eager alone has no number."""
    if is_exact(own):
        return torch.zeros_like(real(placed(due)), dtype=torch.bool)
    return ~torch.isfinite(real(placed(own))) & torch.isfinite(real(placed(due)))


def settled(
    outputs: Tensors, eager: Tensors, wide: Tensors, changed: Tensors, *, inverts: bool = False
) -> list[torch.Tensor] | None:
    """The outputs with float64's numbers where a step changes these as much as they are off. None where there are none,
    or where they are many and eager has numbers there. `changed`: of `changes`. `inverts`: the graph inverts or factors
    a matrix. Then an output that nobody knows may be anything.
    """
    made, some = [], False
    for output, base, truth, change in zip(outputs, eager, wide, changed, strict=True):
        made.append(output)
        if is_exact(base) or not output.numel() or output.shape != truth.shape:
            continue
        got, due, own = (real(placed(each)) for each in (output, truth, base))
        step = torch.finfo(base.dtype.to_real()).eps
        poor = _explained(got, due, change, step)
        free = _without_number(base, truth) & ((got - due).abs() <= _AS_MUCH * change)
        if inverts and _is_unknown(own, due, change):
            free |= torch.isfinite(due)
        few = poor & ~free
        if float(few.double().mean()) <= _FEW:
            free |= few
        if bool(free.any()):
            made[-1] = _filled(output, torch.where(free, due, got))
            some = True
    return made if some else None


def within_a_step(outputs: Tensors, eager: Tensors, wide: Tensors, changed: Tensors) -> list[torch.Tensor] | None:
    """The same in however many elements. None where there are none. It tells how far off the others are, and no more:
    all of them together must be as near to float64's as eager.
    """
    made, some = [], False
    for output, base, truth, change in zip(outputs, eager, wide, changed, strict=True):
        made.append(output)
        if is_exact(base) or output.shape != truth.shape:
            continue
        got, due = real(placed(output)), real(placed(truth))
        free = _explained(got, due, change, torch.finfo(base.dtype.to_real()).eps)
        if bool(free.any()):
            made[-1] = _filled(output, torch.where(free, due, got))
            some = True
    return made if some else None


def _explained(got: torch.Tensor, due: torch.Tensor, change: torch.Tensor, step: float) -> torch.Tensor:
    """The elements that a step changes much, and that are off by no more than that."""
    return (change > _WELL_STEPS * step * due.abs()) & ((got - due).abs() <= _AS_MUCH * change)


def _is_unknown(own: torch.Tensor, due: torch.Tensor, change: torch.Tensor) -> bool:
    """Whether an output is mostly what a step of the inputs changes, and eager is as far from float64's."""
    known = torch.isfinite(own) & torch.isfinite(due)
    size = rms(due[known]) if bool(known.any()) else 0.0
    return size > 0.0 and min(rms(change[known]), rms((own - due)[known])) >= _UNKNOWN * size


def is_lost(eager: Tensors, wide: Tensors) -> bool:
    """Whether eager is far from float64's in every output that it rounds."""
    rounded = [
        (real(placed(own)), real(placed(due))) for own, due in zip(eager, wide, strict=True) if not is_exact(own)
    ]
    return bool(rounded) and all(_is_unknown(own, due, due) for own, due in rounded)


def strays(
    inputs: Tensors, eager: Tensors, wide: Tensors, both: Callable[[Tensors], tuple[Tensors, Tensors]], rng: Random
) -> list[torch.Tensor]:
    """How far each element is from float64's at most, of eager's and of what both have where inputs are moved by a few
    steps. `both`: eager's outputs and float64's for some inputs.
    """
    due = [real(placed(each)) for each in wide]
    found = [torch.zeros_like(each) for each in due]
    shaken_ones = (each for _ in range(_LOOKS) for each in shaken(inputs, rng, _FAR_STEPS))
    for made in chain([eager], *map(both, shaken_ones)):
        for most, own, truth in zip(found, made, due, strict=True):
            torch.maximum(most, (real(placed(own)) - truth).abs_().nan_to_num_(0.0, 0.0, 0.0), out=most)
    return found


def between(wide: Tensors, numbers: Collection[int], rough: Callable[[Look], Tensors]) -> dict[int, Between]:
    """For each of these outputs the least and the largest that its elements may be, by all looks. `rough`: the outputs
    in a look, where all values on the way are off.
    """
    found = {number: (due := real(placed(wide[number])), due) for number in numbers}
    for look in Look:
        made = rough(look)
        for number, (least, most) in found.items():
            own = real(placed(made[number]))
            found[number] = torch.fmin(least, own), torch.fmax(most, own)
    return found


def beside_steps(
    outputs: Tensors,
    eager: Tensors,
    wide: Tensors,
    strayed: Tensors,
    numbers: Collection[int],
    *,
    coarse: bool = False,
    at_steps: Mapping[int, Between] = MappingProxyType({}),
) -> list[torch.Tensor] | None:
    """The outputs with eager's elements where they are as near to float64's. None where there are none.

    `strayed`: of `strays`. `numbers`: the outputs behind a step that meets a rounded value. `coarse`: a narrow dtype is
    rounded to before it. `at_steps`: those of `numbers`, integers, that were drawn to be at a step, with what `between`
    says of them: there only those are free that are between these, or where eager's are not float64's.
    """
    made, some = list(outputs), False
    for number in numbers:
        output, base, truth = (placed(side[number]) for side in (outputs, eager, wide))
        if output.shape != truth.shape or base.is_complex() or odd_bytes(output).numel():
            continue
        if number in at_steps:
            right = _as_float64(output, base, truth, strayed[number], at_steps[number])
        else:
            right = _beside_steps(output, base, truth, strayed[number], coarse=coarse)
        if bool(right.any()):
            made[number] = torch.where(right.view(base.shape), base, output).to(outputs[number].device)
            some = True
    return made if some else None


def _beside_steps(
    output: torch.Tensor, base: torch.Tensor, truth: torch.Tensor, stray: torch.Tensor, *, coarse: bool = False
) -> torch.Tensor:
    """Which elements of an output are others than eager's, and as near to float64's."""
    due = real(truth)
    off = (real(output) - due).abs_()
    if base.is_floating_point():
        step = 0.0 if is_exact(base) else torch.finfo(base.dtype).eps
        near = (off <= stray) & (off > _WELL_STEPS * step * due.abs())
        return near & (float(near.double().sum()) <= max(1.0, _FEW * len(due)))
    made, own = real(output), real(base)
    between = (torch.minimum(own, due) <= made) & (made <= torch.maximum(own, due))
    others, is_large = (output != base).reshape(-1), stray <= _OF_ITS_SIZE * due.abs()
    large = (
        others
        & is_large
        & (
            off
            <= torch.maximum(stray + (_AS_MUCH - 1.0) * (stray - 1.0).clamp(min=0.0), _usual_room(stray, due, is_large))
        )
    )
    if coarse and not _as_few_or_as_near(off[is_large], (own - due).abs()[is_large], len(due)):
        large = torch.zeros_like(large)
    near = others & ~is_large & (off <= stray)
    by_one, far = near & (stray <= 1.0), near & (stray > 1.0)
    between &= (base != truth).reshape(-1)
    return (
        (others & between)
        | large
        | (by_one & _are_few(by_one, base, truth))
        | (far & (float(far.double().mean()) <= _FEW))
    )


def _as_float64(
    output: torch.Tensor, base: torch.Tensor, truth: torch.Tensor, stray: torch.Tensor, ends: Between
) -> torch.Tensor:
    """Which integers are others than eager's and are float64's, or stray no farther than eager's there and others.
    A few others may lie between these ends.
    """
    due, own, made = real(truth), real(base), real(output)
    off, others = (made - due).abs_(), (output != base).reshape(-1)
    free = others & ((off == 0) | ((own != due) & (off <= stray)))
    within = others & ~free & (ends[0] <= made) & (made <= ends[1])
    return free | (within & _are_few(within, base, truth))


def _are_few(some: torch.Tensor, base: torch.Tensor, truth: torch.Tensor) -> bool:
    """Whether these are few elements, or about as many as those of eager that are not float64's."""
    eagers = min(_AS_OFTEN * float((base != truth).double().sum()), _SAYS_NOTHING * some.numel())
    return float(some.double().sum()) <= max(1.0, _FEW * some.numel(), eagers)


def _as_few_or_as_near(off: torch.Tensor, eagers: torch.Tensor, count: int) -> bool:
    """Whether few integers of `count` are off, or they are about as far from float64's as eager's."""
    few = float((off > 0).double().sum()) <= max(1.0, _FEW * count)
    return few or rms(off) <= _AS_FAR * rms(eagers)


def _usual_room(stray: torch.Tensor, due: torch.Tensor, is_large: torch.Tensor) -> torch.Tensor:
    """How far integers may be off by what others stray of their size: a few looks at one say little of it."""
    known = is_large & (stray >= _TOLD)
    if not bool(known.any()):
        return torch.zeros_like(stray)
    return (_AS_MUCH * (stray[known] / due[known].abs()).median() * due.abs()).floor_()


def _filled(output: torch.Tensor, flat: torch.Tensor) -> torch.Tensor:
    """A tensor of the output's form with these numbers."""
    if not output.is_complex():
        return flat.view(output.shape).to(output.device, output.dtype)
    return torch.view_as_complex(flat.view(*output.shape, 2)).to(output.device, output.dtype)
