"""Why a graph is no win, in a line: what the record says of a failure, and where the time of a slow one goes."""

from __future__ import annotations

import re
from textwrap import shorten
from typing import Final

from passnet.authored import one_line
from passnet.bench.compare.closeness import GRAPH, HARD
from passnet.bench.record.records import GraphRecord, Timing
from passnet.dataset.layout import place_of
from passnet.report.run.figures import SLOWER, TIE, verdict
from passnet.report.run.measured import device_time, resolved, shares_of
from passnet.score import Outcome

_LONGEST: Final = 600
# What records said before objections named the limit that was broken.
_OLD_ELEMENT: Final = re.compile(
    r"an element is (?P<own>[\d.e+-]+) of its size off, eager's (?P<eagers>[\d.e+-]+)"
    r"(?:; RMS errors up to (?P<rms>[\d.e+-]+) times eager's)?"
)
_OLD_SCALE: Final = re.compile(r"an RMS error of (?P<own>[\d.e+-]+) spreads, eager's (?P<eagers>[\d.e+-]+)")
_COARSE: Final = "bfloat16"


def reason(record: GraphRecord, factor: float | None = None) -> str:
    """One line about a graph that is not surely faster than eager. Empty for others.

    `factor`: how many times eager's own RMS error the run allowed. None: not known.
    """
    if record.outcome is not Outcome.CORRECT:
        said = _understood(one_line((record.detail or "").split("\n")[0]), record, factor)
        miss = record.near_misses[0] if record.near_misses and record.outcome is Outcome.NO_MATCH else {}
        why = ": ".join(_short(one_line(miss[key])) for key in ("rule", "reason") if miss.get(key))
        return "; ".join(filter(None, (_short(said), why)))
    if record.timing is None:
        return ""
    found = verdict(record)
    return _slow(record, record.timing) if found == SLOWER else _tied(record, record.timing) if found == TIE else ""


def _short(text: str) -> str:
    """The text, cut between words where it is very long. A single long word is cut anywhere."""
    if len(text) <= _LONGEST:
        return text
    cut = shorten(text, _LONGEST, placeholder="…")
    return cut if len(cut) > 1 else f"{text[: _LONGEST - 1]}…"


def _understood(said: str, record: GraphRecord, factor: float | None) -> str:
    """An older objection in today's words. It stood beside eager's error, which was not always the limit."""
    said = _OLD_SCALE.sub(lambda found: _scale(found, factor), said)
    return _OLD_ELEMENT.sub(lambda found: _element(found, record, hard=" on hard draws" in said), said)


def _positive(*numbers: str) -> bool:
    try:
        return all(float(number) > 0 for number in numbers)
    except ValueError:
        return False


def _scale(found: re.Match[str], factor: float | None) -> str:
    if not _positive(found["own"], found["eagers"]):
        return found[0]
    times = float(found["own"]) / float(found["eagers"])
    allowed = f"; {factor:g} times or the dtype's tolerance is allowed" if factor is not None and times > factor else ""
    return (
        f"an RMS error of {found['own']} of the outputs' spread, {times:.3g} times eager's {found['eagers']}{allowed}"
    )


def _element(found: re.Match[str], record: GraphRecord, *, hard: bool) -> str:
    if not _positive(found["own"], found["eagers"]):
        return found[0]
    own, eagers, rms = float(found["own"]), float(found["eagers"]), found["rms"]
    rule = HARD if hard else GRAPH
    off = f"an element is {found['own']} of its size off"
    if rms is not None and _positive(rms) and float(rms) > rule.rms:
        return f"{off}, and RMS errors are up to {rms} times eager's; on average {rule.rms:g} times are allowed"
    if own > rule.far_peak * eagers:
        return f"{off}, {own / eagers:.3g} times eager's {found['eagers']}"
    # Beside eager this would be right. So the limit was the one for elements in which eager itself says nothing.
    cap = rule.peak_cap if place_of(record.graph).dtype != _COARSE else None
    limit = f" ({cap:g} of its size)" if cap is not None else ""
    if cap is None or own > cap:
        over = f", {own / cap:.3g} times the limit" if cap is not None else ""
        far = f"the record has {found['own']}{over}; eager's {found['eagers']}"
    else:
        far = "by how much was not recorded by the version that judged it"
    return f"an element is beyond the fixed limit{limit}, which holds where eager is too far off to be a measure: {far}"


def _slow(record: GraphRecord, timing: Timing) -> str:
    """The score's ratio, the times of a call, those of the kernels with their own ratio, and shares of the bound."""
    call = f"a call takes {timing.compiled_us:.1f} us, eager's {timing.eager_us:.1f}"
    parts = [f"{1 / timing.speedup:.2f} times eager's time: {call}", _kernels(timing), _bound(record)]
    return "; ".join(filter(None, parts))


def _tied(record: GraphRecord, timing: Timing) -> str:
    """That no difference was measured, and how near to the bound both are, which leaves no room to be faster."""
    low, high = timing.speedup_ci
    said = f"no measurable difference: speedup {timing.speedup:.3f}, and its interval {low:.3f} to {high:.3f} holds 1"
    return "; ".join(filter(None, (said, _bound(record))))


def _bound(record: GraphRecord) -> str:
    """The least time of the work as a share of what each side takes. Empty where the candidate's is not known."""
    eager, candidate = shares_of(record)
    if candidate is None:
        return ""
    beside = f", and {percent(eager)} of eager's" if eager is not None else ""
    return f"the least time of its work is {percent(candidate)} of its time{beside}"


def percent(share: float) -> str:
    """A share with two digits."""
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"


def _kernels(timing: Timing) -> str:
    """What the kernels take, and whether the host takes most of what a call takes longer."""
    ours, eager = timing.compiled_busy_us, timing.eager_busy_us
    if ours is None or eager is None:
        return ""
    times = f" ({ours / eager:.1f} times)" if resolved(ours) and resolved(eager) else ""
    host = "" if ours - eager > (timing.compiled_us - timing.eager_us) / 2 else ", so most of it is the host's"
    return f"its kernels take {device_time(ours)}, eager's {device_time(eager).removesuffix(' us')}{times}{host}"
