"""The prompts: complete under strict rendering, true in what they say, and with examples that work as they stand."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest
import torch

from passnet.agent.authors.model import prompts
from passnet.agent.authors.model.text_calls import text_calls
from passnet.agent.env.env import TOOLS
from passnet.rewrite import check_policy, read_pass_set, rewrite
from passnet.rewrite.policy.names import BANNED_NAMES, IMPORTS
from passnet.rewrite.rules.load import load_rules
from passnet.score import T_RANGE, GraphResult, Outcome, score_results

pytest.importorskip("jinja2", reason="jinja2 is not installed")
MANIFEST = "sorted_output_pass_rule_names.json"
ROOT = Path(__file__).parents[4]
VALUES = {
    "no_call": {"text_tools": True, "cut_off": False},
    "loop": {"count": 5},
    "results": {"results": [("view", "text"), ("", "more")]},
    "text_tools": {"tools": []},
    "system": {"device": "cpu", "policy": "strict", "example": "", "tools": []},
}


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("policy", ["strict", "native"])
@pytest.mark.parametrize("text_tools", [True, False])
def test_the_system_prompt_is_complete(device: str, policy: str, text_tools: bool) -> None:
    text = prompts.system(device, policy, text_tools=text_tools)
    assert "{{" not in text
    assert "{%" not in text
    assert f"source policy `{policy}`" in text
    assert ("numba" in text) == (policy == "native")
    assert ("passnet.h" in text) == (device == "cpu")
    assert ("```call" in text) == text_tools
    assert len(text) < 12_000


@pytest.mark.parametrize("name", sorted(path.name.split(".")[0] for path in prompts.FOLDER.glob("*.j2")))
def test_every_template_needs_all_of_its_values(name: str) -> None:
    from jinja2 import UndefinedError

    assert prompts.render(name, **VALUES[name])
    for missing in VALUES[name]:
        if missing == "example" or (name, missing) == ("system", "policy"):
            continue
        with pytest.raises(UndefinedError, match=missing):
            prompts.render(name, **{key: value for key, value in VALUES[name].items() if key != missing})


def test_text_tools_describe_every_tool_and_parameter() -> None:
    text = prompts.text_format()
    for tool in TOOLS.values():
        assert f"- `{tool.name}`: " in text
        for parameter in tool.schema["function"]["parameters"]["properties"]:
            assert f"  - `{parameter}` (" in text
    found = text_calls(text)
    assert [(call.tool, call.problem) for call in found] == [("create", None), ("str_replace", None), ("check", None)]
    for call in found:
        TOOLS[call.tool].arguments(call.arguments)


def test_what_the_prompt_says_of_the_policy_is_so() -> None:
    text = prompts.system("cpu", "strict", text_tools=False)
    for name in ("getattr", "eval", "open", "id", "type"):
        assert f"`{name}`" in text
        assert name in BANNED_NAMES
    assert IMPORTS["numba"] == IMPORTS["numpy"] == IMPORTS["ctypes"] == ("native",)


def test_what_the_prompt_says_of_the_score_is_so() -> None:
    """A wrong variant is worth about 0.15, one that fails 0.1, and one bad one of six costs more than a quarter."""
    text = " ".join(prompts.system("cpu", "strict", text_tools=False).split())
    assert "about 0.15 when its result is wrong, and about 0.1 when it fails or nothing matched" in text
    assert "one bad variant of six costs more than a quarter" in text
    wrong = GraphResult("wrong", Outcome.ACCURACY, None, None)
    assert score_results([wrong]).aggregated == pytest.approx(0.15, abs=0.01)
    for outcome in (Outcome.RUNTIME_ERROR, Outcome.COMPILE_ERROR, Outcome.NO_MATCH, Outcome.INTEGRITY):
        assert score_results([GraphResult("failed", outcome, None, None)]).aggregated == pytest.approx(0.1, abs=0.012)
    right = [GraphResult(f"right {n}", Outcome.CORRECT, 1.0, T_RANGE[0]) for n in range(5)]
    assert score_results([*right, wrong]).aggregated < 0.75


# --- the examples ------------------------------------------------------------------------------------------------


def pass_dir(directory: Path, device: str) -> Path:
    """The example as the prompt shows it, in a directory with its list."""
    shown = prompts.system(device, "strict", text_tools=False)
    (code,) = re.findall(r"^```python\n(.*?)^```", shown, re.MULTILINE | re.DOTALL)
    assert code == prompts.example(device)
    (directory / "Example.py").write_text(code)
    (directory / MANIFEST).write_text(json.dumps(["Example"]))
    return directory


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_the_example_keeps_the_policy(tmp_path: Path, device: str) -> None:
    assert check_policy(read_pass_set(pass_dir(tmp_path, device)), "strict") == ()


def test_the_example_for_gpus_is_the_one_that_is_tested_there() -> None:
    page = ROOT / "docs" / "examples" / "triton" / "pass_dir" / "SiluMul.py"
    assert prompts.example("cuda") == page.read_text()


def module_of(directory: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("Example", directory / "Example.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_the_example_for_cpus_computes_what_its_pattern_does(tmp_path: Path, dtype: torch.dtype) -> None:
    example = module_of(pass_dir(tmp_path, "cpu"))
    for columns in (1, 7, 256, 300, 768):
        inputs = [torch.randn(3, 5, columns).to(dtype), torch.randn(columns).to(dtype), torch.randn(columns).to(dtype)]
        got = example.replacement_func()(*example.replacement_args(*inputs))
        expected = example.pattern(*(value.double() for value in inputs)).to(dtype)
        torch.testing.assert_close(got, expected)
    with pytest.raises(ValueError, match="contiguous"):
        example.replacement_func()(torch.randn(4, 8, 8).transpose(1, 2).to(dtype), *inputs[1:])


def test_the_example_for_cpus_matches_a_graph(tmp_path: Path) -> None:
    rules = load_rules(read_pass_set(pass_dir(tmp_path, "cpu")), "cpu").rules
    graph = torch.fx.symbolic_trace(lambda x, w, b: torch.nn.functional.relu(b + x * w))
    found = rewrite(graph, rules)
    assert found.replacements == {"Example": 1}
