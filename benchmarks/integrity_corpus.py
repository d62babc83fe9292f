"""The adversarial corpus on this machine: how many cheats were caught and how many honest passes accepted.

    python benchmarks/integrity_corpus.py [--device cuda] [--out DIR]

Runs the tests of `tests/integrity` (on CUDA those that need a GPU) and writes the outcome of each, by test function.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from pathlib import Path

import common

MARKS = {"cpu": "integrity and not gpu", "cuda": "integrity and gpu"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=sorted(MARKS), default="cpu")
    parser.add_argument("--out", type=Path, default=common.RESULTS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.xml"
        command = ["-m", "pytest", "-m", MARKS[options.device], "-p", "no:cacheprovider", f"--junitxml={report}"]
        status = subprocess.run([sys.executable, *command, "tests/integrity"], cwd=common.ROOT, check=False).returncode
        if not report.exists():
            sys.exit(f"integrity_corpus.py: pytest ended with {status} and no report")
        cases = list(ET.parse(report).iter("testcase"))
    found: dict[str, Counter[str]] = defaultdict(Counter)
    unlike: dict[str, str] = {}
    for case in cases:
        name = case.attrib["name"]
        outcome = outcome_of(case)
        found[name.partition("[")[0]][outcome.partition(":")[0]] += 1
        if outcome != "passed":
            unlike[name] = outcome
    for function, outcomes in found.items():
        print(f"{function}: {dict(outcomes)}")
    seconds = sum(float(case.attrib["time"]) for case in cases)
    result = {"tests": {name: dict(rows) for name, rows in found.items()}, "not_passed": unlike, "seconds": seconds}
    common.save(options.out / f"integrity-{options.device}.json", "integrity", options.device, result)
    sys.exit(status)


def outcome_of(case: ET.Element) -> str:
    for kind in ("failure", "error", "skipped"):
        if (told := case.find(kind)) is not None:
            return f"{kind}: {told.attrib.get('message', '')[:200]}" if kind == "skipped" else kind
    return "passed"


if __name__ == "__main__":
    main()
