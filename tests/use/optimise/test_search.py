"""Which passes stay in a model: scripted verdicts for the choice, one real run through the bench for the rest."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch

from passnet.bench.evaluate import record_key
from passnet.bench.verdict.job import Job
from passnet.errors import UsageError
from passnet.score import Outcome
from passnet.use.forms.user_model import user_model
from passnet.use.library.candidates import find_candidates, together
from passnet.use.optimise import search as optimizing
from passnet.use.optimise.search import find_passes
from passnet.use.optimise.subject import ModelSubject, subject_of
from tests.use.library_runs import TASKS, timing
from tests.use.scripted_judge import AGAIN, BLOOM, GPT2, NO_MATCH, PHI3, SPEC, won

SHORT = {
    "least_pairs": 2, "most_pairs": 2, "open_pairs": 2, "visit_groups": 2, "most_groups": 2,
    "block_us": 300.0, "warmup_calls": 3,
    "spot_checks": 1, "max_half_width": 1e9, "control_band": 1e9,
}  # fmt: skip
torch.set_num_threads(1)


def captured(spec: str) -> ModelSubject:
    case = user_model(spec, None).on(None)
    return subject_of(spec, case.model, case.calls[0])


def optimize(request, report):
    """What the search finds in the model of the request."""
    return find_passes(request, captured(request.spec), request.passes, report)


def reasons(found):
    return {left.source.split("-")[0]: left.reason for left in found.left}


@pytest.mark.slow
def test_winners_are_kept_together_and_the_rest_left_with_reasons(scripted, request_for):
    judge = scripted(
        {
            (BLOOM,): won(1.4),
            (GPT2,): NO_MATCH,
            (PHI3,): won(1.1),
            (BLOOM, PHI3): won(1.6, max_error={"abs": 1e-6, "rel": 1e-5, "fp64_ratio": 1.2}),
        }
    )
    found = optimize(request_for(), lambda step: None)
    assert judge.asked[-2:] == [(BLOOM, PHI3), (BLOOM, PHI3, AGAIN)]
    assert [kept.source.split("-")[0] for kept in found.kept] == [BLOOM, PHI3]
    assert [kept.speedup for kept in found.kept] == [1.4, 1.1]
    assert (found.whole.speedup, found.whole.max_abs_error) == (1.6, 1e-6)
    assert reasons(found) == {GPT2: "no match"}


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (won(0.9), "not measurably faster (0.890 to 0.910)"),
        ({"timing": timing(1.02, 0.99, 1.05)}, "not measurably faster (0.990 to 1.050)"),
        ({"outcome": Outcome.ACCURACY, "correct_at": None, "detail": "right at no tolerance"}, "accuracy: right at no"),
        ({"outcome": Outcome.ACCURACY, "correct_at": -2, "timing": timing(2.0), "detail": "from -2"}, "accuracy"),
        ({"outcome": Outcome.RUNTIME_ERROR, "correct_at": None, "detail": "it raised"}, "it raised"),
        ({"outcome": Outcome.UNSTABLE, "correct_at": None, "detail": "too wide"}, "too wide"),
    ],
)
def test_what_does_not_win_leaves_no_bundle(scripted, request_for, verdict, reason):
    scripted({(BLOOM,): verdict, (GPT2,): NO_MATCH, (PHI3,): NO_MATCH})
    found = optimize(request_for(), lambda step: None)
    assert not found.kept
    assert reason in reasons(found)[BLOOM]


def test_right_sets_that_do_not_win_are_open(scripted, request_for):
    unclear, unsteady = {"timing": timing(1.02, 0.99, 1.05)}, {"outcome": Outcome.UNSTABLE, "correct_at": None}
    judge = scripted({(BLOOM,): unsteady, (GPT2,): won(0.9), (PHI3,): unclear})
    found = optimize(request_for(), lambda step: None)
    assert [unit.source.split("-")[0] for unit in found.open] == [PHI3, BLOOM]
    assert judge.asked.count((BLOOM,)) == 2, "what was unsteady is measured again"


def test_no_set_is_begun_when_the_time_is_over(scripted, request_for):
    judge = scripted({(BLOOM,): won(1.4), (GPT2,): won(1.4), (PHI3,): won(1.4)})
    request = request_for()
    subject = captured(request.spec)
    found = find_passes(request, subject, request.passes, lambda step: None, lambda: not judge.asked)
    assert len(found.kept) == 1
    assert [left.reason for left in found.left] == ["the time was over before it was tried"] * 2


def test_who_won_by_chance_is_left_when_measured_once_more(scripted, request_for):
    judge = scripted({(BLOOM,): won(1.2), (BLOOM, AGAIN): won(1.0), (GPT2,): NO_MATCH, (PHI3,): NO_MATCH})
    found = optimize(request_for(), lambda step: None)
    assert judge.asked[-1] == (BLOOM, AGAIN)
    assert not found.kept
    assert "measured once more: not measurably faster" in reasons(found)[BLOOM]


def test_the_evidence_is_of_measurements_that_chose_nothing(scripted, request_for):
    verdicts = {(BLOOM,): won(1.4), (GPT2,): NO_MATCH, (PHI3,): won(1.3), (BLOOM, PHI3): won(1.9)}
    scripted({**verdicts, (BLOOM, PHI3, AGAIN): won(1.6)})
    assert optimize(request_for(), lambda step: None).whole.speedup == 1.6


def test_when_all_together_lose_the_second_time_the_best_is_tried_alone(scripted, request_for):
    verdicts = {(BLOOM,): won(1.4), (GPT2,): NO_MATCH, (PHI3,): won(1.3), (BLOOM, PHI3): won(1.9)}
    judge = scripted({**verdicts, (BLOOM, PHI3, AGAIN): won(1.0), (BLOOM, AGAIN): won(1.35)})
    found = optimize(request_for(), lambda step: None)
    assert judge.asked[-2:] == [(BLOOM, PHI3, AGAIN), (BLOOM, AGAIN)]
    assert [kept.source.split("-")[0] for kept in found.kept] == [BLOOM]
    assert found.whole.speedup == 1.35


def test_what_is_lost_behind_the_guard_is_no_win(scripted, request_for):
    small = timing(1.05).model_copy(update={"deployed_speedup": 0.98})
    scripted({(BLOOM,): {"timing": small}, (GPT2,): NO_MATCH, (PHI3,): NO_MATCH})
    found = optimize(request_for(), lambda step: None)
    assert not found.kept
    assert reasons(found)[BLOOM] == "slower with its input check (0.980)"


@pytest.mark.parametrize(
    ("correct_at", "ratio", "right"),
    [
        (-1, 1.1, True),  # sixteen bits: as near to float64 as the model itself
        (-1, 2.5, False),
        (-1, None, False),
        (2, 1.1, False),  # a single element is far off
        (None, 1.1, False),
    ],
)
def test_beyond_the_tolerance_float64_decides(scripted, request_for, correct_at, ratio, right):
    verdict = won(1.5, outcome=Outcome.ACCURACY, correct_at=correct_at, detail="right from t")
    verdict["max_error"] = {"abs": 0.03, "rel": 1.0, "fp64_ratio": ratio}
    scripted({(BLOOM,): verdict, (GPT2,): NO_MATCH, (PHI3,): NO_MATCH})
    assert bool(optimize(request_for(), lambda step: None).kept) is right


def test_rounding_of_many_layers_is_no_error(scripted, request_for):
    loose = {"outcome": Outcome.ACCURACY, "correct_at": -3, "timing": timing(1.5), "detail": "right from t = -3"}
    scripted({(BLOOM,): loose, (GPT2,): NO_MATCH, (PHI3,): NO_MATCH})
    found = optimize(request_for(), lambda step: None)
    assert found.whole.correct_at == -3


def test_passes_that_lose_together_are_dropped_from_the_least(scripted, request_for):
    scripted({(BLOOM,): won(1.4), (GPT2,): NO_MATCH, (PHI3,): won(1.1), (BLOOM, PHI3): won(1.2)})
    found = optimize(request_for(), lambda step: None)
    assert [kept.source.split("-")[0] for kept in found.kept] == [BLOOM]
    assert "than the best alone" in reasons(found)[PHI3]
    assert found.whole.speedup == 1.4


def test_a_pass_whose_places_are_taken_is_left(scripted, request_for):
    both = won(1.4, counts={"00-the-better-one/rule": 1})
    judge = scripted({(BLOOM,): won(1.4), (GPT2,): NO_MATCH, (PHI3,): won(1.3), (BLOOM, PHI3): both})
    found = optimize(request_for(), lambda step: None)
    assert judge.asked[3:] == [(BLOOM, PHI3), (BLOOM, AGAIN)]
    assert [kept.source.split("-")[0] for kept in found.kept] == [BLOOM]
    assert "places are taken" in reasons(found)[PHI3]


def test_a_set_of_which_several_rules_match_is_taken_apart(scripted, request_for, tmp_path):
    passes = shutil.copytree(TASKS / "llama_residual_rmsnorm" / "pass_dir", tmp_path / "rms")
    names = ("rms:rms_float32_cpp", "rms:rms_float16_cpp")
    judge = scripted(
        {
            ("rms",): won(1.3, counts={"rms_float32_cpp": 2, "rms_float16_cpp": 1}),
            names[:1]: won(1.4, counts={"rms_float32_cpp": 2}),
            names[1:]: won(0.8, counts={"rms_float16_cpp": 1}),
        }
    )
    found = optimize(request_for(passes=passes), lambda step: None)
    assert judge.asked == [("rms",), names[:1], names[1:], (names[0], AGAIN)]
    (kept,) = found.kept
    assert kept.replacements == {"rms_float32_cpp": 2}
    (unit,) = found.units
    assert json.loads(unit.files()["sorted_output_pass_rule_names.json"]) == ["rms_float32_cpp"]


def test_rules_that_win_only_together_stay_together(scripted, request_for, tmp_path):
    passes = shutil.copytree(TASKS / "llama_residual_rmsnorm" / "pass_dir", tmp_path / "rms")
    counts = {"rms_float32_cpp": 2, "rms_float16_cpp": 1}
    names = ("rms:rms_float32_cpp", "rms:rms_float16_cpp")
    unclear = {"timing": timing(1.02, 0.99, 1.05)}
    both, found = ("+".join(names).replace("+rms:", "+"),), won(1.2, counts=counts)
    judge = scripted({("rms",): found, both: found, names[:1]: unclear, names[1:]: unclear})
    found = optimize(request_for(passes=passes), lambda step: None)
    assert judge.asked == [("rms",), names[:1], names[1:], (*both, AGAIN)]
    (kept,) = found.kept
    assert kept.replacements == counts and found.left == ()


def test_a_winner_of_many_rules_is_not_taken_apart(scripted, request_for, monkeypatch, tmp_path):
    monkeypatch.setattr(optimizing, "_MOST_PARTS", 1)
    passes = shutil.copytree(TASKS / "llama_residual_rmsnorm" / "pass_dir", tmp_path / "rms")
    both, found = (
        ("rms:rms_float32_cpp+rms_float16_cpp",),
        won(1.3, counts={"rms_float32_cpp": 2, "rms_float16_cpp": 1}),
    )
    judge = scripted({("rms",): found, both: found})
    found = optimize(request_for(passes=passes), lambda step: None)
    assert judge.asked == [("rms",), (*both, AGAIN)] and found.whole.speedup == 1.3


def test_what_was_judged_is_not_judged_again(scripted, request_for):
    verdicts = {(BLOOM,): won(1.4), (GPT2,): NO_MATCH, (PHI3,): won(0.9)}
    first = scripted(verdicts)
    found = optimize(request_for(), lambda step: None)
    second, steps = scripted(verdicts), []
    again = optimize(request_for(overwrite=True), steps.append)
    assert len(first.asked) == 4
    assert second.asked == []
    assert all(step.resumed for step in steps)
    assert again == found


def test_a_model_that_cannot_be_measured_is_told(scripted, request_for):
    scripted({(BLOOM,): {"outcome": Outcome.REFERENCE_ERROR, "correct_at": None, "detail": "eager: out of memory"}})
    with pytest.raises(UsageError, match="cannot be measured: eager: out of memory"):
        optimize(request_for(), lambda step: None)


# --- the subject and the candidates --------------------------------------------------------------------------------


def test_a_subject_is_the_model_on_its_own_call():
    subject = captured(SPEC)
    assert subject.device == "cpu"
    assert len(subject.inputs) == len(subject.graph.specs)
    given = {tuple(subject.inputs[index].shape) for index in subject.arguments}
    assert (2, 8, 32) in given
    assert len(subject.arguments) == 2
    outputs = subject.graph.module()(*subject.inputs)
    assert [tuple(value.shape) for value in outputs] == [(2, 8, 64), (2, 8, 32)]
    assert {"tanh", "silu", "pow"} <= subject.operations


def test_candidates_are_narrowed_by_the_index(library):
    subject = captured("tests.use.optimize_models:plain")
    assert find_candidates(library, subject.operations, "cpu", "strict").units == ()
    subject = captured(SPEC)
    found = find_candidates(library, subject.operations, "cpu", "strict")
    assert sorted(unit.source.split("-")[0] for unit in found.units) == [BLOOM, GPT2, PHI3]


def test_what_the_policy_forbids_is_left_unseen(library, tmp_path):
    passes = shutil.copytree(TASKS / BLOOM / "pass_dir", tmp_path / "passes")
    file = passes / "bloom_gelu_cpp.py"
    file.write_text("import ctypes\n" + file.read_text())
    strict = find_candidates(passes, frozenset(), "cpu", "strict")
    assert strict.units == ()
    assert "not allowed by policy strict" in strict.left[0][1]
    assert len(find_candidates(passes, frozenset(), "cpu", "native").units) == 1


# --- for real ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["passes", "passes+inductor"])
def test_a_real_run_measures_in_the_sandbox_and_goes_on(library, request_for, compiler):
    request = request_for(overrides=SHORT, compiler=compiler, passes=library)
    steps = []
    found = optimize(request, steps.append)
    by_task = {step.label.split("-")[0]: step.record for step in steps if " and " not in step.label}
    assert by_task[GPT2].outcome is Outcome.NO_MATCH
    for task in (BLOOM, PHI3):
        assert by_task[task].outcome is Outcome.CORRECT, by_task[task].detail
        assert sum(by_task[task].replacements.values()) == 1
        assert by_task[task].sandbox
        assert by_task[task].fp64_reference
    kept = {kept.source.split("-")[0] for kept in found.kept}
    winners = {task for task in (BLOOM, PHI3) if by_task[task].timing.speedup_ci[0] > 1}
    assert kept <= winners
    assert bool(kept) == bool(winners)
    again = []
    optimize(request_for(overrides=SHORT, compiler=compiler, passes=library, overwrite=True), again.append)
    assert all(step.resumed for step in again)


def test_record_keys_tell_programs_apart(library):
    subject = captured(SPEC)
    units = find_candidates(library, subject.operations, "cpu", "strict").units
    jobs = [Job(subject.name, unit.label, Path(), subject.graph, "passes", "cpu", together([unit])) for unit in units]
    both = Job(subject.name, "both", Path(), subject.graph, "passes", "cpu", together(units[:2]))
    assert len({record_key(job) for job in (*jobs, both)}) == len(units) + 1
