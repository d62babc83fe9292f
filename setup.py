"""What `pyproject.toml` cannot say: the README as it reads away from the repository, and pages inside the package."""

import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HOME = Path(__file__).resolve().parent
_RELATIVE = re.compile(r"!?\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)")
_PAGE = re.compile(r"docs/(\w+)\.md(?:#.*)?")


def readme() -> str:
    """README.md with links to pages as the command that prints them. Other files are not there, so names stay."""
    return _RELATIVE.sub(_told, (HOME / "README.md").read_text(encoding="utf-8"))


def _told(link: re.Match[str]) -> str:
    text, target = link.groups()
    page = _PAGE.fullmatch(target)
    return f"{text} (`passnet docs {page[1]}`)" if page else text


class WithPages(build_py):
    """Puts the documentation into the package, where `passnet docs` finds it."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:  # a checkout has them
            return
        target = Path(self.build_lib) / "passnet" / "docs"
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        for page in sorted((HOME / "docs").glob("*.md")):
            shutil.copyfile(page, target / page.name)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(HOME / "docs" / "examples", target / "examples", ignore=ignored)


setup(long_description=readme(), long_description_content_type="text/markdown", cmdclass={"build_py": WithPages})
