"""The one text that is checked and compiled: what it keeps, what is refused, and that compilers read it so too."""

from __future__ import annotations

import contextlib
import re
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.kernels.compilation.toolchain import find_toolchain
from passnet.kernels.policy.breach import KernelPolicyError
from passnet.kernels.policy.canonical import canonical
from tests.kernels.kernel_marks import IS_CLANG

PARTS = (
    "M", "R", "x", "L", "u8", "_k", "s", " ", "  ", "\n", "\r\n", '"M"', "'M'", '"a\\"b"', "'\\''", 'R"(', ')"', '"',
    "'", "\\", "\\\n", "\\ \n", "/", "*", "//", "/*", "*/", "/* M\n */", "// M\n",
    "1", "1'0", "0x1", "e", "p", "+", ".",
    "1.", "'.'", "<", ":", "::", "%", "??/", "??!", "(", ")", ",", "\u00e9", "\u2028", "\\u00e9", "#", "##", '"\t"',
    "\n#define A(x) x M", "\n#undef M", "\n#if 1", "\n#endif",
)  # fmt: skip
WORDS = re.compile(r"""\.?\d(?:'?\w|\.)*|[A-Za-z_]\w*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'""")
texts = st.lists(st.sampled_from(PARTS), min_size=1, max_size=14).map("".join)


def read(text: str) -> str | None:
    """The canonical text, or None for one that is refused."""
    with contextlib.suppress(KernelPolicyError):
        return canonical(text, "C++")
    return None


def preprocessed(text: str, *options: str) -> str | None:
    """What a compiler makes of a text, with N for each word M. No spaces are left, and no lines. None for an error."""
    plain = ["-std=c++17", "-w", "-Wno-reserved-user-defined-literal", "-E", "-P", "-DM=N"]
    command = [str(find_toolchain().compiler), *plain, *options, "-x", "c++", "-"]
    done = subprocess.run(command, input=f"{text}\n".encode(), capture_output=True, check=False)
    return re.sub(r"\s+", "", done.stdout.decode()) if done.returncode == 0 else None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("int a; // \u00e9 \u2014 \U0001f600\nint b;", "int a; \nint b;"),
        ("int a; /* \u00e9\n */ int b;\nint c;", "int a;\nint b;\nint c;"),
        ("// a \\\n b\nint c;", "\n\nint c;"),
        ("as\\\nm(1);\nint b;", "asm\n(1);\nint b;"),
        ("as\\ \t\r\nm(1);", "asm\n(1);"),
        ("#define A(x) \\\n  (x) /* a\n */ + 1\nint b;", "#define A(x)   (x)   + 1\n\n\nint b;"),
        ("/* a\n */ # define A 1", "\n# define A 1"),
        ("#define J(a, b) a ## b", "#define J(a, b) a ## b"),
        ("#define J(a, b) a \\\n##b", "#define J(a, b) a ##b\n"),
        ("a/**/b //c", "a b "),
        ("a<::b>", "a< ::b>"),
        ('fooR"("', 'fooR "("'),
        ('L"a" u8"b" u\'c\' "a"s "b"_k "c"M', 'L"a" u8"b" u\'c\' "a"s "b"_k "c" M'),
        ('"%"PRId64"\\n"', '"%" PRId64 "\\n"'),
        ('"what??! ??/ ?" // ??/', '"what?\\?! ?\\?/ ?" '),
        ("1'000 0x1'F .5e-3f 0x1.8p-3 1e5 12ull 1.2.3 0b1'0", "1'000 0x1'F .5e-3f 0x1.8p-3 1e5 12ull 1.2.3 0b1'0"),
        ("a\r\nb\r\n", "a\nb\n"),
    ],
)
def test_what_is_kept(text: str, wanted: str) -> None:
    found = canonical(text, "C++")
    assert [line.rstrip() for line in found.rstrip("\n").split("\n")] == [
        line.rstrip() for line in wanted.rstrip("\n").split("\n")
    ]
    assert canonical(found, "C++") == found


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('R"x( )\\\nx" /* )x";', "line 2: .*raw string"),
        ('u8R"(a)";', "line 2: .*raw string"),
        ('R\\\n"(a)";', "line 2: .*raw string"),
        ("#pragma STDC FOO 1'.' \" ' /* \"", "line 2: .*number"),
        ("1'", "line 2: .*number"),
        ("1'0'", "line 2: .*number"),
        ('1"a"', "line 2: .*number"),
        ("0x1E+5", "line 2: .*number"),
        ("1e+", "line 2: .*number"),
        ('\u00e9R"( " )" /* "', "line 2: .*beyond ASCII"),
        ("gr\u00f6sse", "line 2: .*beyond ASCII"),
        ("int\u00a0a;", r"line 2: .*beyond ASCII: \\xa0a;"),
        ("#if \\u00e9J(__has_,include)(<a>)", "line 2: .*universal"),
        ("gr\\U000000f6sse", "line 2: .*universal"),
        ('"\u2014"', "line 2: .*beyond ASCII in a text"),
        ('"a\nb"', "line 2: .*without an end"),
        ("don't", "line 2: .*without an end"),
        ("''", "line 2: .*without an end"),
        ('"a\\"', "line 2: .*without an end"),
        ("a /* b", "line 2: .*comment without an end"),
        ("%:define A", "line 2: .*spelling of a mark: %:define"),
        ("??=define A", "line 2: .*spelling of a mark"),
        ("a<:1:>", "line 2: .*spelling of a mark"),
        ("a<:::b", "line 2: .*spelling of a mark"),
        ("<% %>", "line 2: .*spelling of a mark"),
        ("int a; # define B", "line 2: .*mark #"),
        ("/* a\n */ int a; # define B", "line 3: .*mark #"),
        ("a ## b", "line 2: .*mark #"),
        ("a \\ b", "line 2: .*outside of texts"),
        ("a $b", "line 2: .*outside of texts"),
        ("a\x0cb", "line 2: .*outside of texts"),
        ("a\rb", "line 2: .*outside of texts"),
        ("a\x00b", r"line 2: .*outside of texts"),
        ("\ufeff#include <cmath>", "line 2: .*beyond ASCII"),
        ("a\\\nb\\\n\u00e9", "line 4: .*beyond ASCII"),
    ],
)
@pytest.mark.parametrize("language", ["C++", "CUDA"])
def test_what_is_refused(text: str, what: str, language: str) -> None:
    with pytest.raises(KernelPolicyError, match=what):
        canonical(f"// \u2014\n{text}", language)  # type: ignore[arg-type]  # one of two


@settings(max_examples=1000, deadline=None)
@given(texts)
def test_reading_it_again_changes_nothing(text: str) -> None:
    found = read(text)
    if found is not None:
        assert found.isascii()
        assert canonical(found, "C++") == found
        assert found.count("\n") <= text.count("\n")


@settings(max_examples=60, deadline=None)
@given(texts.map(read).filter(lambda found: found is not None and "#" not in found))
def test_a_compiler_finds_the_same_words_and_texts(found: str) -> None:
    """A compiler replaces words, and nothing in texts. So a word in what only one of the two takes for a text shows."""
    ours = WORDS.sub(lambda part: "N" if part.group() == "M" else part.group(), found)
    assert preprocessed(found) == re.sub(r"\s+", "", ours)
    if not IS_CLANG:  # clang has no such option
        assert preprocessed(found, "-fpreprocessed") == re.sub(r"\s+", "", found)


@settings(max_examples=60, deadline=None)
@given(texts.filter(lambda text: "??" not in text and read(text) is not None))
def test_it_means_to_a_compiler_what_the_text_does(text: str) -> None:
    assert preprocessed(canonical(text, "C++")) == preprocessed(text)
