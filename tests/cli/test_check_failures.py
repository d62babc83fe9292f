"""What `passnet check` says of rules whose code fails in ways that are no ordinary exception."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.cli_runner import assert_one_clear_line, run
from tests.cli.test_no_match import RULE
from tests.graph.graph_helpers import graph_of, spec

_STOP = "\n\nclass Stop(BaseException):\n    pass\n\n\n"


def _task(directory: Path, text: str, name: str = "Triple") -> Path:
    graph_of([spec("x", 4, 64)], "t = torch.relu(x)", "y = t * 3.0", "return (y,)", name="g").write(directory / "g")
    (directory / "graph_list.txt").write_text("g\n")
    (directory / "pass_dir").mkdir()
    (directory / "pass_dir" / f"{name}.py").write_text(text)
    (directory / "pass_dir" / "sorted_output_pass_rule_names.json").write_text(json.dumps([name]))
    return directory


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (RULE + _STOP + "raise Stop('enough')\n", "Triple.py, line 37: the file raised Stop: enough"),
        (
            RULE.replace("return (x,)", "a = [x]\n    b = tuple([a.append(a)])\n    return (a, b)"),
            "Triple.py: replacement_args returns lists more than 16 deep",
        ),
        (RULE.replace("return torch.relu(x) * 3.0", "return torch.relu(x) * 10**5000"), "more than 1024 bits"),
        (
            RULE.replace("    library.triple", "    raise BaseException('enough')\n    library.triple"),
            "runtime_error: BaseException: enough",
        ),
        (RULE + "\n\ndef applies(match):\n    raise BaseException('enough')\n", "applies raised BaseException: enough"),
        (RULE + "\n\ndef applies(match):\n    return 10**5000\n", "applies returned int instead of True"),
    ],
    ids=["a file", "a list in itself", "a number", "a wrapper", "a guard", "a guard's answer"],
)
def test_check_says_what_an_author_raised(tmp_path: Path, text: str, said: str) -> None:
    done = run("check", _task(tmp_path, text))
    assert done.code == 1
    assert said in done.out
    assert "without answering" not in done.out


@pytest.mark.parametrize("name", ["__class__", "__dict__"])
def test_check_refuses_a_name_of_pythons(tmp_path: Path, name: str) -> None:
    assert_one_clear_line(run("check", _task(tmp_path, RULE, name)), f"{name}.py", "rename the file")
