"""What others wrote is read within bounds, and whatever is wrong with it is one of three exceptions."""

from __future__ import annotations

import ast
import json
import math
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet import authored
from tests.growth import grows_in_proportion
from tests.hostile_texts import FILES, TEXTS, put

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(_JSON)
@settings(max_examples=100, deadline=None)
def test_what_json_can_hold_comes_back(value: object) -> None:
    assert authored.parse_json(json.dumps(value)) == value
    assert authored.parse_json(json.dumps(value, ensure_ascii=False).encode()) == value
    assert authored.refusal(value) is None


@given(st.text() | st.binary(), st.sampled_from(["[{0}]", '{{"a": {0}}}', "{0}", '"{0}"']))
@settings(max_examples=200, deadline=None)
def test_any_text_is_a_value_or_a_value_error(text: str | bytes, around: str) -> None:
    written = around.format(text) if isinstance(text, str) else text
    try:
        value = authored.parse_json(written)
    except ValueError:
        return
    assert json.loads(json.dumps(value)) == value


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_texts_are_refused_or_read_and_nothing_else(name: str) -> None:
    for read in (authored.parse_json, lambda data: authored.parse_python(data.decode("utf-8", "replace"))):
        said = ""
        try:
            read(TEXTS[name])
        except (ValueError, SyntaxError) as error:
            said = str(error)
        assert len(said) < 300


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[" * 50_000, "nested deeper than 64 levels"),
        ("[" * 65 + "]" * 65, "nested deeper than 64 levels"),
        ("9" * 5000, "too large"),
        (str(2**64 + 1), "too large"),
        ("[1e999]", "not finite"),
        ("[-Infinity]", "-Infinity is no number"),
        ('{"a": [], "a": 1}', "a key twice"),
        ('{"\\udc00": 1}', "half a character"),
    ],
)
def test_stricter_than_pythons_json(text: str, problem: str) -> None:
    with pytest.raises(json.JSONDecodeError, match=problem):
        authored.parse_json(text)


def test_brackets_in_strings_are_no_nesting() -> None:
    assert authored.parse_json(json.dumps(["[" * 1000, '\\"' + "{" * 1000])) == ["[" * 1000, '\\"' + "{" * 1000]
    assert authored.parse_json("[" * 64 + "]" * 64)


def test_values_that_never_were_text_are_looked_at_too() -> None:
    circular: list[object] = []
    circular.append(circular)
    for value in (circular, {"a": b""}, {1: {(1, 2): object()}}, math.nan, 10**5000, "\ud800", {"\ud800": 1}):
        assert authored.refusal(value) is not None


@pytest.mark.parametrize("name", FILES)
def test_only_plain_files_are_read(name: str, tmp_path: Path) -> None:
    put(name, tmp_path / "f")
    if name == "link out":
        assert authored.read_text(tmp_path / "f")
    else:
        with pytest.raises(OSError, match=r".") as caught:
            authored.read_bytes(tmp_path / "f")
        assert caught.value.strerror


def test_size_is_bounded_and_names_may_be_anything(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"12345")
    assert authored.read_bytes(tmp_path / "f", 5) == b"12345"
    with pytest.raises(OSError, match="more than 4 bytes"):
        authored.read_bytes(tmp_path / "f", 4)
    for name in ("a\0b", "\ud800", "x" * 5000):
        assert not authored.is_path(name)
        with pytest.raises(OSError, match=r"."):
            authored.read_bytes(tmp_path / name)
    assert authored.is_path("graphs/float32/0")


@pytest.mark.parametrize(
    "text",
    ["", ".", "..", "/a", "//a", "a/../b", "a/..", "a\\b", "a\0b", "a\n", "a\nb", "a\rb", "a\u2028b", "\udcff",
     "x" * 256, "a/" * 3000],
)  # fmt: skip
def test_what_leads_elsewhere_or_is_no_line_is_no_place(text: str) -> None:
    assert not authored.is_below(text) and not authored.is_name(text)


def test_places_and_names() -> None:
    assert all(map(authored.is_below, ("a", "a/b", "./a", "a//b", "...", ".a", "Größe/a b", "a\x1b")))
    assert authored.is_name("x" * 255) and not authored.is_name("a/b")


def test_links_out_of_a_directory_are_not_read(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "below").mkdir(parents=True)
    for file in (tmp_path / "secret", home / "mine", home / "below" / "deep"):
        file.write_bytes(b"x")
    (tmp_path / "elsewhere").symlink_to(home)
    for name, to in {"out": tmp_path / "secret", "same": "mine", "down": "below/deep"}.items():
        (home / name).symlink_to(to)
    (home / "below" / "up").symlink_to("../mine")
    for place in (home, tmp_path / "elsewhere"):
        assert authored.read_inside(place / "same") == authored.read_inside(place / "down") == b"x"
        for out in (place / "out", place / "below" / "up"):
            with pytest.raises(OSError, match="a link that leaves the directory"):
                authored.read_inside(out)
    assert authored.read_inside(home / "below" / "up", home) == b"x"
    with pytest.raises(OSError, match="not a path"):
        authored.read_inside(home / "a\0b")


@given(st.text())
@settings(max_examples=100, deadline=None)
def test_one_line_is_one_printable_line(text: str) -> None:
    shown = authored.one_line(text)
    assert shown.isprintable() and authored.is_text(shown)
    assert shown == text or not text.isprintable()


def test_a_deep_tree_is_a_syntax_error_and_a_long_one_is_not() -> None:
    assert authored.parse_python("x = 1\n" * 20_000)
    assert authored.parse_python("x = [" + "1, " * 10_000 + "]")
    with pytest.raises(SyntaxError, match="nested deeper"):
        authored.parse_python("x = " + "1 + " * 300 + "1")


@pytest.mark.parametrize("text", ["0x" + "f" * 6000, "x = [\n-0b1" + "0" * 1023 + "]", "9" * 400])
def test_an_integer_that_no_dtype_holds_is_a_syntax_error(text: str) -> None:
    """Python reads integers in hexadecimal that it cannot write, and messages write what they are about."""
    with pytest.raises(SyntaxError, match=r"an integer has \d+ bits; at most 1023 are read") as caught:
        authored.parse_python(text)
    assert caught.value.lineno == 1 + text.count("\n")
    assert authored.parse_python(f"mask = {2**1023 - 1:#x}; seed = {-(2**512)}; flag = True")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a.b( 'c' )", "a.b('c')"),
        ("[" + "1, " * 300 + "]", "a long List"),
        ("'" + "a" * 100 + "'", "'aaaaaaaaaaaaaaaa..."),
        ("0x" + "f" * 6000, "a Constant that cannot be written out"),
        ("-" * 60 + "1", "-----------------..."),
    ],
)
def test_every_expression_has_a_text(text: str, shown: str) -> None:
    assert authored.expression_text(ast.parse(text, mode="eval").body, 20) == shown


def test_a_format_string_has_a_text() -> None:
    """Python 3.11 cannot write one that holds a control character."""
    assert authored.expression_text(ast.parse("f\"{'\1'}\"", mode="eval").body)


def nested(levels: int, last: str = "pass") -> str:
    """`try` in the `finally` of another, so many times."""
    lines = ["def f():"]
    for level in range(1, levels + 1):
        lines += ["    " * level + "try:", "    " * (level + 1) + last, "    " * level + "finally:"]
    return "\n".join([*lines, "    " * (levels + 1) + "pass"])


@pytest.mark.parametrize(("levels", "last"), [(19, "pass"), (12, "return 1"), (90, "pass")])
def test_code_that_doubles_with_each_level_is_not_compiled(levels: int, last: str) -> None:
    """Nineteen levels took 20 seconds and 5 GB."""
    tree = authored.parse_python(nested(levels, last))
    with pytest.raises(SyntaxError, match="in proportion to the text"):
        authored.compiled(tree, "a.py")


@pytest.mark.parametrize(("levels", "last"), [(1, "return 1"), (8, "pass"), (4, "return 1")])
def test_code_that_people_write_is_compiled(levels: int, last: str) -> None:
    space: dict[str, object] = {}
    exec(authored.compiled(authored.parse_python(nested(levels, last)), "a.py"), space)
    assert callable(space["f"])


def test_a_warning_of_python_shows_no_line_of_the_authors(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    """Compiler and parser each have their own. The parser's are shown from Python 3.12 on."""
    file = tmp_path / "a.py"
    file.write_text("A = 1 is 1  # \x1b]0;owned\x07\nB = '\\d \x1b]0;owned\x07'\n")
    warnings.simplefilter("always")
    authored.compiled(authored.parse_python(file.read_text()), str(file))
    assert authored.symbol_table(file.read_text(), str(file)).lookup("B").is_assigned()
    assert not recwarn.list


@pytest.mark.parametrize("text", ['["', '["\\"', '"\\"', '\\"', '"\\'], ids=repr)
def test_json_takes_time_in_proportion_to_its_text(text: str) -> None:
    def refused(count: int) -> None:
        with pytest.raises(json.JSONDecodeError):
            authored.parse_json('["' + text * count)

    assert grows_in_proportion(refused, 1000)


@pytest.mark.parametrize("text", ['["\\', '["\\\\', '["a\\"', '["'])
def test_a_string_without_an_end_is_no_json(text: str) -> None:
    with pytest.raises(json.JSONDecodeError):
        authored.parse_json(text)


def test_brackets_within_strings_are_no_levels() -> None:
    text = json.dumps(['"' + "[" * 100 + "\\", "{" * 100])
    assert authored.parse_json(text) == json.loads(text)


def names(count: int, form: str = "a{}", between: str = ",") -> str:
    return between.join(form.format(number) for number in range(count))


@pytest.mark.parametrize(
    "text",
    [
        f"def f(x):\n match x:\n  case [{names(3000)}]: pass",
        f"def f(x):\n match x:\n  case [{names(500)}] | [{names(500)}]: pass",
        f"f({names(3000, 'a{}=1')})",
        f"class C({names(3000, 'a{}=1')}): pass",
        f"def f(x):\n match x:\n  case C({names(3000, 'a{}=1')}): pass",
        f"def f():\n {names(3000, 'a{}=1', ';')}\n {names(1000, 'lambda: {}')}",
        f"def f():\n global {names(3000)}\n{names(1000, 'lambda: {}')}",
        f"class {'C' * 20_000}:\n {names(3000, '__a{}=1', ';')}",
        f"def {'f' * 20_000}():\n {names(3000, 'lambda: {}')}",
        "x=" + "+".join(["'a' * 4096"] * 190) + ";x=" + "+".join(["'a' * 4096"] * 190),
        "x=" + "+".join(["(0,) * 256"] * 190) + ";x=" + "+".join(["(0,) * 256"] * 190),
    ],
    ids=[
        "names of a pattern", "alternatives", "keywords", "of a class", "of a pattern", "inner scopes", "global names",
        "private names", "long names", "texts", "tuples",
    ],
)  # fmt: skip
def test_code_that_grows_faster_than_its_text_is_not_compiled(text: str) -> None:
    tree = authored.parse_python(text)
    with pytest.raises(SyntaxError, match="in proportion to the text"):
        authored.compiled(tree, "a.py")


@pytest.mark.parametrize(
    "text",
    [
        f"def f(x):\n match x:\n  case [{names(40)}]: pass\n  case C({names(40, 'a{}=1')}): pass",
        f"f({names(500, 'a{}=1')})",
        f"def f():\n {names(300, 'a{}=1', ';')}\n return [{names(100, 'lambda: {}')}]",
        "x=" + "+".join(["'" + "a" * 5000 + "'"] * 20),
    ],
)
def test_long_code_that_people_write_is_compiled(text: str) -> None:
    authored.compiled(authored.parse_python(text), "a.py")
