"""Finds the known passes that make one model faster. The bench tries each of them alone in the whole model.

The bench judges the model's own graph on the values of its own call. A set is kept when its match is right and its
interval lies above 1, without rules that lose in it. Among many sets that do nothing, one may win by chance. The kept
sets are therefore judged once more together, by measurements that did not choose them. A bundle is written only if they
win.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from passnet import environment
from passnet.bench.compare.closeness import MODEL
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord
from passnet.errors import UsageError
from passnet.score import Outcome
from passnet.use.bundle import Bundle, KeptPasses, Left, Whole, is_bundle, write_bundle
from passnet.use.library.candidates import LibraryCandidates, LibraryUnit, find_candidates, place_of, placed
from passnet.use.optimise.subject import ModelSubject, capture_subject
from passnet.use.optimise.trials import BEFORE, TrialRequest, Trials, TrialStep, measuring

# In sixteen bits, results as near to float64 as the model's own are right beyond the tolerance too, up to this limit.
LOOSEST = 0
# Up to this many rules of a winning set are checked one by one.
_MOST_PARTS = 6


@dataclass(frozen=True)
class Optimized:
    """The result of the search.

    `before`: the compiler that the model used so far. `bundle`: None when nothing wins. `left`: each tried set that is
    not in the bundle, with the reason.
    """

    subject: ModelSubject
    before: str
    bundle: Bundle | None
    left: tuple[Left, ...]


@dataclass(frozen=True)
class _Tried:
    """A unit and the bench's result for it."""

    unit: LibraryUnit
    record: GraphRecord

    @property
    def low(self) -> float:
        return self.record.timing.speedup_ci[0] if self.record.timing else 0.0


def optimize(
    request: TrialRequest,
    report: Callable[[TrialStep], None],
    write: Callable[[ModelSubject], Path | None] | None = None,
) -> Optimized:
    """Measure, choose, and write the bundle if something wins. Mistakes of the user are raised first.

    `write` makes the passes from the captured model when `request.passes` names none. It returns None if it found none.
    """
    _check_out(request)
    if request.device is not None:
        environment.check_device(request.device)
    subject = _noted(capture_subject(request.spec, request.device), request)
    protocol = request.protocol(subject.device)
    _check_size(subject, protocol)
    passes = request.passes or (write(subject) if write else None)
    found = (
        find_candidates(passes, subject.operations, subject.device, request.policy)
        if passes
        else LibraryCandidates((), ())
    )
    left = [Left(source=unit.source, rules=unit.rules, reason=reason) for unit, reason in found.left]
    before = BEFORE[request.compiler]
    machine = environment.snapshot(subject.device)
    with measuring(request, subject, protocol, machine, report) as trials:
        winners = list(_winners(trials, found.units, left))
        chosen = _chosen(trials, winners, left)
    if chosen is None:
        return Optimized(subject, before, None, tuple(left))
    units, record = chosen
    bundle = _bundle(request, subject, protocol, machine, units, record, left)
    write_bundle(request.out, bundle, placed([each.unit for each in units]), overwrite=request.overwrite)
    return Optimized(subject, before, bundle, tuple(left))


# --- choosing --------------------------------------------------------------------------------------------------


def _winners(trials: Trials, units: Sequence[LibraryUnit], left: list[Left]) -> Iterator[_Tried]:
    """Units that are right and faster alone. A set of several matching rules that is not is tried rule by rule."""
    for unit in units:
        whole = _Tried(unit, trials.judged([unit]))
        matched = [rule for rule, count in whole.record.replacements.items() if count]
        if _reason_against(whole.record) is None:
            yield _without_losers(trials, _Tried(unit.narrowed(matched), whole.record), left)
            continue
        for part in _parts(trials, unit, matched) if len(matched) > 1 else [whole]:
            reason = _reason_against(part.record)
            if reason is None:
                yield part
            else:
                left.append(_left(part, reason))


def _without_losers(trials: Trials, whole: _Tried, left: list[Left]) -> _Tried:
    """A winner without the rules that lose alone, if that is faster. A winner of many rules stays as it is.

    Rules without a result of their own stay, because they have won together.
    """
    rules = whole.unit.rules
    if not 1 < len(rules) <= _MOST_PARTS:
        return whole
    losers = [part for part in _parts(trials, whole.unit, rules) if _loses(part.record)]
    gone = {rule for part in losers for rule in part.unit.rules}
    if not gone or gone == set(rules):
        return whole
    unit = whole.unit.narrowed([rule for rule in rules if rule not in gone])
    rest = _Tried(unit, trials.judged([unit]))
    if _reason_against(rest.record) is not None or rest.low <= whole.low:
        return whole
    left += [_left(part, "slower with it") for part in losers]
    return rest


def _parts(trials: Trials, unit: LibraryUnit, rules: Sequence[str]) -> list[_Tried]:
    """Each of these rules alone."""
    return [_Tried(part, trials.judged([part])) for part in (unit.narrowed([rule]) for rule in rules)]


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


# --- mistakes of a user, and the written files ------------------------------------------------------------------


def _check_out(request: TrialRequest) -> None:
    out = request.out
    if out.exists() and not request.overwrite and (not out.is_dir() or any(out.iterdir())):
        raise UsageError("already exists", path=out, field="--out", hint="choose another directory, or --overwrite")
    if out.exists() and not is_bundle(out) and (not out.is_dir() or any(out.iterdir())):
        raise UsageError("holds something else than a bundle", path=out, field="--out", hint="choose another directory")


def _noted(subject: ModelSubject, request: TrialRequest) -> ModelSubject:
    """The subject with a note where its user runs it otherwise than it is measured."""
    own = torch.get_num_threads()
    if subject.device != "cpu" or own == request.threads:
        return subject
    note = f"measured with {request.threads} thread(s) and torch uses {own} here; --threads {own} measures that"
    return replace(subject, notes=(*subject.notes, note))


def _check_size(subject: ModelSubject, protocol: Protocol) -> None:
    size = sum(value.nbytes for value in subject.inputs)
    if size > protocol.graph_bytes:
        raise UsageError(
            "the model is too large to be measured in several processes",
            field=subject.name,
            expected=f"at most {protocol.graph_bytes >> 20} MiB of parameters and inputs",
            found=f"{size >> 20} MiB",
            hint="optimize a block of it, or the model with fewer layers, and load the bundle into the whole",
        )


def _bundle(
    request: TrialRequest,
    subject: ModelSubject,
    protocol: Protocol,
    machine: dict[str, object],
    kept: Sequence[_Tried],
    record: GraphRecord,
    left: Sequence[Left],
) -> Bundle:
    return Bundle(
        model=request.spec,
        graph_hash=subject.graph.content_hash,
        before=BEFORE[request.compiler],
        compiler=request.compiler,
        device=subject.device,
        policy=request.policy,
        whole=_whole(record),
        kept=tuple(_kept(index, each, record, alone=len(kept) == 1) for index, each in enumerate(kept)),
        left=tuple(left),
        notes=subject.notes,
        snippet=snippet(request, named=subject.named),
        protocol=protocol.model_dump(),
        environment=machine,
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


def snippet(request: TrialRequest, *, named: bool) -> tuple[str, str]:
    """Two lines that load a bundle into the user's program. `named`: the model is called with keyword arguments."""
    example = "example_inputs, example_kwargs" if named else "example_inputs"
    inductor = ", inductor=True" if request.compiler == "passes+inductor" else ""
    policy = "" if request.policy == "strict" else f', policy="{request.policy}"'
    applied = f'passnet.load_passes("{request.out}"{policy}).apply(model, {example}{inductor})'
    return ("import passnet", f"fast = {applied}  # call it under no_grad")
