"""Judges again what an earlier result found wrong: only the graphs that failed for accuracy, and without timing.

    python benchmarks/rejudge.py build/eval-sample --from benchmarks/results/authors-cuda.json [--device cuda]

For a result of `authors.py` or `compilers.py` whose verdicts are older than the rules of comparison. The tasks must be
those that were measured. Graphs that are right now keep the time that was measured; some were never timed, because they
were right at no tolerance: those are named, and left out of the new AS. Rows without `correct_at` do not tell
from which tolerance on a right graph is right: it counts from t = -5 on, which changes an AS by less than 0.3 %.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import common
from figures_table import result_of

from passnet.bench.engine.bench import Bench
from passnet.bench.evaluate import admit, read_passes
from passnet.bench.names import WITH_PASSES
from passnet.bench.preflight.check import judge_all
from passnet.bench.record.records import GraphRecord
from passnet.bench.verdict.job import Job
from passnet.environment import check_device
from passnet.errors import PassNetError
from passnet.graph.targets import Target, find_targets
from passnet.score import Outcome, ScoreError, score_benchmark

Row = Mapping[str, Any]
FIGURES = ("AS_gmean", "AS_gmean_deployed", "speedup_gmean")


class SourceError(ValueError):
    """A file that is no result with graphs to judge again, or tasks that are not those of the result."""


@dataclass(frozen=True)
class Source:
    """An earlier result: its rows by compiler, as they were written."""

    path: Path
    document: Mapping[str, Any]
    rows: Mapping[str, Sequence[Row]]

    @classmethod
    def read(cls, path: Path) -> Source:
        try:
            document = json.loads(path.read_text())
            rows = {name: figures["rows"] for name, figures in document["compilers"].items()}
            known = [
                (row["graph"], row["detail"], row["direct"], row["deployed"], Outcome(row["outcome"]))
                for each in rows.values()
                for row in each
            ]
            shown = [figures[key] for figures in document["compilers"].values() for key in FIGURES]
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise SourceError(f"{path}: expected a result of authors.py or compilers.py; found {error!r}") from error
        if not all(rows.values()) or not known or not all(isinstance(figure, float) for figure in shown):
            raise SourceError(f"{path}: the result has no graphs, or no figures of them")
        return cls(path, document, rows)

    def wrong(self, compiler: str) -> list[str]:
        """The graphs, as `task/graph`, that failed for accuracy."""
        return [row["graph"] for row in self.rows[compiler] if row["outcome"] == Outcome.ACCURACY]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, help="the tasks of the result")
    parser.add_argument("--from", dest="source", type=Path, required=True, metavar="RESULT.json")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a protocol setting")
    options = common.parsed(parser)
    try:
        check_device(options.device)
        source = Source.read(options.source)
        found = {compiler: rejudged(options, source, compiler) for compiler in source.rows}
    except (SourceError, PassNetError) as error:
        print(f"rejudge.py: {error}", file=sys.stderr)
        sys.exit(2)
    compilers = {name: table(name, source.document["compilers"][name], records) for name, records in found.items()}
    same_device = source.document["environment"].get("device", "cpu") == options.device
    name = f"rejudged-{options.source.stem}" + ("" if same_device else f"-on-{options.device}")
    result = {"from": options.source.name, "date_of_times": source.document.get("date"), "compilers": compilers}
    protocol = common.protocol(options).model_dump()
    common.save(options, name, "rejudge", options.device, {"protocol": protocol, **result})


def rejudged(options: argparse.Namespace, source: Source, compiler: str) -> dict[str, GraphRecord]:
    """The new records of a compiler's wrong graphs, by `task/graph`."""
    jobs = jobs_of(find_targets(options.paths), source.wrong(compiler), compiler, options)
    if not jobs:
        return {}
    found: dict[str, GraphRecord] = {}
    protocol = common.protocol(options)
    with (
        tempfile.TemporaryDirectory(prefix="rejudge-") as logs,
        Bench(options.device, compiler, protocol, Path(logs), pairs=1) as bench,
    ):
        for name, job in jobs.items():
            (found[name],) = judge_all(bench.pairs, protocol, [job])
            print(f"[{len(found)}/{len(jobs)}] {compiler} {name}: {said(found[name])}", flush=True)
    return found


def jobs_of(
    targets: Sequence[Target], wanted: Sequence[str], compiler: str, options: argparse.Namespace
) -> dict[str, Job]:
    """SourceError where a graph of the result is not among the tasks, or its passes are refused as text."""
    jobs: dict[str, Job] = {}
    for target in targets:
        named = {f"{target.name}/{name}": (name, path, graph) for name, path, graph in target.graphs}
        here = [name for name in wanted if name in named]
        files = None
        if here and compiler in WITH_PASSES:
            files, refused = admit(read_passes(target), common.protocol(options).policy)
            if refused:
                raise SourceError(f"{target.name}: its pass set is refused: {refused['detail']}")
        variants = tuple(graph for _, _, graph in target.graphs)
        for full in here:
            name, path, graph = named[full]
            jobs[full] = Job(target.name, name, path, graph, compiler, options.device, files, variants)
    missing = sorted(set(wanted) - set(jobs))
    if missing:
        raise SourceError(f"{missing[0]} is in the result and not among the tasks; expected the tasks of the result")
    return jobs


def said(record: GraphRecord) -> str:
    """The new verdict in words."""
    followed = f", {record.followed_calls} of {record.compared_calls} calls by other choices than eager's"
    detail = f" ({record.detail})" if record.detail else ""
    return f"{record.outcome}{detail}{followed if record.followed_calls else ''}, {record.seconds:.1f} s"


def table(compiler: str, before: Mapping[str, Any], records: Mapping[str, GraphRecord]) -> dict[str, Any]:
    """The figures of one compiler before and after, printed and returned, with the rows as they are now."""
    after = [renewed(row, records.get(row["graph"])) for row in before["rows"]]
    untimed = [row["graph"] for row in after if right_without_time(row)]
    now = figures([row for row in after if not right_without_time(row)])
    right, was_right = (share_right(rows) for rows in (after, before["rows"]))
    left_out = f", {len(untimed)} right graphs without a time left out" if untimed else ""
    print(f"{compiler}: {len(records)} graphs judged again; right {was_right:.3f} -> {right:.3f}")
    for key, value in now.items():
        shown = "none" if value is None else f"{value:.3f}"
        print(f"  {key} {before[key]:.3f} -> {shown}{left_out}")
    outcomes = {outcome: sum(row["outcome"] == outcome for row in after) for outcome in Outcome}
    return {
        "judged_again": len(records),
        "right": right,
        "right_before": was_right,
        "outcomes": {outcome.value: count for outcome, count in outcomes.items() if count},
        **now,
        **{f"{key}_before": before[key] for key in now},
        "right_without_time": untimed,
        "rows": after,
    }


def share_right(rows: Sequence[Row]) -> float:
    return sum(row["outcome"] == Outcome.CORRECT for row in rows) / len(rows)


def renewed(row: Row, record: GraphRecord | None) -> dict[str, Any]:
    """A row with the new verdict, and the time that was measured."""
    if record is None:
        return dict(row)
    return {
        **row,
        "outcome": record.outcome.value,
        "outcome_before": row["outcome"],
        "detail": record.detail,
        "detail_before": row["detail"],
        "correct_at": record.correct_at,
        "compared_calls": record.compared_calls,
        "followed_calls": record.followed_calls,
    }


def right_without_time(row: Row) -> bool:
    """Whether a graph is right at some tolerance, and was not timed because it was not."""
    return row["direct"] is None and row.get("correct_at") is not None


def figures(rows: Sequence[Row]) -> dict[str, float | None]:
    """AS in both conventions and the mean speedup, None where no graph is right. Ends the script where none counts."""
    try:
        direct = score_benchmark([result_of(row, "direct") for row in rows]).figures
        deployed = score_benchmark([result_of(row, "deployed") for row in rows]).figures
    except ScoreError as error:
        sys.exit(f"rejudge.py: {error}")
    return {
        "AS_gmean": direct["AS_gmean"].value,
        "AS_gmean_deployed": deployed["AS_gmean"].value,
        "speedup_gmean": direct["speedup_gmean"].value,
    }


if __name__ == "__main__":
    main()
