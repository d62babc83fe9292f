"""Bundles: they load, hold what was measured, and say what is wrong with them."""

from __future__ import annotations

import json
import shutil

import pytest
import torch

import passnet
from passnet.errors import UsageError
from passnet.use.bundle import read_bundle
from passnet.use.optimise.search import optimize
from tests.use import optimize_models
from tests.use.scripted_judge import BLOOM, GPT2, NO_MATCH, PHI3, won


def test_the_bundle_loads_and_is_what_was_measured(scripted, request_for):
    scripted({(BLOOM,): won(1.4), (GPT2,): NO_MATCH, (PHI3,): won(1.1), (BLOOM, PHI3): won(1.6)})
    request = request_for()
    optimize(request, lambda step: None)
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
def bundle(scripted, request_for):
    """A written bundle with one pass set."""
    scripted({(BLOOM,): won(1.4), (GPT2,): NO_MATCH, (PHI3,): NO_MATCH})
    request = request_for()
    optimize(request, lambda step: None)
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


def test_a_bundle_of_another_torch_is_used_and_said_so(bundle, caplog):
    edited(bundle, environment={"torch": "1.0.0+cpu"})
    model, args, kwargs = optimize_models.mixed()
    fast = passnet.load_passes(bundle).apply(model.eval(), args, kwargs)
    assert fast.replaced == 1
    assert "was measured with torch 1.0.0+cpu" in caplog.text
