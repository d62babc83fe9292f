"""What the reference knows of eager's outputs."""

from __future__ import annotations

import math
from contextlib import closing
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.comparison import Comparison
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.protocol import Protocol
from passnet.bench.timing.blocks import Block, KeptCall
from passnet.bench.timing.sizing import GraphShape
from passnet.bench.verdict import reference
from passnet.bench.verdict.reference import Reference
from passnet.bench.wire.replies import Done, FailureKind, OutputFacts, OutputForm, Probed
from passnet.bench.wire.requests import Expect


class Doubling:
    """Stands in for a pair whose reference doubles what lies in its places, and fails on the key 13."""

    def __init__(self, places: int, kind: FailureKind = "exception") -> None:
        self.kind, self.events = kind, list[str]()
        halves = [[[torch.zeros(())] for _ in range(places)] for _ in range(2)]
        wide = [[torch.zeros((), dtype=torch.float64)] for _ in range(places)]
        buffers = SimpleNamespace(layout=SimpleNamespace(device="cpu"), places=halves[0], slots=halves[1], wide=wide)
        self.lent = {("reference", "expected"): buffers}

    def begin(self, role: str, request: Expect, limit_s: float) -> SimpleNamespace:
        self.events.append(f"begin {request.count}")
        return SimpleNamespace(answer=lambda: self.ask(role, request, limit_s))

    def ask(self, role: str, request: Expect, limit_s: float) -> Done:
        self.events.append(f"answer {request.count}")
        buffers = self.lent["reference", "expected"]
        for place, slot in list(zip(buffers.places, buffers.slots, strict=True))[: request.count]:
            if place[0] == 13:
                raise WorkerFailure(self.kind, "13 brings bad luck")
            slot[0].copy_(2 * place[0])
        for row, place in zip(buffers.wide, buffers.places, strict=True):
            row[0].copy_(2 * place[0])
        return Done()


def doubled(pair: Doubling, *, wide: bool = False) -> Reference:
    nobody: Any = SimpleNamespace(graph=None)
    probed = Probed(outputs=(), mutated=(), wide=wide, steady=True, choosers=0, facts=OutputFacts(), peak=0, twin=0)
    return Reference(cast(WorkerPair, pair), Protocol(), nobody, GraphShape("cpu", [], []), probed)


@pytest.mark.parametrize(("trusted", "overwritten"), [(False, (0, 2)), (True, ())])
def test_outputs_of_eagers_own_are_overwritten_whatever_they_hold(
    monkeypatch: pytest.MonkeyPatch, trusted: bool, overwritten: tuple[int, ...]
) -> None:
    """No look at draws decides it: on other draws other rows were the same. A compiler leaves nothing behind."""
    forms = (OutputForm(shape=(2, 3), dtype="float32", stride=(3, 1), ordered=True),) * 3
    probed = Probed(
        outputs=forms, mutated=(), wide=True, steady=True, choosers=0, facts=OutputFacts(shared=(1,)), peak=0, twin=0
    )
    monkeypatch.setattr(reference, "build_reference", lambda *_: probed)
    monkeypatch.setattr(reference, "also_asked", lambda *_: None)
    monkeypatch.setattr(Reference, "open", lambda _: None)
    job: Any = SimpleNamespace(graph=SimpleNamespace(nbytes=0, specs=()), device="cpu")
    pair: Any = SimpleNamespace(trusted=trusted)
    assert Reference.prepare(pair, Protocol(), job).shape.overwritten == overwritten


GIVEN: Any = SimpleNamespace(values=lambda key: [torch.tensor(float(key))], key=lambda draw: draw)


def test_the_next_calls_are_answered_while_these_are_compared() -> None:
    pair = Doubling(2)
    reference = doubled(pair)
    found = []
    for part in reference.answers.in_turn(GIVEN, [[1, 2], [3, 4], [5]]):
        assert not isinstance(part, Verdict)
        pair.events.append("compare")
        found += [float(expected.eager[0]) for expected in part]
        if len(found) == 2:  # a comparison may ask for more: what is under way is kept
            assert float(reference.expected([torch.tensor(50.0)]).eager[0]) == 100.0
    assert found == [2.0, 4.0, 6.0, 8.0, 10.0]
    assert pair.events[:4] == ["begin 2", "answer 2", "begin 2", "compare"]
    assert pair.events[4:] == ["answer 2", "answer 1", "begin 1", "compare", "answer 1", "compare"]


def test_a_draw_on_which_the_reference_fails_takes_no_other_along() -> None:
    found = list(doubled(Doubling(2)).answers.of_draws(GIVEN, [1, 13, 3, 4, 13]))
    assert [isinstance(each, Verdict) for each in found] == [False, True, False, False, True]
    assert [float(each.eager[0]) for each in found if not isinstance(each, Verdict)] == [2.0, 6.0, 8.0]


def test_answers_may_be_asked_for_while_others_are_looked_at() -> None:
    reference, found = doubled(Doubling(2)), []
    for outer in reference.answers.of_draws(GIVEN, [1, 2, 3, 4, 5]):
        inner = list(reference.answers.of_draws(GIVEN, [10, 20, 30]))
        found += [float(each.eager[0]) for each in (outer, *inner) if not isinstance(each, Verdict)]
    assert found == [value for first in (2.0, 4.0, 6.0, 8.0, 10.0) for value in (first, 20.0, 40.0, 60.0)]


def test_who_stops_in_the_middle_leaves_nothing_under_way() -> None:
    pair = Doubling(1)
    reference = doubled(pair)
    with closing(reference.answers.in_turn(GIVEN, [[1], [2], [3]])) as answers:
        next(answers)
    assert pair.events == ["begin 1", "answer 1", "begin 1", "answer 1"]
    assert float(reference.expected([torch.tensor(7.0)]).eager[0]) == 14.0


class DrawKey(int):
    """Stands in for the key of a call."""

    draw = 0


def kept(key: int, *outputs: float, left: float | None = None) -> KeptCall:
    inputs = None if left is None else [torch.tensor(left)]
    return KeptCall(cast(Any, DrawKey(key)), [torch.tensor(value) for value in outputs], inputs)


@pytest.mark.parametrize(
    ("calls", "compared"),
    [
        ([kept(1, 2.0), kept(1, 2.0)], 1),
        ([kept(1, 2.0), kept(1, 2.0, left=1.0)], 2),
        ([kept(1, 2.0, left=1.0), kept(1, 2.0, left=1.0)], 1),
        ([kept(1, 2.0, left=1.0), kept(1, 2.0, left=9.0)], 2),
        ([kept(1, 2.0), kept(1, 2.5), kept(1, 2.0), kept(1, 2.5)], 2),
        ([kept(1, 2.0, 3.0), kept(1, 2.0, 4.0)], 2),
        ([kept(1, math.nan), kept(1, math.nan)], 1),
        ([kept(1, 2.0), kept(2, 2.0), kept(1, 2.0)], 2),
    ],
)
def test_a_call_that_gave_what_another_gave_for_the_same_inputs_is_as_right(
    calls: list[KeptCall], compared: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every call has its comparison, and each that differs in anything one of its own."""
    looked_at: list[KeptCall] = []

    def compare_call(self: Reference, call: KeptCall, *_: object) -> Comparison:
        looked_at.append(call)
        return Comparison(max_abs=float(len(looked_at)))

    monkeypatch.setattr(Reference, "_compare_call", compare_call)
    monkeypatch.setattr("passnet.bench.verdict.reference.measure", lambda cases: None)
    given = SimpleNamespace(values=GIVEN.values, is_hard=lambda draw: False, judged={})
    block = Block(1.0, kept=dict(enumerate(calls)))
    found = list(doubled(Doubling(2)).compare_blocks(cast(Any, given), [block]))
    assert len(found) == len(calls)
    assert len(looked_at) == compared
    assert len({each.max_abs for each in found}) == compared


@pytest.mark.parametrize("wrong", range(6))
def test_of_many_calls_the_wrong_one_is_found(wrong: int) -> None:
    """They are measured together, whatever inputs they got, and each keeps its place."""
    keys = [1, 2, 1, 3, 2, 3]
    calls = [kept(key, 2.0 * key + (place == wrong), left=float(key)) for place, key in enumerate(keys)]
    given = SimpleNamespace(values=GIVEN.values, is_hard=lambda draw: False, judged={})
    block = Block(1.0, kept=dict(enumerate(calls)))
    found = list(doubled(Doubling(4)).compare_blocks(cast(Any, given), [block]))
    order = [place for key in (1, 2, 3) for place, other in enumerate(keys) if other == key]
    assert [each.strict for each in found] == [place != wrong for place in order]
    assert [each.max_abs for each in found] == [float(place == wrong) for place in order]


def compared(reference: Reference, *keys: int) -> list[Comparison]:
    """The comparisons of calls with these keys, which are right but for the last one."""
    given = SimpleNamespace(values=GIVEN.values, is_hard=lambda draw: False, judged={})
    calls = [kept(key, 2.0 * key + (place == len(keys) - 1)) for place, key in enumerate(keys)]
    return list(reference.compare_blocks(cast(Any, given), [Block(1.0, kept=dict(enumerate(calls)))]))


def test_a_call_on_whose_inputs_eager_raises_is_left_out() -> None:
    """The others in its part are compared. A reference that is late or lost is something else."""
    assert [each.strict for each in compared(doubled(Doubling(4)), 1, 13, 3, 4)] == [True, True, False]
    assert compared(doubled(Doubling(1)), 13) == []
    with pytest.raises(Verdict, match="bad luck"):
        compared(doubled(Doubling(4, "timeout")), 1, 13, 3, 4)


def test_few_calls_are_left_out() -> None:
    reference = doubled(Doubling(4))
    for _ in range(8):
        compared(reference, 13)
    with pytest.raises(Verdict, match="bad luck"):
        compared(reference, 13)


def test_a_call_in_vain_does_not_end_the_search_for_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """All calls together may forgive it. A candidate that is wrong everywhere takes no such search for each call."""
    asked: list[object] = []

    def errors_near(inputs: object, *_: object) -> list[Errors]:
        asked.append(inputs)
        return [Errors()]

    monkeypatch.setattr("passnet.bench.verdict.reference.errors_near", errors_near)
    monkeypatch.setattr("passnet.bench.verdict.reference.jumps", lambda graph: False)
    monkeypatch.setattr("passnet.bench.verdict.reference.inverts", lambda graph: False)
    given = SimpleNamespace(values=GIVEN.values, is_hard=lambda draw: False, judged={})
    wrong = [kept(key, 2.0 * key + 1.0) for key in range(14, 34)]
    doubled_again = doubled(Doubling(4), wide=True)
    found = list(doubled_again.compare_blocks(cast(Any, given), [Block(1.0, kept=dict(enumerate(wrong[:2])))]))
    assert (len(found), len(asked)) == (2, 2)
    list(doubled_again.compare_blocks(cast(Any, given), [Block(1.0, kept=dict(enumerate(wrong)))]))
    assert 2 < len(asked) < len(wrong) / 2
