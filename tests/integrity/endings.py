"""How a cheat must end: the field `Ends as` of its docstring, read, checked, and compared with a record."""

from __future__ import annotations

import re
from dataclasses import dataclass

from passnet.bench.outcome.integrity_checks import BY_NAME
from passnet.bench.record.records import GraphRecord
from passnet.bench.timing.captured import OTHER_OUTPUTS
from passnet.score import Outcome

NO_FASTER = "correct, no faster"
# Right, and slower than it seems as a CUDA graph: what is replayed is not what is called.
NOT_CAPTURED = "correct, no captured figure"
# Right, however fast: what only its text gives away.
UNSEEN = "correct"
# The lower end of the interval: a short protocol has few blocks, and a tie with eager is no win.
MOST_SPEEDUP = 1.0
# None says anything of the candidate.
_NO_VERDICT = {Outcome.UNSTABLE, Outcome.REFERENCE_ERROR, Outcome.OUT_OF_MEMORY, Outcome.INFRASTRUCTURE}
# These happen to a cheat that is only broken too, so each says why it is the trick that ends so.
_CRASHES = {Outcome.RUNTIME_ERROR, Outcome.COMPILE_ERROR, Outcome.TIMEOUT, Outcome.NO_MATCH}
_MOST_ALTERNATIVES = 3
_FORM = (
    f"`OUTCOME`, `integrity:CHECK`, `{NO_FASTER}` or `{NOT_CAPTURED}`, at most three of them with ` or ` between, then "
    "`; REASON`"
)


class EndingError(ValueError):
    """What `Ends as` says cannot be demanded of a record."""


@dataclass(frozen=True)
class Ending:
    """One way to end: an outcome, and for `integrity` the check that finds it."""

    outcome: Outcome
    check: str | None = None
    any_speed: bool = False
    not_captured: bool = False

    @property
    def layer(self) -> str | None:
        """The layer that the ending is due to; None where nothing had to be caught."""
        if self.not_captured:
            return "output truth"
        if self.outcome is Outcome.CORRECT:
            return None
        return BY_NAME[self.check].layer if self.check else "output truth"

    def is_of(self, record: GraphRecord) -> bool:
        if record.outcome is not self.outcome:
            return False
        if self.not_captured:
            timing = record.timing
            figures = (timing.captured_speedup, timing.busy_speedup, timing.compiled_busy_us) if timing else (0.0,)
            return not any(f is not None for f in figures) and timing.not_captured == OTHER_OUTPUTS
        if self.outcome is Outcome.CORRECT:
            return record.timing is not None and (self.any_speed or record.timing.speedup_ci[0] <= MOST_SPEEDUP)
        return self.check is None or any(finding.exploit == self.check for finding in record.findings)


@dataclass(frozen=True)
class Endings:
    """The ways in which one cheat may end, and why these where that does not go without saying."""

    text: str
    ways: tuple[Ending, ...]
    reason: str

    def check(self, record: GraphRecord) -> None:
        """AssertionError unless the record is one of these."""
        assert any(way.is_of(record) for way in self.ways), (
            f"it must end as `{self.text}` and ended as `{ended(record)}`: {record.detail}"
        )


def read_endings(text: str) -> Endings:
    """EndingError when the text is no demand that a record can meet or fail."""
    wanted, _, reason = (part.strip() for part in text.partition(";"))
    ways = tuple(_ending(word) for word in wanted.split(" or "))
    if len(ways) > _MOST_ALTERNATIVES or len(set(ways)) < len(ways):
        raise EndingError(f"`{text}`: expected {_FORM}")
    if not reason and (len(ways) > 1 or any(way.outcome in _CRASHES or way.any_speed for way in ways)):
        raise EndingError(f"`{text}`: crashes, alternatives and `{UNSEEN}` need a reason; write `{wanted}; REASON`")
    return Endings(text, ways, reason)


def ended(record: GraphRecord) -> str:
    """A record in the words of `Ends as`; with the speedup where that decides."""
    if record.outcome is Outcome.INTEGRITY:
        return " and ".join(sorted({f"integrity:{finding.exploit}" for finding in record.findings}))
    if record.outcome is Outcome.CORRECT and record.timing is not None:
        timing = record.timing
        if timing.not_captured == OTHER_OUTPUTS:
            return NOT_CAPTURED
        faster = f"correct, {timing.speedup:.2f} times as fast as eager ({timing.speedup_ci[0]:.2f} at least)"
        return NO_FASTER if timing.speedup_ci[0] <= MOST_SPEEDUP else faster
    return record.outcome.value


def _ending(word: str) -> Ending:
    if word == NOT_CAPTURED:
        return Ending(Outcome.CORRECT, not_captured=True)
    if word in (NO_FASTER, UNSEEN):
        return Ending(Outcome.CORRECT, any_speed=word == UNSEEN)
    if check := re.fullmatch(r"integrity:(\w+)", word):
        if check[1] not in BY_NAME:
            raise EndingError(f"`{word}`: no such check; there are {', '.join(sorted(BY_NAME))}")
        return Ending(Outcome.INTEGRITY, check[1])
    demanded = {outcome.value: outcome for outcome in set(Outcome) - _NO_VERDICT - {Outcome.CORRECT, Outcome.INTEGRITY}}
    if word not in demanded:
        raise EndingError(f"`{word}`: expected {_FORM}; outcomes: {', '.join(sorted(demanded))}")
    return Ending(demanded[word])
