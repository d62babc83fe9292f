"""Whatever a candidate answers, the controller takes the agreed form of it or calls it a breach of the channel."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from passnet.bench.isolation import claims
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.preflight import check_rewrite, check_triton
from passnet.bench.record.protocol import Protocol
from passnet.bench.verdict.reference import Job

WRONG: list[Any] = [None, 5, "text", {"a": 1}, True]
JOB = cast(Job, SimpleNamespace(name="g", path=Path("g"), device="cpu", passes=object()))
COUNTS = {"rule": "r", "tried": 1, "rejected_early": 0, "matched": 1, "refused": 0, "replaced": 1, "us": 2.5}


def pair(**reply: Any) -> WorkerPair:
    """A pair whose candidate answers everything with this."""
    whole = {"replacements": {"r": 1}, "near_misses": []} | reply
    return cast(WorkerPair, SimpleNamespace(ask=lambda *_: whole, load=lambda passes: None))


@pytest.mark.parametrize("answer", WRONG)
def test_lists_that_are_none(answer: Any) -> None:
    for read in (claims.rows, claims.texts):
        with pytest.raises(WorkerFailure, match="no list as key"):
            read({"key": answer}, "key")
        with pytest.raises(WorkerFailure, match="no list as key"):
            read({}, "key")


def test_of_lists_what_has_the_form() -> None:
    assert claims.rows({"key": [{"a": 1}, 5, None]}, "key") == [{"a": 1}]
    assert claims.texts({"key": ["a", 5, ["b"]]}, "key") == ["a"]
    assert len(claims.texts({"key": ["a" * 10**6] * 3000}, "key")[0]) < 10**4
    assert len(claims.texts({"key": ["a"] * 3000}, "key")) == 1000


def test_a_program_with_endless_names_or_too_many() -> None:
    for counts in ({"r" * 10**6: 1}, {str(i): 1 for i in range(5000)}, {"r": True}, {"r": -1}):
        with pytest.raises(WorkerFailure, match="agreed form"):
            claims.of_program({"replacements": counts, "near_misses": []})


def test_endless_near_misses_are_cut() -> None:
    (found,) = claims.near_misses([{"reason" * 1000: "x" * 10**6}], "g")
    assert max(len(text) for row in found.items() for text in row) < 10**4


def test_the_report_of_a_rewrite() -> None:
    (found,) = check_rewrite.shown(pair(diff="+", stats=[COUNTS]), [JOB], Protocol())
    assert found.stats == (COUNTS,)


@pytest.mark.parametrize("stats", [*WRONG, *([COUNTS | {"tried": wrong}] for wrong in (None, "x", [], 1e300, -1))])
def test_a_report_of_a_rewrite_that_is_none_is_left_out(stats: Any) -> None:
    assert check_rewrite.shown(pair(diff="+", stats=stats), [JOB], Protocol()) == []


@pytest.mark.parametrize("kernels", WRONG)
def test_kernels_that_are_no_list_are_a_problem_of_the_pass(kernels: Any) -> None:
    found = check_triton.Simulation()
    check_triton._all([JOB], found, check_triton._compile, pair(kernels=kernels), Protocol(), lenient=False)
    assert ["no list as kernels" in problem for problem in found.problems] == [True]
