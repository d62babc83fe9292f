"""The one thing that `pyproject.toml` cannot say: the README whose links also work away from the repository."""

import re
import tomllib
from pathlib import Path

from setuptools import setup

HOME = Path(__file__).resolve().parent
_RELATIVE = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")


def readme() -> str:
    """README.md with relative links made whole."""
    project = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    source = project["urls"]["Source"]
    return _RELATIVE.sub(rf"]({source}/\1)", (HOME / "README.md").read_text(encoding="utf-8"))


setup(long_description=readme(), long_description_content_type="text/markdown")
