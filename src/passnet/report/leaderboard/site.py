"""Writes the leaderboard as a static site: one page without requests to anywhere, the same as JSON and as CSV."""

from __future__ import annotations

import base64
import hashlib
import os
import urllib.parse
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from passnet.authored import one_line
from passnet.bench.record.rescore import PUBLISHED
from passnet.bench.record.run import given_twice
from passnet.errors import UsageError
from passnet.report.csv_text import Cell, csv_text
from passnet.report.leaderboard.rows import CALLED, SHOWN, Board, LeaderboardRow, boards, leaderboard_row
from passnet.report.page import TEMPLATES, templates
from passnet.report.recorded import read_recorded
from passnet.score import Figure
from passnet.writing import new_directory, write_atomic, write_json

SCHEMA = 1
PAGE, DATA, ROWS = "index.html", "leaderboard.json", "leaderboard.csv"
PUBLISHED_NOTE: Final = (
    "Published (arXiv 2605.29357): one NVIDIA A30, 200 tasks, 2,060 graphs, another protocol. Not measured here, "
    "and not to be ranked with the rows above."
)
_TEXT_COLUMNS: Final = (
    "run", "system", "chosen", "limit", "author", "model", "compiler", "protocol", "policy", "precision", "threads",
    "device", "hardware", "torch", "passnet", "revision", "date", "integrity", "graphs", "scored", "tasks", "task_set",
)  # fmt: skip


def write_site(paths: Sequence[Path], out: Path, *, overwrite: bool = False) -> list[Board]:
    """Read runs and write the site, completely or not at all.

    Errors: `UsageError` for a path that is no readable run, a run given twice, and a directory that exists.
    """
    places = [Path(os.path.realpath(path)) for path in paths]
    twice = given_twice(paths)
    if twice is not None:
        raise UsageError("this run is given twice", path=twice, hint="give each run once")
    found = boards([leaderboard_row(read_recorded(path)) for path in paths])
    with new_directory(out, overwrite=overwrite, read=places) as directory:
        write_atomic(directory / PAGE, page_text(found, out))
        write_json(directory / DATA, site_document(found))
        write_atomic(directory / ROWS, rows_text(found))
    return found


def site_document(found: Sequence[Board]) -> dict[str, Any]:
    """`leaderboard.json`. Published rows stand apart."""
    return {
        "schema": SCHEMA,
        "boards": [board.to_json() for board in found],
        "published": {"note": PUBLISHED_NOTE, "rows": [asdict(row) for row in PUBLISHED]},
    }


def rows_text(found: Sequence[Board]) -> str:
    """`leaderboard.csv`: one line for each row, published ones last."""
    figures = [f"{name}{end}" for name in (*SHOWN, *CALLED) for end in ("", "_low", "_high")]
    columns = ("board", "rank", *_TEXT_COLUMNS, *figures, "problems", "published")
    return csv_text(columns, [*_own_rows(found), *_published_rows(len(columns))])


def _own_rows(found: Sequence[Board]) -> Iterator[list[Cell]]:
    for number, board in enumerate(found, 1):
        ranks: list[tuple[int | None, LeaderboardRow]] = [*enumerate(board.ranked, 1)]
        ranks += [(None, row) for row in board.unranked]
        for rank, row in ranks:
            document = row.to_json()
            own = {**row.figures, **{name: mean.figure for name, mean in row.called.items()}}
            figures = [value for name in (*SHOWN, *CALLED) for value in _three(own[name])]
            texts = [document[name] for name in _TEXT_COLUMNS]
            yield [number, rank, *texts, *figures, "; ".join(row.problems), False]


def _published_rows(width: int) -> Iterator[list[Cell]]:
    for row in PUBLISHED:
        own = {"AS_gmean": row.aggregated, "subgraph_correct": row.subgraph_correct, "speedup_gmean": row.speedup_gmean}
        figures: list[Cell] = [value for name in (*SHOWN, *CALLED) for value in (own.get(name), None, None)]
        texts: list[Cell] = [row.system if name == "system" else None for name in _TEXT_COLUMNS]
        yield [None, None, *texts, *figures, None, True]
        assert width == len(texts) + len(figures) + 4, "a published row has every column"


def page_text(found: Sequence[Board], out: Path) -> str:
    """The page in `out`. Every text of a record is escaped, and the page may run no script but its own."""
    try:
        environment = templates()
    except ImportError as missing:
        raise UsageError("the page needs the package jinja2", hint="pip install 'passnet[data]'") from missing
    from markupsafe import Markup

    environment.filters |= {
        "figure": _figure,
        "percent": _percent,
        "percents": _percents,
        "interval": _interval,
        "day": _day,
        "line": one_line,
        "from_here": lambda place: urllib.parse.quote(os.path.relpath(place, out)),
    }
    style, script = ((TEMPLATES / f"leaderboard.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    return environment.get_template("leaderboard.html").render(
        boards=found, published=PUBLISHED, published_note=PUBLISHED_NOTE,
        # Our own files, and the hashes by which a browser knows them.
        style=Markup(style), script=Markup(script), style_hash=_hash(style), script_hash=_hash(script),
    )  # fmt: skip


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _three(found: Figure) -> tuple[float | None, float | None, float | None]:
    return found.value, found.low, found.high


def _figure(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _percents(found: Figure) -> str:
    return "" if found.low is None or found.high is None else f"{100 * found.low:.0f} to {100 * found.high:.0f}"


def _day(text: str) -> str:
    """The date of a time. Other texts stay as they are."""
    return text.partition("T")[0] if text[:4].isdecimal() else text


def _interval(found: Figure) -> str:
    return "" if found.low is None or found.high is None else f"{found.low:.3f} to {found.high:.3f}"
