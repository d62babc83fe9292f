"""Which numbers an input may be, followed back from what a program compares."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from random import Random

import pytest

from passnet.graph.values.solving import InputForm

_INTEGER_STEPS: Mapping[str, tuple[Callable[[int, int], int], tuple[int, ...]]] = {
    "add": (operator.add, (-5, 777)),
    "sub": (operator.sub, (-5, 777)),
    "rsub": (lambda value, number: number - value, (777,)),
    "mul": (operator.mul, (-3, 2)),
    "neg": (lambda value, number: -value, (0,)),
    "abs": (lambda value, number: abs(value), (0,)),
    "floor_divide": (operator.floordiv, (2, 7, -3)),
    "remainder": (operator.mod, (2, 1000)),
    "bitwise_and": (operator.and_, (255, 0xF0)),
    "bitwise_or": (operator.or_, (255, 0xF0)),
    "bitwise_xor": (operator.xor, (777, -1)),
    "bitwise_not": (lambda value, number: ~value, (0,)),
    "bitwise_left_shift": (operator.lshift, (3,)),
    "bitwise_right_shift": (operator.rshift, (0, 3)),
}


@pytest.mark.parametrize("seed", range(20))
def test_every_number_that_is_found_leads_to_the_compared_one(seed: int) -> None:
    """And one is always found, through up to three operations on integers."""
    rng = Random(seed)
    form, value, steps = InputForm(whole=True), rng.randrange(50_000), []
    for name in rng.sample(sorted(_INTEGER_STEPS), rng.randint(1, 3)):
        number = rng.choice(_INTEGER_STEPS[name][1])
        form = form.after(name, (float(number),))
        steps.append((_INTEGER_STEPS[name][0], number))

    def computed(number: int) -> int:
        for function, other in steps:
            number = function(number, other)
        return number

    found = form.inputs(float(computed(value)), rng)
    assert form.exact and found
    right = [number for number in found if number.is_integer() and computed(int(number)) == computed(value)]
    assert right and len(right) >= len(found) // 3


def test_a_quotient_has_a_first_and_a_last_number() -> None:
    form = InputForm(whole=True).after("floor_divide", (10.0,))
    assert {70.0, 79.0} <= set(form.inputs(7.0, Random(0)))


def test_of_floats_only_some_steps_are_exact() -> None:
    form = InputForm()
    assert form.after("neg", (0.0,)).exact and form.after("floor", (0.0,)).inputs(7.0, Random(0)) == [7.0, 8.0]
    assert not form.after("add", (0.5,)).exact and form.after("add", (0.5,)).inputs(1.0, Random(0)) == [0.5]
    assert form.after("bitwise_xor", (1.0,)).steps is None


def test_what_is_unknown_stays_unknown_and_what_cannot_be_is_left_out() -> None:
    other = InputForm().after("tanh", (0.0,))
    assert other.steps is None and other.after("add", (1.0,)).inputs(5.0, Random(0)) == [5.0]
    assert InputForm().after("mul", (0.0,)).inputs(5.0, Random(0)) == []
    assert InputForm().after("square", (0.0,)).inputs(-5.0, Random(0)) == []
    assert InputForm().after("abs", (0.0,)).inputs(math.inf, Random(0)) == [math.inf, -math.inf]


def test_a_number_on_the_left() -> None:
    assert InputForm().after("sub", (7.0,), from_right=True) == InputForm().after("rsub", (7.0,))
    assert InputForm().after("add", (7.0,), from_right=True) == InputForm().after("add", (7.0,))
    assert InputForm(whole=True).after("floor_divide", (7.0,), from_right=True).steps is None
