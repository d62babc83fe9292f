"""Reads a validation log of the upstream harness. Each block gets the verdict that upstream gives it."""

from __future__ import annotations

import codecs
import errno
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import Final

from passnet.score.errors import ScoreError, is_finite_number
from passnet.score.files import is_of_machine, opened
from passnet.score.outcome import UPSTREAM_STATUS, Outcome
from passnet.score.result import GraphResult
from passnet.score.tolerances import STRICT_T, T_RANGE_EXTENDED, tolerance

MAX_BYTES: Final = 1 << 30
# So much is held in memory: characters of a line, tags of a graph and characters of their texts, graphs of a log.
_MOST_CHARACTERS, _MOST_TAGS, _MOST_KEPT, _MOST_BLOCKS = 1 << 18, 1000, 1 << 22, 1_000_000
_READ_AT_ONCE = 1 << 20
_NO_INTERVALS: Final = "a log of another harness has neither intervals nor proof that a kernel of the pass ran"

_OPENING: Final = "[Processing]"
_PATH = re.compile(r"\[Processing\]\s*(.*)")
_DATATYPES = re.compile(r"\[Datatype\]\[eager\]:\s*(.*)")
_COMPARISON = re.compile(r"\[Correctness\]\[(equal|all_close[^\]]*)\]:\s*(.*)")
_SPEEDUP = re.compile(r"\[Speedup\]\[e2e\]:\s*(\S*)")
_PERFORMANCE = re.compile(r"\[Performance\]\[(eager|compiled)\]:\s*(.*)")
# Words that a line must all have. Upstream's status of a block follows from which of these it has.
_COMPARED, _EAGER, _COMPILED = ("all_close",), ("[Datatype][eager]",), ("[Datatype][compiled]",)
_SAME_SHAPES, _SAME_TYPES = ("[Shape]", "match:True"), ("[DataType]", "match:True")
_RAISED = (("Exception:",), ("Error:",))
_BLAMED, _UNMODIFIED = ("[Fail due to compiled model",), ("No passes modified",)
# A line without a bracket has no tag, and none of the other marks.
_PLAIN_MARKS = (_COMPARED, *_RAISED, _UNMODIFIED)
_MARKS = (*_PLAIN_MARKS, _EAGER, _COMPILED, _SAME_SHAPES, _SAME_TYPES, _BLAMED)
# What a line with a tag has, and the pattern of the tag. Most lines have none, and a pattern takes longer to say so.
_TAGS = (
    ("[Correctness][", _COMPARISON), ("[Datatype][eager]:", _DATATYPES), ("[Speedup][e2e]:", _SPEEDUP),
    ("[Performance][", _PERFORMANCE),
)  # fmt: skip
_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


@dataclass(slots=True)
class LogBlock:
    """What the lines of one graph say. `line` is the 1-based number of its opening line in the file.

    Upstream lets a repeated tag overwrite an earlier one. So the last line of each tag is kept, and no other.
    """

    path: str
    line: int
    _seen: set[tuple[str, ...]] = field(default_factory=set)
    _last: dict[tuple[re.Pattern[str], str], tuple[int, str]] = field(default_factory=dict)
    _kept: int = 0

    def add(self, number: int, line: str) -> None:
        """Read one line. ScoreError for more tags or longer ones than any harness writes."""
        bracket = "[" in line
        for mark in _MARKS if bracket else _PLAIN_MARKS:
            if mark[0] in line and mark not in self._seen and all(word in line for word in mark):
                self._seen.add(mark)
        for start, pattern in _TAGS if bracket else ():
            if start in line and (match := pattern.search(line)):
                *tag, text = match.groups()
                self._keep((pattern, "".join(tag)), number, text)

    def _keep(self, key: tuple[re.Pattern[str], str], number: int, text: str) -> None:
        before = self._last.get(key)
        self._kept += len(text) - len(before[1]) if before is not None else len(key[1]) + len(text)
        self._last[key] = number, text
        if len(self._last) > _MOST_TAGS:
            raise ScoreError("too many tags", line=number, expected=f"at most {_MOST_TAGS} for a graph")
        if self._kept > _MOST_KEPT:
            raise ScoreError("too long tags", line=number, expected=f"at most {_MOST_KEPT} characters for a graph")

    @property
    def status(self) -> str:
        """Upstream's own status of the block: the first of its rules that applies."""
        compared = self.has(_COMPARED)
        checks = (
            ("eager_fail", compared or self.has(_EAGER)),
            ("compile_fail", compared or self.has(_COMPILED)),
            ("shape_mismatch", compared or self.has(_SAME_SHAPES)),
            ("type_mismatch", self.has(_SAME_TYPES)),
            ("runtime_fail", not any(map(self.has, _RAISED))),
        )
        return next((status for status, passed in checks if not passed), "correct")

    def has(self, mark: tuple[str, ...]) -> bool:
        """Whether one line has all words of a mark."""
        return mark in self._seen

    def last(self, pattern: re.Pattern[str], tag: str = "") -> tuple[int, str] | None:
        """The number and the text of the last line of a tag."""
        return self._last.get((pattern, tag))

    def tags(self, pattern: re.Pattern[str]) -> Iterator[tuple[str, int, str]]:
        """Each tag of a pattern, with the number and the text of its last line."""
        return ((tag, *found) for (kind, tag), found in self._last.items() if kind is pattern)


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
    told = _Told()
    results = tuple(told.add(block, path) for block in _blocks(path))
    if not results:
        raise ScoreError(
            "not a validation log of the upstream harness",
            path=path,
            expected=f"at least one line with {_OPENING}",
            found="none",
            hint="pass the harness's standard error, where it writes these lines, or a run directory",
        )
    counts = told.statuses
    return UpstreamLog(path, results, {name: counts[name] for name in UPSTREAM_STATUS if counts[name]}, told.notes())


@dataclass(slots=True)
class _Told:
    """What the blocks of a log said. A block is forgotten when its result is known: a log may have a million."""

    statuses: Counter[str] = field(default_factory=Counter)
    paths: set[str] = field(default_factory=set)
    blamed: int = 0
    unmodified: int = 0

    def add(self, block: LogBlock, path: Path) -> GraphResult:
        """The result of one more block."""
        status = block.status
        self.statuses[status] += 1
        self.paths.add(block.path)
        self.blamed += status == "eager_fail" and block.has(_BLAMED)
        self.unmodified += status == "correct" and block.has(_UNMODIFIED)
        try:
            return _result(block, UPSTREAM_STATUS[status], path.stem)
        except ScoreError as error:
            raise error.at(path, block.line) from None

    def notes(self) -> tuple[str, ...]:
        """Remarks for the reader."""
        total = self.statuses.total()
        notes = (
            (total - len(self.paths), "repeat a path that was logged before; each counts, as upstream counts it"),
            (
                self.blamed,
                "are eager_fail by upstream's rules although the log blames the compiled model; never forgiven",
            ),
            (self.unmodified, "say that no pass modified the graph; scored as they were measured"),
        )
        return tuple(f"{count} of {total} blocks: {text}" for count, text in notes if count)


def _blocks(path: Path) -> Iterator[LogBlock]:
    """One block per opening line, when the next one opens. Lines before the first one belong to no graph."""
    block, blocks = None, 0
    try:
        with opened(path) as file:
            for number, line in enumerate(_lines(file), start=1):
                if _OPENING in line:
                    if block is not None:
                        yield block
                    match = _PATH.search(line)
                    name = match.group(1).strip() if match else ""
                    block, blocks = LogBlock(name or f"(line {number})", number), blocks + 1
                    if blocks > _MOST_BLOCKS:
                        raise ScoreError("too many graphs", path=path, expected=f"at most {_MOST_BLOCKS}")
                if block is not None and line:
                    try:
                        block.add(number, line)
                    except ScoreError as error:
                        raise error.at(path, block.line) from None
    except OSError as error:
        if is_of_machine(error):
            raise
        reason = error.strerror or str(error)
        raise ScoreError("cannot read the log", path=path, expected="a readable file", found=reason) from None
    if block is not None:
        yield block


def _lines(file: BufferedReader) -> Iterator[str]:
    """The lines of a log, each cut at a bound. Programs print arbitrary bytes, so invalid ones are replaced."""
    if os.fstat(file.fileno()).st_size > MAX_BYTES:
        raise OSError(errno.EFBIG, f"too large, more than {MAX_BYTES} bytes")
    start = file.peek(max(len(mark) for mark, _ in _BOMS))
    mark, encoding = next(((mark, name) for mark, name in _BOMS if start.startswith(mark)), (b"", "utf-8"))
    file.read(len(mark))
    text = TextIOWrapper(file, encoding, errors="replace", newline=None)
    left = ""
    while part := text.read(_READ_AT_ONCE):
        first, *others = part.split("\n")
        left = (left + first)[:_MOST_CHARACTERS]
        if others:
            yield left
            yield from others[:-1]
            left = others[-1]
    yield left


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
    dtypes = found[1].split() if found else []
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
    verdicts: dict[str, list[bool]] = {}
    for tag, number, text in block.tags(_COMPARISON):
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
    number, text = found
    try:
        return float(text)
    except ValueError:
        raise ScoreError("bad speedup", line=number, expected="a number", found=repr(text)) from None


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
    found = block.last(_PERFORMANCE, side)
    if found is None:
        return None
    number, text = found
    try:
        median = json.loads(text)["e2e"]["median"]
    except (ValueError, KeyError, TypeError, RecursionError):
        median = None
    if not (is_finite_number(median) and median > 0):
        expected = 'JSON with a positive "e2e" "median"'
        raise ScoreError(f"bad [Performance][{side}]", line=number, expected=expected, found=repr(text[:80]))
    return float(median)
