"""The document of `passnet score`: exactly the contract's fields, numbers as numbers, ready for JSON."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from passnet.score import (
    Bootstrap,
    GraphResult,
    Interpretation,
    Outcome,
    ScoreError,
    ScoreParams,
    score_document,
    score_results,
)

FEW = Bootstrap(resamples=20)
RESULTS = [
    GraphResult("x", Outcome.CORRECT, 2.0, -7, task="a"),
    GraphResult("y", Outcome.RUNTIME_ERROR, task="a"),
    GraphResult("x", Outcome.ACCURACY, 3.0, -2, task="b"),
    GraphResult("y", Outcome.UNSTABLE, task="b"),
]


def test_contract_fields():
    document = json.loads(json.dumps(score_document(RESULTS, bootstrap=FEW), allow_nan=False))
    pool = score_results(RESULTS)
    assert document["schema"] == 1
    assert document["graphs"] == 4
    assert document["outcomes"] == {"correct": 1, "accuracy": 1, "runtime_error": 1, "unstable": 1}
    assert document["AS"] == pool.aggregated
    assert document["ES"] == {str(t): pool.es[t] for t in range(-10, 5)}
    assert document["S"] == {str(t): pool.s[t] for t in range(-10, 5)}
    assert document["params"].items() >= {"b": 0.1, "p": 0.0, "interpretation": "default"}.items()


def test_added_fields():
    document = score_document(RESULTS, bootstrap=FEW)
    assert document["scored"] == 3
    assert document["excluded"] == {"unstable": 1}
    assert list(document["tasks"]) == ["a", "b"]
    assert document["tasks"]["b"]["AS"] == score_results(RESULTS[2:]).aggregated
    assert document["tasks"]["b"]["graphs"] == 2
    assert document["benchmark"]["bootstrap"] == {"resamples": 20, "seed": 0, "level": 0.95}
    assert set(document["benchmark"]["fast_1"]) == {"value", "low", "high"}
    assert document["params"]["weights"]["-2"] == 0.8


def test_extended_has_the_extra_level():
    params = ScoreParams(b=0.3, p=1, interpretation=Interpretation.MISMATCH_EXTENDED)
    document = score_document(RESULTS, params, FEW)
    assert list(document["ES"]) == list(document["S"]) == [str(t) for t in range(-10, 6)]
    assert document["params"]["b"] == 0.3
    assert document["params"]["interpretation"] == "mismatch_extended"


def test_results_may_be_an_iterator():
    assert score_document(iter(RESULTS), bootstrap=FEW) == score_document(RESULTS, bootstrap=FEW)


def test_empty_is_an_error():
    with pytest.raises(ScoreError, match="empty set has no score"):
        score_document([])


def test_room_needs_neither_torch_nor_numpy():
    code = (
        "import sys, passnet.score; "
        "ours = {n for n in sys.modules if n.startswith('passnet.') and not n.startswith('passnet.score')}; "
        "assert not ours, ours; assert not {'torch', 'numpy', 'pydantic'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
