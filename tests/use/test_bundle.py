"""Bundles: they load, hold what was measured, and say what is wrong with them."""

from __future__ import annotations

import json
import shutil

import pytest
import torch

import passnet
from passnet.errors import UsageError
from passnet.use.bundle import read_bundle
from tests.use import optimize_models
from tests.use.scripted_judge import BLOOM, GPT2, NO_MATCH, PHI3, won


@pytest.mark.slow
def test_the_bundle_loads_and_is_what_was_measured(scripted, request_for, optimize):
    scripted({(BLOOM,): won(1.4), (GPT2,): NO_MATCH, (PHI3,): won(1.1), (BLOOM, PHI3): won(1.6)})
    request = request_for()
    optimize(request)
    bundle, sets = read_bundle(request.out)
    assert [pass_set.directory.name for pass_set in sets] == [kept.directory for kept in bundle.kept]
    model, args, kwargs = optimize_models.mixed()
    model.eval()
    fast = passnet.load_passes(request.out).apply(model, args, kwargs)
    assert fast.replaced == 2
    with torch.no_grad():
        for name, value in model(*args, **kwargs).items():
            torch.testing.assert_close(fast(*args, **kwargs)[name], value, rtol=1e-5, atol=1e-5)
    assert str(request.out) in bundle.snippet[1]
    file = next((request.out / "passes" / bundle.kept[0].directory).glob("*_cpp.py"))
    file.write_text(file.read_text() + "\n")
    with pytest.raises(UsageError, match="differ from the measured ones"):
        passnet.load_passes(request.out)


@pytest.fixture
def bundle(scripted, request_for, optimize):
    """A written bundle with one pass set."""
    scripted({(BLOOM,): won(1.4), (GPT2,): NO_MATCH, (PHI3,): NO_MATCH})
    request = request_for()
    optimize(request)
    return request.out


def edited(bundle, **fields):
    file = bundle / "bundle.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **fields}))


@pytest.mark.parametrize("text", ['{"schema_version": 1}', "", "[]", '{"schema_version": 1, "model": "m', "\x00\xff"])
def test_a_malformed_bundle_is_told(tmp_path, text):
    (tmp_path / "bundle.json").write_text(text)
    with pytest.raises(UsageError, match="not a bundle of this version"):
        passnet.load_passes(tmp_path)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"schema_version": 2}, "schema_version: not a bundle of this version"),
        ({"kept": []}, "kept: not a bundle of this version"),
        ({"more": 1}, "more: not a bundle of this version"),
    ],
)
def test_a_bundle_that_was_edited_is_told(bundle, fields, words):
    edited(bundle, **fields)
    with pytest.raises(UsageError, match=words):
        passnet.load_passes(bundle)


def test_a_bundle_without_passes_is_a_form(scripted, request_for, optimize):
    scripted({(BLOOM,): won(1.4), (GPT2,): NO_MATCH, (PHI3,): NO_MATCH})
    request = request_for()
    optimize(request, **{"torch.compile": 1e-5})
    written, sets = read_bundle(request.out)
    assert (written.form.name, sets, written.whole) == ("torch.compile", (), None)
    fast = passnet.load_passes(request.out).apply(optimize_models.mixed()[0].eval(), ())
    assert fast.graph is None and fast.replaced == 0


@pytest.mark.parametrize(
    "form",
    [
        {"engine": "eager", "passes": True, "mode": "default", "frozen": False, "wrapper": False, "graph": "copied"},
        {"engine": "__import__('os')"},
        {"engine": "torch.compile", "passes": True},
        {"engine": "inductor", "mode": "a" * 5000},
        {"engine": "inductor", "cpp_wrapper": "yes"},
        "torch.compile",
    ],
)
def test_a_form_from_a_file_is_a_choice_and_never_a_setting(bundle, form):
    edited(bundle, form=form)
    if isinstance(form, dict) and form.get("graph") == "copied":  # a choice that this machine may refuse
        model, args, kwargs = optimize_models.mixed()
        with pytest.raises(UsageError, match="CUDA graph needs a model on a GPU"):
            passnet.load_passes(bundle).apply(model.eval(), args, kwargs)
    else:
        with pytest.raises(UsageError, match="not a bundle of this version"):
            passnet.load_passes(bundle)


def test_a_bundle_of_an_older_version_has_passes_and_no_form(bundle):
    old = json.loads((bundle / "bundle.json").read_text())
    for name in ("form", "best", "forms", "minutes"):
        old.pop(name)
    (bundle / "bundle.json").write_text(json.dumps(old))
    model, args, kwargs = optimize_models.mixed()
    assert passnet.load_passes(bundle).apply(model.eval(), args, kwargs).replaced == 1


@pytest.mark.parametrize("directory", ["..", "../elsewhere", "/tmp", "a" * 5000, "a\0b"])
def test_a_bundle_stays_within_itself(bundle, directory):
    kept = json.loads((bundle / "bundle.json").read_text())["kept"][0]
    edited(bundle, kept=[{**kept, "directory": directory}])
    with pytest.raises(UsageError, match="leaves the bundle"):
        passnet.load_passes(bundle)


def test_a_bundle_cannot_loosen_the_policy_that_was_asked_for(bundle):
    edited(bundle, policy="native")
    with pytest.raises(UsageError, match=r'policy: .*native.*policy="native" loads it'):
        passnet.load_passes(bundle)
    assert passnet.load_passes(bundle, policy="native").names


def test_a_bundle_without_its_passes_is_told(bundle):
    shutil.rmtree(bundle / "passes")
    with pytest.raises(UsageError, match="no such directory of passes"):
        passnet.load_passes(bundle)


@pytest.mark.parametrize(
    ("given", "told"), [(None, "passes: is no path; expected text"), (3, "found int"), ("x" * 5000, "name too long")]
)
def test_what_is_no_path_is_told_in_one_line(given, told):
    with pytest.raises(UsageError, match=told) as caught:
        passnet.load_passes(given)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 1000


def test_a_bundle_of_another_torch_is_used_and_said_so(bundle, caplog):
    edited(bundle, environment={"torch": "1.0.0+cpu"})
    model, args, kwargs = optimize_models.mixed()
    fast = passnet.load_passes(bundle).apply(model.eval(), args, kwargs)
    assert fast.replaced == 1
    assert "was measured with torch 1.0.0+cpu" in caplog.text
