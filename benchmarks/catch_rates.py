"""How often is each cheat of the corpus caught that gives wrong values? Each is judged several times.

    python benchmarks/catch_rates.py [--times 5] [--seconds S] [--run DIR] [--names PART] [--out DIR]

A cheat that needs a rare draw is caught by chance: one verdict says little of it. Every verdict has a secret seed of
its own and the short protocol of the corpus. Cheats take turns, so that every one has as many verdicts when `--seconds`
are over. `--run DIR` keeps each verdict as it is made, and goes on with those that are there. The cheats are those
whose names hold `--names`, which is `shortcut/` by default.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import common
from integrity_corpus import read_lines
from rich.progress import track

sys.path.insert(0, str(common.ROOT))

from passnet.bench.engine.bench import Bench
from passnet.bench.verdict.judge import Judge
from tests.integrity import corpus
from tests.integrity.endings import ended
from tests.integrity.judging import QUICK, judged, pass_set

ROWS = "verdicts.jsonl"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5, help="verdicts on each cheat")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no verdict after so many")
    parser.add_argument("--names", default="shortcut/", help="a part of the names of the cheats")
    parser.add_argument("--run", type=Path, help="keep the verdicts here, and go on with those that are there")
    options = common.parsed(parser)
    chosen = [each for each in corpus.entries(corpus.CHEATS) if options.names in each.name and not each.refused_as_text]
    if not chosen or options.times < 1:
        parser.error(f"no verdict to make: {len(chosen)} cheats hold {options.names!r}, {options.times} verdicts each")
    with tempfile.TemporaryDirectory() as scratch:
        kept = (options.run or Path(scratch)).resolve()
        common.of_one_revision(kept, options.revision)
        judge_all(chosen, options.times, options.seconds, kept / ROWS, Path(scratch))
        result = summary(read_lines(kept / ROWS))
    for name, count in result["came_through"].items():
        print(f"{name}: {count} of {result['verdicts'][name]} came through")
    common.save(options, "catch-rates-cpu", "catch_rates", "cpu", {"protocol_of_tests": "short", **result})


def judge_all(chosen: Sequence[corpus.Entry], times: int, seconds: float, rows: Path, scratch: Path) -> None:
    """Make the verdicts that are not there yet, one row of text each."""
    known = Counter(row["cheat"] for row in read_lines(rows))
    due = [(number, each) for number in range(times) for each in chosen if known[each.name] <= number]
    graphs, until = corpus.write_graphs(tuple(chosen), scratch / "graphs"), time.monotonic() + seconds
    with Bench("cpu", "passes", QUICK, scratch / "logs") as bench, rows.open("a") as file:
        for number, entry in track(due, "verdicts"):
            if time.monotonic() > until:
                break
            judge = Judge(bench.pairs, QUICK, secrets.randbits(48), turn=bench.turn)
            passes = pass_set(entry, scratch / f"{number}-{entry.name.replace('/', '-')}")
            record = judged(judge, entry, graphs, passes)
            caught = any(way.is_of(record) for way in entry.endings.ways)
            file.write(json.dumps({"cheat": entry.name, "caught": caught, "ended": ended(record)}) + "\n")
            file.flush()


def summary(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Verdicts by cheat, how many of them it came through, and how it ended there."""
    rows = list(rows)
    through = [row for row in rows if not row["caught"]]
    counts = Counter(row["cheat"] for row in through)
    return {
        "verdicts": dict(sorted(Counter(row["cheat"] for row in rows).items())),
        "came_through": dict(counts.most_common()),
        "ended": {row["cheat"]: row["ended"] for row in through},
        "all_verdicts": len(rows),
        "all_through": len(through),
    }


if __name__ == "__main__":
    main()
