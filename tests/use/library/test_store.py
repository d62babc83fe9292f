"""Pass libraries: what goes in is what the bench found right, and stays what it was."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor, wait

import pytest
import torch

from passnet.errors import UsageError
from passnet.graph import Task
from passnet.rewrite.match.signature import operations_of
from passnet.score import Outcome
from passnet.use.library import add
from passnet.use.library.add import _Reader, add_run
from passnet.use.library.store import PassLibrary
from passnet.writing import locked
from tests.use.library_runs import TASKS, record, timing, write_run

NAMES = ("bloom_gelu", "phi3_swiglu")
torch.set_num_threads(1)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A library of two bundled tasks, and what was said when it was made."""
    root = tmp_path_factory.mktemp("library")
    run = write_run(root / "run", [TASKS / name for name in NAMES], graphs=2)
    return root / "lib", list(add_run(root / "lib", run))


@pytest.fixture
def library(made, tmp_path):
    return shutil.copytree(made[0], tmp_path / "lib")


def entry_of(library, task):
    return next(entry for entry in PassLibrary.read(library).entries if entry.name.startswith(task))


def test_what_was_right_is_added_with_its_evidence(made):
    path, said = made
    assert [(added.task, added.what) for added in said] == [(name, "added") for name in NAMES]
    entry = entry_of(path, "bloom_gelu")
    (evidence,) = entry.evidence
    assert (evidence.device, evidence.graphs, evidence.hardware) == ("cpu", 2, "a processor")
    assert evidence.speedup == pytest.approx(1.5)
    assert evidence.lowest == pytest.approx(1.49)
    graphs = Task.read(TASKS / "bloom_gelu").graphs[:2]
    assert evidence.structures == tuple(sorted({graph.structure_hash for graph in graphs}))
    assert evidence.dtypes == ("float32",)
    rules = {rule.rule: rule for rule in entry.rules}
    assert rules["bloom_gelu_cpp"].operations == ("add", "mul", "tanh")
    assert len(rules["bloom_gelu_cpp"].structure) == 64
    assert rules["bloom_gelu_triton"].devices == ("cuda",)
    assert rules["bloom_gelu_triton"].operations is None


def test_a_library_is_whole_and_its_files_are_the_tasks_own(made):
    library = PassLibrary.read(made[0])
    assert list(library.problems()) == []
    for entry in library.entries:
        task = Task.read(TASKS / entry.name.rsplit("-", 1)[0])
        assert [rule.name for rule in library.pass_set(entry).rules] == [rule.rule for rule in entry.rules]
        for file in library.directory(entry).glob("*.py"):
            assert file.read_text() == (task.pass_dir / file.name).read_text()


def test_candidates_are_those_that_may_match_the_best_first(library):
    found = PassLibrary.read(library)
    module = Task.read(TASKS / "bloom_gelu").graphs[0].module()
    assert [entry.name for entry in found.candidates(operations_of(module), "cpu")] == [entry_of(library, "bloom").name]
    everything = {"add", "mul", "tanh", "getitem", "silu", "split"}
    assert len(found.candidates(everything, "cpu")) == 2
    assert found.candidates({"relu"}, "cpu") == []
    # What could not be loaded where the library was made is always worth a try.
    assert len(found.candidates({"relu"}, "cuda")) == 2


def test_a_second_run_on_the_same_machine_takes_the_place_of_the_first(library, tmp_path):
    run = write_run(tmp_path / "again", [TASKS / "bloom_gelu"], graphs=1)
    assert [added.what for added in add_run(library, run)] == ["updated"]
    (evidence,) = entry_of(library, "bloom_gelu").evidence
    assert (evidence.run, evidence.graphs) == ("again", 1)


def test_another_device_is_further_evidence(library, tmp_path):
    run = write_run(tmp_path / "gpu", [TASKS / "bloom_gelu"], device="cuda")
    assert [added.what for added in add_run(library, run)] == ["updated"]
    assert {each.device: each.hardware for each in entry_of(library, "bloom_gelu").evidence} == {
        "cpu": "a processor",
        "cuda": "a device",
    }
    assert entry_of(library, "bloom_gelu").rules[0].operations == ("add", "mul", "tanh")


@pytest.mark.parametrize("outcome", [Outcome.ACCURACY, Outcome.NO_MATCH, Outcome.TIMEOUT])
def test_what_was_wrong_is_left_out_with_the_reason(tmp_path, outcome):
    run = write_run(tmp_path / "run", [TASKS / "bloom_gelu"], outcome=outcome)
    (added,) = add_run(tmp_path / "lib", run)
    assert added.what == "left out"
    assert str(outcome) in added.reason


def test_a_run_that_is_not_finished_adds_nothing(tmp_path):
    run = write_run(tmp_path / "run", [TASKS / "bloom_gelu"], graphs=2)
    lines = (run / "records.jsonl").read_text().splitlines()
    (run / "records.jsonl").write_text(lines[0] + "\n")
    (added,) = add_run(tmp_path / "lib", run)
    assert added.reason == "1 of 2 graphs were judged"


def test_changed_passes_are_left_out(tmp_path):
    task = shutil.copytree(TASKS / "bloom_gelu", tmp_path / "bloom_gelu")
    run = write_run(tmp_path / "run", [task])
    file = task / "pass_dir" / "bloom_gelu_cpp.py"
    file.write_text(file.read_text() + "\n")
    (added,) = add_run(tmp_path / "lib", run)
    assert added.what == "left out" and "the passes have changed since" in added.reason
    assert not (tmp_path / "lib" / "index.json").exists()


@pytest.fixture
def judged(tmp_path, monkeypatch):
    """Adds a run of the first two graphs of a task, the second with other fields, to a new library."""
    monkeypatch.setattr(_Reader, "described", lambda self, pass_set: ())

    def judged(more=(), **fields):
        run = write_run(tmp_path / "run", [TASKS / "bloom_gelu"], graphs=2)
        task = Task.read(TASKS / "bloom_gelu")
        rows = [record(task, task.refs[0].name), record(task, task.refs[1].name, **fields)]
        rows += [record(task, task.refs[1].name, **each) for each in more]
        (run / "records.jsonl").write_text("".join(row.model_dump_json(by_alias=True) + "\n" for row in rows))
        (added,) = add_run(tmp_path / "lib", run)
        return added, PassLibrary.read(tmp_path / "lib").entries if added.what == "added" else ()

    return judged


FOREIGN = [
    ({"pass_set_hash": "0" * 64}, "the passes have changed since"),
    ({"graph_hash": "f" * 64}, "the graph has changed since"),
    ({"device": "cuda"}, "judged on cuda"),
    ({"compiler": "passes+inductor"}, "by passes+inductor"),
    ({"tamper_proof": False}, "not judged in a sandbox"),
    ({"tamper_proof": False, "sandbox": ()}, "not judged in a sandbox"),
]
AGAINST_THEMSELVES = [
    ({"sandbox": ()}, "tamper-proof, and files, network, processes open"),
    ({"sandbox": None}, "the record says that none ran"),
    ({"sandbox": ("none at all",)}, "a sandbox of 'none at all'"),
    ({"unseen": {"shapes": [[1]], "answer": "wrong"}}, "wrong on shapes between the variants"),
    ({"timing": timing(1.5, 9.0, 9.9)}, "beside its interval"),
]


@pytest.mark.parametrize(("fields", "words"), AGAINST_THEMSELVES)
def test_a_run_with_a_record_that_contradicts_itself_is_refused(judged, fields, words):
    with pytest.raises(UsageError, match=f"line 2, .* contradicts itself: .*{words}"):
        judged(**fields)


@pytest.mark.parametrize(("fields", "words"), FOREIGN)
def test_a_record_of_something_else_is_no_evidence(judged, fields, words):
    added, _ = judged(**fields)
    assert added.what == "left out"
    assert added.reason.startswith("1 of 2 graphs were judged; 1 record left aside: ")
    assert words in added.reason


def test_a_record_of_earlier_passes_is_told_and_counts_for_nothing(judged):
    added, (entry,) = judged([{}], pass_set_hash="0" * 64, timing=timing(50.0))
    assert added.what == "added" and "1 record left aside" in added.reason
    (evidence,) = entry.evidence
    assert (evidence.graphs, round(evidence.speedup, 6)) == (2, 1.5)


def test_unseen_shapes_that_a_pass_refuses_are_no_mistake(judged):
    added, _ = judged(unseen={"shapes": [[1]], "answer": "refused"})
    assert (added.what, added.reason) == ("added", None)


def test_two_commands_at_a_time_lose_no_set(tmp_path, monkeypatch):
    monkeypatch.setattr(_Reader, "described", lambda self, pass_set: ())
    first = write_run(tmp_path / "first", [TASKS / "bloom_gelu", TASKS / "phi3_swiglu"])
    second = write_run(tmp_path / "second", [TASKS / "gpt2_gelu_new"])
    slow = add_run(tmp_path / "lib", first)
    next(slow)
    assert [added.what for added in add_run(tmp_path / "lib", second)] == ["added"]
    assert [added.what for added in slow] == ["added"]
    library = PassLibrary.read(tmp_path / "lib")
    assert [entry.name.rsplit("-", 1)[0] for entry in library.entries] == ["bloom_gelu", "gpt2_gelu_new", "phi3_swiglu"]
    assert list(library.problems()) == []


def test_a_library_is_written_by_one_command_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(_Reader, "described", lambda self, pass_set: ())
    run = write_run(tmp_path / "run", [TASKS / "bloom_gelu"])
    (tmp_path / "lib").mkdir()
    with ThreadPoolExecutor() as pool:
        with locked(tmp_path / "lib"):
            adding = pool.submit(list, add_run(tmp_path / "lib", run))
            assert wait([adding], timeout=0.5).not_done
            assert not list((tmp_path / "lib").iterdir())
        assert [added.what for added in adding.result()] == ["added"]


def test_sets_whose_short_hashes_are_the_same_are_two(tmp_path, monkeypatch):
    monkeypatch.setattr(_Reader, "described", lambda self, pass_set: ())
    task = shutil.copytree(TASKS / "bloom_gelu", tmp_path / "bloom_gelu")
    list(add_run(tmp_path / "lib", write_run(tmp_path / "run", [task])))
    file = task / "pass_dir" / "bloom_gelu_cpp.py"
    file.write_text(file.read_text() + "\n")
    monkeypatch.setattr(add, "_SHORT_HASH", 0)
    for name in ("one", "two"):
        file.write_text(file.read_text() + "\n")
        list(add_run(tmp_path / "lib", write_run(tmp_path / name, [task])))
    library = PassLibrary.read(tmp_path / "lib")
    assert len(library.entries) == 3
    assert list(library.problems()) == []


def test_a_run_of_another_compiler_is_refused(tmp_path):
    run = write_run(tmp_path / "run", [TASKS / "bloom_gelu"], compiler="inductor")
    with pytest.raises(UsageError, match="not a run of passes"):
        list(add_run(tmp_path / "lib", run))


def test_tasks_that_have_moved_are_told(tmp_path):
    task = shutil.copytree(TASKS / "bloom_gelu", tmp_path / "bloom_gelu")
    run = write_run(tmp_path / "run", [task])
    shutil.rmtree(task)
    with pytest.raises(UsageError, match="not here"):
        list(add_run(tmp_path / "lib", run))
    assert not (tmp_path / "lib").exists()


def test_a_bundled_task_is_found_by_its_name(tmp_path, monkeypatch):
    run = write_run(tmp_path / "run", [TASKS / "bloom_gelu"])
    settings = json.loads((run / "settings.json").read_text())
    (run / "settings.json").write_text(json.dumps({**settings, "paths": ["bloom_gelu"]}))
    monkeypatch.chdir(tmp_path)
    assert [added.what for added in add_run(tmp_path / "lib", run)] == ["added"]


def test_a_directory_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "letter.txt").write_text("dear")
    run = write_run(tmp_path / "run", [TASKS / "bloom_gelu"])
    with pytest.raises(UsageError, match="something else"):
        list(add_run(tmp_path / "lib", run))
    assert [file.name for file in (tmp_path / "lib").iterdir()] == ["letter.txt"]


def test_a_changed_file_is_a_problem_and_no_candidate(library):
    entry = entry_of(library, "bloom_gelu")
    file = library / "passes" / entry.name / "bloom_gelu_cpp.py"
    file.write_text(file.read_text().replace("0.5", "0.6"))
    found = PassLibrary.read(library)
    assert [problem for problem in found.problems() if "differ from the verified ones" in problem]
    with pytest.raises(UsageError, match="differ from the verified ones"):
        found.pass_set(entry)


def test_a_breach_of_the_policy_and_a_stray_directory_are_problems(library):
    index = json.loads((library / "index.json").read_text())
    entry = index["entries"][0]
    directory = library / "passes" / entry["name"]
    file = next(directory.glob("*_cpp.py"))
    file.write_text("import os\n" + file.read_text())
    from passnet.rewrite import read_pass_set

    entry["content_hash"] = read_pass_set(directory).content_hash
    (library / "index.json").write_text(json.dumps(index))
    (library / "passes" / "stray").mkdir()
    problems = list(PassLibrary.read(library).problems())
    assert any("import" in problem for problem in problems)
    assert any("not in the index" in problem for problem in problems)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not an index"),
        ('{"schema_version": 2, "entries": []}', "schema_version"),
        ('{"schema_version": 1, "entries": [{"name": "a"}]}', "entries"),
        ('{"schema_version": 1, "entries": [], "graphs": 1e400}', "not an index"),
        ('{"schema_version": 1, "entries": [], "speedup": NaN}', "NaN is no number"),
        ("[" * 9999, "nested deeper"),
        (
            '{"schema_version": 1, "entries": [{"name": "../a", "content_hash": "", "policy": "strict", "rules": []}]}',
            "wrong names",
        ),
    ],
)
def test_a_malformed_index_is_told(tmp_path, text, words):
    (tmp_path / "index.json").write_text(text)
    with pytest.raises(UsageError, match=words):
        PassLibrary.read(tmp_path)


def test_what_is_no_library_is_told(tmp_path):
    with pytest.raises(UsageError, match="not a pass library"):
        PassLibrary.read(tmp_path)
    with pytest.raises(UsageError, match="no such directory"):
        PassLibrary.read(tmp_path / "nowhere")


def test_a_task_may_be_called_anything(tmp_path):
    for name in ("a b", ".hidden"):
        shutil.copytree(TASKS / "bloom_gelu", tmp_path / name)
    run = write_run(tmp_path / "run", [tmp_path / "a b", tmp_path / ".hidden"])
    assert [added.what for added in add_run(tmp_path / "lib", run)] == ["added", "added"]
    assert [entry.name[:4] for entry in PassLibrary.read(tmp_path / "lib").entries] == ["a_b-", "hidd"]


def test_a_record_of_another_graph_is_no_evidence(tmp_path):
    run = write_run(tmp_path / "run", [TASKS / "bloom_gelu"])
    (run / "records.jsonl").write_text((run / "records.jsonl").read_text().replace('"graph":"', '"graph":"other/', 1))
    (added,) = add_run(tmp_path / "lib", run)
    assert added.what == "left out" and "no longer has this graph" in added.reason
