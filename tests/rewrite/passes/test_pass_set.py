"""Reading a pass directory: order, helpers, identity, devices, and one clear error per mistake."""

import json
import subprocess
import sys

import pytest

from passnet.errors import UsageError
from passnet.rewrite import read_pass_set

RULE = """
import torch
def pattern(x, y):
    return x + y
def replacement_args(x, y):
    return (x, y)
@torch.fx.wrap
def kernel(x, y):
    return torch.empty_like(x)
def replacement_func():
    return kernel
"""


def write(directory, files, manifest="sorted_output_pass_rule_names.json", names=None):
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (directory / name).write_text(text)
    (directory / manifest).write_text(json.dumps(list(names) if names is not None else ["A"]))
    return directory


def test_order_helpers_and_hash(tmp_path):
    files = {"A.py": RULE, "B.py": RULE + "from pass_dir.helper import K\n", "helper.py": "K = 1\n"}
    directory = write(tmp_path / "p", files, names=["B", "A"])
    passes = read_pass_set(directory)
    assert [rule.name for rule in passes.rules] == ["B", "A"]
    assert [file.stem for file in passes.helpers] == ["helper"]
    copy = write(tmp_path / "q", files, names=["B", "A"])
    assert read_pass_set(copy).content_hash == passes.content_hash
    (copy / "helper.py").write_text("K = 2\n")
    assert read_pass_set(copy).content_hash != passes.content_hash
    swapped = write(tmp_path / "r", files, names=["A", "B"])
    assert read_pass_set(swapped).content_hash != passes.content_hash


def test_only_what_rules_import_belongs_to_the_set(tmp_path):
    chain = {
        "A.py": RULE + "def f():\n    from .b import c\n",
        "b.py": "import pass_dir.c as c\n",
        "c.py": "import A\n",
    }
    passes = read_pass_set(write(tmp_path / "p", chain))
    assert [file.stem for file in passes.files] == ["A", "b", "c"]
    (tmp_path / "p" / "other.py").write_text("(")
    (tmp_path / "p" / "x").symlink_to("/")
    (tmp_path / "p" / "loop.py").symlink_to(tmp_path / "p" / "loop.py")
    assert read_pass_set(tmp_path / "p").content_hash == passes.content_hash
    with pytest.raises(UsageError, match=r"other\.py"):
        read_pass_set(write(tmp_path / "p", {"c.py": "from pass_dir import other\n"}))


def test_rules_may_have_names_that_are_no_identifiers(tmp_path):
    passes = read_pass_set(write(tmp_path / "p", {"scale_0.5-b.py": RULE}, names=["scale_0.5-b"]))
    assert [rule.name for rule in passes.rules] == ["scale_0.5-b"]
    for name in ("../p/A", "a b", "", "pass_dir"):
        with pytest.raises(UsageError):
            read_pass_set(write(tmp_path / "q", {"A.py": RULE, "a b.py": RULE, "pass_dir.py": RULE}, names=[name]))


def test_defaults_count_as_parameters_that_may_be_left_out(tmp_path):
    text = RULE.replace("replacement_args(x, y)", "replacement_args(x, y, z=None)")
    assert len(read_pass_set(write(tmp_path, {"A.py": text})).rules) == 1


def test_fixed_passes_come_first_unless_reordered(tmp_path):
    const = write(tmp_path / "c", {"C.py": RULE, "D.py": RULE}, "sorted_input_pass_rule_names.json", ["C", "D"])
    out = write(tmp_path / "p", {"A.py": RULE})
    assert [rule.name for rule in read_pass_set(out, const).rules] == ["C", "D", "A"]
    out = write(tmp_path / "p", {"A.py": RULE}, names=["D", "A"])
    assert [rule.name for rule in read_pass_set(out, const).rules] == ["C", "D", "A"]
    out = write(tmp_path / "p", {"A.py": RULE}, names=["A", "D", "C"])
    assert [rule.name for rule in read_pass_set(out, const).rules] == ["A", "D", "C"]


def test_devices_are_read_without_running_the_file(tmp_path):
    text = 'raise RuntimeError\nDEVICES = ("cuda",)\n' + RULE
    (rule,) = read_pass_set(write(tmp_path, {"A.py": text})).rules
    assert rule.devices == ("cuda",)
    assert rule.serves("cuda:1")
    assert not rule.serves("cpu")


def test_entry_points_may_be_imported_from_a_sibling(tmp_path):
    text = RULE[: RULE.index("@torch.fx.wrap")] + "from shared import replacement_func\n"
    passes = read_pass_set(write(tmp_path, {"A.py": text, "shared.py": RULE}))
    assert len(passes.rules) == 1


def replaced(old, new):
    assert old in RULE
    return RULE.replace(old, new)


BAD_FILES = {
    "syntax": (RULE + "def (:\n", "syntax error", "line 12"),
    "pattern_as_lambda": (
        RULE.replace("def pattern(x, y):\n    return x + y", "pattern = lambda x, y: x + y"),
        "no pattern",
        "found that line 3 binds it in another way",
    ),
    "pattern_in_a_class": (
        RULE.replace("def pattern(x, y):\n    return x + y", "class P:\n    def pattern(x, y): return x + y"),
        "no pattern",
        "found that line 4 binds it in another way or place",
    ),
    "no_pattern": (replaced("def pattern", "def patern"), "no pattern", "add pattern"),
    "no_args": (replaced("def replacement_args", "def args"), "no replacement_args", "add"),
    "no_func": (replaced("def replacement_func", "def func"), "no replacement_func", "add"),
    "arity": (replaced("replacement_args(x, y)", "replacement_args(x)"), "different numbers", "expected 2"),
    "func_arity": (replaced("replacement_func()", "replacement_func(x)"), "takes arguments", "no parameters"),
    "twice": (RULE + "def pattern(x, y):\n    return x\n", "defines pattern 2 times", "keep one"),
    "devices": ("DEVICES = ('tpu',)\n" + RULE, "DEVICES has the wrong form", "line 1"),
    "devices_computed": ("DEVICES = tuple('cpu')\n" + RULE, "DEVICES has the wrong form", "line 1"),
    "devices_of_control_characters": ("DEVICES = f\"{'\1'}\"\n" + RULE, "DEVICES has the wrong form", "line 1"),
    "integer": (RULE + f"N = 0x{'f' * 6000}\n", "an integer has 24000 bits; at most 1023 are read", "line 12"),
    "large": ("#" * (256 * 1024 + 1), "too large", "262144"),
    "null": ("\0", "", "A.py"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_file_is_named_with_the_next_step(tmp_path, case):
    text, what, detail = BAD_FILES[case]
    with pytest.raises(UsageError) as caught:
        read_pass_set(write(tmp_path, {"A.py": text}))
    assert what in str(caught.value)
    assert detail in str(caught.value)
    assert "A.py" in str(caught.value)
    assert caught.value.exit_code == 2


BAD_MANIFESTS = {
    "not_json": ("[", "not JSON"),
    "object": ('{"A": 1}', "wrong form"),
    "numbers": ("[1]", "wrong form"),
    "empty": ("[]", "empty"),
    "twice": ('["A", "A"]', "twice"),
    "missing_file": ('["A", "Gone"]', "(write Gone.py or take 'Gone' out of the manifest)"),
    "path": ('["../A"]', "expected stems of files beside the manifest (take '../A' out of the manifest)"),
    "no_name": ('[""]', "(take '' out of the manifest)"),
}


@pytest.mark.parametrize("case", BAD_MANIFESTS)
def test_a_bad_manifest_is_an_error(tmp_path, case):
    text, what = BAD_MANIFESTS[case]
    directory = write(tmp_path, {"A.py": RULE})
    (directory / "sorted_output_pass_rule_names.json").write_text(text)
    with pytest.raises(UsageError, match=r"sorted_output_pass_rule_names\.json") as caught:
        read_pass_set(directory)
    assert what in str(caught.value)


def test_missing_empty_and_unlisted_directories(tmp_path):
    with pytest.raises(UsageError, match="no such directory"):
        read_pass_set(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="holds no passes"):
        read_pass_set(tmp_path / "empty")
    (tmp_path / "unlisted").mkdir()
    (tmp_path / "unlisted" / "A.py").write_text(RULE)
    with pytest.raises(UsageError, match="no manifest"):
        read_pass_set(tmp_path / "unlisted")


def test_links_out_reserved_names_and_other_encodings(tmp_path):
    (tmp_path / "outside.py").write_text(RULE)
    directory = write(tmp_path / "p", {})
    (directory / "A.py").symlink_to(tmp_path / "outside.py")
    with pytest.raises(UsageError, match="leaves the directory"):
        read_pass_set(directory)
    with pytest.raises(UsageError, match="module name"):
        read_pass_set(write(tmp_path / "q", {"A.py": RULE, "torch.py": ""}))
    for name in ("__class__", "__dict__", "__path__"):  # a module's own attributes
        with pytest.raises(UsageError, match=f"{name}.py: .*module name"):
            read_pass_set(write(tmp_path / name, {f"{name}.py": RULE}, names=[name]))
    directory = write(tmp_path / "r", {})
    (directory / "A.py").write_bytes(b"# \xff\n")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_pass_set(directory)


def test_reading_and_checking_import_no_torch(tmp_path):
    directory = write(tmp_path, {"A.py": RULE})
    code = (
        "import sys; from passnet.rewrite import read_pass_set, check_policy;"
        f"check_policy(read_pass_set({str(directory)!r})); print('torch' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"


@pytest.mark.parametrize("text", ["return 1\n", "def f(x):\n    global x\n", "V = " + "-" * 300 + "1\n"])
def test_what_only_the_compiler_refuses_is_an_error_of_use(tmp_path, text):
    (tmp_path / "A.py").write_text(text)
    (tmp_path / "sorted_output_pass_rule_names.json").write_text('["A"]')
    with pytest.raises(UsageError):
        read_pass_set(tmp_path)


def test_a_file_that_the_policy_could_not_read_in_time_is_refused(tmp_path):
    """The rules look at every name in every scope, and nothing ends them."""
    long = RULE + "".join(f"b{n} = (a, b, c{n})\n" for n in range(4000))
    with pytest.raises(UsageError, match=r"A\.py.*nodes"):
        read_pass_set(write(tmp_path / "p", {"A.py": long}))


def test_many_files_together_may_not_be_too_large_either(tmp_path):
    part = "".join(f"b{n} = {n}\n" for n in range(1500))
    names = [f"h{n}" for n in range(12)]
    rule = RULE + "".join(f"from . import {name}\n" for name in names)
    with pytest.raises(UsageError, match=r"too large.*nodes"):
        read_pass_set(write(tmp_path / "p", {"A.py": rule, **{f"{name}.py": part for name in names}}))
    few = RULE + "".join(f"from . import {name}\n" for name in names[:3])
    assert len(read_pass_set(write(tmp_path / "q", {"A.py": few, **{f"{name}.py": part for name in names}})).files) == 4
