"""Reads a validation log of the upstream harness. Each block gets the verdict that upstream gives it."""

from __future__ import annotations

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from passnet.score.errors import ScoreError, is_finite_number
from passnet.score.files import read_bytes
from passnet.score.outcome import UPSTREAM_STATUS, Outcome
from passnet.score.result import GraphResult
from passnet.score.tolerances import STRICT_T, T_RANGE_EXTENDED, tolerance

MAX_BYTES: Final = 1 << 30
_NO_INTERVALS: Final = "a log of another harness has neither intervals nor proof that a kernel of the pass ran"

_OPENING: Final = "[Processing]"
_PATH = re.compile(r"\[Processing\]\s*(.*)")
_DATATYPES = re.compile(r"\[Datatype\]\[eager\]:\s*(.*)")
_COMPARISON = re.compile(r"\[Correctness\]\[(equal|all_close[^\]]*)\]:\s*(.*)")
_SPEEDUP = re.compile(r"\[Speedup\]\[e2e\]:\s*(\S*)")
_PERFORMANCE = re.compile(r"\[Performance\]\[(eager|compiled)\]:\s*(.*)")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


@dataclass(frozen=True, slots=True)
class LogBlock:
    """The lines of one graph. `line` is the 1-based number of its opening line in the file."""

    path: str
    line: int
    lines: tuple[str, ...]

    @property
    def status(self) -> str:
        """Upstream's own status of the block: the first of its rules that applies."""
        compared = self.has("all_close")
        checks = (
            ("eager_fail", compared or self.has("[Datatype][eager]")),
            ("compile_fail", compared or self.has("[Datatype][compiled]")),
            ("shape_mismatch", compared or self.has("[Shape]", "match:True")),
            ("type_mismatch", self.has("[DataType]", "match:True")),
            ("runtime_fail", not (self.has("Exception:") or self.has("Error:"))),
        )
        return next((status for status, passed in checks if not passed), "correct")

    def has(self, *marks: str) -> bool:
        return any(all(mark in line for mark in marks) for line in self.lines)

    def last(self, pattern: re.Pattern[str]) -> tuple[int, re.Match[str]] | None:
        """The last match of a tag and its line number. Upstream lets a repeated tag overwrite an earlier one."""
        return next(reversed(list(self.matches(pattern))), None)

    def matches(self, pattern: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str]]]:
        for number, line in enumerate(self.lines, start=self.line):
            match = pattern.search(line)
            if match:
                yield number, match


@dataclass(frozen=True, slots=True)
class UpstreamLog:
    """A parsed log, in its order. `statuses` counts upstream's status names. `notes` are remarks for the reader.

    A path that is logged twice counts twice, as upstream counts it.
    """

    path: Path
    results: tuple[GraphResult, ...]
    statuses: dict[str, int]
    notes: tuple[str, ...]


def read_upstream_log(path: Path | str) -> UpstreamLog:
    """Parse a validation log. The task of its graphs is named after the file.

    Score the results with `ScoreParams(keep_reference_errors=True)` to get upstream's numbers. Raises ScoreError, with
    file and line, when the text is not such a log, or when it is cut short where a number is needed.
    """
    path = Path(path)
    blocks = list(split_blocks(_read_text(path)))
    if not blocks:
        raise ScoreError(
            "not a validation log of the upstream harness",
            path=path,
            expected=f"at least one line with {_OPENING}",
            found="none",
            hint="pass the harness's standard error, where it writes these lines, or a run directory",
        )
    statuses = [block.status for block in blocks]
    results = tuple(_located(block, status, path) for block, status in zip(blocks, statuses, strict=True))
    counts = Counter(statuses)
    return UpstreamLog(
        path, results, {name: counts[name] for name in UPSTREAM_STATUS if counts[name]}, _notes(blocks, statuses)
    )


def split_blocks(text: str) -> Iterator[LogBlock]:
    """One block per opening line. Lines before the first opening line belong to no graph."""
    lines = _NEWLINE.split(text)
    starts = [index for index, line in enumerate(lines) if _OPENING in line]
    for start, end in pairwise([*starts, len(lines)]):
        match = _PATH.search(lines[start])
        name = match.group(1).strip() if match else ""
        yield LogBlock(name or f"(line {start + 1})", start + 1, tuple(lines[start:end]))


def _read_text(path: Path) -> str:
    """The text of a log. Programs print arbitrary bytes into it, so invalid bytes are replaced and not refused."""
    try:
        data = read_bytes(path, MAX_BYTES)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ScoreError("cannot read the log", path=path, expected="a readable file", found=reason) from None
    mark, encoding = next(((mark, name) for mark, name in _BOMS if data.startswith(mark)), (b"", "utf-8"))
    return data[len(mark) :].decode(encoding, errors="replace")


def _located(block: LogBlock, status: str, path: Path) -> GraphResult:
    try:
        return _result(block, UPSTREAM_STATUS[status], path.stem)
    except ScoreError as error:
        raise error.at(path, block.line) from None


def _result(block: LogBlock, outcome: Outcome, task: str) -> GraphResult:
    if outcome is not Outcome.CORRECT:
        return GraphResult(block.path, outcome, task=task, unknown=_NO_INTERVALS)
    levels = _right_levels(block)
    outcome = Outcome.CORRECT if STRICT_T in levels else Outcome.ACCURACY
    speedup = _speedup(block) if levels else None
    return GraphResult(block.path, outcome, speedup, right_levels=levels, task=task, unknown=_NO_INTERVALS)


def _right_levels(block: LogBlock) -> frozenset[int]:
    """Levels at which every output is right. Each output is judged by the comparison of its own eager dtype."""
    dtypes = _dtypes(block)
    verdicts = _verdicts(block, len(dtypes))
    return frozenset(
        t
        for t in T_RANGE_EXTENDED
        if all(_verdict(verdicts, tolerance(dtype, t).tag, i) for i, dtype in enumerate(dtypes))
    )


def _dtypes(block: LogBlock) -> list[str]:
    found = block.last(_DATATYPES)
    dtypes = found[1].group(1).split() if found else []
    if not dtypes:
        raise ScoreError(
            f"outputs of {block.path} were compared, but their dtypes are not logged",
            expected="a line [Datatype][eager]: d0 d1 ...",
            found="none" if found is None else "an empty one",
            line=found[0] if found else None,
            hint="the block is cut short or mixed with another; run this graph again or remove the block",
        )
    return dtypes


def _verdicts(block: LogBlock, outputs: int) -> dict[str, list[bool]]:
    """Comparison tag -> verdict per output. A cut line may have fewer verdicts than outputs: the rest are
    then wrong.
    """
    last = {match.group(1): (number, match.group(2)) for number, match in block.matches(_COMPARISON)}
    verdicts: dict[str, list[bool]] = {}
    for tag, (number, text) in last.items():
        values = text.split()
        if len(values) > outputs or not set(values) <= {"0", "1"}:
            expected = f"0 or 1 for each of {outputs} outputs"
            raise ScoreError("bad comparison", line=number, expected=expected, found=repr(text[:80]))
        verdicts[tag] = [value == "1" for value in values]
    return verdicts


def _verdict(verdicts: dict[str, list[bool]], tag: str, output: int) -> bool:
    values = verdicts.get(tag, [])
    return output < len(values) and values[output]


def _speedup(block: LogBlock) -> float:
    found = block.last(_SPEEDUP)
    if found is None:
        return _speedup_from_medians(block)
    number, match = found
    try:
        return float(match.group(1))
    except ValueError:
        found_text = repr(match.group(1))
        raise ScoreError("bad speedup", line=number, expected="a number", found=found_text) from None


def _speedup_from_medians(block: LogBlock) -> float:
    eager, compiled = _median_ms(block, "eager"), _median_ms(block, "compiled")
    if eager is None or compiled is None:
        raise ScoreError(
            f"{block.path} is right at some tolerance but has no speedup",
            expected="a line [Speedup][e2e]: x, or e2e medians in [Performance][eager] and [Performance][compiled]",
            found="neither",
            hint="the block is cut short; run this graph again or remove the block",
        )
    return eager / compiled


def _median_ms(block: LogBlock, side: str) -> float | None:
    found = [(number, match) for number, match in block.matches(_PERFORMANCE) if match.group(1) == side]
    if not found:
        return None
    number, match = found[-1]
    try:
        median = json.loads(match.group(2))["e2e"]["median"]
    except (ValueError, KeyError, TypeError, RecursionError):
        median = None
    if not (is_finite_number(median) and median > 0):
        expected = 'JSON with a positive "e2e" "median"'
        raise ScoreError(f"bad [Performance][{side}]", line=number, expected=expected, found=repr(match.group(2)[:80]))
    return float(median)


def _notes(blocks: Sequence[LogBlock], statuses: Sequence[str]) -> tuple[str, ...]:
    pairs = list(zip(blocks, statuses, strict=True))
    repeated = sum(count - 1 for count in Counter(block.path for block in blocks).values())
    blamed = sum(status == "eager_fail" and block.has("[Fail due to compiled model") for block, status in pairs)
    unmodified = sum(status == "correct" and block.has("No passes modified") for block, status in pairs)
    notes = (
        (repeated, "repeat a path that was logged before; each counts, as upstream counts it"),
        (blamed, "are eager_fail by upstream's rules although the log blames the compiled model; never forgiven"),
        (unmodified, "say that no pass modified the graph; scored as they were measured"),
    )
    return tuple(f"{count} of {len(blocks)} blocks: {text}" for count, text in notes if count)
