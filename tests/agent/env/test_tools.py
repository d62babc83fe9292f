"""What models are told of the tools, and what becomes of the arguments that they send."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.agent.env.env import TOOLS
from passnet.agent.env.tools import BadArguments, Effect

NAMES = (
    "view", "create", "str_replace", "insert", "delete", "inspect_graph", "check", "evaluate", "profile",
    "kernel_source", "submit",
)  # fmt: skip


def test_the_tools_are_those_that_the_documentation_names() -> None:
    assert tuple(TOOLS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_tool_and_parameter_is_described(name: str) -> None:
    function = TOOLS[name].schema["function"]
    assert function["name"] == name
    assert function["description"].endswith(".")
    parameters = function["parameters"]
    assert parameters["type"] == "object"
    assert parameters["additionalProperties"] is False
    for described in parameters["properties"].values():
        assert described["description"].endswith(".")
        assert described["type"] in {"string", "integer", "boolean"}


def test_the_schema_of_one_tool_in_full() -> None:
    assert TOOLS["insert"].schema == {
        "type": "function",
        "function": {
            "name": "insert",
            "description": "Insert text into a file after a line.",
            "parameters": {
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "File name."},
                    "line": {
                        "type": "integer",
                        "description": "Number of the line after which the text goes; 0 puts it at the beginning.",
                    },
                    "text": {"type": "string", "description": "The lines to insert."},
                },
                "required": ["path", "line", "text"],
                "additionalProperties": False,
            },
        },
    }


def test_defaults_are_filled_in_and_numbers_in_quotes_are_read() -> None:
    view = TOOLS["view"]
    assert view.arguments('{"first": "3"}') == {"path": ".", "first": 3, "last": 0}
    assert view.arguments(None) == view.arguments({}) == view.arguments("{}")


def test_a_variant_has_a_number_too_and_true_is_no_number() -> None:
    assert TOOLS["inspect_graph"].arguments({"graph": 0}) == {"graph": "0"}
    with pytest.raises(BadArguments, match=r"first: .*integer"):
        TOOLS["view"].arguments({"first": True})


@pytest.mark.parametrize(
    ("given_arguments", "words"),
    [
        ('{"path": "A.py"', "not JSON"),
        ("[1]", "must be a JSON object, found list"),
        ({"path": "A.py"}, "text: Field required"),
        ({"path": "A.py", "text": 3}, "text: "),
        ({"path": "A.py", "text": "", "mode": "w"}, "mode: Extra inputs"),
        ("{}", "its parameters: path, text"),
    ],
)
def test_bad_arguments_are_named(given_arguments: object, words: str) -> None:
    with pytest.raises(BadArguments) as failed:
        TOOLS["create"].arguments(given_arguments)
    assert words in str(failed.value)


@pytest.mark.slow
@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_anything_else_is_either_arguments_or_refused(value: object) -> None:
    try:
        found = TOOLS["view"].arguments(value)
    except BadArguments:
        return
    assert set(found) == {"path", "first", "last"}


def test_a_tool_says_what_a_call_of_it_does() -> None:
    by_effect = {effect: [name for name, tool in TOOLS.items() if tool.effect is effect] for effect in Effect}
    assert by_effect == {
        Effect.READS: ["view", "inspect_graph", "kernel_source"],
        Effect.EDITS: ["create", "str_replace", "insert", "delete"],
        Effect.MEASURES: ["check", "evaluate", "profile"],
        Effect.ENDS: ["submit"],
    }
    assert [name for name, tool in TOOLS.items() if tool.overwrites] == ["create", "str_replace", "delete"]
