"""Calls as text: what is written is what is read, whatever the texts hold; what cannot be read says why."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from passnet.agent.authors.model.text_calls import text_calls
from tests.growth import grows_in_proportion

LINES = st.text(alphabet=st.characters(blacklist_categories=("Cs",), blacklist_characters="\r"), max_size=200)


def block(tool: str, arguments: dict, raw: dict[str, str], fence: str = "```") -> str:
    sections = "".join(f"--- {name}\n{text}\n" for name, text in raw.items())
    return f"{fence}call\n{tool} {json.dumps(arguments)}\n{sections}{fence}\n"


@given(
    st.dictionaries(st.sampled_from(["path", "graph", "note"]), LINES | st.integers(-(2**64), 2**64) | st.booleans()),
    LINES,
    LINES,
)
def test_what_is_written_is_read(arguments: dict, old: str, new: str) -> None:
    assume(not any(line.startswith(("--- ", "```")) for text in (old, new) for line in text.split("\n")))
    (call,) = text_calls(f"I try.\n{block('str_replace', arguments, {'old': old, 'new': new})}And wait.")
    assert call.problem is None
    assert (call.tool, call.arguments) == ("str_replace", {**arguments, "old": old, "new": new})


def test_a_text_of_lines_ends_with_its_last_line() -> None:
    (call,) = text_calls(block("create", {"path": "A.py"}, {"text": "import torch\n\nx = 1"}))
    assert call.arguments == {"path": "A.py", "text": "import torch\n\nx = 1\n"}
    (call,) = text_calls("```call\ncreate {}\n--- text\n```")
    assert call.arguments == {"text": ""}


def test_longer_fences_hold_shorter_ones() -> None:
    text = 'DOC = """\n```python\nx\n```\n"""'
    (call,) = text_calls(block("create", {"path": "A.py"}, {"text": text}, fence="`````"))
    assert call.arguments["text"] == f"{text}\n"
    (call,) = text_calls(block("create", {"path": "A.py"}, {"text": text}, fence="~~~"))
    assert call.arguments["text"] == f"{text}\n"


def test_other_blocks_are_no_calls_and_several_are_in_order() -> None:
    text = "```python\nprint()\n```\n```call\nview\n```\ntext\r\n```call\r\ncheck {}\r\n```\r\n"
    assert [(call.tool, call.arguments) for call in text_calls(text)] == [("view", {}), ("check", {})]
    assert text_calls("no call at all") == []
    assert text_calls('```json\n{"tool": "view"}\n```') == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('```call\nview {"path": \n```', "the arguments of view are not JSON"),
        ("```call\nview [1]\n```", "must be a JSON object"),
        ("```call\n\n```", "without a call"),
        ("```call\n--- text\nx\n```", "without a call"),
        ("```call\nview", "not closed"),
    ],
)
def test_what_is_no_call_says_why(text: str, problem: str) -> None:
    (call,) = text_calls(text)
    assert call.problem is not None
    assert problem in call.problem
    assert call.raw


@given(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for call in text_calls(f"```call\n{text}\n```"):
        assert (call.problem is None) == bool(call.tool) or call.problem is not None


@pytest.mark.parametrize("opening", ["~~~call\n", "```call\nx\n", "````call\n```call\n"])
def test_blocks_that_never_close_take_time_in_proportion(opening: str) -> None:
    assert text_calls(opening)[0].problem is not None
    assert grows_in_proportion(lambda count: text_calls(opening * count), 400)


def test_an_open_block_holds_closed_ones_of_another_fence() -> None:
    """Reading goes on behind the line that opens it."""
    found = text_calls("~~~call\na\n```call\nb\n```\n````call\nc {}\n```\n````\n")
    assert [call.tool for call in found] == ["b", "c", ""]
    assert "not closed" in (found[-1].problem or "")


@pytest.mark.parametrize("text", ["```call\n```", "```call\n\n``` \t\n", "x\n```call \n```\n"])
def test_an_empty_block_is_no_call(text: str) -> None:
    assert [call.problem for call in text_calls(text)] == ["a block without a call; its first line names the tool"]
