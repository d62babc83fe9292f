"""What a step of the inputs changes as much is no error, in few elements."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
import torch

from passnet.bench.compare import steps
from passnet.bench.compare.steps import beside_steps, changes, is_lost, jumps, settled, strays, within_a_step
from passnet.graph.values.steps import behind_rounded_steps
from tests.graph.graph_helpers import graph_of, spec

ROWS, FAR = 1000, 10


def sums(inputs: list[torch.Tensor]) -> list[torch.Tensor]:
    """Float64's sums of rows."""
    return [inputs[0].double().sum(-1)]


def rows(poor: int) -> torch.Tensor:
    """Rows of four, of which the first ones almost cancel."""
    x = torch.rand(ROWS, 4) + 0.5
    x[:poor, 2:] = -x[:poor, :2].flip(1)
    x[:poor, 3] *= 1.0 + 2.0**-20
    return x


def looked_at(x: torch.Tensor, made: torch.Tensor) -> torch.Tensor | None:
    wide = sums([x])
    changed = changes([x], wide, lambda moved: sums(list(moved)), Random(3))
    found = settled([made], [x.sum(-1)], wide, changed)
    return None if found is None else found[0]


def test_a_sum_in_another_order_is_right_where_it_almost_cancels() -> None:
    x = rows(FAR)
    pairs = (x[:, 0] + x[:, 1]) + (x[:, 2] + x[:, 3])
    found = looked_at(x, pairs)
    assert found is not None and found.shape == pairs.shape and found.dtype is pairs.dtype
    assert torch.equal(found[:FAR], sums([x])[0][:FAR].float())
    assert torch.equal(found[FAR:], pairs[FAR:])


def test_what_is_wrong_stays_wrong() -> None:
    """Far off in a row that cancels, and a little off in one that does not."""
    x = rows(FAR)
    made = x.sum(-1)
    made[0] += 1e-3
    made[-1] *= 1.01
    found = looked_at(x, made)
    assert found is None or (found[0] == made[0] and found[-1] == made[-1])


@pytest.mark.parametrize("poor", [ROWS // 20, ROWS])
def test_many_such_elements_are_judged_by_eagers_errors(poor: int) -> None:
    x = rows(poor)
    assert looked_at(x, (x[:, 0] + x[:, 1]) + (x[:, 2] + x[:, 3])) is None


def test_integers_and_nothing_have_no_steps() -> None:
    x = rows(FAR)
    whole, none = torch.arange(3), torch.zeros(0)
    assert settled([whole, none], [whole, none], [whole, none.double()], [torch.ones(3), none]) is None
    assert settled([x.sum(-1)], [x.sum(-1)], sums([x]), [torch.zeros(ROWS)]) is None


def test_complex_outputs_keep_their_form() -> None:
    truth = torch.complex(torch.rand(100) + 1.0, torch.rand(100) + 1.0).to(torch.complex128)
    made = truth.to(torch.complex64)
    made[0] += 0.5
    changed = torch.zeros(200, dtype=torch.float64)
    changed[0] = 1.0
    found = settled([made], [made], [truth], [changed])
    assert found is not None and found[0].dtype is torch.complex64 and found[0].shape == made.shape
    assert found[0][0] == truth[0].to(torch.complex64) and torch.equal(found[0][1:], made[1:])


@pytest.mark.parametrize(
    ("lines", "due"),
    [
        (("s = x.sum(-1)", "return (s,)"), False),
        (("i = x.argmax(-1)", "return (i,)"), False),
        (("c = ids == 3", "y = torch.where(c, x, 0.0)", "return (y,)"), False),
        (("c = x > 0.5", "y = torch.where(c, x, 0.0)", "return (y,)"), True),
        (("y = torch.round(x)", "return (y,)"), True),
        (("y = torch.div(x, 2.0, rounding_mode = 'floor')", "return (y,)"), True),
        (("y = x.long()", "return (y,)"), True),
    ],
)
def test_beside_a_jump_a_step_says_nothing(lines: tuple[str, ...], due: bool) -> None:
    assert jumps(graph_of([spec("x", 8, 8), spec("ids", 8, 8, dtype="int64", min_val=0, max_val=9)], *lines)) == due


MEANT = torch.linspace(-3.0, 16.0, 2000)


def durations(x: torch.Tensor) -> torch.Tensor:
    """Exponentials of sums, rounded: from nothing to millions."""
    return torch.round(x.sum(-1).exp() - 1.0).clamp(min=0.0).long()


def timed() -> torch.Tensor:
    torch.manual_seed(5)
    x = torch.randn(len(MEANT), 64)
    return x + ((MEANT - x.sum(-1)) / 64)[:, None]


def as_good(x: torch.Tensor, made: torch.Tensor) -> bool:
    """Whether integers are eager's after what rounding explains is."""
    eager, wide = durations(x), durations(x.double())
    far = strays([x], [eager], [wide], lambda moved: ([durations(moved[0])], [durations(moved[0].double())]), Random(7))
    found = beside_steps([made], [eager], [wide], far, [0])
    return torch.equal(made if found is None else found[0], eager)


def in_lanes(x: torch.Tensor, turn: Callable[[torch.Tensor], torch.Tensor] = torch.round) -> torch.Tensor:
    """The same in another order of sums, before the clamp and the cast."""
    total = torch.zeros(len(x))
    for column in x.unbind(-1):
        total = total + column
    return turn(total.exp() - 1.0)


def test_integers_in_another_order_of_sums_are_right() -> None:
    x = timed()
    made = in_lanes(x).clamp(min=0.0).long()
    assert not torch.equal(made, durations(x))
    assert as_good(x, made)
    assert as_good(x, durations(x.double()))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: in_lanes(x, torch.trunc).clamp(min=0.0),
        lambda x: in_lanes(x, torch.ceil).clamp(min=0.0),
        lambda x: in_lanes(x),
        lambda x: in_lanes(x).clamp(min=0.0) + 1.0,
        lambda x: in_lanes(x).clamp(min=0.0, max=65535.0),
        lambda x: in_lanes(x).clamp(min=0.0).bfloat16(),
        lambda x: in_lanes(x).clamp(min=0.0) + (torch.arange(len(x)) % 50 == 0),
    ],
    ids=["cut off", "rounded up", "not clamped", "one more", "16 bits", "bfloat16", "one more in a part"],
)
def test_wrong_integers_stay_wrong(wrong: Callable[[torch.Tensor], torch.Tensor]) -> None:
    x = timed()
    assert not as_good(x, wrong(x).long())


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize(
    ("turn", "right"), [(torch.round, True), (torch.trunc, False), (torch.ceil, False)], ids=["round", "trunc", "ceil"]
)
def test_integers_of_a_narrow_dtype_are_as_near_as_eagers(
    dtype: torch.dtype, turn: Callable[[torch.Tensor], torch.Tensor], right: bool
) -> None:
    """A step of the inputs changes all of them by one and more, so that alone allows another way of rounding."""
    torch.manual_seed(9)
    x = (torch.rand(4000) * 1.3 + 3.5).to(dtype)  # 33 to 121

    def made(values: torch.Tensor) -> torch.Tensor:
        return torch.round(values.exp() * 1.0625).long()

    eager, wide = made(x), made(x.double())
    far = strays([x], [eager], [wide], lambda moved: ([made(moved[0])], [made(moved[0].double())]), Random(7))
    own = turn(x.float().exp() * 1.0625).long()
    found = beside_steps([own], [eager], [wide], far, [0], coarse=True)
    assert torch.equal(own if found is None else found[0], eager) is right


def test_truth_values_beside_a_threshold_are_free_in_few_places() -> None:
    truth = torch.zeros(100, dtype=torch.bool)
    far = [torch.zeros(100, dtype=torch.float64)]
    far[0][:10] = 1.0
    for count, right in ((2, True), (10, False)):
        made = truth.clone()
        made[:count] = True
        found = beside_steps([made], [truth], [truth], far, [0])
        assert (found is not None and torch.equal(found[0], truth)) is right
    elsewhere = truth.clone()
    elsewhere[50] = True
    assert beside_steps([elsewhere], [truth], [truth], far, [0]) is None


def test_at_a_step_few_integers_are_free_between_what_honest_forms_have() -> None:
    truth = torch.full((100,), 5)
    far, ends = [torch.full((100,), 9.0).double()], (truth.double() - 1.0, truth.double() + (torch.arange(100) < 50))

    def right(made: torch.Tensor, eager: torch.Tensor = truth) -> bool:
        found = beside_steps([made], [eager], [truth], far, [0], at_steps={0: ends})
        return torch.equal(made if found is None else found[0], eager)

    def other(by: int, places: list[int]) -> torch.Tensor:
        made = truth.clone()
        made[places] += by
        return made

    assert right(other(1, [3, 4])) and right(other(-1, [3, 70])) and right(truth, other(1, [3, 70]))
    assert not right(other(1, [70])) and not right(other(2, [3])) and not right(other(-2, [70]))
    many = list(range(10))
    assert not right(other(1, many)), "more than a few"
    assert right(other(1, many), other(-1, [*range(20, 30)])), "no more than eager's"
    assert right(other(2, [3]), other(1, [3])), "it strays no farther than eager's and others"


@pytest.mark.parametrize(
    ("lines", "due"),
    [
        (("e = x.exp()", "r = torch.round(e)", "y = r.long()", "return (y,)"), {0: True}),
        (("r = torch.round(x)", "y = r.long()", "return (y,)"), {}),
        (("e = x.exp()", "m = e > 0.5", "y = m.sum(-1)", "return (y,)"), {0: False}),
        (("e = x * 3.0", "y = e.long()", "return (y,)"), {0: False}),
        (("e = x.exp()", "i = e.argmax(-1)", "y = i + 1", "return (y,)"), {}),
        (("e = x.exp()", "r = e.long()", "t = r.topk(2)", "y = t[1]", "return (y, r)"), {1: True}),
    ],
)
def test_which_outputs_follow_from_a_rounded_step(lines: tuple[str, ...], due: dict[int, bool]) -> None:
    assert behind_rounded_steps(graph_of([spec("x", 4, 8)], *lines)) == due


def test_few_looks_at_a_large_integer_are_helped_by_those_at_others() -> None:
    due = torch.tensor([5e6, 6e6, 7e6, 8e6, 9e6, 3.0, 40.0, 0.0], dtype=torch.float64)
    stray = torch.tensor([1.0, 3.0, 4.0, 5.0, 4.0, 0.0, 0.0, 0.0], dtype=torch.float64)
    truth = eager = due.long()

    def right(*off: int) -> list[bool]:
        output = truth + torch.tensor(off)
        return steps._beside_steps(output, eager, due, stray).tolist()

    assert right(2, 0, 0, 0, 0, 0, 0, 0)[0], "others of its size stray by as much"
    assert not right(40, 0, 0, 0, 0, 0, 0, 0)[0]
    assert not any(right(0, 0, 0, 0, 0, 1, 1, 1)), "small ones do not stray"


def test_where_eager_has_no_number_a_form_may_be_off_by_what_a_step_changes() -> None:
    """However many there are: a form that does not overflow still rounds what came before."""
    x = rows(ROWS)
    wide, eager = sums([x]), torch.full((ROWS,), torch.nan)
    changed = changes([x], wide, lambda moved: sums(list(moved)), Random(3), [eager])
    pairs = (x[:, 0] + x[:, 1]) + (x[:, 2] + x[:, 3])
    assert not torch.equal(pairs, wide[0].float())
    found = settled([pairs], [eager], wide, changed)
    assert found is not None and torch.equal(found[0], wide[0].float())
    nothing = settled([torch.full_like(pairs, torch.nan)], [eager], wide, changed)
    assert nothing is None, "eager's own NaN is right by another rule, and nothing else is"
    found = settled([pairs + 1e-3], [eager], wide, changed)
    assert found is None, "a step changes none of them so much"


def test_zeros_where_eager_overflows_on_the_way_are_none_of_a_steps_changes() -> None:
    x = torch.rand(ROWS).half() * 200.0 + 200.0
    wide, eager = [x.double() ** 2 * 0.01], (x * x) * 0.01
    odd = ~torch.isfinite(eager)
    assert 0.5 < float(odd.double().mean()) < 1.0
    changed = changes([x], wide, lambda moved: [moved[0].double() ** 2 * 0.01], Random(3), [eager])
    assert settled([torch.where(odd, torch.zeros_like(x), eager)], [eager], wide, changed) is None


def test_a_matrix_that_has_an_inverse_by_roundings_alone_says_nothing() -> None:
    """Float64's number is a chance, eager's is another one, and a form by cofactors divides by zero."""
    truth = torch.randn(64, dtype=torch.float64)
    truth[:8] *= 1e16
    eager = truth.float()
    eager[:8] = 1e7
    changed = truth.abs() * 1e-6
    changed[:8] = truth[:8].abs()
    made = truth.float()
    made[:8], made[8] = torch.nan, torch.inf
    found = settled([made], [eager], [truth], [changed], inverts=True)
    assert found is not None and torch.equal(found[0], truth.float())
    assert settled([made], [eager], [truth], [changed]) is None, "the graph inverts nothing"
    assert settled([made], [truth.float()], [truth], [changed], inverts=True) is None, "eager knows it"
    assert settled([made], [eager], [truth], [truth.abs() * 1e-6], inverts=True) is None, "a step changes little"


def test_what_a_step_changes_tells_nothing_of_how_far_others_are_off() -> None:
    x = rows(ROWS // 2)
    wide, eager = sums([x]), x.sum(-1)
    changed = changes([x], wide, lambda moved: sums(list(moved)), Random(3))
    made = (x[:, 0] + x[:, 1]) + (x[:, 2] + x[:, 3])
    made[0], made[-1] = 1.0, 9.0
    found = within_a_step([made], [eager], wide, changed)
    assert found is not None and found[0][[0, -1]].tolist() == [1.0, 9.0]
    alike = found[0][1 : ROWS // 2] == wide[0][1 : ROWS // 2].float()
    assert float(alike.double().mean()) > 0.9, "more than `settled` leaves free"
    assert settled([made], [eager], wide, changed) is None
    assert within_a_step([torch.arange(3)], [torch.arange(3)], [torch.arange(3)], [torch.ones(3)]) is None


def test_eager_is_lost_only_where_no_output_is_known():
    truth = torch.randn(64, dtype=torch.float64)
    near, far, chosen = truth.float(), -truth.float(), torch.arange(64)
    assert is_lost([far], [truth]) and is_lost([far, chosen], [truth, chosen])
    assert not is_lost([near], [truth]) and not is_lost([far, near], [truth, truth])
    assert not is_lost([chosen], [chosen]), "nothing is rounded"
