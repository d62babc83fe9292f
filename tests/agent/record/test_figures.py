"""What an evaluation found stays typed in the process, and is the same again after it was written and read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from passnet.agent.record.figures import Evaluation
from passnet.agent.record.observation import Observation
from passnet.score import Outcome
from tests.agent.agent_helpers import MANIFEST, rule


@pytest.mark.parametrize("speed", [1.5, "timeout", "unstable"])
def test_an_evaluation_is_the_same_after_it_was_written(make_env: Callable, task: Path, speed: float | str) -> None:
    env = make_env()
    env.reset(task)
    env.create("A.py", rule(speed))
    env.create(MANIFEST, '["A"]')
    seen = env.evaluate()
    written = seen.model_dump_json()
    assert set(json.loads(written)) == {"tool", "ok", "text", "data", "score", "done"}
    again = Observation.model_validate_json(written)
    assert again.evaluation == seen.evaluation and again.data == json.loads(written)["data"]
    assert seen.evaluation is not None and type(seen.evaluation.graphs[0].outcome) is Outcome
    assert seen.evaluation.to_json() == seen.data


def test_the_figures_of_an_older_record_are_read() -> None:
    rows = [{"graph": "a", "outcome": "correct", "speedup": 1.2, "speedup_ci": [1.1, 1.3], "correct_at": -10}]
    data = {"AS": 1.2, "partial": False, "best": True, "best_AS": 1.2, "best_step": 3, "pass_set_hash": "x",
            "graphs": rows}  # fmt: skip
    found = Observation(tool="evaluate", ok=True, text="", data=data).evaluation
    assert found is not None and (found.score, found.best_step, found.solved.share) == (1.2, 3, None)


def test_figures_that_are_none_are_refused() -> None:
    with pytest.raises(ValidationError):
        Observation(tool="evaluate", ok=True, text="", data={"AS": 1.0, "graphs": [{"graph": "a", "outcome": "fine"}]})
    with pytest.raises(ValidationError):
        Observation.model_validate_json('{"tool": "view", "ok": true, "text": "", "evaluation": {"score": 1.0}}')


@pytest.mark.parametrize("change", [{"speedup": -1.0}, {"speedup": float("nan")}, {"correct_at": 99}])
def test_a_variant_that_cannot_be_scored_is_no_part_of_a_measurement(change: dict[str, float]) -> None:
    row = {"graph": "g", "outcome": "correct", "speedup": 1.2, "correct_at": -10}
    fields = {"score": 1.0, "pass_set_hash": "p"}
    assert Evaluation.model_validate({**fields, "graphs": [row]}).graphs[0].speedup == 1.2
    with pytest.raises(ValidationError, match="graph 'g'"):
        Evaluation.model_validate({**fields, "graphs": [row | change]})
