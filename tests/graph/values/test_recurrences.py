"""Chains of steps that meet one input again, and the data that joins them."""

from __future__ import annotations

import pytest

from passnet.graph import TensorSpec
from passnet.graph.values.recurrences import Recurrence, recurrences
from tests.graph.graph_helpers import graph_of, spec


def found(specs: list[TensorSpec], *lines: str) -> list[Recurrence]:
    return recurrences(graph_of(specs, *lines))


def steps(count: int, *lines: str) -> list[str]:
    """These lines again and again: `@` is the number of a step, and `~` that of the step before."""
    return [line.replace("@", str(at)).replace("~", str(at - 1)) for at in range(1, count + 1) for line in lines]


_TAGS = [spec("e", 5, 3, 8), spec("w", 8, 8)]


@pytest.mark.parametrize(
    ("lines", "turned"),
    [
        (("u@ = a~.unsqueeze(2)", "s@ = u@ + w", "l@ = torch.logsumexp(s@, 1)"), False),
        (("u@ = a~.unsqueeze(1)", "s@ = u@ + w", "l@ = torch.logsumexp(s@, 2)"), True),
        (("t@ = w.t()", "u@ = a~.unsqueeze(1)", "s@ = t@ + u@", "l@ = torch.logsumexp(s@, 2)"), False),
    ],
)
def test_a_forward_algorithm(lines: tuple[str, ...], turned: bool) -> None:
    """`turned`: rows of the table are of what follows."""
    text = steps(4, "x@ = e[@]", *lines, "a@ = l@ + x@")
    assert found(_TAGS, "a0 = e[0]", *text, "return (a4,)") == [Recurrence(1, True, False, turned, ((0, 3),))]


def test_two_steps_are_no_chain() -> None:
    lines = steps(2, "u@ = a~.unsqueeze(2)", "s@ = u@ + w", "a@ = torch.logsumexp(s@, 1)")
    assert found(_TAGS, "a0 = e[0]", *lines, "return (a2,)") == []


def test_a_sum_of_separate_steps_is_no_chain() -> None:
    lines = steps(4, "x@ = e[@]", "u@ = x@.unsqueeze(2)", "s@ = u@ + w", "l@ = torch.logsumexp(s@, 1)")
    assert found(_TAGS, *lines, "a = l1 + l2", "b = a + l3", "return (b,)") == []


@pytest.mark.parametrize(
    "lines",
    [
        ["p = x.unbind(1)", *steps(4, "y@ = p[@]", "m@ = torch.nn.functional.linear(h~, w)")],
        ["p = x.chunk(6, 1)", *steps(4, "z@ = p[@]", "y@ = z@.squeeze(1)", "m@ = torch.matmul(h~, w)")],
        steps(4, "y@ = x.select(1, @)", "m@ = torch.matmul(h~, w)"),
        steps(4, "y@ = x[:, -@]", "m@ = torch.matmul(h~, w)"),
        ["k = torch.nn.functional.linear(x, v)", *steps(4, "y@ = k[:, @]", "m@ = torch.matmul(h~, w)")],
    ],
)
def test_a_cell_that_reads(lines: list[str]) -> None:
    """What is read is multiplied first or not, and taken step by step in any spelling."""
    specs = [spec("x", 5, 6, 16), spec("h0", 5, 16), spec("w", 16, 16), spec("v", 16, 16)]
    kept = []
    for line in lines:
        kept.append(line)
        if line.startswith("m"):
            at = line[1 : line.index(" ")]
            kept += [f"s{at} = m{at} + y{at}", f"h{at} = torch.tanh(s{at})"]
    (one,) = [each for each in found(specs, *kept, "return (h4,)") if each.met == 2]
    assert (one.table, one.factor, one.steps) == (True, True, ((0, 2),))
    assert one.turned == any("linear(h" in line for line in lines)


def test_a_mean_that_decays_by_one_vector() -> None:
    lines = steps(4, "m@ = h~ * d", "y@ = x[@]", "h@ = m@ + y@")
    (one,) = found([spec("x", 5, 3, 16), spec("d", 16)], "h0 = x[0]", *lines, "return (h4,)")
    assert one.met == 1 and one.steps == ((0, 3),)


def test_what_meets_itself_alone_is_no_chain() -> None:
    lines = ("a = x * x", "b = a * x", "c = b + x", "d = torch.tanh(c)", "e = d * x", "return (e,)")
    assert found([spec("x", 64, 64)], *lines) == []
