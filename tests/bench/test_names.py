"""Names of compilers: what exists here, what a bad name is told, and that nothing of others is imported for it."""

from __future__ import annotations

import sys

import pytest

from passnet.bench import names
from passnet.errors import UsageError
from tests.planted_compilers import install


@pytest.fixture
def planted(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    yield install(tmp_path)
    assert "planted_here" not in sys.modules


@pytest.mark.parametrize("name", sorted(set(names.COMPILERS) - names.ON_CUDA))
def test_the_table_is_known(name):
    names.check_compiler(name, "cpu")


def test_entry_points_are_known_and_never_imported(planted):
    names.check_compiler("planted-right", "cpu")
    names.check_compiler("dynamo:planted", "cpu")
    assert "planted" in names.dynamo_backends()
    assert not planted.exists()


def test_a_package_is_named_with_its_version(planted):
    assert names.package_of("planted-right") == names.package_of("dynamo:planted") == "planted-here 1.0"
    assert names.package_of("inductor") is None and names.package_of("dynamo:eager") is None
    assert names.package_of("passes") is None, "ours, whatever others call theirs"


def test_an_entry_point_cannot_take_a_name_of_ours(planted):
    assert "planted-right" in names.installed_compilers()
    assert "passes" not in names.installed_compilers()


def test_an_unknown_compiler_is_told_what_exists(planted):
    with pytest.raises(UsageError, match=r"unknown compiler 'best'.*inductor.*planted-wrong-tanh.*passnet\.compilers"):
        names.check_compiler("best", "cpu")


def test_an_unknown_back_end_is_told_what_exists():
    with pytest.raises(UsageError, match=r"no such back end of torch\.compile: 'best'.*inductor"):
        names.check_compiler("dynamo:best", "cpu")


def test_a_back_end_without_its_package_is_told_which(monkeypatch):
    package = names.BackendPackage("no_such_package_here.torch", True, "pip install it")
    monkeypatch.setattr(names, "PACKAGES", {**names.PACKAGES, "openvino": package})
    with pytest.raises(UsageError, match="openvino needs no_such_package_here: pip install it"):
        names.check_compiler("dynamo:openvino", "cpu")


def test_a_back_end_of_torchs_own_tests_can_be_asked_for():
    names.check_compiler("dynamo:relu_accuracy_error_TESTING_ONLY", "cpu")
    assert "relu_accuracy_error_TESTING_ONLY" not in names.dynamo_backends()


def test_our_own_back_end_would_escape_the_sandbox():
    with pytest.raises(UsageError, match="without a sandbox"):
        names.check_compiler("dynamo:passnet", "cpu")


@pytest.mark.parametrize("name", sorted(names.ON_CUDA))
def test_what_needs_a_gpu_says_so(name):
    names.check_compiler(name, "cuda")
    with pytest.raises(UsageError, match="needs a GPU"):
        names.check_compiler(name, "cpu")


@pytest.mark.parametrize("text", ["", "a b", "$(rm)", "a;b", "-x", "a" * 200, None, 3, "a\n"])
def test_no_shell_word_is_a_compiler(text):
    assert not names.is_compiler_name(text)


@pytest.mark.parametrize("text", [*names.COMPILERS, "dynamo:openvino", "my.compiler_2"])
def test_names_of_compilers(text):
    assert names.is_compiler_name(text)
    assert ":" not in names.file_word(text)
