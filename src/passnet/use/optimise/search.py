"""Finds the known passes that are right in one model and make it faster. The bench tries each alone in the whole model.

The bench judges the model's own graph on the values of its own call. A set is kept when its match is right and its
interval lies above 1, without rules that lose in it. Among many sets that do nothing, one may win by chance. The kept
sets are therefore judged once more together, by measurements that did not choose them. Sets that are right without
being measurably faster are `open`: whether they gain in a compiled model is another question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from passnet.bench.compare.closeness import MODEL
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord
from passnet.errors import UsageError
from passnet.score import Outcome
from passnet.use.bundle import KeptPasses, Left, Whole
from passnet.use.library.candidates import LibraryUnit, find_candidates, place_of
from passnet.use.optimise.subject import ModelSubject
from passnet.use.optimise.trials import TrialRequest, Trials, TrialStep, measuring
from passnet.use.time_limit import TimeIsOver, time_limit

# In sixteen bits, results as near to float64 as the model's own are right beyond the tolerance too, up to this limit.
LOOSEST = 0
# Up to this many rules of a winning set are checked one by one.
_MOST_PARTS = 6


@dataclass(frozen=True)
class FoundPasses:
    """The result of the search.

    `units`: what is kept, in order of application, and `kept` the same as records. `whole`: the evidence that all
    together win; None when nothing wins. `open`: sets that are right and not shown to be faster, best first. `left`:
    each tried set that is not kept, with the reason.
    """

    units: tuple[LibraryUnit, ...] = ()
    kept: tuple[KeptPasses, ...] = ()
    whole: Whole | None = None
    open: tuple[LibraryUnit, ...] = ()
    left: tuple[Left, ...] = ()


@dataclass(frozen=True)
class _Tried:
    """A unit and the bench's result for it."""

    unit: LibraryUnit
    record: GraphRecord

    @property
    def low(self) -> float:
        return self.record.timing.speedup_ci[0] if self.record.timing else 0.0


def find_passes(
    request: TrialRequest,
    subject: ModelSubject,
    passes: Path,
    report: Callable[[TrialStep], None],
    goes_on: Callable[[], bool] = lambda: True,
    left_s: Callable[[], float | None] = lambda: None,
) -> FoundPasses:
    """Measure the sets of a library or a directory, and choose. While `goes_on` is false no further set is tried.
    When no seconds are left, the judgement under way is ended. The sets that were right until then are `open`.

    Errors: UsageError for passes that are none, and for a model that cannot be measured.
    """
    protocol = request.protocol(subject.device)
    _check_size(subject, protocol)
    found = find_candidates(passes, subject.operations, subject.device, request.policy)
    left = [Left(source=unit.source, rules=unit.rules, reason=reason) for unit, reason in found.left]
    undecided: list[_Tried] = []
    winners: list[_Tried] = []
    chosen = None
    try:
        with time_limit(left_s), measuring(request, subject, protocol, report) as trials:
            for winner in _winners(trials, found.units, left, undecided, goes_on):
                winners.append(winner)
            chosen = _chosen(trials, winners, left)
    except TimeIsOver:  # what won so far was not measured once more, so it is no more than right
        undecided += winners
        known = {each.unit.source for each in undecided} | {each.source for each in left}
        left += [
            Left(source=unit.source, rules=unit.rules, reason="the time was over while it was judged, or before")
            for unit in found.units
            if unit.source not in known
        ]
    undecided.sort(key=lambda each: (-each.low, each.unit.label))
    still_open = tuple(each.unit for each in undecided)
    if chosen is None:
        return FoundPasses(open=still_open, left=tuple(left))
    kept, record = chosen
    rows = tuple(_kept(index, each, record, alone=len(kept) == 1) for index, each in enumerate(kept))
    return FoundPasses(tuple(each.unit for each in kept), rows, _whole(record), still_open, tuple(left))


# --- choosing --------------------------------------------------------------------------------------------------


def _winners(
    trials: Trials,
    units: Sequence[LibraryUnit],
    left: list[Left],
    undecided: list[_Tried],
    goes_on: Callable[[], bool],
) -> Iterator[_Tried]:
    """Units that are right and faster alone. A set of several matching rules that is not is tried rule by rule."""
    for unit in units:
        if not goes_on():
            left.append(Left(source=unit.source, rules=unit.rules, reason="the time was over before it was tried"))
            continue
        whole = _Tried(unit, trials.judged([unit]))
        matched = [rule for rule, count in whole.record.replacements.items() if count]
        if _reason_against(whole.record) is None:
            yield _without_losers(trials, _Tried(unit.narrowed(matched), whole.record), left, goes_on)
            continue
        if _is_open(whole.record):
            undecided.append(_Tried(unit.narrowed(matched), whole.record))
        for part in _each(trials, unit, matched, goes_on) if len(matched) > 1 and goes_on() else [whole]:
            reason = _reason_against(part.record)
            if reason is None:
                yield part
            else:
                left.append(_left(part, reason))


def _is_open(record: GraphRecord) -> bool:
    """Whether a program is right, or was not found wrong, and is not measurably slower."""
    if record.outcome is Outcome.UNSTABLE:
        return True
    return _is_right(record) and not _loses(record)


def _without_losers(trials: Trials, whole: _Tried, left: list[Left], goes_on: Callable[[], bool]) -> _Tried:
    """A winner without the rules that lose alone, if that is faster. A winner of many rules stays as it is.

    Rules without a result of their own stay, because they have won together.
    """
    rules = whole.unit.rules
    if not 1 < len(rules) <= _MOST_PARTS:
        return whole
    losers = [part for part in _each(trials, whole.unit, rules, goes_on) if _loses(part.record)]
    gone = {rule for part in losers for rule in part.unit.rules}
    if not gone or gone == set(rules):
        return whole
    unit = whole.unit.narrowed([rule for rule in rules if rule not in gone])
    rest = _Tried(unit, trials.judged([unit]))
    if _reason_against(rest.record) is not None or rest.low <= whole.low:
        return whole
    left += [_left(part, "slower with it") for part in losers]
    return rest


def _each(
    trials: Trials, unit: LibraryUnit, rules: Sequence[str], goes_on: Callable[[], bool] = lambda: True
) -> Iterator[_Tried]:
    """Each of these rules alone."""
    for rule in rules:
        if goes_on():
            part = unit.narrowed([rule])
            yield _Tried(part, trials.judged([part]))


def _loses(record: GraphRecord) -> bool:
    """Measurably slower."""
    return record.timing is not None and record.timing.speedup_ci[1] < 1.0


def _chosen(trials: Trials, winners: Sequence[_Tried], left: list[Left]) -> tuple[Sequence[_Tried], GraphRecord] | None:
    """The winners that win together, with a record that chose nothing. While they do not win, the weakest
    is removed.
    """
    kept = sorted(winners, key=lambda each: (-each.low, each.unit.label))
    while kept:
        loser = _loser(trials, kept) if len(kept) > 1 else None
        if loser is None:
            record = trials.judged([each.unit for each in kept], again=True)
            reason = _reason_against(record)
            if reason is None:
                return kept, record
            loser = kept[-1], f"measured once more: {reason}"
        gone, why = loser
        left.append(_left(gone, why))
        kept = [each for each in kept if each is not gone]
    return None


def _loser(trials: Trials, kept: Sequence[_Tried]) -> tuple[_Tried, str] | None:
    """Which of several winners has to go, and why. None when they are best together."""
    record = trials.judged([each.unit for each in kept])
    idle = [each for index, each in enumerate(kept) if not _matches(record, index, each.unit)]
    if idle:
        return idle[-1], "its places are taken by passes that win more"
    reason = _reason_against(record)
    alone = kept[0].record.timing
    if reason is None and record.timing is not None and alone is not None and record.timing.speedup < alone.speedup:
        reason = f"slower with {', '.join(each.unit.label for each in kept[:-1])} than the best alone"
    return None if reason is None else (kept[-1], f"together: {reason}")


def _matches(record: GraphRecord, index: int, unit: LibraryUnit) -> int:
    """How many places a unit found among several."""
    place = place_of(index, unit)
    return sum(count for name, count in record.replacements.items() if name.startswith(f"{place}/"))


def _reason_against(record: GraphRecord) -> str | None:
    """Why a program is not kept. None when it is right and measurably faster."""
    if record.outcome is Outcome.NO_MATCH:
        nearest = record.near_misses[0].get("reason") if record.near_misses else None
        return f"no match: {nearest}" if nearest else "no match"
    if record.timing is None or not _is_right(record):
        return f"{record.outcome}: {record.detail}" if record.detail else str(record.outcome)
    low, high = record.timing.speedup_ci
    if low <= 1.0:
        return f"not measurably faster ({low:.3f} to {high:.3f})"
    deployed = record.timing.deployed_speedup
    return f"slower with its input check ({deployed:.3f})" if deployed is not None and deployed < 1.0 else None


def _is_right(record: GraphRecord) -> bool:
    """Within the tolerance of a whole model, or as near to float64 as the model itself (see `MODEL`)."""
    if record.correct_at is None or record.outcome not in (Outcome.CORRECT, Outcome.ACCURACY):
        return False
    ratio = record.max_error.fp64_ratio if record.max_error else None
    near = ratio is not None and ratio <= MODEL.rms
    return record.correct_at <= MODEL.level or (record.correct_at <= LOOSEST and near)


def _left(tried: _Tried, reason: str) -> Left:
    timing = tried.record.timing
    return Left(
        source=tried.unit.source,
        rules=tried.unit.rules,
        reason=reason,
        speedup=timing.speedup if timing else None,
        speedup_ci=timing.speedup_ci if timing else None,
    )


# --- mistakes of a user, and records ------------------------------------------------------------------------------


def _check_size(subject: ModelSubject, protocol: Protocol) -> None:
    size = sum(value.nbytes for value in subject.inputs)
    if size > protocol.graph_bytes:
        raise UsageError(
            "the model is too large to be measured in several processes",
            field=subject.name,
            expected=f"at most {protocol.graph_bytes >> 20} MiB of parameters and inputs",
            found=f"{size >> 20} MiB",
            hint="passes of a block of it, or of the model with fewer layers, can be loaded into the whole",
        )


def _whole(record: GraphRecord) -> Whole:
    timing, error = record.timing, record.max_error
    assert timing is not None and record.correct_at is not None, "what was kept was right and timed"
    return Whole(
        before_us=timing.eager_us,
        after_us=timing.compiled_us,
        speedup=timing.speedup,
        speedup_ci=timing.speedup_ci,
        deployed_speedup=timing.deployed_speedup,
        deployed_speedup_ci=timing.deployed_speedup_ci,
        control_ratio=timing.control_ratio,
        correct_at=record.correct_at,
        max_abs_error=error.abs if error else None,
        fp64_ratio=error.fp64_ratio if error else None,
    )


def _kept(index: int, tried: _Tried, together_record: GraphRecord, *, alone: bool) -> KeptPasses:
    timing = tried.record.timing
    assert timing is not None, "what was kept was timed"
    place = place_of(index, tried.unit)
    counts = tried.record.replacements if alone else together_record.replacements
    prefix = "" if alone else f"{place}/"
    return KeptPasses(
        directory=place,
        source=tried.unit.source,
        content_hash=tried.unit.content_hash,
        replacements={name.removeprefix(prefix): n for name, n in counts.items() if name.startswith(prefix) and n},
        speedup=timing.speedup,
        speedup_ci=timing.speedup_ci,
    )
